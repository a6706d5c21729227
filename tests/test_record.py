"""Records: written, read, replayed, resumed."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from conftest import play_out, steps
from record_harness import RECORDS, played, taken_back

import gunzi
from gunzi import Record, RecordError, Table


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


def test_a_record_is_not_resumed_under_a_limit_it_has_passed() -> None:
    record = played(hands=2)
    with pytest.raises(RecordError) as error:
        gunzi.resume(record, hands=1)
    assert error.value.rule == "table.over"
    assert error.value.event == next(event["n"] for event in record.events if event.get("hand") == 2)


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


@pytest.mark.parametrize("players", [["S3"] * 4, [None] * 4, 4, {}, "abcd", [{}] * 3])
def test_players_that_are_none_do_not_matter_to_the_rules(players: object) -> None:
    record = played(hands=1)
    record.header["players"] = players
    assert gunzi.verify(record).hands == 1


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
