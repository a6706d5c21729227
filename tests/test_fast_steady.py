"""``steady`` compiled is the player itself: event by event, in whatever company, under every rule it looks at."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

import gunzi
from gunzi.apps import lab
from gunzi.apps.lab import fast
from gunzi.apps.players import parse_policy, play_table, player
from gunzi.table import Table

pytest.importorskip("numba")

from test_fast import run_plainly

from gunzi.apps.lab.fast import caching, dealing, events, moving, steady, tricks
from gunzi.apps.lab.fast import layout as at
from gunzi.apps.lab.fast.names import PLAYERS
from gunzi.apps.lab.fast.running import Block, Engine, unit_of
from gunzi.apps.lab.fast.simulating import engine_for

pytestmark = pytest.mark.usefixtures("kept_code")

STEADY = ("steady",) * 4
RULES = gunzi.load("yuwang")
SEED = 11
EXEMPT = {"follow.shapes": "strict", "follow.triple_against_pair": "exempt"}
MUST_SPLIT = {"follow.shapes": "strict", "follow.triple_against_pair": "must_split"}
LOOKED_AT: tuple[dict[str, Any], ...] = (
    {**EXEMPT, "deck.packs": 2, "deck.hand": 25, "deck.bottom": 8},
    {"deck.packs": 1, "deck.hand": 12, "deck.bottom": 6},
    {**MUST_SPLIT, "deck.hand": 38, "deck.bottom": 10},
    {"deck.hand": 40, "deck.bottom": 2},
    {**EXEMPT, "trump.permanent": []},
    {"trump.permanent": [2, 14]},
    {**MUST_SPLIT, "tribute.return": "any", "tribute.cards": "any"},
    {"bury_kings.pick_kings": True, "bury_kings.blocked_by": "any_point"},
    {**EXEMPT, "declare.jokers_may_open": True, "dry_pot.side_leg": "never"},
    {"points": {"A": 20, "5": 5, "2": 10}},
    {**MUST_SPLIT, "points": {}},
    {"dry_pot.hidden_bottom": "possible", "tribute.step": 5},
    {"phases": ["deal", "reveal", "tribute", "bottom", "play", "settle"]},
    {**EXEMPT, "first_dealer.claim": "automatic", "levels.start": 10, "levels.final": 14, "levels.must_play": []},
)
"""Options that change what ``steady`` is asked, what it holds or what it sees."""


def interpreted(rules: gunzi.RuleSet, policy: tuple[str, ...], hands: int) -> list[tuple[list[int], str]]:
    """The events of a table as numbers."""
    table = Table(rules, seed=SEED, rounds=None, hands=hands)
    play_table(table, [player(name) for name in policy], SEED)
    return list(events.as_numbers(rules, table.events))


def one_table(engine: Engine, hands: int) -> Block:
    """The same table compiled."""
    units = at.numbers(1, at.UNIT_FIELDS)
    units[0] = unit_of(SEED, (engine.rules.start_level,) * 2)
    return engine.block(units, hands=hands)


def compiled(rules: gunzi.RuleSet, policy: tuple[str, ...], hands: int) -> list[tuple[list[int], str]]:
    """Its events as numbers."""
    engine = engine_for(rules, policy)
    log = one_table(engine, hands).log
    return [
        (events.numbers_at(log, place), engine.names.rules[int(log.events[place, 1])])
        for place in range(int(log.cursor[at.EVENT_COUNT]))
    ]


def test_five_hundred_hands_are_the_same_number_by_number(rules: gunzi.RuleSet) -> None:
    assert compiled(rules, STEADY, 500) == interpreted(rules, STEADY, 500)


@pytest.mark.parametrize(
    "policy", ["steady,random,steady,random", "random,steady,steady,random", "random,random,random,steady"]
)
def test_it_may_sit_at_one_table_with_random(policy: str) -> None:
    names = parse_policy(policy)
    for mode in ("loose", "strict"):
        rules = gunzi.load("chayuan", {"follow.shapes": mode})
        assert compiled(rules, names, 60) == interpreted(rules, names, 60)


@pytest.mark.parametrize("options", LOOKED_AT, ids=lambda options: "-".join(options))
def test_it_sees_the_same_under_every_rule_that_it_looks_at(options: dict[str, Any]) -> None:
    rules = gunzi.load("dalian", options)
    for policy, hands in ((STEADY, 20), (("random", "steady", "steady", "random"), 10)):
        assert compiled(rules, policy, hands) == interpreted(rules, policy, hands)


def test_the_kernel_plays_the_same_when_it_is_interpreted(monkeypatch: pytest.MonkeyPatch) -> None:
    """No compiler between: the answers bound where seats are asked, whole numbers of Python, arrays of objects."""
    rules = gunzi.load("baike", EXEMPT)
    policy = ("steady", "steady", "random", "steady")
    wanted = one_table(engine_for(rules, policy), 3).rows
    bound = 0
    for module in (dealing, moving, tricks):
        for name, value in list(vars(module).items()):
            if callable(value) and value in steady.ANSWERS:
                monkeypatch.setattr(module, name, steady.ANSWERS[value])
                bound += 1
    assert bound == len(steady.ANSWERS)
    plain = engine_for(rules, policy)
    assert run_plainly(plain, 3, SEED).tolist() == wanted.tolist()


# -- what is made of it --------------------------------------------------------------------------------------------


@pytest.mark.parametrize("amount", [{"hands": 150}, {"rounds": 20}], ids=["hands", "rounds"])
@pytest.mark.parametrize("policy", ["steady", "steady,random,steady,random"])
def test_a_simulation_reports_the_same(policy: str, amount: dict[str, Any]) -> None:
    quick, slow = (lab.simulate(RULES, seed=3, policy=policy, fast=mode, **amount) for mode in ("on", "off"))
    assert json.dumps(quick.as_json()) == json.dumps(slow.as_json())
    assert quick.note is None


@pytest.mark.parametrize(
    ("policy", "amount"), [("steady", {"hands": 60}), ("steady,random,steady,random", {"rounds": 6})]
)
def test_a_comparison_finds_the_same(policy: str, amount: dict[str, Any]) -> None:
    sets = [RULES, gunzi.load("baike")]
    quick, slow = (lab.diff(sets, seed=3, policy=policy, fast=mode, **amount) for mode in ("on", "off"))
    assert json.dumps(quick.as_json()) == json.dumps(slow.as_json())
    assert quick.note is None


def test_the_players_with_a_compiled_form_are_players() -> None:
    assert [player(name).name for name in PLAYERS] == list(PLAYERS)


def test_its_code_is_kept_by_itself_and_pays_earlier(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("GUNZI_CACHE_DIR", str(tmp_path))
    (tmp_path / "fast").mkdir()
    caching.mark()
    assert not caching.is_kept(steady=True)
    hands = fast.WORTH_LOADING // fast.A_STEADY_HAND
    assert not fast.decide("auto", [RULES], STEADY, hands).use
    caching.mark(steady=True)
    assert fast.decide("auto", [RULES], STEADY, hands).use
    assert fast.decide("auto", [RULES], ("random", "random", "random", "steady"), hands).use
    assert not fast.decide("auto", [RULES], ("random",) * 4, hands).use
