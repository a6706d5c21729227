"""``gunzi check``: every problem of variant files, each with its place, a caret, what is allowed and a suggestion."""

from __future__ import annotations

import os
from argparse import Namespace

from gunzi.apps.cli.output import Out
from gunzi.apps.cli.parser import FAILED, OK, Parser
from gunzi.loading import check_file, check_text
from gunzi.problems import Problem, format_problems, has_errors


def arguments(parser: Parser) -> None:
    """What the command takes."""
    t = parser.say
    parser.add_argument(
        "files", nargs="+", metavar="FILE", help=t("变体文件；- 是标准输入", "variant files; - is standard input")
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
            handle.read(1)
        return check_file(file)
    import sys

    data = sys.stdin.buffer.read() if hasattr(sys.stdin, "buffer") else sys.stdin.read().encode()
    return check_text(data, "<stdin>", ".")


def _summary(files: int, failed: list[str], found: list[Problem], out: Out) -> None:
    errors = sum(problem.severity == "error" for problem in found)
    warnings = len(found) - errors
    if not found:
        out.line(out.t(f"{files} 个文件，没有问题", f"{files} {'file' if files == 1 else 'files'}, no problems"))
        return
    out.line()
    out.line(
        out.t(
            f"{files} 个文件：{errors} 个错误，{warnings} 个提醒",
            f"{files} {'file' if files == 1 else 'files'}: {errors} {'error' if errors == 1 else 'errors'}, "
            f"{warnings} {'warning' if warnings == 1 else 'warnings'}",
        )
    )
