"""What people type: cards in any of the usual ways, and the words of a game in both languages."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from gunzi.cards import Card, parse_card
from gunzi.errors import CardError, Text

_SUITS: Final = {
    "S": ("S", "♠", "黑桃", "黑"),
    "H": ("H", "♥", "红桃", "红心", "红"),
    "C": ("C", "♣", "梅花", "草花", "梅", "草"),
    "D": ("D", "♦", "方片", "方块", "方"),
}
_SUIT_OF: Final = {word: suit for suit, words in _SUITS.items() for word in words}
_JOKERS: Final = {
    "BJ": "BJ",
    "BIG": "BJ",
    "大王": "BJ",
    "大": "BJ",
    "LJ": "LJ",
    "LITTLE": "LJ",
    "SMALL": "LJ",
    "SJOKER": "LJ",
    "小王": "LJ",
    "小": "LJ",
}
_SUIT_WORDS: Final = "|".join(sorted(_SUIT_OF, key=len, reverse=True))
_RANKS: Final = "10|十|[2-9TJQKA]"
_CARD: Final = re.compile(rf"(?:(?P<suit>{_SUIT_WORDS})\s*(?P<rank>{_RANKS}))")
_TURNED: Final = re.compile(rf"(?:(?P<rank>{_RANKS})(?P<suit>[SHCD♠♥♣♦]))")
_JOKER: Final = re.compile("|".join(sorted(_JOKERS, key=len, reverse=True)))
_TIMES: Final = re.compile(r"\s*[*x×]\s*([1-3])(?![0-9])", re.IGNORECASE)
_BREAKS: Final = " ,，、;；+"
PATTERNS: Final = {
    "breaks": _BREAKS,
    "suits": _SUIT_OF,
    "jokers": _JOKERS,
    "joker": _JOKER.pattern,
    "cards": [each.pattern.replace("?P<", "?<") for each in (_CARD, _TURNED)],
    "times": _TIMES.pattern,
}
"""How cards are written, for a reader in another language: words and patterns, those of ``cards_of``; ``times`` in either case."""

WORDS: Final[dict[str, tuple[str, ...]]] = {
    "help": ("?", "？", "help", "帮助", "怎么打"),
    "hint": ("hint", "提示", "支招"),
    "take": ("ok", "yes", "照办", "就这样"),
    "last": ("last", "上一圈", "上圈", "上一轮", "上轮"),
    "hand": ("hand", "手牌", "牌"),
    "table": ("table", "桌面"),
    "rules": ("rules", "规则"),
    "why": ("why", "为什么", "为啥"),
    "score": ("score", "分", "记分"),
    "quit": ("quit", "exit", "q", "退出", "走了"),
    "pass": ("pass", "no", "n", "p", "不", "不要", "不亮", "不扣", "过"),
    "skip": ("skip", "都不亮"),
    "auto": ("auto", "托管"),
}
"""What can be typed besides cards; the first of each language is what the help names."""
_WORD_OF: Final = {word: name for name, words in WORDS.items() for word in words}


class Unread(CardError):
    """A part of a typed line that names no card; ``part`` quotes it."""

    def __init__(self, part: str) -> None:
        super().__init__(Text(f"{part} 不是牌", f"{part} is no card"))
        self.part = part


def command_of(text: str) -> str | None:
    """The command a line is, or None."""
    return _WORD_OF.get(text.strip().lower())


def suit_of(text: str) -> str | None:
    """The suit a word names, or None."""
    word = text.strip()
    english = {"spades": "S", "hearts": "H", "clubs": "C", "diamonds": "D"}
    return _SUIT_OF.get(word.upper()) or english.get(word.lower())


def cards_of(text: str, shown: Sequence[Card] = ()) -> tuple[Card, ...]:
    """The cards a line names: ``h8 h8``, ``H8H8``, ``8h``, ``红桃8``, ``大王``, ``h8*2``, or numbers of the list ``shown``.

    A number stands for the card at that place (from 1), each place once. Raises Unread quoting the part that is none.
    """
    found: list[Card] = []
    used: set[int] = set()
    text = text.strip().translate(_NARROW)
    plain = text.upper()
    at = 0
    while at < len(plain):
        if plain[at] in _BREAKS or plain[at].isspace():
            at += 1
            continue
        card: Card | None = None
        number = re.compile(r"[0-9]+(?![0-9]*[SHCD♠♥♣♦])").match(plain, at)
        match = _JOKER.match(plain, at) or _CARD.match(plain, at) or _TURNED.match(plain, at) or number
        if match is None:
            raise Unread(_rest(text, at))
        if match is number:
            place = int(match.group()) if len(match.group()) < 4 else 0
            if not 1 <= place <= len(shown) or place in used:
                raise Unread(match.group())
            used.add(place)
            card = shown[place - 1]
        elif match.group() in _JOKERS:
            card = parse_card(_JOKERS[match.group()])
        else:
            rank = match.group("rank").replace("十", "T")
            card = parse_card(_SUIT_OF[match.group("suit")] + rank)
        at = match.end()
        times = _TIMES.match(plain, at) if match is not number else None
        if times is not None:
            at = times.end()
        found += [card] * (int(times.group(1)) if times else 1)
    return tuple(found)


def _rest(text: str, at: int) -> str:
    return re.split(rf"[{re.escape(_BREAKS)}\s]", text[at:], maxsplit=1)[0]


_NARROW: Final = {0xFF01 + place: 0x21 + place for place in range(94)} | {0x3000: 0x20}
"""Full-width letters and digits, as input methods leave them, read as the plain ones."""
