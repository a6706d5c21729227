"""Foreign logs: mappings read with their mistakes at their places, rows turned into events, and nothing that crashes."""

from __future__ import annotations

import csv
import io
import json
import os
import random
import subprocess
import sys
from importlib import util
from pathlib import Path
from typing import Any

import pytest
from cli_harness import Cli, assert_no_english
from jsonschema import Draft202012Validator

import gunzi
from gunzi import schemas
from gunzi.apps import audit
from gunzi.apps.audit.logs import LONGEST
from gunzi.apps.audit.mapping import Mapping
from gunzi.apps.audit.mapping_files import mapping_of
from gunzi.apps.audit.names import BadCell, CardNames, Numbers, SeatNames
from gunzi.apps.audit.schema import log_schema, main
from gunzi.record import Record
from gunzi.source import read
from gunzi.verifying import verify

LOGS = Path(__file__).parent.parent / "examples" / "logs"
CHAYUAN = gunzi.load("chayuan")
YUWANG = gunzi.load("yuwang")
STRICT = gunzi.load("yuwang", {"follow.shapes": "strict"})
HEAD = "gunzi-log: 1\n"
PLAIN = HEAD + "kind: what\nevents:\n  play: {event: play, seat: seat, cards: cards}\n"


@pytest.fixture
def cli(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Cli:
    return Cli(capsys, monkeypatch)


def events(text: str | bytes, mapping: str | Mapping, tmp_path: Path) -> list[audit.Row]:
    """The rows of a log's text."""
    file = tmp_path / "log.txt"
    file.write_bytes(text.encode() if isinstance(text, str) else text)
    return list(audit.log_rows(file, mapping_of(mapping) if isinstance(mapping, str) else mapping))


# -- the worked examples ------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("log", "mapping", "rules"), [("club.csv", "club", CHAYUAN), ("server.jsonl", "server", STRICT)]
)
def test_the_examples_hold_under_the_rules_they_were_played_by(log: str, mapping: str, rules: gunzi.RuleSet) -> None:
    judged = audit.audit(audit.log_rows(LOGS / log, audit.read_mapping(LOGS / f"{mapping}.mapping.yaml")), rules)
    assert list(judged) == []
    assert judged.summary.hands == 3 and judged.summary.unjudged == 0 and judged.summary.events > 300


def test_other_rules_find_what_the_texts_differ_in() -> None:
    mapping = audit.read_mapping(LOGS / "club.mapping.yaml")
    found = list(audit.audit(audit.log_rows(LOGS / "club.csv", mapping), YUWANG))
    assert {each.rule for each in found} == {"reveal.pick", "dry_pot.side_leg"}
    lines = (LOGS / "club.csv").read_text(encoding="utf-8").splitlines()
    assert "定主" in lines[found[0].line - 1] and "看底" in lines[found[1].line - 1]


def test_the_examples_are_what_the_script_writes(tmp_path: Path) -> None:
    spec = util.spec_from_file_location("make_logs", LOGS / "make_logs.py")
    assert spec is not None and spec.loader is not None
    script = util.module_from_spec(spec)
    spec.loader.exec_module(script)
    script.main([str(tmp_path)])
    for name in ("club.csv", "server.jsonl"):
        assert (tmp_path / name).read_bytes() == (LOGS / name).read_bytes(), f"run examples/logs/make_logs.py: {name}"


def test_a_log_is_written_as_a_record_that_says_the_same(cli: Cli, tmp_path: Path) -> None:
    target = tmp_path / "club.jsonl"
    mapping, log = str(LOGS / "club.mapping.yaml"), str(LOGS / "club.csv")
    shown = cli("verify", "--as", "yuwang", "--mapping", mapping, "--write", str(target), "--json", log)
    assert shown.status == 1 and str(target) in shown.err
    record = Record.load(target)
    assert record.header["rules"]["hash"] is None and record.header["players"][0]["name"] == "东"
    again = cli("verify", "--as", "yuwang", "--json", str(target))
    one, other = shown.json["files"][0], again.json["files"][0]
    assert one["by"] == other["by"]
    assert [each["event"] for each in other["findings"]] == [each["line"] - 1 for each in other["findings"]]


