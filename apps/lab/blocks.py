"""How a run is cut into blocks of units, and what is left of it where some blocks are finished already.

A unit is a hand, a round or whatever is counted, numbered from 0. What a block finds depends on its units alone, so neither
their order nor who plays them changes a result; blocks are merged in order all the same.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Final, Protocol, Self, TypeVar

from gunzi.errors import Text

BLOCKS_A_DOUBLING: Final = 128
"""Blocks are doubled when so many of them have come before: a block is never more than 1/64 of what is done."""

Span = tuple[int, int]
"""The units first … end-1."""


class Part(Protocol):
    """What some units came to."""

    done: int
    """So many units: fewer than were asked for where the block was interrupted."""
    trouble: Text | None
    """What ended the block early, if it was not Ctrl-C."""

    def merge(self, other: Self) -> None:
        """Count in the part of later units."""


class Ticks(Protocol):
    """What a bench calls now and then inside a block: with how many of its units are done."""

    def __call__(self, done: int, /) -> None: ...


T = TypeVar("T")
P_co = TypeVar("P_co", covariant=True)


class Bench(Protocol[P_co]):
    """What plays blocks, made once in each process; at whatever speed."""

    def block(self, first: int, end: int, tick: Ticks) -> P_co:
        """Play the units first … end-1. KeyboardInterrupt: answer what is finished, or raise it where nothing is."""


@dataclass(frozen=True, slots=True)
class Layout:
    """Blocks of ``size`` units at first, twice that later and so on up to ``most``: soon something is finished, and a long run
    has few blocks. Blocks begin at multiples of ``grain``, which divides ``size``: so many units cannot be parted."""

    size: int
    most: int
    grain: int = 1

    def __post_init__(self) -> None:
        assert self.grain >= 1 and self.size % self.grain == 0 and self.most >= self.size

    def block_at(self, unit: int) -> Span:
        """The block that a unit lies in."""
        size = self.size
        while 2 * size <= self.most and unit >= BLOCKS_A_DOUBLING * size:
            size *= 2
        first = unit - unit % size
        return first, first + size

    def blocks(self, wanted: int) -> Iterator[Span]:
        """Every block of the units 0 … wanted-1; the last one is cut where they end."""
        unit = 0
        while unit < wanted:
            _, end = self.block_at(unit)
            yield unit, min(end, wanted)
            unit = min(end, wanted)

    def plan(self, wanted: int, finished: Iterable[Span] = ()) -> Iterator[tuple[Span, bool]]:
        """All the units 0 … wanted-1 in order, in spans: those among the ``finished`` that can be used as they are (True), and
        the blocks to play (False)."""
        longest: dict[int, int] = {}
        for first, end in finished:
            if first < end <= wanted and first % self.grain == 0 and (end % self.grain == 0 or end == wanted):
                longest[first] = max(end, longest.get(first, 0))
        starts = sorted(longest)
        place = unit = 0
        while unit < wanted:
            if unit in longest:
                yield (unit, longest[unit]), True
                unit = longest[unit]
                continue
            while place < len(starts) and starts[place] <= unit:
                place += 1
            end = min(self.block_at(unit)[1], wanted, starts[place] if place < len(starts) else wanted)
            yield (unit, end), False
            unit = end


def in_turn(found: Part, units: Iterable[T], play: Callable[[T], None], tick: Ticks) -> None:
    """Play units, or spans of them, one after another; ``play`` counts each into ``found``, whole or not at all.

    KeyboardInterrupt ends it early where anything is finished, and is raised where nothing is.
    """
    for each in units:
        try:
            play(each)
            tick(found.done)
        except KeyboardInterrupt:
            if not found.done:
                raise
            break
