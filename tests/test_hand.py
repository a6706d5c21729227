"""A hand from the first card to the settlement: conservation, refusals that change nothing, copies, determinism."""

from __future__ import annotations

from collections import Counter

import pytest
from conftest import play_out, steps

import gunzi
from gunzi import Claim, DealCard, Declare, Pass, Play, Refused, Table
from gunzi.apps.testing.playing import NONSENSE
from gunzi.cards import parse_cards
from gunzi.hand import Hand
from gunzi.record import EventLog


def every_card(hand: Hand) -> Counter[str]:
    """All cards of a hand, wherever they are: undealt, held, in the bottom, played."""
    assert hand.log is not None
    seen: Counter[str] = Counter()
    if hand.trump is None:
        return Counter(hand.deck)
    for seat in range(4):
        seen.update(hand.cards_of(seat))
    in_the_dealers_hand = hand.phase == "bury"
    if not in_the_dealers_hand:
        seen.update(hand.bottom)
    for event in hand.log.events:
        if event["e"] == "hand":
            played: Counter[str] = Counter()
        elif event["e"] == "play":
            played.update(event["cards"])
    return seen + played


def points_of(rules: gunzi.RuleSet, cards: Counter[str]) -> int:
    return sum(rules.points[gunzi.parse_card(card).rank - 2] * count for card, count in cards.items())


def test_cards_and_points_are_conserved_after_every_act(rules: gunzi.RuleSet) -> None:
    table = Table(rules, seed=5, hands=2, rounds=None)
    for _ in steps(table):
        cards = every_card(table.hand)
        assert sum(cards.values()) == 162
        assert points_of(rules, cards) == 300
        assert cards == Counter(table.hand.deck)