def test_a_full_record_comes_through_a_mapping_whole(tmp_path: Path) -> None:
    """Our own record read as a foreign log of JSON lines verifies like the record itself."""
    keys = {
        "hand": "hand round levels dealer first deck owed redeal",
        "claim": "seat card dealt",
        "declare": "seat cards suit dealt",
        "turn": "seat card",
        "draw": "card",
        "trump": "suit level dealer how",
        "exempt": "seat kind",
        "tribute": "from to cards",
        "return": "from to cards",
        "bottom": "cards shown dry",
        "bury": "seat cards shown",
        "bury_kings": "seat kings picked",
        "play": "seat cards",
        "trick": "winner points",
        "settle": "trick_points bottom bottom_points captured attackers_points takeover level_up levels next_dealer owed ending "
        "round_won_by scores",
    }
    lines = [
        f"  {kind}: {{event: {kind}, {', '.join(f'{key}: {key}' for key in named.split())}}}"
        for kind, named in keys.items()
    ]
    mapping = mapping_of(HEAD + "format: jsonl\nkind: e\nevents:\n" + "\n".join(lines) + "\n")
    table = gunzi.Table(YUWANG, seed=3)
    from gunzi.apps.players import play_table, player

    play_table(table, [player("random")] * 4, 3)
    log = tmp_path / "log.jsonl"
    log.write_text("".join(json.dumps(event) + "\n" for event in table.events), encoding="utf-8")
    written = list(audit.log_record(log, mapping, YUWANG))
    assert verify(Record(written[0], written[1:])).hands == table.hand_number


# -- cards, seats, words ------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("names", "cell", "cards"),
    [
        (CardNames(), "S3 h10 BJ", "S3 HT BJ"),
        (CardNames(), "♠A♠10♥K大王小王", "SA ST HK BJ LJ"),
        (CardNames(), "黑桃A,红桃10、方块K", "SA HT DK"),
        (CardNames(), ["♠A", "S10"], "SA ST"),
        (CardNames(), "", ""),
        (CardNames(), "['S3', \"D4\"]", "S3 D4"),
        (CardNames(rank_first=True, suits={"h": "H", "s": "S"}), "10h 9s As", "HT S9 SA"),
        (CardNames(suits={"S": "S"}, ranks={"14": "A", "1": "T", "3": "3"}), "S14S1S3", "SA ST S3"),
        (CardNames(between="-"), "S3-S4", "S3 S4"),
        (CardNames(names={"X": "BJ", "53": "LJ"}), "X 53", "BJ LJ"),
        (
            CardNames(numbers=Numbers(0, "SHCD", "23456789TJQKA", ("LJ", "BJ"))),
            [0, 12, 13, 52, 53, 54, 161],
            "S2 SA H2 LJ BJ S2 BJ",
        ),
        (CardNames(numbers=Numbers(1, "DCHS", "A23456789TJQK", ("BJ", "LJ"))), "1 2 53", "DA D2 BJ"),
        (CardNames(), None, ""),
    ],
)
def test_cards_are_read_however_they_are_written(names: CardNames, cell: Any, cards: str) -> None:
    assert names.cards(cell) == cards.split()


@pytest.mark.parametrize("cell", ["S1", "XX", "S3x", [1], 5, {"a": 1}, True, "♠"])
def test_what_is_no_card_is_said_to_be_none(cell: Any) -> None:
    with pytest.raises(BadCell) as wrong:
        CardNames().cards(cell)
    assert wrong.value.rule == "record.cards" and wrong.value.text.zh
    with pytest.raises(BadCell, match="did you mean"):
        CardNames(names={"joker": "BJ"}).cards("jokr")


def test_seats_are_names_or_numbers() -> None:
    assert [SeatNames(("东", "北", "西", "南")).seat(name) for name in "东北西南"] == [0, 1, 2, 3]
    assert [SeatNames(first=1).seat(value) for value in (1, "2", " 4 ")] == [0, 1, 3]
    for seats, value in (
        (SeatNames(), 4),
        (SeatNames(first=1), 0),
        (SeatNames(("a", "b", "c", "d")), "e"),
        (SeatNames(), True),
        (SeatNames(), None),
        (SeatNames(), "-1"),
    ):
        with pytest.raises(BadCell) as wrong:
            seats.seat(value)
        assert wrong.value.rule == "table.seat"


