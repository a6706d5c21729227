"""Sight: what a seat knows, as integers, for players that think in masks.

``Shown`` folds the public events of a hand (``shown.py``); ``Sight`` adds what one seat knows for itself. Both come from views
alone: a table that is played keeps its ``Shown`` up to date play by play, and ``sight_of`` builds the same from a seat's view,
anywhere.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from gunzi import masks
from gunzi.cards import KINDS, parse_card, parse_cards
from gunzi.shown import Shown
from gunzi.trump import NOTHING, Masks

if TYPE_CHECKING:
    from gunzi.hand import Hand
    from gunzi.ruleset import RuleSet


class Sight:
    """What one seat knows: ``shown``, and its own ``counts`` (54, by kind, while cards are dealt), ``holding`` (once trump is
    known), ``buried`` (the six it buried itself as the dealer), ``paid`` and ``returned`` (the tribute's cards, where the seat
    gave or got them) and ``found`` (the bottom as it took it up as the dealer)."""

    __slots__ = ("_dealt", "buried", "counts", "found", "holding", "paid", "returned", "seat", "shown")

    def __init__(self, shown: Shown, seat: int) -> None:
        self.shown = shown
        self.seat = seat
        self.counts: Sequence[int] = [0] * KINDS
        self._dealt = 0
        self.holding: Masks = NOTHING
        self.buried: Masks = NOTHING
        self.paid: Masks = NOTHING
        self.returned: Masks = NOTHING
        self.found: Masks = NOTHING

    def look(self, hand: Hand) -> Sight:
        """Take what is this seat's own from the hand it sits at; nothing else of the hand is looked at."""
        seat = self.seat
        if hand.dealt != self._dealt:
            self.counts = hand.counts_of(seat)
            self._dealt = hand.dealt
        self.holding = hand.holdings[seat]
        if hand.dealer_buried and seat == hand.dealer:
            if not self.buried[0] and hand.trump is not None:
                self.buried = hand.trump.masks(hand.dealer_buried)
        else:
            self.buried = NOTHING
        given = hand.given
        if given is not None and seat in given[:2]:
            self.paid, self.returned = given[2], given[3]
        else:
            self.paid = self.returned = NOTHING
        self.found = hand.taken if seat == hand.dealer else NOTHING
        return self

    def content(self) -> tuple[Any, ...]:
        """Everything this seat knows, to compare by."""
        own = (self.holding, self.buried, self.paid, self.returned, self.found)
        return (self.seat, tuple(self.counts), *own, *self.shown.content())

    def unseen(self) -> Masks:
        """The cards that others hold or that lie hidden: all but the seat's own and those that everybody has seen go."""
        shown = self.shown
        found = masks.remove(shown.out1, shown.out2, shown.out3, *self.holding)
        if self.buried[0] and shown.buried is None:
            found = masks.remove(*found, *self.buried)
        return found


def sight_of(rules: RuleSet, events: Sequence[Mapping[str, Any]], seat: int) -> Sight:
    """The sight of a seat, from its view (``views.py``) alone."""
    sight = Sight(Shown(rules), seat)
    for event in events:
        _feed_own(sight, event)
        sight.shown.feed(event)
        if event["e"] == "trump":
            assert sight.shown.trump is not None
            bit_of = sight.shown.trump.bit_of
            own = [0, 0, 0]
            for kind, count in enumerate(sight.counts):
                for place in range(count):
                    own[place] |= 1 << bit_of[kind]
            sight.holding = (own[0], own[1], own[2])
    return sight


def _feed_own(sight: Sight, event: Mapping[str, Any]) -> None:
    kind, seat, trump = event["e"], sight.seat, sight.shown.trump
    if kind == "hand":
        sight.counts, sight.holding, sight.buried = [0] * KINDS, NOTHING, NOTHING
        sight.paid = sight.returned = sight.found = NOTHING
    elif kind == "deal":
        counts = list(sight.counts)
        counts[parse_card(event["card"]).kind] += 1
        sight.counts = counts
    elif trump is None:
        return
    elif kind in ("tribute", "return"):
        if seat in (event["from"], event["to"]):
            moved = trump.masks(parse_cards(event["cards"]))
            move = masks.remove if seat == event["from"] else masks.add
            sight.holding = move(*sight.holding, *moved)
            if kind == "tribute":
                sight.paid = moved
            else:
                sight.returned = moved
    elif kind == "take" or (kind == "bottom" and event["shown"] and not event["dry"] and seat == sight.shown.dealer):
        sight.found = trump.masks(parse_cards(event["cards"]))
        sight.holding = masks.add(*sight.holding, *sight.found)
    elif kind == "bury" and seat == event["seat"]:
        sight.buried = trump.masks(parse_cards(event["cards"]))
        sight.holding = masks.remove(*sight.holding, *sight.buried)
    elif kind == "bury_kings" and seat == event["seat"]:
        sight.holding = masks.remove(*sight.holding, *trump.masks(parse_cards(event["kings"])))
        sight.holding = masks.add(*sight.holding, *trump.masks(parse_cards(event["picked"])))
    elif kind == "play" and seat == event["seat"]:
        sight.holding = masks.remove(*sight.holding, *trump.masks(parse_cards(event["cards"])))
