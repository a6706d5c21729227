"""The record: one table's play as JSON Lines, complete enough for anybody to check every decision."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any, Final, NoReturn

from gunzi.errors import RecordError, Text
from gunzi.files import file_bytes, written_whole

FORMAT = 1
Event = dict[str, Any]
PHASE_OF: Final[Mapping[str, str]] = {
    "hand": "deal",
    "claim": "deal",
    "declare": "deal",
    "turn": "reveal",
    "draw": "reveal",
    "redeal": "reveal",
    "trump": "reveal",
    "exempt": "tribute",
    "tribute": "tribute",
    "return": "tribute",
    "bottom": "bottom",
    "bury": "bury",
    "bury_kings": "bury_kings",
    "play": "play",
    "trick": "play",
    "settle": "settle",
}
"""The phase that each kind of event belongs to, in the order in which a hand comes to them; what a plugin writes is not here."""
JOURNAL: Final = frozenset({"pass", "dealt"})
"""Kinds of rows without a number that a web table's journal has besides the events of its record."""


class EventLog:
    """The events of a table as they happen: kind ``e`` and number ``n`` first, then the event's own keys."""

    __slots__ = ("events", "n", "observer")

    def __init__(self, observer: Callable[[Mapping[str, Any]], Any] | None = None) -> None:
        self.events: list[Event] = []
        self.n = 0
        self.observer = observer

    def write(self, kind: str, keys: Mapping[str, Any]) -> None:
        """Append an event."""
        self.n += 1
        event = {"e": kind, "n": self.n, **keys}
        self.events.append(event)
        if self.observer is not None:
            self.observer(event)

    def play(self, seat: int, cards: Sequence[str]) -> None:
        """Append a play: ``write`` without its detours, for the most frequent event."""
        self.n = n = self.n + 1
        event = {"e": "play", "n": n, "seat": seat, "cards": list(cards)}
        self.events.append(event)
        if self.observer is not None:
            self.observer(event)

    def trick(self, winner: int, points: int, by: str) -> None:
        """Append the end of a trick, as ``play`` does."""
        self.n = n = self.n + 1
        event = {"e": "trick", "n": n, "winner": winner, "points": points, "by": by}
        self.events.append(event)
        if self.observer is not None:
            self.observer(event)

    def continue_from(self, history: Iterable[Mapping[str, Any]], since: Iterable[Mapping[str, Any]]) -> None:
        """Take ``history`` for the events so far, followed by ``since`` numbered on."""
        self.events = [dict(event) for event in history]
        self.n = len(self.events)
        for event in since:
            self.n += 1
            self.events.append({**event, "n": self.n})

    def forget(self) -> None:
        """Drop the events kept so far; numbers go on. For long runs that need the running hand only."""
        self.events.clear()


class Record:
    """A header and its events. ``Record.load`` reads a file, ``save`` writes one whole or not at all."""

    def __init__(self, header: Mapping[str, Any], events: Iterable[Mapping[str, Any]] = ()) -> None:
        self.header = dict(header)
        self.events: list[Event] = [dict(event) for event in events]

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Record) and (self.header, self.events) == (other.header, other.events)

    __hash__ = None  # type: ignore[assignment]

    def lines(self) -> Iterator[str]:
        """The file's lines without line ends."""
        yield _dump(self.header)
        for event in self.events:
            yield _dump(event)

    def text(self) -> str:
        """The whole file."""
        return "".join(line + "\n" for line in self.lines())

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the file; an interrupted write leaves the old file as it was. Raises OSError."""
        with written_whole(path) as file:
            for line in self.lines():
                file.write(line + "\n")

    @classmethod
    def load(cls, path: str | os.PathLike[str]) -> Record:
        """Read a record file. Raises OSError, or RecordError naming the line that cannot be read."""
        return cls.parse(file_bytes(path))

    @classmethod
    def parse(cls, data: bytes | str) -> Record:
        """Read a record from its text. Raises RecordError naming the line."""
        rows = (_decode(data) if isinstance(data, bytes) else data).split("\n")
        if rows and not rows[-1].strip():
            rows.pop()
        if not rows:
            raise RecordError(
                Text("文件是空的：第一行要写表头", "the record is empty: its first line must be the header"), line=1
            )
        parsed = [parse_line(row, place + 1, place + 1 == len(rows)) for place, row in enumerate(rows)]
        header = parsed[0]
        check_header(header)
        return cls(header, parsed[1:])


def check_header(header: Mapping[str, Any]) -> None:
    """Raises RecordError unless a first line is the header of a record that can be read here."""
    newer = header.get("gunzi")
    if newer == FORMAT and not isinstance(newer, bool):
        return
    if isinstance(newer, int) and newer > FORMAT:
        said = Text(
            f"第 1 行：牌谱格式 {newer} 比这个 gunzi 新，这里只读得了格式 {FORMAT}",
            f"line 1: record format {newer} is newer than this gunzi, which reads format {FORMAT}",
        )
        raise RecordError(said, line=1)
    raise RecordError(
        Text(
            '第 1 行不是牌谱的表头，应该以 {"gunzi": 1, … 开头',
            'line 1 is no record header: it must begin with {"gunzi": 1, …',
        ),
        line=1,
    )


def _decode(data: bytes) -> str:
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data[: error.start].count(b"\n") + 1
        raise RecordError(Text(f"第 {line} 行不是 UTF-8 文字", f"line {line} is not UTF-8 text"), line=line) from None


def _dump(row: Mapping[str, Any]) -> str:
    return json.dumps(row, ensure_ascii=False)


def _no_constant(name: str) -> NoReturn:
    raise ValueError(f"{name} is no JSON number")


def parse_line(row: str, line: int, last: bool) -> Event:
    """A line of a record, of which it may be the last. Raises RecordError naming the line."""
    try:
        found = json.loads(row, parse_constant=_no_constant)
    except RecursionError:
        deep = Text(f"第 {line} 行的括号套得太深", f"the brackets of line {line} are nested too deep")
        raise RecordError(deep, line=line) from None
    except ValueError as error:
        cut = Text("，文件好像到这里断了", " — the file seems to be cut off here") if last else Text("", "")
        detail = error.msg if isinstance(error, json.JSONDecodeError) else str(error).split("\n")[0][:80]
        said = Text(f"第 {line} 行不是 JSON{cut.zh}", f"line {line} is not JSON ({detail}){cut.en}")
        raise RecordError(said, line=line) from None
    if not isinstance(found, dict):
        raise RecordError(Text(f"第 {line} 行不是 JSON 对象", f"line {line} is not a JSON object"), line=line)
    return found