# -- mapping files ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "place", "said"),
    [
        ("", "1:1", "empty"),
        ("[]\n", "1:1", "map"),
        ("kind: a\nevents: {a: {event: skip}}\n", "1:1", "gunzi-log"),
        ("gunzi-log: 2\nkind: a\nevents: {a: {event: skip}}\n", "1:12", "gunzi-log is 1"),
        (HEAD + "frmat: csv\n", "2:1", "did you mean format"),
        (HEAD + "format: cvs\n", "2:9", "did you mean csv"),
        (HEAD + "encoding: gbk2\n", "2:11", "encoding"),
        (HEAD + "separator: ',,'\n", "2:12", "one character"),
        (HEAD + "seats: [东, 南, 西]\n", "2:8", "four different"),
        (HEAD + "seats: {from: x}\n", "2:15", "whole number"),
        (HEAD + "cards: {suit: {a: S}}\n", "2:9", "did you mean suits"),
        (HEAD + "cards: {suits: {a: X}}\n", "2:20", "none of the suits"),
        (HEAD + "cards: {names: {a: S1}}\n", "2:20", "none of the cards"),
        (HEAD + "cards: {rank_first: yes}\n", "2:21", "write true or false"),
        (HEAD + "cards: {numbers: {ranks: [A, 2]}}\n", "2:26", "once"),
        (HEAD + "cards: {numbers: {jokers: [BJ]}}\n", "2:27", "LJ and BJ"),
        (HEAD + "events: {a: {event: skip}}\n", "2:9", "need kind"),
        (HEAD + "kind: a\n", "1:1", "events or every"),
        (HEAD + "kind: a\nevents: {a: {event: paly}}\n", "3:21", "did you mean play"),
        (HEAD + "kind: a\nevents: {a: {seat: s}}\n", "3:13", "event is missing"),
        (HEAD + "kind: a\nevents: {a: {event: play, seats: s}}\n", "3:27", "did you mean seat"),
        (HEAD + "kind: a\nevents: {a: {event: play, seat: [s]}}\n", "3:33", "a column is wanted"),
        (HEAD + "kind: a\nevents: {a: {event: hand, levels: [x]}}\n", "3:35", "a column is wanted"),
        (HEAD + "kind: a\nevents: {a: {event: hand, owed: {form: x}}}\n", "3:34", "did you mean from"),
        (HEAD + "kind: a\nevents: {a: play}\n", "3:13", "an event is written as"),
        (HEAD + "every: {event: play}\n", "2:8", "a list"),
        (HEAD + "kind: a\nkind: b\n", "3:1", "kind"),
        ("gunzi-log： 1\n", "1:1", "did you mean gunzi-log:"),
    ],
)  # fmt: skip
def test_every_mistake_in_a_mapping_has_its_place(text: str, place: str, said: str) -> None:
    with pytest.raises(audit.MappingError) as wrong:
        mapping_of(text, "m.yaml")
    problem = wrong.value.problems[0]
    assert problem.where == f"m.yaml:{place}", wrong.value.text.en
    assert said in problem.message("en"), problem.message("en")
    assert problem.message("zh")


def test_all_mistakes_are_listed_in_file_order() -> None:
    with pytest.raises(audit.MappingError) as wrong:
        mapping_of(HEAD + "frmat: csv\nseats: [a]\nkind: a\nevents: {a: {event: paly}}\n")
    assert [problem.line for problem in wrong.value.problems] == [2, 3, 5]


def test_the_schema_is_what_the_reader_knows(tmp_path: Path) -> None:
    published = json.loads(schemas.path("log").read_text(encoding="utf-8"))
    assert published == log_schema(), "run python -m gunzi.apps.audit.schema schemas"
    assert (
        main([str(tmp_path)]) == 0
        and json.loads((tmp_path / "log.schema.json").read_text(encoding="utf-8")) == published
    )
    validator = Draft202012Validator(published)
    for name in ("club", "server"):
        root = read((LOGS / f"{name}.mapping.yaml").read_bytes()).root
        assert root is not None
        validator.validate(root.plain())
    for text in (
        HEAD + "frmat: csv\n",
        HEAD + "kind: a\nevents: {a: {event: play, winner: s}}\n",
        HEAD + "seats: [a]\n",
        "kind: a\n",
    ):
        root = read(text).root
        assert root is not None and not validator.is_valid(root.plain())


