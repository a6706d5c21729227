"""How ``steady`` prepares a hand: claims, declarations, tribute, burying, kings."""

from __future__ import annotations

from gunzi import masks
from gunzi.acts import Act, Claim, Declare
from gunzi.apps.players.discarding import spare, spare_outside
from gunzi.ask import Ask, CardsAsk
from gunzi.cards import BIG, LITTLE, SUITS
from gunzi.choices import count_kings
from gunzi.sight import Sight
from gunzi.trump import SIDE_LANES, TRUMP_LANE, Masks, Trump

LONG_TRUMPS = 16
"""With so many trumps of 39 a seat expects to win the last tricks."""
MANY_TRUMPS = 17
"""With so many, a seat that is not the dealer gives one king away for what it earns in the bottom."""
KINGS_TO_CLAIM = 3
"""Kings that make the deal worth having: the dealer side needs three fifths of the points."""
KINGS_TO_SPARE = 3
"""With so many kings the dealer can do without one."""


def suit_lengths(counts: list[int], level: int, permanent: tuple[int, ...]) -> list[int]:
    """The plain cards held of each suit S H C D: those that become trump or side with it."""
    always = {level, *permanent}
    ranks = [rank - 2 for rank in range(2, 15) if rank not in always]
    return [sum(counts[13 * suit + rank] for rank in ranks) for suit in range(4)]


def choose_bid(sight: Sight, ask: Ask, permanent: tuple[int, ...], hand: int) -> Act:
    """Claim with three kings in hand. Declare the longest suit there are cards for, if it is long for the cards so far or, at
    the end, at least not short; overturn a foe for a longer suit, the partner only for a much longer one."""
    acts = list(ask)
    shown = sight.shown
    counts = list(sight.counts)
    claims = [act for act in acts if isinstance(act, Claim)]
    if claims:
        return claims[0] if counts[LITTLE] + counts[BIG] >= KINGS_TO_CLAIM else acts[0]
    level = shown.levels[(shown.dealer or 0) & 1]
    lengths = suit_lengths(counts, level, permanent)
    held = sum(counts)
    best: Act = ask[0]
    most = -1
    for act in acts:
        if not isinstance(act, Declare) or act.suit not in SUITS:
            continue
        length = lengths[SUITS.index(act.suit)]
        worth = 8 * length + len(act.cards)
        if worth > most and _worth_declaring(sight, length, lengths, held, hand, act):
            best, most = act, worth
    return best


def _worth_declaring(sight: Sight, length: int, lengths: list[int], held: int, hand: int, act: Declare) -> bool:
    standing = sight.shown.standing
    if standing is None:
        if 4 * length >= held + 6:
            return True
        return held >= hand and length >= max(lengths) - 1
    if held * 2 < hand:
        return False
    theirs = lengths[SUITS.index(standing.suit)]
    if (standing.seat ^ sight.seat) & 1:
        return length >= theirs + 2
    if act.suit == standing.suit:
        return False
    return length >= theirs + 6


def choose_payment(ask: CardsAsk) -> Masks:
    """Of the cards that tie, those that break the fewest pairs and triples."""
    h2 = ask.holding[1]
    best = ask.choices.kth(0)
    least = masks.size(best[0] & h2 & ~best[1], 0, 0)
    for k in range(1, min(ask.choices.total, 24)):
        chosen = ask.choices.kth(k)
        broken = (chosen[0] & h2 & ~chosen[1]).bit_count()
        if broken < least:
            best, least = chosen, broken
    return best


def choose_return(ask: CardsAsk, pointed: int, heavy: int) -> Masks:
    """Low cards of short suits."""
    found: list[Masks] = []
    for block in ask.choices.blocks:
        pool = block.pool
        if masks.size(*pool) < block.count:
            continue
        low = spare_outside(*pool, 0, block.count, pointed, heavy, 0, 0, 0, 0)
        found.append(masks.add(*block.forced, *low))
    return found[0] if found and found[0] in ask.choices else ask.choices.kth(0)


def choose_burial(ask: CardsAsk, pointed: int, heavy: int) -> Masks:
    """Short side suits first, without their winners, pairs and triples; points only in a hand strong in trumps; and from such
    a hand with three kings or more, one of them."""
    need = ask.wanted
    kings = count_kings(ask.holding, ask.trump)
    if sum(kings) >= KINGS_TO_SPARE and need > 1 and trump_count(ask.holding) >= LONG_TRUMPS:
        king = ask.trump.big if kings[0] else ask.trump.little
        chosen = masks.add(*_burial(ask, need - 1, pointed, heavy), king, 0, 0)
        if chosen in ask.choices:
            return chosen
    chosen = _burial(ask, need, pointed, heavy)
    return chosen if chosen in ask.choices else ask.choices.kth(0)


def _burial(ask: CardsAsk, need: int, pointed: int, heavy: int) -> Masks:
    h1, h2, h3 = ask.holding
    keep = TRUMP_LANE | h3 | top_kinds(ask.trump)
    strong = trump_count(ask.holding) >= LONG_TRUMPS
    if strong:
        keep &= ~pointed | TRUMP_LANE
    # From what may go to what should stay: each step gives up one more thing.
    for kept in (keep | h2, keep, TRUMP_LANE, ask.trump.kings):
        pool = (h1 & ~kept, h2 & ~kept, h3 & ~kept)
        usable = 0 if strong or kept == ask.trump.kings else pointed
        if masks.size(pool[0] & ~usable, pool[1] & ~usable, pool[2] & ~usable) >= need:
            return spare_outside(*pool, 0, need, 0 if strong else pointed, 0 if strong else heavy, 0, 0, 0, 0)
    return spare(h1, h2, h3, need, pointed, heavy, 0, 0, 0, 0)


def choose_kings(sight: Sight, ask: Ask) -> Act:
    """One king goes into the bottom from a hand long in trumps: levels and blood for whoever wins it, at the price of a trump."""
    return ask[1] if trump_count(sight.holding) >= MANY_TRUMPS else ask[0]


def choose_pick(sight: Sight, ask: CardsAsk) -> Masks:
    """Of the cards that tie, those that make pairs and triples with what is held."""
    h1, h2, h3 = sight.holding
    best = ask.choices.kth(0)
    most = -1
    for k in range(min(ask.choices.total, 24)):
        chosen = ask.choices.kth(k)
        made = (chosen[0] & h1).bit_count() + 2 * (chosen[0] & h2).bit_count()
        if made > most:
            best, most = chosen, made
    return best


def top_kinds(trump: Trump) -> int:
    """The strongest kind of each side suit."""
    tops = 0
    for lane in SIDE_LANES:
        kinds = [bit for bit in range(36) if lane >> bit & 1 and trump.kind_at[bit] >= 0]
        tops |= 1 << max(kinds)
    return tops


def trump_count(holding: Masks) -> int:
    """How many trumps a holding has."""
    h1, h2, h3 = holding
    return (h1 & TRUMP_LANE).bit_count() + (h2 & TRUMP_LANE).bit_count() + (h3 & TRUMP_LANE).bit_count()
