"""Options: what they take, how they refuse, and that their schemas agree with them."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from jsonschema import Draft202012Validator

from gunzi.errors import Text
from gunzi.options import (
    BadValue,
    Choice,
    Flag,
    KingCounts,
    Names,
    Number,
    Option,
    Rank,
    RankPoints,
    Ranks,
    Schema,
    Titles,
    closest,
)

NAME, DOC = Text("名", "name"), Text("说明", "what it decides")

CHOICE = Choice("reveal.pick", NAME, DOC, {"min": Text("最小", "lowest"), "max": Text("最大", "highest")}, clause="3.1")
FLAG = Flag("endings.sweep", NAME, DOC, Text("有", "yes it is"), Text("没有", "no it is not"))
NUMBER = Number("levels.threshold", NAME, DOC, 5, 300, step=5, unit=Text("分", "points"))
COUNT = Number("capture.multiplier", NAME, DOC, 1, 8)
RANK = Rank("levels.start", NAME, DOC)
RANKS = Ranks("levels.must_play", NAME, DOC)
ORDERED = Ranks("trump.permanent", NAME, DOC, most=2, ordered=True)
POINTS = RankPoints("points", NAME, DOC)
KINGS = KingCounts("tribute.kings", NAME, DOC)
TITLES = Titles("titles", NAME, DOC)
NAMES = Names("phases", NAME, DOC)
SCHEMA = Schema("plugin.own", NAME, DOC, {"type": "object", "required": ["a"]})
ALL: list[Option] = [CHOICE, FLAG, NUMBER, COUNT, RANK, RANKS, ORDERED, POINTS, KINGS, TITLES, NAMES, SCHEMA]

GOOD: list[tuple[Option, Any, Any]] = [
    (CHOICE, "max", "max"),
    (FLAG, True, True),
    (FLAG, False, False),
    (NUMBER, 120, 120),
    (COUNT, 8, 8),
    (RANK, 10, 10),
    (RANK, "10", 10),
    (RANK, "T", 10),
    (RANK, "k", 13),
    (RANK, "12", 12),
    (RANKS, [10, "3"], [3, 10]),
    (RANKS, [], []),
    (ORDERED, ["A", 2], [14, 2]),
    (POINTS, {"K": 10, 5: 5, "T": 10, "A": 0}, {"5": 5, "10": 10, "K": 10}),
    (POINTS, {}, {}),
    (KINGS, {"small": 1, "big": 2}, {"big": 2, "small": 1}),
    (TITLES, [[5, " 穿鞋 "], [0, "赤脚"]], [[0, "赤脚"], [5, "穿鞋"]]),
    (TITLES, [], []),
    (NAMES, ["deal", "play"], ["deal", "play"]),
    (SCHEMA, {"a": 1}, {"a": 1}),
]

REFUSED: list[tuple[Option, list[Any]]] = [
    (CHOICE, ["Max", "", None, 1, True, ["min"]]),
    (FLAG, ["yes", "off", "true", 1, 0, None, "maybe"]),
    (NUMBER, [0, 305, 122, 120.0, True, "120", None, float("nan")]),
    (COUNT, [0, 9, True]),
    (RANK, [1, 15, "joker", True, None, 3.0, [3]]),
    (RANKS, ["3", 3, None, {}, [3, 3], [3, "3"], [1], [[3]], [True]]),
    (ORDERED, [[2, 3, 4], [2, 2]]),
    (POINTS, [[], None, "5", {5: 3}, {5: 105}, {5: -5}, {5: True}, {5: "5"}, {"X": 5}, {"10": 10, "T": 10}]),
    (KINGS, [None, 2, {}, {"big": 2}, {"big": 2, "small": 10}, {"big": True, "small": 1}, ["big", "small"]]),
    (KINGS, [{"big": 2, "small": 1, "bigg": 1}, {"big": -1, "small": 1}]),
    (TITLES, [None, "x", {}, ["a"], [[0]], [[0, ""]], [["0", "a"]], [[-1, "a"]], [[True, "a"]], [[0, 1]]]),
    (TITLES, [[[0, "a", "b"]], [[0, "a" * 41]], [[10**10, "a"]]]),
    (NAMES, [None, "deal", [], [1], [""], ["deal", "deal"], ["x" * 81], [None]]),
    (SCHEMA, [None, {}, []]),
]
BAD = [(option, value) for option, values in REFUSED for value in values]


@pytest.mark.parametrize(("option", "value", "canonical"), GOOD)
def test_values_have_one_canonical_form(option: Option, value: Any, canonical: Any) -> None:
    parsed = option.parse(value)
    assert parsed == canonical and type(parsed) is type(canonical)
    assert option.parse(parsed) == parsed


@pytest.mark.parametrize(("option", "value"), BAD)
def test_other_values_are_refused_in_both_languages(option: Option, value: Any) -> None:
    with pytest.raises(BadValue) as refused:
        option.parse(value)
    assert refused.value.text.zh and refused.value.text.en
    assert str(refused.value) == refused.value.text.en


def plain(value: Any) -> Any:
    """A value as JSON has it: map keys are texts."""
    return {str(key): plain(item) for key, item in value.items()} if isinstance(value, dict) else value


@pytest.mark.parametrize("option", ALL, ids=str)
def test_the_schema_is_a_schema(option: Option) -> None:
    Draft202012Validator.check_schema(option.schema())


@pytest.mark.parametrize(("option", "value"), [(option, value) for option, value, _ in GOOD])
def test_the_schema_accepts_what_the_option_takes(option: Option, value: Any) -> None:
    assert Draft202012Validator(option.schema()).is_valid(plain(value))


TOO_FINE_FOR_A_SCHEMA = [
    (NUMBER, 120.0),
    (NUMBER, float("nan")),
    (RANK, 3.0),
    (RANKS, [3, "3"]),
    (POINTS, {"10": 10, "T": 10}),
]
"""A schema has no way to tell 3.0 from 3, or that 3 and "3" are one rank."""


@pytest.mark.parametrize(("option", "value"), [bad for bad in BAD if bad not in TOO_FINE_FOR_A_SCHEMA])
def test_the_schema_refuses_what_the_option_refuses(option: Option, value: Any) -> None:
    assert not Draft202012Validator(option.schema()).is_valid(plain(value))


@pytest.mark.parametrize("option", ALL, ids=str)
def test_examples_are_canonical_and_survive_being_shown_and_read(option: Option) -> None:
    for value in option.examples():
        assert option.parse(value) == value
        assert option.read(option.show(value)) == value
        text = option.value_text(value)
        assert text.zh and text.en


@given(st.text(max_size=30))
def test_text_from_a_command_line_is_read_or_refused(text: str) -> None:
    for option in ALL:
        try:
            value = option.read(text)
        except BadValue:
            continue
        assert option.parse(value) == value


@pytest.mark.parametrize(
    ("option", "text", "value"),
    [
        (CHOICE, "max", "max"),
        (FLAG, "true", True),
        (NUMBER, "120", 120),
        (RANK, "K", 13),
        (RANKS, "[3, 10]", [3, 10]),
        (RANKS, "3,10", [3, 10]),
        (RANKS, "[]", []),
        (POINTS, "{5: 5, 10: 10, K: 10}", {"5": 5, "10": 10, "K": 10}),
        (POINTS, "K:10", {"K": 10}),
        (KINGS, "{big: 2, small: 1}", {"big": 2, "small": 1}),
        (TITLES, "[[0, 赤脚], [5, 穿鞋]]", [[0, "赤脚"], [5, "穿鞋"]]),
        (NAMES, "deal,play", ["deal", "play"]),
        (SCHEMA, '{"a": [1]}', {"a": [1]}),
    ],
)
def test_values_are_read_from_a_command_line(option: Option, text: str, value: Any) -> None:
    assert option.read(text) == value


@pytest.mark.parametrize(
    ("option", "value", "suggestion"),
    [
        (CHOICE, "maxx", "max"),
        (FLAG, "yes", "true"),
        (FLAG, "off", "false"),
        (FLAG, "True", "true"),
        (KINGS, {"big": 2, "smal": 1}, "small"),
    ],
)
def test_a_near_miss_is_met_with_a_suggestion(option: Option, value: Any, suggestion: str) -> None:
    with pytest.raises(BadValue) as refused:
        option.parse(value)
    assert refused.value.suggestion == suggestion
    assert refused.value.allowed


@pytest.mark.parametrize(
    ("option", "value", "path"),
    [
        (RANKS, [3, "x"], (1,)),
        (POINTS, {"5": 5, "K": 7}, ("K",)),
        (KINGS, {"big": 2, "small": 11}, ("small",)),
        (TITLES, [[0, "a"], [0, "b"]], (1,)),
        (NAMES, ["deal", "deal"], (1,)),
        (SCHEMA, [], ()),
    ],
)
def test_a_refusal_leads_to_the_part_that_is_wrong(option: Option, value: Any, path: tuple[Any, ...]) -> None:
    with pytest.raises(BadValue) as refused:
        option.parse(value)
    assert refused.value.path == path
    assert refused.value.under("group").path == ("group", *path)


def test_a_wrong_number_is_told_its_range_and_step() -> None:
    with pytest.raises(BadValue, match="5 to 300, a multiple of 5") as refused:
        NUMBER.parse(122)
    assert refused.value.allowed == "5..300"
    assert "倍数" in refused.value.text.zh


def test_named_values_say_what_they_mean() -> None:
    assert CHOICE.value_text("max") == Text("最大", "highest")
    assert set(CHOICE.values()) == {"min", "max"}
    assert FLAG.value_text(False).zh == "没有"
    assert set(FLAG.values()) == {"true", "false"}
    assert NUMBER.value_text(120) == Text("120分", "120 points")
    assert COUNT.value_text(2) == Text("2", "2")
    assert KINGS.value_text({"big": 2, "small": 1}).zh == "大王 2，小王 1"
    assert NUMBER.values() == {} and RANK.value_text(13) == Text("K", "K")


def test_an_option_knows_its_clause_and_its_former_names() -> None:
    old = Choice("reveal.pick", NAME, DOC, {"min": NAME}, clause="3.1", renamed_from=("reveal.which",))
    assert (old.clause, old.renamed_from) == ("3.1", ("reveal.which",))
    assert repr(old) == "Choice('reveal.pick')"


def test_the_closest_word_is_guessed_or_none() -> None:
    assert closest("strikt", ["strict", "loose"]) == "strict"
    assert closest("zzz", ["strict", "loose"]) == ""
