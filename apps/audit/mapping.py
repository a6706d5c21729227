"""Mapping files: how a foreign log, CSV or JSON lines, tells what the events of a record tell.

    gunzi-log: 1
    format: csv                      # or jsonl
    encoding: gb18030                # utf-8 (default), gb18030, big5
    seats: [东, 北, 西, 南]           # seats 0, 1, 2, 3 in playing order; or {from: 1}
    cards: {suits: {黑: S, 红: H, 梅: C, 方: D}, names: {大王: BJ, 小王: LJ}}
    kind: 动作                        # the column that says what a row is about
    events:
      开局: {event: hand, hand: 局号, dealer: 庄家}
      发牌: {event: deal, seat: 座位, cards: 牌}
      出牌: {event: play, seat: 座位, cards: 牌}
      心跳: {event: skip}

``mapping_files.py`` reads one. The JSON Schema is ``schemas/log.schema.json``.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from collections.abc import Mapping as AnyMapping
from dataclasses import dataclass, field
from typing import Any

from gunzi.apps.audit.names import CardNames, SeatNames
from gunzi.errors import RulesError
from gunzi.problems import Problem, problems_text
from gunzi.source import Node, Source


class MappingError(RulesError):
    """A mapping file that cannot be used, or that does not fit its log; ``problems`` says why and where."""

    def __init__(self, problems: Sequence[Problem]) -> None:
        super().__init__(problems_text(problems))
        self.problems = tuple(problems)


@dataclass(frozen=True, slots=True)
class Column:
    """A column of a CSV file, or the way to a value in a JSON object (``data.cards``, ``hands.0``)."""

    name: str
    node: Node


@dataclass(frozen=True, slots=True)
class Constant:
    """The same in every row: ``{is: …}``."""

    value: Any


Spec = Column | Constant | tuple[Any, ...] | AnyMapping[str, Any]
"""Where a value stands: a column, a constant, or several of them as a list or by part."""


@dataclass(frozen=True, slots=True)
class EventSpec:
    """What a row (or each element of the list at ``each`` in it) tells: an event and where its keys stand."""

    event: str
    keys: AnyMapping[str, Spec]
    each: Column | None = None


@dataclass(slots=True)
class Mapping:
    """A mapping file, read and checked."""

    source: Source
    format: str = "csv"
    encoding: str = "utf-8"
    separator: str = ","
    columns: tuple[str, ...] = ()
    seats: SeatNames = field(default_factory=SeatNames)
    cards: CardNames = field(default_factory=CardNames)
    words: AnyMapping[str, Any] = field(default_factory=dict)
    order: str = ""
    kind: Column | None = None
    events: AnyMapping[str, EventSpec] = field(default_factory=dict)
    every: tuple[EventSpec, ...] = ()

    def named(self) -> Iterable[Column]:
        """Every column that is named, those inside of lists apart."""
        if self.kind is not None:
            yield self.kind
        for spec in (*self.events.values(), *self.every):
            if spec.each is not None:
                yield spec.each
                continue
            for each in spec.keys.values():
                yield from _columns(each)


def _columns(spec: Spec) -> Iterable[Column]:
    if isinstance(spec, Column):
        yield spec
    elif isinstance(spec, tuple):
        for each in spec:
            yield from _columns(each)
    elif not isinstance(spec, Constant):
        for each in spec.values():
            yield from _columns(each)
