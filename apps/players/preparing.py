"""How ``steady`` prepares a hand: claims, declarations, tribute, burying, kings. Integer functions on counts and holdings, in the
subset that compiles.

A choice of cards is a block as in ``gunzi.choices``: the cards ``f`` that are in by force, and any ``r`` of the pool ``q``.
"""

from __future__ import annotations

from collections.abc import Sequence

from gunzi import combinations, masks
from gunzi.apps.players.discarding import spare, spare_outside
from gunzi.cards import BIG, LITTLE
from gunzi.trump import SIDE_LANES, TRUMP_LANE, Trump

LONG_TRUMPS = 16
"""With so many trumps of 39 a seat expects to win the last tricks."""
MANY_TRUMPS = 17
"""With so many, a seat that is not the dealer gives one king away for what it earns in the bottom."""
KINGS_TO_CLAIM = 3
"""Kings that make the deal worth having: the dealer side needs three fifths of the points."""
KINGS_TO_SPARE = 3
"""With so many kings the dealer can do without one."""
MOST_LOOKED_AT = 24
"""So many of the choices that tie are looked at."""
EVERY_RANK = (1 << 13) - 1
NOT_DECLARED = -1


# -- the deal ------------------------------------------------------------------------------------------------------


def claims(counts: Sequence[int]) -> bool:
    """Claim the deal? With three kings among the cards so far, which are counted by kind."""
    return counts[LITTLE] + counts[BIG] >= KINGS_TO_CLAIM


def plain_ranks(level: int, permanents: int) -> int:
    """The ranks, bit 0 the 2 up to bit 12 the ace, that become trump or side with their suit; ``permanents`` in the same form."""
    return EVERY_RANK & ~permanents & ~(1 << level - 2)


def suit_length(counts: Sequence[int], suit: int, plain: int) -> int:
    """How many plain cards of a suit (0-3 of S H C D) there are among cards counted by kind."""
    kind = 13 * suit
    found = 0
    while plain:
        if plain & 1:
            found += counts[kind]
        plain >>= 1
        kind += 1
    return found


def weigh_declaration(
    suit: int, count: int, lengths: Sequence[int], held: int, hand: int, standing: int, foes: int
) -> int:
    """What it is worth to name a suit with so many cards: its length counts, then the cards. 0: it is better not named.

    ``lengths`` are those of S H C D in the ``held`` cards of a ``hand`` so far; ``standing`` is the suit that was declared
    (NOT_DECLARED: none is), ``foes`` 1 if a foe declared it. The first suit named is long for the cards so far or, at the end, at
    least not short; a foe is overturned for a longer suit, the own side only for a much longer one.
    """
    length = lengths[suit]
    if standing < 0:
        named = 4 * length >= held + 6
        if not named and held >= hand:
            longest = max(max(lengths[0], lengths[1]), max(lengths[2], lengths[3]))
            named = length >= longest - 1
    elif held * 2 < hand:
        named = False
    elif foes:
        named = length >= lengths[standing] + 2
    elif suit == standing:
        named = False
    else:
        named = length >= lengths[standing] + 6
    return 8 * length + count if named else 0


# -- tribute -------------------------------------------------------------------------------------------------------


def choose_payment(h2: int, f1: int, f2: int, f3: int, q1: int, q2: int, q3: int, r: int) -> tuple[int, int, int]:
    """Of the cards that tie, those that break the fewest pairs and triples; ``h2`` are the kinds held twice."""
    best = f1, f2, f3
    least = -1
    for k in range(min(combinations.choose_count(q1, q2, q3, r), MOST_LOOKED_AT)):
        p1, p2, p3 = combinations.choose_kth(q1, q2, q3, r, k)
        p1, p2, p3 = masks.add(f1, f2, f3, p1, p2, p3)
        broken = (p1 & h2 & ~p2).bit_count()
        if least < 0 or broken < least:
            best = p1, p2, p3
            least = broken
    return best


