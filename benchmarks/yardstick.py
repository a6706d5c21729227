"""The C yardstick (``yardstick.c``): built where a compiler is found, checked against the engine play by play, timed in turns."""

from __future__ import annotations

import ctypes
import os
import shutil
import subprocess
import tempfile
from collections.abc import Sequence
from pathlib import Path

import gunzi
from gunzi import masks
from gunzi.cards import parse_cards
from gunzi.chance import mix, seeded_deck
from gunzi.play_rules import play_rules
from gunzi.playout import draws_of, play_out
from gunzi.trump import trump_order

SOURCE = Path(__file__).with_name("yardstick.c")
DECK_SEED, PLAY_SEED = 1, 7
FLAGS = (("-O3", "-march=native"), ("-O3",))


class Yardstick:
    """The C loop with so many hands dealt."""

    def __init__(self, library: ctypes.CDLL, hands: int) -> None:
        library.yardstick_deal.argtypes = (ctypes.c_long, ctypes.c_uint64, ctypes.c_uint64)
        library.yardstick_play.restype = library.yardstick_digest.restype = ctypes.c_uint64
        library.yardstick_digest.argtypes = (ctypes.c_long,)
        self.hands = hands
        self._library = library
        if not library.yardstick_deal(hands, DECK_SEED, PLAY_SEED):
            raise MemoryError("no room for the yardstick's hands")

    def play(self) -> int:
        """Play all hands; the sum of their results (attackers' points << 16 | tricks << 2 | winner of the last trick)."""
        return int(self._library.yardstick_play())

    def digest(self, k: int) -> int:
        """The digest of every play and trick of hand k."""
        return int(self._library.yardstick_digest(k))

    def check(self, hands: int) -> None:
        """Hold the first hands against the engine's own. Raises AssertionError."""
        for k in range(min(hands, self.hands)):
            wanted, found = engine_digest(k), self.digest(k)
            if wanted != found:
                raise AssertionError(
                    f"yardstick.c plays hand {k} otherwise than the engine: {found:#x}, not {wanted:#x}"
                )


def compiler() -> str | None:
    """A C compiler, if there is one."""
    for name in (os.environ.get("CC", ""), "cc", "gcc", "clang"):
        found = shutil.which(name) if name else None
        if found:
            return found
    return None


def build(hands: int) -> Yardstick | None:
    """Build the yardstick and deal so many hands; None where no C compiler is found or none of its ways works."""
    cc = compiler()
    if cc is None or os.name != "posix":
        return None
    with tempfile.TemporaryDirectory() as folder:
        library = str(Path(folder) / "yardstick.so")
        for flags in FLAGS:
            command = [cc, *flags, "-shared", "-fPIC", "-o", library, str(SOURCE)]
            if subprocess.run(command, capture_output=True, check=False).returncode == 0:
                return Yardstick(ctypes.CDLL(library), hands)
    return None


class _Digest:
    """Stands in for a log: folds the plays and tricks that the engine tells."""

    def __init__(self) -> None:
        self.trump = trump_order(3, "H")
        self.value = 0

    def play(self, seat: int, cards: Sequence[str]) -> None:
        for mask in self.trump.masks(parse_cards(cards)):
            self.value = mix(self.value ^ mask)

    def trick(self, winner: int, pile: int, by: str) -> None:
        self.value = mix(self.value ^ (winner << 16 | pile))


def engine_digest(k: int) -> int:
    """What ``Yardstick.digest`` has to be: hand k as the engine plays it."""
    rules = play_rules(gunzi.load("yuwang", {"follow.shapes": "loose"}), trump_order(3, "H"))
    deck = seeded_deck(DECK_SEED, k, 0)
    holdings = [rules.trump.masks([gunzi.CARDS[kind] for kind in deck[seat:156:4]]) for seat in range(4)]
    assert all(masks.size(*holding) == 39 for holding in holdings)
    digest = _Digest()
    play_out(rules, holdings, k & 3, [draws_of(PLAY_SEED, k, seat) for seat in range(4)], digest)  # type: ignore[arg-type]
    return digest.value
