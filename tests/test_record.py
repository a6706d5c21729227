"""Records: written, read, replayed, resumed; broken ones named at the event that breaks a rule."""

from __future__ import annotations

import copy
import json
import time
from pathlib import Path
from typing import Any

import pytest
from conftest import play_out, steps

import gunzi
from gunzi import Record, RecordError, Table

RECORDS = Path(__file__).parent / "records"


def played(preset: str = "dalian", hands: int = 2, seed: int = 5) -> Record:
    return play_out(Table(gunzi.load(preset), seed=seed, hands=hands, rounds=None)).record


def test_a_record_survives_writing_and_reading(tmp_path: Path, rules: gunzi.RuleSet) -> None:
    table = play_out(Table(rules, seed=5, hands=2, rounds=None))
    path = tmp_path / "table.jsonl"
    table.record.save(path)
    again = Record.load(path)
    assert again == table.record
    assert again.text() == table.record.text()
    assert gunzi.verify(again).hands == 2


def test_keys_stand_in_the_order_of_the_format() -> None:
    record = played()
    assert list(record.header)[:5] == ["gunzi", "table", "rules", "players", "created"]
    assert record.header["created"] is None
    orders = {
        "hand": ["e", "n", "hand", "round", "levels", "dealer", "first", "deck", "owed", "redeal"],
        "trump": ["e", "n", "suit", "level", "dealer", "how", "by"],
        "bottom": ["e", "n", "cards", "shown", "dry", "by"],
        "play": ["e", "n", "seat", "cards"],
        "settle": [
            "e", "n", "trick_points", "bottom", "bottom_points", "captured", "attackers_points", "takeover",
            "level_up", "levels", "next_dealer", "owed", "ending", "round_won_by", "scores", "explain",
        ],
    }  # fmt: skip
    for event in record.events:
        if event["e"] in orders:
            assert list(event) == orders[event["e"]]
    assert [event["n"] for event in record.events] == list(range(1, len(record.events) + 1))


def test_every_rule_a_record_names_has_a_text(rules: gunzi.RuleSet) -> None:
    for seed in range(6):
        for event in play_out(Table(rules, seed=seed, hands=3, rounds=None)).events:
            lines = event.get("explain", ()) if event["e"] == "settle" else (event,)
            for line in lines:
                if "by" in line:
                    assert rules.rule_text(line["by"]).zh


