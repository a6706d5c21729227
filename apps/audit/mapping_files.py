"""Mapping files read: every mistake is found with its line and column, as in variant files."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from collections.abc import Mapping as AnyMapping
from typing import Any, Final

from gunzi.apps.audit.keys import EVENTS
from gunzi.apps.audit.mapping import Column, Constant, EventSpec, Mapping, MappingError, Spec
from gunzi.apps.audit.names import DEFAULT_NAMES, CardNames, Numbers, SeatNames, all_cards, is_order
from gunzi.cards import RANKS, SUITS
from gunzi.errors import Text
from gunzi.files import file_bytes
from gunzi.options import closest
from gunzi.problems import Problem, in_file_order
from gunzi.source import MAX_BYTES, ListNode, MapNode, Node, Scalar, Source, full_width, misread, read

FORMAT: Final = 1
KEYS: Final = (
    "gunzi-log", "format", "encoding", "separator", "columns", "seats", "cards", "words", "order", "kind", "events", "every",
)  # fmt: skip
CARD_KEYS: Final = ("suits", "ranks", "names", "rank_first", "between", "numbers")
NUMBER_KEYS: Final = ("from", "suits", "ranks", "jokers")
FORMATS: Final = ("csv", "jsonl")
ENCODINGS: Final = ("utf-8", "gb18030", "big5")
ORDERS: Final = ("dealt", "unknown")


def read_mapping(path: str | os.PathLike[str]) -> Mapping:
    """A mapping file. Raises OSError, and MappingError with every problem it has."""
    return mapping_of(file_bytes(path, MAX_BYTES), os.fspath(path))


def mapping_of(data: bytes | str, path: str = "<text>") -> Mapping:
    """The same from its content. Raises MappingError."""
    source = read(data, path)
    if source.root is None or source.problems:
        raise MappingError(source.problems or [Problem("empty", Text("文件是空的", "the file is empty"), path=path)])
    reader = _Reader(source)
    found = reader.mapping(source.root)
    if reader.problems:
        raise MappingError(in_file_order(reader.problems, (path,)))
    return found


class _Reader:
    """Reads a mapping and collects what is wrong with it."""

    def __init__(self, source: Source) -> None:
        self.source = source
        self.problems: list[Problem] = []

    def wrong(self, node: Node, code: str, zh: str, en: str, **more: Any) -> None:
        hint = misread(node)
        if hint is not None:
            zh, en = f"{zh}；{hint.zh}", f"{en}; {hint.en}"
        elif isinstance(node, Scalar) and node.bare and full_width(node.text) and not more.get("suggestion"):
            more["suggestion"] = full_width(node.text)[:40]
        self.problems.append(self.source.at(node, code, Text(zh, en), **more))

    # -- pieces ------------------------------------------------------------------------------------------------

    def map(self, node: Node | None, known: Sequence[str], what: Text) -> AnyMapping[str, Node]:
        """A map of known keys; unknown ones are named with what was perhaps meant."""
        if node is None:
            return {}
        if not isinstance(node, MapNode):
            self.wrong(node, "not-a-map", f"{what.zh}要写成“键: 值”", f"{what.en} is a map of keys and values")
            return {}
        for key, (at, _) in node.entries.items():
            if known and key not in known:
                self.wrong(
                    at,
                    "unknown-key",
                    f"{what.zh}里没有 {key}",
                    f"{what.en} has no {key}",
                    suggestion=closest(key, known),
                    allowed=", ".join(known),
                )
        return {key: value for key, (_, value) in node.entries.items() if not known or key in known}

    def text(self, node: Node, what: Text) -> str:
        if isinstance(node, Scalar) and node.value is not None:
            return node.text
        self.wrong(node, "not-a-text", f"{what.zh}要写成文字", f"{what.en} is a text")
        return ""

    def choice(self, node: Node | None, values: Sequence[str], default: str, what: Text) -> str:
        if node is None:
            return default
        text = node.text if isinstance(node, Scalar) else ""
        if text in values:
            return text
        self.wrong(
            node,
            "bad-value",
            f"{what.zh}没有 {text or '这'} 这种",
            f"{what.en} is not {text or 'this'}",
            suggestion=closest(text, values),
            allowed=", ".join(values),
        )
        return default

    def texts(self, node: Node | None, what: Text) -> tuple[str, ...]:
        if node is None:
            return ()
        if isinstance(node, ListNode) and all(isinstance(item, Scalar) for item in node.items):
            return tuple(item.text for item in node.items if isinstance(item, Scalar))
        self.wrong(node, "not-a-list", f"{what.zh}要写成列表", f"{what.en} is a list")
        return ()

    def table(
        self, node: Node | None, good: Callable[[str], bool], default: AnyMapping[str, str], what: Text, allowed: str
    ) -> AnyMapping[str, str]:
        """Names of the log → names here."""
        if node is None:
            return default
        found = {}
        for name, value in self.map(node, (), what).items():
            text = value.text if isinstance(value, Scalar) else ""
            if not good(text):
                self.wrong(
                    value,
                    "bad-value",
                    f"{text or '这'} 不是{what.zh}",
                    f"{text or 'this'} is none of {what.en}",
                    allowed=allowed,
                )
            else:
                found[name] = text
        return found

    # -- the file ----------------------------------------------------------------------------------------------

    def mapping(self, root: Node) -> Mapping:
        top = self.map(root, KEYS, Text("对照表", "a mapping"))
        if not isinstance(root, MapNode):
            return Mapping(self.source)
        found = Mapping(self.source)
        version = top.get("gunzi-log")
        if version is None:
            self.wrong(root, "no-format", "要写 gunzi-log: 1", "write gunzi-log: 1")
        elif not (isinstance(version, Scalar) and version.value == FORMAT and version.value is not True):
            self.wrong(version, "bad-format", "gunzi-log 要写 1", "gunzi-log is 1")
        found.format = self.choice(top.get("format"), FORMATS, "csv", Text("format 这一项", "the format"))
        found.encoding = self.choice(top.get("encoding"), ENCODINGS, "utf-8", Text("encoding 这一项", "the encoding"))
        found.order = self.choice(top.get("order"), ORDERS, "", Text("order 这一项", "the order"))
        found.separator = self.separator(top.get("separator"))
        found.columns = self.texts(top.get("columns"), Text("columns 这一项", "columns"))
        found.seats = self.seats(top.get("seats"))
        found.cards = self.cards(top.get("cards"))
        found.words = {
            name: value.value
            for name, value in self.map(top.get("words"), (), Text("words 这一项", "words")).items()
            if isinstance(value, Scalar)
        }
        if "kind" in top:
            found.kind = Column(self.text(top["kind"], Text("kind 这一项", "kind")), top["kind"])
        events = {
            name: self.event(value)
            for name, value in self.map(top.get("events"), (), Text("events 这一项", "events")).items()
        }
        found.events = {name: spec for name, spec in events.items() if spec is not None}
        every = top.get("every")
        if isinstance(every, ListNode):
            found.every = tuple(spec for item in every.items if (spec := self.event(item)) is not None)
        elif every is not None:
            self.wrong(every, "not-a-list", "every 要写成列表", "every is a list")
        if "events" in top and "kind" not in top:
            self.wrong(
                top["events"],
                "no-kind",
                "写了 events 就要写 kind：哪一列说这一行是什么事",
                "events need kind: the column that says what a row is about",
            )
        if not found.events and not found.every and not self.problems:
            self.wrong(
                root,
                "no-events",
                "没写日志里的事对应什么：events 或 every",
                "it does not say what the log's rows are: events or every",
            )
        return found

    def separator(self, node: Node | None) -> str:
        if node is None:
            return ","
        text = node.text if isinstance(node, Scalar) else ""
        if text == "tab":
            return "\t"
        if len(text) == 1 and text not in '\r\n"':
            return text
        self.wrong(node, "bad-value", "separator 要写一个字符，或者 tab", "the separator is one character, or tab")
        return ","

    def seats(self, node: Node | None) -> SeatNames:
        if node is None:
            return SeatNames()
        what = Text("seats 这一项", "seats")
        if isinstance(node, MapNode):
            first = self.map(node, ("from",), what).get("from")
            if isinstance(first, Scalar) and type(first.value) is int and 0 <= first.value <= 90:
                return SeatNames(first=first.value)
            self.wrong(
                first or node,
                "bad-value",
                "seats.from 要写整数，例如 1",
                "seats.from is a whole number, 1 for instance",
            )
            return SeatNames()
        names = self.texts(node, what)
        if len(names) != 4 or len(set(names)) != 4:
            self.wrong(
                node,
                "bad-value",
                "seats 要按出牌顺序写四个不同的名字",
                "seats are four different names in playing order",
            )
            return SeatNames()
        return SeatNames(names)

    def cards(self, node: Node | None) -> CardNames:
        what = Text("cards 这一项", "cards")
        found = self.map(node, CARD_KEYS, what)
        plain = CardNames()
        suits = self.table(
            found.get("suits"),
            lambda text: text in tuple(SUITS),
            plain.suits,
            Text("花色", "the suits"),
            ", ".join(SUITS),
        )
        ranks = self.table(
            found.get("ranks"),
            lambda text: text == "10" or text in tuple(RANKS),
            plain.ranks,
            Text("点数", "the ranks"),
            "2-10, J, Q, K, A",
        )
        names = self.table(
            found.get("names"),
            lambda text: all_cards([text]),
            DEFAULT_NAMES,
            Text("牌", "the cards"),
            "S3, HT, BJ, LJ …",
        )
        between: str | None = None
        if "between" in found:
            between = self.text(found["between"], Text("cards.between 这一项", "cards.between")) or None
        rank_first = False
        if "rank_first" in found:
            node = found["rank_first"]
            if isinstance(node, Scalar) and isinstance(node.value, bool):
                rank_first = node.value
            else:
                self.wrong(node, "bad-value", "rank_first 要写 true 或 false", "rank_first is true or false")
        numbers = self.numbers(found["numbers"]) if "numbers" in found else None
        return CardNames(
            suits, {name: rank.replace("10", "T") for name, rank in ranks.items()}, names, rank_first, between, numbers
        )

    def numbers(self, node: Node) -> Numbers | None:
        found = self.map(node, NUMBER_KEYS, Text("cards.numbers 这一项", "cards.numbers"))
        first = found.get("from")
        start = 0
        if first is not None:
            if isinstance(first, Scalar) and type(first.value) is int:
                start = first.value
            else:
                self.wrong(first, "bad-value", "from 要写整数", "from is a whole number")
        orders: dict[str, tuple[str, ...]] = {}
        for name, of, default in (("suits", SUITS, SUITS), ("ranks", RANKS, RANKS)):
            texts = self.texts(found.get(name), Text(f"{name} 这一项", name)) or tuple(default)
            orders[name] = tuple(text.replace("10", "T") for text in texts)
            if not is_order(orders[name], of):
                self.wrong(
                    found[name],
                    "bad-value",
                    f"{name} 要把 {' '.join(of)} 各写一次",
                    f"{name} names each of {' '.join(of)} once",
                )
                return None
        jokers = self.texts(found.get("jokers"), Text("jokers 这一项", "jokers")) or ("LJ", "BJ")
        if sorted(jokers) != ["BJ", "LJ"]:
            self.wrong(found["jokers"], "bad-value", "jokers 要把 LJ BJ 各写一次", "jokers names LJ and BJ once each")
            return None
        return Numbers(start, "".join(orders["suits"]), "".join(orders["ranks"]), jokers)

    # -- events ------------------------------------------------------------------------------------------------

    def event(self, node: Node) -> EventSpec | None:
        if not isinstance(node, MapNode):
            self.wrong(
                node,
                "not-a-map",
                "一种事要写成 {event: play, seat: 列名, …}",
                "an event is written as {event: play, seat: COLUMN, …}",
            )
            return None
        kind = node.get("event")
        if kind is None:
            self.wrong(node, "no-event", "缺 event：这是我们的哪种事", "event is missing: which of our events it is")
            return None
        name = self.choice(kind, tuple(EVENTS), "", Text("event 这一项", "the event"))
        if not name:
            return None
        wanted = EVENTS[name]
        found = self.map(node, ("event", "each", *wanted), Text(f"{name} 这一项", name))
        each = Column(self.text(found["each"], Text("each 这一项", "each")), found["each"]) if "each" in found else None
        keys = {
            key: spec for key in wanted if key in found and (spec := self.spec(found[key], wanted[key])) is not None
        }
        return EventSpec(name, keys, each)

    def spec(self, node: Node, kind: object) -> Spec | None:
        """Where a value of this kind stands."""
        if isinstance(node, MapNode) and "is" in node.entries:
            self.map(node, ("is",), Text("常量", "a constant"))
            value = node.get("is")
            return Constant(value.plain() if value is not None else None)
        if isinstance(node, Scalar):
            return Column(self.text(node, Text("列名", "a column")), node)
        if isinstance(node, ListNode) and isinstance(kind, list) and len(kind) == len(node.items):
            specs = [self.spec(item, one) for item, one in zip(node.items, kind, strict=True)]
            return tuple(spec for spec in specs if spec is not None)
        if isinstance(node, MapNode) and isinstance(kind, dict):
            parts = self.map(node, tuple(kind), Text("这一项", "this key"))
            return {part: spec for part, value in parts.items() if (spec := self.spec(value, kind[part])) is not None}
        self.wrong(node, "bad-spec", "这里要写列名（或 {is: 值}）", "a column is wanted here (or {is: VALUE})")
        return None
