"""verify, replay, test, simulate and diff, and gunzi as a whole process."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from threading import Timer
from typing import Any

import pytest
from cli_harness import Cli, assert_no_english

import gunzi
from gunzi.apps.cli.narrate import Narrator
from gunzi.apps.cli.output import Out
from gunzi.apps.cli.progress import Progress


@pytest.fixture
def cli(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Cli:
    monkeypatch.chdir(tmp_path)
    return Cli(capsys, monkeypatch)


@pytest.fixture
def record(tmp_path: Path) -> Path:
    """Two hands of first answers."""
    table = gunzi.Table(gunzi.load("dalian"), seed=11, hands=2, rounds=None)
    while not table.over:
        ask = table.ask
        table.do(ask.seat, ask[0])
    path = tmp_path / "two.jsonl"
    table.record.save(path)
    return path


def edited(record: Path, event: int, **keys: object) -> Path:
    """A copy with keys of an event changed."""
    rows = [json.loads(line) for line in record.read_text(encoding="utf-8").splitlines()]
    rows[event].update(keys)
    copy = record.with_name("edited.jsonl")
    copy.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    return copy


def test_verify_accepts_a_good_record(cli: Cli, record: Path) -> None:
    ran = cli("verify", str(record))
    assert ran.status == 0 and "ok  dalian, 2 hands" in ran.out
    assert cli("verify", str(record), "--json").json[0]["hands"] == 2
    assert cli.zh("verify", str(record)).status == 0


def test_verify_names_the_first_wrong_event_its_line_and_rule(cli: Cli, record: Path) -> None:
    events = gunzi.Record.load(record).events
    last = next(event for event in events if event["e"] == "settle")
    wrong = edited(record, last["n"], attackers_points=last["attackers_points"] + 5)
    for lang, said in (("en", "WRONG"), ("zh", "错")):
        ran = cli("verify", str(wrong), str(record), lang=lang)
        assert ran.status == 1
        assert f"{wrong}:{last['n'] + 1}: {said}" in ran.out and str(last["attackers_points"] + 5) in ran.out
    data = cli("verify", str(wrong), "--json").json[0]
    assert data["event"] == last["n"] and data["line"] == last["n"] + 1 and data["rule"] and data["rule_text"]["zh"]


def test_verify_reads_folders_and_reports_what_cannot_be_opened(cli: Cli, record: Path) -> None:
    edited(record, 1, first=9)
    ran = cli("verify", str(record.parent))
    assert ran.status == 1 and "1 of 2 records" in ran.out
    missing = cli("verify", "none.jsonl", str(record))
    assert missing.status == 2 and "none.jsonl" in missing.err and "ok" in missing.out
    empty = record.parent / "empty"
    empty.mkdir()
    for words in (("verify", str(empty)), ("verify", "--as", "yuwang", str(record), str(empty))):
        ran = cli(*words)
        assert ran.status == 2 and f"there are no records (.jsonl) in {empty}" in ran.err


@pytest.mark.parametrize("content", ["", "{}", "null\n", '{"gunzi": 1}\n', "\xff", "[" * 10_000, '{"gunzi": 2}\n'])
def test_what_is_no_record_is_wrong(cli: Cli, tmp_path: Path, content: str) -> None:
    (tmp_path / "bad.jsonl").write_text(content, encoding="latin-1")
    for command in ("verify", "replay"):
        for lang in ("zh", "en"):
            ran = cli(command, "bad.jsonl", lang=lang)
            assert ran.status == (1 if command == "verify" else 2)
            assert "Traceback" not in ran.err and "bug" not in ran.err


@pytest.mark.parametrize("content", [b"time,seat\n1,2\n", "时间,座位\n".encode("gb18030"), b'{"seat": 1}\n'])
def test_another_programs_log_is_told_to_need_a_mapping(cli: Cli, tmp_path: Path, content: bytes) -> None:
    (tmp_path / "club.csv").write_bytes(content)
    for words in (("verify",), ("replay",), ("play", "--continue"), ("replay", "--beside", "club.csv")):
        ran = cli(*words, "club.csv")
        assert ran.status != 0
        assert "club.csv" in ran.out + ran.err and "--mapping" in ran.out + ran.err, words
        assert all(line == line.rstrip() for line in ran.out.splitlines())
    assert "--mapping" not in cli("verify", "none.jsonl").err


def test_an_event_that_cannot_be_told_is_named_and_needs_no_python_to_read(cli: Cli, record: Path) -> None:
    rows = [json.loads(line) for line in record.read_text(encoding="utf-8").splitlines()]
    del rows[1]["round"]
    record.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    for words in (("replay", str(record)), ("replay", str(record), "--beside", str(record))):
        for lang, said in (("en", "event 1 (hand): round is missing"), ("zh", "事件 1（hand）缺 round")):
            ran = cli(*words, lang=lang)
            assert ran.status == 2
            assert str(record) in ran.err and said in ran.err and "gunzi verify --as" in ran.err
            assert "KeyError" not in ran.err


def test_a_cut_record_is_no_other_programs_log(cli: Cli, record: Path) -> None:
    record.write_bytes(record.read_bytes()[:4000])
    assert "--mapping" not in cli("verify", str(record)).out
    told = cli("replay", str(record)).err
    assert "two.jsonl" in told and "--mapping" not in told


def test_a_truncated_record_is_told_with_its_line(cli: Cli, record: Path) -> None:
    text = record.read_text(encoding="utf-8")
    cut = record.with_name("cut.jsonl")
    cut.write_text(text[:-30], encoding="utf-8")
    lines = text.count("\n")
    assert f"cut.jsonl:{lines}: WRONG" in cli("verify", str(cut)).out
    assert "断了" in cli.zh("verify", str(cut)).out


def test_a_record_that_breaks_off_between_two_events_is_told(cli: Cli, record: Path) -> None:
    lines = record.read_text(encoding="utf-8").splitlines(keepends=True)
    cut = record.with_name("cut.jsonl")
    hands = [place for place, line in enumerate(lines) if json.loads(line).get("e") == "hand"]
    for kept in (hands[1] - 1, hands[1] + 1, len(lines) - 40, len(lines) - 1):
        cut.write_text("".join(lines[:kept]), encoding="utf-8")
        ran = cli("verify", str(cut))
        assert ran.status == 0 and "the last hand not played to its end" in ran.out
        assert "最后一把没打完" in cli.zh("verify", str(cut)).out
        assert cli("verify", str(cut), "--json").json[0]["broken_off"] is True
    for kept in (len(lines), hands[1], 1):
        cut.write_text("".join(lines[:kept]), encoding="utf-8")
        assert "not played to its end" not in cli("verify", str(cut)).out
        assert cli("verify", str(cut), "--json").json[0]["broken_off"] is False


@pytest.mark.parametrize("lang", ["zh", "en"])
def test_replay_tells_the_whole_record(cli: Cli, record: Path, lang: str) -> None:
    ran = cli("replay", str(record), lang=lang)
    assert ran.status == 0
    tricks = sum(event["e"] == "trick" for event in gunzi.Record.load(record).events)
    assert len(re.findall(r"^ ?\d+  [ *]\d", ran.out, re.MULTILINE)) == tricks
    assert "[capture.last_trick]" in ran.out
    if lang == "zh":
        assert_no_english(ran.out)


def test_replay_of_a_seat_shows_nothing_hidden(cli: Cli, record: Path) -> None:
    data = cli("replay", str(record), "--seat", "1", "--json").json
    assert "seed" not in data[0] and all("deck" not in row for row in data)
    text = cli("replay", str(record), "--seat", "1").out
    assert "you" in text and "dealt" in text
    assert cli("replay", str(record), "--seat", "5").status == 2


EVENTS: list[dict[str, object]] = [
    {"e": "exempt", "seat": 1, "kind": "reverse", "by": "tribute.three_big"},
    {"e": "exempt", "seat": 1, "kind": "cancel"},
    {"e": "draw", "card": "LJ", "by": "trump.draw"},
    {"e": "redeal", "why": "jokers", "by": "deal.redeal"},
    {"e": "turn", "seat": 2, "card": "H4"},
    {"e": "tribute", "from": 1, "to": 2, "count": 1},
    {"e": "tribute", "from": 1, "to": 2, "cards": ["BJ"]},
    {"e": "return", "from": 2, "to": 1, "count": 3},
    {"e": "bottom", "shown": False, "dry": True},
    {"e": "take", "seat": 0, "cards": ["H4"]},
    {"e": "bury", "seat": 1, "shown": False},
    {"e": "bury_kings", "seat": 1, "kings": ["BJ"], "picked": ["H4"], "bottom": ["H4", "H5"]},
    {"e": "early", "why": "nothing can change"},
    {"e": "undo", "to": 4, "agreed": [0]},
    {"e": "some-plugin:peek", "seat": 1},
]


@pytest.mark.parametrize("event", EVENTS, ids=lambda event: str(event["e"]))
def test_every_kind_of_event_has_words_in_both_languages(event: dict[str, object]) -> None:
    for you in (None, 0):
        english, chinese = (Narrator(Out(lang, {}), you).tell(event) for lang in ("en", "zh"))
        assert english and chinese and english != chinese or ":" in str(event["e"])


def test_a_foreign_record_without_reasons_is_told(cli: Cli, record: Path) -> None:
    rows = [json.loads(line) for line in record.read_text(encoding="utf-8").splitlines()]
    for row in rows:
        row.pop("by", None)
        row.pop("explain", None)
    record.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    assert "in all" in cli("replay", str(record)).out and "总共" in cli.zh("replay", str(record)).out


def test_replay_of_an_event_that_lacks_something(cli: Cli, record: Path) -> None:
    rows = record.read_text(encoding="utf-8").splitlines()
    row = json.loads(rows[2])
    rows[2] = json.dumps({"e": row["e"], "n": row["n"]})
    record.write_text("\n".join(rows) + "\n", encoding="utf-8")
    for lang in ("zh", "en"):
        ran = cli("replay", str(record), lang=lang)
        assert ran.status == 2 and "bug" not in ran.err and "出错" not in ran.err


GOOD = """
- name: highest-deals
  ask: reveal
  given: {turned: [S5, H9, CT, DK], level: "3"}
  expect: {yuwang: {dealer: 3}, boke: {dealer: 0}}
