"""How runs run: blocks, processes that die, files that keep what is finished, and the same result whatever happens."""

from __future__ import annotations

import errno
import json
import os
import subprocess
import sys
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import pytest
import run_benches as benches
from run_benches import Sum, task

from gunzi.apps.lab import LabError
from gunzi.apps.lab.blocks import BLOCKS_A_DOUBLING, Layout, Span
from gunzi.apps.lab.comparison import nothing
from gunzi.apps.lab.journal import Journal, JournalError
from gunzi.apps.lab.plain import from_plain, shape, to_plain
from gunzi.apps.lab.runs import AHEAD, Means, run_blocks
from gunzi.apps.lab.simulation import Simulated
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


# -- tallies as plain data ----------------------------------------------------------------------------------------


@dataclass
class Inner:
    count: int
    word: str | None = None


@dataclass
class Outer:
    inner: list[Inner]
    pairs: tuple[int, bool]
    counts: Counter[tuple[str, int]] = field(default_factory=Counter)
    event: Any = None


@dataclass
class Grown:
    count: int
    word: str | None = None
    more: int = 0


def test_tallies_come_back_as_they_were() -> None:
    value = Outer(
        [Inner(10**30), Inner(-1, "底")], (3, True), Counter({("a", 1): 2**70}), {"e": "play", "cards": ["S3"]}
    )
    assert from_plain(json.loads(json.dumps(to_plain(value, Outer))), Outer) == value
    for empty in (nothing(3), Simulated()):
        assert from_plain(json.loads(json.dumps(to_plain(empty, type(empty)))), type(empty)) == empty


@pytest.mark.parametrize(
    "data", [None, [], [1], [1, 2, 3], [1.5, None], ["1", None], [True, None], [1, 5], {"count": 1}]
)
def test_what_is_no_tally_is_not_read(data: object) -> None:
    with pytest.raises(ValueError):
        from_plain(data, Inner)


def test_another_form_of_a_tally_has_another_name() -> None:
    assert shape(Inner) == shape(Inner) != shape(Grown)
    with pytest.raises(TypeError):
        to_plain(object(), object)


# -- the file that keeps what is finished -------------------------------------------------------------------------

QUESTION = {"seed": 1, "rules": ["sha256:" + "a" * 64]}


def kept(path: Path) -> dict[Span, Any]:
    with Journal(path, QUESTION) as journal:
        return {span: journal.found(span) for span in journal.spans}


def three_blocks(path: Path) -> dict[Span, Any]:
    with Journal(path, QUESTION) as journal:
        for first in (0, 20, 10):
            journal.keep((first, first + 10), [first, "底"])
    return {(0, 10): [0, "底"], (20, 30): [20, "底"], (10, 20): [10, "底"]}


def test_finished_blocks_are_kept(tmp_path: Path) -> None:
    path = tmp_path / "run.blocks"
    written = three_blocks(path)
    assert kept(path) == written
    with Journal(path, QUESTION) as journal:
        journal.keep((30, 35), None)
    assert kept(path) == {**written, (30, 35): None}


def test_a_file_cut_at_any_byte_keeps_all_rows_before(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "fsync", lambda handle: None)
    path = tmp_path / "run.blocks"
    three_blocks(path)
    whole = path.read_bytes()
    rows = whole.splitlines(keepends=True)
    for end in range(len(whole)):
        path.write_bytes(whole[:end])
        full = sum(end >= len(b"".join(rows[:n])) for n in range(1, len(rows) + 1))
        assert len(kept(path)) == max(0, full - 1), whole[:end]
        with Journal(path, QUESTION) as journal:
            journal.keep((40, 50), "after")
        assert kept(path)[(40, 50)] == "after"


def test_a_damaged_row_is_not_there(tmp_path: Path) -> None:
    path = tmp_path / "run.blocks"
    written = three_blocks(path)
    rows = path.read_bytes().splitlines(keepends=True)
    for place in range(len(rows[2])):
        changed = bytearray(rows[2])
        changed[place] ^= 1
        path.write_bytes(b"".join([rows[0], rows[1], bytes(changed), rows[3]]))
        found = kept(path)
        assert (20, 30) not in found and found[(0, 10)] == written[(0, 10)]


def test_another_question_is_refused_and_told_apart(tmp_path: Path) -> None:
    path = tmp_path / "run.blocks"
    three_blocks(path)
    before = path.read_bytes()
    with pytest.raises(JournalError, match="the seed was 1 and is 2") as raised:
        Journal(path, {**QUESTION, "seed": 2})
    assert "种子那时是 1，现在是 2" in raised.value.text.zh and "rules" not in raised.value.text.en
    assert path.read_bytes() == before


