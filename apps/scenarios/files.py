"""Scenario files: read into scenarios that know where everything in them stands."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from gunzi.apps.scenarios.reading import Unreadable, shown, word, wrong
from gunzi.errors import Text
from gunzi.files import file_bytes
from gunzi.options import closest
from gunzi.os_errors import os_text
from gunzi.problems import Problem
from gunzi.source import MAX_BYTES, ListNode, MapNode, Node, Scalar, Source, read
from gunzi.variant import kebab
from gunzi.variants import PRESETS

KEYS: Final = ("name", "ask", "why", "given", "expect", "with")
ALL: Final = "all"
NAME: Final = re.compile(r"[a-z0-9]+(?:-[a-z0-9]+)*", re.ASCII)
_VARIANT: Final = re.compile(rb"^(?:\xef\xbb\xbf)?gunzi[ \t]*:", re.MULTILINE)
SUFFIXES: Final = (".yaml", ".yml")


@dataclass(frozen=True, slots=True)
class Expected:
    """A rule set a scenario names, as written, and the answer it should give (None: the question implies it)."""

    rules: str
    at: Node
    answer: Node | None


@dataclass(slots=True, eq=False)
class Scenario:
    """One scenario of a file. ``given`` and ``overrides`` are still nodes: only its question knows how they read."""

    source: Source
    node: Node
    name: str = ""
    ask: str = ""
    why: str = ""
    ask_at: Node | None = None
    given: MapNode | None = None
    overrides: dict[str, tuple[Scalar, Node]] = field(default_factory=dict)
    expected: list[Expected] = field(default_factory=list)
    listed: bool = False
    """Does ``expect`` only list rule sets?"""

    @property
    def path(self) -> str:
        """The file, as it was named."""
        return self.source.path

    @property
    def where(self) -> str:
        """``file:line:col`` of the scenario."""
        return f"{self.path}:{self.node.line}:{self.node.col}"


@dataclass(slots=True)
class ScenarioFile:
    """What a file holds: the scenarios that can be asked, those that are broken, and what is wrong with the file."""

    path: str
    scenarios: list[Scenario] = field(default_factory=list)
    broken: list[Scenario] = field(default_factory=list)
    problems: list[Problem] = field(default_factory=list)


def scenario_paths(paths: Iterable[str | os.PathLike[str]]) -> list[str]:
    """The files named, and in the place of a folder every YAML file below it but variants, in order of their names."""
    found: list[str] = []
    for path in [os.fspath(path) for path in paths]:
        if os.path.isdir(path):
            below = sorted(file for file in Path(path).rglob("*") if file.suffix in SUFFIXES and file.is_file())
            found += [str(file) for file in below if not is_variant_file(file)]
        else:
            found.append(path)
    return list(dict.fromkeys(found))


def is_variant_file(file: Path) -> bool:
    """Is this a variant, kept beside the scenarios that are about it?"""
    try:
        return _VARIANT.search(file_bytes(file, MAX_BYTES)) is not None
    except OSError:
        return False


def read_file(path: str | os.PathLike[str]) -> ScenarioFile:
    """A scenario file. Never raises: see its ``problems``."""
    name = os.fspath(path)
    try:
        data = file_bytes(name, MAX_BYTES)
    except OSError as error:
        said = Text("打不开文件：{why}", "the file cannot be opened: {why}").format(why=os_text(error))
        return ScenarioFile(name, problems=[Problem("unreadable", said, path=name)])
    except ValueError:
        said = Text("这不是文件名", "this is no file name")
        return ScenarioFile(name, problems=[Problem("unreadable", said, path=name)])
    return read_text(data, name)


def read_text(data: bytes | str, path: str = "<text>") -> ScenarioFile:
    """The same from a file's content."""
    source = read(data, path)
    file = ScenarioFile(path, problems=list(source.problems))
    if source.root is None:
        return file
    if not isinstance(source.root, ListNode):
        said = Text(
            "场景文件是一个列表：每个场景以 - name: 开头",
            "a scenario file is a list: each scenario begins with `- name:`",
        )
        file.problems.append(source.at(source.root, "not-a-list", said))
        return file
    if not source.root.items:
        said = Text("文件里没有场景", "there are no scenarios in the file")
        file.problems.append(source.at(source.root, "no-scenarios", said))
    first: dict[str, Scenario] = {}
    for node in source.root.items:
        reader = _Reader(source, node)
        scenario = reader.read()
        before = first.setdefault(scenario.name, scenario) if scenario.name else scenario
        if before is not scenario:
            at = node.get("name") if isinstance(node, MapNode) else None
            said = Text(
                f"{scenario.name} 这个名字用过了：第 {before.node.line} 行",
                f"the name {scenario.name} is taken: by the scenario on line {before.node.line}",
            )
            reader.problems.append(source.at(at or node, "duplicate-name", said))
        file.problems += reader.problems
        (file.broken if reader.problems else file.scenarios).append(scenario)
    return file


