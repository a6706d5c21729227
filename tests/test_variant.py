"""Variant files: what they may say, what is said of mistakes, and how they build on each other."""

from __future__ import annotations

from pathlib import Path

import pytest

import gunzi
from gunzi.errors import PluginError, VariantError
from gunzi.loading import check_file, check_text, load, load_text
from gunzi.problems import Problem, format_problems
from gunzi.ruleset import RuleSet
from gunzi.variant import kebab

HEAD = "gunzi: 1\nid: my-house\n"


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty folder that is the working directory."""
    monkeypatch.chdir(tmp_path)
    return tmp_path


def write(folder: Path, name: str, text: str) -> str:
    (folder / f"{name}.yaml").write_text(f"gunzi: 1\nid: {name}\n{text}", encoding="utf-8")
    return f"{name}.yaml"


def problems(text: str) -> list[Problem]:
    return check_text(HEAD + text, "my.yaml")


def only(text: str) -> Problem:
    found = problems(text)
    assert len(found) == 1, format_problems(found)
    return found[0]


# -- one file ----------------------------------------------------------------------------------------------------


def test_a_file_sets_options_in_their_groups() -> None:
    rules = load_text(
        HEAD + "extends: boke\nreveal: {pick: max}\nlevels: {must_play: [3, J], final: Q}\npoints: {5: 5}\n"
    )
    assert rules.options["reveal.pick"] == "max"
    assert rules.options["levels.must_play"] == [3, 11]
    assert rules.options["points"] == {"5": 5}
    assert rules.options["tribute.kings_when"] == "by_score"


def test_a_list_or_map_replaces_the_whole_value() -> None:
    rules = load_text(HEAD + "levels: {must_play: []}\npoints: {K: 10}\n")
    assert rules.options["levels.must_play"] == []
    assert rules.options["points"] == {"K": 10}
    (problem,) = problems("tribute: {kings: {big: 3}}\n")
    assert problem.text.en == "tribute.kings lacks small"


@pytest.mark.parametrize(
    ("text", "code", "place", "suggestion"),
    [
        ("revael: {pick: max}\n", "unknown-key", (3, 1), "reveal"),
        ("reveal: {pik: max}\n", "unknown-option", (3, 10), "pick"),
        ("reveal: {pick: mex}\n", "bad-value", (3, 16), "max"),
        ("reveal.pick: max\n", "dotted-key", (3, 1), "reveal: {pick: max}"),
        ("reveal.pik: max\n", "unknown-key", (3, 1), "reveal: {pick: …}"),
        ("jokers_may_open: true\n", "unknown-key", (3, 1), "declare: {jokers_may_open: …}"),
        ("declare: {pick: max}\n", "unknown-option", (3, 11), "reveal.pick"),
        ("reveal:\n", "empty-section", (3, 1), ""),
        ("reveal: {pick: }\n", "empty-section", (3, 10), ""),
        ("titles:\n", "empty-section", (3, 1), ""),
        ("extends:\n", "empty-section", (3, 9), ""),
        ("notes:\n", "empty-section", (3, 7), ""),
        ("name:\n", "empty-section", (3, 6), ""),
        ("name: {}\n", "empty-section", (3, 7), ""),
        ("name: {enn: x}\n", "unknown-key", (3, 8), "en"),
        ("name: [a]\n", "wrong-type", (3, 7), ""),
        ("reveal: max\n", "wrong-type", (3, 9), ""),
        ("reveal: pick：max\n", "full-width", (3, 9), "{pick: max}"),
        ("reveal: {pick:max}\n", "colon-space", (3, 10), "pick: max"),
        ("reveal:{pick: max}\n", "colon-space", (3, 1), "reveal: {pick"),
        ("plugins: one\n", "wrong-type", (3, 10), ""),
        ("plugins: [1]\n", "wrong-type", (3, 11), ""),
        ("silence: [no-points, no-points]\n", "named-twice", (3, 22), ""),
        ("extends: yuwan\n", "extends-missing", (3, 10), "yuwang"),
        ("extends: ./other.yaml\n", "extends-missing", (3, 10), ""),
        ("notes: [a]\n", "wrong-type", (3, 8), ""),
        ("notes: {reveal.pik: {status: ruled}}\n", "unknown-option", (3, 9), "reveal.pick"),
        ("notes: {reveal.pick: stated}\n", "wrong-type", (3, 22), ""),
        ("notes: {reveal.pick: {status: state}}\n", "bad-value", (3, 31), "stated"),
        ("notes: {reveal.pick: {status: ruled, sauce: x}}\n", "unknown-key", (3, 38), "source"),
        ("notes: {reveal.pick: {source: x}}\n", "note-status", (3, 22), ""),
        ("notes: {reveal.pick: {status: ruled, source: 1}}\n", "wrong-type", (3, 46), ""),
        ("levels: {must_play: [3, 10, X]}\n", "bad-value", (3, 29), ""),
        ("levels: {must_play: [3，10]}\n", "bad-value", (3, 22), "3, 10"),
        ("levels: {kings: {big: 2, smal: 1}}\n", "bad-value", (3, 26), "small"),
        ("endings: {shutout: no}\n", "bad-value", (3, 20), "false"),
        ("extends: [" + "a, " * 70 + "]\n", "too-many-names", (3, 10), ""),
    ],
)
def test_a_mistake_is_shown_where_it_stands(text: str, code: str, place: tuple[int, int], suggestion: str) -> None:
    problem = only(text)
    assert (problem.code, (problem.line, problem.col), problem.suggestion) == (code, place, suggestion)
    assert problem.text.zh
    assert problem.severity == "error"


@pytest.mark.parametrize("word", ["no", "120.0", "010", "1:30", ".nan", "1e3", "true"])
def test_a_word_that_changes_type_elsewhere_is_explained(word: str) -> None:
    problem = only(f"levels: {{threshold: {word}}}\n")
    assert problem.allowed == "5..300"
    assert "is text here" in problem.text.en or word == "true"


def test_a_suggested_false_comes_with_what_happened() -> None:
    problem = only("endings: {sweep: off}\n")
    assert problem.message("en") == (
        "endings.sweep is true or false, not 'off'; `off` is text here: write true or false (did you mean false?)"
    )
    assert "在这里是文字" in problem.message("zh")


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("id: a\n", "format-missing"),
        ("gunzi: 2\nid: a\n", "format-newer"),
        ("gunzi: true\nid: a\n", "format-bad"),
        ("gunzi: '1'\nid: a\n", "format-bad"),
        ("gunzi: 0\nid: a\n", "format-bad"),
        ("gunzi: 1\n", "id-missing"),
        ("gunzi: 1\nid: My House\n", "id-bad"),
        ("gunzi: 1\nid: 7\n", "id-bad"),
        ("gunzi: 1\nid: a\nversion: [1]\n", "wrong-type"),
        ("- a\n", "not-a-map"),
        ("gunzi：1\n", "full-width"),
        ("", "empty-file"),
    ],
)
def test_the_head_of_a_file_is_checked(text: str, code: str) -> None:
    assert [problem.code for problem in check_text(text, "my.yaml")] == [code]


def test_an_id_can_be_made_from_a_name() -> None:
    assert kebab("My House!") == "my-house"
    assert kebab("我家") == ""


def test_a_version_keeps_its_zero() -> None:
    assert load_text(HEAD + "version: 1.10\n").resolved.version == "1.10"
    assert load_text(HEAD + "version: 3\n").resolved.version == "3"


def test_a_name_may_be_given_once_for_both_languages() -> None:
    assert load_text(HEAD + "name: 我家\n").name == gunzi.Text("我家", "我家")
    assert load_text(HEAD + "name: {en: Mine}\n").name == gunzi.Text("Mine", "Mine")
    assert load_text(HEAD).name == gunzi.Text("my-house", "my-house")


def test_all_problems_of_a_file_come_in_file_order() -> None:
    found = problems("titles: 1\nreveal: {pik: 1, pick: 2}\nextends: nobody\nfollow:\nnotes: {x: {status: y}}\n")
    assert [problem.line for problem in found] == [3, 4, 4, 5, 6, 7, 7]


def test_a_thousand_problems_are_not_all_listed() -> None:
    found = problems("".join(f"k{n}: 1\n" for n in range(1_000)))
    assert len(found) == 101
    assert found[-1].code == "more-problems"


# -- files on files ----------------------------------------------------------------------------------------------


def test_later_files_win_and_a_shared_one_applies_once_at_its_first_place(folder: Path) -> None:
    write(folder, "root", "reveal: {pick: max}\nlevels: {final: 12}\n")
    write(folder, "left", "extends: root.yaml\nreveal: {pick: min}\n")
    write(folder, "right", "extends: root\nlevels: {final: 13}\n")
    rules = load(write(folder, "both", "extends: [left, right]\n"))
    assert rules.options["reveal.pick"] == "min"
    assert rules.options["levels.final"] == 13
    assert rules.resolved.files == (
        "gunzi/variants/base.yaml",
        "root.yaml",
        "left.yaml",
        "right.yaml",
        "both.yaml",
    )
    origin = rules.origin("levels.final")
    assert origin.where == "right.yaml:4"
    assert origin.chain[1:] == ("root.yaml:4", "right.yaml:4")
    assert origin.chain[0].startswith("gunzi/variants/base.yaml:")


def test_base_is_implied_only_where_nothing_is_extended(folder: Path) -> None:
    write(folder, "own", "reveal: {pick: max}\n")
    assert load("own").resolved.files[0] == "gunzi/variants/base.yaml"
    # base is reached first through boke: it does not apply a second time over boke's own values
    rules = load(write(folder, "two", "extends: [boke, base]\n"))
    assert rules.options["tribute.three_big"] == "ignore"


def test_a_cycle_is_named_in_full(folder: Path) -> None:
    write(folder, "a", "extends: b\n")
    write(folder, "b", "extends: c\n")
    write(folder, "c", "extends: [yuwang, ./a.yaml]\n")
    (problem,) = check_file("a.yaml")
    assert problem.code == "extends-cycle"
    assert (problem.path, problem.line, problem.col) == ("c.yaml", 3, 19)
    assert "a.yaml -> b.yaml -> c.yaml -> a.yaml" in problem.text.en


def test_a_file_that_extends_itself_is_a_cycle(folder: Path) -> None:
    (problem,) = check_file(write(folder, "a", "extends: a\n"))
    assert "a.yaml -> a.yaml" in problem.text.en


def test_very_many_files_are_refused(folder: Path) -> None:
    for number in range(80):
        write(folder, f"f{number}", f"extends: f{number + 1}\n" if number < 79 else "")
    assert [problem.code for problem in check_file("f0.yaml")] == ["extends-many"]


def test_a_preset_comes_before_a_file_of_the_same_name(folder: Path) -> None:
    write(folder, "yuwang", "reveal: {pick: min}\n")
    assert load("yuwang").options["reveal.pick"] == "max"
    assert load("./yuwang.yaml").options["reveal.pick"] == "min"
    assert load(write(folder, "x", "extends: ./yuwang.yaml\n")).options["reveal.pick"] == "min"


def test_files_are_looked_for_beside_the_file_that_names_them(folder: Path) -> None:
    (folder / "sub").mkdir()
    write(folder / "sub", "inner", "levels: {final: 14}\n")
    write(folder / "sub", "outer", "extends: inner\n")
    rules = load(write(folder, "top", "extends: sub/outer\n"))
    assert rules.options["levels.final"] == 14
    assert rules.origin("levels.final").where == "sub/inner.yaml:3"


def test_a_text_from_elsewhere_reads_no_files(folder: Path) -> None:
    write(folder, "secret", "")
    with pytest.raises(VariantError, match="only presets can be extended here"):
        load_text(HEAD + "extends: secret\n")
    assert load_text(HEAD + "extends: secret\n", folder=".").id == "my-house"


def test_problems_of_a_parent_name_the_parent(folder: Path) -> None:
    write(folder, "parent", "reveal: {pick: mox}\n")
    found = check_file(write(folder, "child", "extends: parent\nfollow: {shapes: x}\n"))
    assert [(problem.path, problem.code) for problem in found] == [
        ("child.yaml", "bad-value"),
        ("parent.yaml", "bad-value"),
    ]


# -- notes, conflicts, silence -----------------------------------------------------------------------------------


def test_a_value_without_a_note_is_the_operators(folder: Path) -> None:
    rules = load(write(folder, "x", "extends: yuwang\nreveal: {pick: min}\n"))
    origin = rules.origin("reveal.pick")
    assert (origin.status, origin.source, origin.overridden) == ("operator", "", False)
    assert rules.origin("reveal.order").status == "ruled"


def test_a_note_says_where_a_value_comes_from(folder: Path) -> None:
    note = "notes: {reveal.pick: {status: inferred, source: 'our club, rule 3'}}\n"
    rules = load(write(folder, "x", "reveal: {pick: max}\n" + note))
    assert (rules.origin("reveal.pick").status, rules.origin("reveal.pick").source) == ("inferred", "our club, rule 3")
    write(folder, "y", "extends: x\nreveal: {pick: min}\n")
    assert load("y").origin("reveal.pick").status == "operator"


def test_options_that_contradict_each_other_are_shown_at_the_last_of_them(folder: Path) -> None:
    write(folder, "x", "tribute: {high: 100}\n")
    (problem,) = check_file("x.yaml")
    assert (problem.code, problem.path, problem.line, problem.col) == ("tribute-thresholds", "x.yaml", 3, 11)
    with pytest.raises(VariantError) as caught:
        load("x")
    assert caught.value.problems == (problem,)


def test_a_warning_stays_a_warning_until_it_is_silenced(folder: Path) -> None:
    text = "dry_pot: {side_leg: never, first_hand: never}\n"
    rules = load(write(folder, "x", text))
    assert [(each.code, each.severity) for each in rules.warnings] == [("dry-pot-unused", "warning")]
    assert load(write(folder, "y", text + "silence: [dry-pot-unused]\n")).warnings == ()


@pytest.mark.parametrize(
    ("phases", "codes"),
    [
        ("[reveal, deal, play, settle]", ["phases-order"]),
        ("[deal, reveal, settle, play]", ["phases-order", "phases-order"][:1]),
        ("[deal, play, settle]", ["phases-missing"]),
        ("[deal, reveal, bury_kings, play, settle]", ["phases-missing"]),
        ("[deal, reveal, bury, bottom, play, settle]", ["phases-order"]),
        ("[deal, reveal, buy, play, settle]", ["phases-unknown"]),
        ("[deal, bury, reveal, play, settle]", ["phases-order"]),
        ("[deal, reveal, play, tribute, settle]", ["phases-order"]),
    ],
)
def test_phases_that_cannot_be_played_in_that_order_are_refused(phases: str, codes: list[str]) -> None:
    assert [problem.code for problem in problems(f"phases: {phases}\n")] == codes


def test_phases_may_be_left_out_or_reordered_where_the_game_allows_it() -> None:
    assert problems("phases: [deal, reveal, bottom, tribute, bury, play, settle]\n") == []
    assert problems("phases: [deal, reveal, play, settle]\n") == []


# -- loading -----------------------------------------------------------------------------------------------------


def test_unknown_rules_are_named_with_a_suggestion(folder: Path) -> None:
    with pytest.raises(VariantError) as caught:
        load("yuwong")
    (problem,) = caught.value.problems
    assert problem.suggestion == "yuwang"
    assert problem.allowed == "boke, zixun, chayuan, yuwang, baike, dalian, base"
    with pytest.raises(VariantError, match="cannot be opened"):
        load("./nothing.yaml")
    with pytest.raises(VariantError, match="cannot be opened"):
        load(str(folder))


def test_overrides_are_read_as_on_a_command_line() -> None:
    rules = load(
        "yuwang",
        {"levels.must_play": "3, J", "endings.sweep": "false", "tribute.kings": "big:3 small:0", "levels.final": 12},
        override_origin="--set",
    )
    assert rules.options["levels.must_play"] == [3, 11]
    assert rules.options["endings.sweep"] is False
    assert rules.options["tribute.kings"] == {"big": 3, "small": 0}
    origin = rules.origin("levels.final")
    assert (origin.where, origin.status, origin.overridden, origin.chain[-1]) == ("--set", "operator", True, "--set")


def test_wrong_overrides_are_all_reported() -> None:
    with pytest.raises(VariantError) as caught:
        load("yuwang", {"reveal.pik": "max", "follow.shapes": "x", "reveal": "max", 3: 1}, override_origin="--set")  # type: ignore[dict-item]
    found = caught.value.problems
    assert [problem.path for problem in found] == ["--set reveal.pik", "--set follow.shapes", "--set reveal", "--set 3"]
    assert found[0].suggestion == "reveal.pick"
    assert found[2].allowed == "reveal.pick, reveal.order, reveal.jokers"


def test_a_file_is_loaded_again_when_it_changes(folder: Path) -> None:
    write(folder, "parent", "reveal: {pick: max}\n")
    write(folder, "child", "extends: parent\n")
    first = load("child")
    assert load("child") is first
    write(folder, "parent", "reveal: {pick: min}\nlevels: {final: 11}\n")
    assert load("child").options["levels.final"] == 11


def test_rule_sets_know_no_plugin_that_is_not_installed() -> None:
    with pytest.raises(PluginError) as caught:
        load_text(HEAD + "plugins: [gunzi-shuangmin]\n")
    (problem,) = caught.value.problems
    assert (problem.code, problem.line, problem.col) == ("plugin", 3, 11)
    assert "gunzi-shuangmin is not installed" in problem.text.en
    assert caught.value.plugin == "gunzi-shuangmin"


def test_a_rule_set_is_what_load_gives() -> None:
    assert isinstance(load("boke"), RuleSet)
    assert load(load("boke")) is load("boke")
    assert load(load("boke"), {"reveal.pick": "max"}).options["reveal.pick"] == "max"
