"""Chance: one documented integer generator, the same on every Python version and when compiled.

A word is 64 bits. ``mix`` scrambles a word (a multiply-xorshift finaliser); a *stream* is keyed by (seed, hand, purpose,
seat), its base is derived once, and the i-th word at a *place* is ``word(base, place, i)``. The place is the number of
cards dealt for claims and declarations, the trick number for plays, else 0: a variant's extra question draws at a
place of its own and never shifts another question's dice.
"""

from __future__ import annotations

import secrets
import struct
from collections.abc import Iterable, Iterator
from itertools import chain
from typing import Any, Final

from gunzi.cards import KINDS

WORD: Final = (1 << 64) - 1
_GOLDEN: Final = 0x9E3779B97F4A7C15
_FIRST: Final = 0xBF58476D1CE4E5B9
_SECOND: Final = 0x94D049BB133111EB
_PLACE: Final = 0xD1342543DE82EF95

DECK: Final = 1
"""Purposes of a stream: the shuffle, who is dealt first, a player's choices, and seeds of further streams."""
FIRST: Final = 2
CHOICE: Final = 3
POLICY: Final = 4


def mix(word: int) -> int:
    """Scramble 64 bits: every input bit changes about half of the output bits."""
    word = (word + _GOLDEN) & WORD
    word = ((word ^ (word >> 30)) * _FIRST) & WORD
    word = ((word ^ (word >> 27)) * _SECOND) & WORD
    return word ^ (word >> 31)


def stream(seed: int, hand: int, purpose: int, seat: int = 0) -> int:
    """The base of a stream. ``seed`` is any non-negative integer; its low 64 bits and the rest are both used."""
    return stream_from(seed_word(seed), hand, purpose, seat)


def seed_word(seed: int) -> int:
    """What all streams of a seed begin with."""
    base = mix(seed & WORD)
    rest = seed >> 64
    while rest > 0:  # of a negative one a rest would always be left
        base = mix(base ^ (rest & WORD))
        rest >>= 64
    return base


def stream_from(seeded: int, hand: int, purpose: int, seat: int = 0) -> int:
    """``stream`` for those who keep the ``seed_word``."""
    return mix(seeded ^ mix((hand << 16) ^ (purpose << 8) ^ seat))


def word(base: int, place: int, i: int) -> int:
    """The i-th word of a stream at a place."""
    return mix(base ^ ((place * _PLACE + i * _GOLDEN) & WORD))


def below(base: int, place: int, i: int, n: int) -> int:
    """A number from 0 to n-1, each exactly as likely; ``i`` counts the numbers drawn at this place. n ≥ 1.

    A word that would tip the balance is thrown away and another mixed from it, so the draw uses one ``i`` only.
    """
    if n <= 1:
        return 0
    drawn = mix(base ^ ((place * _PLACE + i * _GOLDEN) & WORD))
    if n <= 0x100000000:
        product = (drawn >> 32) * n
        low = product & 0xFFFFFFFF
        if low < n:
            limit = (0x100000000 - n) % n
            while low < limit:
                drawn = mix(drawn)
                product = (drawn >> 32) * n
                low = product & 0xFFFFFFFF
        return product >> 32
    fill = n - 1
    fill |= fill >> 1
    fill |= fill >> 2
    fill |= fill >> 4
    fill |= fill >> 8
    fill |= fill >> 16
    fill |= fill >> 32
    while drawn & fill >= n:
        drawn = mix(drawn)
    return drawn & fill


