"""Shared by all tests: the presets, and tables played out by uniformly random legal acts."""

from __future__ import annotations

import pytest

import gunzi
from gunzi.apps.testing.playing import steps
from gunzi.table import Table

PRESETS = ("boke", "zixun", "chayuan", "yuwang", "baike", "dalian")
MODES = ("strict", "loose")

__all__ = ["MODES", "PRESETS", "play_out", "rules", "steps"]


@pytest.fixture(params=[(preset, mode) for preset in PRESETS for mode in MODES], ids=lambda pair: "-".join(pair))
def rules(request: pytest.FixtureRequest) -> gunzi.RuleSet:
    """Every preset in both follow modes."""
    preset, mode = request.param
    return gunzi.load(preset, {"follow.shapes": mode})


def play_out(table: Table, dice: int = 0) -> Table:
    """Play a table to its end by random legal acts."""
    for _ in steps(table, dice):
        pass
    return table