# -- logs ---------------------------------------------------------------------------------------------------------


def test_a_column_that_is_not_there_is_told_before_anything_is_read(tmp_path: Path) -> None:
    with pytest.raises(audit.MappingError) as wrong:
        events("what,seat,card\nplay,0,S3\n", PLAIN, tmp_path)
    (problem,) = wrong.value.problems
    assert problem.where == "<text>:4:42" and "has no column cards (did you mean card?)" in problem.message("en")
    with pytest.raises(audit.MappingError, match="two columns"):
        events("what,seat,cards,seat\nplay,0,S3,1\n", PLAIN, tmp_path)


@pytest.mark.parametrize(
    ("row", "rule", "said"),
    [
        ("play,0", "record.line", "2 cells, the heading has 3"),
        ("play,0,S3,x", "record.line", "4 cells"),
        ("play,5,S3", "table.seat", "5 is no seat"),
        ("play,0,S1", "record.cards", "S1 is no card"),
        ("paly,0,S3", "record.keys", "did you mean play"),
        (",0,S3", "record.keys", "has no event"),
        ('play,0,"S3"x', "record.line", "quotation marks"),
        ('play,"0,S3', "record.line", "quotation marks"),
        ("play,0,S3\0", "record.line", "null character"),
    ],
)
def test_a_broken_row_is_a_clear_error_with_its_line(row: str, rule: str, said: str, tmp_path: Path) -> None:
    found = events(f"what,seat,cards\nplay,1,S4\n\n{row}\n", PLAIN, tmp_path)
    assert found[0] == audit.Row(2, {"e": "play", "seat": 1, "cards": ["S4"]})
    assert (found[1].line, found[1].event, found[1].rule) == (4, None, rule)
    assert found[1].trouble is not None and said in found[1].trouble.en and found[1].trouble.zh


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("{", "not JSON"),
        ("[1]", "not a JSON object"),
        ('{"what": NaN}', "not JSON"),
        ("[" * 100_000, "not JSON"),
        ('{"what": {"a": 1}}', "no event"),
        ('{"what": "play", "seat": [], "cards": "S3"}', "no seat"),
    ],
)
def test_a_broken_line_of_json_too(line: str, said: str, tmp_path: Path) -> None:
    (found,) = events(line + "\n", PLAIN.replace("kind", "format: jsonl\nkind"), tmp_path)
    assert found.line == 1 and found.event is None and found.trouble is not None and said in found.trouble.en


def test_encodings_separators_and_files_without_a_heading(tmp_path: Path) -> None:
    text = "出牌;东;红桃10 黑桃A\n出牌;南;大王\n"
    mapping = (
        HEAD
        + "encoding: gb18030\nseparator: ;\ncolumns: [事, 座, 牌]\nseats: [东, 北, 西, 南]\nkind: 事\nevents: {出牌: {event: play, seat: 座, cards: 牌}}\n"
    )
    found = events(text.encode("gb18030"), mapping, tmp_path)
    assert [row.event for row in found] == [
        {"e": "play", "seat": 0, "cards": ["HT", "SA"]},
        {"e": "play", "seat": 3, "cards": ["BJ"]},
    ]
    (broken, good) = events(b"\xff\xff;x;y\n" + "出牌;南;大王\n".encode("gb18030"), mapping, tmp_path)
    assert broken.line == 1 and broken.trouble is not None and "gb18030" in broken.trouble.en and good.event is not None
    tabs = events("\ufeffwhat\tseat\tcards\nplay\t1\tS3\n", PLAIN.replace("kind", "separator: tab\nkind"), tmp_path)
    assert tabs[0].event == {"e": "play", "seat": 1, "cards": ["S3"]}


@pytest.mark.parametrize("encoding", ["gb18030", "utf-16"])
def test_a_heading_in_another_encoding_is_told_as_such(encoding: str, tmp_path: Path) -> None:
    mapping = HEAD + "kind: 事\nevents: {出牌: {event: play, seat: 座, cards: 牌}}\n"
    with pytest.raises(
        audit.MappingError, match=r"line 1.*is the mapping's encoding right \(gb18030 / big5\)"
    ) as wrong:
        events("事,座,牌\n出牌,0,S3\n".encode(encoding), mapping, tmp_path)
    assert "encoding 写对了吗" in wrong.value.text.zh and "no column" not in wrong.value.text.en


