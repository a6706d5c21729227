"""The file that keeps what of a run is finished, and the tallies in it: cut, damaged, somebody else's, on a full disk."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest
from runs_harness import QUESTION, full_after, kept

from gunzi.apps.lab.blocks import Span
from gunzi.apps.lab.comparison import nothing
from gunzi.apps.lab.journal import Journal, JournalError
from gunzi.apps.lab.plain import from_plain, shape, to_plain
from gunzi.apps.lab.simulation import Simulated


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
    with Journal(path, QUESTION) as journal:
        full_after(monkeypatch, 7)
        with pytest.raises(OSError) as raised:
            journal.keep((30, 40), "lost")
        monkeypatch.undo()
        assert raised.value.filename == str(path)
        assert (30, 40) not in journal.spans
    assert kept(path) == written
