"""What a seat can do: one frozen value per kind of act."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from gunzi.cards import Card


@dataclass(frozen=True, slots=True)
class Pass:
    """Not now: no claim, no declaration, no king buried."""


PASS = Pass()
"""The one there need be."""


@dataclass(frozen=True, slots=True)
class Claim:
    """抢亮: show a drawn big joker in the first hand of a round."""

    card: Card


@dataclass(frozen=True, slots=True)
class Declare:
    """亮主 or 反: 1-3 identical level cards, or three equal jokers naming a suit."""

    cards: tuple[Card, ...]
    suit: str


@dataclass(frozen=True, slots=True)
class Pay:
    """进贡: the payer's largest payable cards."""

    cards: tuple[Card, ...]


@dataclass(frozen=True, slots=True)
class Return:
    """还贡: as many cards as were received."""

    cards: tuple[Card, ...]


@dataclass(frozen=True, slots=True)
class Bury:
    """扣底: the dealer's new bottom."""

    cards: tuple[Card, ...]


@dataclass(frozen=True, slots=True)
class BuryKings:
    """扣王 by another seat, first step: the kings it buries. Passing is ``Pass()``."""

    kings: tuple[Card, ...]


@dataclass(frozen=True, slots=True)
class Pick:
    """扣王, second step: as many of the smallest pickable cards of the shown bottom."""

    cards: tuple[Card, ...]


@dataclass(frozen=True, slots=True)
class Play:
    """A lead or a follow."""

    cards: tuple[Card, ...]


@dataclass(frozen=True, slots=True)
class DealCard:
    """A paced table only: the house deals the next card, or closes the window after the last. No seat's act."""


@dataclass(frozen=True, slots=True, eq=False)
class Offers:
    """Declarations at a level by their cards and suit, and what they need: a mask of cards (``deal.card_bit``), of which a seat that can
    declare has at least one."""

    level: int
    acts: Mapping[tuple[tuple[Card, ...], str], Declare]
    needed: int


Act = Pass | Claim | Declare | Pay | Return | Bury | BuryKings | Pick | Play | DealCard
