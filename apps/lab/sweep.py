"""One option at a time: which options change the game of a rule set, and how much.

The base's hands are played once and compared with those of every neighbour on the same decks and dice. While the base is played
it is noticed what is read that a neighbour has otherwise (``consulting.py``): where nothing is, the neighbour's hand is the
base's; where only the settlement reads it, the hand is settled again and not played again.

**The effect** of a neighbour in a figure is its mean a hand minus the base's, paired, in standard deviations of a hand's figure
(the root of the mean of both sides' variances): 1 is a change as large as hands differ anyway. What of it
is *sure* is what the 99 % interval leaves — one interval for all figures of a neighbour together (Bonferroni), so that
the largest of many does not stand out by chance. Neighbours rank by the sure effect of the figure where it is largest, then by
the share of units that part at all, then in the order of the rule book; an option ranks as its first value does.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from math import sqrt
from statistics import NormalDist
from typing import Any, Final

from gunzi.apps.lab.blocks import in_order
from gunzi.apps.lab.consulting import Consulted, TracedRules
from gunzi.apps.lab.errors import LabError
from gunzi.apps.lab.estimates import Z_99, Estimate, Moments, Paired, share
from gunzi.apps.lab.measures import HANDS_A_ROUND, MEASURES, Measure, values_of
from gunzi.apps.lab.neighbours import Neighbour, Skipped, neighbours
from gunzi.apps.lab.simulation import check_amount, policy_of
from gunzi.apps.lab.situations import common_levels, unit_seed
from gunzi.apps.lab.sweeping import Effect, Sweep
from gunzi.apps.lab.tallies import unit_sums
from gunzi.apps.lab.units import Plan, Played, play_unit, same_event, unit_table
from gunzi.apps.players import play_table
from gunzi.errors import GunziError, Text
from gunzi.hand import Hand
from gunzi.record import Event
from gunzi.ruleset import RuleSet
from gunzi.settling import settle

UNITS_A_BLOCK: Final = {"hands": 8, "rounds": 1}
ALL: Final[tuple[Measure, ...]] = (*MEASURES, HANDS_A_ROUND)
AT_THE_END: Final = frozenset(
    {"bottom_worth", "next_dealer", "endings", "level_up", "climb", "tribute_parts", "score_parts"}
)
"""The hooks that only the settlement asks."""


def _moments() -> list[Moments]:
    return [Moments() for _ in ALL]


def _count(moments: Sequence[Moments], played: Played) -> None:
    """Count in the figures of a unit, hand by hand, and how many hands it has."""
    for place, each in enumerate(moments[:-1]):
        for hand in played.values:
            value = hand[place]
            if value is not None:
                each.add(value)
    moments[-1].add(len(played.values))


@dataclass(slots=True)
class _Tally:
    """What a block found of one neighbour."""

    consulted: int = 0
    diverged: int = 0
    in_play: int = 0
    own: list[Moments] = field(default_factory=_moments)
    paired: list[Paired] = field(default_factory=lambda: [Paired() for _ in ALL])
    failed: tuple[int, Text] | None = None

    def merge(self, other: _Tally) -> None:
        self.consulted += other.consulted
        self.diverged += other.diverged
        self.in_play += other.in_play
        for mine, theirs in zip(self.own, other.own, strict=True):
            mine.merge(theirs)
        for pair, more in zip(self.paired, other.paired, strict=True):
            pair.merge(more)
        if other.failed is not None and (self.failed is None or other.failed[0] < self.failed[0]):
            self.failed = other.failed

    def add(self, base: Played, other: Played) -> None:
        """Count in a unit as the base and as the neighbour played it."""
        _count(self.own, other)
        for paired, (xa, na), (xb, nb) in zip(self.paired, unit_sums(base), unit_sums(other), strict=True):
            paired.add(xa, na, xb, nb)


@dataclass(slots=True)
class _Found:
    """What a block found."""

    tallies: list[_Tally]
    done: int = 0
    base: list[Moments] = field(default_factory=_moments)
    interrupted: bool = False

    def merge(self, other: _Found) -> None:
        self.done += other.done
        for mine, theirs in zip(self.base, other.base, strict=True):
            mine.merge(theirs)
        for tally, more in zip(self.tallies, other.tallies, strict=True):
            tally.merge(more)


@dataclass(slots=True)
class _Unit:
    """The neighbour's side of a unit: its figures, and whether and where it parts."""

    played: Played
    consulted: bool = False
    diverged: bool = False
    in_play: bool = False
    failed: Text | None = None


