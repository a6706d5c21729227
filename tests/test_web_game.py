"""A game behind a web table: its journal brings it back at any moment, and each seat is told its view and nothing else."""

from __future__ import annotations

import random
from typing import Any

import orjson
import pytest

from gunzi.acts import PASS
from gunzi.apps.players import four_dice, player
from gunzi.apps.web.beginning import new_game, resumed
from gunzi.apps.web.game import BETWEEN, DEAL, Game, Question
from gunzi.apps.web.table_settings import defaults
from gunzi.apps.web.wire import act_of, wire_of
from gunzi.loading import from_header, load, preset_ids
from gunzi.record import Record
from gunzi.ruleset import RuleSet
from gunzi.table import seeded_deals
from gunzi.verifying import verify
from gunzi.views import view

PLAYERS = [{"name": name, "kind": "human"} for name in "甲乙丙丁"]
RANDOM = player("random")


class Played:
    """A game played by four random seats, claiming and declaring now and then, with all that they are told."""

    def __init__(self, rules: RuleSet, seed: int, hands: int, regrets: bool = False) -> None:
        self.regrets, self.taken_back = regrets, 0
        self.settings = {**defaults(), "rounds": 0, "hands": hands}
        self.deals = seeded_deals(rules, seed)
        self.chance = random.Random(seed)
        self.dice = four_dice(seed)
        self.game = new_game(rules, 1, PLAYERS, "t", self.settings, self.deals)
        self.header: dict[str, Any] = self.game.table.header
        self.rows = [orjson.loads(row) for row in self.game.begin()]
        self.seen: list[list[dict[str, Any]]] = [[] for _ in range(5)]
        self.hear()

    def hear(self) -> None:
        for seen, more in zip(self.seen, self.game.told(), strict=True):
            seen += more

    def step(self) -> Question | None:
        game = self.game
        found = game.question()
        if found is None:
            return None
        if found.kind == BETWEEN:
            rows = game.go_on()
        elif found.kind == DEAL:
            rows = self.deal()
        else:
            assert found.seat is not None
            rows = self.answer(found, found.seat)
            if self.regrets and self.chance.random() < 0.1 and (last := game.may_take_back()) is not None:
                self.rows += [orjson.loads(row) for row in rows]
                self.hear()
                rows = game.take_back(self.rows, [last[0]])
                self.taken_back += 1
        self.rows += [orjson.loads(row) for row in rows]
        self.hear()
        return found

    def deal(self) -> list[bytes]:
        game, hand = self.game, self.game.table.hand
        for seat in self.chance.sample(range(4), 4):
            offer = game.offer(seat)
            if offer is not None and self.chance.random() < 0.2:
                return game.do(seat, offer.acts[self.chance.randrange(1, len(offer.acts))])
        return game.close_deal() if game.closing else game.deal() if hand.dealt < 156 else []

    def answer(self, found: Question, seat: int) -> list[bytes]:
        if found.ask is None:
            return self.game.do(seat, PASS)
        act = found.ask[self.chance.randrange(len(found.ask))]
        sent = wire_of(act, found.ask)
        return self.game.do(seat, act_of(orjson.loads(orjson.dumps(sent)), found.ask))

    @property
    def record(self) -> Record:
        return Record(self.header, [row for row in self.rows if "n" in row])


def same(one: Game, other: Game) -> None:
    assert one.table.over == other.table.over
    assert one.table.hand == other.table.hand
    assert (one.asked_for_kings, one.sheet, one.rows) == (other.asked_for_kings, other.sheet, other.rows)
    assert one.table.between == other.table.between
    for seat in (0, 1, 2, 3, None):
        assert one.view(seat) == other.view(seat)
        assert one.ask_json(seat, one.question()) == other.ask_json(seat, other.question())
    assert one.score() == other.score() and one.lanes() == other.lanes() and one.naming == other.naming


@pytest.mark.parametrize("shapes", ["loose", "strict"])
@pytest.mark.parametrize("preset", preset_ids())
def test_what_seats_are_told_is_the_view_of_the_core_and_the_record_holds(preset: str, shapes: str) -> None:
    played = Played(load(preset, {"follow.shapes": shapes}), seed=len(preset), hands=2)
    while played.step() is not None:
        pass
    verified = verify(played.record)
    assert verified.hands == 2
    rules = from_header(played.header)
    for seat, seen in enumerate(played.seen):
        assert seen == view(rules, played.record.events, seat if seat < 4 else None)


@pytest.mark.parametrize("seed", range(3))
def test_a_game_resumes_from_its_journal_at_any_moment(seed: int) -> None:
    rules = load("yuwang")
    played = Played(rules, seed, hands=2)
    while played.step() is not None:
        if played.chance.random() < 0.12:
            found = resumed(played.header, 1, played.rows, played.settings, played.deals)
            same(found, played.game)
            assert found.table.log is not None and played.game.table.log is not None
            assert found.table.log.n == played.game.table.log.n
            played.game = found
    verify(played.record)


def test_nothing_is_asked_or_told_that_depends_on_who_holds_kings() -> None:
    rules = load("yuwang")
    asked = []
    for seed in range(6):
        played = Played(rules, seed, hands=1)
        order: list[int] = []
        while (found := played.step()) is not None:
            if found.kind == "bury_kings":
                assert found.seat is not None
                order.append(found.seat)
        hand = played.game.table.hand
        if not hand.dry and order:
            assert hand.dealer is not None
            assert order == [(hand.dealer + place) % 4 for place in (1, 2, 3)]
            asked.append(seed)
    assert asked


@pytest.mark.parametrize("seed", range(2))
def test_acts_that_are_taken_back_leave_a_sound_record_and_a_game_that_resumes(seed: int) -> None:
    rules = load("dalian")
    played = Played(rules, seed, hands=1, regrets=True)
    while played.step() is not None:
        if played.chance.random() < 0.1:
            same(resumed(played.header, 1, played.rows, played.settings, played.deals), played.game)
    assert played.taken_back > 3
    assert sum(event["e"] == "undo" for event in played.record.events) == played.taken_back
    verify(played.record)
    for seat, seen in enumerate(played.seen):
        assert seen == view(rules, played.record.events, seat if seat < 4 else None)


def test_a_hand_ends_early_where_nothing_can_change() -> None:
    rules = load("dalian")
    played = Played(rules, 1, hands=1)
    game = played.game
    while (found := game.question()) is not None:
        if found.kind == "lead":
            game.sight(0)
            if game.table.early_end() is not None:
                played.rows += [orjson.loads(row) for row in game.end_early()]
                played.hear()
                break
        if found.ask is None or found.ask.kind == "bury_kings":
            played.step()
            continue
        some = range(len(found.ask)) if len(found.ask) < 40 else sorted(played.chance.sample(range(len(found.ask)), 40))
        acts = [found.ask[place] for place in some]
        pick = min if found.ask.kind == "bury" else max
        act = pick(acts, key=lambda act: sum(rules.points[card.rank - 2] for card in getattr(act, "cards", ())))
        assert found.seat is not None
        played.rows += [orjson.loads(row) for row in game.do(found.seat, act)]
        played.hear()
    assert [event["e"] for event in played.record.events[-2:]] == ["early", "settle"] and game.table.over
    assert verify(played.record).hands == 1
    for seat, seen in enumerate(played.seen):
        assert seen == view(rules, played.record.events, seat if seat < 4 else None)
    same(resumed(played.header, 1, played.rows, played.settings, played.deals), game)
