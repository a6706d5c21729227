"""Counters of a server, in Prometheus' text form."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping


class Metrics:
    """What has happened since the start."""

    def __init__(self) -> None:
        self.counts: Counter[str] = Counter()

    def committed(self) -> None:
        """A command has been written."""
        self.counts["commands_total"] += 1

    def add(self, name: str, more: int = 1) -> None:
        """Something has happened."""
        self.counts[name] += more

    def text(self, now: Mapping[str, float]) -> str:
        """All counters, and ``now``: what there is at this moment."""
        lines = []
        for name, value in sorted(self.counts.items()):
            lines += [f"# TYPE gunzi_{name} counter", f"gunzi_{name} {value}"]
        for name, amount in sorted(now.items()):
            lines += [f"# TYPE gunzi_{name} gauge", f"gunzi_{name} {amount:g}"]
        return "\n".join(lines) + "\n"
