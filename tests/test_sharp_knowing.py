"""What ``sharp`` knows of the cards it cannot see, and that every deal that agrees with it is as likely as any other."""

from __future__ import annotations

from collections import Counter
from itertools import permutations
from random import Random
from typing import Any

import pytest
from sharp_harness import STRICT, asked, every_deal

import gunzi
from gunzi.acts import Bury
from gunzi.apps.players.sharp.knowing import Known, know, ranks_at_least
from gunzi.apps.players.sharp.placing import NoDealError, place_cards
from gunzi.apps.players.sharp.shuffling import all_faults, drawn, gather, next_deal, walk
from gunzi.ask import PlayAsk
from gunzi.cards import BIG, CARDS, LITTLE, Card
from gunzi.play_rules import PlayRules, play_rules
from gunzi.table import Table, seeded_deals
from gunzi.trump import SIDE_LANES, trump_order

KNOWING: tuple[tuple[str, dict[str, Any]], ...] = (
    ("yuwang", {}),
    ("chayuan", STRICT),
    ("baike", {**STRICT, "follow.triple_against_pair": "must_split"}),
    ("yuwang", {**STRICT, "follow.triple_against_pair": "exempt"}),
    ("dalian", {"tribute.return": "any", "bury_kings.pick_kings": True, "dry_pot.hidden_bottom": "possible"}),
)


# -- what it knows -------------------------------------------------------------------------------------------------


def truth(table: Table, known: Known, seat: int) -> list[int]:
    """How the unseen cards really lie, as holdings of the five places."""
    hand = table.hand
    hold = [0] * 15
    for other in range(4):
        if other != seat:
            hold[3 * other : 3 * other + 3] = hand.holdings[other]
    if known.room[4]:
        assert hand.trump is not None
        hold[12:15] = hand.trump.masks(hand.bottom)
    return hold


def allows(known: Known, hold: list[int]) -> bool:
    """May every card lie where it lies?"""
    for bit in set(known.cards):
        lies = [place for place in range(5) for mask in hold[3 * place : 3 * place + 3] if mask >> bit & 1]
        may = [allowed for card, allowed in zip(known.cards, known.allowed, strict=True) if card == bit]
        if len(lies) != len(may):
            return False
        if not any(all(a >> p & 1 for a, p in zip(may, order, strict=True)) for order in permutations(lies)):
            return False
    return True


@pytest.mark.parametrize(("preset", "options"), KNOWING)
@pytest.mark.parametrize("policy", ["steady", "random"])
def test_what_really_lies_where_never_contradicts_what_a_seat_knows(
    preset: str, options: dict[str, Any], policy: str
) -> None:
    rules = gunzi.load(preset, options)
    table = Table(rules, seed=7, rounds=None, hands=5, record=False, watched=True)
    narrowed = 0
    for _ in asked(table, policy, 3):
        ask = table.ask
        if not (isinstance(ask, PlayAsk) or ask.kind in ("bury", "bury_kings")):
            continue
        assert table.hand.trump is not None
        playing = play_rules(rules, table.hand.trump)
        known = know(table.sight(ask.seat), playing, ask.kind == "bury")
        assert known is not None
        hold = truth(table, known, ask.seat)
        assert allows(known, hold)
        assert not all_faults(hold, known.bad, known.limits, known.tribute, ranks_at_least(playing))
        narrowed += len(set(known.allowed)) > 1
    assert narrowed > 100


def test_tribute_s_cards_are_known_to_those_who_moved_them() -> None:
    rules = gunzi.load("yuwang")
    seen = 0
    table = Table(rules, seed=2, rounds=None, hands=6, record=False, watched=True)
    for _ in asked(table, "steady", 1):
        hand = table.hand
        if table.ask.kind != "bury" or hand.given is None:
            continue
        giver, receiver, paid, _ = hand.given
        if table.ask.seat != receiver:
            continue
        assert hand.trump is not None
        known = know(table.sight(receiver), play_rules(rules, hand.trump), True)
        assert known is not None
        best = max(hand.trump.tribute_rank[bit] for bit in range(60) if paid[0] >> bit & 1)
        higher = [
            allowed
            for bit, allowed in zip(known.cards, known.allowed, strict=True)
            if hand.trump.tribute_rank[bit] > best and bit >= 36
        ]
        # The payer cannot hold a card it would have had to pay first.
        assert all(not allowed >> giver & 1 for allowed in higher)
        seen += 1
    assert seen


def test_a_dealer_who_paid_may_hold_whatever_lay_in_a_bottom_nobody_saw() -> None:
    """Three big jokers turn the tribute round; then the dealer finds two small jokers, buries one (all see it) and keeps one."""
    rules = gunzi.load("dalian")
    usual = seeded_deals(rules, 3)

    def deals(number: int, redeal: int) -> tuple[tuple[Card, ...], int]:
        deck, first = usual(number, redeal)[:2]
        if number == 1:
            return tuple(deck), first
        plain = [card for card in deck if not card.is_joker]
        big, small = CARDS[BIG], CARDS[LITTLE]
        # From the dealer on every fourth card is the payer's.
        return (*plain[:3], big, *plain[3:6], big, *plain[6:9], big, plain[9], small, *plain[10:], small, small), first

    table = Table(rules, deals=deals, rounds=None, hands=8, record=False, watched=True)
    dice = Random(1)
    seen = 0
    while not table.over:
        ask, hand = table.ask, table.hand
        reversed_by_dealer = hand.given is not None and hand.given[0] == hand.dealer
        if ask.kind in ("declare", "bury_kings"):
            act = ask[0]
        elif ask.kind == "bury" and reversed_by_dealer:
            assert hand.trump is not None
            held = hand.trump.cards(hand.holdings[ask.seat])
            plain = [card for card in held if not card.is_joker]
            act = Bury((CARDS[LITTLE], *plain[:5]))
        else:
            act = ask[dice.randrange(len(ask))]
        if isinstance(ask, PlayAsk) and reversed_by_dealer and ask.seat == hand.given[1]:  # type: ignore[index]
            assert hand.trump is not None
            known = know(table.sight(ask.seat), play_rules(rules, hand.trump), False)
            assert known is not None
            assert allows(known, truth(table, known, ask.seat))
            seen += 1
        table.do(ask.seat, act)
    assert seen


