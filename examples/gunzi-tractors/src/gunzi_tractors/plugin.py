"""The plugin: 双升 through gunzi's hooks.

The deck (two packs, 25 cards a seat, eight in the bottom), the permanent trumps (none) and the levels (2 to A) need no hook of
their own: they are options of gunzi. What is led, followed and compared, what a capture is worth, how levels go by the score, what
may be buried and what of the bottom is shown is answered here.
"""

from __future__ import annotations

from collections.abc import Generator, Mapping, Sequence
from typing import Any

from gunzi import Plugin, Text, Trump, hookimpl
from gunzi.options import Choice, Flag, Number
from gunzi.values import (
    BottomWorth,
    Conflict,
    Ending,
    FollowRule,
    LeadRule,
    LevelUp,
    Lint,
    Result,
    TributePart,
    TrickRule,
)
from gunzi_tractors import following, leading

TRIPLES = Text(
    "打拖拉机，三张一样的里总能抽出一对，follow.triple_against_pair 要写 must_split",
    "with tractors a triple always holds a pair that must be played, so follow.triple_against_pair is must_split",
)
EVERY_POINT = Text("抓分方通吃，一分没漏", "a clean sweep: the attackers took every point there is")
CLEAN_SWEEP = 5
"""The place of its ending in the checking order: after gunzi's own four."""


