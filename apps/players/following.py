"""How ``steady`` follows: integer functions on holdings, in the subset that compiles."""

from __future__ import annotations

from gunzi.apps.players.discarding import spare_inside, spare_outside
from gunzi.trump import TRUMP_LANE

HONOURS, HIGH, MIDDLE = 54, 50, 48
"""Bits of the trump lane, in the usual order: the trump level card and the jokers, from the trump 2 on, from the 2s on."""
TRUMP_POWER = 100
"""Plays of at least this power are trump."""


def above(kinds: int, best: int, strongest: int, power: tuple[int, ...]) -> int:
    """Those of the kinds that beat a play whose strongest bit is ``best``, of power ``strongest``, in the same lane."""
    kinds &= ~((best << 1) - 1)
    while kinds:
        bit = kinds & -kinds
        if power[bit.bit_length() - 1] > strongest:
            break
        kinds ^= bit
    return kinds


def choose_follow(
    h1: int,
    h2: int,
    h3: int,
    u1: int,
    u2: int,
    u3: int,
    lane: int,
    n: int,
    strict: int,
    split: int,
    best: int,
    strongest: int,
    mate_wins: int,
    place: int,
    behind_void: int,
    pile: int,
    pointed: int,
    heavy: int,
    power: tuple[int, ...],
) -> tuple[int, int, int]:
    """A play of n cards (1-3) after a lead in ``lane``.

    ``h`` is the holding, ``u`` what is unseen, ``best`` the bit of the play that wins so far and ``strongest`` its power,
    ``mate_wins`` says whose it is, ``place`` how many have played (1-3), ``behind_void`` the lanes in which the last foe is
    known to be void, ``pile`` the points on the table.
    """
    i1 = h1 & lane
    i2 = h2 & lane
    i3 = h3 & lane
    held = i1.bit_count() + i2.bit_count() + i3.bit_count()
    unseen = u1 if n == 1 else (u2 if n == 2 else u3)
    side = lane != TRUMP_LANE
    ruffed = side and strongest >= TRUMP_POWER
    safe = 1
    if place < 3:
        # Can somebody behind still beat what wins now?
        where = TRUMP_LANE if ruffed else lane
        if above(unseen & where, best, strongest, power) or (
            not ruffed and side and behind_void & lane and unseen & TRUMP_LANE
        ):
            safe = 0
    if held >= n:
        own = i1 if n == 1 else (i2 if n == 2 else i3)
        beating = 0 if ruffed else above(own, best, strongest, power)
        bit = 0
        if mate_wins:
            if not safe and beating and n == 1 and place == 2:
                bit = _secure(beating, unseen & lane, pile, pointed, place, side)
        elif beating:
            bit = _secure(beating, unseen & lane, pile, pointed, place, side)
        if bit:
            return bit, bit if n > 1 else 0, bit if n > 2 else 0
        return spare_inside(i1, i2, i3, n, strict, split, pointed, heavy, 1 if mate_wins and safe else 0)
    if not held and side and not (mate_wins and (safe or pile < 10)):
        own = (h1 if n == 1 else (h2 if n == 2 else h3)) & TRUMP_LANE
        beating = above(own, best, strongest, power) if ruffed else own
        if beating and (pile >= 5 or (n == 1 and h1 & TRUMP_LANE & ~h2 & beating)):
            bit = _ruff(beating, h2, n, pile, pointed, place, strongest)
            if bit:
                return bit, bit if n > 1 else 0, bit if n > 2 else 0
    return spare_outside(h1, h2, h3, lane, n - held, pointed, heavy, 1 if mate_wins and safe else 0, i1, i2, i3)


def _secure(beating: int, unseen: int, pile: int, pointed: int, place: int, side: int) -> int:
    """The kind to win with in the lane; 0: it is not worth it."""
    if place == 3:
        # The last one to play wins for sure: with points if they fit, else as cheaply as possible.
        scoring = beating & pointed
        bit = scoring & -scoring if scoring else beating & -beating
        if not scoring and not pile and not side and bit >> HONOURS:
            return 0
        return bit
    top = 1 << (beating.bit_length() - 1)
    holds = beating & ~((1 << unseen.bit_length()) - 1)
    if holds:
        # Nothing unseen beats these: the cheapest of them will do.
        bit = holds & -holds
        if not pile and not side and bit >> HONOURS:
            return 0
        return bit
    if top & pointed:
        return 0
    return top if pile >= 10 or side else 0


def _ruff(beating: int, h2: int, n: int, pile: int, pointed: int, place: int, strongest: int) -> int:
    """The trump kind to ruff with; 0: it is not worth it."""
    if place == 3:
        scoring = beating & pointed
        if scoring:
            return scoring & -scoring
        single = beating & ~h2 if n == 1 else beating
        bit = single & -single if single else beating & -beating
        if pile < 10 and bit >> HIGH:
            return 0
        return bit
    plain = beating & ~pointed
    if n == 1:
        plain = plain & ~h2 or plain
    if not plain:
        return 0
    bit = plain & -plain
    if pile < 10 and bit >> MIDDLE:
        return 0
    return bit
