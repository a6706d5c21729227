"""The trump order: what beats what, what ties, what is trump at all."""

from __future__ import annotations

from itertools import groupby, product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gunzi.cards import CARDS, Card, parse_card, parse_cards
from gunzi.errors import CardError
from gunzi.trump import NOTHING, SIDE_LANES, TRUMP_LANE, Trump, trump_order

LEVELS, SUITS = range(2, 15), "SHCD"
PERMANENTS = [(), (2,), (5,), (5, 2), (2, 14)]
orders = st.builds(trump_order, st.sampled_from(LEVELS), st.sampled_from(SUITS), st.sampled_from(PERMANENTS))


def groups(trump: Trump, lane: int, by: str = "power") -> list[set[Card]]:
    """The cards of a lane, strongest first, those that tie together."""
    cards = [card for card in CARDS if trump.lane(card) == lane]

    def key(card: Card) -> int:
        value: int = getattr(trump, by)[trump.bit_of[card.kind]]
        return value

    cards.sort(key=key, reverse=True)
    return [set(tied) for _, tied in groupby(cards, key=key)]


def written(text: str) -> list[set[Card]]:
    """``BJ > H5=C5`` as groups."""
    return [set(map(parse_card, part.split("="))) for part in text.replace(" ", "").split(">")]


def test_the_order_of_trumps_is_the_rule_books() -> None:
    assert groups(trump_order(5, "S"), TRUMP_LANE) == written(
        "BJ > LJ > S5 > H5=C5=D5 > S2 > H2=C2=D2 > SA > SK > SQ > SJ > ST > S9 > S8 > S7 > S6 > S4 > S3"
    )


def test_side_suits_run_from_the_ace_to_the_three_without_the_level_and_the_twos() -> None:
    trump = trump_order(5, "S")
    for lane, suit in zip(SIDE_LANES, "HCD", strict=True):
        assert groups(trump, lane) == [{Card(suit + rank)} for rank in "AKQJT987643"]
        assert trump.lane_name(lane) == suit
    assert trump.lane_name(TRUMP_LANE) == "trump"


def test_of_two_permanent_ranks_the_first_named_is_the_stronger() -> None:
    assert groups(trump_order(5, "H", (7, 2)), TRUMP_LANE)[:8] == written(
        "BJ > LJ > H5 > S5=C5=D5 > H7 > S7=C7=D7 > H2 > S2=C2=D2"
    )


def test_a_permanent_rank_that_is_the_level_is_a_level_card() -> None:
    trump = trump_order(2, "H", (2,))
    assert groups(trump, TRUMP_LANE)[:5] == written("BJ > LJ > H2 > S2=C2=D2 > HA")
    assert trump.permanents == 0


def test_without_permanent_ranks_only_jokers_level_and_trump_suit_are_trump() -> None:
    trump = trump_order(5, "D", ())
    assert {card for card in CARDS if trump.is_trump(card)} == {
        card for card in CARDS if card.is_joker or card.rank == 5 or card.suit == "D"
    }


@given(orders)
def test_every_kind_has_a_place_of_its_own_and_a_card_there(trump: Trump) -> None:
    assert len(set(trump.bit_of)) == 54
    assert all(trump.kind_at[trump.bit_of[kind]] == kind for kind in range(54))
    assert sum(kind >= 0 for kind in trump.kind_at) == 54


@given(orders)
def test_within_a_lane_the_higher_place_is_never_weaker_and_any_trump_beats_any_side_card(trump: Trump) -> None:
    for lane in (*SIDE_LANES, TRUMP_LANE):
        powers = [
            trump.power[trump.bit_of[kind]] for kind in trump.kind_at if kind >= 0 and lane >> trump.bit_of[kind] & 1
        ]
        assert powers == sorted(powers) and powers[0] > 0
    side = [trump.power[trump.bit_of[card.kind]] for card in CARDS if not trump.is_trump(card)]
    trumps = [trump.power[trump.bit_of[card.kind]] for card in CARDS if trump.is_trump(card)]
    assert max(side) < min(trumps)