def test_another_command_is_told_and_nothing_that_follows_from_it(tmp_path: Path) -> None:
    path = tmp_path / "run.blocks"
    Journal(path, {"command": "diff", "seed": 1, "form": "a"}).close()
    with pytest.raises(JournalError, match=r"another run: the command was diff and is sweep\. To begin"):
        Journal(path, {"command": "sweep", "values": 3, "form": "b"})
    with pytest.raises(JournalError, match=r"another run: the seed was 1 and is 2\. To begin"):
        Journal(path, {"command": "diff", "seed": 2, "form": "b"})
    with pytest.raises(JournalError, match="the form of what is kept was a and is b"):
        Journal(path, {"command": "diff", "seed": 1, "form": "b"})


@pytest.mark.parametrize(
    "content", [b"hello", b"hello\n", b"# my notes\n\n", b'{"gunzi": 1}\n', b"\xff\xfe\x00\n", b"0123456\n"]
)
def test_a_file_of_something_else_is_left_alone(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "notes"
    path.write_bytes(content)
    with pytest.raises(JournalError, match="does not keep blocks"):
        Journal(path, QUESTION)
    assert path.read_bytes() == content


@pytest.mark.skipif(os.name != "posix", reason="devices and pipes of POSIX")
def test_what_is_no_plain_file_is_refused_and_not_read(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    for path in (Path("/dev/full"), Path("/dev/null"), pipe):  # the first of these never ends
        with pytest.raises(JournalError, match="no plain file"):
            Journal(path, QUESTION)


@pytest.mark.skipif(os.name != "posix", reason="files with holes")
def test_a_first_line_that_never_ends_is_no_header(tmp_path: Path) -> None:
    path = tmp_path / "image"
    with open(path, "wb") as file:
        file.truncate(1 << 36)  # sparse: 64 GiB that take no room
    with pytest.raises(JournalError, match="its first line is no header"):
        Journal(path, QUESTION)
    assert path.stat().st_size == 1 << 36


def test_a_newer_form_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "run.blocks"
    monkeypatch.setattr("gunzi.apps.lab.journal.FORMAT", 2)
    three_blocks(path)
    monkeypatch.undo()
    with pytest.raises(JournalError, match="its format is 2; this gunzi reads 1"):
        Journal(path, QUESTION)


def test_one_at_a_time_has_the_file(tmp_path: Path) -> None:
    path = tmp_path / "run.blocks"
    code = (
        "import sys; from gunzi.apps.lab.journal import Journal, JournalError\n"
        "try: Journal(sys.argv[1], {})\n"
        "except JournalError as error: print(error.text.en)"
    )
    with Journal(path, QUESTION):
        with pytest.raises(JournalError, match="in use"):
            Journal(path, QUESTION)
        ran = subprocess.run([sys.executable, "-c", code, str(path)], capture_output=True, text=True, check=True)
        assert "is in use by another gunzi" in ran.stdout
    Journal(path, QUESTION).close()


def test_a_full_disk_leaves_whole_rows(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "run.blocks"
    written = three_blocks(path)
    real = os.write
    left = 7

    def full(handle: int, data: Any) -> int:
        nonlocal left
        if not left:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        done = real(handle, data[:left])
        left -= done
        return done

    with Journal(path, QUESTION) as journal:
        monkeypatch.setattr(os, "write", full)
        with pytest.raises(OSError) as raised:
            journal.keep((30, 40), "lost")
        monkeypatch.undo()
        assert raised.value.filename == str(path)
        assert (30, 40) not in journal.spans
    assert kept(path) == written


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
    _full_after(monkeypatch, 400)
    outcome = run_blocks(task(95), Means(1, path))
    monkeypatch.undo()
    assert outcome.interrupted and 0 < outcome.found.done < 95
    assert outcome.trouble is not None and "磁盘满了" in outcome.trouble.zh and str(path) in outcome.trouble.en
    assert run(task(95), resume=path) == ALL


def _full_after(monkeypatch: pytest.MonkeyPatch, size: int) -> None:
    real: Callable[[int, Any], int] = os.write
    left = size

    def full(handle: int, data: Any) -> int:
        nonlocal left
        if not left:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        done = real(handle, data[:left])
        left -= done
        return done

    monkeypatch.setattr(os, "write", full)


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
