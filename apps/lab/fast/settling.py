"""Settling, compiled: what the rules said before of a result is looked up, what they did not say yet is asked for."""

from __future__ import annotations

from typing import Any

from gunzi import choices, masks
from gunzi.apps.lab.fast import layout as at
from gunzi.apps.lab.fast.layout import Log, Memo, Numbers, Scratch, Tables
from gunzi.apps.lab.fast.pieces import event, order_of, put


def score_key(row: Numbers) -> int:
    """All that a hand's scores can depend on, as one number above 0; seats and sides counted from the dealer's."""
    dealer = row[at.R_DEALER]
    packed = row[at.R_TAKEOVER]
    packed = packed << 2 | ((row[at.R_NEXT_DEALER] - dealer) & 3)
    packed = packed << 6 | (row[at.R_ENDING] + 1)
    packed = packed << 2 | side_from(row[at.R_WON_BY], dealer) + 1
    packed = packed << 2 | side_from(row[at.R_UP_SIDE], dealer) + 1
    packed = packed << 7 | row[at.R_EARNED]
    packed = packed << 7 | row[at.R_CLIMBED]
    packed = packed << 1 | row[at.R_LOST]
    packed = packed << 11
    if row[at.R_PAID]:
        packed |= row[at.R_PAID] << 4 | ((row[at.R_PAID_FROM] - dealer) & 3) << 2 | ((row[at.R_PAID_TO] - dealer) & 3)
    return packed << 1 | 1


def side_from(side: int, dealer: int) -> int:
    """A side (-1: none) counted from the dealer's, or such a one as it is counted otherwise."""
    return side ^ dealer & 1 if side >= 0 else side


def find_score(memo: Memo, packed: int) -> int:
    """The place of a score key; where it is not there, that of the free place it is for."""
    last = len(memo.scores) - 1
    place = (packed ^ packed >> 17) & last
    while memo.scores[place, 0] and memo.scores[place, 0] != packed:
        place = (place + 1) & last
    return place


