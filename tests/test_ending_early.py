"""Hands that end early: only where nothing that can still happen changes what they come to."""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import pytest
from conftest import PRESETS, play_out

import gunzi
from gunzi.ask import Ask
from gunzi.ending_early import _come_to, settled_early
from gunzi.hand import Hand
from gunzi.table import Table


def worth(rules: gunzi.RuleSet, act: Any) -> int:
    return sum(rules.points[card.rank - 2] for card in getattr(act, "cards", ()))


def generous(table: Table, dice: random.Random) -> None:
    """Answer once: the dealer buries few points, and everybody plays points while there are any."""
    ask: Ask = table.ask
    some = range(len(ask)) if len(ask) < 40 else sorted(dice.sample(range(len(ask)), 40))
    acts = [ask[place] for place in some]
    pick = min if ask.kind == "bury" else max
    table.do(ask.seat, pick(acts, key=lambda act: worth(table.rules, act)))


def ended(preset: str, seed: int, **options: Any) -> Table | None:
    """A table at the first moment at which its hand may end early, if there is one."""
    rules = gunzi.load(preset, options)
    table = Table(rules, seed=seed, hands=1, rounds=None)
    dice = random.Random(seed)
    while not table.over:
        hand = table.hand
        if hand.phase == "play" and not hand.plays and table.early_end() is not None:
            return table
        generous(table, dice)
    return None


def found() -> Iterator[Table]:
    for preset in ("boke", "chayuan", "dalian"):
        table = ended(preset, 1)
        if table is not None:
            yield table


def test_a_hand_may_end_early_somewhere() -> None:
    assert list(found())


def test_whatever_is_played_after_an_early_end_comes_to_the_same() -> None:
    dice = random.Random(3)
    for table in found():
        settlement = table.early_end()
        assert settlement is not None
        for _ in range(60):
            hand: Hand = table.hand.copy()
            while (ask := hand.waiting) is not None:
                hand.do(ask.seat, ask[dice.randrange(len(ask))])
            assert hand.settlement is not None
            assert _come_to(hand.settlement) == _come_to(settlement)


def test_an_early_end_is_written_verified_resumed_and_seen_by_all() -> None:
    for table in found():
        settlement = table.early_end()
        assert settlement is not None
        table.end_early("所有的分都出来了")
        assert table.over
        early, settle = table.events[-2:]
        assert (early["e"], early["why"], early["by"]) == ("early", "所有的分都出来了", "table.early")
        assert settle["scores"] == list(settlement.scores)
        assert not settle["captured"]
        assert [line["by"] for line in settle["explain"]].count("table.early") == 1
        assert not any(line["by"] == "capture.last_trick" for line in settle["explain"])
        record = gunzi.Record.parse(table.record.text())
        assert gunzi.verify(record).hands == 1
        assert all(any(event["e"] == "early" for event in table.view(seat)) for seat in (0, 1, 2, 3, None))
        again = gunzi.resume(record, hands=2)
        assert again.scores == table.scores
        assert not again.over


def test_an_early_end_does_not_tell_the_hidden_bottom() -> None:
    """Other cards in the hidden bottom and in the hands, the same seen by everybody: the same answer."""
    asked = 0
    for preset in PRESETS:
        table = Table(gunzi.load(preset), seed=1, hands=1, rounds=None)
        dice = random.Random(1)
        while not table.over:
            hand = table.hand
            if hand.phase == "play" and not hand.plays and hand.trick_number % 4 == 0:
                shown = table.sight(0).shown
                if shown.buried is None:
                    asked += 1
                    twin = hand.copy()
                    assert twin.trump is not None
                    out = [card for card in twin.trump.cards((shown.out1, shown.out2, shown.out3)) if not card.is_joker]
                    twin.bottom = tuple(dice.sample(out, len(hand.bottom)))
                    one, other = settled_early(hand, shown), settled_early(twin, shown)
                    assert (one is None) == (other is None)
                    if one is not None and other is not None:
                        assert _come_to(one) == _come_to(other)
            generous(table, dice)
    assert asked


@pytest.mark.parametrize("preset", PRESETS)
def test_while_points_can_fall_to_either_side_a_hand_goes_on(preset: str) -> None:
    table = Table(gunzi.load(preset), seed=2, hands=1, rounds=None)
    dice = random.Random(2)
    while table.hand.trick_number < 2:
        assert table.early_end() is None
        generous(table, dice)
    before = table.record.text()
    with pytest.raises(gunzi.Refused) as refused:
        table.end_early()
    assert refused.value.rule == "table.early"
    assert table.record.text() == before
    play_out(table)
    gunzi.verify(table.record)


def test_in_the_middle_of_a_trick_a_hand_goes_on() -> None:
    table = next(found())
    generous(table, random.Random(0))
    assert table.hand.plays == 1
    assert table.early_end() is None


def test_an_early_end_needs_a_reason_in_words() -> None:
    table = next(found())
    table.end_early()
    record = table.record
    record.events[-2]["why"] = 7
    with pytest.raises(gunzi.RecordError) as error:
        gunzi.verify(record)
    assert error.value.rule == "record.keys"


def test_where_the_last_trick_counts_a_hand_goes_on() -> None:
    """The same moment, but with points at which it counts who wins the last trick."""
    table = next(found())
    hand, shown = table.hand, table.sight(0).shown
    assert shown.buried is None
    assert settled_early(hand, shown) is not None
    near = where_the_last_trick_counts(hand)
    assert settled_early(near, shown) is None


def where_the_last_trick_counts(hand: Hand) -> Hand:
    """The same hand, but the attackers stand just below the points that decide: now the last trick counts."""
    twin = hand.copy()
    for points in range(0, 300, 5):
        twin.attackers_points = points
        if not captured_is_the_same(twin):
            return twin
    raise AssertionError("who wins the last trick never counts")


def captured_is_the_same(hand: Hand) -> bool:
    from gunzi.settling import settle
    from gunzi.values import CAPTURED, HELD, Result

    assert hand.trump is not None and hand.dealer is not None
    held = Result(hand.dealer, hand.levels, hand.attackers_points, HELD, hand.bottom, 0, hand.dry, hand.trump, ())
    return _come_to(settle(hand.rules, held)) == _come_to(settle(hand.rules, replace(held, capture=CAPTURED)))
