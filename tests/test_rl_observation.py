"""What an agent observes: what its seat may see, all of it, and nothing else."""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest
from conftest import PRESETS
from rl_harness import played

import gunzi
from gunzi import masks
from gunzi.apps import rl
from gunzi.apps.rl.environment import raw_env
from gunzi.apps.rl.observation import FIELDS, SIZE, SLICES
from gunzi.trump import Masks


def part(observation: dict[str, Any], name: str) -> list[int]:
    return [int(value) for value in observation["observation"][SLICES[name]]]


def dealt_anew(hand: gunzi.Hand, seat: int, knows_bottom: bool, dice: random.Random) -> None:
    """Deal the cards that a seat cannot see to the others anew."""
    trump = hand.trump
    if trump is None:
        raise AssertionError("only once trump is known")
    others = [other for other in range(4) if other != seat]
    cards = [card for other in others for card in trump.cards(hand.holdings[other])]
    if not knows_bottom:
        cards += hand.bottom
    dice.shuffle(cards)
    for other in others:
        count = masks.size(*hand.holdings[other])
        hand.holdings[other] = trump.masks(cards[:count])
        cards = cards[count:]
    if not knows_bottom:
        hand.bottom = tuple(cards)


def swapped_deck(hand: gunzi.Hand, seat: int, seen: int, dice: random.Random) -> tuple[gunzi.Card, ...]:
    """The deck with everything shuffled that a seat has not been dealt yet, or never is."""
    place = (seat - hand.first) % 4
    free = [at for at in range(len(hand.deck)) if at >= seen or at % 4 != place]
    mixed = free[:]
    dice.shuffle(mixed)
    deck = list(hand.deck)
    for at, other in zip(free, mixed, strict=True):
        deck[at] = hand.deck[other]
    return tuple(deck)


@pytest.mark.parametrize("preset", PRESETS)
def test_other_hidden_cards_leave_an_observation_as_it_is(preset: str) -> None:
    game = rl.env(preset)
    raw: raw_env = game.unwrapped
    dice = random.Random(8)
    compared = {True: 0, False: 0}
    for seed in (1, 2):
        for _ in played(game, seed, dice=seed):
            table = raw.table
            assert table is not None
            hand = table.hand
            for agent, seat in zip(raw.possible_agents, range(4), strict=True):
                before = raw.observe(agent)
                kept = (list(hand.holdings), hand.bottom, hand.deck)
                if hand.trump is None:
                    hand.deck = swapped_deck(hand, seat, sum(part(before, "dealt")), dice)
                else:
                    known = bool(part(before, "bottom_known")[0]) or (seat == hand.dealer and bool(hand.dealer_buried))
                    dealt_anew(hand, seat, known, dice)
                after = raw.observe(agent)
                hand.holdings[:], hand.bottom, hand.deck = kept[0], kept[1], kept[2]
                assert np.array_equal(before["observation"], after["observation"])
                assert np.array_equal(before["action_mask"], after["action_mask"])
                compared[hand.trump is None] += 1
    assert compared[False] > 500 and compared[True] > 0


def test_the_cards_a_seat_holds_are_in_its_observation() -> None:
    game = rl.env("yuwang")
    raw: raw_env = game.unwrapped
    looked = 0
    for agent in played(game, 4, dice=1):
        assert raw.table is not None
        hand = raw.table.hand
        if hand.trump is None or raw.table.over:
            continue
        seat = int(agent[-1])
        seen = raw.observe(agent)
        assert part(seen, "own") == counts(hand.trump, hand.holdings[seat])
        held: list[int] = [sum(part(seen, name)) for name in ("own", "unseen", "buried")]
        out = sum(part(seen, "played")) + (
            sum(part(seen, "bottom")) if part(seen, "bottom_known")[0] and hand.play_rules else 0
        )
        if hand.play_rules is not None:
            assert sum(held) + out == 162 or (seat == hand.dealer and part(seen, "bottom_known")[0])
            looked += 1
    assert looked > 100


def counts(trump: gunzi.Trump, holding: Masks) -> list[int]:
    found = [0] * 54
    for card in trump.cards(holding):
        found[card.kind] += 1
    return found


def played_rounds(game: Any, raw: raw_env) -> Iterator[str]:
    """The beginnings of three rounds."""
    for seed in (3, 4, 5):
        yield from played(game, seed, dice=seed, until=lambda: raw.table is not None and raw.table.hand_number > 2)


@pytest.mark.parametrize("preset", ("baike", "yuwang"))
def test_during_the_deal_a_seat_knows_the_cards_its_view_shows(preset: str) -> None:
    game = rl.env(preset, unit="round", render_mode="ansi")
    raw: raw_env = game.unwrapped
    looked = 0
    for _ in played_rounds(game, raw):
        table = raw.table
        assert table is not None
        if table.hand.phase != "deal":
            continue
        for agent, seat in zip(raw.possible_agents, range(4), strict=True):
            view = table.view(seat)
            start = max(place for place, event in enumerate(view) if event["e"] == "hand")
            shown = [0] * 54
            for event in view[start:]:
                if event["e"] == "deal":
                    shown[gunzi.parse_card(event["card"]).kind] += 1
            assert part(raw.observe(agent), "own") == shown
            looked += 1
    assert looked > 20


def test_plays_tribute_and_picks_are_told_as_they_were() -> None:
    game = rl.env("dalian", unit="round", render_mode="ansi")
    raw: raw_env = game.unwrapped
    moved = tricks = 0
    for agent in played(game, 11, dice=5, until=lambda: raw.table is not None and raw.table.hand_number > 4):
        table = raw.table
        assert table is not None
        view = table.view(int(agent[-1]))
        start = max(place for place, event in enumerate(view) if event["e"] == "hand")
        told = {name: np.zeros((4, 54), int) for name in ("played", "trick")}
        tribute = {"gave": [0] * 54, "got": [0] * 54}
        me = int(agent[-1])
        plays = 0
        for event in view[start:]:
            if event["e"] == "play":
                if plays % 4 == 0:
                    told["trick"][:] = 0
                plays += 1
                for card in event["cards"]:
                    for name in told:
                        told[name][(event["seat"] - me) % 4, gunzi.parse_card(card).kind] += 1
                if plays % 4 == 0:
                    told["trick"][:] = 0
            elif event["e"] in ("tribute", "return") and "cards" in event:
                for card in event["cards"]:
                    tribute["gave" if event["from"] == me else "got"][gunzi.parse_card(card).kind] += 1
        seen = raw.observe(agent)
        for name, found in told.items():
            assert part(seen, name) == found.reshape(-1).tolist()
        for name, cards in tribute.items():
            assert part(seen, name) == cards
            moved += sum(cards)
        tricks += sum(part(seen, "trick"))
    assert moved and tricks


def test_the_parts_of_an_observation_lie_side_by_side() -> None:
    ends = [SLICES[each.name].stop for each in FIELDS]
    assert [SLICES[each.name].start for each in FIELDS] == [0, *ends[:-1]] and ends[-1] == SIZE
    space = rl.env("yuwang").observation_space("player_0")
    assert space["observation"].shape == (SIZE,) and space["action_mask"].shape == (rl.ACTIONS,)
    assert all(each.meaning and each.high > 0 for each in FIELDS)
