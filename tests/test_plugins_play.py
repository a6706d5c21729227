"""Leading, following and winning tricks, and why a play is refused."""

from __future__ import annotations

from itertools import product
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from plugin_options import holding, make, options

from gunzi.cards import CARDS, Card, parse_cards
from gunzi.plugins.follow import Follow, shape
from gunzi.plugins.lead import Lead
from gunzi.plugins.trick import Trick
from gunzi.trump import TRUMP_LANE, Trump, trump_order

SPADES = trump_order(5, "S")


# Leading


def test_singles_pairs_and_triples_are_led() -> None:
    rule = make(Lead).lead_rule(SPADES)
    hand = holding("H8 H8 H8 C3 C3 BJ", SPADES)
    leads = [SPADES.cards(rule.kth(*hand, k)) for k in range(rule.count(*hand))]
    assert sorted(leads) == sorted(parse_cards(text) for text in ("H8", "H8 H8", "H8 H8 H8", "C3", "C3 C3", "BJ"))
    assert all(rule.contains(*hand, *SPADES.masks(lead)) for lead in leads)
    assert rule.compiled


@pytest.mark.parametrize(
    ("play", "word"),
    [
        ("C7 C8 C9 CT CJ", "顺子"),
        ("C3 C3 C4 C4", "拖拉机"),
        ("C6 C6 C6 C7 C7 C7", "泰坦尼克"),
        ("HA HK", "甩牌"),
        ("C7 C8", "甩牌"),
        ("C8 C8 C8 C9", "甩牌"),
        ("C3 C3 C7 C7", "甩牌"),
        ("S8 D8 S9 D9", "甩牌"),
        ("S5 D5", "不一样"),
        ("BJ LJ", "不一样"),
        ("H8 H8 C8", "不一样"),
        ("", "至少"),
        ("C3 C3 C3", "棒子"),
    ],
)
def test_a_refused_lead_is_called_by_its_name(play: str, word: str) -> None:
    rule = make(Lead).lead_rule(SPADES)
    masks = holding(play, SPADES)
    assert word == "棒子" or not rule.contains(*masks, *masks)
    reason = rule.why_not(masks, masks)
    assert reason.rule == "lead.one_kind"
    assert word in reason.text.zh
    assert reason.text.en


# Following


class Following:
    """A lead and a hand: what follows, and which rule refuses what does not."""

    def __init__(self, led: str, hand: str, trump: Trump = SPADES, **overrides: Any) -> None:
        self.trump = trump
        self.rule = make(Follow, **overrides).follow_rule(trump)
        self.led, self.hand = holding(led, trump), holding(hand, trump)

    def __call__(self, play: str) -> str | None:
        """None for a legal play, else the rule that refuses it."""
        cards = holding(play, self.trump)
        lane, n = self.rule.shape(*self.led)
        if self.rule.contains(*self.hand, lane, n, self.rule.strict, self.rule.split, *cards):
            return None
        reason = self.rule.why_not(self.hand, self.led, cards)
        assert reason.text.zh and reason.text.en and "{" not in reason.text.zh + reason.text.en
        return reason.rule

    def count(self) -> int:
        lane, n = self.rule.shape(*self.led)
        return self.rule.count(*self.hand, lane, n, self.rule.strict, self.rule.split)


STRICT: dict[str, Any] = {"follow__shapes": "strict"}
MUST_SPLIT: dict[str, Any] = {**STRICT, "follow__triple_against_pair": "must_split"}
EXEMPT: dict[str, Any] = {**STRICT, "follow__triple_against_pair": "exempt"}


def test_the_shape_of_a_lead_is_its_lane_and_its_size() -> None:
    for card, n in product(CARDS, (1, 2, 3)):
        assert shape(*SPADES.masks([card] * n)) == (SPADES.lane(card), n)


def test_suit_is_followed_and_a_two_is_trump() -> None:
    following = Following("H7", "H2 H9 C4", trump_order(3, "S"))
    assert [following(play) for play in ("H9", "H2", "C4")] == [None, "follow.suit", "follow.suit"]
    trumps = Following("S6", "H2 C4 C9", trump_order(3, "S"))
    assert [trumps(play) for play in ("H2", "C4")] == [None, "follow.suit"]


