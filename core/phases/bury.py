"""Burying (扣底): the dealer takes the bottom and lays down as many cards of its own choice (section 3.4)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from gunzi import masks
from gunzi.acts import Act, Bury
from gunzi.ask import Ask, CardsAsk
from gunzi.cards import parse_cards
from gunzi.choices import burials, count_kings, pickable_cards
from gunzi.phase import Phase

if TYPE_CHECKING:
    from gunzi.hand import Hand


class BuryPhase(Phase):
    """Phase ``bury``; skipped when the pot is dry."""

    name = "bury"

    def start(self, hand: Hand) -> None:
        if hand.dry or hand.trump is None or not hand.bottom:
            return
        assert hand.dealer is not None
        hand.taken = hand.trump.masks(hand.bottom)
        hand.holdings[hand.dealer] = masks.add(*hand.holdings[hand.dealer], *hand.taken)

    def ask(self, hand: Hand) -> Ask | None:
        if hand.dry or hand.dealer_buried or hand.trump is None or not hand.bottom:
            return None
        assert hand.dealer is not None
        pool = hand.holdings[hand.dealer]
        big, small = count_kings(pool, hand.trump)
        splits = hand.rules.hook.king_splits(big=big, small=small)
        count = len(hand.bottom)
        choices = burials(pool, hand.trump, splits, count)
        return CardsAsk(
            hand.rules, hand.dealer, "bury", Bury, pool, choices, count, "bury.big_before_small", hand.trump
        )

    def apply(self, hand: Hand, seat: int, act: Act) -> None:
        hand.check_turn(seat)
        assert isinstance(hand.waiting, CardsAsk) and hand.trump is not None
        buried = hand.waiting.chosen_by(act)
        hand.holdings[seat] = masks.remove(*hand.holdings[seat], *buried)
        hand.dealer_buried = hand.bottom = hand.trump.cards(buried)
        hook = hand.rules.hook
        hand.bottom_shown = hook.burial_is_shown(kings=sum(count_kings(buried, hand.trump)))
        if hand.heard:
            window = hook.kings_window(dealer_buried=buried, trump=hand.trump)
            room = pickable_cards(hand.rules, hand.trump, buried) if window.open else 0
            hand.emit(
                "bury",
                seat=seat,
                cards=list(hand.bottom),
                shown=hand.bottom_shown,
                room=room,
                room_by=window.by,
            )

    def replay(self, hand: Hand, ask: Ask, event: Mapping[str, Any]) -> tuple[int, Act] | None:
        if event.get("e") != "bury":
            return None
        return event["seat"], Bury(parse_cards(event["cards"]))
