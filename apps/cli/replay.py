"""``gunzi replay``: a record in words."""

from __future__ import annotations

from argparse import Namespace

from gunzi.apps.cli.narrate import Narrator
from gunzi.apps.cli.output import Out
from gunzi.apps.cli.parser import OK, Parser, Stop, whole
from gunzi.apps.cli.records import named, untold
from gunzi.errors import GunziError
from gunzi.loading import from_header
from gunzi.record import Record
from gunzi.views import view, view_header


def arguments(parser: Parser) -> None:
    """What the command takes."""
    t = parser.say
    parser.add_argument("file", metavar="RECORD", help=t("牌谱文件（.jsonl）", "a record file (.jsonl)"))
    parser.add_argument(
        "--seat",
        type=whole(t, 0, 3),
        metavar="N",
        help=t("只讲这个座位看得到的（0 到 3）", "only what this seat could see (0 to 3)"),
    )
    parser.add_argument(
        "--beside",
        metavar="RECORD",
        help=t(
            "和另一份同样牌的牌谱并排着讲：从哪里起不一样，是哪条规则",
            "side by side with another record of the same deal: where they part, and by which rule",
        ),
    )
    parser.add_argument(
        "--all",
        action="store_true",
        help=t("并排讲时，一样的部分也全列出来", "with --beside: all of what is the same, too"),
    )
    parser.add_json()


def run(args: Namespace, out: Out) -> int:
    """Tell the record."""
    if args.beside is not None:
        return _side_by_side(args, out)
    if args.all:
        raise Stop("--all 要和 --beside 一起用", "--all goes with --beside")
    with named(args.file):
        record = Record.load(args.file)
        rules = from_header(record.header)
    told = 0
    try:
        events = record.events if args.seat is None else view(rules, record.events, args.seat)
        if args.json:
            out.json([view_header(record.header) if args.seat is not None else record.header, *events])
            return OK
        narrator = Narrator(out, args.seat, rules)
        out.title(
            out.t(
                f"{record.header.get('table', args.file)}：{rules.id} {rules.name.zh}",
                f"{record.header.get('table', args.file)}: {rules.id}, {rules.name.en}",
            )
        )
        held: list[str] = []
        for event in events:
            told += 1
            if event["e"] == "hand":
                out.line()
                held = []
            if event["e"] == "deal":
                held.append(event["card"])
                continue
            lines = narrator.tell(event)
            if held and event["e"] in ("trump", "redeal"):
                out.wrapped(out.cards(sorted(held, key=_place)), "  ", first=out.t("  手牌 ", "  dealt "))
                held = []
            out.lines(lines)
    except (KeyError, TypeError, IndexError, AttributeError, ValueError) as error:
        if isinstance(error, GunziError):
            raise
        raise untold(args.file, events[told - 1] if args.seat is None and told else {}, error) from None
    return OK


def _side_by_side(args: Namespace, out: Out) -> int:
    from gunzi.apps.cli.beside import as_json, beside, load_side
    from gunzi.apps.cli.beside_text import show

    found = beside(load_side(args.file, args.seat), load_side(args.beside, args.seat), out, args.seat)
    if args.json:
        out.json(as_json(found))
    else:
        show(found, out, args.all)
    return OK


def _place(card: str) -> int:
    from gunzi.cards import Card

    return Card(card).kind