class Tractors(Plugin):
    """双升: tractors, levels for every 40 points, captures by the size of the last play."""

    id = "gunzi-tractors"
    version = "1"
    name = Text("双升（拖拉机）", "Shuangsheng (tractors)")
    replaces = (
        "gunzi.plugins.lead",
        "gunzi.plugins.follow",
        "gunzi.plugins.trick",
        "gunzi.plugins.capture",
        "gunzi.plugins.levels",
        "gunzi.plugins.bury",
        "gunzi.plugins.dry_pot",
    )
    options = (
        Flag(
            "tractors.through_top",
            Text("拖拉机能不能连到王", "Tractors up to the jokers"),
            Text(
                "主里的拖拉机能不能往上连：主A、副级牌、主级牌、小王、大王？",
                "Do tractors in trumps go on above the trump ace: off-suit level cards, the trump level card, small joker, big joker?",
            ),
            true=Text(
                "能连，一门一门接着数；几门副级牌一样大，只能用其中一对。",
                "Yes; off-suit level cards tie, so a tractor has one pair of them.",
            ),
            false=Text("不能，主里只有主花色的牌相连。", "No: only the plain cards of the trump suit are consecutive."),
        ),
        Choice(
            "tractors.capture",
            Text("抠底看不看最后一手", "What multiplies a capture"),
            Text(
                "抠底的倍数（capture.multiplier）跟不跟着最后一手的张数走？",
                "Does the number of cards of the winning last play multiply a capture beside capture.multiplier?",
            ),
            {
                "flat": Text("不看，怎么抠都一样。", "No: every capture is worth the same."),
                "cards": Text(
                    "看：一张一倍，一对两倍，两对的拖拉机四倍。",
                    "Yes: once for a single, twice for a pair, four times for a tractor of two pairs.",
                ),
            },
        ),
        Number(
            "tractors.step",
            Text("多少分升一级", "Points a level"),
            Text(
                "过了上台的分（levels.threshold）每多这么多分，抓分方升一级；每差这么多分，庄家方升一级。最后一手不论。",
                "For each so many points above levels.threshold the attackers win a level, for each so many short of it (or a part) "
                "the dealer side does, whoever took the last trick.",
            ),
            5,
            200,
            step=5,
            unit=Text("分", "points"),
        ),
        Number(
            "tractors.shutout",
            Text("一分没得升几级", "Levels for a shutout"),
            Text(
                "抓分方一分没得（大光），庄家方升几级？",
                "How many levels does the dealer side win when the attackers get no points?",
            ),
            1,
            12,
            unit=Text("级", "levels"),
        ),
        Flag(
            "tractors.clean_sweep",
            Text("通吃", "Clean sweep"),
            Text(
                "抓分方把所有的分都拿到手（台面上的分，抠到的底不翻倍），一轮是不是就此结束？",
                "Does the round end when the attackers get every point there is, a captured bottom counted once?",
            ),
            true=Text("结束，抓分方赢这一轮。", "Yes: the attackers win it."),
            false=Text("不结束，照常升级。", "No: the hand counts as any other."),
        ),
    )
    defaults = {
        "tractors.through_top": True,
        "tractors.capture": "cards",
        "tractors.step": 40,
        "tractors.shutout": 3,
        "tractors.clean_sweep": False,
    }
    rules = {**leading.TEXTS, **following.TEXTS}
    lints = {"tractors-triples": Lint(TRIPLES)}

    def __init__(self, options: Mapping[str, Any]) -> None:
        super().__init__(options)
        self._through_top: bool = self.option("tractors.through_top")
        self._strict: bool = self.option("follow.shapes") == "strict"
        self._threshold: int = self.option("levels.threshold")

    # -- play --------------------------------------------------------------------------------------------------

    @hookimpl
    def lead_rule(self, trump: Trump) -> LeadRule:
        """Singles, pairs, triples, tractors."""
        return leading.lead_rule(trump, self._through_top)

    @hookimpl
    def follow_rule(self, trump: Trump) -> FollowRule:
        """Suit, then shape as far as possible (``follow.shapes: strict``)."""
        return following.follow_rule(trump, self._through_top, self._strict)

    @hookimpl
    def trick_rule(self, trump: Trump) -> TrickRule:
        """Tractors compare by their top pair."""
        return leading.trick_rule(trump, self._through_top)

    # -- bottom ------------------------------------------------------------------------------------------------

    @hookimpl
    def bottom_is_shown(self, how: str) -> bool:
        """Never: the dealer alone sees it."""
        return False

    @hookimpl
    def king_splits(self, big: int, small: int) -> Sequence[tuple[int, int]]:
        """Jokers are buried as any cards."""
        return [(b, s) for b in range(big + 1) for s in range(small + 1)]

    @hookimpl
    def burial_is_shown(self, kings: int) -> bool:
        """Never."""
        return False

    # -- settling ----------------------------------------------------------------------------------------------

    @hookimpl
    def bottom_worth(self, result: Result) -> BottomWorth:
        """The bottom's points, multiplied by what won the last trick."""
        points: int = result.bottom_points * self.option("capture.multiplier")
        if self.option("tractors.capture") == "flat":
            return BottomWorth(points)
        return BottomWorth(points * len(result.last_play), by="tractors.capture")

    @hookimpl
    def level_up(self, result: Result) -> LevelUp | None:
        """By the score alone: 0 three levels, below 40 two, below 80 one; from 80 the deal, then a level for every 40."""
        points = result.attackers_points
        step: int = self.option("tractors.step")
        if points == 0:
            return LevelUp(result.side, self.option("tractors.shutout"), by="tractors.shutout")
        if points < self._threshold:
            return LevelUp(result.side, -((points - self._threshold) // step), by="tractors.step")
        earned = (points - self._threshold) // step
        return LevelUp(1 - result.side, earned, by="tractors.step") if earned else None

    @hookimpl
    def endings(self, result: Result) -> Sequence[Ending]:
        """The clean sweep, by option."""
        taken = result.trick_points + (result.bottom_points if result.captured else 0)
        everything = 4 * self.option("deck.packs") * sum(self.option("points").values())
        if not self.option("tractors.clean_sweep") or taken < everything or not everything:
            return ()
        return (Ending("clean_sweep", 1 - result.side, "tractors.clean_sweep", CLEAN_SWEEP, EVERY_POINT),)

    @hookimpl(wrapper=True)
    def tribute_parts(
        self, result: Result
    ) -> Generator[None, list[Sequence[TributePart]], list[Sequence[TributePart]]]:
        """Nothing is owed where no phase pays it."""
        parts = yield
        return parts if "tribute" in self.option("phases") else []

    @hookimpl
    def conflicts(self, options: Mapping[str, Any]) -> Sequence[Conflict]:
        """Three packs: a triple holds a pair, whatever the option of the built-in rule says."""
        if options["deck.packs"] < 3 or options["follow.shapes"] == "loose":
            return ()
        if options["follow.triple_against_pair"] == "must_split":
            return ()
        named = ("follow.triple_against_pair", "deck.packs")
        return (Conflict("tractors-triples", named, TRIPLES, error=False),)
