"""What editors and pre-commit are given: hooks that run, schemas that are found without a network."""

from __future__ import annotations

import json
import re
import shlex
import subprocess
import sys
from pathlib import Path
from typing import Any
from urllib.parse import unquote, urlparse

import pytest
import yaml
from cli_harness import Cli
from strangers import install, uninstall

from gunzi import Plugin, schemas
from gunzi.apps.cli.catalogue import COMMANDS
from gunzi.errors import Text
from gunzi.loading import check_file
from gunzi.options import Flag

ROOT = Path(__file__).resolve().parent.parent
HOOKS: list[dict[str, Any]] = yaml.safe_load((ROOT / ".pre-commit-hooks.yaml").read_text("utf-8"))
GOOD = "gunzi: 1\nid: house\nextends: dalian\n"
BAD = "gunzi: 1\nid: house\nextends: dalien\n"


@pytest.fixture
def cli(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Cli:
    monkeypatch.chdir(tmp_path)
    return Cli(capsys, monkeypatch)


def hook(id: str) -> dict[str, Any]:
    return next(each for each in HOOKS if each["id"] == id)


def test_every_hook_is_complete_and_its_entry_is_a_command() -> None:
    assert [each["id"] for each in HOOKS] == ["gunzi-check", "gunzi-test"]
    for each in HOOKS:
        program, command = shlex.split(each["entry"])
        assert program == "gunzi" and command in COMMANDS
        assert each["language"] == "python" and each["types"] == ["yaml"]
        assert each["name"] and each["description"]
        re.compile(each["files"])


@pytest.mark.parametrize(
    ("id", "file", "taken"),
    [
        ("gunzi-check", "variants/house.yaml", True),
        ("gunzi-check", "club/house.variant.yaml", True),
        ("gunzi-check", "docs/other.yaml", False),
        ("gunzi-test", "house.scenario.yaml", True),
        ("gunzi-test", "tests/house.scenario.yml", True),
        ("gunzi-test", "house.yaml", False),
    ],
)
def test_a_hook_takes_the_files_that_are_its_own(id: str, file: str, taken: bool) -> None:
    assert bool(re.search(hook(id)["files"], file)) == taken


def test_the_entries_run_and_fail_where_something_is_wrong(tmp_path: Path) -> None:
    (tmp_path / "good.yaml").write_text(GOOD)
    (tmp_path / "bad.yaml").write_text(BAD)
    asked = "- name: a\n  ask: title\n  given: {score: 0}\n  expect:\n    baike: "
    (tmp_path / "good.scenario.yaml").write_text(asked + "赤脚\n", encoding="utf-8")
    (tmp_path / "bad.scenario.yaml").write_text(asked + "none\n", encoding="utf-8")
    run = "import sys; from gunzi.apps.cli import main; sys.exit(main(sys.argv[1:]))"
    for id, good, bad in (
        ("gunzi-check", "good.yaml", "bad.yaml"),
        ("gunzi-test", "good.scenario.yaml", "bad.scenario.yaml"),
    ):
        words = [sys.executable, "-c", run, *shlex.split(hook(id)["entry"])[1:]]
        statuses = [
            subprocess.run([*words, file], cwd=tmp_path, capture_output=True, check=False).returncode
            for file in (good, bad)
        ]
        assert statuses == [0, 1]


def test_the_installed_schema_is_where_the_command_says(cli: Cli) -> None:
    for name in schemas.NAMES:
        path = Path(cli("schema", name, "--path").out.strip())
        assert path == schemas.path(name)
        assert json.loads(path.read_text("utf-8"))["$schema"]


@pytest.mark.parametrize(
    "words", [("new", "house"), ("pick", "--answers", "?", "--out", "house.yaml", "--id", "house")]
)
def test_a_written_file_names_a_schema_that_is_there(cli: Cli, words: tuple[str, ...]) -> None:
    assert cli(*words).status == 0
    first = Path("house.yaml").read_text("utf-8").splitlines()[0]
    found = re.fullmatch(r"# yaml-language-server: \$schema=(\S+)", first)
    assert found
    schema = Path(unquote(urlparse(found[1]).path))
    assert json.loads(schema.read_text("utf-8"))["title"]
    assert check_file("house.yaml") == []


def test_a_schema_with_the_plugins_options_is_written_to_a_file(cli: Cli, monkeypatch: pytest.MonkeyPatch) -> None:
    class Stranger(Plugin):
        id = "stranger"
        version = "1"
        options = (Flag("stranger.open", Text("开", "open"), Text("开", "open"), Text("开", "on"), Text("关", "off")),)
        defaults = {"stranger.open": False}

    install(monkeypatch, Stranger)
    ran = cli("schema", "--out", "variant.schema.json")
    assert ran.status == 0 and "wrote variant.schema.json" in ran.out
    assert "# yaml-language-server: $schema=file://" in ran.out
    assert "stranger" in json.loads(Path("variant.schema.json").read_text("utf-8"))["properties"]
    assert "stranger" not in json.loads(schemas.path("variant").read_text("utf-8"))["properties"]
    Path("base.yaml").write_text("gunzi: 1\nid: base-of-it\nplugins: [stranger]\n")
    assert cli("new", "house", "--extends", "./base.yaml").status == 0
    assert "yaml-language-server" not in Path("house.yaml").read_text("utf-8")
    uninstall(monkeypatch)


def test_the_pages_on_editors_show_what_is_there() -> None:
    for page in ("editor.md", "editor.zh.md"):
        text = (ROOT / "docs" / page).read_text("utf-8")
        for command in re.findall(r"^gunzi ([a-z-]+)", text, re.MULTILINE):
            assert command in COMMANDS
        blocks = [yaml.safe_load(block) for block in re.findall(r"```yaml\n(.*?)```", text, re.DOTALL)]
        local = next(block for block in blocks if block)["repos"][0]["hooks"]
        assert [each["id"] for each in local] == [each["id"] for each in HOOKS]
        assert [each["entry"] for each in local] == [each["entry"] for each in HOOKS]
