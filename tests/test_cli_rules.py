"""The commands about rules: presets, show, compare, explain, pick, new, check, schema, plugins."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path

import pytest
from cli_harness import Cli, assert_no_english

import gunzi
from gunzi.apps.cli.catalogue import COMMANDS


@pytest.fixture
def cli(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Cli:
    monkeypatch.chdir(tmp_path)
    return Cli(capsys, monkeypatch)


@pytest.mark.parametrize("lang", ["zh", "en"])
def test_presets_lists_each_with_what_sets_it_apart(cli: Cli, lang: str) -> None:
    ran = cli("presets", lang=lang)
    assert ran.status == 0
    for id in gunzi.preset_ids():
        assert id in ran.out
    assert "tribute.kings_when" in ran.out and "by_score" in ran.out
    data = cli("presets", "--json", lang=lang).json
    assert [row["id"] for row in data] == list(gunzi.preset_ids())
    yuwang = next(row for row in data if row["id"] == "yuwang")
    assert {"reveal.pick", "scoring.scheme"} <= {row["option"] for row in yuwang["differs"]}


def test_show_lists_every_option(cli: Cli) -> None:
    ran = cli("show", "yuwang")
    for option in gunzi.load("yuwang").option_ids():
        assert re.search(rf"^{re.escape(option)} ", ran.out, re.MULTILINE)


def test_show_origin_names_file_line_chain_status_and_source(cli: Cli) -> None:
    ran = cli("show", "yuwang", "--origin", "--set", "follow.shapes=strict")
    assert re.search(r"gunzi/variants/zixun\.yaml:\d+ · stated · \S+", ran.out)
    assert re.search(r"chain: gunzi/variants/base\.yaml:\d+ → gunzi/variants/zixun\.yaml:\d+", ran.out)
    assert "follow.shapes = strict" in ran.out and "--set · operator" in ran.out


def test_show_json_has_every_option(cli: Cli) -> None:
    data = cli("show", "baike", "--json", "--set", "tribute.low=70").json
    assert [row["option"] for row in data["options"]] == list(gunzi.load("baike").option_ids())
    low = next(row for row in data["options"] if row["option"] == "tribute.low")
    assert (low["value"], low["overridden"], low["where"]) == (70, True, "--set")


def test_compare_lists_only_differences(cli: Cli) -> None:
    data = cli("compare", "yuwang", "chayuan", "--json").json
    named = {row["option"] for row in data["differs"]}
    assert "reveal.pick" in named and "deck.packs" not in named
    text = cli("compare", "yuwang", "chayuan").out
    assert all(option in text for option in named)
    assert cli("compare", "yuwang", "zixun").out.strip().endswith("They agree on every option.")


def test_compare_tells_rule_sets_of_one_id_apart(cli: Cli, tmp_path: Path) -> None:
    (tmp_path / "one.yaml").write_text("gunzi: 1\nid: mine\nextends: boke\n")
    (tmp_path / "two.yaml").write_text("gunzi: 1\nid: mine\nextends: boke\nreveal: {pick: max}\n")
    data = cli("compare", "one", "./two.yaml", "--json").json
    assert [row["rules"] for row in data["rules"]] == ["one", "./two.yaml"]


@pytest.mark.parametrize("lang", ["zh", "en"])
def test_explain_says_what_an_option_means_and_who_has_what(cli: Cli, lang: str) -> None:
    ran = cli("explain", "reveal.pick", lang=lang)
    assert "min" in ran.out and "max" in ran.out and "yuwang" in ran.out
    data = cli("explain", "reveal.pick", "--json").json
    assert data["rules"]["yuwang"]["value"] == "max" and set(data["values"]) == {"min", "max"}


@pytest.mark.parametrize("lang", ["zh", "en"])
def test_explain_leaves_no_name_open_in_a_rule(cli: Cli, lang: str) -> None:
    rules = gunzi.load("yuwang")
    fixed = [rule for rule in rules.rule_ids() if rule not in rules.options]
    assert any("{" in rules.rule_text(rule).en for rule in fixed)
    for rule in fixed:
        said = cli("explain", rule, lang=lang).out
        assert rule in said and "{" not in said
    assert "…" in cli("explain", "cards.held", "--json").json["text"][lang]


def test_explain_takes_groups_fixed_rules_and_other_rule_sets(cli: Cli) -> None:
    assert len(cli("explain", "follow", "--json").json) == 2
    assert "fixed" in cli("explain", "follow.suit").out
    assert cli("explain", "follow.suit", "--json").json["rule"] == "follow.suit"
    assert "--set" not in cli("explain", "reveal.pick").out
    wrong = cli("explain", "reveal.pik")
    assert wrong.status == 2 and "did you mean reveal.pick" in wrong.err


# -- pick ------------------------------------------------------------------------------------------------------


def values_of(preset: str) -> str:
    rules = gunzi.load(preset)
    return ",".join(
        f"{option}={rules.option(option).show(rules.options[option])}"
        for option in rules.option_ids()
        if rules.option(option).values()
    )


@pytest.mark.parametrize("preset", gunzi.preset_ids())
def test_pick_finds_the_preset_whose_answers_it_gets(cli: Cli, preset: str) -> None:
    data = cli("pick", "--answers", values_of(preset), "--json").json
    assert data["nearest"][0]["differs"] == []
    nearest = [row["id"] for row in data["nearest"] if not row["differs"]]
    assert preset in nearest or gunzi.load(nearest[0]).options["titles"] != gunzi.load(preset).options["titles"]


@pytest.mark.parametrize(
    "answers",
    [
        "?,?",
        "reveal.pick=min",
        "reveal.pick=min，levels.must_play=[3, 10]",
        "points={5: 5, 10: 10, K: 10},reveal.pick=min",
    ],
)
def test_pick_names_the_recommended_rules_first_where_others_are_as_near(cli: Cli, answers: str) -> None:
    assert cli("pick", "--answers", answers, "--json").json["nearest"][0]["id"] == "dalian"
    said = cli("pick", "--answers", answers).out
    assert said.rstrip().endswith("gunzi play dalian")
    assert ("agrees with all your answers" in said) == ("?" not in answers)


def test_pick_asks_few_questions(cli: Cli) -> None:
    ran = cli("pick", stdin="no_trump\n" + "?\n" * 9)
    assert ran.status == 0
    assert ran.out.count("> ") == 5 and "chayuan" in ran.out.split("Nearest:")[1].splitlines()[0]


def test_pick_understands_numbers_and_not_knowing(cli: Cli) -> None:
    ran = cli.zh("pick", stdin="?\n1\n2\n")
    assert ran.status == 0 and "最接近的预设" in ran.out


def test_pick_refuses_what_is_no_answer(cli: Cli) -> None:
    ran = cli("pick", "--answers", "perhaps")
    assert ran.status == 2 and "answer 1" in ran.err


def test_pick_refuses_a_named_answer_that_is_none_and_takes_not_knowing(cli: Cli, tmp_path: Path) -> None:
    wrong = cli("pick", "--answers", "titles=x", "--out", str(tmp_path / "mine.yaml"))
    assert wrong.status == 2 and "titles=x" in wrong.err and "bug" not in wrong.err
    unknown = cli("pick", "--answers", "titles=?,reveal.pick=max", "--json")
    assert unknown.status == 0 and unknown.json["nearest"]


def test_pick_reads_answers_from_a_file_and_standard_input(cli: Cli, tmp_path: Path) -> None:
    (tmp_path / "answers.txt").write_text("reveal.pick=max  # as we do\ntribute.cards=any\n")
    data = cli("pick", "--answers", "answers.txt", "--json").json
    assert data["answers"]["reveal.pick"] == "max" and data["answers"]["tribute.cards"] == "any"
    assert cli("pick", "--answers", "-", "--json", stdin="reveal.pick=max").json["answers"] == {"reveal.pick": "max"}


def test_pick_writes_a_variant_that_plays_as_answered(cli: Cli, tmp_path: Path) -> None:
    ran = cli("pick", "--answers", "reveal.pick=max,tribute.cards=any,follow.shapes=strict", "--out", "our-house.yaml")
    assert ran.status == 0
    rules = gunzi.load(str(tmp_path / "our-house.yaml"))
    assert rules.id == "our-house"
    assert [rules.options[id] for id in ("reveal.pick", "tribute.cards", "follow.shapes")] == ["max", "any", "strict"]
    assert cli("pick", "--answers", "reveal.pick=max", "--out", "our-house.yaml").status == 2


# -- new, check, schema, plugins -------------------------------------------------------------------------------


def test_new_writes_only_the_differences(cli: Cli, tmp_path: Path) -> None:
    ran = cli("new", "my-house", "--extends", "yuwang", "--set", "follow.shapes=strict")
    assert ran.status == 0
    text = (tmp_path / "my-house.yaml").read_text(encoding="utf-8")
    assert "extends: yuwang" in text and "shapes: strict" in text and "reveal:" not in text
    assert cli("check", "my-house.yaml").status == 0
    mine = gunzi.load(str(tmp_path / "my-house.yaml"))
    assert mine.options == gunzi.load("yuwang", {"follow.shapes": "strict"}).options


def test_new_extends_a_file_beside_it(cli: Cli, tmp_path: Path) -> None:
    cli("new", "first", "--extends", "boke", "--set", "reveal.pick=max")
    (tmp_path / "sub").mkdir()
    assert cli("new", "second", "--extends", "first", "--out", "sub/second.yaml").status == 0
    assert gunzi.load(str(tmp_path / "sub" / "second.yaml")).options["reveal.pick"] == "max"


def test_new_does_not_overwrite(cli: Cli, tmp_path: Path) -> None:
    (tmp_path / "mine.yaml").write_text("precious")
    ran = cli("new", "mine")
    assert ran.status == 2 and "--force" in ran.err
    assert (tmp_path / "mine.yaml").read_text() == "precious"
    assert cli("new", "mine", "--force").status == 0


@pytest.mark.parametrize("id", ["My House", "yuwang", "9x", "base"])
def test_new_refuses_bad_ids(cli: Cli, id: str) -> None:
    assert cli("new", id).status == 2


def test_new_to_standard_output(cli: Cli) -> None:
    assert cli("new", "mine", "--out", "-").out.startswith("gunzi: 1\nid: mine\n")


def test_check_tells_all_problems_in_three_forms(cli: Cli, tmp_path: Path) -> None:
    (tmp_path / "bad.yaml").write_text(
        "gunzi: 1\nid: bad\nextends: yuwang\nreveal: {pick: minn, order: no}\nfolow: {}\n"
    )
    ran = cli("check", "bad.yaml")
    assert ran.status == 1
    assert ran.out.count("error[") == 3 and "did you mean min" in ran.out and "^" in ran.out and "3 errors" in ran.out
    assert len(cli("check", "bad.yaml", "--format", "json").json) == 3
    assert cli("check", "bad.yaml", "--format", "github").out.count("::error file=bad.yaml,line=") == 3
    assert "是不是 min？" in cli.zh("check", "bad.yaml").out


def test_check_of_good_and_missing_files(cli: Cli, tmp_path: Path) -> None:
    (tmp_path / "good.yaml").write_text("gunzi: 1\nid: good\nextends: boke\n")
    assert cli("check", "good.yaml").out == "1 file, no problems\n"
    assert cli("check", "good.yaml", "--format", "json").json == []
    missing = cli("check", "none.yaml")
    assert missing.status == 2 and "none.yaml" in missing.err
    assert cli("check", "-", stdin="gunzi: 1\nid: good\nextends: boke\n").status == 0


SCENARIO = "- name: one\n  ask: dry_pot\n  given: {level: 3, trump: S, bottom: [H4, H6, C7, C9, D8, S2]}\n  expect: {yuwang: true}\n"
MAPPING = "gunzi-log: 1\nkind: what\nevents:\n  play: {event: play, seat: seat, cards: cards}\n"


@pytest.mark.parametrize(("text", "key", "said"), [(SCENARIO, "ask", "ask"), (MAPPING, "events", "events")])
def test_check_takes_what_lies_beside_variants(cli: Cli, tmp_path: Path, text: str, key: str, said: str) -> None:
    (tmp_path / "house.yaml").write_text("gunzi: 1\nid: house\nextends: boke\n")
    (tmp_path / "other.yaml").write_text(text)
    assert cli("check", "house.yaml", "other.yaml").out == "2 files, no problems\n"
    assert cli("check", "-", stdin=text).status == 0
    (tmp_path / "other.yaml").write_text(text.replace(f"{key}:", f"x{key}:"))
    wrong = cli("check", "other.yaml", "--format", "github")
    assert wrong.status == 1
    assert f"did you mean {said}?" in wrong.out and "file=other.yaml,line=" in wrong.out


@pytest.mark.parametrize("name", ["variant", "scenario", "record"])
def test_schema_prints_a_schema(cli: Cli, name: str) -> None:
    assert cli("schema", name).json["$schema"].startswith("https://json-schema.org/")


def test_plugins_lists_plugins_and_who_decides(cli: Cli) -> None:
    data = cli("plugins", "--json", "yuwang").json
    assert {"gunzi.plugins.dry_pot", "gunzi.plugins.follow"} <= {row["id"] for row in data["plugins"]}
    assert data["hooks"]["dry_pot"] == {"kind": "decision", "answers": ["gunzi.plugins.dry_pot"], "wraps": []}
    text = cli("plugins").out
    assert "dry_pot.side_leg" in text and "Installed besides" in text
    assert "follow_rule" in cli.zh("plugins", "yuwang").out


# -- help, languages, errors -----------------------------------------------------------------------------------


@pytest.mark.parametrize("name", list(COMMANDS))
def test_every_command_has_help_in_both_languages(cli: Cli, name: str) -> None:
    english, chinese = cli(name, "--help"), cli.zh(name, "--help")
    assert english.status == chinese.status == 0
    assert english.out.startswith(f"usage: gunzi {name}") and chinese.out.startswith(f"用法：gunzi {name}")
    assert not re.search("[\u4e00-\u9fff]", english.out.replace("打滚子", "").replace("红桃8", "").replace("大王", ""))
    assert_no_english(chinese.out)
    assert "\noptions:\n" in english.out and "\n选项：\n" in chinese.out
    assert not re.search("(?m)^[一-鿿]+:", chinese.out)


def test_whole_numbers_are_said_to_be_what_they_may_be(cli: Cli) -> None:
    for text, en, zh in (
        ("0", "a whole number from 1, not '0'", "要写 1 以上的整数，不能写 0"),
        ("-" + 20 * "9", "a whole number from 1, not", "要写 1 以上的整数"),
        (20 * "9", "a whole number of 19 digits at most", "要写最多 19 位的整数"),
    ):
        words = ("diff", "yuwang", "boke", f"--hands={text}")
        assert en in cli(*words).err and zh in cli.zh(*words).err
    words = ("diff", "yuwang", "boke", "--hands", "5", "--jobs", "0")
    assert "a whole number from 1 to 1024, not '0'" in cli(*words).err and "要写 1 到 1024 的整数" in cli.zh(*words).err


def test_the_main_help_lists_every_command(cli: Cli) -> None:
    for ran in (cli("--help"), cli.zh("--help"), cli("help")):
        assert ran.status == 0
        for name in COMMANDS:
            assert re.search(rf"^  {name} ", ran.out, re.MULTILINE)
    assert cli().status == 2
    assert cli("help", "show").out.startswith("usage: gunzi show")
    assert cli("--version").out.startswith("gunzi ")


@pytest.mark.parametrize(
    "words",
    [
        ("presets",),
        ("show", "baike"),
        ("show", "dalian", "--origin"),
        ("compare", "boke", "zixun", "chayuan"),
        ("explain", "tribute"),
        ("plugins", "yuwang"),
        ("pick", "--answers", "reveal.pick=max,tribute.cards=any"),
        ("show", "nope"),
        ("show", "yuwang", "--set", "reveal.pick=middle"),
        ("show", "yuwang", "--set", "x"),
        ("compare", "yuwang"),
        ("check", "none.yaml"),
        ("new", "X Y"),
        ("nothing",),
        ("show",),
        ("show", "yuwang", "--what"),
        ("simulate", "yuwang", "--hands", "-4"),
        ("play", "yuwang", "--seat", "7"),
        ("play", "yuwang", "--seed", "-1"),
        ("verify", "none.jsonl"),
        ("explain", "nope.nope"),
        ("simulate", "yuwang", "--hands", "20"),
        ("diff", "yuwang", "chayuan", "--hands", "20", "--jobs", "1"),
        ("diff", "yuwang", "--hands", "20"),
        ("simulate", "yuwang", "--hands", "3", "--policy", "stedy"),
        ("simulate", "yuwang", "--hands", "3", "--record", "missing/x"),
        ("score", "yuwang", "--hand", "x"),
        ("score", "baike", "--hand", "dealer=0 trump=H points=160 captured=yes bottom=BJ,LJ,CT,C8,D8,D9"),
        ("test", "none.yaml"),
        ("share", "yuwang", "--set", "follow.shapes=strict"),
        ("new", "mine"),
        ("play",),
        ("show", "./none.yaml"),
    ],
)
def test_nothing_is_half_translated(cli: Cli, words: tuple[str, ...]) -> None:
    ran = cli.zh(*words)
    assert_no_english(ran.out)
    assert_no_english(ran.err)
    assert "Traceback" not in ran.err


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("show", "yuwagn"), "did you mean yuwang"),
        (("show", "yuwang", "--set", "reveal.pik=max"), "did you mean reveal.pick"),
        (("show", "yuwang", "--set", "reveal.pick=maximum"), "no value of reveal.pick"),
        (("show", "yuwang", "--set", "reveal.pick"), "option=value"),
        (("show", "yuwang", "--set", "deck.hand=40"), "deck-size"),
        (("shw", "yuwang"), "did you mean show"),
        (("show",), "RULES"),
        (("simulate", "yuwang", "--hands", "10", "--seed", "-1"), "whole number from 0"),
        (("simulate", "yuwang", "--hands", "ten"), "whole number from 1"),
        (("simulate", "yuwang"), "--hands N or --rounds N"),
        (("simulate", "yuwang", "--hands", "5", "--policy", "stedy"), "did you mean steady"),
        (("diff", "yuwang", "--hands", "5"), "two rule sets"),
        (("schema", "nothing"), "invalid choice"),
    ],
)
def test_bad_arguments_are_told_and_exit_2(cli: Cli, words: tuple[str, ...], said: str) -> None:
    ran = cli(*words)
    assert ran.status == 2 and said in ran.err and not ran.out


def test_unexpected_errors_are_one_line(cli: Cli, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("gunzi.apps.cli.presets.run", lambda args, out: 1 // 0)
    ran = cli("presets")
    assert ran.status == 2 and ran.err.count("\n") == 1 and "GUNZI_DEBUG" in ran.err
    monkeypatch.setenv("GUNZI_DEBUG", "1")
    assert "Traceback" in cli("presets").err


@pytest.mark.parametrize(
    ("error", "status"), [(KeyboardInterrupt(), 130), (BrokenPipeError(), 2), (OSError(28, "x", "f"), 2)]
)
def test_interruptions_have_their_exit_status(
    cli: Cli, monkeypatch: pytest.MonkeyPatch, error: BaseException, status: int
) -> None:
    def fail(args: object, out: object) -> int:
        raise error

    monkeypatch.setattr("gunzi.apps.cli.presets.run", fail)
    ran = cli("presets")
    assert ran.status == status and "Traceback" not in ran.err


def test_json_is_json_in_every_language(cli: Cli) -> None:
    for words in (("presets",), ("show", "boke"), ("compare", "boke", "baike"), ("explain", "titles"), ("plugins",)):
        assert cli(*words, "--json").json == json.loads(cli.zh(*words, "--json").out)


@pytest.mark.parametrize("at", ["catalogue", "parser", "presets"])
def test_ctrl_c_while_modules_are_imported_is_no_traceback(at: str) -> None:
    code = (
        "import sys\n"
        "class Interrupt:\n"
        "    def find_spec(self, name, path=None, target=None):\n"
        f"        if name == 'gunzi.apps.cli.{at}':\n"
        "            raise KeyboardInterrupt\n"
        "sys.meta_path.insert(0, Interrupt())\n"
        "from gunzi.apps.cli import main\n"
        "assert [name for name in sys.modules if name.startswith('gunzi')] == ['gunzi', 'gunzi.apps', 'gunzi.apps.cli']\n"
        "sys.exit(main(['presets', '--lang', 'en']))\n"
    )
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert ran.returncode == 130 and not ran.stdout and "Traceback" not in ran.stderr, ran.stderr
