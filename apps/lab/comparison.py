"""Rule sets against each other on the same cards and the same dice: where they part, why, and what that changes."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, Final

from gunzi.apps.lab.blocks import Layout, Ticks, in_turn
from gunzi.apps.lab.concluding import difference
from gunzi.apps.lab.errors import LabError
from gunzi.apps.lab.fast import A_ROUND, Mode, decide
from gunzi.apps.lab.findings import Difference
from gunzi.apps.lab.interrupts import held
from gunzi.apps.lab.measures import HANDS_A_ROUND, KINDS, MEASURES
from gunzi.apps.lab.parting import JOINT, UNPROVED, Parting, Replays, Toggles, first_difference
from gunzi.apps.lab.runs import Means, Outcome, Progress, Task, run_blocks
from gunzi.apps.lab.simulation import check_amount, policy_of
from gunzi.apps.lab.situations import common_levels
from gunzi.apps.lab.tallies import Found, Pairs, count_pair, nothing, pairs_of, unit_kinds, unit_sums
from gunzi.apps.lab.units import Plan, Played, play_unit
from gunzi.errors import Text
from gunzi.ruleset import RuleSet

HANDS: Final = Layout(40, 1280)
ROUNDS: Final = Layout(4, 128)
"""In what blocks the interpreted engine compares hands and rounds."""


class DiffBench:
    """What a process needs to play blocks; made once in each."""

    def __init__(self, rule_sets: Sequence[RuleSet], plan: Plan, prove: bool, which: Pairs) -> None:
        self.rule_sets = tuple(rule_sets)
        self.plan = plan
        self.prove = prove
        self.which = which
        self.pairs = [(i, j, Toggles(rule_sets[i], rule_sets[j])) for i, j in pairs_of(len(rule_sets), which)]

    def block(self, first: int, end: int, tick: Ticks) -> Found:
        """Play the units first … end-1; an interruption keeps those that are finished."""
        found = nothing(len(self.rule_sets), self.which)
        in_turn(found, range(first, end), lambda k: self._unit(k, found), tick)
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
        sums = [(unit_sums(each), unit_kinds(each)) for each in played]
        # Nothing is counted before all of the unit is known, so that an interruption leaves whole units only.
        with held():
            found.done += 1
            for tally, length, each in zip(found.tallies, found.lengths, played, strict=True):
                for values in each.values:
                    tally.add(values, [])
                length.add(len(each.values))
                for what, kind in each.kinds:
                    tally.kinds[what][kind] += 1
            for pair, (i, j, _), parting, because in zip(found.pairs, self.pairs, partings, causes, strict=True):
                if parting is not None:
                    where = (parting.event, parting.phase, parting.trick, parting.by)
                    pair.count_parting(k, parting.place, len(played[i].events) + len(played[j].events), where, because)
                count_pair(pair, sums[i], sums[j])

    def _causes(self, toggles: Toggles, replays: Replays, a: Played, parting: Parting | None) -> list[str]:
        if parting is None:
            return []
        if not self.prove:
            return [UNPROVED]
        return toggles.causes(replays, a, parting) or [JOINT]


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
    resume: str | Path | None = None,
    cluster: str | None = None,
    fast: Mode = "auto",
) -> Difference:
    """Play the same units under two or more rule sets. The result is the same whatever ``jobs``, ``cluster`` and ``fast`` (compiled,
    where that is possible and pays).

    Every unit is played once under each set. ``pairs``: ``all`` compares each set with each other one, ``first`` only the first set
    with the others. ``prove``: each unit that parts is played again, up to where it parts, once for every option the two sets
    differ on; where no single option parts it, sets of options are tried for the first such units (``joint.py``).

    ``resume``: a file that keeps finished blocks; given again, the run goes on with them. ``cluster``: the address of a
    dask.distributed scheduler. Ctrl-C ends the run early and is reported. Raises LabError, UnknownPlayerError and OSError.
    """
    unit, wanted = check_amount(hands, rounds, seed)
    if len(rule_sets) < 2:
        raise LabError(Text("要比就得有两套规则", "it takes two rule sets or more to compare"))
    plan = Plan(seed, policy_of(policy), unit, common_levels(rule_sets))
    began = time.perf_counter()
    task = Task(
        make=DiffBench,
        shared=(tuple(rule_sets), plan, prove, pairs),
        wanted=wanted,
        layout=HANDS if unit == "hands" else ROUNDS,
        nothing=nothing(len(rule_sets), pairs),
        question=_question(rule_sets, plan, prove, pairs),
    )
    means = Means(jobs, resume, cluster)
    how = decide(fast, rule_sets, plan.policy, len(rule_sets) * (wanted if unit == "hands" else wanted * A_ROUND))
    outcome, note = None, how.note
    if how.use:
        outcome, note = _compiled(task, plan, means, progress)
    if outcome is None:
        outcome = run_blocks(task, means, progress)
    return difference(
        rule_sets,
        plan,
        wanted,
        outcome.found,
        pairs,
        began=began,
        interrupted=outcome.interrupted,
        trouble=outcome.trouble,
        note=note,
    )


def _compiled(
    task: Task[Found], plan: Plan, means: Means, progress: Progress | None
) -> tuple[Outcome[Found] | None, Text | None]:
    """The same task played compiled; or None and why not."""
    from gunzi.apps.lab.fast import parting  # numba takes half a second
    from gunzi.apps.lab.fast.names import NotCovered

    try:
        # Here first, so that other processes find the code compiled.
        if not parting.prepare(*task.shared):
            means = replace(means, jobs=1)
        task = replace(task, make=parting.bench_of, layout=parting.HANDS if plan.unit == "hands" else parting.ROUNDS)
        return run_blocks(task, means, progress), None
    except NotCovered as found:
        return None, found.text


def _question(rule_sets: Sequence[RuleSet], plan: Plan, prove: bool, pairs: Pairs) -> dict[str, Any]:
    """What must be the same for blocks found earlier to be of use."""
    return {
        "command": "diff",
        "rules": [rules.hash for rules in rule_sets],
        "seed": plan.seed,
        "policy": list(plan.policy),
        "unit": plan.unit,
        "prove": prove,
        "pairs": pairs,
        "measures": [measure.id for measure in (*MEASURES, HANDS_A_ROUND)],
        "kinds": [kinds.id for kinds in KINDS],
    }
