"""Logs side by side, compiled: where they part; and rows settled again under other rules."""

from __future__ import annotations

from collections.abc import Sequence

from gunzi.apps.lab.fast import layout as at
from gunzi.apps.lab.fast.layout import Log, Memo, Numbers, Tables
from gunzi.apps.lab.fast.settling import come_to

PLACE, TRICK, KIND_A, WHY_A, KIND_B, WHY_B, SETTLED = range(7)
PARTED = 7
"""Columns of what ``part`` finds: the number of the first event that differs (-1: none does), the trick it is in, kind and rule of
either event (-1: the unit is over there), how many hands were settled before."""


def part(a: Log, b: Log, chosen: Numbers, found: Numbers) -> None:
    """Compare the units ``chosen`` of log a with the units 0, 1, 2 … of log b, event by event; which rule an event names is not
    compared."""
    for place in range(len(chosen)):
        unit = chosen[place]
        first_a = a.units[unit]
        first_b = b.units[place]
        events_a = a.units[unit + 1] - first_a
        events_b = b.units[place + 1] - first_b
        row = found[place]
        row[PLACE] = -1
        trick = 1
        settled = 0
        for n in range(max(events_a, events_b)):
            kind_a = -1
            kind_b = -1
            start_a = 0
            start_b = 0
            size_a = 0
            size_b = 0
            if n < events_a:
                start_a = a.events[first_a + n, 0]
                size_a = end_of(a, first_a + n) - start_a
                kind_a = a.data[start_a]
            if n < events_b:
                start_b = b.events[first_b + n, 0]
                size_b = end_of(b, first_b + n) - start_b
                kind_b = b.data[start_b]
            same = size_a == size_b
            if same:
                for i in range(size_a):
                    if a.data[start_a + i] != b.data[start_b + i]:
                        same = False
                        break
            if not same:
                row[PLACE] = n
                row[TRICK] = trick
                row[KIND_A] = kind_a
                row[WHY_A] = a.events[first_a + n, 1] if kind_a >= 0 else 0
                row[KIND_B] = kind_b
                row[WHY_B] = b.events[first_b + n, 1] if kind_b >= 0 else 0
                row[SETTLED] = settled
                break
            if kind_a == at.E_TRICK:
                trick += 1
            elif kind_a == at.E_HAND:
                trick = 1
            elif kind_a == at.E_SETTLE:
                settled += 1


def end_of(log: Log, event: int) -> int:
    """Where the numbers of an event end."""
    return log.events[event + 1, 0] if event + 1 < log.cursor[at.EVENT_COUNT] else log.cursor[at.USED]


def settle_again(tables: Sequence[Tables], memo: Memo, rows: Numbers, start: int) -> int:
    """Settle rows from ``start`` on by other rules than they were played by. Answers how many are done and, times 16, what the
    rules have to be asked about the next one."""
    t = tables[0]
    for place in range(start, len(rows)):
        status = come_to(t, memo, rows[place])
        if status != at.DONE:
            return place << 4 | status
    return len(rows) << 4
