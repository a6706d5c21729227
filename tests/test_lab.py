"""The lab: simulations that add up, comparisons that are paired, proved, and the same whatever the number of processes."""

from __future__ import annotations

import json
import math
import random
from pathlib import Path

import pytest

import gunzi
from gunzi.apps import lab
from gunzi.apps.lab import blocks, comparison, units
from gunzi.apps.lab.estimates import Estimate, Moments, share
from gunzi.apps.lab.measures import KIND_TEXT, KINDS, MEASURES, measure_name
from gunzi.apps.lab.parting import JOINT, UNPROVED, first_difference
from gunzi.apps.lab.sections import interval, number
from gunzi.apps.lab.situations import common_levels, situation
from gunzi.apps.lab.telling import CAUSE_TEXT
from gunzi.apps.lab.units import Plan, play_unit, same_event
from gunzi.apps.players import UnknownPlayerError
from gunzi.errors import Text

YUWANG = gunzi.load("yuwang")
CHAYUAN = gunzi.load("chayuan")
RANDOM = ("random",) * 4


# -- estimates ----------------------------------------------------------------------------------------------------


def test_moments_do_not_depend_on_the_order_or_the_blocks() -> None:
    values = [5 * k % 37 - 11 for k in range(100)]
    whole = Moments()
    for value in values:
        whole.add(value)
    parts = [Moments(), Moments(), Moments()]
    mixed = values[:]
    random.Random(3).shuffle(mixed)
    for place, value in enumerate(mixed):
        parts[place % 3].add(value)
    parts[0].merge(parts[1])
    parts[0].merge(parts[2])
    assert parts[0].estimate() == whole.estimate()


def test_an_estimate_is_the_textbook_s() -> None:
    moments = Moments()
    for value in (1, 2, 3, 4, 10):
        moments.add(value)
    found = moments.estimate()
    error = math.sqrt(sum((v - 4) ** 2 for v in (1, 2, 3, 4, 10)) / 4 / 5)
    assert found.mean == 4 and found.count == 5
    assert found.high == pytest.approx(4 + 2.5758293 * error)
    assert not found.differs and Estimate(2.0, 1.0, 3.0, 9).differs


def test_little_data_claims_little() -> None:
    assert Moments().estimate() == Estimate(None, None, None, 0)
    one = Moments()
    one.add(7)
    assert one.estimate() == Estimate(7.0, None, None, 1)
    none_of_many = share(0, 50)
    assert none_of_many.low == 0 and none_of_many.high is not None and 0.05 < none_of_many.high < 0.2
    assert share(0, 0).mean is None


def test_figures_read_well() -> None:
    assert (number(0.1234, True), number(3.14159), number(123.456), number(None)) == ("12.34%", "3.142", "123.5", "–")
    assert (number(-0.00001, False, True), number(0.5, False, True)) == ("0.000", "+0.500")
    assert interval(Estimate(1.0, 0.5, 1.5, 3)) == "0.500 … 1.500"
    assert interval(Estimate(1.0, None, None, 1)) == "–"


# -- simulate -----------------------------------------------------------------------------------------------------


def test_a_simulation_counts_what_its_record_says(tmp_path: Path) -> None:
    path = tmp_path / "run.jsonl"
    seen: list[tuple[int, int]] = []
    report = lab.simulate(
        YUWANG,
        hands=12,
        seed=3,
        policy="steady",
        record=path,
        progress=lambda done, wanted: seen.append((done, wanted)),
    )
    record = gunzi.Record.load(path)
    assert gunzi.verify(record).hands == 12 == report.hands
    settles = [event for event in record.events if event["e"] == "settle"]
    assert report.measures["attackers_points"].mean == pytest.approx(sum(e["attackers_points"] for e in settles) / 12)
    assert report.measures["captured"].mean == pytest.approx(sum(e["captured"] for e in settles) / 12)
    assert report.rounds == sum(e["round_won_by"] is not None for e in settles)
    assert report.measures["round_ends"].mean == pytest.approx(report.rounds / 12)
    bottoms = [event for event in record.events if event["e"] == "bottom"]
    assert report.measures["dry"].mean == pytest.approx(sum(e["dry"] for e in bottoms) / 12)
    assert seen[-1] == (12, 12) and not report.interrupted
    assert sum(report.tables["trump_by"].values()) == 12
    assert report.policy == ("steady",) * 4


