"""Sets of card choices that are counted and indexed, never written out.

A set is a list of disjoint blocks; a block is "these cards, and any r from that pool" (``Block``). Paying, returning,
burying and picking up are all such sets.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from functools import lru_cache
from typing import TYPE_CHECKING

from gunzi import combinations, masks
from gunzi.trump import NOTHING, Masks, Trump
from gunzi.values import Block

if TYPE_CHECKING:
    from gunzi.ruleset import RuleSet


class Choices:
    """The union of disjoint blocks: its length, its k-th choice, and whether a choice is in it."""

    __slots__ = ("blocks", "counts", "total")

    def __init__(self, blocks: Sequence[Block]) -> None:
        self.blocks = tuple(blocks)
        self.counts = tuple([_count(block) for block in blocks])
        self.total = sum(self.counts)

    def __len__(self) -> int:
        return min(self.total, sys.maxsize)

    def kth(self, k: int) -> Masks:
        """The k-th choice, 0 ≤ k < ``total``; blocks in order, inside a block as ``combinations.choose_kth`` orders them."""
        for block, count in zip(self.blocks, self.counts, strict=True):
            if k < count:
                return masks.add(*block.forced, *combinations.choose_kth(*block.pool, block.count, k))
            k -= count
        raise IndexError("no such choice")

    def __contains__(self, chosen: object) -> bool:
        if not isinstance(chosen, tuple):
            return False
        p1, p2, p3 = chosen
        for block in self.blocks:
            pool = block.pool[0]
            if (p1 & ~pool, p2 & ~pool, p3 & ~pool) != block.forced:
                continue
            inside = (p1 & pool, p2 & pool, p3 & pool)
            if masks.size(*inside) == block.count and masks.contains(*block.pool, *inside):
                return True
        return False


_ways = lru_cache(maxsize=4096)(combinations.ways)


def _count(block: Block) -> int:
    """``combinations.choose_count``, remembered: large choices are counted in sums of products, and the same ones again and again."""
    m1, m2, m3 = block.pool
    n2, n3 = m2.bit_count(), m3.bit_count()
    return _ways(m1.bit_count() - n2, n2 - n3, n3, block.count)


def strongest(holding: Masks, allowed: int, trump: Trump, count: int) -> Choices:
    """Paying tribute: the ``count`` strongest allowed cards; ties at the cut are the payer's choice (section 3.5)."""
    return _extreme(holding, allowed, trump.tribute_rank, count, True)


def smallest(holding: Masks, allowed: int, trump: Trump, count: int) -> Choices:
    """Picking up: the ``count`` smallest allowed cards; equal ranks of different suits are a choice (section 3.4)."""
    return _extreme(holding, allowed, trump.pick_rank, count, False)


def _extreme(holding: Masks, allowed: int, rank: tuple[int, ...], count: int, highest: bool) -> Choices:
    f1, f2, f3, q1, q2, q3, r = masks.extreme(*holding, allowed, rank, count, highest)
    return Choices([Block((f1, f2, f3), (q1, q2, q3), r)])


def in_tiers(holding: Masks, tiers: Sequence[int], count: int) -> Choices:
    """Giving back: any ``count`` cards of the first tier; a later tier only when the earlier ones are used up."""
    h1, h2, h3 = holding
    forced = NOTHING
    used = 0
    for tier in tiers:
        here = tier & ~used
        pool = (h1 & here, h2 & here, h3 & here)
        held = masks.size(*pool)
        if held >= count:
            return Choices([Block(forced, pool, count)])
        forced = masks.add(*forced, *pool)
        count -= held
        used |= tier
    return Choices([Block(forced, NOTHING, 0)])


def burials(pool: Masks, trump: Trump, splits: Sequence[tuple[int, int]], count: int) -> Choices:
    """Burying ``count`` cards of ``pool``: one block for each allowed split of big and small jokers (section 3.4)."""
    h1, h2, h3 = pool
    plain = (h1 & ~trump.kings, h2 & ~trump.kings, h3 & ~trump.kings)
    blocks = [
        Block(kings_masks(trump, big, small), plain, count - big - small)
        for big, small in splits
        if big + small <= count
    ]
    return Choices(blocks)


def kings_masks(trump: Trump, big: int, small: int) -> Masks:
    """So many big and small jokers as a holding."""
    b, s = trump.big, trump.little
    return (
        (b if big > 0 else 0) | (s if small > 0 else 0),
        (b if big > 1 else 0) | (s if small > 1 else 0),
        (b if big > 2 else 0) | (s if small > 2 else 0),
    )


def pickable_cards(rules: RuleSet, trump: Trump, bottom: Masks) -> int:
    """How many cards of the bottom may be picked up, and so how many kings can still be buried."""
    allowed = rules.hook.pickable(trump=trump)
    h1, h2, h3 = bottom
    return masks.size(h1 & allowed, h2 & allowed, h3 & allowed)


def count_kings(holding: Masks, trump: Trump) -> tuple[int, int]:
    """How many big and small jokers a holding has."""
    h1, h2, h3 = holding
    big, little = trump.big, trump.little
    return (
        (h1 & big != 0) + (h2 & big != 0) + (h3 & big != 0),
        (h1 & little != 0) + (h2 & little != 0) + (h3 & little != 0),
    )
