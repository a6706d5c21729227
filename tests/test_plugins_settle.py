"""抠底, 升级, 轮庄 and the special endings: what a hand comes to."""

from __future__ import annotations

from typing import Any

import pytest
from plugin_options import make, options, played_out

from gunzi.plugins.capture import Capture
from gunzi.plugins.endings import Endings
from gunzi.plugins.levels import Levels
from gunzi.plugins.rotation import Rotation


@pytest.mark.parametrize(("multiplier", "worth"), [(1, 30), (2, 60), (8, 240)])
def test_a_capture_multiplies_the_bottoms_points(multiplier: int, worth: int) -> None:
    found = make(Capture, capture__multiplier=multiplier).bottom_worth(played_out(100, captured=True, bottom_points=30))
    assert (found.points, found.by) == (worth, "capture.multiplier")


# Levels

CASES = [(115, False), (115, True), (120, False), (120, True)]


def test_score_and_last_trick_must_agree_for_a_level_up() -> None:
    rule = make(Levels)
    found = [rule.level_up(played_out(points, captured=captured)) for points, captured in CASES]
    assert [up and (up.side, up.earned) for up in found] == [(0, 1), None, None, (1, 1)]


def test_the_dealers_side_is_the_dealers() -> None:
    rule = make(Levels)
    held, taken = rule.level_up(played_out(85, dealer=3)), rule.level_up(played_out(125, captured=True, dealer=3))
    assert held is not None and taken is not None
    assert (held.side, taken.side) == (1, 0)


@pytest.mark.parametrize(("bottom", "earned"), [("S7", 1), ("LJ S7", 2), ("BJ S7", 3), ("BJ BJ BJ LJ LJ LJ", 10)])
def test_kings_in_the_bottom_add_levels(bottom: str, earned: int) -> None:
    for points, captured in ((85, False), (125, True)):
        up = make(Levels).level_up(played_out(points, captured=captured, bottom=bottom))
        assert up is not None and up.earned == earned


def test_but_not_in_a_dry_pot_nor_where_the_table_gives_none() -> None:
    up = make(Levels).level_up(played_out(85, bottom="BJ LJ H7", dry=True))
    assert up is not None and up.earned == 1
    up = make(Levels, levels__kings={"big": 0, "small": 4}).level_up(played_out(85, bottom="BJ LJ H7"))
    assert up is not None and up.earned == 5


def test_the_threshold_is_the_tables() -> None:
    assert make(Levels, levels__threshold=100).level_up(played_out(100)) is None
    assert make(Levels, levels__threshold=100).level_up(played_out(100, captured=True)) is not None


def climb(level: int, earned: int, as_dealer: bool = True, **overrides: Any) -> tuple[int, int, bool, bool, str]:
    found = make(Levels, **overrides).climb(level, earned, as_dealer)
    return found.level, found.climbed, found.passed, found.lost, found.by


def test_a_climb_goes_as_far_as_it_was_earned() -> None:
    assert climb(4, 1) == (5, 1, False, False, "levels.threshold")
    assert climb(4, 4) == (8, 4, False, False, "levels.threshold")
    assert climb(8, 2) == (10, 2, False, False, "levels.threshold")


def test_it_stops_at_a_must_play_level() -> None:
    assert climb(8, 4) == (10, 2, False, False, "levels.must_play")
    assert climb(4, 5, levels__must_play=[3, 6, 10]) == (6, 2, False, False, "levels.must_play")


def test_from_a_must_play_level_it_goes_on() -> None:
    assert climb(3, 2) == (5, 2, False, False, "levels.threshold")


def test_passing_the_final_level_counts_one_and_wins() -> None:
    assert climb(10, 1) == (10, 1, True, False, "levels.final")
    assert climb(10, 5) == (10, 1, True, False, "levels.final")
    assert climb(8, 4, levels__must_play=[3]) == (10, 3, True, False, "levels.final")
    assert climb(8, 3, levels__must_play=[3], levels__final=9) == (9, 2, True, False, "levels.final")


def test_where_reaching_it_wins_it_is_not_played() -> None:
    assert climb(9, 1, levels__win="reach") == (10, 1, True, False, "levels.win")
    assert climb(8, 4, levels__win="reach") == (10, 2, True, False, "levels.win")
    assert climb(8, 1, levels__win="reach") == (9, 1, False, False, "levels.threshold")
    assert climb(3, 1, levels__win="reach", levels__final=3, levels__must_play=[])[2]


def test_a_must_play_level_may_have_to_be_left_as_the_dealer_side() -> None:
    dealer_only: dict[str, Any] = {"levels__must_play_as": "dealer"}
    assert climb(10, 1, False, **dealer_only) == (10, 0, False, True, "levels.must_play_as")
    assert climb(3, 2, False, **dealer_only) == (3, 0, False, True, "levels.must_play_as")
    assert climb(10, 1, True, **dealer_only)[2]
    assert climb(4, 2, False, **dealer_only)[:2] == (6, 2)
    assert climb(10, 1, False)[2]


def test_a_round_starts_where_the_table_says() -> None:
    assert make(Levels).start_level() == 3
    assert make(Levels, levels__start=2).start_level() == 2


