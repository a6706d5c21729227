"""The scorekeeper's file: what is kept of it whatever happens, and what is said of a damaged one."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from cli_harness import Cli
from score_harness import FIRST, SAVED, SECOND, sheet_of

from gunzi.apps.cli.parser import Stop
from gunzi.apps.cli.sheet import Sheet


@pytest.fixture
def cli(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Cli:
    monkeypatch.chdir(tmp_path)
    return Cli(capsys, monkeypatch)


# -- the file ------------------------------------------------------------------------------------------------------


def _started(folder: Path) -> subprocess.Popen[str]:
    code = "import sys; from gunzi.apps.cli import main; sys.exit(main())"
    return subprocess.Popen(
        [sys.executable, "-c", code, "score", "baike", "--lang", "en"],
        cwd=folder,
        stdin=subprocess.PIPE,
        stdout=subprocess.DEVNULL,
        text=True,
        env={**os.environ, "PYTHONIOENCODING": "utf-8"},
    )


@pytest.mark.skipif(not hasattr(signal, "SIGKILL"), reason="this system has no SIGKILL")
def test_a_killed_process_loses_no_entry(cli: Cli, tmp_path: Path) -> None:
    file = tmp_path / "score-baike.json"
    process = _started(tmp_path)
    assert process.stdin is not None
    process.stdin.write(f"{FIRST} dry=no\nS\n2\n150\n")
    process.stdin.flush()
    deadline = time.monotonic() + 30
    while time.monotonic() < deadline:
        if file.exists() and json.loads(file.read_text(encoding="utf-8"))["entering"].get("points") == "150":
            break
        time.sleep(0.02)
    os.kill(process.pid, signal.SIGKILL)
    process.wait()
    process.stdin.close()
    kept = json.loads(file.read_text(encoding="utf-8"))
    assert kept["entering"] == {"trump": "S", "tribute": "2", "points": "150"}
    ran = cli("score", "baike", stdin="yes\nCT LJ C7 C8 D8 D9\n\nquit\n")
    assert ran.status == 0
    assert len(cli("score", "baike", "--json").json["hands"]) == 2


def test_a_file_somebody_else_wrote_meanwhile_is_left_alone(tmp_path: Path) -> None:
    from gunzi.apps.cli.ledger import Ledger

    path = str(tmp_path / SAVED)
    ledger = Ledger(path)
    ledger.save(sheet_of(FIRST))
    Ledger(path).save(sheet_of(FIRST, SECOND))
    with pytest.raises(Stop, match="somebody else"):
        ledger.save(sheet_of())
    assert len(Ledger(path).load().rows) == 2


def test_a_disk_that_takes_nothing_is_told_and_tried_again(cli: Cli, monkeypatch: pytest.MonkeyPatch) -> None:
    from gunzi.apps.cli.ledger import Ledger

    kept, calls = Ledger.save, iter(range(100))

    def fails_for_a_while(self: Ledger, sheet: Sheet) -> None:
        if 1 <= next(calls) <= 3:
            raise OSError(28, "No space left on device")
        kept(self, sheet)

    monkeypatch.setattr(Ledger, "save", fails_for_a_while)
    ran = cli.zh("score", "baike", stdin="0\nH\n=85\nno\nBJ\nno\nquit\n")
    assert ran.err.count("没存上") == 3
    assert "磁盘满了" in ran.err
    assert len(cli("score", "baike", "--json").json["hands"]) == 1


@pytest.mark.parametrize(
    "content",
    [
        b"[]",
        b"{",
        b"\xff",
        b"[" * 100_000,
        b'{"kind": "score"}',
        b'{"kind": "score", "gunzi": 2, "hands": []}',
        b'{"kind": "score", "gunzi": 1, "hands": [1]}',
        b'{"kind": "score", "gunzi": 1, "hands": [{"told": {"points": 5}}]}',
        b'{"kind": "score", "gunzi": 1, "hands": [], "players": ["A"]}',
        b'{"kind": "score", "gunzi": 1, "hands": []}',
    ],
)
def test_a_file_that_holds_no_score_is_named(cli: Cli, tmp_path: Path, content: bytes) -> None:
    (tmp_path / SAVED).write_bytes(content)
    for lang in ("zh", "en"):
        ran = cli("score", "--save", SAVED, lang=lang)
        assert ran.status == 2
        assert ran.err.startswith("gunzi: ")
    assert (tmp_path / SAVED).read_bytes() == content


def test_a_hand_edited_into_nonsense_is_named_by_its_number(cli: Cli, tmp_path: Path) -> None:
    cli("score", "baike", "--save", SAVED, "--hand", FIRST, "--hand", SECOND)
    data = json.loads((tmp_path / SAVED).read_text(encoding="utf-8"))
    data["hands"][1]["told"]["points"] = "151"
    (tmp_path / SAVED).write_text(json.dumps(data), encoding="utf-8")
    assert f"{SAVED}, hand 2: points is" in cli("score", "--save", SAVED, "--json").err


def test_hands_edited_in_the_file_count_and_the_history_starts_anew(cli: Cli, tmp_path: Path) -> None:
    cli("score", "baike", "--save", SAVED, "--hand", FIRST)
    data = json.loads((tmp_path / SAVED).read_text(encoding="utf-8"))
    data["hands"][0]["told"]["points"] = "60"
    (tmp_path / SAVED).write_text(json.dumps(data), encoding="utf-8")
    found = cli("score", "--save", SAVED, "--json").json
    assert found["hands"][0]["settle"]["attackers_points"] == 60


def test_of_several_that_write_at_once_every_one_is_kept_or_told(cli: Cli, tmp_path: Path) -> None:
    cli("score", "baike", "--save", SAVED, "--hand", FIRST)
    code = "import sys; from gunzi.apps.cli import main; sys.exit(main())"
    words = ["score", "baike", "--save", SAVED, "--hand", SECOND.replace(" tribute=1>2:3", "")]
    processes = [
        subprocess.Popen(
            [sys.executable, "-c", code, *words], cwd=tmp_path, stdout=subprocess.PIPE, stderr=subprocess.PIPE
        )
        for _ in range(5)
    ]
    told = [(process.communicate()[1], process.returncode) for process in processes]
    kept = len(json.loads((tmp_path / SAVED).read_text(encoding="utf-8"))["hands"]) - 1
    assert kept == sum(status == 0 for _, status in told) >= 1
    assert all(b"gunzi: " in err for err, status in told if status)
