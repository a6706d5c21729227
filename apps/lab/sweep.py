"""One option at a time: which options change the game of a rule set, and how much.

The base's hands are played once and compared with those of every neighbour on the same decks and dice (``sweep_bench.py``;
compiled in ``fast/sweeping.py``).

**The effect** of a neighbour in a figure is its mean a hand minus the base's, paired, in standard deviations of a hand's figure
(the root of the mean of both sides' variances): 1 is a change as large as hands differ anyway. What of it
is *sure* is what the 99 % interval leaves — one interval for all figures of a neighbour together (Bonferroni), so that
the largest of many does not stand out by chance. Neighbours rank by the sure effect of the figure where it is largest, then by
the share of units that part at all, then in the order of the rule book; an option ranks as its first value does.
"""

from __future__ import annotations

import hashlib
import time
from collections.abc import Mapping, Sequence
from dataclasses import replace
from math import sqrt
from pathlib import Path
from statistics import NormalDist
from typing import Any, Final

from gunzi.apps.lab.blocks import Layout
from gunzi.apps.lab.estimates import Z_99, Estimate, Moments, share
from gunzi.apps.lab.fast import A_ROUND, Mode, decide
from gunzi.apps.lab.measures import MEASURES, Measure
from gunzi.apps.lab.neighbours import Neighbour, Skipped, neighbours
from gunzi.apps.lab.runs import Means, Outcome, Progress, Task, run_blocks
from gunzi.apps.lab.simulation import check_amount, policy_of
from gunzi.apps.lab.situations import common_levels
from gunzi.apps.lab.sweep_bench import ALL, TRACED, Found, NeighbourTally, SweepBench, nothing
from gunzi.apps.lab.sweeping import Effect, Sweep
from gunzi.apps.lab.units import Plan
from gunzi.errors import Text
from gunzi.ruleset import RuleSet

HANDS: Final = Layout(8, 256)
ROUNDS: Final = Layout(1, 32)
"""In what blocks the interpreted engine plays hands and rounds."""


def sweep(
    rules: RuleSet,
    option: str | None = None,
    values: Sequence[Any] | None = None,
    *,
    hands: int | None = None,
    rounds: int | None = None,
    seed: int = 1,
    policy: str | Sequence[str] = "random",
    jobs: int = 1,
    progress: Progress | None = None,
    resume: str | Path | None = None,
    cluster: str | None = None,
    fast: Mode = "auto",
) -> Sweep:
    """Play the same units under a rule set and all its single-option neighbours (``option``: of this one alone; ``values``: these
    values), and rank what they change. Hands begin where those of the base do (``situations.py``), whatever the neighbour's
    levels. ``jobs``, ``resume``, ``cluster`` and ``fast`` as in ``diff``; the result is the same whatever these.

    Ctrl-C ends the run early and is reported. Raises LabError, UnknownPlayerError and OSError.
    """
    unit, wanted = check_amount(hands, rounds, seed)
    means = Means(jobs, resume, cluster)
    plan = Plan(seed, policy_of(policy), unit, common_levels([rules]))
    around, skipped = neighbours(rules, option, values)
    others = tuple(each.rules for each in around)
    began = time.perf_counter()
    task = Task(
        make=SweepBench,
        shared=(rules, others, plan),
        wanted=wanted,
        layout=HANDS if unit == "hands" else ROUNDS,
        nothing=nothing(len(others)),
        question=_question(rules, others, plan),
    )
    played = (wanted if unit == "hands" else wanted * A_ROUND) * (1 + len(others))
    how = decide(fast, [rules], plan.policy, played)
    outcome, note = None, how.note
    if how.use:
        outcome, note = _compiled(task, around, means, progress)
    if outcome is None:
        outcome = run_blocks(task, means, progress)
    return _sweep(rules, option, plan, wanted, around, skipped, outcome, seconds=time.perf_counter() - began, note=note)


def _compiled(
    task: Task[Found], around: Sequence[Neighbour], means: Means, progress: Progress | None
) -> tuple[Outcome[Found] | None, Text | None]:
    """The same task played compiled, and which neighbours were not; or None and why nothing was."""
    from gunzi.apps.lab.fast import sweeping  # numba takes half a second
    from gunzi.apps.lab.fast.names import NotCovered

    rules, others, plan = task.shared
    try:
        # Here first, so that other processes find the code compiled.
        if not sweeping.prepare(rules, others, plan):
            means = replace(means, jobs=1)
        task = replace(
            task,
            make=sweeping.bench_of,
            layout=sweeping.HANDS if plan.unit == "hands" else sweeping.ROUNDS,
        )
        outcome = run_blocks(task, means, progress)
        return outcome, _not_covered(around, outcome.found.slow)
    except NotCovered as found:
        return None, found.text


