"""What the rules answer to an example, in words; and why, where a rule has a sentence for it."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

from gunzi.apps.book.examples import Example, told
from gunzi.apps.book.parts import Group, Row
from gunzi.apps.book.words import Words
from gunzi.apps.scenarios.question import Answer
from gunzi.cards import rank_text

_TRIED: Final = re.compile(r"^\[[^\]]*\] ")
"""How a note about cards that were tried begins."""


def answer_text(example: Example, answer: Answer, say: Words) -> str:
    """The answer as a sentence."""
    return say.sentence(*_ANSWERS[example.ask](told(example, answer.value), example.given, say))


def answer_rows(example: Example, answer: Answer, say: Words) -> tuple[Row, ...]:
    """Where the answer is about several plays: the plays, each marked right or wrong."""
    if example.ask != "follow":
        return ()
    plays = zip(example.given["legal"], answer.value["legal"], strict=True)
    return (Row(say("能不能出", "may you play"), tuple(Group(play, "", allowed) for play, allowed in plays)),)


def reasons(example: Example, answer: Answer, say: Words) -> tuple[str, ...]:
    """Why: the sentences of the rules that refused, or the parts a tribute is made of."""
    if example.ask == "follow":
        refused = [
            play for play, allowed in zip(example.given["legal"], answer.value["legal"], strict=True) if not allowed
        ]
        said = [_TRIED.sub("", say.say(note.text)) for note in answer.notes]
        joined = say("：", ": ")
        return tuple(f"{say.cards(play)}{joined}{why}" for play, why in zip(refused, said, strict=False))
    if example.ask in ("bury_kings", "return_cards", "declare"):
        notes = [note for note in answer.notes if note.by != example.option]  # what the option says stands above
        return tuple(dict.fromkeys(_TRIED.sub("", say.say(note.text)) for note in notes))
    if example.ask == "dry_pot":
        return tuple(
            say.say(note.text) for note in answer.notes if note.by not in (example.option, "dry_pot.all_trump")
        )
    if example.ask == "tribute_due":
        return tuple(say.say(note.text) + say(" 张", "") for note in answer.notes if note.by in _AMOUNTS)
    return ()


_AMOUNTS: Final = ("tribute.low", "tribute.high", "tribute.kings_when")
"""The rules whose shares a tribute is made of."""


Words_of = Callable[[Any, Mapping[str, Any], Words], Sequence[str]]


def _dealer(value: Any, given: Mapping[str, Any], say: Words) -> Sequence[str]:
    if value == "none":
        return [say("没人坐庄，要翻底牌", "nobody deals yet: the bottom is turned")]
    if value == "redeal":
        return [say("重新洗牌", "the hand is dealt again")]
    dealer, trump = say.player(value["dealer"]), say.suit(value["trump"])
    return [say(f"{dealer}坐庄，{trump}主", f"{dealer} deals, {trump} are trump")]


def _declare(value: Any, given: Mapping[str, Any], say: Words) -> Sequence[str]:
    found = []
    for bid, legal in zip(given["bids"], value["legal"], strict=True):
        who = say.player(bid["seat"])
        good, bad = say(f"{who}亮成了", f"{who}'s declaration stands"), say(f"{who}不能亮", f"{who} may not declare")
        found.append(good if legal else bad)
    if value["trump"]:
        found.append(say(f"最后{say.suit(value['trump'])}主", f"in the end {say.suit(value['trump'])} are trump"))
    return found


def _dry_pot(value: Any, given: Mapping[str, Any], say: Words) -> Sequence[str]:
    return [say("是干锅", "a dry pot") if value else say("不是干锅", "not a dry pot")]


def _legal(value: Any, given: Mapping[str, Any], say: Words) -> Sequence[str]:
    legal = value["legal"] if isinstance(value, Mapping) else value
    return [say("可以", "allowed") if legal else say("不行", "not allowed")]


def _tribute_due(value: Any, given: Mapping[str, Any], say: Words) -> Sequence[str]:
    if not value["count"]:
        return [say("谁也不用进贡", "nobody pays")]
    giver, taker = say.player(value["from"]), say.player(value["to"])
    return [
        say(
            f"这把{giver}给{taker}进贡 {value['count']} 张",
            f"{giver} pays {taker} {say.count(value['count'], '', 'card', 'cards')}",
        )
    ]


def _tribute_cards(value: Any, given: Mapping[str, Any], say: Words) -> Sequence[str]:
    choices = [say.cards(cards) for cards in value["pay_any_of"]]
    if len(choices) == 1:
        return [say(f"进 {choices[0]}", f"pay {choices[0]}")]
    return [say("任选：" + "，或者 ".join(choices), "a choice: " + ", or ".join(choices))]


def _follow(value: Any, given: Mapping[str, Any], say: Words) -> Sequence[str]:
    plays = list(zip(given["legal"], value["legal"], strict=True))
    good = [say.cards(play) for play, legal in plays if legal]
    bad = [say.cards(play) for play, legal in plays if not legal]
    found = []
    joined = say("；", "; ")
    if good:
        found.append(say("能出 ", "allowed: ") + joined.join(good))
    if bad:
        found.append(say("不能出 ", "not allowed: ") + joined.join(bad))
    return found


def _trick(value: Any, given: Mapping[str, Any], say: Words) -> Sequence[str]:
    winner = say.player(value["winner"])
    return [
        say(f"{winner}大", f"{winner} wins"),
        say(f"这圈牌 {value['points']} 分", f"the trick holds {value['points']} points"),
    ]


def _title(value: Any, given: Mapping[str, Any], say: Words) -> Sequence[str]:
    return [say("没有称号", "no title") if value == "none" else say(f"称号是“{value}”", f"the title is {value}")]


def _settle(value: Any, given: Mapping[str, Any], say: Words) -> Sequence[str]:
    found = [_SETTLED[key](value, given, say) for key in value if key in _SETTLED]
    return [clause for clause in found if clause]


def _points(value: Any, given: Mapping[str, Any], say: Words) -> str:
    return say(
        f"抓分方总分 {value['attackers_points']} 分", f"the attackers come to {value['attackers_points']} points"
    )


def _takeover(value: Any, given: Mapping[str, Any], say: Words) -> str:
    return (
        say("抓分方上台", "the attackers take over")
        if value["takeover"]
        else say("庄家方接着坐庄", "the dealer side deals on")
    )


def _level_up(value: Any, given: Mapping[str, Any], say: Words) -> str:
    up = value["level_up"]
    if up is None:
        return "" if value.get("round_won_by") is not None else say("谁也不升级", "nobody levels up")
    side = say.side(up["side"])
    return say(f"{side}该升 {up['levels']} 级", f"{side} earn {say.count(up['levels'], '', 'level', 'levels')}")


def _levels(value: Any, given: Mapping[str, Any], say: Words) -> str:
    one, other = value["levels"]
    before_one, before_other = given["levels"]
    if value.get("round_won_by") is not None:
        return say(f"下一轮双方都从 {rank_text(one)} 打起", f"both sides start the next round at {rank_text(one)}")
    if one != before_one:
        return say(f"{say.side(0)}打到 {rank_text(one)}", f"{say.side(0)} are now at {rank_text(one)}")
    if other != before_other:
        return say(f"{say.side(1)}打到 {rank_text(other)}", f"{say.side(1)} are now at {rank_text(other)}")
    return say("双方的级都不动", "both levels stay")


def _won(value: Any, given: Mapping[str, Any], say: Words) -> str:
    won = value["round_won_by"]
    if won is None:
        return say("这一轮接着打", "the round goes on")
    return say(f"这一轮就此结束，{say.side(won)}赢", f"the round is over, won by {say.side(won)}")


def _next_dealer(value: Any, given: Mapping[str, Any], say: Words) -> str:
    dealer = value["next_dealer"]
    return say(f"下一把{say.player(dealer)}坐庄", f"{say.player(dealer)} deals next") if dealer is not None else ""


def _scores(value: Any, given: Mapping[str, Any], say: Words) -> str:
    scores = [
        f"{say.player(seat)} {score:+d}" if score else f"{say.player(seat)} 0"
        for seat, score in enumerate(value["scores"])
    ]
    return say("记分：" + "、".join(scores), "on the sheet: " + ", ".join(scores))


_SETTLED: Final[dict[str, Callable[[Any, Mapping[str, Any], Words], str]]] = {
    "attackers_points": _points,
    "takeover": _takeover,
    "level_up": _level_up,
    "round_won_by": _won,
    "levels": _levels,
    "next_dealer": _next_dealer,
    "scores": _scores,
}
_ANSWERS: Final[dict[str, Words_of]] = {
    "first_dealer": _dealer,
    "reveal": _dealer,
    "declare": _declare,
    "dry_pot": _dry_pot,
    "bury_kings": _legal,
    "return_cards": _legal,
    "tribute_due": _tribute_due,
    "tribute_cards": _tribute_cards,
    "follow": _follow,
    "trick": _trick,
    "settle": _settle,
    "title": _title,
}
