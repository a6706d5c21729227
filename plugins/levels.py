"""升级: who levels up, by how much, and how far. Rule book section 3.7."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from gunzi.cards import rank_text
from gunzi.errors import Text
from gunzi.hooks import hookimpl
from gunzi.options import Choice, KingCounts, Number, Rank, Ranks
from gunzi.plugin import Plugin
from gunzi.values import Climb, Conflict, LevelUp, Lint, Result


class Levels(Plugin):
    """Attackers level up with enough points *and* a capture, the dealer side when they had neither.

    One level, and more for kings buried in the bottom. A climb stops at a must-play level; passing the final level wins the
    round.
    """

    id = "gunzi.plugins.levels"
    version = "1"
    name = Text("升级", "Levels")
    options = (
        Number(
            "levels.threshold",
            Text("多少分上台", "Points for a take-over"),
            Text(
                "抓分方要拿够多少分才能上台坐庄。升级、轮庄、出血、三个王的特殊结局都看这个数；正好拿到也算够。",
                "How many points the attackers need to take over. Levels, rotation, tribute and the king endings all go by it; "
                "exactly as many is enough.",
            ),
            5,
            300,
            step=5,
            unit=Text("分", "points"),
            clause="3.7",
        ),
        KingCounts(
            "levels.kings",
            Text("一个王追加几级", "Levels for a king"),
            Text(
                "升级的一方，底里每个大王、小王再追加几级。干锅里的王不算。",
                "How many levels more a side that levels up gets for each big and small joker in the bottom; none in a dry pot.",
            ),
            clause="3.7",
        ),
        Rank(
            "levels.start",
            Text("从几打起", "First level"),
            Text("一轮从几打起，双方都从这一级开始。", "The level both sides start a round with."),
            clause="3.7",
        ),
        Rank(
            "levels.final",
            Text("打到几为止", "Final level"),
            Text(
                "一轮的最后一级，先打过它的一方赢这一轮。",
                "The last level of a round: the side that passes it first wins.",
            ),
            clause="3.7",
        ),
        Ranks(
            "levels.must_play",
            Text("必打", "Must-play levels"),
            Text(
                "哪几级逢到必打：一次升好几级时，升到这一级就得停下，多的级数作废。",
                "Levels that may not be jumped over: a climb of several levels stops there and the rest is lost.",
            ),
            clause="3.7",
        ),
        Choice(
            "levels.must_play_as",
            Text("必打的级怎么过", "Leaving a must-play level"),
            Text(
                "站在必打的级上，是不是非得自己坐庄打过才能升？",
                "May a side standing on a must-play level leave it as attackers, or only as the dealer side?",
            ),
            {
                "either": Text("坐庄、抓分升级都行。", "By any level-up, as attackers too."),
                "dealer": Text(
                    "必须坐庄打过；抓分时该升的级作废，只上台。",
                    "Only by a level-up as the dealer side: attackers lose the level-up altogether and just take over.",
                ),
            },
            clause="3.7",
        ),
        Choice(
            "levels.win",
            Text("打到就赢还是打过才赢", "Pass it or reach it"),
            Text(
                "最后一级是打过去才赢，还是升到就赢。", "Is a round won by passing the final level, or by reaching it?"
            ),
            {
                "pass": Text("要打过：站在最后一级上再升级才赢。", "Passing it: the final level itself is played."),
                "reach": Text("升到最后一级就赢，不用再打。", "Reaching it: it is not played."),
            },
            clause="3.7",
        ),
    )
    lints = {
        "levels-start-final": Lint(
            Text("起打的级比最后一级还高", "the first level lies above the final one"),
            error=True,
        ),
        "levels-must-play-range": Lint(
            Text("必打的级不在起打的级和最后一级之间", "a must-play level lies outside of the round's levels"),
            error=True,
        ),
        "must-play-as-unused": Lint(
            Text(
                "没有必打的级，必须坐庄打过不起作用", "there is no must-play level to be left as the dealer side only"
            ),
        ),
        "threshold-above-points": Lint(
            Text("全部分牌加起来也不到上台的分", "all the cards hold fewer points than the threshold"),
        ),
        "win-reach-unused": Lint(
            Text(
                "从最后一级打起，打到就赢不起作用",
                "a round starts on its final level, which is never reached by levelling up",
            ),
        ),
    }

    def __init__(self, options: Mapping[str, Any]) -> None:
        super().__init__(options)
        self._threshold: int = self.option("levels.threshold")
        self._kings: dict[str, int] = self.option("levels.kings")
        self._final: int = self.option("levels.final")
        self._must_play = frozenset(self.option("levels.must_play"))
        self._dealer_only: bool = self.option("levels.must_play_as") == "dealer"
        self._reach: bool = self.option("levels.win") == "reach"

    @hookimpl
    def start_level(self) -> int:
        """Where both sides begin."""
        level: int = self.option("levels.start")
        return level

    @hookimpl
    def level_up(self, result: Result) -> LevelUp | None:
        """Score and last trick have to agree: one without the other levels nobody up."""
        enough = result.attackers_points >= self._threshold
        if enough != result.captured:
            return None
        side = 1 - result.side if enough else result.side
        earned = 1
        if not result.dry:
            big, small = result.kings
            earned += big * self._kings["big"] + small * self._kings["small"]
        return LevelUp(side, earned)

    @hookimpl
    def climb(self, level: int, earned: int, as_dealer: bool) -> Climb:
        """Level by level, until the levels are used up, a must-play level stops the climb, or the round is won."""
        if self._dealer_only and not as_dealer and level in self._must_play:
            return Climb(level, 0, lost=True, by="levels.must_play_as")
        for climbed in range(1, earned + 1):
            if level >= self._final:
                return Climb(self._final, climbed, passed=True, by="levels.final")
            level += 1
            if self._reach and level == self._final:
                return Climb(level, climbed, passed=True, by="levels.win")
            if level in self._must_play and climbed < earned:
                return Climb(level, climbed, by="levels.must_play")
        return Climb(level, earned, by="levels.threshold")

    @hookimpl
    def conflicts(self, options: Mapping[str, Any]) -> Sequence[Conflict]:
        """The levels of a round must be in order, and the threshold within reach."""
        found = []
        start, final = options["levels.start"], options["levels.final"]
        if start > final:
            text = Text(
                f"从 {rank_text(start)} 打起，最后一级 {rank_text(final)} 却在它前面",
                f"a round starts at {rank_text(start)}, above its final level {rank_text(final)}",
            )
            found.append(Conflict("levels-start-final", ("levels.start", "levels.final"), text))
        outside = [rank for rank in options["levels.must_play"] if not start <= rank <= final]
        if start <= final and outside:
            named = [rank_text(rank) for rank in outside]
            text = Text(
                f"从 {rank_text(start)} 打到 {rank_text(final)}，打不到必打的 {'、'.join(named)}",
                f"a round goes from {rank_text(start)} to {rank_text(final)} and never meets the must-play {', '.join(named)}",
            )
            found.append(Conflict("levels-must-play-range", ("levels.must_play", "levels.start", "levels.final"), text))
        if options["levels.must_play_as"] == "dealer" and not options["levels.must_play"]:
            text = Text(
                "没有必打的级，也就没有必须坐庄打过的级",
                "there is no must-play level to be left as the dealer side only",
            )
            found.append(
                Conflict("must-play-as-unused", ("levels.must_play_as", "levels.must_play"), text, error=False)
            )
        if options["levels.win"] == "reach" and start == final:
            text = Text(
                f"一上来就站在最后一级 {rank_text(final)} 上，没有“打到就赢”这回事",
                f"a round starts on its final level {rank_text(final)}, so it is never reached by levelling up",
            )
            found.append(
                Conflict("win-reach-unused", ("levels.win", "levels.start", "levels.final"), text, error=False)
            )
        total = 4 * options["deck.packs"] * sum(options["points"].values())
        if 0 < total < options["levels.threshold"]:
            text = Text(
                f"全部分牌才 {total} 分，抓分方不靠抠底翻倍到不了 {options['levels.threshold']} 分",
                f"all the cards hold {total} points, so without a capture's multiple the attackers never reach "
                f"{options['levels.threshold']}",
            )
            named_options = ("levels.threshold", "points", "deck.packs")
            found.append(Conflict("threshold-above-points", named_options, text, error=False))
        return found
