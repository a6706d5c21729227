"""称号: the title a total score carries. Rule book section 3.9."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from gunzi import options
from gunzi.errors import Text
from gunzi.hooks import hookimpl
from gunzi.plugin import Plugin
from gunzi.values import Conflict, Lint


class Titles(Plugin):
    """From 赤脚 to 神: the last title whose score is reached; below the first one, the first."""

    id = "gunzi.plugins.titles"
    version = "1"
    name = Text("称号", "Titles")
    options = (
        options.Titles(
            "titles",
            Text("称号", "Titles"),
            Text(
                "总分到多少叫什么称号，写成 [起始分, 称号] 的列表；不到第一档的也用第一档。空着就没有称号。",
                "Which title a player's total score carries: a list of [from, title]. Scores below the first carry the first; "
                "an empty list means that there are no titles.",
            ),
            clause="3.9",
        ),
    )
    lints = {
        "titles-with-rounds": Lint(
            Text("有称号，可是只记轮数，积分涨不到那里", "there are titles, but scores count rounds only"),
        ),
    }

    @hookimpl
    def title(self, score: int) -> str:
        """The highest title reached, or an empty text."""
        found = ""
        for start, title in self.option("titles"):
            if found and start > score:
                break
            found = title
        return found

    @hookimpl
    def conflicts(self, options: Mapping[str, Any]) -> Sequence[Conflict]:
        """Titles are for points: a score of rounds does not climb that far."""
        if not options["titles"] or options["scoring.scheme"] != "rounds":
            return ()
        text = Text(
            "这桌只记轮数，赢一轮才加 1，称号按积分定，很难涨上去",
            "this table counts rounds, 1 for each that is won; titles are for scores of points",
        )
        return (Conflict("titles-with-rounds", ("titles", "scoring.scheme"), text, error=False),)
