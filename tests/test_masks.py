"""The integer functions against the rules said slowly: multisets counted one by one."""

from __future__ import annotations

import itertools
from collections import Counter

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from gunzi import combinations, masks
from gunzi.trump import SIDE_LANES, TRUMP_LANE, Masks

Multiset = tuple[int, ...]
"""The bits of some cards, ascending, equal cards repeated."""

BITS_USED = (0, 3, 4, 11, 12, 15, 30, 36, 40, 41, 58, 59)
LANES = (*SIDE_LANES, TRUMP_LANE)
SPLITS = (masks.MAY_KEEP, masks.MUST_SPLIT, masks.EXEMPT)

holdings = st.dictionaries(st.sampled_from(BITS_USED), st.integers(1, 3), max_size=5)
# Most of a hand in one lane, so that pairs and triples of the led suit are common.
suited_holdings = st.dictionaries(
    st.sampled_from((0, 1, 4, 5, 11, 13, 24, 40)), st.integers(1, 3), min_size=1, max_size=6
)
any_holding = st.one_of(holdings, suited_holdings)


def to_masks(counts: dict[int, int] | Counter[int]) -> Masks:
    one, two, three = (sum(1 << bit for bit, count in counts.items() if count >= least) for least in (1, 2, 3))
    return one, two, three


def to_multiset(cards: Masks) -> Multiset:
    return tuple(bit for bit in range(60) for mask in cards if mask >> bit & 1)


def cards_of(counts: dict[int, int]) -> list[int]:
    return sorted(bit for bit, count in counts.items() for _ in range(count))


def choices(cards: list[int], r: int) -> set[Multiset]:
    return set(itertools.combinations(cards, r))


def in_lane(bit: int, lane: int) -> bool:
    return bool(lane >> bit & 1)


def follows(hand: Multiset | list[int], play: Multiset, lane: int, strict: bool, split: int) -> bool:
    """Rule book section 3.6, clause by clause; ``play`` is held and as many cards as were led."""
    n = len(play)
    suit = Counter(bit for bit in hand if in_lane(bit, lane))
    played = Counter(bit for bit in play if in_lane(bit, lane))
    held = suit.total()
    suit_duty_done = played.total() >= min(n, held)
    if not strict or n == 1:
        return suit_duty_done
    pair_held, triple_held = 2 in suit.values(), 3 in suit.values()
    pair_played, triple_played = any(c >= 2 for c in played.values()), 3 in played.values()
    if n == 2:
        if pair_held:
            return pair_played
        if triple_held and split == masks.MUST_SPLIT:
            return pair_played
        if triple_held and split == masks.EXEMPT:
            not_in_triples = sum(count for count in suit.values() if count < 3)
            return played.total() >= min(2, not_in_triples)
        return suit_duty_done
    if triple_held:
        return triple_played
    if pair_held:
        return pair_played and suit_duty_done
    return suit_duty_done


# Holdings


@given(any_holding)
def test_a_holding_counts_its_cards(counts: dict[int, int]) -> None:
    assert masks.size(*to_masks(counts)) == sum(counts.values())


@given(any_holding, st.data())
def test_removing_and_adding_back_leaves_the_holding(counts: dict[int, int], data: st.DataObject) -> None:
    cards = cards_of(counts)
    taken = Counter(data.draw(st.lists(st.sampled_from(cards), max_size=6)) if cards else [])
    taken &= Counter(cards)
    hand, play = to_masks(counts), to_masks(taken)
    assert masks.contains(*hand, *play)
    rest = masks.remove(*hand, *play)
    assert rest == to_masks(Counter(cards) - taken)
    assert masks.add(*rest, *play) == hand


@given(any_holding, any_holding)
def test_a_holding_contains_what_it_has_enough_of(counts: dict[int, int], wanted: dict[int, int]) -> None:
    enough = all(counts.get(bit, 0) >= count for bit, count in wanted.items())
    assert masks.contains(*to_masks(counts), *to_masks(wanted)) == enough


@given(st.sets(st.integers(0, 59), min_size=1))
def test_the_kth_bit_is_selected(bits: set[int]) -> None:
    mask = sum(1 << bit for bit in bits)
    assert [combinations.select(mask, k) for k in range(len(bits))] == [1 << bit for bit in sorted(bits)]


# Choosing


@given(any_holding, st.integers(0, 8))
def test_every_choice_of_r_cards_is_counted_and_found_once(counts: dict[int, int], r: int) -> None:
    hand = to_masks(counts)
    expected = choices(cards_of(counts), r)
    assert combinations.choose_count(*hand, r) == len(expected)
    found = [to_multiset(combinations.choose_kth(*hand, r, k)) for k in range(len(expected))]
    assert len(found) == len(set(found)) and set(found) == expected


def test_no_cards_are_chosen_in_one_way_and_fewer_than_none_in_no_way() -> None:
    assert combinations.ways(3, 1, 1, 0) == 1
    assert combinations.ways(3, 1, 1, -1) == 0
    assert combinations.choose_kth(7, 0, 0, 0, 0) == (0, 0, 0)


def test_a_choice_beyond_the_last_is_an_error() -> None:
    with pytest.raises(ValueError, match="number of choices"):
        combinations.choose_kth(0b11111, 0, 0, 4, 5)


