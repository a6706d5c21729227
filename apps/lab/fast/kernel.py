"""Complete hands on whole numbers: the loop around the rules, in the subset that compiles.

It asks what the phases ask, in their order, of seats that play ``random``, and moves the cards. What is allowed and who wins
is said by the engine's own functions (``masks``, ``choices``) and by tables read from the hooks. Deals that need an answer which
no table has stop the run; the runner asks the rules and the deal is played again (``MISS_REVEAL`` and the following).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from gunzi.apps.lab.fast import layout as at
from gunzi.apps.lab.fast.dealing import deal_first_hand, deal_later_hand, find_trump, take_up, write_hand
from gunzi.apps.lab.fast.layout import Log, Memo, Numbers, Scratch, Tables
from gunzi.apps.lab.fast.moving import bury, bury_kings, look_at_bottom, pay_tribute
from gunzi.apps.lab.fast.pieces import draw, key
from gunzi.apps.lab.fast.settling import settle
from gunzi.apps.lab.fast.tricks import play_tricks
from gunzi.chance import CHOICE, DECK, FIRST, shuffle
from gunzi.table import MOST_REDEALS


def play_hand(t: Tables, s: Numbers, x: Scratch, memo: Memo, answer: Numbers, rows: Numbers, log: Log) -> int:
    """One deal, played out and settled, or void (REDEALT), or waiting for what the rules have to be asked."""
    seed = s[at.SEED]
    number = s[at.HAND]
    deck = x.deck
    size = t.scalars[at.DECK_SIZE]
    for i in range(size):
        deck[i] = t.cards[i]
    cards: Any = deck[:size]
    shuffle(cards, key(seed, number, DECK, 0), s[at.REDEAL])
    first_hand = s[at.DEALER] < 0
    first = draw(key(seed, number, FIRST, 0), s[at.REDEAL], 0, 4) if first_hand else s[at.DEALER]
    for seat in range(4):
        x.bases[seat] = key(seed, number, CHOICE, seat)
        x.place[seat] = -1
        x.asked[seat] = 0
        for times in range(3):
            x.noted[seat, times] = 0
    found = x.found
    found[at.CLAIMER] = -1
    found[at.STANDING] = -1
    found[at.DRY] = 0
    found[at.PAID_FROM] = -1
    found[at.PAID_TO] = -1
    found[at.PAID] = 0
    found[at.WINDOW] = 0
    found[at.KNOWN] = 0
    found[at.FIRST] = first
    if log.cursor[at.ON]:
        write_hand(t, s, x, log, first)
    if first_hand:
        deal_first_hand(t, x, log, first)
    else:
        found[at.LEVEL] = s[at.LEVEL_1] if s[at.DEALER] & 1 else s[at.LEVEL_0]
        deal_later_hand(t, x, log, first, found[at.LEVEL])
    status = find_trump(t, s, x, answer, log, first)
    if status != at.DONE:
        return status
    dealer = x.pending[0]
    take_up(t, x, first)
    if t.scalars[at.HAS_TRIBUTE] and s[at.OWED] > 0:
        pay_tribute(t, s, x, log)
    if t.scalars[at.BOTTOM_SIZE]:
        if t.scalars[at.HAS_BOTTOM]:
            look_at_bottom(t, x, log, 1 if first_hand else 0)
        if t.scalars[at.HAS_BURY] and not found[at.DRY]:
            bury(t, x, log, dealer)
            if t.scalars[at.HAS_KINGS] and found[at.WINDOW]:
                bury_kings(t, x, log, dealer)
    play_tricks(t, x, log, dealer)
    return settle(t, s, x, memo, rows, log, dealer, first)


def play_units(
    tables: Sequence[Tables],
    s: Numbers,
    units: Numbers,
    scratch: Sequence[Scratch],
    memo: Memo,
    answer: Numbers,
    rows: Numbers,
    log: Log,
) -> int:
    """Play unit after unit until all are over, rows or the log are full, or the rules have to be asked."""
    t = tables[0]
    x = scratch[0]
    while s[at.UNIT] < s[at.UNITS]:
        if s[at.FRESH]:
            unit = units[s[at.UNIT]]
            s[at.SEED] = unit[0]
            s[at.LEVEL_0] = unit[1]
            s[at.LEVEL_1] = unit[2]
            s[at.DEALER] = unit[3]
            s[at.OWED_FROM] = unit[4]
            s[at.OWED_TO] = unit[5]
            s[at.OWED] = unit[6]
            s[at.HAND] = 1
            s[at.ROUND] = 1
            s[at.REDEAL] = 0
            s[at.OVER] = 0
            s[at.FRESH] = 0
            if log.cursor[at.ON]:
                log.units[s[at.UNIT]] = log.cursor[at.EVENT_COUNT]
        while not s[at.OVER]:
            if s[at.ROWS] >= len(rows):
                return at.FULL
            if log.cursor[at.ON] and (
                log.cursor[at.USED] + at.ROOM > len(log.data) or log.cursor[at.EVENT_COUNT] + at.ROOM > len(log.events)
            ):
                return at.FULL
            used = log.cursor[at.USED]
            events = log.cursor[at.EVENT_COUNT]
            status = play_hand(t, s, x, memo, answer, rows, log)
            if status == at.REDEALT:
                s[at.REDEAL] += 1
                s[at.REDEALS] += 1
                if s[at.REDEAL] > MOST_REDEALS:
                    return at.TOO_MANY_REDEALS
            elif status != at.DONE:
                log.cursor[at.USED] = used
                log.cursor[at.EVENT_COUNT] = events
                return status
            answer[0] = 0
        s[at.UNIT] += 1
        s[at.FRESH] = 1
    if log.cursor[at.ON]:
        log.units[s[at.UNIT]] = log.cursor[at.EVENT_COUNT]
    return at.NEXT
