"""verify --as: every event that a rule set would not allow, told once, and the log followed where its cards allow."""

from __future__ import annotations

import json
import tracemalloc
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from cli_harness import Cli, assert_no_english

import gunzi
from gunzi.apps import audit, lab
from gunzi.apps.audit import Finding, Row, auditing
from gunzi.errors import RecordError
from gunzi.record import Record
from gunzi.verifying import verify

RECORDS = Path(__file__).parent / "records"
YUWANG = gunzi.load("yuwang")
STRICT = gunzi.load("yuwang", {"follow.shapes": "strict"})


@pytest.fixture
def cli(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Cli:
    return Cli(capsys, monkeypatch)


def rows(events: list[dict[str, Any]]) -> Iterator[Row]:
    return (Row(place + 2, event) for place, event in enumerate(events))


def findings(events: list[dict[str, Any]], rules: gunzi.RuleSet) -> list[Finding]:
    return list(audit.audit(rows(events), rules))


def simulated(preset: str, overrides: dict[str, Any], tmp_path: Path, seed: int = 1, **much: int) -> Path:
    target = tmp_path / f"{preset}-{seed}.jsonl"
    lab.simulate(gunzi.load(preset, overrides), seed=seed, record=target, **(much or {"rounds": 1}))  # type: ignore[arg-type]
    return target


@pytest.fixture(scope="module")
def hand() -> list[dict[str, Any]]:
    """The events of one later hand under yuwang, with tribute, a burial, kings buried by others and all tricks."""
    plan = lab.Plan(1, ("random",) * 4, "hands", (3, 10))
    for k in range(1, 200, 2):
        events = lab.play_unit(YUWANG, plan, k).events
        kinds = {event["e"] for event in events}
        if kinds >= {"declare", "tribute", "return", "bury", "bury_kings", "settle"}:
            return events
    raise AssertionError("no such hand")


def changed(events: list[dict[str, Any]], kind: str, place: int = 0, **keys: Any) -> list[dict[str, Any]]:
    """The events with other keys in the place-th event of a kind."""
    found = [json.loads(json.dumps(event)) for event in events]
    [event for event in found if event["e"] == kind][place].update(keys)
    return found


def without(events: list[dict[str, Any]], kind: str) -> list[dict[str, Any]]:
    return [event for event in events if event["e"] != kind]


# -- own records --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "file", sorted(RECORDS.glob("*.jsonl")) + sorted((RECORDS / "endings").glob("*.jsonl")), ids=lambda f: f.stem
)
def test_a_record_has_nothing_against_its_own_rules(file: Path) -> None:
    record = Record.load(file)
    rules = gunzi.loading.from_header(record.header)
    found = audit.audit(audit.record_rows(file), rules)
    assert list(found) == [] and found.summary.unjudged == 0
    assert found.summary.events == len(record.events)
    assert found.summary.hands == sum(event["e"] == "hand" and not event["redeal"] for event in record.events)


@pytest.mark.parametrize(
    ("a", "b", "seed"),
    [
        ("yuwang", "chayuan", 3),
        ("baike", "boke", 5),
        ("chayuan", "baike", 6),
        ("boke", "yuwang", 9),
        ("dalian", "baike", 2),
    ],
)
def test_the_first_finding_is_where_verify_stops(a: str, b: str, seed: int, tmp_path: Path) -> None:
    file = simulated(a, {}, tmp_path, seed)
    rules = gunzi.load(b, {"follow.shapes": "strict"})
    found = list(audit.audit(audit.record_rows(file), rules))
    with pytest.raises(RecordError) as stopped:
        verify(Record.load(file), rules)
    assert found[0].line == stopped.value.line
    assert [each.line for each in found] == sorted(each.line for each in found)


def test_broken_records_are_found_broken() -> None:
    import yaml

    index = yaml.safe_load((RECORDS / "bad" / "INDEX.yaml").read_text(encoding="utf-8"))
    seen = 0
    for name in sorted(file.name for file in (RECORDS / "bad").glob("*.jsonl")):
        file = RECORDS / "bad" / name
        try:
            record = Record.load(file)
            rules = gunzi.loading.from_header(record.header)
            verify(record, rules)
        except RecordError as error:
            found = list(audit.audit(audit.record_rows(file), rules))
            seen += bool(found)
            told = {each.line for each in found}
            # What has no number, or the first hand another than 1, is the record's fault and not the hand's.
            if error.rule not in ("record.numbers", "record.keys", "record.order", "hand.numbers", "table.undo"):
                assert any(line >= (error.line or 0) for line in told), name
    assert seen > len(index) // 2


# -- one departure, told once -------------------------------------------------------------------------------------


