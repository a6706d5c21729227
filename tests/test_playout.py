"""The fast driver of trick play: card for card what the table plays with ``random`` in every seat."""

from __future__ import annotations

from functools import partial

import pytest

import gunzi
from gunzi.apps.players import play_table, player
from gunzi.hand import Hand
from gunzi.playout import draws_of, play_out
from gunzi.table import Table


def _is_over(hand: Hand) -> bool:
    return hand.waiting is None


def test_a_hand_played_out_on_masks_ends_as_the_table_s(rules: gunzi.RuleSet) -> None:
    seed = 17
    table = Table(rules, seed=seed, rounds=None, hands=4, record=False)
    players = [player("random")] * 4
    compared = 0
    while not table.over:
        play_table(table, players, seed, until=lambda: table.hand.trick_number == 1)
        hand = table.hand
        assert hand.play_rules is not None and hand.dealer is not None and hand.trump is not None
        played = play_out(
            hand.play_rules, hand.holdings, hand.dealer, [draws_of(seed, hand.number, seat) for seat in range(4)]
        )
        play_table(table, players, seed, until=partial(_is_over, hand))
        assert hand.attackers_points == played.attackers
        assert (hand.winning, hand.trick_number - 1) == (played.winner, played.tricks)
        assert hand.last_play == hand.trump.cards(played.last_play)
        compared += 1
    assert compared == 4


def test_a_table_played_out_at_once_is_that_played_ask_by_ask(rules: gunzi.RuleSet) -> None:
    seed = 23
    players = [player("random")] * 4
    at_once, by_asks = (Table(rules, seed=seed, rounds=None, hands=3) for _ in range(2))
    ends: list[list[object]] = [[], []]
    play_table(at_once, players, seed, finished=lambda hand: ends[0].append(hand.content()))
    play_table(by_asks, players, seed, finished=lambda hand: ends[1].append(hand.content()), until=lambda: False)
    assert ends[0] == ends[1]
    assert at_once.events == by_asks.events
    assert (at_once.scores, at_once.levels, at_once.last) == (by_asks.scores, by_asks.levels, by_asks.last)


def test_only_a_hand_at_its_first_lead_that_nobody_watches_is_played_out() -> None:
    rules = gunzi.load("dalian")
    players = [player("random")] * 4
    kept = Table(rules, seed=1, watched=True)
    with pytest.raises(ValueError, match="from its first lead"):
        kept.play_out([])
    play_table(kept, players, 1, until=lambda: kept.hand.trick_number == 1)
    before = kept.hand.content()
    with pytest.raises(ValueError, match="ask by ask"):
        kept.play_out([])
    assert kept.hand.content() == before