# -- the deals ------------------------------------------------------------------------------------------------------


def deals_of(known: Known, at_least: list[int], count: int, sweep: int, seed: int = 5) -> Counter[tuple[int, ...]]:
    """So many deals of the walk: how often each."""
    place, state = place_cards(known.allowed, known.room, seed)
    hold, ring = [0] * 15, [0] * 4
    classes = [i for i in range(len(place)) if not i or known.allowed[i] != known.allowed[i - 1]] + [len(place)]
    fixed = (known.bad, known.limits, known.tribute, at_least, ring, known.checked)
    gather(known.cards, place, hold)
    state = walk(state, 20 * sweep, known.cards, known.allowed, place, hold, *fixed)
    found: Counter[tuple[int, ...]] = Counter()
    for _ in range(count):
        state = next_deal(state, sweep, known.cards, known.allowed, place, classes, hold, *fixed)
        found[tuple(place)] += 1
    return found


def assert_even(found: Counter[tuple[int, ...]], every: set[tuple[int, ...]]) -> None:
    """Pearson's test against equal shares, at one in 100,000 (Wilson and Hilferty's cube root)."""
    assert set(found) <= every
    total, n = sum(found.values()), len(every)
    expected = total / n
    assert expected > 5
    chi2 = sum((found[deal] - expected) ** 2 / expected for deal in every)
    free = n - 1
    z = ((chi2 / free) ** (1 / 3) - (1 - 2 / (9 * free))) / (2 / (9 * free)) ** 0.5
    assert z < 4.26, (chi2, free)


SMALL = {
    "each card anywhere": Known([0, 1, 2, 12, 40, 41], [0b10110] * 6, [0, 2, 2, 0, 2]),
    "three voids in a ring": Known(
        [0, 1, 12, 13, 24, 25, 36],
        [0b0110, 0b0110, 0b1010, 0b1010, 0b1100, 0b1100, 0b1110],
        [0, 2, 3, 2, 0],
    ),
    "a card seen, one that may be buried": Known(
        [0, 3, 5, 7, 40, 41], [0b10010, 0b00100, 0b10110, 0b10110, 0b10110, 0b10010], [0, 2, 2, 0, 2]
    ),
}


@pytest.mark.parametrize("name", SMALL)
def test_every_deal_is_as_likely_as_any_other(name: str) -> None:
    known = SMALL[name]
    order = sorted(range(len(known.cards)), key=lambda i: known.allowed[i])
    known = Known([known.cards[i] for i in order], [known.allowed[i] for i in order], known.room)
    every = every_deal(known, [0] * 61)
    assert len(every) > 5
    assert_even(deals_of(known, [0] * 61, 100 * len(every), 60), every)


def test_so_it_is_where_a_seat_showed_that_it_has_no_pair() -> None:
    lane = SIDE_LANES[0]
    # Three copies of one kind, two of another: seat 1 holds no two of a kind, a triple it may (at most one single card then).
    known = Known([0, 0, 0, 1, 1, 5], [0b1110] * 6, [0, 3, 2, 1, 0])
    known.bad[4] = lane
    every = every_deal(known, [0] * 61)
    triple = {deal for deal in every if deal[:3] == (1, 1, 1)}
    assert triple and len(every) > len(triple)
    assert_even(deals_of(known, [0] * 61, 60 * len(every), 80), every)
    limited = Known(known.cards, known.allowed, known.room, known.bad, [1, lane, 1, 0, 0, 0])
    fewer = every_deal(limited, [0] * 61)
    assert triple <= fewer < every
    assert_even(deals_of(limited, [0] * 61, 60 * len(fewer), 80), fewer)


def test_so_it_is_where_others_paid_tribute() -> None:
    trump = trump_order(5, "H")
    at_least = ranks_at_least(PlayRules(gunzi.load("yuwang"), trump))
    bits = [trump.bit_of[kind] for kind in (53, 52, 52, 14)]
    # Seat 1 paid seat 2 a card: whatever seat 1 still holds of trumps, seat 2 holds one no weaker.
    known = Known([*bits, 3, 4], [0b1110] * 6, [0, 2, 2, 2, 0])
    known.tribute = [1, 2, 1, 0, 0, 0, 0, 0]
    every = every_deal(known, at_least)
    assert not any(deal[0] == 1 for deal in every)
    assert any(deal[1] == 1 and deal[0] == 2 for deal in every)
    assert_even(deals_of(known, at_least, 60 * len(every), 60), every)


def test_the_first_deal_makes_room_where_it_must() -> None:
    # The last card fits only where the others may stand; all of them have to move on.
    place, _ = place_cards([0b0011, 0b0110, 0b1100, 0b0001], [1, 1, 1, 1], 9)
    assert sorted(place) == [0, 1, 2, 3] and place[3] == 0
    with pytest.raises(NoDealError):
        place_cards([0b01, 0b01], [1, 1], 9)


def test_the_numbers_of_chance_are_even_and_stay_below_two_to_the_62nd() -> None:
    state, counts = 1, [0] * 16
    for _ in range(16_000):
        state = drawn(state)
        assert 0 < state < 1 << 62
        counts[state >> 28 & 15] += 1
    assert all(850 < count < 1150 for count in counts)
