"""``gunzi score``: the commands, the conversation and what it prints."""

from __future__ import annotations

import json
from html.parser import HTMLParser
from pathlib import Path

import pytest
from cli_harness import Cli, assert_no_english
from score_harness import FIRST, SAVED, SECOND


@pytest.fixture
def cli(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Cli:
    monkeypatch.chdir(tmp_path)
    return Cli(capsys, monkeypatch)


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
    paid = "1→2：3 张" if lang == "zh" else "1→2: 3"
    for found in (" ".join(page.words), text):
        for word in ("Bo & Co", "capture.multiplier", "tribute.high", "穿鞋" if lang else "", paid, "170"):
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
