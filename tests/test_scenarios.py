"""The scenarios of the rule book: every preset, every question, every value of every option."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import gunzi
from gunzi.apps.scenarios import run_files, run_text
from gunzi.apps.scenarios.catalogue import BUILT_IN
from gunzi.apps.scenarios.files import Scenario, read_file, scenario_paths

FOLDER = Path(__file__).parent / "scenarios"
FILES = scenario_paths([FOLDER])
UNASKED = {"phases"}
"""Options no question is about."""


def scenarios() -> Iterator[Scenario]:
    for file in FILES:
        yield from read_file(file).scenarios


@pytest.mark.parametrize("file", FILES, ids=lambda file: Path(file).stem)
def test_every_scenario_holds(file: str) -> None:
    report = run_files([file])
    assert report.status == 0, report.text()
    assert report.outcomes


def test_every_question_is_asked() -> None:
    assert {scenario.ask for scenario in scenarios()} == set(BUILT_IN)


def test_every_preset_answers_every_question() -> None:
    asked = {(scenario.ask, expected.rules) for scenario in scenarios() for expected in scenario.expected}
    assert asked >= {(question, preset) for question in BUILT_IN for preset in gunzi.preset_ids()}


def overrides() -> Iterator[tuple[str, Any]]:
    rules = gunzi.load("base")
    for scenario in scenarios():
        for id, (_, node) in scenario.overrides.items():
            yield id, rules.option(id).parse(node.plain())


LAID_OVER = {(id, repr(value)) for id, value in overrides()}


@pytest.mark.parametrize("id", [id for id in gunzi.load("base").option_ids() if id not in UNASKED])
def test_every_value_of_an_option_is_asked_about(id: str) -> None:
    rules = gunzi.load("base")
    option = rules.option(id)
    named = option.values()
    if named:
        values = [repr(option.read(name)) for name in named]
        assert [value for value in values if (id, value) not in LAID_OVER] == []
    else:
        assert {value for of, value in LAID_OVER if of == id} - {repr(rules.options[id])}


def test_a_wrong_expectation_fails() -> None:
    report = run_text(
        """
- name: off-suit-two
  ask: dry_pot
  why: 2s are permanent trumps
  given: {level: 3, trump: S, bottom: [H4, H6, C7, C9, D8, D2]}
  expect: {boke baike: true, zixun: true, chayuan: true}
""",
        "house.yaml",
    )
    assert report.status == 1
    assert [(outcome.rules, outcome.passed) for outcome in report.outcomes] == [
        ("boke", True),
        ("baike", True),
        ("zixun", True),
        ("chayuan", False),
    ]
    (failed,) = report.failed
    assert failed.where == "house.yaml:2:3"
    assert (failed.expected, failed.got) == (True, False)
    said = failed.text("en").splitlines()
    assert said[0] == "house.yaml:2:3: FAILED: off-suit-two [chayuan]"
    assert "  why: 2s are permanent trumps" in said
    assert "  expected: true" in said
    assert "  got: false" in said
    assert "dry_pot.side_leg = no_trump; gunzi/variants/chayuan.yaml:" in said[-1]
    assert "不对" in failed.text("zh")
    assert "应当" in failed.text("zh")


def test_an_override_is_named_as_the_reason() -> None:
    report = run_text(
        """
- name: strict
  ask: follow
  with: {follow.shapes: strict}
  given: {level: 5, trump: S, led: [H8, H8], hand: [H6, H6, H9, C4], legal: [[H6, H9]], illegal: [[H6, H6]]}
  expect: [yuwang]
""",
        "house.yaml",
    )
    (failed,) = report.failed
    assert failed.expected == {"legal": (True,), "illegal": (False,)}
    assert failed.got == {"legal": (False,), "illegal": (True,)}
    assert "follow.shapes = strict; house.yaml:4, operator" in failed.text()
    assert "死棒" in failed.text("zh")


def test_a_report_is_plain_data() -> None:
    report = run_text(
        """
- name: tied
  ask: tribute_cards
  given: {level: 7, trump: S, count: 1, hand: [H7, D7]}
  expect: {dalian: {pay_any_of: [[D7], [H7]]}, yuwang: {pay: [H7]}}
"""
    )
    data = report.as_json()
    assert (data["scenarios"], data["asked"], data["failed"], data["status"]) == (1, 2, 1, 1)
    assert data["outcomes"][1]["expected"] == {"pay": ["H7"]}
    assert data["outcomes"][1]["got"] == {"pay_any_of": [["D7"], ["H7"]]}
    assert data["outcomes"][1]["because"][0]["by"] == "tribute.cards"
    assert gunzi.load("yuwang").hash == data["outcomes"][1]["hash"]


def test_the_one_choice_there_is_reads_both_ways() -> None:
    report = run_text(
        """
