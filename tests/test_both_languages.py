"""No error speaks one language only: every GunziError that is made in the program carries a Text."""

from __future__ import annotations

import ast
import errno
import json
import os
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest
from cli_harness import Cli, assert_no_english

from gunzi.apps.cli.parser import _chinese
from gunzi.apps.web.protocol import ERRORS
from gunzi.errors import GunziError, Text
from gunzi.os_errors import os_text
from gunzi.wording import SUIT_NAMES

ROOT = Path(__file__).resolve().parent.parent
FOLDERS = ("core", "plugins", "apps")
FOR_AUTHORS = {("apps/testing/report.py", "ConformanceError")}
"""The conformance kit's own report, a test's output, which plugin authors read in their logs."""
BY_CODE = frozenset({"No", "Said", "Left"})
"""Errors of the web table: they are made of a code, and take their texts from the table of codes."""
ONE_LANGUAGE = frozenset({"str", "repr", "format_problems"})


@cache
def trees() -> tuple[tuple[str, ast.Module], ...]:
    return tuple(
        (path.relative_to(ROOT).as_posix(), ast.parse(path.read_text(encoding="utf-8")))
        for folder in FOLDERS
        for path in sorted((ROOT / folder).rglob("*.py"))
    )


def named(node: ast.expr) -> str:
    """The last name of ``a.b.c``."""
    return node.attr if isinstance(node, ast.Attribute) else node.id if isinstance(node, ast.Name) else ""


@cache
def error_names() -> frozenset[str]:
    """GunziError and everything derived from it, by name."""
    found = {GunziError.__name__}
    classes = [node for _, tree in trees() for node in ast.walk(tree) if isinstance(node, ast.ClassDef)]
    while True:
        more = {each.name for each in classes if any(named(base) in found for base in each.bases)} - found
        if not more:
            return frozenset(found)
        found |= more


def is_one_language(node: ast.expr) -> bool:
    """Is this a text in one language: a literal, an f-string, something joined from them, one half of a Text?"""
    if isinstance(node, ast.Constant):
        return isinstance(node.value, str)
    if isinstance(node, ast.JoinedStr):
        return True
    if isinstance(node, ast.BinOp):
        return is_one_language(node.left) or is_one_language(node.right)
    if isinstance(node, ast.IfExp):
        return is_one_language(node.body) or is_one_language(node.orelse)
    if isinstance(node, ast.Attribute):
        return node.attr in ("zh", "en")
    if isinstance(node, ast.Call):
        if isinstance(node.func, ast.Attribute) and is_one_language(node.func.value):
            return True
        return named(node.func) in ONE_LANGUAGE
    return False


def local_texts(function: ast.AST) -> dict[str, list[ast.expr]]:
    """What the names of a function are set to."""
    found: dict[str, list[ast.expr]] = {}
    for node in ast.walk(function):
        if isinstance(node, ast.Assign):
            for target in node.targets:
                if isinstance(target, ast.Name):
                    found.setdefault(target.id, []).append(node.value)
    return found


def calls_in_one_language(tree: ast.Module, errors: frozenset[str]) -> Iterator[tuple[int, str]]:
    """Where an error is made of a bare string: (line, the error's name)."""
    scopes = [node for node in ast.walk(tree) if isinstance(node, (ast.FunctionDef, ast.Module))]
    for scope in scopes:
        texts = local_texts(scope)
        for node in ast.walk(scope):
            if not isinstance(node, ast.Call) or not node.args:
                continue
            name = named(node.func)
            first = node.args[0]
            values = texts.get(first.id, []) if isinstance(first, ast.Name) else [first]
            if name in errors and any(is_one_language(value) for value in values):
                yield node.lineno, name
    for cls in ast.walk(tree):
        if isinstance(cls, ast.ClassDef) and cls.name in errors - {GunziError.__name__}:
            for node in ast.walk(cls):
                if not isinstance(node, ast.Call) or ast.unparse(node.func) != "super().__init__" or not node.args:
                    continue
                if is_one_language(node.args[0]):
                    yield node.lineno, cls.name


def test_every_error_carries_both_languages() -> None:
    errors = error_names()
    assert {"PluginError", "TableError", "LabError", "Unreadable", "ConformanceError"} <= errors
    found = {
        f"{path}:{line}: {name}"
        for path, tree in trees()
        for line, name in calls_in_one_language(tree, errors)
        if (path, name) not in FOR_AUTHORS and name not in BY_CODE
    }
    assert sorted(found) == []


def test_every_code_of_the_web_table_has_its_texts() -> None:
    for path, tree in trees():
        for node in ast.walk(tree):
            if isinstance(node, ast.Call) and named(node.func) in BY_CODE - {"Left"} and path.startswith("apps/web"):
                first = node.args[0]
                if isinstance(first, ast.Constant):
                    assert first.value in ERRORS, f"{path}:{node.lineno}"
                else:
                    assert ast.unparse(first) == "code", f"{path}:{node.lineno}"


@pytest.mark.parametrize(
    "source",
    [
        "raise PluginError('one language')",
        "raise PluginError(f'plugin {id}', id)",
        "raise VariantError(said.en, [])",
        "raise RecordError('a' + more)",
        "raise CardError(', '.join(names))",
        "raise ScenarioError(str(error))",
        "def f():\n    said = f'no {x}'\n    raise PluginError(said, id)",
        "class PluginError(GunziError):\n    def __init__(self):\n        super().__init__('x')",
    ],
)
def test_the_search_finds_bare_strings(source: str) -> None:
    assert list(calls_in_one_language(ast.parse(source), error_names()))


