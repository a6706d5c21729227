"""What blocks of a comparison count: whole numbers that add up in any order, whichever engine played them.

A new figure is a new entry of ``MEASURES`` or ``KINDS`` (``measures.py``); everything here goes by their ids and order. An engine that
plays many units at once fills ``Found`` itself: ``tallies`` as a simulation does, and of every pair (``pairs_of``) ``count_parting`` for each
unit that parts, in ascending order, ``paired`` from the 14 sums of ``Paired.FIELDS``, and ``kinds`` by ``PairedKinds.add(…, times=n)`` for each
combination of counts that came up n times.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import combinations
from typing import Literal

from gunzi.apps.lab.estimates import Moments, Paired, PairedKinds, check_counts
from gunzi.apps.lab.joint import MOST_UNITS
from gunzi.apps.lab.measures import HANDS_A_ROUND, KINDS, MEASURES
from gunzi.apps.lab.parting import JOINT
from gunzi.apps.lab.simulation import Tally
from gunzi.apps.lab.units import Played
from gunzi.errors import Text

Pairs = Literal["all", "first"]


@dataclass(slots=True)
class PairTally:
    """What was found of one rule set, a, against another, b: whole numbers only, which add up in any order.

    ``firsts`` counts where units part (event, phase, trick, rule), ``causes`` the options that part them, ``paired`` has the sums of
    every figure of ``MEASURES`` and, last, of ``HANDS_A_ROUND``, ``kinds`` those of every one of ``KINDS``. ``examples`` has for
    every cause the unit that parts earliest, as (place of the event, events of both plays together, number of the unit);
    ``joint`` the first units no single option parts, as (number of the unit, place of the event).
    """

    diverged: int = 0
    in_play: int = 0
    firsts: Counter[tuple[str, str, int, str]] = field(default_factory=Counter)
    causes: Counter[str] = field(default_factory=Counter)
    paired: list[Paired] = field(default_factory=lambda: [Paired() for _ in (*MEASURES, HANDS_A_ROUND)])
    kinds: dict[str, PairedKinds] = field(default_factory=lambda: {kinds.id: PairedKinds() for kinds in KINDS})
    examples: dict[str, tuple[int, int, int]] = field(default_factory=dict)
    joint: list[tuple[int, int]] = field(default_factory=list)

    def merge(self, other: PairTally) -> None:
        """Count in what another block found."""
        self.diverged += other.diverged
        self.in_play += other.in_play
        self.firsts.update(other.firsts)
        self.causes.update(other.causes)
        for mine, theirs in zip(self.paired, other.paired, strict=True):
            mine.merge(theirs)
        for what, kinds in other.kinds.items():
            self.kinds[what].merge(kinds)
        for cause, example in other.examples.items():
            self.offer(cause, example)
        self.joint = sorted([*self.joint, *other.joint])[:MOST_UNITS]

    def check(self) -> None:
        """Raises ValueError where no units come to this."""
        check_counts(self.diverged, self.in_play, self.firsts.total(), *self.firsts.values(), *self.causes.values())
        if not self.examples.keys() <= self.causes.keys():
            raise ValueError("an example of no cause")

    def count_parting(
        self, k: int, place: int, events: int, first: tuple[str, str, int, str], causes: Sequence[str]
    ) -> None:
        """Count in unit k, which parts at the event ``place`` (from 0); both plays together have so many events."""
        self.diverged += 1
        self.in_play += first[1] != "settle"
        self.firsts[first] += 1
        self.causes.update(causes)
        for cause in causes:
            self.offer(cause, (place, events, k))
        if JOINT in causes and len(self.joint) < MOST_UNITS:
            self.joint.append((k, place))

    def offer(self, cause: str, example: tuple[int, int, int]) -> None:
        """Keep the earliest example of a cause; of equally early ones the smallest, then the first."""
        if cause not in self.examples or example < self.examples[cause]:
            self.examples[cause] = example


@dataclass(slots=True)
class Found:
    """What a block of units found; ``pairs`` are those of ``pairs_of``."""

    done: int
    tallies: list[Tally]
    lengths: list[Moments]
    pairs: list[PairTally]
    trouble: Text | None = None

    def check(self) -> None:
        """Raises ValueError where no units come to this."""
        check_counts(self.done, *(pair.diverged for pair in self.pairs))

    def merge(self, other: Found) -> None:
        """Count in another block."""
        self.done += other.done
        for mine, theirs in zip(self.tallies, other.tallies, strict=True):
            mine.merge(theirs)
        for length, more in zip(self.lengths, other.lengths, strict=True):
            length.merge(more)
        for pair, found in zip(self.pairs, other.pairs, strict=True):
            pair.merge(found)


def pairs_of(sets: int, which: Pairs = "all") -> tuple[tuple[int, int], ...]:
    """Which rule sets are compared, by their places: the first with each other one, then, for ``all``, the second, and so on."""
    return tuple((i, j) for i, j in combinations(range(sets), 2) if which == "all" or i == 0)


def nothing(sets: int, which: Pairs = "all") -> Found:
    """What no units found of so many rule sets."""
    return Found(
        0,
        [Tally() for _ in range(sets)],
        [Moments() for _ in range(sets)],
        [PairTally() for _ in pairs_of(sets, which)],
    )


def count_pair(
    pair: PairTally,
    a: tuple[Sequence[tuple[int, int]], Mapping[str, Mapping[str, int]]],
    b: tuple[Sequence[tuple[int, int]], Mapping[str, Mapping[str, int]]],
) -> None:
    """Count in the figures and kinds of a unit under both rule sets (``unit_sums``, ``unit_kinds``)."""
    for paired, (xa, na), (xb, nb) in zip(pair.paired, a[0], b[0], strict=True):
        paired.add(xa, na, xb, nb)
    for what, kinds in pair.kinds.items():
        kinds.add(a[1].get(what, {}), b[1].get(what, {}))


def unit_sums(played: Played) -> list[tuple[int, int]]:
    """Of every figure: its total over a unit's hands, and how many hands it applies to; last, (hands, 1)."""
    found = []
    for place in range(len(MEASURES)):
        values = [value for hand in played.values if (value := hand[place]) is not None]
        found.append((sum(values), len(values)))
    found.append((len(played.values), 1))
    return found


def unit_kinds(played: Played) -> dict[str, Counter[str]]:
    """By what is counted: how often each kind came up in a unit."""
    found: dict[str, Counter[str]] = {}
    for what, kind in played.kinds:
        found.setdefault(what, Counter())[kind] += 1
    return found
