"""Sweeps: every neighbour against the base on the same deals, ranked, and the same as comparing them one by one."""

from __future__ import annotations

import json
import os
from importlib import import_module
from pathlib import Path
from statistics import NormalDist
from typing import Any

import pytest
from cli_harness import Cli

import gunzi
from gunzi.apps import lab
from gunzi.apps.lab import sweep_bench
from gunzi.apps.lab.neighbours import neighbours
from gunzi.apps.lab.sweep_bench import NeighbourTally
from gunzi.apps.lab.sweeping import Effect
from gunzi.apps.lab.units import Played
from gunzi.errors import Text
from gunzi.options import Choice, KingCounts, Names, Number, RankPoints, Ranks, Schema

sweeping: Any = import_module("gunzi.apps.lab.sweep")
YUWANG = gunzi.load("yuwang")
SOME = Text("有", "some")


@pytest.fixture
def cli(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Cli:
    return Cli(capsys, monkeypatch)


# -- which values are tried ---------------------------------------------------------------------------------------


def test_all_values_where_they_are_few_else_a_fair_choice_near() -> None:
    assert Choice("a.b", SOME, SOME, {"x": SOME, "y": SOME, "z": SOME}).neighbours("y") == ["x", "z"]
    assert Number("a.b", SOME, SOME, 1, 8).neighbours(2) == [1, 3, 4, 5, 6, 7, 8]
    assert Number("a.b", SOME, SOME, 0, 300).neighbours(80) == [60, 70, 90, 100]
    assert Number("a.b", SOME, SOME, 0, 300).neighbours(0) == [10, 20]
    assert Number("a.b", SOME, SOME, 5, 300, step=5).neighbours(300) == [280, 290]
    assert KingCounts("a.b", SOME, SOME).neighbours({"big": 0, "small": 9}) == [
        {"big": 0, "small": 0},
        {"big": 1, "small": 9},
        {"big": 0, "small": 8},
    ]
    assert Ranks("a.b", SOME, SOME).neighbours([3, 10]) == [[], [10], [3]]
    assert RankPoints("a.b", SOME, SOME).neighbours({"5": 5})[:2] == [{}, {"5": 5, "10": 10, "K": 10}]
    assert Names("a.b", SOME, SOME).neighbours(["deal", "play"]) == [["play"], ["deal"]]
    assert Schema("a.b", SOME, SOME, {"enum": ["u", "v"]}).neighbours("u") == ["v"]
    assert Schema("a.b", SOME, SOME, {"type": "boolean"}).neighbours(True) == [False]
    assert Schema("a.b", SOME, SOME, {"type": "string"}).neighbours("u") == []


def test_every_neighbour_is_a_value_its_option_takes_and_not_its_own() -> None:
    for preset in gunzi.preset_ids():
        rules = gunzi.load(preset)
        for id in rules.option_ids():
            option, own = rules.option(id), rules.options[id]
            tried = option.neighbours(own)
            assert tried and own not in tried
            assert [option.parse(value) for value in tried] == tried


def test_values_that_contradict_the_rest_are_listed_with_the_conflict() -> None:
    found, skipped = neighbours(YUWANG)
    assert len({(each.option, each.shown) for each in (*found, *skipped)}) == len(found) + len(skipped)
    start = {each.shown: each for each in skipped if each.option == "levels.start"}
    assert start["4"].codes == ("levels-must-play-range",) and "必打" in start["4"].why.zh
    assert {each.option for each in skipped} == {
        "deck.packs",
        "deck.hand",
        "deck.bottom",
        "phases",
        "levels.start",
        "levels.final",
    }
    assert {each.option for each in found} | {"deck.packs", "deck.hand", "deck.bottom"} == set(YUWANG.option_ids())
    assert json.dumps([each.as_json() for each in skipped])


# -- what is found ------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def found() -> lab.Sweep:
    return lab.sweep(YUWANG, hands=24, seed=3)


def test_it_is_what_a_comparison_of_two_finds(found: lab.Sweep) -> None:
    """What is not played again, since nothing of it was consulted, or only settled again, comes to the same."""
    picked = [
        ("follow.shapes", "strict"),
        ("dry_pot.side_leg", "never"),
        ("tribute.step", 5),
        ("levels.win", "reach"),
        ("reveal.order", "natural"),
    ]
    for option, value in picked:
        effect = next(each for each in found.effects if (each.option, each.value) == (option, value))
        pair = lab.diff([YUWANG, YUWANG.with_options({option: value})], hands=24, seed=3, prove=False).pairs[0]
        assert (effect.count, effect.diverged, effect.before_settling) == (
            pair.count,
            pair.diverged,
            pair.before_settling,
        )
        for id, estimate in effect.paired.items():
            assert estimate == pair.paired[id], (option, id)


def test_whole_rounds_are_compared_too() -> None:
    swept = lab.sweep(YUWANG, "levels.win", rounds=4, seed=2)
    pair = lab.diff([YUWANG, YUWANG.with_options({"levels.win": "reach"})], rounds=4, seed=2, prove=False).pairs[0]
    (effect,) = swept.effects
    assert effect.count == pair.count and effect.paired["hands"] == pair.paired["hands"]
    assert "hands" in swept.measures


def test_the_figures_of_rounds_have_intervals_over_rounds() -> None:
    swept = lab.sweep(YUWANG, "levels.win", rounds=6, seed=2)
    both = lab.diff([YUWANG, YUWANG.with_options({"levels.win": "reach"})], rounds=6, seed=2, prove=False)
    assert swept.measures == {id: each[0] for id, each in both.measures.items()}


def test_the_ranking_is_by_what_is_sure_then_by_what_parts_then_by_the_book(found: lab.Sweep) -> None:
    keys = [(-each.sure, -each.count) for each in found.effects]
    assert keys == sorted(keys)
    order = {id: place for place, id in enumerate(YUWANG.option_ids())}
    for one, other in zip(found.effects, found.effects[1:], strict=False):
        if (one.sure, one.count) == (other.sure, other.count):
            assert order[one.option] <= order[other.option]
    ranked = [each.option for each in found.ranking]
    assert len(ranked) == len(set(ranked)) == len({each.option for each in found.effects})


def test_an_effect_is_the_mean_difference_in_deviations_and_no_more_of_it_is_sure(found: lab.Sweep) -> None:
    for each in found.effects:
        assert 0 <= each.sure <= abs(each.effect) + 1e-12
        if each.measure is not None:
            assert each.effect == each.effects[each.measure] and each.paired[each.measure].mean
        for id, effect in each.effects.items():
            mean = each.paired[id].mean
            assert mean is not None and (mean > 0) is (effect > 0) and (mean == 0) is (effect == 0)


def test_the_figures_are_the_textbook_s() -> None:
    """Five hands of 1 … 5 points, each worth 2 more under the neighbour: √2.5 is the deviation, 2/√2.5 the effect, all of it sure."""
    tally, found = NeighbourTally(), sweep_bench.nothing(0)
    place = next(n for n, each in enumerate(sweeping.ALL) if each.id == "attackers_points")
    for value in range(1, 6):
        base: list[Any] = [None] * len(sweeping.MEASURES)
        other = list(base)
        base[place], other[place] = value, value + 2
        tally.add(Played([], [base]), Played([], [other]))
        sweep_bench.count_hands(found.base, Played([], [base]))
    found.done, tally.diverged = 5, 5
    neighbour = neighbours(YUWANG, "levels.win")[0][0]
    effect = sweeping._effect(neighbour, tally, found, sweeping.ALL)
    assert effect.measure == "attackers_points" and effect.effect == pytest.approx(2 / 2.5**0.5)
    assert effect.sure == pytest.approx(effect.effect)


def test_what_cannot_matter_has_no_effect_and_is_said_to() -> None:
    never = gunzi.load("yuwang", {"dry_pot.side_leg": "never"})
    swept = lab.sweep(never, "dry_pot.first_hand", hands=30)
    (effect,) = swept.effects
    assert (effect.count, effect.consulted, effect.effect, effect.measure) == (0, 0, 0.0, None)
    assert [code for code, _ in effect.warnings] == ["dry-pot-unused"]
    last = swept.rows()[-1]
    assert "none of 30" in last.title.en and "no dry pots" in str(last.rows[0].cells[0])
    (quiet,) = lab.sweep(YUWANG, "direction", hands=3).effects
    assert quiet.count == quiet.consulted == 0 and not quiet.warnings


def test_an_option_that_is_asked_and_changes_nothing_says_so() -> None:
    swept = lab.sweep(YUWANG, "endings.sweep", hands=6)
    (effect,) = swept.effects
    assert effect.consulted == 6 and effect.count == 0
    assert "made no difference" in str(swept.rows()[-1].rows[0].cells[0])


def test_the_same_bytes_whatever_the_processes(found: lab.Sweep) -> None:
    two = lab.sweep(YUWANG, hands=24, seed=3, jobs=2)
    assert json.dumps(found.as_json()) == json.dumps(two.as_json())


def test_a_neighbour_that_cannot_be_played_is_listed(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(self: Any, k: int, *more: Any) -> Any:
        raise lab.LabError(Text("不行", "cannot"))

    monkeypatch.setattr(sweep_bench.SweepBench, "_played", fail)
    swept = lab.sweep(YUWANG, "follow.shapes", hands=2)
    assert not swept.effects and swept.skipped[0].why.en == "cannot"


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ({"option": "folow.shapes"}, "did you mean follow.shapes"),
        ({"option": "levels.threshold", "values": ["7"]}, "multiple of 5"),
        ({"option": "dry_pot.side_leg", "values": ["nevr"]}, "did you mean never"),
        ({"option": "dry_pot.side_leg", "values": ["x"]}, "it is one of no_trump, side_or_permanent"),
        ({"values": ["7"]}, "option"),
        ({"option": "follow.shapes", "values": ["loose"]}, "no other value"),
        ({"jobs": 0}, "at least one process"),
    ],
)
def test_what_makes_no_sense_is_said(arguments: dict[str, Any], said: str) -> None:
    with pytest.raises(lab.LabError, match=said):
        lab.sweep(YUWANG, hands=1, **arguments)


