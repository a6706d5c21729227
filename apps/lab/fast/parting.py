"""``gunzi diff``, compiled: what ``comparison.py`` finds of a block of units, found from logs side by side."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import Any, Final

import numpy as np

from gunzi.apps.lab import parting
from gunzi.apps.lab.blocks import Layout, Ticks, in_turn
from gunzi.apps.lab.estimates import Paired
from gunzi.apps.lab.fast import layout as at
from gunzi.apps.lab.fast.alike import between, play_alike, same_answers
from gunzi.apps.lab.fast.beside import KIND_A, KIND_B, PARTED, PLACE, SETTLED
from gunzi.apps.lab.fast.caching import is_kept
from gunzi.apps.lab.fast.compiled import compiled_begin_units, compiled_part
from gunzi.apps.lab.fast.counting import columns, count_in, moments_of, pair_kinds
from gunzi.apps.lab.fast.explaining import Explanations, facts
from gunzi.apps.lab.fast.layout import EVENTS, Numbers, numbers
from gunzi.apps.lab.fast.names import Names, NotCovered
from gunzi.apps.lab.fast.running import Block, Engine, signed
from gunzi.apps.lab.interrupts import held
from gunzi.apps.lab.parting import JOINT, UNPROVED, Toggles
from gunzi.apps.lab.tallies import Found, Pairs, PairTally, nothing, pairs_of
from gunzi.apps.lab.units import Plan
from gunzi.chance import seed_word
from gunzi.errors import Text
from gunzi.record import PHASE_OF, Event
from gunzi.ruleset import RuleSet

HANDS_AT_ONCE: Final = 500
ROUNDS_AT_ONCE: Final = 100
"""So many units' events are held beside each other."""
HANDS: Final = Layout(HANDS_AT_ONCE, 64 * HANDS_AT_ONCE)
ROUNDS: Final = Layout(ROUNDS_AT_ONCE, 64 * ROUNDS_AT_ONCE)
SETTLED_FIELDS: Final = (
    *(at.R_POINTS, at.R_TAKEOVER, at.R_UP_SIDE, at.R_EARNED, at.R_AFTER_0, at.R_AFTER_1, at.R_OWES_FROM, at.R_OWES_TO),
    *(at.R_OWES, at.R_ENDING, at.R_WON_BY, *range(at.R_SCORE_0, at.R_SCORE_0 + 4)),
)
"""What a ``settle`` event says beyond how the hand was played; the next dealer apart, who is one only while the round goes on."""