def test_a_strict_table_finds_every_loose_follow_and_nothing_else(hand: list[dict[str, Any]]) -> None:
    found = findings(hand, STRICT)
    assert found and {each.rule for each in found} == {"follow.shapes"}
    first = found[0]
    assert (first.option, first.value, first.kind) == ("follow.shapes", "strict", "play")
    assert first.origin and first.cards and first.seat is not None and "死棒" in first.text.zh
    lines = {place + 2 for place, event in enumerate(hand) if event["e"] == "play"}
    assert {each.line for each in found} <= lines


def test_the_log_s_trump_is_followed(hand: list[dict[str, Any]]) -> None:
    """A trump of another suit: the declaration says otherwise, and what follows is judged under the log's trump."""
    suit = next(event["suit"] for event in hand if event["e"] == "trump")
    other = next(each for each in "SHCD" if each != suit)
    found = findings(changed(hand, "trump", suit=other), YUWANG)
    assert found[0].kind == "trump" and found[0].rule == "trump.declare" and other in found[0].text.en


@pytest.mark.parametrize(
    ("change", "rule", "kinds"),
    [
        (lambda hand: changed(hand, "hand", first=(hand[0]["first"] + 1) % 4, owed=None), "hand.first", None),
        (
            lambda hand: changed(hand, "bottom", dry=True),
            "dry_pot.side_leg",
            {"bottom", "bury", "settle", "bury_kings"},
        ),
        (
            lambda hand: changed(hand, "trick", winner=(next(e for e in hand if e["e"] == "trick")["winner"] + 1) % 4),
            "trick.strongest",
            None,
        ),
        (lambda hand: changed(hand, "trick", 3, points=105), "points", {"trick"}),
        (lambda hand: changed(hand, "settle", attackers_points=999), "tricks.points", {"settle"}),
        (
            lambda hand: changed(hand, "bury", shown=not next(e for e in hand if e["e"] == "bury")["shown"]),
            "bury.shown",
            {"bury"},
        ),
        (lambda hand: without(hand, "return"), "tribute.same_number", None),
        (lambda hand: [e for e in hand if e["e"] not in ("tribute", "return")], "tribute.low", None),
        (lambda hand: without(hand, "bury"), "table.phase", None),
        (lambda hand: [*hand, {"e": "play", "n": 999, "seat": 0, "cards": ["S3"]}], "record.order", {"play"}),
        (lambda hand: [*hand[:-1], {"e": "early", "n": 9, "why": "x"}], "table.early", {"early"}),
        (lambda hand: [*hand[:3], {"e": "nonsense"}, *hand[3:]], "record.order", {"nonsense"}),
    ],
    ids=[
        "first",
        "dry",
        "winner",
        "points",
        "settle",
        "shown",
        "no-return",
        "no-tribute",
        "no-burial",
        "after-the-end",
        "early",
        "unknown",
    ],
)
def test_each_departure_names_its_rule(
    hand: list[dict[str, Any]], change: Callable[[Any], Any], rule: str, kinds: set[str] | None
) -> None:
    assert findings(hand, YUWANG) == []
    found = findings(change(hand), YUWANG)
    assert found[0].rule == rule, found[0].text.en
    if kinds is not None:
        assert {each.kind for each in found} <= kinds


def test_a_seat_that_plays_out_of_turn_is_told_once(hand: list[dict[str, Any]]) -> None:
    """Two followers of a trick change places: both are out of turn, nothing else."""
    found = [json.loads(json.dumps(event)) for event in hand]
    plays = [place for place, event in enumerate(found) if event["e"] == "play"]
    one, other = plays[1], plays[2]
    found[one], found[other] = found[other], found[one]
    told = [each for each in findings(found, YUWANG) if each.rule == "table.turn"]
    assert told and {each.line for each in told} <= {one + 2, other + 2, plays[3] + 2}