def test_a_short_suit_is_played_out_and_a_void_hand_plays_anything() -> None:
    short = Following("H8 H8", "H3 C4 LJ")
    assert [short(play) for play in ("H3 C4", "H3 LJ", "C4 LJ")] == [None, None, "follow.suit"]
    void = Following("H8 H8", "S3 S4 C9 DK BJ")
    assert void.count() == 10
    assert void("C9 DK") is None


def test_the_refusal_names_the_suit_and_how_many_are_left() -> None:
    following = Following("H8 H8", "H3 C4 LJ")
    reason = following.rule.why_not(following.hand, following.led, holding("C4 LJ", SPADES))
    assert "红桃" in reason.text.zh and "1" in reason.text.zh and "hearts" in reason.text.en
    trumps = Following("S8", "S3 C4")
    reason = trumps.rule.why_not(trumps.hand, trumps.led, holding("C4", SPADES))
    assert "主" in reason.text.zh and "trumps" in reason.text.en


def test_loose_tables_ask_for_suit_only() -> None:
    following = Following("H8 H8", "H6 H6 H9 C4")
    assert [following(play) for play in ("H6 H6", "H6 H9", "H6 C4")] == [None, None, "follow.suit"]
    following = Following("H8 H8 H8", "H9 H9 H9 H6 H6 C4")
    assert following("H9 H6 H6") is None


def test_strict_tables_ask_a_pair_for_a_pair() -> None:
    following = Following("H8 H8", "H6 H6 H9 C4", **STRICT)
    plays = ("H6 H6", "H6 H9", "H9 C4")
    assert [following(play) for play in plays] == [None, "follow.shapes", "follow.suit"]


def test_two_of_a_triple_are_a_pair_too_where_a_pair_is_held() -> None:
    following = Following("H8 H8", "H9 H9 H9 H6 H6 H4", **STRICT)
    assert [following(play) for play in ("H6 H6", "H9 H9", "H9 H6", "H9 H4")] == [None, None, *["follow.shapes"] * 2]


def test_a_triple_need_not_be_broken_but_suit_binds() -> None:
    following = Following("H8 H8", "H9 H9 H9 H3 C4", **STRICT)
    assert [following(play) for play in ("H3 H9", "H9 H9", "H3 C4", "H9 C4")] == [None, None, *["follow.suit"] * 2]
    only_triple = Following("H8 H8", "H9 H9 H9 C4 D6", **STRICT)
    assert [only_triple(play) for play in ("H9 H9", "C4 D6", "H9 C4")] == [None, "follow.suit", "follow.suit"]


def test_a_table_may_have_triples_broken() -> None:
    following = Following("H8 H8", "H9 H9 H9 H3 H4", **MUST_SPLIT)
    assert following("H9 H9") is None
    assert following("H3 H4") == following("H9 H3") == "follow.triple_against_pair"


def test_or_exempt_them_so_that_only_the_other_cards_bind() -> None:
    following = Following("H8 H8", "H9 H9 H9 H3 C4", **EXEMPT)
    assert [following(play) for play in ("H3 C4", "H9 C4", "H3 H9", "H9 H9")] == [None] * 4
    two = Following("H8 H8", "H9 H9 H9 H3 H4 C4 C6", **EXEMPT)
    assert two("H3 C4") == two("C4 C6") == "follow.triple_against_pair"
    assert two("H9 H3") is None
    assert Following("H8 H8", "H9 H9 H9 C4 D6", **EXEMPT)("C4 D6") is None


def test_an_exempt_triple_frees_no_pair() -> None:
    following = Following("H8 H8", "H9 H9 H9 H3 H3 C4", **EXEMPT)
    assert [following(play) for play in ("H3 H3", "H9 H9", "H3 H9")] == [None, None, "follow.shapes"]


def test_strict_tables_ask_a_triple_for_a_triple() -> None:
    following = Following("H8 H8 H8", "H9 H9 H9 H6 H6 C4", **STRICT)
    plays = ("H9 H9 H9", "H9 H9 H6", "H6 H6 H9", "H6 H6 C4")
    assert [following(play) for play in plays] == [None, "follow.shapes", "follow.shapes", "follow.suit"]