class _Bench:
    """The base and its neighbours in one process."""

    def __init__(self, rules: RuleSet, others: Sequence[RuleSet], plan: Plan) -> None:
        self.traced = TracedRules(rules, others)
        self.others = tuple(others)
        self.plan = plan
        self.own_phases = not rules.host.phases

    def unit(self, k: int, found: _Found) -> None:
        """Play unit k under the base, and under the neighbours what they may play otherwise; count it in."""
        plan = self.plan
        self.traced.fresh()
        table = unit_table(self.traced, plan, k, True)
        hands: list[Hand] = []
        play_table(table, plan.players(), unit_seed(plan.seed, k), finished=hands.append)
        settled = [hand for hand in hands if hand.settlement is not None]
        events = table.events
        base = Played(events, [values_of(hand) for hand in settled])
        units = [
            self._other(k, other, consulted, events, settled[-1], base)
            for other, consulted in zip(self.others, self.traced.watch.first, strict=True)
        ]
        # Nothing is counted before all of the unit is known, so that an interruption leaves whole units only.
        found.done += 1
        _count(found.base, base)
        for tally, unit in zip(found.tallies, units, strict=True):
            if unit.failed is not None and tally.failed is None:
                tally.failed = (k, unit.failed)
            tally.consulted += unit.consulted
            tally.diverged += unit.diverged
            tally.in_play += unit.in_play
            tally.add(base, unit.played)

    def _other(
        self,
        k: int,
        rules: RuleSet,
        consulted: Consulted | None,
        events: Sequence[Event],
        last: Hand,
        base: Played,
    ) -> _Unit:
        if consulted is None:
            return _Unit(base)
        try:
            if self._only_settled_otherwise(consulted, events):
                return self._settled(rules, events[-1], last)
            return self._played(k, rules, events)
        except GunziError as error:
            return _Unit(base, consulted=True, failed=error.text)

    def _only_settled_otherwise(self, consulted: Consulted, events: Sequence[Event]) -> bool:
        last = len(events) - 1
        return self.plan.unit == "hands" and self.own_phases and consulted.place == last and consulted.by in AT_THE_END

    def _settled(self, rules: RuleSet, event: Event, last: Hand) -> _Unit:
        assert last.settlement is not None
        hand = last.copy()
        hand.rules = rules
        hand.settlement = settle(rules, last.settlement.outcome.result)
        other = {"e": "settle", "n": event["n"], **hand.settlement.as_json()}
        return _Unit(Played([], [values_of(hand)]), consulted=True, diverged=not same_event(event, other))

    def _played(self, k: int, rules: RuleSet, events: Sequence[Event]) -> _Unit:
        played = play_unit(rules, self.plan, k)
        unit = _Unit(played, consulted=True)
        for one, other in zip(events, played.events, strict=False):
            if not same_event(one, other):
                unit.diverged = True
                unit.in_play = not one["e"] == other["e"] == "settle"
                return unit
        unit.diverged = unit.in_play = len(events) != len(played.events)
        return unit


class _Current:
    """The bench of this process."""

    bench: _Bench | None = None


def _start(rules: RuleSet, others: Sequence[RuleSet], plan: Plan) -> None:
    _Current.bench = _Bench(rules, others, plan)


def _work(first: int, end: int) -> _Found:
    bench = _Current.bench
    assert bench is not None
    found = _Found([_Tally() for _ in bench.others])
    for k in range(first, end):
        try:
            bench.unit(k, found)
        except KeyboardInterrupt:
            if not found.done:
                raise
            found.interrupted = True
            break
    return found


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
    progress: Callable[[int, int], None] | None = None,
) -> Sweep:
    """Play the same units under a rule set and all its single-option neighbours (``option``: of this one alone; ``values``: these
    values), and rank what they change. Hands begin where those of the base do (``situations.py``), whatever the neighbour's
    levels. The result is the same whatever ``jobs``.

    Ctrl-C ends the run early and is reported. Raises LabError and UnknownPlayerError.
    """
    unit, wanted = check_amount(hands, rounds, seed)
    if jobs < 1:
        raise LabError(Text(f"至少一个进程，不能是 {jobs}", f"at least one process, not {jobs}"))
    plan = Plan(seed, policy_of(policy), unit, common_levels([rules]))
    around, skipped = neighbours(rules, option, values)
    others = tuple(each.rules for each in around)
    began = time.perf_counter()
    found = _Found([_Tally() for _ in others])
    size = UNITS_A_BLOCK[unit]
    try:
        for part in in_order(_work, wanted, size, min(jobs, -(-wanted // size)), _start, (rules, others, plan)):
            found.merge(part)
            if progress is not None:
                progress(found.done, wanted)
            if part.interrupted:
                found.interrupted = True
                break
    except KeyboardInterrupt:
        found.interrupted = True
    except LabError:
        if not found.done:
            raise
        found.interrupted = True
    return _sweep(rules, option, plan, wanted, around, skipped, found, time.perf_counter() - began)


def _sweep(
    rules: RuleSet,
    option: str | None,
    plan: Plan,
    wanted: int,
    around: Sequence[Neighbour],
    skipped: Sequence[Skipped],
    found: _Found,
    seconds: float,
) -> Sweep:
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
        interrupted=found.interrupted,
        measures={each.id: _own(each, moments) for each, moments in zip(measured, found.base, strict=False)},
        effects=tuple(effects),
        skipped=(*skipped, *failed),
        seconds=seconds,
    )


def _own(measure: Measure, moments: Moments) -> Estimate:
    return moments.share() if measure.share else moments.estimate()


def _effect(neighbour: Neighbour, tally: _Tally, found: _Found, measured: Sequence[Measure]) -> Effect:
    sureness = NormalDist().inv_cdf(1 - 0.005 / len(measured))
    paired = {measure.id: each.difference() for measure, each in zip(measured, tally.paired, strict=False)}
    effects: dict[str, float] = {}
    sure: dict[str, float] = {}
    for measure, base, own, difference in zip(measured, found.base, tally.own, paired.values(), strict=False):
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
