"""Sweeps, matches and checks that are cut off: what is finished is reported and kept, and the same command goes on."""

from __future__ import annotations

import json
from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest
from cli_harness import Cli

import gunzi
from gunzi.apps import lab
from gunzi.apps.lab import matches, sweep_bench, workers

YUWANG = gunzi.load("yuwang")
STRICT = gunzi.load("yuwang", {"follow.shapes": "strict"})


@pytest.fixture
def cli(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Cli:
    return Cli(capsys, monkeypatch)


RUNS: dict[str, Callable[..., Any]] = {
    "sweep": lambda **how: lab.sweep(YUWANG, "dry_pot.first_hand", hands=30, **how),
    "match": lambda **how: lab.match(YUWANG, "steady", "random", pairs=90, seed=2, **how),
    "same_until": lambda **how: lab.same_until(YUWANG, STRICT, hands=90, seed=3, **how),
}


@pytest.mark.parametrize("name", RUNS)
def test_a_run_that_was_cut_off_goes_on_to_the_same_result(name: str, tmp_path: Path) -> None:
    run, path = RUNS[name], tmp_path / "run.blocks"
    whole = json.dumps(run().as_json())

    def stop(done: int, wanted: int) -> None:
        if done > wanted / 2:
            raise KeyboardInterrupt

    cut = run(resume=path, progress=stop)
    told = cut.as_json()
    done = told["pairs" if name == "match" else "done"]
    assert cut.interrupted and cut.trouble is None and 0 < done < told["wanted"]
    rows = path.read_text().count("\n")
    assert rows > 1, "the blocks that were finished are kept"
    assert json.dumps(run(resume=path).as_json()) == whole
    assert path.read_text().count("\n") > rows
    assert json.dumps(run(resume=path, jobs=2).as_json()) == whole


def test_another_run_s_file_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "run.blocks"
    lab.sweep(YUWANG, "levels.win", hands=2, resume=path)
    with pytest.raises(lab.LabError, match="values tried"):
        lab.sweep(YUWANG, "follow.shapes", hands=2, resume=path)
    with pytest.raises(lab.LabError, match="command was sweep and is match"):
        lab.match(YUWANG, "steady", "random", pairs=2, seed=1, resume=path)


@pytest.mark.parametrize("lang", ["zh", "en"])
def test_the_commands_say_how_to_go_on(cli: Cli, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, lang: str) -> None:
    real = sweep_bench.SweepBench.unit

    def interrupted(self: Any, k: int, found: Any) -> None:
        if k == 11:
            raise KeyboardInterrupt
        real(self, k, found)

    monkeypatch.setattr(sweep_bench.SweepBench, "unit", interrupted)
    path = str(tmp_path / "run.blocks")
    ran = cli("sweep", "yuwang", "levels.win", "--hands", "20", "--jobs", "1", "--resume", path, lang=lang)
    assert ran.status == 130 and path in ran.err
    assert ("以上是打完的 11 个的结果" if lang == "zh" else "the above is of the 11 that were finished") in ran.err


def test_a_full_disk_is_told(cli: Cli, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    real = matches.even_side
    played = 0

    def full(*arguments: Any) -> tuple[int, int, int]:
        nonlocal played
        played += 1
        if played > 90:
            raise OSError(28, "No space left on device", "somewhere")
        return real(*arguments)

    monkeypatch.setattr(matches, "even_side", full)
    ran = cli("match", "steady", "random", "yuwang", "--pairs", "60", "--jobs", "1")
    assert ran.status == 2 and "not all was played: the above is of the 40 pairs" in ran.err
    assert "40 pairs (80 hands)" in ran.out and "somewhere" in ran.err


def test_every_further_set_s_check_has_its_own_file(cli: Cli, tmp_path: Path) -> None:
    path = tmp_path / "run.blocks"
    sets = []
    for name, steps in (("one", 1), ("two", 2)):
        sets.append(tmp_path / f"{name}.yaml")
        text = f"gunzi: 1\nid: {name}\nextends: yuwang\ncapture: {{multiplier: {steps + 4}}}\n"
        sets[-1].write_text(text)
    words = ("--assert-same-until", "capture.multiplier", "--hands", "4", "--jobs", "1", "--resume", str(path))
    assert cli("diff", "yuwang", *map(str, sets), *words).status == 0
    assert sorted(each.name for each in tmp_path.glob("run.blocks*")) == ["run.blocks", "run.blocks-2"]


@pytest.mark.parametrize("more", [("--html", "x.html"), ("--examples", "x"), ("--no-causes",), ("--fast", "on")])
def test_the_check_says_what_it_does_not_do(
    cli: Cli, more: tuple[str, ...], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    words = ("diff", "yuwang", "boke", "--assert-same-until", "reveal.pick", "--hands", "4", *more)
    ran = cli(*words)
    assert ran.status == 2 and f"{' '.join(more[:1])}" in ran.err and "--assert-same-until" in ran.err
    assert "不能和 --assert-same-until 一起用" in cli.zh(*words).err
    assert not list(tmp_path.iterdir())


def test_a_player_that_thinks_by_the_clock_is_said_to(cli: Cli, monkeypatch: pytest.MonkeyPatch) -> None:
    match = import_module("gunzi.apps.lab.matches")
    monkeypatch.setattr(match, "even_side", lambda rules, plan, k: (0, 0, 0))
    words = ("random", "yuwang", "--pairs", "2", "--jobs", "1")
    ran = cli("match", "sharp:0.2s", *words)
    assert ran.status == 0 and "sharp:0.2s: a player that thinks by the clock" in ran.err
    assert "看着钟想" in cli.zh("match", "sharp:0.2s", *words).err
    assert "clock" not in cli("match", "sharp:5", *words).err


def test_options_may_stand_between_arguments(cli: Cli) -> None:
    between = cli("sweep", "yuwang", "--set", "follow.shapes=strict", "levels.win", "--hands", "2", "--json")
    after = cli("sweep", "yuwang", "levels.win", "--set", "follow.shapes=strict", "--hands", "2", "--json")
    assert between.status == after.status == 0 and between.out == after.out
    assert between.json["option"] == "levels.win"
    compared = cli("compare", "yuwang", "--set", "follow.shapes=strict", "boke")
    assert (
        compared.status == 0 and compared.out == cli("compare", "yuwang", "boke", "--set", "follow.shapes=strict").out
    )
    assert "RULES [OPTION]" in cli("sweep", "--help").out
    assert "RULES" in cli("sweep", "--hands", "2").err
    assert "-x.yaml" in cli("check", "--", "-x.yaml").err


@pytest.mark.parametrize(
    "words",
    [
        ("diff", "yuwang", "boke", "--hands", "9", "--html", "page.html", "--examples", "pairs"),
        ("diff", "./strict.yaml", "yuwang", "--hands", "9", "--assert-same-until", "follow.shapes"),
        ("sweep", "yuwang", "dry_pot.side_leg", "--hands", "9", "--html", "page.html"),
        ("match", "steady", "random", "yuwang", "--pairs", "9"),
        ("simulate", "yuwang", "--hands", "9"),
    ],
)
def test_where_nothing_was_finished_nothing_is_reported_nor_written(
    cli: Cli, words: tuple[str, ...], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def interrupt(self: object) -> object:
        raise KeyboardInterrupt

    monkeypatch.chdir(tmp_path)
    (tmp_path / "strict.yaml").write_text("gunzi: 1\nid: strict\nextends: yuwang\nfollow: {shapes: strict}\n")
    (tmp_path / "page.html").write_text("the old page")
    monkeypatch.setattr(workers.Alone, "take", interrupt)
    ran = cli(*words, "--jobs", "1")
    assert ran.status == 130 and not ran.out and ran.err.strip() == "interrupted"
    assert (tmp_path / "page.html").read_text() == "the old page"
    assert not list(tmp_path.glob("pairs/*"))
    if "--html" not in words:  # programs are told
        ran = cli(*words, "--jobs", "1", "--json")
        data = ran.json[0] if "--assert-same-until" in words else ran.json
        assert ran.status == 130 and data["interrupted"] is True
