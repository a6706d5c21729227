"""Scenario files with something wrong in them: every problem is told with its place, and nothing is asked by mistake."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest
from strangers import install, uninstall

from gunzi import Card, Plugin, RuleSet, Text, hookimpl
from gunzi.apps.scenarios import Report, run_files, run_text
from gunzi.problems import Problem

GOOD = """
- name: good
  ask: dry_pot
  given: {level: 3, trump: S, bottom: [H4, H6, C7, C9, D8, DQ]}
  expect: {all: true}
"""


def problems(text: str) -> tuple[Problem, ...]:
    report = run_text(text, "house.yaml")
    assert report.status == 2
    return report.problems


def only(text: str) -> Problem:
    (problem,) = problems(text)
    return problem


def scenario(old: str, new: str) -> str:
    """The good scenario with one thing changed."""
    assert old in GOOD
    return GOOD.replace(old, new)


def test_the_good_scenario_is_good() -> None:
    assert run_text(GOOD).status == 0


@pytest.mark.parametrize(
    ("old", "new", "where", "code", "said"),
    [
        ("name: good", "name: Good One", "2:9", "bad-name", "did you mean good-one?"),
        ("name: good", "name: ''", "2:9", "bad-value", "a text is wanted"),
        ("name: good", "nam: good", "2:3", "missing-key", "lacks name"),
        ("ask: dry_pot", "ask: dry_pott", "3:8", "unknown-question", "did you mean dry_pot?"),
        ("ask: dry_pot", "aks: dry_pot", "3:3", "unknown-key", "did you mean ask?"),
        ("level: 3, ", "", "4:10", "missing-key", "given lacks level"),
        ("level: 3", "levle: 3", "4:11", "unknown-key", "did you mean level?"),
        ("level: 3", "level: 1", "4:18", "bad-value", "1 is no rank"),
        ("level: 3", "level: 010", "4:18", "bad-value", "write the whole number as 10"),
        ("level: 3", "level: 3.0", "4:18", "bad-value", "write the whole number as 3"),
        ("level: 3", "level: true", "4:18", "bad-value", "is no rank"),
        ("level: 3", "level: ~", "4:18", "bad-value", "is no rank"),
        ("trump: S", "trump: s", "4:28", "bad-value", "did you mean S?"),
        ("trump: S", "trump: spades", "4:28", "bad-value", "is no suit"),
        ("bottom: [H4", "bottom: [4H", "4:40", "bad-card", "4H is no card"),
        ("bottom: [H4", "bottom: [H11", "4:40", "bad-card", "H11 is no card"),
        ("bottom: [H4", "bottom: [~", "4:40", "bad-card", "is no card"),
        ("H4, H6, C7", "H4, H4, H4, H4", "4:39", "bad-card", "more than three H4"),
        ("[H4, H6, C7, C9, D8, DQ]", "H4", "4:39", "bad-value", "a list […] is wanted, not H4"),
        ("DQ]}", "DQ], shown: yes}", "4:72", "bad-value", "write true or false"),
        ("DQ]}", "DQ], shown: 1}", "4:72", "bad-value", "true or false is wanted"),
        ("{all: true}", "{all: yes}", "5:17", "bad-value", "write true or false"),
        ("{all: true}", "{all: null}", "5:17", "bad-value", "true or false is wanted"),
        ("{all: true}", "{all: {dry: true}}", "5:17", "bad-value", "true or false is wanted"),
        ("{all: true}", "{yuwan: true}", "5:12", "unknown-rules", "did you mean yuwang?"),
        ("{all: true}", "{mine.yaml: true}", "5:12", "unknown-rules", "no such file beside this one"),
        ("{all: true}", "{all: true, boke: true}", "5:23", "named-twice", "boke is named twice"),
        ("{all: true}", "{}", "5:11", "bad-value", "expect names no rule set"),
        ("{all: true}", "[all]", "5:12", "expect-form", "is a map"),
        ("{all: true}", "true", "5:11", "bad-value", "is a map"),
        ("  expect: {all: true}", "  expect： {all: true}", "5:9", "full-width", "full-width"),
        ("given: {level", "with: 3\n  given: {level", "4:9", "bad-value", "with is a map"),
        ("given: {level", "with: {follow: strict}\n  given: {level", "4:10", "unknown-option", "follow.shapes"),
        ("given: {level", "with: {follow.shape: strict}\n  given: {level", "4:10", "unknown-option", "follow.shapes"),
        ("given: {level", "with: {follow.shapes: strikt}\n  given: {level", "4:25", "bad-value", "did you mean strict?"),
        ("given: {level", "with: {endings.shutout: no}\n  given: {level", "4:27", "bad-value", "true or false"),
        ("given: {level", "with: {tribute.low: 130}\n  given: {level", "4:10", "bad-with", "must ascend"),
        ("given: {level", "why: [a]\n  given: {level", "4:8", "bad-value", "a text is wanted"),
    ],
)  # fmt: skip
def test_what_is_wrong_is_told_with_its_place(old: str, new: str, where: str, code: str, said: str) -> None:
    found = problems(scenario(old, new))
    hits = [problem for problem in found if problem.code == code and said in problem.message("en") + problem.allowed]
    assert hits, found
    assert f"house.yaml:{where}" in {problem.where for problem in hits}, found
    assert all(problem.message("zh") for problem in found)


@pytest.mark.parametrize(
    ("text", "code", "said"),
    [
        ("", "empty-file", "empty"),
        ("[]", "no-scenarios", "no scenarios"),
        ("name: x", "not-a-list", "is a list"),
        ("- 3", "not-a-map", "key: value"),
        ("- name: [a", "yaml-syntax", "brackets"),
        ("- &a {name: *a}", "alias-cycle", "refers to itself"),
        ("- name: x\n  name: y\n", "duplicate-key", "written twice"),
        ("- !!python/object x", "tag", "tags are not used"),
    ],
)
def test_files_that_are_no_scenario_files(text: str, code: str, said: str) -> None:
    found = problems(text)
    assert any(problem.code == code and said in problem.message("en") for problem in found), found


def test_a_name_is_used_once_in_a_file() -> None:
    problem = only(GOOD + GOOD)
    assert (problem.code, problem.where) == ("duplicate-name", "house.yaml:7:9")
    assert "line 2" in problem.message("en")


def test_an_unknown_question_lists_those_there_are() -> None:
    problem = only(scenario("ask: dry_pot", "ask: nonsense"))
    assert problem.allowed.startswith("first_dealer, reveal, declare")
    assert problem.allowed.endswith("settle, title")


def test_all_problems_of_a_file_are_told_in_order() -> None:
    text = scenario("level: 3, trump: S", "level: 33, trump: X").replace("all: true", "yuwang: maybe, nosuch: true")
    found = problems(text.replace("name: good", "name: Bad"))
    assert [(problem.line, problem.code) for problem in found] == [
        (2, "bad-name"),
        (4, "bad-value"),
        (4, "bad-value"),
        (5, "bad-value"),
        (5, "unknown-rules"),
    ]


def test_a_problem_is_told_once_whatever_the_number_of_rule_sets() -> None:
    assert only(scenario("level: 3", "level: 33")).code == "bad-value"


def test_good_scenarios_beside_a_bad_one_are_asked() -> None:
    report = run_text(scenario("name: good", "name: Bad") + GOOD)
    assert (report.status, report.scenarios, len(report.outcomes)) == (2, 1, 6)
    assert "kept some from being asked" in report.summary("en")
    assert "没法问" in report.summary("zh")


def test_the_text_points_at_the_place() -> None:
    report = run_text(scenario("level: 3", "level: 33"), "house.yaml")
    assert "house.yaml:4:18: error[bad-value]: 33 is no rank" in report.text("en")
    assert "                     ^^\n    allowed: 2-10, J, Q, K, A" in report.text("en")
    assert "错误[bad-value]: 33 不是点数" in report.text("zh")


@pytest.mark.parametrize(
    ("ask", "given", "expect", "said"),
    [
        ("settle", "{dealer: 4, levels: [3], trick_points: -5, captured: false, bottom: [], trump: S}", "{boke: {}}", "a seat is 0 to 3"),
        ("settle", "{dealer: 0, levels: [3], trick_points: 5, captured: false, bottom: [], trump: S}", "{boke: {}}", "2 items are wanted, not 1"),
        ("settle", "{dealer: 0, levels: [3, 3], trick_points: 120.0, captured: false, bottom: [], trump: S}", "{boke: {}}", "write the whole number as 120"),
        ("settle", "{dealer: 0, levels: [3, 3], trick_points: 1, captured: false, bottom: [], trump: S, tribute_paid: {from: 1}}", "{boke: {}}", "tribute_paid lacks to"),
        ("settle", "{dealer: 0, levels: [3, 3], trick_points: 1, captured: false, bottom: [], trump: S}", "{boke: {score: [0, 0, 0, 0]}}", "did you mean scores?"),
        ("settle", "{dealer: 0, levels: [3, 3], trick_points: 1, captured: false, bottom: [], trump: S}", "{boke: {level_up: {sid: 0}}}", "level_up has no key sid"),
        ("tribute_due", "{last: {dealer: 0, points: 5}}", "{boke: {count: 1}}", "last lacks captured"),
        ("tribute_due", "{last: {dealer: 0, points: 5, captured: false, bottom: [], dry: false, trump: S, level: 3}, hands: {4: [BJ]}}", "{boke: {count: 1}}", "a seat is 0 to 3"),
        ("tribute_due", "{last: {dealer: 0, points: 5, captured: false, bottom: [], dry: false, trump: S, level: 3}, hands: [BJ]}", "{boke: {count: 1}}", "a map {seat: …} is wanted"),
        ("declare", "{level: 6, bids: [{seat: 0, card: [S6]}]}", "{boke: {legal: [true]}}", "bid has no key card"),
        ("first_dealer", "{draws: [[0, S4, 1]], claims: []}", "{boke: none}", "2 items are wanted, not 3"),
        ("first_dealer", "{draws: [[0, S4]], claims: []}", "{boke: non}", "did you mean none?"),
        ("first_dealer", "{draws: [[0, S4]]}", "{boke: none}", "given lacks claims"),
        ("lead", "{level: 6, trump: S, hand: [S4], legal: [[S4]]}", "[boke]", "given lacks illegal"),
        ("lead", "{level: 6, trump: S, hand: [S4], legal: [[S4]], illegal: []}", "{boke: true}", "only lists rule sets"),
        ("follow", "{level: 6, trump: S, led: [S4, S6], hand: [S4], legal: [], illegal: []}", "[boke]", "nobody may lead [S4, S6]"),
        ("trick", "{level: 6, trump: S, plays: [[S4], [S6], [S7]]}", "{boke: {winner: 1}}", "4 items are wanted, not 3"),
        ("trick", "{level: 6, trump: S, plays: [[S4], [S6], [S7], [S8, S8]]}", "{boke: {winner: 1}}", "the same number of cards"),
        ("trick", "{level: 6, trump: S, plays: [[], [], [], []]}", "{boke: {winner: 1}}", "nobody may lead []"),
        ("draw_trump", "{bottom: [S4]}", "{boke: spades}", "is no suit"),
        ("title", "{score: x}", "{boke: none}", "a whole number is wanted"),
    ],
)  # fmt: skip
def test_what_a_question_needs(ask: str, given: str, expect: str, said: str) -> None:
    found = problems(f"- name: t\n  ask: {ask}\n  given: {given}\n  expect: {expect}\n")
    assert any(said in problem.message("en") for problem in found), found


def test_a_file_that_is_not_there(tmp_path: Path) -> None:
    report = run_files([tmp_path / "none.yaml"])
    assert report.status == 2
    assert report.problems[0].code == "unreadable"
    assert report.problems[0].path == str(tmp_path / "none.yaml")


def test_a_file_that_is_not_utf_8(tmp_path: Path) -> None:
    (tmp_path / "gbk.yaml").write_bytes("- name: t\n  why: 干锅\n".encode("gbk"))
    report = run_files([tmp_path / "gbk.yaml"])
    assert (report.status, report.problems[0].code) == (2, "encoding")


def test_a_broken_variant_file_is_told_of_itself(tmp_path: Path) -> None:
    (tmp_path / "mine.yaml").write_text("gunzi: 1\nid: mine\nextends: yuwang\nrevael: {pick: min}\n", encoding="utf-8")
    (tmp_path / "tests.yaml").write_text(scenario("all", "mine.yaml"), encoding="utf-8")
    report = run_files([tmp_path / "tests.yaml"])
    assert [problem.code for problem in report.problems] == ["bad-rules", "unknown-key"]
    assert report.problems[1].where == f"{tmp_path / 'mine.yaml'}:4:1"


# -- questions of plugins --------------------------------------------------------------------------------------------


def _count_cards(rules: RuleSet, given: Mapping[str, Any]) -> Any:
    if given["hand"] == "boom":
        raise RuntimeError("boom")
    return {
        "count": len(given["hand"]),
        "cards": [Card(text) for text in given["hand"]],
        "first": Card(given["hand"][0]),
    }


def _more_of_settle(rules: RuleSet, given: Mapping[str, Any]) -> Any:
    return {"last_cards": len(given["last_play"]), "wind": given["wind"]}


_more_of_settle.keys = ("wind",)  # type: ignore[attr-defined]


class Counting(Plugin):
    """Answers a question of its own and adds to a built-in one."""

    id = "gunzi-counting"
    version = "1"
    name = Text("数牌", "Counting")

    @hookimpl
    def questions(self) -> Mapping[str, Callable[[RuleSet, Mapping[str, Any]], Any]]:
        return {"count_cards": _count_cards, "settle": _more_of_settle}


class CountingToo(Counting):
    """Answers the same questions."""

    id = "gunzi-counting-too"


@pytest.fixture
def counting(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[Callable[[str], Report]]:
    """Runs a scenario of a variant that uses the plugin."""
    install(monkeypatch, Counting, CountingToo)
    head = "gunzi: 1\nid: mine\nextends: dalian\n"
    (tmp_path / "mine.yaml").write_text(head + "plugins: [gunzi-counting]\n", encoding="utf-8")
    (tmp_path / "both.yaml").write_text(head + "plugins: [gunzi-counting, gunzi-counting-too]\n", encoding="utf-8")

    def run(text: str) -> Report:
        (tmp_path / "tests.yaml").write_text(text, encoding="utf-8")
        return run_files([tmp_path / "tests.yaml"])

    yield run
    uninstall(monkeypatch)


OWN = """
- name: counted
  ask: count_cards
  given: {hand: [S10, H4, S10]}
  expect: {mine.yaml: {count: 3, cards: [HT4, ST, ST], first: S10}}
