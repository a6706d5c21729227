"""Means with their intervals, from exact whole-number sums: equal data give equal bytes, in whatever order they came."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from math import sqrt
from typing import Any, ClassVar, Final

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

    def negative(self) -> Estimate:
        """The same of the difference the other way round."""
        mean, low, high = (None if value is None else -value for value in (self.mean, self.high, self.low))
        return Estimate(mean, low, high, self.count)

    def within(self, least: float, most: float) -> Estimate:
        """The same with bounds cut to what the figure can be at all: an interval loses nothing of its sureness by that."""
        low = None if self.low is None else max(least, self.low)
        high = None if self.high is None else min(most, self.high)
        return Estimate(self.mean, low, high, self.count)


def _rounded(value: float | None) -> float | None:
    return None if value is None else round(value, 6) + 0.0


@dataclass(slots=True)
class Moments:
    """Count, sum and sum of squares of whole numbers; exact, so the order of adding does not matter."""

    count: int = 0
    total: int = 0
    squares: int = 0

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

    def check(self, least: int | None = None, most: int | None = None) -> None:
        """Raises ValueError where no values, or none from ``least`` to ``most``, have these sums."""
        n, total, squares = self.count, self.total, self.squares
        if n < 0 or squares < 0 or n * squares < total * total:
            raise ValueError(f"no sums of values: {self}")
        if (least is not None and total < least * n) or (most is not None and total > most * n):
            raise ValueError(f"no sums of values from {least} to {most}: {self}")

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


def check_counts(most: int, *counts: int) -> None:
    """Raises ValueError where one of these is no count of some out of ``most``."""
    for count in (most, *counts):
        if not 0 <= count <= most:
            raise ValueError(f"{count} of {most}")


@dataclass(slots=True)
class Paired:
    """Exact sums of a figure over units that were played under two rule sets, a and b.

    ``x`` is a unit's total of the figure, ``n`` the number of its hands the figure applies to (0 or 1 where a unit is a hand), both
    under a and under b. ``sums`` are 14 whole numbers, in the order of ``FIELDS``: the sums of xa, na, xb, nb and of their products.
    Sums of sums are sums: blocks, processes and compiled loops may add them up in any order.
    """

    FIELDS: ClassVar = (
        *("xa", "na", "xb", "nb"),
        *("xaxa", "xana", "xaxb", "xanb", "nana", "naxb", "nanb", "xbxb", "xbnb", "nbnb"),
    )

    units: int = 0
    sums: list[int] = field(default_factory=lambda: [0] * 14)

    def add(self, xa: int, na: int, xb: int, nb: int, times: int = 1) -> None:
        """Count so many equal units in; a unit the figure does not apply to under either rule set is none."""
        if not na and not nb:
            return
        self.units += times
        s = self.sums
        ta, tb, ma, mb = times * xa, times * xb, times * na, times * nb
        s[0] += ta
        s[1] += ma
        s[2] += tb
        s[3] += mb
        s[4] += ta * xa
        s[5] += ta * na
        s[6] += ta * xb
        s[7] += ta * nb
        s[8] += ma * na
        s[9] += ma * xb
        s[10] += ma * nb
        s[11] += tb * xb
        s[12] += tb * nb
        s[13] += mb * nb

    def merge(self, other: Paired) -> None:
        """Count in all that another has counted."""
        self.units += other.units
        self.sums = [mine + theirs for mine, theirs in zip(self.sums, other.sums, strict=True)]

    def check(self) -> None:
        """Raises ValueError where no units have these sums."""
        if len(self.sums) != len(self.FIELDS) or min(self.units, self.sums[1], self.sums[3]) < 0:
            raise ValueError(f"no sums over units: {self}")

    def over(self, hands: Paired) -> Paired:
        """The same totals over the hands that ``hands`` has counted: for a figure that was only added where it was not 0."""
        of_hands = {"na", "nb", "nana", "nanb", "nbnb"}
        chosen = [(hands if name in of_hands else self).sums[place] for place, name in enumerate(self.FIELDS)]
        return Paired(hands.units, chosen)

    def difference(self, *, shares: bool = False) -> Estimate:
        """The mean of a hand under b minus that under a, with its 99 % interval; ``shares``: of values 0 and 1, from -1 to 1.

        Units, not hands, are what is drawn at random: the interval is that of a ratio of sums over paired units (linearised). Where
        every unit is one hand and the figure always applies, it is the textbook's for paired differences.
        """
        xa, na, xb, nb = self.sums[:4]
        if not na or not nb:
            return Estimate(None, None, None, self.units)
        mean = (xb * na - xa * nb) / (na * nb)
        # What a unit adds to the difference, times na² nb²: whole numbers, so that only the last division rounds.
        weights = (-na * nb * nb, xa * nb * nb, nb * na * na, -xb * na * na)
        found = self._estimate(mean, self._squares(weights), (na * nb) ** 4)
        return found.within(-1.0, 1.0) if shares else found

    def of_a(self, *, shares: bool = False) -> Estimate:
        """The mean of a hand under a, with its 99 % interval over units; ``shares``: of values 0 and 1."""
        x, n = self.sums[0], self.sums[1]
        return self._own(x, n, (n, -x, 0, 0), shares)

    def of_b(self, *, shares: bool = False) -> Estimate:
        """The mean of a hand under b, with its 99 % interval over units; ``shares``: of values 0 and 1."""
        x, n = self.sums[2], self.sums[3]
        return self._own(x, n, (0, 0, n, -x), shares)

    def _own(self, x: int, n: int, weights: tuple[int, int, int, int], shares: bool) -> Estimate:
        if not n:
            return Estimate(None, None, None, 0)
        found = self._estimate(x / n, self._squares(weights), n**4)
        return found.within(0.0, 1.0) if shares else found

    def _squares(self, weights: tuple[int, int, int, int]) -> int:
        """The sum over units of the square of the weighted (xa, na, xb, nb)."""
        total, place = 0, 4
        for i in range(4):
            for j in range(i, 4):
                total += (1 if i == j else 2) * weights[i] * weights[j] * self.sums[place]
                place += 1
        return max(0, total)

    def _estimate(self, mean: float, squares: int, scale: int) -> Estimate:
        n = self.units
        if n < 2:
            return Estimate(mean, None, None, n)
        half = Z_99 * sqrt(squares * n / (scale * (n - 1)))
        return Estimate(mean, mean - half, mean + half, n)


@dataclass(slots=True)
class PairedKinds:
    """How often each kind of something came up in units played under two rule sets: ``hands`` counts what it applies to, ``kinds``
    has an entry for every kind that came up, ``changed`` is in how many units the two counts are not the same."""

    changed: int = 0
    hands: Paired = field(default_factory=Paired)
    kinds: dict[str, Paired] = field(default_factory=dict)

    def add(self, a: Mapping[str, int], b: Mapping[str, int], times: int = 1) -> None:
        """Count in so many units with these counts by kind."""
        na, nb = sum(a.values()), sum(b.values())
        self.hands.add(0, na, 0, nb, times)
        self.changed += times * (a != b)
        for kind in a.keys() | b.keys():
            if kind not in self.kinds:
                self.kinds[kind] = Paired()
            self.kinds[kind].add(a.get(kind, 0), na, b.get(kind, 0), nb, times)

    def merge(self, other: PairedKinds) -> None:
        """Count in all that another has counted."""
        self.changed += other.changed
        self.hands.merge(other.hands)
        for kind, paired in other.kinds.items():
            self.kinds.setdefault(kind, Paired()).merge(paired)

    def check(self) -> None:
        """Raises ValueError where more units have changed than there are."""
        check_counts(self.hands.units, self.changed)

    def differences(self) -> dict[str, Estimate]:
        """By kind, its share under b minus its share under a; kinds in alphabetical order."""
        return {kind: self.kinds[kind].over(self.hands).difference(shares=True) for kind in sorted(self.kinds)}

    def share_changed(self) -> Estimate:
        """The share of units whose counts are not the same."""
        return share(self.changed, self.hands.units)
