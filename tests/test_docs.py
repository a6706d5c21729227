"""What the pages show is true: every command is run and its output compared, every file and link is there."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import console
import pytest

ROOT = Path(__file__).resolve().parent.parent
PAGES = console.pages()
SHOWING = [page for page in PAGES if console.steps(page.read_text(encoding="utf-8"))]


def names(pages: list[Path]) -> list[str]:
    return [page.name for page in pages]


@pytest.mark.parametrize("page", SHOWING, ids=names(SHOWING))
def test_what_a_page_shows_is_what_comes_out(page: Path, tmp_path: Path) -> None:
    here = tmp_path / "here"
    here.mkdir()
    folder = console.Folder(here, console.language(page))
    for step in console.steps(page.read_text(encoding="utf-8")):
        printed = folder.run(step)
        if step.kind == "command" or step.end:
            assert console.fits(step.shown, printed), (
                f"{page.name}: {step.text}\nshown:\n"
                + "\n".join(step.shown)
                + "\nprinted:\n"
                + "\n".join(printed)
                + "\n(docs/update_outputs.py writes it anew)"
            )


@pytest.mark.parametrize("page", PAGES, ids=names(PAGES))
def test_no_command_is_shown_without_being_run(page: Path) -> None:
    if page.name in ("commands.md", "commands.zh.md"):  # usages
        return
    for kind, body in re.findall(r"^ *```([\w-]*)\n(.*?)^ *```$", page.read_text(encoding="utf-8"), re.M | re.S):
        if kind != "console":
            assert not re.search(r"^(?:\$ )?gunzi ", body, re.MULTILINE), body


@pytest.mark.parametrize("page", PAGES, ids=names(PAGES))
def test_every_page_has_its_twin_and_shows_the_same_there(page: Path) -> None:
    if page.name == "index.md":
        return
    stem = page.name.removesuffix(".md").removesuffix(".zh")
    twin = page.with_name(f"{stem}.md" if console.language(page) == "zh" else f"{stem}.zh.md")
    assert twin.exists()
    name = "English" if console.language(page) == "zh" else "中文"
    assert f"\n[{name}]({twin.name})\n" in page.read_text(encoding="utf-8")
    here, there = (_commands(each) for each in (page, twin))
    assert here == there


def _commands(page: Path) -> list[str]:
    """The commands of a page; names of players differ by language."""
    steps = console.steps(page.read_text(encoding="utf-8"))
    return [re.sub(r"--players \S+", "", step.text) for step in steps if step.kind == "command"]


@pytest.mark.parametrize("page", PAGES, ids=names(PAGES))
def test_its_links_lead_to_files(page: Path) -> None:
    for link in re.findall(r"\]\(([^)#:\s]+)(?:#[^)]*)?\)", page.read_text(encoding="utf-8")):
        assert (page.parent / link).exists(), link


@pytest.mark.parametrize("page", [page for page in PAGES if console.language(page) == "zh"], ids=lambda page: page.name)
def test_a_chinese_page_links_to_chinese_pages(page: Path) -> None:
    text = re.sub(r"\[English\]\([^)]*\)", "", page.read_text(encoding="utf-8"))
    for link in re.findall(r"\]\(([^)#:\s]+\.md)(?:#[^)]*)?\)", text):
        target = (page.parent / link).resolve()
        if not target.name.endswith(".zh.md"):
            assert not target.with_name(target.name.replace(".md", ".zh.md")).exists(), link


def test_left_out_lines_match_any_lines() -> None:
    assert console.fits(["a", "…", "d"], ["a", "b", "c", "d"])
    assert console.fits(["a", "…"], ["a"])
    assert not console.fits(["a", "…", "x"], ["a", "b"])
    assert not console.fits(["a"], ["a", "b"])
    assert console.fits(["…", "b", "…"], ["a", "b", "c"])


def test_the_site_is_built_without_a_warning_and_reads_without_a_network(tmp_path: Path) -> None:
    build = [
        sys.executable,
        "-m",
        "properdocs",
        "build",
        "--quiet",
        "--strict",
        "-f",
        "mkdocs.yml",
        "-d",
        str(tmp_path),
    ]
    done = subprocess.run(build, cwd=ROOT, capture_output=True, encoding="utf-8", check=False)
    assert (done.returncode, done.stdout + done.stderr) == (0, "")
    built = list(tmp_path.rglob("*.html"))
    assert len(built) >= len(PAGES) - 2
    for page in built:
        text = re.sub(r"<a [^>]*>", "", page.read_text(encoding="utf-8"))
        assert not re.search(r"(?:src|href)=\"(?:https?:)?//", text), page.name
    for style in [*tmp_path.rglob("*.css"), *tmp_path.rglob("*.js")]:
        assert not re.search(r"@import|url\(|https?://", style.read_text(encoding="utf-8")), style.name


def test_every_page_stands_in_the_navigation_of_its_language() -> None:
    text = (ROOT / "mkdocs.yml").read_text(encoding="utf-8")
    english, chinese = text.partition("- English:")[2].split("- 中文:")
    for page in (ROOT / "docs").glob("*.md"):
        if page.name != "index.md":
            assert page.name in (chinese if console.language(page) == "zh" else english)
