"""How ``steady`` leads: integer functions on holdings, in the subset that compiles."""

from __future__ import annotations

from gunzi.masks import LANES
from gunzi.trump import TRUMP_LANE

NEVER = -(1 << 30)
HONOURS = 54
"""The trump lane's bits from here on are, in the usual order, the level card of the trump suit and the jokers."""


def choose_lead(
    h1: int,
    h2: int,
    h3: int,
    u1: int,
    u2: int,
    u3: int,
    foes_void: int,
    mate_void: int,
    pointed: int,
    points: tuple[int, ...],
) -> tuple[int, int, int]:
    """A single, a pair or a triple to lead.

    ``h`` is the holding, ``u`` what is unseen; ``foes_void`` and ``mate_void`` mask the lanes in which a foe or the partner is
    known to be void; ``points[bit]`` is what a kind is worth. Each lead is weighed by its chance to win (in hundredths), by
    what it then brings and what it loses otherwise.
    """
    best_score = NEVER
    best_bit = 0
    best_n = 1
    held = h1.bit_count() + h2.bit_count() + h3.bit_count()
    foe_trumps = (u1 & TRUMP_LANE).bit_count() + (u2 & TRUMP_LANE).bit_count() + (u3 & TRUMP_LANE).bit_count()
    own_trumps = (h1 & TRUMP_LANE).bit_count() + (h2 & TRUMP_LANE).bit_count() + (h3 & TRUMP_LANE).bit_count()
    for lane in LANES:
        i1 = h1 & lane
        if not i1:
            continue
        i2 = h2 & lane
        i3 = h3 & lane
        trump = lane == TRUMP_LANE
        out1 = u1 & lane
        out2 = u2 & lane
        out3 = u3 & lane
        out = out1.bit_count() + out2.bit_count() + out3.bit_count()
        # The chance that nobody ruffs a single, in hundredths.
        holds = 100
        if not trump and foe_trumps:
            if foes_void & lane:
                holds = 20
            elif out < 12:
                holds = 40 + 5 * out
        if i3:
            bit = 1 << (i3.bit_length() - 1)
            higher = (out3 & ~((bit << 1) - 1)).bit_count()
            wins = 100 - 8 * higher
            if wins < 40:
                wins = 40
            if holds < 100:
                wins = wins * (holds + 300) // 400
            each = points[bit.bit_length() - 1]
            score = wins * (3 * each + 16) - (100 - wins) * (3 * each + 12) + 300
            if trump:
                score -= 600
            if score > best_score:
                best_score, best_bit, best_n = score, bit, 3
        pairs = i2 & ~i3
        if pairs:
            bit = 1 << (pairs.bit_length() - 1)
            over = ~((bit << 1) - 1)
            likely = (out3 & over).bit_count()
            wins = PAIR_STANDS[likely] * PAIR_MAY_STAND[(out2 & over).bit_count() - likely] // 100
            if holds < 100:
                wins = wins * (holds + 100) // 200
            each = points[bit.bit_length() - 1]
            score = wins * (2 * each + 12) - (100 - wins) * (2 * each + 8) + 200
            if trump:
                score += 300 if 3 * own_trumps > foe_trumps else -300
                if bit >> HONOURS:
                    score -= 700
            if score > best_score:
                best_score, best_bit, best_n = score, bit, 2
        bit = 1 << (i1.bit_length() - 1)
        each = points[bit.bit_length() - 1]
        if bit >= out1:
            # Nothing unseen beats the strongest card of the lane.
            score = holds * (each + 8) - (100 - holds) * (each + 4)
            if trump:
                # Strong trumps are kept to win later tricks, and the last one above all.
                score -= 500 if 3 * own_trumps > foe_trumps and held > 8 else 1100
            if i2 & bit:
                score -= 200
            if score > best_score:
                best_score, best_bit, best_n = score, bit, 1
        low = i1 & ~i2 & ~pointed or i1 & ~pointed or i1
        bit = low & -low
        each = points[bit.bit_length() - 1]
        score = -200 - 60 * each
        if not trump:
            if mate_void & lane and not foes_void & lane:
                score += 400
            elif foes_void & lane:
                score -= 100
            score -= 12 * (i1.bit_count() + i2.bit_count() + i3.bit_count())
        else:
            if 3 * own_trumps < foe_trumps:
                score -= 200
            if bit >> HONOURS:
                score -= 700
        if i2 & bit:
            score -= 250
        if score > best_score:
            best_score, best_bit, best_n = score, bit, 1
    return best_bit, best_bit if best_n > 1 else 0, best_bit if best_n > 2 else 0


PAIR_STANDS = tuple(100 * 11**k // 20**k for k in range(64))
"""The chance that no foe holds a pair of any of k kinds of which three cards are out, in hundredths."""
PAIR_MAY_STAND = tuple(100 * 4**k // 5**k for k in range(64))
"""The same for kinds of which two cards are out."""
