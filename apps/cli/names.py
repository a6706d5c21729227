"""What things are called in what the commands print."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from gunzi.apps.cli.parser import Stop
from gunzi.errors import Text
from gunzi.loading import RECORD
from gunzi.resolve import DEFAULT, OVERRIDE
from gunzi.wording import SUIT_NAMES

STATUS: Final = {
    "stated": Text("原文写明", "stated"),
    "inferred": Text("推断", "inferred"),
    "ruled": Text("裁定", "ruled"),
    "operator": Text("自定", "operator"),
}
"""The authority of an option's value."""
SUITS: Final = SUIT_NAMES
SHAPES: Final = {1: Text("单张", "a single"), 2: Text("棒子", "a pair"), 3: Text("滚子", "a triple")}
HOW: Final = {
    "claim": Text("抢亮大王", "a claimed big joker"),
    "turn": Text("翻底牌", "the turned bottom cards"),
    "declare": Text("亮主", "a declaration"),
    "draw": Text("抽底牌", "a card drawn from the bottom"),
}
ENDINGS: Final = {
    "shutout": Text("抓分方一分没得", "the attackers took nothing"),
    "sweep": Text("抓分方拿满了分", "the attackers took every point"),
    "three_big": Text("扣了三个大王", "three big jokers were buried"),
    "three_small": Text("扣了三个小王", "three small jokers were buried"),
    "final_level": Text("打过了最后一级", "the final level was passed"),
}


def status(name: str) -> Text:
    """A status; a plugin's own word stands for itself."""
    return STATUS.get(name, Text(name, name))


def seat(number: int, you: int | None = None, partner: bool = False) -> Text:
    """A seat: ``seat 1``, ``you``; ``partner`` adds who is yours."""
    if number == you:
        return Text("你", "you")
    if you is not None and partner and (number - you) % 4 == 2:
        return Text(f"对家({number})", f"partner({number})")
    return Text(f"{number}号", f"seat {number}")


def side(number: int) -> Text:
    """A side by number: 0 for seats 0 and 2."""
    return Text("0、2号一方", "seats 0 and 2") if number == 0 else Text("1、3号一方", "seats 1 and 3")


def place(where: str) -> Text:
    """Where an option was set: a file's line and ``--set`` stay as they are, the other places have names."""
    if where == RECORD:
        return Text("牌谱里写的", "the record")
    if where == OVERRIDE:
        return Text("程序里改的", "the program")
    owner = where.removeprefix(f"{DEFAULT} of ")
    return Text(where, where) if owner == where else Text(f"{owner} 的默认值", f"the default of {owner}")


def listed(words: Sequence[str], lang: str) -> str:
    """Words as a list: ``a, b``."""
    return ("、" if lang == "zh" else ", ").join(words)


def players_named(text: str) -> tuple[str, ...]:
    """Four different names from one line, none of them a seat's number. Raises Stop."""
    found = tuple(name.strip() for name in text.replace("，", ",").replace("、", ",").split(","))
    if len(found) != 4 or not all(found):
        raise Stop(
            f"要写四个名字，用逗号隔开，不能写 {text}", f"four names with commas between them are wanted, not {text!r}"
        )
    for place, name in enumerate(found):
        if name in found[:place]:
            raise Stop(f"两个人都叫 {name}，分不清", f"two players are called {name}")
        if name.removesuffix("号").isdigit() or len(name) > 30 or not name.isprintable():
            raise Stop(
                f"{name} 不能当名字：不要只写数字，最多 30 个字",
                f"{name!r} is no name: not a number, at most 30 letters",
            )
    return found
