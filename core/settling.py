"""Settling a result: points, who deals next, endings, levels, tribute, sheets — each asked of the rules, each explained."""

from __future__ import annotations

from typing import TYPE_CHECKING

from gunzi.cards import rank_text
from gunzi.errors import Text
from gunzi.values import (
    BottomWorth,
    Climb,
    Ending,
    Explained,
    Grounds,
    LevelUp,
    Outcome,
    Owed,
    Result,
    Settlement,
    TributePart,
)

if TYPE_CHECKING:
    from gunzi.ruleset import RuleSet

SIDE_TEXT = (Text("0、2 号位一方", "the side of seats 0 and 2"), Text("1、3 号位一方", "the side of seats 1 and 3"))
CAPTURED = Text("抓分方抠底", "the attackers captured the bottom")
HELD = Text("庄家方保底", "the dealer side held the bottom")
EARLY = Text(
    "剩下的牌改变不了结果，没再打，也就不算抠底保底",
    "the cards left could not change the result: they were not played, and nobody captured or held",
)
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
    tricks_known = points is None
    worth: BottomWorth | None = None
    if points is None:
        points = result.trick_points
        if result.captured:
            worth = hook.bottom_worth(result=result)
            points += worth.points
    result = _with(result, points, None, False)
    rotation = hook.next_dealer(result=result)
    result = _with(result, points, rotation.dealer, rotation.takeover)

    struck = [ending for endings in hook.endings(result=result) for ending in endings]
    ending = min(struck, key=_ending_order) if struck else None
    level_up: LevelUp | None = None
    climb: Climb | None = None
    levels = list(result.levels)
    winner: int | None = None
    name: str | None = None
    if ending is not None:
        name, winner = ending.name, ending.winner
    else:
        level_up = hook.level_up(result=result)
        if level_up is not None:
            side = level_up.side
            climb = hook.climb(level=levels[side], earned=level_up.earned, as_dealer=side == result.side)
            levels[side] = climb.level
            if climb.passed and not climb.lost:
                name, winner = "final_level", side
    owed: Owed | None = None
    tribute: tuple[TributePart, ...] = ()
    if winner is not None:
        levels = [rules.start_level, rules.start_level]
    else:
        tribute = tuple([part for found in hook.tribute_parts(result=result) for part in found if part.count])
        count = sum([part.count for part in tribute])
        payer = (rotation.dealer + 3) % 4
        if count > 0:
            owed = Owed(payer, rotation.dealer, count)
        elif count < 0:
            owed = Owed(rotation.dealer, payer, -count)
    kept = climb is not None and not climb.lost
    outcome = Outcome(
        result, name, winner, level_up if kept else None, climb if kept else None, (levels[0], levels[1]), owed
    )
    parts = tuple([part for found in hook.score_parts(outcome=outcome) for part in found])
    a = b = c = d = 0
    for part in parts:
        p, q, r, s = part.scores
        a, b, c, d = a + p, b + q, c + r, d + s
    grounds = Grounds(tricks_known, worth, rotation, ending, level_up, climb, tribute, parts)
    return Settlement(outcome, (a, b, c, d), grounds)


def explained(settlement: Settlement) -> tuple[Explained, ...]:
    """A settlement's explanation, line by line: the points, who deals next or what ended the round, levels, tribute, sheets."""
    grounds, outcome = settlement.grounds, settlement.outcome
    result, rotation, ending = outcome.result, grounds.rotation, grounds.ending
    lines: list[Explained] = []
    if grounds.tricks_known:
        lines.append(Explained(TRICK_POINTS, "tricks.points", result.trick_points))
    if grounds.early:
        lines.append(Explained(EARLY, "table.early", True))
    else:
        lines.append(Explained(CAPTURED if result.captured else HELD, "capture.last_trick", result.captured))
    if grounds.worth is not None:
        lines.append(Explained(BOTTOM_POINTS, grounds.worth.by, grounds.worth.points))
    lines.append(Explained(ALL_POINTS, "levels.threshold", result.attackers_points))
    if ending is not None:
        text = ending.what or ENDING_TEXT.get(ending.name, Text(ending.name, ending.name))
        lines.append(Explained(text, ending.by, ending.name))
    else:
        lines.append(Explained(TOOK_OVER if rotation.takeover else KEPT, rotation.by, rotation.dealer))
        lines.extend(_explain_levels(result, grounds.level_up, grounds.climb))
    winner = outcome.round_won_by
    if winner is not None:
        said = Text("{side}赢下这一轮", "the round is won by {side}").format(side=SIDE_TEXT[winner])
        decided = ending or grounds.climb
        lines.append(Explained(said, decided.by if decided else "levels.final_passed", winner))
    lines.extend(Explained(part.what, part.by, part.count) for part in grounds.tribute)
    lines.extend(Explained(part.what, part.by, list(part.scores)) for part in grounds.scores)
    return tuple(lines)


def _with(result: Result, points: int, next_dealer: int | None, takeover: bool) -> Result:
    # What dataclasses.replace does, in a third of its time.
    return Result(
        result.dealer,
        result.levels,
        result.trick_points,
        result.capture,
        result.bottom,
        result.bottom_points,
        result.dry,
        result.trump,
        result.last_play,
        result.tribute_paid,
        points,
        next_dealer,
        takeover,
    )


def _ending_order(ending: Ending) -> int:
    return ending.order


def _explain_levels(result: Result, level_up: LevelUp | None, climb: Climb | None) -> list[Explained]:
    if level_up is None or climb is None:
        return [Explained(NO_LEVEL_UP, "levels.threshold", 0)]
    side = SIDE_TEXT[level_up.side]
    lines = [Explained(Text("{side}升级", "{side} levels up").format(side=side), level_up.by, level_up.earned)]
    if climb.lost:
        what = Text("这一级必须坐庄才能打过，升级作废", "this level must be played as dealer: the level-up is lost")
        lines.append(Explained(what, climb.by, 0))
    elif climb.passed:
        lines.append(Explained(ENDING_TEXT["final_level"], climb.by, "final_level"))
    elif climb.level - result.levels[level_up.side] < level_up.earned:
        rank = rank_text(climb.level)
        lines.append(
            Explained(
                Text(f"{rank} 必打，停在 {rank}", f"{rank} must be played: the climb stops there"),
                climb.by,
                climb.level,
            )
        )
    return lines