@given(orders)
def test_the_named_groups_are_what_their_names_say(trump: Trump) -> None:
    def cards(mask: int) -> set[Card]:
        return {card for card in CARDS if mask & trump.mask_of(card.kind)}

    permanent = {card for card in CARDS if card.rank in trump.permanent and card.rank != trump.level}
    level = {card for card in CARDS if card.rank == trump.level}
    assert cards(trump.kings) == {"LJ", "BJ"}
    assert (cards(trump.big), cards(trump.little)) == ({"BJ"}, {"LJ"})
    assert cards(trump.level_cards) == level
    assert cards(trump.level_of_trump) == {card for card in level if card.suit == trump.suit}
    assert cards(trump.permanents) == permanent
    assert cards(trump.trump_permanents) == {card for card in permanent if card.suit == trump.suit}
    assert cards(trump.plain_trumps) == {card for card in CARDS if card.suit == trump.suit} - permanent - level
    assert cards(trump.rank_mask([13, 5])) == {card for card in CARDS if card.rank in (13, 5)}


def test_tribute_compares_side_cards_by_rank_whatever_their_suit_and_trumps_by_strength() -> None:
    trump = trump_order(6, "S")
    ranks = {card: trump.tribute_rank[trump.bit_of[card.kind]] for card in CARDS}
    assert ranks[Card("HA")] == ranks[Card("DA")] > ranks[Card("CK")] > ranks[Card("D3")]
    assert ranks[Card("H6")] == ranks[Card("D6")] < ranks[Card("S6")] < ranks[Card("LJ")] < ranks[Card("BJ")]
    assert ranks[Card("HA")] < ranks[Card("S3")] < ranks[Card("H2")] < ranks[Card("S2")] < ranks[Card("H6")]


def test_picking_up_compares_side_before_trump_then_rank_and_suits_separate_nothing() -> None:
    trump = trump_order(6, "S")
    ranks = {card: trump.pick_rank[trump.bit_of[card.kind]] for card in CARDS}
    assert ranks[Card("H3")] == ranks[Card("C3")] < ranks[Card("DA")] < ranks[Card("S3")] < ranks[Card("SA")]
    assert ranks[Card("SA")] < ranks[Card("S2")] == ranks[Card("H2")] < ranks[Card("H6")] == ranks[Card("S6")]
    assert ranks[Card("S6")] < ranks[Card("LJ")] < ranks[Card("BJ")]


@given(orders, st.lists(st.sampled_from(CARDS), max_size=20))
def test_cards_become_a_holding_and_back(trump: Trump, cards: list[Card]) -> None:
    if any(cards.count(card) > 3 for card in cards):
        with pytest.raises(CardError, match="three"):
            trump.masks(cards)
    else:
        assert sorted(trump.cards(trump.masks(cards))) == sorted(cards)


def test_a_holding_does_not_depend_on_the_order_of_its_cards() -> None:
    trump = trump_order(6, "S")
    assert trump.masks(parse_cards("S3 BJ S3 H6")) == trump.masks(parse_cards("H6 S3 S3 BJ"))
    assert trump.masks([]) == NOTHING


def test_equal_orders_are_one_object() -> None:
    assert trump_order(6, "S") is trump_order(6, "S")
    assert repr(trump_order(6, "S", (2,))) == "Trump(level=6, suit='S', permanent=(2,))"


@pytest.mark.parametrize(
    ("level", "suit", "permanent", "says"),
    [(1, "S", (2,), "level"), (15, "S", (2,), "level"), (6, "X", (2,), "suit"), (6, "", (2,), "suit"),
     (6, "SH", (2,), "suit"), (6, "S", (2, 3, 4), "permanent")],
)  # fmt: skip
def test_what_is_no_order_is_refused(level: int, suit: str, permanent: tuple[int, ...], says: str) -> None:
    with pytest.raises(ValueError, match=says):
        trump_order(level, suit, permanent)


def test_every_level_and_suit_has_an_order() -> None:
    for level, suit, permanent in product(LEVELS, SUITS, PERMANENTS):
        trump = trump_order(level, suit, permanent)
        assert trump.is_trump(Card("BJ"))
        assert trump.power[trump.bit_of[Card("BJ").kind]] == max(trump.power)
