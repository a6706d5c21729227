"""One rule set, played for a while: what came out."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Final

from gunzi.apps.lab.blocks import Layout, Ticks
from gunzi.apps.lab.errors import LabError
from gunzi.apps.lab.estimates import Estimate, Moments, check_counts
from gunzi.apps.lab.fast import A_ROUND, Decision, Mode, decide
from gunzi.apps.lab.interrupts import held
from gunzi.apps.lab.measures import (
    HANDS_A_ROUND,
    KIND_TEXT,
    KINDS,
    MEASURES,
    Measure,
    Value,
    kinds_in_order,
    kinds_of,
    measure_name,
    values_of,
)
from gunzi.apps.lab.recording import Recorder, check_free, record_path
from gunzi.apps.lab.runs import Means, Outcome, Progress, Task, run_blocks, told
from gunzi.apps.lab.sections import Row, Section, interval, number
from gunzi.apps.players import parse_policy, play_table, player
from gunzi.chance import POLICY, stream
from gunzi.errors import Text
from gunzi.hand import Hand
from gunzi.ruleset import RuleSet
from gunzi.table import Table


@dataclass(slots=True)
class Tally:
    """The figures of settled hands, added up exactly."""

    moments: list[Moments] = field(default_factory=lambda: [Moments() for _ in MEASURES])
    kinds: dict[str, Counter[str]] = field(default_factory=lambda: {kinds.id: Counter() for kinds in KINDS})
    hands: int = 0

    def add(self, values: Sequence[Value], kinds: Sequence[tuple[str, str]]) -> None:
        """Count a hand in."""
        self.hands += 1
        for moments, value in zip(self.moments, values, strict=True):
            if value is not None:
                moments.add(value)
        for what, kind in kinds:
            self.kinds[what][kind] += 1

    def merge(self, other: Tally) -> None:
        """Count in all that another has counted."""
        self.hands += other.hands
        for mine, theirs in zip(self.moments, other.moments, strict=True):
            mine.merge(theirs)
        for what, counted in other.kinds.items():
            self.kinds[what].update(counted)

    def check(self) -> None:
        """Raises ValueError where no hands come to this."""
        check_shares(MEASURES, self.moments)
        check_counts(self.hands, *(moments.count for moments in self.moments))
        if self.kinds.keys() != {kinds.id for kinds in KINDS}:
            raise ValueError("other kinds are counted")
        for counted in self.kinds.values():
            check_counts(counted.total(), *counted.values())

    def estimates(self) -> dict[str, Estimate]:
        """Every figure's mean."""
        return {
            measure.id: moments.share() if measure.share else moments.estimate()
            for measure, moments in zip(MEASURES, self.moments, strict=True)
        }

    def counts(self) -> dict[str, dict[str, int]]:
        """Every kind's count, the most frequent first."""
        return {what: {kind: counted[kind] for kind in kinds_in_order(counted)} for what, counted in self.kinds.items()}


def check_shares(measures: Sequence[Measure], found: Sequence[Moments]) -> None:
    """Raises ValueError where there is not one for each of these figures, or a share is of something else than 0 and 1."""
    for measure, moments in zip(measures, found, strict=True):
        if measure.share:
            moments.check(0, 1)


@dataclass(frozen=True, slots=True)
class Report:
    """What a simulation found. No part of ``as_json``: ``seconds``, how long it took; ``trouble``, what ended it early, in words
    (None: nothing, or Ctrl-C); ``note``, why it was not played compiled (None: nobody asked)."""

    rules: str
    hash: str
    seed: int
    policy: tuple[str, str, str, str]
    unit: str
    wanted: int
    hands: int
    rounds: int
    redeals: int
    interrupted: bool
    measures: dict[str, Estimate]
    tables: dict[str, dict[str, int]]
    scores: tuple[int, int, int, int]
    seconds: float
    trouble: Text | None = None
    note: Text | None = None

    def as_json(self) -> dict[str, Any]:
        """Plain data: the same command gives the same."""
        return {
            "rules": self.rules,
            "hash": self.hash,
            "seed": self.seed,
            "policy": list(self.policy),
            "unit": self.unit,
            "wanted": self.wanted,
            "hands": self.hands,
            "rounds": self.rounds,
            "redeals": self.redeals,
            "interrupted": self.interrupted,
            "measures": {id: estimate.as_json() for id, estimate in self.measures.items()},
            "counts": {id: dict(counts) for id, counts in self.tables.items()},
            "scores": list(self.scores),
        }

    def rows(self) -> tuple[Section, ...]:
        """What to print."""
        shares = {measure.id for measure in MEASURES if measure.share}
        figures = tuple(
            Row(id, measure_name(id), (number(each.mean, id in shares), interval(each, id in shares)))
            for id, each in self.measures.items()
        )
        sections = [
            Section(
                Text("每把的数字", "figures of a hand"),
                (Text("平均", "mean"), Text("99% 区间", "99% interval")),
                figures,
            )
        ]
        for kinds in KINDS:
            counts = self.tables[kinds.id]
            total = sum(counts.values())
            rows = tuple(
                Row(kind, KIND_TEXT.get(kind, Text(kind, kind)), (str(count), number(count / total, True)))
                for kind, count in counts.items()
            )
            sections.append(Section(kinds.name, (Text("次数", "count"), Text("占", "share")), rows))
        return tuple(section for section in sections if section.rows)


