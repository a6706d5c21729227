"""分牌: what a card is worth. Rule book section 2."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from gunzi.cards import parse_rank
from gunzi.errors import Text
from gunzi.hooks import hookimpl
from gunzi.options import RankPoints
from gunzi.plugin import Plugin
from gunzi.values import Conflict, Lint


class Points(Plugin):
    """The attackers play for points: 5 is worth 5, 10 and K are worth 10, 300 in three packs."""

    id = "gunzi.plugins.points"
    version = "1"
    name = Text("分牌", "Point cards")
    options = (
        RankPoints(
            "points",
            Text("分牌", "Point cards"),
            Text(
                "哪些点数带分、各值几分（5 的倍数）。分牌不能从底牌里捡，一般也不还贡。没写的点数不带分。",
                "Which ranks are worth points, and how many (multiples of 5). Point cards are never picked out of the bottom "
                "and as a rule not given back as tribute. A rank not named is worth nothing.",
            ),
            clause="2",
        ),
    )
    lints = {
        "no-points": Lint(
            Text("一张分牌都没有", "no card is worth anything"),
        ),
    }

    def __init__(self, options: Mapping[str, Any]) -> None:
        super().__init__(options)
        self._points: dict[int, int] = {parse_rank(rank): points for rank, points in self.option("points").items()}

    @hookimpl
    def card_points(self, rank: int) -> int:
        """Points of a rank; jokers and ranks not named are worth nothing."""
        return self._points.get(rank, 0)

    @hookimpl
    def conflicts(self, options: Mapping[str, Any]) -> Sequence[Conflict]:
        """Without any points the attackers can only ever have none."""
        if options["points"] or not options["endings.shutout"]:
            return ()
        text = Text(
            "一张分牌都没有，抓分方永远是 0 分，每把都算一分不得，当场结束一轮",
            "no card is worth anything, so the attackers always have 0 and every hand ends the round as a shutout",
        )
        return (Conflict("no-points", ("points", "endings.shutout"), text, error=False),)
