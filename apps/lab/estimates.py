"""Means with their intervals, from exact whole-number sums: equal data give equal bytes, in whatever order they came."""

from __future__ import annotations

from dataclasses import dataclass
from math import sqrt
from typing import Any, Final

Z_99: Final = 2.5758293035489004
"""The 99 % interval of the normal distribution is this many standard errors to each side."""


@dataclass(frozen=True, slots=True)
class Estimate:
    """A mean with its 99 % interval. ``mean`` is None where nothing was counted, the bounds where one value tells nothing."""

    mean: float | None
    low: float | None
    high: float | None
    count: int

    def as_json(self) -> dict[str, Any]:
        """Plain data, rounded to what the count can bear."""
        return {
            "mean": _rounded(self.mean),
            "low": _rounded(self.low),
            "high": _rounded(self.high),
            "count": self.count,
        }

    @property
    def differs(self) -> bool:
        """Does the interval leave out zero?"""
        return self.low is not None and self.high is not None and (self.low > 0 or self.high < 0)


def _rounded(value: float | None) -> float | None:
    return None if value is None else round(value, 6) + 0.0


class Moments:
    """Count, sum and sum of squares of whole numbers; exact, so the order of adding does not matter."""

    __slots__ = ("count", "squares", "total")

    def __init__(self, count: int = 0, total: int = 0, squares: int = 0) -> None:
        self.count = count
        self.total = total
        self.squares = squares

    def add(self, value: int) -> None:
        """Count a value in."""
        self.count += 1
        self.total += value
        self.squares += value * value

    def merge(self, other: Moments) -> None:
        """Count in all that another has counted."""
        self.count += other.count
        self.total += other.total
        self.squares += other.squares

    def estimate(self) -> Estimate:
        """The mean and the 99 % interval of the normal approximation."""
        n = self.count
        if not n:
            return Estimate(None, None, None, 0)
        mean = self.total / n
        if n < 2:
            return Estimate(mean, None, None, n)
        # n² times the variance, exactly, before the one division.
        spread = max(0, n * self.squares - self.total * self.total)
        half = Z_99 * sqrt(spread / (n * n * (n - 1)))
        return Estimate(mean, mean - half, mean + half, n)

    def share(self) -> Estimate:
        """For values 0 and 1: the share of ones with Wilson's 99 % interval, which is honest at 0 and at 1."""
        return share(self.total, self.count)


def share(hits: float, count: int) -> Estimate:
    """A share with Wilson's 99 % interval; a half of a hit may count too."""
    if not count:
        return Estimate(None, None, None, 0)
    p = hits / count
    z2 = Z_99 * Z_99
    middle = (p + z2 / (2 * count)) / (1 + z2 / count)
    half = Z_99 * sqrt(p * (1 - p) / count + z2 / (4 * count * count)) / (1 + z2 / count)
    return Estimate(p, max(0.0, middle - half), min(1.0, middle + half), count)
