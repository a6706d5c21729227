"""Which cards to give away: integer functions on holdings, in the subset that compiles.

``pointed`` masks the kinds worth points, ``heavy`` those worth more than five. "Giving" wants points to go (the partner wins
the trick), otherwise the cheapest cards go and the points stay.
"""

from __future__ import annotations

from gunzi.masks import MUST_SPLIT
from gunzi.trump import ALL_SIDE, SIDE_LANES, TRUMP_LANE

_LANE_0, _LANE_1, _LANE_2 = SIDE_LANES


def take(kinds: int, m2: int, m3: int, need: int, p1: int, p2: int, p3: int) -> tuple[int, int, int, int]:
    """Add up to ``need`` cards of these kinds to the play ``p``, weakest first, all copies of a kind together.

    Answers the play and how many cards are still needed. None of the kinds is in the play yet.
    """
    while need and kinds:
        bit = kinds & -kinds
        kinds ^= bit
        p1 |= bit
        need -= 1
        if need and m2 & bit:
            p2 |= bit
            need -= 1
            if need and m3 & bit:
                p3 |= bit
                need -= 1
    return p1, p2, p3, need


def spare(
    m1: int, m2: int, m3: int, need: int, pointed: int, heavy: int, giving: int, p1: int, p2: int, p3: int
) -> tuple[int, int, int]:
    """``need`` cards of one lane (or of the trumps) added to ``p``: whole pairs and triples are broken last."""
    if giving:
        p1, p2, p3, need = take(m1 & heavy, m2, m3, need, p1, p2, p3)
        if need:
            p1, p2, p3, need = take(m1 & pointed & ~heavy, m2, m3, need, p1, p2, p3)
        if need:
            p1, p2, p3, need = take(m1 & ~m2 & ~pointed, m2, m3, need, p1, p2, p3)
        if need:
            p1, p2, p3, need = take(m2 & ~pointed, m2, m3, need, p1, p2, p3)
        return p1, p2, p3
    p1, p2, p3, need = take(m1 & ~m2 & ~pointed, m2, m3, need, p1, p2, p3)
    if need:
        p1, p2, p3, need = take(m2 & ~m3 & ~pointed, m2, m3, need, p1, p2, p3)
        if need:
            p1, p2, p3, need = take(m3 & ~pointed, m2, m3, need, p1, p2, p3)
            if need:
                p1, p2, p3, need = take(m1 & pointed & ~heavy, m2, m3, need, p1, p2, p3)
                if need:
                    p1, p2, p3, need = take(m1 & heavy, m2, m3, need, p1, p2, p3)
    return p1, p2, p3


def spare_pair(i2: int, i3: int, pointed: int, heavy: int, giving: int) -> int:
    """The kind to play a pair of: with points when giving, else the cheapest; triples are broken last."""
    exact = i2 & ~i3
    if giving:
        kinds = exact & heavy or exact & pointed or exact or i2 & heavy or i2
    else:
        kinds = exact & ~pointed or exact & ~heavy or i2 & ~pointed or i2 & ~heavy or i2
    return kinds & -kinds


def spare_inside(
    i1: int, i2: int, i3: int, n: int, strict: int, split: int, pointed: int, heavy: int, giving: int
) -> tuple[int, int, int]:
    """n cards of the led lane, where there are enough, within what strict following asks for."""
    if n == 1:
        kinds = i1 & heavy or i1 & pointed if giving else 0
        if not kinds:
            kinds = i1 & ~i2 & ~pointed or i1 & ~pointed or i1 & ~heavy or i1
        return kinds & -kinds, 0, 0
    if strict and i2:
        if n == 2:
            if i2 != i3 or split == MUST_SPLIT:
                bit = spare_pair(i2, i3, pointed, heavy, giving)
                return bit, bit, 0
        elif i3:
            kinds = i3 & heavy or i3 & pointed if giving else i3 & ~pointed
            if not kinds:
                kinds = i3
            bit = kinds & -kinds
            return bit, bit, bit
        else:
            bit = spare_pair(i2, i3, pointed, heavy, giving)
            p1, p2, p3 = spare(i1 & ~bit, i2 & ~bit, 0, 1, pointed, heavy, giving, bit, bit, 0)
            return p1, p2, p3
    return spare(i1, i2, i3, n, pointed, heavy, giving, 0, 0, 0)


def spare_outside(
    h1: int, h2: int, h3: int, lane: int, need: int, pointed: int, heavy: int, giving: int, p1: int, p2: int, p3: int
) -> tuple[int, int, int]:
    """``need`` cards from outside the led lane: short side suits go first, trumps last."""
    s1 = h1 & ALL_SIDE & ~lane
    s2 = h2 & s1
    s3 = h3 & s1
    if giving:
        p1, p2, p3, need = take(s1 & heavy, s2, s3, need, p1, p2, p3)
        if need:
            p1, p2, p3, need = take(s1 & pointed & ~heavy, s2, s3, need, p1, p2, p3)
    if need:
        first, second, third = shortest_first(s1, s2, s3)
        low = s1 & ~s2 & ~pointed
        p1, p2, p3, need = take(low & first, s2, s3, need, p1, p2, p3)
        if need:
            p1, p2, p3, need = take(low & second, s2, s3, need, p1, p2, p3)
        if need:
            p1, p2, p3, need = take(low & third, s2, s3, need, p1, p2, p3)
    if need:
        p1, p2, p3, need = take(s2 & ~pointed, s2, s3, need, p1, p2, p3)
    if need:
        p1, p2, p3, need = take(s1 & pointed & ~heavy & ~p1, s2, s3, need, p1, p2, p3)
    t1 = h1 & TRUMP_LANE & ~lane
    if need and t1:
        p1, p2, p3, need = take(t1 & ~h2 & ~pointed, h2, h3, need, p1, p2, p3)
        if need:
            p1, p2, p3, need = take(s1 & heavy & ~p1, s2, s3, need, p1, p2, p3)
        if need:
            p1, p2, p3 = spare(t1 & ~p1, h2 & t1 & ~p1, h3 & t1 & ~p1, need, pointed, heavy, giving, p1, p2, p3)
    elif need:
        p1, p2, p3, need = take(s1 & heavy & ~p1, s2, s3, need, p1, p2, p3)
    return p1, p2, p3


def shortest_first(s1: int, s2: int, s3: int) -> tuple[int, int, int]:
    """The three side lanes, the one with the fewest cards first."""
    a = (s1 & _LANE_0).bit_count() + (s2 & _LANE_0).bit_count() + (s3 & _LANE_0).bit_count()
    b = (s1 & _LANE_1).bit_count() + (s2 & _LANE_1).bit_count() + (s3 & _LANE_1).bit_count()
    c = (s1 & _LANE_2).bit_count() + (s2 & _LANE_2).bit_count() + (s3 & _LANE_2).bit_count()
    if a <= b:
        if b <= c:
            return _LANE_0, _LANE_1, _LANE_2
        if a <= c:
            return _LANE_0, _LANE_2, _LANE_1
        return _LANE_2, _LANE_0, _LANE_1
    if a <= c:
        return _LANE_1, _LANE_0, _LANE_2
    if b <= c:
        return _LANE_1, _LANE_2, _LANE_0
    return _LANE_2, _LANE_1, _LANE_0
