"""The bottom before anybody touches it: is it shown, and is it dry (干锅)? Every way into burying leads through here."""

from __future__ import annotations

from typing import TYPE_CHECKING

from gunzi.phase import Phase

if TYPE_CHECKING:
    from gunzi.hand import Hand


class BottomPhase(Phase):
    """Phase ``bottom`` (section 3.3)."""

    name = "bottom"

    def start(self, hand: Hand) -> None:
        if hand.trump is None or not hand.bottom:
            return
        hook = hand.rules.hook
        shown = hook.bottom_is_shown(how=hand.how)
        verdict = hook.dry_pot(
            bottom=hand.trump.masks(hand.bottom), trump=hand.trump, shown=shown, first_hand=hand.first_hand
        )
        hand.dry = verdict.dry
        hand.bottom_shown = shown
        if hand.heard:
            hand.emit("bottom", cards=list(hand.bottom), shown=shown, dry=verdict.dry, by=verdict.by)