def test_chosen_values_are_tried() -> None:
    swept = lab.sweep(YUWANG, "levels.threshold", ["125", 115, "120"], hands=2)
    assert {each.value for each in swept.effects} == {115, 125}


# -- the command --------------------------------------------------------------------------------------------------


def test_the_command_prints_the_ranking_and_writes_a_page(cli: Cli, tmp_path: Path) -> None:
    target = tmp_path / "sweep.html"
    shown = cli.zh("sweep", "yuwang", "dry_pot.side_leg", "--hands", "20", "--jobs", "1", "--html", str(target))
    assert shown.status == 0 and "dry_pot.side_leg 的各个取值" in shown.out and "= never" in shown.out
    text = target.read_text(encoding="utf-8")
    assert text.startswith("<!DOCTYPE html>") and "差几个标准差" in text and "<svg" in text
    assert "<script" not in text and "src=" not in text
    english = cli("sweep", "yuwang", "dry_pot.side_leg", "--hands", "20", "--jobs", "1", "--html", str(target))
    assert english.status == 0 and "in standard deviations" in target.read_text(encoding="utf-8")


def test_the_command_s_data_is_the_lab_s(cli: Cli) -> None:
    shown = cli("sweep", "yuwang", "follow.shapes", "--hands", "4", "--jobs", "1", "--json")
    assert json.loads(shown.out) == lab.sweep(YUWANG, "follow.shapes", hands=4).as_json()


