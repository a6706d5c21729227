"""The chapters from the first lead to the score sheet."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from gunzi.apps.book.bottom import BOTTOM
from gunzi.apps.book.entries import entry, laws
from gunzi.apps.book.parts import Block, Bullets, Cell, Chapter, Para, Table
from gunzi.apps.book.words import Words
from gunzi.cards import parse_cards, rank_text
from gunzi.ruleset import RuleSet
from gunzi.settling import settle
from gunzi.trump import trump_order
from gunzi.values import Capture, Result, Settlement


def play(rules: RuleSet, say: Words) -> Chapter:
    """Leading, following, winning tricks."""
    texts = laws(rules, say, "lead.one_kind", "follow.suit", "trick.strongest")
    blocks: list[Block] = [
        Para(
            say(
                "第一圈庄家领，以后谁大谁领。",
                "The dealer leads the first trick; whoever wins a trick leads the next.",
            )
        ),
        Bullets(tuple(texts)),
        *(entry(rules, option, say) for option in ("follow.shapes", "follow.triple_against_pair")),
    ]
    return Chapter("play", say("打牌、跟牌", "Play and following"), tuple(blocks))


def settled(rules: RuleSet, points: int, captured: bool, level: int) -> Settlement:
    """A plain hand of 甲's, settled: the attackers' final points, who won the last trick, both sides at a level."""
    result = Result(
        dealer=0,
        levels=(level, level),
        trick_points=points,
        capture=Capture.CAPTURED if captured else Capture.HELD,
        bottom=BOTTOM,
        bottom_points=0,
        dry=False,
        trump=trump_order(level, "S", rules.permanent),
        last_play=parse_cards("S3"),
    )
    return settle(rules, result, points=points)


def result(rules: RuleSet, say: Words) -> Chapter:
    """Who won the hand, levels, the next dealer."""
    last = say.say(rules.rule_text("capture.last_trick"))
    blocks: list[Block] = [
        Para(say("抓分方的分，是他们赢下的那几圈牌里的分；抠了底，再加上底牌的分。", "The attackers' score is the points in the tricks they won, and the bottom's if they captured it.")),
        Para(say.stopped(last)),
        *(entry(rules, option, say) for option in ("capture.multiplier", "levels.threshold")),
        _results(rules, say),
        *(entry(rules, option, say) for option in ("rotation.hold", "rotation.takeover")),
        Para(say("升级先升一级，底里扣着王再追加。", "A level-up is one level, and more for kings buried in the bottom.")),
        entry(rules, "levels.kings", say),
        *(entry(rules, option, say) for option in ("levels.start", "levels.final", "levels.must_play", "levels.must_play_as")),
    ]  # fmt: skip
    return Chapter("result", say("一把的结果和升级", "The result of a hand, and levels"), tuple(blocks))


def _results(rules: RuleSet, say: Words) -> Table:
    """The four kinds of result, each settled under the rules."""
    threshold = rules.options["levels.threshold"]
    levels = range(rules.options["levels.start"], rules.options["levels.final"] + 1)
    level = next((each for each in levels if each not in rules.options["levels.must_play"]), levels[0])
    below = say(f"不到 {threshold} 分", f"less than {threshold}")
    enough = say(f"{threshold} 分起", f"{threshold} or more")
    rows: list[tuple[Cell, ...]] = []
    for points, what in ((threshold - 5 or 1, below), (threshold, enough)):
        for captured in (False, True):
            told = settled(rules, points, captured, level).as_json()
            rows.append(
                (
                    what,
                    say("抠底", "captured") if captured else say("保底", "held"),
                    say("抓分方上台", "the attackers take over")
                    if told["takeover"]
                    else say("庄家方接着坐庄", "the dealer side deals on"),
                    _up(told, say),
                )
            )
    head = (
        say("抓分方", "attackers"),
        say("底牌", "bottom"),
        say("谁坐庄", "who deals"),
        say("谁升级", "who levels up"),
    )
    return Table(head, tuple(rows))


def _up(told: Mapping[str, Any], say: Words) -> str:
    if told["round_won_by"] is not None:
        return say("赢这一轮", "wins the round")
    up = told["level_up"]
    if up is None:
        return say("谁也不升", "nobody")
    return say("庄家方", "the dealer side") if up["side"] == 0 else say("抓分方", "the attackers")


def endings(rules: RuleSet, say: Words) -> Chapter:
    """How a round is won."""
    blocks: list[Block] = [
        entry(rules, "levels.win", say),
        Para(
            say(
                "下面几种结果能让一轮马上结束，从上往下看，先碰上哪条算哪条；这时不再升级。",
                "These results can end a round at once. They are checked in this order, the first that strikes decides, and "
                "there is no level-up then.",
            )
        ),
        *(entry(rules, f"endings.{name}", say) for name in ("shutout", "sweep", "three_big", "three_small")),
        Para(
            say(
                f"一轮打完，双方都回到 {rank_text(rules.start_level)}，不欠贡，重新抢庄。",
                f"After a round both sides are back at {rank_text(rules.start_level)}, nothing is owed, and a first hand follows.",
            )
        ),
    ]
    return Chapter("endings", say("一轮怎么结束", "How a round ends"), tuple(blocks))


def score_sheet(rules: RuleSet, say: Words) -> Chapter:
    """What is written down."""
    blocks: list[Block] = [
        entry(rules, option, say) for option in ("scoring.scheme", "scoring.levels", "scoring.tribute_for")
    ]
    return Chapter("score", say("记分", "The score sheet"), tuple(blocks))


def titles(rules: RuleSet, say: Words) -> Chapter:
    """Which title a score carries."""
    value = rules.options["titles"]
    blocks: list[Block] = [entry(rules, "titles", say)]
    if value:
        rows = tuple((str(score), title) for score, title in value)
        blocks.append(Table((say("总分从", "from"), say("称号", "title")), rows, (0,)))
    return Chapter("titles", say("称号", "Titles"), tuple(blocks))
