"""Picks for the environment: every allowed act is picked in one way, and every allowed pick leads to an allowed act."""

from __future__ import annotations

import copy
import random
from collections.abc import Iterator
from itertools import islice
from typing import Any

import pytest
from conftest import PRESETS, steps

import gunzi
from gunzi import masks
from gunzi.acts import PASS, Act
from gunzi.apps.rl import picks
from gunzi.ask import Ask, CardsAsk, ListAsk, PlayAsk
from gunzi.choices import Choices
from gunzi.table import Table
from gunzi.trump import LANE_AT, SIDE_LANES, TRUMP_LANE, Trump, trump_order

HARD = {"follow.shapes": "strict"}
OTHER_RULES: tuple[dict[str, Any], ...] = (
    {},
    HARD,
    {**HARD, "follow.triple_against_pair": "must_split"},
    {**HARD, "follow.triple_against_pair": "exempt"},
    {"deck.packs": 2, "deck.hand": 24, "deck.bottom": 12, "bury_kings.pick_kings": True, "trump.permanent": [2, 7]},
)


def every_act(picker: picks.Picker) -> Iterator[Act]:
    """All acts that the allowed picks lead to; fails where a pick leads nowhere."""
    allowed = list(picker.allowed())
    assert allowed and len(set(allowed)) == len(allowed)
    for action in allowed:
        next_picker = copy.copy(picker)
        next_picker.pick(action)
        if next_picker.act is None:
            yield from every_act(next_picker)
        else:
            yield next_picker.act


def act_by(picker: picks.Picker, sequence: tuple[int, ...]) -> Act | None:
    for action in sequence:
        assert picker.act is None and action in picker.allowed()
        picker.pick(action)
    if picker.act is None:
        assert picks.PASS in picker.allowed()
        picker.pick(picks.PASS)
    return picker.act


def check_all(ask: Ask, trump: Trump | None) -> None:
    found = list(every_act(picks.picker_of(ask, trump)))
    assert len(found) == ask.total
    assert {str(act) for act in found} == {str(act) for act in ask}
    for act in islice(ask, 20):
        sequence = picks.sequence_of(act, trump)
        assert sequence is not None and act_by(picks.picker_of(ask, trump), sequence) == act


def check_some(ask: Ask, trump: Trump | None, dice: random.Random) -> None:
    for _ in range(3):
        act = ask[dice.randrange(len(ask))]
        sequence = picks.sequence_of(act, trump)
        assert sequence is not None and act_by(picks.picker_of(ask, trump), sequence) == act
        picker = picks.picker_of(ask, trump)
        while picker.act is None:
            left = picker.wanted
            action = dice.choice(sorted(picker.allowed()))
            picker.pick(action)
            if picker.act is None:
                assert picker.wanted == left - (action % 3 + 1)
        assert picker.act in ask


@pytest.mark.parametrize("options", OTHER_RULES, ids=range(len(OTHER_RULES)))
def test_picks_and_acts_are_one_to_one_at_every_question_of_a_table(options: dict[str, Any]) -> None:
    dice = random.Random(5)
    looked: dict[tuple[str, bool], int] = {}
    table = Table(gunzi.load("yuwang", options), seed=4, rounds=None, hands=7, record=False)
    for _ in steps(table, dice=2):
        ask = table.ask
        small = ask.total <= 150
        at = (ask.kind, small)
        looked[at] = looked.get(at, 0) + 1
        if looked[at] > 40:
            continue
        if small:
            check_all(ask, table.hand.trump)
        else:
            check_some(ask, table.hand.trump, dice)
    kinds = {kind for kind, _ in looked}
    assert {"bury", "bury_kings", "claim", "declare", "follow", "lead", "pay", "pick", "return"} <= kinds
    assert ("bury", False) in looked


@pytest.mark.parametrize("preset", PRESETS)
def test_an_ask_counts_what_the_blocks_of_its_picks_hold(preset: str) -> None:
    rules = gunzi.load(preset, HARD)
    table = Table(rules, seed=9, rounds=None, hands=2, record=False)
    looked = 0
    for _ in steps(table, dice=1):
        ask = table.ask
        if isinstance(ask, PlayAsk) and ask.lead is not None:
            follow = rules.play_rules(ask.trump)[1]
            blocks = picks.follow_blocks(*ask.holding, ask.lane, ask.n, follow.strict, follow.split)
            assert Choices(blocks).total == ask.total
            looked += 1
    assert looked > 150


