"""The pytest plugin: which files it collects, what a failure looks like, and that it leaves everybody else alone."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

from gunzi.apps import pytest_plugin

pytest_plugins = ["pytester"]

HOLDS = """
- name: lowest
  ask: reveal
  given: {turned: [S9, D4, HK, C7]}
  expect:
    boke dalian: {dealer: 1, trump: D}
    yuwang: {dealer: 2, trump: H}
"""
FAILS = HOLDS.replace("dealer: 2", "dealer: 3")
CANNOT = HOLDS.replace("C7", "7C")


def test_a_scenario_file_is_one_test_for_each_rule_set(pytester: pytest.Pytester) -> None:
    pytester.path.joinpath("house.scenario.yaml").write_text(HOLDS, encoding="utf-8")
    result = pytester.runpytest("-v")
    result.assert_outcomes(passed=3)
    result.stdout.fnmatch_lines(
        ["house.scenario.yaml::lowest[[]boke[]] PASSED*", "house.scenario.yaml::lowest[[]yuwang[]] PASSED*"]
    )


def test_the_short_suffix_is_collected_too(pytester: pytest.Pytester) -> None:
    pytester.path.joinpath("house.scenario.yml").write_text(HOLDS, encoding="utf-8")
    pytester.runpytest().assert_outcomes(passed=3)


def test_one_rule_set_can_be_chosen(pytester: pytest.Pytester) -> None:
    pytester.path.joinpath("house.scenario.yaml").write_text(HOLDS, encoding="utf-8")
    pytester.runpytest("house.scenario.yaml::lowest[yuwang]").assert_outcomes(passed=1)
    pytester.runpytest("-k", "yuwang").assert_outcomes(passed=1, deselected=2)


def test_other_yaml_files_are_left_alone(pytester: pytest.Pytester) -> None:
    pytester.path.joinpath("house.yaml").write_text(HOLDS, encoding="utf-8")
    pytester.runpytest().assert_outcomes()


@pytest.mark.parametrize("named", ["scenarios", "scenarios/*.yaml", "scen*/rules"])
def test_a_folder_named_in_the_configuration_is_collected(pytester: pytest.Pytester, named: str) -> None:
    pytester.makeini(f"[pytest]\ngunzi_scenarios =\n    {named}\n")
    folder = pytester.mkdir("scenarios")
    rules = folder / "rules"
    rules.mkdir()
    (rules / "reveal.yaml").write_text(HOLDS, encoding="utf-8")
    (rules / "mine.yaml").write_text("gunzi: 1\nid: mine\nextends: boke\n", encoding="utf-8")
    (pytester.path / "other.yaml").write_text(HOLDS, encoding="utf-8")
    pytester.runpytest().assert_outcomes(passed=3)


def test_variants_are_found_beside_the_file(pytester: pytest.Pytester) -> None:
    folder = pytester.mkdir("scenarios")
    (folder / "mine.yaml").write_text("gunzi: 1\nid: mine\nextends: boke\n", encoding="utf-8")
    text = HOLDS.replace("boke dalian", "mine.yaml")
    (folder / "house.scenario.yaml").write_text(text, encoding="utf-8")
    pytester.runpytest().assert_outcomes(passed=2)


def test_a_failure_is_a_report_and_no_traceback(pytester: pytest.Pytester) -> None:
    pytester.path.joinpath("house.scenario.yaml").write_text(FAILS, encoding="utf-8")
    result = pytester.runpytest()
    result.assert_outcomes(passed=2, failed=1)
    result.stdout.fnmatch_lines(
        [
            "house.scenario.yaml:2:3: FAILED: lowest [[]yuwang[]]",
            "*asked: reveal {turned: [[]S9, D4, HK, C7[]]}",
            "*expected: {dealer: 3, trump: H}",
            "*got: {dealer: 2, trump: H}",
            "*because: *[[]reveal.pick = max; gunzi/variants/*",
        ]
    )
    result.stdout.no_fnmatch_line("*Traceback*")
    result.stdout.no_fnmatch_line("*pytest_plugin.py*")
    result.stdout.no_fnmatch_line("*ScenarioFailed*")


def test_a_scenario_that_cannot_be_asked_fails_with_its_place(pytester: pytest.Pytester) -> None:
    pytester.path.joinpath("house.scenario.yaml").write_text(CANNOT, encoding="utf-8")
    result = pytester.runpytest()
    result.assert_outcomes(failed=3)
    result.stdout.fnmatch_lines(["house.scenario.yaml:4:32: error[[]bad-card[]]: 7C is no card*", "*^^*"])
    result.stdout.no_fnmatch_line("*Traceback*")


def test_a_file_that_cannot_be_read_is_an_error_at_collection(pytester: pytest.Pytester) -> None:
    pytester.path.joinpath("house.scenario.yaml").write_text(HOLDS.replace("ask:", "aks:"), encoding="utf-8")
    result = pytester.runpytest()
    result.assert_outcomes(errors=1)
    result.stdout.fnmatch_lines(["house.scenario.yaml:3:3: error[[]unknown-key[]]: *did you mean ask?*"])
    result.stdout.no_fnmatch_line("*Traceback*")


def test_the_plugin_imports_gunzi_only_when_it_collects() -> None:
    assert pytest_plugin.__file__ is not None
    tree = ast.parse(Path(pytest_plugin.__file__).read_bytes())
    names = [alias.name for node in tree.body if isinstance(node, ast.Import) for alias in node.names]
    names += [str(node.module) for node in tree.body if isinstance(node, ast.ImportFrom)]
    assert not any(name.partition(".")[0] == "gunzi" for name in names)


# -- the fixture differential -------------------------------------------------------------------------------------


def test_rule_sets_that_differ_in_an_option_are_checked_by_a_fixture(pytester: pytest.Pytester) -> None:
    pytester.makepyfile(
        """
        import gunzi, pytest

        def test_it_holds(differential):
            found = differential("yuwang", {"follow.shapes": "strict"}, hands=4)
            assert found.holds and found.parted == found.consulted == 4
            assert found.options == ("follow.shapes",) and set(found.by) == {"lead_rule, follow_rule, trick_rule"}

        def test_either_may_be_the_map(differential):
            found = differential({"reveal.pick": "min"}, gunzi.load("yuwang"), hands=3, seed=9)
            assert found.done == 3 and found.seed == 9

        def test_more_than_one_option_must_be_named(differential):
            with pytest.raises(ValueError, match="differ not only in"):
                differential("yuwang", "chayuan")
            with pytest.raises(ValueError, match="nothing to check"):
                differential("yuwang", "yuwang")
        """
    )
    pytester.runpytest("-q").assert_outcomes(passed=3)


def test_a_failing_fixture_tells_seed_hand_event_and_both_sides(pytester: pytest.Pytester) -> None:
    """The engine of the second set looks where it was not asked: its claims are found out."""
    pytester.makepyfile(
        """
        import gunzi
        from gunzi.apps.lab import same_until

        def test_it_does_not_hold(differential, monkeypatch):
            import sys
            module = sys.modules["gunzi.apps.lab.same_until"]
            played = module.play_unit
            def leaky(rules, plan, k):
                found = played(rules, plan, k)
                found.events[0]["first"] = (found.events[0]["first"] + 1) % 4
                return found
            monkeypatch.setattr(module, "play_unit", leaky)
            differential("yuwang", {"follow.shapes": "strict"}, hands=2, seed=3)
        """
    )
    result = pytester.runpytest("-q")
    result.assert_outcomes(failed=1)
    result.stdout.fnmatch_lines(
        [
            "*part before follow.shapes is consulted: unit 0 of seed 3 (table seed *), hand 1, event 1;*",
            "*yuwang: {*",
            "*yuwang: {*",
        ]
    )