def test_the_same_simulation_gives_the_same_data() -> None:
    one, other = (lab.simulate(CHAYUAN, rounds=2, seed=5, policy=["random"] * 4) for _ in range(2))
    assert json.dumps(one.as_json()) == json.dumps(other.as_json())
    assert one.rounds == 2 and one.unit == "rounds"
    assert one.measures["hands"].mean == one.hands / 2


def test_an_interrupted_simulation_keeps_what_is_finished(tmp_path: Path) -> None:
    path = tmp_path / "cut.jsonl"

    def stop(done: int, wanted: int) -> None:
        if done == 4:
            raise KeyboardInterrupt

    report = lab.simulate(YUWANG, hands=50, seed=1, record=path, progress=stop)
    assert report.interrupted and report.hands == 4
    assert gunzi.verify(gunzi.Record.load(path)).hands == 4


def test_a_record_that_cannot_be_written_is_told_before_a_hand_is_played(tmp_path: Path) -> None:
    with pytest.raises(OSError):
        lab.simulate(YUWANG, hands=5, seed=1, record=tmp_path / "missing" / "run.jsonl")


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ({"hands": 0}, "at least one"),
        ({"hands": 3, "rounds": 3}, "one of them"),
        ({}, "one of them"),
        ({"hands": 3, "seed": -1}, "seed"),
    ],
)
def test_senseless_arguments_are_refused(arguments: dict[str, int], words: str) -> None:
    with pytest.raises(lab.LabError, match=words) as raised:
        lab.simulate(YUWANG, **{"seed": 1, **arguments})  # type: ignore[arg-type]
    assert raised.value.text.zh


def test_an_unknown_policy_is_refused() -> None:
    with pytest.raises(UnknownPlayerError):
        lab.simulate(YUWANG, hands=1, seed=1, policy="wild")


# -- situations ---------------------------------------------------------------------------------------------------


def test_hands_begin_in_all_the_ways_a_hand_can_begin() -> None:
    found = [situation(7, k, (3, 10)) for k in range(200)]
    assert all(each is None for each in found[::2])
    later = [each for each in found[1::2] if each is not None]
    assert len(later) == 100
    assert {each.dealer for each in later} == {0, 1, 2, 3}
    assert {level for each in later for level in each.levels} == set(range(3, 11))
    counts = {each.owed.count if each.owed is not None else 0 for each in later}
    assert counts == set(range(7))
    assert all(each.owed is None or (each.owed.giver + 1) % 4 == each.owed.receiver == each.dealer for each in later)


def test_levels_are_those_all_rule_sets_know() -> None:
    long = gunzi.load("dalian", {"levels.start": 2, "levels.final": 14, "levels.must_play": []})
    assert common_levels([YUWANG, long]) == (3, 10)
    high = gunzi.load("dalian", {"levels.start": 12, "levels.final": 14, "levels.must_play": []})
    assert common_levels([YUWANG, high]) == (3, 10)


# -- diff ---------------------------------------------------------------------------------------------------------


def test_a_rule_set_does_not_part_from_itself() -> None:
    found = lab.diff([YUWANG, YUWANG.with_options({})], hands=20, seed=1)
    pair = found.pairs[0]
    assert pair.count == 0 and pair.options == () and pair.first == () and pair.example is None
    assert all(each.mean in (0, None) for each in pair.paired.values())


