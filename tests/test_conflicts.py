"""Options that contradict each other or decide nothing: every code, when it is reported, and that it can be silenced."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from cli_harness import Cli
from conftest import PRESETS

import gunzi
from gunzi.errors import VariantError
from gunzi.installed import built_in_ids, plugin_class
from gunzi.loading import check_text, load_text
from gunzi.optionset import CORE_LINTS
from gunzi.values import Lint

LINTS: Mapping[str, Lint] = {
    **CORE_LINTS,
    **{code: lint for id in built_in_ids() for code, lint in plugin_class(id).lints.items()},
}
SMALL = "deck: {packs: 1, hand: 12, bottom: 6}\n"
NO_BOTTOM = "deck: {packs: 2, hand: 27, bottom: 0}\n"
PHASES = ("deal", "reveal", "tribute", "bottom", "bury", "bury_kings", "play", "settle")


def without(*names: str) -> str:
    return f"phases: [{', '.join(name for name in PHASES if name not in names)}]\n"


CASES: tuple[tuple[str, str], ...] = (
    ("deck-size", "deck: {packs: 2}\n"),
    ("jokers-may-open-unused", "deck: {packs: 2, hand: 25, bottom: 8}\ndeclare: {jokers_may_open: true}\n"),
    ("dry-pot-unused", "dry_pot: {side_leg: never, first_hand: never}\n"),
    ("dry-pot-unused", without("bottom") + "dry_pot: {hidden_bottom: possible}\n"),
    ("ending-unreachable", "deck: {packs: 2, hand: 25, bottom: 8}\nendings: {three_small: either}\n"),
    ("triple-against-pair-unused", "follow: {shapes: loose, triple_against_pair: must_split}\n"),
    (
        "triple-against-pair-unused",
        "deck: {packs: 2, hand: 25, bottom: 8}\nfollow: {shapes: strict, triple_against_pair: exempt}\n",
    ),
    ("shapes-unused", SMALL + "follow: {shapes: strict}\n"),
    ("levels-start-final", "levels: {start: K, final: 10, must_play: []}\n"),
    ("levels-must-play-range", "levels: {start: 4}\n"),
    ("must-play-as-unused", "levels: {must_play: [], must_play_as: dealer}\n"),
    ("win-reach-unused", "levels: {start: 10, must_play: [10], win: reach}\n"),
    ("threshold-above-points", SMALL),
    ("no-points", "points: {}\n"),
    ("reveal-short-bottom", "deck: {packs: 1, hand: 13, bottom: 2}\n"),
    ("scoring-unused", "scoring: {scheme: rounds, levels: earned}\n"),
    ("titles-with-rounds", "scoring: {scheme: rounds}\ntitles: [[0, 赤脚]]\n"),
    ("tribute-thresholds", "tribute: {low: 130}\n"),
    ("level-points-unused", "tribute: {cards: any, level_points: keep}\n"),
    ("tribute-off-fives", "tribute: {low: 82}\n"),
    ("tribute-off-fives", "tribute: {step: 7}\n"),
    ("tribute-high-unreachable", "deck: {packs: 1, hand: 13, bottom: 2}\nlevels: {threshold: 60}\ntribute: {low: 40, step: 5}\n"),
    ("tribute-unused", without("tribute") + "tribute: {low: 60}\n"),
    ("pick-kings-unused", "bury_kings: {others: none, pick_kings: true}\n"),
    ("pick-kings-unused", without("bury_kings") + "bury_kings: {pick_kings: true}\n"),
    ("blocked-by-unused", "bury_kings: {others: none, blocked_by: any_point}\n"),
    ("permanent-in-climb", "trump: {permanent: [2, 5]}\n"),
    ("capture-unused", NO_BOTTOM + "capture: {multiplier: 3}\n"),
    ("phases-unknown", "phases: [deal, reveal, burry, play, settle]\n"),
    ("phases-missing", "phases: [deal, reveal, play]\n"),
    ("phases-missing", without("bury")),
    ("phases-order", "phases: [deal, reveal, bury, bottom, play, settle]\n"),
    ("silence-unknown", "silence: [dry-pot-unusd]\n"),
    ("silence-unknown", "silence: [deck-size]\n"),
)  # fmt: skip


@pytest.mark.parametrize(("code", "text"), CASES)
def test_each_conflict_is_reported_where_it_was_written(code: str, text: str) -> None:
    problems = {problem.code: problem for problem in check_text(f"gunzi: 1\nid: house\n{text}", "house.yaml")}
    assert code in problems
    problem = problems[code]
    assert problem.severity == ("error" if LINTS[code].error else "warning")
    assert (problem.path, problem.line > 2) == ("house.yaml", True)
    assert problem.text.zh and problem.text.en


def test_every_code_has_a_case_and_a_sentence() -> None:
    assert {code for code, _ in CASES} == LINTS.keys() - {"renamed-option"}
    assert all(lint.text.zh and lint.text.en for lint in LINTS.values())


@pytest.mark.parametrize(
    ("code", "text"), [case for case in CASES if not LINTS[case[0]].error and "silence" not in case[1]]
)
def test_a_warning_can_be_silenced_for_one_file(code: str, text: str) -> None:
    text = f"gunzi: 1\nid: house\nsilence: [{code}]\n{text}"
    assert code not in {problem.code for problem in check_text(text)}
    assert not any(problem.code == "silence-unknown" for problem in check_text(text))


@pytest.mark.parametrize(("code", "text"), [case for case in CASES if LINTS[case[0]].error])
def test_an_error_cannot_be_silenced(code: str, text: str) -> None:
    with pytest.raises(VariantError) as caught:
        load_text(f"gunzi: 1\nid: house\nsilence: [{code}]\n{text}")
    assert code in {problem.code for problem in caught.value.problems}


@pytest.mark.parametrize("preset", [*PRESETS, "base"])
def test_presets_have_no_warnings(preset: str) -> None:
    assert gunzi.load(preset).warnings == ()
    assert gunzi.load(preset, {"follow.shapes": "strict"}).warnings == ()


@pytest.mark.parametrize(
    "overrides",
    [
        {"levels.win": "reach"},
        {"bury_kings.pick_kings": "true"},
        {"tribute.low": "85"},
        {"trump.permanent": "[2]"},
        {"capture.multiplier": "4"},
        {"endings.three_small": "either"},
    ],
)
def test_sound_house_rules_have_no_warnings(overrides: Mapping[str, Any]) -> None:
    assert gunzi.load("dalian", overrides).warnings == ()


def test_a_misspelt_code_is_a_warning_with_a_suggestion() -> None:
    (problem,) = check_text("gunzi: 1\nid: house\nsilence: [dry-pot-unusd]\n")
    assert (problem.suggestion, problem.severity, problem.line) == ("dry-pot-unused", "warning", 3)


def test_the_command_shows_the_code_in_every_format(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("house.yaml").write_text("gunzi: 1\nid: house\ntribute: {step: 7}\n")
    cli = Cli(capsys, monkeypatch)
    assert "[tribute-off-fives]" in cli("check", "house.yaml").out
    assert json.loads(cli("check", "house.yaml", "--format", "json").out)[0]["code"] == "tribute-off-fives"
    github = cli("check", "house.yaml", "--format", "github")
    assert github.status == 0
    assert github.out.startswith("::warning file=house.yaml,line=3,")
