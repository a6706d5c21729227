"""A compiled sweep finds what the interpreted one finds."""

from __future__ import annotations

from typing import Any

import pytest

import gunzi
from gunzi.apps import lab
from gunzi.apps.lab.neighbours import neighbours
from gunzi.apps.lab.situations import common_levels
from gunzi.apps.lab.sweep_bench import TRACED, SweepBench
from gunzi.apps.lab.units import Plan
from gunzi.errors import Text

pytest.importorskip("numba")

from gunzi.apps.lab.fast import sweeping
from gunzi.apps.lab.fast.names import NotCovered
from gunzi.apps.lab.fast.running import Engine

pytestmark = pytest.mark.usefixtures("kept_code")
YUWANG = gunzi.load("yuwang")
OPTIONS = {
    "trump.permanent": "[3, 10]",  # other masks
    "phases": None,
    "levels.start": "2",  # other first hands
    "levels.final": "11",
    "levels.kings": None,  # settled again
    "reveal.pick": None,
    "follow.shapes": None,
    "direction": None,  # never consulted
}


def chosen() -> tuple[gunzi.RuleSet, ...]:
    """A neighbour of every kind."""
    found, _ = neighbours(YUWANG)
    first: dict[str, gunzi.RuleSet] = {}
    for each in found:
        if each.option in OPTIONS and OPTIONS[each.option] in (None, each.shown):
            first.setdefault(each.option, each.rules)
    return tuple(first.values())


def plan(unit: str) -> Plan:
    return Plan(5, ("random",) * 4, unit, common_levels([YUWANG]))


def quiet(done: int) -> None:
    """Nobody looks."""


@pytest.mark.parametrize(("unit", "units"), [("hands", TRACED + 20), ("rounds", 3)])
def test_it_is_what_the_interpreted_sweep_finds(unit: str, units: int) -> None:
    others = chosen()
    assert len(others) >= 7
    compiled = sweeping.CompiledSweep(YUWANG, others, plan(unit))
    found = compiled.block(0, units, quiet)
    assert found == SweepBench(YUWANG, others, plan(unit)).block(0, units, quiet)
    assert any(each.diverged > each.in_play for each in found.tallies) and any(each.in_play for each in found.tallies)


def test_hands_that_begin_past_a_neighbour_s_last_level_are_the_same_too() -> None:
    chayuan = gunzi.load("chayuan")
    others = (chayuan.with_options({"levels.final": 5}),)
    found = sweeping.CompiledSweep(chayuan, others, plan("hands")).block(0, 60, quiet)
    assert found == SweepBench(chayuan, others, plan("hands")).block(0, 60, quiet)
    assert found.tallies[0].diverged > 20 and not found.slow


def test_neighbours_that_are_not_covered_are_played_interpreted_and_named(monkeypatch: pytest.MonkeyPatch) -> None:
    real = Engine.__init__

    def refuses(self: Any, rules: Any, *more: Any) -> None:
        if rules.options["dry_pot.side_leg"] == "never":
            raise NotCovered(Text("没有编译版", "no compiled form"))
        real(self, rules, *more)

    monkeypatch.setattr(Engine, "__init__", refuses)
    values = ["never", "no_trump"]
    found, usual = (lab.sweep(YUWANG, "dry_pot.side_leg", values, hands=20, fast=fast) for fast in ("on", "off"))
    assert found.as_json() == usual.as_json() and usual.note is None
    assert found.note is not None and found.note.en == "dry_pot.side_leg=never (no compiled form)"


def test_a_neighbour_that_fails_on_the_way_is_played_interpreted(monkeypatch: pytest.MonkeyPatch) -> None:
    others = chosen()[:2]
    compiled = sweeping.CompiledSweep(YUWANG, others, plan("hands"))
    real = compiled._compare

    def fails(place: int, *more: Any) -> Any:
        if place == 1:
            raise NotCovered(Text("不行", "cannot"))
        return real(place, *more)

    monkeypatch.setattr(compiled, "_compare", fails)
    found = compiled.block(0, 12, quiet)
    assert found.slow.pop(1).en == "cannot"
    assert found == SweepBench(YUWANG, others, plan("hands")).block(0, 12, quiet)


def test_what_cannot_be_played_compiled_says_why() -> None:
    found = lab.sweep(YUWANG, "levels.win", hands=1, policy="sharp:1,random,random,random", fast="on")
    assert found.note is not None and "sharp" in found.note.en


def test_steady_is_swept_compiled_too() -> None:
    others = chosen()
    mixed = Plan(6, ("steady", "random", "steady", "steady"), "hands", common_levels([YUWANG]))
    found = sweeping.CompiledSweep(YUWANG, others, mixed).block(0, 30, quiet)
    assert found == SweepBench(YUWANG, others, mixed).block(0, 30, quiet)
    assert any(each.in_play for each in found.tallies) and not found.slow
