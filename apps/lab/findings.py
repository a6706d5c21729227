"""What a comparison of rule sets found, as plain values."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from gunzi.apps.lab.estimates import Estimate
from gunzi.apps.lab.sections import Section
from gunzi.errors import Text
from gunzi.record import Event


@dataclass(frozen=True, slots=True)
class First:
    """Where hands part: the kind of the first event that differs, its phase, the trick (0 outside the play), the rule that
    either event names (empty: none), and how many hands part there."""

    event: str
    phase: str
    trick: int
    by: str
    count: int

    def as_json(self) -> dict[str, Any]:
        """Plain data."""
        return {"event": self.event, "phase": self.phase, "trick": self.trick, "by": self.by, "count": self.count}


@dataclass(frozen=True, slots=True)
class Cause:
    """An option that, alone, parts so many of the hands at the event at which they part; ``joint``: no single one does."""

    option: str
    count: int
    share: Estimate

    def as_json(self) -> dict[str, Any]:
        """Plain data."""
        return {"option": self.option, "count": self.count, "share": self.share.as_json()}


@dataclass(frozen=True, slots=True)
class Joint:
    """A smallest set of options that parts hands no single option parts, and in how many of those that were looked into.

    ``smallest``: every smaller set was tried and does not; else all of these are needed, but a smaller set without some of them may do
    too. No options at all: laying options over the set is not enough, the sets differ in more (in their plugins).
    """

    options: tuple[str, ...]
    smallest: bool
    count: int

    def as_json(self) -> dict[str, Any]:
        """Plain data."""
        return {"options": list(self.options), "smallest": self.smallest, "count": self.count}


@dataclass(frozen=True, slots=True)
class KindsApart:
    """``changed``: the share of units that count differently by kind; ``differences``: by kind, its share of the hands under b
    minus that under a."""

    changed: Estimate
    differences: dict[str, Estimate]

    def as_json(self) -> dict[str, Any]:
        """Plain data."""
        return {
            "changed": self.changed.as_json(),
            "differences": {kind: each.as_json() for kind, each in self.differences.items()},
        }


@dataclass(frozen=True, slots=True)
class Example:
    """The unit that a cause parts earliest, and of those the smallest: its number, the place of the event (from 0), how many events
    both plays have together, the rule either event names, and what each set has there (None: nothing more)."""

    cause: str
    unit: int
    place: int
    events: int
    by: str
    a: Event | None
    b: Event | None

    def as_json(self) -> dict[str, Any]:
        """Plain data."""
        return {
            "cause": self.cause,
            "unit": self.unit,
            "place": self.place,
            "events": self.events,
            "by": self.by,
            "a": self.a,
            "b": self.b,
        }


@dataclass(frozen=True, slots=True)
class Pair:
    """A rule set (``a``) against another (``b``); ``places`` are theirs among the sets. ``before_settling`` is the share of units that
    part while they are played, not only in how they are settled; ``paired`` are the means of b minus a, over the same units;
    ``joint`` tells of the first units with the cause ``joint`` (``joint.py``); ``examples`` has one for every cause."""

    a: str
    b: str
    places: tuple[int, int]
    options: tuple[str, ...]
    diverged: Estimate
    count: int
    before_settling: Estimate
    first: tuple[First, ...]
    causes: tuple[Cause, ...]
    joint: tuple[Joint, ...]
    paired: dict[str, Estimate]
    kinds: dict[str, KindsApart]
    examples: tuple[Example, ...]

    @property
    def example(self) -> Example | None:
        """The earliest, smallest of all."""
        return min(self.examples, key=lambda each: (each.place, each.events, each.unit), default=None)

    def as_json(self) -> dict[str, Any]:
        """Plain data."""
        example = self.example
        return {
            "a": self.a,
            "b": self.b,
            "places": list(self.places),
            "options": list(self.options),
            "diverged": self.diverged.as_json(),
            "count": self.count,
            "before_settling": self.before_settling.as_json(),
            "first": [each.as_json() for each in self.first],
            "causes": [each.as_json() for each in self.causes],
            "joint": [each.as_json() for each in self.joint],
            "paired": {id: estimate.as_json() for id, estimate in self.paired.items()},
            "kinds": {what: each.as_json() for what, each in self.kinds.items()},
            "example": example.as_json() if example is not None else None,
            "examples": [each.as_json() for each in self.examples],
        }


@dataclass(frozen=True, slots=True)
class Difference:
    """What a comparison found; ``levels`` are those that single hands are played from. No part of ``as_json``: ``seconds``, how long
    it took; ``trouble``, what ended it early, in words (None: nothing, or Ctrl-C); ``note``, why it was not played compiled (None:
    nobody asked)."""

    rule_sets: tuple[str, ...]
    hashes: tuple[str, ...]
    seed: int
    policy: tuple[str, str, str, str]
    levels: tuple[int, int]
    unit: str
    wanted: int
    done: int
    interrupted: bool
    options: tuple[str, ...]
    pairs: tuple[Pair, ...]
    measures: dict[str, tuple[Estimate, ...]]
    tables: dict[str, tuple[dict[str, int], ...]]
    seconds: float
    trouble: Text | None = None
    note: Text | None = None

    def pair(self, a: int, b: int) -> Pair | None:
        """The comparison of two sets by their places, whichever was the first; None: they were not compared."""
        return next((pair for pair in self.pairs if set(pair.places) == {a, b}), None)

    def as_json(self) -> dict[str, Any]:
        """Plain data: the same command gives the same, whatever the number of processes."""
        return {
            "rule_sets": list(self.rule_sets),
            "hashes": list(self.hashes),
            "seed": self.seed,
            "policy": list(self.policy),
            "levels": list(self.levels),
            "unit": self.unit,
            "wanted": self.wanted,
            "done": self.done,
            "interrupted": self.interrupted,
            "options": list(self.options),
            "pairs": [pair.as_json() for pair in self.pairs],
            "measures": {id: [each.as_json() for each in own] for id, own in self.measures.items()},
            "counts": {id: [dict(each) for each in own] for id, own in self.tables.items()},
        }

    def rows(self, labels: Sequence[str] = ()) -> tuple[Section, ...]:
        """What to print; ``labels``: what to call the rule sets, their ids by default."""
        from gunzi.apps.lab.telling import sections  # it tells of what is defined here

        return sections(self, tuple(labels) or self.rule_sets)
