"""The ladder of a trump order: which kinds stand next to each other, and which pairs a tractor (拖拉机) can be made of.

A tractor is two or more pairs on consecutive steps of one lane. Consecutive is what stands next to each other when the level
is away: with level 7 a pair of 6s and a pair of 8s are a tractor. In the trump lane the steps go on above the ace: off-suit
level cards, the level card of the trump suit, small joker, big joker. Kinds that tie in strength share a step; a tractor has
one pair of each step.

Pairs are masks of kinds, as in ``gunzi.trump``; the ladder knows nothing of how many copies a hand holds.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from itertools import combinations, product
from typing import Final

from gunzi.choices import Choices
from gunzi.trump import BITS, SIDE_LANES, TRUMP_LANE, Trump
from gunzi.values import Block

KEPT: Final = 4096
"""How many holdings' answers a ladder remembers: a holding is asked for its length, its plays and the play it makes."""


class Ladder:
    """The steps of the four lanes under one trump order.

    ``chains`` are runs of steps, weakest first, each step a mask of the kinds that tie there; a tractor lies in one chain.
    ``through_top``: the trump chain goes on through level cards and jokers; otherwise it ends with the plain trumps.
    """

    def __init__(self, trump: Trump, through_top: bool) -> None:
        steps = [_steps(trump, lane) for lane in (*SIDE_LANES, TRUMP_LANE)]
        if not through_top:
            plain = [step for step in steps[3] if step & trump.plain_trumps]
            steps[3:] = [plain, *([step] for step in steps[3][len(plain) :])]
        self.chains = tuple(tuple(chain) for chain in steps)
        place = 0
        self._place = [-1] * BITS
        for chain in self.chains:
            for step in chain:
                place += 1
                for bit in range(BITS):
                    if step >> bit & 1:
                        self._place[bit] = place
            place += 1  # a gap, so that no two chains touch
        self.tractors = lru_cache(KEPT)(self._tractors)
        self.demanded = lru_cache(KEPT)(self._demanded)

    def is_tractor(self, pairs: int) -> bool:
        """Are these kinds, one pair of each, a tractor?"""
        if not pairs & (pairs - 1):
            return False
        place = self._place
        bit = pairs & -pairs
        before = place[bit.bit_length() - 1]
        pairs ^= bit
        while pairs:
            bit = pairs & -pairs
            here = place[bit.bit_length() - 1]
            if here != before + 1:
                return False
            before = here
            pairs ^= bit
        return True

    def runs(self, pairs: int) -> Iterator[tuple[int, ...]]:
        """The longest stretches of consecutive steps on which there are pairs, each step a mask of the pairs there."""
        for chain in self.chains:
            run: list[int] = []
            for step in chain:
                held = step & pairs
                if held:
                    run.append(held)
                elif run:
                    yield tuple(run)
                    run = []
            if run:
                yield tuple(run)

    def longest(self, pairs: int) -> int:
        """How many consecutive pairs there are at most; 1 where there is no tractor, 0 where there is no pair."""
        return max((len(run) for run in self.runs(pairs)), default=0)

    def of_length(self, pairs: int, length: int) -> list[int]:
        """All tractors of exactly ``length`` pairs, weakest first within each lane; a length of 1: the pairs themselves."""
        return [
            sum(kinds)
            for run in self.runs(pairs)
            for start in range(len(run) - length + 1)
            for kinds in product(*(_bits(step) for step in run[start : start + length]))
        ]

    def _tractors(self, pairs: int) -> tuple[int, ...]:
        """All tractors among these pairs, the shorter ones first."""
        return tuple(
            tractor for length in range(2, self.longest(pairs) + 1) for tractor in self.of_length(pairs, length)
        )

    def _demanded(self, pairs: int, count: int) -> Choices:
        """The sets of pairs, as sets of kinds, with which a hand may answer a tractor of ``count`` pairs.

        The longest tractor goes first, up to the length that is still wanted; then the same of what is left; single pairs
        where there is no tractor any more. A hand with no more than ``count`` pairs plays all of them.
        """
        if pairs.bit_count() <= count:
            return Choices([_block(pairs, 0, 0)])
        return Choices(list(self._blocks(0, pairs, count)))

    def _blocks(self, forced: int, pairs: int, count: int) -> Iterator[Block]:
        """The same as disjoint blocks: ``forced`` pairs are played in any case, ``count`` more come out of ``pairs``."""
        if pairs.bit_count() < count:
            return  # of tied pairs a weaker one was passed over, and now there are too few
        longest = self.longest(pairs)
        if count < 2 or longest < 2:
            yield _block(forced, pairs, count)
        elif longest >= count:
            for tractor in self.of_length(pairs, count):
                yield _block(forced | tractor, 0, 0)
        else:
            # Equally long tractors go together, so that the order in which they are played makes no difference.
            whole = [run for run in self.runs(pairs) if len(run) == longest]
            number = min(len(whole), count // longest)
            for taken in combinations(whole, number):
                steps = [step for run in taken for step in run]
                others = pairs & ~sum(steps)
                for kinds in product(*map(_bits, steps)):
                    # A tied pair may also follow as a single pair: each set is found at the weakest pair of the step it has.
                    stronger = sum(step & -(kind << 1) for step, kind in zip(steps, kinds, strict=True))
                    yield from self._blocks(forced | sum(kinds), others | stronger, count - number * longest)


def _block(forced: int, pool: int, count: int) -> Block:
    return Block((forced, 0, 0), (pool, 0, 0), count)


@lru_cache(maxsize=256)
def ladder(trump: Trump, through_top: bool) -> Ladder:
    """The ladder of a trump order; cached."""
    return Ladder(trump, through_top)


def _steps(trump: Trump, lane: int) -> list[int]:
    """The steps of a lane, weakest first: kinds of one power lie side by side."""
    steps: list[int] = []
    power = 0
    for bit in range(BITS):
        if lane >> bit & 1 and trump.kind_at[bit] >= 0:
            if trump.power[bit] == power:
                steps[-1] |= 1 << bit
            else:
                steps.append(1 << bit)
            power = trump.power[bit]
    return steps


def _bits(mask: int) -> list[int]:
    """The kinds of a mask one by one, weakest first."""
    found = []
    while mask:
        bit = mask & -mask
        found.append(bit)
        mask ^= bit
    return found