""".replace("HT4", "H4")


def test_a_plugin_answers_its_own_question(counting: Callable[[str], Report]) -> None:
    report = counting(OWN)
    assert report.status == 0, report.text()


@pytest.mark.parametrize(
    "wrong", ["count: true", "cards: [ST, H4, H4]", "cards: [ST]", "first: S9", "first: 10", "last: 3"]
)
def test_a_plugins_answer_is_compared(counting: Callable[[str], Report], wrong: str) -> None:
    report = counting(OWN.replace("count: 3, cards: [H4, ST, ST], first: S10", wrong))
    assert report.status == 1, report.text()
    assert "got:" in report.text()


def test_a_plugins_question_is_unknown_without_it(counting: Callable[[str], Report]) -> None:
    report = counting(OWN.replace("mine.yaml", "dalian"))
    assert [problem.code for problem in report.problems] == ["unknown-question"]


def test_a_key_a_plugin_misses_is_named(counting: Callable[[str], Report]) -> None:
    report = counting(OWN.replace("hand: [S10, H4, S10]", "hnad: []"))
    assert [problem.message("en") for problem in report.problems] == ["given lacks hand"]


def test_a_plugin_that_raises_is_named(counting: Callable[[str], Report]) -> None:
    report = counting(OWN.replace("[S10, H4, S10]}", "boom}"))
    assert [problem.code for problem in report.problems] == ["plugin"]
    assert "gunzi-counting raised in its question count_cards" in report.text()


def test_two_plugins_with_one_question(counting: Callable[[str], Report]) -> None:
    report = counting(OWN.replace("mine.yaml", "both.yaml"))
    assert [problem.code for problem in report.problems] == ["plugin"]
    assert "both answer the question count_cards" in report.text()


ADDED = """
- name: windy
  ask: settle
  given: {dealer: 0, levels: [6, 4], trick_points: 85, captured: false, bottom: [], trump: H, last_play: [S3, S3], wind: east}
  expect: {mine.yaml: {levels: [7, 4], last_cards: 2, wind: east}}
"""


def test_a_plugin_adds_to_a_built_in_question(counting: Callable[[str], Report]) -> None:
    report = counting(ADDED)
    assert report.status == 0, report.text()
    assert counting(ADDED.replace("wind: east}}", "wind: west}}")).status == 1


def test_a_plugins_key_is_unknown_without_it(counting: Callable[[str], Report]) -> None:
    report = counting(ADDED.replace("mine.yaml", "dalian"))
    assert {problem.code for problem in report.problems} == {"unknown-key"}