def test_cards_in_another_encoding_are_told_as_such_once_a_hand(tmp_path: Path) -> None:
    """The heading, hands and seats are plain; only the cards are not: no word of four hands without cards."""
    head, *lines = (LOGS / "club.csv").read_text(encoding="utf-8").splitlines()
    mapping = (LOGS / "club.mapping.yaml").read_text(encoding="utf-8")
    plain = dict(zip(head.split(","), "abcdefghijkl", strict=True))
    names = dict(zip("东北西南", "ENWS", strict=True)) | {"开局": "begin", "发牌": "deal"}
    for zh, en in {**plain, **names}.items():
        mapping = mapping.replace(f" {zh}", f" {en}").replace(f"[{zh}", f"[{en}")
    lines = [",".join(names.get(cell, cell) for cell in line.split(",")) for line in lines]
    text = "\n".join([",".join(plain[column] for column in head.split(",")), *lines, ""])
    (tmp_path / "log.csv").write_bytes(text.encode("gb18030"))
    judged = audit.audit(audit.log_rows(tmp_path / "log.csv", mapping_of(mapping)), CHAYUAN)
    found = list(judged)
    assert [each.line for each in found] == [
        place + 3 for place, line in enumerate(lines) if ",begin," in line
    ] and judged.summary.hands == 0
    for each in found:
        assert each.impossible and "not utf-8 text; is the mapping's encoding right (gb18030 / big5)" in each.text.en
        assert "这一把的牌读不全" in each.text.zh and "equally many" not in each.text.en
    (tmp_path / "log.csv").write_bytes(text.encode())
    assert not list(audit.audit(audit.log_rows(tmp_path / "log.csv", mapping_of(mapping)), CHAYUAN))


def test_one_broken_deal_spoils_one_hand(tmp_path: Path) -> None:
    """What is dealt after it belongs to the same hand and begins no other."""
    lines = (LOGS / "club.csv").read_text(encoding="utf-8").splitlines()
    broken = [line.replace("红5 ", "红17 ", 1) if place == 2 else line for place, line in enumerate(lines)]
    mapping = audit.read_mapping(LOGS / "club.mapping.yaml")
    found = events("\n".join(broken), mapping, tmp_path)
    (wrong,) = (row for row in found if row.event is None)
    assert wrong.begins and wrong.line == 3 and "红17" in str(wrong.trouble and wrong.trouble.zh)
    assert sum(row.event is not None and row.event["e"] == "hand" for row in found) == 2


@pytest.mark.parametrize(
    ("written", "ours", "seems"), [(";", "','", '";"'), ("\t", "','", "tab"), (",", "tab", '","'), ("~", "','", "")]
)
def test_a_heading_of_a_single_column_is_told_once(written: str, ours: str, seems: str, tmp_path: Path) -> None:
    mapping = (LOGS / "club.mapping.yaml").read_text(encoding="utf-8") + f"separator: {ours}\n"
    text = (LOGS / "club.csv").read_text(encoding="utf-8").replace(",", written)
    with pytest.raises(audit.MappingError) as wrong:
        events(text, mapping, tmp_path)
    (problem,) = wrong.value.problems
    assert (problem.code, problem.line) == ("separator", 1) and "a single column" in problem.text.en
    assert problem.text.en.endswith(f"write separator: {seems}" if seems else "is the separator right?")
    assert f"separator 写成 {seems}" in problem.text.zh if seems else "写对了吗" in problem.text.zh
    heading, *rows = text.splitlines()
    columns = ", ".join(heading.split(written))
    (first, *_) = events("\n".join(rows), f"{mapping}columns: [{columns}]\n", tmp_path)
    assert first.trouble is not None and "single column" in first.trouble.en


def test_a_mapping_of_one_column_needs_no_separator(tmp_path: Path) -> None:
    mapping = HEAD + "kind: what\nevents: {redeal: {event: redeal}}\n"
    assert [row.event for row in events("what\nredeal\n", mapping, tmp_path)] == [{"e": "redeal"}]
    with pytest.raises(audit.MappingError, match="no column what"):
        events("waht\nredeal\n", mapping, tmp_path)


