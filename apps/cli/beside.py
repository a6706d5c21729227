"""Two records side by side: what is the same, where they part, by which rule, and how each goes on."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from typing import Any

from gunzi.apps.cli.narrate import Narrator
from gunzi.apps.cli.output import Out
from gunzi.apps.cli.records import named, untold
from gunzi.apps.lab.parting import Parting, differing_options, first_difference
from gunzi.errors import GunziError, RecordError, Text
from gunzi.loading import from_header
from gunzi.record import PHASE_OF, Event, Record
from gunzi.ruleset import RuleSet
from gunzi.views import view, view_header

Key = tuple[int, int, int]
"""Where in the play an event is told: the deal, the phase, the trick."""


class Apart(GunziError, ValueError):
    """Two records that cannot be set side by side; ``text`` says why."""


@dataclass(frozen=True, slots=True)
class Side:
    """One of the two: what to call it, its rules, its header and its events as the listener may see them."""

    label: str
    rules: RuleSet
    header: Event
    events: list[Event]


@dataclass(frozen=True, slots=True)
class Told:
    """A moment of the play and the lines that tell it, on either side; ``first``: the two part here."""

    a: tuple[str, ...]
    b: tuple[str, ...]
    first: bool = False


@dataclass(frozen=True, slots=True)
class Beside:
    """Both sides; ``common`` is told the same until they part, ``rows`` from there on. ``parting`` None: they are the same."""

    a: Side
    b: Side
    parting: Parting | None
    common: tuple[tuple[str, ...], ...]
    rows: tuple[Told, ...]
    options: tuple[str, ...]

    @property
    def named(self) -> tuple[str, ...]:
        """The options to explain: the one that decided where they part, else all on which the two differ.

        Records that ``gunzi diff --examples`` wrote as a pair say themselves which one was proved to part them.
        """
        proved = self._proved()
        if proved is not None:
            return (proved,)
        if self.parting is not None and self.parting.by in self.options:
            return (self.parting.by,)
        return self.options

    def _proved(self) -> str | None:
        if self.parting is None:
            return None
        found = []
        for side, other in ((self.a, self.b), (self.b, self.a)):
            said = side.header.get("example")
            if not isinstance(said, dict) or said.get("beside") != other.rules.hash:
                return None
            found.append((said.get("cause"), said.get("event")))
        cause, event = found[0]
        if found[0] != found[1] or cause not in self.options or event != self.parting.place + 1:
            return None
        return str(cause)


def load_side(path: str, seat: int | None) -> Side:
    """A record from a file, as seat ``seat`` saw it (None: all of it). Raises OSError, RecordError and RulesError naming the file."""
    with named(path):
        return side_of(Record.load(path), path, seat)


def side_of(record: Record, label: str, seat: int | None = None) -> Side:
    """A record as a side. Raises RecordError where an event does not say what it is."""
    for number, event in enumerate(record.events, 1):
        if not isinstance(event.get("e"), str):
            line = number + 1
            said = Text(f"第 {line} 行没写是什么事（e）", f"line {line} does not say what it is (e)")
            raise RecordError(said, event=number, line=line)
    rules = from_header(record.header)
    if seat is None:
        return Side(label, rules, record.header, record.events)
    return Side(label, rules, view_header(record.header), list(view(rules, record.events, seat)))


def beside(a: Side, b: Side, out: Out, seat: int | None = None) -> Beside:
    """Set two sides side by side. Raises Apart where they are of different deals, RecordError where one cannot be told."""
    options = differing_options(a.rules, b.rules)
    parting = first_difference(a.events, b.events, options)
    if parting is not None:
        _check_deals(a, b, parting, options)
    place = parting.place if parting is not None else len(a.events)
    cells_a, cells_b = _cells(a, place, out, seat), _cells(b, place, out, seat)
    if parting is None:
        return Beside(a, b, None, tuple(lines for _, lines in cells_a[0] if lines), (), options)
    # Moments that were over on both sides are told once; the one in which they part is told on both.
    common = [lines for key, lines in cells_a[0] if lines and key not in (cells_a[1], cells_b[1])]
    later_a, later_b = dict(cells_a[2]), dict(cells_b[2])
    rows = [
        Told(later_a.get(key, ()), later_b.get(key, ()), number == 0)
        for number, key in enumerate(sorted(later_a.keys() | later_b.keys()))
    ]
    return Beside(a, b, parting, tuple(common), tuple(row for row in rows if row.a or row.b or row.first), options)


def _check_deals(a: Side, b: Side, parting: Parting, options: Sequence[str]) -> None:
    one, other = parting.a, parting.b
    if parting.place or one is None or other is None or one["e"] != "hand" or other["e"] != "hand":
        return
    same_source = a.header.get("seed") is not None and a.header.get("seed") == b.header.get("seed")
    if one.get("deck") == other.get("deck") or (same_source and any(id.startswith("deck.") for id in options)):
        return
    raise Apart(
        Text(
            f"{a.label} 和 {b.label} 发的不是同样的牌，没法并排比；gunzi diff 甲 乙 --examples 文件夹 会写出成对的牌谱",
            f"{a.label} and {b.label} are of different deals and cannot be compared side by side; "
            "gunzi diff ONE OTHER --examples FOLDER writes pairs of the same deal",
        )
    )


Cells = tuple[list[tuple[Key, tuple[str, ...]]], Key | None, list[tuple[Key, tuple[str, ...]]]]


def _cells(side: Side, place: int, out: Out, seat: int | None) -> Cells:
    """Moments before ``place`` with their lines, the moment of ``place`` itself, and that with all later ones."""
    narrator = Narrator(out, seat, side.rules)
    order = {phase: number for number, phase in enumerate(dict.fromkeys(PHASE_OF.values()))}
    deal = phase = 0
    trick = 1
    cells: dict[Key, list[str]] = {}
    at: Key | None = None
    for number, event in enumerate(side.events):
        try:
            kind = str(event["e"])
            if kind == "hand":
                deal, trick = deal + 1, 1
            phase = order.get(PHASE_OF.get(kind, ""), phase)
            key = (deal, phase, trick if phase == order["play"] else 0)
            if number == place:
                at = key
            cells.setdefault(key, []).extend(narrator.tell(event) if kind != "deal" else ())
            if kind == "trick":
                trick += 1
        except (KeyError, TypeError, IndexError, AttributeError, ValueError) as error:
            if isinstance(error, GunziError):
                raise
            raise untold(side.label, {**event, "n": event.get("n", number + 1)}, error) from None
    if narrator.trick:
        cells[deal, order["play"], trick].append(f"{trick:>2}  {narrator.plays(narrator.trick)}")
    found = [(key, tuple(lines)) for key, lines in cells.items()]
    if at is None:  # this one ends where the other goes on
        return found, None, []
    return [pair for pair in found if pair[0] < at], at, [pair for pair in found if pair[0] >= at]


def aligned(a: Sequence[str], b: Sequence[str]) -> Iterator[tuple[Sequence[str], Sequence[str]]]:
    """The lines of a moment, those that are the same on both sides by themselves."""
    matcher = SequenceMatcher(None, a, b, autojunk=False)
    for _, first_a, end_a, first_b, end_b in matcher.get_opcodes():
        yield a[first_a:end_a], b[first_b:end_b]


def as_json(found: Beside) -> dict[str, Any]:
    """Both sides as data: how many events are the same, where they part, the options on which they differ, and the rest of either."""
    parting = found.parting
    place = parting.place if parting is not None else len(found.a.events)
    return {
        "a": _side_json(found.a),
        "b": _side_json(found.b),
        "same": place,
        "parting": None
        if parting is None
        else {
            "event": place + 1,
            "phase": parting.phase,
            "trick": parting.trick,
            "by": parting.by,
            "a": parting.a,
            "b": parting.b,
        },
        "options": [_option_json(found, option) for option in found.options],
        "events": {"a": found.a.events[place:], "b": found.b.events[place:]},
    }


def _side_json(side: Side) -> dict[str, Any]:
    return {"file": side.label, "rules": side.rules.id, "hash": side.rules.hash, "events": len(side.events)}


def _option_json(found: Beside, option: str) -> dict[str, Any]:
    owner = found.a.rules if option in found.a.rules.options else found.b.rules
    name = owner.option(option).name
    values = {sign: side.rules.options.get(option) for sign, side in (("a", found.a), ("b", found.b))}
    return {"option": option, "name": {"zh": name.zh, "en": name.en}, **values}
