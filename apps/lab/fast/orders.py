"""A log's cards told in another trump order: so that hands under other permanent trumps can be held beside each other."""

from __future__ import annotations

from functools import cache
from typing import Any, Final

import numpy as np

from gunzi.apps.lab.fast import layout as at
from gunzi.apps.lab.fast.layout import Log, Numbers
from gunzi.cards import KINDS, SUITS
from gunzi.trump import trump_order

Ranks = tuple[int, ...]
FIRST_MASK: Final = {
    at.E_TRIBUTE: 3,
    at.E_RETURN: 3,
    at.E_BOTTOM: 3,
    at.E_BURY: 2,
    at.E_KINGS: 4,
    at.E_PLAY: 2,
    at.E_SETTLE: 2,
}
"""Where an event has its three masks of cards (``events.py``); other events have none, or kinds of cards."""


def respelled(log: Log, theirs: Ranks, ours: Ranks) -> Log:
    """The same events; masks of the order with the permanent ranks ``theirs`` are now of the one with ``ours``."""
    count = int(log.cursor[at.EVENT_COUNT])
    starts = log.events[:count, 0]
    kinds = log.data[starts]
    trumps = np.flatnonzero(kinds == at.E_TRUMP)
    if not len(trumps):
        return log
    first = np.zeros(at.E_SETTLE + 1, dtype=np.int64)
    first[list(FIRST_MASK)] = list(FIRST_MASK.values())
    spelled = np.flatnonzero(first[kinds])
    # Masks come after their hand's trump event, the last one before them.
    trump = starts[trumps[np.searchsorted(trumps, spelled) - 1]]
    suit, level = log.data[trump + 1], log.data[trump + 2]
    data = log.data.copy()
    places = (starts[spelled] + first[kinds[spelled]])[:, None] + np.arange(3)
    masks = data[places]
    found = np.zeros_like(masks)
    for code in np.unique(4 * level + suit).tolist():
        here = 4 * level + suit == code
        found[here] = _moved(masks[here], *_bits(code >> 2, SUITS[code & 3], theirs, ours))
    data[places] = found
    return log._replace(data=data)


def _moved(masks: Numbers, one: Numbers, other: Numbers) -> Numbers:
    same = one == other
    stays = int(sum(1 << bit for bit in one[same].tolist()))
    found: Numbers = masks & stays
    for bit, to in zip(one[~same].tolist(), other[~same].tolist(), strict=True):
        found |= (masks >> bit & 1) << to
    return found


@cache
def _bits(level: int, suit: str, theirs: Ranks, ours: Ranks) -> Any:
    """Kind by kind the bit in one order and in the other."""
    return tuple(
        np.array([trump_order(level, suit, permanent).bit_of[kind] for kind in range(KINDS)], dtype=np.int64)
        for permanent in (theirs, ours)
    )