- name: one
  ask: tribute_cards
  given: {level: 7, trump: S, count: 1, hand: [S7, D7]}
  expect: {dalian: {pay: [S7]}, yuwang: {pay_any_of: [[S7]]}}
"""
    )
    assert report.status == 0, report.text()


def test_a_choice_left_out_fails() -> None:
    report = run_text(
        """
- name: three-ways
  ask: tribute_cards
  given: {level: 7, trump: S, count: 1, hand: [C7, H7, D7]}
  expect: {dalian: {pay_any_of: [[D7], [H7]]}}
"""
    )
    assert report.status == 1


def test_card_lists_are_compared_as_multisets() -> None:
    report = run_text(
        """
- name: two-of-one
  ask: tribute_cards
  given: {level: 7, trump: S, count: 3, hand: [SA, S7, SA, C4]}
  expect: {dalian: {pay: [SA, S7, SA]}, yuwang: {pay: [S7, SA]}, boke: {pay: [S7, S7, SA]}}
"""
    )
    assert [outcome.passed for outcome in report.outcomes] == [True, False, False]


@pytest.mark.parametrize("level", ["10", '"10"', "T", "t"])
def test_ten_is_written_as_anybody_likes(level: str) -> None:
    report = run_text(
        f"""
- name: ten
  ask: tribute_cards
  given: {{level: {level}, trump: S, count: 1, hand: [S10, HT]}}
  expect: {{dalian: {{pay: [ST]}}}}
"""
    )
    assert report.status == 0, report.text()


def test_variant_files_are_looked_for_beside_the_scenario(tmp_path: Path) -> None:
    house = tmp_path / "house"
    house.mkdir()
    (house / "mine.yaml").write_text("gunzi: 1\nid: mine\nextends: yuwang\nreveal: {pick: min}\n", encoding="utf-8")
    (house / "our table.yaml").write_text("gunzi: 1\nid: our-table\nextends: boke\n", encoding="utf-8")
    (tmp_path / "tests.yaml").write_text(
        """
- name: lowest
  ask: reveal
  given: {turned: [S9, D4, HK, C7]}
  expect:
    house/mine.yaml boke: {dealer: 1, trump: D}
    house/our table.yaml: {dealer: 1}
    yuwang: {dealer: 2}
""",
        encoding="utf-8",
    )
    report = run_files([tmp_path / "tests.yaml"])
    assert report.status == 0, report.text()
    assert [outcome.rules for outcome in report.outcomes] == [
        "house/mine.yaml",
        "boke",
        "house/our table.yaml",
        "yuwang",
    ]


def test_a_preset_comes_before_a_file_of_the_same_name(tmp_path: Path) -> None:
    (tmp_path / "boke.yaml").write_text("gunzi: 1\nid: other\nextends: yuwang\n", encoding="utf-8")
    (tmp_path / "tests.yaml").write_text(
        "- name: lowest\n  ask: reveal\n  given: {turned: [S9, D4, HK, C7]}\n  expect: {boke: {dealer: 1}, boke.yaml: {dealer: 2}}\n",
        encoding="utf-8",
    )
    report = run_files([tmp_path / "tests.yaml"])
    assert report.status == 0, report.text()


def test_progress_is_told_every_outcome() -> None:
    heard: list[str] = []
    report = run_files([FILES[0]], progress=lambda outcome: heard.append(outcome.rules))
    assert heard == [outcome.rules for outcome in report.outcomes]


def test_a_folder_stands_for_the_files_below_it(tmp_path: Path) -> None:
    below = tmp_path / "a" / "b"
    below.mkdir(parents=True)
    for name in ("two.yml", "one.yaml", "no.txt"):
        (below / name).write_text(
            "- name: t\n  ask: title\n  given: {score: 0}\n  expect: {boke: none}\n", encoding="utf-8"
        )
    (below / "mine.yaml").write_text("# ours\ngunzi: 1\nid: mine\nextends: boke\n", encoding="utf-8")
    report = run_files([tmp_path])
    assert [Path(file).name for file in report.files] == ["one.yaml", "two.yml"]
    assert (report.status, report.scenarios) == (0, 2)
    assert report.summary("en") == "2 scenarios, asked 2 times: 2 hold, 0 fail"
    assert report.text("zh") == "2 个场景，问了 2 次：2 次对，0 次不对"
