"""亮主 and 反: naming the trump suit in every hand but the first. Rule book section 3.2."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from gunzi.cards import BIG, CARDS, LITTLE, SUITS, Card, rank_text
from gunzi.errors import Text
from gunzi.hooks import hookimpl
from gunzi.options import Flag
from gunzi.plugin import Plugin
from gunzi.values import Bid, Conflict, Lint, Reason

SMALL_JOKERS, BIG_JOKERS = 4, 5
"""How strong three equal jokers are; level cards are as strong as they are many."""

NOT_AS_AN_OPENING = Text(
    "还没人亮级牌，三个王不能先亮，只能用来反", "Nobody has declared yet: three jokers may overturn but not open"
)


class Declare(Plugin):
    """One to three identical level cards name their suit; more overturn fewer, and three equal jokers overturn them all.

    Three big jokers beat three small ones. Jokers name any suit; there is no no-trump. Anybody may overturn in any suit,
    the declarer included, who may also reinforce his own suit with more cards.
    """

    id = "gunzi.plugins.declare"
    version = "1"
    name = Text("亮主", "Declaring")
    options = (
        Flag(
            "declare.jokers_may_open",
            Text("三个王能不能先亮", "Jokers as the first declaration"),
            Text(
                "还没人亮主的时候，三个一样的王能不能直接亮？",
                "May three equal jokers be the first declaration, before anybody showed a level card?",
            ),
            true=Text(
                "能：三个王可以先亮，也可以反，花色随便叫。",
                "Yes: three jokers may open as well as overturn, in any suit.",
            ),
            false=Text(
                "不能：三个王只能用来反别人的级牌。", "No: three jokers only overturn a declaration that stands."
            ),
            clause="3.2",
        ),
    )
    rules = {
        "declare.level_cards": Text(
            "亮主要用级牌：这把打 {level}，就亮 {level}", "Declare with level cards: the level is {level}"
        ),
        "declare.identical": Text(
            "亮主要用一到三张一样的级牌，或者三张一样的王",
            "A declaration is one to three identical level cards, or three equal jokers",
        ),
        "declare.strength": Text(
            "反不动：张数要比亮着的多；三个小王能反级牌，三个大王能反小王",
            "Not strong enough: it takes more cards than stand; three small jokers beat level cards, three big ones beat small",
        ),
        "declare.suit": Text(
            "花色不对：级牌只能叫自己的花色，三个王要叫黑红梅方里的一个，不能叫无主",
            "The wrong suit: level cards name their own, three jokers name one of the four suits, never no-trump",
        ),
    }
    lints = {
        "jokers-may-open-unused": Lint(
            Text("不到三副牌，凑不出三个一样的王", "with fewer than three packs nobody holds three equal jokers"),
        ),
    }

    def __init__(self, options: Mapping[str, Any]) -> None:
        super().__init__(options)
        self._jokers_may_open: bool = self.option("declare.jokers_may_open")
        self._reasons: dict[tuple[str, str], Reason] = {}
        self._table = {level: _all_bids(level) for level in range(2, 15)}

    @hookimpl
    def bids(self, level: int, held: Sequence[int]) -> Sequence[tuple[tuple[Card, ...], str]]:
        """Singles, pairs and triples of level cards by suit, then three small and three big jokers by suit."""
        return [bid for kind, count, bid in self._table[level] if held[kind] >= count]

    @hookimpl
    def judge_bid(self, level: int, cards: Sequence[Card], suit: str | None, standing: Bid | None) -> Reason | None:
        """First what the cards are, then the suit they name, then what they overturn."""
        if not cards:
            return self._reason("declare.identical")
        jokers = all(card.is_joker for card in cards)
        if not jokers and any(card.rank != level for card in cards):
            return self._reason("declare.level_cards", level=rank_text(level))
        if len(set(cards)) > 1 or len(cards) > 3 or (jokers and len(cards) < 3):
            return self._reason("declare.identical")
        if suit not in (tuple(SUITS) if jokers else (None, cards[0].suit)):
            return self._reason("declare.suit")
        if standing is None:
            if jokers and not self._jokers_may_open:
                return Reason("declare.jokers_may_open", NOT_AS_AN_OPENING)
        elif _strength(cards) <= _strength(standing.cards):
            return self._reason("declare.strength")
        return None

    def _reason(self, rule: str, level: str = "") -> Reason:
        """Made once: a seat's possibilities are judged many times in a deal."""
        found = self._reasons.get((rule, level))
        if found is None:
            found = self._reasons[rule, level] = self.reason(rule, level=level)
        return found

    @hookimpl
    def draw_suit(self, card: Card) -> str:
        """Nobody declared: a drawn card's suit is trump, a joker is drawn again."""
        return card.suit or ""

    @hookimpl
    def conflicts(self, options: Mapping[str, Any]) -> Sequence[Conflict]:
        """Three equal jokers need three packs."""
        if options["deck.packs"] >= 3 or not options["declare.jokers_may_open"]:
            return ()
        text = Text("不到三副牌，没有三个一样的王可亮", "with fewer than three packs nobody holds three equal jokers")
        options_named = ("declare.jokers_may_open", "deck.packs")
        return (Conflict("jokers-may-open-unused", options_named, text, error=False),)


def _strength(cards: Sequence[Card]) -> int:
    if cards[0].is_joker:
        return BIG_JOKERS if cards[0].kind == BIG else SMALL_JOKERS
    return len(cards)


def _all_bids(level: int) -> list[tuple[int, int, tuple[tuple[Card, ...], str]]]:
    """All declarations at a level, ascending: (the kind needed, how many of it, the declaration)."""
    found = []
    for count in (1, 2, 3):
        for place, suit in enumerate(SUITS):
            kind = place * 13 + level - 2
            found.append((kind, count, ((CARDS[kind],) * count, suit)))
    for kind in (LITTLE, BIG):
        for suit in SUITS:
            found.append((kind, 3, ((CARDS[kind],) * 3, suit)))
    return found
