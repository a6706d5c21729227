"""记分: what a hand adds to the four players' sheets. Rule book section 3.9."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from gunzi.errors import Text
from gunzi.hooks import hookimpl
from gunzi.options import Choice
from gunzi.plugin import Plugin
from gunzi.values import Conflict, Lint, Outcome, Owed, ScorePart

TAKEOVER, LEVEL, SPECIAL, ROUND = 1, 3, 50, 1
"""What each comes to, for each player of the side; the other side loses as much, except for a round."""


class Scoring(Plugin):
    """Points for take-overs, levels and tribute, or one for each round won.

    A hold without a level-up is worth nothing. A round that ends at once (a shutout, a sweep, three kings) counts 50 instead
    of the hand's own result; tribute paid in that hand stands. Passing the final level is an ordinary level-up.
    """

    id = "gunzi.plugins.scoring"
    version = "1"
    name = Text("记分", "The score sheet")
    options = (
        Choice(
            "scoring.scheme",
            Text("怎么记分", "Scheme"),
            Text("记分表怎么记：把把记分，还是只记赢了几轮。", "Is every hand scored, or only rounds won?"),
            {
                "points": Text(
                    "把把记：上台 1 分，升一级 3 分，进贡一张 1 分，特殊结局 50 分，对方减同样的分。",
                    "Every hand: 1 for a take-over, 3 for each level, 1 for each card of tribute, 50 for a special ending; the "
                    "other side loses as much.",
                ),
                "rounds": Text(
                    "只记轮：哪方赢了一轮，两个人各加 1 分，别的都不算。",
                    "Rounds only: 1 for each player of the side that wins a round, nothing else.",
                ),
            },
            clause="3.9",
        ),
        Choice(
            "scoring.levels",
            Text("升级的分按哪个算", "Which levels count"),
            Text(
                "在必打的级上停住，多出来的级数还算不算分。",
                "Do levels that are lost at a must-play stop count on the sheet?",
            ),
            {
                "climbed": Text(
                    "按实际升的级算；打过最后一级算一级。", "No: only levels climbed; passing the final level is one."
                ),
                "earned": Text("按该升的级算，停住作废的也算。", "Yes: all levels earned."),
            },
            clause="3.9",
        ),
        Choice(
            "scoring.tribute_for",
            Text("进贡的分记给谁", "Whose sheet tribute moves"),
            Text(
                "进贡减分、吃贡加分，是双方四个人都记，还是只记进贡和收贡的两个人。",
                "Does a card of tribute move the sheets of both sides, or only of the two players?",
            ),
            {
                "side": Text("双方四个人都记。", "All four: each player of the paying and of the receiving side."),
                "player": Text("只记进贡的和收贡的两个人。", "Only the payer and the receiver."),
            },
            clause="3.9",
        ),
    )
    lints = {
        "scoring-unused": Lint(
            Text("只记轮数，记分的细节不起作用", "only rounds are counted: the finer points of scoring have no effect"),
        ),
    }

    def __init__(self, options: Mapping[str, Any]) -> None:
        super().__init__(options)
        self._rounds: bool = self.option("scoring.scheme") == "rounds"
        self._earned: bool = self.option("scoring.levels") == "earned"
        self._per_player: bool = self.option("scoring.tribute_for") == "player"

    @hookimpl
    def score_parts(self, outcome: Outcome) -> Sequence[ScorePart]:
        """The parts that are not zero: tribute, then the ending or else take-over and levels."""
        if self._rounds:
            if outcome.round_won_by is None:
                return ()
            what = Text("赢了一轮", "a round won")
            return (ScorePart(_for_side(outcome.round_won_by, ROUND, 0), what, "scoring.scheme"),)
        parts = []
        paid = outcome.result.tribute_paid
        if paid is not None and paid.count:
            what = Text(f"进贡 {paid.count} 张", f"cards of tribute: {paid.count}")
            parts.append(ScorePart(self._tribute(paid), what, "scoring.tribute_for"))
        if outcome.ending not in (None, "final_level") and outcome.round_won_by is not None:
            what = Text("特殊结局", "a special ending")
            parts.append(ScorePart(_for_side(outcome.round_won_by, SPECIAL, -SPECIAL), what, "scoring.scheme"))
            return parts
        if outcome.result.takeover:
            what = Text("上台", "a take-over")
            parts.append(ScorePart(_for_side(1 - outcome.result.side, TAKEOVER, -TAKEOVER), what, "scoring.scheme"))
        levels = self._levels(outcome)
        if levels and outcome.level_up is not None:
            what = Text(f"升 {levels} 级", f"levels: {levels}")
            each = LEVEL * levels
            parts.append(ScorePart(_for_side(outcome.level_up.side, each, -each), what, "scoring.levels"))
        return parts

    def _levels(self, outcome: Outcome) -> int:
        """Levels that count; a level-up lost altogether (must-play left as attackers) is none."""
        if outcome.level_up is None or outcome.climb is None or outcome.climb.lost:
            return 0
        return outcome.level_up.earned if self._earned else outcome.climb.climbed

    def _tribute(self, paid: Owed) -> tuple[int, int, int, int]:
        if not self._per_player:
            return _for_side(paid.receiver % 2, paid.count, -paid.count)
        scores = [0, 0, 0, 0]
        scores[paid.giver] -= paid.count
        scores[paid.receiver] += paid.count
        return scores[0], scores[1], scores[2], scores[3]

    @hookimpl
    def conflicts(self, options: Mapping[str, Any]) -> Sequence[Conflict]:
        """Where only rounds count, the finer points of the other scheme decide nothing."""
        if options["scoring.scheme"] == "points":
            return ()
        unused = [
            id for id, usual in (("scoring.levels", "climbed"), ("scoring.tribute_for", "side")) if options[id] != usual
        ]
        if not unused:
            return ()
        text = Text("只记轮数，升级和进贡都不记分", "only rounds are counted, so neither levels nor tribute score")
        return (Conflict("scoring-unused", ("scoring.scheme", *unused), text, error=False),)


def _for_side(side: int, own: int, other: int) -> tuple[int, int, int, int]:
    """Scores of the four seats: ``own`` for both players of ``side``, ``other`` for the rest."""
    even, odd = (own, other) if side == 0 else (other, own)
    return even, odd, even, odd
