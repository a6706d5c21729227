"""Long runs: cut into blocks, played by any number of processes that may be killed, interrupted and gone on with."""

from __future__ import annotations

import os
import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
import run_benches as benches
from run_benches import Sum, task
from runs_harness import full_after

from gunzi.apps.lab import LabError
from gunzi.apps.lab.blocks import BLOCKS_A_DOUBLING, Layout, Span
from gunzi.apps.lab.journal import Journal
from gunzi.apps.lab.runs import AHEAD, Means, run_blocks
from gunzi.apps.lab.workers import Alone, Workers, start_method

ALL = Sum(95, sum(k * k for k in range(95)), [*range(95)])
needs_sigkill = pytest.mark.skipif(os.name != "posix", reason="this system has no SIGKILL")


# -- blocks -------------------------------------------------------------------------------------------------------


def test_blocks_cover_all_units_in_order() -> None:
    assert [*Layout(10, 10).blocks(25)] == [(0, 10), (10, 20), (20, 25)]


def test_a_long_run_has_few_blocks_and_none_is_a_large_part_of_what_is_done() -> None:
    layout = Layout(40, 1 << 20)
    spans = [*layout.blocks(100_000_000)]
    assert len(spans) < 20 * BLOCKS_A_DOUBLING
    assert all(one[1] == other[0] for one, other in zip(spans, spans[1:], strict=False))
    assert all(end - first <= max(40, first // 64) for first, end in spans)
    assert max(end - first for first, end in Layout(40, 1280).blocks(10_000_000)) == 1280


def test_what_is_finished_is_not_played_again_whatever_blocks_it_came_in() -> None:
    layout = Layout(10, 10)
    plan = [*layout.plan(45, [(0, 10), (20, 27), (20, 24), (31, 40)])]
    assert plan == [
        ((0, 10), True),
        ((10, 20), False),
        ((20, 27), True),
        ((27, 30), False),
        ((30, 31), False),
        ((31, 40), True),
        ((40, 45), False),
    ]


def test_units_that_go_together_are_used_together() -> None:
    layout = Layout(10, 10, 10)
    # Of what ends inside a table, nothing can be used, unless the run ends there too.
    assert [*layout.plan(40, [(0, 7), (10, 20), (30, 40)])][0] == ((0, 10), False)
    assert [*layout.plan(27, [(0, 10), (10, 20), (20, 27)])] == [((0, 10), True), ((10, 20), True), ((20, 27), True)]
    assert [*layout.plan(40, [(0, 20), (20, 27)])] == [((0, 20), True), ((20, 30), False), ((30, 40), False)]


# -- runs ---------------------------------------------------------------------------------------------------------


def run(what: Any, **means: Any) -> Any:
    return run_blocks(what, Means(**means)).found


@pytest.mark.parametrize("jobs", [1, 2, 3])
def test_the_result_is_the_same_whatever_the_number_of_processes(jobs: int) -> None:
    assert run(task(95), jobs=jobs) == ALL


@pytest.mark.filterwarnings("ignore:.*multi-threaded.*:DeprecationWarning")  # the test runner's threads
@pytest.mark.parametrize("method", ["spawn", "fork"] if sys.platform == "linux" else ["spawn"])
def test_processes_start_in_every_way_the_system_has(method: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("gunzi.apps.lab.workers.start_method", lambda: method)
    assert run(task(25), jobs=2).done == 25


def test_processes_are_not_forked_beside_threads() -> None:
    code = (
        "import threading; from gunzi.apps.lab.workers import start_method\n"
        "alone = start_method(); wait = threading.Event()\n"
        "thread = threading.Thread(target=wait.wait); thread.start(); print(alone, start_method()); wait.set()"
    )
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert ran.stdout.split() == ["fork" if sys.platform == "linux" else "spawn", "spawn"]


@needs_sigkill
def test_the_block_of_a_killed_worker_is_played_by_another(tmp_path: Path) -> None:
    assert run(task(95, tmp_path, benches.dies_once), jobs=2) == ALL
    assert (tmp_path / "killed").exists()


def test_a_block_that_kills_every_worker_ends_the_run_and_keeps_the_rest(tmp_path: Path) -> None:
    kept = tmp_path / "run.blocks"
    outcome = run_blocks(task(95, tmp_path, benches.always_dies), Means(2, kept))
    assert outcome.interrupted and outcome.trouble is not None and "exit status 3" in outcome.trouble.en
    assert outcome.found.order == [*range(20)]
    assert run(task(95), resume=kept) == ALL


def test_a_worker_that_cannot_start_is_told_at_once() -> None:
    with pytest.raises(LabError, match="cannot be started"):
        run(replace(task(95), make=benches.cannot_start), jobs=2)


@pytest.mark.parametrize("jobs", [1, 2])
def test_an_error_in_a_worker_is_that_error(jobs: int) -> None:
    with pytest.raises(ValueError, match="no such hand"):
        run(task(95, "", benches.raises), jobs=jobs)


def test_blocks_that_wait_for_a_slow_one_are_few(monkeypatch: pytest.MonkeyPatch) -> None:
    played: list[Span] = []

    class FirstLast(Alone[Sum]):
        """Plays the earliest block last."""

        room = 4

        def take(self) -> tuple[Span, Sum]:
            self._given.rotate(1)
            played.append(self._given[0])
            return super().take()

    monkeypatch.setattr("gunzi.apps.lab.runs.Alone", FirstLast)
    assert run(task(2000)).order == [*range(2000)]
    before = played[: played.index((0, 10))]
    assert len(before) == AHEAD * FirstLast.room - 1


@pytest.mark.parametrize("jobs", [1, 2])
def test_ctrl_c_keeps_what_is_finished_and_the_run_goes_on(tmp_path: Path, jobs: int) -> None:
    path = tmp_path / "run.blocks"

    def stop(done: int, wanted: int) -> None:
        if done >= 45:
            raise KeyboardInterrupt

    outcome = run_blocks(task(95), Means(jobs, path), stop)
    assert outcome.interrupted and outcome.trouble is None
    assert outcome.found.order == [*range(outcome.found.done)]
    with Journal(path, _question()) as journal:
        assert sum(end - first for first, end in journal.spans) >= 40
    seen: list[int] = []
    assert run_blocks(task(95), Means(1, path), lambda done, wanted: seen.append(done)).found == ALL
    assert seen[0] > 0 and seen[-1] == 95
    before = path.read_bytes()
    assert run(task(95), resume=path) == ALL and path.read_bytes() == before


def _question() -> dict[str, Any]:
    from gunzi.apps.lab.runs import question

    return question(task(95))


def test_more_units_than_before_go_on_and_fewer_take_what_they_can(tmp_path: Path) -> None:
    path = tmp_path / "run.blocks"
    for wanted in (33, 95, 20, 95, 41):
        assert run(task(wanted), resume=path) == Sum(wanted, sum(k * k for k in range(wanted)), [*range(wanted)])


def test_a_full_disk_ends_the_run_and_what_is_finished_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "run.blocks"
    full_after(monkeypatch, 400)
    outcome = run_blocks(task(95), Means(1, path))
    monkeypatch.undo()
    assert outcome.interrupted and 0 < outcome.found.done < 95
    assert outcome.trouble is not None and "磁盘满了" in outcome.trouble.zh and str(path) in outcome.trouble.en
    assert run(task(95), resume=path) == ALL


def test_kept_blocks_of_another_form_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "run.blocks"
    with Journal(path, _question()) as journal:
        journal.keep((0, 10), ["not", "a", "sum"])
    with pytest.raises(LabError, match="cannot be read"):
        run(task(95), resume=path)


def test_no_processes_are_refused() -> None:
    with pytest.raises(LabError, match="at least one process"):
        Means(0)


def test_workers_are_no_more_than_there_are_blocks() -> None:
    workers: Workers[Sum] = Workers(8, benches.Adds, ("", None), lambda span, done: None)
    try:
        for span in ((0, 10), (10, 20)):
            workers.give(span)
        assert {workers.take()[0], workers.take()[0]} == {(0, 10), (10, 20)}
        assert len(workers._workers) <= 2
    finally:
        workers.close(at_once=False)
    assert start_method() in ("fork", "spawn")
