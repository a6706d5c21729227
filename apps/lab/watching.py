"""The parts of a rule set that notice when they are read: options, integers, phases and the attributes of plugins."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any, Final, NamedTuple, SupportsIndex

from gunzi.phase import Phase
from gunzi.plugin import Plugin

_WATCH: Final = "_gunzi_watch"
_NOWHERE: Final = object()

Others = frozenset[int]
"""Places in the sequence of other rule sets."""
NOBODY: Final[Others] = frozenset()


class Consulted(NamedTuple):
    """Where an option was first consulted: how many events had been written before, and by which hook or value."""

    place: int
    by: str


class Watch:
    """Listens while a unit is played under one rule set: what is read that another set, by its place, has otherwise."""

    __slots__ = ("count", "first", "hook", "muted")

    def __init__(self, others: int) -> None:
        self.first: list[Consulted | None] = [None] * others
        self.count = 0
        self.hook = ""
        self.muted: set[int] | None = None

    def reset(self) -> None:
        """Begin anew: no event written, nothing read."""
        self.first = [None] * len(self.first)
        self.count = 0
        self.hook = ""
        self.muted = None

    def read(self, others: Others, what: str) -> None:
        """Something was read that these sets have otherwise."""
        if self.muted is not None:
            self.muted |= others
            return
        for other in others:
            if self.first[other] is None:
                self.first[other] = Consulted(self.count, self.hook or what)

    @contextmanager
    def collecting(self) -> Iterator[set[int]]:
        """Inside, what is read is only collected."""
        found: set[int] = set()
        before, self.muted = self.muted, found
        try:
            yield found
        finally:
            self.muted = before


class TracedOptions(Mapping[str, Any]):
    """The options of a rule set, noticing which are read."""

    def __init__(self, options: Mapping[str, Any], differing: Mapping[str, Others], watch: Watch) -> None:
        self._options, self._differing, self._watch = options, differing, watch

    def __getitem__(self, id: str) -> Any:
        others = self._differing.get(id)
        if others is not None:
            self._watch.read(others, id)
        return self._options[id]

    def __iter__(self) -> Iterator[str]:
        return iter(self._options)

    def __len__(self) -> int:
        return len(self._options)


class TracedInt(int):
    """A small integer that notices when it is looked at, not when it is handed on."""

    read: Callable[[], None]

    def __bool__(self) -> bool:
        self.read()
        return int.__bool__(self)

    def __eq__(self, other: object) -> bool:
        self.read()
        return int.__eq__(self, other) is True

    def __ne__(self, other: object) -> bool:
        self.read()
        return int.__ne__(self, other) is True

    def __hash__(self) -> int:
        self.read()
        return int.__hash__(self)

    def __index__(self) -> int:
        self.read()
        return int.__index__(self)

    __int__ = __index__

    def __lt__(self, other: int) -> bool:
        self.read()
        return int.__lt__(self, other)

    def __gt__(self, other: int) -> bool:
        self.read()
        return int.__gt__(self, other)

    def __and__(self, other: int) -> int:
        self.read()
        return int.__and__(self, other)

    __rand__ = __and__


class TracedPhases(tuple[Phase, ...]):
    """The phases of a rule set: reading one that another set has otherwise, or that the list ends where another's does not,
    is noticed. ``lengths`` are the others' by place."""

    differing: Sequence[Others]
    lengths: Mapping[int, int]
    watch: Watch
    reached: int

    def __getitem__(self, place: Any) -> Any:
        if isinstance(place, slice):
            self._read_all()
        else:
            self.reached = max(self.reached, place if place >= 0 else self.reached)
            self.watch.read(self.differing[place], "phases")
        return super().__getitem__(place)

    def __len__(self) -> int:
        # "Is there a phase after this one?" has the same answer for both until the shorter list is used up.
        own = super().__len__()
        ended = frozenset(
            other for other, length in self.lengths.items() if length != own and self.reached + 1 >= min(own, length)
        )
        self.watch.read(ended, "phases")
        return own

    def __iter__(self) -> Iterator[Phase]:
        self._read_all()
        return super().__iter__()

    def index(self, value: Any, start: SupportsIndex = 0, stop: SupportsIndex = 1 << 60) -> int:
        self._read_all()
        return super().index(value, start, stop)

    def _read_all(self) -> None:
        own = super().__len__()
        shorter = [frozenset(other for other, length in self.lengths.items() if length != own)]
        self.watch.read(NOBODY.union(*self.differing, *shorter), "phases")


_CLASSES: dict[type[Plugin], type[Plugin]] = {}


def traced_class(plugin: type[Plugin]) -> type[Plugin]:
    """The plugin's class, noticing which of an instance's attributes are read; made once."""
    if plugin not in _CLASSES:
        _CLASSES[plugin] = _make_traced(plugin)
    return _CLASSES[plugin]


def _make_traced(plugin: type[Plugin]) -> type[Plugin]:
    look_up = plugin.__getattribute__

    def __getattribute__(self: Plugin, name: str) -> Any:
        watched = object.__getattribute__(self, "__dict__").get(_WATCH)
        if watched is not None and name in watched[0]:
            watched[1].read(watched[0][name], f"{plugin.id}: {name}")
        return look_up(self, name)

    body = {"__getattribute__": __getattribute__, "__module__": plugin.__module__, "__doc__": plugin.__doc__}
    return type(plugin.__name__, (plugin,), body)


def watch_plugin(plugin: Plugin, differing: Mapping[str, Others], watch: Watch) -> None:
    """From now on an instance of a traced class tells when an attribute is read that other sets have otherwise."""
    object.__setattr__(plugin, _WATCH, (differing, watch))


def state_of(thing: object) -> dict[str, Any]:
    """The attributes of an object, those in slots too."""
    found = dict(getattr(thing, "__dict__", {}))
    for each in type(thing).__mro__:
        slots = each.__dict__.get("__slots__", ())
        for name in (slots,) if isinstance(slots, str) else slots:
            if name not in ("__dict__", "__weakref__") and hasattr(thing, name):
                found[name] = getattr(thing, name)
    return found


def same(one: Any, other: Any) -> bool:
    """Can the two be told to be equal? What cannot be compared is not."""
    try:
        return one is other or (type(one) is type(other) and bool(one == other))
    except Exception:  # a stranger's __eq__
        return False


def differing_names(one: object, other: object) -> frozenset[str]:
    """The attributes by which two objects differ."""
    mine, theirs = state_of(one), state_of(other)
    return frozenset(
        name for name in mine.keys() | theirs.keys() if not same(mine.get(name, _NOWHERE), theirs.get(name, _NOWHERE))
    )
