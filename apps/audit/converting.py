"""Rows of a foreign log turned into the events of a record, by a mapping."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from typing import Any, Final

from gunzi.apps.audit.findings import Row
from gunzi.apps.audit.keys import DEAL, EMPTY_IS_NULL, EVENTS, SKIP
from gunzi.apps.audit.logs import Record, read_log
from gunzi.apps.audit.mapping import Constant, EventSpec, Spec
from gunzi.apps.audit.mapping import Mapping as LogMapping
from gunzi.apps.audit.names import BadCell, number, shown
from gunzi.cards import SUITS, Card, parse_rank
from gunzi.errors import Text
from gunzi.options import closest
from gunzi.record import FORMAT, Event
from gunzi.ruleset import RuleSet

_ABSENT = object()
MOST_CARDS: Final = 500
"""Nobody is dealt so many, of however many packs; a log in which no hand begins has any number."""
YES, NO = frozenset({"true", "yes", "y", "1", "是", "有"}), frozenset({"false", "no", "n", "0", "否", "无"})


def log_rows(path: str | os.PathLike[str], mapping: LogMapping) -> Iterator[Row]:
    """A log's rows as events of a record, for an audit. Raises OSError and MappingError."""
    return _Converter(mapping).rows(read_log(path, mapping))


def log_record(path: str | os.PathLike[str], mapping: LogMapping, rules: RuleSet) -> Iterator[dict[str, Any]]:
    """A log as the lines of a record: a header with these rules and no hash, as records of other programs have, then the events that
    can be read, numbered. What the mapping does not name is left out. Raises OSError and MappingError."""
    yield {
        "gunzi": FORMAT,
        "table": os.path.basename(os.fspath(path)),
        "rules": {**rules.as_json(), "hash": None},
        "players": [{"name": name, "kind": "human"} for name in mapping.seats.names or ("0", "1", "2", "3")],
        "created": None,
    }
    n = 0
    for row in log_rows(path, mapping):
        if row.event is not None:
            n += 1
            event = dict(row.event)
            yield {"e": event.pop("e"), "n": n, **event}


