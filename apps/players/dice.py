"""A seat's own chance, in streams keyed by (seed, hand, seat, kind of question, moment).

The same seed gives the same seat the same numbers at the same question, whatever was asked before: a variant's extra
question shifts nobody's dice. The moment is the trick for plays, the number of cards dealt for claims and declarations,
else 0; asked again at the same moment, a seat goes on in that place's stream.
"""

from __future__ import annotations

from typing import Final
from zlib import crc32

from gunzi.chance import CHOICE, below_any, seed_word, stream_from
from gunzi.playout import Draws, draws_from

QUESTIONS: Final = {
    "lead": 0,
    "follow": 0,
    "claim": 1,
    "declare": 2,
    "pay": 3,
    "return": 4,
    "bury": 5,
    "bury_kings": 6,
    "pick": 7,
}
"""The number of a kind of question; a plugin's own kinds are numbered by their name."""


class Dice:
    """The dice of one seat at one table."""

    __slots__ = ("_asked", "_base", "_drawn", "_hand", "_highs", "_place", "_seeded", "seat", "seed")

    def __init__(self, seed: int, seat: int) -> None:
        self.seed = seed
        self.seat = seat
        self._seeded = seed_word(seed)
        self._hand = (0, 0)
        self._base = 0
        self._highs: tuple[int, ...] = ()
        self._place = self._asked = self._drawn = 0

    @property
    def plays(self) -> Draws:
        """What the plays of the hand are drawn from."""
        return self._base, self._highs

    def at(self, hand: int, attempt: int = 0) -> None:
        """A hand begins (counted from 1 over the table), or is dealt again; said twice, it changes nothing."""
        if self._hand == (hand, attempt):
            return
        self._hand = (hand, attempt)
        self._base, self._highs = draws_from(stream_from(self._seeded, hand, CHOICE, self.seat))
        self._place = -1

    def trick(self, number: int) -> None:
        """The next numbers are for a play in this trick (from 1)."""
        self._place = number
        self._drawn = 0

    def ask(self, kind: str, moment: int = 0) -> None:
        """The next numbers are for a question of this kind at this moment."""
        code = QUESTIONS.get(kind)
        if code is None:
            code = 0x100 + (crc32(kind.encode()) >> 8)
        place = code << 16 | moment
        self._asked = self._asked + 1 if place == self._place and code else 0
        self._place = place
        self._drawn = self._asked << 8

    def below(self, n: int) -> int:
        """A number from 0 to n-1, each exactly as likely."""
        drawn = self._drawn
        self._drawn = drawn + 1
        if not drawn and 0 <= self._place < 41:
            product = self._highs[self._place] * n
            if product & 0xFFFFFFFF >= n and n <= 0x100000000:
                return product >> 32
        return below_any(self._base, self._place, drawn, n)