def end_place(points: int, captured: int, big: int, small: int, dry: int) -> int:
    """Where in ``Memo.ends`` a result lies."""
    return (((points // 5 * 2 + captured) * 4 + big) * 4 + small) * 2 + dry


def come_to(t: Tables, memo: Memo, row: Numbers) -> int:
    """What a hand comes to: a row that says how it was played is completed. DONE, or what the rules have to be asked."""
    dealer = row[at.R_DEALER]
    captured = row[at.R_CAPTURED]
    points = row[at.R_TRICK_POINTS]
    if captured:
        points += t.worth[row[at.R_BOTTOM_POINTS] // 5]
    row[at.R_POINTS] = points
    end = memo.ends[end_place(points, captured, row[at.R_BIG], row[at.R_SMALL], row[at.R_DRY])]
    if not end[at.ASKED]:
        return at.MISS_END
    takeover = end[at.TAKEOVER]
    next_dealer = (end[at.NEXT_DEALER] + dealer) & 3
    ending = end[at.ENDING]
    winner = side_from(end[at.WINNER], dealer)
    up_side = side_from(end[at.UP_SIDE], dealer)
    earned = end[at.EARNED]
    climbed = 0
    lost = 0
    after_0 = row[at.R_LEVEL_0]
    after_1 = row[at.R_LEVEL_1]
    if up_side >= 0:
        level = after_1 if up_side else after_0
        as_dealer = 1 if up_side == dealer & 1 else 0
        climb = memo.climbs[level, earned, as_dealer]
        row[at.R_UP_SIDE] = up_side
        row[at.R_EARNED] = earned
        if not climb[0]:
            return at.MISS_CLIMB
        if up_side:
            after_1 = climb[1]
        else:
            after_0 = climb[1]
        climbed = climb[2]
        if climb[4]:
            lost = 1
            up_side = -1
            earned = 0
            climbed = 0
        elif climb[3]:
            ending = at.FINAL_LEVEL
            winner = up_side
    owes = 0
    giver = -1
    receiver = -1
    if winner >= 0:
        after_0 = t.scalars[at.START_LEVEL]
        after_1 = t.scalars[at.START_LEVEL]
    else:
        owes = end[at.OWES]
        payer = (next_dealer + 3) & 3
        if owes > 0:
            giver = payer
            receiver = next_dealer
        elif owes < 0:
            owes = -owes
            giver = next_dealer
            receiver = payer
    row[at.R_TAKEOVER] = takeover
    row[at.R_NEXT_DEALER] = next_dealer
    row[at.R_UP_SIDE] = up_side
    row[at.R_EARNED] = earned
    row[at.R_CLIMBED] = climbed
    row[at.R_LOST] = lost
    row[at.R_OWES_FROM] = giver
    row[at.R_OWES_TO] = receiver
    row[at.R_OWES] = owes
    row[at.R_ENDING] = ending
    row[at.R_WON_BY] = winner
    row[at.R_AFTER_0] = after_0
    row[at.R_AFTER_1] = after_1
    row[at.R_SCORE_KEY] = score_key(row)
    place = find_score(memo, row[at.R_SCORE_KEY])
    if not memo.scores[place, 0]:
        return at.MISS_SCORE
    for seat in range(4):
        row[at.R_SCORE_0 + ((dealer + seat) & 3)] = memo.scores[place, 1 + seat]
    return at.DONE


def write_settlement(x: Scratch, row: Numbers, log: Log) -> None:
    """The event a hand ends with."""
    winner = row[at.R_WON_BY]
    event(log, at.E_SETTLE, 0)
    put(log, row[at.R_TRICK_POINTS])
    put(log, x.found[at.BOTTOM_1])
    put(log, x.found[at.BOTTOM_2])
    put(log, x.found[at.BOTTOM_3])
    put(log, row[at.R_BOTTOM_POINTS])
    put(log, row[at.R_CAPTURED])
    put(log, row[at.R_POINTS])
    put(log, row[at.R_TAKEOVER])
    put(log, row[at.R_UP_SIDE])
    put(log, row[at.R_EARNED])
    put(log, row[at.R_AFTER_0])
    put(log, row[at.R_AFTER_1])
    put(log, -1 if winner >= 0 else row[at.R_NEXT_DEALER])
    put(log, row[at.R_OWES_FROM])
    put(log, row[at.R_OWES_TO])
    put(log, row[at.R_OWES])
    put(log, row[at.R_ENDING])
    put(log, winner)
    for seat in range(4):
        put(log, row[at.R_SCORE_0 + seat])


def settle(t: Tables, s: Numbers, x: Scratch, memo: Memo, rows: Numbers, log: Log, dealer: int, first: int) -> int:
    """Settle a hand that is played out, and go on to the next: DONE, or what the rules have to be asked."""
    trump = x.found[at.TRUMP]
    order: Any = order_of(t, trump)
    b1 = x.found[at.BOTTOM_1]
    b2 = x.found[at.BOTTOM_2]
    b3 = x.found[at.BOTTOM_3]
    points_at: Any = t.points[trump]
    big, small = choices.count_kings((b1, b2, b3), order)
    row = rows[s[at.ROWS]]
    row[at.R_UNIT] = s[at.UNIT]
    row[at.R_FIRST_HAND] = 1 if s[at.DEALER] < 0 else 0
    row[at.R_HOW] = x.found[at.HOW]
    row[at.R_REDEALS] = s[at.REDEAL]
    row[at.R_DEALER] = dealer
    row[at.R_FIRST] = first
    row[at.R_OWED] = 1 if s[at.OWED] > 0 else 0
    row[at.R_DRY] = x.found[at.DRY]
    row[at.R_PAID_FROM] = x.found[at.PAID_FROM]
    row[at.R_PAID_TO] = x.found[at.PAID_TO]
    row[at.R_PAID] = x.found[at.PAID]
    row[at.R_CAPTURED] = (x.found[at.WON_BY] ^ dealer) & 1
    row[at.R_BIG] = big
    row[at.R_SMALL] = small
    row[at.R_TRICK_POINTS] = x.found[at.TRICK_POINTS]
    row[at.R_BOTTOM_POINTS] = masks.points_of(b1, b2, b3, t.trumps[trump, at.POINTED], points_at)
    row[at.R_LEVEL_0] = s[at.LEVEL_0]
    row[at.R_LEVEL_1] = s[at.LEVEL_1]
    status = come_to(t, memo, row)
    if status != at.DONE:
        return status
    if log.cursor[at.ON]:
        write_settlement(x, row, log)
    for seat in range(4):
        s[at.SCORE_0 + seat] += row[at.R_SCORE_0 + seat]
    s[at.ROWS] += 1
    s[at.REDEAL] = 0
    s[at.LEVEL_0] = row[at.R_AFTER_0]
    s[at.LEVEL_1] = row[at.R_AFTER_1]
    s[at.OWED_FROM] = row[at.R_OWES_FROM]
    s[at.OWED_TO] = row[at.R_OWES_TO]
    s[at.OWED] = row[at.R_OWES]
    winner = row[at.R_WON_BY]
    if winner >= 0:
        s[at.WON_0 + winner] += 1
        s[at.DEALER] = -1
        if s[at.MOST_ROUNDS] and s[at.ROUND] >= s[at.MOST_ROUNDS]:
            s[at.OVER] = 1
            return at.DONE
        s[at.ROUND] += 1
    else:
        s[at.DEALER] = row[at.R_NEXT_DEALER]
    if s[at.MOST_HANDS] and s[at.HAND] >= s[at.MOST_HANDS]:
        s[at.OVER] = 1
    else:
        s[at.HAND] += 1
    return at.DONE
