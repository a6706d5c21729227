"""``gunzi score`` beside a real table: nothing entered is lost, every step can be taken back, every number has its reason."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from html.parser import HTMLParser
from pathlib import Path

import pytest
from cli_harness import Cli, assert_no_english

import gunzi
from gunzi.apps.cli.entry import Wrong, read_line
from gunzi.apps.cli.parser import Stop
from gunzi.apps.cli.sheet import Sheet

FIRST = "dealer=0 trump=H points=85 captured=no bottom=BJ,LJ,C7,C8,D8,D9"
SECOND = "trump=S points=150 captured=yes bottom=CT,LJ,C7,C8,D8,D9 tribute=1>2:3"
ENDS = "dealer=1 trump=H points=0 captured=no kings=no"
SAVED = "s.json"


@pytest.fixture
def cli(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Cli:
    monkeypatch.chdir(tmp_path)
    return Cli(capsys, monkeypatch)


def sheet_of(*hands: str, rules: str = "baike", players: tuple[str, ...] = ()) -> Sheet:
    sheet = Sheet(gunzi.load(rules), players)
    for hand in hands:
        sheet.add(read_line(hand))
    return sheet


# -- telling a hand ----------------------------------------------------------------------------------------------


def test_the_jokers_alone_are_enough_where_the_total_is_told() -> None:
    whole = sheet_of(FIRST).rows[0].settlement
    short = sheet_of("dealer=0 trump=H total=85 captured=no kings=BJ,LJ").rows[0].settlement
    assert short.outcome.levels == whole.outcome.levels
    assert short.outcome.owed == whole.outcome.owed
    assert short.scores == whole.scores


def test_the_jokers_alone_are_enough_where_the_bottom_was_held() -> None:
    told = sheet_of(FIRST.replace("bottom=BJ,LJ,C7,C8,D8,D9", "kings=大王,小王")).rows[0]
    assert told.told["kings"] == "BJ,LJ"
    assert told.settlement.scores == sheet_of(FIRST).rows[0].settlement.scores


def test_a_hand_may_be_told_in_chinese_and_with_full_width_signs() -> None:
    chinese = sheet_of("庄家＝0 主=红桃 台面=85 抠底=没有 底牌=大王 小王 梅花7 梅花8 方片8 方片9")
    assert chinese.rows[0].told == sheet_of(FIRST).rows[0].told


def test_players_names_stand_for_their_seats() -> None:
    names = ("老王", "老李", "老张", "老赵")
    sheet = sheet_of(FIRST.replace("dealer=0", "dealer=老王"), SECOND.replace("1>2", "老李>老张"), players=names)
    assert [row.told for row in sheet.rows] == [row.told for row in sheet_of(FIRST, SECOND).rows]


def test_the_number_alone_tells_a_tribute_that_is_due() -> None:
    assert sheet_of(FIRST, SECOND.replace("1>2:3", "2")).rows[1].told["tribute"] == "1>2:2"
    assert sheet_of(FIRST, SECOND.replace("1>2:3", "2>1:3")).rows[1].told["tribute"] == "2>1:3"  # turned round
    assert sheet_of(FIRST, SECOND.replace("1>2:3", "no")).rows[1].told["tribute"] == "no"


@pytest.mark.parametrize(
    ("hand", "key", "said"),
    [
        (FIRST.replace("85", "86"), "points", "0 to 300, a multiple of 5"),
        (FIRST.replace("points=85", "total=305"), "total", "0 to 300"),
        ("dealer=0 trump=H total=10 captured=yes bottom=CT,LJ,C7,C8,D8,D9", "total", "20 to 310"),
        ("dealer=0 trump=H total=365 captured=yes kings=no", "total", "0 to 360"),
        (FIRST.replace("bottom=BJ,LJ,C7,C8,D8,D9", "kings=BJ,BJ,BJ,BJ"), "kings", "only 3"),
        (FIRST.replace("bottom=BJ,LJ,C7,C8,D8,D9", "kings=S3"), "kings", "S3 is none"),
        (FIRST + " kings=BJ", "kings", "not both"),
        ("dealer=0 trump=H points=85 captured=yes kings=BJ", "bottom", "all 6 cards"),
        (FIRST.replace("BJ,LJ,C7", "BJ,C7"), "bottom", "6 cards, not 5"),
        (FIRST.replace("C7,C8,D8", "C7,C7,C7,C7")[:-3], "bottom", "given 4 times, but there are only 3"),
        (FIRST.replace("C7", "H7") + " dry=yes", "dry", "no dry pot (rule dry_pot.side_leg"),
        (FIRST.replace("dealer=0", "dealer=王二"), "dealer", "0 to 3"),
        (FIRST.replace("trump=H", "trump=NT"), "trump", "S H C D"),
        (FIRST.replace("captured=no", "captured=maybe"), "captured", "yes or no"),
        ("points=85", "dealer", "lacks dealer"),
        (FIRST + " tribute=1>2:3", "tribute", "no tribute is due"),
        (FIRST + " tribute=1>1:3!", "tribute", "pay itself"),
        (FIRST + " points=90", "points", "twice"),
        (FIRST + " total=90", "total", "not both"),
        (FIRST.replace("trump", "trmup"), None, "did you mean trump?"),
        (FIRST.replace("dealer=0", "dealer 0"), None, "key=value"),
    ],
)
def test_what_cannot_be_is_refused_naming_the_entry(hand: str, key: str | None, said: str) -> None:
    with pytest.raises(Wrong) as caught:
        sheet_of(hand)
    assert caught.value.key == key
    assert said in caught.value.text.en
    assert_no_english(caught.value.text.zh)


def test_a_wrong_hand_changes_nothing() -> None:
    sheet = sheet_of(FIRST)
    before = sheet.as_json()
    with pytest.raises(Wrong):
        sheet.add(read_line(SECOND.replace("150", "151")))
    assert sheet.as_json() == before


def test_a_dry_bottom_is_taken_where_it_is_dry() -> None:
    dry = "dealer=0 trump=H points=85 captured=no bottom=BJ,LJ,H7,H8,H9,HT dry=yes"
    row = sheet_of(dry).rows[0]
    assert row.settlement.outcome.result.dry
    assert row.settlement.outcome.levels == (4, 3)


def test_what_the_table_did_against_the_rules_can_be_kept_with_a_remark() -> None:
    with pytest.raises(Wrong, match=r"write dealer=1!"):
        sheet_of(FIRST, SECOND + " dealer=1")
    row = sheet_of(FIRST, SECOND + " dealer=1!").rows[1]
    assert row.dealer == 1
    assert "rotation.hold" in row.remarks[0].en
    assert "照实际打的记" in row.remarks[0].zh


def test_rules_that_look_at_the_last_play_ask_for_it(monkeypatch: pytest.MonkeyPatch) -> None:
    sheet = sheet_of(FIRST)
    monkeypatch.setattr("gunzi.apps.cli.told.asks_for_last_play", lambda rules: True)
    with pytest.raises(Wrong, match="lacks last"):
        sheet.add(read_line(SECOND))
    assert sheet.add(read_line(SECOND + " last=HA,HA")).told["last"] == "HA,HA"


# -- undo, redo, correct -------------------------------------------------------------------------------------------


def test_steps_are_taken_back_and_put_back_one_by_one() -> None:
    sheet = sheet_of(FIRST, SECOND)
    after_two = sheet.as_json()
    sheet.correct(1, {"points": "60"})
    corrected = sheet.as_json()
    assert sheet.undo() is not None
    assert sheet.as_json() == after_two
    assert sheet.undo() is not None
    assert sheet.undo() is not None
    assert sheet.undo() is None
    assert sheet.rows == []
    for _ in range(3):
        assert sheet.redo() is not None
    assert sheet.redo() is None
    assert sheet.as_json() == corrected


def test_a_new_entry_forgets_what_was_taken_back() -> None:
    sheet = sheet_of(FIRST, SECOND)
    sheet.undo()
    sheet.add(read_line(SECOND.replace("150", "155")))
    assert sheet.redo() is None


def test_a_correction_settles_the_later_hands_again_as_they_were_played() -> None:
    sheet = sheet_of(FIRST, SECOND)
    sheet.correct(1, {"points": "125"})
    again = sheet_of(FIRST.replace("85", "125"), SECOND.replace("1>2:3", "no") + " dealer=2!")
    assert sheet.rows[0].settlement == again.rows[0].settlement
    assert sheet.rows[1].dealer == 2
    remarks = " ".join(remark.en for remark in sheet.rows[1].remarks)
    assert "seat 1's to deal" in remarks
    assert "rotation.takeover" in remarks
    assert "kept as it was paid" in remarks


def test_a_correction_that_cannot_be_changes_nothing() -> None:
    sheet = sheet_of(FIRST, SECOND)
    before = sheet.as_json()
    with pytest.raises(Wrong):
        sheet.correct(1, {"points": "86"})
    with pytest.raises(IndexError):
        sheet.correct(3, {"points": "80"})
    assert sheet.as_json() == before


def test_a_correction_may_put_the_total_in_place_of_the_points() -> None:
    sheet = sheet_of(FIRST)
    sheet.correct(1, {"total": "60", "kings": "no"})
    assert sheet.rows[0].told == {
        "dealer": "0",
        "trump": "H",
        "total": "60",
        "captured": "no",
        "kings": "no",
        "dry": "no",
    }


def test_rounds_follow_each_other() -> None:
    sheet = sheet_of(ENDS, FIRST, SECOND, rules="yuwang")
    assert sheet.rounds_won == [0, 1]
    assert [(row.standing.round, row.standing.hand) for row in sheet.rows] == [(1, 1), (2, 1), (2, 2)]
    assert sheet.scores == (0, 1, 0, 1)


# -- the command ---------------------------------------------------------------------------------------------------


def test_the_command_corrects_undoes_and_redoes_what_is_saved(cli: Cli) -> None:
    cli("score", "baike", "--save", SAVED, "--hand", FIRST, "--hand", SECOND)
    ran = cli("score", "--save", SAVED, "--correct", "1", "--hand", "points=60")
    assert ran.status == 0
    assert "attackers' points" in ran.out
    assert cli("score", "--save", SAVED, "--json").json["hands"][0]["told"]["points"] == "60"
    assert cli("score", "--save", SAVED, "--undo", "--json").json["hands"][0]["told"]["points"] == "85"
    assert len(cli("score", "--save", SAVED, "--undo", "--undo", "--json").json["hands"]) == 0
    assert len(cli("score", "--save", SAVED, "--redo", "--redo", "--json").json["hands"]) == 2
    assert cli("score", "--save", SAVED, "--redo", "--redo").status == 2
    assert "there are 2" in cli("score", "--save", SAVED, "--correct", "9", "--hand", "points=60").err
    assert cli("score", "--save", SAVED, "--correct", "1").status == 2


def test_a_wrong_hand_on_the_command_line_keeps_nothing(cli: Cli, tmp_path: Path) -> None:
    cli("score", "baike", "--save", SAVED, "--hand", FIRST)
    before = (tmp_path / SAVED).read_bytes()
    assert cli("score", "--save", SAVED, "--hand", SECOND, "--hand", SECOND).status == 2
    assert (tmp_path / SAVED).read_bytes() == before


def test_the_next_hand_is_announced_with_dealer_level_and_tribute(cli: Cli) -> None:
    ran = cli("score", "baike", "--hand", FIRST, "--players", "Ann,Bo,Cy,Di")
    assert "Next: hand 2 (round 1, hand 2): seat 2 Cy deals, level 7; seat 1 Bo owes seat 2 Cy 3 cards" in ran.out
    ran = cli.zh("score", "baike", "--hand", FIRST, "--players", "甲，乙，丙，丁")
    assert "接下来第 2 把（第 1 轮第 2 把）：2号 丙坐庄，打 7；1号 乙欠2号 丙 3 张贡" in ran.out
    must = cli("score", "baike", "--hand", "dealer=0 trump=H total=85 captured=no kings=BJ,BJ,BJ,LJ")
    assert "level 10 (must be played)" in must.out


@pytest.mark.parametrize("lang", ["en", "zh"])
def test_a_conversation_is_kept_entry_by_entry_and_gone_on_with(cli: Cli, tmp_path: Path, lang: str) -> None:
    ran = cli("score", "baike", stdin="0\nH\n=85\n", lang=lang)
    assert ran.status == 0
    kept = json.loads((tmp_path / "score-baike.json").read_text(encoding="utf-8"))
    assert kept["entering"] == {"dealer": "0", "trump": "H", "total": "85"}
    ran = cli("score", "baike", stdin="no\nBJ LJ\n\nwhy\nsheet\nundo\nredo\nquit\n", lang=lang)
    assert "dealer=0 trump=H total=85" in ran.out
    assert "[tribute.kings_when]" in ran.out
    if lang == "zh":
        assert_no_english(ran.out)
    kept = json.loads((tmp_path / "score-baike.json").read_text(encoding="utf-8"))
    assert [row["told"]["kings"] for row in kept["hands"]] == ["BJ,LJ"]
    assert kept["entering"] == {}


def test_a_wrong_answer_is_asked_again_at_once(cli: Cli, tmp_path: Path) -> None:
    answers = "7\n0\nX\nH\n86\n85\nperhaps\nno\nC7\nBJ,BJ,BJ,BJ\nBJ,LJ,H7,C8,D8,D9\nyes\nno\nquit\n"
    ran = cli("score", "baike", stdin=answers)
    assert ran.status == 0
    for said in ("0 to 3", "S H C D", "multiple of 5", "yes or no", "6 cards, not 1", "only 3", "no dry pot"):
        assert said in ran.out
    kept = json.loads((tmp_path / "score-baike.json").read_text(encoding="utf-8"))
    assert len(kept["hands"]) == 1


def test_a_captured_bottom_must_be_told_whole(cli: Cli) -> None:
    ran = cli("score", "baike", stdin="0\nH\n85\nyes\nBJ\nBJ LJ C7 C8 D8 D9\n\nquit\n")
    assert "all 6 cards" in ran.out
    assert "Next: hand 2" in ran.out


def test_an_earlier_hand_is_corrected_in_the_conversation(cli: Cli) -> None:
    start = f"{FIRST} dry=no\n{SECOND} dry=no\n"
    ran = cli(
        "score", "baike", stdin=start + "edit 1\n\n\n60\n\n\n\nedit 5\nedit 2 points=151\nedit 2 points=155\nquit\n"
    )
    assert ran.status == 0
    assert "correcting hand 1" in ran.out.lower()
    assert "which hand? 1 to 2" in ran.out
    assert "a multiple of 5, not '151'" in ran.out
    data = cli("score", "baike", "--json").json
    assert [row["told"]["points"] for row in data["hands"]] == ["60", "155"]


def test_undo_leaves_a_correction_and_one_entry_at_a_time(cli: Cli, tmp_path: Path) -> None:
    cli(
        "score",
        "baike",
        stdin=f"{FIRST} dry=no\nedit 1\n0\nundo\nundo\nS\nundo\nundo\nredo\nplayers A,B\nplayers A,B,C,D\nquit\n",
    )
    kept = json.loads((tmp_path / "score-baike.json").read_text(encoding="utf-8"))
    assert kept["correcting"] is None
    assert kept["entering"] == {}
    assert kept["players"] == ["A", "B", "C", "D"]
    assert len(kept["hands"]) == 1


def test_a_new_evening_keeps_the_old_file(cli: Cli, tmp_path: Path) -> None:
    cli("score", "baike", stdin=f"{FIRST} dry=no\nquit\n")
    cli("score", "baike", "--new", stdin="quit\n")
    assert json.loads((tmp_path / "score-baike.json").read_text(encoding="utf-8"))["hands"] == []
    assert len(json.loads((tmp_path / "score-baike-2.json").read_text(encoding="utf-8"))["hands"]) == 1


def test_other_rules_are_not_mixed_into_a_saved_score(cli: Cli) -> None:
    cli("score", "baike", "--save", SAVED, "--hand", FIRST)
    ran = cli("score", "baike", "--set", "levels.final=K", "--save", SAVED, "--hand", SECOND)
    assert ran.status == 2
    assert "levels.final" in ran.err


@pytest.mark.parametrize("names", ["A,B,C", "A,B,C,C", "0,1,2,3", "A,B,C," + "D" * 31])
def test_names_must_tell_four_people_apart(cli: Cli, names: str) -> None:
    for lang in ("zh", "en"):
        assert cli("score", "baike", "--players", names, "--hand", FIRST, lang=lang).status == 2


# -- the file ------------------------------------------------------------------------------------------------------


def _started(folder: Path) -> subprocess.Popen[str]:
    code = "import sys; from gunzi.apps.cli import main; sys.exit(main())"
    return subprocess.Popen(
        [sys.executable, "-c", code, "score", "baike", "--lang", "en"],
        cwd=folder,
        stdin=subprocess.PIPE,
        stdout=subprocess.DEVNULL,
        text=True,
        env={**os.environ, "PYTHONIOENCODING": "utf-8"},
    )


@pytest.mark.skipif(not hasattr(signal, "SIGKILL"), reason="this system has no SIGKILL")
def test_a_killed_process_loses_no_entry(cli: Cli, tmp_path: Path) -> None:
    file = tmp_path / "score-baike.json"
    process = _started(tmp_path)
    assert process.stdin is not None
    process.stdin.write(f"{FIRST} dry=no\nS\n2\n150\n")
    process.stdin.flush()
    deadline = time.monotonic() + 30
    while time.monotonic() < deadline:
        if file.exists() and json.loads(file.read_text(encoding="utf-8"))["entering"].get("points") == "150":
            break
        time.sleep(0.02)
    os.kill(process.pid, signal.SIGKILL)
    process.wait()
    process.stdin.close()
    kept = json.loads(file.read_text(encoding="utf-8"))
    assert kept["entering"] == {"trump": "S", "tribute": "2", "points": "150"}
    ran = cli("score", "baike", stdin="yes\nCT LJ C7 C8 D8 D9\n\nquit\n")
    assert ran.status == 0
    assert len(cli("score", "baike", "--json").json["hands"]) == 2


def test_a_file_somebody_else_wrote_meanwhile_is_left_alone(tmp_path: Path) -> None:
    from gunzi.apps.cli.ledger import Ledger

    path = str(tmp_path / SAVED)
    ledger = Ledger(path)
    ledger.save(sheet_of(FIRST))
    Ledger(path).save(sheet_of(FIRST, SECOND))
    with pytest.raises(Stop, match="somebody else"):
        ledger.save(sheet_of())
    assert len(Ledger(path).load().rows) == 2


def test_a_disk_that_takes_nothing_is_told_and_tried_again(cli: Cli, monkeypatch: pytest.MonkeyPatch) -> None:
    from gunzi.apps.cli.ledger import Ledger

    kept, calls = Ledger.save, iter(range(100))

    def fails_for_a_while(self: Ledger, sheet: Sheet) -> None:
        if 1 <= next(calls) <= 3:
            raise OSError(28, "No space left on device")
        kept(self, sheet)

    monkeypatch.setattr(Ledger, "save", fails_for_a_while)
    ran = cli.zh("score", "baike", stdin="0\nH\n=85\nno\nBJ\nno\nquit\n")
    assert ran.err.count("没存上") == 3
    assert "磁盘满了" in ran.err
    assert len(cli("score", "baike", "--json").json["hands"]) == 1


@pytest.mark.parametrize(
    "content",
    [
        b"[]",
        b"{",
        b"\xff",
        b"[" * 100_000,
        b'{"kind": "score"}',
        b'{"kind": "score", "gunzi": 2, "hands": []}',
        b'{"kind": "score", "gunzi": 1, "hands": [1]}',
        b'{"kind": "score", "gunzi": 1, "hands": [{"told": {"points": 5}}]}',
        b'{"kind": "score", "gunzi": 1, "hands": [], "players": ["A"]}',
        b'{"kind": "score", "gunzi": 1, "hands": []}',
    ],
)
def test_a_file_that_holds_no_score_is_named(cli: Cli, tmp_path: Path, content: bytes) -> None:
    (tmp_path / SAVED).write_bytes(content)
    for lang in ("zh", "en"):
        ran = cli("score", "--save", SAVED, lang=lang)
        assert ran.status == 2
        assert ran.err.startswith("gunzi: ")
    assert (tmp_path / SAVED).read_bytes() == content


def test_a_hand_edited_into_nonsense_is_named_by_its_number(cli: Cli, tmp_path: Path) -> None:
    cli("score", "baike", "--save", SAVED, "--hand", FIRST, "--hand", SECOND)
    data = json.loads((tmp_path / SAVED).read_text(encoding="utf-8"))
    data["hands"][1]["told"]["points"] = "151"
    (tmp_path / SAVED).write_text(json.dumps(data), encoding="utf-8")
    assert f"{SAVED}, hand 2: points is" in cli("score", "--save", SAVED, "--json").err


def test_hands_edited_in_the_file_count_and_the_history_starts_anew(cli: Cli, tmp_path: Path) -> None:
    cli("score", "baike", "--save", SAVED, "--hand", FIRST)
    data = json.loads((tmp_path / SAVED).read_text(encoding="utf-8"))
    data["hands"][0]["told"]["points"] = "60"
    (tmp_path / SAVED).write_text(json.dumps(data), encoding="utf-8")
    found = cli("score", "--save", SAVED, "--json").json
    assert found["hands"][0]["settle"]["attackers_points"] == 60


# -- printing ------------------------------------------------------------------------------------------------------


class _Page(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.outside: list[str] = []
        self.words: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag != "meta":
            self.open.append(tag)
        self.outside += [value or "" for name, value in attrs if name in ("src", "href")]

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.words.append(data)


@pytest.mark.parametrize("lang", ["en", "zh"])
def test_the_printed_page_stands_alone_and_tells_everything(cli: Cli, tmp_path: Path, lang: str) -> None:
    cli("score", "baike", "--save", SAVED, "--hand", FIRST, "--hand", SECOND, "--players", "<b>,Bo & Co,Cy,Di")
    ran = cli("score", "--save", SAVED, "--print", "sheet.html", "--print", "sheet.txt", lang=lang)
    assert ran.status == 0
    page = _Page()
    html = (tmp_path / "sheet.html").read_text(encoding="utf-8")
    page.feed(html)
    assert page.open == [] and page.outside == []
    assert "<b>" not in html.replace("&lt;b&gt;", "")
    text = (tmp_path / "sheet.txt").read_text(encoding="utf-8")
    for found in (" ".join(page.words), text):
        for word in ("Bo & Co", "capture.multiplier", "tribute.high", "穿鞋" if lang else "", "1→2: 3", "170"):
            assert word in found
    if lang == "zh":
        assert_no_english(text)


def test_a_sheet_that_cannot_be_written_says_why(cli: Cli) -> None:
    cli("score", "baike", "--save", SAVED, "--hand", FIRST)
    ran = cli.zh("score", "--save", SAVED, "--print", "nowhere/sheet.html")
    assert ran.status == 2
    assert "没有这个文件或文件夹" in ran.err
    ran = cli("score", "--save", SAVED, stdin="print nowhere/sheet.html\nprint\nquit\n")
    assert ran.status == 0
    assert "printed to score.html" in ran.out


def test_the_plain_sheet_goes_to_the_screen(cli: Cli) -> None:
    cli("score", "baike", "--save", SAVED, "--hand", FIRST)
    ran = cli("score", "--save", SAVED, "--print", "-")
    assert ran.out.startswith("Score sheet: ")
    assert "Where every number comes from" in ran.out


def test_of_several_that_write_at_once_every_one_is_kept_or_told(cli: Cli, tmp_path: Path) -> None:
    cli("score", "baike", "--save", SAVED, "--hand", FIRST)
    code = "import sys; from gunzi.apps.cli import main; sys.exit(main())"
    words = ["score", "baike", "--save", SAVED, "--hand", SECOND.replace(" tribute=1>2:3", "")]
    processes = [
        subprocess.Popen(
            [sys.executable, "-c", code, *words], cwd=tmp_path, stdout=subprocess.PIPE, stderr=subprocess.PIPE
        )
        for _ in range(5)
    ]
    told = [(process.communicate()[1], process.returncode) for process in processes]
    kept = len(json.loads((tmp_path / SAVED).read_text(encoding="utf-8"))["hands"]) - 1
    assert kept == sum(status == 0 for _, status in told) >= 1
    assert all(b"gunzi: " in err for err, status in told if status)
