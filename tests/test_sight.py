"""What a seat sees as masks: folded from public events, equal to what its view alone tells, blind to hidden cards."""

from __future__ import annotations

import pytest
from conftest import steps

import gunzi
from gunzi import combinations, masks
from gunzi.choices import pickable_cards
from gunzi.hand import Hand
from gunzi.sight import sight_of
from gunzi.table import Table, TableError, seeded_deals

OTHER_RULES = (
    {"deck.packs": 2, "deck.hand": 24, "deck.bottom": 12},
    {"follow.shapes": "strict", "follow.triple_against_pair": "exempt"},
    {"dry_pot.hidden_bottom": "possible", "bury_kings.pick_kings": True, "trump.permanent": [2, 7]},
)


def play_and_compare(table: Table, dice: int) -> int:
    compared = 0
    for seat, _ in steps(table, dice):
        if table.hand.plays in (0, 3):
            seen = table.sight(seat)
            assert seen.content() == sight_of(table.rules, table.view(seat), seat).content()
            compared += 1
    return compared


def test_the_sight_of_a_table_is_that_of_the_seat_s_view(rules: gunzi.RuleSet) -> None:
    assert play_and_compare(Table(rules, seed=11, rounds=None, hands=3), dice=1) > 100


@pytest.mark.parametrize("options", OTHER_RULES)
def test_so_it_is_under_an_operator_s_own_options(options: dict[str, object]) -> None:
    rules = gunzi.load("dalian", options)
    assert play_and_compare(Table(rules, seed=12, rounds=None, hands=3), dice=2) > 40


def test_a_watched_table_without_events_sees_the_same_as_one_that_keeps_them(rules: gunzi.RuleSet) -> None:
    kept = Table(rules, seed=5, rounds=None, hands=2)
    watched = Table(rules, seed=5, rounds=None, hands=2, record=False, watched=True)
    for seat, act in steps(kept, dice=4):
        assert watched.sight(seat).content() == kept.sight(seat).content()
        watched.do(seat, act)
    assert watched.over


def test_a_table_may_be_looked_at_from_any_moment_on() -> None:
    """Also between the dealer's hidden burial and a king of another seat, which shows the bottom."""
    rules = gunzi.load("dalian", {"first_dealer.claim": "automatic"})
    taken_up = 0
    for seed in range(30):
        kept = Table(rules, seed=seed, rounds=None, hands=1)
        watched = Table(rules, seed=seed, rounds=None, hands=1, record=False, watched=True)
        for seat, act in steps(kept, dice=seed):
            if kept.hand.watch is not None:
                assert watched.sight(1).content() == kept.sight(1).content()
            elif kept.hand.phase == "bury_kings":
                kept.sight(0)
                taken_up += not kept.hand.bottom_shown
            watched.do(seat, act)
    assert taken_up > 5


def test_swapping_cards_a_seat_cannot_see_leaves_its_sight_as_it_is() -> None:
    rules = gunzi.load("yuwang")
    plain = seeded_deals(rules, 21)
    deck, first = plain(1, 0)
    swapped = list(deck)
    # The last card dealt to the seat two places on, and a bottom card: seat `first` sees neither before they are played.
    swapped[154], swapped[157] = swapped[157], swapped[154]
    assert deck[154] != deck[157]
    one = Table(rules, deals=lambda number, redeal: (deck, first))
    other = Table(rules, deals=lambda number, redeal: (swapped, first))
    looked = 0
    while one.ask.kind == "claim" and other.ask.kind == "claim":
        assert one.ask.seat == other.ask.seat
        assert one.sight(first).content() == other.sight(first).content()
        looked += 1
        one.do(one.ask.seat, one.ask[0])
        other.do(other.ask.seat, other.ask[0])
    assert looked


