"""One line of a score: what it tells of a hand, key by key, and how a yes, a no and a number are written."""

from __future__ import annotations

import unicodedata
from collections.abc import Mapping
from typing import Final

from gunzi.apps.cli.parser import Stop

KEYS: Final[Mapping[str, tuple[str, ...]]] = {
    "dealer": ("庄家", "庄"),
    "trump": ("主",),
    "tribute": ("进贡", "贡"),
    "points": ("台面分", "台面", "分"),
    "total": ("总分",),
    "captured": ("抠底",),
    "bottom": ("底牌", "底"),
    "kings": ("王", "扣王"),
    "dry": ("干锅",),
    "last": ("最后一手",),
}
"""What is told of a hand, and what else the key may be called. ``points``: the attackers' tricks; ``total``: with the bottom,
where only that was counted; ``kings``: the jokers in the bottom, where the other cards of it were not noted; ``last``: the cards
that won the last trick, under rules that want to know."""
YES: Final = frozenset({"yes", "y", "true", "1", "是", "抠", "抠底", "抠了", "干锅", "干", "对", "有"})
NO: Final = frozenset({"no", "n", "false", "0", "none", "-", "不", "不是", "否", "没", "没有", "没抠", "保底", "无"})
Entry = dict[str, str]
_NAMES: Final = {name: key for key, names in KEYS.items() for name in (key, *names)}
_CARD_KEYS: Final = frozenset({"bottom", "kings", "last"})


class Wrong(Stop):
    """What is wrong with a value that was told, and which; ``key`` is None where it is the whole line."""

    def __init__(self, key: str | None, zh: str, en: str) -> None:
        super().__init__(zh, en)
        self.key = key


def read_line(text: str) -> Entry:
    """What one line tells: ``dealer=0 points=85 …``; cards may have blanks between them. Raises Wrong."""
    found: Entry = {}
    key = ""
    for word in plain(text).split():
        name, sign, value = word.partition("=")
        if not sign and key in _CARD_KEYS:
            found[key] += f" {word}"
            continue
        if not sign:
            raise Wrong(
                None, f"一把牌要写成 项目=值，看不懂 {word}", f"a hand is written as key=value; {word!r} is not"
            )
        key = key_of(name)
        if key in found:
            raise Wrong(key, f"{name} 写了两次", f"{name} is given twice")
        found[key] = value
    return found


def key_of(name: str) -> str:
    """The key a name stands for. Raises Wrong."""
    key = _NAMES.get(name.lower())
    if key is None:
        from gunzi.options import closest

        guess = closest(name.lower(), KEYS)
        known = list(KEYS)
        raise Wrong(
            None,
            f"一把牌里没有 {name} 这一项" + (f"，是不是 {guess}？" if guess else f"；有 {'、'.join(known)}"),
            f"a hand has no {name!r}" + (f" (did you mean {guess}?)" if guess else f"; it has {', '.join(known)}"),
        )
    return key


def plain(text: str) -> str:
    """The text with full-width letters and signs made plain, as input methods leave them."""
    return unicodedata.normalize("NFKC", text).strip()


def merged(old: Mapping[str, str], new: Mapping[str, str]) -> Entry:
    """An entry with other values laid over it; points and total, bottom and kings take each other's place."""
    found = dict(old)
    for one, other in (("points", "total"), ("bottom", "kings")):
        for key, rival in ((one, other), (other, one)):
            if new.get(key) and not new.get(rival):
                found.pop(rival, None)
    found.update(new)
    return {key: value for key, value in found.items() if value}


def number(key: str, text: str, low: int, high: int, step: int = 5) -> int:
    """A number of points, or of cards (``step`` 1). Raises Wrong."""
    text = text.strip()
    if text.isascii() and text.isdigit() and len(text) < 6 and low <= int(text) <= high and int(text) % step == 0:
        return int(text)
    if step == 1:
        raise Wrong(
            key, f"{key} 的张数要写 {low} 到 {high}，不能写 {text}", f"{key}: {low} to {high} cards, not {text!r}"
        )
    raise Wrong(
        key,
        f"{key} 要写 {low} 到 {high} 之间 {step} 的倍数，不能写 {text}",
        f"{key} is {low} to {high}, a multiple of {step}, not {text!r}",
    )


def yes_or_no(key: str, text: str) -> bool:
    """A yes or a no as people write it. Raises Wrong."""
    word = text.strip().lower()
    if word in YES:
        return True
    if word in NO:
        return False
    raise Wrong(key, f"{key} 要写 yes 或 no，不能写 {text}", f"{key} is yes or no, not {text!r}")
