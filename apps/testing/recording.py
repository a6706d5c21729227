"""Records: written, read, checked, resumed; the same acts always give the same record."""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import Any, Final

from gunzi.apps.testing.playing import steps
from gunzi.apps.testing.report import Report
from gunzi.hand import Hand
from gunzi.loading import from_header, load_text
from gunzi.record import Record
from gunzi.resuming import resume
from gunzi.ruleset import RuleSet
from gunzi.table import Table
from gunzi.verifying import verify
from gunzi.writing import variant_text

CHECK: Final = "records"
CUTS: Final = 4


def check_records(rules: RuleSet, report: Report, *, hands: int, seed: int) -> None:
    """A table's record survives saving and loading, verifies, and can be resumed where it was cut."""
    with report.part(CHECK, rules.id):
        table = Table(rules, seed=seed, hands=hands, rounds=None)
        moments: list[tuple[int, Hand]] = []
        acts: list[tuple[int, Any]] = []
        for seat, act in steps(table, seed):
            acts.append((seat, act))
            # After a pass, of which nothing is written, a record resumes at the question that was passed.
            if table.hand.phase == "play" and table.events[-1]["e"] in ("play", "trick"):
                moments.append((len(table.events), table.hand.copy()))
        record = table.record
        again = Table(rules, seed=seed, hands=hands, rounds=None)
        for seat, act in acts:
            again.do(seat, act)
        report.that(again.record.text() == record.text(), CHECK, rules.id, "the same acts give another record")
        _check_file(record, rules, report)
        found = verify(record)
        report.that(found.table.scores == table.scores, CHECK, rules.id, "a verified record comes to other scores")
        for written, hand in moments[:: max(1, len(moments) // CUTS)]:
            resumed = resume(Record(record.header, record.events[:written]), hands=hands)
            where = f"{rules.id}, seed {seed}, event {written}"
            same = _in_play(resumed.hand) == _in_play(hand)
            report.that(same, CHECK, where, "a record resumed here gives another hand")


def _in_play(hand: Hand) -> tuple[Any, ...]:
    """A hand apart from what only its deal knew."""
    return tuple(
        getattr(hand, name) for name in ("trump", "holdings", "bottom", "turn", "lead", "attackers_points")
    ) + (
        tuple(sorted(hand.extra.items(), key=repr)),
        hand.phase,
    )


def _check_file(record: Record, rules: RuleSet, report: Report) -> None:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "table.jsonl"
        record.save(path)
        report.that(
            Record.load(path) == record, CHECK, rules.id, "a record is not what it was when it is saved and loaded"
        )
        text = path.read_text(encoding="utf-8")
    report.that(text == Record.parse(text).text(), CHECK, rules.id, "a record read and written is not the same text")


def check_round_trips(rules: RuleSet, report: Report) -> None:
    """A rule set as a variant file, and as a record's header, is the same rule set again."""
    check = "round-trips"
    with report.part(check, rules.id):
        text = variant_text(rules, "written")
        report.that(load_text(text) == rules, check, rules.id, f"written as a file it is another rule set:\n{text}")
    with report.part(check, rules.id):
        again = from_header({"rules": rules.as_json()})
        report.that(again == rules, check, rules.id, "from a record's header it is another rule set")