def test_an_endless_line_and_an_endless_quotation_end(tmp_path: Path) -> None:
    long = "play,1," + "S3 " * (LONGEST // 3) + "\n"
    found = events("what,seat,cards\n" + long + "play,1,S4\n", PLAIN, tmp_path)
    assert [row.event is None for row in found] == [True, False]
    assert found[0].trouble is not None and "too long" in found[0].trouble.en
    quoted = 'what,seat,cards\nplay,1,"S3\n' + "play,1,S4\n" * 30_000
    found = events(quoted, PLAIN, tmp_path)
    assert found[0].trouble is not None and "quotation mark" in found[0].trouble.en
    assert any(row.event is not None for row in found)


def test_deals_without_an_end_are_no_hand_and_not_held_in_memory(tmp_path: Path) -> None:
    mapping = HEAD + "kind: w\nevents:\n  deal: {event: deal, seat: s, cards: c}\n"
    text = "w,s,c\n" + "deal,0,S3 S4 S5 S6 S7 S8 S9 ST SJ SQ\n" * 120
    found = events(text, mapping, tmp_path)
    told = [row for row in found if row.trouble is not None and "no end" in row.trouble.en]
    assert told == found and len(told) == 1
    assert (
        told[0].line == 52 and told[0].rule == "deck.packs" and "还没完" in str(told[0].trouble and told[0].trouble.zh)
    )


def test_dealt_cards_are_put_together(tmp_path: Path) -> None:
    deck = list(map(str, gunzi.Table(YUWANG, seed=1).events[0]["deck"]))
    hands = [deck[seat:156:4] for seat in range(4)]
    mapping = (
        HEAD
        + "kind: w\nevents:\n  deal: {event: deal, seat: s, cards: c}\n  bottom: {event: deal, bottom: c}\n  end: {event: redeal}\n"
    )
    rows = [
        ["w", "s", "c"],
        *(["deal", str(seat), " ".join(hand)] for seat, hand in enumerate(hands)),
        ["bottom", "", " ".join(deck[156:])],
        ["end", "", ""],
    ]
    text = io.StringIO()
    csv.writer(text).writerows(rows)
    found = events(text.getvalue(), mapping, tmp_path)
    assert found[0].event == {"e": "hand", "deck": deck, "order": "unknown"} and found[0].line == 2
    known = events(text.getvalue(), mapping.replace("kind", "order: dealt\nkind"), tmp_path)
    assert known[0].event == {"e": "hand", "deck": deck}
    short = events(text.getvalue().replace(hands[0][0], "", 1), mapping, tmp_path)
    assert short[0].rule == "deck.packs" and short[0].begins and short[0].trouble is not None


def test_a_line_may_be_a_whole_hand(tmp_path: Path) -> None:
    """Lists inside of a line: each element is an event."""
    table = gunzi.Table(STRICT, seed=4, hands=1)
    from gunzi.apps.players import play_table, player

    play_table(table, [player("random")] * 4, 4)
    told = table.events
    line = {
        "no": 1,
        "deck": told[0]["deck"],
        "first": told[0]["first"],
        "trump": next(event["suit"] for event in told if event["e"] == "trump"),
        "dealer": next(event["dealer"] for event in told if event["e"] == "trump"),
        "acts": {
            "bury": [event for event in told if event["e"] == "bury"],
            "plays": [event for event in told if event["e"] == "play"],
        },
    }
    claims = [event for event in told if event["e"] == "claim"]
    mapping = HEAD + (
        "format: jsonl\nevery:\n"
        "  - {event: hand, hand: 'no', deck: deck, first: first, dealer: {is: null}}\n"
        "  - {event: claim, each: claims, seat: seat, card: card, dealt: dealt}\n"
        "  - {event: trump, suit: trump, dealer: dealer}\n"
        "  - {event: bury, each: acts.bury, seat: seat, cards: cards}\n"
        "  - {event: play, each: acts.plays, seat: seat, cards: cards}\n"
    )
    file = tmp_path / "hands.jsonl"
    file.write_text(json.dumps({**line, "claims": claims}) + "\n", encoding="utf-8")
    judged = audit.audit(audit.log_rows(file, mapping_of(mapping)), STRICT)
    kings = any(event["e"] == "bury_kings" for event in told)
    found = [each for each in judged if not (kings and each.rule == "cards.held")]
    assert found == [] and judged.summary.hands == 1 and all(each.line == 1 for each in found)


def test_damaged_logs_never_end_the_process(tmp_path: Path) -> None:
    dice = random.Random(8)
    for log, name in (("club.csv", "club"), ("server.jsonl", "server")):
        mapping = audit.read_mapping(LOGS / f"{name}.mapping.yaml")
        data = (LOGS / log).read_bytes()
        for _ in range(25):
            broken = bytearray(data)
            for _ in range(dice.randint(1, 30)):
                place = dice.randrange(len(broken) if log != "club.csv" else len(broken) - 300) + (
                    300 if log == "club.csv" else 0
                )
                broken[place % len(broken)] = dice.randrange(256)
            file = tmp_path / log
            file.write_bytes(bytes(broken[: dice.randrange(len(broken) // 2, len(broken))]))
            try:
                for each in audit.audit(audit.log_rows(file, mapping), YUWANG):
                    assert each.line > 0 and each.text.zh and each.text.en
            except audit.MappingError as error:
                assert "column" in error.text.en


def test_the_command_reads_logs(cli: Cli, tmp_path: Path) -> None:
    mapping, log = str(LOGS / "club.mapping.yaml"), str(LOGS / "club.csv")
    good = cli("verify", "--as", "chayuan", "--mapping", mapping, log)
    assert good.status == 0 and "3 hands" in good.out
    shown = cli.zh("verify", "--as", "yuwang", "--mapping", mapping, log)
    assert shown.status == 1 and "reveal.pick = max" in shown.out and f"{log}:12:" in shown.out
    assert_no_english(shown.out.replace(log, ""))
    bad = tmp_path / "m.yaml"
    bad.write_text(
        (LOGS / "club.mapping.yaml").read_text(encoding="utf-8").replace("cards: 牌}", "crads: 牌}", 1),
        encoding="utf-8",
    )
    wrong = cli("verify", "--as", "yuwang", "--mapping", str(bad), log)
    assert wrong.status == 2 and f"{bad}:" in wrong.err and "did you mean cards" in wrong.err and "^" in wrong.err


def test_what_is_written_takes_no_source_s_place_and_is_whole(cli: Cli, tmp_path: Path) -> None:
    log, mapping = tmp_path / "club.csv", tmp_path / "club.mapping.yaml"
    for file in (log, mapping):
        file.write_bytes((LOGS / file.name).read_bytes())
    link = tmp_path / "other.csv"
    os.link(log, link)
    before = log.read_bytes(), mapping.read_bytes()
    words = ("verify", "--as", "chayuan", "--mapping", str(mapping), str(log), "--write")
    for target, said in ((log, "the log itself"), (link, "the log itself"), (mapping, "the mapping itself")):
        shown = cli(*words, str(target))
        assert shown.status == 2 and said in shown.err and (log.read_bytes(), mapping.read_bytes()) == before
    log.write_bytes(before[0].replace("座位".encode(), "坐位".encode(), 1))  # the conversion ends at once
    old = tmp_path / "old.jsonl"
    old.write_text("what was there\n", encoding="utf-8")
    assert cli(*words, str(old)).status == 2
    assert old.read_text(encoding="utf-8") == "what was there\n"
    assert sorted(path.name for path in tmp_path.iterdir()) == sorted([link.name, log.name, mapping.name, old.name])


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no /dev/full")
def test_what_cannot_be_printed_is_no_fault_of_the_log() -> None:
    code = "import sys; from gunzi.apps.cli import main; sys.exit(main())"
    words = ("verify", "--as", "yuwang", "--mapping", str(LOGS / "club.mapping.yaml"), str(LOGS / "club.csv"))
    environ = {**os.environ, "LC_ALL": "C.UTF-8"}
    with open("/dev/full", "wb") as full:
        ran = subprocess.run([sys.executable, "-c", code, *words], stdout=full, stderr=subprocess.PIPE, env=environ)
    assert ran.returncode == 2 and ran.stderr.decode().strip() == "gunzi: cannot write: No space left on device"
    reader, writer = os.pipe()
    os.close(reader)  # as | head does
    ran = subprocess.run([sys.executable, "-c", code, *words], stdout=writer, stderr=subprocess.PIPE, env=environ)
    os.close(writer)
    assert ran.returncode == 2 and not ran.stderr