def test_a_whole_hand_of_45_has_as_many_burials_as_counting_says() -> None:
    counts = {bit: 1 + bit % 3 for bit in range(23)}
    coefficients = [1]
    for count in counts.values():
        wider = [0] * (len(coefficients) + count)
        for power, ways in enumerate(coefficients):
            for taken in range(count + 1):
                wider[power + taken] += ways
        coefficients = wider
    assert [combinations.choose_count(*to_masks(counts), r) for r in range(len(coefficients))] == coefficients


# Leading


@given(any_holding)
def test_leads_are_the_singles_pairs_and_triples_of_one_kind(counts: dict[int, int]) -> None:
    hand = to_masks(counts)
    expected = {(bit,) * n for bit, count in counts.items() for n in range(1, count + 1)}
    found = [to_multiset(masks.lead_kth(*hand, k)) for k in range(masks.lead_count(*hand))]
    assert len(found) == len(expected) and set(found) == expected
    cards = cards_of(counts)
    for n in (1, 2, 3, 4):
        for play in choices(cards, n):
            assert masks.is_lead(*hand, *to_masks(Counter(play))) == (play in expected)


@given(any_holding)
def test_a_lead_that_is_not_held_or_is_nothing_is_none(counts: dict[int, int]) -> None:
    hand = to_masks(counts)
    assert not masks.is_lead(*hand, 0, 0, 0)
    for bit in BITS_USED:
        for n in range(counts.get(bit, 0) + 1, 4):
            assert not masks.is_lead(*hand, *to_masks({bit: n}))


# Following


@given(any_holding, st.sampled_from(LANES), st.integers(1, 3), st.booleans(), st.sampled_from(SPLITS))
def test_what_follows_is_what_the_rule_book_says(
    counts: dict[int, int], lane: int, n: int, strict: bool, split: int
) -> None:
    cards = cards_of(counts)
    assume(len(cards) >= n)
    hand = to_masks(counts)
    legal = {play for play in choices(cards, n) if follows(cards, play, lane, strict, split)}
    assert legal, "somebody would have nothing to play"
    count = masks.follow_count(*hand, lane, n, strict, split)
    assert count == len(legal)
    found = [to_multiset(masks.follow_kth(*hand, lane, n, strict, split, k)) for k in range(count)]
    assert len(set(found)) == count and set(found) == legal
    for play in choices(cards, n):
        accepted = masks.is_follow(*hand, lane, n, strict, split, *to_masks(Counter(play)))
        assert accepted == (play in legal)


@given(any_holding, st.sampled_from(LANES), st.integers(4, 6), st.booleans())
def test_a_longer_lead_which_only_plugins_allow_asks_for_suit_alone(
    counts: dict[int, int], lane: int, n: int, strict: bool
) -> None:
    cards = cards_of(counts)
    assume(len(cards) >= n)
    hand = to_masks(counts)
    legal = {play for play in choices(cards, n) if follows(cards, play, lane, False, masks.MAY_KEEP)}
    count = masks.follow_count(*hand, lane, n, strict, masks.MAY_KEEP)
    found = [to_multiset(masks.follow_kth(*hand, lane, n, strict, masks.MAY_KEEP, k)) for k in range(count)]
    assert len(found) == len(legal) and set(found) == legal
    assert all(
        masks.is_follow(*hand, lane, n, strict, masks.MAY_KEEP, *to_masks(Counter(play))) == (play in legal)
        for play in choices(cards, n)
    )


@given(any_holding, any_holding, st.sampled_from(LANES), st.integers(1, 3), st.booleans(), st.sampled_from(SPLITS))
def test_cards_not_held_or_the_wrong_number_of_them_never_follow(
    counts: dict[int, int], other: dict[int, int], lane: int, n: int, strict: bool, split: int
) -> None:
    play = Counter(other)
    assume(play.total() != n or not play <= Counter(counts))
    assert not masks.is_follow(*to_masks(counts), lane, n, strict, split, *to_masks(play))


# Winning and counting


@given(st.sampled_from(LANES), st.lists(st.sampled_from(BITS_USED), min_size=1, max_size=3))
def test_only_identical_cards_of_the_led_suit_or_trump_have_power(lane: int, play: list[int]) -> None:
    power = tuple(bit + 1 for bit in range(60))
    can_win = len(set(play)) == 1 and (in_lane(play[0], lane) or in_lane(play[0], TRUMP_LANE))
    found = masks.play_power(*to_masks(Counter(play)), len(play), lane, TRUMP_LANE, power)
    assert found == (play[0] + 1 if can_win else 0)


@given(any_holding, st.dictionaries(st.sampled_from(BITS_USED), st.sampled_from((5, 10)), max_size=6))
def test_points_are_added_up_for_every_copy(counts: dict[int, int], worth: dict[int, int]) -> None:
    pointed = sum(1 << bit for bit in worth)
    points = tuple(worth.get(bit, 0) for bit in range(60))
    expected = sum(worth.get(bit, 0) * count for bit, count in counts.items())
    assert masks.points_of(*to_masks(counts), pointed, points) == expected
