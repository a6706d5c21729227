"""常主: ranks that are trump in every hand, besides the jokers. Rule book sections 1 and 2."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from gunzi.cards import rank_text
from gunzi.errors import Text
from gunzi.hooks import hookimpl
from gunzi.options import Ranks
from gunzi.plugin import Plugin
from gunzi.values import Conflict, Lint


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
    lints = {
        "permanent-in-climb": Lint(
            Text("常主的点数正好也是要打的级", "a permanent trump is a level of the round"),
        ),
    }

    @hookimpl
    def permanent_ranks(self) -> tuple[int, ...]:
        """The ranks in order of strength."""
        return tuple(self.option("trump.permanent"))

    @hookimpl
    def conflicts(self, options: Mapping[str, Any]) -> Sequence[Conflict]:
        """A permanent rank that is played as a level is then a level card."""
        start, final = options["levels.start"], options["levels.final"]
        both = [rank for rank in options["trump.permanent"] if start <= rank <= final]
        if not both:
            return ()
        named = [rank_text(rank) for rank in both]
        text = Text(
            f"常主 {'、'.join(named)} 也是要打的级：打到它那把，它算级牌，不算常主",
            f"the permanent trump {' and '.join(named)} is a level of the round too: in that hand it is the level card",
        )
        return (Conflict("permanent-in-climb", ("trump.permanent", "levels.start", "levels.final"), text, error=False),)
