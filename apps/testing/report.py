"""What a conformance suite finds: failures collected, counted, told in one error."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Final

from gunzi.errors import CardError, GunziError, PluginError

SHOWN: Final = 3
"""Failures of one check at one place that begin alike and are listed; further ones are only counted."""


@dataclass(frozen=True, slots=True)
class Failure:
    """One thing that is wrong: the check that found it, where (a plugin's hook, a rule set, a hand), and what."""

    check: str
    where: str
    message: str

    def __str__(self) -> str:
        return f"[{self.check}] {self.where}: {self.message}"


class ConformanceError(GunziError, AssertionError):
    """A plugin or a rule set that does not keep the contract; ``failures`` lists all that was found."""

    def __init__(self, name: str, failures: tuple[Failure, ...], more: int = 0) -> None:
        rows = [f"{name}: {len(failures) + more} {'failure' if len(failures) + more == 1 else 'failures'}"]
        rows += [f"  {failure}" for failure in failures]
        if more:
            rows.append(f"  and {more} more of the same kinds")
        super().__init__("\n".join(rows))
        self.name = name
        self.failures = failures


@dataclass(frozen=True, slots=True)
class Checked:
    """What a suite did: how often each check was made, hands played, acts done, seconds; ``notes`` say what was not tried."""

    name: str
    checks: Mapping[str, int]
    hands: int
    acts: int
    seconds: float
    notes: tuple[str, ...] = ()

    def __str__(self) -> str:
        total = sum(self.checks.values())
        made = ", ".join(f"{check} {count}" for check, count in self.checks.items())
        head = f"{self.name}: {total} checks, {self.hands} hands, {self.acts} acts, {self.seconds:.1f} s ({made})"
        return "\n".join([head, *(f"  note: {note}" for note in self.notes)])


class Report:
    """Collects failures. ``that(condition, check, where, message)`` counts a check and notes its failure."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.failures: list[Failure] = []
        self.more = 0
        self.counts: Counter[str] = Counter()
        self.hands = self.acts = 0
        self.notes: list[str] = []
        self._seen: Counter[tuple[str, str, str]] = Counter()
        self._began = time.perf_counter()

    def that(self, condition: object, check: str, where: str, message: str) -> bool:
        """Count a check; note a failure where the condition does not hold."""
        self.counts[check] += 1
        if not condition:
            self.fail(check, where, message)
        return bool(condition)

    def fail(self, check: str, where: str, message: str) -> None:
        """Note a failure."""
        failure = Failure(check, where, message)
        if failure in self.failures:
            return
        alike = (check, where, message.partition(" ")[0])
        self._seen[alike] += 1
        if self._seen[alike] > SHOWN:
            self.more += 1
        else:
            self.failures.append(failure)

    @contextmanager
    def part(self, check: str, where: str) -> Iterator[None]:
        """A part of a suite; what is raised in it is a failure of the part, and ends it."""
        try:
            yield
        except PluginError as error:
            self.fail(check, error.plugin or where, str(error))
        except CardError as error:
            self.fail(check, where, f"card error: {error}")
        except GunziError as error:
            self.fail(check, where, f"{type(error).__name__}: {error}")
        except Exception as error:
            self.fail(check, where, f"raised {type(error).__name__}: {error}")

    def note(self, text: str) -> None:
        """Say what was not tried."""
        if text not in self.notes:
            self.notes.append(text)

    def done(self) -> Checked:
        """The summary. Raises ConformanceError where anything failed."""
        if self.failures:
            raise ConformanceError(self.name, tuple(self.failures), self.more)
        seconds = time.perf_counter() - self._began
        return Checked(self.name, dict(sorted(self.counts.items())), self.hands, self.acts, seconds, tuple(self.notes))
