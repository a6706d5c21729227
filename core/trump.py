"""The trump order of a hand: where each kind lies among 60 bits, and how strong it is.

A holding is three masks over 60 bits: the kinds held at least once, twice, three times. Bits 0-35 are three lanes of 12
for the side suits (in the order S H C D without the trump suit), bits 36-59 the trump lane. Within a lane the higher bit
is the stronger kind; kinds that tie in strength (off-suit level cards, off-suit 2s) lie side by side and share one power.
Rule book section 2, "Trump order".
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache
from typing import Any, Final

from gunzi.cards import BIG, CARDS, KINDS, LITTLE, SUITS, Card
from gunzi.errors import CardError, Text

SIDE_LANE_BITS: Final = 12
TRUMP_SHIFT: Final = 36
BITS: Final = 60
TRUMP_LANE: Final = ((1 << 24) - 1) << TRUMP_SHIFT
SIDE_LANES: Final = tuple(((1 << SIDE_LANE_BITS) - 1) << (SIDE_LANE_BITS * lane) for lane in range(3))
LANE_AT: Final = tuple(TRUMP_LANE if bit >= TRUMP_SHIFT else SIDE_LANES[bit // SIDE_LANE_BITS] for bit in range(BITS))
"""The lane each bit lies in."""
ALL_SIDE: Final = (1 << TRUMP_SHIFT) - 1

Masks = tuple[int, int, int]
"""The kinds held at least once, at least twice, three times."""
NOTHING: Final[Masks] = (0, 0, 0)


class _Table:
    """The tables while they are being filled."""

    def __init__(self) -> None:
        self.bit_of = [0] * KINDS
        self.kind_at = [-1] * BITS
        self.power = [0] * BITS
        self.tribute_rank = [0] * BITS
        self.pick_rank = [0] * BITS

    def place(self, kind: int, bit: int, *, power: int, tribute: int, pick: int) -> None:
        self.bit_of[kind] = bit
        self.kind_at[bit] = kind
        self.power[bit] = power
        self.tribute_rank[bit] = tribute
        self.pick_rank[bit] = pick


class Trump:
    """The order of the 54 kinds under one level, trump suit and list of permanent ranks. Immutable; see ``trump_order``.

    ``bit_of[kind]`` is a bit position 0-59, ``kind_at[bit]`` the kind there or -1. ``power[bit]`` compares within a lane,
    and any trump has more power than any side card. ``tribute_rank[bit]`` and ``pick_rank[bit]`` are the orders of the
    rule book's "Comparing cards outside a trick"; equal numbers tie.
    """

    __slots__ = (
        "_mask_at",
        "_ranks",
        "big",
        "bit_of",
        "kind_at",
        "kings",
        "level",
        "level_cards",
        "level_of_trump",
        "little",
        "permanent",
        "permanents",
        "pick_rank",
        "plain_trumps",
        "power",
        "suit",
        "tribute_rank",
        "trump_permanents",
    )

    def __init__(self, level: int, suit: str, permanent: tuple[int, ...]) -> None:
        if suit not in SUITS or len(suit) != 1:
            raise ValueError(f"{suit!r} is no suit: S, H, C or D")
        if not 2 <= level <= 14:
            raise ValueError(f"{level!r} is no level: 2 to 14")
        if len(permanent) > 2:
            raise ValueError(f"at most two permanent ranks fit the trump lane, not {permanent!r}")
        self.level, self.suit, self.permanent = level, suit, permanent
        fixed = [rank for rank in permanent if rank != level]
        plain = [rank for rank in range(2, 15) if rank != level and rank not in fixed]
        others = [s for s in SUITS if s != suit]

        table = _Table()
        for lane, side in enumerate(others):
            for place, rank in enumerate(plain):
                bit = lane * SIDE_LANE_BITS + place
                table.place(_kind(side, rank), bit, power=place + 1, tribute=rank, pick=rank)

        # Groups of the trump lane, weakest first: each is (kinds that tie, rank for picking up).
        groups: list[tuple[list[int], int]] = [([_kind(suit, rank)], rank) for rank in plain]
        first_permanent = len(groups)
        for step, rank in enumerate(reversed(fixed)):
            groups.append(([_kind(s, rank) for s in others], 20 + step))
            groups.append(([_kind(suit, rank)], 20 + step))
        first_level = len(groups)
        groups.append(([_kind(s, level) for s in others], 30))
        groups.append(([_kind(suit, level)], 30))
        groups.append(([LITTLE], 31))
        groups.append(([BIG], 32))
        bit = TRUMP_SHIFT
        for strength, (kinds, pick) in enumerate(groups):
            for kind in kinds:
                table.place(kind, bit, power=100 + strength, tribute=100 + strength, pick=100 + pick)
                bit += 1

        self.bit_of, self.kind_at = tuple(table.bit_of), tuple(table.kind_at)
        self._mask_at = tuple(1 << bit for bit in table.bit_of)
        self.power = tuple(table.power)
        self.tribute_rank, self.pick_rank = tuple(table.tribute_rank), tuple(table.pick_rank)

        self._ranks = [0] * 15
        for card in CARDS[:LITTLE]:
            self._ranks[card.rank] |= self.mask_of(card.kind)
        self.little, self.big = self.mask_of(LITTLE), self.mask_of(BIG)
        self.kings = self.little | self.big
        self.plain_trumps = self._union(groups[:first_permanent])
        self.permanents = self._union(groups[first_permanent:first_level])
        self.trump_permanents = self._union(groups[first_permanent + 1 : first_level : 2])
        self.level_of_trump = self.mask_of(_kind(suit, level))
        self.level_cards = self._union(groups[first_level:-2])

    def _union(self, groups: Iterable[tuple[list[int], int]]) -> int:
        mask = 0
        for kinds, _ in groups:
            for kind in kinds:
                mask |= self.mask_of(kind)
        return mask

    def __reduce__(self) -> tuple[Any, ...]:
        # Copied or pickled it stays the one object there is of an order.
        return (trump_order, (self.level, self.suit, self.permanent))

    def __repr__(self) -> str:
        return f"Trump(level={self.level}, suit={self.suit!r}, permanent={self.permanent!r})"

    def mask_of(self, kind: int) -> int:
        """One bit: where the kind lies."""
        return self._mask_at[kind]

    def rank_mask(self, ranks: Iterable[int]) -> int:
        """All suited kinds of the given ranks."""
        mask = 0
        for rank in ranks:
            mask |= self._ranks[rank]
        return mask

    def is_trump(self, card: Card) -> bool:
        """Jokers, level cards, permanent ranks and the trump suit."""
        return self.bit_of[card.kind] >= TRUMP_SHIFT

    def lane(self, card: Card) -> int:
        """The lane a card follows in: a side suit's 12 bits, or the trump lane."""
        return LANE_AT[self.bit_of[card.kind]]

    def lane_name(self, lane: int) -> str:
        """``S H C D`` for a side lane, ``trump`` for the trump lane."""
        if lane == TRUMP_LANE:
            return "trump"
        return [s for s in SUITS if s != self.suit][SIDE_LANES.index(lane)]

    def masks(self, cards: Iterable[Card]) -> Masks:
        """The cards as a holding. Raises CardError above three of a kind."""
        one = two = three = 0
        mask_at = self._mask_at
        for card in cards:
            bit = mask_at[card.kind]
            if not one & bit:
                one |= bit
            elif not two & bit:
                two |= bit
            elif not three & bit:
                three |= bit
            else:
                raise CardError(
                    Text(
                        f"{card} 最多三张：最多三副牌",
                        f"more than three {card} cannot be: there are at most three packs",
                    )
                )
        return one, two, three

    def cards(self, masks: Masks) -> tuple[Card, ...]:
        """A holding as cards, weakest bit first, equal cards together."""
        one, two, three = masks
        found: list[Card] = []
        kind_at = self.kind_at
        while one:
            bit = one & -one
            card = CARDS[kind_at[bit.bit_length() - 1]]
            found.append(card)
            if two & bit:
                found.append(card)
                if three & bit:
                    found.append(card)
            one ^= bit
        return tuple(found)


def _kind(suit: str, rank: int) -> int:
    return SUITS.index(suit) * 13 + rank - 2


@lru_cache(maxsize=512)
def trump_order(level: int, suit: str, permanent: tuple[int, ...] = (2,)) -> Trump:
    """The order for a level 2-14, a suit and the permanent ranks; cached, so that equal orders are one object.

    Where two ranks are permanent, the one named first is the stronger; a permanent rank that is the level is a level card.
    Raises ValueError for what is no level, no suit, or more than two permanent ranks.
    """
    return Trump(level, suit, permanent)
