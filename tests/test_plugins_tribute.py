"""进贡 and 还贡: how much blood, in which cards, and what comes back."""

from __future__ import annotations

from typing import Any

import pytest
from plugin_options import make, options, played_out

from gunzi.cards import CARDS, Card
from gunzi.plugins.tribute import Tribute
from gunzi.trump import Trump, trump_order
from gunzi.values import Owed


def blood(
    points: int, *, captured: bool = False, bottom: str = "S7", dry: bool = False, **overrides: Any
) -> dict[str, int]:
    parts = make(Tribute, **overrides).tribute_parts(played_out(points, captured=captured, bottom=bottom, dry=dry))
    assert all(part.what.zh and part.what.en for part in parts)
    return {part.by: part.count for part in parts}


@pytest.mark.parametrize(("points", "count"), [(0, 8), (5, 8), (10, 7), (65, 2), (70, 1), (75, 1)])
def test_points_short_of_80_cost_a_card_for_each_ten_and_a_five_counts(points: int, count: int) -> None:
    assert blood(points) == {"tribute.low": count}


@pytest.mark.parametrize(("points", "count"), [(75, 0), (70, 1), (65, 1), (5, 7), (0, 8)])
def test_or_a_five_does_not_count(points: int, count: int) -> None:
    assert blood(points, tribute__low_rounding="down").get("tribute.low", 0) == count


@pytest.mark.parametrize("points", [80, 85, 115, 120, 150, 155])
def test_between_80_and_150_nobody_owes_for_the_score(points: int) -> None:
    assert blood(points) == {}


@pytest.mark.parametrize(("points", "count"), [(160, 1), (165, 1), (170, 2), (300, 15), (360, 21)])
def test_points_over_150_cost_a_card_for_each_full_ten(points: int, count: int) -> None:
    assert blood(points) == {"tribute.high": count}


@pytest.mark.parametrize(("points", "count"), [(150, 0), (155, 1), (160, 1), (165, 2)])
def test_or_a_five_over_counts(points: int, count: int) -> None:
    assert blood(points, tribute__high_rounding="up").get("tribute.high", 0) == count


def test_other_bounds_and_steps() -> None:
    bounds: dict[str, Any] = {"tribute__low": 100, "tribute__high": 140, "tribute__step": 20}
    assert blood(55, **bounds) == {"tribute.low": 3}
    assert blood(195, **bounds) == {"tribute.high": 2}


KINGS = "BJ LJ C7 C8 D8 D9"
CASES = [(100, False), (100, True), (130, False), (130, True)]


@pytest.mark.parametrize(
    ("when", "bleeding"),
    [
        ("four_case", [True, False, True, True]),
        ("by_score", [True, True, True, True]),
        ("both_conditions", [True, False, False, True]),
    ],
)
def test_for_which_results_the_kings_bleed(when: str, bleeding: list[bool]) -> None:
    found = [blood(points, captured=captured, bottom=KINGS, tribute__kings_when=when) for points, captured in CASES]
    assert found == [{"tribute.kings_when": 3} if bleeds else {} for bleeds in bleeding]


def test_score_and_kings_add_up() -> None:
    assert blood(60, bottom="BJ BJ LJ") == {"tribute.low": 2, "tribute.kings_when": 5}


def test_a_void_king_part_leaves_the_score_part_standing() -> None:
    assert blood(55, captured=True, bottom=KINGS) == {"tribute.low": 3}


def test_kings_in_a_dry_pot_draw_no_blood() -> None:
    assert blood(40, bottom=KINGS, dry=True) == {"tribute.low": 4}


def test_what_a_king_is_worth_is_the_tables() -> None:
    assert blood(100, bottom=KINGS, tribute__kings={"big": 5, "small": 0}) == {"tribute.kings_when": 5}
    assert blood(100, bottom=KINGS, tribute__kings={"big": 0, "small": 0}) == {}


def test_the_threshold_decides_for_whom() -> None:
    assert blood(100, captured=True, bottom=KINGS, levels__threshold=100) == {"tribute.kings_when": 3}