@pytest.mark.parametrize(
    "source",
    ["raise PluginError(Text('一', 'one'))", "raise PluginError(said.format(id=id), id)", "raise PluginError(text)"],
)
def test_the_search_lets_texts_pass(source: str) -> None:
    assert not list(calls_in_one_language(ast.parse(source), error_names()))


def pairs() -> Iterator[tuple[str, int, str, str]]:
    """Every ``Text(zh, en)`` and ``t(zh, en)`` of two literals: (file, line, zh, en)."""
    for path, tree in trees():
        for node in ast.walk(tree):
            if isinstance(node, ast.Call) and named(node.func) in ("Text", "t", "say", "Stop"):
                plain = [
                    value.value
                    for value in node.args
                    if isinstance(value, ast.Constant) and isinstance(value.value, str)
                ]
                if len(node.args) >= 2 and len(plain) == 2 and node.args[0].lineno <= node.args[1].lineno:
                    yield path, node.lineno, plain[0], plain[1]


def test_chinese_is_chinese_and_english_is_english() -> None:
    chinese = re.compile(r"[\u4e00-\u9fff]")
    words = re.compile(r"[A-Za-z]{3,} [A-Za-z]{2,}")
    count = 0
    for path, line, zh, en in pairs():
        count += 1
        where = f"{path}:{line}: {zh!r} / {en!r}"
        assert zh.strip() or not en.strip(), where
        assert chinese.search(zh) or not words.search(en), where
        assert not re.search(r"[\u4e00-\u9fff][,;!]", re.sub(r"\[.*?\]", "", zh)), where
    assert count > 500


# -- what others make --------------------------------------------------------------------------------------------


@pytest.mark.parametrize("number", [errno.ENOENT, errno.EACCES, errno.EISDIR, errno.ENOSPC, errno.ENAMETOOLONG])
def test_what_the_system_refuses_is_said_in_both_languages(number: int) -> None:
    text = os_text(OSError(number, os.strerror(number)))
    assert text.en == os.strerror(number)
    assert not re.search("[A-Za-z]", text.zh)


def test_what_the_system_has_no_word_for_is_quoted() -> None:
    assert os_text(OSError(9999, "Odd trouble")) == Text("系统不让（错误 9999，Odd trouble）", "Odd trouble")


@pytest.mark.parametrize(
    "words",
    [
        ("show",),
        ("show", "yuwang", "more"),
        ("show", "yuwang", "--nothing"),
        ("show", "yuwang", "--lang", "fr"),
        ("show", "yuwang", "--set"),
        ("replay", "x", "--seat", "7"),
        ("check", "x.yaml", "--format", "pdf"),
        ("check",),
        ("check", "nowhere.yaml"),
        ("check", "."),
        ("test", "nowhere.scenario.yaml"),
        ("verify", "nowhere.jsonl"),
        ("replay", "nowhere.jsonl"),
        ("book", "yuwang", "--html", "nowhere/x.html"),
        ("simulate", "yuwang", "--hands", "1", "--policy", "nobody"),
        ("simulate", "yuwang", "--hands", "1", "--policy", "random,random"),
        ("show", "nobody"),
        ("show", "gz1.xxxx"),
        ("show", "gz9.xxxx"),
        ("explain", "follow.shape"),
        ("show", "yuwang", "--set", "follow.shapes=hard"),
        ("show", "yuwang", "--set", "nothing.at=all"),
        ("show", "./foreign.yaml"),
        ("check", "foreign.yaml"),
    ],
    ids=" ".join,
)
def test_no_failure_of_a_command_is_half_translated(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path, words: tuple[str, ...]
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "foreign.yaml").write_text("gunzi: 1\nid: foreign\nextends: base\nplugins: [not-there]\n")
    ran = Cli(capsys, monkeypatch).zh(*words)
    assert ran.status
    said = ran.err + ran.out
    assert re.search(r"[\u4e00-\u9fff]", said)
    assert_no_english(said)


def test_argparse_messages_have_their_chinese() -> None:
    for message in (
        "the following arguments are required: RULES",
        "unrecognized arguments: --x",
        "argument --lang: invalid choice: 'fr' (choose from 'zh', 'en')",
        "argument --lang: invalid choice: 'fr' (choose from zh, en)",
        "argument --hands: invalid int value: 'x'",
        "argument --set: expected one argument",
        "argument RULES: expected at least one argument",
        "argument --x: expected 2 arguments",
        "argument --a: not allowed with argument --b",
        "argument -h/--help: ignored explicit argument 'x'",
        "one of the arguments --a --b is required",
    ):
        assert_no_english(_chinese(message))


def test_the_pages_call_the_suits_what_everything_else_calls_them() -> None:
    script = (ROOT / "apps" / "web" / "static" / "js" / "cards.js").read_text(encoding="utf-8")
    names = dict(re.findall(r'^  ([SHCD]): (\[".*"\]),$', script, re.MULTILINE))
    assert {suit: json.loads(pair) for suit, pair in names.items()} == {
        suit: [text.zh, text.en] for suit, text in SUIT_NAMES.items()
    }