def test_the_hash_can_be_recomputed_from_the_header() -> None:
    import hashlib

    rules = played().header["rules"]
    content = {"options": rules["options"], "plugins": rules["plugins"]}
    text = json.dumps(content, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    assert rules["hash"] == "sha256:" + hashlib.sha256(text.encode()).hexdigest()


def test_a_table_resumes_from_any_event_and_goes_on_as_if_nothing_had_happened(rules: gunzi.RuleSet) -> None:
    whole = Table(rules, seed=12, hands=2, rounds=None)
    acts = []
    for seat, act in steps(whole):
        acts.append((len(whole.events), seat, act))
    events = whole.events
    for cut in range(1, len(events) + 1, 7):
        record = Record(whole.header, events[:cut])
        table = gunzi.resume(record, hands=2)
        assert table.events[:cut] == events[:cut]
        # Asks of the deal leave no event; from the first card played on the acts can be repeated one by one.
        if cut < len(events) and table.hand.phase == "play":
            for made, seat, act in acts:
                if made >= cut and not table.over:
                    table.do(seat, act)
            assert table.events == events
            assert table.scores == whole.scores


def test_a_resumed_deal_goes_on_where_it_stopped() -> None:
    rules = gunzi.load("dalian")
    for seed in range(30):
        table = Table(rules, seed=seed, hands=2, rounds=None)
        for _ in steps(table, seed):
            if table.hand.number == 2 and table.events[-1]["e"] == "declare":
                break
        else:
            continue
        again = gunzi.resume(Record(table.header, table.events), hands=2)
        assert again.hand.phase == "deal"
        assert again.hand.standing == table.hand.standing
        assert again.hand.dealt >= table.hand.dealt
        play_out(again)
        gunzi.verify(again.record)
        return
    raise AssertionError("no declaration found")


def test_a_journal_may_carry_pass_and_dealt_rows() -> None:
    table = Table(gunzi.load("yuwang"), seed=3)
    events = [*table.events[:1], {"e": "dealt", "dealt": 40}, {"e": "pass", "seat": 1, "dealt": 40}]
    again = gunzi.resume(Record(table.header, events))
    assert again.hand.dealt >= 40


@pytest.mark.parametrize("path", sorted(RECORDS.glob("*.jsonl")), ids=lambda path: path.stem)
def test_records_of_an_independent_program_are_accepted(path: Path) -> None:
    found = gunzi.verify(Record.load(path))
    assert found.hands >= 3


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


ENDINGS = sorted((RECORDS / "endings").glob("*.jsonl"))


@pytest.mark.parametrize("path", ENDINGS, ids=lambda path: path.stem)
def test_a_recorded_game_for_every_way_a_round_can_end(path: Path) -> None:
    preset, _, ending = path.stem.partition("-")
    record = Record.load(path)
    assert record.header["rules"]["id"] == preset
    found = gunzi.verify(record)
    last = found.table.events[-1] if found.table.events[-1]["e"] == "settle" else record.events[-1]
    assert last["ending"] == ending
    assert last["round_won_by"] in (0, 1)
    assert last["levels"] == [3, 3]
    assert last["next_dealer"] is None and last["owed"] is None


def test_no_way_to_end_a_round_lacks_its_recorded_game() -> None:
    wanted = set()
    for preset in gunzi.preset_ids():
        options = gunzi.load(preset).options
        wanted |= {f"{preset}-{name}" for name in ("shutout", "sweep", "final_level")}
        wanted |= {f"{preset}-{name}" for name in ("three_big", "three_small") if options[f"endings.{name}"] != "none"}
    assert {path.stem for path in ENDINGS} == wanted


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


def test_a_record_is_not_resumed_under_a_limit_it_has_passed() -> None:
    record = played(hands=2)
    with pytest.raises(RecordError) as error:
        gunzi.resume(record, hands=1)
    assert error.value.rule == "table.over"
    assert error.value.event == next(event["n"] for event in record.events if event.get("hand") == 2)


def taken_back(record: Record, at: int, to: int) -> Record:
    """The record as if, after event ``at``, everything after event ``to`` had been taken back and then played as before."""
    head = copy.deepcopy(record.events[:at])
    undo = {"e": "undo", "n": at + 1, "to": to, "agreed": [0, 1, 2, 3]}
    rest = [{**event, "n": event["n"] + at + 1 - to} for event in copy.deepcopy(record.events[to:])]
    return Record(record.header, [*head, undo, *rest])


def test_a_record_in_which_plays_were_taken_back_is_accepted_and_resumed() -> None:
    record = played(seed=6)
    plays = [event["n"] for event in record.events if event["e"] == "play"]
    twice = taken_back(record, plays[30], plays[25])
    assert gunzi.verify(twice).table.scores == gunzi.verify(record).table.scores
    cut = Record(twice.header, twice.events[: plays[30] + 3])
    table = gunzi.resume(cut, hands=2)
    assert table.events[: len(cut.events)] == cut.events
    play_out(table)
    again = table.record
    assert [event["n"] for event in again.events] == list(range(1, len(again.events) + 1))
    gunzi.verify(again)
    for seat in (0, 1, 2, 3, None):
        seen = gunzi.view(table.rules, again.events, seat)
        assert not any("deck" in event for event in seen)


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


@pytest.mark.parametrize("players", [["S3"] * 4, [None] * 4, 4, {}, "abcd", [{}] * 3])
def test_players_that_are_none_do_not_matter_to_the_rules(players: object) -> None:
    record = played(hands=1)
    record.header["players"] = players
    assert gunzi.verify(record).hands == 1


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


def test_a_record_plays_as_recorded_whatever_a_preset_says_now() -> None:
    record = played("yuwang")
    assert record.header["rules"]["options"]["reveal.pick"] == "max"
    options = dict(record.header["rules"]["options"])
    foreign = Record(
        {**record.header, "rules": {"id": "yuwang", "hash": None, "options": options, "plugins": {}}}, record.events
    )
    assert gunzi.verify(foreign).table.rules.options["reveal.pick"] == "max"


def test_an_interrupted_write_leaves_the_old_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    import os

    path = tmp_path / "table.jsonl"
    record = played()
    record.save(path)
    before = path.read_bytes()

    def fails(*_: object) -> None:
        raise OSError("disk full")

    monkeypatch.setattr(os, "fsync", fails)
    with pytest.raises(OSError, match="disk full"):
        Record(record.header, record.events[:3]).save(path)
    assert path.read_bytes() == before
    assert list(tmp_path.iterdir()) == [path]
