"""Choosing between candidates by playing each on the same deals: sequential halving.

All candidates are tried on some deals; the better half of them goes on to more deals, and so on, and ``steady``'s own choice (the
first) always goes with them. Another is taken only where it did better than that one by more than chance explains, which is
measured in standard errors: so nothing is lost where nothing can be told.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from math import sqrt
from typing import Final

from gunzi.apps.players.sharp.budget import Budget

CAUTION: Final = 0.5
"""Standard errors by which another candidate must do better than the first."""
BATCH: Final = 32
"""So many deals at most between two looks at the clock."""

Try = Callable[[int, Sequence[int]], Sequence[Sequence[int]]]
"""So many new deals, which candidates → for each deal the worth of each of these candidates."""


class Scores:
    """How much better than the first candidate each did, deal by deal."""

    def __init__(self, count: int) -> None:
        self.deals = [0] * count
        self.total = [0] * count
        self.squares = [0] * count

    def add(self, chosen: Sequence[int], values: Sequence[int]) -> None:
        """Count a deal in; ``chosen[0]`` is candidate 0."""
        base = values[0]
        for candidate, value in zip(chosen, values, strict=True):
            better = value - base
            self.deals[candidate] += 1
            self.total[candidate] += better
            self.squares[candidate] += better * better

    def mean(self, candidate: int) -> float:
        """How much better it did in the mean."""
        return self.total[candidate] / max(1, self.deals[candidate])

    def surely(self, candidate: int, caution: float = CAUTION) -> bool:
        """Did it do better than the first by more than so many standard errors?"""
        n = self.deals[candidate]
        if n < 2:
            return False
        spread = n * self.squares[candidate] - self.total[candidate] ** 2
        return self.mean(candidate) > caution * sqrt(max(0, spread) / (n * n * (n - 1)))


def choose(count: int, budget: Budget, attempt: Try, began: float, caution: float = CAUTION) -> int:
    """The best of so many candidates. ``began``: when the question was asked (``time.perf_counter``). A budget of fewer playouts
    than there are candidates is for the first ones."""
    if budget.seconds is None:
        count = max(2, min(count, budget.playouts))
    scores = Scores(count)
    active = list(range(count))
    rounds = max(1, (count - 1).bit_length())
    for turn in range(rounds):
        if budget.seconds is None:
            _play(scores, active, max(1, budget.playouts // (rounds * len(active))), attempt)
        else:
            _play_until(scores, active, began + budget.seconds * (turn + 1) / rounds, attempt)
        order = sorted(active[1:], key=lambda candidate: (-scores.mean(candidate), candidate))
        active = [0, *order[: max(1, len(active) // 2)]]
        if len(active) == 1:
            break
    best = max(active, key=lambda candidate: (scores.mean(candidate), -candidate))
    return best if best and scores.surely(best, caution) else 0


def _play(scores: Scores, active: Sequence[int], deals: int, attempt: Try) -> None:
    while deals > 0:
        batch = min(deals, BATCH)
        for values in attempt(batch, active):
            scores.add(active, values)
        deals -= batch


def _play_until(scores: Scores, active: Sequence[int], end: float, attempt: Try) -> None:
    batch = 1
    while True:
        before = time.perf_counter()
        for values in attempt(batch, active):
            scores.add(active, values)
        now = time.perf_counter()
        left = end - now
        if left <= 0:
            return
        batch = max(1, min(BATCH, int(left / max(1e-6, (now - before) / batch))))
