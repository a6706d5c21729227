"""Rewards: what a settled hand is worth to each seat. They sum to zero over the four seats, always."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final

from gunzi.ruleset import RuleSet
from gunzi.values import Settlement

Reward = Callable[[RuleSet, Settlement], tuple[float, float, float, float]]


def levels(rules: RuleSet, settled: Settlement) -> tuple[float, float, float, float]:
    """The levels climbed in the hand, for the side that climbs; against the other.

    Passing the final level is one level. An ending that wins the round outright (shutout, sweep, three kings) is worth the levels
    its winner still had to climb, the passing of the final one included where it has to be passed.
    """
    outcome = settled.outcome
    if outcome.ending is not None and outcome.round_won_by is not None and outcome.climb is None:
        side = outcome.round_won_by
        climbed = (
            int(rules.options["levels.final"]) - outcome.result.levels[side] + (rules.options["levels.win"] == "pass")
        )
    elif outcome.level_up is not None and outcome.climb is not None:
        side, climbed = outcome.level_up.side, outcome.climb.climbed
    else:
        return 0.0, 0.0, 0.0, 0.0
    return _for_side(side, climbed)


def points(rules: RuleSet, settled: Settlement) -> tuple[float, float, float, float]:
    """The attackers' points above what takes the deal over (``levels.threshold``), for the attackers; against the dealer side."""
    result = settled.outcome.result
    return _for_side(1 - result.side, result.attackers_points - int(rules.options["levels.threshold"]))


def sheet(rules: RuleSet, settled: Settlement) -> tuple[float, float, float, float]:
    """What the score sheet moves for the seat, less the mean of what it moves for all four."""
    a, b, c, d = settled.scores
    mean = (a + b + c + d) / 4
    return a - mean, b - mean, c - mean, d - mean


def rounds(rules: RuleSet, settled: Settlement) -> tuple[float, float, float, float]:
    """1 for the side that wins the round, in the hand that ends it; -1 for the other."""
    winner = settled.outcome.round_won_by
    return (0.0, 0.0, 0.0, 0.0) if winner is None else _for_side(winner, 1)


def _for_side(side: int, amount: float) -> tuple[float, float, float, float]:
    gain = float(amount) if side == 0 else -float(amount)
    return gain, -gain, gain, -gain


REWARDS: Final[Mapping[str, Reward]] = {"levels": levels, "points": points, "sheet": sheet, "rounds": rounds}
"""The rewards by name."""
