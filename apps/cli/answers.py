"""What a game answers to the words of the person playing: help, hint, why, rules, the score."""

from __future__ import annotations

from typing import TYPE_CHECKING

from gunzi.apps.cli import names
from gunzi.apps.cli.presets import brief, differences, meaning
from gunzi.apps.cli.show import origin_lines
from gunzi.errors import Text
from gunzi.loading import load
from gunzi.resolve import BASE

if TYPE_CHECKING:
    from gunzi.apps.cli.game import Game


def help_on(game: Game, by_cards: bool) -> None:
    """What can be typed."""
    t = game.out.t
    rows = []
    if by_cards:
        rows.append(
            (
                t("h8 h8 · 红桃8 · 大王 · 3 4", "h8 h8 · BJ · 3 4"),
                t("出牌：写牌，或者写牌下面的序号", "cards, or the numbers below them"),
            )
        )
    else:
        rows.append((t("0 1 2 …", "0 1 2 …"), t("选一项；回车是不要", "choose one; Enter is no")))
    rows += [
        (t("hint 提示", "hint"), t("问问电脑该怎么出；ok 就照它的出", "what a bot would do; ok does it")),
        (t("hand 手牌", "hand"), t("看自己的牌", "your cards")),
        (
            t("table 桌面", "table"),
            t("看桌面：级、主、庄、分、这一圈牌", "level, trump, dealer, points, the running trick"),
        ),
        (t("last 上一圈", "last"), t("看上一圈牌", "the last trick")),
        (t("why 为什么", "why"), t("刚才为什么不行、为什么这样定", "why that was refused, why things went so")),
        (t("rules 规则", "rules"), t("这桌的规则，不同的在前面", "the rules in force, differences first")),
        (t("score 分", "score"), t("看积分", "the score sheet")),
        (t("auto 托管", "auto"), t("电脑替你打完这一把", "bots play for you until the hand is over")),
        (t("quit 退出", "quit"), t("存盘离开，以后接着打", "save and leave; the game can be continued")),
    ]
    game.out.table(rows, indent="  ")


def hint(game: Game) -> None:
    """What a bot would do."""
    game.hint = game.advice()
    t = game.out.t
    game.out.line(t(f"可以：{game.act_text(game.hint)}（ok 就这样）", f"try: {game.act_text(game.hint)} (ok does it)"))


def last_trick(game: Game) -> None:
    """The last trick."""
    last = game.narrator.last_trick
    if last is None:
        game.out.line(game.out.t("还没打完一圈", "no trick yet"))
        return
    plays, winner, points = last
    game.out.line(game.narrator.plays(plays, winner) + game.out.t(f"  {points} 分", f"  {points} points"))


def standing(game: Game) -> None:
    """The score sheet."""
    out, t = game.out, game.out.t
    table = game.table
    rows = []
    for seat in range(4):
        title = table.rules.hook.title(score=table.scores[seat])
        rows.append((game.narrator.seat(seat), f"{table.scores[seat]:+d}" if table.scores[seat] else "0", title))
    out.line("  " + t("积分：", "sheet: ") + "  ".join(f"{who} {score} {title}".rstrip() for who, score, title in rows))


def rules_in_force(game: Game) -> None:
    """The rules of this table: what differs from the base first."""
    out, t = game.out, game.out.t
    rules = game.table.rules
    changed = differences(rules, load(BASE))
    out.title(t("和底本不同的", "what differs from the base"))
    out.table([(id, brief(rules, id), meaning(rules, id, out)) for id in changed], indent="  ")
    out.title(t("其余的", "the rest"))
    out.table(
        [(id, brief(rules, id), out.say(rules.option(id).name)) for id in rules.option_ids() if id not in changed],
        indent="  ",
    )


def why(game: Game) -> None:
    """The reason of the last refusal, or of what was decided last in this hand."""
    out, t = game.out, game.out.t
    rules = game.table.rules
    if game.refused is not None:
        asked = [(out.say(game.refused.text), game.refused.rule)]
        game.refused = None
    else:
        asked = game.narrator.reasons[-3:]
    if not asked:
        out.line(t("还没有什么要解释的", "nothing to explain yet"))
    for what, rule in asked:
        out.wrapped(what)
        try:
            text = rules.rule_text(rule)
        except KeyError:
            text = Text("", "")
        said = t("固定规则", "a fixed rule") if "{" in text.en else out.say(text)
        out.wrapped(said, "    ", first=f"  {out.style(rule, 'bold')}  ")
        if rule in rules.options:
            for line in origin_lines(rules.origin(rule), out):
                out.wrapped(out.style(line, "dim"), "    ")


def greet(game: Game) -> None:
    """What is played here, and by whom."""
    out, t = game.out, game.out.t
    rules = game.table.rules
    out.line(f"{out.style(rules.id, 'bold')}  {out.say(rules.name)}")
    partner = (game.seat + 2) % 4
    bots = "、".join(f"{s}号" for s in range(4) if s != game.seat)
    out.line(
        t(
            f"你坐 {game.seat}号，对家 {partner}号；{bots}是电脑。? 看怎么操作。",
            f"You are seat {game.seat}, your partner is seat {partner}; bots play the others. ? shows what can be typed.",
        )
    )
    changed = differences(rules, load(BASE))
    shown = [f"{id}={brief(rules, id)}" for id in changed]
    out.wrapped(
        names.listed(shown, out.lang) or t("和底本一样", "as the base"),
        "  ",
        first=t("不同的规则：", "rules that differ: "),
    )