def test_then_a_pair_and_one_more_then_any_three() -> None:
    following = Following("H8 H8 H8", "H6 H6 H9 H4 C4", **STRICT)
    assert [following(play) for play in ("H6 H6 H9", "H6 H9 H4")] == [None, "follow.shapes"]
    singles = Following("H8 H8 H8", "H3 H9 H4 C4 C4", **STRICT)
    assert [singles(play) for play in ("H3 H9 H4", "H3 C4 C4")] == [None, "follow.suit"]


def test_a_pair_in_another_suit_is_no_duty() -> None:
    following = Following("H8 H8 H8", "H3 H9 C4 C4 D6", **STRICT)
    assert [following(play) for play in ("H3 H9 D6", "H3 H9 C4", "H3 C4 C4")] == [None, None, "follow.suit"]


def test_what_a_triple_owes_matters_only_where_following_is_strict() -> None:
    rule = make(Follow)
    assert not rule.conflicts(options())
    assert not rule.conflicts(options(**EXEMPT))
    (conflict,) = rule.conflicts(options(follow__triple_against_pair="must_split"))
    assert (conflict.code, conflict.error) == ("triple-against-pair-unused", False)


# Winning a trick


def winner(plays: list[str], trump: Trump) -> int:
    """The place (0 leads) of the play that wins."""
    rule = make(Trick).trick_rule(trump)
    led = holding(plays[0], trump)
    lane, n = shape(*led)
    powers = [rule.power(*holding(play, trump), n, lane) for play in plays]
    assert powers[0] > 0
    return powers.index(max(powers))


@pytest.mark.parametrize(
    ("level", "plays", "place"),
    [
        (5, ["H7", "HK", "CA", "H3"], 1),
        (5, ["H7", "CA", "DA", "CK"], 0),
        (5, ["H8 H8", "HA H3", "S3 S4", "H9 H9"], 3),
        (6, ["H8 H8", "BJ LJ", "H9 H9", "S3 S3"], 3),
        (5, ["HA HA", "S3 S3", "C4 D6", "LJ LJ"], 3),
        (6, ["H8 H8", "CA CA", "DA DA", "H4 H4"], 0),
        (6, ["D6", "C6", "S3", "H6"], 0),
        (6, ["D6", "S6", "S2", "SA"], 1),
        (6, ["SA", "H2", "SK", "ST"], 1),
        (6, ["H2", "C2", "D2", "S2"], 3),
        (6, ["H2 H2", "C2 C2", "D2 D2", "SA SA"], 0),
        (3, ["D5 D5 D5", "DT DT DT", "DK DK DK", "ST ST ST"], 3),
        (3, ["D5 D5 D5", "S4 S4 S6", "D6 D6 S9", "D9 D9 D9"], 3),
    ],
)
def test_the_strongest_play_of_the_led_shape_wins(level: int, plays: list[str], place: int) -> None:
    assert winner(plays, trump_order(level, "S")) == place


def test_equal_orders_share_one_rule() -> None:
    rule = make(Trick)
    assert rule.trick_rule(trump_order(7, "D")) is rule.trick_rule(trump_order(7, "D"))


def strength(card: Card, trump: Trump) -> tuple[int, ...]:
    """The trump order as the rule book writes it."""
    in_suit = card.suit == trump.suit
    if card.is_joker:
        return (9, card.rank)
    if card.rank == trump.level:
        return (8, in_suit)
    if card.rank in trump.permanent:
        return (7, in_suit)
    return (6, card.rank) if in_suit else (0, card.rank)


plays_of_a_trick = st.integers(1, 3).flatmap(
    lambda n: st.tuples(
        st.sampled_from(CARDS).map(lambda card: [card] * n),
        *[
            st.one_of(
                st.sampled_from(CARDS).map(lambda card: [card] * n),
                st.lists(st.sampled_from(CARDS), min_size=n, max_size=n),
            )
        ]
        * 3,
    )
)


@given(plays_of_a_trick, st.integers(2, 14), st.sampled_from("SHCD"))
def test_the_winner_is_the_one_the_rule_book_names(plays: tuple[list[Card], ...], level: int, suit: str) -> None:
    trump = trump_order(level, suit)
    led = trump.lane(plays[0][0])
    best = 0
    for place, play in enumerate(plays):
        lane = trump.lane(play[0])
        if len(set(play)) > 1 or lane not in (led, TRUMP_LANE):
            continue
        if strength(play[0], trump) > strength(plays[best][0], trump):
            best = place
    assert winner([" ".join(play) for play in plays], trump) == best