def check_amount(hands: int | None, rounds: int | None, seed: int) -> tuple[str, int]:
    """The unit and how many of it. Raises LabError."""
    if (hands is None) == (rounds is None):
        raise LabError(
            Text("把数和轮数要给一个，只能给一个", "give a number of hands or a number of rounds, one of them")
        )
    wanted = hands if hands is not None else rounds
    assert wanted is not None
    if wanted < 1:
        raise LabError(Text(f"至少要打一把，不能是 {wanted}", f"there must be at least one, not {wanted}"))
    if seed < 0:
        raise LabError(Text(f"种子是 0 起的整数，不能是 {seed!r}", f"a seed is a whole number from 0, not {seed!r}"))
    return ("hands" if hands is not None else "rounds"), wanted


def policy_of(policy: str | Sequence[str]) -> tuple[str, str, str, str]:
    """The four players' names. Raises UnknownPlayerError."""
    return parse_policy(policy if isinstance(policy, str) else ",".join(policy))


HANDS_A_TABLE: Final = 1000
ROUNDS_A_TABLE: Final = 50
"""A table gets up after so many, and the next one, with dice of its own, goes on: so tables can be played side by side."""
TABLES_A_BLOCK: Final = 8
_TABLE_SEED: Final = 2
"""Seat of the stream that tables' seeds are from."""


