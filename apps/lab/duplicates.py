"""Duplicate deals: two players, every deal played twice with the sides changed, so that the cards favour nobody."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from gunzi.apps.lab.estimates import Estimate, Moments
from gunzi.apps.lab.simulation import check_amount
from gunzi.apps.lab.situations import common_levels, unit_seed
from gunzi.apps.lab.units import Plan, unit_table
from gunzi.apps.players import play_table, player
from gunzi.hand import Hand
from gunzi.ruleset import RuleSet


@dataclass(frozen=True, slots=True)
class Duplicate:
    """How much better ``a`` did than ``b`` in a hand, in the mean over both ways to seat them: ``levels`` (climbed by its side
    minus the other's), ``points`` (the attackers' points over what they need are theirs, under it the dealer side's), ``score`` (of its players on
    the sheet minus the others')."""

    rules: str
    a: str
    b: str
    seed: int
    deals: int
    levels: Estimate
    points: Estimate
    score: Estimate

    def as_json(self) -> dict[str, Any]:
        """Plain data."""
        return {
            "rules": self.rules,
            "a": self.a,
            "b": self.b,
            "seed": self.seed,
            "deals": self.deals,
            "levels": self.levels.as_json(),
            "points": self.points.as_json(),
            "score": self.score.as_json(),
        }


def duplicate(rules: RuleSet, a: str, b: str, *, hands: int, seed: int) -> Duplicate:
    """Play so many deals twice, ``a`` at seats 0 and 2, then ``b``. Raises LabError, UnknownPlayerError."""
    check_amount(hands, None, seed)
    a, b = player(a).name, player(b).name
    plans = match_plans(rules, a, b, seed)
    moments = [Moments(), Moments(), Moments()]
    for k in range(hands):
        one, other = (even_side(rules, plan, k) for plan in plans)
        for total, left, right in zip(moments, one, other, strict=True):
            total.add(left - right)
    halves = [halved(total.estimate()) for total in moments]
    return Duplicate(rules.id, a, b, seed, hands, *halves)


def match_plans(rules: RuleSet, a: str, b: str, seed: int) -> tuple[Plan, Plan]:
    """``a`` at seats 0 and 2, and ``b`` there."""
    levels = common_levels([rules])
    return Plan(seed, (a, b, a, b), "hands", levels), Plan(seed, (b, a, b, a), "hands", levels)


def even_side(rules: RuleSet, plan: Plan, k: int) -> tuple[int, int, int]:
    """Levels, points and score of the side of seats 0 and 2, minus the other's."""
    table = unit_table(rules, plan, k, record=False)
    settled: list[Hand] = []

    def finished(hand: Hand) -> None:
        if hand.settlement is not None:
            settled.append(hand)

    play_table(table, plan.players(), unit_seed(plan.seed, k), finished=finished)
    settlement = settled[-1].settlement
    assert settlement is not None
    outcome = settlement.outcome
    levels = 0
    if outcome.level_up is not None and outcome.climb is not None:
        levels = outcome.climb.climbed if outcome.level_up.side == 0 else -outcome.climb.climbed
    # Over or under what the attackers need: so it does not matter who happened to be the dealer.
    over = outcome.result.attackers_points - int(rules.options["levels.threshold"])
    points = -over if outcome.result.side == 0 else over
    return levels, points, settlement.scores[0] - settlement.scores[1]


def halved(estimate: Estimate) -> Estimate:
    """Each deal was played twice: half of the difference is what a hand brings."""
    if estimate.mean is None:
        return estimate
    low = estimate.low / 2 if estimate.low is not None else None
    high = estimate.high / 2 if estimate.high is not None else None
    return Estimate(estimate.mean / 2, low, high, estimate.count)
