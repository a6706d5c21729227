"""The reckoning that a scorekeeper's page takes along: what it says of any hand is what the rules say."""

from __future__ import annotations

import json
import os
import random
import shutil
import subprocess
from collections.abc import Generator, Iterator
from pathlib import Path
from typing import Any, ClassVar

import orjson
import pytest
import strangers

import gunzi
from gunzi import Plugin, Text, hookimpl
from gunzi.apps.web.decisions import Pool, line_json, looked_up
from gunzi.apps.web.reckoning import Reckoning, answer_for
from gunzi.apps.web.rest_score import _reckoning, _score
from gunzi.apps.web.unknowns import Numbers, Unforeseen, explore
from gunzi.cards import CARDS
from gunzi.loading import load, load_text
from gunzi.options import Choice
from gunzi.ruleset import RuleSet
from gunzi.sharecode import encode
from gunzi.values import BottomWorth, LevelUp, Result

Json = dict[str, Any]
CARDS_TEXT = Text("这样", "so")
PRESETS = [preset for preset in gunzi.preset_ids() if preset != "base"]
NODE = shutil.which("node")
READER = Path(__file__).resolve().parent / "web" / "reckon.js"
if NODE is None and os.environ.get("GUNZI_BROWSER") == "required":
    raise RuntimeError("there is no node on this machine")
with_node = pytest.mark.skipif(NODE is None, reason="there is no node on this machine")

HOUSES: dict[str, Json] = {
    "to_ace": {"levels.final": "A", "levels.must_play": ["5", "10", "K"], "levels.must_play_as": "dealer"},
    "reach": {"levels.win": "reach", "levels.kings": {"big": 9, "small": 5}, "scoring.levels": "earned"},
    "players": {"scoring.tribute_for": "player", "rotation.hold": "same", "rotation.takeover": "previous_seat"},
    "blood": {
        "tribute.step": 25,
        "tribute.low_rounding": "down",
        "tribute.high_rounding": "up",
        "capture.multiplier": 8,
    },
    "both": {
        "tribute.kings_when": "both_conditions",
        "endings.shutout": False,
        "dry_pot.side_leg": "no_trump_suit_or_its_2",
    },
    "two_packs": {
        "deck.packs": 2,
        "deck.hand": 25,
        "deck.bottom": 8,
        "levels.threshold": 80,
        "tribute.low": 40,
        "tribute.high": 100,
    },
    "no_bottom": {"deck.packs": 2, "deck.hand": 27, "deck.bottom": 0},
}


# -- numbers that are not known ----------------------------------------------------------------------------------