def test_the_command_tells_what_cannot_be(cli: Cli) -> None:
    shown = cli("sweep", "yuwang", "titels", "--hands", "2")
    assert shown.status == 2 and "did you mean titles" in shown.err
    shown = cli("sweep", "yuwang", "--hands", "2", "--html", "/nowhere/at/all.html")
    assert shown.status == 2
    shown = cli("sweep", "yuwang", "--hands", "2", "--html", ".")  # told before anything is played
    assert shown.status == 2 and not shown.out


def test_a_page_that_cannot_be_written_costs_no_report(
    cli: Cli, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(handle: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    target = tmp_path / "sweep.html"
    shown = cli("sweep", "yuwang", "dry_pot.side_leg", "--hands", "4", "--value", "never", "--html", str(target))
    assert shown.status == 2 and "1 neighbour, the same deals" in shown.out
    assert f"gunzi: {target}: No space left on device" in shown.err and not target.exists()


def test_effects_are_plain_data(found: lab.Sweep) -> None:
    data = found.as_json()
    assert data["ranked_by"] == ["sure", "count", "rule book"] and data["ranking"][0] == found.ranking[0].option
    assert isinstance(found.effects[0], Effect) and set(data["effects"][0]["paired"]) == set(found.measures)


def test_what_is_sure_of_a_share_is_told_from_its_whole_interval() -> None:
    """Where a share's interval is cut at -100 %, the effect is no surer for that."""
    tally, found = NeighbourTally(), sweep_bench.nothing(0)
    place = next(n for n, each in enumerate(sweeping.ALL) if each.id == "captured")
    for a, b in ((1, 0), (1, 0), (1, 0), (1, 0), (1, 0), (0, 0)):
        base: list[Any] = [None] * len(sweeping.MEASURES)
        other = list(base)
        base[place], other[place] = a, b
        tally.add(Played([], [base]), Played([], [other]))
        sweep_bench.count_hands(found.base, Played([], [base]))
    found.done = 6
    effect = sweeping._effect(neighbours(YUWANG, "levels.win")[0][0], tally, found, sweeping.ALL)
    assert effect.paired["captured"].low == -1.0 and effect.measure == "captured"
    # Five of six change: √(5/36 ÷ 5) is the standard error, √(5/36 · 6/5) the base's deviation, nothing the neighbour's.
    sureness = NormalDist().inv_cdf(1 - 0.005 / len(sweeping.ALL))
    assert effect.sure == pytest.approx((5 / 6 - sureness / 6) / (1 / 6 / 2) ** 0.5)
