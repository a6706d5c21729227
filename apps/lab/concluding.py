"""What the counts of a comparison come to; examples, and causes that take several options, are played again here and not in the blocks."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Sequence

from gunzi.apps.lab.errors import LabError
from gunzi.apps.lab.estimates import Estimate, share
from gunzi.apps.lab.findings import Cause, Difference, Example, First, Joint, KindsApart, Pair
from gunzi.apps.lab.joint import SmallestSets
from gunzi.apps.lab.measures import HANDS_A_ROUND, MEASURES
from gunzi.apps.lab.parting import JOINT, UNPROVED, Toggles, differing_options, first_difference
from gunzi.apps.lab.tallies import Found, Pairs, PairTally, pairs_of
from gunzi.apps.lab.units import Plan, play_until
from gunzi.errors import Text
from gunzi.ruleset import RuleSet


def difference(
    rule_sets: Sequence[RuleSet],
    plan: Plan,
    wanted: int,
    found: Found,
    which: Pairs,
    *,
    began: float,
    interrupted: bool,
    trouble: Text | None = None,
    note: Text | None = None,
) -> Difference:
    """What the units that were played come to; ``began`` is when, by ``time.perf_counter``. Here, and not in the
    blocks, examples and joint causes are played again."""
    pairs = []
    for (i, j), tally in zip(pairs_of(len(rule_sets), which), found.pairs, strict=True):
        try:
            joint = _joint(rule_sets[i], rule_sets[j], plan, tally, found.done) if not interrupted else ()
        except KeyboardInterrupt:
            interrupted, joint = True, ()
        pairs.append(_pair(rule_sets, (i, j), plan, found.done, tally, joint))
    estimates = [
        tally.estimates() | {HANDS_A_ROUND.id: length.estimate()}
        for tally, length in zip(found.tallies, found.lengths, strict=True)
    ]
    if plan.unit == "hands":
        for each in estimates:
            del each[HANDS_A_ROUND.id]
    else:
        _over_rounds(estimates, found.pairs)
    return Difference(
        rule_sets=tuple(rules.id for rules in rule_sets),
        hashes=tuple(rules.hash for rules in rule_sets),
        seed=plan.seed,
        policy=plan.policy,
        levels=plan.levels,
        unit=plan.unit,
        wanted=wanted,
        done=found.done,
        interrupted=interrupted,
        options=tuple(dict.fromkeys(option for pair in pairs for option in pair.options)),
        pairs=tuple(pairs),
        measures={id: tuple(each[id] for each in estimates) for id in estimates[0]},
        tables={what: tuple(tally.counts()[what] for tally in found.tallies) for what in found.tallies[0].kinds},
        seconds=time.perf_counter() - began,
        trouble=trouble,
        note=note,
    )


def _over_rounds(estimates: Sequence[dict[str, Estimate]], pairs: Sequence[PairTally]) -> None:
    """The hands of a round are no independent draws: there the intervals are those over whole rounds."""
    for place, own in enumerate(estimates):
        sums = pairs[max(place - 1, 0)].paired
        for measure, paired in zip(MEASURES, sums, strict=False):
            shares = measure.share
            own[measure.id] = paired.of_b(shares=shares) if place else paired.of_a(shares=shares)


def _joint(a: RuleSet, b: RuleSet, plan: Plan, tally: PairTally, done: int) -> tuple[Joint, ...]:
    """The smallest sets of options for the first units that no single option parts; most frequent first."""
    search = SmallestSets(Toggles(a, b), plan)
    counts: Counter[tuple[tuple[str, ...], bool]] = Counter()
    for k, place in tally.joint:
        _check_place(k, place, done)
        if search.spent:
            break
        counts[search.of(k, place) or ((), False)] += 1
    return tuple(Joint(*found, count) for found, count in sorted(counts.items(), key=lambda item: (-item[1], item[0])))


def _pair(
    rule_sets: Sequence[RuleSet],
    places: tuple[int, int],
    plan: Plan,
    done: int,
    tally: PairTally,
    joint: tuple[Joint, ...],
) -> Pair:
    a, b = (rule_sets[place] for place in places)
    options = differing_options(a, b)
    firsts = sorted(tally.firsts.items(), key=lambda item: (-item[1], item[0]))
    causes = sorted(tally.causes.items(), key=lambda item: (-item[1], item[0]))
    for example in tally.examples.values():
        _check_place(example[2], example[0], done)
    examples = [
        _example(a, b, plan, cause, *tally.examples[cause], options) for cause, _ in causes if cause in tally.examples
    ]
    return Pair(
        a=a.id,
        b=b.id,
        places=places,
        options=options,
        diverged=share(tally.diverged, done),
        count=tally.diverged,
        before_settling=share(tally.in_play, done),
        first=tuple(First(event, phase, trick, by, count) for (event, phase, trick, by), count in firsts),
        causes=tuple(Cause(option, count, share(count, tally.diverged)) for option, count in causes),
        joint=joint,
        paired={
            measure.id: paired.difference(shares=measure.share)
            for measure, paired in zip((*MEASURES, HANDS_A_ROUND), tally.paired, strict=True)
        },
        kinds={what: KindsApart(kinds.share_changed(), kinds.differences()) for what, kinds in tally.kinds.items()},
        examples=tuple(examples),
    )


def _check_place(k: int, place: int, done: int) -> None:
    if not 0 <= k < done or place < 0:
        raise _not_again(k)


def _not_again(k: int) -> LabError:
    return LabError(
        Text(
            f"第 {k + 1} 个再打一遍，和统计的时候对不上：要么有插件每次打得不一样，要么存结果的文件被人改过",
            f"number {k + 1}, played again, is not what was counted: either a plugin does not play the same every time, or the file "
            "of kept blocks was changed",
        )
    )


def _example(
    a: RuleSet, b: RuleSet, plan: Plan, cause: str, place: int, size: int, k: int, options: Sequence[str]
) -> Example:
    one, other = play_until(a, plan, k, place), play_until(b, plan, k, place)
    parting = first_difference(one[: place + 1], other[: place + 1], options)
    if parting is None or parting.place != place or cause not in (*options, JOINT, UNPROVED):
        raise _not_again(k)
    return Example(cause, k, place, size, parting.by, parting.a, parting.b)
