"""The fair shuffle: what is published, what follows from it, and that a record which says otherwise is refused."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Any

import pytest
from conftest import play_out

import gunzi
from gunzi.fairness import Fair, FairDeal
from gunzi.table import Table

SEED = bytes(range(32))
SHARES = (b"a" * 32, None, b"c" * 32, b"\x00" * 32)


def fair_table(preset: str = "yuwang", hands: int = 2, **more: Any) -> Table:
    rules = gunzi.load(preset)

    def deals(number: int, redeal: int) -> FairDeal:
        seed = hashlib.sha256(f"{number} {redeal}".encode()).digest()
        return Fair(seed).with_contributions(SHARES).deal(rules, number, redeal)

    return Table(rules, deals=deals, hands=hands, rounds=None, **more)


def drawn_words(key: bytes) -> Iterator[int]:
    block = 0
    while True:
        digest = hashlib.sha256(key + block.to_bytes(8, "big")).digest()
        yield from (int.from_bytes(digest[i : i + 4], "big") for i in range(0, 32, 4))
        block += 1


def worked_out(seed: bytes, shares: Sequence[bytes | None], hand: int, attempt: int) -> tuple[list[str], int]:
    """The deal as the documentation tells a stranger to work it out."""
    text = b"gunzi-deal-1\x00" + seed + hand.to_bytes(4, "big") + attempt.to_bytes(4, "big")
    for share in shares:
        text += b"\x00" if share is None else b"\x01" + share
    words = drawn_words(hashlib.sha256(text).digest())

    def below(n: int) -> int:
        while (word := next(words)) >= 2**32 - 2**32 % n:
            pass
        return word % n

    kinds = [suit + rank for suit in "SHCD" for rank in "23456789TJQKA"] + ["LJ", "BJ"]
    deck = [kind for kind in kinds for _ in range(3)]
    for i in range(161, 0, -1):
        j = below(i + 1)
        deck[i], deck[j] = deck[j], deck[i]
    return deck, below(4)


def test_a_deal_is_what_a_stranger_works_out_from_seed_and_contributions() -> None:
    rules = gunzi.load("yuwang")
    for hand, attempt in ((1, 0), (2, 0), (2, 3), (70000, 1)):
        deal = Fair(SEED, SHARES).deal(rules, hand, attempt)
        assert (list(deal.deck), deal.first) == worked_out(SEED, SHARES, hand, attempt)


def test_a_known_deal_stays_what_it_is() -> None:
    deal = Fair(SEED, SHARES).deal(gunzi.load("yuwang"), 1, 0)
    assert Fair(SEED).hash == "630dcd2966c4336691125448bbb25b4ff412a49c732db2c8abc1b8581bd710dd"
    assert " ".join(deal.deck[:12]) == "C8 DK D8 S9 C2 H6 HK DJ HT SJ D5 BJ"
    assert deal.first == 1


def test_every_part_changes_the_deal() -> None:
    rules = gunzi.load("yuwang")
    one = Fair(SEED, SHARES).deal(rules, 1, 0).deck
    others = [
        Fair(bytes(32), SHARES).deal(rules, 1, 0).deck,
        Fair(SEED).deal(rules, 1, 0).deck,
        Fair(SEED, (SHARES[0], None, None, SHARES[3])).deal(rules, 1, 0).deck,
        Fair(SEED, (None, SHARES[0], SHARES[2], SHARES[3])).deal(rules, 1, 0).deck,
        Fair(SEED, SHARES).deal(rules, 2, 0).deck,
        Fair(SEED, SHARES).deal(rules, 1, 1).deck,
    ]
    assert len({one, *others}) == len(others) + 1
    assert all(Counter(deck) == Counter(one) for deck in others)


def test_every_place_is_as_likely_for_every_card() -> None:
    rules = gunzi.load("yuwang")
    places: Counter[int] = Counter()
    firsts: Counter[int] = Counter()
    for number in range(1, 401):
        deal = Fair(SEED, SHARES).deal(rules, number, 0)
        firsts[deal.first] += 1
        places.update(place * 6 // 162 for place, card in enumerate(deal.deck) if card == "BJ")
    # Three big jokers in 400 deals over six sixths of the deck: 200 each; the chance that chi-square passes 27.9 is 1 in 26,000.
    assert sum((places[part] - 200) ** 2 / 200 for part in range(6)) < 27.9
    assert sum((firsts[seat] - 100) ** 2 / 100 for seat in range(4)) < 24.0


def test_a_seed_that_was_drawn_fresh_is_never_drawn_again() -> None:
    assert len({Fair.fresh().seed for _ in range(50)}) == 50
    assert len(Fair.fresh().seed) == 32


@pytest.mark.parametrize("wrong", [(b"short", None, None, None), (None, None, None), (None,) * 5])
def test_contributions_are_four_and_have_32_bytes(wrong: tuple[bytes | None, ...]) -> None:
    with pytest.raises(gunzi.TableError) as error:
        Fair(SEED).with_contributions(wrong)
    assert error.value.text.zh and error.value.text.en


def test_a_fair_record_is_checked_and_resumed() -> None:
    table = play_out(fair_table())
    record = table.record
    gunzi.verify(gunzi.Record.parse(record.text()))
    hand = next(event for event in record.events if event["e"] == "hand")
    assert hand["fair"]["hash"] == hashlib.sha256(bytes.fromhex(hand["fair_seed"])).hexdigest()
    assert hand["fair"]["contributions"] == [share and share.hex() for share in SHARES]
    half = gunzi.Record(record.header, record.events[: len(record.events) // 3])
    again = gunzi.resume(half, hands=1)
    play_out(again)
    settled = again.events[-1]
    assert settled["e"] == "settle"
    assert settled["fair_seed"] == hand["fair_seed"]


@pytest.mark.parametrize(
    ("change", "rule"),
    [
        (lambda hand: hand["fair"].update(hash="0" * 64), "fair.hash"),
        (lambda hand: hand.update(fair_seed="0" * 64), "fair.hash"),
        (lambda hand: hand["fair"]["contributions"].__setitem__(1, "11" * 32), "fair.deck"),
        (lambda hand: hand["deck"].insert(0, hand["deck"].pop()), "fair.deck"),
        (lambda hand: hand.update(first=(hand["first"] + 1) % 4), "fair.deck"),
        (lambda hand: hand.pop("fair_seed"), "fair.keys"),
        (lambda hand: hand.pop("fair"), "fair.keys"),
        (lambda hand: hand["fair"].pop("contributions"), "fair.keys"),
        (lambda hand: hand["fair"]["contributions"].pop(), "fair.keys"),
        (lambda hand: hand["fair"]["contributions"].__setitem__(0, "zz" * 32), "fair.keys"),
        (lambda hand: hand.update(fair_seed=7), "fair.keys"),
        (lambda hand: hand.update(fair=[]), "fair.keys"),
    ],
)
def test_a_deal_that_does_not_follow_from_what_was_published_is_refused(change: Any, rule: str) -> None:
    record = play_out(fair_table(hands=1)).record
    hand = next(event for event in record.events if event["e"] == "hand")
    change(hand)
    with pytest.raises(gunzi.RecordError) as error:
        gunzi.verify(record)
    assert (error.value.event, error.value.rule) == (hand["n"], rule)


def test_the_seed_is_shown_to_nobody_before_the_hand_is_over() -> None:
    table = fair_table(hands=1)
    seed = next(event["fair_seed"] for event in table.events if event["e"] == "hand")
    while not table.over:
        ask = table.ask
        if table.hand.number == 1 and table.hand.trick_number in (0, 1, 5):
            for seat in (0, 1, 2, 3, None):
                assert seed not in repr(table.view(seat))
        table.do(ask.seat, ask[0])
    for seat in (0, 1, 2, 3, None):
        view = table.view(seat)
        assert view[0]["fair"]["contributions"] == [share and share.hex() for share in SHARES]
        assert any(event["e"] == "settle" and event["fair_seed"] == seed for event in view)


def test_a_deal_that_is_void_shows_its_seed_too() -> None:
    rules = gunzi.load("yuwang")
    fair = Fair(SEED, SHARES)

    def deals(number: int, redeal: int) -> FairDeal:
        deal = fair.deal(rules, number, redeal)
        if redeal:
            return deal
        plain = [
            card for card in deal.deck if not card.is_joker
        ]  # with all six jokers in the bottom no suit can be turned
        return deal._replace(deck=(*plain, *(card for card in deal.deck if card.is_joker)))

    table = Table(rules, deals=deals, hands=1, rounds=None)
    voids = [event for event in table.events if event["e"] == "redeal"]
    assert [event["fair_seed"] for event in voids] == [SEED.hex()]
