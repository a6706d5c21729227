"""Rule sets against each other on the same cards and the same dice: where they part, why, and what that changes."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, Final, Protocol

from gunzi.apps.lab.blocks import in_order
from gunzi.apps.lab.errors import LabError
from gunzi.apps.lab.estimates import Moments, share
from gunzi.apps.lab.fast import A_ROUND, Mode, decide
from gunzi.apps.lab.findings import Cause, Difference, Example, First, Pair
from gunzi.apps.lab.measures import HANDS_A_ROUND, MEASURES, Value
from gunzi.apps.lab.parting import JOINT, UNPROVED, Parting, Toggles, differing_options, first_difference
from gunzi.apps.lab.simulation import Progress, Tally, check_amount, policy_of
from gunzi.apps.lab.situations import common_levels
from gunzi.apps.lab.units import Plan, Played, play_unit
from gunzi.errors import Text
from gunzi.ruleset import RuleSet

HANDS_A_BLOCK: Final = 40
ROUNDS_A_BLOCK: Final = 4


@dataclass(slots=True)
class PairTally:
    """What one block found of the first rule set against another."""

    diverged: int = 0
    in_play: int = 0
    firsts: Counter[tuple[str, str, int, str]] = field(default_factory=Counter)
    causes: Counter[str] = field(default_factory=Counter)
    paired: list[Moments] = field(default_factory=lambda: [Moments() for _ in (*MEASURES, HANDS_A_ROUND)])
    example: tuple[int, int, Parting] | None = None

    def merge(self, other: PairTally) -> None:
        """Count in a later block."""
        self.diverged += other.diverged
        self.in_play += other.in_play
        self.firsts.update(other.firsts)
        self.causes.update(other.causes)
        for mine, theirs in zip(self.paired, other.paired, strict=True):
            mine.merge(theirs)
        if other.example is not None and (self.example is None or other.example[:2] < self.example[:2]):
            self.example = other.example


@dataclass(slots=True)
class Found:
    """What a block of units found."""

    done: int
    tallies: list[Tally]
    lengths: list[Moments]
    pairs: list[PairTally]
    interrupted: bool = False

    def merge(self, other: Found) -> None:
        """Count in a later block."""
        self.done += other.done
        for mine, theirs in zip(self.tallies, other.tallies, strict=True):
            mine.merge(theirs)
        for length, more in zip(self.lengths, other.lengths, strict=True):
            length.merge(more)
        for pair, found in zip(self.pairs, other.pairs, strict=True):
            pair.merge(found)


def nothing(sets: int) -> Found:
    """What no units found of so many rule sets."""
    return Found(
        0, [Tally() for _ in range(sets)], [Moments() for _ in range(sets)], [PairTally() for _ in range(sets - 1)]
    )


class Bench(Protocol):
    """What plays and compares blocks of units."""

    def block(self, first: int, end: int) -> Found:
        """Play the units first … end-1."""


class _Bench:
    """What a process needs to play blocks; made once in each."""

    def __init__(self, rule_sets: Sequence[RuleSet], plan: Plan, prove: bool) -> None:
        self.rule_sets = tuple(rule_sets)
        self.plan = plan
        self.prove = prove
        self.toggles = [Toggles(rule_sets[0], other) for other in rule_sets[1:]]

    def block(self, first: int, end: int) -> Found:
        """Play the units first … end-1; an interruption keeps those that are finished."""
        found = nothing(len(self.rule_sets))
        for k in range(first, end):
            try:
                self._unit(k, found)
            except KeyboardInterrupt:
                if not found.done:
                    raise
                _bench.interrupted = True
                break
        return found

    def _unit(self, k: int, found: Found) -> None:
        plan = self.plan
        played = [play_unit(rules, plan, k) for rules in self.rule_sets]
        partings = [
            first_difference(played[0].events, other.events, toggles.options)
            for other, toggles in zip(played[1:], self.toggles, strict=True)
        ]
        causes = [
            self._causes(toggles, k, played[0], parting)
            for toggles, parting in zip(self.toggles, partings, strict=True)
        ]
        # Nothing is counted before all of the unit is known, so that an interruption leaves whole units only.
        found.done += 1
        for tally, length, each in zip(found.tallies, found.lengths, played, strict=True):
            for values in each.values:
                tally.add(values, [])
            length.add(len(each.values))
        for place, each in enumerate(played):
            for what, kind in each.kinds:
                found.tallies[place].kinds[what][kind] += 1
        for pair, other, parting, because in zip(found.pairs, played[1:], partings, causes, strict=True):
            self._count_pair(pair, k, played[0], other, parting, because)

    def _causes(self, toggles: Toggles, k: int, a: Played, parting: Parting | None) -> list[str]:
        if parting is None:
            return []
        if not self.prove:
            return [UNPROVED]
        return toggles.causes(self.plan, k, a, parting) or [JOINT]

    def _count_pair(
        self, pair: PairTally, k: int, a: Played, b: Played, parting: Parting | None, causes: Sequence[str]
    ) -> None:
        if parting is not None:
            pair.diverged += 1
            pair.in_play += parting.phase != "settle"
            pair.firsts[(parting.event, parting.phase, parting.trick, parting.by)] += 1
            pair.causes.update(causes)
            if pair.example is None or (parting.place, k) < pair.example[:2]:
                pair.example = (parting.place, k, parting)
        one, other = unit_values(a), unit_values(b)
        for moments, left, right in zip(pair.paired, one, other, strict=True):
            if left is not None and right is not None:
                moments.add(right - left)


class _Current:
    """The bench of this process."""

    bench: Bench | None = None
    interrupted = False


_bench = _Current()


def _start(rule_sets: Sequence[RuleSet], plan: Plan, prove: bool, compiled: bool) -> None:
    if compiled:
        from gunzi.apps.lab.fast.parting import bench_of  # numba takes half a second

        _bench.bench = bench_of(tuple(rule_sets), plan, prove)
    else:
        _bench.bench = _Bench(rule_sets, plan, prove)
    _bench.interrupted = False


def _work(first: int, end: int) -> Found:
    assert _bench.bench is not None
    return _bench.bench.block(first, end)


def unit_values(played: Played) -> list[Value]:
    """The figures of a unit: those of its hand, or each summed over the hands of its round; last, how many hands."""
    found: list[Value] = []
    for place in range(len(MEASURES)):
        values = [value for hand in played.values if (value := hand[place]) is not None]
        found.append(sum(values) if values else None)
    found.append(len(played.values))
    return found


def diff(
    rule_sets: Sequence[RuleSet],
    *,
    hands: int | None = None,
    rounds: int | None = None,
    seed: int,
    policy: str | Sequence[str] = "random",
    jobs: int = 1,
    progress: Progress | None = None,
    prove: bool = True,
    fast: Mode = "auto",
) -> Difference:
    """Play the same units under two or more rule sets. The result is the same whatever ``jobs`` and ``fast`` (compiled, where
    that is possible and pays).

    Ctrl-C ends the run early and is reported. Raises LabError and UnknownPlayerError.
    """
    unit, wanted = check_amount(hands, rounds, seed)
    if len(rule_sets) < 2:
        raise LabError(Text("要比就得有两套规则", "it takes two rule sets or more to compare"))
    if jobs < 1:
        raise LabError(Text(f"至少一个进程，不能是 {jobs}", f"at least one process, not {jobs}"))
    plan = Plan(seed, policy_of(policy), unit, common_levels(rule_sets))
    began = time.perf_counter()
    how = decide(fast, rule_sets, plan.policy, len(rule_sets) * (wanted if unit == "hands" else wanted * A_ROUND))
    note, found = how.note, None
    if how.use:
        found, note = _compiled(rule_sets, plan, wanted, jobs, progress, prove)
    if found is None:
        size = HANDS_A_BLOCK if unit == "hands" else ROUNDS_A_BLOCK
        found = _all_blocks(rule_sets, plan, wanted, size, jobs, progress, prove, False)
    return _difference(rule_sets, plan, wanted, found, time.perf_counter() - began, note)


def _compiled(
    rule_sets: Sequence[RuleSet], plan: Plan, wanted: int, jobs: int, progress: Progress | None, prove: bool
) -> tuple[Found | None, Text | None]:
    """All that was found, compiled; or None and why not."""
    from gunzi.apps.lab.fast import parting  # numba takes half a second
    from gunzi.apps.lab.fast.names import NotCovered

    size = parting.HANDS_A_BLOCK if plan.unit == "hands" else parting.ROUNDS_A_BLOCK
    try:
        # Here first, so that other processes find the code compiled.
        if not parting.prepare(rule_sets, plan, prove):
            jobs = 1
        return _all_blocks(rule_sets, plan, wanted, size, jobs, progress, prove, True), None
    except NotCovered as found:
        return None, found.text


def _all_blocks(
    rule_sets: Sequence[RuleSet],
    plan: Plan,
    wanted: int,
    size: int,
    jobs: int,
    progress: Progress | None,
    prove: bool,
    compiled: bool,
) -> Found:
    found = nothing(len(rule_sets))
    jobs = min(jobs, -(-wanted // size))
    try:
        for part in in_order(_work, wanted, size, jobs, _start, (tuple(rule_sets), plan, prove, compiled)):
            found.merge(part)
            if progress is not None:
                progress(found.done, wanted)
            if _bench.interrupted:
                found.interrupted = True
                break
    except KeyboardInterrupt:
        found.interrupted = True
    except LabError:
        if not found.done:
            raise
        found.interrupted = True
    return found


def _difference(
    rule_sets: Sequence[RuleSet], plan: Plan, wanted: int, found: Found, seconds: float, note: Text | None
) -> Difference:
    a = rule_sets[0]
    pairs = tuple(_pair(a, other, found.done, tally) for other, tally in zip(rule_sets[1:], found.pairs, strict=True))
    estimates = [
        tally.estimates() | {HANDS_A_ROUND.id: length.estimate()}
        for tally, length in zip(found.tallies, found.lengths, strict=True)
    ]
    if plan.unit == "hands":
        for each in estimates:
            del each[HANDS_A_ROUND.id]
    return Difference(
        rule_sets=tuple(rules.id for rules in rule_sets),
        hashes=tuple(rules.hash for rules in rule_sets),
        seed=plan.seed,
        policy=plan.policy,
        unit=plan.unit,
        wanted=wanted,
        done=found.done,
        interrupted=found.interrupted,
        options=tuple(dict.fromkeys(option for pair in pairs for option in pair.options)),
        pairs=pairs,
        measures={id: tuple(each[id] for each in estimates) for id in estimates[0]},
        tables={what: tuple(tally.counts()[what] for tally in found.tallies) for what in found.tallies[0].kinds},
        seconds=seconds,
        note=note,
    )


def _pair(a: RuleSet, b: RuleSet, done: int, tally: PairTally) -> Pair:
    firsts = sorted(tally.firsts.items(), key=lambda item: (-item[1], item[0]))
    causes = sorted(tally.causes.items(), key=lambda item: (-item[1], item[0]))
    example = None
    if tally.example is not None:
        _, k, parting = tally.example
        example = Example(k, parting.place, parting.by, parting.a, parting.b)
    paired: dict[str, Any] = {
        measure.id: moments.estimate()
        for measure, moments in zip((*MEASURES, HANDS_A_ROUND), tally.paired, strict=True)
    }
    return Pair(
        a=a.id,
        b=b.id,
        options=differing_options(a, b),
        diverged=share(tally.diverged, done),
        count=tally.diverged,
        before_settling=share(tally.in_play, done),
        first=tuple(First(event, phase, trick, by, count) for (event, phase, trick, by), count in firsts),
        causes=tuple(Cause(option, count, share(count, tally.diverged)) for option, count in causes),
        paired=paired,
        example=example,
    )
