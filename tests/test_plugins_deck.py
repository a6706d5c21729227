"""What is dealt, what it is worth, and what is always trump."""

from __future__ import annotations

import pytest
from plugin_options import make, options

from gunzi.plugins.deck import Deck
from gunzi.plugins.permanent import Permanent
from gunzi.plugins.points import Points


def test_three_packs_are_39_cards_each_and_a_bottom_of_six() -> None:
    deck = make(Deck).deck()
    assert deck.copies == (3,) * 54
    assert (deck.hand, deck.bottom, deck.dealt, deck.size) == (39, 6, 156, 162)


@pytest.mark.parametrize(("packs", "hand", "bottom"), [(3, 39, 6), (3, 40, 2), (2, 27, 0), (2, 25, 8), (1, 12, 6)])
def test_hands_and_bottom_that_use_up_the_packs_agree(packs: int, hand: int, bottom: int) -> None:
    assert make(Deck).conflicts(options(deck__packs=packs, deck__hand=hand, deck__bottom=bottom)) == ()


@pytest.mark.parametrize(("packs", "hand", "bottom"), [(2, 39, 6), (3, 39, 8), (3, 38, 6)])
def test_hands_and_bottom_that_do_not_are_an_error(packs: int, hand: int, bottom: int) -> None:
    (conflict,) = make(Deck).conflicts(options(deck__packs=packs, deck__hand=hand, deck__bottom=bottom))
    assert (conflict.code, conflict.error) == ("deck-size", True)
    assert str(4 * hand + bottom) in conflict.text.zh and str(54 * packs) in conflict.text.en


def test_fives_tens_and_kings_carry_the_points() -> None:
    rule = make(Points)
    assert {rank: rule.card_points(rank) for rank in range(2, 17) if rule.card_points(rank)} == {5: 5, 10: 10, 13: 10}


def test_a_table_may_give_points_to_other_ranks() -> None:
    rule = make(Points, points={"A": 20})
    assert (rule.card_points(14), rule.card_points(5)) == (20, 0)


def test_without_points_every_hand_would_be_a_shutout() -> None:
    rule = make(Points)
    assert rule.conflicts(options()) == ()
    assert rule.conflicts(options(points={}, endings__shutout=False)) == ()
    (conflict,) = rule.conflicts(options(points={}))
    assert (conflict.code, conflict.error) == ("no-points", False)


def test_the_twos_are_permanent_trumps_and_the_first_named_of_two_ranks_is_the_stronger() -> None:
    assert make(Permanent).permanent_ranks() == (2,)
    assert make(Permanent, trump__permanent=[7, 2]).permanent_ranks() == (7, 2)
    assert make(Permanent, trump__permanent=[]).permanent_ranks() == ()
