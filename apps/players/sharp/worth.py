"""What the end of a hand is worth to a side, by the settlement the table's own rules make of it.

In thousandths of a level: 1000 for each level climbed and 5000 for the round; 400 for the deal of the next hand; 60 for each
card of tribute that will come; 4 for each of the attackers' points above (or below) those they need. What one side gains the
other loses.
"""

from __future__ import annotations

from typing import Final

from gunzi import masks
from gunzi.play_rules import PlayRules
from gunzi.settling import settle
from gunzi.trump import NOTHING, Masks
from gunzi.values import CAPTURED, HELD, Outcome, Owed, Result

A_ROUND: Final = 5000
A_LEVEL: Final = 1000
THE_DEAL: Final = 400
A_CARD: Final = 60
A_POINT: Final = 4


class Stakes:
    """What is at stake in a hand for the side of a seat: how a hand ends → its worth, each end settled once."""

    def __init__(
        self, rules: PlayRules, levels: tuple[int, int], dealer: int, dry: bool, paid: Owed | None, seat: int
    ) -> None:
        self.rules = rules
        self.levels = levels
        self.dealer = dealer
        self.dry = dry
        self.paid = paid
        self.side = seat & 1
        # Only a stranger's rule looks at the cards themselves, of the bottom and of the last play.
        self._every_card = bool(rules.rules.host.strangers)
        self._known: dict[tuple[object, ...], int] = {}
        self._bottoms: dict[Masks, tuple[object, ...]] = {}

    def of(self, end: int, bottom: Masks) -> int:
        """What an end as ``play_on`` tells it is worth, with this bottom."""
        what = self._bottoms.get(bottom)
        if what is None:
            what = self._bottoms[bottom] = self._what(bottom)
        if not self._every_card:
            end = end & ~0xFFF | end & 1
        key = (end, what)
        found = self._known.get(key)
        if found is None:
            found = self._known[key] = self._worth(end, bottom)
        return found

    def _what(self, bottom: Masks) -> tuple[object, ...]:
        if self._every_card:
            return bottom
        trump = self.rules.trump
        b1, b2, b3 = bottom
        points = masks.points_of(b1, b2, b3, self.rules.pointed, self.rules.points)
        kings = [masks.size(b1 & king, b2 & king, b3 & king) for king in (trump.big, trump.little)]
        return (points, *kings)

    def _worth(self, end: int, bottom: Masks) -> int:
        rules = self.rules
        n, bit = end >> 2 & 3, 1 << (end >> 4 & 0xFF)
        last = (bit, bit if n > 1 else 0, bit if n > 2 else 0) if n else NOTHING
        result = Result(
            dealer=self.dealer,
            levels=self.levels,
            trick_points=end >> 12,
            capture=CAPTURED if (end ^ self.dealer) & 1 else HELD,
            bottom=rules.trump.cards(bottom),
            bottom_points=masks.points_of(*bottom, rules.pointed, rules.points),
            dry=self.dry,
            trump=rules.trump,
            last_play=rules.trump.cards(last),
            tribute_paid=self.paid,
        )
        worth = outcome_worth(settle(rules.rules, result).outcome, int(rules.rules.options["levels.threshold"]))
        return worth if self.side == 0 else -worth


def outcome_worth(outcome: Outcome, threshold: int) -> int:
    """What a settled hand is worth to the side of seats 0 and 2."""
    result = outcome.result
    over = result.attackers_points - threshold
    worth = A_POINT * (over if result.side else -over)
    if outcome.level_up is not None and outcome.climb is not None:
        worth += A_LEVEL * outcome.climb.climbed * _sign(outcome.level_up.side)
    if outcome.round_won_by is not None:
        return worth + A_ROUND * _sign(outcome.round_won_by)
    if result.next_dealer is not None:
        worth += THE_DEAL * _sign(result.next_dealer)
    if outcome.owed is not None:
        worth += A_CARD * outcome.owed.count * _sign(outcome.owed.receiver)
    return worth


def _sign(seat: int) -> int:
    return -1 if seat & 1 else 1
