"""``gunzi sweep``, compiled: what ``sweep_bench.py`` finds of a block of units; neighbours that are not covered are played there."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import Final

import numpy as np

from gunzi.apps.lab.blocks import Layout, Span, Ticks, in_turn
from gunzi.apps.lab.estimates import Moments
from gunzi.apps.lab.fast import layout as at
from gunzi.apps.lab.fast.alike import play_alike, same_answers
from gunzi.apps.lab.fast.beside import PARTED, PLACE
from gunzi.apps.lab.fast.caching import is_kept
from gunzi.apps.lab.fast.compiled import compiled_part
from gunzi.apps.lab.fast.counting import columns, moments_of
from gunzi.apps.lab.fast.layout import Numbers, numbers
from gunzi.apps.lab.fast.names import Names, NotCovered
from gunzi.apps.lab.fast.orders import respelled
from gunzi.apps.lab.fast.parting import at_settling, begun, paired_sums, play_units, settled_otherwise, unit_sums
from gunzi.apps.lab.fast.running import Block, Engine
from gunzi.apps.lab.interrupts import held
from gunzi.apps.lab.sweep_bench import TRACED, Found, NeighbourTally, SweepBench, nothing
from gunzi.apps.lab.units import Plan
from gunzi.errors import GunziError, Text
from gunzi.ruleset import RuleSet

HANDS_AT_ONCE: Final = 500
ROUNDS_AT_ONCE: Final = 100
"""So many units' events are held beside each other."""
BESIDE_INTERPRETED: Final = 50
"""So many at once where neighbours are played interpreted: that takes long enough."""
HANDS: Final = Layout(HANDS_AT_ONCE, 64 * HANDS_AT_ONCE)
ROUNDS: Final = Layout(ROUNDS_AT_ONCE, 64 * ROUNDS_AT_ONCE)


