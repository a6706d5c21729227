"""Rule sets against each other on the same cards and the same dice: where they part, why, and what that changes."""

from __future__ import annotations

import time
from collections.abc import Sequence
from typing import Final, Protocol

from gunzi.apps.lab.blocks import in_order
from gunzi.apps.lab.concluding import difference
from gunzi.apps.lab.errors import LabError
from gunzi.apps.lab.findings import Difference
from gunzi.apps.lab.parting import JOINT, UNPROVED, Parting, Replays, Toggles, first_difference
from gunzi.apps.lab.simulation import Progress, check_amount, policy_of
from gunzi.apps.lab.situations import common_levels
from gunzi.apps.lab.tallies import Found, Pairs, count_pair, nothing, pairs_of, unit_kinds, unit_sums
from gunzi.apps.lab.units import Plan, Played, play_unit
from gunzi.errors import Text
from gunzi.ruleset import RuleSet

HANDS_A_BLOCK: Final = 40
ROUNDS_A_BLOCK: Final = 4


class Bench(Protocol):
    """What plays and compares blocks of units."""

    def block(self, first: int, end: int) -> Found:
        """Play the units first … end-1."""


class _Bench:
    """What a process needs to play blocks; made once in each."""

    def __init__(self, rule_sets: Sequence[RuleSet], plan: Plan, prove: bool, which: Pairs) -> None:
        self.rule_sets = tuple(rule_sets)
        self.plan = plan
        self.prove = prove
        self.which = which
        self.pairs = [(i, j, Toggles(rule_sets[i], rule_sets[j])) for i, j in pairs_of(len(rule_sets), which)]

    def block(self, first: int, end: int) -> Found:
        """Play the units first … end-1; an interruption keeps those that are finished."""
        found = nothing(len(self.rule_sets), self.which)
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
        played = [play_unit(rules, self.plan, k) for rules in self.rule_sets]
        partings = [
            first_difference(played[i].events, played[j].events, toggles.options) for i, j, toggles in self.pairs
        ]
        replays = Replays(self.plan, k)
        causes = [
            self._causes(toggles, replays, played[i], parting)
            for (i, _, toggles), parting in zip(self.pairs, partings, strict=True)
        ]
        # Nothing is counted before all of the unit is known, so that an interruption leaves whole units only.
        found.done += 1
        for tally, length, each in zip(found.tallies, found.lengths, played, strict=True):
            for values in each.values:
                tally.add(values, [])
            length.add(len(each.values))
            for what, kind in each.kinds:
                tally.kinds[what][kind] += 1
        sums = [(unit_sums(each), unit_kinds(each)) for each in played]
        for pair, (i, j, _), parting, because in zip(found.pairs, self.pairs, partings, causes, strict=True):
            if parting is not None:
                first = (parting.event, parting.phase, parting.trick, parting.by)
                pair.count_parting(k, parting.place, len(played[i].events) + len(played[j].events), first, because)
            count_pair(pair, sums[i], sums[j])

    def _causes(self, toggles: Toggles, replays: Replays, a: Played, parting: Parting | None) -> list[str]:
        if parting is None:
            return []
        if not self.prove:
            return [UNPROVED]
        return toggles.causes(replays, a, parting) or [JOINT]


class _Current:
    """The bench of this process."""

    bench: Bench | None = None
    interrupted = False


_bench = _Current()


def _start(rule_sets: Sequence[RuleSet], plan: Plan, prove: bool, which: Pairs) -> None:
    _bench.bench = _Bench(rule_sets, plan, prove, which)
    _bench.interrupted = False


def _work(first: int, end: int) -> Found:
    assert _bench.bench is not None
    return _bench.bench.block(first, end)


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
    pairs: Pairs = "all",
) -> Difference:
    """Play the same units under two or more rule sets. The result is the same whatever ``jobs``.

    Every unit is played once under each set. ``pairs``: ``all`` compares each set with each other one, ``first`` only the first set
    with the others. ``prove``: each unit that parts is played again, up to where it parts, once for every option the two sets
    differ on; where no single option parts it, sets of options are tried for the first such units (``joint.py``).

    Ctrl-C ends the run early and is reported. Raises LabError and UnknownPlayerError.
    """
    unit, wanted = check_amount(hands, rounds, seed)
    if len(rule_sets) < 2:
        raise LabError(Text("要比就得有两套规则", "it takes two rule sets or more to compare"))
    if jobs < 1:
        raise LabError(Text(f"至少一个进程，不能是 {jobs}", f"at least one process, not {jobs}"))
    plan = Plan(seed, policy_of(policy), unit, common_levels(rule_sets))
    began = time.perf_counter()
    size = HANDS_A_BLOCK if unit == "hands" else ROUNDS_A_BLOCK
    found = _all_blocks(rule_sets, plan, wanted, size, jobs, progress, prove, pairs)
    return difference(rule_sets, plan, wanted, found, pairs, began=began, interrupted=found.interrupted)


def _all_blocks(
    rule_sets: Sequence[RuleSet],
    plan: Plan,
    wanted: int,
    size: int,
    jobs: int,
    progress: Progress | None,
    prove: bool,
    pairs: Pairs,
) -> Found:
    found = nothing(len(rule_sets), pairs)
    jobs = min(jobs, -(-wanted // size))
    try:
        for part in in_order(_work, wanted, size, jobs, _start, (tuple(rule_sets), plan, prove, pairs)):
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