# -- what cannot have been ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("change", "rule"),
    [
        (lambda hand: changed(hand, "play", 5, cards=["S3"] * 4), "record.cards"),
        (lambda hand: changed(hand, "play", 5, cards=["S1"]), "record.cards"),
        (lambda hand: changed(hand, "play", 5, cards="S3"), "record.cards"),
        (lambda hand: changed(hand, "play", 5, cards=[]), "cards.count"),
        (lambda hand: changed(hand, "play", 5, cards=None), "record.cards"),
        (lambda hand: changed(hand, "play", 5, seat=4), "table.seat"),
        (lambda hand: changed(hand, "play", 5, seat=True), "table.seat"),
        (lambda hand: changed(hand, "play", 5, cards=next(e for e in hand if e["e"] == "play")["cards"]), "cards.held"),
        (lambda hand: changed(hand, "bury", cards=["S3"] * 6), "record.cards"),
        (lambda hand: changed(hand, "hand", deck=hand[0]["deck"][1:]), "deck.packs"),
        (lambda hand: changed(hand, "hand", deck=["BJ"] * 162), "deck.packs"),
        (lambda hand: changed(hand, "hand", deck={"a": 1}), "record.cards"),
        (lambda hand: changed(hand, "hand", levels=[3]), "record.keys"),
        (lambda hand: changed(hand, "hand", owed={"from": 1}), "record.keys"),
        (lambda hand: changed(hand, "trump", suit="X"), "record.keys"),
        (lambda hand: changed(hand, "trump", level=99), "levels.start"),
        (lambda hand: changed(hand, "declare", dealt="x"), "record.keys"),
        (
            lambda hand: (
                changed(hand, "exempt", seat=7)
                if any(e["e"] == "exempt" for e in hand)
                else changed(hand, "tribute", **{"from": 9})
            ),
            "table.seat",
        ),
    ],
)
def test_what_cannot_have_been_ends_the_hand_and_not_the_log(
    hand: list[dict[str, Any]], change: Callable[[Any], Any], rule: str
) -> None:
    broken = change(hand)
    judged = audit.audit(rows([*broken, *hand]), YUWANG)
    found = list(judged)
    # trick.points of the very play that is not judged may be the card's; what counts is that the second hand is clean.
    last = [each for each in found if each.impossible]
    assert last and last[0].rule in (rule, "record.keys"), [each.text.en for each in found]
    assert judged.summary.unjudged > 0
    second = len(broken) + 2
    assert [each.rule for each in found if each.line > second] == []


def test_lines_that_cannot_be_read_are_told(tmp_path: Path, hand: list[dict[str, Any]]) -> None:
    file = tmp_path / "log.jsonl"
    header = json.dumps({"gunzi": 1, "rules": {"id": "yuwang", "hash": None}})
    lines = [json.dumps(event) for event in hand]
    lines[10] = '{"e": "play", '
    raw = (
        "\n".join([header, *lines, *(json.dumps(event) for event in hand)]).encode()
        + b"\n\xff\xfe{\n"
        + b"[1]\n"
        + b"x" * 1_200_000
    )
    file.write_bytes(raw)
    judged = audit.audit(audit.record_rows(file), YUWANG)
    found = [each for each in judged if each.kind != "hand"]  # the same hand twice
    assert [each.line for each in found] == [12, 2 * len(hand) + 2]
    assert all(each.rule == "record.line" and each.impossible for each in found)
    assert judged.summary.hands == 2


@pytest.mark.parametrize("content", [b"", b"\n", b"[]\n", b'{"gunzi": 2}\n', b"\x00\x01", b"null"])
def test_what_is_no_record_is_said_to_be_none(content: bytes, tmp_path: Path) -> None:
    file = tmp_path / "x.jsonl"
    file.write_bytes(content)
    with pytest.raises(RecordError):
        list(audit.audit(audit.record_rows(file), YUWANG))


def test_random_damage_never_ends_the_process(hand: list[dict[str, Any]]) -> None:
    import random

    dice = random.Random(4)
    values: list[Any] = [None, -1, 4, True, "x", [], {}, ["BJ", "BJ", "BJ"], 1.5, "S", ["S3"], 10**30]
    for _ in range(300):
        events = [json.loads(json.dumps(event)) for event in hand]
        for _ in range(dice.randint(1, 4)):
            event = dice.choice(events)
            what = dice.randint(0, 3)
            if what == 0:
                events.remove(event)
                continue
            key = dice.choice(list(event))
            if what == 1:
                event.pop(key)
            else:
                event[key] = dice.choice(values)
        for rules in (YUWANG, gunzi.load("baike", {"follow.shapes": "strict"})):
            for each in findings(events, rules):
                assert each.text.zh and each.text.en and each.rule


def test_a_long_log_takes_the_memory_of_a_hand(hand: list[dict[str, Any]]) -> None:
    def many(times: int) -> Iterator[Row]:
        for _ in range(times):
            yield from rows(hand)

    def most(times: int) -> int:
        tracemalloc.start()
        for _ in audit.audit(many(times), YUWANG):
            pass
        peak = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
        return peak

    most(1)
    assert most(12) < 1.5 * most(3) + 100_000


