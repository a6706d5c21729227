"""Integer functions on holdings: the inner loop of the game.

A holding (and a play) is three 60-bit masks: kinds held at least once, twice, three times (see ``trump.py``). Everything
here is plain arithmetic on integers and tuples of integers, in the subset that compiles: the engine interprets these
functions and the lab compiles the same ones. ``int.bit_count`` and ``int.bit_length`` are the only methods used. Choices of cards
are counted, and made by number, in ``combinations.py``.
"""

from __future__ import annotations

from typing import Final

from gunzi.combinations import choose_count, choose_kth, select
from gunzi.trump import SIDE_LANES, TRUMP_LANE

LANES: Final = (*SIDE_LANES, TRUMP_LANE)
"""The three side lanes and the trump lane."""


def size(h1: int, h2: int, h3: int) -> int:
    """How many cards."""
    return h1.bit_count() + h2.bit_count() + h3.bit_count()


def contains(h1: int, h2: int, h3: int, p1: int, p2: int, p3: int) -> bool:
    """Does the holding have every card of ``p``?"""
    return not (p1 & ~h1 or p2 & ~h2 or p3 & ~h3)


def remove(h1: int, h2: int, h3: int, p1: int, p2: int, p3: int) -> tuple[int, int, int]:
    """The holding without the cards of ``p``, which it must contain."""
    twice = h2 & p1
    if not twice:
        return h1 ^ p1, h2, h3
    # A kind held once less often loses the highest of its bits.
    thrice = h3 & twice
    n1 = h1 ^ p1 ^ twice
    n2 = h2 ^ twice ^ thrice
    n3 = h3 ^ thrice
    if p2:
        twice = n2 & p2
        n1 = n1 ^ p2 ^ twice
        n2 = n2 ^ twice ^ (n3 & twice)
        n3 = n3 ^ (n3 & twice)
        if p3:
            n1 = n1 ^ p3
    return n1, n2, n3


def add(h1: int, h2: int, h3: int, p1: int, p2: int, p3: int) -> tuple[int, int, int]:
    """The holding with the cards of ``p``; together at most three of a kind."""
    n3 = h3 | (h2 & p1)
    n2 = h2 | (h1 & p1)
    n1 = h1 | p1
    if p2:
        n3 = n3 | (n2 & p2)
        n2 = n2 | p2
        if p3:
            n3 = n3 | p3
    return n1, n2, n3


# Leading: a single, a pair or a triple of one kind (rule book section 2, "Lead").


def lead_count(h1: int, h2: int, h3: int) -> int:
    """How many leads a holding allows."""
    return h1.bit_count() + h2.bit_count() + h3.bit_count()


def lead_kth(h1: int, h2: int, h3: int, k: int) -> tuple[int, int, int]:
    """The k-th lead: singles ascending, then pairs, then triples."""
    n = h1.bit_count()
    if k < n:
        return select(h1, k), 0, 0
    k -= n
    n = h2.bit_count()
    if k < n:
        bit = select(h2, k)
        return bit, bit, 0
    bit = select(h3, k - n)
    return bit, bit, bit


def is_lead(h1: int, h2: int, h3: int, p1: int, p2: int, p3: int) -> bool:
    """Is ``p`` one kind, once, twice or three times, and held?"""
    if not p1 or p1 & (p1 - 1) or p1 & ~h1:
        return False
    return not (p2 & ~h2 or p3 & ~h3)


# Following (rule book section 3.6). ``lane`` is the led lane's mask, ``n`` the number of cards led (1-3), ``strict`` 0 for
# loose and 1 for strict following, ``split`` what a triple owes a pair: 0 may_keep, 1 must_split, 2 exempt.

MAY_KEEP: Final = 0
MUST_SPLIT: Final = 1
EXEMPT: Final = 2


def follow_single(h1: int, lane: int) -> int:
    """The kinds of which any one follows a single in ``lane``."""
    inside = h1 & lane
    return inside if inside else h1


