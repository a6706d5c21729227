"""A house rule gunzi does not have: capturing the bottom with a pair or a triple multiplies its points further.

抠底看最后一手：用棒子抠底再翻一倍，用滚子抠底翻三倍。
"""

from __future__ import annotations

from gunzi import Plugin, Text, hookimpl
from gunzi.options import Choice
from gunzi.values import BottomWorth, Result


class LastPlay(Plugin):
    """Answers ``bottom_worth`` in place of the built-in plugin, and keeps its option ``capture.multiplier``."""

    id = "gunzi-last-play"
    version = "1"
    name = Text("抠底看最后一手", "Captures by the last play")
    replaces = ("gunzi.plugins.capture",)
    options = (
        Choice(
            "capture.last_play",
            Text("抠底看不看最后一手", "Does the last play count?"),
            Text(
                "抠底的倍数跟不跟着最后一手牌的张数走。",
                "Whether the size of the last play multiplies a capture further.",
            ),
            {
                "ignored": Text("不看，怎么抠都一样。", "No: every capture is worth the same."),
                "multiplies": Text("棒子再乘二，滚子再乘三。", "Yes: by two for a pair, by three for a triple."),
            },
        ),
    )
    defaults = {"capture.last_play": "ignored"}

    @hookimpl
    def bottom_worth(self, result: Result) -> BottomWorth:
        """The bottom's points after both multipliers."""
        points = result.bottom_points * self.option("capture.multiplier")
        if self.option("capture.last_play") == "ignored":
            return BottomWorth(points)
        return BottomWorth(points * len(result.last_play), by="capture.last_play")
