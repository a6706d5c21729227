"""How a log writes cards, seats and words, and what they are here."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from gunzi.cards import CARDS, KINDS, SUITS, Card
from gunzi.errors import Text
from gunzi.options import closest

DEFAULT_SUITS: Final[Mapping[str, str]] = {
    **{suit: suit for suit in SUITS},
    "♠": "S", "♥": "H", "♣": "C", "♦": "D",
    "黑桃": "S", "红桃": "H", "红心": "H", "梅花": "C", "草花": "C", "方块": "D", "方片": "D",
}  # fmt: skip
DEFAULT_RANKS: Final[Mapping[str, str]] = {**{rank: rank for rank in "23456789TJQKA"}, "10": "T"}
DEFAULT_NAMES: Final[Mapping[str, str]] = {"BJ": "BJ", "LJ": "LJ", "大王": "BJ", "小王": "LJ"}
_GAPS: Final = re.compile(r"[\s,，、;；|]+")


class BadCell(ValueError):
    """What a cell says cannot be read; in words, and the rule it breaks."""

    def __init__(self, zh: str, en: str, rule: str = "record.keys") -> None:
        super().__init__(en)
        self.text = Text(zh, en)
        self.rule = rule


def shown(value: Any) -> str:
    """A cell as it may be quoted."""
    text = value if isinstance(value, str) else repr(value)
    return text if len(text) <= 60 else text[:59] + "…"


@dataclass(frozen=True, slots=True)
class Numbers:
    """Cards written as numbers: ``first`` is the first card's; suit by suit in the order of ``suits``, each in the order of
    ``ranks``, then ``jokers``; the next pack goes on from there."""

    first: int
    suits: str
    ranks: str
    jokers: tuple[str, ...]

    def card(self, number: int) -> Card | None:
        """The card of a number; None where it is none."""
        place = number - self.first
        if place < 0 or place >= 3 * KINDS:
            return None
        place %= KINDS
        if place >= 52:
            return Card(self.jokers[place - 52])
        return Card(self.suits[place // 13] + self.ranks[place % 13])


@dataclass(slots=True)
class CardNames:
    """How a log writes cards. ``table`` has every name; ``between`` is what stands between cards in a text (None: blanks,
    commas or nothing at all)."""

    suits: Mapping[str, str] = field(default_factory=lambda: DEFAULT_SUITS)
    ranks: Mapping[str, str] = field(default_factory=lambda: DEFAULT_RANKS)
    names: Mapping[str, str] = field(default_factory=lambda: DEFAULT_NAMES)
    rank_first: bool = False
    between: str | None = None
    numbers: Numbers | None = None
    table: dict[str, Card] = field(init=False)
    _longest: int = field(init=False)

    def __post_init__(self) -> None:
        found: dict[str, Card] = {}
        for suit, s in self.suits.items():
            for rank, r in self.ranks.items():
                found[rank + suit if self.rank_first else suit + rank] = Card(s + r)
        for name, text in self.names.items():
            found[name] = Card(text)
        self.table = found
        self._longest = max(map(len, found), default=0)

    def card(self, value: Any) -> Card:
        """One card. Raises BadCell."""
        found: Card | None = None
        if isinstance(value, int) and not isinstance(value, bool):
            found = self.numbers.card(value) if self.numbers is not None else self.table.get(str(value))
        elif isinstance(value, str):
            text = value.strip()
            found = self.table.get(text) or self.table.get(text.upper())
            if found is None and self.numbers is not None and text.isascii() and text.isdigit() and len(text) < 6:
                found = self.numbers.card(int(text))
        if found is None:
            guess = closest(value.strip(), self.table) if isinstance(value, str) else ""
            maybe_zh, maybe_en = (f"，是不是 {guess}？", f" (did you mean {guess}?)") if guess else ("", "")
            raise BadCell(f"{shown(value)} 不是牌{maybe_zh}", f"{shown(value)} is no card{maybe_en}", "record.cards")
        return found

    def cards(self, value: Any) -> list[Card]:
        """A list of cards, or a text of them. Raises BadCell."""
        if isinstance(value, (list, tuple)):
            return [self.card(each) for each in value]
        if value is None:
            return []
        if isinstance(value, int) and not isinstance(value, bool):
            return [self.card(value)]
        if not isinstance(value, str):
            raise BadCell(f"{shown(value)} 不是一列牌", f"{shown(value)} is no list of cards", "record.cards")
        pieces = value.split(self.between) if self.between else _GAPS.split(value.strip("[]() \t"))
        found: list[Card] = []
        for piece in pieces:
            text = piece.strip().strip("\"'")
            if text:
                found += self._joined(text)
        return found

    def _joined(self, text: str) -> list[Card]:
        """Cards written without a gap: the longest name that fits is meant."""
        if self.numbers is not None and text.isascii() and text.isdigit():
            return [self.card(text)]
        found: list[Card] = []
        place = 0
        while place < len(text):
            for length in range(min(self._longest, len(text) - place), 0, -1):
                piece = text[place : place + length]
                card = self.table.get(piece) or self.table.get(piece.upper())
                if card is not None:
                    found.append(card)
                    place += length
                    break
            else:
                found.append(self.card(text[place:] if found else text))
                break
        return found


@dataclass(frozen=True, slots=True)
class SeatNames:
    """How a log names seats: ``names`` of seats 0-3 in playing order, or numbers from ``first``."""

    names: tuple[str, ...] = ()
    first: int = 0

    def seat(self, value: Any) -> int:
        """A seat 0-3. Raises BadCell."""
        text = str(value).strip() if isinstance(value, (str, int)) and not isinstance(value, bool) else None
        if text is not None and self.names:
            if text in self.names:
                return self.names.index(text)
            guess = closest(text, self.names)
            listed = "、".join(self.names)
            raise BadCell(
                f"没有 {shown(value)} 这个座位" + (f"，是不是 {guess}？" if guess else f"；座位是 {listed}"),
                f"there is no seat {shown(value)}"
                + (f" (did you mean {guess}?)" if guess else f"; the seats are {', '.join(self.names)}"),
                "table.seat",
            )
        if (
            text is not None
            and text.isascii()
            and text.isdigit()
            and len(text) < 3
            and 0 <= int(text) - self.first <= 3
        ):
            return int(text) - self.first
        raise BadCell(
            f"{shown(value)} 不是座位：座位是 {self.first} 到 {self.first + 3}",
            f"{shown(value)} is no seat: seats are {self.first} to {self.first + 3}",
            "table.seat",
        )


def number(value: Any) -> int:
    """A whole number. Raises BadCell."""
    if isinstance(value, int) and not isinstance(value, bool):
        return value
    if isinstance(value, str):
        text = value.strip()
        digits = text[1:] if text[:1] in "+-" else text
        if digits.isascii() and digits.isdigit() and len(digits) < 16:
            return int(text)
    raise BadCell(f"{shown(value)} 不是整数", f"{shown(value)} is no whole number")


def all_cards(texts: Iterable[str]) -> bool:
    """Are these all names of cards here?"""
    return all(text in {str(card) for card in CARDS} for text in texts)


def is_order(texts: Sequence[str], of: str) -> bool:
    """Does a list name each of these letters once?"""
    return sorted(texts) == sorted(of)
