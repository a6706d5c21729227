"""``steady``: a sensible player. It counts what was played, and keeps no secret plans.

It decides on masks: the integer functions in ``leading``, ``following`` and ``discarding`` say what to play, ``preparing`` what
to do before. Its answer depends on what its seat can see alone; it needs no dice.
"""

from __future__ import annotations

from functools import lru_cache

from gunzi import masks
from gunzi.acts import Act
from gunzi.apps.players import preparing
from gunzi.apps.players.dice import Dice
from gunzi.apps.players.following import choose_follow
from gunzi.apps.players.leading import choose_lead
from gunzi.ask import Ask, CardsAsk, PlayAsk
from gunzi.errors import Text
from gunzi.masks import is_follow
from gunzi.ruleset import RuleSet
from gunzi.sight import Sight
from gunzi.trump import Trump


class Steady:
    """The player that does the sensible thing in every phase."""

    name = "steady"
    title = Text("稳当", "steady")
    looks = True
    uniform = False

    def act(self, sight: Sight, ask: Ask, dice: Dice) -> Act:
        """The sensible act; the first one where a plugin asks what it does not know."""
        if isinstance(ask, PlayAsk):
            return _play(sight, ask)
        kind = ask.kind
        if len(ask) == 1:
            return ask[0]
        if kind in ("claim", "declare"):
            return preparing.choose_bid(sight, ask, ask.rules.permanent, ask.rules.deck.hand)
        if kind == "bury_kings":
            return preparing.choose_kings(sight, ask)
        if isinstance(ask, CardsAsk):
            pointed, heavy, _ = worth(ask.rules, ask.trump)
            if kind == "bury":
                chosen = preparing.choose_burial(ask, pointed, heavy)
            elif kind == "return":
                chosen = preparing.choose_return(ask, pointed, heavy)
            elif kind == "pick":
                chosen = preparing.choose_pick(sight, ask)
            else:
                chosen = preparing.choose_payment(ask)
            return ask.act_type(ask.trump.cards(chosen))
        return ask[0]


@lru_cache(maxsize=1024)
def worth(rules: RuleSet, trump: Trump) -> tuple[int, int, tuple[int, ...]]:
    """The kinds with points, those with more than five, and the points of each bit."""
    pointed, points = rules.point_masks(trump)
    heavy = 0
    for bit, each in enumerate(points):
        if each > 5:
            heavy |= 1 << bit
    return pointed, heavy, points


def _play(sight: Sight, ask: PlayAsk) -> Act:
    shown = sight.shown
    trump = ask.trump
    seat = ask.seat
    h1, h2, h3 = ask.holding
    if not h1 & (h1 - 1) and not h2:
        return ask.kth(0)
    u1, u2, u3 = masks.remove(shown.out1, shown.out2, shown.out3, h1, h2, h3)
    if shown.buried is None and sight.buried[0]:
        u1, u2, u3 = masks.remove(u1, u2, u3, *sight.buried)
    pointed, heavy, points = worth(ask.rules, trump)
    voids = shown.voids
    if ask.lead is None:
        foes = voids[seat ^ 1] | voids[seat ^ 3]
        p1, p2, p3 = choose_lead(h1, h2, h3, u1, u2, u3, foes, voids[seat ^ 2], pointed, points)
    else:
        n = ask.n
        follow = ask.play_rules.follow
        if n > 3 or follow.contains is not is_follow:
            return ask.kth(0)
        b1, b2, b3 = shown.best
        place = shown.plays
        behind = voids[(seat + 3 - place) & 3] if place == 2 else voids[(seat + 2) & 3]
        p1, p2, p3 = choose_follow(
            h1, h2, h3, u1, u2, u3, ask.lane, n, follow.strict, follow.split,
            b1 if n == 1 else (b2 if n == 2 else b3), shown.strongest, shown.winning ^ seat == 2, place,
            behind, shown.pile, pointed, heavy, trump.power,
        )  # fmt: skip
    return ask.play((p1, p2, p3)) or ask.kth(0)
