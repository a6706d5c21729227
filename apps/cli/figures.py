"""What the lab found, printed: sections of rows, words in the language spoken."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from gunzi.apps.cli.output import Out
from gunzi.apps.cli.parser import Stop
from gunzi.errors import Text
from gunzi.options import closest

if TYPE_CHECKING:
    from argparse import Namespace

    from gunzi.apps.cli.parser import Parser


def lab_arguments(parser: Parser) -> None:
    """What all commands take that play many hands."""
    from gunzi.apps.cli.parser import whole

    t = parser.say
    parser.add_argument("--hands", type=whole(t, 1), metavar="N", help=t("打多少把", "how many hands"))
    parser.add_argument(
        "--rounds",
        type=whole(t, 1),
        metavar="N",
        help=t("打多少轮（3 到 10 是一轮）", "how many rounds (3 to 10 is one)"),
    )
    parser.add_argument(
        "--seed",
        type=whole(t, 0),
        default=1,
        metavar="S",
        help=t("种子：同样的种子同样的结果（不写就是 1）", "same seed, same result (default 1)"),
    )
    parser.add_argument(
        "--policy",
        default="random",
        metavar="P",
        help=t(
            "谁来打：random（随便出）、steady（稳当）；四个座位可以各写一个，用逗号隔开",
            "who plays: random, steady; or one for each seat, with commas",
        ),
    )


def fast_argument(parser: Parser) -> None:
    """Whether hands are played compiled."""
    t = parser.say
    parser.add_argument(
        "--fast",
        choices=("auto", "on", "off"),
        default="auto",
        help=t(
            "编译了打（要 numba，会 random 和 steady，结果一样）：auto 划算时才用（不写就是 auto）",
            "play compiled (needs numba; random and steady; the same result): auto, where it pays (default)",
        ),
    )


def tell_note(note: Text | None, out: Out) -> None:
    """Say why hands were not played compiled, if anybody asked."""
    if note is not None:
        out.tell(out.t(f"没有编译，照常打的：{note.zh}", f"not compiled, played as usual: {note.en}"))


def amount(args: Namespace) -> dict[str, int]:
    """``hands`` or ``rounds``, whichever was asked for. Raises Stop unless exactly one was."""
    if (args.hands is None) == (args.rounds is None):
        raise Stop("--hands N 和 --rounds N 写一个，只能写一个", "give --hands N or --rounds N, one of them")
    return {"hands": args.hands} if args.hands is not None else {"rounds": args.rounds}


def check_policy(text: str) -> str:
    """The policy, if its players exist. Raises Stop."""
    from gunzi.apps.players import PLAYERS

    names = [name.strip().lower() for name in text.split(",")]
    known = ", ".join(PLAYERS)
    for name in names:
        if name not in PLAYERS:
            guess = closest(name, PLAYERS)
            raise Stop(
                f"没有叫 {name} 的打法" + (f"，是不是 {guess}？" if guess else f"；有 {known}"),
                f"there is no player {name!r}" + (f" (did you mean {guess}?)" if guess else f"; there are {known}"),
            )
    if len(names) not in (1, 4):
        raise Stop(
            f"--policy 写一个，或者四个座位各写一个，不能写 {len(names)} 个",
            f"--policy takes one player or four, not {len(names)}",
        )
    return ",".join(names)


def print_sections(sections: Iterable[Any], out: Out) -> None:
    """The sections of a report: a title and a table each."""
    for section in sections:
        if not section.rows:
            continue
        out.line()
        out.title(out.say(section.title))
        rows = [[out.say(row.name), *(_cell(cell, out) for cell in row.cells)] for row in section.rows]
        heads = [_cell(head, out) for head in section.heads]
        width = max(len(row) for row in rows)
        if heads and len(heads) < width:
            heads = [""] * (width - len(heads)) + heads
        figures = [
            place for place in range(1, width) if all(_is_figure(row[place]) for row in rows if len(row) > place)
        ]
        out.table(rows, heads, indent="  ", right=figures)


def _cell(cell: str | Text, out: Out) -> str:
    return out.say(cell) if isinstance(cell, Text) else str(cell)


def _is_figure(text: str) -> bool:
    return not text or text[0] in "0123456789+-−.–" or text in ("-", "—")