# Three big jokers

OWED = Owed(giver=1, receiver=2, count=4)


@pytest.mark.parametrize(
    ("counts", "kind"),
    [
        ((0, 3, 0, 0), ("reverse", 1)),
        ((0, 0, 0, 3), ("cancel", 3)),
        ((0, 0, 3, 0), None),
        ((3, 0, 0, 0), None),
        ((1, 2, 0, 0), None),
    ],
)
def test_three_big_jokers_reverse_or_cancel(counts: tuple[int, ...], kind: tuple[str, int] | None) -> None:
    found = make(Tribute).tribute_exemption(OWED, counts)
    assert (found and (found.kind, found.seat)) == kind
    assert make(Tribute, tribute__three_big="ignore").tribute_exemption(OWED, counts) is None


# Cards


def cards_of(mask: int, trump: Trump) -> set[Card]:
    return {card for card in CARDS if mask & trump.mask_of(card.kind)}


def payable(trump: Trump, **overrides: Any) -> set[Card]:
    return cards_of(make(Tribute, **overrides).payable(trump), trump)


def point_cards(*ranks: int) -> set[Card]:
    return {card for card in CARDS if card.rank in ranks}


def test_points_are_not_paid() -> None:
    assert payable(trump_order(6, "S")) == set(CARDS) - point_cards(5, 10, 13)


def test_unless_the_table_pays_the_largest_whatever_they_are() -> None:
    assert payable(trump_order(6, "S"), tribute__cards="any") == set(CARDS)


@pytest.mark.parametrize(("level", "others"), [(5, (10, 13)), (10, (5, 13)), (13, (5, 10))])
def test_level_cards_of_a_point_rank_are_paid_or_kept(level: int, others: tuple[int, int]) -> None:
    trump = trump_order(level, "S")
    assert payable(trump) == set(CARDS) - point_cards(*others)
    assert payable(trump, tribute__level_points="keep") == set(CARDS) - point_cards(5, 10, 13)
    assert payable(trump, tribute__level_points="keep", tribute__cards="any") == set(CARDS)


def test_side_cards_without_points_come_back_then_small_trumps_then_anything() -> None:
    trump = trump_order(6, "S")
    side, trumps, rest = (cards_of(mask, trump) for mask in make(Tribute).returnable(trump))
    assert side == {card for card in CARDS if not trump.is_trump(card)} - point_cards(5, 10, 13)
    assert trumps == {card for card in CARDS if trump.is_trump(card)} - point_cards(5, 10, 13) - {"LJ", "BJ"}
    assert rest == point_cards(5, 10, 13) | {Card("LJ"), Card("BJ")}


def test_or_any_cards_at_once() -> None:
    trump = trump_order(6, "S")
    (everything,) = make(Tribute, tribute__return="any").returnable(trump)
    assert cards_of(everything, trump) == set(CARDS)


# Conflicts


@pytest.mark.parametrize(("low", "threshold", "high"), [(80, 120, 150), (120, 120, 120), (0, 5, 300)])
def test_bounds_on_their_own_side_of_the_threshold_agree(low: int, threshold: int, high: int) -> None:
    assert not make(Tribute).conflicts(options(tribute__low=low, tribute__high=high, levels__threshold=threshold))


@pytest.mark.parametrize(("low", "threshold", "high"), [(125, 120, 150), (80, 120, 115), (80, 70, 150)])
def test_bounds_across_the_threshold_are_an_error(low: int, threshold: int, high: int) -> None:
    (conflict,) = make(Tribute).conflicts(options(tribute__low=low, tribute__high=high, levels__threshold=threshold))
    assert (conflict.code, conflict.error) == ("tribute-thresholds", True)


def test_keeping_level_cards_is_pointless_where_points_are_paid() -> None:
    assert not make(Tribute).conflicts(options(tribute__cards="any"))
    (conflict,) = make(Tribute).conflicts(options(tribute__cards="any", tribute__level_points="keep"))
    assert (conflict.code, conflict.error) == ("level-points-unused", False)
