"""Tribute, the bottom, burying and the others' kings, compiled."""

from __future__ import annotations

from typing import Any, Final

from gunzi import choices, masks
from gunzi.apps.lab.fast import layout as at
from gunzi.apps.lab.fast.choosing import buries, buries_kings, pays, picks, returns
from gunzi.apps.lab.fast.layout import Log, Numbers, Scratch, Tables
from gunzi.apps.lab.fast.pieces import event, event_of_cards, give, order_of, put, take
from gunzi.trump import TRUMP_LANE

EVERYBODY: Final = 15
"""A bit for each seat."""


def pay_tribute(t: Tables, s: Numbers, x: Scratch, log: Log) -> None:
    """Tribute and its return."""
    trump = x.found[at.TRUMP]
    row = t.trumps[trump]
    order: Any = order_of(t, trump)
    code = 0
    for seat in range(4):
        h = x.holdings[seat]
        big, _ = choices.count_kings((h[0], h[1], h[2]), order)
        code = 4 * code + big
    giver = s[at.OWED_FROM]
    receiver = s[at.OWED_TO]
    exempt = t.exempt[giver, receiver, code]
    if exempt[0]:
        if log.cursor[at.ON]:
            event(log, at.E_EXEMPT, exempt[2])
            put(log, exempt[1])
            put(log, exempt[0])
        if exempt[0] == 2:
            return
        giver = s[at.OWED_TO]
        receiver = s[at.OWED_FROM]
    h = x.holdings[giver]
    payable = row[at.PAYABLE]
    count = min(s[at.OWED], masks.size(h[0] & payable, h[1] & payable, h[2] & payable))
    if count == 0:
        return
    paid = choices.strongest((h[0], h[1], h[2]), payable, order, count)
    p1, p2, p3 = pays(t, x, giver, paid)
    take(x, giver, p1, p2, p3)
    give(x, receiver, p1, p2, p3)
    x.found[at.PAID_FROM] = giver
    x.found[at.PAID_TO] = receiver
    x.found[at.PAID] = count
    if log.cursor[at.ON]:
        event_of_cards(log, at.E_TRIBUTE, giver, receiver, p1, p2, p3, 0)
    h = x.holdings[receiver]
    tiers: Any = t.tiers[trump]
    back = choices.in_tiers((h[0], h[1], h[2]), tiers, count)
    p1, p2, p3 = returns(t, x, receiver, back)
    take(x, receiver, p1, p2, p3)
    give(x, giver, p1, p2, p3)
    if log.cursor[at.ON]:
        event_of_cards(log, at.E_RETURN, receiver, giver, p1, p2, p3, 0)


def look_at_bottom(t: Tables, x: Scratch, log: Log, first_hand: int) -> None:
    """Is the bottom shown, and is it dry?"""
    trump = x.found[at.TRUMP]
    shown = t.shown[x.found[at.HOW]]
    legs = t.dry[trump, shown, first_hand]
    b1 = x.found[at.BOTTOM_1]
    case = 1
    if b1 & ~TRUMP_LANE:
        case = 5 if b1 & legs[0] else 3
    x.found[at.DRY] = legs[case]
    x.found[at.KNOWN] = EVERYBODY if shown and legs[case] else 0
    if log.cursor[at.ON]:
        event_of_cards(
            log, at.E_BOTTOM, shown, legs[case], b1, x.found[at.BOTTOM_2], x.found[at.BOTTOM_3], legs[case + 1]
        )


def bury(t: Tables, x: Scratch, log: Log, dealer: int) -> None:
    """The dealer takes the bottom and buries as many cards."""
    trump = x.found[at.TRUMP]
    row = t.trumps[trump]
    order: Any = order_of(t, trump)
    give(x, dealer, x.found[at.BOTTOM_1], x.found[at.BOTTOM_2], x.found[at.BOTTOM_3])
    h = x.holdings[dealer]
    pool = (h[0], h[1], h[2])
    big, small = choices.count_kings(pool, order)
    splits = [(t.splits[big, small, i, 0], t.splits[big, small, i, 1]) for i in range(t.split_counts[big, small])]
    buried = choices.burials(pool, order, splits, t.scalars[at.BOTTOM_SIZE])
    p1, p2, p3 = buries(t, x, dealer, buried)
    take(x, dealer, p1, p2, p3)
    x.found[at.BOTTOM_1] = p1
    x.found[at.BOTTOM_2] = p2
    x.found[at.BOTTOM_3] = p3
    big, small = choices.count_kings((p1, p2, p3), order)
    shown = t.burial_shown[big + small]
    x.found[at.KNOWN] = EVERYBODY if shown else 1 << dealer
    shut = p1 & row[at.ANY_SHUTS] != 0 or p1 & ~row[at.ALL_SHUT] == 0
    x.found[at.WINDOW] = 0 if shut else 1
    if log.cursor[at.ON]:
        event(log, at.E_BURY, row[at.SHUT_BY] if shut else row[at.OPEN_BY])
        put(log, dealer)
        put(log, p1)
        put(log, p2)
        put(log, p3)
        put(log, shown)
        pickable = row[at.PICKABLE]
        put(log, 0 if shut else masks.size(p1 & pickable, p2 & pickable, p3 & pickable))


def bury_kings(t: Tables, x: Scratch, log: Log, dealer: int) -> None:
    """The other seats, in playing order, may bury kings and pick up as many of the smallest cards."""
    trump = x.found[at.TRUMP]
    row = t.trumps[trump]
    order: Any = order_of(t, trump)
    pickable = row[at.PICKABLE]
    for step in range(1, 4):
        seat = (dealer + step) & 3
        h = x.holdings[seat]
        big, small = choices.count_kings((h[0], h[1], h[2]), order)
        if not big and not small:
            continue
        bottom = (x.found[at.BOTTOM_1], x.found[at.BOTTOM_2], x.found[at.BOTTOM_3])
        room = masks.size(bottom[0] & pickable, bottom[1] & pickable, bottom[2] & pickable)
        acts = 0
        for i in range(t.split_counts[big, small]):
            if 0 < t.splits[big, small, i, 0] + t.splits[big, small, i, 1] <= room:
                acts += 1
        if acts == 0:
            continue
        k = buries_kings(t, x, seat, acts)
        if k == 0:
            continue
        bigs = 0
        smalls = 0
        for i in range(t.split_counts[big, small]):
            if 0 < t.splits[big, small, i, 0] + t.splits[big, small, i, 1] <= room:
                k -= 1
                if k == 0:
                    bigs = t.splits[big, small, i, 0]
                    smalls = t.splits[big, small, i, 1]
        up = choices.smallest(bottom, pickable, order, bigs + smalls)
        p1, p2, p3 = picks(t, x, seat, up)
        d1, d2, d3 = choices.kings_masks(order, bigs, smalls)
        take(x, seat, d1, d2, d3)
        give(x, seat, p1, p2, p3)
        b1, b2, b3 = masks.remove(bottom[0], bottom[1], bottom[2], p1, p2, p3)
        b1, b2, b3 = masks.add(b1, b2, b3, d1, d2, d3)
        x.found[at.BOTTOM_1] = b1
        x.found[at.BOTTOM_2] = b2
        x.found[at.BOTTOM_3] = b3
        x.found[at.KNOWN] = EVERYBODY
        if log.cursor[at.ON]:
            event(log, at.E_KINGS, 0)
            put(log, seat)
            put(log, bigs)
            put(log, smalls)
            put(log, p1)
            put(log, p2)
            put(log, p3)
