"""What is dealt: packs, cards a seat, cards in the bottom (底牌). Rule book section 2."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from gunzi import values
from gunzi.cards import KINDS
from gunzi.errors import Text
from gunzi.hooks import hookimpl
from gunzi.options import Number
from gunzi.plugin import Plugin
from gunzi.values import Conflict, Lint
from gunzi.wording import counted

CARDS = Text("张", "cards")


class Deck(Plugin):
    """How many cards there are and where they go. 打滚子 is three packs: 39 cards each, six in the bottom."""

    id = "gunzi.plugins.deck"
    version = "1"
    name = Text("牌数", "The deck")
    options = (
        Number(
            "deck.packs",
            Text("几副牌", "Packs"),
            Text(
                "用几副扑克。三副才有滚子；少于三副就没有三张一样的牌。",
                "How many packs are used. Only three packs make triples: with fewer there are no three equal cards.",
            ),
            1,
            3,
            unit=Text("副", "packs"),
            clause="2",
        ),
        Number(
            "deck.hand",
            Text("每人几张", "Cards in hand"),
            Text(
                "每人摸几张牌。四家的牌加上底牌必须正好是全部的牌。",
                "How many cards each seat is dealt. The four hands and the bottom must come to all the cards there are.",
            ),
            1,
            40,
            unit=CARDS,
            clause="2",
        ),
        Number(
            "deck.bottom",
            Text("底牌几张", "Cards in the bottom"),
            Text(
                "留几张底牌，庄家扣底也扣这么多。",
                "How many cards are left undealt as the bottom; the dealer buries as many.",
            ),
            0,
            158,
            unit=CARDS,
            clause="2",
        ),
    )
    lints = {
        "deck-size": Lint(
            Text("四家的牌加上底牌，和几副牌对不上", "hands and bottom do not come to the packs"),
            error=True,
        ),
    }

    @hookimpl
    def deck(self) -> values.Deck:
        """Every kind once a pack."""
        packs: int = self.option("deck.packs")
        return values.Deck((packs,) * KINDS, self.option("deck.hand"), self.option("deck.bottom"))

    @hookimpl
    def conflicts(self, options: Mapping[str, Any]) -> Sequence[Conflict]:
        """Hands and bottom must use up the packs exactly."""
        packs, hand, bottom = options["deck.packs"], options["deck.hand"], options["deck.bottom"]
        there, used = KINDS * packs, 4 * hand + bottom
        if there == used:
            return ()
        text = Text(
            f"{packs} 副牌一共 {there} 张，可是四家各 {hand} 张加底牌 {bottom} 张是 {used} 张，对不上",
            f"{counted(packs, 'pack is', 'packs are')} {there} cards, but four hands of {hand} and a bottom of {bottom} are {used}",
        )
        return (Conflict("deck-size", ("deck.packs", "deck.hand", "deck.bottom"), text),)