def test_nobody_is_ever_without_an_answer_and_every_answer_is_allowed(rules: gunzi.RuleSet) -> None:
    table = Table(rules, seed=11, hands=3, rounds=None)
    for _ in steps(table):
        ask = table.ask
        assert len(ask) >= 1
        for k in {0, len(ask) // 2, len(ask) - 1}:
            assert ask[k] in ask
        assert ask.seat in (0, 1, 2, 3)


def test_a_refused_act_changes_nothing(rules: gunzi.RuleSet) -> None:
    table = Table(rules, seed=3, hands=2, rounds=None)
    tried: Counter[str] = Counter()
    for _ in steps(table):
        tried[table.ask.kind] += 1
        if tried[table.ask.kind] > 8 and tried[table.ask.kind] % 5:
            continue
        before, count = table.hand.content(), len(table.events)
        for act in NONSENSE:
            for seat in (table.ask.seat, (table.ask.seat + 1) % 4, 4, -2, True, "0"):
                if act in table.ask and seat == table.ask.seat:
                    continue
                with pytest.raises(Refused) as refusal:
                    table.do(seat, act)  # type: ignore[arg-type]
                assert refusal.value.rule in rules.rule_ids()
                assert refusal.value.zh and refusal.value.en
        assert table.hand.content() == before
        assert len(table.events) == count


def test_a_card_that_is_none_is_named() -> None:
    table = Table(gunzi.load("dalian"), seed=3)
    while table.hand.phase != "play":
        table.do(table.ask.seat, table.ask[0])
    before = table.hand.content()
    with pytest.raises(gunzi.CardError, match="S1"):
        table.do(table.ask.seat, Play(("S1",)))  # type: ignore[arg-type]
    assert table.hand.content() == before
    assert Play(("S1",)) not in table.ask  # type: ignore[arg-type]


def test_another_seat_may_not_play(rules: gunzi.RuleSet) -> None:
    table = Table(rules, seed=3)
    while table.hand.phase != "play":
        table.do(table.ask.seat, table.ask[0])
    ask = table.ask
    with pytest.raises(Refused) as refusal:
        table.do((ask.seat + 2) % 4, ask[0])
    assert refusal.value.rule == "table.turn"


def test_the_same_seed_and_acts_give_the_same_record(rules: gunzi.RuleSet) -> None:
    first, second = (play_out(Table(rules, seed=8, hands=2, rounds=None)) for _ in range(2))
    assert first.record.text() == second.record.text()


def test_a_hand_does_not_depend_on_the_order_in_which_a_seat_was_dealt_its_cards() -> None:
    rules = gunzi.load("yuwang")
    deck = list(Table(rules, seed=4).hand.deck)
    # Two cards of seat 1 that are neither jokers nor level cards change places.
    places = [place for place in range(1, 156, 4) if not deck[place].is_joker and deck[place].rank != 3]
    swapped = list(deck)
    a, b = places[0], places[-1]
    swapped[a], swapped[b] = deck[b], deck[a]
    hands = [Hand(rules, cards, dealer=0, first=0, log=EventLog()) for cards in (deck, swapped)]
    while hands[0].waiting is not None:
        left, right = hands[0].waiting, hands[1].waiting
        assert right is not None
        assert (left.seat, left.kind, list(left[:50])) == (right.seat, right.kind, list(right[:50]))
        k = len(left) // 3
        for hand in hands:
            assert hand.waiting is not None
            hand.do(hand.waiting.seat, hand.waiting[k])
    assert hands[0].log is not None and hands[1].log is not None
    assert hands[0].log.events[1:] == hands[1].log.events[1:]


def test_a_copy_is_equal_and_independent(rules: gunzi.RuleSet) -> None:
    table = Table(rules, seed=6, hands=1)
    for _ in steps(table):
        hand = table.hand
        twin = hand.copy()
        assert twin == hand
        assert hash(twin) == hash(hand)
        ask = twin.ask
        assert ask is not None
        before = hand.content()
        twin.do(ask.seat, ask[len(ask) // 2])
        assert hand.content() == before


def test_a_hand_is_rebuilt_from_its_deck_and_its_acts(rules: gunzi.RuleSet) -> None:
    table = Table(rules, seed=9, hands=1)
    start = table.hand.copy()
    acts = list(steps(table))
    for seat, act in acts:
        start.do(seat, act)
    assert start == table.hand


def test_the_owner_of_the_last_dealt_card_may_still_claim() -> None:
    rules = gunzi.load("dalian")
    deck = list(Table(rules, seed=1).hand.deck)
    joker = next(place for place, card in enumerate(deck) if card == "BJ")
    others = [card for card in deck if card != "BJ"]
    deck = [*others[:155], "BJ", *others[155:], "BJ", "BJ"]
    assert joker >= 0
    hand = Hand(rules, parse_cards(deck), dealer=None, first=2, log=EventLog())
    ask = hand.ask
    assert ask is not None and ask.seat == (2 + 155) % 4 and hand.dealt == 156
    hand.do(ask.seat, ask[1])
    assert hand.dealer == ask.seat
    assert hand.log is not None
    assert [event["e"] for event in hand.log.events[:3]] == ["hand", "claim", "turn"]


def test_the_owner_of_the_last_dealt_card_may_still_declare() -> None:
    rules = gunzi.load("dalian")
    deck = list(Table(rules, seed=1).hand.deck)
    threes = [card for card in deck if card.rank == 3 or card.is_joker]
    others = [card for card in deck if card.rank != 3 and not card.is_joker]
    # Every level card and joker but one lies among the last cards of one seat, the very last card is the one that counts.
    deck = [*others[:138], *[card for pair in zip(threes[:17], others[138:], strict=False) for card in pair]]
    rest = list(Table(rules, seed=1).hand.deck)
    for card in deck:
        rest.remove(card)
    deck = (deck + rest)[:162]
    last = next(place for place in range(155, -1, -1) if deck[place].rank == 3)
    deck[155], deck[last] = deck[last], deck[155]
    hand = Hand(rules, deck, number=2, dealer=0, first=0, log=EventLog())
    asked = []
    while hand.phase == "deal":
        ask = hand.ask
        assert ask is not None
        asked.append((hand.dealt, ask.seat))
        hand.do(ask.seat, Pass())
    assert (156, 155 % 4) in asked


def test_a_seat_that_passed_may_declare_while_others_are_asked() -> None:
    rules = gunzi.load("dalian")
    for seed in range(60):
        table = Table(rules, seed=seed)
        hand = Hand(rules, table.hand.deck, number=2, dealer=0, first=0)
        passed = None
        while hand.phase == "deal":
            ask = hand.ask
            assert ask is not None
            if passed is not None and ask.seat != passed:
                offer = hand.ask_of(passed)
                assert offer is not None
                bid = next(act for act in offer if isinstance(act, Declare))
                hand.do(passed, bid)
                assert hand.standing is not None and hand.standing.seat == passed
                return
            passed = ask.seat
            hand.do(ask.seat, Pass())
    raise AssertionError("no deal asked two seats")


def test_bidding_always_ends(rules: gunzi.RuleSet) -> None:
    for seed in range(20):
        table = Table(rules, seed=seed)
        hand = Hand(rules, table.hand.deck, number=2, dealer=1, first=1)
        bids = 0
        while hand.phase == "deal":
            ask = hand.ask
            assert ask is not None
            bids += 1
            hand.do(ask.seat, ask[len(ask) - 1])
        assert bids < 80
        assert len(hand.bids) <= 5


def test_a_paced_table_deals_card_by_card_and_anybody_may_claim_in_between() -> None:
    rules = gunzi.load("yuwang")
    table = Table(rules, seed=2, paced=True)
    while True:
        table.do(-1, DealCard())
        holder = next((seat for seat in range(4) if table.hand.ask_of(seat)), None)
        if holder is not None:
            break
    dealt = table.hand.dealt
    with pytest.raises(Refused):
        table.do((holder + 1) % 4, Claim(gunzi.Card("BJ")))
    table.do(holder, Claim(gunzi.Card("BJ")))
    assert table.events[-1] == {
        "e": "claim", "n": 2, "seat": holder, "card": "BJ", "dealt": dealt, "by": "first_dealer.claim",
    }  # fmt: skip
    while table.ask.kind == "deal":
        table.do(-1, DealCard())
    assert table.hand.dealer == holder
    play_out(table)
    gunzi.verify(table.record)


def test_a_table_is_small(rules: gunzi.RuleSet) -> None:
    import tracemalloc

    play_out(Table(rules, seed=1, hands=1, record=False))
    tracemalloc.start()
    tables = [Table(rules, seed=seed, record=False) for seed in range(20)]
    for table in tables:
        for _ in range(40):
            table.do(table.ask.seat, table.ask[0])
    size, _ = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert size / len(tables) < 20_000
