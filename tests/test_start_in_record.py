"""Tables that take up the game in the middle of a round: the record says where, and is checked from there."""

from __future__ import annotations

import json
from importlib.resources import files
from typing import Any

import jsonschema
import pytest

import gunzi
from gunzi.table import Start
from gunzi.values import Owed

RULES = gunzi.load("dalian")


def _record(start: Start | None) -> gunzi.Record:
    table = gunzi.Table(RULES, seed=3, hands=1, start=start)
    while not table.over:
        ask = table.ask
        table.do(ask.seat, ask[0])
    return table.record


@pytest.mark.parametrize("owed", [None, Owed(1, 2, 4)])
def test_a_hand_from_the_middle_of_a_round_can_be_checked(owed: Owed | None) -> None:
    record = _record(Start((5, 8), 2, owed))
    assert record.header["start"]["levels"] == [5, 8]
    assert gunzi.verify(record).hands == 1
    schema = json.loads((files("gunzi.schemas") / "record.schema.json").read_text(encoding="utf-8"))
    jsonschema.validate(record.header, schema)
    without = gunzi.Record({key: value for key, value in record.header.items() if key != "start"}, record.events)
    with pytest.raises(gunzi.RecordError, match=r"hand\.levels"):
        gunzi.verify(without)


def test_a_table_that_begins_a_round_says_nothing_of_it() -> None:
    assert "start" not in _record(None).header


def test_a_resumed_hand_goes_on_from_where_it_began() -> None:
    record = _record(Start((5, 8), 2, Owed(1, 2, 4)))
    half = gunzi.Record(record.header, record.events[: len(record.events) // 2])
    table = gunzi.resume(half, hands=1)
    while not table.over:
        ask = table.ask
        table.do(ask.seat, ask[0])
    assert table.record == record


@pytest.mark.parametrize(
    "start",
    [
        7,
        {},
        {"levels": [3], "dealer": 0, "owed": None},
        {"levels": [3, 99], "dealer": 0, "owed": None},
        {"levels": [3, "4"], "dealer": 0, "owed": None},
        {"levels": [3, 4], "dealer": 5, "owed": None},
        {"levels": [3, 4], "dealer": True, "owed": None},
        {"levels": [3, 4], "dealer": 1, "owed": {"from": 0, "to": 0, "count": 2}},
        {"levels": [3, 4], "dealer": 1, "owed": {"from": 0}},
        {"levels": [3, 4], "dealer": None, "owed": {"from": 0, "to": 1, "count": 2}},
    ],
)
def test_a_beginning_that_makes_no_sense_is_told(start: Any) -> None:
    record = _record(Start((5, 8), 2))
    with pytest.raises(gunzi.RecordError, match="line 1") as raised:
        gunzi.verify(gunzi.Record({**record.header, "start": start}, record.events))
    assert raised.value.line == 1 and raised.value.text.zh
