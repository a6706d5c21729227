"""Settling a result: points, who deals next, endings, levels, tribute, sheets — each asked of the rules, each explained."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from gunzi.cards import rank_text
from gunzi.errors import Text
from gunzi.values import Climb, Ending, Explained, LevelUp, Outcome, Owed, Result, Settlement

if TYPE_CHECKING:
    from gunzi.ruleset import RuleSet

SIDE_TEXT = (Text("0、2 号位一方", "the side of seats 0 and 2"), Text("1、3 号位一方", "the side of seats 1 and 3"))
CAPTURED = Text("抓分方抠底", "the attackers captured the bottom")
HELD = Text("庄家方保底", "the dealer side held the bottom")
TRICK_POINTS = Text("抓分方台面得分", "points in the attackers' tricks")
BOTTOM_POINTS = Text("抠底得分", "points for the captured bottom")
ALL_POINTS = Text("抓分方总分", "attackers' points")
TOOK_OVER = Text("抓分方上台", "the attackers take over the deal")
KEPT = Text("庄家方继续坐庄", "the dealer side keeps the deal")
NO_LEVEL_UP = Text("没有人升级", "nobody levels up")
ENDING_TEXT = {
    "shutout": Text("抓分方一分没得，庄家方赢下这一轮", "the attackers took no points: the dealer side wins the round"),
    "sweep": Text("抓分方拿满了分，抓分方赢下这一轮", "the attackers took all the points: they win the round"),
    "three_big": Text("底牌扣着三个大王", "three big jokers are buried"),
    "three_small": Text("底牌扣着三个小王", "three small jokers are buried"),
    "final_level": Text("打过了最后一级，这一轮结束", "the final level is passed: the round is over"),
}


def settle(rules: RuleSet, result: Result, *, points: int | None = None) -> Settlement:
    """The settlement of a played hand. ``result`` as the play left it: its ``attackers_points``, ``next_dealer`` and
    ``takeover`` are worked out here. ``points``: the attackers' final score where only that is known, not the tricks'."""
    hook = rules.hook
    explain: list[Explained] = []
    took_last = Explained(CAPTURED if result.captured else HELD, "capture.last_trick", result.captured)
    if points is None:
        points = result.trick_points
        explain += [
            Explained(TRICK_POINTS, "tricks.points", points),
            took_last,
        ]
        if result.captured:
            worth = hook.bottom_worth(result=result)
            points += worth.points
            explain.append(Explained(BOTTOM_POINTS, worth.by, worth.points))
    else:
        explain.append(took_last)
    result = replace(result, attackers_points=points)
    explain.append(Explained(ALL_POINTS, "levels.threshold", points))

    rotation = hook.next_dealer(result=result)
    result = replace(result, next_dealer=rotation.dealer, takeover=rotation.takeover)

    struck = [ending for endings in hook.endings(result=result) for ending in endings]
    struck.sort(key=_ending_order)
    ending = struck[0] if struck else None
    level_up: LevelUp | None = None
    climb: Climb | None = None
    levels = list(result.levels)
    winner: int | None = None
    name: str | None = None
    if ending is not None:
        name, winner = ending.name, ending.winner
        text = ending.what or ENDING_TEXT.get(name, Text(name, name))
        explain.append(Explained(text, ending.by, name))
    else:
        explain.append(Explained(TOOK_OVER if rotation.takeover else KEPT, rotation.by, rotation.dealer))
        level_up = hook.level_up(result=result)
        if level_up is None:
            explain.append(Explained(NO_LEVEL_UP, "levels.threshold", 0))
        else:
            climb = hook.climb(
                level=levels[level_up.side], earned=level_up.earned, as_dealer=level_up.side == result.side
            )
            explain.extend(_explain_climb(result, level_up, climb))
            levels[level_up.side] = climb.level
            if climb.lost:
                level_up = climb = None
            elif climb.passed:
                name, winner = "final_level", level_up.side
                explain.append(Explained(ENDING_TEXT[name], climb.by, name))
    owed: Owed | None = None
    if winner is not None:
        levels = [rules.start_level, rules.start_level]
        explain.append(
            Explained(
                Text("{side}赢下这一轮", "the round is won by {side}").format(side=SIDE_TEXT[winner]),
                ending.by if ending else (climb.by if climb else "levels.final_passed"),
                winner,
            )
        )
    else:
        parts = [part for found in hook.tribute_parts(result=result) for part in found if part.count]
        explain.extend(Explained(part.what, part.by, part.count) for part in parts)
        count = sum(part.count for part in parts)
        payer = (rotation.dealer + 3) % 4
        if count > 0:
            owed = Owed(payer, rotation.dealer, count)
        elif count < 0:
            owed = Owed(rotation.dealer, payer, -count)
    outcome = Outcome(result, name, winner, level_up, climb, (levels[0], levels[1]), owed)
    scores = [0, 0, 0, 0]
    for found in hook.score_parts(outcome=outcome):
        for part in found:
            explain.append(Explained(part.what, part.by, list(part.scores)))
            scores = [score + more for score, more in zip(scores, part.scores, strict=True)]
    return Settlement(outcome, (scores[0], scores[1], scores[2], scores[3]), tuple(explain))


def _ending_order(ending: Ending) -> int:
    return ending.order


def _explain_climb(result: Result, level_up: LevelUp, climb: Climb) -> list[Explained]:
    side = SIDE_TEXT[level_up.side]
    lines = [Explained(Text("{side}升级", "{side} levels up").format(side=side), level_up.by, level_up.earned)]
    if climb.lost:
        what = Text("这一级必须坐庄才能打过，升级作废", "this level must be played as dealer: the level-up is lost")
        lines.append(Explained(what, climb.by, 0))
    elif not climb.passed and climb.level - result.levels[level_up.side] < level_up.earned:
        rank = rank_text(climb.level)
        lines.append(
            Explained(
                Text(f"{rank} 必打，停在 {rank}", f"{rank} must be played: the climb stops there"),
                climb.by,
                climb.level,
            )
        )
    return lines
