"""The comparison with peers: what counts as a decision, what is said where they cannot be had."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from types import ModuleType, SimpleNamespace
from typing import Any

import pytest

BENCHMARKS = Path(__file__).parent.parent / "benchmarks"


@pytest.fixture
def peers(monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    monkeypatch.syspath_prepend(str(BENCHMARKS))
    import peers  # type: ignore[import-not-found]  # it lies beside the package, not in it

    found: ModuleType = peers
    return found


def test_where_they_cannot_be_installed_it_says_so_and_ends_well(
    peers: Any, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    commands: list[list[str]] = []

    def run(command: list[str], **_: Any) -> SimpleNamespace:
        commands.append(command)
        return SimpleNamespace(returncode=1, stderr="some words\nERROR: No matching distribution found\n")

    monkeypatch.setattr(peers, "ENVIRONMENT", tmp_path / "peers")
    monkeypatch.setattr(peers.venv, "create", lambda folder, with_pip: None)
    monkeypatch.setattr(peers.subprocess, "run", run)
    assert peers.main(["--quick"]) == 0
    said = capsys.readouterr().out
    assert said.startswith("skipped: ") and "No matching distribution" in said
    assert any("open_spiel" in command for command in commands)


def test_a_peer_that_has_something_against_a_game_is_told_and_left_out(peers: Any) -> None:
    requests = "openspiel skat python 0.1\nrlcard doudizhu nonsense 0.1\n"
    script = [sys.executable, str(BENCHMARKS / "peer_games.py")]
    done = subprocess.run(script, input=requests, capture_output=True, text=True, check=True)
    answers = [json.loads(line) for line in done.stdout.splitlines()]
    assert [set(each) for each in answers] == [{"problem"}, {"problem"}]

    def broken() -> tuple[float, float]:
        raise RuntimeError("no such game")

    row = peers.Row("a", broken)
    row.measure()
    assert row.problem == "no such game" and not row.rates


def test_every_question_of_a_hand_is_a_decision(peers: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(peers, "SAMPLE", 20)
    each = peers.decisions_a_hand()
    assert 4 * 20 < each < 4 * 40 + 40
    done, seconds = peers.interpreted(False, 0.01, each)()
    assert done % (peers.HANDS * each) == 0 and seconds >= 0.01


def test_ours_is_held_against_the_median_of_theirs(peers: Any, capsys: pytest.CaptureFixture[str]) -> None:
    def row(*rates: float) -> Any:
        return peers.Row("x", lambda: (0.0, 1.0), list(rates))

    assert row(1.0, 9.0, 3.0, 8.0, 2.0, 7.0).rate == 8.5
    theirs = [row(10.0, 20.0), row(30.0, 3.0), row(2.0, 10.0)]
    assert peers.ratio(row(10.0, 1.0), theirs) == 0.5
    ours = [row(10.0, 1.0), row(5.0, 5.0)]
    assert peers.report(ours, [], theirs, theirs, theirs) == 1
    assert "! x, to the median" in capsys.readouterr().out
    assert peers.report([row(14.0, 14.0), row(1.0, 1.0)], [row(60.0, 60.0)], theirs, theirs, theirs) == 0
    assert peers.report([row(14.0, 14.0), row(1.0, 1.0)], [row(30.0, 30.0)], theirs, theirs, theirs) == 1
