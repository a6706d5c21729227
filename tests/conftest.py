"""Shared by all tests: the presets, and tables played out by uniformly random legal acts."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

import gunzi
from gunzi.chance import below, stream
from gunzi.table import Table

PRESETS = ("boke", "zixun", "chayuan", "yuwang", "baike", "dalian")
MODES = ("strict", "loose")


@pytest.fixture(params=[(preset, mode) for preset in PRESETS for mode in MODES], ids=lambda pair: "-".join(pair))
def rules(request: pytest.FixtureRequest) -> gunzi.RuleSet:
    """Every preset in both follow modes."""
    preset, mode = request.param
    return gunzi.load(preset, {"follow.shapes": mode})


def steps(table: Table, dice: int = 0) -> Iterator[tuple[int, gunzi.Act]]:
    """Play a table on by random legal acts, yielding each (seat, act) before it is done."""
    base = stream(dice, 0, 9)
    drawn = 0
    while not table.over:
        ask = table.ask
        act = ask[below(base, 0, drawn, len(ask))]
        drawn += 1
        yield ask.seat, act
        table.do(ask.seat, act)


def play_out(table: Table, dice: int = 0) -> Table:
    """Play a table to its end by random legal acts."""
    for _ in steps(table, dice):
        pass
    return table
