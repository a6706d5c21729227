"""``gunzi check``: every problem of variant files, each with its place, a caret, what is allowed and a suggestion.

Scenario files and log mappings lie in the same folders and have the same ending: their form is checked by their own readers.
"""

from __future__ import annotations

import os
import sys
from argparse import Namespace
from typing import Final

from gunzi.apps.cli.output import Out
from gunzi.apps.cli.parser import FAILED, OK, Parser
from gunzi.loading import check_file, check_text
from gunzi.problems import Problem, format_problems, has_errors
from gunzi.source import MAX_BYTES, ListNode, MapNode, read
from gunzi.wording import counted

_SCENARIO: Final = frozenset({"ask", "given", "expect"})
"""What only the entries of a scenario file have."""


def arguments(parser: Parser) -> None:
    """What the command takes."""
    t = parser.say
    parser.add_argument(
        "files",
        nargs="+",
        metavar="FILE",
        help=t(
            "变体文件；- 是标准输入。场景文件、日志对照表也行，查写得对不对",
            "variant files; - is standard input. Of scenario files and log mappings the form is checked",
        ),
    )
    parser.add_argument(
        "--format",
        choices=("text", "json", "github"),
        default="text",
        help=t(
            "给人看（text）、给程序看（json）、给 GitHub 看（github）",
            "for people (text), programs (json) or GitHub (github)",
        ),
    )


def run(args: Namespace, out: Out) -> int:
    """Print the problems; 1 where there are errors, 2 where a file cannot be read."""
    found: list[Problem] = []
    failed: list[str] = []
    for file in dict.fromkeys(args.files):
        problems = _check(file)
        found += problems
        if has_errors(problems):
            failed.append(file)
    text = format_problems(found, args.format, out.lang)
    if text:
        out.line(text)
    if args.format == "text":
        _summary(len(dict.fromkeys(args.files)), failed, found, out)
    return FAILED if failed else OK


def _check(file: str) -> list[Problem]:
    if file != "-":
        if "/" not in file and not os.path.exists(file) and os.path.isfile(f"{file}.yaml"):
            file = f"{file}.yaml"  # the name other commands take for it
        with open(file, "rb") as handle:
            data = handle.read(MAX_BYTES + 1)
        other = _of_another_kind(data, file)
        return check_file(file) if other is None else other
    data = sys.stdin.buffer.read() if hasattr(sys.stdin, "buffer") else sys.stdin.read().encode()
    other = _of_another_kind(data, "<stdin>")
    return check_text(data, "<stdin>", ".") if other is None else other


def _of_another_kind(data: bytes, path: str) -> list[Problem] | None:
    """The problems of scenarios, which are a list, or of a log mapping, which says so; None for anything else."""
    root = read(data, path).root
    if isinstance(root, ListNode) and any(
        isinstance(item, MapNode) and _SCENARIO & item.entries.keys() for item in root.items
    ):
        from gunzi.apps.scenarios.files import read_text

        return read_text(data, path).problems
    if isinstance(root, MapNode) and "gunzi-log" in root.entries:
        from gunzi.apps.audit import MappingError, mapping_of

        try:
            mapping_of(data, path)
        except MappingError as error:
            return list(error.problems)
        return []
    return None


def _summary(files: int, failed: list[str], found: list[Problem], out: Out) -> None:
    errors = sum(problem.severity == "error" for problem in found)
    warnings = len(found) - errors
    if not found:
        out.line(out.t(f"{files} 个文件，没有问题", f"{counted(files, 'file')}, no problems"))
        return
    out.line()
    out.line(
        out.t(
            f"{files} 个文件：{errors} 个错误，{warnings} 个提醒",
            f"{counted(files, 'file')}: {counted(errors, 'error')}, {counted(warnings, 'warning')}",
        )
    )
