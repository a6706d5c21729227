"""Matches: the same cards with the sides changed, pairs that add up, and the same result whatever the number of processes."""

from __future__ import annotations

import math
from typing import Any

import pytest
from cli_harness import Cli, assert_no_english

import gunzi
from gunzi.apps import lab
from gunzi.apps.lab import matches
from gunzi.apps.lab.matches import Tally, _elo
from gunzi.apps.players import BudgetError, UnknownPlayerError

YUWANG = gunzi.load("yuwang")


@pytest.fixture
def cli(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Cli:
    return Cli(capsys, monkeypatch)


def test_a_pair_is_won_by_levels_then_by_points_else_drawn() -> None:
    found = Tally()
    for levels, points in ((1, -300), (0, 5), (0, 0), (0, -5), (-1, 300), (0, 0)):
        found.add(levels, points, 0)
    assert (found.won, found.drawn, found.lost, found.done) == (2, 2, 2, 6)
    other = Tally()
    other.add(2, 0, 7)
    found.merge(other)
    assert (found.won, found.done, found.score.total) == (3, 7, 7)


def test_the_elo_difference_gives_back_the_share() -> None:
    for share in (0.01, 0.3, 0.5, 0.64, 0.999):
        elo = _elo(share)
        assert elo is not None and 1 / (1 + math.pow(10, -elo / 400)) == pytest.approx(share)
    assert _elo(0.0) is None and _elo(1.0) is None and _elo(None) is None
    assert _elo(0.64) == pytest.approx(100, abs=0.1)


def test_a_match_against_oneself_is_drawn() -> None:
    found = lab.match(YUWANG, "steady", "steady", pairs=8, seed=3)
    assert (found.won, found.drawn, found.lost) == (0, 8, 0)
    assert found.share.mean == 0.5 and found.elo.mean == 0 and found.levels.mean == 0


def test_the_players_changed_over_the_figures_change_sign() -> None:
    one, other = (lab.match(YUWANG, *names, pairs=20, seed=3) for names in (("steady", "random"), ("random", "steady")))
    assert (one.won, one.drawn, one.lost) == (other.lost, other.drawn, other.won)
    for a, b in ((one.levels, other.levels), (one.points, other.points), (one.score, other.score)):
        assert a.mean is not None and b.mean is not None and a.mean == -b.mean
    assert one.share.low is not None and one.share.low > 0.5
    assert one.elo.low is not None and one.elo.low > 0


def test_it_is_the_duplicate_in_pairs() -> None:
    match, duplicate = (
        lab.match(YUWANG, "steady", "random", pairs=6, seed=9),
        lab.duplicate(YUWANG, "steady", "random", hands=6, seed=9),
    )
    assert (match.levels, match.points, match.score) == (duplicate.levels, duplicate.points, duplicate.score)


def test_jobs_do_not_matter() -> None:
    one, two = (lab.match(YUWANG, "sharp:3", "random", pairs=3, seed=1, jobs=jobs) for jobs in (1, 2))
    assert one.as_json() == two.as_json()
    assert one.a == "sharp:3" and one.pairs == 3


def test_an_interruption_keeps_the_finished_pairs(monkeypatch: pytest.MonkeyPatch) -> None:
    real = matches.even_side
    played = 0

    def interrupted(*arguments: Any) -> tuple[int, int, int]:
        nonlocal played
        played += 1
        if played == 8:
            raise KeyboardInterrupt
        return real(*arguments)

    monkeypatch.setattr(matches, "even_side", interrupted)
    found = lab.match(YUWANG, "steady", "random", pairs=60, seed=1)
    assert found.interrupted and found.pairs == 3
    played = 7
    nothing = lab.match(YUWANG, "steady", "random", pairs=60, seed=1)
    assert nothing.interrupted and nothing.pairs == 0 and nothing.share.mean is None and nothing.rows()


def test_what_makes_no_sense_is_refused() -> None:
    with pytest.raises(lab.LabError):
        lab.match(YUWANG, "steady", "random", pairs=0, seed=1)
    with pytest.raises(UnknownPlayerError):
        lab.match(YUWANG, "steady", "nobody", pairs=1, seed=1)
    with pytest.raises(BudgetError):
        lab.match(YUWANG, "steady", "sharp:0", pairs=1, seed=1)


def test_sharp_beats_steady_with_few_playouts_already() -> None:
    pytest.importorskip("numba")
    found = lab.match(YUWANG, "sharp:150", "steady", pairs=24, seed=1)
    assert found.levels.mean is not None and found.levels.mean > 0.3
    assert found.points.mean is not None and found.points.mean > 5
    assert found.won > found.lost


# -- the command ---------------------------------------------------------------------------------------------------


def test_the_command_prints_the_match_in_both_languages_and_as_data(cli: Cli) -> None:
    words = ("match", "steady", "random", "yuwang", "--hands", "12", "--seed", "2", "--jobs", "1")
    ran = cli(*words)
    assert ran.status == 0
    assert "6 pairs (12 hands); seed 2" in ran.out
    assert "steady against random" in ran.out and "Elo difference" in ran.out and "won by random" in ran.out
    zh = cli.zh(*words)
    assert "6 副（12 把）" in zh.out and "等级分差" in zh.out
    assert_no_english(zh.out)
    data = cli(*words, "--json").json
    assert data == lab.match(YUWANG, "steady", "random", pairs=6, seed=2).as_json()
    assert data["won"] + data["drawn"] + data["lost"] == data["pairs"] == 6


def test_all_won_has_no_upper_bound(cli: Cli) -> None:
    ran = cli("match", "steady", "random", "yuwang", "--pairs", "3", "--seed", "2", "--jobs", "1")
    assert "+∞" in ran.out and "… +∞" in ran.out


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("steady", "random", "yuwang"), "--pairs N or --hands N, one of them"),
        (("steady", "random", "yuwang", "--pairs", "2", "--hands", "4"), "one of them"),
        (("steady", "random", "yuwang", "--hands", "5"), "an even number, not 5"),
        (("stedy", "random", "yuwang", "--pairs", "2"), "did you mean steady?"),
        (
            ("sharp:x", "random", "yuwang", "--pairs", "2"),
            "so many playouts (sharp:200) or seconds (sharp:0.2s), not 'x'",
        ),
        (("steady,random", "random", "yuwang", "--pairs", "2"), "played by the same player"),
        (("steady", "random", "nosuch", "--pairs", "2"), "nosuch"),
    ],
)
def test_what_the_command_cannot_do_it_says(cli: Cli, words: tuple[str, ...], said: str) -> None:
    ran = cli("match", *words)
    assert ran.status == 2 and said in ran.err


def test_sharp_plays_wherever_a_policy_is_named(cli: Cli) -> None:
    ran = cli("simulate", "yuwang", "--hands", "1", "--seed", "1", "--policy", "sharp:1,random,random,random", "--json")
    assert ran.status == 0 and ran.json["policy"][0] == "sharp:1"
    ran = cli("simulate", "yuwang", "--hands", "1", "--policy", "sharp:no")
    assert ran.status == 2 and "sharp:0.2s" in ran.err
