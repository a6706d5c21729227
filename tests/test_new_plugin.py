"""``gunzi new-plugin`` writes a package that works as it is: installed, it passes its own tests, ruff and mypy."""

from __future__ import annotations

import os
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest
from cli_harness import Cli

import gunzi
from gunzi.apps.cli.new_plugin import LONGEST
from gunzi.apps.kit import FILES, Names, package_files

LONG = "gunzi-" + "abcdefg-" * 4 + "ab"
NAMES = ("gunzi-lucky", "x", "lucky-3-kings", "gunzi-plugin", "none", LONG)
TOOLS = Path(sys.executable).parent


@pytest.fixture
def cli(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Cli:
    monkeypatch.chdir(tmp_path)
    return Cli(capsys, monkeypatch)


def run(folder: Path, *words: str | Path, site: Path | None = None) -> str:
    """Run a program in a folder, with what is installed in ``site``; its output. It must succeed."""
    # Where gunzi itself is imported from comes first: it may be on PYTHONPATH alone.
    paths = [str(Path(gunzi.__file__).parent.parent), os.environ.get("PYTHONPATH", ""), *([str(site)] if site else [])]
    environment = {key: value for key, value in os.environ.items() if not key.startswith("COVERAGE_")}
    environment["PYTHONPATH"] = os.pathsep.join(path for path in paths if path)
    done = subprocess.run(
        [str(word) for word in words], cwd=folder, env=environment, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


@pytest.fixture(scope="module")
def package(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    """A new package and the folder it is installed in."""
    work = tmp_path_factory.mktemp("new-plugin")
    run(work, sys.executable, "-c", "from gunzi.apps.cli import main; main(['new-plugin', 'gunzi-lucky'])")
    site = work / "site"
    run(
        work, sys.executable, "-m", "pip", "install", "--quiet", "--no-index", "--no-deps", "--no-build-isolation",
        "--disable-pip-version-check", "--target", site, work / "gunzi-lucky",
    )  # fmt: skip
    return work / "gunzi-lucky", site


def test_it_passes_its_own_tests_and_scenarios(package: tuple[Path, Path]) -> None:
    folder, site = package
    told = run(folder, TOOLS / "pytest", "-q", "-p", "no:cacheprovider", "-rA", site=site)
    assert "lucky-house.scenario.yaml::capturing-the-bottom-is-worth-a-bonus[./lucky-house.yaml]" in told
    assert "test_the_plugin_keeps_the_contract" in told
    assert "failed" not in told and "skipped" not in told


def test_it_is_found_checked_and_shown(package: tuple[Path, Path]) -> None:
    folder, site = package
    command = [sys.executable, "-c", "import sys; from gunzi.apps.cli import main; sys.exit(main(sys.argv[1:]))"]
    assert "no problems" in run(folder, *command, "check", "lucky-house.yaml", "--lang", "en", site=site)
    assert "gunzi-lucky 0.1.0" in run(folder, *command, "plugins", "--lang", "en", site=site)
    shown = run(folder, *command, "show", "./lucky-house.yaml", "--lang", "zh", site=site)
    assert "lucky.capture_bonus" in shown
    run(folder, *command, "test", "lucky-house.scenario.yaml", site=site)


def test_it_is_clean_for_ruff_and_mypy(package: tuple[Path, Path], tmp_path: Path) -> None:
    folder, site = package
    run(folder, TOOLS / "ruff", "check", "--no-cache", ".")
    run(folder, TOOLS / "ruff", "format", "--no-cache", "--check", ".")
    run(folder, TOOLS / "mypy", "--strict", "--cache-dir", tmp_path / "cache", "src", "tests", site=site)


@pytest.mark.parametrize("name", NAMES)
def test_every_name_gives_clean_files(name: str, tmp_path: Path) -> None:
    written = package_files(Names(name))
    assert not [text for text in (*written, *written.values()) if "@@" in text]
    for path, text in written.items():
        (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / path).write_text(text, encoding="utf-8")
    project = tomllib.loads(written["pyproject.toml"])
    assert project["project"]["entry-points"]["gunzi"] == {name: f"{Names(name).module}:{Names(name).cls}"}
    run(tmp_path, TOOLS / "ruff", "check", "--no-cache", ".")
    run(tmp_path, TOOLS / "ruff", "format", "--no-cache", "--check", ".")


def test_the_command_tells_what_it_wrote(cli: Cli, tmp_path: Path) -> None:
    ran = cli("new-plugin", "gunzi-lucky", "--out", "lucky")
    assert ran.status == 0
    assert "wrote lucky, 10 files:" in ran.out
    assert "pip install -e 'lucky[dev]'" in ran.out
    found = {path.relative_to("lucky").as_posix() for path in Path("lucky").rglob("*") if path.is_file()}
    assert found == set(package_files(Names("gunzi-lucky")))
    assert len(found) == len(FILES)
    assert "写好了" in cli.zh("new-plugin", "gunzi-lucky").out


def test_nothing_is_overwritten(cli: Cli) -> None:
    Path("gunzi-lucky").mkdir()
    assert cli("new-plugin", "gunzi-lucky").status == 0
    before = Path("gunzi-lucky/pyproject.toml").read_text()
    ran = cli("new-plugin", "gunzi-lucky")
    assert ran.status == 2
    assert "gunzi-lucky exists already, and is not overwritten" in ran.err
    assert Path("gunzi-lucky/pyproject.toml").read_text() == before
    Path("file").write_text("x")
    assert "不会去覆盖" in cli.zh("new-plugin", "gunzi-lucky", "--out", "file").err


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("Gunzi_Lucky", "no plugin's name"),
        ("3-kings", "no plugin's name"),
        ("lucky-", "no plugin's name"),
        ("a" * (LONGEST + 1), "no plugin's name"),
        ("抠底", "no plugin's name"),
        ("../lucky", "no plugin's name"),
        ("tribute", "tribute is a name gunzi itself uses"),
        ("gunzi-points", "points is a name gunzi itself uses"),
        ("gunzi-plugins", "plugins is a name gunzi itself uses"),
        ("json", "there is a module json already"),
        ("gunzi", "gunzi is a name gunzi itself uses"),
        ("pytest", "there is a module pytest already"),
    ],
)
def test_a_name_that_cannot_be_used_is_refused(cli: Cli, name: str, said: str) -> None:
    ran = cli("new-plugin", name)
    assert (ran.status, said in ran.err) == (2, True), ran.err
    assert not list(Path().iterdir())
    assert cli.zh("new-plugin", name).status == 2
