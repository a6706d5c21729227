"""Cards and their text: ``S3``, ``HT``, ``BJ``.

A pack has 54 kinds, numbered 0-53: spades, hearts, clubs, diamonds from 2 to A, then the little joker (小王) and the big
joker (大王). The same kind occurs once in every pack of the deck.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Final

from gunzi.errors import CardError, Text

SUITS: Final = "SHCD"
RANKS: Final = "23456789TJQKA"
KINDS: Final = 54
LITTLE: Final = 52
BIG: Final = 53
JOKER_RANKS: Final = {LITTLE: 15, BIG: 16}
_SUIT_SIGNS: Final = {"S": "♠", "H": "♥", "C": "♣", "D": "♦"}


class Card(str):
    """One kind of card. A ``str`` of its text, so it compares with text, serialises as text and sorts by ``kind``.

    ``Card("10")``-style ranks are accepted on input (``S10``); the text is always ``ST``. Raises CardError.
    """

    kind: int
    suit: str | None
    rank: int
    """2-14 (J 11, Q 12, K 13, A 14); the little joker 15, the big joker 16."""
    is_joker: bool

    def __new__(cls, text: str) -> Card:
        return parse_card(text)

    @property
    def sign(self) -> str:
        """The card with its suit symbol: ``♠3``."""
        return _SUIT_SIGNS[self.suit] + self[1:].replace("T", "10") if self.suit else str(self)

    def __reduce__(self) -> tuple[Any, ...]:
        return (Card, (str(self),))


def _make_cards() -> tuple[Card, ...]:
    texts = [suit + rank for suit in SUITS for rank in RANKS] + ["LJ", "BJ"]
    cards = []
    for kind, text in enumerate(texts):
        card = str.__new__(Card, text)
        card.kind = kind
        card.is_joker = kind >= LITTLE
        card.suit = None if card.is_joker else text[0]
        card.rank = JOKER_RANKS[kind] if card.is_joker else 2 + kind % 13
        cards.append(card)
    return tuple(cards)


CARDS: Final = _make_cards()
"""All 54 kinds, ``CARDS[kind].kind == kind``."""
_BY_TEXT: Final = {str(card): card for card in CARDS}


def parse_card(text: object) -> Card:
    """The card a text names; ``10`` reads as ``T``, lower case and suit symbols are understood. Raises CardError."""
    if isinstance(text, Card):
        return text
    if not isinstance(text, str):
        raise CardError(
            Text(
                f"{text!r} 不是牌：牌要写成 S3、HT、BJ 这样", f"{text!r} is no card: a card is a text like S3, HT or BJ"
            )
        )
    found = _BY_TEXT.get(text)
    if found is not None:
        return found
    plain = text.strip().upper()
    for suit, sign in _SUIT_SIGNS.items():
        plain = plain.replace(sign, suit)
    found = _BY_TEXT.get(plain.replace("10", "T"))
    if found is None:
        raise CardError(
            Text(
                f"{text!r} 不是牌：先写花色 S、H、C、D，再写点数 2-9 T J Q K A；大王 BJ，小王 LJ",
                f"{text!r} is no card: write the suit S, H, C or D and the rank 2-9 T J Q K A, or BJ, LJ",
            )
        )
    return found


def parse_cards(texts: str | Iterable[object]) -> tuple[Card, ...]:
    """Cards from a list of texts, or from one text with spaces or commas between them. Raises CardError."""
    if isinstance(texts, str):
        texts = texts.replace(",", " ").replace("，", " ").split()
    elif not isinstance(texts, Iterable):
        raise CardError(Text(f"{texts!r} 不是一列牌", f"{texts!r} is no list of cards"))
    return tuple([parse_card(text) for text in texts])


def sorted_cards(cards: Iterable[Card]) -> tuple[Card, ...]:
    """The cards ascending by kind, so that the order in which they are held tells nothing."""
    return tuple(sorted(cards, key=_kind_of))


def _kind_of(card: Card) -> int:
    return card.kind


def count_kinds(cards: Iterable[Card]) -> list[int]:
    """How many of each kind: 54 counts."""
    counts = [0] * KINDS
    for card in cards:
        counts[card.kind] += 1
    return counts


def parse_rank(value: object) -> int:
    """A rank 2-14 from ``10``, ``"10"``, ``"T"``, ``"K"``, ``13``. Raises ValueError."""
    if isinstance(value, bool):
        raise ValueError(f"{value!r} is no rank")
    if isinstance(value, int):
        if 2 <= value <= 14:
            return value
    elif isinstance(value, str):
        text = value.strip().upper()
        if text in ("10", "11", "12", "13", "14"):
            return int(text)
        if len(text) == 1 and text in RANKS:
            return 2 + RANKS.index(text)
    raise ValueError(f"{value!r} is no rank: write 2-10, J, Q, K or A")


def rank_text(rank: int) -> str:
    """A rank as people write it: ``10``, ``K``."""
    return "10" if rank == 10 else RANKS[rank - 2]