@pytest.mark.parametrize("strict", (0, 1))
@pytest.mark.parametrize("split", (masks.MAY_KEEP, masks.MUST_SPLIT, masks.EXEMPT))
def test_blocks_of_follows_are_the_plays_that_follow(strict: int, split: int) -> None:
    dice = random.Random(strict * 3 + split)
    trump = trump_order(5, "C")
    places = [bit for bit in range(60) if trump.kind_at[bit] >= 0]
    for _ in range(250):
        few = dice.sample(places, dice.randint(1, 6))
        near = [bit for bit in places if LANE_AT[bit] == LANE_AT[few[0]]][: dice.randint(0, 4)]
        holding = (0, 0, 0)
        for bit in {*few, *near}:
            for _ in range(dice.choice((1, 1, 2, 3, 3))):
                holding = masks.add(*holding, 1 << bit, 0, 0)
        n = dice.randint(1, 3)
        if masks.size(*holding) < n:
            continue
        lane = dice.choice((LANE_AT[few[0]], LANE_AT[few[0]], TRUMP_LANE, SIDE_LANES[0]))
        total = masks.follow_count(*holding, lane, n, strict, split)
        wanted = {masks.follow_kth(*holding, lane, n, strict, split, k) for k in range(total)}
        choices = Choices(picks.follow_blocks(*holding, lane, n, strict, split))
        found = [choices.kth(k) for k in range(choices.total)]
        assert len(found) == len(set(found)) and set(found) == wanted


def test_an_action_is_a_kind_and_a_count() -> None:
    assert picks.ACTIONS == 167
    assert [picks.picked_by(picks.action_of(card, count)) for card in gunzi.CARDS for count in (1, 2, 3)] == [
        (card, count) for card in gunzi.CARDS for count in (1, 2, 3)
    ]
    assert picks.picked_by(picks.PASS) is None and picks.picked_by(picks.SUIT) is None


def test_three_jokers_name_a_suit_and_level_cards_do_not() -> None:
    rules = gunzi.load("baike")
    jokers = [gunzi.Declare((gunzi.parse_card("LJ"),) * 3, suit) for suit in "SHCD"]
    ones = [gunzi.Declare((gunzi.parse_card("H5"),) * count, "H") for count in (1, 2)]
    ask = ListAsk(rules, 0, "declare", (PASS, *ones, *jokers))
    picker = picks.picker_of(ask, None)
    five, three = gunzi.parse_card("H5"), picks.action_of(gunzi.parse_card("LJ"), 3)
    assert set(picker.allowed()) == {picks.PASS, picks.action_of(five), picks.action_of(five, 2), three}
    picker.pick(three)
    assert picker.act is None and set(picker.allowed()) == set(range(picks.SUIT, picks.SUIT + 4))
    picker.pick(picks.SUIT + 2)
    assert picker.act == jokers[2]


def test_some_kings_and_no_more_are_ended_by_passing() -> None:
    kings = [gunzi.BuryKings(gunzi.parse_cards(cards)) for cards in ("LJ", "BJ", "BJ LJ")]
    ask = ListAsk(gunzi.load("dalian"), 1, "bury_kings", (PASS, *kings))
    trump = trump_order(3, "S")
    check_all(ask, trump)
    picker = picks.picker_of(ask, trump)
    picker.pick(picks.action_of(gunzi.parse_card("LJ")))
    assert picker.act is None and set(picker.allowed()) == {picks.PASS, picks.action_of(gunzi.parse_card("BJ"))}


class Wink(gunzi.Pass):
    """What a plugin might let a seat do: no choice of cards."""

    __slots__ = ("at",)

    def __init__(self, at: int) -> None:
        object.__setattr__(self, "at", at)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Wink) and other.at == self.at

    def __hash__(self) -> int:
        return hash(self.at)


class ManyAsk(Ask):
    """A plugin's question with many answers of its own kind."""

    def kth(self, k: int) -> Any:
        return ("answer", k)

    def refusal(self, act: object) -> None:
        return None


@pytest.mark.parametrize("total", (1, 5, 162, 163, 5000, 162 * 162, 162**3 - 7))
def test_what_is_no_choice_of_cards_is_answered_by_number(total: int) -> None:
    ask = ManyAsk(gunzi.load("dalian"), 2, "wink", total)
    dice = random.Random(total)
    assert picks.picker_of(ask, None).numbered
    for _ in range(50):
        picker = picks.picker_of(ask, None)
        while picker.act is None:
            allowed = list(picker.allowed())
            assert allowed == list(range(len(allowed))) and len(allowed) <= picks.BASE
            picker.pick(dice.choice(allowed))
        assert 0 <= picker.act[1] < total
    if total <= 5000:
        assert sorted(act[1] for act in every_act(picks.picker_of(ask, None))) == list(range(total))
    for k in (0, total - 1, total // 2):
        digits = []
        rest = k
        while len(digits) == 0 or picks.BASE ** len(digits) < total:
            rest, digit = divmod(rest, picks.BASE)
            digits.append(digit)
        assert act_by(picks.picker_of(ask, None), tuple(reversed(digits))) == ("answer", k)


def test_cards_asks_of_one_block_and_of_several() -> None:
    # Kings make a block for each allowed split: two ways to begin, one act each.
    rules = gunzi.load("dalian")
    table = Table(rules, seed=2, rounds=None, hands=6, record=False)
    blocks = []
    for _ in steps(table, dice=7):
        if isinstance(table.ask, CardsAsk) and table.ask.kind == "bury":
            blocks.append(len(table.ask.choices.blocks))
    assert max(blocks) > 1
