"""抠底: the attackers win the last trick and with it the bottom's points. Rule book section 2, "Scores"."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from gunzi.errors import Text
from gunzi.hooks import hookimpl
from gunzi.options import Number
from gunzi.plugin import Plugin
from gunzi.values import BottomWorth, Conflict, Lint, Result

USUAL = 2
"""What all texts multiply by."""


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
    lints = {
        "capture-unused": Lint(
            Text("没有底牌，抠底翻倍不起作用", "there is no bottom to multiply"),
        ),
    }

    @hookimpl
    def bottom_worth(self, result: Result) -> BottomWorth:
        """The bottom's points, multiplied."""
        multiplier: int = self.option("capture.multiplier")
        return BottomWorth(result.bottom_points * multiplier)

    @hookimpl
    def conflicts(self, options: Mapping[str, Any]) -> Sequence[Conflict]:
        """Without a bottom there is nothing to multiply."""
        if options["deck.bottom"] or options["capture.multiplier"] == USUAL:
            return ()
        text = Text("没有底牌，抠底没有分可翻", "there is no bottom, so a capture multiplies nothing")
        return (Conflict("capture-unused", ("capture.multiplier", "deck.bottom"), text, error=False),)
