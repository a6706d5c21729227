"""A file of finished blocks that somebody has edited, check sums and all: read as far as it makes sense, else refused in words."""

from __future__ import annotations

import json
import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from zlib import crc32

import pytest
from cli_harness import Cli

RUNS = {
    "simulate": ("simulate", "yuwang", "--hands", "12"),
    "diff": ("diff", "yuwang", "chayuan", "--hands", "24"),
    "rounds": ("diff", "yuwang", "chayuan", "--rounds", "1"),
    "sweep": ("sweep", "yuwang", "dry_pot.side_leg", "--hands", "20"),
    "match": ("match", "random", "steady", "yuwang", "--pairs", "6"),
    "same until": ("diff", "yuwang", "wet.yaml", "--assert-same-until", "dry_pot.side_leg", "--hands", "12"),
}
MUTATIONS = 60
Leaf = tuple[int, ...]


@pytest.fixture
def cli(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Cli:
    return Cli(capsys, monkeypatch)


@pytest.fixture(autouse=True)
def house(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("wet.yaml").write_text("gunzi: 1\nid: wet\nextends: yuwang\ndry_pot: {side_leg: never}\n", encoding="utf-8")


def rows_of(path: Path) -> list[Any]:
    return [json.loads(line[9:]) for line in path.read_bytes().splitlines()]


def forge(path: Path, rows: list[Any]) -> None:
    """A file of these rows, each with a right check sum."""
    lines = [json.dumps(row, separators=(",", ":")).encode() for row in rows]
    path.write_bytes(b"".join(b"%08x %b\n" % (crc32(line), line) for line in lines))


def places(value: Any, at: Leaf = ()) -> Iterator[Leaf]:
    """Where in the data something stands: every list, and all in it."""
    yield at
    if isinstance(value, list):
        for place, each in enumerate(value):
            yield from places(each, (*at, place))


def others(value: Any) -> list[Any]:
    """What may be put in place of a value."""
    if isinstance(value, list):
        return [value[:-1], [*value, *value[:1]], [], None, 5]
    if isinstance(value, bool) or value is None:
        return [not value, ["a", "b"], 5]
    if isinstance(value, int):
        return [-1, 0, value + 1, 10**6, 10**20, 10**400, str(value), None]
    return ["no.such", "", 7]


def in_place(rows: list[Any], row: int, at: Leaf, value: Any) -> list[Any]:
    """The rows with another value at one place of what a block came to."""
    found = json.loads(json.dumps(rows))
    inside, last = found[row], 2
    for place in at:
        inside, last = inside[last], place
    inside[last] = value
    return list(found)


def at_place(rows: list[Any], row: int, at: Leaf) -> Any:
    value = rows[row][2]
    for place in at:
        value = value[place]
    return value


@pytest.mark.parametrize("name", RUNS)
def test_whatever_a_kept_block_says_it_is_reckoned_with_or_refused(cli: Cli, tmp_path: Path, name: str) -> None:
    path = tmp_path / "run.blocks"
    words = (*RUNS[name], "--jobs", "1", "--resume", str(path))
    assert cli(*words).status == 0
    rows = rows_of(path)
    every = [
        (row, at, other)
        for row in range(1, len(rows))
        for at in places(rows[row][2])
        for other in others(at_place(rows, row, at))
    ]
    chosen = random.Random(1).sample(every, min(MUTATIONS, len(every)))
    refused = 0
    for row, at, other in chosen:
        forge(path, in_place(rows, row, at, other))
        ran = cli(*words)
        assert ran.status in (0, 1, 2) and "this is a bug" not in ran.err and "Traceback" not in ran.err, (at, other)
        refused += ran.status == 2
    assert refused > 0


def test_a_part_of_another_size_or_form_is_not_counted_in(cli: Cli, tmp_path: Path) -> None:
    path = tmp_path / "run.blocks"
    words = ("match", "random", "steady", "yuwang", "--pairs", "6", "--jobs", "1", "--resume", str(path))
    assert cli(*words).status == 0
    rows = rows_of(path)
    for at, value in (((0,), 7), ((4,), 7), ((1, 0), 5), ((1, 2), 0)):
        forge(path, in_place(rows, 1, at, value))
        ran = cli(*words)
        assert ran.status == 2 and "numbers 1 to 6 cannot be read" in ran.err and not ran.out, (at, value)
    ran = cli(*words, lang="zh")
    assert "里第 1 到第 6 个的结果读不懂" in ran.err


def test_examples_of_units_that_part_elsewhere_are_refused(cli: Cli, tmp_path: Path) -> None:
    path = tmp_path / "run.blocks"
    words = (*RUNS["diff"], "--jobs", "1", "--resume", str(path))
    assert cli(*words).status == 0
    rows = rows_of(path)
    pair = rows[1][2][3][0]
    assert pair[6]
    for place, value in ((0, 1), (2, -1), (2, 10**9)):
        pair[6][0][1][place], kept = value, pair[6][0][1][place]
        forge(path, rows)
        ran = cli(*words)
        assert ran.status == 2 and "played again, is not what was counted" in ran.err
        pair[6][0][1][place] = kept
