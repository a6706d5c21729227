"""抢亮大王, 翻底牌定庄, 亮主: who deals the first hand, and how the trump suit is named."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest
from plugin_options import make, options

from gunzi.cards import Card, count_kinds, parse_cards
from gunzi.plugins.declare import Declare
from gunzi.plugins.first_dealer import FirstDealer
from gunzi.plugins.reveal import Reveal
from gunzi.values import Bid


def test_one_big_joker_claims_the_first_deal() -> None:
    rule = make(FirstDealer).claims()
    assert rule.cards == (Card("BJ"),)
    assert not rule.automatic
    assert rule.by == "first_dealer.claim"


def test_where_claims_are_automatic_drawing_it_is_enough() -> None:
    assert make(FirstDealer, first_dealer__claim="automatic").claims().automatic


class Turning:
    """Turns bottom cards one after the other, as the rule asks for them."""

    def __init__(self, **overrides: Any) -> None:
        self.rule = make(Reveal, **overrides)

    def __call__(self, cards: str, first: int = 0, level: int = 3) -> tuple[int, str] | str:
        turned: list[tuple[int, Card]] = []
        left = list(parse_cards(cards))
        while True:
            answer = self.rule.reveal(level, first, turned)
            if answer.turn is None:
                assert answer.dealer is not None and answer.suit is not None
                return answer.dealer, answer.suit
            if not left:
                return "redeal"
            turned.append((answer.turn, left.pop(0)))


def test_the_lowest_turned_card_makes_the_dealer_and_the_suit() -> None:
    assert Turning()("S9 D4 HK C7") == (1, "D")


def test_the_highest_does_where_the_table_plays_it_so() -> None:
    assert Turning(reveal__pick="max")("S9 D4 HK C7") == (2, "H")


def test_of_equal_cards_the_one_turned_earlier_counts() -> None:
    assert Turning()("HK D6 SK C6", first=2) == (3, "D")
    assert Turning(reveal__pick="max")("HK D6 SK C6", first=2) == (2, "H")


def test_in_the_order_of_play_the_level_outranks_the_two_and_the_two_the_ace() -> None:
    highest = Turning(reveal__pick="max")
    assert highest("SA D2 H3 C5") == (2, "H")
    assert highest("SA D2 HK C5") == (1, "D")
    assert highest("S3 D2 HK C5", level=5) == (3, "C")


def test_a_table_with_other_permanent_trumps_ranks_those() -> None:
    highest = Turning(reveal__pick="max", trump__permanent=[5, 2])
    assert highest("SA D2 H5 C4") == (2, "H")
    assert highest("SA D2 HK C4") == (1, "D")


def test_in_the_natural_order_the_two_is_lowest_and_the_ace_highest() -> None:
    assert Turning(reveal__order="natural")("SA D2 H3 C5") == (1, "D")
    assert Turning(reveal__order="natural", reveal__pick="max")("SA D2 H3 C5") == (0, "S")


def test_a_turned_joker_is_set_aside_and_its_turner_turns_again() -> None:
    rule = make(Reveal)
    answer = rule.reveal(3, 0, [(0, Card("S9")), (1, Card("BJ"))])
    assert (answer.turn, answer.by) == (1, "reveal.jokers")
    assert Turning()("S9 BJ D4 HK C8") == (1, "D")
    assert Turning()("LJ BJ D4 S9 HK C8") == (0, "D")


def test_jokers_that_use_up_the_bottom_redeal() -> None:
    assert Turning()("S9 BJ LJ BJ HK C8") == "redeal"


@pytest.mark.parametrize("order", ["game", "natural"])
def test_a_joker_counting_high_never_wins_the_lowest_card(order: str) -> None:
    assert Turning(reveal__jokers="high", reveal__order=order)("S9 LJ D4 HK BJ C8") == (2, "D")


@pytest.mark.parametrize("order", ["game", "natural"])
def test_a_winning_joker_takes_its_suit_from_the_next_suited_card(order: str) -> None:
    highest = Turning(reveal__jokers="high", reveal__pick="max", reveal__order=order)
    assert highest("S9 LJ D4 HK BJ C8") == (1, "C")
    assert highest("S9 LJ BJ HK BJ C8") == (2, "C")
    assert highest("S9 LJ D4 HK BJ LJ") == "redeal"


def test_a_bottom_of_fewer_than_four_is_worth_a_warning() -> None:
    rule = make(Reveal)
    assert rule.conflicts(options()) == ()
    (conflict,) = rule.conflicts(options(deck__bottom=2, deck__hand=40))
    assert (conflict.code, conflict.error) == ("reveal-short-bottom", False)


# Declaring


def bid(cards: str, suit: str, seat: int = 0) -> Bid:
    return Bid(seat, parse_cards(cards), suit)


def refusal(cards: str, suit: str | None, standing: Bid | None, level: int = 6, **overrides: Any) -> str | None:
    reason = make(Declare, **overrides).judge_bid(level, parse_cards(cards), suit, standing)
    if reason is None:
        return None
    assert reason.text.zh and reason.text.en and "{" not in reason.text.zh + reason.text.en
    return reason.rule


@pytest.mark.parametrize("cards", ["S6", "S6 S6", "S6 S6 S6"])
def test_one_to_three_equal_level_cards_declare_their_suit(cards: str) -> None:
    assert refusal(cards, None, None) is None
    assert refusal(cards, "S", None) is None
    assert refusal(cards, "H", None) == "declare.suit"


@pytest.mark.parametrize("cards", ["S7", "S2", "S7 S7", "S6 S7", "BJ S7"])
def test_only_level_cards_declare(cards: str) -> None:
    assert refusal(cards, None, None) == "declare.level_cards"


@pytest.mark.parametrize("cards", ["S6 H6", "S6 S6 H6", "S6 S6 S6 S6", ""])
def test_they_must_be_identical(cards: str) -> None:
    assert refusal(cards, "S", None) == "declare.identical"


@pytest.mark.parametrize(
    ("standing", "over"),
    [("S6", "H6 H6"), ("S6", "H6 H6 H6"), ("S6 S6", "H6 H6 H6"), ("S6", "S6 S6"), ("S6 S6", "S6 S6 S6")],
)
def test_more_level_cards_overturn_fewer_and_reinforce_ones_own(standing: str, over: str) -> None:
    assert refusal(over, None, bid(standing, "S")) is None
    assert refusal(standing, None, bid(over, over[0])) == "declare.strength"


def test_as_many_never_overturn() -> None:
    assert refusal("H6 H6", None, bid("S6 S6", "S")) == "declare.strength"


@pytest.mark.parametrize("standing", ["D6", "D6 D6", "D6 D6 D6"])
def test_three_small_jokers_beat_level_cards_and_three_big_ones_beat_those(standing: str) -> None:
    assert refusal("LJ LJ LJ", "H", bid(standing, "D")) is None
    assert refusal("BJ BJ BJ", "H", bid(standing, "D")) is None
    assert refusal("BJ BJ BJ", "H", bid("LJ LJ LJ", "D")) is None
    assert refusal("LJ LJ LJ", "H", bid("BJ BJ BJ", "D")) == "declare.strength"
    assert refusal(standing, "D", bid("LJ LJ LJ", "H")) == "declare.strength"


@pytest.mark.parametrize("suit", [None, "", "SH", "NT", "trump"])
def test_jokers_must_name_one_of_the_four_suits(suit: str | None) -> None:
    assert refusal("BJ BJ BJ", suit, bid("D6", "D")) == "declare.suit"


@pytest.mark.parametrize("cards", ["BJ", "BJ BJ", "BJ LJ LJ", "BJ BJ BJ BJ", "S6 BJ"])
def test_it_takes_three_equal_jokers(cards: str) -> None:
    assert refusal(cards, "S", bid("D6", "D")) in ("declare.identical", "declare.level_cards")


def test_jokers_open_only_where_the_table_allows_it() -> None:
    assert refusal("LJ LJ LJ", "H", None) == "declare.jokers_may_open"
    assert refusal("LJ LJ LJ", "H", None, declare__jokers_may_open=True) is None


def declarations(held: str, level: int = 6) -> Sequence[tuple[tuple[Card, ...], str]]:
    return make(Declare).bids(level, count_kinds(parse_cards(held)))


def test_the_declarations_a_seat_holds_ascend_and_have_no_others() -> None:
    found = declarations("H6 H6 S6 LJ LJ LJ BJ BJ D7 D2")
    assert [(len(cards), cards[0], suit) for cards, suit in found] == [
        (1, "S6", "S"),
        (1, "H6", "H"),
        (2, "H6", "H"),
        *((3, "LJ", suit) for suit in "SHCD"),
    ]
    assert declarations("D7 D2 BJ") == []


def test_every_declaration_listed_is_allowed_over_nothing_where_jokers_may_open() -> None:
    rule = make(Declare, declare__jokers_may_open=True)
    everything = rule.bids(9, [3] * 54)
    assert len(everything) == 3 * 4 + 2 * 4
    assert all(rule.judge_bid(9, cards, suit, None) is None for cards, suit in everything)


def test_a_drawn_suited_card_names_trump_and_a_joker_is_drawn_again() -> None:
    rule = make(Declare)
    assert rule.draw_suit(Card("C2")) == "C"
    assert rule.draw_suit(Card("BJ")) == ""


def test_jokers_that_open_need_three_packs() -> None:
    rule = make(Declare)
    assert rule.conflicts(options(declare__jokers_may_open=True)) == ()
    assert rule.conflicts(options(deck__packs=2)) == ()
    (conflict,) = rule.conflicts(options(declare__jokers_may_open=True, deck__packs=2))
    assert (conflict.code, conflict.error) == ("jokers-may-open-unused", False)