def _not_covered(around: Sequence[Neighbour], slow: Mapping[int, Text]) -> Text | None:
    """Which neighbours are played interpreted, and why; None: none is."""
    if not slow:
        return None
    by: dict[Text, list[str]] = {}
    for place, why in sorted(slow.items()):
        by.setdefault(why, []).append(f"{around[place].option}={around[place].shown}")
    return Text(
        "；".join(f"{'、'.join(names)}（{why.zh}）" for why, names in by.items()),
        "; ".join(f"{', '.join(names)} ({why.en})" for why, names in by.items()),
    )


def _question(rules: RuleSet, others: Sequence[RuleSet], plan: Plan) -> dict[str, Any]:
    """What must be the same for blocks found earlier to be of use."""
    return {
        "command": "sweep",
        "rules": [rules.hash],
        "neighbours": hashlib.sha256(" ".join(each.hash for each in others).encode()).hexdigest(),
        "seed": plan.seed,
        "policy": list(plan.policy),
        "unit": plan.unit,
        "measures": [measure.id for measure in ALL],
        "traced": TRACED,
    }


def _sweep(
    rules: RuleSet,
    option: str | None,
    plan: Plan,
    wanted: int,
    around: Sequence[Neighbour],
    skipped: Sequence[Skipped],
    outcome: Outcome[Found],
    *,
    seconds: float,
    note: Text | None,
) -> Sweep:
    found = outcome.found
    measured = ALL if plan.unit == "rounds" else MEASURES
    effects = []
    failed = []
    for neighbour, tally in zip(around, found.tallies, strict=True):
        if tally.failed is not None:
            failed.append(Skipped(neighbour.option, neighbour.value, neighbour.shown, (), tally.failed[1]))
        else:
            effects.append(_effect(neighbour, tally, found, measured))
    # Sorting keeps the rule book's order where the rest is equal.
    effects.sort(key=lambda each: (-each.sure, -each.count))
    return Sweep(
        rules=rules.id,
        hash=rules.hash,
        option=option,
        seed=plan.seed,
        policy=plan.policy,
        unit=plan.unit,
        wanted=wanted,
        done=found.done,
        interrupted=outcome.interrupted,
        traced=min(found.done, TRACED),
        measures=_figures(measured, found, plan),
        effects=tuple(effects),
        skipped=(*skipped, *failed),
        seconds=seconds,
        trouble=outcome.trouble,
        note=note,
    )


def _figures(measured: Sequence[Measure], found: Found, plan: Plan) -> dict[str, Estimate]:
    """The base's own figures. The hands of a round are no independent draws: there the intervals are those over whole rounds."""
    figures = {each.id: _own(each, moments) for each, moments in zip(measured, found.base, strict=False)}
    if plan.unit == "rounds" and found.tallies:
        # Beside whichever neighbour: the base's side of a pair is the same.
        sums = zip(MEASURES, found.tallies[0].paired, strict=False)
        figures |= {measure.id: paired.of_a(shares=measure.share) for measure, paired in sums}
    return figures


def _own(measure: Measure, moments: Moments) -> Estimate:
    return moments.share() if measure.share else moments.estimate()


def _effect(neighbour: Neighbour, tally: NeighbourTally, found: Found, measured: Sequence[Measure]) -> Effect:
    sureness = NormalDist().inv_cdf(1 - 0.005 / len(measured))
    paired = {
        measure.id: each.difference(shares=measure.share) for measure, each in zip(measured, tally.paired, strict=False)
    }
    effects: dict[str, float] = {}
    sure: dict[str, float] = {}
    for measure, base, own, sums in zip(measured, found.base, tally.own, tally.paired, strict=False):
        # The whole half of the interval, also where a share's is cut at what is possible.
        difference = sums.difference()
        spread = sqrt((_deviation(base) ** 2 + _deviation(own) ** 2) / 2)
        if difference.mean is None or difference.low is None or not spread:
            continue
        half = (difference.mean - difference.low) * sureness / Z_99
        effects[measure.id] = difference.mean / spread
        sure[measure.id] = max(0.0, abs(difference.mean) - half) / spread
    most = max(effects, key=lambda id: (sure[id], abs(effects[id]))) if any(effects.values()) else None
    return Effect(
        option=neighbour.option,
        value=neighbour.value,
        shown=neighbour.shown,
        consulted=tally.consulted,
        count=tally.diverged,
        diverged=share(tally.diverged, found.done),
        before_settling=share(tally.in_play, found.done),
        paired=paired,
        effects=effects,
        measure=most,
        effect=effects[most] if most is not None else 0.0,
        sure=sure[most] if most is not None else 0.0,
        warnings=neighbour.warnings,
    )


def _deviation(moments: Moments) -> float:
    """The standard deviation of what was counted; 0 where there is none to be told."""
    n = moments.count
    if n < 2:
        return 0.0
    return sqrt(max(0, n * moments.squares - moments.total * moments.total) / (n * (n - 1)))
