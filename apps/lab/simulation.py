"""One rule set, played for a while: what came out."""

from __future__ import annotations

import json
import time
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO, Any

from gunzi.apps.lab.errors import LabError
from gunzi.apps.lab.estimates import Estimate, Moments
from gunzi.apps.lab.fast import A_ROUND, Decision, Mode, decide
from gunzi.apps.lab.measures import (
    HANDS_A_ROUND,
    KIND_TEXT,
    KINDS,
    MEASURES,
    Value,
    kinds_of,
    measure_name,
    values_of,
)
from gunzi.apps.lab.sections import Row, Section, interval, number
from gunzi.apps.players import parse_policy, play_table, player
from gunzi.errors import Text
from gunzi.hand import Hand
from gunzi.ruleset import RuleSet
from gunzi.table import Table

Progress = Callable[[int, int], None]


class Tally:
    """The figures of settled hands, added up exactly."""

    def __init__(self) -> None:
        self.moments = [Moments() for _ in MEASURES]
        self.kinds: dict[str, Counter[str]] = {kinds.id: Counter() for kinds in KINDS}
        self.hands = 0

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

    def estimates(self) -> dict[str, Estimate]:
        """Every figure's mean."""
        return {
            measure.id: moments.share() if measure.share else moments.estimate()
            for measure, moments in zip(MEASURES, self.moments, strict=True)
        }

    def counts(self) -> dict[str, dict[str, int]]:
        """Every kind's count, the most frequent first."""
        return {what: _most_first(counted) for what, counted in self.kinds.items()}


def _most_first(counted: Counter[str]) -> dict[str, int]:
    return dict(sorted(counted.items(), key=lambda item: (-item[1], item[0])))


@dataclass(frozen=True, slots=True)
class Report:
    """What a simulation found; ``seconds`` is how long it took, ``note`` why it was not played compiled (None: nobody asked); both
    are no part of ``as_json``."""

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


class _Recorder:
    """Writes a record as hands finish: the header first, then each hand's events; then they are forgotten."""

    def __init__(self, table: Table, file: IO[str]) -> None:
        self.table = table
        self.file = file
        self._write(table.header)

    def _write(self, row: Any) -> None:
        self.file.write(json.dumps(row, ensure_ascii=False) + "\n")

    def flush(self, finished: bool) -> None:
        """Write the events of the hands that are over, and forget them."""
        events = self.table.events
        keep = 0
        if not finished:
            # The next hand has begun already: its events stay until it is over.
            keep = next((n for n in range(1, len(events) + 1) if events[-n]["e"] == "hand"), 0)
        done = len(events) - keep
        for event in events[:done]:
            self._write(event)
        del events[:done]


def simulate(
    rules: RuleSet,
    *,
    hands: int | None = None,
    rounds: int | None = None,
    seed: int,
    policy: str | Sequence[str] = "random",
    record: str | Path | None = None,
    progress: Progress | None = None,
    fast: Mode = "auto",
) -> Report:
    """Play one table for so many hands or rounds.

    ``fast``: compiled (``fast/``), where that is possible and pays; the report is the same.

    ``record``: the file gets every finished hand, also when interrupted. Ctrl-C ends the run early and is reported.
    Raises LabError, UnknownPlayerError, and OSError where the record cannot be written.
    """
    unit, wanted = check_amount(hands, rounds, seed)
    names = policy_of(policy)
    began = time.perf_counter()
    how = decide(fast, [rules], names, hands if hands is not None else wanted * A_ROUND, seed)
    if record is not None and how.use:
        how = Decision(False, Text("记牌谱要一把一把打", "a record is written hand by hand") if fast == "on" else None)
    played: TableRun | None = None
    note = how.note
    if how.use:
        played, note = _play_compiled(rules, names, hands or 0, rounds or 0, seed, progress)
    if played is None:
        played = _play(rules, hands, rounds, seed, names, record, progress)
    tally = played.tally
    return Report(
        rules=rules.id,
        hash=rules.hash,
        seed=seed,
        policy=names,
        unit=unit,
        wanted=wanted,
        hands=tally.hands,
        rounds=played.rounds,
        redeals=played.redeals,
        interrupted=played.interrupted,
        measures=tally.estimates() | _hands_a_round(played),
        tables=tally.counts(),
        scores=played.scores,
        seconds=time.perf_counter() - began,
        note=note,
    )


@dataclass(slots=True)
class TableRun:
    """What a table came to; ``over``: it was played to its end."""

    tally: Tally = field(default_factory=Tally)
    redeals: int = 0
    rounds: int = 0
    scores: tuple[int, int, int, int] = (0, 0, 0, 0)
    over: bool = False
    interrupted: bool = False


def _play_compiled(
    rules: RuleSet, names: Sequence[str], hands: int, rounds: int, seed: int, progress: Progress | None
) -> tuple[TableRun | None, Text | None]:
    """The table played compiled; or None and why not."""
    from gunzi.apps.lab.fast.simulating import play_compiled  # numba takes half a second

    return play_compiled(rules, names, hands=hands, rounds=rounds, seed=seed, progress=progress)


def _play(
    rules: RuleSet,
    hands: int | None,
    rounds: int | None,
    seed: int,
    names: Sequence[str],
    record: str | Path | None,
    progress: Progress | None,
) -> TableRun:
    """The table played by the engine."""
    players = [player(name) for name in names]
    run = TableRun()
    file = open(record, "w", encoding="utf-8", newline="\n") if record is not None else None  # noqa: SIM115
    try:
        table = Table(
            rules,
            seed=seed,
            hands=hands,
            rounds=rounds,
            record=file is not None,
            watched=any(each.looks for each in players),
            players=[{"name": f"{name}-{seat}", "kind": "bot"} for seat, name in enumerate(names)],
        )
        recorder = _Recorder(table, file) if file is not None else None

        def finished(hand: Hand) -> None:
            if hand.settlement is None:
                run.redeals += 1
                return
            run.tally.add(values_of(hand), kinds_of(hand))
            if recorder is not None:
                recorder.flush(table.over)
            if progress is not None:
                done, wanted = (run.tally.hands, hands) if hands is not None else (sum(table.rounds_won), rounds)
                progress(done, wanted or 0)

        try:
            play_table(table, players, seed, finished=finished)
        except KeyboardInterrupt:
            run.interrupted = True
    finally:
        if file is not None:
            file.close()
    scores = table.scores
    run.rounds, run.over = sum(table.rounds_won), table.over
    run.scores = (scores[0], scores[1], scores[2], scores[3])
    return run


def _hands_a_round(played: TableRun) -> dict[str, Estimate]:
    """The mean over the finished rounds; how far it may be off is told by whole rounds only, not by a running table."""
    done = played.rounds
    mean = played.tally.hands / done if done and played.over else None
    return {HANDS_A_ROUND.id: Estimate(mean, None, None, done)}
