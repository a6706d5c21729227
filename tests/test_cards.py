"""Cards and their text."""

from __future__ import annotations

import json
import pickle

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gunzi.cards import (
    CARDS,
    Card,
    count_kinds,
    parse_card,
    parse_cards,
    parse_rank,
    rank_text,
    sorted_cards,
)
from gunzi.errors import CardError


def test_a_pack_has_54_kinds() -> None:
    assert len(set(CARDS)) == 54
    assert [card.kind for card in CARDS] == list(range(54))
    assert (CARDS[0], CARDS[12], CARDS[13], CARDS[52], CARDS[53]) == ("S2", "SA", "H2", "LJ", "BJ")


@pytest.mark.parametrize("card", CARDS)
def test_a_card_is_its_text(card: Card) -> None:
    assert parse_card(str(card)) is card
    assert Card(str(card)) is card
    assert Card(card.sign) is card
    assert pickle.loads(pickle.dumps(card)) is card
    assert json.loads(json.dumps([card])) == [str(card)]


def test_rank_and_suit_are_readable() -> None:
    ten, jack, joker = Card("HT"), Card("SJ"), Card("BJ")
    assert (ten.rank, ten.suit, ten.is_joker, ten.sign) == (10, "H", False, "♥10")
    assert (jack.rank, jack.suit) == (11, "S")
    assert (joker.rank, joker.suit, joker.is_joker, joker.sign) == (16, None, True, "BJ")
    assert Card("LJ").rank == 15


@pytest.mark.parametrize(
    ("text", "card"), [("S10", "ST"), ("s10", "ST"), (" h3 ", "H3"), ("♦k", "DK"), ("♠10", "ST"), ("bj", "BJ")]
)
def test_other_ways_to_write_a_card_are_understood(text: str, card: str) -> None:
    assert parse_card(text) == card


@pytest.mark.parametrize("text", ["", "S", "S1", "S11", "XX", "3S", "J", "joker", "H3 H4", None, 7, 3.0, ["S3"], b"S3"])
def test_what_is_no_card_is_refused(text: object) -> None:
    with pytest.raises(CardError, match="no card"):
        parse_card(text)


def test_lists_and_lines_of_cards_are_read() -> None:
    cards = (Card("S3"), Card("HT"), Card("BJ"))
    for text in ("S3 H10 BJ", "S3,HT,BJ", "S3，HT， BJ", ["S3", "H10", "BJ"], iter(["S3", "HT", "BJ"])):
        assert parse_cards(text) == cards
    assert parse_cards("") == ()
    with pytest.raises(CardError):
        parse_cards(["S3", None])
    with pytest.raises(CardError, match="no list"):
        parse_cards(7)  # type: ignore[arg-type]


@given(st.lists(st.sampled_from(CARDS), max_size=40))
def test_counting_and_sorting_keep_every_card(cards: list[Card]) -> None:
    ordered = sorted_cards(cards)
    assert [card.kind for card in ordered] == sorted(card.kind for card in cards)
    assert count_kinds(ordered) == count_kinds(cards) == [cards.count(card) for card in CARDS]


@pytest.mark.parametrize(
    ("value", "rank"),
    [(2, 2), (14, 14), ("10", 10), ("T", 10), ("t", 10), (" k ", 13), ("A", 14), ("J", 11), ("12", 12)],
)
def test_ranks_are_read_however_they_are_written(value: object, rank: int) -> None:
    assert parse_rank(value) == rank


@pytest.mark.parametrize("value", [1, 15, 0, -3, True, 3.0, "", "1", "15", "joker", None, [3], "1O"])
def test_what_is_no_rank_is_refused(value: object) -> None:
    with pytest.raises(ValueError, match="no rank"):
        parse_rank(value)


def test_ranks_are_written_as_people_do() -> None:
    assert [rank_text(rank) for rank in range(2, 15)] == [*map(str, range(2, 11)), "J", "Q", "K", "A"]
    assert all(parse_rank(rank_text(rank)) == rank for rank in range(2, 15))
