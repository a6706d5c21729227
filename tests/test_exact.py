"""Exact chances: against all deals of small decks one by one, against the rule book, and against what deals really come to."""

from __future__ import annotations

import importlib.util
import sys
from collections import Counter
from fractions import Fraction
from itertools import combinations, product
from math import comb
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
from conftest import PRESETS, steps

import gunzi
from gunzi.apps.lab import LabError, exact
from gunzi.table import Table

HONEST = Path(__file__).parent.parent / "benchmarks" / "honest.py"
SIDE_LEGS = ("no_trump", "side_or_permanent", "no_trump_suit", "no_trump_suit_or_its_2", "never")
SMALL = {"deck.packs": 1, "deck.hand": 13, "deck.bottom": 2}


def honest() -> ModuleType:
    found = importlib.util.spec_from_file_location("honest", HONEST)
    assert found is not None and found.loader is not None
    module = importlib.util.module_from_spec(found)
    sys.modules["honest"] = module  # dataclasses look there for the annotations
    found.loader.exec_module(module)
    return module


@pytest.mark.parametrize("leg", SIDE_LEGS)
@pytest.mark.parametrize("permanent", ([2], [2, 7], []))
def test_dry_pots_are_as_many_as_among_all_bottoms_of_a_small_deck(leg: str, permanent: list[int]) -> None:
    rules = gunzi.load("dalian", {**SMALL, "dry_pot.side_leg": leg, "trump.permanent": permanent})
    for level, suit in ((3, "S"), (2, "H"), (7, "D")):
        order = gunzi.trump_order(level, suit, tuple(permanent))
        bottoms = list(combinations(gunzi.CARDS, 2))
        dry = [
            rules.hook.dry_pot(bottom=order.masks(pair), trump=order, shown=True, first_hand=False).dry
            for pair in bottoms
        ]
        assert exact.dry_pot(rules, level, suit) == Fraction(sum(dry), len(bottoms))


def test_dry_pots_of_two_packs_count_each_copy_of_a_card() -> None:
    rules = gunzi.load("yuwang", {"deck.packs": 2, "deck.hand": 26, "deck.bottom": 4, "dry_pot.side_leg": "no_trump"})
    # No trump at all, or nothing else: drawn one after another.
    trumps = 2 * (13 + 3 + 3 + 2)
    wanted = Fraction(1) * 0
    for of, size in ((trumps, 108), (108 - trumps, 108)):
        chance = Fraction(1)
        for drawn in range(4):
            chance *= Fraction(of - drawn, size - drawn)
        wanted += chance
    assert exact.dry_pot(rules, 5, "C") == wanted


def test_six_random_cards_are_dry_as_the_five_texts_have_it() -> None:
    every = comb(162, 6)
    trumps = comb(63, 6)
    wanted = {
        "chayuan": trumps + comb(99, 6),
        "boke": trumps + comb(162 - 45, 6) - comb(63 - 45, 6),
        "baike": trumps + comb(162 - 45, 6) - comb(63 - 45, 6),
        "zixun": trumps + comb(162 - 33, 6) - comb(63 - 33, 6),
        "yuwang": trumps + comb(162 - 33, 6) - comb(63 - 33, 6),
    }
    for preset, ways in wanted.items():
        assert exact.dry_pot(gunzi.load(preset), 10, "H") == Fraction(ways, every)


def test_a_pot_that_cannot_be_dry_never_is() -> None:
    rules = gunzi.load("dalian")
    assert exact.dry_pot(rules, 3, "S", shown=False) == 0
    shown = exact.dry_pot(rules, 3, "S")
    assert shown > 0 and exact.dry_pot(rules, 3, "S", first_hand=True) == shown
    assert exact.dry_pot(gunzi.load("dalian", {"dry_pot.hidden_bottom": "possible"}), 3, "S", shown=False) == shown
    assert exact.dry_pot(gunzi.load("dalian", {"dry_pot.first_hand": "never"}), 3, "S", first_hand=True) == 0


@pytest.mark.parametrize(("level", "suit"), ((1, "S"), (15, "S"), (3, "X"), (3, "SH"), (3, "")))
def test_there_is_no_such_trump(level: int, suit: str) -> None:
    with pytest.raises(LabError, match="no such trump"):
        exact.dry_pot(gunzi.load("dalian"), level, suit)


def test_cards_in_the_bottom_are_counted_over_all_bottoms() -> None:
    rules = gunzi.load("dalian", SMALL)
    kinds = gunzi.parse_cards("BJ LJ H5")
    counted = Counter(sum(card in kinds for card in pair) for pair in combinations(gunzi.CARDS, 2))
    assert exact.in_bottom(rules, kinds) == {n: Fraction(count, 1431) for n, count in sorted(counted.items())}


