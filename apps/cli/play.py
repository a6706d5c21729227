"""``gunzi play``: a table in the terminal. Every act is saved at once; ``--continue`` goes on with the game."""

from __future__ import annotations

import os
import secrets
import tempfile
from argparse import ArgumentTypeError, Namespace
from collections.abc import Callable
from pathlib import Path
from typing import Any

from gunzi.apps.cli import answers
from gunzi.apps.cli.failures import os_trouble
from gunzi.apps.cli.game import Game, Left
from gunzi.apps.cli.keeping import KeptGame
from gunzi.apps.cli.lang import Say
from gunzi.apps.cli.output import Out
from gunzi.apps.cli.parser import OK, Parser, Stop, load_rules, whole
from gunzi.apps.cli.records import named
from gunzi.apps.players import is_player, player, player_names
from gunzi.errors import GunziError
from gunzi.record import Record
from gunzi.resuming import resume
from gunzi.table import Table

KEY = "play"
"""The header key that says how a saved game is to go on."""


def arguments(parser: Parser) -> None:
    """What the command takes."""
    t = parser.say
    parser.add_rules(optional=True)
    parser.add_argument(
        "--seat",
        type=whole(t, 0, 3),
        metavar="N",
        help=t("坐几号（0 到 3，不写就是 0）", "your seat, 0 to 3 (default 0)"),
    )
    parser.add_argument(
        "--seed",
        type=whole(t, 0),
        metavar="S",
        help=t("种子：同样的种子发同样的牌", "the same seed deals the same cards"),
    )
    parser.add_argument(
        "--rounds",
        type=whole(t, 1),
        metavar="N",
        help=t("打几轮（3 到 10 是一轮；不写就是 1）", "how many rounds from 3 to 10 (default 1)"),
    )
    parser.add_argument("--hands", type=whole(t, 1), metavar="N", help=t("最多打几把", "at most so many hands"))
    parser.add_argument(
        "--bots",
        type=_bots(t),
        metavar="NAME",
        help=t("电脑怎么打：", "how the bots play: ")
        + ", ".join(player_names())
        + t("；sharp:0.2s 每步想 0.2 秒", "; sharp:0.2s thinks 0.2 seconds over each act"),
    )
    parser.add_argument(
        "--file",
        metavar="SAVE",
        help=t(
            "存到哪个文件，每一步都存（不写就是 gunzi-….jsonl，打完就删）",
            "the file every act is saved to (default gunzi-….jsonl, removed when all is played)",
        ),
    )
    parser.add_argument(
        "--continue", metavar="SAVE", dest="saved", help=t("接着打存下的一桌", "go on with a saved game")
    )


def _bots(say: Say) -> Callable[[str], str]:
    def read(text: str) -> str:
        try:
            return player(text).name
        except GunziError as error:
            raise ArgumentTypeError(say(error.text.zh, error.text.en)) from None

    return read


def run(args: Namespace, out: Out) -> int:
    """Play."""
    table, more = _continued(args) if args.saved else _new(args)
    save_to = Path(args.file or args.saved or _free_name(table))
    _check_writable(save_to, exists_is_wrong=bool(args.file and not args.saved))
    bots = [player(more["bots"])] * 4
    seed = table.seed if table.seed is not None else secrets.randbits(62)
    game = Game(table, more["seat"], bots, player("steady"), seed, out)
    kept = KeptGame(save_to, table, {KEY: more})
    game.after_act, game.after_hand = kept.keep, kept.save_whole
    answers.greet(game)
    if args.saved:
        game.catch_up(quiet=True)
        from gunzi.apps.cli.seat_view import table_lines

        out.lines(table_lines(game.narrator, out))
    try:
        game.play()
    except Left:
        _leave(kept.save, save_to, out)
        return OK
    except BaseException:
        _leave(kept.save, save_to, out, told=out.tell)
        raise
    _over(game, out)
    if not (args.file or args.saved):
        save_to.unlink(missing_ok=True)
    else:
        kept.save_whole()
        out.line(out.t(f"牌谱在 {save_to}", f"the record is in {save_to}"))
    return OK


