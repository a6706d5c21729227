"""What is measured of every hand: whole numbers, each with its name, and what is only counted by kind.

``means`` says what exactly is counted, with the clause of the rules (``docs/rules.md``). The compiled path counts the same of its
rows; a new figure needs its column there, under the same id.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Final

from gunzi.errors import Text
from gunzi.hand import Hand
from gunzi.values import Outcome

Value = int | None


@dataclass(frozen=True, slots=True)
class Measure:
    """A figure of a settled hand; ``share``: it is 0 or 1, and its mean is a share. None: it does not apply.

    Figures of one ``unit`` can stand on one axis.
    """

    id: str
    name: Text
    means: Text
    of: Callable[[Hand, Outcome], Value]
    share: bool = False
    unit: Text = Text("占", "share")


def _dry(hand: Hand, outcome: Outcome) -> Value:
    return int(outcome.result.dry)


def _tribute(hand: Hand, outcome: Outcome) -> Value:
    if hand.first_hand:
        return None
    paid = outcome.result.tribute_paid
    return paid.count if paid is not None else 0


def _tribute_to_dealer(hand: Hand, outcome: Outcome) -> Value:
    if hand.first_hand:
        return None
    paid = outcome.result.tribute_paid
    if paid is None:
        return 0
    return paid.count if paid.receiver == hand.dealer else -paid.count


def _owed(hand: Hand, outcome: Outcome) -> Value:
    if outcome.round_won_by is not None:
        return None
    owed = outcome.owed
    if owed is None:
        return 0
    return owed.count if owed.receiver == outcome.result.next_dealer else -owed.count


def _points(hand: Hand, outcome: Outcome) -> Value:
    return outcome.result.attackers_points


def _captured(hand: Hand, outcome: Outcome) -> Value:
    return int(outcome.result.captured)


def _takeover(hand: Hand, outcome: Outcome) -> Value:
    return int(outcome.result.takeover)


def _held(hand: Hand, outcome: Outcome) -> Value:
    return int(not outcome.result.takeover)


def _dealer_wins(hand: Hand, outcome: Outcome) -> Value:
    winner = outcome.round_won_by
    return int(winner == outcome.result.side if winner is not None else not outcome.result.takeover)


def _levels(hand: Hand, outcome: Outcome) -> Value:
    return outcome.climb.climbed if outcome.climb is not None and outcome.level_up is not None else 0


def _levels_of(dealer_side: bool) -> Callable[[Hand, Outcome], Value]:
    def levels(hand: Hand, outcome: Outcome) -> Value:
        up = outcome.level_up
        if up is None or outcome.climb is None or (up.side == outcome.result.side) is not dealer_side:
            return 0
        return outcome.climb.climbed

    return levels


def _kings(hand: Hand, outcome: Outcome) -> Value:
    return sum(outcome.result.kings)


def _ended(hand: Hand, outcome: Outcome) -> Value:
    return int(outcome.round_won_by is not None)


def _swing(hand: Hand, outcome: Outcome) -> Value:
    scores = hand.settlement.scores if hand.settlement is not None else (0,)
    return max(scores) - min(scores)


def _dealer_score(hand: Hand, outcome: Outcome) -> Value:
    return hand.settlement.scores[outcome.result.dealer] if hand.settlement is not None else 0


CARDS: Final = Text("张", "cards")
POINTS: Final = Text("分", "points")
LEVELS: Final = Text("级", "levels")
SCORES: Final = Text("记分表上的分", "score on the sheet")

MEASURES: Final[tuple[Measure, ...]] = (
    Measure(
        "dry",
        Text("干锅", "dry pots"),
        Text("底牌判成干锅的把（3.3）", "hands whose bottom is a dry pot (3.3)"),
        _dry,
        share=True,
    ),
    Measure(
        "tribute",
        Text("进贡张数", "tribute, cards"),
        Text(
            "这一把真正进了几张贡，免了、不用进算 0；一轮的头一把不算（3.5）",
            "cards that changed hands as tribute in this hand, 0 where none was due or it was cancelled; not a round's first hand (3.5)",
        ),
        _tribute,
        unit=CARDS,
    ),
    Measure(
        "tribute_to_dealer",
        Text("进贡：庄家净收", "tribute, net to the dealer"),
        Text(
            "这一把进的贡，进给庄家为正，庄家进的为负（3.5）",
            "the same cards, counted above zero where the dealer got them, below where the dealer paid (3.5)",
        ),
        _tribute_to_dealer,
        unit=CARDS,
    ),
    Measure(
        "owed",
        Text("下一把欠的血（庄家收为正）", "owed for the next hand (to its dealer)"),
        Text(
            "这一把结算出来、下一把该进几张，进给下一把的庄家为正；一轮到此结束的把不算（3.5）",
            "cards this hand's settlement makes due in the next, above zero where the next dealer gets them; not a hand that ends the round (3.5)",
        ),
        _owed,
        unit=CARDS,
    ),
    Measure(
        "attackers_points",
        Text("抓分方得分", "attackers' points"),
        Text(
            "抓分方台面的分，抠了底再加上底牌翻倍以后的分（3.7）",
            "points in the attackers' tricks and, where they captured, of the bottom after its multiplier (3.7)",
        ),
        _points,
        unit=POINTS,
    ),
    Measure(
        "captured",
        Text("抠底", "captures"),
        Text("抓分方赢了最后一圈的把（3.7）", "hands whose last trick the attackers won (3.7)"),
        _captured,
        share=True,
    ),
    Measure(
        "takeover",
        Text("上台", "take-overs"),
        Text("抓分方够分上台的把（3.7）", "hands whose attackers have enough points to take over the deal (3.7)"),
        _takeover,
        share=True,
    ),
    Measure(
        "dealer_holds",
        Text("庄家方保庄", "dealer side keeps the deal"),
        Text("抓分方没上台的把（3.7）", "hands whose attackers do not take over (3.7)"),
        _held,
        share=True,
    ),
    Measure(
        "dealer_wins",
        Text("庄家方赢", "dealer side wins"),
        Text(
            "庄家方赢的把：这一把结束一轮的，看谁赢了这一轮；别的看庄家方保住了没有（3.7、3.8）",
            "hands the dealer side wins: the round, where the hand ends one, else the deal is kept (3.7, 3.8)",
        ),
        _dealer_wins,
        share=True,
    ),
    Measure(
        "levels",
        Text("升级数", "levels climbed"),
        Text(
            "这一把哪一方升了级就算几级，必打停下以后的（3.7）",
            "levels either side climbed, as they count after a must-play stop (3.7)",
        ),
        _levels,
        unit=LEVELS,
    ),
    Measure(
        "levels_dealers",
        Text("庄家方升级数", "levels of the dealer side"),
        Text("其中庄家方升的（3.7）", "those of the dealer side (3.7)"),
        _levels_of(True),
        unit=LEVELS,
    ),
    Measure(
        "levels_attackers",
        Text("抓分方升级数", "levels of the attackers"),
        Text("其中抓分方升的（3.7）", "those of the attackers (3.7)"),
        _levels_of(False),
        unit=LEVELS,
    ),
    Measure(
        "kings",
        Text("底里的王", "kings in the bottom"),
        Text(
            "打完时底里有几个王，扣的、本来就在的都算（3.4）",
            "jokers in the bottom at the end of the hand, buried or there from the start (3.4)",
        ),
        _kings,
        unit=CARDS,
    ),
    Measure(
        "round_ends",
        Text("一轮结束", "hands that end the round"),
        Text("打完这一把，一轮就结束（3.8）", "hands after which the round is over (3.8)"),
        _ended,
        share=True,
    ),
    Measure(
        "swing",
        Text("一把的输赢差", "score swing"),
        Text(
            "记分表上这一把记得最多的和最少的差几分（3.9）",
            "on the score sheet, the highest of the four players' scores for this hand minus the lowest (3.9)",
        ),
        _swing,
        unit=SCORES,
    ),
    Measure(
        "dealer_score",
        Text("庄家的得分", "the dealer's score"),
        Text("记分表上这一把庄家记几分（3.9）", "the dealer's own score for this hand on the sheet (3.9)"),
        _dealer_score,
        unit=SCORES,
    ),
)
"""Figures of every hand, in the order they are printed."""
HANDS_A_ROUND: Final = Measure(
    "hands",
    Text("一轮几把", "hands in a round"),
    Text(
        "一轮打了几把才结束，重新发的不另算（3.8）", "hands it takes to end a round; void deals are not counted (3.8)"
    ),
    lambda hand, outcome: 1,
    unit=Text("把", "hands"),
)
"""Counted where whole rounds are played."""


@dataclass(frozen=True, slots=True)
class Kinds:
    """Something that is counted by kind. ``of`` answers the kind of a hand, None where it does not apply."""

    id: str
    name: Text
    means: Text
    of: Callable[[Hand, Outcome], str | None]


def _first_dealer(hand: Hand, outcome: Outcome) -> str | None:
    return f"+{(outcome.result.dealer - hand.first) % 4}" if hand.first_hand else None


def _how(hand: Hand, outcome: Outcome) -> str | None:
    return hand.how


def _ending(hand: Hand, outcome: Outcome) -> str | None:
    return outcome.ending


def _winner(hand: Hand, outcome: Outcome) -> str | None:
    return None if outcome.round_won_by is None else f"side {outcome.round_won_by}"


def _tribute_kind(hand: Hand, outcome: Outcome) -> str | None:
    paid = outcome.result.tribute_paid
    if hand.first_hand:
        return None
    if paid is None:
        return "exempt" if hand.owed is not None else "none"
    return "to_dealer" if paid.receiver == hand.dealer else "from_dealer"


def _tribute_size(hand: Hand, outcome: Outcome) -> str | None:
    paid = outcome.result.tribute_paid
    return None if hand.first_hand else str(paid.count if paid is not None else 0)


KINDS: Final[tuple[Kinds, ...]] = (
    Kinds(
        "first_dealer",
        Text("头一把的庄家（从先摸牌的数）", "first dealer, counted from who is dealt first"),
        Text(
            "一轮的头一把谁坐庄，从先摸牌的一家数（3.1）",
            "who deals a round's first hand, counted from who is dealt first (3.1)",
        ),
        _first_dealer,
    ),
    Kinds(
        "trump_by",
        Text("主怎么定的", "how the trump was found"),
        Text(
            "主是抢亮、翻底、亮主还是抽底定的（3.1、3.2）",
            "by a claim, a reveal, a declaration or a drawn card (3.1, 3.2)",
        ),
        _how,
    ),
    Kinds(
        "tribute_direction",
        Text("进贡的方向", "direction of the tribute"),
        Text(
            "贡进给庄家、庄家进、免了还是不用进；一轮的头一把不算（3.5）",
            "to the dealer, from the dealer, exempt, or none due; not a round's first hand (3.5)",
        ),
        _tribute_kind,
    ),
    Kinds(
        "tribute_size",
        Text("进贡几张", "size of the tribute"),
        Text(
            "进了几张贡；一轮的头一把不算（3.5）", "cards of tribute that changed hands; not a round's first hand (3.5)"
        ),
        _tribute_size,
    ),
    Kinds(
        "ending",
        Text("一轮怎么结束的", "how rounds end"),
        Text("结束一轮的把，是怎么结束的（3.8）", "of hands that end a round: what ended it (3.8)"),
        _ending,
    ),
    Kinds(
        "round_won_by",
        Text("谁赢了这一轮", "who won the round"),
        Text("结束一轮的把，哪一方赢（3.8）", "of hands that end a round: which side won it (3.8)"),
        _winner,
    ),
)
"""What is counted by kind, in the order it is printed."""
KIND_TEXT: Final = {
    "+0": Text("先摸牌的", "dealt first"),
    "+1": Text("下家", "the next seat"),
    "+2": Text("对家", "the opposite seat"),
    "+3": Text("上家", "the seat before"),
    "claim": Text("抢亮大王", "claim"),
    "turn": Text("翻底牌", "reveal"),
    "declare": Text("亮主", "declaration"),
    "draw": Text("抽底牌", "drawn"),
    "none": Text("不用进贡", "none due"),
    "exempt": Text("免贡", "exempt"),
    "to_dealer": Text("进给庄家", "to the dealer"),
    "from_dealer": Text("庄家进", "from the dealer"),
    "shutout": Text("一分没得", "shutout"),
    "sweep": Text("拿满分", "sweep"),
    "three_big": Text("扣三个大王", "three big jokers"),
    "three_small": Text("扣三个小王", "three small jokers"),
    "final_level": Text("打过最后一级", "the final level passed"),
    "side 0": Text("0、2 号位", "seats 0 and 2"),
    "side 1": Text("1、3 号位", "seats 1 and 3"),
}


def kinds_in_order(counts: Mapping[str, float]) -> list[str]:
    """The kinds of something that came up, in the order they are told: numbers ascending, of others the most first."""
    if all(kind.isdigit() for kind in counts):
        return sorted(counts, key=int)
    return sorted(counts, key=lambda kind: (-counts[kind], kind))


def values_of(hand: Hand) -> list[Value]:
    """The figures of a settled hand, in the order of ``MEASURES``."""
    assert hand.settlement is not None
    outcome = hand.settlement.outcome
    return [measure.of(hand, outcome) for measure in MEASURES]


def kinds_of(hand: Hand) -> list[tuple[str, str]]:
    """The kinds a settled hand counts under, as (what, kind)."""
    assert hand.settlement is not None
    outcome = hand.settlement.outcome
    return [(kinds.id, kind) for kinds in KINDS if (kind := kinds.of(hand, outcome)) is not None]


def measure_name(id: str) -> Text:
    """The name of a figure."""
    for measure in (*MEASURES, HANDS_A_ROUND):
        if measure.id == id:
            return measure.name
    raise KeyError(id)
