"""How many choices of cards a holding allows, and the k-th of them: the bits of masks, counted and picked by number.

Integer functions in the subset that compiles, as in ``masks.py``.
"""

from __future__ import annotations

from typing import Final

LOW_30: Final = (1 << 30) - 1
LOW_15: Final = (1 << 15) - 1


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
