"""Reading YAML: positions, strict values, and everything that other readers let pass."""

from __future__ import annotations

import random
import time

import pytest
import yaml

from gunzi import source as source_module
from gunzi.problems import format_problems
from gunzi.source import MAX_BYTES, MAX_DEPTH, MAX_NODES, MapNode, Scalar, full_width, misread, read, resolve


@pytest.fixture(autouse=True, params=["libyaml", "python"])
def parser(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Both of yaml's parsers: libyaml's, and the one used where libyaml is missing."""
    if request.param == "python":
        monkeypatch.setattr(source_module, "_PARSER", yaml.BaseLoader)
    elif not yaml.__with_libyaml__:
        pytest.skip("yaml was built without libyaml")


def codes(text: str | bytes) -> list[str]:
    return [problem.code for problem in read(text, "a.yaml").problems]


def data(text: str | bytes) -> object:
    source = read(text, "a.yaml")
    assert source.problems == []
    assert source.root is not None
    return source.root.plain()


def test_content_comes_out_as_plain_data_with_text_keys() -> None:
    assert data("a: 1\nb: [x, true, ~, null, -3]\n10: {c: 'true'}\n") == {
        "a": 1,
        "b": ["x", True, None, None, -3],
        "10": {"c": "true"},
    }


def test_every_node_knows_where_it_stands() -> None:
    source = read("名字: 一\nb:\n  - [x, 'yy']\n", "a.yaml")
    root = source.root
    assert isinstance(root, MapNode)
    key, value = root.entries["名字"]
    assert (key.line, key.col, key.end_col, value.line, value.col) == (1, 1, 3, 1, 5)
    inner = root.entries["b"][1].items[0].items[1]  # type: ignore[attr-defined]
    assert (inner.line, inner.col, inner.end_line, inner.end_col) == (3, 9, 3, 13)


@pytest.mark.parametrize(
    "word", ["no", "off", "yes", "on", "True", "FALSE", "010", "1:30", "1.10", ".nan", ".inf", "1e3", "120.0", "0x1f", "1_000", "+5", "Null", "１２"]
)  # fmt: skip
def test_words_other_readers_change_stay_text(word: str) -> None:
    assert resolve(word) == word


@pytest.mark.parametrize(
    ("word", "hint"),
    [
        ("no", "`no` is text here: write true or false"),
        ("120.0", "`120.0` is text here: write the whole number as 120"),
        ("010", "`010` is text here: write the whole number as 10"),
        (".nan", "`.nan` is text here: numbers are plain decimal integers"),
        ("1:30", "`1:30` is text here: numbers are plain decimal integers"),
    ],
)
def test_the_reader_can_say_what_happened_to_such_a_word(word: str, hint: str) -> None:
    said = misread(Scalar(1, 1, word, True))
    assert said is not None
    assert said.en == hint
    assert misread(Scalar(1, 1, word, False)) is None


@pytest.mark.parametrize("word", ["max", "side_no_points", "bogus", "大连", "x" * 50])
def test_ordinary_words_are_not_explained(word: str) -> None:
    assert misread(Scalar(1, 1, word, True)) is None


def test_duplicate_keys_are_refused_naming_both_lines() -> None:
    (problem,) = read("a: 1\nb: 2\na: 3\n", "a.yaml").problems
    assert (problem.code, problem.line, problem.col) == ("duplicate-key", 3, 1)
    assert problem.text.en == "a is written twice: on line 1 and on line 3"
    assert codes("x: {5: 5, '5': 10}") == ["duplicate-key"]


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("", "empty-file"),
        ("# only a comment\n", "empty-file"),
        ("~", "empty-file"),
        ("a: 1\n---\nb: 2\n", "many-documents"),
        ("%YAML 1.1\n---\na: 1\n", "directive"),
        ("a: !!int 1\n", "tag"),
        ("a: !mine {b: 1}\n", "tag"),
        ("a: &x {b: 1}\nc:\n  <<: *x\n", "merge-key"),
        ("a: &x [*x]\n", "alias-cycle"),
        ("a: &x {b: *x}\n", "alias-cycle"),
        ("a: *nobody\n", "alias-unknown"),
        ("? [a, b]\n: 1\n", "key-not-text"),
        ("?\n: 1\n", "key-not-text"),
        ("a: 'open\n", "yaml-syntax"),
        ("a: [1, 2\n", "yaml-syntax"),
        ("a: {b: 1\n", "yaml-syntax"),
        ("\ta: 1\n", "yaml-syntax"),
        ("a: b: c\n", "yaml-syntax"),
        ("a:1\nb: 2\n", "colon-space"),
        ("a: 1\nb:2\n", "colon-space"),
        ("a: ]\n", "yaml-syntax"),
        ("a: &\n", "yaml-syntax"),
        ("a: > x\n", "yaml-syntax"),
        ("{a: 1}}\n", "yaml-syntax"),
        ('a: "\\q"\n', "yaml-syntax"),
        ("a: @b\n", "yaml-syntax"),
        ("a\x00: 1\n", "yaml-syntax"),
        ("a: \ud800\n", "encoding"),
        ("reveal：\n  pick: max\n", "full-width"),
        ("reveal：{pick: max}\n", "full-width"),
        ("name：{zh: 我家, en: x}\n", "full-width"),
        ("[" * 10_000, "too-deep"),
        ("{a: " * 10_000, "too-deep"),
        ("- " * 10_000, "too-deep"),
        ("[" + "1," * (MAX_NODES + 1) + "]", "too-many"),
        (" " * (MAX_BYTES + 1), "too-large"),
    ],
    ids=lambda text: text[:20],
)
def test_what_is_refused(text: str, code: str) -> None:
    assert code in codes(text)


def test_an_alias_bomb_of_300_bytes_is_refused_at_once() -> None:
    bomb = "a: &a [1,1,1,1,1,1,1,1,1]\n" + "".join(
        f"{chr(98 + n)}: &{chr(98 + n)} [{','.join(['*' + chr(97 + n)] * 9)}]\n" for n in range(8)
    )
    begun = time.process_time()
    assert codes(bomb) == ["too-many"]
    assert time.process_time() - begun < 5


def test_aliases_work_within_the_limits() -> None:
    assert data("a: &x {b: [1]}\nc: *x\n") == {"a": {"b": [1]}, "c": {"b": [1]}}
    deep = "a: &x " + "[" * (MAX_DEPTH - 10) + "1" + "]" * (MAX_DEPTH - 10)
    assert codes(f"{deep}\nb: {'[' * 20}*x{']' * 20}\n") == ["too-deep"]


def test_a_byte_order_mark_is_no_content() -> None:
    assert data(b"\xef\xbb\xbfa: 1\n") == {"a": 1}


@pytest.mark.parametrize(
    ("content", "named", "place"),
    [
        ("a: 1\nb: 你好\n".encode("gbk"), "GBK", (2, 4)),
        ("a: 1\n".encode("utf-16"), "UTF-16", (1, 1)),
        (b"a: \xff\xff\n", "nor GBK", (1, 4)),
    ],
)
def test_other_encodings_are_named(content: bytes, named: str, place: tuple[int, int]) -> None:
    (problem,) = read(content, "a.yaml").problems
    assert (problem.code, problem.line, problem.col) == ("encoding", *place)
    assert named in problem.text.en
    assert "UTF-8" in problem.text.zh


def test_a_full_width_colon_is_pointed_at() -> None:
    (problem,) = [p for p in read("gunzi: 1\nreveal：{pick: max}\n", "a.yaml").problems if p.code == "full-width"]
    assert (problem.line, problem.col, problem.suggestion) == (2, 7, "reveal:")
    assert full_width("pick：max，x") == "pick: max, x"
    assert full_width("plain") == ""


def test_a_quotation_left_open_is_shown_where_it_begins() -> None:
    (problem,) = read("a: 1\nb: 'open\nc: 2\n", "a.yaml").problems
    assert (problem.line, problem.col) == (2, 4)


def test_every_syntax_error_is_said_in_plain_words() -> None:
    for text in ("a: 'open\n", "a: [1\n", "a: {b: 1\n", "\ta: 1\n", "a: b: c\n", "a: @b\n", "a\x00: 1\n", "a: ]\n", "a: &\n",
                 "a: > x\n", "a: \"\\q\"\n", "- a\nb: 1\n", "a: - b\n", "a:\n - b\nc\n"):  # fmt: skip
        (problem,) = read(text, "a.yaml").problems
        assert "this is not YAML" not in problem.text.en, text


def test_lines_are_counted_as_yaml_counts_them() -> None:
    (problem,) = read("a: x\r\nb: y\rc: 1\r\nc: 2\n", "a.yaml").problems
    assert (problem.line, problem.excerpt) == (4, "c: 2")


PIECES = ("&a ", "*a", "[", "]", "{", "}", ": ", "\n", "  ", "- ", "? ", "|", ">", "!", "%", "'", '"', "\t", "：", "\0", "#",
          "<<", "---\n", "010", "no", "~", ",", "@", "\ufeff", "\u2028", "\r", "reveal: {pick: max}\n")  # fmt: skip


def test_no_content_raises_or_hangs() -> None:
    chance = random.Random(20)
    for _ in range(2_000):
        text = "".join(chance.choice(PIECES) * chance.choice((1, 1, 1, 2, 80)) for _ in range(chance.randrange(1, 30)))
        content = bytearray(text.encode())
        for _ in range(chance.randrange(3)):
            content[chance.randrange(len(content))] = chance.randrange(256)
        begun = time.process_time()
        source = read(bytes(content), "a.yaml")
        for lang in ("zh", "en"):
            format_problems(source.problems, "text", lang)
        assert source.root is not None or source.problems
        assert time.process_time() - begun < 10
