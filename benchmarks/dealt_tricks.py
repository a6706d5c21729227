"""The loop that compiled trick play is timed in: compiled with all it calls. Imported only where the fast path is there."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from gunzi.apps.lab.fast import layout as at
from gunzi.apps.lab.fast.tricks import play_tricks


def play_dealt(
    tables: Sequence[Any], scratch: Sequence[Any], log: Any, trump: int, holdings: Any, bases: Any, leaders: Any
) -> int:
    """The tricks of dealt hands, one after another. Answers what ``yardstick_play`` does."""
    t = tables[0]
    x = scratch[0]
    total = 0
    for k in range(len(leaders)):
        x.found[at.TRUMP] = trump
        for seat in range(4):
            x.bases[seat] = bases[k, seat]
            for times in range(3):
                x.holdings[seat, times] = holdings[k, seat, times]
        play_tricks(t, x, log, leaders[k])
        total += x.found[at.TRICK_POINTS] << 16 | (x.table[at.TRICK] - 1) << 2 | x.found[at.WON_BY]
    return total