def follow_count(h1: int, h2: int, h3: int, lane: int, n: int, strict: int, split: int) -> int:
    """How many plays follow a lead of n cards in ``lane``."""
    if n == 1:
        return follow_single(h1, lane).bit_count()
    i1 = h1 & lane
    i2 = h2 & lane
    i3 = h3 & lane
    count = i1.bit_count()
    held = count + i2.bit_count() + i3.bit_count()
    if n == 2:
        if held >= 2:
            if not strict or not i2:
                return count * (count - 1) // 2 + i2.bit_count()
            if i2 != i3 or split == MUST_SPLIT:
                return i2.bit_count()
            if split == EXEMPT:
                return _exempt_count(h1, h2, i1, i2, i3)
            return count * (count - 1) // 2 + i2.bit_count()
        if held == 1:
            return (h1 & ~lane).bit_count()
        count = h1.bit_count()
        return count * (count - 1) // 2 + h2.bit_count()
    if n > 3:
        return _any_follow_count(h1, h2, h3, lane, n, held)
    if held >= 3:
        if strict and i2:
            if i3:
                return i3.bit_count()
            return i2.bit_count() * (count - 1)
        return count * (count - 1) * (count - 2) // 6 + i2.bit_count() * (count - 1) + i3.bit_count()
    if held:
        o1 = h1 & ~lane
        count = o1.bit_count()
        if held == 2:
            return count
        return count * (count - 1) // 2 + (h2 & ~lane).bit_count()
    count = h1.bit_count()
    return count * (count - 1) * (count - 2) // 6 + h2.bit_count() * (count - 1) + h3.bit_count()


def _any_follow_count(h1: int, h2: int, h3: int, lane: int, n: int, held: int) -> int:
    if held >= n:
        return choose_count(h1 & lane, h2 & lane, h3 & lane, n)
    return choose_count(h1 & ~lane, h2 & ~lane, h3 & ~lane, n - held)


def _exempt_count(h1: int, h2: int, i1: int, i2: int, i3: int) -> int:
    # Only triples and singles are held in the lane here; the singles are the cards that bind.
    inside = i1.bit_count()
    outside = h1.bit_count() - inside
    both = inside * (inside - 1) // 2 + i2.bit_count()
    bound = inside - i3.bit_count()
    if bound >= 2:
        return both
    if bound == 1:
        return both + inside * outside
    return both + inside * outside + outside * (outside - 1) // 2 + (h2 & ~i1).bit_count()


