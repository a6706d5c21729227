"""What the lab's commands share: the arguments they take, and what was found, printed as sections of rows."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any, Protocol

from gunzi.apps.cli.output import Out
from gunzi.apps.cli.parser import COULD_NOT, INTERRUPTED, OK, Stop, whole
from gunzi.errors import Text
from gunzi.options import closest

if TYPE_CHECKING:
    from argparse import Namespace

    from gunzi.apps.cli.parser import Parser


class Ended(Protocol):
    """What a run found, as far as it came."""

    @property
    def interrupted(self) -> bool:
        """Did it end early?"""

    @property
    def trouble(self) -> Text | None:
        """By what, if it was not Ctrl-C?"""


def seed_argument(parser: Parser) -> None:
    """From which number the deals and the players' dice are drawn."""
    t = parser.say
    parser.add_argument(
        "--seed",
        type=whole(t, 0),
        default=1,
        metavar="S",
        help=t("种子：同样的种子同样的结果（不写就是 1）", "same seed, same result (default 1)"),
    )


def lab_arguments(parser: Parser) -> None:
    """What all commands take that play many hands."""
    t = parser.say
    parser.add_argument("--hands", type=whole(t, 1), metavar="N", help=t("打多少把", "how many hands"))
    parser.add_argument(
        "--rounds",
        type=whole(t, 1),
        metavar="N",
        help=t("打多少轮（3 到 10 是一轮）", "how many rounds (3 to 10 is one)"),
    )
    seed_argument(parser)
    parser.add_argument(
        "--policy",
        default="random",
        metavar="P",
        help=t(
            "谁来打：random（随便出）、steady（稳当）、sharp（精打细算，慢；sharp:500 每步试打 500 次，sharp:0.2s 每步想 0.2 秒）；"
            "四个座位可以各写一个，用逗号隔开",
            "who plays: random, steady, sharp (slow; sharp:500 for so many playouts a question, sharp:0.2s for so many seconds); "
            "or one for each seat, with commas",
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


def running_arguments(parser: Parser) -> None:
    """With what a long run is run: processes, a file that keeps what is finished, a cluster."""
    t = parser.say
    parser.add_argument(
        "--jobs",
        type=whole(t, 1, 1024),
        default=os.cpu_count() or 1,
        metavar="J",
        help=t("同时开几个进程（不写就按处理器个数）", "how many processes (default: one a processor)"),
    )
    parser.add_argument(
        "--resume",
        metavar="FILE",
        help=t(
            "打完的随时存进 FILE；断了以后同样的命令再来一遍，就接着打",
            "keep what is finished in FILE; cut off, the same command again goes on from there",
        ),
    )
    parser.add_argument(
        "--cluster",
        metavar="ADDRESS",
        help=t(
            "在 dask 集群上打，ADDRESS 是调度器的地址：tcp://主机:8786（要装 gunzi[cluster]）",
            "play on a dask cluster with its scheduler at ADDRESS: tcp://HOST:8786 (needs gunzi[cluster])",
        ),
    )


def stop_if_nothing(what: Ended, done: int, args: Namespace) -> None:
    """Interrupted before anything was finished there is nothing to report, and no page to write; programs are told all the
    same, and who keeps blocks is told how to go on: later ones than the first may be finished. Raises KeyboardInterrupt."""
    if what.interrupted and not done and what.trouble is None and not args.json and args.resume is None:
        raise KeyboardInterrupt


def ended_early(what: Ended, done: str, args: Namespace, out: Out) -> int:
    """Say why a run ended early, if it did, and how to go on; the exit status."""
    if not what.interrupted:
        return OK
    t = out.t
    if what.trouble is not None:
        out.tell(f"gunzi: {out.say(what.trouble)}")
        out.tell(
            t(
                f"没有打完：以上是打完的 {done}的结果",
                f"not all was played: the above is of the {done} that were finished",
            )
        )
    else:
        out.tell(t(f"已中断：以上是打完的 {done}的结果", f"interrupted: the above is of the {done} that were finished"))
    if args.resume is not None:
        out.tell(
            t(
                f"打完的存在 {args.resume}；同样的命令再来一遍就接着打",
                f"{args.resume} keeps what is finished; the same command again goes on from there",
            )
        )
    return INTERRUPTED if what.trouble is None else COULD_NOT


def tell_clock(names: Iterable[str], out: Out) -> None:
    """Say that it comes out otherwise the next time, if one of these players thinks by the clock."""
    from gunzi.apps.players import by_the_clock

    slow = [name for name in dict.fromkeys(names) if by_the_clock(name)]
    if slow:
        named = ", ".join(slow)
        out.tell(
            out.t(
                f"{named} 看着钟想：再打一遍结果会不一样，机器快慢也有关系",
                f"{named}: a player that thinks by the clock; the same command again gives another result",
            )
        )


def amount(args: Namespace) -> dict[str, int]:
    """``hands`` or ``rounds``, whichever was asked for. Raises Stop unless exactly one was."""
    if (args.hands is None) == (args.rounds is None):
        raise Stop("--hands N 和 --rounds N 写一个，只能写一个", "give --hands N or --rounds N, one of them")
    return {"hands": args.hands} if args.hands is not None else {"rounds": args.rounds}


def each_of(much: Mapping[str, int], out: Out) -> str:
    """What is counted: hands or rounds, as a rate's unit."""
    return out.t("把", " hands") if "hands" in much else out.t("轮", " rounds")


def check_policy(text: str) -> str:
    """The policy, if its players exist. Raises Stop."""
    from gunzi.apps.players import PLAYERS, BudgetError, player

    names = [name.strip().lower() for name in text.split(",")]
    known = ", ".join(PLAYERS)
    for name in names:
        word, _, more = name.partition(":")
        if word == "sharp" and more:
            try:
                player(name)
            except BudgetError as error:
                raise Stop(error.text.zh, error.text.en) from None
        elif name not in PLAYERS:
            guess = closest(word, PLAYERS)
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
