"""What a rule book is made of, before it is Markdown or HTML: plain data in one language."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from gunzi.cards import Card


@dataclass(frozen=True, slots=True)
class Para:
    """A paragraph."""

    text: str


@dataclass(frozen=True, slots=True)
class Bullets:
    """A list."""

    items: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Code:
    """Something as it is typed."""

    text: str


@dataclass(frozen=True, slots=True)
class Link:
    """A link to another place of the book."""

    text: str
    anchor: str


Cell = str | Code | Link


@dataclass(frozen=True, slots=True)
class Table:
    """A table. ``figures``: the columns of figures."""

    head: tuple[str, ...]
    rows: tuple[tuple[Cell, ...], ...]
    figures: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Group:
    """Cards that lie together, what stands under them, and whether they are right (None: nothing to be right about)."""

    cards: tuple[Card, ...]
    caption: str = ""
    right: bool | None = None


@dataclass(frozen=True, slots=True)
class Row:
    """Groups of cards side by side, with a label before them."""

    label: str
    groups: tuple[Group, ...]


@dataclass(frozen=True, slots=True)
class Cards:
    """Rows of cards outside an example."""

    rows: tuple[Row, ...]


@dataclass(frozen=True, slots=True)
class Shown:
    """A worked example: what is given, what these rules answer and why, what other values would answer.

    ``name`` and ``ask`` tell which example it is; ``others`` are (whose answer, answer).
    """

    name: str
    ask: str
    setting: str
    rows: tuple[Row, ...]
    answer: str
    why: tuple[str, ...] = ()
    others: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True, slots=True)
class Basis:
    """On what authority a value stands: status in words, source (may be empty), and the place that set it."""

    status: str
    source: str
    where: str


@dataclass(frozen=True, slots=True)
class Entry:
    """One option in a chapter: what it decides, what these rules say, and examples.

    ``recommended`` is what the recommended rules say where that is something else; ``idle`` why the option decides nothing
    here (empty where it does).
    """

    option: str
    name: str
    asks: str
    says: str
    examples: tuple[Shown, ...]
    basis: Basis
    recommended: str = ""
    idle: str = ""


Block = Para | Bullets | Table | Cards | Entry


@dataclass(frozen=True, slots=True)
class Chapter:
    """A chapter: ``id`` is its anchor."""

    id: str
    title: str
    blocks: tuple[Block, ...]


@dataclass(frozen=True, slots=True)
class Book:
    """A rule book in one language. ``facts`` are (what, text) about the rule set itself: name, fingerprint, share code."""

    lang: str
    title: str
    intro: str
    facts: tuple[tuple[str, Cell], ...]
    chapters: tuple[Chapter, ...] = field(default=())

    def entries(self) -> Iterator[Entry]:
        """Every option's entry, in the order of the book."""
        for chapter in self.chapters:
            for block in chapter.blocks:
                if isinstance(block, Entry):
                    yield block


def anchor(option: str) -> str:
    """The anchor of an option's entry."""
    return "o-" + option.replace(".", "-").replace("_", "-")