def follow_kth(h1: int, h2: int, h3: int, lane: int, n: int, strict: int, split: int, k: int) -> tuple[int, int, int]:
    """The k-th play that follows, 0 ≤ k < ``follow_count``."""
    if n == 1:
        return select(follow_single(h1, lane), k), 0, 0
    i1 = h1 & lane
    i2 = h2 & lane
    i3 = h3 & lane
    held = i1.bit_count() + i2.bit_count() + i3.bit_count()
    if held >= n:
        if strict and i2:
            if n == 2:
                if i2 != i3 or split == MUST_SPLIT:
                    bit = select(i2, k)
                    return bit, bit, 0
                if split == EXEMPT:
                    return _exempt_kth(h1, h2, h3, i1, i2, i3, k)
            elif n == 3:
                if i3:
                    bit = select(i3, k)
                    return bit, bit, bit
                others = i1.bit_count() - 1
                bit = select(i2, k // others)
                return bit | select(i1 & ~bit, k % others), bit, 0
        return choose_kth(i1, i2, i3, n, k)
    if held == 0:
        return choose_kth(h1, h2, h3, n, k)
    p1, p2, p3 = choose_kth(h1 & ~lane, h2 & ~lane, h3 & ~lane, n - held, k)
    return p1 | i1, p2 | i2, p3 | i3


def _exempt_kth(h1: int, h2: int, h3: int, i1: int, i2: int, i3: int, k: int) -> tuple[int, int, int]:
    inside = i1.bit_count()
    both = inside * (inside - 1) // 2 + i2.bit_count()
    if k < both:
        return choose_kth(i1, i2, i3, 2, k)
    k -= both
    o1 = h1 & ~i1
    outside = o1.bit_count()
    if k < inside * outside:
        return select(i1, k // outside) | select(o1, k % outside), 0, 0
    return choose_kth(o1, h2 & ~i1, h3 & ~i1, 2, k - inside * outside)


def is_follow(h1: int, h2: int, h3: int, lane: int, n: int, strict: int, split: int, p1: int, p2: int, p3: int) -> bool:
    """Does the play ``p`` follow a lead of n cards in ``lane``?"""
    if p1 & ~h1 or p2 & ~h2 or p3 & ~h3 or p1.bit_count() + p2.bit_count() + p3.bit_count() != n:
        return False
    i1 = h1 & lane
    i2 = h2 & lane
    i3 = h3 & lane
    held = i1.bit_count() + i2.bit_count() + i3.bit_count()
    played = (p1 & lane).bit_count() + (p2 & lane).bit_count() + (p3 & lane).bit_count()
    owed = min(n, held)
    if strict and held >= n and i2:
        if n == 2:
            if i2 != i3 or split == MUST_SPLIT:
                return (p2 & lane) != 0
            if split == EXEMPT:
                owed = min(2, i1.bit_count() - i3.bit_count())
        elif n == 3:
            if i3:
                return (p3 & lane) != 0
            return (p2 & lane) != 0 and played == 3
    return played >= owed


# Winning a trick (rule book section 2, "Winning a trick").


def play_power(p1: int, p2: int, p3: int, n: int, lane: int, trump_lane: int, power: tuple[int, ...]) -> int:
    """How strong a play of n cards (1-3) is in a trick led in ``lane``; 0 for a play that cannot win."""
    top = p1 if n == 1 else (p2 if n == 2 else p3)
    if not top & (lane | trump_lane):
        return 0
    return power[top.bit_length() - 1]


def points_of(p1: int, p2: int, p3: int, pointed: int, points: tuple[int, ...]) -> int:
    """The points in a play: ``pointed`` masks the kinds worth something, ``points[bit]`` says how much."""
    total = 0
    rest = p1 & pointed
    while rest:
        place = rest.bit_length() - 1
        bit = 1 << place
        each = points[place]
        total += each
        if p2 & bit:
            total += each
            if p3 & bit:
                total += each
        rest ^= bit
    return total


# Choosing by strength (tribute, picking up): the extreme cards of a holding and the tie that is left to choose.


def extreme(
    h1: int, h2: int, h3: int, allowed: int, rank: tuple[int, ...], count: int, highest: bool
) -> tuple[int, int, int, int, int, int, int]:
    """The ``count`` highest (or lowest) cards among ``allowed`` kinds by ``rank[bit]``.

    ``rank`` must not fall from a lower to a higher bit of a lane. Answers (f1, f2, f3, q1, q2, q3, r): the cards that are in by force, the kinds that tie at the cut, and how many of
    those are still to be chosen. Fewer allowed cards than ``count``: all of them.
    """
    f1 = f2 = f3 = 0
    rest = h1 & allowed
    while rest and count:
        group = 0
        best = 0
        for lane in LANES:
            # Ranks ascend within a lane, so its extreme cards stand at one end of it; ties stand side by side.
            scan = rest & lane
            while scan:
                bit = 1 << (scan.bit_length() - 1) if highest else scan & -scan
                value = rank[bit.bit_length() - 1]
                if not group or value == best:
                    group |= bit
                    best = value
                elif (value > best) == highest:
                    group, best = bit, value
                else:
                    break
                scan ^= bit
        held = group.bit_count() + (h2 & group).bit_count() + (h3 & group).bit_count()
        if held > count:
            return f1, f2, f3, group, h2 & group, h3 & group, count
        f1 |= group
        f2 |= h2 & group
        f3 |= h3 & group
        rest ^= group
        count -= held
    return f1, f2, f3, 0, 0, 0, 0
