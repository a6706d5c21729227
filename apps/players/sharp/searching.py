"""The search of one question of the play: deals that agree with what was seen, played to their end for each candidate."""

from __future__ import annotations

import time
from collections.abc import Sequence
from typing import Any

from gunzi import masks
from gunzi.apps.players.sharp import finishing as at
from gunzi.apps.players.sharp.budget import Budget
from gunzi.apps.players.sharp.choosing import choose
from gunzi.apps.players.sharp.compiling import Form
from gunzi.apps.players.sharp.knowing import Known, ranks_at_least
from gunzi.apps.players.sharp.placing import place_cards
from gunzi.apps.players.sharp.worth import Stakes
from gunzi.ask import PlayAsk
from gunzi.play_rules import PlayRules
from gunzi.sight import Sight
from gunzi.trump import Masks

BURN_IN = 8
"""So many steps a card before the first deal is taken."""


class Deals:
    """Deals that agree with what a seat knows, one after another."""

    def __init__(self, known: Known, rules: PlayRules, state: int, form: Form) -> None:
        # Cards of a class stand side by side.
        order = sorted(range(len(known.cards)), key=lambda i: (known.allowed[i], known.cards[i]))
        cards = [known.cards[i] for i in order]
        allowed = [known.allowed[i] for i in order]
        place, state = place_cards(allowed, known.room, state)
        classes = [i for i in range(len(cards)) if not i or allowed[i] != allowed[i - 1]]
        self.form = form
        numbers = form.numbers
        self.checked = known.checked
        self.steps = len(cards) * (2 if self.checked else 1)
        self.random = numbers([state])
        self.cards, self.allowed, self.place = numbers(cards), numbers(allowed), numbers(place)
        self.classes = numbers([*classes, len(cards)])
        self.hold = numbers([0] * 15)
        self.bad, self.limits, self.tribute = numbers(known.bad), numbers(known.limits), numbers(known.tribute)
        self.at_least = numbers(ranks_at_least(rules))
        self.ring = numbers([0] * 4)
        self.burn_in = BURN_IN * len(cards)

    def arguments(self, deals: int, sampled: bool = True) -> tuple[Any, ...]:
        """What ``explore`` takes of it, for so many deals; not ``sampled``: for the deal there is."""
        burn_in, self.burn_in = self.burn_in, 0
        return (
            self.random, burn_in, deals, self.steps if sampled else -1, self.cards, self.allowed, self.place, self.classes,
            self.hold, self.bad, self.limits, self.tribute, self.at_least, self.ring, self.checked,
        )  # fmt: skip


class PlaySearch:
    """Candidates for a play."""

    def __init__(
        self, sight: Sight, ask: PlayAsk, firsts: Sequence[Masks], deals: Deals, stakes: Stakes, heavy: int
    ) -> None:
        self.deals, self.stakes, self.seat = deals, stakes, ask.seat
        numbers = deals.form.numbers
        rules = ask.play_rules
        self.own = numbers(list(ask.holding))
        self.moment = numbers(moment_of(sight, rules, heavy))
        self.voids = numbers([0] * 4)
        hidden = sight.shown.buried is None
        self.burial = numbers(list(sight.buried) if hidden else [0, 0, 0])
        self.bottom = sight.shown.buried or (sight.buried if sight.buried[0] else None)
        self.firsts = numbers([mask for play in firsts for mask in play])
        self.points, self.power = deals.form.table(rules.points), deals.form.table(rules.trump.power)
        self.work = numbers([0] * 15)
        self.count = len(firsts)

    def attempt(self, deals: int, chosen: Sequence[int]) -> list[list[int]]:
        """Try these candidates on new deals."""
        numbers = self.deals.form.numbers
        width = len(chosen)
        ends, bottoms = numbers([0] * (deals * width)), numbers([0] * (3 * deals))
        self.deals.form.explore(
            *self.deals.arguments(deals), self.seat, self.own, self.moment, self.voids, self.burial, self.firsts,
            numbers(list(chosen)), self.points, self.power, self.work, ends, bottoms,
        )  # fmt: skip
        ended, below = list(map(int, ends)), list(map(int, bottoms))
        found = []
        for deal in range(deals):
            bottom = self.bottom or (below[3 * deal], below[3 * deal + 1], below[3 * deal + 2])
            found.append([self.stakes.of(end, bottom) for end in ended[deal * width : (deal + 1) * width]])
        return found

    def best(self, budget: Budget, began: float) -> int:
        """The best candidate."""
        return choose(self.count, budget, self.attempt, began)


def moment_of(sight: Sight, rules: PlayRules, heavy: int) -> list[int]:
    """Where the play stands, as ``play_on`` takes it."""
    shown = sight.shown
    assert shown.dealer is not None
    found = [0] * at.SIZE
    plays = shown.plays
    found[at.DEALER], found[at.LEADER], found[at.PLAYS] = shown.dealer, shown.leader, plays
    found[at.ATTACKERS] = shown.attackers
    if plays:
        found[at.LANE], found[at.N] = shown.lane, shown.n
        found[at.BEST] = shown.best[shown.n - 1]
        found[at.STRONGEST], found[at.WINNING], found[at.PILE] = shown.strongest, shown.winning, shown.pile
    found[at.OUT : at.OUT + 3] = shown.out1, shown.out2, shown.out3
    found[at.VOIDS : at.VOIDS + 4] = shown.voids
    follow = rules.follow
    found[at.STRICT], found[at.SPLIT] = follow.strict, follow.split
    found[at.TELLS] = 0 if follow.strict and follow.split == masks.EXEMPT else 1
    found[at.POINTED], found[at.HEAVY] = rules.pointed, heavy
    return found


def now() -> float:
    """When thinking begins."""
    return time.perf_counter()