@pytest.mark.parametrize("policy", ["random", "steady"])
def test_one_option_is_the_cause_of_all_that_changes(policy: str) -> None:
    other = YUWANG.with_options({"dry_pot.side_leg": "never"})
    found = lab.diff([YUWANG, other], hands=80, seed=2, policy=policy)
    pair = found.pairs[0]
    assert pair.options == ("dry_pot.side_leg",) == found.options
    assert 0 < pair.count < 80
    assert [(cause.option, cause.count) for cause in pair.causes] == [("dry_pot.side_leg", pair.count)]
    assert {first.event for first in pair.first} == {"bottom"} and {first.phase for first in pair.first} == {"bottom"}
    assert {first.by for first in pair.first} <= {"dry_pot.side_leg"}
    assert pair.paired["dry"].mean == pytest.approx(-pair.count / 80)
    assert pair.before_settling == pair.diverged
    assert pair.example is not None and pair.example.a is not None and pair.example.a["dry"]


def test_dice_are_not_shifted_by_a_variant_s_extra_question() -> None:
    other = YUWANG.with_options({"bury_kings.others": "none"})
    plan = Plan(4, RANDOM, "hands", (3, 10))
    parted = same = 0
    for k in range(40):
        one, two = play_unit(YUWANG, plan, k), play_unit(other, plan, k)
        parting = first_difference(one.events, two.events, ("bury_kings.others",))
        if parting is None:
            same += 1
        else:
            parted += 1
            assert parting.event in ("bury", "bury_kings")
    assert parted and same


def test_causes_are_proved_one_option_at_a_time() -> None:
    found = lab.diff([YUWANG, CHAYUAN], hands=60, seed=3)
    pair = found.pairs[0]
    causes = {cause.option for cause in pair.causes}
    assert "dry_pot.side_leg" in causes and "scoring.scheme" in causes
    assert causes <= {*pair.options, JOINT}
    assert all(cause.share.mean == cause.count / pair.count for cause in pair.causes)
    assert sum(first.count for first in pair.first) == pair.count
    assert pair.before_settling.mean is not None and pair.diverged.mean is not None
    assert pair.before_settling.mean < pair.diverged.mean
    unproved = lab.diff([YUWANG, CHAYUAN], hands=60, seed=3, prove=False).pairs[0]
    assert [(cause.option, cause.count) for cause in unproved.causes] == [(UNPROVED, pair.count)]


def test_a_cause_only_two_options_make_together_is_joint() -> None:
    # The tribute's size differs only where both the bound and the step are changed.
    one = gunzi.load("dalian", {"tribute.low": 80, "tribute.step": 10, "tribute.low_rounding": "up"})
    two = one.with_options({"tribute.low_rounding": "down", "tribute.step": 5})
    found = lab.diff([one, two], hands=60, seed=1)
    assert {cause.option for cause in found.pairs[0].causes} <= {"tribute.low_rounding", "tribute.step", JOINT}


def test_the_same_comparison_gives_the_same_bytes_whatever_the_number_of_processes() -> None:
    sets = [YUWANG, CHAYUAN, gunzi.load("dalian")]
    found = [lab.diff(sets, hands=90, seed=1, jobs=jobs) for jobs in (1, 2)]
    assert json.dumps(found[0].as_json()) == json.dumps(found[1].as_json())
    assert [(pair.a, pair.b) for pair in found[0].pairs] == [
        ("yuwang", "chayuan"),
        ("yuwang", "dalian"),
        ("chayuan", "dalian"),
    ]


def test_whole_rounds_are_compared_too() -> None:
    seen: list[int] = []
    other = YUWANG.with_options({"levels.final": 6, "levels.must_play": [3, 6]})
    found = lab.diff(
        [YUWANG, other], rounds=5, seed=1, policy="steady", progress=lambda done, wanted: seen.append(done)
    )
    assert found.unit == "rounds" and found.done == 5 == seen[-1]
    assert found.pairs[0].paired["hands"].mean is not None and found.pairs[0].paired["hands"].mean < 0
    assert all(sum(counts.values()) == 5 for counts in found.tables["ending"])


