"""The tricks, compiled: from the first lead or from the middle of a trick to the last card."""

from __future__ import annotations

from typing import Any

from gunzi import masks
from gunzi.apps.lab.fast import layout as at
from gunzi.apps.lab.fast.choosing import follow, lead, note_play
from gunzi.apps.lab.fast.layout import Log, Scratch, Tables
from gunzi.apps.lab.fast.pieces import event, put, take
from gunzi.plugins.follow import shape
from gunzi.trump import TRUMP_LANE


def play_tricks(t: Tables, x: Scratch, log: Log, dealer: int) -> None:
    """All the tricks of a hand; the dealer leads."""
    x.table[at.LEADER] = dealer
    x.table[at.TRICK] = 1
    x.table[at.PLACED] = 0
    x.found[at.TRICK_POINTS] = 0
    for seat in range(4):
        x.voids[seat] = 0
    play_on(t, x, log, dealer)


def play_on(t: Tables, x: Scratch, log: Log, dealer: int) -> None:
    """Go on from what lies on the table until nobody holds a card; a trick of four plays is taken up first."""
    logged = log.cursor[at.ON]
    while True:
        placed = x.table[at.PLACED]
        if placed == 4:
            end_trick(x, dealer)
            if logged:
                event(log, at.E_TRICK, t.scalars[at.BY_TRICK])
                put(log, x.table[at.LEADER])
                put(log, x.table[at.PILE])
            continue
        seat = (x.table[at.LEADER] + placed) & 3
        if placed:
            p1, p2, p3 = follow(t, x, seat)
        elif x.holdings[seat, 0]:
            p1, p2, p3 = lead(t, x, seat)
        else:
            break
        take(x, seat, p1, p2, p3)
        lay(t, x, seat, p1, p2, p3)
        if logged:
            event(log, at.E_PLAY, 0)
            put(log, seat)
            put(log, p1)
            put(log, p2)
            put(log, p3)
    x.found[at.WON_BY] = x.table[at.LEADER]


def lay(t: Tables, x: Scratch, seat: int, p1: int, p2: int, p3: int) -> None:
    """A play comes onto the table."""
    table = x.table
    trump = x.found[at.TRUMP]
    power: Any = t.power[trump]
    points: Any = t.points[trump]
    worth = masks.points_of(p1, p2, p3, t.trumps[trump, at.POINTED], points)
    if table[at.PLACED] == 0:
        lane, n = shape(p1, p2, p3)
        table[at.LANE] = lane
        table[at.LED] = n
        table[at.STRONGEST] = masks.play_power(p1, p2, p3, n, lane, TRUMP_LANE, power)
        table[at.WINNING] = seat
        table[at.PILE] = worth
    else:
        strength = masks.play_power(p1, p2, p3, table[at.LED], table[at.LANE], TRUMP_LANE, power)
        if strength > table[at.STRONGEST]:
            table[at.STRONGEST] = strength
            table[at.WINNING] = seat
        table[at.PILE] += worth
    note_play(t, x, seat, p1, p2, p3)
    table[at.PLACED] += 1


def end_trick(x: Scratch, dealer: int) -> None:
    """The trick goes to whoever wins it, who leads the next one."""
    table = x.table
    winner = table[at.WINNING]
    if (winner ^ dealer) & 1:
        x.found[at.TRICK_POINTS] += table[at.PILE]
    table[at.LEADER] = winner
    table[at.TRICK] += 1
    table[at.PLACED] = 0
