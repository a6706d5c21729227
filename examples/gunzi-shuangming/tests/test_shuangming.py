"""双明, played: who sees which hand, when, and that nothing else gets through."""

from __future__ import annotations

import json
import random
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from gunzi_shuangming import EVENT

import gunzi

VARIANT = Path(__file__).resolve().parent.parent / "shuangming.yaml"


def play(rules: gunzi.RuleSet, seed: int, hands: int = 2) -> gunzi.Table:
    """A table played by chance to its end."""
    table = gunzi.Table(rules, seed=seed, rounds=None, hands=hands)
    chance = random.Random(seed)
    while not table.over:
        ask = table.ask
        table.do(ask.seat, ask[chance.randrange(len(ask))])
    return table


def shown(events: list[dict[str, Any]]) -> list[dict[str, Any]]:
    return [event for event in events if event["e"] == EVENT]


@pytest.fixture(scope="module")
def table() -> gunzi.Table:
    return play(gunzi.load(VARIANT), seed=4, hands=6)


def test_it_is_off_until_it_is_turned_on(tmp_path: Path) -> None:
    quiet = tmp_path / "quiet.yaml"
    quiet.write_text("gunzi: 1\nid: quiet\nextends: dalian\nplugins: [gunzi-shuangming]\n")
    rules = gunzi.load(quiet)
    assert rules.options["shuangming.who"] == "nobody"
    assert rules.warnings == ()
    assert shown(play(rules, seed=1).events) == []


def test_hands_are_shown_once_a_hand_between_the_burying_and_the_first_lead(table: gunzi.Table) -> None:
    kinds = [
        event["e"] for event in table.events if event["e"] in ("hand", "bury", "bury_kings", EVENT, "play", "redeal")
    ]
    assert kinds.count(EVENT) == kinds.count("hand") - kinds.count("redeal") >= 6
    for place, kind in enumerate(kinds):
        if kind == EVENT:
            assert kinds[place - 1] in ("hand", "bury", "bury_kings")
            assert kinds[place + 1] == "play"


def test_every_seat_sees_exactly_what_its_partner_goes_on_to_play(table: gunzi.Table) -> None:
    for seat in range(4):
        seen = shown(table.view(seat))
        partner = (seat + 2) % 4
        played: list[list[str]] = []
        for event in table.events:
            if event["e"] == EVENT:
                played.append([])
            elif event["e"] == "play" and event["seat"] == partner:
                played[-1] += event["cards"]
        assert [sorted(event["cards"]) for event in seen] == [sorted(cards) for cards in played]
        assert all(event["seat"] == partner and event["until"] == "lead" and "hands" not in event for event in seen)


def test_a_spectator_sees_no_card_until_the_hand_is_settled(table: gunzi.Table) -> None:
    events = table.view(None)
    assert all("cards" not in event and "hands" not in event for event in shown(events))
    disclosed = [event for row in events if row["e"] == "disclose" for event in row["events"] if event["e"] == EVENT]
    assert disclosed == shown(table.events)
    assert [row["e"] for row in events].index("disclose") > [row["e"] for row in events].index("settle")


def test_cards_the_other_side_holds_change_no_byte_of_what_a_seat_sees() -> None:
    """Two cards of seats 1 and 3 change places: they see each other's hands change, seats 0 and 2 and a spectator nothing."""
    rules = gunzi.load(VARIANT)
    compared = 0
    for seed in range(20):
        deck = list(gunzi.Table(rules, seed=seed).hand.deck)
        a, b = next((p, q) for p in range(1, 156, 4) for q in range(3, 156, 4) if plain(deck[p], deck[q]))
        twin = list(deck)
        twin[a], twin[b] = deck[b], deck[a]
        views = []
        for cards in (deck, twin):
            table = gunzi.Table(rules, seed=seed, hands=1, deals=dealing(cards))
            while table.hand.phase != "play":
                table.do(table.ask.seat, table.ask[0])
            views.append([json.dumps(table.view(seat)) for seat in (0, 2, None, 1, 3)])
        if table.hand.dealer in (0, 2):
            assert views[0][:3] == views[1][:3]
            assert all(mine != theirs for mine, theirs in zip(views[0][3:], views[1][3:], strict=True))
            compared += 1
    assert compared > 3


def dealing(deck: list[gunzi.Card]) -> Callable[[int, int], tuple[list[gunzi.Card], int]]:
    """Every hand from this deck, dealt from seat 0."""
    return lambda number, redeal: (deck, 0)


def plain(one: gunzi.Card, other: gunzi.Card) -> bool:
    """Two different cards of one suit that neither are shown in the deal nor decide anything there."""
    return one.suit == other.suit and 3 < one.rank != other.rank > 3 and not one.is_joker


@pytest.mark.parametrize(("who", "side"), [("dealer_side", 0), ("attackers", 1)])
def test_one_side_may_look_alone(who: str, side: int) -> None:
    table = play(gunzi.load(VARIANT, {"shuangming.who": who}), seed=9)
    dealers = [event["dealer"] for event in table.events if event["e"] == "trump"]
    for seat in range(4):
        looked = ["cards" in event for event in shown(table.view(seat))]
        assert looked == [(seat - dealer) % 2 == side for dealer in dealers]


def test_its_record_verifies_and_a_changed_hand_in_it_does_not(table: gunzi.Table) -> None:
    gunzi.verify(gunzi.Record.parse(table.record.text()))
    record = table.record
    event = shown(record.events)[0]
    event["hands"] = [event["hands"][1], *event["hands"][1:]]
    with pytest.raises(gunzi.RecordError) as error:
        gunzi.verify(record)
    assert (error.value.event, error.value.rule) == (event["n"], "shuangming.who")


@pytest.mark.parametrize(
    ("options", "code"),
    [
        ({"phases": ["deal", "reveal", "tribute", "bottom", "bury", "bury_kings", "play", "settle"]}, "shuangming-no-phase"),
        ({"phases": ["deal", "reveal", "tribute", "bottom", "shuangming", "bury", "bury_kings", "play", "settle"]}, "shuangming-order"),
        ({"phases": ["deal", "reveal", "tribute", "bottom", "bury", "bury_kings", "play", "shuangming", "settle"]}, "shuangming-order"),
    ],
)  # fmt: skip
def test_a_phase_that_is_missing_or_in_the_wrong_place_is_an_error(options: dict[str, Any], code: str) -> None:
    with pytest.raises(gunzi.VariantError) as error:
        gunzi.load(VARIANT, options)
    assert [problem.code for problem in error.value.problems] == [code]


def test_a_phase_that_shows_nothing_is_a_warning() -> None:
    rules = gunzi.load(VARIANT, {"shuangming.who": "nobody"})
    assert [problem.code for problem in rules.warnings] == ["shuangming-unused"]


def test_a_replay_tells_who_sees_what_in_words(table: gunzi.Table) -> None:
    rules = gunzi.load(VARIANT)
    whole = rules.narrate(shown(table.events)[0])
    assert whole is not None
    assert whole.zh.startswith("双明：0号、1号、2号、3号看对家的手牌\n  0号：")
    seen = shown(table.view(1))[0]
    told = rules.narrate(seen)
    assert told is not None
    assert told.en.splitlines()[1:] == [f"  seat 3: {' '.join(seen['cards'])}"]
    spectator = rules.narrate({"e": EVENT, "looks": [0, 2], "until": "lead"})
    assert spectator == gunzi.Text("双明：0号、2号看对家的手牌", "Shuangming: seats 0, 2 see their partners' hands")
