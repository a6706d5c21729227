"""The chapters before the first lead: bottom and dry pot, burying, tribute."""

from __future__ import annotations

from gunzi.apps.book.entries import entry, laws
from gunzi.apps.book.parts import Block, Bullets, Chapter, Para, Table
from gunzi.apps.book.words import Words
from gunzi.cards import parse_cards
from gunzi.ruleset import RuleSet
from gunzi.settling import settle
from gunzi.trump import trump_order
from gunzi.values import Capture, Result

BOTTOM = parse_cards("H7 H9 C8 CJ D4 D6")


def bottom_and_dry_pot(rules: RuleSet, say: Words) -> Chapter:
    """When the bottom is shown, and when it is dry."""
    phases = rules.options["phases"]
    blocks: list[Block] = [Para(say.stopped(say.say(rules.rule_text("bottom.shown"))))]
    if "bottom" in phases and rules.options["dry_pot.side_leg"] != "never":
        blocks.append(
            Para(
                say(
                    "干锅的底不能换：庄家不扣底，别家也不扣王。干锅底里的王是发到的、不是扣的，不加级，不算血，也不算扣了三个王。抠底翻倍、进贡看分，照旧。",
                    "A dry bottom is not exchanged: the dealer buries nothing and nobody buries kings. Kings in it were dealt, not "
                    "buried: they add no levels, draw no blood, and end no round. A capture and the tribute for points stand.",
                )
            )
        )
    blocks += [
        entry(rules, option, say) for option in ("dry_pot.side_leg", "dry_pot.hidden_bottom", "dry_pot.first_hand")
    ]
    return Chapter("bottom", say("底牌和干锅", "The bottom and the dry pot"), tuple(blocks))


def burying(rules: RuleSet, say: Words) -> Chapter:
    """What the dealer buries, and the kings the others bury."""
    phases = rules.options["phases"]
    blocks: list[Block] = []
    if "bury" in phases:
        texts = laws(rules, say, "bury.number", "bury.big_before_small", "bury.shown")
        blocks.append(
            Para(say("庄家收起底牌，从手里挑牌扣下去，分牌和王都能扣。", "The dealer takes the bottom and buries cards of his choice, points and kings allowed."))
        )  # fmt: skip
        blocks.append(Bullets(tuple(texts)))
    else:
        blocks.append(
            Para(say("这桌不换底：底牌一直放到最后。", "Nobody exchanges the bottom here: it lies to the end."))
        )
    blocks.append(entry(rules, "bury_kings.others", say))
    if rules.options["bury_kings.others"] == "allowed" and "bury_kings" in phases:
        texts = laws(rules, say, "bury_kings.smallest", "bury.big_before_small")
        blocks.append(
            Bullets(
                (
                    *texts,
                    say(
                        "先说扣哪几张王，底亮给大家看，再捡牌；不扣王的人看不到底。捡牌副牌比主牌小，点数一样花色不同的自己挑。",
                        "First the kings are named, then the bottom is shown to all, then the cards are picked; who buries none "
                        "sees nothing. Side cards are smaller than trumps; of equal ranks in different suits the seat chooses.",
                    ),
                )
            )
        )
    blocks += [entry(rules, option, say) for option in ("bury_kings.blocked_by", "bury_kings.pick_kings")]
    return Chapter("burying", say("扣底、扣王", "Burying"), tuple(blocks))


def tribute(rules: RuleSet, say: Words) -> Chapter:
    """Who pays whom how much, and which cards."""
    title = say("进贡（喝血）", "Tribute (blood)")
    if "tribute" not in rules.options["phases"]:
        return Chapter("tribute", title, (Para(say("这桌不进贡。", "This table pays no tribute.")),))
    options = (
        "tribute.kings", "tribute.kings_when", "tribute.cards", "tribute.level_points", "tribute.return", "tribute.three_big",
    )  # fmt: skip
    blocks: list[Block] = [
        Para(
            say(
                "第二把起，上一把的分和底里扣的王都算血，一个血进一张牌，由新庄家的上家进给新庄家。每轮的第一把不进贡。",
                "From the second hand of a round on, the last hand's score and the kings buried in it come to blood, one card "
                "each: the seat before the new dealer pays, the new dealer receives.",
            )
        ),
        *(entry(rules, option, say) for option in ("tribute.low", "tribute.low_rounding", "tribute.high", "tribute.high_rounding", "tribute.step")),
        _amounts(rules, say),
        *(entry(rules, option, say) for option in options),
    ]  # fmt: skip
    return Chapter("tribute", title, tuple(blocks))


def owed(rules: RuleSet, points: int) -> int:
    """How many cards a score without kings comes to."""
    result = Result(
        dealer=0,
        levels=(rules.start_level, rules.start_level),
        trick_points=points,
        capture=Capture.HELD,
        bottom=BOTTOM,
        bottom_points=0,
        dry=False,
        trump=trump_order(rules.start_level, "S", rules.permanent),
        last_play=parse_cards("S3"),
    )
    found = settle(rules, result, points=points).outcome.owed
    return 0 if found is None else found.count


def _amounts(rules: RuleSet, say: Words) -> Table:
    """The scores that bleed, worked out one by one and put together where they come to the same."""
    spans: list[tuple[int, int, int]] = []
    for points in range(0, 305, 5):
        count = owed(rules, points)
        if spans and spans[-1][2] == count:
            spans[-1] = (spans[-1][0], points, count)
        else:
            spans.append((points, points, count))
    threshold = rules.options["levels.threshold"]
    rows = tuple(
        (
            str(low) if low == high else f"{low}–{high}" + ("" if high < 300 else say(" 及以上", " and more")),
            say("抓分方", "attackers") if high < threshold else say("庄家方", "dealer side"),
            str(count),
        )
        for low, high, count in spans
        if count
    )
    head = (say("抓分方的分", "attackers' points"), say("谁出血", "who bleeds"), say("进几张", "cards"))
    return Table(head, rows or (("—", "—", "0"),), (0, 2))
