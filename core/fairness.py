"""A shuffle that nobody can steer: the table commits to a seed, every seat adds a share of its own, the deck follows from both.

1. Before the deal the table draws 256 fresh random bits, the seed, and publishes its SHA-256 (``Fair.hash``).
2. Then every seat adds 32 bytes of its own choice, its contribution; a seat that adds none is written down as null.
3. Seed and contributions together give the deck and the seat dealt first. The seed is shown when the hand is over.

Whoever has the published hash, the contributions and the seed can work the deal out again, in any language:

    key     = SHA-256("gunzi-deal-1" 00 | seed | hand, 4 bytes | attempt, 4 bytes | four times: 00, or 01 and 32 bytes)
    words   = SHA-256(key | 0, 8 bytes), SHA-256(key | 1, 8 bytes) …, each cut into eight words of 32 bits
    below n = the next word that is less than 2^32 - 2^32 mod n, modulo n
    deck    = all cards by kind (S2 … SA, then hearts, clubs, diamonds, LJ, BJ; equal cards side by side); for i from the last
              place down to 1 the cards at i and at (below i + 1) change places
    first   = below 4, drawn after the deck; it counts in the first hand of a round only

All numbers are big-endian. ``hand`` and ``attempt`` are the record's ``hand`` and ``redeal``.
"""

from __future__ import annotations

import hashlib
import secrets
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, NamedTuple

from gunzi.cards import CARDS, Card
from gunzi.errors import TableError, Text
from gunzi.ruleset import RuleSet

BYTES: Final = 32
"""How many bytes a seed and a contribution have."""
PREFIX: Final = b"gunzi-deal-1\x00"
_WORDS: Final = 1 << 32
Contributions = tuple[bytes | None, bytes | None, bytes | None, bytes | None]
NONE_YET: Final[Contributions] = (None, None, None, None)


class FairDeal(NamedTuple):
    """A deck in dealing order, the seat dealt first in a first hand, and what both were drawn from."""

    deck: tuple[Card, ...]
    first: int
    fair: Fair


@dataclass(frozen=True, slots=True)
class Fair:
    """The seed of one deal, 32 bytes, and what the seats 0-3 added to it, 32 bytes each (None: nothing)."""

    seed: bytes
    contributions: Contributions = NONE_YET

    def __post_init__(self) -> None:
        for share in (self.seed, *self.contributions):
            if share is not None and len(share) != BYTES:
                raise TableError(
                    Text(
                        f"洗牌的种子和各家加的数都是 {BYTES} 个字节，不是 {len(share)} 个",
                        f"the seed of a deal and what seats add to it have {BYTES} bytes, not {len(share)}",
                    )
                )

    @classmethod
    def fresh(cls) -> Fair:
        """A new seed from the operating system's entropy."""
        return cls(secrets.token_bytes(BYTES))

    @property
    def hash(self) -> str:
        """What is published before the deal: the seed's SHA-256, 64 hexadecimal digits. It tells nothing of the seed."""
        return hashlib.sha256(self.seed).hexdigest()

    def with_contributions(self, contributions: Sequence[bytes | None]) -> Fair:
        """The same seed with what the four seats added. Raises TableError."""
        if len(contributions) != 4:
            raise TableError(Text("要四家的数，一家一个", "one contribution for each of the four seats, or None"))
        a, b, c, d = contributions
        return Fair(self.seed, (a, b, c, d))

    def deal(self, rules: RuleSet, hand: int, redeal: int) -> FairDeal:
        """The deck and the first seat of the attempt ``redeal`` (0 …) of a hand (1 …)."""
        drawn = _Words(self._key(hand, redeal))
        deck = [CARDS[kind] for kind, copies in enumerate(rules.deck.copies) for _ in range(copies)]
        for i in range(len(deck) - 1, 0, -1):
            j = drawn.below(i + 1)
            deck[i], deck[j] = deck[j], deck[i]
        return FairDeal(tuple(deck), drawn.below(4), self)

    def _key(self, hand: int, redeal: int) -> bytes:
        parts = [PREFIX, self.seed, hand.to_bytes(4, "big"), redeal.to_bytes(4, "big")]
        parts += [b"\x00" if share is None else b"\x01" + share for share in self.contributions]
        return hashlib.sha256(b"".join(parts)).digest()

    def public(self) -> dict[str, Any]:
        """What a ``hand`` event shows of it at once, as the key ``fair``."""
        return {"hash": self.hash, "contributions": [share and share.hex() for share in self.contributions]}

    @classmethod
    def of_event(cls, event: Mapping[str, Any]) -> Fair | None:
        """What a ``hand`` event was drawn from; None where it does not say. Raises ValueError in words where it says it wrongly."""
        said, seed = event.get("fair"), event.get("fair_seed")
        if said is None and seed is None:
            return None
        if not isinstance(said, dict) or not isinstance(said.get("contributions"), list):
            raise ValueError("fair")
        shares = [_bytes(share, f"fair.contributions[{seat}]") for seat, share in enumerate(said["contributions"])]
        if len(shares) != 4:
            raise ValueError("fair.contributions")
        drawn = _bytes(seed, "fair_seed")
        if drawn is None:
            raise ValueError("fair_seed")
        return cls(drawn, (shares[0], shares[1], shares[2], shares[3]))


def _bytes(share: object, key: str) -> bytes | None:
    if share is None:
        return None
    if not isinstance(share, str) or len(share) != 2 * BYTES or not share.isascii():
        raise ValueError(key)
    try:
        return bytes.fromhex(share)
    except ValueError:
        raise ValueError(key) from None


class _Words:
    """The words drawn from a key, one after another."""

    def __init__(self, key: bytes) -> None:
        self._drawn = self._all(key)

    @staticmethod
    def _all(key: bytes) -> Iterator[int]:
        block = 0
        while True:
            made = hashlib.sha256(key + block.to_bytes(8, "big")).digest()
            for place in range(0, len(made), 4):
                yield int.from_bytes(made[place : place + 4], "big")
            block += 1

    def below(self, n: int) -> int:
        """A number from 0 to n-1, every one equally likely."""
        enough = _WORDS - _WORDS % n
        word = next(self._drawn)
        while word >= enough:
            word = next(self._drawn)
        return word % n
