"""Makes tests/golden: for every preset and follow mode a record of two hands, and the exact number of legal acts in it.

Run by hand (``python tests/make_golden.py``) when the record format, the shuffle or a rule changes on purpose; then look at
what the change does to these files before committing it.
"""

from __future__ import annotations

import json
from pathlib import Path

from conftest import MODES, PRESETS, steps

import gunzi
from gunzi import Table

FOLDER = Path(__file__).parent / "golden"
SEED = 31


def golden_table(preset: str, mode: str) -> tuple[Table, dict[str, int]]:
    """Two hands played by random legal acts, and how many acts were legal altogether, by kind of question."""
    table = Table(gunzi.load(preset, {"follow.shapes": mode}), seed=SEED, hands=2, rounds=None)
    counts: dict[str, int] = {}
    for _ in steps(table, SEED):
        counts[table.ask.kind] = counts.get(table.ask.kind, 0) + len(table.ask)
    return table, dict(sorted(counts.items()))


def main() -> None:
    """Write all the files."""
    FOLDER.mkdir(exist_ok=True)
    counts = {}
    for preset in PRESETS:
        for mode in MODES:
            table, counts[f"{preset}-{mode}"] = golden_table(preset, mode)
            table.record.save(FOLDER / f"{preset}-{mode}.jsonl")
    (FOLDER / "counts.json").write_text(json.dumps(counts, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