def below_any(base: int, place: int, i: int, n: int) -> int:
    """``below`` for any n ≥ 1, also above 2^64: then of as many words as it takes, mixed one from another. Not compiled."""
    if n <= WORD:
        return below(base, place, i, n)
    bits = (n - 1).bit_length()
    drawn = word(base, place, i)
    while True:
        found = 0
        for _ in range(-(-bits // 64)):
            found = found << 64 | drawn
            drawn = mix(drawn)
        found &= (1 << bits) - 1
        if found < n:
            return found


def words(base: int, place: int, lanes: Lanes) -> int:
    """The first ``lanes.count`` words at a place, side by side 128 bits apart: what ``word`` gives one by one. What lies in
    the 64 bits between two words means nothing.

    One pass of long-integer arithmetic over all of them; interpreted, about a tenth of the time. Compiled code calls ``word``.
    """
    keep = lanes.keep
    mixed = (lanes.steps + (place * _PLACE & WORD) * lanes.ones) & keep
    return _mix_lanes(mixed ^ base * lanes.ones, lanes)


def words_at(base: int, lanes: Lanes) -> int:
    """The first word of each of the places 0, 1, 2 …, side by side as in ``words``."""
    return _mix_lanes(lanes.places ^ base * lanes.ones, lanes)


def _mix_lanes(mixed: int, lanes: Lanes) -> int:
    keep = lanes.keep
    mixed = (mixed + lanes.golden) & keep
    mixed = ((mixed ^ (mixed >> 30)) & keep) * _FIRST & keep
    mixed = ((mixed ^ (mixed >> 27)) & keep) * _SECOND & keep
    return mixed ^ (mixed >> 31)


class Lanes:
    """Constants for ``count`` words side by side, and how to read them: ``quarters`` (four 16-bit parts of each word, the
    low one first) and ``highs`` (the upper 32 bits of each)."""

    __slots__ = ("count", "golden", "keep", "ones", "places", "size", "steps", "unpack_highs", "unpack_quarters")

    def __init__(self, count: int) -> None:
        self.count = count
        self.size = 16 * count
        self.ones = sum(1 << 128 * lane for lane in range(count))
        self.keep = WORD * self.ones
        self.golden = _GOLDEN * self.ones
        self.steps = sum((lane * _GOLDEN & WORD) << 128 * lane for lane in range(count))
        self.places = sum((lane * _PLACE & WORD) << 128 * lane for lane in range(count))
        self.unpack_quarters = struct.Struct("<" + "4H8x" * count).unpack
        self.unpack_highs = struct.Struct("<" + "4xI8x" * count).unpack

    def quarters(self, together: int) -> tuple[int, ...]:
        """The 16-bit parts of words side by side."""
        return self.unpack_quarters(together.to_bytes(self.size, "little"))

    def highs(self, together: int) -> tuple[int, ...]:
        """The upper 32 bits of words side by side."""
        return self.unpack_highs(together.to_bytes(self.size, "little"))


_DECK_LANES: Final = Lanes(41)


def shuffle(cards: list[Any], base: int, place: int = 0) -> None:
    """Shuffle in place; every order equally likely.

    The words at the place are cut into 16-bit parts, the low one first. From the last card down, the card at i changes
    places with the one at (part × (i+1)) >> 16; a part that would tip the balance is thrown away for the next one.
    """
    parts = _parts(base, place)
    i = len(cards)
    for part in parts:
        if i <= 1:
            return
        product = part * i
        low = product & 0xFFFF
        if low < i and low < 0x10000 % i:
            continue
        j = product >> 16
        i -= 1
        cards[i], cards[j] = cards[j], cards[i]


def _parts(base: int, place: int) -> Iterable[int]:
    """The 16-bit parts of all words at a place; the first 164 of them, enough for three packs, are made at once."""
    first = _DECK_LANES.quarters(words(base, place, _DECK_LANES))
    return chain(first, _more_parts(base, place, _DECK_LANES.count))


def _more_parts(base: int, place: int, i: int) -> Iterator[int]:
    while True:
        drawn = word(base, place, i)
        i += 1
        yield drawn & 0xFFFF
        yield drawn >> 16 & 0xFFFF
        yield drawn >> 32 & 0xFFFF
        yield drawn >> 48


def fresh_seed() -> int:
    """A 64-bit seed from the operating system's entropy, for tables nobody wants to repeat."""
    return secrets.randbits(64)


def seeded_deck(seed: int, hand: int, redeal: int, packs: int = 3) -> list[int]:
    """The kinds of a shuffled deck in dealing order, for the attempt ``redeal`` of a hand."""
    deck = [kind for kind in range(KINDS) for _ in range(packs)]
    shuffle(deck, stream(seed, hand, DECK), redeal)
    return deck


def seeded_first(seed: int, hand: int, redeal: int) -> int:
    """The seat dealt first in a first hand, 0-3."""
    return below(stream(seed, hand, FIRST), redeal, 0, 4)
