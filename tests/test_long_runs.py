"""Long runs as whole processes: whatever ends them, what is finished stays, and they go on to the same bytes."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from cli_harness import Cli

import gunzi
from gunzi.apps import lab
from gunzi.apps.lab import simulation
from gunzi.apps.lab.recording import Recorder, record_path

CODE = "import sys; from gunzi.apps.cli import main; sys.exit(main())"
DIFF = ("diff", "yuwang", "boke", "--hands", "440", "--json", "--jobs", "2")
ROOT = Path(__file__).parent
YUWANG = gunzi.load("yuwang")
needs_posix = pytest.mark.skipif(os.name != "posix", reason="signals and limits of POSIX")


@pytest.fixture
def cli(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Cli:
    return Cli(capsys, monkeypatch)


def command(*words: str) -> list[str]:
    return [sys.executable, "-c", CODE, *words]


def environ(measured: bool = True) -> dict[str, str]:
    """``measured``: not where the disk is full: what measures the lines that are reached could not be written either."""
    kept = {key: value for key, value in os.environ.items() if measured or not key.startswith("COVERAGE_")}
    return {**kept, "LC_ALL": "C.UTF-8"}


def started(*words: str) -> subprocess.Popen[bytes]:
    return subprocess.Popen(
        command(*words), stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=environ(), start_new_session=True
    )


def when_kept(process: subprocess.Popen[bytes], path: Path, rows: int) -> None:
    """Wait until a run has kept so many blocks."""
    end = time.monotonic() + 60
    while not path.exists() or path.read_bytes().count(b"\n") <= rows:
        assert process.poll() is None and time.monotonic() < end, process.communicate()
        time.sleep(0.02)


@cache
def uninterrupted() -> bytes:
    """What the run says that nothing happens to, played in one process."""
    return subprocess.run(command(*DIFF[:-1], "1"), capture_output=True, check=True, env=environ()).stdout


def resumed(path: Path, *words: str) -> bytes:
    ran = subprocess.run(command(*(words or DIFF), "--resume", str(path)), capture_output=True, env=environ())
    assert ran.returncode == 0, ran.stderr
    return ran.stdout


def children(pid: int) -> list[int]:
    return [int(word) for word in Path(f"/proc/{pid}/task/{pid}/children").read_text().split()]


@needs_posix
@pytest.mark.skipif(not Path("/proc/self/task").exists(), reason="finds the workers in /proc")
def test_killed_workers_and_a_killed_run_cost_nothing_that_was_finished(tmp_path: Path) -> None:
    path = tmp_path / "run.blocks"
    process = started(*DIFF, "--resume", str(path))
    when_kept(process, path, 2)
    os.kill(children(process.pid)[0], signal.SIGKILL)
    when_kept(process, path, 4)
    assert process.poll() is None
    process.kill()
    process.communicate(timeout=60)
    with path.open("ab") as torn:
        torn.write(b"0123abcd [520,")  # as if it had been killed in the middle of a row
    assert resumed(path) == uninterrupted()


@needs_posix
def test_ctrl_c_keeps_what_is_finished_and_tells_how_to_go_on(tmp_path: Path) -> None:
    path = tmp_path / "run.blocks"
    process = started(*DIFF, "--resume", str(path))
    when_kept(process, path, 2)
    os.killpg(process.pid, signal.SIGINT)  # as a terminal does: to all processes
    out, err = process.communicate(timeout=60)
    assert process.returncode == 130 and b"Traceback" not in err
    assert f"{path} keeps what is finished; the same command again goes on" in err.decode()
    found = json.loads(out)
    assert found["interrupted"] and found["done"] < 440 and found["done"] % 40 == 0
    assert resumed(path) == uninterrupted()


@needs_posix
def test_a_full_disk_keeps_what_is_finished_and_says_so(tmp_path: Path) -> None:
    import resource

    path = tmp_path / "run.blocks"
    limit = 12_000  # bytes: some blocks
    ran = subprocess.run(
        command(*DIFF[:-1], "1", "--resume", str(path)),
        capture_output=True,
        env=environ(measured=False),
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit)),
    )
    assert ran.returncode == 2 and b"Traceback" not in ran.stderr
    assert f"{path}: File too large" in ran.stderr.decode() and b"not all was played" in ran.stderr
    found = json.loads(ran.stdout)
    assert found["interrupted"] and 0 < found["done"] < 440
    assert limit / 2 < path.stat().st_size <= limit
    assert resumed(path) == uninterrupted()


def test_a_simulation_goes_on_too_and_is_the_same_whatever_the_processes(tmp_path: Path) -> None:
    path = tmp_path / "run.blocks"
    words = ("simulate", "yuwang", "--rounds", "60", "--seed", "3", "--json")
    first = resumed(path, "simulate", "yuwang", "--rounds", "50", "--seed", "3", "--json", "--jobs", "1")
    assert resumed(path, *words, "--jobs", "1") == resumed(tmp_path / "two.blocks", *words, "--jobs", "2") != first


@pytest.mark.parametrize("lang", ["zh", "en"])
def test_another_run_s_file_is_refused(cli: Cli, tmp_path: Path, lang: str) -> None:
    path = str(tmp_path / "run.blocks")
    one = ("diff", "yuwang", "boke", "--hands", "2", "--jobs", "1", "--resume", path)
    assert cli(*one, lang=lang).status == 0
    ran = cli(*one, "--seed", "2", "--policy", "steady", lang=lang)
    assert ran.status == 2 and ran.out == ""
    assert ("种子那时是 1，现在是 2" if lang == "zh" else "the policy was random and is steady") in ran.err
    ran = cli("simulate", "yuwang", "--hands", "2", "--jobs", "1", "--resume", path, lang=lang)
    assert (
        ran.status == 2 and ("命令那时是 diff" if lang == "zh" else "the command was diff and is simulate") in ran.err
    )


# -- records ------------------------------------------------------------------------------------------------------


def test_a_record_is_written_here_and_in_one_go(cli: Cli, tmp_path: Path) -> None:
    ran = cli("simulate", "yuwang", "--hands", "2", "--record", str(tmp_path / "r"), "--resume", str(tmp_path / "b"))
    assert ran.status == 2 and "--record goes with neither" in ran.err and not any(tmp_path.iterdir())
    with pytest.raises(lab.LabError, match="neither resume nor cluster"):
        lab.simulate(YUWANG, hands=2, seed=1, record=tmp_path / "r", cluster="tcp://nobody:1")


def test_every_table_of_a_simulation_has_a_record(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(simulation, "HANDS_A_TABLE", 3)
    report = lab.simulate(YUWANG, hands=8, seed=3, record=tmp_path / "run.jsonl")
    records = [gunzi.Record.load(record_path(tmp_path / "run.jsonl", table)) for table in range(3)]
    assert [gunzi.verify(record).hands for record in records] == [3, 3, 2]
    assert sorted(each.name for each in tmp_path.iterdir()) == ["run-2.jsonl", "run-3.jsonl", "run.jsonl"]
    settles = [event for record in records for event in record.events if event["e"] == "settle"]
    assert report.measures["attackers_points"].mean == pytest.approx(sum(e["attackers_points"] for e in settles) / 8)
    assert report.rounds == sum(event["round_won_by"] is not None for event in settles)
    decks = [record.events[0] for record in records]
    assert decks[0] != decks[1] != decks[2]


def test_a_run_that_ends_before_its_first_hand_leaves_no_record(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def interrupt(*args: object, **more: object) -> None:
        raise KeyboardInterrupt

    old = tmp_path / "old.jsonl"
    old.touch()
    monkeypatch.setattr(simulation, "play_table", interrupt)
    for path in (tmp_path / "new.jsonl", old):
        report = lab.simulate(YUWANG, hands=5, seed=1, record=path)
        assert report.interrupted and report.hands == 0
    assert [each.name for each in tmp_path.iterdir()] == ["old.jsonl"] and not old.stat().st_size


@pytest.mark.parametrize("taken", ["run.jsonl", "run-3.jsonl"])
def test_a_record_that_is_there_already_is_left_alone(
    cli: Cli, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, taken: str
) -> None:
    monkeypatch.setattr(simulation, "HANDS_A_TABLE", 3)
    path = tmp_path / taken
    path.write_text("somebody's", encoding="utf-8")
    words = ("simulate", "yuwang", "--hands", "8", "--jobs", "1", "--record", str(tmp_path / "run.jsonl"))
    ran = cli(*words)
    assert ran.status == 2 and not ran.out and f"{path} is there already" in ran.err
    assert f"{path} 已经有了" in cli.zh(*words).err
    assert [(each.name, each.read_text(encoding="utf-8")) for each in tmp_path.iterdir()] == [(taken, "somebody's")]
    path.write_bytes(b"")
    assert cli(*words).status == 0
    assert gunzi.verify(gunzi.Record.load(path)).hands == (3 if taken == "run.jsonl" else 2)


def test_a_worker_that_takes_over_a_table_writes_its_record_anew(tmp_path: Path) -> None:
    path = tmp_path / "run.jsonl"
    bench = simulation.TableBench(YUWANG, ["random"] * 4, "hands", 1, path)
    bench.table(0, 3, lambda done: None)
    bench.table(0, 1, lambda done: None)
    assert gunzi.verify(gunzi.Record.load(path)).hands == 1


@needs_posix
def test_a_record_on_a_full_disk_has_whole_hands(tmp_path: Path) -> None:
    import resource

    path = tmp_path / "run.jsonl"
    limit = 60_000
    ran = subprocess.run(
        command("simulate", "yuwang", "--hands", "200", "--record", str(path), "--json"),
        capture_output=True,
        env=environ(measured=False),
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit)),
    )
    assert ran.returncode == 2 and b"Traceback" not in ran.stderr and b"run.jsonl: File too large" in ran.stderr
    found = json.loads(ran.stdout)
    assert gunzi.verify(gunzi.Record.load(path)).hands == found["hands"] > 0


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="needs /dev/full")
def test_a_record_that_takes_nothing_is_told(cli: Cli) -> None:
    ran = cli("simulate", "yuwang", "--hands", "2", "--jobs", "1", "--record", "/dev/full")
    assert ran.status == 2 and "/dev/full: No space left" in ran.err
    assert cli("simulate", "yuwang", "--hands", "2", "--jobs", "1", "--record", "/dev/null").status == 0


def test_a_record_that_was_interrupted_while_it_was_written_has_whole_hands(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "run.jsonl"
    real = os.write
    written = 0

    def slow(handle: int, data: Any) -> int:
        nonlocal written
        written += 1
        if written > 40:
            monkeypatch.undo()
            raise KeyboardInterrupt
        return real(handle, data[:1000])

    monkeypatch.setattr(os, "write", slow)
    report = lab.simulate(YUWANG, hands=50, seed=1, record=path)
    assert report.interrupted and gunzi.verify(gunzi.Record.load(path)).hands == report.hands > 0


def test_a_recorder_that_gets_no_hand_touches_nothing(tmp_path: Path) -> None:
    with pytest.raises(OSError):
        Recorder(tmp_path / "no" / "where")
    Recorder(tmp_path / "a").close()
    assert not (tmp_path / "a").exists()


# -- a cluster ----------------------------------------------------------------------------------------------------


def test_a_cluster_gives_the_same_bytes_with_a_worker_killed(tmp_path: Path) -> None:
    pytest.importorskip("distributed")
    script = [sys.executable, str(ROOT / "cluster_runs.py"), str(tmp_path / "run.blocks")]
    ran = subprocess.run(script, capture_output=True, timeout=300, env=environ())
    assert ran.returncode == 0, ran.stderr.decode()
    found = json.loads(ran.stdout)
    sets = [YUWANG, gunzi.load("boke")]
    here = lab.diff(sets, hands=320, seed=1)
    assert found["kills"] == 1 and found["killed"] == json.loads(json.dumps(here.as_json()))
    assert found["interrupted"][0] is True and found["interrupted"][1] < 100_000
    assert found["resumed"] == json.loads(json.dumps(lab.diff(sets, hands=160, seed=1).as_json()))
    swept = lab.sweep(YUWANG, "levels.win", hands=20)
    match = lab.match(YUWANG, "steady", "random", pairs=42, seed=1)
    same = lab.same_until(YUWANG, YUWANG.with_options({"levels.win": "reach"}), hands=50)
    for name, local in (("sweep", swept), ("match", match), ("same until", same)):
        assert found[name] == json.loads(json.dumps(local.as_json())), name
    for refused, zh, en in (
        ("other code", "和这里的不一样", "another gunzi"),
        ("no gunzi", "用不了 gunzi", "cannot use gunzi"),
        ("no workers", "一个 worker 也没有", "no workers"),
        ("unreachable", "没有 dask 调度器应答", "no dask scheduler answers"),
        ("no address", "没有 dask 调度器应答", "no dask scheduler answers"),
    ):
        assert zh in found[refused][0] and en in found[refused][1], found[refused]


def test_without_dask_the_cluster_is_told_to_be_installed(cli: Cli, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "distributed", None)
    for lang in ("zh", "en"):
        ran = cli("diff", "yuwang", "boke", "--hands", "2", "--cluster", "tcp://localhost:1", lang=lang)
        assert ran.status == 2 and "pip install 'gunzi[cluster]'" in ran.err
