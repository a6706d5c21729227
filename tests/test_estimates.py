"""Sums over paired units: exact, mergeable, and the textbook's where there is one."""

from __future__ import annotations

import math
import random
import statistics

import pytest

from gunzi.apps.lab.estimates import Z_99, Estimate, Moments, Paired, PairedKinds


def _units(count: int, seed: int = 5) -> list[tuple[int, int, int, int]]:
    dice = random.Random(seed)
    return [
        (
            sum(dice.choices(range(9), k=(na := dice.randint(1, 6)))),
            na,
            sum(dice.choices(range(12), k=(nb := dice.randint(1, 6)))),
            nb,
        )
        for _ in range(count)
    ]


def test_single_hands_give_the_textbook_s_paired_difference() -> None:
    dice = random.Random(2)
    pairs = [(dice.randrange(50), dice.randrange(60)) for _ in range(80)]
    paired, moments = Paired(), Moments()
    for a, b in pairs:
        paired.add(a, 1, b, 1)
        moments.add(b - a)
    one, other = paired.difference(), moments.estimate()
    assert (one.mean, one.low, one.high) == pytest.approx((other.mean, other.low, other.high))
    assert one.count == 80


def test_rounds_give_the_difference_of_the_means_of_a_hand() -> None:
    units = _units(200)
    paired = Paired()
    for unit in units:
        paired.add(*unit)
    xa, na, xb, nb = (sum(column) for column in zip(*units, strict=True))
    found = paired.difference()
    assert found.mean == pytest.approx(xb / nb - xa / na)
    # What each round adds to the difference, in floating point.
    parts = [(b - xb / nb * m) / (nb / 200) - (a - xa / na * n) / (na / 200) for a, n, b, m in units]
    assert found.high == pytest.approx(found.mean + Z_99 * statistics.stdev(parts) / math.sqrt(200))
    assert paired.of_a().mean == pytest.approx(xa / na) and paired.of_b().mean == pytest.approx(xb / nb)


def test_the_interval_of_rounds_covers_what_it_should() -> None:
    # Rounds whose hands resemble each other: an interval over hands would be far too narrow.
    dice = random.Random(11)
    hits = 0
    for _ in range(300):
        paired = Paired()
        for _ in range(60):
            like, n = dice.choice((0, 10)), dice.randint(2, 6)
            paired.add(
                sum(like + dice.randint(0, 2) for _ in range(n)), n, sum(like + dice.randint(0, 4) for _ in range(n)), n
            )
        found = paired.difference()
        hits += found.low is not None and found.high is not None and found.low <= 1 <= found.high
    assert hits >= 288


def test_sums_do_not_depend_on_the_blocks() -> None:
    whole, parts = Paired(), [Paired(), Paired(), Paired()]
    for place, unit in enumerate(_units(90)):
        whole.add(*unit)
        parts[place % 3].add(*unit)
    for part in parts[1:]:
        parts[0].merge(part)
    assert (parts[0].units, parts[0].sums) == (whole.units, whole.sums)
    many = Paired()
    many.add(3, 2, 5, 1, times=7)
    one_by_one = Paired()
    for _ in range(7):
        one_by_one.add(3, 2, 5, 1)
    assert (many.units, many.sums) == (one_by_one.units, one_by_one.sums)


def test_what_does_not_apply_is_not_counted() -> None:
    paired = Paired()
    paired.add(0, 0, 0, 0)
    assert paired.difference() == Estimate(None, None, None, 0) == paired.of_a()
    paired.add(4, 1, 0, 0)
    assert paired.difference().mean is None and paired.of_a().mean == 4
    paired.add(0, 0, 6, 1)
    assert paired.difference().mean == 2 and paired.difference().count == 2


def test_kinds_are_counted_as_shares_of_the_hands_they_apply_to() -> None:
    kinds, plain = PairedKinds(), Paired()
    dice = random.Random(3)
    for _ in range(120):
        a, b = dice.choice("xyz"), dice.choice("xxyz")
        kinds.add({a: 1}, {b: 1})
        plain.add(int(a == "x"), 1, int(b == "x"), 1)
    assert kinds.differences()["x"] == plain.difference()
    assert sum(each.mean or 0 for each in kinds.differences().values()) == pytest.approx(0)
    assert kinds.share_changed().mean == kinds.changed / 120
    more = PairedKinds()
    more.add({"w": 2}, {"w": 1, "x": 1}, times=5)
    kinds.merge(more)
    assert kinds.hands.units == 125 and set(kinds.differences()) == set("wxyz")


def test_a_difference_can_be_turned_round() -> None:
    assert Estimate(1.0, 0.5, 2.0, 9).negative() == Estimate(-1.0, -2.0, -0.5, 9)


def test_the_interval_of_shares_stays_within_what_shares_can_be() -> None:
    """Three hands, two of which lose what the first set had: the plain interval goes below -100 %."""
    paired, kinds = Paired(), PairedKinds()
    for a, b in ((1, 0), (1, 0), (0, 0)):
        paired.add(a, 1, b, 1)
        kinds.add({"x" if a else "y": 1}, {"x" if b else "y": 1})
    plain, found = paired.difference(), paired.difference(shares=True)
    assert plain.low is not None and plain.low < -1 < 0 < (plain.high or 0)
    assert found == Estimate(plain.mean, -1.0, plain.high, 3) == kinds.differences()["x"]
    assert kinds.differences()["y"] == found.negative()
    rounds = Paired()
    for hits, hands in ((0, 2), (5, 5), (1, 3)):
        rounds.add(hits, hands, hands - hits, hands)
    one, other = rounds.of_a(), rounds.of_b()
    assert one.high is not None and one.high > 1 and other.low is not None and other.low < 0
    assert rounds.of_a(shares=True) == Estimate(one.mean, 0.0, 1.0, 3)
    assert rounds.of_b(shares=True) == Estimate(other.mean, 0.0, 1.0, 3)
    assert Estimate(0.5, None, None, 1).within(0, 1) == Estimate(0.5, None, None, 1)
