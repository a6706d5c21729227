"""Integer functions on holdings: the inner loop of the game.

A holding (and a play) is three 60-bit masks: kinds held at least once, twice, three times (see ``trump.py``). Everything
here is plain arithmetic on integers and tuples of integers, in the subset that compiles: the engine interprets these
functions and the lab compiles the same ones. ``int.bit_count`` is the only method used.
"""

from __future__ import annotations

from typing import Final

from gunzi.trump import SIDE_LANES, TRUMP_LANE

LANES: Final = (*SIDE_LANES, TRUMP_LANE)
"""The three side lanes and the trump lane."""
LOW_30: Final = (1 << 30) - 1
LOW_15: Final = (1 << 15) - 1


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


def select(mask: int, k: int) -> int:
    """The k-th set bit of a mask of at most 60 bits, as a bit; k from 0, weakest first."""
    if k > 3:
        shift = 0
        low = (mask & LOW_30).bit_count()
        if k >= low:
            k -= low
            mask >>= 30
            shift = 30
        low = (mask & LOW_15).bit_count()
        if k >= low:
            k -= low
            mask >>= 15
            shift += 15
        while k:
            mask &= mask - 1
            k -= 1
        return (mask & -mask) << shift
    while k:
        mask &= mask - 1
        k -= 1
    return mask & -mask


def _pascal(rows: int) -> tuple[tuple[int, ...], ...]:
    row = (1,) + (0,) * (rows - 1)
    found = [row]
    for _ in range(rows - 1):
        row = (1, *(row[k - 1] + row[k] for k in range(1, rows)))
        found.append(row)
    return tuple(found)


BINOMIALS: Final = _pascal(61)
"""``BINOMIALS[n][k]``: n over k, for the 60 bits there are."""


def ways(a: int, b: int, c: int, r: int) -> int:
    """How many different hands of r cards from a kinds held once, b held twice, c held three times (exactly).

    The coefficient of x^r in (1+x)^a (1+x+x²)^b (1+x+x²+x³)^c.
    """
    if r == 1:
        return a + b + c
    if r == 2:
        n = a + b + c
        return n * (n - 1) // 2 + b + c
    if r == 3:
        n = a + b + c
        return n * (n - 1) * (n - 2) // 6 + (b + c) * (n - 1) + c
    if r <= 0:
        return 1 if r == 0 else 0
    total = 0
    # j kinds give all three cards, then i kinds of those with two or more give exactly two, the rest give one.
    for j in range(min(c, r // 3) + 1):
        twos = b + c - j
        left = r - 3 * j
        for i in range(min(twos, left // 2) + 1):
            singles = left - 2 * i
            if singles <= a + twos - i:
                total += BINOMIALS[c][j] * BINOMIALS[twos][i] * BINOMIALS[a + twos - i][singles]
    return total


def choose_count(m1: int, m2: int, m3: int, r: int) -> int:
    """How many different choices of r cards a holding allows."""
    if r == 1:
        return m1.bit_count()
    if r == 2:
        n = m1.bit_count()
        return n * (n - 1) // 2 + m2.bit_count()
    if r == 3:
        n = m1.bit_count()
        return n * (n - 1) * (n - 2) // 6 + m2.bit_count() * (n - 1) + m3.bit_count()
    n2, n3 = m2.bit_count(), m3.bit_count()
    return ways(m1.bit_count() - n2, n2 - n3, n3, r)


def choose_kth(m1: int, m2: int, m3: int, r: int, k: int) -> tuple[int, int, int]:
    """The k-th choice of r cards from a holding, 0 ≤ k < ``choose_count``.

    Up to three cards: all different first (colexicographic by kind), then a pair and one, then a triple. More: no triples
    first, among these no pairs first; then by triples, pairs and single cards, each colexicographic.
    """
    if r == 1:
        return select(m1, k), 0, 0
    if r == 2:
        n = m1.bit_count()
        distinct = n * (n - 1) // 2
        if k >= distinct:
            pair = select(m2, k - distinct)
            return pair, pair, 0
        j = 1
        while k >= j:
            k -= j
            j += 1
        return select(m1, k) | select(m1, j), 0, 0
    if r == 3:
        return _choose_three(m1, m2, m3, k)
    if r <= 0:
        return 0, 0, 0
    return _choose_many(m1, m2, m3, r, k)


def _choose_three(m1: int, m2: int, m3: int, k: int) -> tuple[int, int, int]:
    n = m1.bit_count()
    distinct = n * (n - 1) * (n - 2) // 6
    if k < distinct:
        top = 2
        step = 1
        while k >= step:
            k -= step
            step += top
            top += 1
        j = 1
        while k >= j:
            k -= j
            j += 1
        return select(m1, k) | select(m1, j) | select(m1, top), 0, 0
    k -= distinct
    pairs = m2.bit_count() * (n - 1)
    if k < pairs:
        pair = select(m2, k // (n - 1))
        return pair | select(m1 & ~pair, k % (n - 1)), pair, 0
    triple = select(m3, k - pairs)
    return triple, triple, triple


def _choose_many(m1: int, m2: int, m3: int, r: int, k: int) -> tuple[int, int, int]:
    c = m3.bit_count()
    b = m2.bit_count() - c
    a = m1.bit_count() - b - c
    for j in range(min(c, r // 3) + 1):
        twos = b + c - j
        left = r - 3 * j
        for i in range(min(twos, left // 2) + 1):
            singles = left - 2 * i
            ones = a + twos - i
            if singles > ones:
                continue
            each = BINOMIALS[ones][singles]
            both = each * BINOMIALS[twos][i]
            count = both * BINOMIALS[c][j]
            if k < count:
                triples = subset(m3, j, k // both)
                k %= both
                pairs = subset(m2 & ~triples, i, k // each) | triples
                return subset(m1 & ~pairs, singles, k % each) | pairs, pairs, triples
            k -= count
    raise ValueError("k is not below the number of choices")


def subset(mask: int, r: int, k: int) -> int:
    """The k-th choice of r bits of a mask, colexicographic, 0 ≤ k < ``BINOMIALS[bits][r]``."""
    found = 0
    p = mask.bit_count()
    while r:
        p -= 1
        below = BINOMIALS[p][r]
        while below > k:
            p -= 1
            below = BINOMIALS[p][r]
        k -= below
        found |= select(mask, p)
        r -= 1
    return found


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
