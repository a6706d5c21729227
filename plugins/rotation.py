"""轮庄: who deals next. Rule book section 3.7."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from gunzi import values
from gunzi.errors import Text
from gunzi.hooks import hookimpl
from gunzi.options import Choice
from gunzi.plugin import Plugin
from gunzi.values import Result


class Rotation(Plugin):
    """Attackers with enough points take over (上台), captured or not; with fewer the dealer side deals again (保庄)."""

    id = "gunzi.plugins.rotation"
    version = "1"
    name = Text("轮庄", "The next dealer")
    options = (
        Choice(
            "rotation.hold",
            Text("保庄后谁坐庄", "Who deals after a hold"),
            Text(
                "抓分方没够分，庄家方接着坐庄：谁来坐？",
                "The attackers fell short, so the dealer side deals again: which of the two?",
            ),
            {
                "partner": Text("庄家的对家坐庄。", "The dealer's partner."),
                "same": Text("还是原来的庄家。", "The same dealer."),
            },
            clause="3.7",
        ),
        Choice(
            "rotation.takeover",
            Text("上台后谁坐庄", "Who deals after a take-over"),
            Text(
                "抓分方够分上台，两个人里谁来坐庄？",
                "The attackers had enough and take over: which of the two deals?",
            ),
            {
                "next_seat": Text("庄家的下家坐庄。", "The seat after the dealer."),
                "previous_seat": Text("庄家的上家坐庄。", "The seat before the dealer."),
            },
            clause="3.7",
        ),
    )

    def __init__(self, options: Mapping[str, Any]) -> None:
        super().__init__(options)
        self._threshold: int = self.option("levels.threshold")
        self._hold: int = 2 if self.option("rotation.hold") == "partner" else 0
        self._takeover: int = 1 if self.option("rotation.takeover") == "next_seat" else 3

    @hookimpl
    def next_dealer(self, result: Result) -> values.Rotation:
        """Exactly the threshold is a take-over."""
        if result.attackers_points >= self._threshold:
            return values.Rotation((result.dealer + self._takeover) % 4, True, "rotation.takeover")
        return values.Rotation((result.dealer + self._hold) % 4, False, "rotation.hold")