@pytest.mark.parametrize(
    ("overrides", "code", "error"),
    [
        ({"levels__start": 12}, "levels-start-final", True),
        ({"levels__final": 9}, "levels-must-play-range", True),
        ({"levels__start": 4}, "levels-must-play-range", True),
        ({"levels__must_play": [3, 13]}, "levels-must-play-range", True),
        ({"levels__must_play": [], "levels__must_play_as": "dealer"}, "must-play-as-unused", False),
        ({"deck__packs": 1}, "threshold-above-points", False),
    ],
)
def test_levels_that_contradict_each_other(overrides: dict[str, Any], code: str, error: bool) -> None:
    (conflict,) = make(Levels).conflicts(options(**overrides))
    assert (conflict.code, conflict.error) == (code, error)


@pytest.mark.parametrize(
    "overrides", [{}, {"levels__final": 14}, {"levels__must_play": []}, {"levels__must_play_as": "dealer"}]
)
def test_levels_that_agree(overrides: dict[str, Any]) -> None:
    assert not make(Levels).conflicts(options(**overrides))


# Rotation


@pytest.mark.parametrize(("hold", "dealer"), [("partner", 3), ("same", 1)])
def test_short_of_120_the_dealer_side_deals_again(hold: str, dealer: int) -> None:
    for captured in (False, True):
        found = make(Rotation, rotation__hold=hold).next_dealer(played_out(115, captured=captured, dealer=1))
        assert (found.dealer, found.takeover, found.by) == (dealer, False, "rotation.hold")


@pytest.mark.parametrize(("takeover", "dealer"), [("next_seat", 0), ("previous_seat", 2)])
def test_with_120_the_attackers_take_over_captured_or_not(takeover: str, dealer: int) -> None:
    for captured in (False, True):
        found = make(Rotation, rotation__takeover=takeover).next_dealer(played_out(120, captured=captured, dealer=3))
        assert (found.dealer, found.takeover, found.by) == (dealer, True, "rotation.takeover")


def test_the_rotation_goes_by_the_tables_threshold() -> None:
    assert make(Rotation, levels__threshold=100).next_dealer(played_out(100)).takeover


# Endings


def endings(
    total: int, *, captured: bool = False, bottom: str = "S7", dry: bool = False, **overrides: Any
) -> list[tuple[str, int]]:
    found = make(Endings, **overrides).endings(played_out(total, captured=captured, bottom=bottom, dry=dry))
    assert [ending.by for ending in found] == [f"endings.{ending.name}" for ending in found]
    return [(ending.name, ending.winner) for ending in sorted(found, key=lambda ending: ending.order)]


def test_no_points_at_all_is_a_shutout_even_with_a_capture() -> None:
    assert endings(0) == [("shutout", 0)]
    assert endings(0, captured=True) == [("shutout", 0)]
    assert endings(5) == []
    assert endings(0, endings__shutout=False) == []


def test_all_the_points_or_more_are_a_sweep() -> None:
    assert endings(300) == [("sweep", 1)]
    assert endings(330, captured=True) == [("sweep", 1)]
    assert endings(295, captured=True) == []
    assert endings(330, endings__sweep=False) == []


def test_what_a_sweep_takes_is_what_the_pack_holds() -> None:
    assert endings(200, deck__packs=2) == [("sweep", 1)]
    assert endings(300, points={"K": 30}) == []
    assert endings(0, points={}) == [("shutout", 0)]
    assert endings(0, points={}, endings__shutout=False) == []


BIG, SMALL = "BJ BJ BJ C8 D8 D9", "LJ LJ LJ C8 D8 D9"


@pytest.mark.parametrize(("id", "bottom"), [("three_big", BIG), ("three_small", SMALL)])
def test_three_equal_jokers_end_the_round_for_whom_the_table_says(id: str, bottom: str) -> None:
    def struck(whom: str) -> list[list[tuple[str, int]]]:
        others = {"endings__three_big": "none", "endings__three_small": "none"}
        chosen: dict[str, Any] = {**others, f"endings__{id}": whom}
        return [endings(points, captured=captured, bottom=bottom, **chosen) for points, captured in CASES]

    assert struck("none") == [[], [], [], []]
    assert struck("attackers") == [[], [], [], [(id, 1)]]
    assert struck("either") == [[(id, 0)], [], [], [(id, 1)]]


def test_two_are_too_few_and_those_in_a_dry_pot_were_not_buried() -> None:
    assert endings(125, captured=True, bottom="BJ BJ LJ") == []
    assert endings(125, captured=True, bottom=BIG, dry=True) == []


def test_the_checking_order_is_shutout_sweep_big_small() -> None:
    either: dict[str, Any] = {"endings__three_big": "either", "endings__three_small": "either"}
    both = "BJ BJ BJ LJ LJ LJ"
    assert endings(0, bottom=both, **either) == [("shutout", 0), ("three_big", 0), ("three_small", 0)]
    assert endings(300, captured=True, bottom=both, **either) == [("sweep", 1), ("three_big", 1), ("three_small", 1)]


def test_king_endings_that_cannot_strike_are_worth_a_warning() -> None:
    rule = make(Endings)
    assert not rule.conflicts(options(endings__three_big="either", endings__three_small="either"))
    assert not rule.conflicts(options(deck__packs=2))
    found = rule.conflicts(options(deck__packs=2, endings__three_big="either", endings__three_small="attackers"))
    assert [(conflict.code, conflict.options[0], conflict.error) for conflict in found] == [
        ("ending-unreachable", "endings.three_big", False),
        ("ending-unreachable", "endings.three_small", False),
    ]
