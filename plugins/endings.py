"""What ends a round at once, whatever the levels. Rule book section 3.8.

Checked in this order: a shutout (一分不得), a sweep (all 300 points), three big jokers in the bottom, three small ones.
Passing the final level is the ordinary ending; see ``levels.py``.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from gunzi.errors import Text
from gunzi.hooks import hookimpl
from gunzi.options import Choice, Flag
from gunzi.plugin import Plugin
from gunzi.values import Conflict, Ending, Lint, Result

SHUTOUT, SWEEP, THREE_BIG, THREE_SMALL = 1, 2, 3, 4
"""The checking order."""


def _three(id: str, name: Text, zh: str, en: str) -> Choice:
    return Choice(
        id,
        name,
        Text(
            f"底里扣了{zh}，一轮是不是就此结束？干锅里的不是扣的，不算。",
            f"Do {en} in the bottom end the round? In a dry pot they were not buried and do not count.",
        ),
        {
            "none": Text("不结束，只当扣王算。", "No: they count as any buried kings."),
            "attackers": Text(
                "抓分方够分又抠了底，抓分方赢这一轮；庄家方保底的不算。",
                "Attackers with enough points who capture them win the round; holding them does nothing.",
            ),
            "either": Text(
                "抓分方够分又抠底，抓分方赢；没够分又保底，庄家方赢。",
                "Attackers with enough points who capture them win the round; so does a dealer side that holds them while the "
                "attackers fall short.",
            ),
        },
        clause="3.8",
    )


class Endings(Plugin):
    """The four special ways a round can end."""

    id = "gunzi.plugins.endings"
    version = "1"
    name = Text("特殊结局", "Round endings")
    options = (
        Flag(
            "endings.shutout",
            Text("一分不得", "Shutout"),
            Text(
                "抓分方一分没拿到，一轮是不是就此结束？",
                "Does a hand in which the attackers get no points end the round?",
            ),
            true=Text("结束，庄家方赢这一轮。", "Yes: the dealer side wins it."),
            false=Text("不结束，照常升级。", "No: the hand counts as any other."),
            clause="3.8",
        ),
        Flag(
            "endings.sweep",
            Text("拿满分", "Sweep"),
            Text(
                "抓分方拿到全部的分（三副牌 300 分，抠底翻倍的也算在内），一轮是不是就此结束？",
                "Does the round end when the attackers get all the points there are (300 in three packs, a capture's multiple "
                "included)?",
            ),
            true=Text("结束，抓分方赢这一轮。", "Yes: the attackers win it."),
            false=Text("不结束，照常升级。", "No: the hand counts as any other."),
            clause="3.8",
        ),
        _three("endings.three_big", Text("扣三个大王", "Three big jokers"), "三个大王", "three big jokers"),
        _three("endings.three_small", Text("扣三个小王", "Three small jokers"), "三个小王", "three small jokers"),
    )
    lints = {
        "ending-unreachable": Lint(
            Text(
                "底里凑不齐三个一样的王，这个结局不会出现",
                "three equal jokers never lie in the bottom: the ending cannot strike",
            ),
        ),
    }

    def __init__(self, options: Mapping[str, Any]) -> None:
        super().__init__(options)
        self._threshold: int = self.option("levels.threshold")
        self._shutout: bool = self.option("endings.shutout")
        self._sweep: bool = self.option("endings.sweep")
        self._all_points: int = 4 * self.option("deck.packs") * sum(self.option("points").values())

    @hookimpl
    def endings(self, result: Result) -> Sequence[Ending]:
        """All that strike; the first in the checking order decides."""
        points = result.attackers_points
        dealers, attackers = result.side, 1 - result.side
        found = []
        if self._shutout and points == 0:
            found.append(Ending("shutout", dealers, "endings.shutout", SHUTOUT))
        if self._sweep and points >= self._all_points > 0:
            found.append(Ending("sweep", attackers, "endings.sweep", SWEEP))
        if not result.dry:
            big, small = result.kings
            for name, kings, order in (("three_big", big, THREE_BIG), ("three_small", small, THREE_SMALL)):
                if kings < 3:
                    continue
                winner = self._kings_winner(result, self.option(f"endings.{name}"))
                if winner is not None:
                    found.append(Ending(name, winner, f"endings.{name}", order))
        return found

    def _kings_winner(self, result: Result, whom: str) -> int | None:
        enough = result.attackers_points >= self._threshold
        if whom != "none" and enough and result.captured:
            return 1 - result.side
        if whom == "either" and not enough and not result.captured:
            return result.side
        return None

    @hookimpl
    def conflicts(self, options: Mapping[str, Any]) -> Sequence[Conflict]:
        """Three equal jokers need three packs and a bottom that holds them."""
        if options["deck.packs"] >= 3 and options["deck.bottom"] >= 3:
            return ()
        found = []
        for id, usual in (("endings.three_big", "attackers"), ("endings.three_small", "none")):
            if options[id] not in ("none", usual):
                text = Text(
                    "底里凑不齐三个一样的王，这个结局不会出现",
                    "three equal jokers never lie in this table's bottom, so this ending cannot strike",
                )
                found.append(Conflict("ending-unreachable", (id, "deck.packs", "deck.bottom"), text, error=False))
        return found