def test_three_big_jokers() -> None:
    rules = gunzi.load("dalian")
    assert exact.nobody_can_claim(rules) == Fraction(6 * 5 * 4, 162 * 161 * 160)
    assert exact.in_hand(rules, "BJ")[3] == Fraction(39 * 38 * 37, 162 * 161 * 160)
    for law in (exact.in_bottom(rules, "BJ"), exact.in_hand(rules, "BJ S5"), exact.in_bottom(rules, "H2 H2")):
        assert sum(law.values()) == 1
    assert exact.nobody_can_claim(gunzi.load("dalian", {**SMALL, "deck.bottom": 2})) == Fraction(2, 54)


@pytest.mark.parametrize("captured", (False, True))
def test_dealt_scores_are_those_of_cards_drawn_one_by_one(captured: bool) -> None:
    rules = gunzi.load("dalian", {"deck.packs": 1, "deck.hand": 1, "deck.bottom": 50, "capture.multiplier": 3})
    classes = {"5": 4, "10": 8, "BJ": 1, "LJ": 1, "": 40}
    worth = {"5": 5, "10": 10}
    wanted: dict[exact.Score, Fraction] = {}
    for four in product(classes, repeat=4):  # the attackers' two, the dealer side's two
        left = dict(classes)
        chance = Fraction(1)
        for drawn in four:
            chance *= Fraction(left[drawn], sum(left.values()))
            left[drawn] = max(0, left[drawn] - 1)
        if not chance:
            continue
        points = sum(worth.get(each, 0) for each in four[:2])
        below = sum(worth.get(each, 0) * count for each, count in left.items())
        score = exact.Score(points + (3 * below if captured else 0), captured, left["BJ"], left["LJ"])
        wanted[score] = wanted.get(score, Fraction(0)) + chance
    assert exact.dealt_scores(rules, captured) == wanted


@pytest.mark.parametrize("preset", ("yuwang", "baike"))
def test_tribute_is_what_the_rule_book_says_of_every_score(preset: str) -> None:
    rules = gunzi.load(preset)
    four_case = preset == "yuwang"
    for points, captured, big, small, dry in product(range(5, 300, 5), (False, True), (0, 1, 2), (0, 2), (False, True)):
        found = exact.owed_after(rules, exact.Score(points, captured, big, small, dry))
        short, over = max(0, 80 - points), max(0, points - 150)
        wanted = (short + 9) // 10 + over // 10
        if not dry and not (four_case and captured and points < 120):
            wanted += 2 * big + small
        assert found is None or found == wanted, (points, captured, big, small, dry)
        assert found is not None or points >= 120


def test_a_distribution_of_scores_becomes_one_of_tribute() -> None:
    rules = gunzi.load("yuwang")
    third = Fraction(1, 3)
    scores = {exact.Score(60, False): third, exact.Score(65, True): third, exact.Score(0, False): third}
    assert exact.tribute(rules, scores) == {2: 2 * third, None: third}
    for captured in (False, True):
        law = exact.dealt_scores(rules, captured)
        assert sum(law.values()) == 1
        mean = sum(score.points * chance for score, chance in law.items())
        assert mean == Fraction(300 * 78, 162) + (2 * Fraction(300 * 6, 162) if captured else 0)
    with pytest.raises(LabError, match="do not lie in a bottom"):
        exact.owed_after(rules, exact.Score(100, False, 4, 3))


@pytest.mark.parametrize("preset", PRESETS)
def test_the_tribute_of_played_hands_is_that_of_their_scores(preset: str) -> None:
    rules = gunzi.load(preset)
    scores: dict[tuple[int, int], Counter[exact.Score]] = {}
    owed: Counter[int | None] = Counter()
    table = Table(rules, seed=31, rounds=None, hands=30, record=False)
    hand = table.hand
    hands = 0
    for _ in steps(table, dice=3):
        # The hand before is settled as soon as another is dealt.
        if table.hand is not hand:
            hands += count_in(hand, scores, owed)
            hand = table.hand
    hands += count_in(hand, scores, owed)
    assert hands == 30
    found: Counter[int | None] = Counter()
    for levels, counted in scores.items():
        for cards, times in exact.tribute(rules, {score: Fraction(n) for score, n in counted.items()}, levels).items():
            found[cards] += int(times)
    assert found == owed and len(owed) > 3


