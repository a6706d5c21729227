"""Two rules that 打滚子 can borrow from 升级: what a capture multiplies by, and how far a score carries.

抠底看最后一手：单张翻两倍，棒子翻四倍，滚子翻六倍。升级看分：过上台线以后每多 40 分多升一级，差 40 分少升一级。
"""

from __future__ import annotations

from collections.abc import Generator, Mapping, Sequence
from typing import Any

from gunzi import Plugin, Text, hookimpl
from gunzi.options import Number
from gunzi.values import BottomWorth, Conflict, LevelUp, Lint, Result

TIMES = Text("倍", "times")
SIZES = ("koudi.single", "koudi.pair", "koudi.triple")
STEP = "koudi.level_step"
UNUSED = "koudi-multiplier-unused"
COMMON_UNUSED = Text(
    "单张、棒子、滚子抠底各有各的倍数，capture.multiplier 不起作用了",
    "every size of the last play has its own multiplier, so capture.multiplier decides nothing",
)


def _times(id: str, zh: str, en: str) -> Number:
    return Number(
        id,
        Text(f"{zh}抠底翻几倍", f"A capture with a {en}"),
        Text(
            f"最后一手用{zh}抠底，底牌的分翻几倍？0：照 capture.multiplier。",
            f"What the bottom's points are multiplied by when the last trick is won with a {en}; 0: as capture.multiplier says.",
        ),
        0,
        16,
        unit=TIMES,
    )


class KoudiMultiplier(Plugin):
    """Answers ``bottom_worth`` itself, and wraps ``level_up``: where its step is 0, the built-in rule stands.

    Of the two plugins it meets there it ``replaces`` only the one whose answer is not wanted any more.
    """

    id = "gunzi-koudi-multiplier"
    version = "1"
    name = Text("抠底倍数和按分升级", "Captures by size, levels by score")
    replaces = ("gunzi.plugins.capture",)
    options = (
        _times(SIZES[0], "单张", "single"),
        _times(SIZES[1], "棒子", "pair"),
        _times(SIZES[2], "滚子", "triple"),
        Number(
            STEP,
            Text("多少分升一级", "Points a level"),
            Text(
                "升级只看分：抓分方够分上台，再每多这么多分升一级；不够分，庄家方升一级，抓分方每再少这么多分多升一级。最后一手不论。0：照原来的规则升级。",
                "Levels go by the score alone: attackers who take over win a level for each so many points more; otherwise the "
                "dealer side wins one, and another for each so many points the attackers are further short. 0: the built-in rule.",
            ),
            0,
            300,
            step=5,
            unit=Text("分", "points"),
        ),
    )
    lints = {UNUSED: Lint(COMMON_UNUSED)}
    defaults = {**dict.fromkeys(SIZES, 0), STEP: 0}

    @hookimpl
    def bottom_worth(self, result: Result) -> BottomWorth:
        """The bottom's points, multiplied by what the winning last play is worth."""
        by = SIZES[min(len(result.last_play), 3) - 1]
        times: int = self.option(by)
        if not times:
            return BottomWorth(result.bottom_points * self.option("capture.multiplier"))
        return BottomWorth(result.bottom_points * times, by=by)

    @hookimpl(wrapper=True)
    def level_up(self, result: Result) -> Generator[None, LevelUp | None, LevelUp | None]:
        """The levels a score carries; the built-in answer where there is no step."""
        built_in = yield
        step: int = self.option(STEP)
        return self._by_score(result, step) if step else built_in

    def _by_score(self, result: Result, step: int) -> LevelUp | None:
        threshold: int = self.option("levels.threshold")
        over = result.attackers_points - threshold
        enough = over >= 0
        earned = over // step if enough else -(over // step)
        if not earned:
            return None
        # Buried kings raise a level-up under the condition they always had: the last trick agrees with the score.
        if not result.dry and enough == result.captured:
            worth: dict[str, int] = self.option("levels.kings")
            big, small = result.kings
            earned += big * worth["big"] + small * worth["small"]
        return LevelUp(1 - result.side if enough else result.side, earned, by=STEP)

    @hookimpl
    def conflicts(self, options: Mapping[str, Any]) -> Sequence[Conflict]:
        """Where each size has its own multiplier, the common one has nothing left to say."""
        if options["capture.multiplier"] == 2 or not all(options[id] for id in SIZES):
            return ()
        named = ("capture.multiplier", *SIZES)
        return (Conflict(UNUSED, named, COMMON_UNUSED, error=False),)
