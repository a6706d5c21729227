"""Asks and acts used in every odd way: other seats, other types, other words, copies, threads, huge numbers."""

from __future__ import annotations

import copy
import pickle
import random
import sys
import threading
from collections.abc import Iterator
from typing import Any

import pytest

import gunzi
from gunzi import BuryKings, CardError, Declare, Hand, Refused, Table
from gunzi.table import seeded_deals
from gunzi.values import Owed

KINDS = ("claim", "declare", "pay", "return", "bury", "bury_kings", "pick", "lead", "follow")


def asked(kind: str) -> Table:
    """A table at which a question of this kind is asked."""
    rules = gunzi.load("dalian", {"follow.shapes": "strict"})
    for seed in range(200):
        table = Table(rules, seed=seed, hands=3, rounds=None)
        while not table.over:
            if table.ask.kind == kind:
                return table
            table.do(table.ask.seat, table.ask[len(table.ask) // 2])
    raise AssertionError(f"nobody is ever asked to {kind}")


@pytest.mark.parametrize("kind", KINDS)
def test_only_a_whole_number_is_a_seat(kind: str) -> None:
    table = asked(kind)
    hand, seat = table.hand, table.ask.seat
    before = hand.content()
    strange: Any
    for strange in (seat == 1, float(seat), str(seat), None, [], -1, 4, 10**20):
        for doer in (table, hand):
            with pytest.raises(Refused):
                doer.do(strange, table.ask[0])
    assert hand.content() == before


@pytest.mark.parametrize("kind", KINDS)
def test_what_an_ask_says_of_an_act_is_what_happens_to_it(kind: str) -> None:
    table = asked(kind)
    ask, seat = table.ask, table.ask.seat
    for act in (*other_words(ask[len(ask) - 1]), *ODD_ACTS):
        twin = table.hand.copy()
        try:
            twin.do(seat, act)
            done = True
        except (Refused, CardError):
            done = False
        assert (act in ask) == done, act


def other_words(act: Any) -> Iterator[Any]:
    """The same act said differently: another order, a list, small letters."""
    for field in ("cards", "kings"):
        cards = getattr(act, field, None)
        if cards is not None:
            more = (act.suit,) if isinstance(act, Declare) else ()
            for said in (cards[::-1], list(cards), [str(card).lower() for card in cards], " ".join(cards)):
                yield type(act)(said, *more)


ODD_ACTS: tuple[Any, ...] = (
    None, "S3", gunzi.Play(None), gunzi.Play(3), gunzi.Play(("S3",) * 4), gunzi.Play([["S3"]]), gunzi.Bury([]),  # type: ignore[arg-type]
    BuryKings("LJ BJ"), BuryKings(()), Declare((), "S"), Declare(("BJ",) * 3, ["S"]), gunzi.Claim("BJ"), gunzi.Pass(),  # type: ignore[arg-type]
)  # fmt: skip


def test_kings_may_be_named_in_any_order() -> None:
    for seed in range(200):
        table = Table(gunzi.load("dalian"), seed=seed, hands=2, rounds=None)
        while not table.over:
            both = (
                [act for act in table.ask if len(set(getattr(act, "kings", ()))) == 2]
                if table.ask.kind == "bury_kings"
                else []
            )
            if both:
                kings = both[0].kings  # type: ignore[union-attr]
                assert BuryKings(kings) in table.ask
                assert BuryKings(kings[::-1]) in table.ask
                return
            table.do(table.ask.seat, table.ask[0])
    raise AssertionError("nobody ever holds both kings")


@pytest.mark.parametrize("kind", KINDS)
def test_hands_tables_and_asks_are_copied_and_pickled(kind: str) -> None:
    table = asked(kind)
    hand, ask = table.hand, table.ask
    before = hand.content()
    for twin in (copy.copy(hand), copy.deepcopy(hand), pickle.loads(pickle.dumps(hand))):
        assert twin == hand
        assert hash(twin) == hash(hand)
        assert twin.ask is not None
        twin.do(ask.seat, twin.ask[0])
        assert hand.content() == before
    for other in (copy.deepcopy(table), pickle.loads(pickle.dumps(table))):
        assert other.events == table.events
        while not other.over:
            other.do(other.ask.seat, other.ask[0])
        gunzi.verify(other.record)
    assert hand.content() == before
    again = pickle.loads(pickle.dumps(ask))
    assert (len(again), again[0], again[len(again) - 1]) == (len(ask), ask[0], ask[len(ask) - 1])


def test_a_copys_question_is_about_the_copy() -> None:
    table = asked("bury_kings")
    twin = table.hand.copy()
    act = table.ask[1]
    assert isinstance(act, BuryKings)
    said = BuryKings(list(act.kings))  # type: ignore[arg-type]
    while not table.over and table.ask.kind != "lead":
        table.do(table.ask.seat, table.ask[len(table.ask) - 1])
    assert twin.ask is not None
    assert said in twin.ask


def test_copies_of_a_hand_are_played_in_threads() -> None:
    hand = asked("bury").hand
    wrong: list[Any] = []

    def play(number: int) -> None:
        dice = random.Random(number)
        for _ in range(300):
            twin = hand.copy()
            ask = twin.ask
            assert ask is not None
            act = ask[dice.randrange(len(ask))]
            twin.do(ask.seat, act)
            if twin.dealer_buried != gunzi.trump_order(hand.level, hand.suit, hand.rules.permanent).cards(
                hand.trump.masks(act.cards)  # type: ignore[union-attr]
            ):
                wrong.append(act)

    interval = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    try:
        threads = [threading.Thread(target=play, args=(number,)) for number in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    finally:
        sys.setswitchinterval(interval)
    assert not wrong


def test_more_choices_than_len_can_say() -> None:
    some = {"deck.hand": 40, "deck.bottom": 2, "tribute.cards": "any", "tribute.return": "any"}
    rules = gunzi.load("base", some)
    most = 0
    for seed in range(20):
        hand = Hand(rules, seeded_deals(rules, seed)(1, 0)[0], dealer=0, owed=Owed(3, 0, 40))
        while (ask := hand.ask) is not None and ask.kind != "lead":
            for k in (0, ask.total // 2, ask.total - 1, -1):
                assert ask[k] in ask
            with pytest.raises(IndexError):
                ask[ask.total]
            assert len(ask) == min(ask.total, sys.maxsize)
            most = max(most, ask.total)
            hand.do(ask.seat, ask[ask.total - 1])
    assert most > sys.maxsize


@pytest.mark.parametrize("limit", [0, -1, 1.5, True, "3", float("inf")])
def test_limits_are_whole_numbers_from_one(limit: Any) -> None:
    rules = gunzi.load("base")
    with pytest.raises(gunzi.GunziError, match="rounds and hands|players"):
        Table(rules, seed=1, hands=limit)
    with pytest.raises(gunzi.GunziError, match="rounds and hands|players"):
        Table(rules, seed=1, rounds=limit)


@pytest.mark.parametrize("players", [5, "abcd", [1] * 4, [None] * 4, {"a": 1, "b": 2, "c": 3, "d": 4}, []])
def test_players_are_four_mappings(players: Any) -> None:
    with pytest.raises(gunzi.GunziError, match="rounds and hands|players"):
        Table(gunzi.load("base"), seed=1, players=players)


def test_an_act_keeps_nothing_of_the_list_it_was_made_of() -> None:
    table = asked("follow")
    cards = [str(card) for card in table.ask[0].cards]  # type: ignore[union-attr]
    table.do(table.ask.seat, gunzi.Play(cards))  # type: ignore[arg-type]
    cards[0] = "BJ"
    gunzi.verify(table.record)