def test_an_interrupted_comparison_keeps_the_finished_hands(monkeypatch: pytest.MonkeyPatch) -> None:
    real = units.play_unit
    played = 0

    def interrupted(*args: object, **more: object) -> object:
        nonlocal played
        played += 1
        if played == 12:
            raise KeyboardInterrupt
        return real(*args, **more)  # type: ignore[arg-type]

    monkeypatch.setattr(comparison, "play_unit", interrupted)
    found = lab.diff([YUWANG, CHAYUAN], hands=100, seed=1)
    assert found.interrupted and found.done == 5
    assert found.measures["attackers_points"][0].count == 5
    played = 11
    none = lab.diff([YUWANG, CHAYUAN], hands=100, seed=1)
    assert none.interrupted and none.done == 0 and none.pairs[0].diverged.mean is None
    assert none.rows()


def test_an_interruption_between_blocks_keeps_them() -> None:
    def stop(done: int, wanted: int) -> None:
        raise KeyboardInterrupt

    found = lab.diff([YUWANG, CHAYUAN], hands=90, seed=1, jobs=2, progress=stop)
    assert found.interrupted and found.done == 40


def _dies(first: int, end: int) -> int:
    import os

    if first >= 20:
        os._exit(3)
    return end - first


def _ready() -> None:
    pass


def test_a_worker_that_dies_is_reported() -> None:
    with pytest.raises(lab.LabError, match="died"):
        list(blocks.in_order(_dies, 60, 10, 2, _ready, ()))


def test_blocks_cover_all_units_in_order() -> None:
    assert list(blocks.blocks(25, 10)) == [(0, 10), (10, 20), (20, 25)]


def test_too_few_rule_sets_or_processes_are_refused() -> None:
    with pytest.raises(lab.LabError, match="two rule sets"):
        lab.diff([YUWANG], hands=5, seed=1)
    with pytest.raises(lab.LabError, match="process"):
        lab.diff([YUWANG, CHAYUAN], hands=5, seed=1, jobs=0)


def test_events_are_compared_by_what_happened_not_by_which_rule() -> None:
    one = {"e": "bottom", "n": 3, "dry": False, "by": "dry_pot.side_leg"}
    assert same_event(one, {**one, "by": "dry_pot.first_hand"})
    assert not same_event(one, {**one, "dry": True})
    assert not same_event(one, {"e": "bury", "n": 3})
    parting = first_difference([one], [], ())
    assert parting is not None and parting.event == "bottom" and parting.b is None


# -- what is printed ----------------------------------------------------------------------------------------------


def test_every_row_says_what_it_is_in_both_languages() -> None:
    report = lab.simulate(YUWANG, hands=6, seed=3)
    found = lab.diff([YUWANG, CHAYUAN], hands=12, seed=1)
    for section in (*report.rows(), *found.rows()):
        assert section.title.zh and section.title.en and section.rows
        for row in section.rows:
            assert row.name.zh and row.name.en
            assert len(row.cells) == len(section.heads)
    assert {measure.id for measure in MEASURES} <= set(report.measures)
    assert measure_name("hands") == Text("一轮几把", "hands in a round")
    with pytest.raises(KeyError):
        measure_name("luck")
    assert set(CAUSE_TEXT) == {JOINT, UNPROVED}
    assert {kinds.id for kinds in KINDS} == set(report.tables)
    assert KIND_TEXT["claim"].zh


def test_a_duplicate_gives_neither_of_two_equal_players_anything() -> None:
    found = lab.duplicate(CHAYUAN, "steady", "steady", hands=10, seed=1)
    assert (found.levels.mean, found.points.mean, found.score.mean) == (0, 0, 0)
    assert found.as_json()["a"] == "steady"
