"""The JSON Schemas of what people write and programs exchange: variants, scenarios, records, mappings of foreign logs, the web
table's frames."""

from __future__ import annotations

from pathlib import Path
from typing import Final

NAMES: Final = ("variant", "scenario", "record", "log", "web")
"""The schemas there are."""

_FOLDER: Final = Path(__file__).parent


def path(name: str) -> Path:
    """The file of a schema. Raises KeyError for an unknown name."""
    if name not in NAMES:
        raise KeyError(name)
    return _FOLDER / f"{name}.schema.json"
