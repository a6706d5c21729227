"""The tricks, compiled: random legal plays."""

from __future__ import annotations

from typing import Any

from gunzi import masks
from gunzi.apps.lab.fast import layout as at
from gunzi.apps.lab.fast.layout import Log, Scratch, Tables
from gunzi.apps.lab.fast.pieces import draw, event, put
from gunzi.plugins.follow import shape
from gunzi.trump import TRUMP_LANE


def play_tricks(t: Tables, x: Scratch, log: Log, dealer: int) -> None:
    """All the tricks; the dealer leads."""
    trump = x.found[at.TRUMP]
    power: Any = t.power[trump]
    points: Any = t.points[trump]
    pointed = t.trumps[trump, at.POINTED]
    strict = t.scalars[at.STRICT]
    split = t.scalars[at.SPLIT]
    holdings = x.holdings
    attackers = 0
    leader = dealer
    trick = 1
    while holdings[leader, 0]:
        h1 = holdings[leader, 0]
        h2 = holdings[leader, 1]
        h3 = holdings[leader, 2]
        k = draw(x.bases[leader], trick, 0, masks.lead_count(h1, h2, h3))
        p1, p2, p3 = masks.lead_kth(h1, h2, h3, k)
        n1, n2, n3 = masks.remove(h1, h2, h3, p1, p2, p3)
        holdings[leader, 0] = n1
        holdings[leader, 1] = n2
        holdings[leader, 2] = n3
        lane, n = shape(p1, p2, p3)
        strongest = masks.play_power(p1, p2, p3, n, lane, TRUMP_LANE, power)
        pile = masks.points_of(p1, p2, p3, pointed, points)
        winner = leader
        if log.cursor[at.ON]:
            event(log, at.E_PLAY, 0)
            put(log, leader)
            put(log, p1)
            put(log, p2)
            put(log, p3)
        for step in range(1, 4):
            seat = (leader + step) & 3
            h1 = holdings[seat, 0]
            h2 = holdings[seat, 1]
            h3 = holdings[seat, 2]
            count = masks.follow_count(h1, h2, h3, lane, n, strict, split)
            k = draw(x.bases[seat], trick, 0, count)
            p1, p2, p3 = masks.follow_kth(h1, h2, h3, lane, n, strict, split, k)
            n1, n2, n3 = masks.remove(h1, h2, h3, p1, p2, p3)
            holdings[seat, 0] = n1
            holdings[seat, 1] = n2
            holdings[seat, 2] = n3
            strength = masks.play_power(p1, p2, p3, n, lane, TRUMP_LANE, power)
            if strength > strongest:
                strongest = strength
                winner = seat
            pile += masks.points_of(p1, p2, p3, pointed, points)
            if log.cursor[at.ON]:
                event(log, at.E_PLAY, 0)
                put(log, seat)
                put(log, p1)
                put(log, p2)
                put(log, p3)
        if (winner ^ dealer) & 1:
            attackers += pile
        if log.cursor[at.ON]:
            event(log, at.E_TRICK, t.scalars[at.BY_TRICK])
            put(log, winner)
            put(log, pile)
        leader = winner
        trick += 1
    x.found[at.WON_BY] = leader
    x.found[at.TRICK_POINTS] = attackers
