"""What the fast path keeps of its compiled code: named after the sources it was made from (``kept_code.py``)."""

from __future__ import annotations

from functools import lru_cache
from importlib.resources import files
from typing import Any, Final

from gunzi.apps import kept_code

PLACE: Final = "fast"
SOURCES: Final = {
    "gunzi": "cards.py chance.py choices.py combinations.py masks.py table.py trump.py values.py",
    "gunzi.plugins": "follow.py",
    "gunzi.apps": "kept_code.py",
    "gunzi.apps.lab": "situations.py",
    "gunzi.apps.players": "dice.py discarding.py following.py leading.py preparing.py",
    "gunzi.apps.lab.fast": (
        "beside.py caching.py choosing.py compiling.py dealing.py kernel.py layout.py linking.py moving.py pieces.py playouts.py "
        "settling.py steady.py tricks.py"
    ),
}
"""What the compiled functions and their constants come from, by package."""


@lru_cache(maxsize=1)
def stamp() -> str:
    """What compiled code stands on: the text of its sources, Python and numba."""
    return kept_code.stamp_of(
        files(package).joinpath(name).read_bytes() for package, names in SOURCES.items() for name in names.split()
    )


def keep(function: Any) -> bool:
    """Have a compiled function's code kept; False where it cannot be."""
    return kept_code.keep(function, PLACE, stamp)


def mark(steady: bool = False) -> None:
    """Note that code of this stamp is kept; ``steady``: that for tables where some seats play ``steady``."""
    kept_code.mark(PLACE, _name(steady), stamp())


def is_kept(steady: bool = False) -> bool:
    """Was code of this stamp compiled and kept before?"""
    return kept_code.is_kept(PLACE, _name(steady), stamp())


def _name(steady: bool) -> str:
    return "_steady" if steady else ""
