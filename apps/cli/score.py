"""``gunzi score``: keeps the score of a real table."""

from __future__ import annotations

import os
from argparse import Namespace

from gunzi.apps.cli import score_page
from gunzi.apps.cli import score_words as words
from gunzi.apps.cli.entry import read_line
from gunzi.apps.cli.ledger import Ledger, free_name
from gunzi.apps.cli.names import players_named
from gunzi.apps.cli.output import Out
from gunzi.apps.cli.parser import OK, Parser, Stop, load_rules, whole
from gunzi.apps.cli.score_talk import Talk
from gunzi.apps.cli.sheet import Row, Sheet
from gunzi.apps.cli.writing import files_of, keep_inputs, write_whole
from gunzi.ruleset import RuleSet


def arguments(parser: Parser) -> None:
    """What the command takes."""
    t = parser.say
    parser.add_rules(optional=True)
    parser.add_argument(
        "--hand",
        metavar="HAND",
        action="append",
        default=[],
        help=t("一把牌，可以写多次；不写就一项一项地问", "a hand, repeatable; without it, it is asked for"),
    )
    parser.add_argument(
        "--save",
        metavar="FILE",
        help=t(
            "记在这个文件里，文件已经有了就接着记；不写是 score-规则.json",
            "keep the score in this file, and go on with it if it exists; by default score-RULES.json",
        ),
    )
    parser.add_argument(
        "--new",
        action="store_true",
        help=t("重新开始，旧的记分文件改名留着", "begin afresh; the old file is kept under another name"),
    )
    parser.add_argument(
        "--undo",
        action="count",
        default=0,
        help=t("先退回一步，可以写多次", "first take a step back, repeatable"),
    )
    parser.add_argument(
        "--redo",
        action="count",
        default=0,
        help=t("恢复退回的一步，可以写多次", "put a step back that was taken back, repeatable"),
    )
    parser.add_argument(
        "--correct",
        type=whole(t, 1),
        metavar="N",
        help=t("--hand 写的是第 N 把要改的几项", "--hand has what is to be corrected in hand N"),
    )
    parser.add_argument("--players", metavar="A,B,C,D", help=t("0 到 3 号的名字", "the names of seats 0 to 3"))
    parser.add_argument(
        "--print",
        metavar="FILE",
        action="append",
        default=[],
        dest="prints",
        help=t(
            "打印记分表：.html 是网页，别的是文字，- 打在屏幕上",
            "print the sheet: .html is a page, anything else plain text, - the screen",
        ),
    )
    parser.add_json()


def run(args: Namespace, out: Out) -> int:
    """Keep the score."""
    if args.correct is not None and len(args.hand) != 1:
        raise Stop("--correct 要配一个 --hand：写要改的几项", "--correct needs one --hand with what is to be corrected")
    names = players_named(args.players) if args.players is not None else None
    ledger = _ledger(args)
    sheet = _sheet(args, ledger)
    if names is not None:
        sheet.players = names
    changed = names is not None
    for _ in range(args.undo):
        if sheet.undo() is None:
            raise Stop("没有可以退回的", "there is nothing to take back")
        changed = True
    for _ in range(args.redo):
        if sheet.redo() is None:
            raise Stop("没有可以恢复的", "there is nothing to put back")
        changed = True
    rows = _told(args, sheet)
    if ledger is not None and (changed or rows):
        ledger.save(sheet)
    if args.json:
        out.json(sheet.as_json())
    else:
        for row in rows:
            _print_hand(sheet, row, out)
    kept = ledger.path if ledger is not None else None
    for path in args.prints:
        _print(sheet, path, out, kept, quiet=args.json)
    if args.hand or args.undo or args.redo or args.json or args.prints:
        if not args.json and not args.prints:
            out.title(words.coming(sheet, out))
        return OK
    assert ledger is not None
    if not ledger.exists:
        ledger.save(sheet)  # better told before the game than after it that there is no room
    else:
        out.line(out.t(f"接着 {ledger.path} 记", f"going on with {ledger.path}"))
        out.lines("  " + line for line in words.standings(sheet, out))
    Talk(sheet, ledger, out, lambda path: _print(sheet, path, out, kept)).run()
    return OK


def _told(args: Namespace, sheet: Sheet) -> list[Row]:
    if args.correct is not None:
        try:
            return [sheet.correct(args.correct, read_line(args.hand[0]))]
        except IndexError:
            count = len(sheet.rows)
            raise Stop(
                f"没有第 {args.correct} 把：一共 {count} 把", f"there is no hand {args.correct}: there are {count}"
            ) from None
    return [sheet.add(read_line(text)) for text in args.hand]


def _ledger(args: Namespace) -> Ledger | None:
    """The file the score is kept in; None: hands on the command line alone are only worked out."""
    path = args.save
    if path is None:
        if args.hand and args.correct is None and not args.undo and not args.redo and not args.new:
            return None
        if args.rules is None:
            raise Stop(
                "按哪套规则记？gunzi score 预设名，或 --save 记分文件",
                "under which rules? gunzi score RULES, or --save with a file that is there",
            )
        path = f"score-{load_rules(args.rules, args.overrides).id}.json"
    if args.new and os.path.exists(path):
        os.rename(path, free_name(path))
    return Ledger(path)


def _sheet(args: Namespace, ledger: Ledger | None) -> Sheet:
    if ledger is None or not ledger.exists:
        if args.rules is None:
            raise Stop("按哪套规则记？gunzi score 预设名", "under which rules? gunzi score RULES")
        return Sheet(load_rules(args.rules, args.overrides))
    sheet = ledger.load()
    if args.rules or args.overrides:
        _check_same(sheet.rules, load_rules(args.rules or sheet.rules.id, args.overrides), ledger.path)
    return sheet


def _check_same(kept: RuleSet, asked: RuleSet, path: str) -> None:
    if asked.hash == kept.hash:
        return
    differing = [option for option in kept.options if asked.options.get(option) != kept.options[option]]
    listed = f"（{'、'.join(differing[:4])}）" if differing else ""
    listed_en = f" ({', '.join(differing[:4])})" if differing else ""
    raise Stop(
        f"{path} 是按 {kept.id} 记的，规则和 {asked.id} 不一样{listed}；用 --save 换个文件，或者不写规则接着记",
        f"{path} was kept under {kept.id}, whose rules are not {asked.id}'s{listed_en}: another file with --save, "
        "or leave RULES out to go on with it",
    )


def _print_hand(sheet: Sheet, row: Row, out: Out) -> None:
    out.title(words.hand_title(sheet, row, out))
    out.lines(words.reasons(sheet, row, out))
    out.lines("  " + line for line in words.standings(sheet, out))
    out.line()


def _print(sheet: Sheet, path: str, out: Out, kept: str | None, quiet: bool = False) -> None:
    """The sheet to print; ``kept``, the file of the score, is not to be lost to it. Raises Stop, OSError."""
    plain = score_page.plain_out(out.lang)
    if path == "-":
        out.lines(score_page.text(sheet, plain).splitlines())
        return
    keep_inputs(path, [*files_of([sheet.rules]), *([kept] if kept is not None else [])])
    html = path.lower().endswith((".html", ".htm"))
    write_whole(path, score_page.page(sheet, plain) if html else score_page.text(sheet, plain))
    if not quiet:
        out.line(out.t(f"打印在 {path}", f"printed to {path}"))
