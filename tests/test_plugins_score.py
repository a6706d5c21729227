"""记分 and 称号: the score sheet and the titles on it."""

from __future__ import annotations

from typing import Any

import pytest
from plugin_options import make, options, played_out

from gunzi.plugins.scoring import Scoring
from gunzi.plugins.titles import Titles
from gunzi.values import Climb, LevelUp, Outcome, Owed, Result

NOTHING = [0, 0, 0, 0]


def outcome(result: Result, *, up: LevelUp | None = None, climb: Climb | None = None, **more: Any) -> Outcome:
    return Outcome(
        result=result,
        ending=more.get("ending"),
        round_won_by=more.get("won_by"),
        level_up=up,
        climb=climb,
        levels=(6, 4),
        owed=None,
    )


def sheet(settled: Outcome, **overrides: Any) -> list[int]:
    parts = make(Scoring, **overrides).score_parts(settled)
    assert all(part.what.zh and part.what.en and any(part.scores) for part in parts)
    return [sum(column) for column in zip(*(part.scores for part in parts), strict=True)] or NOTHING


def test_a_hold_without_a_level_up_is_worth_nothing() -> None:
    assert sheet(outcome(played_out(115, captured=True))) == NOTHING


def test_a_take_over_is_worth_one() -> None:
    assert sheet(outcome(played_out(125, takeover=True))) == [-1, 1, -1, 1]
    assert sheet(outcome(played_out(125, takeover=True, dealer=3))) == [1, -1, 1, -1]


def test_each_level_is_worth_three_added_to_the_take_over() -> None:
    assert sheet(outcome(played_out(85), up=LevelUp(0, 2), climb=Climb(8, 2))) == [6, -6, 6, -6]
    taken = outcome(played_out(125, captured=True, takeover=True), up=LevelUp(1, 2), climb=Climb(6, 2))
    assert sheet(taken) == [-7, 7, -7, 7]


def test_levels_lost_at_a_must_play_stop_count_by_option() -> None:
    stopped = outcome(played_out(85), up=LevelUp(0, 3), climb=Climb(10, 1))
    assert sheet(stopped) == [3, -3, 3, -3]
    assert sheet(stopped, scoring__levels="earned") == [9, -9, 9, -9]


def test_a_level_up_lost_altogether_counts_under_neither() -> None:
    taken = played_out(125, captured=True, takeover=True)
    lost = outcome(taken, up=LevelUp(1, 2), climb=Climb(10, 0, lost=True, by="levels.must_play_as"))
    for counted in ("climbed", "earned"):
        assert sheet(lost, scoring__levels=counted) == [-1, 1, -1, 1]


def test_passing_the_final_level_is_an_ordinary_level_up() -> None:
    won = outcome(played_out(85), up=LevelUp(0, 3), climb=Climb(10, 1, passed=True), ending="final_level", won_by=0)
    assert sheet(won) == [3, -3, 3, -3]


@pytest.mark.parametrize("ending", ["shutout", "sweep", "three_big", "three_small"])
def test_a_special_ending_is_fifty_instead_of_the_hands_own_result(ending: str) -> None:
    result = played_out(300, captured=True, takeover=True, tribute=Owed(1, 2, 2))
    assert sheet(outcome(result, ending=ending, won_by=1)) == [-48, 48, -48, 48]


def test_tribute_moves_the_sheets_of_both_sides_or_of_two_players() -> None:
    paid = outcome(played_out(115, captured=True, dealer=2, tribute=Owed(1, 2, 2)))
    assert sheet(paid) == [2, -2, 2, -2]
    assert sheet(paid, scoring__tribute_for="player") == [0, -2, 2, 0]


def test_a_reversed_tribute_counts_in_the_direction_the_cards_moved() -> None:
    paid = outcome(played_out(115, captured=True, dealer=2, tribute=Owed(2, 1, 3)))
    assert sheet(paid) == [-3, 3, -3, 3]
    assert sheet(paid, scoring__tribute_for="player") == [0, 3, -3, 0]


def test_where_rounds_count_only_winning_one_does() -> None:
    rounds: dict[str, Any] = {"scoring__scheme": "rounds"}
    hand = played_out(125, captured=True, takeover=True, tribute=Owed(1, 2, 2))
    assert sheet(outcome(hand, up=LevelUp(1, 1), climb=Climb(5, 1)), **rounds) == NOTHING
    assert sheet(outcome(hand, ending="sweep", won_by=1), **rounds) == [0, 1, 0, 1]
    assert sheet(outcome(hand, ending="final_level", won_by=0), **rounds) == [1, 0, 1, 0]


def test_every_part_names_the_option_that_decided_it() -> None:
    result = played_out(125, captured=True, takeover=True, tribute=Owed(1, 2, 2))
    parts = make(Scoring).score_parts(outcome(result, up=LevelUp(1, 1), climb=Climb(5, 1)))
    assert [part.by for part in parts] == ["scoring.tribute_for", "scoring.scheme", "scoring.levels"]


def test_finer_points_of_scoring_are_pointless_where_only_rounds_count() -> None:
    rule = make(Scoring)
    assert not rule.conflicts(options(scoring__levels="earned"))
    assert not rule.conflicts(options(scoring__scheme="rounds"))
    (conflict,) = rule.conflicts(options(scoring__scheme="rounds", scoring__levels="earned"))
    assert (conflict.code, conflict.options) == ("scoring-unused", ("scoring.scheme", "scoring.levels"))
    assert not conflict.error


TITLES = [[0, "赤脚"], [5, "穿鞋"], [10, "单车"]]


@pytest.mark.parametrize(
    ("score", "title"), [(-12, "赤脚"), (0, "赤脚"), (4, "赤脚"), (5, "穿鞋"), (9, "穿鞋"), (10, "单车"), (999, "单车")]
)
def test_a_score_carries_the_last_title_it_reached(score: int, title: str) -> None:
    assert make(Titles, titles=TITLES).title(score) == title


def test_below_the_first_title_the_first_is_carried() -> None:
    assert make(Titles, titles=[[5, "穿鞋"], [10, "单车"]]).title(0) == "穿鞋"


def test_without_titles_there_is_none() -> None:
    assert make(Titles).title(100) == ""