def count_in(hand: gunzi.Hand, scores: dict[tuple[int, int], Counter[Any]], owed: Counter[int | None]) -> int:
    if hand.settlement is None:
        return 0
    outcome = hand.settlement.outcome
    result = outcome.result
    big, small = result.kings
    levels = (result.levels[result.side], result.levels[1 - result.side])
    score = exact.Score(result.attackers_points, result.captured, big, small, result.dry)
    scores.setdefault(levels, Counter())[score] += 1
    if outcome.round_won_by is not None:
        owed[None] += 1
    elif outcome.owed is None:
        owed[0] += 1
    else:
        owed[outcome.owed.count * (1 if outcome.owed.receiver == result.next_dealer else -1)] += 1
    return 1


# The interval, and what deals really come to.


def binomial(hits: int, count: int, chance: float) -> float:
    return sum(comb(count, k) * chance**k * (1 - chance) ** (count - k) for k in range(hits, count + 1))


@pytest.mark.parametrize(("hits", "count"), ((1, 10), (3, 20), (19, 20), (50, 100), (7, 1000)))
def test_at_its_bounds_an_interval_leaves_just_what_is_strange(hits: int, count: int) -> None:
    low, high = exact.interval(hits, count, 0.99)
    assert binomial(hits, count, low) == pytest.approx(0.005, rel=1e-6)
    assert 1 - binomial(hits + 1, count, high) == pytest.approx(0.005, rel=1e-6)
    assert low < hits / count < high


def test_nothing_and_everything_have_intervals_too() -> None:
    assert exact.interval(0, 1_000_000)[0] == 0 and 9e-6 < exact.interval(0, 1_000_000)[1] < 1.1e-5
    assert exact.interval(20, 20)[1] == 1
    low, high = exact.interval(250_000, 1_000_000)
    assert low == pytest.approx(0.25 - 3.8906 * 0.000433, abs=4e-6)
    assert high == pytest.approx(0.25 + 3.8906 * 0.000433, abs=4e-6)
    with pytest.raises(LabError):
        exact.interval(3, 2)


@pytest.fixture(scope="module")
def counted() -> dict[str, Any]:
    return {check.name: check for check in honest().checks(16_000, 1)}


def test_what_is_counted_fits_the_exact_chances(counted: dict[str, Any]) -> None:
    missed = [check.line() for check in counted.values() if not check.holds]
    assert not missed, "\n".join(missed)
    assert len(counted) > 60


def summed(counted: dict[str, Any], leg: str) -> tuple[int, int]:
    found = [check for name, check in counted.items() if name.startswith(f"dry, {leg}, ")]
    return sum(check.hits for check in found), sum(check.count for check in found)


@pytest.mark.parametrize("leg", SIDE_LEGS)
@pytest.mark.parametrize("other", SIDE_LEGS)
def test_another_definition_of_the_dry_pot_would_be_found_out(counted: dict[str, Any], leg: str, other: str) -> None:
    chance = exact.dry_pot(gunzi.load("dalian", {"dry_pot.side_leg": other}), 3, "H")
    assert exact.fits(chance, *summed(counted, leg)) is (leg == other)


@pytest.mark.parametrize(
    "options",
    (
        {"tribute.step": 15},
        {"tribute.high": 140, "levels.threshold": 120},
        {"tribute.high_rounding": "up"},
        {"tribute.kings": {"big": 3, "small": 1}},
    ),
)
def test_another_tribute_would_be_found_out(counted: dict[str, Any], options: dict[str, Any]) -> None:
    rules = gunzi.load("yuwang", options)
    law = exact.tribute(rules, exact.dealt_scores(rules, False))
    hits = {cards: counted.get(f"{cards} cards owed, yuwang, held") for cards in range(8)}
    missed = [cards for cards, check in hits.items() if check and not exact.fits(law[cards], check.hits, check.count)]
    assert missed


def test_the_counts_are_the_same_in_blocks() -> None:
    module = honest()
    module.BLOCK = 100
    found = module.counted(250, 3)
    assert found == module.count(3, range(250)) and sum(found.looked.values()) == 250


def test_a_figure_that_is_off_fails_the_benchmark() -> None:
    check = honest().Check
    assert honest().Same("b", 3, 3).holds and honest().Same("b", 3, 4).line().startswith("! b")
    assert check("a", Fraction(1, 4), 250_000, 1_000_000).holds
    assert not check("a", Fraction(1, 4), 252_000, 1_000_000).holds
    assert check("a", Fraction(1, 4), 252_000, 1_000_000).line().startswith("! a")
