"""The two rules as a package: off by default, one replaced decision, one wrapped; whole rounds under them."""

from __future__ import annotations

import random
from collections import Counter
from pathlib import Path

import pytest

import gunzi

VARIANT = Path(__file__).resolve().parent.parent / "koudi.yaml"


def play(rules: gunzi.RuleSet, seed: int, hands: int) -> gunzi.Table:
    """A table played by chance to its end."""
    table = gunzi.Table(rules, seed=seed, rounds=None, hands=hands)
    chance = random.Random(seed)
    while not table.over:
        ask = table.ask
        table.do(ask.seat, ask[chance.randrange(len(ask))])
    return table


@pytest.fixture(scope="module")
def table() -> gunzi.Table:
    return play(gunzi.load(VARIANT), seed=11, hands=40)


def test_listed_but_not_turned_on_it_changes_nothing(tmp_path: Path) -> None:
    quiet = tmp_path / "quiet.yaml"
    quiet.write_text("gunzi: 1\nid: quiet\nextends: dalian\nplugins: [gunzi-koudi-multiplier]\n")
    rules = gunzi.load(quiet)
    assert rules.warnings == ()
    assert play(rules, seed=2, hands=5).events == play(gunzi.load("dalian"), seed=2, hands=5).events


def test_a_capture_counts_as_the_size_of_the_last_play_says(table: gunzi.Table) -> None:
    seen: Counter[int] = Counter()
    last: dict[int, list[str]] = {}
    winner = 0
    for event in table.events:
        if event["e"] == "play":
            last[event["seat"]] = event["cards"]
        elif event["e"] == "trick":
            winner = event["winner"]
        elif event["e"] == "settle" and event["captured"]:
            size = len(last[winner])
            seen[size] += 1
            gained = event["attackers_points"] - event["trick_points"]
            assert gained == event["bottom_points"] * 2 * size
            assert [
                line["by"] for line in event["explain"] if line["value"] == gained and line["by"].startswith("koudi.")
            ] or not gained
    assert sum(seen.values()) > 5


def test_levels_go_by_forty_points(table: gunzi.Table) -> None:
    plain = 0
    for event in table.events:
        if (
            event["e"] != "settle"
            or event["ending"] in ("shutout", "sweep", "three_big")
            or {"BJ", "LJ"} & set(event["bottom"])
        ):
            continue
        points, up = event["attackers_points"], event["level_up"]
        plain += 1
        assert (up["levels"] if up else 0) == ((points - 120) // 40 if points >= 120 else -((points - 120) // 40))
    assert plain > 3


def test_its_record_verifies(table: gunzi.Table) -> None:
    assert gunzi.verify(gunzi.Record.parse(table.record.text())).hands == 40


def test_only_the_two_hooks_are_its_own() -> None:
    rules, plain = gunzi.load(VARIANT), gunzi.load("dalian")
    assert rules.plugins.keys() - plain.plugins.keys() == {"gunzi-koudi-multiplier"}
    assert rules.hook.climb(level=9, earned=3, as_dealer=True) == plain.hook.climb(level=9, earned=3, as_dealer=True)
    assert rules.hook.start_level() == 3


def test_a_common_multiplier_that_decides_nothing_is_a_warning() -> None:
    rules = gunzi.load(VARIANT, {"capture.multiplier": 3})
    assert [problem.code for problem in rules.warnings] == ["koudi-multiplier-unused"]
    assert gunzi.load(VARIANT, {"capture.multiplier": 3, "koudi.single": 0}).warnings == ()
