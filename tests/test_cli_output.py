"""What is printed lines up, wraps, and keeps to what the terminal can show."""

from __future__ import annotations

import io
from itertools import count

import pytest

from gunzi.apps.cli import lang, main, progress, typed
from gunzi.apps.cli.output import Out, columns, pad, wrap, write
from gunzi.errors import CardError


@pytest.mark.parametrize(
    ("text", "width"),
    [("abc", 3), ("打滚子", 6), ("♠3", 2), ("\x1b[1m打\x1b[0m", 2), ("", 0), ("e\u0301", 1), ("（A）", 5)],
)
def test_columns_counts_wide_characters_twice_and_colours_not_at_all(text: str, width: int) -> None:
    assert columns(text) == width


def test_pad_lines_up_chinese_and_latin() -> None:
    assert columns(pad("干锅", 8)) == columns(pad("dry pot", 8)) == 8
    assert pad("7", 3, right=True) == "  7"


@pytest.mark.parametrize("width", [10, 17, 40])
def test_wrapped_lines_fit_and_lose_nothing(width: int) -> None:
    text = "死棒：打棒必须出棒，没有就给两个单张；a pair must be answered with a pair. 打滚子必须出滚子。"
    rows = wrap(text, width)
    assert all(columns(row) <= width + 2 for row in rows)
    assert "".join("".join(rows).split()) == "".join(text.split())
    assert not any(row[0] in "，。；：" for row in rows)


def test_the_last_column_of_a_table_wraps_under_itself(capsys: pytest.CaptureFixture[str]) -> None:
    out = Out("en", {})
    out.width = 40
    out.table([("a", "one two three four five six seven eight nine"), ("bb", "x")], ("k", "text"))
    rows = capsys.readouterr().out.splitlines()
    assert rows[1].startswith("a   one two") and rows[2].startswith("    ") and len(rows) == 4


def test_a_pipe_gets_plain_text(capsys: pytest.CaptureFixture[str]) -> None:
    out = Out("zh", {"TERM": "xterm"})
    assert not out.colour and not out.signs
    assert out.card("HT") == "HT" and out.style("x", "red") == "x" and out.suit("S") == "黑桃"


class Terminal(io.StringIO):
    """A terminal that can show everything."""

    encoding = "utf-8"

    def isatty(self) -> bool:
        return True