def choose_return(
    f1: int, f2: int, f3: int, q1: int, q2: int, q3: int, r: int, pointed: int, heavy: int
) -> tuple[int, int, int]:
    """Low cards of short suits."""
    p1, p2, p3 = spare_outside(q1, q2, q3, 0, r, pointed, heavy, 0, 0, 0, 0)
    return masks.add(f1, f2, f3, p1, p2, p3)


# -- burying -------------------------------------------------------------------------------------------------------


def trump_count(h1: int, h2: int, h3: int) -> int:
    """How many trumps a holding has."""
    return (h1 & TRUMP_LANE).bit_count() + (h2 & TRUMP_LANE).bit_count() + (h3 & TRUMP_LANE).bit_count()


def king_to_spare(h1: int, h2: int, h3: int, big: int, little: int) -> int:
    """The king that the dealer buries, as a bit: one of three or more in a hand strong in trumps. 0: none."""
    kings = big | little
    held = (h1 & kings).bit_count() + (h2 & kings).bit_count() + (h3 & kings).bit_count()
    if held < KINGS_TO_SPARE or trump_count(h1, h2, h3) < LONG_TRUMPS:
        return 0
    return big if h1 & big else little


def choose_burial(
    h1: int, h2: int, h3: int, need: int, kings: int, tops: int, pointed: int, heavy: int
) -> tuple[int, int, int]:
    """``need`` cards of short side suits, without their winners, pairs and triples; points only from a hand strong in trumps.

    ``tops`` are the strongest kinds of the side suits. Asked for more than there are besides kings, it names kings too.
    """
    strong = trump_count(h1, h2, h3) >= LONG_TRUMPS
    keep = TRUMP_LANE | h3 | tops
    if strong:
        keep &= ~pointed | TRUMP_LANE
        pointed = 0
        heavy = 0
    # From what may go to what should stay: each step gives up one more thing.
    for step in range(4):
        kept = kings
        unusable = 0
        if step < 3:
            kept = TRUMP_LANE if step == 2 else (keep if step else keep | h2)
            unusable = pointed
        q1 = h1 & ~kept
        q2 = h2 & ~kept
        q3 = h3 & ~kept
        if masks.size(q1 & ~unusable, q2 & ~unusable, q3 & ~unusable) >= need:
            return spare_outside(q1, q2, q3, 0, need, pointed, heavy, 0, 0, 0, 0)
    return spare(h1, h2, h3, need, pointed, heavy, 0, 0, 0, 0)


def gives_king(h1: int, h2: int, h3: int) -> bool:
    """Bury one king after the dealer? From a hand long in trumps: levels and blood for whoever wins it, at the price of a trump."""
    return trump_count(h1, h2, h3) >= MANY_TRUMPS


def choose_pick(h1: int, h2: int, f1: int, f2: int, f3: int, q1: int, q2: int, q3: int, r: int) -> tuple[int, int, int]:
    """Of the cards that tie, those that make pairs and triples with what is held: ``h1`` once, ``h2`` twice."""
    best = f1, f2, f3
    most = -1
    for k in range(min(combinations.choose_count(q1, q2, q3, r), MOST_LOOKED_AT)):
        p1, p2, p3 = combinations.choose_kth(q1, q2, q3, r, k)
        p1, p2, p3 = masks.add(f1, f2, f3, p1, p2, p3)
        made = (p1 & h1).bit_count() + 2 * (p1 & h2).bit_count()
        if made > most:
            best = p1, p2, p3
            most = made
    return best


# -- what is worked out once for each trump order --------------------------------------------------------------------


def top_kinds(trump: Trump) -> int:
    """The strongest kind of each side suit."""
    tops = 0
    for lane in SIDE_LANES:
        tops |= 1 << max(bit for bit in range(36) if lane >> bit & 1 and trump.kind_at[bit] >= 0)
    return tops
