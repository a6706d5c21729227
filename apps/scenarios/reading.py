"""How the values in a scenario are read: nodes of a file into cards, seats, ranks, each error at its place.

A ``Kind`` reads one node and answers its value, in the one form in which answers are compared: cards are sorted, ranks are
numbers. ``Fields`` reads a map. All problems of a value are found at once.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from gunzi.cards import SUITS, Card, parse_card, parse_rank, sorted_cards
from gunzi.errors import CardError, ScenarioError, Text
from gunzi.options import closest
from gunzi.problems import Problem
from gunzi.source import ListNode, MapNode, Node, Scalar, Source, full_width, misread


class Unreadable(ScenarioError):
    """A scenario that cannot be asked; ``problems`` says why and where."""

    def __init__(self, problems: Sequence[Problem]) -> None:
        zh, en = ("; ".join(problem.message(lang) for problem in problems) for lang in ("zh", "en"))
        super().__init__(Text(zh, en))
        self.problems = tuple(problems)


Kind = Callable[[Source, Node], Any]
"""Reads a node. Raises Unreadable."""


def wrong(source: Source, node: Node, code: str, zh: str, en: str, **more: Any) -> Unreadable:
    """The error at a node, with a hint where the word is one that other YAML readers understand otherwise."""
    hint = misread(node)
    if hint is not None:
        zh, en = f"{zh}；{hint.zh}", f"{en}; {hint.en}"
    elif isinstance(node, Scalar) and node.bare and full_width(node.text) and not more.get("suggestion"):
        more["suggestion"] = full_width(node.text)[:40]
    return Unreadable([source.at(node, code, Text(zh, en), **more)])


def shown(node: Node) -> str:
    """A node as it may be quoted in a message."""
    if isinstance(node, Scalar):
        return (node.text if len(node.text) <= 40 else node.text[:39] + "…") or "''"
    return "[…]" if isinstance(node, ListNode) else "{…}"


def _value(node: Node) -> Any:
    return node.value if isinstance(node, Scalar) else None


def anything(source: Source, node: Node) -> Any:
    """Plain data, whatever it is: for what only a plugin understands."""
    return node.plain()


def card(source: Source, node: Node) -> Card:
    """One card."""
    try:
        return parse_card(node.text if isinstance(node, Scalar) and node.value is not None else None)
    except CardError:
        raise wrong(
            source,
            node,
            "bad-card",
            f"{shown(node)} 不是牌：花色写 S H C D，点数写 2-10 J Q K A，王写 BJ、LJ",
            f"{shown(node)} is no card: write the suit S, H, C or D and the rank 2-10, J, Q, K or A; or BJ, LJ",
        ) from None


def cards(source: Source, node: Node) -> tuple[Card, ...]:
    """A list of cards in the order written; at most three of a kind."""
    found: tuple[Card, ...] = list_of(card)(source, node)
    for each in found:
        if found.count(each) > 3:
            raise wrong(source, node, "bad-card", f"{each} 超过三张", f"more than three {each} cannot be")
    return found


def bag(source: Source, node: Node) -> tuple[Card, ...]:
    """Cards whose order means nothing."""
    return sorted_cards(cards(source, node))


def bags(source: Source, node: Node) -> tuple[tuple[Card, ...], ...]:
    """Several choices of cards, the order meaning nothing."""
    return tuple(sorted(set(list_of(bag)(source, node))))


def _whole(low: int, high: int | None, zh: str, en: str) -> Kind:
    def read(source: Source, node: Node) -> int:
        value = _value(node)
        if isinstance(value, int) and not isinstance(value, bool) and low <= value and (high is None or value <= high):
            return value
        raise wrong(source, node, "bad-value", f"{zh}，不能写 {shown(node)}", f"{en}, not {shown(node)}")

    return read


seat: Final = _whole(0, 3, "座位是 0 到 3", "a seat is 0 to 3")
side: Final = _whole(0, 1, "一方是 0（0、2 号位）或 1（1、3 号位）", "a side is 0 (seats 0 and 2) or 1 (seats 1 and 3)")
number: Final = _whole(0, None, "这里要写整数，0 或更大", "a whole number from 0 is wanted")
integer: Final = _whole(-(10**12), 10**12, "这里要写整数", "a whole number is wanted")


def rank(source: Source, node: Node) -> int:
    """A rank 2-14."""
    try:
        return parse_rank(_value(node))
    except ValueError:
        zh, en = f"{shown(node)} 不是点数", f"{shown(node)} is no rank"
        raise wrong(source, node, "bad-value", zh, en, allowed="2-10, J, Q, K, A") from None


def suit(source: Source, node: Node) -> str:
    """One of the four suits."""
    value = _value(node)
    if isinstance(value, str) and len(value) == 1 and value in SUITS:
        return value
    guess = value.upper() if isinstance(value, str) and len(value) == 1 and value.upper() in SUITS else ""
    zh, en = f"{shown(node)} 不是花色", f"{shown(node)} is no suit"
    raise wrong(source, node, "bad-value", zh, en, allowed="S, H, C, D", suggestion=guess)


def flag(source: Source, node: Node) -> bool:
    """true or false."""
    value = _value(node)
    if isinstance(value, bool):
        return value
    zh, en = f"要写 true 或 false，不能写 {shown(node)}", f"true or false is wanted, not {shown(node)}"
    raise wrong(source, node, "bad-value", zh, en, allowed="true, false")


def word(source: Source, node: Node) -> str:
    """A text; a number counts as it is written."""
    value = _value(node)
    if value is None or isinstance(value, bool) or not isinstance(node, Scalar) or not node.text.strip():
        raise wrong(source, node, "bad-value", "这里要写文字", "a text is wanted")
    return node.text


def list_of(kind: Kind, count: int | None = None) -> Kind:
    """A list of values of a kind, exactly ``count`` of them."""

    def read(source: Source, node: Node) -> tuple[Any, ...]:
        if not isinstance(node, ListNode):
            zh, en = f"要写成列表 […]，不能写 {shown(node)}", f"a list […] is wanted, not {shown(node)}"
            raise wrong(source, node, "bad-value", zh, en)
        if count is not None and len(node.items) != count:
            zh, en = f"要写 {count} 项，这里有 {len(node.items)} 项", f"{count} items are wanted, not {len(node.items)}"
            raise wrong(source, node, "bad-value", zh, en)
        found, problems = [], list[Problem]()
        for item in node.items:
            try:
                found.append(kind(source, item))
            except Unreadable as error:
                problems += error.problems
        if problems:
            raise Unreadable(problems)
        return tuple(found)

    return read


def pair_of(first: Kind, second: Kind) -> Kind:
    """A list of two values of different kinds."""

    def read(source: Source, node: Node) -> tuple[Any, Any]:
        one, two = list_of(lambda _, item: item, 2)(source, node)
        return first(source, one), second(source, two)

    return read


def nullable(kind: Kind) -> Kind:
    """null, or a value of a kind."""

    def read(source: Source, node: Node) -> Any:
        return (
            None if isinstance(node, Scalar) and node.bare and node.value is None and node.text else kind(source, node)
        )

    return read


def either(kind: Kind, *words: str) -> Kind:
    """One of a few words, or a value of a kind."""

    def read(source: Source, node: Node) -> Any:
        value = _value(node)
        if isinstance(value, str) and value in words:
            return value
        guess = closest(value, words) if isinstance(value, str) else ""
        if not guess:
            return kind(source, node)
        zh, en = f"没有 {shown(node)} 这个答案", f"{shown(node)} is no answer"
        raise wrong(source, node, "bad-value", zh, en, allowed=", ".join(words), suggestion=guess)

    return read


def by_seat(kind: Kind) -> Kind:
    """A map from seats to values of a kind."""

    def read(source: Source, node: Node) -> dict[int, Any]:
        if not isinstance(node, MapNode):
            zh, en = "要写成 {座位: …}", "a map {seat: …} is wanted"
            raise wrong(source, node, "bad-value", zh, en)
        return {seat(source, at): kind(source, value) for at, value in node.entries.values()}

    return read


@dataclass(frozen=True, slots=True)
class Field:
    """A key of a map: how its value is read, and what stands for it where it is left out."""

    kind: Kind
    needed: bool = False
    default: Any = None


def needed(kind: Kind) -> Field:
    """A key that must be there."""
    return Field(kind, True)


class Fields:
    """A map with known keys; calling it reads one. ``what`` names the map in messages.

    ``partial``: keys that are left out stay out, as in an answer, of which only some keys are compared. ``open``: keys not
    known are taken as they are.
    """

    def __init__(self, what: str, fields: Mapping[str, Field], *, partial: bool = False, open: bool = False) -> None:
        self.what, self.fields, self.partial, self.open = what, dict(fields), partial, open

    def __call__(self, source: Source, node: Node) -> dict[str, Any]:
        if not isinstance(node, MapNode):
            keys = ", ".join(self.fields)
            zh, en = f"{self.what} 要写成 {{…: …}}", f"{self.what} is a map {{…: …}}"
            raise wrong(source, node, "bad-value", zh, en, allowed=keys)
        problems: list[Problem] = []
        found = {} if self.partial else {key: each.default for key, each in self.fields.items() if not each.needed}
        for key, (at, value) in node.entries.items():
            field = self.fields.get(key)
            try:
                if field is not None:
                    found[key] = field.kind(source, value)
                elif self.open:
                    found[key] = value.plain()
                else:
                    raise self._unknown(source, at)
            except Unreadable as error:
                problems += error.problems
        for key, field in self.fields.items():
            if field.needed and not self.partial and key not in node.entries:
                said = Text(f"{self.what} 缺少 {key}", f"{self.what} lacks {key}")
                problems.append(source.at(node, "missing-key", said))
        if problems:
            raise Unreadable(problems)
        return found

    def _unknown(self, source: Source, at: Scalar) -> Unreadable:
        zh, en = f"{self.what} 里没有 {shown(at)} 这个键", f"{self.what} has no key {shown(at)}"
        guess = closest(at.text, self.fields)
        return wrong(source, at, "unknown-key", zh, en, allowed=", ".join(self.fields), suggestion=guess)
