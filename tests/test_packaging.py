"""The package as installed: what is in it, what it needs, who imports whom."""

from __future__ import annotations

import ast
import fnmatch
import json
import os
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from importlib import import_module, metadata
from importlib.resources import files
from pathlib import Path
from typing import Any

import pytest

from gunzi.plugin import Plugin

ROOT = Path(__file__).resolve().parent.parent
OUTSIDE = {"tests", "docs", "examples", "benchmarks", "build", "dist"}

with (ROOT / "pyproject.toml").open("rb") as _file:
    PROJECT: dict[str, Any] = tomllib.load(_file)

FOLDERS: dict[str, str] = PROJECT["tool"]["setuptools"]["package-dir"]
PACKAGES: list[str] = PROJECT["tool"]["setuptools"]["packages"]
ENTRY_POINTS: dict[str, dict[str, str]] = PROJECT["project"]["entry-points"]


def source_files() -> Iterator[tuple[str, Path]]:
    """Every module of the packages: its import name and its file."""
    for package in PACKAGES:
        for file in sorted((ROOT / FOLDERS[package]).glob("*.py")):
            yield package if file.stem == "__init__" else f"{package}.{file.stem}", file


MODULES = dict(source_files())


def imports(name: str) -> Iterator[str]:
    """The modules that a module imports, anywhere in its text; ``from a import b`` counts as ``a`` and ``a.b``."""
    file = MODULES[name]
    package = name if file.stem == "__init__" else name.rpartition(".")[0]
    for node in ast.walk(ast.parse(file.read_bytes())):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            above = package.split(".")[: len(package.split(".")) - node.level + 1] if node.level else []
            source = ".".join([*above, *([node.module] if node.module else [])])
            yield source
            yield from (f"{source}.{alias.name}" for alias in node.names)


def is_under(module: str, package: str) -> bool:
    return module == package or module.startswith(package + ".")


def run_elsewhere(code: str, folder: Path) -> subprocess.CompletedProcess[str]:
    """Runs Python code in another folder, so that only what is installed can be imported."""
    environment = {key: value for key, value in os.environ.items() if not key.startswith(("PYTHON", "COVERAGE_"))}
    return subprocess.run(
        [sys.executable, "-c", code], cwd=folder, env=environment, capture_output=True, text=True, check=False
    )


def test_every_folder_with_an_init_file_is_a_listed_package() -> None:
    found = {
        file.parent.relative_to(ROOT).as_posix()
        for folder in ROOT.iterdir()
        if folder.is_dir() and folder.name not in OUTSIDE and not folder.name.startswith((".", "venv"))
        for file in folder.rglob("__init__.py")
    }
    assert found == set(FOLDERS.values())
    assert list(FOLDERS) == PACKAGES


@pytest.mark.parametrize("folder", ["core", "plugins", "variants", "schemas", "apps"])
def test_a_folder_of_the_repository_is_no_import_name(folder: str, tmp_path: Path) -> None:
    run = run_elsewhere(f"import {folder}", tmp_path)
    assert "ModuleNotFoundError" in run.stderr


def test_gunzi_is_installed_from_this_folder() -> None:
    package = import_module("gunzi")
    assert package.__file__ is not None
    if (ROOT / "build").exists():
        assert Path(package.__file__).resolve() == ROOT / "core" / "__init__.py"


def test_every_file_of_a_package_is_installed() -> None:
    patterns = PROJECT["tool"]["setuptools"]["package-data"]["*"]
    for package in PACKAGES:
        for file in (ROOT / FOLDERS[package]).iterdir():
            if file.is_file():
                assert file.suffix == ".py" or any(fnmatch.fnmatch(file.name, p) for p in patterns), file
                assert files(package).joinpath(file.name).is_file(), f"{file} is new: install again"


def test_every_data_file_below_a_package_lies_in_a_package_or_is_named_as_its_data() -> None:
    data = PROJECT["tool"]["setuptools"]["package-data"]
    for package in PACKAGES:
        for file in (ROOT / FOLDERS[package]).rglob("*"):
            if file.is_file() and "__pycache__" not in file.parts:
                if file.parent.relative_to(ROOT).as_posix() in FOLDERS.values():
                    continue
                owner = max(
                    (p for p in PACKAGES if file.is_relative_to(ROOT / FOLDERS[p])), key=lambda p: len(FOLDERS[p])
                )
                parts = file.relative_to(ROOT / FOLDERS[owner]).parts
                named = [pattern.split("/") for pattern in data.get(owner, ())]
                assert any(len(p) == len(parts) and all(map(fnmatch.fnmatch, parts, p)) for p in named), file
                assert files(owner).joinpath(*parts).is_file(), f"{file} is new: install again"


def test_the_types_are_published() -> None:
    assert files("gunzi").joinpath("py.typed").is_file()


