"""抢亮大王: who deals the first hand of a round. Rule book section 3.1."""

from __future__ import annotations

from gunzi.errors import Text
from gunzi.hooks import hookimpl
from gunzi.options import Choice
from gunzi.plugin import Plugin
from gunzi.values import BIG_JOKER, ClaimRule


class FirstDealer(Plugin):
    """In the first hand a big joker makes the dealer, and the next suited card that seat is dealt makes the trump suit.

    Jokers are skipped; level cards and permanent trumps are suited cards. Where no suited card is left to come, bottom
    cards are turned in order until one is; where all of them are jokers, the hand is dealt again.
    """

    id = "gunzi.plugins.first_dealer"
    version = "1"
    name = Text("抢亮大王", "The claim")
    options = (
        Choice(
            "first_dealer.claim",
            Text("第一把怎么抢庄", "How the first deal is claimed"),
            Text(
                "第一把谁坐庄：大王是要自己亮出来，还是摸到就算。",
                "Who deals the first hand: must a big joker be shown, or is drawing it enough?",
            ),
            {
                "optional": Text(
                    "抢亮：摸到大王的随时可以亮，谁先亮谁坐庄，别人反不了；亮完再摸的第一张花色牌定主。不亮也行。",
                    "Whoever holds a big joker may show it at any time of the deal. The first to show deals and cannot be "
                    "overturned; the next suited card he is dealt names the trump suit. Nobody has to show.",
                ),
                "automatic": Text(
                    "先摸到就算：第一个摸到大王的直接坐庄，他再摸的第一张花色牌定主。",
                    "The first seat dealt a big joker deals, without choice; the next suited card it is dealt names the "
                    "trump suit.",
                ),
            },
            clause="3.1",
        ),
    )

    @hookimpl
    def claims(self) -> ClaimRule:
        """One big joker is enough."""
        return ClaimRule((BIG_JOKER,), self.option("first_dealer.claim") == "automatic")
