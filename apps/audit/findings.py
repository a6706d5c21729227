"""What an audit reads, and what it finds."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from gunzi.errors import Text
from gunzi.record import Event

BROKEN = "record.line"
"""The rule a line breaks that cannot be read."""


@dataclass(frozen=True, slots=True)
class Row:
    """An event and the line it stands on. ``event`` None: the line cannot be read, and ``trouble`` says why; ``begins``: it should
    have begun a hand."""

    line: int
    event: Event | None
    trouble: Text | None = None
    rule: str = BROKEN
    begins: bool = False


@dataclass(frozen=True, slots=True)
class Finding:
    """One event that the rule set would not have allowed, or not have brought about.

    ``line`` in the file, ``n`` the event's number if it has one, ``hand`` the hand's number, ``kind`` the event's; ``rule`` is the
    rule id, ``option`` the same where it is an option, then ``value`` is its value and ``origin`` where that was set. ``impossible``:
    it cannot have happened with these cards, and the rest of the hand is not judged.
    """

    line: int
    n: int | None
    hand: int | None
    kind: str
    seat: int | None
    cards: tuple[str, ...]
    rule: str
    option: str | None
    value: Any
    origin: str | None
    text: Text
    impossible: bool = False

    def as_json(self) -> dict[str, Any]:
        """Plain data, both languages in it."""
        return {
            "line": self.line,
            "event": self.n,
            "hand": self.hand,
            "e": self.kind,
            "seat": self.seat,
            "cards": list(self.cards),
            "rule": self.rule,
            "option": self.option,
            "value": self.value,
            "origin": self.origin,
            "why": {"zh": self.text.zh, "en": self.text.en},
            "impossible": self.impossible,
        }


@dataclass(slots=True)
class Summary:
    """How much was audited: ``hands``, ``events``, how many of them were not judged, how many findings, and by which rule."""

    hands: int = 0
    events: int = 0
    unjudged: int = 0
    findings: int = 0
    by: dict[str, int] = field(default_factory=dict)

    def count(self, finding: Finding) -> None:
        """Count a finding in."""
        self.findings += 1
        self.by[finding.rule] = self.by.get(finding.rule, 0) + 1

    def as_json(self) -> dict[str, Any]:
        """Plain data."""
        by: Mapping[str, int] = dict(sorted(self.by.items(), key=lambda item: (-item[1], item[0])))
        return {
            "hands": self.hands,
            "events": self.events,
            "unjudged": self.unjudged,
            "findings": self.findings,
            "by": by,
        }
