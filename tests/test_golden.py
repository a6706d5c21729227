"""Golden records: what every preset plays, to the byte, and exactly how many acts were legal on the way."""

from __future__ import annotations

import json

import pytest
from conftest import MODES, PRESETS
from make_golden import FOLDER, golden_table

import gunzi
from gunzi import Record

COUNTS = json.loads((FOLDER / "counts.json").read_text("utf-8"))


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("preset", PRESETS)
def test_a_preset_plays_its_golden_record_with_exactly_so_many_legal_acts(preset: str, mode: str) -> None:
    table, counts = golden_table(preset, mode)
    golden = (FOLDER / f"{preset}-{mode}.jsonl").read_text("utf-8")
    assert table.record.text() == golden
    assert counts == COUNTS[f"{preset}-{mode}"]
    assert gunzi.verify(Record.parse(golden)).hands == 2
