"""Numbers in English sentences; the Chinese ones need nothing of the kind."""

from __future__ import annotations

__all__ = ["counted"]


def counted(number: int, one: str, many: str = "") -> str:
    """``1 hand``, ``2 hands``: the number with its noun or verb, ``many`` where it is more than ``one`` with an s."""
    return f"{number} {one if number == 1 else many or one + 's'}"
