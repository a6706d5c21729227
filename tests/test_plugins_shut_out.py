"""Plugins shut out, and told: by the environment, for one command, and in the records that need them."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from cli_harness import Cli
from conftest import play_out
from strangers import install
from trapped_plugin import MIND, Stranger, Trap, trapped_rules

import gunzi
from gunzi import PluginError, Record, RuleSet, Table, installed, loading
from gunzi.loading import load_text


@pytest.fixture
def rules(monkeypatch: pytest.MonkeyPatch) -> Iterator[RuleSet]:
    """``dalian`` with the stranger."""
    yield from trapped_rules(monkeypatch)


@pytest.fixture
def variant(rules: RuleSet, tmp_path: Path) -> Path:
    """A variant that needs the stranger."""
    path = tmp_path / "with-a-stranger.yaml"
    path.write_text("gunzi: 1\nid: with-a-stranger\nplugins: [stranger]\n")
    return path


@pytest.mark.parametrize(
    ("allowed", "said"),
    [
        ("other,another", "plugin stranger is installed but shut out: GUNZI_PLUGINS allows only other, another"),
        ("", "plugin stranger is installed but shut out: --no-external, or an empty GUNZI_PLUGINS"),
        ("other, stranger", ""),
        (None, ""),
    ],
)
def test_the_environment_limits_the_plugins(
    monkeypatch: pytest.MonkeyPatch, variant: Path, allowed: str | None, said: str
) -> None:
    with monkeypatch.context() as patch:
        if allowed is None:
            patch.delenv(installed.ALLOWED, raising=False)
        else:
            patch.setenv(installed.ALLOWED, allowed)
        loading.forget()
        if said:
            with pytest.raises(PluginError, match=said):
                gunzi.load(variant)
            assert installed.external_ids() == ()
        else:
            assert "stranger" in gunzi.load(variant).plugins
    loading.forget()


def test_no_external_holds_for_one_command(
    variant: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    cli = Cli(capsys, monkeypatch)
    assert cli("show", str(variant)).status == 0
    for words in (("--no-external", "show", str(variant)), ("show", "--no-external", str(variant))):
        ran = cli(*words)
        assert ran.status == 2
        assert "plugin stranger is installed but shut out" in ran.err
    assert cli("check", str(variant), "--no-external").status == 1
    rows = {row["id"]: row for row in cli("plugins", "--json", "--no-external").json["plugins"]}
    assert rows["stranger"]["shut_out"] and "shut out" in rows["stranger"]["error"]
    assert not rows["gunzi.plugins.deck"]["shut_out"]
    rows = {row["id"]: row for row in cli("plugins", "--json").json["plugins"]}
    assert not rows["stranger"]["shut_out"] and rows["stranger"]["version"] == "1"


def test_who_answers_is_told_for_a_rule_set(
    variant: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    told = Cli(capsys, monkeypatch)("plugins", str(variant), "--json").json
    assert told["hooks"]["dry_pot"] == {
        "kind": "decision", "answers": ["gunzi.plugins.dry_pot"], "wraps": ["stranger"],
    }  # fmt: skip
    row = next(row for row in told["plugins"] if row["id"] == "stranger")
    assert set(row) >= {"version", "distribution", "distribution_version", "hooks", "options", "lints", "replaces"}


# -- records -----------------------------------------------------------------------------------------------------------


def test_a_record_names_the_plugins_and_versions_it_needs(
    rules: RuleSet, monkeypatch: pytest.MonkeyPatch, reinstall: Callable[..., None]
) -> None:
    record = play_out(Table(rules, seed=1, hands=1)).record
    header = record.header["rules"]
    assert header["plugins"]["stranger"] == "1"
    assert (header["id"], "version" in header) == ("x", False)

    class Newer(Stranger):
        version = "2"

    reinstall(Newer)
    again = load_text(f"gunzi: 1\nid: x\nextends: dalian\nplugins: [stranger]\nphases: [{', '.join(MIND)}]\n")
    assert again.hash != rules.hash
    with pytest.raises(PluginError, match="recorded with plugin stranger in version 1; installed is version 2"):
        gunzi.verify(record)
    reinstall()
    with pytest.raises(
        PluginError, match="recorded with plugin stranger in version 1: plugin stranger is not installed"
    ):
        gunzi.verify(record)
    reinstall(Stranger)
    assert gunzi.verify(record).hands == 1


@pytest.fixture
def reinstall(monkeypatch: pytest.MonkeyPatch) -> Callable[..., None]:
    return lambda *plugins: install(monkeypatch, *plugins)


def test_a_record_states_the_presets_version() -> None:
    record = play_out(Table(gunzi.load("yuwang"), seed=1, hands=1)).record
    assert (record.header["rules"]["id"], record.header["rules"]["version"]) == ("yuwang", "1")
    older = Record({**record.header, "rules": {**record.header["rules"], "version": "0"}}, record.events)
    assert gunzi.resume(older, hands=1).header["rules"]["version"] == "0"
    del older.header["rules"]["version"]
    assert "version" not in gunzi.resume(older, hands=1).header["rules"]


def test_what_a_plugin_does_wrong_is_told_in_chinese_too(
    rules: RuleSet, variant: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert "插件 stranger 装了，可是不让用" in Cli(capsys, monkeypatch).zh("show", str(variant), "--no-external").err
    Trap.at = "apply"
    with pytest.raises(PluginError) as caught:
        play_out(Table(rules, seed=1))
    assert caught.value.text.zh == "插件 stranger 在 Nod.apply 里出错：ZeroDivisionError: apply"
