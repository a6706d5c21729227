"""What ``gunzi diff`` gives besides its tables: examples in words and as records, and the page."""

from __future__ import annotations

import errno
import os
from argparse import Namespace
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from gunzi.apps.cli.output import Out
from gunzi.apps.cli.parser import Parser
from gunzi.wording import counted

if TYPE_CHECKING:
    from gunzi.apps.lab import Difference
    from gunzi.ruleset import RuleSet


def output_arguments(parser: Parser) -> None:
    """Which pairs are compared, whether causes are proved, what is written."""
    t = parser.say
    parser.add_argument(
        "--pairs",
        choices=("all", "first"),
        default="all",
        help=t(
            "三套以上时：all 两两都比（不写就是），first 只拿头一套和别的比",
            "with three sets or more: all compares each with each (default), first only the first with the others",
        ),
    )
    parser.add_argument(
        "--no-causes",
        action="store_true",
        help=t(
            "不查是哪条规则分的岔（查一次要把分岔的牌按每条不同的规则重打一遍）",
            "do not prove which option parts them (proving plays what parts once more for every option that differs)",
        ),
    )
    parser.add_argument(
        "--html",
        metavar="FILE",
        help=t(
            "另写一个网页文件：图、表、并排的例子，不用联网就能看",
            "write one HTML page too: plots, tables, examples side by side; no network needed to read it",
        ),
    )
    parser.add_argument(
        "--examples",
        metavar="DIR",
        help=t(
            "每个原因写一对最早、最小的例子（牌谱），用 gunzi replay 甲 --beside 乙 并排看",
            "write the earliest, smallest example of every cause as a pair of records, for gunzi replay ONE --beside OTHER",
        ),
    )


def check_places(args: Namespace, sets: Sequence[RuleSet]) -> None:
    """Before anything is played: a page or a folder that cannot be made is told at once. Raises Stop, OSError."""
    from gunzi.apps.cli.writing import check_writable, files_of, keep_inputs

    if args.html is not None:
        keep_inputs(args.html, files_of(sets))
        check_writable(args.html)
    if args.examples is not None:
        try:
            Path(args.examples).mkdir(parents=True, exist_ok=True)
        except FileExistsError:
            raise NotADirectoryError(errno.ENOTDIR, os.strerror(errno.ENOTDIR), args.examples) from None
        check_writable(Path(args.examples, "example.jsonl"))


def write_files(args: Namespace, found: Difference, sets: Sequence[RuleSet], labels: Sequence[str], out: Out) -> None:
    """The page and the examples, where they were asked for. Raises OSError, and LabError where a file is in the way."""
    if args.html is not None:
        _write_page(args.html, found, sets, labels, out)
    if args.examples is not None:
        _write_examples(args.examples, found, sets, out)


def tell_examples(found: Difference, sets: Sequence[RuleSet], labels: Sequence[str], out: Out) -> None:
    """The earliest example of every pair, in a few lines."""
    from gunzi.apps import lab
    from gunzi.apps.cli.beside import aligned, beside, side_of

    t = out.t
    told = [pair for pair in found.pairs if pair.example is not None]
    for pair in told:
        example = pair.example
        assert example is not None
        a, b = (labels[place] for place in pair.places)
        records = lab.example_records(found, sets, pair, example)
        shown = beside(side_of(records[0], a), side_of(records[1], b), out)
        what = t("把", "hand") if found.unit == "hands" else t("轮", "round")
        out.line()
        out.title(
            t(
                f"{a} 和 {b} 最早分岔的例子：第 {example.unit + 1} {what}，第 {example.place + 1} 步",
                f"{a} and {b}, the earliest example: {what} {example.unit + 1}, event {example.place + 1}",
            )
        )
        first = next(row for row in shown.rows if row.first)
        for one, other in aligned(first.a, first.b):
            if one == other:
                continue
            for label, lines in ((a, one), (b, other)):
                for line in lines or (t("（没有）", "(nothing)"),):
                    out.wrapped(line.strip(), "      ", first=f"  {label}{t('：', ': ')}")
            break
    if told:
        out.line()
        out.line(
            t(
                "整把并排看：加 --examples 文件夹，再用 gunzi replay 甲.jsonl --beside 乙.jsonl",
                "all of them side by side: add --examples FOLDER, then gunzi replay ONE.jsonl --beside OTHER.jsonl",
            )
        )


def _write_page(path: str, found: Difference, sets: Sequence[RuleSet], labels: Sequence[str], out: Out) -> None:
    from gunzi.apps.cli.diff_page import page
    from gunzi.apps.cli.writing import write_whole

    write_whole(path, page(found, sets, labels, out.lang))
    out.tell(out.t(f"写好了 {path}", f"wrote {path}"))


def _write_examples(folder: str, found: Difference, sets: Sequence[RuleSet], out: Out) -> None:
    from gunzi.apps import lab

    t = out.t
    written = lab.write_examples(folder, found, sets)
    out.tell(
        t(
            f"写好了 {len(written)} 对例子，在 {folder}：",
            f"wrote {counted(len(written), 'pair')} of examples to {folder}:",
        )
    )
    for each in written:
        out.tell(f"  gunzi replay {each.a} --beside {each.b}")
