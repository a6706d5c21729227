"""干锅, 扣底, 扣王: what becomes of the bottom."""

from __future__ import annotations

from typing import Any

import pytest
from plugin_options import holding, make, options

from gunzi.cards import Card, parse_cards
from gunzi.plugins.bury import Bury
from gunzi.plugins.bury_kings import BuryKings
from gunzi.plugins.dry_pot import DryPot
from gunzi.trump import trump_order

SPADES = trump_order(3, "S")
LEGS = ["no_trump", "side_or_permanent", "no_trump_suit", "no_trump_suit_or_its_2"]


def test_the_bottom_is_shown_only_if_somebody_claimed_or_declared() -> None:
    rule = make(DryPot)
    assert [how for how in ("claim", "turn", "declare", "draw") if rule.bottom_is_shown(how)] == ["claim", "declare"]


def verdict(bottom: str, *, shown: bool = True, first_hand: bool = False, **overrides: Any) -> tuple[bool, str]:
    found = make(DryPot, **overrides).dry_pot(holding(bottom, SPADES), SPADES, shown, first_hand)
    return found.dry, found.by


@pytest.mark.parametrize("leg", LEGS)
@pytest.mark.parametrize("bottom", ["S4 S6 S7 S9 S8 SQ", "BJ LJ H2 S2 H3 S3", "S4 S4 S4 BJ BJ BJ"])
def test_six_trumps_are_dry_whatever_the_side_leg(bottom: str, leg: str) -> None:
    assert verdict(bottom, dry_pot__side_leg=leg) == (True, "dry_pot.all_trump")


@pytest.mark.parametrize("leg", LEGS)
def test_six_side_cards_are_dry_whatever_the_side_leg(leg: str) -> None:
    assert verdict("H4 H6 C7 C9 D8 DQ", dry_pot__side_leg=leg) == (True, "dry_pot.side_leg")


@pytest.mark.parametrize("leg", LEGS)
def test_a_plain_trump_among_side_cards_is_never_dry(leg: str) -> None:
    assert verdict("H4 H6 C7 C9 D8 S9", dry_pot__side_leg=leg) == (False, "dry_pot.side_leg")


@pytest.mark.parametrize(
    ("sixth", "dry_under"),
    [
        ("BJ", {"side_or_permanent", "no_trump_suit", "no_trump_suit_or_its_2"}),
        ("LJ", {"side_or_permanent", "no_trump_suit", "no_trump_suit_or_its_2"}),
        ("D2", {"side_or_permanent", "no_trump_suit", "no_trump_suit_or_its_2"}),
        ("S2", {"side_or_permanent", "no_trump_suit"}),
        ("D3", {"no_trump_suit", "no_trump_suit_or_its_2"}),
        ("S3", {"no_trump_suit", "no_trump_suit_or_its_2"}),
    ],
)
def test_which_trump_keeps_side_cards_from_being_dry(sixth: str, dry_under: set[str]) -> None:
    bottom = f"H4 H6 C7 C9 D8 {sixth}"
    assert {leg for leg in LEGS if verdict(bottom, dry_pot__side_leg=leg)[0]} == dry_under


@pytest.mark.parametrize("bottom", ["H4 H6 C7 C9 D8 DQ", "S4 S6 S7 S9 S8 SQ"])
def test_a_table_without_dry_pots_has_none_at_all(bottom: str) -> None:
    assert verdict(bottom, dry_pot__side_leg="never") == (False, "dry_pot.side_leg")


def test_a_bottom_that_was_not_shown_is_dry_only_by_option() -> None:
    side = "H4 H6 C7 C9 D8 DQ"
    assert verdict(side, shown=False) == (False, "dry_pot.hidden_bottom")
    assert verdict(side, shown=False, dry_pot__hidden_bottom="possible") == (True, "dry_pot.side_leg")


def test_the_first_hand_has_dry_pots_unless_the_table_says_no() -> None:
    side = "H4 H6 C7 C9 D8 DQ"
    assert verdict(side, first_hand=True) == (True, "dry_pot.side_leg")
    assert verdict(side, first_hand=True, dry_pot__first_hand="never") == (False, "dry_pot.first_hand")
    assert verdict(side, dry_pot__first_hand="never") == (True, "dry_pot.side_leg")


def test_an_empty_bottom_is_not_dry() -> None:
    assert verdict("") == (False, "dry_pot.all_trump")


