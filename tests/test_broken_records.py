"""Records that are broken or edited: each is refused at the event, or the line, that breaks a rule."""

from __future__ import annotations

import copy
import time
from pathlib import Path
from typing import Any

import pytest
from record_harness import RECORDS, played, taken_back

import gunzi
from gunzi import Record, RecordError


def bad_records() -> list[dict[str, Any]]:
    import yaml

    rows: list[dict[str, Any]] = yaml.safe_load((RECORDS / "bad" / "INDEX.yaml").read_text("utf-8"))
    return rows


@pytest.mark.parametrize("row", bad_records(), ids=lambda row: Path(row["file"]).stem)
def test_broken_records_are_refused_at_the_event_that_tells(row: dict[str, Any]) -> None:
    record = Record.load(RECORDS / row["file"])
    with pytest.raises(RecordError) as error:
        gunzi.verify(record)
    assert error.value.event == row["event"]
    rules = gunzi.load(record.header["rules"]["id"])
    assert error.value.rule in rules.rule_ids()


def changed(record: Record, kind: str, key: str, value: Any) -> tuple[Record, int]:
    """The record with one key of the first event of a kind changed, and that event's number."""
    events = copy.deepcopy(record.events)
    event = next(event for event in events if event["e"] == kind)
    assert repr(event[key]) != repr(value)
    event[key] = value
    return Record(record.header, events), event["n"]


@pytest.mark.parametrize(
    ("kind", "key", "value"),
    [
        ("trump", "suit", "X"),
        ("trump", "by", "reveal.order"),
        ("bottom", "dry", None),
        ("bottom", "cards", "BJ"),
        ("bury", "cards", []),
        ("bury", "seat", True),
        ("play", "seat", 9),
        ("play", "seat", None),
        ("play", "cards", None),
        ("play", "cards", ["S1"]),
        ("play", "cards", []),
        ("play", "cards", {"a": 1}),
        ("trick", "winner", 7),
        ("trick", "points", 1),
        ("settle", "scores", [0, 0]),
        ("settle", "explain", []),
        ("settle", "levels", None),
        ("hand", "levels", [3.0, 3]),
        ("hand", "first", True),
        ("hand", "deck", []),
        ("hand", "deck", None),
        ("hand", "round", 2),
    ],
)
def test_an_edited_event_is_named(kind: str, key: str, value: Any) -> None:
    record, n = changed(played(seed=6), kind, key, value)
    with pytest.raises(RecordError) as error:
        gunzi.verify(record)
    assert error.value.event == n
    assert error.value.line == n + 1
    assert error.value.rule


def test_a_missing_event_is_named() -> None:
    record = played()
    del record.events[20]
    with pytest.raises(RecordError) as error:
        gunzi.verify(record)
    assert error.value.event == 21


def test_an_event_more_is_named() -> None:
    record = played()
    record.events.append({"e": "play", "n": len(record.events) + 1, "seat": 0, "cards": ["S3"]})
    with pytest.raises(RecordError):
        gunzi.verify(record)


@pytest.mark.parametrize(
    ("kind", "key"), [("hand", "deck"), ("trump", "suit"), ("bury", "cards"), ("play", "seat"), ("trick", "winner")]
)
def test_an_event_that_lacks_something_is_named(kind: str, key: str) -> None:
    record = played(seed=6)
    event = next(event for event in record.events if event["e"] == kind)
    del event[key]
    with pytest.raises(RecordError) as error:
        gunzi.verify(record)
    assert error.value.event == event["n"]


def test_a_record_begins_with_a_hand() -> None:
    record = played(hands=1)
    record.events[0]["e"] = "play"
    with pytest.raises(RecordError) as error:
        gunzi.verify(record)
    assert (error.value.event, error.value.rule) == (1, "record.order")


def test_an_early_end_while_the_result_is_open_is_refused() -> None:
    record = played(hands=1)
    n = next(event["n"] for event in record.events if event["e"] == "play")
    record.events[n - 1] = {"e": "early", "n": n, "why": "nothing can change"}
    with pytest.raises(RecordError) as error:
        gunzi.verify(record)
    assert (error.value.event, error.value.rule) == (n, "table.early")


def test_what_was_taken_back_is_checked_as_well() -> None:
    record = played(seed=6)
    plays = [event["n"] for event in record.events if event["e"] == "play"]
    twice = taken_back(record, plays[30], plays[25])
    twice.events[plays[28] - 1]["cards"] = ["BJ", "BJ", "BJ"]
    with pytest.raises(RecordError) as error:
        gunzi.verify(twice)
    assert error.value.event == plays[28]


