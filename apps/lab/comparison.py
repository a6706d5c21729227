"""Rule sets against each other on the same cards and the same dice: where they part, why, and what that changes."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import combinations
from typing import Final, Literal, Protocol

from gunzi.apps.lab.blocks import in_order
from gunzi.apps.lab.errors import LabError
from gunzi.apps.lab.estimates import Estimate, Moments, Paired, PairedKinds, share
from gunzi.apps.lab.findings import Cause, Difference, Example, First, Joint, KindsApart, Pair
from gunzi.apps.lab.joint import MOST_UNITS, SmallestSets
from gunzi.apps.lab.measures import HANDS_A_ROUND, KINDS, MEASURES
from gunzi.apps.lab.parting import JOINT, UNPROVED, Parting, Toggles, differing_options, first_difference
from gunzi.apps.lab.simulation import Progress, Tally, check_amount, policy_of
from gunzi.apps.lab.situations import common_levels
from gunzi.apps.lab.units import Plan, Played, play_unit, play_until
from gunzi.errors import Text
from gunzi.ruleset import RuleSet

HANDS_A_BLOCK: Final = 40
ROUNDS_A_BLOCK: Final = 4
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
    interrupted: bool = False

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
        causes = [
            self._causes(toggles, k, played[i], parting)
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

    def _causes(self, toggles: Toggles, k: int, a: Played, parting: Parting | None) -> list[str]:
        if parting is None:
            return []
        if not self.prove:
            return [UNPROVED]
        return toggles.causes(self.plan, k, a, parting) or [JOINT]


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
    return difference(rule_sets, plan, wanted, found, pairs, began)


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


def difference(
    rule_sets: Sequence[RuleSet], plan: Plan, wanted: int, found: Found, which: Pairs, began: float
) -> Difference:
    """What the units that were played come to; here, and not in the blocks, examples and joint causes are played again."""
    pairs = []
    for (i, j), tally in zip(pairs_of(len(rule_sets), which), found.pairs, strict=True):
        try:
            joint = _joint(rule_sets[i], rule_sets[j], plan, tally) if not found.interrupted else ()
        except KeyboardInterrupt:
            found.interrupted, joint = True, ()
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
        interrupted=found.interrupted,
        options=tuple(dict.fromkeys(option for pair in pairs for option in pair.options)),
        pairs=tuple(pairs),
        measures={id: tuple(each[id] for each in estimates) for id in estimates[0]},
        tables={what: tuple(tally.counts()[what] for tally in found.tallies) for what in found.tallies[0].kinds},
        seconds=time.perf_counter() - began,
    )


def _over_rounds(estimates: Sequence[dict[str, Estimate]], pairs: Sequence[PairTally]) -> None:
    """The hands of a round are no independent draws: there the intervals are those over whole rounds."""
    for place, own in enumerate(estimates):
        sums = pairs[max(place - 1, 0)].paired
        for measure, paired in zip(MEASURES, sums, strict=False):
            own[measure.id] = paired.of_b() if place else paired.of_a()


def _joint(a: RuleSet, b: RuleSet, plan: Plan, tally: PairTally) -> tuple[Joint, ...]:
    """The smallest sets of options for the first units that no single option parts; most frequent first."""
    search = SmallestSets(Toggles(a, b), plan)
    counts: Counter[tuple[tuple[str, ...], bool]] = Counter()
    for k, place in tally.joint:
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
            measure.id: paired.difference()
            for measure, paired in zip((*MEASURES, HANDS_A_ROUND), tally.paired, strict=True)
        },
        kinds={what: KindsApart(kinds.share_changed(), kinds.differences()) for what, kinds in tally.kinds.items()},
        examples=tuple(examples),
    )


def _example(
    a: RuleSet, b: RuleSet, plan: Plan, cause: str, place: int, size: int, k: int, options: Sequence[str]
) -> Example:
    one, other = play_until(a, plan, k, place), play_until(b, plan, k, place)
    parting = first_difference(one[: place + 1], other[: place + 1], options)
    assert parting is not None and parting.place == place
    return Example(cause, k, place, size, parting.by, parting.a, parting.b)
