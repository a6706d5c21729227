"""The reveal (翻底牌定庄), and every other way the bottom names the trump suit.

Reached only when the deal named no trump suit: nobody claimed, a claimer was dealt no suited card any more, or nobody
declared (section 3.1, 3.2).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from gunzi.phase import Phase
from gunzi.turning import first_suited, turn_bottom

if TYPE_CHECKING:
    from gunzi.hand import Hand


class RevealPhase(Phase):
    """Phase ``reveal``."""

    name = "reveal"

    def start(self, hand: Hand) -> None:
        if hand.trump is not None or hand.outcome is not None:
            return
        if hand.claim is not None:
            self._turn_for_claimer(hand)
        elif hand.first_hand:
            self._reveal(hand)
        else:
            self._draw(hand)

    def _reveal(self, hand: Hand) -> None:
        turned, found = turn_bottom(hand.rules, hand.rules.start_level, hand.first, hand.bottom)
        for seat, card, by in turned:
            hand.turned = (*hand.turned, (seat, card))
            hand.emit("turn", seat=seat, card=card, by=by)
        if found is None:
            hand.void("jokers")
        else:
            assert found.suit is not None and found.dealer is not None
            hand.fix_trump(found.suit, found.dealer, "turn", found.by)

    def _turn_for_claimer(self, hand: Hand) -> None:
        assert hand.claim is not None
        claimer = hand.claim[0]
        looked, suit = first_suited(hand.rules, hand.bottom)
        for card in hand.bottom[:looked]:
            hand.turned = (*hand.turned, (claimer, card))
            hand.emit("turn", seat=claimer, card=card, by="claim.suit")
        if suit:
            hand.fix_trump(suit, claimer, "claim", hand.rules.claims.by)
        else:
            hand.void("jokers")

    def _draw(self, hand: Hand) -> None:
        assert hand.dealer is not None
        looked, suit = first_suited(hand.rules, hand.bottom)
        for card in hand.bottom[:looked]:
            hand.turned = (*hand.turned, (hand.dealer, card))
            hand.emit("draw", card=card, by="trump.draw")
        if suit:
            hand.fix_trump(suit, hand.dealer, "draw", "trump.draw")
        else:
            hand.void("jokers")
