"""A hook without documentation or without a test fails the build; so does a reference page that is out of date."""

from __future__ import annotations

import ast
import importlib.util
import inspect
import re
import sys
from pathlib import Path

import pytest

from gunzi.hooks import Hooks

ROOT = Path(__file__).resolve().parent.parent
HOOKS = {name: method for name, method in vars(Hooks).items() if hasattr(method, "gunzi_spec")}


@pytest.mark.parametrize("page", ["hooks.md", "hooks.zh.md"])
@pytest.mark.parametrize("hook", HOOKS)
def test_every_hook_is_documented_with_its_arguments(hook: str, page: str) -> None:
    text = (ROOT / "docs" / page).read_text(encoding="utf-8")
    section = re.search(rf"^### {hook}\n\n(.+)\n\n(.+)\n\n((?:(?!#).*\n)+)", text, re.MULTILINE)
    assert section is not None
    signature, kind, said = section.groups()
    documented = re.fullmatch(rf"`{hook}\((.*)\) -> .+`", signature)
    assert documented is not None
    assert re.findall(r"(\w+): ", documented[1]) == list(inspect.signature(HOOKS[hook]).parameters)[1:]
    assert kind.split()[0].rstrip(".") in {"Decision", "Contribution", "Observer"} or page == "hooks.zh.md"
    assert said.strip()


def test_every_hook_has_a_test_of_its_own() -> None:
    tested = {
        node.name.removeprefix("test_hook_")
        for file in (ROOT / "tests").glob("test_hooks_*.py")
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8")))
        if isinstance(node, ast.FunctionDef) and node.name.startswith("test_hook_")
    }
    assert tested == set(HOOKS)


def test_the_reference_pages_say_what_the_program_says() -> None:
    spec = importlib.util.spec_from_file_location("make_reference", ROOT / "docs" / "make_reference.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module  # dataclasses look their module up there
    spec.loader.exec_module(module)
    for file, text in module.pages():
        assert file.read_text(encoding="utf-8") == text, f"{file.name} is out of date: run docs/make_reference.py"
