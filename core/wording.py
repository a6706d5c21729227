"""Words that all texts share: the suits, and numbers in English sentences (the Chinese ones need nothing of the kind)."""

from __future__ import annotations

from typing import Final

from gunzi.errors import Text

__all__ = ["SUIT_NAMES", "counted"]
SUIT_NAMES: Final = {
    "S": Text("黑桃", "spades"),
    "H": Text("红桃", "hearts"),
    "C": Text("梅花", "clubs"),
    "D": Text("方片", "diamonds"),
}
"""The four suits, as they are said where a sign may not be shown."""


def counted(number: int, one: str, many: str = "") -> str:
    """``1 hand``, ``2 hands``: the number with its noun or verb, ``many`` where it is more than ``one`` with an s."""
    return f"{number} {one if number == 1 else many or one + 's'}"
