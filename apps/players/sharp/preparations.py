"""The search before the play: burying, kings, claims and declarations are tried on whole hands, rehearsed to the first lead and
played out."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from gunzi import masks
from gunzi.acts import Act, BuryKings, Claim, Declare
from gunzi.apps.players.preparing import KINGS_TO_CLAIM, MANY_TRUMPS
from gunzi.apps.players.sharp import finishing as at
from gunzi.apps.players.sharp.compiling import Form
from gunzi.apps.players.sharp.rehearsing import (
    Ready,
    Trumped,
    bury,
    bury_king,
    bury_kings,
    claimed,
    declared,
    prepare,
    revealed,
    trumps,
)
from gunzi.apps.players.sharp.searching import Deals
from gunzi.apps.players.sharp.shuffling import LOW, drawn
from gunzi.apps.players.sharp.worth import Stakes
from gunzi.cards import BIG, KINDS, LITTLE
from gunzi.play_rules import PlayRules
from gunzi.shown import whole_deck
from gunzi.sight import Sight
from gunzi.trump import NOTHING, Masks
from gunzi.values import AFTER, Bid, Owed

if TYPE_CHECKING:
    from gunzi.ruleset import RuleSet


class Finisher:
    """Plays hands out from their first lead, and says what they were worth to the side of a seat."""

    def __init__(self, rules: RuleSet, levels: tuple[int, int], seat: int, form: Form) -> None:
        self.levels, self.seat, self.form = levels, seat, form
        numbers = form.numbers
        none = numbers([])
        self._nothing = (numbers([1]), 0, 1, -1, *(none,) * 4)
        self._unchecked = (*(none,) * 5, 0)
        self._voids, self._work = numbers([0] * 4), numbers([0] * 15)
        self._firsts, self._chosen = numbers([0, 0, 0]), numbers([0])
        self._ends, self._bottoms = numbers([0]), numbers([0] * 3)
        self._moments: dict[PlayRules, tuple[list[int], Any, Any]] = {}
        self._stakes: dict[tuple[Any, ...], Stakes] = {}
        self._copies = rules.deck.copies

    def worth(self, ready: Ready) -> int:
        """What a hand comes to."""
        rules = ready.rules
        numbers = self.form.numbers
        base, points, power = self._moment(rules)
        moment = list(base)
        moment[at.DEALER] = moment[at.LEADER] = ready.dealer
        burial: Masks = NOTHING
        if ready.shown:
            out = moment[at.OUT : at.OUT + 3]
            moment[at.OUT : at.OUT + 3] = masks.remove(out[0], out[1], out[2], *ready.bottom)
        elif not ready.dry:
            burial = ready.bottom
        hold = [mask for holding in (*ready.holdings, ready.bottom) for mask in holding]
        self.form.explore(
            *self._nothing, numbers(hold), *self._unchecked, 0, numbers(hold[:3]), numbers(moment), self._voids,
            numbers(list(burial)), self._firsts, self._chosen, points, power, self._work, self._ends, self._bottoms,
        )  # fmt: skip
        # What trump it was, and what was paid, is known to a stranger's settlement only to matter.
        key: tuple[Any, ...] = (ready.dealer, ready.dry)
        if rules.rules.host.strangers:
            key = (*key, rules, ready.paid)
        stakes = self._stakes.get(key)
        if stakes is None:
            stakes = Stakes(rules, self.levels, ready.dealer, ready.dry, ready.paid, self.seat)
            self._stakes[key] = stakes
        return stakes.of(int(self._ends[0]), ready.bottom)

    def _moment(self, rules: PlayRules) -> tuple[list[int], Any, Any]:
        found = self._moments.get(rules)
        if found is None:
            moment = [0] * at.SIZE
            moment[at.OUT : at.OUT + 3] = whole_deck(rules.trump, self._copies)
            follow = rules.follow
            moment[at.STRICT], moment[at.SPLIT] = follow.strict, follow.split
            moment[at.TELLS] = 0 if follow.strict and follow.split == masks.EXEMPT else 1
            moment[at.POINTED] = rules.pointed
            moment[at.HEAVY] = sum(1 << bit for bit, points in enumerate(rules.points) if points > 5)
            table = self.form.table
            found = self._moments[rules] = (moment, table(rules.points), table(rules.trump.power))
        return found


class BottomSearch:
    """Candidates for the dealer's burial, or for the kings of another seat."""

    def __init__(self, sight: Sight, rules: PlayRules, candidates: Sequence[Masks], deals: Deals, finisher: Finisher):
        self.sight, self.rules, self.candidates, self.deals, self.finisher = sight, rules, candidates, deals, finisher
        numbers = deals.form.numbers
        self._empty = (
            0, numbers([0] * 3), numbers([0] * at.SIZE), numbers([0] * 4), numbers([0] * 3), numbers([]), numbers([]),
            deals.form.table(rules.points), deals.form.table(rules.trump.power), numbers([0] * 15), numbers([]),
            numbers([0] * 3),
        )  # fmt: skip

    def attempt(self, count: int, chosen: Sequence[int]) -> list[list[int]]:
        """Try these candidates on new deals."""
        return [self._try(self._deal(), chosen) for _ in range(count)]

    def _deal(self) -> list[Masks]:
        """The four holdings and the bottom as they may be."""
        self.deals.form.explore(*self.deals.arguments(1), *self._empty)
        hold = list(map(int, self.deals.hold))
        found: list[Masks] = [(hold[3 * place], hold[3 * place + 1], hold[3 * place + 2]) for place in range(5)]
        found[self.sight.seat] = self.sight.holding
        return found

    def _try(self, deal: list[Masks], chosen: Sequence[int]) -> list[int]:
        shown = self.sight.shown
        assert shown.dealer is not None
        paid = Owed(*shown.tribute) if shown.tribute is not None else None
        found = []
        for candidate in chosen:
            ready = Ready(self.rules, shown.dealer, list(deal[:4]), NOTHING, False, False, paid)
            if self.sight.seat == shown.dealer:
                bury(ready, self.sight.holding, self.candidates[candidate])
            else:
                ready.bottom = shown.buried or deal[4]
                ready.shown = shown.buried is not None
                self._kings(ready, self.candidates[candidate])
            found.append(self.finisher.worth(ready))
        return found

    def _kings(self, ready: Ready, kings: Masks) -> None:
        """This seat buries these kings, then those after it may."""
        seat = self.sight.seat
        if kings[0]:
            bury_kings(ready, seat, kings)
        order = AFTER[ready.dealer]
        for other in order[order.index(seat) + 1 :]:
            if trumps(ready.holdings[other]) >= MANY_TRUMPS:
                bury_king(ready, other)


