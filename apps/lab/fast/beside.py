"""What a comparison does beside playing, compiled: units as they begin, logs side by side, rows settled again by other rules."""

from __future__ import annotations

from collections.abc import Sequence

from gunzi.apps.lab.fast import layout as at
from gunzi.apps.lab.fast.layout import Log, Memo, Numbers, Tables
from gunzi.apps.lab.fast.settling import come_to
from gunzi.apps.lab.situations import drawn
from gunzi.chance import POLICY, stream_from

PLACE, TRICK, KIND_A, WHY_A, KIND_B, WHY_B, SETTLED = range(7)
PARTED = 7
"""Columns of what ``part`` finds: the number of the first event that differs (-1: none does), the trick it is in, kind and rule of
either event (-1: the unit is over there), how many hands were settled before."""


def begin_units(units: Numbers, seeded: int, first: int, later: int, low: int, high: int, start: int) -> None:
    """The units ``first``, ``first`` + 1 … as they begin: every other one a later hand of the levels low … high where ``later`` is
    1, all others first hands of a round. ``seeded`` is the run's ``chance.seed_word``."""
    for place in range(len(units)):
        k = first + place
        unit = units[place]
        unit[0] = stream_from(seeded, k, POLICY, 0)
        unit[1] = start
        unit[2] = start
        unit[3] = -1
        unit[4] = -1
        unit[5] = -1
        unit[6] = 0
        if later and k & 1:
            dealer, one, other, cards = drawn(stream_from(seeded, k, POLICY, 1), low, high)
            unit[1] = one
            unit[2] = other
            unit[3] = dealer
            if cards:
                unit[4] = (dealer + 3) & 3
                unit[5] = dealer
                unit[6] = cards


def part(a: Log, b: Log, chosen: Numbers, found: Numbers) -> None:
    """Compare the units ``chosen`` of log a with the units 0, 1, 2 … of log b, event by event; which rule an event names is not
    compared."""
    data_a = a.data
    data_b = b.data
    for place in range(len(chosen)):
        unit = chosen[place]
        first_a = a.units[unit]
        first_b = b.units[place]
        events_a = a.units[unit + 1] - first_a
        events_b = b.units[place + 1] - first_b
        start_a = start_of(a, first_a)
        start_b = start_of(b, first_b)
        size_a = start_of(a, first_a + events_a) - start_a
        size_b = start_of(b, first_b + events_b) - start_b
        same = 0
        most = min(size_a, size_b)
        while same < most and data_a[start_a + same] == data_b[start_b + same]:
            same += 1
        row = found[place]
        row[PLACE] = -1
        if same == size_a == size_b:
            continue
        # The first event that differs is the first one whose numbers do not all lie before the first number that differs.
        trick = 1
        settled = 0
        n = 0
        while True:
            next_a = start_of(a, first_a + n + 1) - start_a if n < events_a else -1
            next_b = start_of(b, first_b + n + 1) - start_b if n < events_b else -1
            if next_a < 0 or next_b < 0 or next_a > same or next_b > same or next_a != next_b:
                break
            kind = data_a[start_of(a, first_a + n)]
            if kind == at.E_TRICK:
                trick += 1
            elif kind == at.E_HAND:
                trick = 1
            elif kind == at.E_SETTLE:
                settled += 1
            n += 1
        row[PLACE] = n
        row[TRICK] = trick
        row[KIND_A] = data_a[start_of(a, first_a + n)] if n < events_a else -1
        row[WHY_A] = a.events[first_a + n, 1] if n < events_a else 0
        row[KIND_B] = data_b[start_of(b, first_b + n)] if n < events_b else -1
        row[WHY_B] = b.events[first_b + n, 1] if n < events_b else 0
        row[SETTLED] = settled


def start_of(log: Log, event: int) -> int:
    """Where the numbers of an event begin; of the event after the last one: where there are no more."""
    return log.events[event, 0] if event < log.cursor[at.EVENT_COUNT] else log.cursor[at.USED]


def settle_again(tables: Sequence[Tables], memo: Memo, rows: Numbers, start: int) -> int:
    """Settle rows from ``start`` on by other rules than they were played by. Answers how many are done and, times 16, what the
    rules have to be asked about the next one."""
    t = tables[0]
    for place in range(start, len(rows)):
        status = come_to(t, memo, rows[place])
        if status != at.DONE:
            return place << 4 | status
    return len(rows) << 4
