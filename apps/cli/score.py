"""``gunzi score``: keeps the score of a real table."""

from __future__ import annotations

import os
from argparse import Namespace
from typing import Final

from gunzi.apps.cli import names, sheet
from gunzi.apps.cli.explained import explained
from gunzi.apps.cli.narrate import Narrator
from gunzi.apps.cli.output import Out
from gunzi.apps.cli.parser import OK, Parser, Stop, load_rules
from gunzi.apps.cli.sheet import Sheet
from gunzi.cards import rank_text
from gunzi.errors import Text
from gunzi.loading import from_header, load
from gunzi.ruleset import RuleSet
from gunzi.values import Settlement

QUESTIONS: Final = {
    "dealer": Text("庄家几号", "dealer's seat"),
    "trump": Text("主花色（S H C D）", "trump suit (S H C D)"),
    "tribute": Text("实际进贡（1>2:3，没进写 no）", "tribute actually paid (1>2:3, or no)"),
    "points": Text("抓分方台面分（不算底）", "points in the attackers' tricks (without the bottom)"),
    "captured": Text("抠底了吗（yes/no）", "bottom captured (yes/no)"),
    "bottom": Text("扣的底牌（BJ,LJ,C7,…）", "the bottom as it lay (BJ,LJ,C7,…)"),
    "dry": Text("干锅吗（yes/no）", "dry pot (yes/no)"),
}


class Ended(Exception):
    """The input is over."""


class Undone(Exception):
    """The person takes something back."""


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
        help=t("存在这个文件里；文件已经有了就接着记", "keep the score in this file; go on with it if it exists"),
    )
    parser.add_argument(
        "--undo", action="store_true", help=t("先去掉存档里的最后一把", "first take the last saved hand back")
    )
    parser.add_argument("--players", metavar="A,B,C,D", help=t("0 到 3 号的名字", "the names of seats 0 to 3"))
    parser.add_json()


def run(args: Namespace, out: Out) -> int:
    """Keep the score."""
    kept = _open(args)
    if args.undo and not kept.undo():
        raise Stop("没有可以去掉的", "there is no hand to take back")
    told = len(kept.entries)
    for text in args.hand:
        settlement = kept.add(sheet.read_hand(text))
        if not args.json:
            _print_hand(kept, settlement, out)
    if args.save and (args.hand or args.undo):
        sheet.save(kept, args.save)
    if not args.hand and not args.undo and not args.json:
        _converse(kept, args.save, out)
        return OK
    if args.json:
        out.json(sheet.as_json(kept))
    elif len(kept.entries) == told:
        _print_next(kept, out)
    return OK


def _open(args: Namespace) -> Sheet:
    if args.save and os.path.exists(args.save):
        found = sheet.read(args.save)
        rules = from_header(found)
        if args.rules or args.overrides:
            asked = load_rules(args.rules or rules.id, args.overrides)
            if asked.hash != rules.hash:
                raise Stop(
                    f"{args.save} 是按 {rules.id} 记的，规则和 {asked.id} 不一样；换个文件，或者不写规则",
                    f"{args.save} was kept under {rules.id}, whose rules are not {asked.id}'s: another file, or leave RULES out",
                )
        kept = Sheet(_named(rules), _players(args) or tuple(map(str, found.get("players") or ())))
        for row in found["hands"]:
            kept.add(row["told"])
        return kept
    if args.rules is None:
        raise Stop("按哪套规则记？gunzi score 预设名", "under which rules? gunzi score RULES")
    return Sheet(load_rules(args.rules, args.overrides), _players(args))


def _named(rules: RuleSet) -> RuleSet:
    """The same rules as loaded by name, where they still are what they were: origins then tell more."""
    from gunzi.loading import preset_ids

    if rules.id in preset_ids():
        preset = load(rules.id)
        if preset.hash == rules.hash:
            return preset
    return rules


def _players(args: Namespace) -> tuple[str, ...]:
    if not args.players:
        return ()
    found = tuple(name.strip() for name in args.players.replace("，", ",").split(","))
    if len(found) != 4 or not all(found):
        raise Stop("--players 要写四个名字，用逗号隔开", "--players takes four names with commas between them")
    return found


# -- telling ---------------------------------------------------------------------------------------------------


def _seat(kept: Sheet, seat: int, out: Out) -> str:
    said = out.say(names.seat(seat))
    return f"{said} {kept.players[seat]}" if kept.players else said