def _new(args: Namespace) -> tuple[Table, dict[str, Any]]:
    if args.rules is None:
        raise Stop(
            "打哪套规则？gunzi play 预设名，或 gunzi play --continue 存档",
            "which rules? gunzi play RULES, or gunzi play --continue SAVE",
        )
    rules = load_rules(args.rules, args.overrides)
    seat = args.seat or 0
    bots = args.bots or "steady"
    players = [{"name": f"{bots}-{k}", "kind": "bot"} for k in range(4)]
    players[seat] = {"name": os.environ.get("USER") or "you", "kind": "human"}
    more = {"seat": seat, "rounds": args.rounds or 1, "hands": args.hands, "bots": bots}
    table = Table(rules, args.seed, rounds=more["rounds"], hands=more["hands"], players=players, watched=True)
    return table, more


def _continued(args: Namespace) -> tuple[Table, dict[str, Any]]:
    for value, name in ((args.rules, "RULES"), (args.overrides, "--set"), (args.seat, "--seat"), (args.seed, "--seed")):
        if value not in (None, []):
            raise Stop(f"存档里已经有了，不能再写 {name}", f"the saved game says that already: leave out {name}")
    with named(args.saved):
        record = Record.load(args.saved)
    more = _how(record)
    if args.rounds:
        more["rounds"] = args.rounds
    if args.hands:
        more["hands"] = args.hands
    if args.bots:
        more["bots"] = args.bots
    return resume(record, rounds=more["rounds"], hands=more["hands"]), more


def _how(record: Record) -> dict[str, Any]:
    """How a saved game is to go on; records of other programs name the person among the players."""
    found = record.header.get(KEY)
    more = dict(found) if isinstance(found, dict) else {}
    people = record.header.get("players")
    human = [
        seat
        for seat, each in enumerate(people if isinstance(people, list) else ())
        if isinstance(each, dict) and each.get("kind") == "human"
    ]
    seat = more.get("seat", human[0] if human else 0)
    rounds, hands = more.get("rounds", 1), more.get("hands")
    bots = more.get("bots", "steady")
    good = (
        type(seat) is int
        and 0 <= seat <= 3
        and (rounds is None or type(rounds) is int)
        and (hands is None or type(hands) is int)
        and is_player(bots)
    )
    if not good:
        raise Stop("存档第 1 行里的 play 写得不对", "line 1 of the saved game: its play part is wrong")
    return {"seat": seat, "rounds": rounds, "hands": hands, "bots": bots}


def _free_name(table: Table) -> str:
    number = 1
    while True:
        name = f"gunzi-{table.name}{f'-{number}' if number > 1 else ''}.jsonl"
        if not os.path.exists(name):
            return name
        number += 1


def _check_writable(path: Path, exists_is_wrong: bool) -> None:
    """Better told before the game than after it."""
    if exists_is_wrong and path.exists() and not path.is_dir():
        raise Stop(
            f"{path} 已经有了：接着打用 --continue {path}，新开一桌换个文件名",
            f"{path} exists already: go on with it by --continue {path}, or choose another file",
        )
    if path.is_dir():
        raise IsADirectoryError(21, os.strerror(21), str(path))
    folder = path.parent
    if not folder.is_dir():
        raise FileNotFoundError(2, os.strerror(2), str(folder))
    if not os.access(folder, os.W_OK):
        raise PermissionError(13, os.strerror(13), str(folder))


def _leave(save: Callable[[Path], None], path: Path, out: Out, told: Callable[[str], None] | None = None) -> None:
    """Save the game: where it belongs, else where there is room."""
    try:
        save(path)
    except OSError as error:
        path = Path(tempfile.gettempdir(), f"{path.stem}-{secrets.token_hex(4)}.jsonl")
        save(path)
        out.tell(f"gunzi: {os_trouble(error, out)}")
    text = out.t(f"存好了。接着打：gunzi play --continue {path}", f"saved. To go on: gunzi play --continue {path}")
    (told or out.line)(text)


def _over(game: Game, out: Out) -> None:
    t, table = out.t, game.table
    out.line()
    out.title(t("打完了", "The table is over"))
    won = table.rounds_won
    if any(won):
        us = game.seat % 2
        out.line(
            "  "
            + t(f"轮数：你们 {won[us]}，对方 {won[1 - us]}", f"rounds won: your side {won[us]}, theirs {won[1 - us]}")
        )
    answers.standing(game)