def test_finer_points_about_dry_pots_are_pointless_without_any() -> None:
    rule = make(DryPot)
    assert rule.conflicts(options(dry_pot__first_hand="never")) == ()
    assert rule.conflicts(options(dry_pot__side_leg="never")) == ()
    (conflict,) = rule.conflicts(options(dry_pot__side_leg="never", dry_pot__first_hand="never"))
    assert (conflict.code, conflict.error) == ("dry-pot-unused", False)
    assert conflict.options == ("dry_pot.side_leg", "dry_pot.first_hand")


# Burying


def test_small_jokers_are_buried_only_when_no_big_one_is_kept() -> None:
    rule = make(Bury)
    assert list(rule.king_splits(2, 1)) == [(0, 0), (1, 0), (2, 0), (2, 1)]
    assert list(rule.king_splits(0, 3)) == [(0, 0), (0, 1), (0, 2), (0, 3)]
    assert list(rule.king_splits(0, 0)) == [(0, 0)]


def test_the_burial_is_shown_iff_it_holds_a_king() -> None:
    rule = make(Bury)
    assert [rule.burial_is_shown(kings) for kings in (0, 1, 6)] == [False, True, True]


# The others' kings

HEARTS = trump_order(3, "H")
POINTS = "S5 ST CK HK D5 DK"
POINTS_AND_A_KING = "S5 ST CK HK D5 LJ"
ONE_PLAIN = "S5 ST CK HK D5 D9"
ONE_POINT = "S7 S8 C7 C8 D8 DK"
NO_POINT = "S7 S8 C7 C8 D8 D9"


@pytest.mark.parametrize(
    ("blocked_by", "open_after"),
    [
        ("all_points", {POINTS_AND_A_KING, ONE_PLAIN, ONE_POINT, NO_POINT}),
        ("all_points_or_kings", {ONE_PLAIN, ONE_POINT, NO_POINT}),
        ("any_point", {NO_POINT}),
    ],
)
def test_which_burial_shuts_the_others_out(blocked_by: str, open_after: set[str]) -> None:
    rule = make(BuryKings, bury_kings__blocked_by=blocked_by)
    burials = (POINTS, POINTS_AND_A_KING, ONE_PLAIN, ONE_POINT, NO_POINT)
    windows = {cards: rule.kings_window(holding(cards, HEARTS), HEARTS) for cards in burials}
    assert {cards for cards, window in windows.items() if window.open} == open_after
    assert {window.by for window in windows.values()} == {"bury_kings.blocked_by"}


def test_a_level_card_of_a_point_rank_is_a_point_card() -> None:
    fives = trump_order(5, "H")
    assert not make(BuryKings).kings_window(holding("S5 H5 C5 D5 HK ST", fives), fives).open


def test_where_only_the_dealer_buries_the_window_never_opens() -> None:
    window = make(BuryKings, bury_kings__others="none").kings_window(holding(NO_POINT, HEARTS), HEARTS)
    assert (window.open, window.by) == (False, "bury_kings.others")


def pickable(**overrides: Any) -> set[Card]:
    mask = make(BuryKings, **overrides).pickable(HEARTS)
    return {card for card in parse_cards("S4 S5 HT CK HK H2 S3 LJ BJ HA") if mask & HEARTS.mask_of(card.kind)}


def test_points_are_never_picked_and_kings_only_by_option() -> None:
    plain = {"S4", "H2", "S3", "HA"}
    assert pickable() == plain
    assert pickable(bury_kings__pick_kings=True) == plain | {"LJ", "BJ"}


def test_where_points_lie_elsewhere_other_cards_are_picked() -> None:
    assert "S5" in pickable(points={"4": 5})
    assert "S4" not in pickable(points={"4": 5})


def test_options_about_the_others_are_pointless_where_they_bury_nothing() -> None:
    rule = make(BuryKings)
    assert rule.conflicts(options(bury_kings__pick_kings=True, bury_kings__blocked_by="any_point")) == ()
    assert not rule.conflicts(options(bury_kings__others="none"))
    found = rule.conflicts(
        options(bury_kings__others="none", bury_kings__pick_kings=True, bury_kings__blocked_by="any_point")
    )
    assert [(conflict.code, conflict.error) for conflict in found] == [
        ("pick-kings-unused", False),
        ("blocked-by-unused", False),
    ]
