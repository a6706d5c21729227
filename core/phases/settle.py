"""The end of a hand: the result is settled and written down (section 3.7-3.9)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from gunzi.phase import Phase
from gunzi.settling import settle
from gunzi.values import CAPTURED, HELD, Result

if TYPE_CHECKING:
    from gunzi.hand import Hand


class SettlePhase(Phase):
    """Phase ``settle``."""

    name = "settle"

    def start(self, hand: Hand) -> None:
        if hand.trump is None or hand.dealer is None:
            return
        result = Result(
            dealer=hand.dealer,
            levels=hand.levels,
            trick_points=hand.attackers_points,
            capture=CAPTURED if (hand.winning ^ hand.dealer) & 1 else HELD,
            bottom=hand.bottom,
            bottom_points=sum([hand.rules.points[card.rank - 2] for card in hand.bottom]),
            dry=hand.dry,
            trump=hand.trump,
            last_play=hand.last_play,
            tribute_paid=hand.tribute_paid,
        )
        hand.settlement = settle(hand.rules, result)
        hand.outcome = "settled"
        if hand.log is not None:
            hand.log.write("settle", {**hand.settlement.as_json(), **hand.revealed})
