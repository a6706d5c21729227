"""Tribute (进贡, 喝血) and return (还贡): after trump is known, before the bottom is touched (section 3.5)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from gunzi import masks
from gunzi.acts import Act, Pay, Return
from gunzi.ask import Ask, CardsAsk
from gunzi.cards import parse_cards
from gunzi.choices import count_kings, in_tiers, strongest
from gunzi.phase import Phase
from gunzi.trump import NOTHING
from gunzi.values import Owed

if TYPE_CHECKING:
    from gunzi.hand import Hand


class TributePhase(Phase):
    """Phase ``tribute``. ``hand.tribute`` is (payer, receiver, number of cards, are they being returned)."""

    name = "tribute"

    def start(self, hand: Hand) -> None:
        if hand.owed is None or hand.trump is None:
            return
        rules = hand.rules
        bigs = [count_kings(holding, hand.trump)[0] for holding in hand.holdings]
        exemption = rules.hook.tribute_exemption(owed=hand.owed, big_jokers=bigs)
        if exemption is not None:
            hand.emit("exempt", seat=exemption.seat, kind=exemption.kind, by=exemption.by)
        owed = hand.owed.after(exemption)
        if owed is None:
            return
        payable = rules.hook.payable(trump=hand.trump)
        h1, h2, h3 = hand.holdings[owed.giver]
        held = masks.size(h1 & payable, h2 & payable, h3 & payable)
        count = min(owed.count, held)
        if count:
            hand.tribute = (owed.giver, owed.receiver, count, False)

    def ask(self, hand: Hand) -> Ask | None:
        if hand.tribute is None:
            return None
        assert hand.trump is not None
        giver, receiver, count, returning = hand.tribute
        rules, trump = hand.rules, hand.trump
        if returning:
            holding = hand.holdings[receiver]
            choices = in_tiers(holding, rules.hook.returnable(trump=trump), count)
            return CardsAsk(rules, receiver, "return", Return, holding, choices, count, "tribute.return", trump)
        holding = hand.holdings[giver]
        payable = rules.hook.payable(trump=trump)
        choices = strongest(holding, payable, trump, count)
        return CardsAsk(rules, giver, "pay", Pay, holding, choices, count, "tribute.largest", trump)

    def apply(self, hand: Hand, seat: int, act: Act) -> None:
        hand.check_turn(seat)
        assert isinstance(hand.waiting, CardsAsk) and hand.trump is not None and hand.tribute is not None
        moved = hand.waiting.chosen_by(act)
        giver, receiver, count, returning = hand.tribute
        source, target = (receiver, giver) if returning else (giver, receiver)
        hand.holdings[source] = masks.remove(*hand.holdings[source], *moved)
        hand.holdings[target] = masks.add(*hand.holdings[target], *moved)
        if returning:
            hand.tribute = None
            if hand.given is not None:
                hand.given = (*hand.given[:3], moved)
        else:
            hand.given = (giver, receiver, moved, NOTHING)
            hand.tribute = (giver, receiver, count, True)
            hand.tribute_paid = Owed(giver, receiver, count)
        if hand.heard:
            kind = "return" if returning else "tribute"
            hand.emit(kind, **{"from": source, "to": target, "cards": list(hand.trump.cards(moved))})

    def replay(self, hand: Hand, ask: Ask, event: Mapping[str, Any]) -> tuple[int, Act] | None:
        wanted, make = ("tribute", Pay) if ask.kind == "pay" else ("return", Return)
        if event.get("e") != wanted:
            return None
        return event["from"], make(parse_cards(event["cards"]))