class CompiledBench:
    """What a process needs to compare rule sets compiled; made once in each. Raises NotCovered."""

    def __init__(self, rule_sets: Sequence[RuleSet], plan: Plan, prove: bool, which: Pairs = "all") -> None:
        if len({rules.permanent for rules in rule_sets}) > 1:
            raise NotCovered(Text("常主不同，编译版比不了", "rule sets with other permanent trumps have other masks"))
        self.plan = plan
        self.prove = prove
        levels = [*plan.levels]
        for rules in rule_sets:
            levels += [rules.start_level, int(rules.options["levels.final"])]
        self.levels = (min(levels), max(levels))
        self.names = Names()
        self.engines = [Engine(rules, *self.levels, self.names, plan.policy) for rules in rule_sets]
        self.which = which
        self._laid: dict[str, Engine] = {}
        self.places = pairs_of(len(rule_sets), which)
        self.pairs = [Pair(self, self.engines[i], self.engines[j]) for i, j in self.places]

    def engine(self, rules: RuleSet) -> Engine:
        """The engine of a rule set with single options laid over it; several pairs may ask for the same. Raises NotCovered."""
        if rules.hash not in self._laid:
            self._laid[rules.hash] = Engine(rules, *self.levels, self.names, self.plan.policy)
        return self._laid[rules.hash]

    def units(self, first: int, end: int) -> Numbers:
        """The units first … end-1, as they begin."""
        return begun(self.engines[0].rules, self.plan, first, end)

    def play(self, engine: Engine, units: Numbers) -> Block:
        """The units under a rule set."""
        return play_units(engine, self.plan, units)

    def block(self, first: int, end: int, tick: Ticks) -> Found:
        """Play and compare the units first … end-1; an interruption keeps those that are finished."""
        found = nothing(len(self.engines), self.which)
        size = HANDS_AT_ONCE if self.plan.unit == "hands" else ROUNDS_AT_ONCE

        def play(start: int) -> None:
            part = self.at_once(start, min(start + size, end))
            with held():
                found.merge(part)

        in_turn(found, range(first, end, size), play, tick)
        return found

    def at_once(self, first: int, end: int) -> Found:
        """The units first … end-1, not too many."""
        units = self.units(first, end)
        played = [self.play(engine, units) for engine in self.engines]
        found = nothing(len(self.engines), self.which)
        found.done = end - first
        sums = [unit_sums(block.rows, end - first) for block in played]
        for engine, block, tally, length, own in zip(
            self.engines, played, found.tallies, found.lengths, sums, strict=True
        ):
            count_in(tally, block.rows, engine.names)
            length.merge(moments_of(own[-1][0], None))
        for (i, j), pair, apart in zip(self.places, self.pairs, found.pairs, strict=True):
            pair.compare(apart, first, units, played[i], played[j])
            apart.paired = [paired_sums(a, b) for a, b in zip(sums[i], sums[j], strict=True)]
            for what, kinds in apart.kinds.items():
                sides = [(played[place].rows, self.engines[place].names) for place in (i, j)]
                pair_kinds(kinds, what, end - first, *sides)
        return found


@lru_cache(maxsize=1)
def bench_of(rule_sets: tuple[RuleSet, ...], plan: Plan, prove: bool, which: Pairs) -> CompiledBench:
    """The bench of a run, made once in each process. Raises NotCovered."""
    return CompiledBench(rule_sets, plan, prove, which)


def prepare(rule_sets: Sequence[RuleSet], plan: Plan, prove: bool, which: Pairs) -> bool:
    """Have everything compiled; True: it is kept, so that other processes need not do it again. Raises NotCovered."""
    bench = bench_of(tuple(rule_sets), plan, prove, which)
    for pair in bench.pairs:
        pair.prepare()
    bench.at_once(0, 2)
    return is_kept(any(engine.steady for engine in bench.engines))


def begun(rules: RuleSet, plan: Plan, first: int, end: int) -> Numbers:
    """The units first … end-1 of a plan as they begin under a rule set."""
    found = numbers(end - first, at.UNIT_FIELDS)
    seeded = signed(seed_word(plan.seed))
    compiled_begin_units()(found, seeded, first, int(plan.unit == "hands"), *plan.levels, rules.start_level)
    return found


def play_units(engine: Engine, plan: Plan, units: Numbers) -> Block:
    """Units under a rule set, whose own first level first hands are of."""
    fresh = units.copy()
    first_hands = fresh[:, 3] < 0
    fresh[first_hands, 1] = fresh[first_hands, 2] = engine.rules.start_level
    return engine.block(fresh, hands=1 if plan.unit == "hands" else 0, rounds=1)


def unit_sums(rows: Numbers, units: int) -> list[tuple[Numbers, Numbers]]:
    """Each figure summed over a unit's hands, and whether it applies to any; last, how many hands there are."""
    unit = rows[:, at.R_UNIT]
    found = []
    for values, counted in columns(rows):
        there = np.ones(len(rows), dtype=np.int64) if counted is None else counted
        sums, counts = numbers(units), numbers(units)
        np.add.at(sums, unit, values * there)
        np.add.at(counts, unit, there)
        found.append((sums, counts))
    hands = numbers(units)
    np.add.at(hands, unit, 1)
    return [*found, (hands, np.ones(units, dtype=np.int64))]