@pytest.mark.parametrize("name", ENTRY_POINTS["gunzi"])
def test_every_built_in_plugin_comes_through_its_entry_point(name: str) -> None:
    (point,) = metadata.entry_points(group="gunzi", name=name)
    assert point.value == ENTRY_POINTS["gunzi"][name]
    plugin = point.load()
    assert issubclass(plugin, Plugin)
    assert plugin.id == name == plugin.__module__
    assert plugin.version
    assert plugin.name.zh
    assert plugin.name.en


def test_every_plugin_file_has_an_entry_point() -> None:
    written = {name for name in MODULES if name.startswith("gunzi.plugins.") if _holds_a_plugin(name)}
    assert written == set(ENTRY_POINTS["gunzi"])


def _holds_a_plugin(name: str) -> bool:
    things = vars(import_module(name)).values()
    return any(isinstance(x, type) and issubclass(x, Plugin) and x.__module__ == name for x in things)


def test_the_command_and_the_pytest_plugin_load() -> None:
    (command,) = metadata.entry_points(group="console_scripts", name="gunzi")
    assert callable(command.load())
    (plugin,) = metadata.entry_points(group="pytest11", name="gunzi")
    assert plugin.load().__name__ == ENTRY_POINTS["pytest11"]["gunzi"]


def test_the_package_runs_as_the_command_does(tmp_path: Path) -> None:
    environment = {key: value for key, value in os.environ.items() if not key.startswith(("PYTHON", "COVERAGE_"))}
    for words, status in ((["explain", "reveal.pick", "--lang", "en"], 0), (["nonsense"], 2)):
        ran = subprocess.run(
            [sys.executable, "-m", "gunzi", *words],
            cwd=tmp_path,
            env=environment,
            capture_output=True,
            text=True,
            check=False,
        )
        assert ran.returncode == status, ran.stderr
        assert ("reveal.pick" in ran.stdout) == (status == 0)
        assert "Traceback" not in ran.stderr


def test_the_metadata_says_what_the_package_needs() -> None:
    about = metadata.metadata("gunzi")
    assert about["License-Expression"] == "MIT"
    assert about["Requires-Python"] == ">=3.11"
    assert about["Version"] == PROJECT["project"]["version"]
    needs = [need for need in metadata.requires("gunzi") or () if "extra ==" not in need]
    assert sorted(need.partition(">=")[0].lower() for need in needs) == ["jsonschema", "pluggy", "pyyaml"]


def test_the_packages_import_only_what_the_package_needs() -> None:
    allowed = {"gunzi", "jsonschema", "pluggy", "yaml"} | sys.stdlib_module_names
    for name in MODULES:
        extra = {"pytest", "_pytest"} if name == "gunzi.apps.pytest_plugin" else set()
        if name == "gunzi.apps.lab.cluster":  # the extra `cluster`
            extra = {"distributed"}
        if is_under(name, "gunzi.apps.rl"):
            extra = {"gymnasium", "numpy", "pettingzoo"}
        if name in ("gunzi.apps.kept_code", "gunzi.apps.players.sharp.compiling") or is_under(
            name, "gunzi.apps.lab.fast"
        ):
            extra = {"numba", "numpy"}
        if is_under(name, "gunzi.apps.web"):
            extra = {"aiohttp", "orjson"}
        for module in imports(name):
            assert module.partition(".")[0] in allowed | extra, f"{name} imports {module}"


def test_importing_gunzi_leaves_the_slow_and_the_optional_alone(tmp_path: Path) -> None:
    run = run_elsewhere("import gunzi, json, sys; print(json.dumps(sorted(sys.modules)))", tmp_path)
    assert run.returncode == 0, run.stderr
    loaded = json.loads(run.stdout)
    unwanted = (
        "jsonschema",
        "numpy",
        "numba",
        "pytest",
        "hypothesis",
        "asyncio",
        "http",
        "gunzi.apps",
        "gunzi.plugins",
    )
    assert [module for module in loaded if any(is_under(module, name) for name in unwanted)] == []


def test_the_core_imports_no_plugin_and_no_app() -> None:
    for name in MODULES:
        if not any(is_under(name, f"gunzi.{part}") for part in ("plugins", "apps", "variants", "schemas")):
            for module in imports(name):
                assert not is_under(module, "gunzi.plugins"), f"{name} imports {module}"
                assert not is_under(module, "gunzi.apps"), f"{name} imports {module}"


def test_no_plugin_imports_another_plugin_or_an_app() -> None:
    for name in MODULES:
        if is_under(name, "gunzi.plugins"):
            for module in imports(name):
                assert not is_under(module, "gunzi.apps"), f"{name} imports {module}"
                assert not is_under(module, "gunzi.plugins") or module == name, f"{name} imports {module}"


def test_no_phase_imports_another_phase() -> None:
    for name in MODULES:
        if name.startswith("gunzi.phases."):
            for module in imports(name):
                assert not is_under(module, "gunzi.phases"), f"{name} imports {module}"
