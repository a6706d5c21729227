"""Hands played on from their middle, compiled, come to what the table they were taken from comes to."""

from __future__ import annotations

from typing import Any

import pytest

import gunzi
from gunzi.apps.players import four_dice, one_act, player
from gunzi.hand import Hand
from gunzi.table import Table
from gunzi.trump import trump_order

np = pytest.importorskip("numpy")
pytest.importorskip("numba")

from gunzi.apps.lab.fast import playouts as by  # noqa: E402

pytestmark = pytest.mark.usefixtures("kept_code")


def state_of(hand: Hand, plays: list[tuple[int, int, int]], seed: int) -> list[int]:
    """The row of a hand as its cards lie now."""
    row = [0] * by.COLUMNS
    row[by.HANDS : by.HANDS + 12] = [mask for holding in hand.holdings for mask in holding]
    row[by.PLAYS : by.PLAYS + 3 * len(plays)] = [mask for play in plays for mask in play]
    assert hand.leader is not None and hand.dealer is not None and hand.trump is not None
    pointed = sum(hand.rules.points[card.rank - 2] for card in hand.bottom)
    row[by.PLACED : by.COLUMNS] = [
        len(plays), hand.leader, hand.trick_number, hand.dealer, hand.attackers_points, pointed, seed
    ]  # fmt: skip
    return row


def moments(rules: gunzi.RuleSet, seed: int) -> tuple[list[list[int]], Hand]:
    """A state for every play of a table's only hand, before each play and after the fourth of a trick, and that hand settled."""
    table = Table(rules, seed=seed, hands=1)
    seats, random = four_dice(seed), player("random")
    states: list[list[int]] = []
    plays: list[tuple[int, int, int]] = []
    hand = table.hand
    while not table.over:
        hand = table.hand
        if hand.trick_number and hand.trump is not None:
            if len(plays) == 4:
                plays = []
            states.append(state_of(hand, plays, seed))
        act = one_act(table, random, seats)
        if hand.trick_number and hand.trump is not None:
            plays.append(hand.trump.masks(act.cards))  # type: ignore[attr-defined]
        table.do(table.ask.seat, act)
    return states, hand


@pytest.mark.parametrize("shapes", ["strict", "loose"])
def test_a_hand_played_on_from_any_play_ends_as_the_table_ends_it(shapes: str) -> None:
    rules = gunzi.load("yuwang", {"follow.shapes": shapes})
    playouts = by.Playouts(rules)
    for seed in range(12):
        states, hand = moments(rules, seed)
        assert hand.settlement is not None and hand.trump is not None
        result = hand.settlement.outcome.result
        found = playouts.run(hand.trump, np.array(states))
        assert {tuple(outcome) for outcome in found[:, 0].tolist()} == {(result.attackers_points, int(result.captured))}


def test_a_full_trick_is_taken_up_first() -> None:
    rules = gunzi.load("dalian")
    order = trump_order(3, "S", rules.permanent)
    ten, ace = (order.mask_of(gunzi.parse_card(text).kind) for text in ("HT", "HA"))
    states = by.new_states(1)
    states[0, by.PLAYS : by.PLAYS + 12] = [ten, 0, 0, ten, 0, 0, ace, 0, 0, ten, 0, 0]
    states[0, by.PLACED] = 4
    states[0, by.LEADER], states[0, by.DEALER], states[0, by.BOTTOM_POINTS] = 3, 0, 20
    # The ace lies third: seat 1 wins thirty points, and with the last trick the bottom's twenty, doubled.
    assert by.Playouts(rules).run(order, states).tolist() == [[[70, 1]]]
    states[0, by.DEALER] = 1
    assert by.Playouts(rules).run(order, states).tolist() == [[[0, 0]]]


def test_times_are_different_and_the_same_for_the_same_seed() -> None:
    rules = gunzi.load("dalian")
    states, hand = moments(rules, 3)
    rows: Any = np.array([states[0], states[0], states[0]])
    rows[2, by.SEED] += 1
    before = rows.copy()
    assert hand.trump is not None
    found = by.Playouts(rules).run(hand.trump, rows, times=40)
    assert found.shape == (3, 40, by.OUTCOME) and (rows == before).all()
    assert (found[0] == found[1]).all() and (found[0] != found[2]).any()
    assert len({tuple(outcome) for outcome in found[0].tolist()}) > 5


def test_other_trumps_than_the_rules_have_are_refused() -> None:
    playouts = by.Playouts(gunzi.load("dalian"))
    for order in (trump_order(12, "S", (2,)), trump_order(5, "S", (2, 4))):
        with pytest.raises(ValueError, match="trump"):
            playouts.run(order, by.new_states(1))