def test_taking_back_again_and_again_is_checked_once() -> None:
    record = played(hands=1)
    start = time.process_time()
    gunzi.verify(record)
    once = time.process_time() - start
    count = len(record.events)
    for n in range(count + 1, count + 301):
        record.events.append({"e": "undo", "n": n, "to": 3, "agreed": [0]})
    start = time.process_time()
    gunzi.verify(record)
    assert time.process_time() - start < 30 * once


@pytest.mark.parametrize("e", [None, {}, [], ["play"], 7, True])
def test_an_event_that_does_not_say_what_it_is_is_named(e: object) -> None:
    record = played(hands=1)
    record.events[20]["e"] = e
    with pytest.raises(RecordError) as error:
        gunzi.verify(record)
    assert error.value.event == 21


@pytest.mark.parametrize("n", [None, 21.0, True, "21", [21]])
def test_events_are_numbered_with_whole_numbers(n: object) -> None:
    record = played(hands=1)
    record.events[20]["n"] = n
    with pytest.raises(RecordError) as error:
        gunzi.verify(record)
    assert error.value.event == 21


def test_reading_a_device_that_never_ends_is_refused() -> None:
    if not Path("/dev/zero").exists():
        pytest.skip("there is no such device here")
    with pytest.raises(OSError):
        Record.load("/dev/zero")
    with pytest.raises(gunzi.VariantError):
        gunzi.load("/dev/zero")


@pytest.mark.parametrize("to", [None, True, 0, -1, 10**6, "3"])
def test_taking_back_to_nowhere_is_refused(to: object) -> None:
    record = played(seed=6)
    record.events.append({"e": "undo", "n": len(record.events) + 1, "to": to, "agreed": [0]})
    with pytest.raises(RecordError) as error:
        gunzi.verify(record)
    assert error.value.rule == "table.undo"


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"\n",
        b"null\n",
        b"[]\n",
        b"{}\n",
        b'{"gunzi": 2}\n',
        b'{"gunzi": true}\n',
        b'{"gunzi": 1',
        b'{"gunzi": 1}\n{"e": ',
        b'{"gunzi": 1}\n[1]\n',
        b'{"gunzi": NaN}\n',
        b"\xff\xfe\n",
        b"[" * 10000 + b"\n",
    ],
)
def test_what_is_no_record_is_refused_with_its_line(data: bytes) -> None:
    with pytest.raises(RecordError) as error:
        Record.parse(data)
    assert error.value.line is not None


@pytest.mark.parametrize(
    "rules",
    [
        None,
        [],
        {},
        {"id": 5},
        {"id": "nowhere", "options": {}},
        {"id": "yuwang", "options": []},
        {"id": "yuwang", "options": {"reveal.pick": "middle"}},
        {"id": "yuwang", "options": {"nothing.here": 1}},
        {"id": "yuwang", "options": {}, "plugins": {"gunzi-nowhere": "1"}},
        {"id": "yuwang", "options": {}, "hash": "sha256:0"},
    ],
)
def test_a_header_whose_rules_cannot_be_used_is_a_clear_error(rules: Any) -> None:
    with pytest.raises(gunzi.GunziError):
        gunzi.verify(Record({"gunzi": 1, "table": "t", "rules": rules, "players": [], "created": None}))


def reworded(record: Record, **line: Any) -> Record:
    """The record with the first line of the first settlement's explanation changed."""
    events = copy.deepcopy(record.events)
    settled = next(event for event in events if event["e"] == "settle")
    settled["explain"][0] |= line
    return Record(record.header, events)


def test_a_settlement_explained_in_the_words_of_another_version_is_the_same_settlement() -> None:
    words = {"zh": "从前不是这么说的", "en": "put otherwise in those days"}
    assert gunzi.verify(reworded(played(seed=6), what=words)).hands


@pytest.mark.parametrize(
    "line", [{"value": 5_000}, {"by": "reveal.pick"}, {"what": "one text"}, {"what": {"zh": "只有一种"}}]
)
def test_a_settlement_explained_by_another_rule_or_value_is_not(line: dict[str, Any]) -> None:
    with pytest.raises(RecordError):
        gunzi.verify(reworded(played(seed=6), **line))