def paired_sums(a: tuple[Numbers, Numbers], b: tuple[Numbers, Numbers]) -> Paired:
    columns = [*a, *b]
    there = int(np.count_nonzero((a[1] > 0) | (b[1] > 0)))
    products = [columns[i] * columns[j] for i in range(4) for j in range(i, 4)]
    return Paired(there, [int(column.sum()) for column in (*columns, *products)])


class Pair:
    """One rule set, a, against another, b."""

    def __init__(self, bench: CompiledBench, a: Engine, b: Engine) -> None:
        self.bench, self.a, self.b = bench, a, b
        self.toggles = Toggles(a.rules, b.rules)
        self.options = self.toggles.options
        self.engines: dict[str, Engine | None] = {}
        self.part = compiled_part()
        self._reasons: dict[tuple[Any, ...], tuple[str, str, str]] = {}
        self._explanations = Explanations(a.rules, b.rules, self.options)
        self._exact = not _same_worth(a, b)
        self._like: dict[str, tuple[bool, bool, bool]] = {}

    def prepare(self) -> None:
        """Make all that ``compare`` may need. Raises NotCovered."""
        if self.bench.prove and len(self.options) > 1:
            for option in self.options:
                self._toggled(option)
        self.a.settle_again(numbers(0, at.ROW))

    def compare(self, tally: PairTally, first: int, units: Numbers, a: Block, b: Block) -> None:
        """Count where the units part, and why."""
        every = np.arange(len(units), dtype=np.int64)
        found = numbers(len(units), PARTED)
        self.part(a.log, b.log, every, found)
        parted = np.flatnonzero(found[:, PLACE] >= 0)
        if not len(parted):
            return
        causes = self._causes(units, a, found, parted)
        events = np.diff(a.log.units[: len(units) + 1]) + np.diff(b.log.units[: len(units) + 1])
        settlements = iter(self._settlements(found, parted, a.rows, b.rows))
        for unit, (place, trick, kind_a, why_a, kind_b, why_b, _) in zip(
            parted.tolist(), found[parted].tolist(), strict=True
        ):
            key = (kind_a, why_a, kind_b, why_b)
            if kind_a == kind_b == at.E_SETTLE:
                by = next(settlements)
                event = phase = "settle"
            else:
                event, phase, by = self._reason(key)
            where = (event, phase, trick if phase == "play" else 0, by)
            tally.count_parting(first + unit, place, int(events[unit]), where, causes.get(unit, (JOINT,)))

    # -- which event, which rule ---------------------------------------------------------------------------------

    def _reason(self, key: tuple[int, int, int, int]) -> tuple[str, str, str]:
        """The event that tells, its phase, and the rule; of two settlements only with ``_settlements``."""
        known = self._reasons.get(key)
        if known is None:
            kind_a, why_a, kind_b, why_b = key
            one, other = self._bare(self.a, kind_a, why_a), self._bare(self.b, kind_b, why_b)
            found = parting.telling(one, other)
            kind = found["e"]
            phase = PHASE_OF.get(kind, kind)
            known = self._reasons[key] = (kind, phase, parting.reason(one, other, self.options))
        return known

    def _bare(self, engine: Engine, kind: int, why: int) -> Event | None:
        if kind < 0:
            return None
        name = EVENTS[kind]
        rule = engine.names.rules[why]
        return {"e": name, **({"room_by" if kind == at.E_BURY else "by": rule} if rule else {})}

    def _settlements(self, found: Numbers, parted: Numbers, rows_a: Numbers, rows_b: Numbers) -> Iterator[str]:
        """Of the units that part at a settlement, in order: the rule on which the two settlements explain themselves differently."""
        units = parted[at_settling(found[parted])]
        settled = found[units, SETTLED]
        rows_a = rows_a[np.searchsorted(rows_a[:, at.R_UNIT], units) + settled]
        rows_b = rows_b[np.searchsorted(rows_b[:, at.R_UNIT], units) + settled]
        yield from self._explanations.apart(
            facts(self.a.rules, rows_a, self._exact), facts(self.b.rules, rows_b, self._exact)
        )

    # -- causes --------------------------------------------------------------------------------------------------------

    def _causes(self, units: Numbers, a: Block, found: Numbers, parted: Numbers) -> dict[int, list[str]]:
        """By unit, the options each of which alone parts it there."""
        if not self.bench.prove:
            return dict.fromkeys(parted.tolist(), [UNPROVED])
        if len(self.options) == 1:
            return dict.fromkeys(parted.tolist(), list(self.options))
        causes: dict[int, list[str]] = {}
        settling = at_settling(found[parted])
        revealed = _revealed(a, len(units))[parted]
        for option in self.options:
            engine = self._toggled(option)
            if engine is None:
                continue
            again = parted
            alike, between, same_reveal = self._likeness(option, engine)
            if self.bench.plan.unit == "hands" and between:
                # The hand is played as under A up to its settlement: settled again, it need not be played again. The reveal is
                # in no table.
                known = settling if same_reveal else settling & ~revealed
                for unit in self._settled_otherwise(engine, a, parted[known]):
                    causes.setdefault(unit, []).append(option)
                unknown = ~known
                if alike:
                    unknown &= (settling | revealed) if not same_reveal else settling
                again = parted[unknown]
            if len(again):
                block = self.bench.play(engine, np.ascontiguousarray(units[again]))
                here = numbers(len(again), PARTED)
                self.part(a.log, block.log, again, here)
                for unit in again[here[:, PLACE] == found[again, PLACE]].tolist():
                    causes.setdefault(unit, []).append(option)
        return causes

    def _likeness(self, option: str, engine: Engine) -> tuple[bool, bool, bool]:
        """Does A with this option play as A does; step by step as A or as B; and are reveals the same as A's?"""
        if option not in self._like:
            a, b, other = self.a.tables, self.b.tables, engine.tables
            self._like[option] = (
                play_alike(a, other),
                between(a, b, other),
                same_answers(self.a.rules, engine.rules, "reveal"),
            )
        return self._like[option]

    def _settled_otherwise(self, engine: Engine, a: Block, units: Numbers) -> list[int]:
        """Those of the units, one hand each, that the rules of ``engine`` settle otherwise than A does."""
        if not len(units):
            return []
        # One hand a unit: the row of a unit is the one of its number.
        rows = np.ascontiguousarray(a.rows[units])
        before = rows.copy()
        engine.settle_again(rows)
        found: list[int] = units[settled_otherwise(before, rows)].tolist()
        return found

    def _toggled(self, option: str) -> Engine | None:
        if option not in self.engines:
            rules = self.toggles.rules(option)
            self.engines[option] = self.bench.engine(rules) if rules is not None else None
        return self.engines[option]


def _same_worth(a: Engine, b: Engine) -> bool:
    return np.array_equal(a.tables.worth, b.tables.worth) and int(a.tables.worth[0]) == 0


def settled_otherwise(one: Numbers, other: Numbers) -> Any:
    """Hand by hand: do two settlements of the same play say different things?"""
    differ = (one[:, SETTLED_FIELDS] != other[:, SETTLED_FIELDS]).any(axis=1)
    goes_on = (other[:, at.R_WON_BY] < 0) & (other[:, at.R_NEXT_DEALER] != one[:, at.R_NEXT_DEALER])
    return differ | goes_on


def at_settling(found: Numbers) -> Any:
    """Which of what ``part`` found are two settlements."""
    return (found[:, KIND_A] == at.E_SETTLE) & (found[:, KIND_B] == at.E_SETTLE)


def _revealed(block: Block, units: int) -> Any:
    """By unit: did it come to a reveal, or to a void deal?"""
    found = np.zeros(units, dtype=bool)
    rows = block.rows
    found[rows[(rows[:, at.R_HOW] == at.TURN_HOW) | (rows[:, at.R_REDEALS] > 0)][:, at.R_UNIT]] = True
    return found
