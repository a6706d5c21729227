"""Tables taken up again: from a record, or as they stood before the last act."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from gunzi.acts import Pass
from gunzi.record import JOURNAL, Record
from gunzi.ruleset import RuleSet
from gunzi.table import Deals, Table
from gunzi.verifying import Replay


def resume(
    record: Record,
    rules: RuleSet | None = None,
    *,
    paced: bool = False,
    hold: bool = False,
    deals: Deals | None = None,
    thorough: bool = True,
    **limits: Any,
) -> Table:
    """The table a record was saved from, ready to be played on: same hands, same turn. Raises RecordError.

    ``limits`` are ``rounds`` and ``hands`` of the table that goes on; ``paced``, ``hold`` and ``deals`` are as for ``Table``. A
    seed in the header goes on dealing the same cards. ``thorough``: check also what was taken back later, as ``verify`` does;
    a table's own journal need not be.
    """
    replay = Replay(record, rules, limits=limits)
    replay.run(thorough)
    table = replay.table
    if table.log is not None and len(replay.events) != len(record.events):
        # What was taken back and the rows of a journal stay in the history; what the table wrote since is counted on.
        kept = [event for event in record.events if event.get("e") not in JOURNAL]
        counted = [event for event in replay.events if event.get("e") not in JOURNAL]
        table.log.continue_from(kept, table.log.events[len(counted) :])
    table.go_live(paced, hold=hold, deals=deals)
    return table


def take_back(table: Table, agreed: Sequence[int]) -> Table:
    """The table as it stood before the last act, which the seats ``agreed`` to take back: its record says so, in an ``undo``.

    Raises Refused where nothing may be taken back (``Table.may_take_back``). The old table is as it was, and no longer of use.
    """
    found = table.may_take_back()
    if found is None:
        raise table.rules.refuse("table.undo")
    seat, to, kind = found
    while to and table.events[to - 1]["e"] == "undo":
        to = table.events[to - 1]["to"]  # the act was made again after it had been taken back
    undo = {"e": "undo", "n": len(table.events) + 1, "to": to, "agreed": list(agreed)}
    again = resume(
        Record(table.header, [*table.events, undo]),
        table.rules,
        paced=table.paced,
        hold=table.hold,
        deals=table.deals,
        thorough=False,
        rounds=table.rounds,
        hands=table.hands,
    )
    while again.ask.kind == "bury_kings" and (again.ask.seat, again.ask.kind) != (seat, kind):
        again.do(again.ask.seat, Pass())  # who buried no kings has left no event
    again.forget_last_act()
    return again
