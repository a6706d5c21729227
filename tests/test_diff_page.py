"""``gunzi diff --html``: one page that needs nothing else, the same bytes however it was made."""

from __future__ import annotations

import re
from html.parser import HTMLParser
from pathlib import Path

import pytest
from cli_harness import Cli

import gunzi
from gunzi.apps import lab
from gunzi.apps.cli.diff_page import page
from gunzi.apps.lab.measures import KINDS, MEASURES

SETS = [gunzi.load(id) for id in ("yuwang", "chayuan", "dalian")]
LABELS = ["yuwang", "chayuan", "dalian"]
VOID = {"meta", "br", "rect", "line", "circle", "path", "use"}


@pytest.fixture
def cli(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Cli:
    monkeypatch.chdir(tmp_path)
    return Cli(capsys, monkeypatch)


@pytest.fixture(scope="module")
def two() -> lab.Difference:
    """Two sets, single hands."""
    return lab.diff(SETS[:2], hands=60, seed=3)


@pytest.fixture(scope="module")
def three() -> lab.Difference:
    """Three sets, whole rounds."""
    return lab.diff(SETS, rounds=4, seed=3)


class _Reader(HTMLParser):
    """What a page is made of: its words, ids, links, and whether all that opens is closed."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.tags: dict[str, int] = {}
        self.ids: list[str] = []
        self.links: list[str] = []
        self.words: list[str] = []
        self.feed(text)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags[tag] = self.tags.get(tag, 0) + 1
        for name, value in attrs:
            assert name not in ("src", "srcset", "onclick", "onload")
            if name == "id" and value:
                self.ids.append(value)
            if name == "href" and value:
                self.links.append(value)
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.handle_starttag(tag, attrs)
        if tag not in VOID:
            self.open.pop()

    def handle_endtag(self, tag: str) -> None:
        if tag not in VOID:
            assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        if self.open and self.open[-1] not in ("style", "title"):
            self.words.append(data)


@pytest.mark.parametrize("lang", ["zh", "en"])
@pytest.mark.parametrize("many", [False, True])
def test_the_page_is_whole_and_needs_nothing_else(
    two: lab.Difference, three: lab.Difference, many: bool, lang: str
) -> None:
    found, count = (three, 3) if many else (two, 2)
    text = page(found, SETS[:count], LABELS[:count], lang)
    read = _Reader(text)
    assert not read.open and len(read.ids) == len(set(read.ids))
    assert all(link.startswith("#") and link[1:] in read.ids for link in read.links)
    assert "script" not in read.tags and "link" not in read.tags and "img" not in read.tags
    assert not re.search(r"https?://|url\(|@import|javascript:", text)
    assert "default-src 'none'" in text and f'lang="{"zh-CN" if lang == "zh" else "en"}"' in text
    words = "|".join(read.words)
    for measure in MEASURES:
        assert measure.name.in_(lang) in words and measure.means.in_(lang) in words
    for kinds in KINDS:
        assert kinds.name.in_(lang) in words
    assert ("matrix" in read.ids) == many
    assert sum(id.startswith("pair-") for id in read.ids) == len(found.pairs)
    assert read.tags["svg"] > 20 and read.tags["details"] >= len(found.pairs)
    if lang == "zh":
        # Chinese all through: no English sentence but what the rules' ids are made of.
        assert not re.search(r"\b[a-z]{2,} [a-z]{2,} [a-z]{2,} [a-z]{2,}\b", words)


def test_figures_on_the_page_are_those_that_were_found(two: lab.Difference) -> None:
    words = " ".join(_Reader(page(two, SETS[:2], LABELS[:2], "en")).words)
    pair = two.pairs[0]
    assert f"{pair.count} of 60 hands part" in words
    for cause in pair.causes:
        assert f"{cause.count} · {100 * (cause.share.mean or 0):.2f}%" in words
    assert f"{pair.paired['attackers_points'].mean:+.3f}"[:6] in words
    assert "a dry pot" in words and "no_trump_suit" in words


def test_equal_runs_make_equal_pages_whatever_the_processes(cli: Cli, tmp_path: Path) -> None:
    words = ("diff", "yuwang", "chayuan", "--hands", "50", "--seed", "3")
    for jobs in ("1", "2"):
        ran = cli(*words, "--jobs", jobs, "--html", f"{jobs}.html")
        assert ran.status == 0 and f"wrote {jobs}.html" in ran.err
    assert (tmp_path / "1.html").read_bytes() == (tmp_path / "2.html").read_bytes()
    missing = cli(*words, "--html", "none/1.html")
    assert missing.status == 2 and "none" in missing.err and not missing.out


def test_names_are_escaped(two: lab.Difference) -> None:
    text = page(two, SETS[:2], ["<b>&one", '"two'], "en")
    assert "<b>" not in text and "&lt;b&gt;&amp;one" in text
    assert not _Reader(text).open


def test_sets_that_do_not_part_make_a_page_too() -> None:
    found = lab.diff([SETS[0], SETS[0].with_options({})], hands=4, seed=1)
    words = " ".join(_Reader(page(found, [SETS[0]] * 2, ["one", "two"], "en")).words)
    assert "no hands part" in words and "they agree on all" in words


def test_an_old_page_stays_where_the_new_one_cannot_be_written(
    cli: Cli, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    import os

    (tmp_path / "page.html").write_text("old", encoding="utf-8")

    def full(handle: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    ran = cli("diff", "yuwang", "chayuan", "--hands", "3", "--jobs", "1", "--html", "page.html")
    assert ran.status == 2 and "hands that part" in ran.out
    assert "gunzi: page.html: No space left on device" in ran.err
    assert (tmp_path / "page.html").read_text(encoding="utf-8") == "old"
    assert [path.name for path in tmp_path.iterdir()] == ["page.html"]


def test_what_could_not_be_written_is_told_before_anything_is_played(cli: Cli, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("old", encoding="utf-8")
    for words, said in (
        (("--html", "."), "Is a directory"),
        (("--html", "nowhere/page.html"), "nowhere: No such file or directory"),
        (("--examples", "file"), "file: Not a directory"),
    ):
        ran = cli("diff", "yuwang", "chayuan", "--hands", "3", "--jobs", "1", *words)
        assert ran.status == 2 and not ran.out and said in ran.err
    assert [path.name for path in tmp_path.iterdir()] == ["file"]
    assert (tmp_path / "file").read_text(encoding="utf-8") == "old"


def test_every_pair_has_its_example_and_its_files(cli: Cli, tmp_path: Path) -> None:
    words = ("diff", "yuwang", "chayuan", "dalian", "--hands", "20", "--jobs", "1", "--examples", "pairs")
    ran = cli(*words)
    assert ran.status == 0
    for pair in ("yuwang and chayuan", "yuwang and dalian", "chayuan and dalian"):
        assert f"\n{pair}, the earliest example: hand" in ran.out
    names = {path.name.partition(".")[0] for path in (tmp_path / "pairs").iterdir()}
    assert names == {"1-2", "1-3", "2-3"}
