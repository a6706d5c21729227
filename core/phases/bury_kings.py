"""The other seats' burying of kings (扣王): kings down, as many of the smallest cards up (section 3.4).

Two steps, so that nobody sees a hidden bottom for free: the seat names its kings, the bottom is shown to all, then it picks.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from gunzi import masks
from gunzi.acts import PASS, Act, BuryKings, Pass, Pick
from gunzi.ask import Ask, CardsAsk, ListAsk
from gunzi.cards import parse_cards, sorted_cards
from gunzi.choices import count_kings, pickable_cards, smallest
from gunzi.errors import Refused
from gunzi.phase import Phase
from gunzi.trump import Masks, Trump
from gunzi.values import AFTER, BIG_JOKER, LITTLE_JOKER

if TYPE_CHECKING:
    from gunzi.hand import Hand
    from gunzi.ruleset import RuleSet


class BuryKingsPhase(Phase):
    """Phase ``bury_kings``; skipped when the pot is dry or the dealer's burial closes the window."""

    name = "bury_kings"

    def start(self, hand: Hand) -> None:
        if hand.dry or hand.trump is None or not hand.dealer_buried:
            return
        assert hand.dealer is not None
        window = hand.rules.hook.kings_window(dealer_buried=hand.trump.masks(hand.dealer_buried), trump=hand.trump)
        if window.open:
            hand.kings_seats = AFTER[hand.dealer]

    def ask(self, hand: Hand) -> Ask | None:
        rules, trump = hand.rules, hand.trump
        while hand.kings_seats:
            assert trump is not None
            seat = hand.kings_seats[0]
            if hand.kings_named:
                return pick_ask(rules, trump, trump.masks(hand.bottom), seat, len(hand.kings_named))
            acts = self._burials(hand, seat)
            if acts:
                return ListAsk(rules, seat, "bury_kings", (PASS, *acts), self._refusal, hand)
            hand.kings_seats = hand.kings_seats[1:]
        return None

    def _burials(self, hand: Hand, seat: int) -> tuple[Act, ...]:
        assert hand.trump is not None
        big, small = count_kings(hand.holdings[seat], hand.trump)
        if not big and not small:
            return ()
        room = pickable_cards(hand.rules, hand.trump, hand.trump.masks(hand.bottom))
        return burials_of_kings(hand.rules, big, small, room)

    def _refusal(self, hand: Hand, seat: int, act: object) -> Refused | None:
        if not isinstance(act, BuryKings):
            return hand.wrong_phase(seat, act)
        assert hand.trump is not None
        bottom = hand.trump.masks(hand.bottom)
        return kings_refusal(hand.rules, hand.trump, hand.holdings[seat], bottom, seat, act)

    def apply(self, hand: Hand, seat: int, act: Act) -> None:
        hand.check_turn(seat)
        assert hand.waiting is not None and hand.trump is not None
        if hand.kings_named:
            assert isinstance(hand.waiting, CardsAsk)
            self._move(hand, seat, hand.waiting.chosen_by(act))
        elif isinstance(act, Pass):
            hand.kings_seats = hand.kings_seats[1:]
        elif isinstance(act, BuryKings):
            waiting = hand.waiting
            if not (isinstance(waiting, ListAsk) and act in waiting.acts):
                refused = self._refusal(hand, seat, act)
                if refused is not None:
                    raise refused
            hand.kings_named = tuple(reversed(sorted_cards(parse_cards(act.kings))))
            hand.bottom_shown = True
        else:
            raise hand.wrong_phase(seat, act)

    def _move(self, hand: Hand, seat: int, up: Masks) -> None:
        trump = hand.trump
        assert trump is not None
        kings = hand.kings_named
        down = trump.masks(kings)
        holding = masks.remove(*hand.holdings[seat], *down)
        bottom = masks.remove(*trump.masks(hand.bottom), *up)
        hand.holdings[seat] = masks.add(*holding, *up)
        hand.bottom = trump.cards(masks.add(*bottom, *down))
        hand.kings_named = ()
        hand.kings_seats = hand.kings_seats[1:]
        if hand.heard:
            hand.emit("bury_kings", seat=seat, kings=list(kings), picked=list(trump.cards(up)))

    def replay(self, hand: Hand, ask: Ask, event: Mapping[str, Any]) -> tuple[int, Act] | None:
        if event.get("e") != "bury_kings" or event["seat"] not in hand.kings_seats:
            return (ask.seat, Pass()) if ask.kind == "bury_kings" else None
        if ask.kind == "pick":
            return event["seat"], Pick(parse_cards(event["picked"]))
        if event["seat"] != ask.seat:
            return ask.seat, Pass()
        return event["seat"], BuryKings(parse_cards(event["kings"]))

    def why_not(self, hand: Hand, event: Mapping[str, Any]) -> Refused | None:
        if event.get("e") != "bury_kings" or hand.trump is None or event["seat"] not in (0, 1, 2, 3):
            return None
        if hand.dry:
            return hand.rules.refuse("bury_kings.dry", cards=event["kings"], seat=event["seat"])
        window = hand.rules.hook.kings_window(dealer_buried=hand.trump.masks(hand.dealer_buried), trump=hand.trump)
        if not window.open:
            return hand.rules.refuse(window.by, cards=event["kings"], seat=event["seat"])
        return self._refusal(hand, event["seat"], BuryKings(parse_cards(event["kings"])))


@lru_cache(maxsize=4096)
def burials_of_kings(rules: RuleSet, big: int, small: int, room: int) -> tuple[Act, ...]:
    """The burials open to a seat with so many kings where so many cards may be picked up: the same in hand after hand."""
    splits = rules.hook.king_splits(big=big, small=small)
    return tuple([_bury_kings(bigs, smalls) for bigs, smalls in splits if 0 < bigs + smalls <= room])


@lru_cache(maxsize=16)
def _bury_kings(big: int, small: int) -> BuryKings:
    return BuryKings((BIG_JOKER,) * big + (LITTLE_JOKER,) * small)


def kings_refusal(
    rules: RuleSet, trump: Trump, holding: Masks, bottom: Masks, seat: int, act: object
) -> Refused | None:
    """Why a seat's kings cannot be buried; None: they can, in whatever order they are named."""
    if not isinstance(act, BuryKings):
        return None
    kings = parse_cards(act.kings)
    held = count_kings(holding, trump)
    named = (kings.count(BIG_JOKER), kings.count(LITTLE_JOKER))
    if not kings or any(not card.is_joker for card in kings):
        return rules.refuse("bury_kings.kings", cards=kings, seat=seat)
    missing = [card for card, n, h in zip((BIG_JOKER, LITTLE_JOKER), named, held, strict=True) if n > h]
    if missing:
        return rules.refuse("cards.held", {"cards": " ".join(missing)}, cards=kings, seat=seat)
    if named not in rules.hook.king_splits(big=held[0], small=held[1]):
        return rules.refuse("bury.big_before_small", cards=kings, seat=seat)
    room = pickable_cards(rules, trump, bottom)
    if sum(named) > room:
        return rules.refuse("bury_kings.room", {"room": room}, cards=kings, seat=seat)
    return None


def pick_ask(rules: RuleSet, trump: Trump, bottom: Masks, seat: int, count: int) -> CardsAsk:
    """The second step: ``count`` of the smallest cards that may be picked up."""
    choices = smallest(bottom, rules.hook.pickable(trump=trump), trump, count)
    return CardsAsk(rules, seat, "pick", Pick, bottom, choices, count, "bury_kings.smallest", trump)
