"""What the loops of compiled hands are made of: numbers of chance, choices, events, cards that move."""

from __future__ import annotations

from typing import Any, NamedTuple

from gunzi import masks
from gunzi.apps.lab.fast import layout as at
from gunzi.apps.lab.fast.layout import Log, Numbers, Scratch, Tables
from gunzi.chance import below, stream


class Order(NamedTuple):
    """What the engine's choices look at of a trump order."""

    tribute_rank: Numbers
    pick_rank: Numbers
    kings: int
    big: int
    little: int


def draw(base: int, place: int, i: int, n: int) -> int:
    """A number from 0 to n-1 of a stream (``chance.below``)."""
    return below(base, place, i, n)


def key(seed: int, hand: int, purpose: int, seat: int) -> int:
    """The base of a stream (``chance.stream``)."""
    return stream(seed, hand, purpose, seat)


def total_of(found: Any) -> int:
    """How many choices there are."""
    return found.total


def kth_of(found: Any, k: int) -> Any:
    """The k-th choice."""
    return found.kth(k)


def block_of(found: Any) -> Any:
    """The first block of choices: the cards that are in by force, the pool, and how many of it."""
    block = found.blocks[0]
    return block.forced, block.pool, block.count


def put(log: Log, value: int) -> None:
    """Write one number."""
    log.data[log.cursor[at.USED]] = value
    log.cursor[at.USED] += 1


def event(log: Log, kind: int, why: int) -> None:
    """Begin an event of a kind, decided by a rule."""
    n = log.cursor[at.EVENT_COUNT]
    log.events[n, 0] = log.cursor[at.USED]
    log.events[n, 1] = why
    log.cursor[at.EVENT_COUNT] = n + 1
    put(log, kind)


def event_of_cards(log: Log, kind: int, a: int, b: int, p1: int, p2: int, p3: int, why: int) -> None:
    """An event of two numbers and some cards."""
    event(log, kind, why)
    put(log, a)
    put(log, b)
    put(log, p1)
    put(log, p2)
    put(log, p3)


def asked_before(x: Scratch, seat: int, place: int) -> int:
    """How many numbers a seat has drawn at this place: each question there has 256 of its own."""
    x.asked[seat] = x.asked[seat] + 1 if place == x.place[seat] else 0
    x.place[seat] = place
    return x.asked[seat] << 8


def has_bid(t: Tables, x: Scratch, level: int, seat: int, bid: int) -> bool:
    """Has a seat the cards of a declaration?"""
    return x.noted[seat, t.bids[level, bid, 1] - 1] >> t.bids[level, bid, 0] & 1 != 0


def give(x: Scratch, seat: int, p1: int, p2: int, p3: int) -> None:
    """A seat gets cards."""
    h = x.holdings[seat]
    n1, n2, n3 = masks.add(h[0], h[1], h[2], p1, p2, p3)
    h[0] = n1
    h[1] = n2
    h[2] = n3


def take(x: Scratch, seat: int, p1: int, p2: int, p3: int) -> None:
    """A seat gives cards away."""
    h = x.holdings[seat]
    n1, n2, n3 = masks.remove(h[0], h[1], h[2], p1, p2, p3)
    h[0] = n1
    h[1] = n2
    h[2] = n3


def order_of(t: Tables, trump: int) -> Order:
    """A trump order as the engine's choices see it."""
    row = t.trumps[trump]
    return Order(t.tribute_rank[trump], t.pick_rank[trump], row[at.KINGS], row[at.BIG], row[at.LITTLE])