def kings_of(act: Act, rules: PlayRules) -> Masks:
    """The kings an act buries; nothing where it passes."""
    return rules.trump.masks(act.kings) if isinstance(act, BuryKings) else NOTHING


class BidSearch:
    """Candidates for a claim or a declaration: acts of the ask."""

    def __init__(self, sight: Sight, rules: RuleSet, acts: Sequence[Act], state: int, finisher: Finisher) -> None:
        self.sight, self.rules, self.acts, self.finisher = sight, rules, acts, finisher
        self.state = state
        shown = sight.shown
        size = rules.deck.hand
        shows: list[list[int]] = [[0] * KINDS for _ in range(4)]
        if shown.claim is not None and shown.claim != sight.seat:
            shows[shown.claim][rules.claims.cards[0].kind] = 1
        for bid in shown.bids:
            if bid.seat != sight.seat:
                kind = bid.cards[0].kind
                shows[bid.seat][kind] = max(shows[bid.seat][kind], len(bid.cards))
        shows[sight.seat] = list(sight.counts)
        self.shows = shows
        left = list(rules.deck.copies)
        for counts in shows:
            left = [have - seen for have, seen in zip(left, counts, strict=True)]
        self.unseen = [kind for kind in range(KINDS) for _ in range(left[kind])]
        self.room = [size - sum(counts) for counts in shows]
        self.bottom = rules.deck.bottom

    def attempt(self, count: int, chosen: Sequence[int]) -> list[list[int]]:
        """Try these candidates on new deals."""
        return [self._try(chosen) for _ in range(count)]

    def _try(self, chosen: Sequence[int]) -> list[int]:
        cards = self.unseen
        state = self.state
        for i in range(len(cards) - 1, 0, -1):
            state = drawn(state)
            j = (state & LOW) * (i + 1) >> 32
            cards[i], cards[j] = cards[j], cards[i]
        self.state = state
        hands, coming, start = [], [], 0
        for seat in range(4):
            dealt = cards[start : start + self.room[seat]]
            start += self.room[seat]
            counts = list(self.shows[seat])
            for kind in dealt:
                counts[kind] += 1
            hands.append(counts)
            coming.append(dealt)
        bottom = cards[start : start + self.bottom]
        known: dict[Trumped | None, int] = {}
        found = []
        for candidate in chosen:
            trumped = self._trumped(self.acts[candidate], hands, coming, bottom)
            if trumped not in known:
                known[trumped] = self._worth(trumped, hands, bottom)
            found.append(known[trumped])
        return found

    def _trumped(self, act: Act, hands: list[list[int]], coming: list[list[int]], bottom: list[int]) -> Trumped | None:
        shown, seat = self.sight.shown, self.sight.seat
        if shown.first_hand:
            if isinstance(act, Claim):
                return claimed(self.rules, seat, coming[seat], bottom)
            first = shown.first
            for other in (first, *AFTER[first]):
                if hands[other][BIG] and hands[other][BIG] + hands[other][LITTLE] >= KINGS_TO_CLAIM:
                    # When in the deal it has them nobody knows: half of its cards are still to come.
                    return claimed(self.rules, other, coming[other][len(coming[other]) // 2 :], bottom)
            return revealed(self.rules, first, bottom)
        assert shown.dealer is not None
        standing = Bid(seat, act.cards, act.suit) if isinstance(act, Declare) else shown.standing
        level = shown.levels[shown.dealer & 1]
        return declared(self.rules, level, shown.dealer, hands, bottom, standing, shown.first)

    def _worth(self, trumped: Trumped | None, hands: list[list[int]], bottom: list[int]) -> int:
        if trumped is None:
            return 0
        shown = self.sight.shown
        level = shown.levels[trumped.dealer & 1]
        owed = Owed(*shown.owed) if shown.owed is not None else None
        return self.finisher.worth(prepare(self.rules, level, trumped, hands, bottom, owed, shown.first_hand))
