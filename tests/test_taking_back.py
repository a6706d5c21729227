"""Taking back: the last act only, and never after anybody has learned something since."""

from __future__ import annotations

import pytest
from conftest import PRESETS, play_out, steps

import gunzi
from gunzi.resuming import take_back
from gunzi.table import Table


def at(preset: str, phase: str, seed: int = 4, hands: int = 2) -> Table:
    """A table that has just asked its first question of a phase."""
    table = Table(gunzi.load(preset), seed=seed, hands=hands, rounds=None)
    for _ in steps(table, seed):
        if table.hand.phase == phase:
            return table
    raise AssertionError(f"{preset} comes to no {phase}")


@pytest.mark.parametrize("preset", PRESETS)
def test_a_play_is_taken_back_until_the_next_seat_has_played(preset: str) -> None:
    table = at(preset, "play")
    for _ in range(6):
        seat, kept, holding = table.ask.seat, len(table.events), table.hand.holdings[table.ask.seat]
        table.do(seat, table.ask[0])
        assert (table.may_take_back() or ())[:2] == (seat, kept)
        again = take_back(table, [0, 1, 2, 3])
        assert (again.ask.seat, again.ask.kind) == (seat, table_kind(again))
        assert again.hand.holdings[seat] == holding
        undo = again.events[-1]
        assert (undo["e"], undo["to"], undo["agreed"]) == ("undo", kept, [0, 1, 2, 3])
        assert again.may_take_back() is None
        table = again
        table.do(seat, table.ask[len(table.ask) - 1])
    play_out(table)
    gunzi.verify(gunzi.Record.parse(table.record.text()))


def table_kind(table: Table) -> str:
    return "lead" if table.hand.plays == 0 else "follow"


def test_a_burial_is_taken_back_until_somebody_has_answered_it() -> None:
    done = 0
    for seed in range(12):
        table = at("yuwang", "bury", seed)
        kept = len(table.events)
        ask = table.ask
        table.do(ask.seat, ask[0])
        if table.events[-1]["e"] != "bury":
            continue
        assert table.may_take_back() == (ask.seat, kept, "bury")
        again = take_back(table, [1, 2, 3])
        assert again.hand.phase == "bury"
        assert again.hand.bottom != table.hand.bottom or again.hand.dealer_buried == ()
        if table.hand.phase == "bury_kings":
            table.do(table.ask.seat, table.ask[0])  # a pass writes nothing, and yet somebody has answered
            assert table.may_take_back() is None
        done += 1
    assert done


def test_nothing_is_taken_back_in_the_deal_or_once_the_hand_is_settled() -> None:
    table = Table(gunzi.load("dalian"), seed=3, hands=1, rounds=None)
    while table.hand.phase == "deal":
        assert table.may_take_back() is None
        table.do(table.ask.seat, table.ask[0])
    play_out(table)
    assert table.may_take_back() is None
    with pytest.raises(gunzi.Refused) as refused:
        take_back(table, [0])
    assert refused.value.rule == "table.undo"


def test_the_last_play_of_a_hand_has_shown_the_bottom_and_stays() -> None:
    table = Table(gunzi.load("yuwang"), seed=3, hands=2, rounds=None, hold=True)
    while not table.between:
        table.do(table.ask.seat, table.ask[0])
    assert table.may_take_back() is None


def test_a_table_on_hold_waits_between_hands_and_says_so() -> None:
    table = Table(gunzi.load("yuwang"), seed=3, hands=2, rounds=None, hold=True)
    straight = play_out(Table(gunzi.load("yuwang"), seed=3, hands=2, rounds=None))
    with pytest.raises(gunzi.Refused) as refused:
        table.deal_next()
    assert refused.value.rule == "table.running"
    held = 0
    for seat, act in acts_of(straight):
        while table.between:
            for asked in (lambda: table.ask, lambda: table.do(0, gunzi.Pass())):
                with pytest.raises(gunzi.Refused) as refused:
                    asked()
                assert refused.value.rule == "table.between"
            again = gunzi.resume(table.record, hands=2, hold=True)
            assert again.between
            assert again.events == table.events
            table.deal_next()
            held += 1
        table.do(seat, act)
    assert held
    assert table.events == straight.events
    with pytest.raises(gunzi.Refused):
        table.deal_next()


def acts_of(table: Table) -> list[tuple[int, gunzi.Act]]:
    again = Table(table.rules, seed=table.seed, hands=table.hands, rounds=table.rounds)
    return list(steps(again))


def test_what_resumes_a_hold_deals_from_the_given_source() -> None:
    table = Table(gunzi.load("yuwang"), seed=3, hands=2, rounds=None, hold=True)
    while not table.between:
        table.do(table.ask.seat, table.ask[0])
    record = table.record
    table.deal_next()
    deck = next(event["deck"] for event in reversed(table.events) if event["e"] == "hand")
    again = gunzi.resume(record, hands=2, hold=True, deals=lambda number, redeal: (tuple(map(gunzi.Card, deck)), 0))
    again.deal_next()
    assert again.events == table.events


def test_an_act_that_was_made_again_is_taken_back_again() -> None:
    table = at("dalian", "play")
    for _ in range(3):
        for choice in (0, -1, 0):
            seat, holding = table.ask.seat, table.hand.holdings[table.ask.seat]
            table.do(seat, table.ask[choice])
            table = take_back(table, [seat])
            assert table.ask.seat == seat
            assert table.hand.holdings[seat] == holding
        undos = [event for event in table.events if event["e"] == "undo"]
        assert len({event["to"] for event in undos[-3:]}) == 1
        table.do(table.ask.seat, table.ask[0])
    gunzi.verify(gunzi.Record.parse(table.record.text()))