class _Reader:
    """Reads one scenario; collects problems and goes on."""

    def __init__(self, source: Source, node: Node) -> None:
        self.source, self.node = source, node
        self.problems: list[Problem] = []
        self.scenario = Scenario(source, node)

    def wrong(self, node: Node, code: str, zh: str, en: str, **more: str) -> None:
        self.problems += wrong(self.source, node, code, zh, en, **more).problems

    def text(self, node: Node) -> str:
        try:
            return str(word(self.source, node))
        except Unreadable as error:
            self.problems += error.problems
            return ""

    def read(self) -> Scenario:
        node, scenario = self.node, self.scenario
        if not isinstance(node, MapNode):
            self.wrong(
                node,
                "not-a-map",
                "场景要写成“键: 值”的样子",
                "a scenario is made of `key: value` lines",
                allowed=", ".join(KEYS),
            )
            return scenario
        for key, (at, _) in node.entries.items():
            if key not in KEYS and "：" not in key:
                self.wrong(
                    at, "unknown-key", f"场景里没有 {key} 这个键", f"a scenario has no key {shown(at)}",
                    allowed=", ".join(KEYS), suggestion=closest(key, KEYS),
                )  # fmt: skip
        for key in ("name", "ask", "given", "expect"):
            if key not in node.entries:
                self.wrong(node, "missing-key", f"场景缺少 {key}", f"the scenario lacks {key}")
        for key, (_, value) in node.entries.items():
            if key in KEYS:
                getattr(self, f"read_{key}")(value)
        return scenario

    def read_name(self, node: Node) -> None:
        name = self.text(node)
        if name and not NAME.fullmatch(name):
            zh, en = "场景名要用小写字母、数字和连字符", "a scenario's name is small letters, digits and hyphens"
            self.wrong(node, "bad-name", zh, en, suggestion=kebab(name))
            return
        self.scenario.name = name

    def read_ask(self, node: Node) -> None:
        self.scenario.ask, self.scenario.ask_at = self.text(node), node

    def read_why(self, node: Node) -> None:
        self.scenario.why = self.text(node)

    def read_given(self, node: Node) -> None:
        if isinstance(node, MapNode):
            self.scenario.given = node
        else:
            self.wrong(node, "bad-value", "given 要写成 {键: 值}", "given is a map {key: value}")

    def read_with(self, node: Node) -> None:
        if isinstance(node, MapNode):
            self.scenario.overrides = dict(node.entries)
        else:
            self.wrong(node, "bad-value", "with 要写成 {选项: 值}", "with is a map {option: value}")

    def read_expect(self, node: Node) -> None:
        named: dict[str, Node] = {}
        for key, at, answer in self.entries(node):
            for rules in self.rules(key):
                if rules in named:
                    zh, en = (
                        f"{rules} 说了两次：第 {named[rules].line} 行",
                        f"{rules} is named twice: first on line {named[rules].line}",
                    )
                    self.wrong(at, "named-twice", zh, en)
                    continue
                named[rules] = at
                self.scenario.expected.append(Expected(rules, at, answer))
        if not named and not self.problems:
            self.wrong(
                node,
                "bad-value",
                "expect 里没有规则",
                "expect names no rule set",
                allowed=f"{ALL}, {', '.join(PRESETS)}",
            )

    def entries(self, node: Node) -> Iterator[tuple[str, Node, Node | None]]:
        if isinstance(node, MapNode):
            for key, (at, answer) in node.entries.items():
                yield key, at, answer
            return
        if not isinstance(node, ListNode):
            zh, en = "expect 要写成 {规则: 答案}", "expect is a map {rule set: answer}"
            self.wrong(node, "bad-value", zh, en, allowed=f"{ALL}, {', '.join(PRESETS)}")
            return
        self.scenario.listed = True
        for item in node.items:
            key = self.text(item)
            if key:
                yield key, item, None

    def rules(self, key: str) -> list[str]:
        """The rule sets a key names: several, separated by spaces, unless there is a file of that very name."""
        folder = os.path.dirname(self.source.path)
        words = [key] if " " in key and os.path.isfile(os.path.join(folder, key)) else key.split()
        found: list[str] = []
        for each in words:
            found += PRESETS if each == ALL else [each]
        return found