def test_a_function_of_unknown_numbers_is_found_out_exactly() -> None:
    def told(points: Any, step: Any) -> Json:
        over = max(0, points - 80)
        words = f"{points} points" if points % 10 else "round"
        return {
            "a": {"cards": -(-over // 15) + 2 * step, "words": words, "at": [10, 20, 30][step], "far": abs(points - 60)}
        }

    numbers = Numbers({"points": range(0, 301, 5), "step": (0, 1, 2)})
    pool = Pool(numbers)
    top = pool.add(explore(numbers, lambda run: told(run.unknown("points"), run.unknown("step")), 1000))
    table = {"lines": [line_json(line) for line in numbers.lines], "functions": {}}
    for points in range(0, 301, 5):
        for step in range(3):
            found = looked_up(table, pool.as_json(), top, {"points": points, "step": step})
            assert found == {f"a.{key}": value for key, value in told(points, step)["a"].items()}


def test_what_has_no_bounds_or_too_many_cases_is_not_explored() -> None:
    numbers = Numbers({"n": None, "m": range(100)})
    with pytest.raises(Unforeseen):
        explore(numbers, lambda run: {"a": {"b": run.unknown("n") > 3}}, 100)
    with pytest.raises(Unforeseen):
        explore(numbers, lambda run: {"a": {"b": int(run.unknown("m"))}}, 50)
    assert explore(numbers, lambda run: {"a": {"b": run.unknown("n") + 3}}, 1)


# -- whole rounds ------------------------------------------------------------------------------------------------


def entry_of(dice: random.Random, rules: RuleSet, standing: Json, likely: bool = True, odd: bool = True) -> Json:
    """A hand as somebody at this table might type it in; now and then one that cannot be."""
    deck = [card for card in CARDS for _ in range(rules.deck.copies[card.kind])]
    kings = [card for card in deck if card.is_joker]
    bottom = dice.sample(deck, rules.deck.bottom)
    if dice.random() < 0.5 and bottom:
        rest = [card for card in deck if not card.is_joker]
        buried = dice.sample(kings, dice.randint(1, min(len(kings), len(bottom))))
        bottom = buried + dice.sample(rest, len(bottom) - len(buried))
    most = sum(rules.points[card.rank - 2] for card in deck) - sum(rules.points[card.rank - 2] for card in bottom)
    points = dice.choice(
        (0, most, 5 * dice.randint(0, most // 5), 5 * dice.randint(0, most // 10), 5 * dice.randint(10, 32))
    )
    entry: Json = {
        "trump": dice.choice("SHCD"),
        "points": str(min(points, most)),
        "captured": dice.choice(("yes", "no")),
        "bottom": dice.choice((",", " ", "、")).join(card.sign if dice.random() < 0.3 else card for card in bottom),
        "dry": "yes" if dice.random() < 0.1 else "no",
    }
    if standing["dealer"] is None:
        entry["dealer"] = str(dice.randrange(4))
    elif odd and dice.random() < 0.05:
        entry["dealer"] = f"{dice.randrange(4)}!"
    owed = standing["owed"]
    if owed and dice.random() < 0.5:
        one, other = owed["from"], owed["to"]
        entry["tribute"] = dice.choice(
            (f"{other}>{one}:{owed['count']}", "no", str(owed["count"] + 1), f"{one}>{other}:1")
        )
    elif odd and not owed and dice.random() < 0.05:
        entry["tribute"] = "0>3:2!"
    if entry["captured"] == "yes" and dice.random() < 0.9:
        entry["last"] = " ".join([dice.choice(CARDS)] * dice.randint(1, 3))
    if not likely:
        key = dice.choice(list(entry))
        entry[key] = dice.choice(
            ("", "7", "-5", "1000", "X9", "BJ*3 LJ*3 BJ", "红桃K", "no", "5>1:2", "0>1:9", "2", "S")
        )
    return entry


def sheet_of(rules: RuleSet, hands: list[Json]) -> Json:
    found: Json = orjson.loads(orjson.dumps(_score({"rules": encode(rules)}, hands, ())))
    return found


def evening(rules: RuleSet, dice: random.Random, steps: int, odd: bool = True) -> list[list[Json]]:
    """A sheet as people make it: hands entered, taken back, entered otherwise, and earlier ones corrected; after each step.
    ``odd``: now and then somebody deals, or pays, who should not have."""
    told: list[Json] = []
    before: list[list[Json]] = []
    sheets: list[list[Json]] = []
    sheet = sheet_of(rules, told)
    for _ in range(steps):
        doing = dice.random()
        if doing < 0.1 and before:
            told = before.pop()
        else:
            before.append(told)
            if doing < 0.2 and told:
                place = dice.randrange(len(told))
                row = sheet["rows"][place]
                was = {"dealer": None if row["hand"] == 1 else row["dealer"], "owed": None}
                told = [*told[:place], entry_of(dice, rules, was, odd=odd), *told[place + 1 :]]
            else:
                told = [*told, entry_of(dice, rules, sheet["standing"], likely=dice.random() < 0.85, odd=odd)]
        sheets.append(told)
        sheet = sheet_of(rules, told)
        if sheet["wrong"]:
            told = before.pop()
            sheet = sheet_of(rules, told)
    return sheets


def as_the_page(sheet: Json) -> Json:
    """What a sheet says, without what either side puts into its own words: refusals and remarks."""
    found = {key: value for key, value in sheet.items() if key not in ("wrong", "rows", "rules")}
    rows = [{**row, "remarks": len(row["remarks"])} for row in sheet["rows"]]
    wrong = sheet["wrong"] and {key: sheet["wrong"][key] for key in ("hand", "key")}
    return {**found, "rows": rows, "wrong": wrong, "rules": sheet["rules"]["hash"]}


def by_the_page(table: Json, sheets: list[list[Json]]) -> list[Json]:
    """What the page's own module makes of the same sheets, without a server."""
    assert NODE is not None
    asked = json.dumps({"table": table, "sheets": sheets})
    found = subprocess.run([NODE, str(READER)], input=asked, capture_output=True, text=True, timeout=300, check=False)
    assert found.returncode == 0, found.stderr
    answer: list[Json] = json.loads(found.stdout)
    return answer


def compare(rules: RuleSet, seed: str, evenings: int) -> None:
    dice = random.Random(seed)
    table = orjson.loads(orjson.dumps(Reckoning(rules).as_json()))
    sheets = [sheet for _ in range(evenings) for sheet in evening(rules, dice, 30, odd=not table["parties"])]
    ended = refused = 0
    for told, found in zip(sheets, by_the_page(table, sheets), strict=True):
        expected = sheet_of(rules, told)
        assert as_the_page(found) == as_the_page(expected), told
        refused += expected["wrong"] is not None
        ended += expected["rounds_won"] != [0, 0]
    assert ended > 1 and refused > 1


@with_node
@pytest.mark.parametrize("preset", PRESETS)
def test_the_page_reckons_whole_rounds_as_the_rules_do(preset: str) -> None:
    compare(load(preset), preset, 12)


@with_node
@pytest.mark.parametrize("house", HOUSES)
def test_so_it_does_by_any_house_rules(house: str) -> None:
    compare(load("dalian", HOUSES[house]), house, 4)


@pytest.mark.parametrize("preset", PRESETS)
def test_a_reckoning_is_small_and_always_the_same(preset: str) -> None:
    data = orjson.dumps(Reckoning(load(preset)).as_json())
    assert len(data) <= 200_000
    assert data == orjson.dumps(Reckoning(load(preset)).as_json())


# -- strangers' rules --------------------------------------------------------------------------------------------


class ByTheLast(Plugin):
    """A capture counts by the size of the play that won it, the score carries levels where a king of spades lies in the bottom."""

    id = "by-the-last"
    version = "1"
    name = Text("看最后一手", "By the last play")
    replaces = ("gunzi.plugins.capture",)

    @hookimpl
    def bottom_worth(self, result: Result) -> BottomWorth:
        return BottomWorth(result.bottom_points * 2 ** min(3, len(result.last_play)), "capture.multiplier")

    @hookimpl(wrapper=True)
    def level_up(self, result: Result) -> Generator[None, LevelUp | None, LevelUp | None]:
        found = yield
        if found is None:
            return None
        more = result.attackers_points // 100 if "SK" in result.bottom else 0
        return LevelUp(found.side, found.earned + more)


class Odd(Plugin):
    """What a capture counts, asked of a result in a way that only the cards themselves answer."""

    id = "odd"
    version = "1"
    name = Text("怪规矩", "Odd")
    replaces = ("gunzi.plugins.capture",)
    options = (
        Choice(
            "capture.odd",
            Text("怎么怪", "How"),
            Text("怎么怪", "How"),
            {"cards": CARDS_TEXT, "trump": CARDS_TEXT, "print": CARDS_TEXT},
        ),
    )
    defaults: ClassVar = {"capture.odd": "cards"}

    @hookimpl
    def bottom_worth(self, result: Result) -> BottomWorth:
        how = self.option("capture.odd")
        if how == "cards":
            return BottomWorth(5 * sum(card.rank == 5 for card in result.bottom))
        if how == "trump":
            return BottomWorth(result.bottom_points * (2 if result.trump.suit == "S" else 3))
        return BottomWorth(result.bottom_points * (3 if str(result.trick_points).isdigit() else 2))


@pytest.fixture
def installed(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    strangers.install(monkeypatch, ByTheLast, Odd)
    yield
    strangers.uninstall(monkeypatch)


def stranger(id: str, more: str = "") -> RuleSet:
    return load_text(f"gunzi: 1\nid: s\nextends: yuwang\nplugins: [{id}]\n{more}", "s.yaml")


@with_node
@pytest.mark.usefixtures("installed")
def test_a_strangers_rules_are_reckoned_as_they_are() -> None:
    rules = stranger("by-the-last")
    compare(rules, "stranger", 3)


@pytest.mark.usefixtures("installed")
@pytest.mark.parametrize("how", ["cards", "trump", "print"])
def test_rules_that_ask_for_more_than_a_tree_can_say_have_no_reckoning(how: str) -> None:
    with pytest.raises(Unforeseen):
        Reckoning(stranger("odd", f"capture: {{odd: {how}}}\n"))


@pytest.mark.usefixtures("installed")
def test_the_server_says_which_rules_have_none() -> None:
    found = answer_for(stranger("odd", "capture: {odd: trump}\n"))
    assert found["reckoning"] is None and "trump" in found["why"]


def test_a_reckoning_is_made_once_by_a_process_of_its_own() -> None:
    rules = load("yuwang", {"titles": [[0, "=8"], [5, "\ue0003\ue001"]]})
    assert _reckoning(rules) == orjson.dumps(answer_for(rules))
    assert _reckoning(rules) is _reckoning(rules)


@pytest.mark.usefixtures("installed")
def test_rules_that_another_process_does_not_find_have_no_reckoning() -> None:
    found = orjson.loads(_reckoning(stranger("by-the-last")))
    assert found["reckoning"] is None and found["why"] == "CalledProcessError"
