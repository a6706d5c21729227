"""What may be led, and who wins a trick.

Led may be a single, a pair, a triple (where there are three packs) or a tractor. Only a play of the led shape, wholly in the led
suit or wholly trump, can win; of two tractors the one with the higher top pair.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Final

from gunzi import Text, Trump, masks
from gunzi.trump import TRUMP_LANE, Masks
from gunzi.values import LeadRule, Reason, TrickRule
from gunzi_tractors.ladder import Ladder, ladder

LEAD: Final = "tractors.lead"
STRONGEST: Final = "tractors.strongest"
TEXTS: Final = {
    LEAD: Text(
        "领牌只能出单张、对子、三张一样的，或者拖拉机（同一门里相连的两对以上）",
        "Only a single, a pair, a triple or a tractor (two or more consecutive pairs of one suit) may be led",
    ),
    STRONGEST: Text(
        "牌型和领牌一样、全是领出的花色或者全是主，才能比大小；拖拉机比最大的一对，一样大的先出为大",
        "Only a play of the led shape, all of the led suit or all trump, can win; tractors compare by their top pair, and the "
        "earlier of equals wins",
    ),
}
NOTHING = Text("至少要出一张牌", "At least one card must be led")
SUITS = Text("一手牌要全是一门的：这几张不是一门", "A lead is of one suit, and these are not")
NOT_PAIRS = Text(
    "好几种牌一起出，得每种一对，连成拖拉机；三张一样的不能当两对",
    "Several kinds are led together only as a tractor of pairs, and a triple is no two pairs",
)
NOT_CONSECUTIVE = Text(
    "这几对不相连，不是拖拉机，只能一对一对出", "These pairs are not consecutive: they are no tractor and go one by one"
)


@lru_cache(maxsize=256)
def lead_rule(trump: Trump, through_top: bool) -> LeadRule:
    """The leads under a trump order: all of one kind as ``gunzi.masks`` has them, then the tractors."""
    steps = ladder(trump, through_top)

    def count(h1: int, h2: int, h3: int) -> int:
        return masks.lead_count(h1, h2, h3) + len(steps.tractors(h2))

    def kth(h1: int, h2: int, h3: int, k: int) -> Masks:
        one_kind = masks.lead_count(h1, h2, h3)
        if k < one_kind:
            return masks.lead_kth(h1, h2, h3, k)
        tractor = steps.tractors(h2)[k - one_kind]
        return tractor, tractor, 0

    def contains(h1: int, h2: int, h3: int, p1: int, p2: int, p3: int) -> bool:
        if masks.is_lead(h1, h2, h3, p1, p2, p3):
            return True
        return p1 == p2 and not p3 and not p2 & ~h2 and steps.is_tractor(p1)

    def why_not(holding: Masks, play: Masks) -> Reason:
        return Reason(LEAD, _fault(trump, play))

    return LeadRule(count, kth, contains, why_not)


def _fault(trump: Trump, play: Masks) -> Text:
    p1, p2, p3 = play
    if not p1:
        return NOTHING
    if len({trump.lane(card) for card in trump.cards((p1, 0, 0))}) > 1:
        return SUITS
    return NOT_PAIRS if p1 != p2 or p3 else NOT_CONSECUTIVE


@lru_cache(maxsize=256)
def trick_rule(trump: Trump, through_top: bool) -> TrickRule:
    """Who wins: single kinds as ``gunzi.masks`` says, tractors by their top pair."""
    steps: Ladder = ladder(trump, through_top)
    powers = trump.power

    def power(p1: int, p2: int, p3: int, n: int, lane: int) -> int:
        if n < 4:
            return masks.play_power(p1, p2, p3, n, lane, TRUMP_LANE, powers)
        if p3 or p1 != p2 or not p1 & (lane | TRUMP_LANE) or not steps.is_tractor(p1):
            return 0
        return powers[p1.bit_length() - 1]

    return TrickRule(power, by=STRONGEST)
