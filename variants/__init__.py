"""The presets: one YAML file each, listing what differs from ``base``."""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path
from typing import Final

PRESETS: Final = ("boke", "zixun", "chayuan", "yuwang", "baike", "dalian")
"""The ids of the presets; the five source texts first, then the recommended house rules."""

BASE: Final = "base"
"""What they all stand on: it has a value for every option."""

_FOLDER: Final = Path(__file__).parent


def path(id: str) -> Path:
    """The file of a preset or of ``base``. Raises KeyError for any other id."""
    if id not in PRESETS and id != BASE:
        raise KeyError(id)
    return _FOLDER / f"{id}.yaml"


def shown(id: str) -> str:
    """How that file is named in messages, wherever gunzi is installed."""
    return f"gunzi/variants/{id}.yaml"


@lru_cache(maxsize=len(PRESETS) + 1)
def read(id: str) -> bytes:
    """The content of a preset's file, read once. Raises KeyError."""
    return path(id).read_bytes()
