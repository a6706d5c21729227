"""Two records side by side, and what ``gunzi diff`` writes for that."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from cli_harness import Cli, assert_no_english

import gunzi
from gunzi.apps import lab
from gunzi.apps.cli.output import Out, columns

YUWANG, CHAYUAN = gunzi.load("yuwang"), gunzi.load("chayuan")
SETS = [YUWANG, CHAYUAN]


@pytest.fixture
def cli(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Cli:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "100")
    return Cli(capsys, monkeypatch)


@pytest.fixture(scope="module")
def written(tmp_path_factory: pytest.TempPathFactory) -> dict[str, tuple[str, str]]:
    """The examples of yuwang and chayuan by cause: the two files of each."""
    folder = tmp_path_factory.mktemp("examples")
    found = lab.diff(SETS, hands=60, seed=3)
    return {each.example.cause: (str(each.a), str(each.b)) for each in lab.write_examples(folder, found, SETS)}


@pytest.mark.parametrize("lang", ["en", "zh"])
@pytest.mark.parametrize("width", ["120", "90", "50"])
def test_both_are_told_with_the_rule_that_parts_them(
    cli: Cli, written: dict[str, tuple[str, str]], lang: str, width: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", width)
    a, b = written["dry_pot.side_leg"]
    ran = cli("replay", a, "--beside", b, lang=lang)
    assert ran.status == 0 and not ran.err
    if lang == "zh":
        assert_no_english(ran.out)
    part = ran.out.index("they part" if lang == "en" else "分岔")
    assert part < ran.out.index("no_trump_suit") < ran.out.index("no_trump:" if lang == "en" else "no_trump：")
    assert "zixun.yaml:16" in ran.out and "chayuan.yaml:15" in ran.out
    assert ("a dry pot" if lang == "en" else "，干锅") in ran.out[part:]
    assert all(columns(line) <= int(width) for line in ran.out.splitlines() if not line.startswith(("A  /", "B  /")))
    assert ("≠" in ran.out) == (width != "50")


def test_settlements_part_in_the_lines_that_differ(cli: Cli, written: dict[str, tuple[str, str]]) -> None:
    a, b = written["scoring.scheme"]
    ran = cli("replay", a, "--beside", b)
    # Proved by toggling: one option is explained, not all on which the two differ.
    assert "scoring.scheme" in ran.out and "dry_pot.side_leg  What" not in ran.out
    rows = ran.out[ran.out.index("they part") :].splitlines()
    same, apart = [row for row in rows if " │ " in row], [row for row in rows if " ≠ " in row]
    assert any("attackers' points" in row for row in same)
    assert apart and all("attackers' points" not in row for row in apart)


def test_what_is_the_same_is_cut_short_unless_it_is_asked_for(cli: Cli, written: dict[str, tuple[str, str]]) -> None:
    a, b = written["scoring.scheme"]
    short, whole = cli("replay", a, "--beside", b).out, cli("replay", a, "--beside", b, "--all").out
    found = re.search(r"… (\d+) more steps", short)
    assert found is not None and "more steps" not in whole
    tricks = sum(event["e"] == "trick" for event in gunzi.Record.load(a).events)
    before = whole[: whole.index("they part")]
    assert len(re.findall(r"^ ?\d+  [ *]\d ", before, re.MULTILINE)) == tricks
    alone = cli("replay", a, "--all")
    assert alone.status == 2 and "--beside" in alone.err


def test_a_record_beside_itself_is_the_same(cli: Cli, written: dict[str, tuple[str, str]]) -> None:
    a, _ = written["scoring.scheme"]
    ran = cli("replay", a, "--beside", a)
    assert ran.status == 0 and "they part" not in ran.out
    assert f"The two are the same, all {len(gunzi.Record.load(a).events)} events." in ran.out
    data = cli("replay", a, "--beside", a, "--json").json
    assert data["parting"] is None and data["events"] == {"a": [], "b": []} and data["options"] == []


def test_json_has_the_parting_the_options_and_the_rest_of_both(cli: Cli, written: dict[str, tuple[str, str]]) -> None:
    a, b = written["dry_pot.side_leg"]
    data = cli("replay", a, "--beside", b, "--json").json
    events = gunzi.Record.load(a).events
    place = data["same"]
    assert data["parting"]["event"] == place + 1 and data["parting"]["a"] == events[place]
    assert data["events"]["a"] == events[place:] and data["parting"]["by"] == "dry_pot.side_leg"
    told = {each["option"]: (each["a"], each["b"]) for each in data["options"]}
    assert told["dry_pot.side_leg"] == ("no_trump_suit", "no_trump")


def test_a_shorter_record_ends_where_the_other_goes_on(
    cli: Cli, written: dict[str, tuple[str, str]], tmp_path: Path
) -> None:
    a, _ = written["scoring.scheme"]
    record = gunzi.Record.load(a)
    end = next(place for place in range(60, 200) if record.events[place]["e"] == "trick") + 3
    short = tmp_path / "short.jsonl"
    gunzi.Record(record.header, record.events[:end]).save(short)
    for files, sign in (((str(short), a), "A"), ((a, str(short)), "B")):
        ran = cli("replay", files[0], "--beside", files[1])
        assert ran.status == 0 and f"{sign} ends here ({end} events)" in ran.out
        assert "follow the same options" in ran.out and f"from event {end + 1} on" in ran.out
        assert f"{sign} 到这里就完了" in cli.zh("replay", files[0], "--beside", files[1]).out


def test_records_of_different_deals_are_refused(cli: Cli, written: dict[str, tuple[str, str]]) -> None:
    a, other = written["dry_pot.side_leg"][0], written["scoring.scheme"][1]
    for lang, words in (("en", "different deals"), ("zh", "不是同样的牌")):
        ran = cli("replay", a, "--beside", other, lang=lang)
        assert ran.status == 2 and words in ran.err and a in ran.err and other in ran.err and not ran.out


def test_a_later_hand_with_other_cards_parts_there(cli: Cli, tmp_path: Path) -> None:
    names = []
    for seed in (5, 6):
        table = gunzi.Table(CHAYUAN, seed=seed, hands=2)
        while not table.over:
            ask = table.ask
            table.do(ask.seat, ask[0])
        names.append((tmp_path / f"{seed}.jsonl", table.record))
    first, second = names[0][1], names[1][1]
    hand = next(place for place, event in enumerate(first.events) if event["e"] == "hand" and event["n"] > 1)
    other = next(event for event in second.events if event["e"] == "hand")
    mixed = [*first.events[:hand], {**first.events[hand], "deck": other["deck"]}]
    first.save(names[0][0])
    gunzi.Record(first.header, mixed).save(names[1][0])
    ran = cli("replay", str(names[0][0]), "--beside", str(names[1][0]))
    assert ran.status == 0 and f"from event {hand + 1} on" in ran.out and "other cards" in ran.out


def test_a_broken_record_is_named(cli: Cli, written: dict[str, tuple[str, str]], tmp_path: Path) -> None:
    a, b = written["dry_pot.side_leg"]
    lines = Path(b).read_text(encoding="utf-8").splitlines()
    broken = tmp_path / "broken.jsonl"
    broken.write_text("\n".join([*lines[:9], "{"]), encoding="utf-8")
    ran = cli("replay", a, "--beside", str(broken))
    assert ran.status == 2 and str(broken) in ran.err and "line 10" in ran.err
    row = json.loads(lines[4])
    row.pop("cards", None), row.pop("shown", None), row.pop("dry", None)
    broken.write_text("\n".join([*lines[:4], json.dumps(row), *lines[5:]]), encoding="utf-8")
    ran = cli("replay", a, "--beside", str(broken))
    assert ran.status == 2 and str(broken) in ran.err
    for place, change in ((6, {"e": None}), (20, {"e": ["play"]})):
        row = {**json.loads(lines[place]), **change}
        broken.write_text("\n".join([*lines[:place], json.dumps(row), *lines[place + 1 :]]), encoding="utf-8")
        for words in (
            (a, "--beside", str(broken)),
            (str(broken), "--beside", a, "--json"),
            (a, "--beside", str(broken), "--seat", "1"),
        ):
            ran = cli("replay", *words)
            assert ran.status == 2 and f"{broken}: line {place + 1}" in ran.err and "what it is" in ran.err, ran.err
    missing = cli("replay", a, "--beside", "none.jsonl")
    assert missing.status == 2 and "none.jsonl" in missing.err


def test_settlements_that_explain_nothing_or_anything_are_no_bug(
    cli: Cli, written: dict[str, tuple[str, str]], tmp_path: Path
) -> None:
    """Records of other programs need not have ``explain``, or may have anything there."""
    a, _ = written["dry_pot.side_leg"]
    lines = Path(a).read_text(encoding="utf-8").splitlines()
    row = json.loads(lines[-1])
    assert row["e"] == "settle"
    other = tmp_path / "other.jsonl"
    for explain in ("gone", None, [], [1], {"a": 1}, [{"by": ["x"]}]):
        changed = {**row, "scores": [9, 9, 9, 9], "explain": explain}
        if explain == "gone":
            del changed["explain"]
        other.write_text("\n".join([*lines[:-1], json.dumps(changed)]), encoding="utf-8")
        for words in ((a, "--beside", str(other)), (str(other), "--beside", a, "--json")):
            ran = cli("replay", *words)
            assert "bug" not in ran.err and (ran.status == 0 or (str(other) in ran.err and ran.status == 2))
        if explain == []:
            assert ran.status == 0 and ran.json["parting"]["event"] == len(lines) - 1


def test_a_seat_sees_no_more_beside_another_record(cli: Cli, written: dict[str, tuple[str, str]]) -> None:
    a, b = written["scoring.scheme"]
    text = cli("replay", a, "--beside", b, "--seat", "2", "--json").out
    assert '"deck"' not in text and '"seed"' not in text
    assert cli("replay", a, "--beside", b, "--seat", "2").status == 0


def test_plain_terminals_get_plain_signs(
    cli: Cli, written: dict[str, tuple[str, str]], monkeypatch: pytest.MonkeyPatch
) -> None:
    from gunzi.apps.cli import beside_text

    monkeypatch.setattr(beside_text, "can_show", lambda stream, text: False)
    a, b = written["dry_pot.side_leg"]
    ran = cli("replay", a, "--beside", b)
    assert " # " in ran.out and "│" not in ran.out and "─" not in ran.out


# -- gunzi diff -----------------------------------------------------------------------------------------------------


def test_diff_tells_the_earliest_example_and_writes_all(cli: Cli, tmp_path: Path) -> None:
    words = ("diff", "yuwang", "chayuan", "--hands", "40", "--seed", "3", "--jobs", "1")
    ran = cli(*words, "--examples", "ex")
    assert ran.status == 0 and "the earliest example: hand" in ran.out
    commands = re.findall(r"gunzi (replay .*)", ran.err)
    assert commands and cli(*commands[0].split()).status == 0
    checked = cli("verify", "ex")
    assert checked.status == 0 and len(list((tmp_path / "ex").iterdir())) == 2 * len(commands)
    assert "最早分岔的例子" in cli.zh(*words).out
    (tmp_path / "file").write_text("", encoding="utf-8")
    assert cli(*words, "--examples", "file").status == 2


def test_diff_of_three_sets_is_told_in_matrices(cli: Cli) -> None:
    words = ("diff", "yuwang", "chayuan", "dalian", "--hands", "30", "--seed", "1", "--jobs", "1")
    for lang in ("en", "zh"):
        ran = cli(*words, lang=lang)
        assert ran.status == 0
        if lang == "zh":
            assert_no_english(ran.out)
        assert len(re.findall(r"^  yuwang +–", ran.out, re.MULTILINE)) == 1
    data = cli(*words, "--json").json
    assert [pair["places"] for pair in data["pairs"]] == [[0, 1], [0, 2], [1, 2]]
    first = cli(*words, "--pairs", "first", "--no-causes", "--json").json
    assert [pair["places"] for pair in first["pairs"]] == [[0, 1], [0, 2]]
    assert {cause["option"] for pair in first["pairs"] for cause in pair["causes"]} == {"unproved"}


def test_the_width_of_what_is_printed_is_counted_in_columns() -> None:
    from gunzi.apps.cli.beside_text import _folded

    lines = _folded(["  抓分方台面得分       60  [tricks.points]", "短", "  " + "很长" * 20], 24)
    assert all(columns(line) <= 24 for line in lines) and "短" in lines
    assert Out("zh").say(gunzi.Text("甲", "a")) == "甲"