"""


def test_scenarios_hold_fail_or_cannot_be_asked(cli: Cli, tmp_path: Path) -> None:
    (tmp_path / "good.yaml").write_text(GOOD)
    (tmp_path / "fails.yaml").write_text(GOOD.replace("boke: {dealer: 0}", "boke: {dealer: 1}"))
    (tmp_path / "broken.yaml").write_text(GOOD.replace("turned", "turnd"))
    assert cli("test", "good.yaml").status == 0
    assert "highest-deals" in cli("test", "good.yaml", "-v").out
    assert cli("test", "fails.yaml").status == 1
    assert cli("test", "broken.yaml").status == 2 and cli("test", "none.yaml").status == 2
    assert cli("test", "fails.yaml", "--json").json["failed"] == 1
    assert "不对" in cli.zh("test", "fails.yaml").out


@pytest.mark.parametrize("lang", ["zh", "en"])
def test_simulate_reports_and_records(cli: Cli, tmp_path: Path, lang: str) -> None:
    ran = cli("simulate", "yuwang", "--hands", "6", "--seed", "2", "--record", "sim.jsonl", lang=lang)
    assert ran.status == 0 and "6" in ran.out and not ran.err
    assert cli("verify", "sim.jsonl").status == 0
    first, second = (cli("simulate", "yuwang", "--hands", "6", "--seed", "2", "--json").out for _ in range(2))
    assert first == second and json.loads(first)["hands"] == 6


def test_simulate_to_where_nothing_can_be_written(cli: Cli) -> None:
    ran = cli("simulate", "yuwang", "--hands", "2", "--record", "missing/x.jsonl")
    assert ran.status == 2 and "missing" in ran.err


@pytest.mark.parametrize("lang", ["zh", "en"])
def test_diff_reports_where_rule_sets_part(cli: Cli, lang: str) -> None:
    ran = cli("diff", "yuwang", "chayuan", "--hands", "20", "--seed", "1", "--jobs", "1", lang=lang)
    assert ran.status == 0 and "yuwang" in ran.out and "20" in ran.out
    data = cli("diff", "yuwang", "chayuan", "--hands", "20", "--seed", "1", "--jobs", "1", "--json").json
    assert data["rule_sets"] == ["yuwang", "chayuan"]


@pytest.mark.parametrize(
    "words",
    [("simulate", "yuwang", "--jobs", "1"), ("diff", "yuwang", "boke", "--jobs", "1")],
    ids=["simulate", "diff"],
)
def test_an_interrupted_run_reports_what_was_finished(
    cli: Cli, monkeypatch: pytest.MonkeyPatch, words: tuple[str, ...]
) -> None:
    def interrupt(bar: Progress, done: int, total: int | None = None) -> None:
        if done:
            raise KeyboardInterrupt

    monkeypatch.setattr(Progress, "update", interrupt)
    ran = cli(*words, "--hands", "100000")
    assert ran.status == 130 and "interrupted" in ran.err and "99% interval" in ran.out
    data = cli(*words, "--hands", "100000", "--json")
    assert data.status == 130 and data.json["interrupted"] is True


# -- whole processes -------------------------------------------------------------------------------------------


def gunzi_process(*words: str, **more: object) -> subprocess.CompletedProcess[bytes]:
    environ = {**os.environ, "LC_ALL": "C.UTF-8", **more.pop("environ", {})}  # type: ignore[dict-item]
    command = [sys.executable, "-c", "import sys; from gunzi.apps.cli import main; sys.exit(main())", *words]
    return subprocess.run(command, capture_output=True, timeout=60, env=environ, **more)  # type: ignore[call-overload,no-any-return]


def test_a_reader_that_leaves_early_makes_no_noise() -> None:
    command = f"{sys.executable} -c 'import sys; from gunzi.apps.cli import main; sys.exit(main())' show yuwang --origin | head -1"
    ran = subprocess.run(["sh", "-c", command], capture_output=True, timeout=60)
    assert ran.stdout.startswith(b"yuwang") and ran.stderr == b""


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="needs /dev/full")
def test_a_full_disk_is_told() -> None:
    with open("/dev/full", "wb") as full:
        command = [sys.executable, "-c", "import sys; from gunzi.apps.cli import main; sys.exit(main())", "presets"]
        ran = subprocess.run(
            command, stdout=full, stderr=subprocess.PIPE, timeout=60, env={**os.environ, "LC_ALL": "C.UTF-8"}
        )
    assert ran.returncode == 2 and b"Traceback" not in ran.stderr and b"No space left" in ran.stderr


def test_odd_encodings_do_not_break_the_output() -> None:
    for encoding in ("ascii", "gbk", "latin-1"):
        ran = gunzi_process("presets", "--lang", "zh", environ={"PYTHONIOENCODING": encoding})
        assert ran.returncode == 0 and ran.stderr == b""
        ran = gunzi_process("presets", "--json", environ={"PYTHONIOENCODING": encoding})
        assert len(json.loads(ran.stdout.decode(encoding))) == 6


def test_the_locale_speaks_in_a_whole_process() -> None:
    assert (
        "打滚子"
        in gunzi_process("--help", environ={"LC_ALL": "zh_CN.UTF-8", "PYTHONIOENCODING": "utf-8"}).stdout.decode()
    )
    assert gunzi_process("nothing").returncode == 2


def started(*words: str, **more: Any) -> subprocess.Popen[bytes]:
    """A command that says so once everything is imported."""
    code = "import sys; from gunzi.apps.cli import main; print('here', flush=True); sys.exit(main())"
    process = subprocess.Popen(
        [sys.executable, "-c", code, *words], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
        env={**os.environ, "LC_ALL": "C.UTF-8"}, **more,
    )  # fmt: skip
    RUNNING.append(process)
    wait_for(process, b"here\n")
    return process


RUNNING: list[subprocess.Popen[bytes]] = []


@pytest.fixture(autouse=True)
def nothing_left_running() -> Iterator[None]:
    """What a test has started ends with it, also where the test fails."""
    yield
    while RUNNING:
        process = RUNNING.pop()
        if process.poll() is None:
            process.kill()
            process.communicate()


def when_kept(process: subprocess.Popen[bytes], path: Path) -> None:
    """Wait until a long run has kept a first block of hands; fails when that has not come within a minute."""
    end = time.monotonic() + 60
    while not path.exists() or path.read_bytes().count(b"\n") < 2:
        assert process.poll() is None and time.monotonic() < end, process.communicate()
        time.sleep(0.02)


def wait_for(process: subprocess.Popen[bytes], text: bytes) -> None:
    """Reads the output up to a text; fails when that has not come within a minute."""
    assert process.stdout is not None
    seen = b""
    killer = Timer(60, process.kill)
    killer.start()
    try:
        while text not in seen:
            more = process.stdout.read1()  # type: ignore[attr-defined]
            assert more, f"ended, or killed after a minute, without {text!r}: {seen!r}"
            seen += more
    finally:
        killer.cancel()


LONG = ("--hands", "1000000", "--seed", "1", "--fast", "off")
"""A run that does not end by itself while a test looks."""


def test_ctrl_c_in_a_game_saves_it(tmp_path: Path) -> None:
    process = started("play", "yuwang", "--seed", "7", "--file", "g.jsonl", cwd=tmp_path)
    wait_for(process, b"\n> ")
    process.send_signal(signal.SIGTERM)
    _, err = process.communicate(timeout=30)
    assert process.returncode == 130 and b"--continue g.jsonl" in err and b"Traceback" not in err
    assert gunzi.verify(gunzi.Record.load(tmp_path / "g.jsonl")).events


@pytest.mark.parametrize(
    "words", [("simulate", "yuwang"), ("diff", "yuwang", "boke", "--jobs", "2")], ids=["simulate", "diff"]
)
def test_ctrl_c_in_a_long_run_leaves_a_report(words: tuple[str, ...], tmp_path: Path) -> None:
    process = started(*words, *LONG, "--resume", str(tmp_path / "kept"), start_new_session=True)
    when_kept(process, tmp_path / "kept")
    os.killpg(process.pid, signal.SIGINT)
    out, err = process.communicate(timeout=60)
    assert process.returncode == 130, err
    assert b"99% interval" in out and b"Traceback" not in err


@pytest.mark.parametrize(
    "words", [("simulate", "yuwang"), ("diff", "yuwang", "boke", "--jobs", "2")], ids=["simulate", "diff"]
)
@pytest.mark.parametrize("name", ["SIGTERM", "SIGHUP"])
def test_a_request_to_end_a_long_run_leaves_a_report(name: str, words: tuple[str, ...], tmp_path: Path) -> None:
    process = started(*words, *LONG, "--resume", str(tmp_path / "kept"), start_new_session=True)
    when_kept(process, tmp_path / "kept")
    process.send_signal(getattr(signal, name))  # to the process that reports alone, as ``kill`` does
    out, err = process.communicate(timeout=60)  # the workers hold its output open: it ends when they have ended
    assert process.returncode == 130, err
    assert b"99% interval" in out and b"Traceback" not in err


@pytest.mark.skipif(not hasattr(signal, "SIGKILL"), reason="this system has no SIGKILL")
def test_no_worker_outlives_a_killed_run(tmp_path: Path) -> None:
    kept = tmp_path / "kept"
    process = started("diff", "yuwang", "boke", "--jobs", "2", *LONG, "--resume", str(kept), start_new_session=True)
    when_kept(process, kept)
    process.kill()
    process.communicate(timeout=30)
    assert process.returncode == -signal.SIGKILL
