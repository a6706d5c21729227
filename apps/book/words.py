"""How the rule book calls things: players, cards, suits, levels, in Chinese and in English."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, Final

from gunzi.cards import Card, rank_text
from gunzi.errors import Text
from gunzi.wording import SUIT_NAMES, counted

PLAYERS: Final = (Text("甲", "Ann"), Text("乙", "Bo"), Text("丙", "Cui"), Text("丁", "Dan"))
"""The four seats of the examples, in playing order: 甲 and 丙 against 乙 and 丁."""
SUITS: Final = SUIT_NAMES
SIGNS: Final = {"S": "♠", "H": "♥", "C": "♣", "D": "♦"}
JOKERS: Final = {"BJ": Text("大王", "big joker"), "LJ": Text("小王", "small joker")}
PHASES: Final = {
    "deal": Text("发牌", "deal"),
    "reveal": Text("定庄定主", "dealer and trump"),
    "tribute": Text("进贡还贡", "tribute and return"),
    "bottom": Text("亮底牌、看干锅", "bottom and dry pot"),
    "bury": Text("庄家扣底", "the dealer buries"),
    "bury_kings": Text("别家扣王", "the others bury kings"),
    "play": Text("打牌", "play"),
    "settle": Text("结算", "settlement"),
}
STATUS: Final = {
    "stated": Text("原文写明", "stated by the text"),
    "inferred": Text("推断", "inferred"),
    "ruled": Text("裁定", "ruled by this project"),
    "operator": Text("这桌自定", "this table's own"),
}


class Words:
    """Says things in one language."""

    def __init__(self, lang: str) -> None:
        self.lang = lang

    def __call__(self, zh: str, en: str) -> str:
        return zh if self.lang == "zh" else en

    def say(self, text: Text) -> str:
        """The text in the language spoken."""
        return text.in_(self.lang)

    def player(self, seat: int) -> str:
        """Who sits there."""
        return self.say(PLAYERS[seat])

    def side(self, side: int) -> str:
        """Both players of a side: 0 for seats 0 and 2."""
        one, other = self.player(side), self.player(side + 2)
        return self(f"{one}{other}一方", f"{one} and {other}")

    def suit(self, suit: str) -> str:
        """A suit's name."""
        return self.say(SUITS[suit])

    def card(self, card: Card) -> str:
        """A card with its sign: ``♠10``."""
        if card.suit is None:
            return self.say(JOKERS[card])
        return f"{SIGNS[card.suit]}{rank_text(card.rank)}"

    def cards(self, cards: Iterable[Card]) -> str:
        """Cards one after another."""
        # Not to be torn apart at the end of a line.
        return "\u00a0".join(self.card(card) for card in cards) or self("没有牌", "no cards")

    def full(self, card: Card) -> str:
        """A card's full name, for those who cannot see its picture."""
        if card.suit is None:
            return self.say(JOKERS[card])
        return self(
            f"{self.suit(card.suit)}{rank_text(card.rank)}", f"{rank_text(card.rank)} of {self.suit(card.suit)}"
        )

    def trump(self, level: int, suit: str) -> str:
        """``打 5，黑桃主``."""
        return self(f"打 {rank_text(level)}，{self.suit(suit)}主", f"level {rank_text(level)}, {self.suit(suit)} trump")

    def list(self, words: Sequence[str]) -> str:
        """Words as a list."""
        return ("、" if self.lang == "zh" else ", ").join(words)

    def count(self, number: int, zh: str, one: str, many: str) -> str:
        """A number of things: ``3 张``, ``1 card``."""
        return self(f"{number} {zh}", counted(number, one, many))

    def ranks(self, ranks: Iterable[int]) -> str:
        """Ranks as a list: ``3、10``."""
        return self.list([rank_text(rank) for rank in ranks])

    def phase(self, name: str) -> str:
        """A phase of a hand; a plugin's own goes by its id."""
        return self.say(PHASES[name]) if name in PHASES else name

    def status(self, status: str) -> str:
        """On what authority."""
        return self.say(STATUS[status]) if status in STATUS else status

    def stopped(self, text: str) -> str:
        """A sentence with its full stop; in English it begins with a capital."""
        said = text if text.rstrip("）)").endswith(("。", "？", "……", ".", "?", "!")) else text + self("。", ".")
        return said if self.lang == "zh" else said[:1].upper() + said[1:]

    def sentence(self, *clauses: str) -> str:
        """Clauses joined into a sentence with a full stop; empty ones left out."""
        found = [clause for clause in clauses if clause]
        if self.lang == "zh":
            return "，".join(found) + "。" if found else ""
        said = ", ".join(found)
        return said[:1].upper() + said[1:] + "." if found else ""


def plain(value: Any) -> str:
    """An option's value as it stands in a table cell: without line breaks."""
    return " ".join(str(value).split())