def simulate(
    rules: RuleSet,
    *,
    hands: int | None = None,
    rounds: int | None = None,
    seed: int,
    policy: str | Sequence[str] = "random",
    record: str | Path | None = None,
    progress: Progress | None = None,
    jobs: int = 1,
    resume: str | Path | None = None,
    cluster: str | None = None,
    fast: Mode = "auto",
) -> Report:
    """Play so many hands or rounds, a thousand hands (or 50 rounds) a table. The report is the same whatever ``jobs``, ``cluster`` and
    ``fast`` (compiled, where that is possible and pays).

    ``record``: the file gets every finished hand, also when interrupted; further tables' are beside it (``run-2.jsonl`` …). None
    of these may be there already, unless it is empty or no plain file.
    ``resume``: a file that keeps finished tables; given again, the run goes on with them. ``cluster``: the address of a
    dask.distributed scheduler. Ctrl-C ends the run early and is reported. Raises LabError, UnknownPlayerError, and OSError
    where a file cannot be written.
    """
    unit, wanted = check_amount(hands, rounds, seed)
    names = policy_of(policy)
    if record is not None and (resume is not None or cluster is not None):
        raise LabError(
            Text(
                "记牌谱不能和 resume、cluster 一起用：牌谱要在这里一口气写完",
                "a record goes with neither resume nor cluster: it is written here and in one go",
            )
        )
    began = time.perf_counter()
    grain = HANDS_A_TABLE if unit == "hands" else ROUNDS_A_TABLE
    if record is not None:
        check_free(record, -(-wanted // grain))
    task = Task(
        make=TableBench,
        shared=(rules, names, unit, seed, record),
        wanted=wanted,
        layout=Layout(grain, TABLES_A_BLOCK * grain, grain),
        nothing=Simulated(),
        question={
            "command": "simulate",
            "rules": [rules.hash],
            "seed": seed,
            "policy": list(names),
            "unit": unit,
            "measures": [measure.id for measure in MEASURES],
        },
    )
    means = Means(jobs, resume, cluster)
    how = decide(fast, [rules], names, hands if hands is not None else wanted * A_ROUND, seed)
    if record is not None and how.use:
        how = Decision(False, Text("记牌谱要一把一把打", "a record is written hand by hand") if fast == "on" else None)
    outcome, note = None, how.note
    if how.use:
        outcome, note = _compiled(task, means, progress)
    if outcome is None:
        outcome = run_blocks(task, means, progress)
    found = outcome.found
    return Report(
        rules=rules.id,
        hash=rules.hash,
        seed=seed,
        policy=names,
        unit=unit,
        wanted=wanted,
        hands=found.tally.hands,
        rounds=found.rounds,
        redeals=found.redeals,
        interrupted=outcome.interrupted,
        measures=found.tally.estimates() | _hands_a_round(found),
        tables=found.tally.counts(),
        scores=found.scores,
        seconds=time.perf_counter() - began,
        trouble=outcome.trouble,
        note=note,
    )


def _compiled(
    task: Task[Simulated], means: Means, progress: Progress | None
) -> tuple[Outcome[Simulated] | None, Text | None]:
    """The same task played compiled; or None and why not."""
    from gunzi.apps.lab.fast import simulating  # numba takes half a second
    from gunzi.apps.lab.fast.names import NotCovered

    try:
        if not simulating.prepare(*task.shared):
            means = replace(means, jobs=1)
        most = simulating.TABLES_A_BLOCK * task.layout.grain
        task = replace(task, make=simulating.CompiledTables, layout=replace(task.layout, most=most))
        return run_blocks(task, means, progress), None
    except NotCovered as found:
        return None, found.text


@dataclass(slots=True)
class TableRun:
    """What a table came to; ``over``: it was played to its end."""

    tally: Tally = field(default_factory=Tally)
    redeals: int = 0
    rounds: int = 0
    scores: tuple[int, int, int, int] = (0, 0, 0, 0)
    over: bool = False
    interrupted: bool = False
    trouble: Text | None = None


@dataclass(slots=True)
class Simulated:
    """What tables came to; ``over``: all of them were played to their ends."""

    done: int = 0
    tally: Tally = field(default_factory=Tally)
    redeals: int = 0
    rounds: int = 0
    scores: tuple[int, int, int, int] = (0, 0, 0, 0)
    over: bool = True
    trouble: Text | None = None

    def merge(self, other: Simulated) -> None:
        """Count in later tables."""
        self.done += other.done
        self.tally.merge(other.tally)
        self.redeals += other.redeals
        self.rounds += other.rounds
        self.scores = _sum(self.scores, other.scores)
        self.over = self.over and other.over
        self.trouble = self.trouble or other.trouble

    def check(self) -> None:
        """Raises ValueError where no tables come to this."""
        check_counts(max(self.tally.hands, self.rounds), self.rounds)
        if self.redeals < 0:
            raise ValueError(f"{self.redeals} redeals")

    def add(self, run: TableRun, unit: str) -> None:
        """Count in a table."""
        done = run.tally.hands if unit == "hands" else run.rounds
        self.merge(Simulated(done, run.tally, run.redeals, run.rounds, run.scores, run.over, run.trouble))


def _sum(a: tuple[int, int, int, int], b: tuple[int, int, int, int]) -> tuple[int, int, int, int]:
    return (a[0] + b[0], a[1] + b[1], a[2] + b[2], a[3] + b[3])


def table_seed(seed: int, table: int) -> int:
    """The seed of table 0, 1, … of a simulation: the first one's is the simulation's own."""
    return stream(seed, table, POLICY, _TABLE_SEED) if table else seed


class TableBench:
    """What a process needs to play tables; made once in each."""

    def __init__(
        self, rules: RuleSet, names: Sequence[str], unit: str, seed: int, record: str | Path | None = None
    ) -> None:
        self.rules = rules
        self.names = names
        self.unit = unit
        self.seed = seed
        self.record = record
        self.grain = HANDS_A_TABLE if unit == "hands" else ROUNDS_A_TABLE

    def block(self, first: int, end: int, tick: Ticks) -> Simulated:
        """Play the tables of the hands or rounds first … end-1; ``first`` begins a table."""
        found = Simulated()
        for start in range(first, end, self.grain):
            run = self.table(start // self.grain, min(self.grain, end - start), lambda done: tick(found.done + done))
            found.add(run, self.unit)
            if run.interrupted:
                break
        return found

    def table(self, number: int, amount: int, tick: Ticks) -> TableRun:
        """Play a table for so many hands or rounds."""
        hands, rounds = (amount, None) if self.unit == "hands" else (None, amount)
        record = record_path(self.record, number) if self.record is not None else None
        return _play(self.rules, hands, rounds, table_seed(self.seed, number), self.names, record, tick)


def _play(
    rules: RuleSet,
    hands: int | None,
    rounds: int | None,
    seed: int,
    names: Sequence[str],
    record: str | Path | None,
    tick: Ticks,
) -> TableRun:
    """The table played by the engine."""
    players = [player(name) for name in names]
    run = TableRun()
    recorder = Recorder(record) if record is not None else None
    try:
        table = Table(
            rules,
            seed=seed,
            hands=hands,
            rounds=rounds,
            record=recorder is not None,
            watched=any(each.looks for each in players),
            players=[{"name": f"{name}-{seat}", "kind": "bot"} for seat, name in enumerate(names)],
        )

        def finished(hand: Hand) -> None:
            if hand.settlement is None:
                run.redeals += 1
                return
            values, kinds = values_of(hand), kinds_of(hand)
            if recorder is not None:
                recorder.flush(table, table.over)
            with held():
                run.tally.add(values, kinds)
            tick(run.tally.hands if hands is not None else sum(table.rounds_won))

        try:
            play_table(table, players, seed, finished=finished)
        except KeyboardInterrupt:
            run.interrupted = True
        except OSError as error:
            if not run.tally.hands:
                raise
            run.interrupted, run.trouble = True, told(error)
    finally:
        if recorder is not None:
            recorder.close()
    scores = table.scores
    run.rounds, run.over = sum(table.rounds_won), table.over
    run.scores = (scores[0], scores[1], scores[2], scores[3])
    return run


def _hands_a_round(found: Simulated) -> dict[str, Estimate]:
    """The mean over the finished rounds; how far it may be off is told by whole rounds only, not by running tables."""
    done = found.rounds
    mean = found.tally.hands / done if done and found.over else None
    return {HANDS_A_ROUND.id: Estimate(mean, None, None, done)}
