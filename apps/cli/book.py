"""``gunzi book``: the house rules as a rule book that players read."""

from __future__ import annotations

from argparse import Namespace

from gunzi.apps.cli.output import Out
from gunzi.apps.cli.parser import OK, Parser, load_rules
from gunzi.apps.cli.writing import files_of, keep_inputs, write_whole


def arguments(parser: Parser) -> None:
    """What the command takes."""
    t = parser.say
    parser.add_rules()
    parser.add_argument(
        "--html",
        metavar="FILE",
        help=t("写成一个网页文件（自带样式和牌面图，可以打印）", "write one HTML page, pictures and all, fit to print"),
    )
    parser.add_argument("--md", metavar="FILE", help=t("写成 Markdown 文件", "write a Markdown file"))


def run(args: Namespace, out: Out) -> int:
    """Write the book; without a file, print it as Markdown."""
    from gunzi.apps.book import markdown, page, write

    rules = load_rules(args.rules, args.overrides)
    for path in filter(None, (args.html, args.md)):
        keep_inputs(path, files_of([rules]))
    book = write(rules, out.lang)
    for path, made in ((args.html, page), (args.md, markdown)):
        if path:
            write_whole(path, made(book))
            out.line(out.t(f"写好了 {path}", f"wrote {path}"))
    if not args.html and not args.md:
        for line in markdown(book).splitlines():
            out.line(line)
    return OK
