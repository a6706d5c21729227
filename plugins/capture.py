"""抠底: the attackers win the last trick and with it the bottom's points. Rule book section 2, "Scores"."""

from __future__ import annotations

from gunzi.errors import Text
from gunzi.hooks import hookimpl
from gunzi.options import Number
from gunzi.plugin import Plugin
from gunzi.values import BottomWorth, Result


class Capture(Plugin):
    """A capture is worth the bottom's points times the multiplier, whatever the size of the last play."""

    id = "gunzi.plugins.capture"
    version = "1"
    name = Text("抠底", "Capturing the bottom")
    options = (
        Number(
            "capture.multiplier",
            Text("抠底翻几倍", "What a capture multiplies by"),
            Text(
                "抠底时底牌的分翻几倍算给抓分方。不论用几张牌抠底都一样。",
                "By how much the bottom's points are multiplied for attackers who win the last trick, whether it was won with "
                "a single, a pair or a triple.",
            ),
            1,
            8,
            unit=Text("倍", "times"),
            clause="2",
        ),
    )

    @hookimpl
    def bottom_worth(self, result: Result) -> BottomWorth:
        """The bottom's points, multiplied."""
        multiplier: int = self.option("capture.multiplier")
        return BottomWorth(result.bottom_points * multiplier)
