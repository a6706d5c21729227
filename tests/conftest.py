"""Shared by all tests: the presets, and tables played out by uniformly random legal acts."""

from __future__ import annotations

import pytest

import gunzi
from gunzi.apps.testing.playing import steps
from gunzi.table import Table

PRESETS = ("boke", "zixun", "chayuan", "yuwang", "baike", "dalian")
MODES = ("strict", "loose")

__all__ = ["MODES", "PRESETS", "play_out", "rules", "steps"]


def different() -> dict[str, gunzi.RuleSet]:
    """Every preset in both follow modes; presets that agree on every option, and so have one hash, once."""
    found = {f"{preset}-{mode}": gunzi.load(preset, {"follow.shapes": mode}) for preset in PRESETS for mode in MODES}
    return {name: rules for name, rules in found.items() if next(n for n in found if found[n] == rules) == name}


RULES = different()


@pytest.fixture(params=RULES)
def rules(request: pytest.FixtureRequest) -> gunzi.RuleSet:
    """Every different rule set of the presets in both follow modes."""
    return RULES[request.param]


def play_out(table: Table, dice: int = 0) -> Table:
    """Play a table to its end by random legal acts."""
    for _ in steps(table, dice):
        pass
    return table
