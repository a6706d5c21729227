"""The rule book as people see it: one page that needs nothing else, no half-translated text, and the commands."""

from __future__ import annotations

import re
from functools import cache
from html.parser import HTMLParser
from pathlib import Path

import pytest
from cli_harness import Cli

import gunzi
from gunzi.apps.book import comparison, markdown, page, write
from gunzi.apps.book.parts import Book, Entry
from gunzi.loading import load_text

PRESETS = gunzi.preset_ids()
NO_EXAMPLES = ("direction", "phases", "deck.packs", "deck.hand", "deck.bottom")
"""Options that no question of a scenario is about."""


@cache
def book(preset: str, lang: str) -> Book:
    return write(gunzi.load(preset), lang)


# -- the page ------------------------------------------------------------------------------------------------------------

VOID = {"meta", "br", "hr", "link", "img"}


class Page(HTMLParser):
    """Checks nesting; collects ids, what is linked to, and attributes that could fetch something."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.ids: list[str] = []
        self.links: list[str] = []
        self.fetched: list[str] = []
        self.tags: set[str] = set()
        self.feed(text)
        assert not self.open, self.open

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.add(tag)
        if tag not in VOID:
            self.open.append(tag)
        self._attributes(attrs)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.add(tag)
        self._attributes(attrs)

    def _attributes(self, attrs: list[tuple[str, str | None]]) -> None:
        for name, value in attrs:
            if name == "id":
                self.ids.append(value or "")
            elif name == "href":
                self.links.append(value or "")
            elif name in ("src", "srcset", "data", "action", "poster") or name.startswith("on"):
                self.fetched.append(f"{name}={value}")

    def handle_endtag(self, tag: str) -> None:
        assert self.open and self.open[-1] == tag, (tag, self.open[-3:])
        self.open.pop()


def sound(text: str) -> Page:
    found = Page(text)
    assert not found.fetched
    assert not found.tags & {"script", "link", "img", "iframe", "object"}
    assert len(found.ids) == len(set(found.ids))
    assert found.links and all(link.startswith("#") and link[1:] in found.ids for link in found.links)
    assert "url(" not in text and "@import" not in text and "http" not in text.replace("http-equiv", "")
    return found


@pytest.mark.parametrize("lang", ["zh", "en"])
@pytest.mark.parametrize("preset", PRESETS)
def test_the_page_needs_nothing_but_itself(preset: str, lang: str) -> None:
    text = page(book(preset, lang))
    sound(text)
    for suit in ("spade", "heart", "club", "diamond", "big", "little"):
        assert f'class="{suit}"' in text
    assert "prefers-color-scheme: dark" in text and "@media print" in text and 'name="viewport"' in text
    assert len(text) < 250_000


def test_a_comparison_needs_nothing_but_itself() -> None:
    sets = [gunzi.load(preset) for preset in ("yuwang", "baike", "chayuan")]
    options = [id for id in sets[0].option_ids() if len({str(rules.options[id]) for rules in sets}) > 1]
    for lang in ("zh", "en"):
        text = comparison(sets, ["yuwang", "baike", "chayuan"], options, lang)
        sound(text)
        assert text.count("<section>") == len(options)
    same = comparison(sets[:1] * 2, ["a", "b"], [], "zh")
    assert "每个选项都一样" in same


# -- languages ---------------------------------------------------------------------------------------------------------------


def spoken(made: Book) -> list[str]:
    """Every text of the book that is in the language of the book."""
    found = [chapter.title for chapter in made.chapters]
    for entry in made.entries():
        found += [entry.name, entry.asks, entry.says, entry.recommended, entry.idle, entry.basis.status]
        for shown in entry.examples:
            found += [shown.setting, shown.answer, *shown.why]
            for row in shown.rows:
                found += [row.label, *(group.caption for group in row.groups)]
    for chapter in made.chapters:
        for block in chapter.blocks:
            if not isinstance(block, Entry):
                found += [text for text in (getattr(block, "text", ""), *getattr(block, "items", ())) if text]
    return found


@pytest.mark.parametrize("preset", PRESETS)
def test_neither_language_is_half_translated(preset: str) -> None:
    titles = [title for _, title in gunzi.load(preset).options["titles"]]
    terms = ["活棒", "死棒", "双明", "棒", "滚子", *titles]
    for text in spoken(book(preset, "en")):
        for term in terms:
            text = text.replace(term, "")
        assert not re.search(r"[\u4e00-\u9fff，。：；]", text), text
    for text in spoken(book(preset, "zh")):
        assert not re.search(r"[A-Za-z]{2,}", text), text
        assert not re.search(r"[\u4e00-\u9fff][,.;:?]", text), text


# -- the commands --------------------------------------------------------------------------------------------------------------


@pytest.fixture
def cli(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Cli:
    return Cli(capsys, monkeypatch)


def test_the_book_goes_to_standard_output_or_to_files(cli: Cli, tmp_path: Path) -> None:
    shown = cli.zh("book", "yuwang", "--set", "follow.shapes=strict")
    assert shown.status == 0 and shown.out.startswith("# 打滚子：娱网版\n") and "死棒" in shown.out
    html, text = tmp_path / "书.html", tmp_path / "book.md"
    written = cli("book", "yuwang", "--html", str(html), "--md", str(text))
    assert written.status == 0 and str(html) in written.out
    assert html.read_text(encoding="utf-8") == page(book("yuwang", "en"))
    assert text.read_text(encoding="utf-8") == markdown(book("yuwang", "en"))
    assert cli("book", "yuwang", "--html", str(tmp_path / "no" / "book.html")).status == 2


def test_rule_sets_are_compared_on_a_page(cli: Cli, tmp_path: Path) -> None:
    html = tmp_path / "compare.html"
    assert cli.zh("compare", "yuwang", "baike", "--html", str(html)).status == 0
    sound(html.read_text(encoding="utf-8"))


def test_an_option_is_explained_with_its_examples(cli: Cli) -> None:
    shown = cli.zh("explain", "tribute.three_big")
    assert "这把丙给乙进贡 4 张" in shown.out and "谁也不用进贡" in shown.out and "chayuan.txt" in shown.out
    for option in gunzi.load("base").option_ids():
        found = cli("explain", option, "--json")
        assert found.status == 0 and bool(found.json["examples"]) == (option not in NO_EXAMPLES)


def test_a_code_is_printed_and_taken_as_rules(cli: Cli) -> None:
    code = cli("share", "yuwang", "--set", "reveal.pick=min").out.strip()
    assert code.startswith("gz1.") and len(code) <= 40
    assert cli("share", code, "--json").json == {
        "code": code,
        "base": "yuwang",
        "differs": {"reveal.pick": "min"},
        "plugins": [],
        "hash": gunzi.load(code).hash,
    }
    assert [each["option"] for each in cli("compare", code, "yuwang", "--json").json["differs"]] == ["reveal.pick"]
    for command in (["show", code], ["book", code], ["explain", "reveal.pick", "--rules", code]):
        assert cli(*command).status == 0
    written = cli("new", "house", "--extends", code, "--out", "-").out
    assert load_text(written) == gunzi.load(code)
    damaged = cli.zh("show", code[:-2] + ("AB" if code[-2:] != "AB" else "BA"))
    assert damaged.status == 2 and "分享码" in damaged.err
