"""What must be followed: suit first, then the shape as far as the hand can.

A tractor of m pairs asks for m pairs: the longest tractor of them that the hand has, then the longest of what is left, then
single pairs; a hand with fewer pairs plays them all and fills up with other cards of the suit; a hand with fewer cards of the
suit plays them all and fills up with anything. A pair asks for a pair, a triple for a triple or else a pair and one more.
Three equal cards hold one pair, never two.

No list of plays is made: where there is a choice of pairs, the sets of them are a few disjoint blocks (``Ladder.demanded``);
where all pairs go, the rest is any so many of the other cards, which ``gunzi.combinations`` counts.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Final

from gunzi import Text, Trump, combinations, masks
from gunzi.trump import SIDE_LANE_BITS, SIDE_LANES, TRUMP_LANE, TRUMP_SHIFT, Masks
from gunzi.values import FollowRule, Reason
from gunzi_tractors.ladder import ladder

FOLLOW: Final = "tractors.follow"
SUIT: Final = "follow.suit"
"""gunzi's own rule of following suit: it holds here too."""
TEXTS: Final = {
    FOLLOW: Text(
        "有拖拉机先跟拖拉机，长的先跟；不够再跟对子，对子也不够才跟单张",
        "Follow tractors with tractors, the longer first, then with pairs, and with single cards only where pairs run out",
    ),
}
SUIT_NAMES: Final = {
    "S": Text("♠", "spades"),
    "H": Text("♥", "hearts"),
    "C": Text("♣", "clubs"),
    "D": Text("♦", "diamonds"),
    "trump": Text("主", "trumps"),
}
FOLLOW_SUIT = Text(
    "得跟{suit}：手里的{suit}够，出的都得是{suit}", "Follow suit: you hold enough {suit}, so play only {suit}"
)
ALL_OF_SUIT = Text(
    "{suit}只剩 {held} 张，不够也得全跟上，差的用别的牌垫",
    "You hold only {held} of {suit}: play them all, and anything beside",
)
PAIR = Text("手里有{suit}对子，领对子就得出对子", "A pair is led and you hold a pair of {suit}, so play one")
TRIPLE = Text("手里有三张一样的{suit}，就得出三张", "A triple is led and you hold a triple of {suit}, so play one")
PAIR_AND_ONE = Text(
    "没有三张一样的，也得出{suit}对子带一张", "Without a triple, play a pair of {suit} and one more of the suit"
)
ALL_PAIRS = Text(
    "{suit}只有 {held} 对，得全跟上，差的再用{suit}单张补",
    "You hold only {held} pairs of {suit}: play them all, and fill up with single cards of the suit",
)
LONGEST = Text(
    "手里有{suit}拖拉机，最长 {length} 对，得先跟上，再跟剩下的拖拉机和对子",
    "You hold a tractor of {length} pairs of {suit}: play it first, then what is left of tractors and pairs",
)
SOME_PAIRS = Text(
    "{suit}没有拖拉机，可对子够：得跟 {wanted} 对",
    "You hold no tractor of {suit} but enough pairs: play {wanted} pairs",
)


def shape(l1: int, l2: int, l3: int) -> tuple[int, int]:
    """A lead's lane and its number of cards; four and more are a tractor of half as many pairs."""
    bit = (l1 & -l1).bit_length() - 1
    lane = TRUMP_LANE if bit >= TRUMP_SHIFT else SIDE_LANES[bit // SIDE_LANE_BITS]
    return lane, masks.size(l1, l2, l3)


@lru_cache(maxsize=256)
def follow_rule(trump: Trump, through_top: bool, strict: bool) -> FollowRule:
    """The follows under a trump order. Not ``strict``: suit only, as gunzi's own loose following."""
    steps = ladder(trump, through_top)

    def asks_for_pairs(h1: int, h2: int, h3: int, lane: int, n: int, strict: int) -> bool:
        """Does the shape of a tractor bind this hand? Not where the suit does not suffice or holds no pair."""
        i2 = h2 & lane
        return n > 3 and strict != 0 and i2 != 0 and masks.size(h1 & lane, i2, h3 & lane) >= n

    def count(h1: int, h2: int, h3: int, lane: int, n: int, strict: int, split: int) -> int:
        if not asks_for_pairs(h1, h2, h3, lane, n, strict):
            return masks.follow_count(h1, h2, h3, lane, n, strict, split)
        pairs = h2 & lane
        free = n - 2 * pairs.bit_count()
        if free <= 0:
            return len(steps.demanded(pairs, n // 2))
        return combinations.choose_count(*masks.remove(h1 & lane, pairs, h3 & lane, pairs, pairs, 0), free)

    def kth(h1: int, h2: int, h3: int, lane: int, n: int, strict: int, split: int, k: int) -> Masks:
        if not asks_for_pairs(h1, h2, h3, lane, n, strict):
            return masks.follow_kth(h1, h2, h3, lane, n, strict, split, k)
        pairs = h2 & lane
        free = n - 2 * pairs.bit_count()
        if free <= 0:
            chosen = steps.demanded(pairs, n // 2).kth(k)[0]
            return chosen, chosen, 0
        rest = masks.remove(h1 & lane, pairs, h3 & lane, pairs, pairs, 0)
        return masks.add(pairs, pairs, 0, *combinations.choose_kth(*rest, free, k))

    def contains(
        h1: int, h2: int, h3: int, lane: int, n: int, strict: int, split: int, p1: int, p2: int, p3: int
    ) -> bool:
        if not asks_for_pairs(h1, h2, h3, lane, n, strict):
            return masks.is_follow(h1, h2, h3, lane, n, strict, split, p1, p2, p3)
        if not masks.is_follow(h1, h2, h3, lane, n, 0, split, p1, p2, p3):
            return False
        pairs = h2 & lane
        if 2 * pairs.bit_count() < n:
            return p2 == pairs
        return p1 == p2 and not p3 and (p1, 0, 0) in steps.demanded(pairs, n // 2)

    def why_not(holding: Masks, lead: Masks, play: Masks) -> Reason:
        lane, n = shape(*lead)
        suit = SUIT_NAMES[trump.lane_name(lane)]
        i1, i2, i3 = (mask & lane for mask in holding)
        held = masks.size(i1, i2, i3)
        if held < n:
            return Reason(SUIT, ALL_OF_SUIT.format(suit=suit, held=held))
        if masks.size(*(mask & lane for mask in play)) < n:
            return Reason(SUIT, FOLLOW_SUIT.format(suit=suit))
        wanted, length = n // 2, min(steps.longest(i2), n // 2)
        owed = _owed_to_shape(n, i2, i3, length)
        return Reason(FOLLOW, owed.format(suit=suit, wanted=wanted, held=i2.bit_count(), length=length))

    return FollowRule(shape, count, kth, contains, int(strict), masks.MUST_SPLIT, why_not)


def _owed_to_shape(n: int, i2: int, i3: int, length: int) -> Text:
    """What a hand with enough cards of the suit owes to the shape of the lead."""
    if n == 2:
        return PAIR
    if n == 3:
        return TRIPLE if i3 else PAIR_AND_ONE
    if i2.bit_count() < n // 2:
        return ALL_PAIRS
    return LONGEST if length > 1 else SOME_PAIRS