def _print_hand(kept: Sheet, settlement: Settlement, out: Out) -> None:
    t = out.t
    event = settlement.as_json()
    result = settlement.outcome.result
    level = rank_text(result.levels[result.dealer % 2])
    out.title(
        t(
            f"第 {len(kept.entries)} 把：{_seat(kept, result.dealer, out)}坐庄，打 {level}",
            f"Hand {len(kept.entries)}: {_seat(kept, result.dealer, out)} dealt, level {level}",
        )
    )
    out.lines(explained(event["explain"], out, event["round_won_by"]))
    out.lines(Narrator(out).after(event))
    _print_scores(kept, out)
    out.line()


def _print_scores(kept: Sheet, out: Out) -> None:
    rows = []
    for seat in range(4):
        title = kept.rules.hook.title(score=kept.scores[seat])
        rows.append((_seat(kept, seat, out), f"{kept.scores[seat]:+d}" if kept.scores[seat] else "0", title))
    out.line(
        "  " + out.t("积分：", "sheet: ") + "  ".join(f"{who} {score} {title}".rstrip() for who, score, title in rows)
    )
    if any(kept.rounds_won):
        won = kept.rounds_won
        out.line(
            "  "
            + out.t(
                f"赢的轮数：0、2号 {won[0]}，1、3号 {won[1]}", f"rounds won: seats 0, 2 {won[0]}; seats 1, 3 {won[1]}"
            )
        )


def _print_next(kept: Sheet, out: Out) -> None:
    t = out.t
    levels = [rank_text(level) for level in kept.levels]
    text = t(f"第 {kept.round} 轮，第 {kept.number} 把", f"Round {kept.round}, hand {kept.number}")
    if kept.dealer is None:
        text += t(f"，打 {levels[0]}，看谁坐庄", f": level {levels[0]}, the dealer is to be found")
    else:
        text += t(
            f"：{_seat(kept, kept.dealer, out)}坐庄，打 {levels[kept.dealer % 2]}",
            f": {_seat(kept, kept.dealer, out)} deals, level {levels[kept.dealer % 2]}",
        )
    if kept.owed:
        text += t(
            f"；{kept.owed.giver}号给{kept.owed.receiver}号进贡 {kept.owed.count} 张",
            f"; seat {kept.owed.giver} to pay seat {kept.owed.receiver}: {kept.owed.count}",
        )
    out.title(text)


# -- asking ----------------------------------------------------------------------------------------------------


def _converse(kept: Sheet, path: str | None, out: Out) -> None:
    t = out.t
    out.line(
        t(
            "一项一项地填，回车用方括号里的；也可以一行写完：dealer=0 trump=H points=85 captured=no bottom=…",
            "Fill in one by one, Enter takes what is in brackets; or all on one line: dealer=0 trump=H points=85 captured=no bottom=…",
        )
    )
    out.line(t("undo 退回，sheet 看积分，quit 结束", "undo takes back, sheet shows the scores, quit ends"))
    while True:
        out.line()
        _print_next(kept, out)
        try:
            entry = _ask_hand(kept, out)
            settlement = kept.add(entry)
        except Ended:
            return
        except Undone:
            out.line(
                t("退回了一把", "one hand taken back") if kept.undo() else t("没有可以退回的", "nothing to take back")
            )
            if path:
                sheet.save(kept, path)
            continue
        except Stop as wrong:
            out.line(out.say(wrong.text))
            continue
        _print_hand(kept, settlement, out)
        if path:
            sheet.save(kept, path)


def _ask_hand(kept: Sheet, out: Out) -> dict[str, str]:
    entry: dict[str, str] = {}
    keys = [
        key
        for key in QUESTIONS
        if not (key == "dealer" and kept.dealer is not None) and not (key == "tribute" and kept.owed is None)
    ]
    place = 0
    while place < len(keys):
        key = keys[place]
        default = "no" if key == "dry" else ""
        if key == "tribute" and kept.owed:
            default = f"{kept.owed.giver}>{kept.owed.receiver}:{kept.owed.count}"
        text = _ask(out.say(QUESTIONS[key]), default, kept, out)
        if text == "undo":
            if place == 0:
                raise Undone
            place -= 1
            continue
        if "=" in text and place == 0:
            return sheet.read_hand(text)
        if text or default:
            entry[key] = text or default
            place += 1
    return entry


def _ask(question: str, default: str, kept: Sheet, out: Out) -> str:
    prompt = f"{question}{f' [{default}]' if default else ''}: "
    while True:
        text = out.ask(prompt)
        if text is None:
            raise Ended
        word = text.lower()
        if word in ("quit", "q", "退出"):
            raise Ended
        if word in ("sheet", "积分"):
            _print_scores(kept, out)
            continue
        return "undo" if word in ("undo", "退回", "悔") else text
