"""How problems are shown: as text with a caret, as JSON, for GitHub."""

from __future__ import annotations

import json

import gunzi
from gunzi.loading import check_text
from gunzi.problems import Problem, format_problems

HEAD = "gunzi: 1\nid: my-house\n"


def problems(text: str) -> list[Problem]:
    return check_text(HEAD + text, "my.yaml")


def test_a_problem_as_text_has_line_caret_and_what_is_allowed() -> None:
    assert format_problems(problems("名字: 1\nreveal: {pik: max}\n")[1:], "text", "en") == (
        "my.yaml:4:10: error[unknown-option]: reveal has no option pik (did you mean pick?)\n"
        "    reveal: {pik: max}\n"
        "             ^^^\n"
        "    allowed: pick, order, jokers"
    )


def test_a_caret_stands_under_wide_characters() -> None:
    shown = format_problems(problems("name: {我家: x}\n"), "text", "zh").split("\n")
    assert shown[0] == "my.yaml:3:8: 错误[unknown-key]: name 里没有 我家"
    assert shown[2] == "           ^^^^"


def test_problems_as_json_carry_both_languages() -> None:
    (row,) = json.loads(format_problems(problems("reveal: {pik: max}\n"), "json"))
    assert row["code"] == "unknown-option"
    assert (row["path"], row["line"], row["col"], row["severity"]) == ("my.yaml", 3, 10, "error")
    assert "pick" in row["zh"]
    assert "pick" in row["en"]


def test_problems_for_github_are_escaped() -> None:
    problem = Problem("a-code", gunzi.Text("坏\n了", "50% bad\nhere"), path="a,b:c.yaml", line=3, col=2)
    assert format_problems([problem], "github") == (
        "::error file=a%2Cb%3Ac.yaml,line=3,col=2,title=a-code::50%25 bad%0Ahere"
    )


def test_a_long_line_is_shown_around_the_place() -> None:
    text = format_problems(problems("reveal: {" + "pick: max, " * 40 + "pik: 1}\n"), "text")
    assert max(map(len, text.split("\n"))) < 200
