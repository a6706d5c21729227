"""常主: ranks that are trump in every hand, besides the jokers. Rule book sections 1 and 2."""

from __future__ import annotations

from gunzi.errors import Text
from gunzi.hooks import hookimpl
from gunzi.options import Ranks
from gunzi.plugin import Plugin


class Permanent(Plugin):
    """The jokers are always trump; so are the 2s, between the level cards and the ace of the trump suit."""

    id = "gunzi.plugins.permanent"
    version = "1"
    name = Text("常主", "Permanent trumps")
    options = (
        Ranks(
            "trump.permanent",
            Text("常主", "Permanent trumps"),
            Text(
                "除了大小王，哪些点数不管打几、什么花色主都是主牌，排在级牌下面、主花色牌上面。最多两个，先写的大；正打到的那一级算级牌。",
                "Which ranks are trump whatever the level and the trump suit, besides the jokers. They rank below the level "
                "cards and above the plain trumps. At most two, the stronger first; where one is the level, it is a level card.",
            ),
            most=2,
            ordered=True,
            clause="2",
        ),
    )

    @hookimpl
    def permanent_ranks(self) -> tuple[int, ...]:
        """The ranks in order of strength."""
        return tuple(self.option("trump.permanent"))