@pytest.mark.parametrize(
    ("environ", "colour", "signs"),
    [
        ({"TERM": "xterm"}, True, True),
        ({"TERM": "xterm", "NO_COLOR": "1"}, False, True),
        ({"TERM": "dumb"}, False, False),
        ({}, False, False),
    ],
)
def test_colour_and_suit_symbols_only_where_the_terminal_can(
    environ: dict[str, str], colour: bool, signs: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sys.stdout", Terminal())
    out = Out("zh", environ)
    assert (out.colour, out.signs) == (colour, signs)
    if signs:
        assert "♥10" in out.card("HT") and "大王" in out.card("BJ")
    if colour:
        assert "\x1b[" in out.card("HT")


def test_an_encoding_without_suit_symbols_gets_letters(monkeypatch: pytest.MonkeyPatch) -> None:
    terminal = Terminal()
    terminal.encoding = "ascii"
    monkeypatch.setattr("sys.stdout", terminal)
    assert (
        Out("en", {"TERM": "xterm"}).card("HT").endswith("HT\x1b[0m") or Out("en", {"TERM": "xterm"}).card("HT") == "HT"
    )


def test_what_a_stream_cannot_write_becomes_question_marks() -> None:
    raw = io.BytesIO()
    stream = io.TextIOWrapper(raw, encoding="ascii")
    write(stream, "打 S3")
    stream.flush()
    assert raw.getvalue() == b"? S3"


def test_progress_is_drawn_on_a_terminal_only(monkeypatch: pytest.MonkeyPatch) -> None:
    for stream, drawn in ((Terminal(), True), (io.StringIO(), False)):
        monkeypatch.setattr("sys.stderr", stream)
        times = iter([100.0, 100.0, 104.0])
        with progress.Progress(Out("en", {}), "playing", 3_000_000, each=" hands", clock=lambda: next(times)) as bar:  # noqa: B023
            bar.update(400_000)  # what an earlier run has done is no work of this one
            bar.update(440_000)
        text = stream.getvalue()
        assert ("440000/3000000 10,000 hands/s 4:16 left" in text) is drawn


def test_how_long_it_took_is_said_on_a_terminal_only(monkeypatch: pytest.MonkeyPatch) -> None:
    for stream, said in ((Terminal(), "took 1.5 s\n"), (io.StringIO(), "")):
        monkeypatch.setattr("sys.stderr", stream)
        progress.tell_seconds(1.5, Out("en", {}))
        assert stream.getvalue() == said


@pytest.mark.parametrize(
    "command",
    [
        ["simulate", "yuwang", "--hands", "3"],
        ["diff", "yuwang", "boke", "--hands", "2"],
        ["sweep", "yuwang", "follow.shapes", "--hands", "2"],
        ["match", "random", "random", "yuwang", "--pairs", "2"],
    ],
)
def test_the_same_command_prints_the_same_however_long_it_takes(
    command: list[str], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    printed = []
    for step in (0.5, 7.25):
        ticks = count(0.0, step)
        monkeypatch.setattr("time.perf_counter", lambda ticks=ticks: next(ticks))
        assert main([*command, "--lang", "en"]) == 0
        printed.append(capsys.readouterr().out)
    assert printed[0] == printed[1] and "seed 1" in printed[0]


def test_the_rate_is_that_of_the_last_minute(monkeypatch: pytest.MonkeyPatch) -> None:
    stream = Terminal()
    monkeypatch.setattr("sys.stderr", stream)
    now = 0.0
    with progress.Progress(Out("zh", {}), "打牌", 100_000, each="把", clock=lambda: now) as bar:
        for _ in range(100):
            now += 10
            bar.update(bar.done + (10 if now < 900 else 1))
        last = stream.getvalue().rpartition("\r打牌")[2]
        assert "0.1 把/秒" in last and "还要 11 天" in last


@pytest.mark.parametrize(
    ("environ", "spoken"),
    [
        ({"LANG": "zh_CN.UTF-8"}, "zh"),
        ({"LC_ALL": "en_US.UTF-8", "LANG": "zh_CN.UTF-8"}, "en"),
        ({"LC_ALL": "", "LC_MESSAGES": "zh_TW", "LANG": "C"}, "zh"),
        ({"LANG": "C"}, "en"),
    ],
)
def test_the_locale_chooses_the_language(environ: dict[str, str], spoken: str) -> None:
    assert lang.of_locale(environ) == spoken


@pytest.mark.parametrize(
    ("words", "asked"),
    [
        (["show", "--lang", "zh"], "zh"),
        (["--lang=en"], "en"),
        (["show"], None),
        (["--", "--lang", "zh"], None),
        (["--lang", "fr"], None),
    ],
)
def test_the_arguments_choose_the_language(words: list[str], asked: str | None) -> None:
    assert lang.asked_for(words) == asked


@pytest.mark.parametrize(
    ("text", "cards"),
    [
        ("h8 h8", "H8 H8"),
        ("H8H8", "H8 H8"),
        ("8h,8H", "H8 H8"),
        ("红桃8，方块10", "H8 DT"),
        ("大王 小王 BJ lj", "BJ LJ BJ LJ"),
        ("♠10 sT 黑桃十", "ST ST ST"),
        ("h8*3", "H8 H8 H8"),
        ("h8x2 ca", "H8 H8 CA"),
        ("1 3", "BJ S3"),
        ("2 h10", "BJ HT"),
        ("ｈ８", "H8"),
        ("10h 2", "HT BJ"),
        ("梅花a草花A", "CA CA"),
    ],
)
def test_cards_are_understood_as_people_type_them(text: str, cards: str) -> None:
    shown = typed.cards_of("BJ BJ S3")
    assert " ".join(typed.cards_of(text, shown)) == cards


@pytest.mark.parametrize(
    ("text", "named"),
    [
        ("h8 x9", "x9"),
        ("4", "4"),
        ("0", "0"),
        ("1 1", "1"),
        ("h1", "h1"),
        ("红桃", "红桃"),
        ("h8*9", "*9"),
        ("99999", "99999"),
    ],
)
def test_what_is_no_card_is_quoted(text: str, named: str) -> None:
    with pytest.raises(CardError, match=f"^{named.replace('*', '.')} is no card$"):
        typed.cards_of(text, typed.cards_of("BJ BJ S3"))


def test_words_are_understood_in_both_languages() -> None:
    assert typed.command_of(" 提示 ") == typed.command_of("HINT") == "hint"
    assert typed.command_of("h8") is None
    assert typed.suit_of("红桃") == typed.suit_of("h") == typed.suit_of("Hearts") == "H"