class CompiledSweep:
    """The base and its neighbours in one process. Raises NotCovered where the base has no compiled form.

    ``slow`` are the neighbours that are played interpreted, by their places, and why; one that turns out to be such meanwhile joins
    them. What is found is the same either way.
    """

    def __init__(self, rules: RuleSet, others: Sequence[RuleSet], plan: Plan) -> None:
        self.rules = rules
        self.others = tuple(others)
        self.plan = plan
        levels = [*plan.levels]
        for each in (rules, *others):
            levels += [each.start_level, int(each.options["levels.final"])]
        low, high = min(levels), max(levels)
        names, single = Names(), plan.unit == "hands"
        self.base = Engine(rules, low, high, names, plan.policy, single)
        self.engines: dict[int, Engine] = {}
        self.slow: dict[int, Text] = {}
        self._alike: set[int] = set()
        for place, other in enumerate(others):
            try:
                engine = self.engines[place] = Engine(other, low, high, names, plan.policy, single)
            except NotCovered as found:
                self.slow[place] = found.text
            else:
                if single and self._plays_alike(engine):
                    self._alike.add(place)
        self._watched = tuple(self.engines)
        self._watch: SweepBench | None = None
        self._beside: tuple[tuple[int, ...], SweepBench] | None = None
        self._part = compiled_part()

    def block(self, first: int, end: int, tick: Ticks) -> Found:
        """Play and compare the units first … end-1; an interruption keeps those that are finished."""
        found = nothing(len(self.others))

        def play(span: Span) -> None:
            part = self.at_once(*span)
            with held():
                found.merge(part)

        in_turn(found, self._spans(first, end), play, tick)
        return found

    def _spans(self, first: int, end: int) -> Iterator[Span]:
        """The units first … end-1, not too many at once: fewer from where neighbours turn out to be played interpreted."""
        size = HANDS_AT_ONCE if self.plan.unit == "hands" else ROUNDS_AT_ONCE
        while first < end:
            stop = min(first + (min(size, BESIDE_INTERPRETED) if self.slow else size), end)
            yield first, stop
            first = stop

    def at_once(self, first: int, end: int) -> Found:
        """The units first … end-1, not too many."""
        units = begun(self.rules, self.plan, first, end)
        block = play_units(self.base, self.plan, units)
        sums = unit_sums(block.rows, len(units))
        found = nothing(len(self.others))
        found.done = len(units)
        found.base = _own(block.rows, sums)
        for place, engine in [*self.engines.items()]:
            try:
                found.tallies[place] = self._compare(place, engine, units, block, sums)
            except (NotCovered, GunziError) as error:
                del self.engines[place]
                self.slow[place] = error.text
        self._interpreted(first, end, found)
        found.slow = dict(self.slow)
        self._consulted(first, min(end, TRACED), found)
        return found

    def _plays_alike(self, engine: Engine) -> bool:
        """Is a hand of the neighbour the base's up to its settlement?"""
        return (
            engine.rules.permanent == self.rules.permanent
            and play_alike(self.base.tables, engine.tables)
            and same_answers(self.rules, engine.rules, "reveal")
        )

    def _compare(
        self, place: int, engine: Engine, units: Numbers, base: Block, sums: list[tuple[Numbers, Numbers]]
    ) -> NeighbourTally:
        tally = NeighbourTally()
        if place in self._alike:
            rows = base.rows.copy()
            engine.settle_again(rows)
            tally.diverged = int(np.count_nonzero(settled_otherwise(base.rows, rows)))
        else:
            block = play_units(engine, self.plan, units)
            log, rows = block.log, block.rows
            if engine.rules.permanent != self.rules.permanent:
                log = respelled(log, engine.rules.permanent, self.rules.permanent)
            found = numbers(len(units), PARTED)
            self._part(base.log, log, np.arange(len(units), dtype=np.int64), found)
            parted = found[found[:, PLACE] >= 0]
            tally.diverged = len(parted)
            tally.in_play = len(parted) - int(np.count_nonzero(at_settling(parted)))
        own = unit_sums(rows, len(units))
        tally.own = _own(rows, own)
        tally.paired = [paired_sums(a, b) for a, b in zip(sums, own, strict=True)]
        return tally

    def _interpreted(self, first: int, end: int, found: Found) -> None:
        """The neighbours that have no compiled form."""
        if not self.slow:
            return
        places = tuple(self.slow)
        if self._beside is None or self._beside[0] != places:
            self._beside = places, SweepBench(self.rules, [self.others[place] for place in places], self.plan)
        part = nothing(len(places))
        for k in range(first, end):
            self._beside[1].unit(k, part)
        for place, tally in zip(places, part.tallies, strict=True):
            found.tallies[place] = tally

    def _consulted(self, first: int, end: int, found: Found) -> None:
        """Whether options are consulted in these units: compiled hands do not tell."""
        if first >= end:
            return
        if self._watch is None:
            self._watch = SweepBench(self.rules, [self.others[place] for place in self._watched], self.plan)
        for k in range(first, end):
            for place, consulted in zip(self._watched, self._watch.consulted(k), strict=True):
                if place in self.engines:
                    found.tallies[place].consulted += consulted


def _own(rows: Numbers, sums: list[tuple[Numbers, Numbers]]) -> list[Moments]:
    """The figures hand by hand; last, how many hands the units have."""
    return [*(moments_of(*column) for column in columns(rows)), moments_of(sums[-1][0], None)]


@lru_cache(maxsize=1)
def bench_of(rules: RuleSet, others: tuple[RuleSet, ...], plan: Plan) -> CompiledSweep:
    """The bench of a run, made once in each process. Raises NotCovered."""
    return CompiledSweep(rules, others, plan)


def prepare(rules: RuleSet, others: tuple[RuleSet, ...], plan: Plan) -> bool:
    """Have everything compiled; True: it is kept, so that other processes need not do it again. Raises NotCovered."""
    bench = bench_of(rules, others, plan)
    bench.base.settle_again(numbers(0, at.ROW))
    bench.at_once(0, 2)
    return is_kept(bench.base.steady)