class _Converter:
    """A hand is held back until its cards are all there: they may come in rows of their own."""

    def __init__(self, mapping: LogMapping) -> None:
        self.mapping = mapping
        self.open: tuple[int, Event] | None = None
        self.dealt: dict[int | None, list[Card]] = {}
        self.spoilt = False
        """The open hand has been told to be unreadable; what else is dealt in it is left out."""

    def rows(self, records: Iterator[Record | Row]) -> Iterator[Row]:
        for record in records:
            if isinstance(record, Row):
                yield from self._broken(record)
                continue
            try:
                for event in self._events(record.data):
                    yield from self._take(record.line, event)
            except BadCell as error:
                yield from self._broken(Row(record.line, None, error.text, error.rule))
        yield from self._close()

    def _broken(self, row: Row) -> Iterator[Row]:
        """A row that cannot be read. Where the open hand lacks cards, they may have been in it: then that is what is wrong."""
        if self.open is None or self.spoilt:
            yield row
            return
        line, event = self.open
        try:
            hand = Row(line, self._hand(event))
        except BadCell:
            assert row.trouble is not None
            said = Text(
                f"这一把的牌读不全：{row.trouble.zh}", f"the cards of this hand cannot all be read: {row.trouble.en}"
            )
            self.spoilt = True
            yield Row(row.line, None, said, row.rule, begins=True)
            return
        self.open = None
        yield hand
        yield row

    def _take(self, line: int, event: Event) -> Iterator[Row]:
        kind = event["e"]
        if kind == "hand":
            yield from self._close()
            self._begin(line, event)
        elif kind == DEAL:
            number = event.get("hand", _ABSENT)
            if self.open is None or number not in (_ABSENT, self.open[1].get("hand", number)):
                yield from self._close()
                self._begin(line, {"e": "hand", **({"hand": number} if number is not _ABSENT else {})})
            if self.spoilt:
                return
            if "bottom" in event:
                self.dealt[None] = event["bottom"]
            if event.get("cards"):
                cards = self.dealt.setdefault(event.get("seat"), [])
                cards.extend(event["cards"])
                if len(cards) > MOST_CARDS:
                    raise BadCell(
                        f"一家发了 {len(cards)} 张还没完：对照表写了哪一行是新的一把（hand）吗？",
                        f"a seat is dealt {len(cards)} cards and no end: does the mapping say which row begins a hand (hand)?",
                        "deck.packs",
                    )
        else:
            yield from self._close()
            yield Row(line, event)

    def _begin(self, line: int, event: Event) -> None:
        self.open, self.dealt, self.spoilt = (line, event), {}, False

    def _close(self) -> Iterator[Row]:
        """The hand that is open, its deck put together."""
        if self.open is None:
            return
        line, event = self.open
        self.open = None
        if self.spoilt:
            self.spoilt = False
            return
        try:
            yield Row(line, self._hand(event))
        except BadCell as error:
            yield Row(line, None, error.text, error.rule, begins=True)

    def _hand(self, event: Event) -> Event:
        found = {key: value for key, value in event.items() if key not in ("hands", "bottom", "first_hand", "deck")}
        if event.get("first_hand"):
            found["dealer"] = None
        order = self.mapping.order
        if "deck" in event:
            found["deck"] = event["deck"]
            order = order or "dealt"
        else:
            hands = event.get("hands") or [self.dealt.get(seat, []) for seat in range(4)]
            bottom = event.get("bottom", self.dealt.get(None, []))
            found["deck"] = _deck(hands, bottom, found.get("first", found.get("dealer")) or 0)
            order = order or "unknown"
        if order == "unknown":
            found["order"] = "unknown"
        return found

    # -- one row -----------------------------------------------------------------------------------------------

    def _events(self, data: Any) -> Iterator[Event]:
        mapping = self.mapping
        for spec in mapping.every:
            yield from self._spec(spec, data)
        if mapping.kind is None:
            return
        kind = _at(data, mapping.kind.name)
        name = str(kind).strip() if isinstance(kind, (str, int)) else shown(kind)
        found = mapping.events.get(name)
        if found is None:
            guess = closest(name, mapping.events)
            raise BadCell(
                f"对照表里没有 {shown(name)} 这种事"
                + (f"，是不是 {guess}？" if guess else "；用不着的写 {event: skip}"),
                f"the mapping has no event {shown(name)}"
                + (f" (did you mean {guess}?)" if guess else "; write {event: skip} for what is not needed"),
            )
        yield from self._spec(found, data)

    def _spec(self, spec: EventSpec, data: Any) -> Iterator[Event]:
        if spec.event == SKIP:
            return
        if spec.each is None:
            yield self._event(spec, data)
            return
        items = _at(data, spec.each.name)
        if items is None or items is _ABSENT:
            return
        if not isinstance(items, list):
            raise BadCell(f"{spec.each.name} 不是列表", f"{spec.each.name} is no list")
        for item in items:
            yield self._event(spec, item)

    def _event(self, spec: EventSpec, data: Any) -> Event:
        event: Event = {"e": spec.event}
        for key, where in spec.keys.items():
            try:
                value = self._value(where, EVENTS[spec.event][key], data)
            except BadCell as error:
                text = error.text
                raise BadCell(f"{spec.event}.{key}：{text.zh}", f"{spec.event}.{key}: {text.en}", error.rule) from None
            if value is _ABSENT or (value is None and key not in EMPTY_IS_NULL):
                continue
            event[key] = value
        return event

    def _value(self, where: Spec, kind: Any, data: Any) -> Any:
        if isinstance(where, tuple):
            values = [self._value(one, each, data) for one, each in zip(where, kind, strict=True)]
            return None if all(value is None or value is _ABSENT for value in values) else values
        if isinstance(where, Mapping):
            parts = {part: self._value(one, kind[part], data) for part, one in where.items()}
            empty = any(value is None or value is _ABSENT for value in parts.values())
            return None if empty else parts
        found = where.value if isinstance(where, Constant) else _at(data, where.name)
        return self._read(found, kind)

    def _read(self, value: Any, kind: Any) -> Any:
        """A cell as what its key is."""
        if value is _ABSENT:
            return _ABSENT
        if value is None or (isinstance(value, str) and not value.strip()):
            return [] if kind == "cards" and value is not None else None
        mapping = self.mapping
        if isinstance(kind, list):
            return self._list(value, kind)
        if isinstance(kind, dict):
            if not isinstance(value, dict):
                raise BadCell(f"{shown(value)} 不是对象", f"{shown(value)} is no object")
            return {part: self._read(value.get(part), each) for part, each in kind.items()}
        if kind == "cards":
            return mapping.cards.cards(value)
        if kind == "card":
            return mapping.cards.card(value)
        if kind == "seat":
            return mapping.seats.seat(value)
        if kind == "number":
            return number(value)
        if kind == "level":
            return self._level(value)
        word = mapping.words.get(str(value).strip(), value) if isinstance(value, (str, int)) else value
        if kind == "suit":
            return self._suit(word)
        if kind == "flag":
            return self._flag(word)
        if not isinstance(word, str):
            raise BadCell(f"{shown(value)} 不是文字", f"{shown(value)} is no text")
        return word.strip()

    def _list(self, value: Any, kind: list[Any]) -> list[Any]:
        if isinstance(value, dict) and len(kind) == 4 and self.mapping.seats.names:
            value = [value.get(name) for name in self.mapping.seats.names]
        if isinstance(value, str):
            value = value.replace("，", ",").replace("/", ",").split(",")
        if not isinstance(value, list) or len(value) != len(kind):
            raise BadCell(f"{shown(value)} 不是 {len(kind)} 项", f"{shown(value)} is not {len(kind)} items")
        return [self._read(item, each) for item, each in zip(value, kind, strict=True)]

    def _level(self, value: Any) -> int:
        try:
            return parse_rank(self.mapping.cards.ranks.get(str(value).strip(), value))
        except ValueError:
            raise BadCell(f"{shown(value)} 不是级", f"{shown(value)} is no level") from None

    def _suit(self, value: Any) -> str:
        text = str(value).strip()
        found = self.mapping.cards.suits.get(text, text.upper())
        if found not in tuple(SUITS):
            raise BadCell(f"{shown(value)} 不是花色", f"{shown(value)} is no suit")
        return found

    def _flag(self, value: Any) -> bool:
        text = str(value).strip().lower()
        if text in YES or text in NO:
            return text in YES
        raise BadCell(f"{shown(value)} 不是“是”或“否”", f"{shown(value)} is neither yes nor no")


def _deck(hands: Any, bottom: list[Card] | None, first: int) -> list[Card]:
    """Four hands dealt out in turn from ``first``, then the bottom. Raises BadCell."""
    sizes = [len(hand or ()) for hand in hands]
    if len(set(sizes)) != 1 or not sizes[0]:
        zh, en = "、".join(map(str, sizes)), ", ".join(map(str, sizes))
        raise BadCell(
            f"四家的牌不一样多：{zh} 张", f"the four hands do not have equally many cards: {en}", "deck.packs"
        )
    deck = [hands[(first + place) % 4][n] for n in range(sizes[0]) for place in range(4)]
    return [*deck, *(bottom or ())]


def _at(data: Any, path: str) -> Any:
    """What stands at a path; absent where it does not lead anywhere."""
    if isinstance(data, dict) and path in data:
        return data[path]
    here = data
    for step in path.split("."):
        if isinstance(here, dict) and step in here:
            here = here[step]
        elif isinstance(here, list) and step.isascii() and step.isdigit() and len(step) < 6 and int(step) < len(here):
            here = here[int(step)]
        else:
            return _ABSENT
    return here
