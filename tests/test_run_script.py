"""``run.py``: the two commands of the README."""

from __future__ import annotations

import ast
import importlib.util
import json
from pathlib import Path
from types import ModuleType

import pytest

SCRIPT = Path(__file__).resolve().parent.parent / "run.py"


@pytest.fixture
def run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    """The script as a module, looking at a small project in a temporary folder, speaking English."""
    spec = importlib.util.spec_from_file_location("run_script", SCRIPT)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    (tmp_path / "core").mkdir()
    (tmp_path / "core" / "cards.py").write_text("")
    (tmp_path / "pyproject.toml").write_text("[project]\n")
    venv = tmp_path / ".venv"
    for name, value in (
        ("ROOT", str(tmp_path)),
        ("VENV", str(venv)),
        ("STAMP", str(venv / "gunzi-setup.json")),
        ("LOG", str(venv / "gunzi-setup.log")),
        ("ZH", False),
    ):
        monkeypatch.setattr(module, name, value)
    return module


def test_an_old_python_is_told_which_one_is_needed(
    run: ModuleType, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(run, "OLDEST", (99, 0))
    assert run.main([]) == 2
    assert "needs Python 3.11 or newer" in capsys.readouterr().err


def test_old_pythons_can_read_the_script() -> None:
    for node in ast.walk(ast.parse(SCRIPT.read_text(encoding="utf-8"))):
        assert not isinstance(node, ast.JoinedStr | ast.AnnAssign | ast.NamedExpr | ast.Match | ast.Nonlocal)
        assert not isinstance(node, ast.Raise) or node.cause is None
        if isinstance(node, ast.FunctionDef):
            assert node.returns is None
            assert not node.args.kwonlyargs


def test_a_python_that_makes_no_environments_is_told_what_to_install(
    run: ModuleType, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(run, "answer", lambda *command: "")
    assert run.main([]) == 2
    assert "apt install python3." in capsys.readouterr().err


def test_no_network_is_said_in_one_sentence_with_what_pip_said(
    run: ModuleType, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    said = "Looking\nERROR: Could not find a version\nWARNING: Retrying: Temporary failure in name resolution\n"
    monkeypatch.setattr(run, "make_environment", lambda: None)
    monkeypatch.setattr(run, "logged", lambda *command: said)
    assert run.main([]) == 2
    told = capsys.readouterr().err
    assert "is there a network?" in told
    assert "ERROR: Could not find a version" in told
    assert "Looking" not in told


def test_an_unknown_word_shows_how_it_is_used(run: ModuleType, capsys: pytest.CaptureFixture[str]) -> None:
    assert run.main(["tset"]) == 2
    assert "python3 run.py test" in capsys.readouterr().out


def test_a_new_file_means_a_new_installation(run: ModuleType, tmp_path: Path) -> None:
    before = run.fingerprint()
    (tmp_path / "core" / "cards.py").write_text("changed = True\n")
    assert run.fingerprint() == before
    (tmp_path / "core" / "trump.py").write_text("")
    assert run.fingerprint() != before


def test_an_environment_made_for_playing_is_not_ready_for_testing(
    run: ModuleType, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(run, "answer", lambda *command: "gunzi\n")
    (tmp_path / ".venv").mkdir()
    (tmp_path / ".venv" / "gunzi-setup.json").write_text(json.dumps({"fingerprint": run.fingerprint(), "dev": False}))
    assert run.is_ready(run.fingerprint(), dev=False)
    assert not run.is_ready(run.fingerprint(), dev=True)
    assert not run.is_ready("other", dev=False)


@pytest.mark.parametrize(("name", "chinese"), [("zh_CN.UTF-8", True), ("en_US.UTF-8", False), ("C", False)])
def test_it_speaks_the_language_of_the_locale(
    run: ModuleType, monkeypatch: pytest.MonkeyPatch, name: str, chinese: bool
) -> None:
    monkeypatch.setenv("LC_ALL", name)
    assert run.chinese() is chinese