def test_hidden_cards_swapped_in_mid_play_change_nothing_before_they_show() -> None:
    rules = gunzi.load("yuwang")
    table = Table(rules, seed=3, rounds=None, hands=1)
    for _ in steps(table, dice=3):
        if table.hand.trick_number == 5 and table.hand.plays == 1:
            break
    hand = table.hand
    me = hand.turn
    before = table.sight(me).content()
    one, other = (me + 1) % 4, (me + 2) % 4
    left, right = hand.holdings[one], hand.holdings[other]
    a, b = combinations.choose_kth(*left, 1, 0), combinations.choose_kth(*right, 1, 4)
    hand.holdings[one] = masks.add(*masks.remove(*left, *a), *b)
    hand.holdings[other] = masks.add(*masks.remove(*right, *b), *a)
    assert table.sight(me).content() == before


def test_a_discard_shows_a_void_and_played_cards_are_out() -> None:
    rules = gunzi.load("dalian")
    table = Table(rules, seed=8, rounds=None, hands=1, record=False, watched=True)
    for _ in steps(table, dice=6):
        hand = table.hand
        if hand.trick_number < 2 or hand.play_rules is None:
            continue
        shown = table.sight(0).shown
        for seat in range(4):
            assert not hand.holdings[seat][0] & shown.voids[seat]
            assert shown.left[seat] == masks.size(*hand.holdings[seat])
            unseen = table.sight(seat).unseen()
            for other in range(4):
                if other != seat:
                    assert masks.contains(*unseen, *hand.holdings[other])
        assert (shown.attackers, shown.pile, shown.trick, shown.plays) == (
            hand.attackers_points,
            hand.pile,
            hand.trick_number,
            hand.plays,
        )
    assert table.over


@pytest.mark.parametrize("pick_kings", (False, True))
def test_after_each_king_a_seat_knows_how_many_more_may_be_buried(pick_kings: bool) -> None:
    """Where buried kings may be picked up again, a king buried leaves the room as it was."""
    rules = gunzi.load("dalian", {"first_dealer.claim": "automatic", "bury_kings.pick_kings": pick_kings})
    seconds = 0
    for seed in range(60):
        table = Table(rules, seed=seed, rounds=None, hands=1)
        for _ in steps(table, dice=seed):
            hand, shown = table.hand, table.sight(seed % 4).shown
            if hand.trump is None or not hand.dealer_buried or hand.kings_named:
                continue
            if not rules.hook.kings_window(dealer_buried=hand.trump.masks(hand.dealer_buried), trump=hand.trump).open:
                assert shown.room == 0
                continue
            assert shown.room == pickable_cards(rules, hand.trump, hand.trump.masks(hand.bottom))
            seconds += hand.phase == "bury_kings" and sum(map(bool, shown.kings)) > 1
            if hand.phase == "play":
                break
    assert seconds > 1


def test_unwatched_hands_and_tables_say_so() -> None:
    rules = gunzi.load("dalian")
    table = Table(rules, seed=1, record=False)
    with pytest.raises(TableError, match="keeps no events"):
        table.sight(0)
    with pytest.raises(ValueError, match="not watched"):
        table.hand.sight(0)
    deck, first = seeded_deals(rules, 1)(1, 0)
    watched = Hand(rules, deck, first=first, watched=True)
    assert watched.sight(2).content() == Table(rules, seed=1, record=False, watched=True).sight(2).content()
    assert watched.copy().watch is None


def test_after_a_play_is_taken_back_a_seat_knows_as_much_as_before_it() -> None:
    table = Table(gunzi.load("yuwang"), seed=3, rounds=None, hands=1)
    for _ in steps(table, dice=3):
        if table.hand.trick_number == 5 and table.hand.plays == 3:
            break
    before = table.sight(table.ask.seat).content()
    seat = table.ask.seat
    table.do(seat, table.ask[0])
    back = gunzi.take_back(table, [0, 1, 2, 3])
    assert back.ask.seat == seat
    assert back.sight(seat).content() == before
