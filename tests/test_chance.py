"""Chance: the same everywhere, fair, and one stream never shifts another."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from itertools import count

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gunzi import chance
from gunzi.cards import KINDS

words = st.integers(0, chance.WORD)


def test_the_generator_is_the_published_one() -> None:
    """These numbers never change: stored seeds must keep dealing the same cards."""
    assert [chance.mix(word) for word in (0, 1)] == [0xE220A8397B1DCDAF, 0x910A2DEC89025CC1]
    assert chance.seeded_deck(7, 1, 0)[:8] == PINNED_DECK
    assert [chance.seeded_first(seed, 1, 0) for seed in range(8)] == PINNED_FIRSTS


PINNED_DECK = [42, 45, 33, 45, 47, 38, 5, 47]
PINNED_FIRSTS = [0, 2, 2, 2, 1, 3, 1, 2]


@given(words)
def test_words_are_64_bits(word: int) -> None:
    assert 0 <= chance.mix(word) <= chance.WORD
    assert 0 <= chance.word(word, 5, 7) <= chance.WORD


@given(words, st.integers(1, 2**63), st.integers(0, 200), st.integers(0, 200))
def test_a_number_below_n_is_one(base: int, n: int, place: int, i: int) -> None:
    drawn = chance.below(base, place, i, n)
    assert 0 <= drawn < n
    assert drawn == chance.below(base, place, i, n)


@pytest.mark.parametrize("n", [2, 3, 4, 7, 10])
def test_every_number_is_as_likely_as_the_others(n: int) -> None:
    base, draws = chance.stream(1, 1, chance.CHOICE), 2000 * n
    counts = Counter(chance.below(base, 0, i, n) for i in range(draws))
    chi_square = sum((counts[value] - 2000) ** 2 / 2000 for value in range(n))
    assert chi_square < n + 5 * (2 * n) ** 0.5


@pytest.mark.parametrize("n", [0xFFFFFFFF, 0x100000000, 0x100000001, 3 << 40])
def test_large_numbers_are_drawn_over_their_whole_range(n: int) -> None:
    base = chance.stream(2, 1, chance.CHOICE)
    drawn = [chance.below(base, 0, i, n) for i in range(400)]
    assert min(drawn) < n // 20 and max(drawn) > n - n // 20


@pytest.mark.parametrize("n", [1, 7, 1 << 63, chance.WORD, chance.WORD + 1, chance.WORD + 2, 10**24, 10**60])
def test_a_number_below_any_n_is_drawn_over_the_whole_range(n: int) -> None:
    base = chance.stream(2, 1, chance.CHOICE)
    drawn = [chance.below_any(base, 0, i, n) for i in range(400)]
    assert all(0 <= number < n for number in drawn)
    assert n < 7 or (min(drawn) <= n // 20 and max(drawn) >= n - 1 - n // 20)
    assert n > chance.WORD or drawn == [chance.below(base, 0, i, n) for i in range(400)]
    if n > 1000:
        assert {number % 3 for number in drawn} == {0, 1, 2}


@given(words, st.integers(0, 170), st.integers(1, 60))
def test_words_side_by_side_are_the_words_one_by_one(base: int, place: int, count: int) -> None:
    lanes = chance.Lanes(count)
    one_by_one = [chance.word(base, place, i) for i in range(count)]
    together = chance.words(base, place, lanes)
    assert lanes.highs(together) == tuple(word >> 32 for word in one_by_one)
    quarters = lanes.quarters(together)
    assert [sum(quarters[4 * i + part] << 16 * part for part in range(4)) for i in range(count)] == one_by_one
    first_of_places = [chance.word(base, place, 0) >> 32 for place in range(count)]
    assert list(lanes.highs(chance.words_at(base, lanes))) == first_of_places


@given(words, st.integers(0, 20), st.integers(0, 700))
def test_a_shuffle_is_the_one_that_is_documented(base: int, place: int, size: int) -> None:
    def parts() -> Iterator[int]:
        for i in count():
            word = chance.word(base, place, i)
            yield from (word >> shift & 0xFFFF for shift in (0, 16, 32, 48))

    expected, drawn = list(range(size)), parts()
    for i in range(size - 1, 0, -1):
        fair = 0x10000 - 0x10000 % (i + 1)
        part = next(part for part in drawn if part * (i + 1) % 0x10000 >= 0x10000 - fair)
        j = part * (i + 1) >> 16
        expected[i], expected[j] = expected[j], expected[i]
    cards = list(range(size))
    chance.shuffle(cards, base, place)
    assert cards == expected


def test_there_is_only_one_number_below_one() -> None:
    assert chance.below(12345, 1, 2, 1) == 0


def test_streams_differ_by_seed_hand_purpose_and_seat() -> None:
    keys = [
        (seed, hand, purpose, seat)
        for seed in (0, 1, 2**64, 2**64 + 1, 2**200)
        for hand in (0, 1, 2)
        for purpose in (chance.DECK, chance.FIRST, chance.CHOICE, chance.POLICY)
        for seat in range(4)
    ]
    assert len({chance.stream(*key) for key in keys}) == len(keys)


def test_a_draw_depends_on_its_place_and_count_alone() -> None:
    base = chance.stream(9, 3, chance.CHOICE, 2)
    places = [(place, i) for place in range(160) for i in range(5)]
    assert len({chance.word(base, place, i) for place, i in places}) == len(places)


@pytest.mark.parametrize("packs", [1, 2, 3])
def test_a_shuffled_deck_holds_every_kind_once_a_pack(packs: int) -> None:
    deck = chance.seeded_deck(5, 2, 0, packs)
    assert sorted(deck) == sorted(list(range(KINDS)) * packs)


def test_decks_differ_by_seed_hand_and_redeal() -> None:
    decks = {
        tuple(chance.seeded_deck(seed, hand, redeal)) for seed in range(3) for hand in range(3) for redeal in range(3)
    }
    assert len(decks) == 27


def test_every_order_of_a_shuffle_turns_up() -> None:
    base = chance.stream(3, 1, chance.DECK)
    orders: Counter[tuple[int, ...]] = Counter()
    for place in range(2400):
        cards = [0, 1, 2, 3]
        chance.shuffle(cards, base, place)
        orders[tuple(cards)] += 1
    assert len(orders) == 24
    assert 60 < min(orders.values()) <= max(orders.values()) < 145


def test_the_first_seat_of_a_hand_is_any_seat() -> None:
    assert {chance.seeded_first(seed, 1, 0) for seed in range(40)} == {0, 1, 2, 3}
    assert len({chance.seeded_first(1, 1, redeal) for redeal in range(40)}) == 4


def test_fresh_seeds_are_not_repeated() -> None:
    seeds = {chance.fresh_seed() for _ in range(100)}
    assert len(seeds) == 100
    assert all(0 <= seed <= chance.WORD for seed in seeds)


def test_streams_of_negative_seeds_come_to_an_end() -> None:
    assert chance.stream(-1, 0, chance.DECK) == chance.stream(-1, 0, chance.DECK) != chance.stream(1, 0, chance.DECK)
