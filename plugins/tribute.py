"""进贡 (喝血, 吃肉) and 还贡: tribute and its return. Rule book section 3.5.

The new dealer's previous seat pays him its largest cards, one for each blood, and gets as many back. How many is decided at
the end of the hand before: by the attackers' score, and by the kings that lie in the bottom. A dry pot's kings draw none.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

from gunzi.cards import parse_rank
from gunzi.errors import Text
from gunzi.hooks import hookimpl
from gunzi.options import Choice, KingCounts, Number
from gunzi.plugin import Plugin
from gunzi.trump import ALL_SIDE, BITS, TRUMP_LANE, Trump
from gunzi.values import Conflict, Exemption, Lint, Owed, Result, TributePart

ALL = (1 << BITS) - 1
POINTS = Text("分", "points")


class Tribute(Plugin):
    """How much is owed, which cards pay it, which come back, and what three big jokers do about it."""

    id = "gunzi.plugins.tribute"
    version = "1"
    name = Text("进贡", "Tribute")
    options = (
        Number(
            "tribute.low",
            Text("不满多少分要出血", "Blood below"),
            Text(
                "上一把抓分方的分不满这个数，抓分方就要出血。",
                "Attackers whose score in the last hand is below this owe cards for what they are short.",
            ),
            0,
            300,
            unit=POINTS,
            clause="3.5",
        ),
        Number(
            "tribute.high",
            Text("超过多少分能吃血", "Blood above"),
            Text(
                "上一把抓分方的分超过这个数，原来的庄家方就要出血。",
                "Where the attackers' score in the last hand is above this, the old dealer side owes cards for the excess.",
            ),
            0,
            300,
            unit=POINTS,
            clause="3.5",
        ),
        Number(
            "tribute.step",
            Text("几分一个血", "Points a card"),
            Text(
                "每差（每超）多少分算一个血，一个血进一张牌。",
                "How many points short or over make one card of tribute.",
            ),
            5,
            100,
            unit=POINTS,
            clause="3.5",
        ),
        Choice(
            "tribute.low_rounding",
            Text("少的零头怎么算", "Rounding what is short"),
            Text(
                "不满的分除不尽时，剩下的零头算不算一个血。",
                "When the points short do not divide evenly, does the rest count as one card more?",
            ),
            {
                "up": Text("算：零头也算一个血。", "Yes: what is left over is one card more."),
                "down": Text("不算：零头不出血。", "No: what is left over owes nothing."),
            },
            clause="3.5",
        ),
        Choice(
            "tribute.high_rounding",
            Text("多的零头怎么算", "Rounding what is over"),
            Text(
                "超出的分除不尽时，剩下的零头算不算一个血。",
                "When the points over do not divide evenly, does the rest count as one card more?",
            ),
            {
                "down": Text("不算：零头不出血。", "No: what is left over owes nothing."),
                "up": Text("算：零头也算一个血。", "Yes: what is left over is one card more."),
            },
            clause="3.5",
        ),
        KingCounts(
            "tribute.kings",
            Text("一个王几个血", "Blood for a king"),
            Text(
                "底牌里的大王、小王各算几个血。干锅里的王不算。",
                "How many cards of tribute a big and a small joker in the bottom come to; none in a dry pot.",
            ),
            clause="3.5",
        ),
        Choice(
            "tribute.kings_when",
            Text("扣的王谁出血", "For whom the kings bleed"),
            Text(
                "底里扣的王算血，要看得分和抠底：哪种结果谁出血，哪种结果作废？",
                "Whether the kings in the bottom draw blood depends on score and capture: which results make whom pay, and which "
                "make them void?",
            ),
            {
                "four_case": Text(
                    "抓分方抠了底但没够分，扣的王作废；没够分又没抠底，抓分方出血；够了分，抠没抠底都是庄家方出血。",
                    "A capture without enough points makes the kings void. Otherwise attackers short of points pay for them, and "
                    "the dealer side pays if they had enough, captured or not.",
                ),
                "by_score": Text(
                    "只看得分：没够分抓分方出血，够了分庄家方出血，抠没抠底都一样。",
                    "The score alone decides: attackers short of points pay, else the dealer side does, whoever took the bottom.",
                ),
                "both_conditions": Text(
                    "两样都占才算：够分又抠底，庄家方出血；没够分又没抠底，抓分方出血；只占一样就作废。",
                    "Only clear results count: enough points and a capture make the dealer side pay, neither makes the attackers "
                    "pay, one without the other makes the kings void.",
                ),
            },
            clause="3.5",
        ),
        Choice(
            "tribute.cards",
            Text("进贡进什么牌", "Which cards are paid"),
            Text(
                "进贡要进手里最大的牌，分牌算不算在内？一样大的自己挑。",
                "The payer's largest cards are paid: point cards included? Of equal cards the payer chooses.",
            ),
            {
                "no_points": Text("分牌除外，进分牌以外最大的。", "Point cards excepted: the largest of the others."),
                "any": Text("不管是不是分牌，最大的就得进。", "Point cards included: the largest, whatever they are."),
            },
            clause="3.5",
        ),
        Choice(
            "tribute.level_points",
            Text("打 5、打 10 时级牌进不进贡", "Level cards that are point cards"),
            Text(
                "打 5、打 10 的时候级牌也是分牌，要不要进贡？（只在分牌不进贡的桌上有用。）",
                "When the level is a point rank (5 or 10), are its level cards paid? Matters only where point cards are not paid.",
            ),
            {
                "pay": Text(
                    "要进：级牌照样进贡，别的分牌还是不进。", "Yes: level cards are paid, other point cards are not."
                ),
                "keep": Text("不进：级牌也是分牌，留在手里。", "No: they are point cards and stay at home."),
            },
            clause="3.5",
        ),
        Choice(
            "tribute.return",
            Text("还贡还什么牌", "Which cards come back"),
            Text(
                "收了几张就还几张，能还什么牌？",
                "The receiver gives as many cards back, of his own choice: out of which?",
            ),
            {
                "side_no_points": Text(
                    "只能还副牌，不能还分牌；副牌不够再还小主，还不够就随便还。",
                    "Side cards without points; where they do not suffice, trumps that are neither kings nor points, then "
                    "anything.",
                ),
                "any": Text("随便还。", "Any cards."),
            },
            clause="3.5",
        ),
        Choice(
            "tribute.three_big",
            Text("三个大王免贡、反进贡", "Three big jokers"),
            Text(
                "该进贡的一家或者他对家摸到三个大王，还进不进贡？",
                "What if the payer, or the payer's partner, was dealt three big jokers?",
            ),
            {
                "reverse_or_cancel": Text(
                    "进贡家自己有三个大王，庄家反进贡给他，张数一样（照样还贡）；他对家有，就谁也不进。",
                    "In the payer's hand they turn the tribute round: the dealer pays him as many, and gets as many back. In his "
                    "partner's hand they cancel it.",
                ),
                "ignore": Text("三个大王不管用，照样进贡。", "They change nothing."),
            },
            clause="3.5",
        ),
    )
    lints = {
        "tribute-thresholds": Lint(
            Text(
                "出血下限、上台分、吃血上限没有从小到大", "tribute.low, levels.threshold and tribute.high do not ascend"
            ),
            error=True,
        ),
        "level-points-unused": Lint(
            Text("分牌都进贡，级牌单独留下不起作用", "all point cards are paid, so keeping level cards has no effect"),
        ),
        "tribute-off-fives": Lint(
            Text("进贡的分不是 5 的倍数，得分永远碰不上", "a tribute score is no multiple of 5, and points always are"),
        ),
        "tribute-high-unreachable": Lint(
            Text("抓分方最多也拿不到 tribute.high", "the attackers can never have more than tribute.high"),
        ),
        "tribute-unused": Lint(
            Text(
                "没有 tribute 这一步，进贡的选项不起作用", "there is no phase tribute, so how it is paid has no effect"
            ),
        ),
    }

    def __init__(self, options: Mapping[str, Any]) -> None:
        super().__init__(options)
        self._threshold: int = self.option("levels.threshold")
        self._low: int = self.option("tribute.low")
        self._high: int = self.option("tribute.high")
        self._step: int = self.option("tribute.step")
        self._kings: dict[str, int] = self.option("tribute.kings")
        self._low_rounds_up: bool = self.option("tribute.low_rounding") == "up"
        self._high_rounds_up: bool = self.option("tribute.high_rounding") == "up"
        self._kings_when: str = self.option("tribute.kings_when")
        self._point_ranks = [parse_rank(rank) for rank in self.option("points")]

    @hookimpl
    def tribute_parts(self, result: Result) -> Sequence[TributePart]:
        """The score part and the king part; both are paid by the side that the score went against."""
        parts = (self._score_part(result.attackers_points), self._king_part(result))
        return [part for part in parts if part is not None]

    def _score_part(self, points: int) -> TributePart | None:
        if points < self._low:
            count = self._cards(self._low - points, self._low_rounds_up)
            if not count:
                return None
            what = Text(
                f"抓分方 {points} 分，不满 {self._low}", f"the attackers' {points} points are below {self._low}"
            )
            return TributePart(count, what, "tribute.low")
        count = self._cards(max(0, points - self._high), self._high_rounds_up)
        if not count:
            return None
        what = Text(f"抓分方 {points} 分，超过 {self._high}", f"the attackers' {points} points are above {self._high}")
        return TributePart(count, what, "tribute.high")

    def _cards(self, off: int, up: bool) -> int:
        """How many cards so many points come to."""
        return -(-off // self._step) if up else off // self._step

    def _king_part(self, result: Result) -> TributePart | None:
        big, small = result.kings
        count = big * self._kings["big"] + small * self._kings["small"]
        if not count or result.dry or not self._kings_bleed(result):
            return None
        what = Text(f"底里 {big} 个大王、{small} 个小王", f"jokers in the bottom: {big} big, {small} small")
        return TributePart(count, what, "tribute.kings_when")

    def _kings_bleed(self, result: Result) -> bool:
        enough = result.attackers_points >= self._threshold
        if self._kings_when == "four_case":
            return enough or not result.captured
        return self._kings_when == "by_score" or enough == result.captured

    @hookimpl
    def tribute_exemption(self, owed: Owed, big_jokers: Sequence[int]) -> Exemption | None:
        """The payer's three big jokers reverse the tribute, his partner's cancel it."""
        if self.option("tribute.three_big") == "ignore":
            return None
        partner = (owed.giver + 2) % 4
        if big_jokers[owed.giver] >= 3:
            return Exemption(owed.giver, "reverse")
        if big_jokers[partner] >= 3:
            return Exemption(partner, "cancel")
        return None

    @hookimpl
    def payable(self, trump: Trump) -> int:
        """All kinds, or all without points (level cards by option)."""
        if self.option("tribute.cards") == "any":
            return ALL
        kept = trump.rank_mask(self._point_ranks)
        if self.option("tribute.level_points") == "pay":
            kept &= ~trump.level_cards
        return ALL & ~kept

    @hookimpl
    def returnable(self, trump: Trump) -> Sequence[int]:
        """Side cards without points, then trumps without points and kings, then the rest; or any cards at once."""
        if self.option("tribute.return") == "any":
            return (ALL,)
        points = trump.rank_mask(self._point_ranks)
        side = ALL_SIDE & ~points
        small_trumps = TRUMP_LANE & ~(points | trump.kings)
        return side, small_trumps, ALL & ~(side | small_trumps)

    @hookimpl
    def conflicts(self, options: Mapping[str, Any]) -> Sequence[Conflict]:
        """Both bounds must lie on their own side of the take-over, or the wrong side would bleed."""
        found = []
        low, high, threshold = options["tribute.low"], options["tribute.high"], options["levels.threshold"]
        if not low <= threshold <= high:
            text = Text(
                f"出血的下限 {low}、上台的分 {threshold}、吃血的上限 {high} 要从小到大",
                f"tribute.low {low}, levels.threshold {threshold} and tribute.high {high} must ascend: below the one the attackers "
                "pay, above the other the dealer side does",
            )
            found.append(Conflict("tribute-thresholds", ("tribute.low", "tribute.high", "levels.threshold"), text))
        if options["tribute.cards"] == "any" and options["tribute.level_points"] == "keep":
            text = Text(
                "这桌分牌也要进贡，级牌不能单独留下", "where point cards are paid, level cards that are points are too"
            )
            named = ("tribute.level_points", "tribute.cards")
            found.append(Conflict("level-points-unused", named, text, error=False))
        return [*found, *_odd_scores(options), *_not_paid(options)]


def _odd_scores(options: Mapping[str, Any]) -> list[Conflict]:
    """Scores of tribute that no score of a hand ever comes to."""
    found = []
    odd = [id for id in ("tribute.low", "tribute.high", "tribute.step") if options[id] % 5]
    if odd:
        named = [f"{id} {options[id]}" for id in odd]
        text = Text(
            f"{'、'.join(named)}：得分总是 5 的倍数，不会正好是这个数",
            f"{', '.join(named)}: points are always multiples of 5, so no score ever lies exactly there",
        )
        found.append(Conflict("tribute-off-fives", tuple(odd), text, error=False))
    points = sorted(options["points"].values(), reverse=True)
    every = 4 * options["deck.packs"]
    total = every * sum(points)
    bottom = sum(sorted((each for each in points for _ in range(every)), reverse=True)[: options["deck.bottom"]])
    most = total + (options["capture.multiplier"] - 1) * bottom
    if options["levels.threshold"] <= most <= options["tribute.high"]:
        text = Text(
            f"抓分方连抠底最多 {most} 分，超不过 {options['tribute.high']}，庄家方永远不用出血",
            f"the attackers have {most} points at most, captures included, and never more than {options['tribute.high']}",
        )
        named_options = ("tribute.high", "points", "deck.packs", "deck.bottom", "capture.multiplier")
        found.append(Conflict("tribute-high-unreachable", named_options, text, error=False))
    return found


USUAL: Final[Mapping[str, Any]] = {
    "tribute.low": 80,
    "tribute.high": 150,
    "tribute.step": 10,
    "tribute.low_rounding": "up",
    "tribute.high_rounding": "down",
    "tribute.kings": {"big": 2, "small": 1},
    "tribute.return": "side_no_points",
}
"""What all texts say of the amount and the return; whoever writes otherwise means it."""


def _not_paid(options: Mapping[str, Any]) -> list[Conflict]:
    """Where no tribute is paid, how much and what comes back decides nothing."""
    otherwise = tuple(id for id, usual in USUAL.items() if options[id] != usual)
    if "tribute" in options["phases"] or not otherwise:
        return []
    text = Text(
        "phases 里没有 tribute 这一步，进贡的选项不起作用",
        "`phases` has no tribute, so what is said of it has no effect",
    )
    return [Conflict("tribute-unused", ("phases", *otherwise), text, error=False)]
