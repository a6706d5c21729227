"""The conformance suites: sound rules pass, and every kind of fault is found and named."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, ClassVar

import pytest
from faulty_plugins import FAULTS, NAME, OFF, ON, Fault, Gossip, Nod, Stranger, phase_plugin
from strangers import install, uninstall

import gunzi
from gunzi import Phase, hookimpl
from gunzi.apps.testing import Checked, ConformanceError, Failure, check_plugin, check_rules
from gunzi.apps.testing.options import check_declarations
from gunzi.apps.testing.report import Report
from gunzi.installed import built_in_ids, plugin_class
from gunzi.options import Flag

BESIDE = ["deal", "reveal", "tribute", "bottom", "bury", "bury_kings", "nod", "play", "settle"]


@pytest.fixture(autouse=True)
def afterwards(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    yield
    uninstall(monkeypatch)


# -- sound rules -------------------------------------------------------------------------------------------------------


def test_every_preset_in_both_modes_keeps_the_contract(rules: gunzi.RuleSet) -> None:
    found = check_rules(rules, hands=2, swaps=2)
    assert isinstance(found, Checked)
    assert found.hands >= 2 and found.acts > 200
    assert set(found.checks) >= {
        "legal-sets",
        "conservation",
        "refusals",
        "copies",
        "hooks",
        "views",
        "leaks",
        "records",
    }
    assert found.notes == ()


@pytest.mark.parametrize("plugin", built_in_ids())
def test_every_built_in_plugin_is_declared_completely(plugin: str) -> None:
    report = Report(plugin)
    check_declarations(plugin_class(plugin), report)
    assert report.failures == []


@pytest.mark.parametrize("plugin", ["gunzi.plugins.capture", "gunzi.plugins.reveal"])
def test_a_built_in_plugin_keeps_the_contract_under_every_value_of_its_options(plugin: str) -> None:
    found = check_plugin(plugin, hands=1)
    assert not [note for note in found.notes if "never asked" in note]


def test_a_smaller_game_keeps_the_contract() -> None:
    check_rules("dalian", {"deck.packs": 2, "deck.hand": 25, "deck.bottom": 8, "follow.shapes": "strict"}, hands=2)


def test_a_game_near_the_highest_level_keeps_the_contract() -> None:
    check_rules("dalian", {"levels.start": 13, "levels.final": 14, "levels.must_play": [14]}, hands=1, swaps=1)


def test_a_game_whose_deals_are_often_void_keeps_the_contract() -> None:
    rules = {"deck.packs": 1, "deck.hand": 13, "deck.bottom": 2, "first_dealer.claim": "optional"}
    for seed in range(3):
        check_rules("yuwang", rules, hands=1, seed=seed, swaps=2)


def test_a_sound_plugin_passes_and_the_summary_tells_what_was_done(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    class Sound(Stranger):
        options = (Flag("stranger.open", NAME, NAME, ON, OFF),)
        defaults: ClassVar[Mapping[str, Any]] = {"stranger.open": False}

        @hookimpl
        def phases(self) -> Mapping[str, Phase]:
            return {"nod": Nod()}

    install(monkeypatch, Sound)
    found = check_plugin(Sound, hands=1)
    assert "stranger: " in str(found) and "checks" in str(found)
    assert found.notes == ("the phase nod was not played: pass `variants` that list it",)
    variant = tmp_path / "nodding.yaml"
    variant.write_text(f"gunzi: 1\nid: nodding\nplugins: [stranger]\nphases: [{', '.join(BESIDE)}]\n")
    assert check_plugin("stranger", variants=[variant], hands=1).notes == ()


# -- faults ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("make", "faults"),
    FAULTS,
    ids=lambda value: min(value) if isinstance(value, set) else "",
)
def test_a_fault_is_found_and_named(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, make: Fault, faults: set[str]
) -> None:
    plugin = make()
    install(monkeypatch, plugin)
    variants = []
    if "phases" in vars(plugin):
        variants.append(tmp_path / "nodding.yaml")
        variants[0].write_text(f"gunzi: 1\nid: nodding\nplugins: [stranger]\nphases: [{', '.join(BESIDE)}]\n")
    leaking = any(fault.startswith("leaks") for fault in faults)
    with pytest.raises(ConformanceError) as caught:
        check_plugin(plugin, variants=variants, hands=1, swaps=4 if leaking else 0)
    for fault in faults:
        check, _, said = fault.partition(": ")
        found = [failure for failure in caught.value.failures if failure.check == check and said in failure.message]
        assert found, str(caught.value)
        assert str(found[0]) in str(caught.value)
        if check in ("hooks", "plays"):
            assert "stranger" in found[0].where or "somebody" in found[0].where


def test_a_secret_that_is_redacted_is_no_leak(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    plugin = phase_plugin(Gossip, shows=False)
    install(monkeypatch, plugin)
    variant = tmp_path / "nodding.yaml"
    variant.write_text(f"gunzi: 1\nid: nodding\nplugins: [stranger]\nphases: [{', '.join(BESIDE)}]\n")
    check_plugin(plugin, variants=[variant], hands=1)


def test_what_is_not_installed_or_cannot_be_loaded_is_a_failure(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    with pytest.raises(ConformanceError, match="plugin nobody is not installed"):
        check_plugin("nobody")
    with pytest.raises(ConformanceError, match="no entry point of the group gunzi is called 'stranger'"):
        check_plugin(Stranger)
    with pytest.raises(ConformanceError, match="there are no rules nowhere"):
        check_rules("nowhere")
    install(monkeypatch, Stranger)
    other = tmp_path / "other.yaml"
    other.write_text("gunzi: 1\nid: other\n")
    with pytest.raises(ConformanceError, match="it does not use the plugin stranger"):
        check_plugin("stranger", variants=[other], hands=1, swaps=0)


def test_another_class_under_the_id_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    class Twin(Stranger):
        pass

    install(monkeypatch, Twin)
    with pytest.raises(ConformanceError, match="leads to another class"):
        check_plugin(Stranger, hands=1, swaps=0)


def test_one_error_lists_everything_and_repeats_nothing() -> None:
    report = Report("x")
    for number in range(10):
        report.that(False, "views", "seat 0", f"leak {number}")
    report.that(False, "views", "seat 1", "leak")
    report.that(False, "views", "seat 1", "leak")
    report.that(True, "views", "seat 1", "never said")
    with pytest.raises(ConformanceError) as caught:
        report.done()
    assert caught.value.failures[:2] == (Failure("views", "seat 0", "leak 0"), Failure("views", "seat 0", "leak 1"))
    assert len(caught.value.failures) == 4
    assert "x: 11 failures" in str(caught.value) and "and 7 more of the same kinds" in str(caught.value)
    assert report.counts["views"] == 13
    assert isinstance(caught.value, AssertionError)
    assert isinstance(caught.value, gunzi.GunziError)


def test_it_works_without_pytest() -> None:
    code = (
        "import sys; from gunzi.apps.testing import check_rules; print(check_rules('boke', hands=1, swaps=1)); "
        "assert not any(name.partition('.')[0] in ('pytest', '_pytest') for name in sys.modules)"
    )
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert run.returncode == 0, run.stderr
    assert run.stdout.startswith("boke: ")