def test_a_log_in_which_no_hand_begins_is_not_held_in_memory(
    hand: list[dict[str, Any]], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(auditing, "MOST_ROWS", 50)
    read = 0

    def endless() -> Iterator[Row]:
        nonlocal read
        for read in range(1, 400):
            yield Row(read, {"e": "play", "seat": 0, "cards": ["S3"]})
        yield from rows(hand[:1])

    judged = audit.audit(endless(), YUWANG)
    found = iter(judged)
    assert next(found).rule == "record.order" and read <= 51
    assert {each.rule for each in found} == {"record.order"}
    assert judged.summary.events == 400 and judged.summary.hands == 1 and judged.summary.unjudged == 399 - 8


def test_what_was_taken_back_does_not_count(hand: list[dict[str, Any]]) -> None:
    place = next(n for n, event in enumerate(hand) if event["e"] == "play")
    wrong = {"e": "play", "n": hand[place]["n"], "seat": hand[place]["seat"], "cards": ["BJ", "LJ", "S3"]}
    back = {"e": "undo", "n": 0, "to": hand[place - 1]["n"], "agreed": [0, 1, 2, 3]}
    assert findings([*hand[:place], wrong, back, *hand[place:]], YUWANG) == []
    lost = findings([*hand[:place], {"e": "undo", "to": 10**6, "agreed": []}, *hand[place:]], YUWANG)
    assert [each.rule for each in lost] == ["table.undo"]


def test_a_hand_may_end_early_where_nothing_can_change() -> None:
    from test_ending_early import found as decided

    for table in decided():
        table.end_early("decided")
        assert findings(table.events, table.rules) == []
        early = next(place for place, event in enumerate(table.events) if event["e"] == "early")
        plays = [place for place, event in enumerate(table.events) if event["e"] == "play"]
        sooner = [*table.events[: plays[-40]], *table.events[early:]]
        told = findings(sooner, table.rules)
        assert told and told[0].rule == "table.early"


def test_how_hands_follow_one_another_is_compared_with_the_log_s_own_word(tmp_path: Path) -> None:
    events = Record.load(simulated("yuwang", {}, tmp_path, rounds=1)).events
    second = [event for event in events if event["e"] == "hand"][1]
    dealer = (second["dealer"] + 1) % 4
    place = events.index(second)
    moved = [*events[:place], {**second, "dealer": dealer, "first": dealer}, *events[place + 1 :]]
    found = [each for each in findings(moved, YUWANG) if each.kind == "hand"]
    assert len(found) == 1 and found[0].rule == "rotation.hold" and found[0].hand == 2
    silent = [event for event in events if event["e"] != "settle"]
    assert [each.kind for each in findings(silent, YUWANG) if each.kind == "hand"] == []


# -- the command --------------------------------------------------------------------------------------------------


def test_the_command_lists_everything_with_its_place(cli: Cli, tmp_path: Path) -> None:
    file = simulated("yuwang", {}, tmp_path)
    shown = cli("verify", "--as", "yuwang", "--set", "follow.shapes=strict", str(file))
    assert shown.status == 1
    lines = [
        line for line in shown.out.splitlines() if line.startswith(f"{file}:") and "follow.shapes = strict" in line
    ]
    assert len(lines) > 10 and "set at --set" in shown.out and "hand 1" in lines[0] and "seat" in lines[0]
    chinese = cli.zh("verify", "--as", "yuwang", "--set", "follow.shapes=strict", str(file))
    assert "死棒" in chinese.out and "不许" in chinese.out
    assert_no_english(chinese.out.replace(str(file), ""))
    assert cli("verify", "--as", "yuwang", str(file)).status == 0


def test_the_command_s_data(cli: Cli, tmp_path: Path) -> None:
    file = simulated("yuwang", {}, tmp_path)
    data = cli("verify", "--as", "chayuan", "--json", str(file), str(file)).json
    assert data["rules"] == "chayuan" and len(data["files"]) == 1
    row = data["files"][0]
    assert row["findings"] and row["by"] and sum(row["by"].values()) == len(row["findings"])
    first = row["findings"][0]
    assert {"line", "event", "hand", "e", "rule", "option", "value", "origin", "why", "impossible"} <= first.keys()


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("--set", "follow.shapes=strict", "x.jsonl"), "--as"),
        (("--mapping", "m.yaml", "x.csv"), "--as"),
        (("--as", "yuwang", "--write", "y", "x.csv"), "--mapping"),
        (("--as", "yuwnag", "x.jsonl"), "yuwang"),
        (("--as", "yuwang", "nowhere.jsonl"), "nowhere.jsonl"),
        (("--as", "yuwang", "--mapping", "nowhere.yaml", "x.csv"), "nowhere.yaml"),
    ],
)
def test_the_command_tells_what_it_lacks(
    cli: Cli, words: tuple[str, ...], said: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    shown = cli("verify", *words)
    assert shown.status == 2 and said in shown.err
