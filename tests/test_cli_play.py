"""Playing and scoring at the terminal: asked, refused, hinted, saved, continued."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from cli_harness import Cli, Ran, assert_no_english
from reached import TAKE_THE_HINT, asks, lead_by_numbers, reach, refused_by

import gunzi
from gunzi.acts import BuryKings
from gunzi.apps.cli import game as game_module
from gunzi.apps.cli.keeping import KeptGame
from gunzi.ask import Ask
from gunzi.cards import parse_cards
from gunzi.views import view


@pytest.fixture
def cli(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Cli:
    monkeypatch.chdir(tmp_path)
    return Cli(capsys, monkeypatch)


def hinted(times: int) -> str:
    """Enough answers for so many questions."""
    return TAKE_THE_HINT * times


def own_plays(file: Path) -> list[dict[str, object]]:
    """What the person has played in a saved game."""
    return [event for event in gunzi.Record.load(file).events if event["e"] == "play" and event["seat"] == 0]


def whole_hand(cli: Cli, *words: str, lang: str = "en") -> Ran:
    return cli("play", "yuwang", "--seed", "7", "--hands", "1", *words, stdin=hinted(200), lang=lang)


@pytest.mark.parametrize("lang", ["zh", "en"])
def test_a_hand_is_played_to_its_settlement(cli: Cli, tmp_path: Path, lang: str) -> None:
    ran = whole_hand(cli, "--file", "game.jsonl", lang=lang)
    assert ran.status == 0 and not ran.err
    assert "打完了" in ran.out or "The table is over" in ran.out
    if lang == "zh":
        assert_no_english(ran.out)
    record = gunzi.Record.load(tmp_path / "game.jsonl")
    reasons = record.events[-1]["explain"]
    assert reasons and all(f"[{line['by']}]" in ran.out for line in reasons)
    assert gunzi.verify(record).hands == 1 and record.events[-1]["e"] == "settle"
    assert [row["kind"] for row in record.header["players"]] == ["human", "bot", "bot", "bot"]


def test_a_finished_game_without_a_file_leaves_none(cli: Cli, tmp_path: Path) -> None:
    assert whole_hand(cli).status == 0
    assert not list(tmp_path.iterdir())


def test_leaving_saves_and_continuing_goes_on_as_if_nobody_had_left(cli: Cli, tmp_path: Path) -> None:
    whole_hand(cli, "--file", "whole.jsonl")
    left = cli("play", "yuwang", "--seed", "7", "--hands", "1", "--file", "parts.jsonl", stdin=hinted(5) + "quit\n")
    assert left.status == 0 and "gunzi play --continue parts.jsonl" in left.out
    for _ in range(20):
        ran = cli("play", "--continue", "parts.jsonl", stdin=hinted(4))
        assert ran.status == 0
        if "The table is over" in ran.out:
            break
    whole, parts = (gunzi.Record.load(tmp_path / name) for name in ("whole.jsonl", "parts.jsonl"))
    assert parts.events == whole.events and gunzi.verify(parts).hands == 1


def test_end_of_input_saves_under_a_free_name(cli: Cli, tmp_path: Path) -> None:
    for name in ("gunzi-seed-3.jsonl", "gunzi-seed-3-2.jsonl"):
        ran = cli("play", "boke", "--seed", "3")
        assert ran.status == 0 and name in ran.out and (tmp_path / name).exists()


def test_a_game_that_cannot_be_saved_where_it_belongs_is_saved_elsewhere(
    cli: Cli, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "spare").mkdir()
    (tmp_path / "gone").mkdir()
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path / "spare"))
    read = game_module.Game._read

    def vanish(game: game_module.Game) -> str:
        shutil.rmtree(tmp_path / "gone", ignore_errors=True)
        return read(game)

    monkeypatch.setattr(game_module.Game, "_read", vanish)
    ran = cli("play", "boke", "--seed", "3", "--file", "gone/g.jsonl")
    assert ran.status == 0 and "No such file" in ran.err
    (saved,) = (tmp_path / "spare").iterdir()
    assert str(saved) in ran.out and gunzi.Record.load(saved).events


def test_an_interrupted_game_is_saved(cli: Cli, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupt(self: object) -> str:
        raise KeyboardInterrupt

    monkeypatch.setattr(game_module.Game, "_read", interrupt)
    ran = cli("play", "boke", "--seed", "3", "--file", "game.jsonl")
    assert ran.status == 130 and "--continue game.jsonl" in ran.err
    assert gunzi.Record.load(tmp_path / "game.jsonl").events


def test_a_killed_game_has_every_act(cli: Cli, tmp_path: Path) -> None:
    whole_hand(cli, "--file", "whole.jsonl")
    code = "import sys; from gunzi.apps.cli import main; sys.exit(main())"
    words = ("play", "yuwang", "--seed", "7", "--hands", "1", "--file", "killed.jsonl", "--lang", "en")
    process = subprocess.Popen(
        [sys.executable, "-c", code, *words], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL
    )
    assert process.stdin is not None and process.stdout is not None
    process.stdin.write(hinted(12).encode() + b"last\n")
    process.stdin.flush()
    prompts = 0
    while prompts < hinted(12).count("\n") + 2:  # it has answered all of that, and waits
        char = process.stdout.read(1)
        assert char, "it ended"
        prompts += char == b">"
    process.kill()
    process.communicate()
    whole, killed = (gunzi.Record.load(tmp_path / name) for name in ("whole.jsonl", "killed.jsonl"))
    assert own_plays(tmp_path / "killed.jsonl") and killed.events == whole.events[: len(killed.events)]
    ran = cli("play", "--continue", "killed.jsonl", stdin=hinted(200))
    assert ran.status == 0 and "The table is over" in ran.out
    assert gunzi.Record.load(tmp_path / "killed.jsonl").events == whole.events


def test_every_act_is_kept_and_nobody_s_file_is_torn(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    table = gunzi.Table(gunzi.load("yuwang"), seed=7, hands=1)
    path = tmp_path / "game.jsonl"
    kept = KeptGame(path, table, {"play": {"seat": 0}})

    def act(times: int = 1) -> None:
        for _ in range(times):
            table.do(table.ask.seat, table.ask[0])

    def same() -> bool:
        return gunzi.Record.load(path).events == table.events

    for _ in range(60):
        act()
        kept.keep()
        assert same()
    assert gunzi.Record.load(path).header["play"] == {"seat": 0}
    path.unlink()
    act(5)
    kept.keep()  # gone: written anew
    assert same()
    with open(path, "a", encoding="utf-8") as file:
        file.write("what somebody else wrote")
    act(5)
    kept.keep()
    assert same()

    def full(file: int, data: memoryview) -> int:
        if len(data) > 10:
            return write(file, data[:10])
        raise OSError(28, "No space left on device")

    write, before, events = os.write, path.read_bytes(), len(table.events)
    while len(table.events) == events:
        act()
    monkeypatch.setattr(os, "write", full)
    with pytest.raises(OSError, match="No space left") as wrong:
        kept.keep()
    assert wrong.value.filename == str(path) and path.read_bytes() == before
    monkeypatch.undo()
    kept.keep()
    assert same()


def test_a_refused_play_names_the_rule_and_changes_nothing(cli: Cli, tmp_path: Path) -> None:
    game = reach("yuwang", refused_by("follow.suit"))
    typed = f"{game.found}\nwhy\n{game.found}\nquit\n"
    ran = cli(*game.words, "--file", "g.jsonl", stdin=game.answers + typed)
    assert ran.out.count("No: ") == 2 and "rule follow.suit (fixed)" in ran.out
    assert "follow.suit" in ran.out.split("> why")[1].split("> ")[0]
    assert gunzi.Record.load(tmp_path / "g.jsonl").events == game.table.events


def test_a_refusal_by_an_option_names_its_value_and_who_set_it(cli: Cli) -> None:
    game = reach("yuwang", refused_by("follow.shapes"), {"follow.shapes": "strict"})
    stdin = game.answers + f"{game.found}\nwhy\n"
    ran = cli(*game.words, stdin=stdin)
    assert "rule follow.shapes = strict, set by --set" in ran.out
    assert "--set · operator" in ran.out.split("> why")[1]
    zh = cli.zh(*game.words, stdin=stdin)
    assert "死棒" in zh.out and "规则 follow.shapes = strict，--set 定的" in zh.out


@pytest.mark.parametrize("lang", ["zh", "en"])
def test_every_word_is_understood_at_a_play(cli: Cli, lang: str) -> None:
    words = "?\nhint\nlast\nhand\ntable\nrules\nwhy\nscore\n提示\n帮助\n桌面\nxyz\n99\nskip\npass\n"
    game = reach("dalian", asks("follow"))
    ran = cli(*game.words, stdin=game.answers + words, lang=lang)
    assert ran.status == 0
    asked = re.split(r"^> ", ran.out, flags=re.MULTILINE)
    answers = asked[1 + game.asked : -1]  # the last prompt meets the end of the input
    assert len(answers) == len(words.split())
    assert all(answer.split("\n", 1)[1].strip() for answer in answers)


def test_cards_can_be_named_by_their_numbers(cli: Cli, tmp_path: Path) -> None:
    game = reach("dalian", lead_by_numbers)
    numbers, cards = game.found
    ran = cli(*game.words, "--file", "g.jsonl", stdin=f"{game.answers}{numbers}\n")
    assert ran.status == 0
    before = sum(event["e"] == "play" and event["seat"] == 0 for event in game.table.events)
    assert own_plays(tmp_path / "g.jsonl")[before]["cards"] == cards


def test_forced_answers_are_taken_and_told(cli: Cli) -> None:
    forced = reach("yuwang", lambda table, ask: ask.kind == "follow" and len(ask) == 1 and ask[0].cards)
    ran = cli(*forced.words, stdin=forced.answers)
    assert f"only one way, done for you: {' '.join(forced.found)}" in ran.out


def test_a_claim_is_offered_refused_and_typed(cli: Cli) -> None:
    game = reach("dalian", asks("claim"))
    ran = cli(*game.words, stdin=game.answers + "LJ\n7\n大王\n")
    assert "Claim?" in ran.out and "rule claim.held (fixed)" in ran.out and "7? Not a card" in ran.out
    assert "you show BJ and deal" in ran.out
    assert "你抢亮 BJ，坐庄" in cli.zh(*game.words, stdin=game.answers + "1\n").out


def test_a_declaration_is_offered_refused_and_typed(cli: Cli) -> None:
    game = reach("dalian", asks("declare"), hand=2)
    shown = cli(*game.words, stdin=game.answers).out
    offered = re.search(r"  1  (\w+) with (\w\w)\n", shown)
    assert "Declare?" in shown and offered is not None
    suit, card = offered.groups()
    assert f"you declare {suit} with {card}" in cli(*game.words, stdin=game.answers + f"{card}\n").out
    other = "clubs" if suit != "clubs" else "hearts"
    assert "No: " in cli(*game.words, stdin=game.answers + f"{card} {other}\n").out
    assert "not now" in cli(*game.words, stdin=game.answers + "ok\n").out


def test_skip_is_not_asked_again_until_somebody_declares(cli: Cli) -> None:
    game = reach("dalian", asks("declare"), hand=2)
    ran = cli(*game.words, stdin=game.answers + "skip\n")
    hand = ran.out.split("hand 2:")[1]
    after = hand.split("> skip")[1]
    assert "Declare?" not in after.split("declares")[0]


def test_every_kind_of_question_says_how_many_cards(cli: Cli) -> None:
    asked: set[str] = set()
    for seed in range(1, 30):
        ran = cli("play", "dalian", "--seed", str(seed), "--hands", "6", stdin=hinted(1000))
        assert ran.status == 0 and "<" not in ran.out
        asked |= set(re.findall(r"^(pay tribute: your|give back|bury|follow with) \d+", ran.out, re.MULTILINE))
        if len(asked) == 4:
            return
    raise AssertionError(f"only these were asked: {asked}")


def test_kings_are_buried_by_typing_them_and_cards_picked_up(cli: Cli, tmp_path: Path) -> None:
    big, small = (BuryKings(parse_cards(card)) for card in ("BJ", "LJ"))
    game = reach("dalian", lambda table, ask: big in ask and "LJ" in table.hand.cards_of(0) and small not in ask)
    stdin = game.answers + "LJ\n?\nBJ\nhint\nok\n"
    ran = cli(*game.words, "--file", "g.jsonl", stdin=stdin)
    assert "rule bury.big_before_small (fixed)" in ran.out and "choose one; Enter is no" in ran.out
    assert "you bury BJ and pick up" in ran.out
    record = gunzi.Record.load(tmp_path / "g.jsonl")
    assert any(event["e"] == "bury_kings" and event["seat"] == 0 for event in record.events)


def test_what_is_shown_comes_from_the_seats_own_view(cli: Cli, tmp_path: Path) -> None:
    def after_a_hidden_burial(table: gunzi.Table, ask: Ask) -> bool:
        buried = [event for event in table.events if event["e"] == "bury" and event["seat"] and not event["shown"]]
        return ask.kind in ("lead", "follow") and bool(buried) and not table.hand.bottom_shown

    game = reach("yuwang", after_a_hidden_burial)
    ran = cli(*game.words, "--file", "g.jsonl", stdin=game.answers + hinted(3))
    record = gunzi.Record.load(tmp_path / "g.jsonl")
    seen = json.dumps(view(gunzi.load("yuwang"), record.events, 0))
    hidden = next(event for event in record.events if event["e"] == "bury")["cards"]
    assert json.dumps(hidden) not in seen
    assert " ".join(hidden) not in ran.out and "buries (hidden)" in ran.out


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("play",), "which rules"),
        (("play", "yuwang", "--file", "missing/x.jsonl"), "missing"),
        (("play", "yuwang", "--file", "."), "directory"),
        (("play", "yuwang", "--seed", "-1"), "whole number from 0"),
        (("play", "yuwang", "--seat", "4"), "0 to 3"),
        (("play", "yuwagn"), "did you mean yuwang"),
        (("play", "--continue", "none.jsonl"), "none.jsonl"),
        (("play", "yuwang", "--bots", "clever"), "no player is called 'clever'"),
    ],
)
def test_a_game_that_cannot_start_says_why(cli: Cli, words: tuple[str, ...], said: str) -> None:
    ran = cli(*words)
    assert ran.status == 2 and said in ran.err and "Traceback" not in ran.err


def test_a_saved_game_is_not_overwritten_and_its_rules_are_its_own(cli: Cli, tmp_path: Path) -> None:
    cli("play", "boke", "--seed", "3", "--file", "g.jsonl")
    assert "--continue g.jsonl" in cli("play", "boke", "--file", "g.jsonl").err
    assert cli("play", "yuwang", "--continue", "g.jsonl").status == 2
    text = (tmp_path / "g.jsonl").read_text(encoding="utf-8")
    (tmp_path / "cut.jsonl").write_text(text[:-20], encoding="utf-8")
    assert cli("play", "--continue", "cut.jsonl").status == 2
    (tmp_path / "odd.jsonl").write_text(text.replace('"seat": 0, "rounds"', '"seat": 9, "rounds"'), encoding="utf-8")
    assert "play part" in cli("play", "--continue", "odd.jsonl").err


# -- score -----------------------------------------------------------------------------------------------------

HELD = "dealer=0 trump=H points=85 captured=no bottom=BJ,LJ,C7,C8,D8,D9"
TAKEN = "trump=S points=150 captured=yes bottom=CT,LJ,C7,C8,D8,D9 tribute=1>2:3"


def test_score_settles_hand_after_hand(cli: Cli) -> None:
    data = cli("score", "baike", "--hand", HELD, "--hand", TAKEN, "--json").json
    first, second = (row["settle"] for row in data["hands"])
    assert (first["level_up"], first["levels"], first["next_dealer"]) == ({"side": 0, "levels": 4}, [7, 3], 2)
    assert first["owed"] == {"from": 1, "to": 2, "count": 3}
    assert (second["attackers_points"], second["levels"], second["next_dealer"]) == (170, [7, 5], 3)
    assert data["scores"] == [12 + 3 - 1 - 6, -12 - 3 + 1 + 6] * 2
    assert data["titles"][0] == "穿鞋" and data["next"]["levels"] == ["7", "5"]


@pytest.mark.parametrize("lang", ["zh", "en"])
def test_score_gives_each_number_its_reason(cli: Cli, lang: str) -> None:
    ran = cli("score", "baike", "--hand", HELD, "--hand", TAKEN, "--players", "A,B,C,D", lang=lang)
    for rule in ("capture.multiplier", "rotation.takeover", "levels.threshold", "tribute.high", "scoring.tribute_for"):
        assert f"[{rule}]" in ran.out


def test_score_is_kept_in_a_file_and_goes_on(cli: Cli, tmp_path: Path) -> None:
    cli("score", "baike", "--hand", HELD, "--save", "s.json")
    data = cli("score", "--hand", TAKEN, "--save", "s.json", "--json").json
    assert len(data["hands"]) == 2
    assert len(cli("score", "--save", "s.json", "--undo", "--json").json["hands"]) == 1
    assert len(json.loads((tmp_path / "s.json").read_text(encoding="utf-8"))["hands"]) == 1
    assert "yuwang" in cli("score", "yuwang", "--hand", TAKEN, "--save", "s.json").err


def test_score_asks_and_takes_back(cli: Cli) -> None:
    answers = "1\nH\n70\nno\nS3,S4,S6,S7,S8,S9\nundo\nS3 S4 S6 S7 S8 S9\n\nsheet\nundo\nquit\n"
    ran = cli("score", "boke", stdin=answers)
    assert ran.status == 0 and "next hand seat 2 to pay seat 3: 1" in ran.out and "one hand taken back" in ran.out
    assert cli.zh("score", "boke", stdin=answers).status == 0


def test_score_sees_a_round_end_and_a_new_one_begin(cli: Cli) -> None:
    data = cli(
        "score", "yuwang", "--hand", "dealer=1 trump=H points=0 captured=no bottom=S3,S4,S6,S7,S8,S9", "--json"
    ).json
    assert data["hands"][0]["settle"]["ending"] == "shutout" and data["rounds_won"] == [0, 1]
    assert data["next"] == {"hand": 2, "round": 2, "levels": ["3", "3"], "dealer": None, "owed": None}


def test_score_takes_the_total_where_only_that_was_counted(cli: Cli) -> None:
    data = cli("score", "yuwang", "--hand", HELD.replace("points=85", "total=130"), "--json").json
    assert data["hands"][0]["settle"]["attackers_points"] == 130


@pytest.mark.parametrize(
    "hand",
    [
        HELD.replace("85", "86"),
        HELD.replace("85", "-5"),
        HELD.replace("85", "900"),
        HELD.replace("dealer=0", "dealer=5"),
        HELD.replace("dealer=0 ", ""),
        HELD.replace("BJ,LJ", "BJ"),
        HELD.replace("BJ,LJ", "XX,LJ"),
        HELD.replace("BJ,LJ,C7,C8", "C8,C8,C8,C8"),
        HELD.replace("trump=H", "trump=X"),
        HELD.replace("captured=no", "captured=maybe"),
        HELD + " tribute=1>2:3",
        HELD + " dry=perhaps",
        HELD + " color=red",
        HELD + " total=90",
        HELD + " points=90",
        "nonsense",
        "",
    ],
)
def test_score_refuses_what_cannot_be(cli: Cli, hand: str) -> None:
    for lang in ("zh", "en"):
        ran = cli("score", "yuwang", "--hand", hand, lang=lang)
        assert ran.status == 2 and ran.err.startswith("gunzi: ") and not ran.out


def test_score_insists_on_the_dealer_the_rules_name(cli: Cli) -> None:
    ran = cli("score", "yuwang", "--hand", HELD, "--hand", TAKEN + " dealer=1")
    assert ran.status == 2 and "rotation.hold" in ran.err


@pytest.mark.parametrize(
    "words",
    [
        ("score",),
        ("score", "yuwang", "--players", "A,B"),
        ("score", "--save", "bad.json"),
        ("score", "yuwang", "--undo"),
    ],
)
def test_a_score_that_cannot_start_says_why(cli: Cli, tmp_path: Path, words: tuple[str, ...]) -> None:
    (tmp_path / "bad.json").write_text("[]")
    assert cli(*words).status == 2


def test_the_bots_may_think(cli: Cli, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    words = ("play", "yuwang", "--seed", "3", "--bots", "sharp:1", "--file", "game.jsonl")
    assert cli(*words, stdin="quit\n").status == 0
    assert json.loads((tmp_path / "game.jsonl").read_text("utf-8").splitlines()[0])["play"]["bots"] == "sharp:1"
    assert cli("play", "--continue", "game.jsonl", stdin="quit\n").status == 0
    ran = cli("play", "yuwang", "--bots", "sharp:soon")
    assert ran.status == 2 and "sharp:0.2s" in ran.err
