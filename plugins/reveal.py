"""翻底牌定庄: nobody claimed, so the bottom finds the dealer. Rule book section 3.1."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from gunzi import values
from gunzi.cards import Card
from gunzi.errors import Text
from gunzi.hooks import hookimpl
from gunzi.options import Choice
from gunzi.plugin import Plugin
from gunzi.values import Conflict, Lint


class Reveal(Plugin):
    """The seats turn one bottom card each, in playing order from the seat dealt first.

    The lowest (or highest) card makes its turner the dealer and its suit trump. Suits never break a tie: of equal cards
    the one turned earlier counts. When a card is needed and none is left, the hand is dealt again.
    """

    id = "gunzi.plugins.reveal"
    version = "1"
    name = Text("翻底牌定庄", "The reveal")
    options = (
        Choice(
            "reveal.pick",
            Text("翻大还是翻小", "Lowest or highest"),
            Text(
                "没人抢亮大王时四家各翻一张底牌：翻出最小的坐庄，还是最大的坐庄？那张牌的花色就是主。一样大的先翻的算。",
                "When nobody claimed, the four seats turn one bottom card each: does the lowest or the highest make the "
                "dealer? Its suit is trump. Of equal cards the one turned first counts.",
            ),
            {
                "min": Text("翻出最小牌的坐庄。", "The lowest card makes the dealer."),
                "max": Text("翻出最大牌的坐庄。", "The highest card makes the dealer."),
            },
            clause="3.1",
        ),
        Choice(
            "reveal.order",
            Text("翻牌比大小的次序", "The order of turned cards"),
            Text("翻出来的牌怎么比大小。", "How the turned cards compare."),
            {
                "game": Text(
                    "按打牌时的大小：级牌最大，再是常主，然后 A K Q……",
                    "As in play: the level's rank is highest, then the permanent trumps, then A K Q and so on.",
                ),
                "natural": Text("只看点数：2 最小，3、4……A 最大。", "By plain rank: 2 is lowest, then 3, 4 … up to A."),
            },
            clause="3.1",
        ),
        Choice(
            "reveal.jokers",
            Text("翻到王怎么办", "When a joker is turned"),
            Text("翻底牌时翻到了王怎么算。", "What happens when a seat turns a joker."),
            {
                "redraw": Text(
                    "王放一边，这家接着翻下一张，直到翻出花色牌；底牌不够就重新洗牌。",
                    "The joker is set aside and the same seat turns the next card; when the bottom runs out, the hand is "
                    "dealt again.",
                ),
                "high": Text(
                    "王算最大，大王大过小王。要是王定了庄，就接着翻，翻到的第一张花色牌定主；翻不到就重新洗牌。",
                    "A joker is the highest card, the big above the small. If a joker makes the dealer, further cards are "
                    "turned and the first suited one names trump; if there is none, the hand is dealt again.",
                ),
            },
            clause="3.1",
        ),
    )
    lints = {
        "reveal-short-bottom": Lint(
            Text("底牌不到四张，不够四家各翻一张", "the bottom does not give the four seats a card each to turn"),
        ),
    }

    def __init__(self, options: Mapping[str, Any]) -> None:
        super().__init__(options)
        self._max: bool = self.option("reveal.pick") == "max"
        self._game: bool = self.option("reveal.order") == "game"
        self._redraw: bool = self.option("reveal.jokers") == "redraw"
        self._permanent: list[int] = self.option("trump.permanent")

    @hookimpl
    def reveal(self, level: int, first: int, turned: Sequence[tuple[int, Card]]) -> values.Reveal:
        """Who turns next, or who deals in which suit."""
        counted = [(seat, card) for seat, card in turned if not card.is_joker] if self._redraw else turned[:4]
        if len(counted) < 4:
            again = self._redraw and bool(turned) and turned[-1][1].is_joker
            by = "reveal.jokers" if again else "reveal.pick"
            return values.Reveal(turn=(first + len(counted)) % 4, by=by)

        strengths = [self._strength(card, level) for _, card in counted[:4]]
        wanted = max(strengths) if self._max else min(strengths)
        dealer, card = counted[strengths.index(wanted)]  # index: the earlier of equal cards
        if card.suit:
            return values.Reveal(dealer=dealer, suit=card.suit)
        for _, further in turned[4:]:
            if further.suit:
                return values.Reveal(dealer=dealer, suit=further.suit, by="reveal.jokers")
        return values.Reveal(turn=dealer, by="reveal.jokers")

    def _strength(self, card: Card, level: int) -> int:
        if card.is_joker or not self._game:
            return 100 + card.rank if card.is_joker else card.rank
        if card.rank == level:
            return 50
        if card.rank in self._permanent:
            return 40 - self._permanent.index(card.rank)
        return card.rank

    @hookimpl
    def conflicts(self, options: Mapping[str, Any]) -> Sequence[Conflict]:
        """Four seats cannot turn a card each from a bottom of fewer."""
        if options["deck.bottom"] >= 4:
            return ()
        text = Text(
            f"底牌只有 {options['deck.bottom']} 张，不够四家各翻一张：没人抢亮就只能一直重新洗牌",
            f"a bottom of {options['deck.bottom']} does not give the four seats a card each: whenever nobody claims, the "
            "hand is dealt again",
        )
        return (Conflict("reveal-short-bottom", ("deck.bottom",), text, error=False),)
