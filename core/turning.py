"""Cards turned to find a dealer or a trump suit (section 3.1, 3.2): asked alike by the phases and by scenarios."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from gunzi.cards import Card
from gunzi.values import Reveal

if TYPE_CHECKING:
    from gunzi.ruleset import RuleSet


def first_suited(rules: RuleSet, cards: Iterable[Card]) -> tuple[int, str]:
    """How many of the cards are looked at until one names a trump suit, and the suit; an empty text: none of them does."""
    looked = 0
    for card in cards:
        looked += 1
        suit = rules.hook.draw_suit(card=card)
        if suit:
            return looked, suit
    return looked, ""


def turn_bottom(
    rules: RuleSet, level: int, first: int, bottom: Sequence[Card]
) -> tuple[tuple[tuple[int, Card, str], ...], Reveal | None]:
    """翻底牌: the cards turned, each with its seat and the rule that had it turned, and what they say in the end.

    ``first`` turns first. None: a card is needed and none is left, the hand is dealt again.
    """
    turned: list[tuple[int, Card, str]] = []
    while True:
        found = rules.hook.reveal(level=level, first=first, turned=tuple((seat, card) for seat, card, _ in turned))
        if found.turn is None:
            return tuple(turned), found
        if len(turned) == len(bottom):
            return tuple(turned), None
        turned.append((found.turn, bottom[len(turned)], found.by))
