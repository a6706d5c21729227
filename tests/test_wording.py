"""Sentences as each language has them: numbers with their nouns, lists with their commas, places with their names."""

from __future__ import annotations

import ast
import os
import re
import shlex
import shutil
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from cli_harness import Cli

import gunzi
from gunzi.apps.cli import names
from gunzi.apps.cli.output import wrap
from gunzi.apps.extras import install_command
from gunzi.loading import check_text
from gunzi.wording import counted

ROOT = Path(__file__).resolve().parent.parent
WIDE = re.compile(r"[，。、；：！？（）「」]")
"""Punctuation that English does not have."""
CHINESE = re.compile(r"[\u4e00-\u9fff]")
SAYING = ("Text", "t", "say", "Stop")
"""What texts in both languages are made by."""
ONE_QUESTION = """\
- name: one
  ask: dry_pot
  given: {level: "3", trump: S, bottom: [H4, H6, C7, C9, D8, S2]}
  expect: {yuwang: %s}
"""


@pytest.fixture
def cli(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Cli:
    return Cli(capsys, monkeypatch)


def test_one_thing_is_no_things() -> None:
    assert [counted(n, "hand") for n in (0, 1, 2)] == ["0 hands", "1 hand", "2 hands"]
    assert [counted(n, "holds", "hold") for n in (1, 2)] == ["1 holds", "2 hold"]


def test_one_scenario_is_asked_one_time(cli: Cli, tmp_path: Path) -> None:
    file = tmp_path / "one.scenario.yaml"
    file.write_text(ONE_QUESTION % "true")
    assert cli("test", str(file)).out == "1 scenario, asked 1 time: 1 holds, 0 fail\n"
    file.write_text(ONE_QUESTION % "false")
    assert cli("test", str(file)).out.endswith("1 scenario, asked 1 time: 0 hold, 1 fails\n")


def test_a_record_of_one_hand_has_one_hand(cli: Cli, tmp_path: Path) -> None:
    record = str(tmp_path / "one.jsonl")
    assert (
        cli("simulate", "yuwang", "--hands", "1", "--record", record).out.splitlines()[1].startswith("1 hand, 0 rounds")
    )
    assert ", 1 hand, " in cli("verify", record).out
    assert ", 1 hand, " in cli("verify", "--as", "yuwang", record).out


@pytest.mark.parametrize("unit", ["hand", "round"])
def test_a_comparison_of_one_deal_compares_one_deal(cli: Cli, unit: str) -> None:
    for words in (("diff", "yuwang", "boke"), ("sweep", "yuwang", "reveal.pick")):
        assert f"the same deals, 1 {unit}; " in cli(*words, f"--{unit}s", "1").out


def unlike_numbers(text: str) -> list[str]:
    """``1 levels``: one of something that is said to be many."""
    return re.findall(r"(?<![\d.+-])1 (?:levels|cards|hands|jokers|events|scenarios|times|rounds)\b", text)


def test_no_explanation_of_a_settlement_counts_one_as_many() -> None:
    said = []
    for preset in ("boke", "baike"):
        table = gunzi.Table(gunzi.load(preset), seed=3, hands=12, rounds=None)
        while not table.over:
            ask = table.ask
            table.do(ask.seat, ask[len(ask) // 2])
        settled = [event for event in table.events if event["e"] == "settle"]
        said += [line["what"]["en"] for event in settled for line in event["explain"]]
    assert {"levels: 1", "cards of tribute: 1"} & set(said)
    assert [text for text in said if unlike_numbers(text) or " 1 small jokers" in text] == []


@pytest.mark.parametrize(
    ("lines", "code"),
    [
        ("levels: {must_play: [J, Q]}", "levels-must-play-range"),
        ("trump: {permanent: [3, 4]}", "permanent-in-climb"),
        ("tribute: {low: 81, high: 151}", "tribute-off-fives"),
    ],
)
def test_a_list_in_an_english_sentence_has_english_commas(lines: str, code: str) -> None:
    found = check_text(f"gunzi: 1\nid: odd\nextends: yuwang\n{lines}\n")
    (problem,) = [problem for problem in found if problem.code == code]
    assert "、" in problem.message("zh")
    assert not WIDE.search(problem.message("en"))


def english_with_chinese_lists(tree: ast.AST) -> Iterator[int]:
    """Where the English of ``Text(zh, en)`` fills in a name that was set to something joined by Chinese commas."""
    for scope in ast.walk(tree):
        if not isinstance(scope, ast.FunctionDef):
            continue
        lists = {
            target.id
            for node in ast.walk(scope)
            if isinstance(node, ast.Assign)
            and WIDE.search(ast.unparse(node.value))
            and ".join" in ast.unparse(node.value)
            for target in node.targets
            if isinstance(target, ast.Name)
        }
        for node in ast.walk(scope):
            for argument in node.args if isinstance(node, ast.Call) else ():
                english = isinstance(argument, ast.JoinedStr) and not CHINESE.search(ast.unparse(argument))
                if english and any(isinstance(each, ast.Name) and each.id in lists for each in ast.walk(argument)):
                    yield node.lineno


def test_no_english_sentence_takes_over_a_chinese_list() -> None:
    found = [
        f"{path.relative_to(ROOT)}:{line}"
        for folder in ("core", "plugins", "apps")
        for path in sorted((ROOT / folder).rglob("*.py"))
        for line in english_with_chinese_lists(ast.parse(path.read_text(encoding="utf-8")))
    ]
    assert found == []


def test_the_search_finds_a_chinese_list_in_english() -> None:
    source = "def f(ids):\n    named = '、'.join(ids)\n    return Text(f'有 {named}', f'there are {named}')\n"
    assert list(english_with_chinese_lists(ast.parse(source))) == [3]


def test_chinese_has_chinese_colons(cli: Cli, tmp_path: Path) -> None:
    file = tmp_path / "one.scenario.yaml"
    file.write_text(ONE_QUESTION % "false")
    said = cli.zh("test", str(file)).out
    assert "不对：one" in said and "应当：false" in said
    (tmp_path / "bad.yaml").write_text("gunzi: 1\nid: bad\nextends: yuwang\nreveal: {pick: mni}\n")
    assert "可以写：min" in cli.zh("check", str(tmp_path / "bad.yaml")).out


def test_places_that_are_no_files_have_names() -> None:
    assert names.place("record").zh == "牌谱里写的"
    assert names.place("default of gunzi-lucky").zh == "gunzi-lucky 的默认值"
    assert names.place("--set").zh == names.place("--set").en == "--set"
    assert names.place("house.yaml:7").en == "house.yaml:7"


def test_show_cuts_no_value(cli: Cli) -> None:
    said = "".join(cli("show", "dalian").out.split())
    rules = gunzi.load("dalian")
    for option in rules.option_ids():
        assert "".join(rules.option(option).show(rules.options[option]).split()) in said, option


@pytest.mark.parametrize("taken", [-3, 0, 7])
def test_only_the_first_line_makes_room_for_its_head(taken: int) -> None:
    rows = wrap("a bb ccc dddd eeeee ffffff " * 5, 20, taken)
    assert len(rows[0]) <= 20 - taken and max(len(row) for row in rows[1:]) > 20 - 7
    assert all(len(row) <= 20 for row in rows[1:])


def test_what_to_install_names_the_python_whose_pip_is_not_at_hand(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    own = Path(sys.executable).parent / "pip"
    monkeypatch.setattr(shutil, "which", lambda name: os.fspath(own))
    assert install_command("web") == "pip install 'gunzi[web]'"
    for elsewhere in (os.fspath(tmp_path / "pip"), None):
        monkeypatch.setattr(shutil, "which", lambda name, elsewhere=elsewhere: elsewhere)
        assert install_command("web") == f"{shlex.quote(sys.executable)} -m pip install 'gunzi[web]'"


def test_what_a_chinese_console_is_told_can_be_written_there() -> None:
    """Consoles in GBK have no suit signs: whoever prints a card or a suit asks what can be shown, a sentence cannot."""
    found = []
    for folder in ("core", "plugins", "apps/cli", "apps/lab", "apps/audit", "apps/scenarios"):
        for path in sorted((ROOT / folder).rglob("*.py")):
            for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
                if (
                    not isinstance(node, ast.Call)
                    or getattr(node.func, "attr", getattr(node.func, "id", "")) not in SAYING
                ):
                    continue
                for text in (
                    each.value
                    for argument in node.args
                    for each in ast.walk(argument)
                    if isinstance(each, ast.Constant)
                ):
                    if isinstance(text, str) and text.encode("gbk", "replace").decode("gbk") != text:
                        found.append(f"{path.relative_to(ROOT)}:{node.lineno}: {text}")
    assert found == []


def test_a_page_shows_no_rule_with_its_names_open() -> None:
    pytest.importorskip("aiohttp")
    from gunzi.apps.web.ruling import full_json

    fixed = full_json(gunzi.load("yuwang"))["fixed"]
    assert "…" in fixed["cards.held"]["zh"]
    assert [rule for rule, text in fixed.items() if "{" in text["zh"] + text["en"]] == []
