"""Every built-in rule says in Chinese and in English what it decides, and none knows another."""

from __future__ import annotations

import ast
from importlib import import_module
from importlib.metadata import entry_points
from pathlib import Path

import pytest
from plugin_options import BASE, make, options

from gunzi.errors import Text
from gunzi.options import Option
from gunzi.plugin import Plugin

FOLDER = Path(__file__).resolve().parent.parent / "plugins"
MODULES = sorted(path.stem for path in FOLDER.glob("*.py") if path.stem != "__init__")


def plugin_class(module: str) -> type[Plugin]:
    found: type[Plugin] = getattr(
        import_module(f"gunzi.plugins.{module}"), "".join(word.capitalize() for word in module.split("_"))
    )
    assert issubclass(found, Plugin)
    return found


OPTIONS = {option.id: option for module in MODULES for option in plugin_class(module).options}


def is_chinese(text: str) -> bool:
    return any("一" <= sign <= "鿿" for sign in text)


def assert_bilingual(text: Text) -> None:
    assert is_chinese(text.zh), text
    assert text.en.strip() and not is_chinese(text.en.replace("死棒", "").replace("活棒", "")), text


@pytest.mark.parametrize("module", MODULES)
def test_every_built_in_rule_comes_through_the_entry_points(module: str) -> None:
    (entry,) = [entry for entry in entry_points(group="gunzi") if entry.name == f"gunzi.plugins.{module}"]
    assert entry.load() is plugin_class(module)
    plugin = plugin_class(module)
    assert plugin.id == entry.name
    assert plugin.version
    assert_bilingual(plugin.name)


@pytest.mark.parametrize("module", MODULES)
def test_no_plugin_imports_another(module: str) -> None:
    tree = ast.parse((FOLDER / f"{module}.py").read_text(encoding="utf-8"))
    imported = [node.module or "" for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)]
    imported += [name.name for node in ast.walk(tree) if isinstance(node, ast.Import) for name in node.names]
    assert not [name for name in imported if name.startswith("gunzi.plugins")]


def test_the_options_are_those_of_the_rule_book() -> None:
    assert OPTIONS.keys() == BASE.keys() - {"direction", "phases"}


@pytest.mark.parametrize("option", OPTIONS.values(), ids=str)
def test_every_option_says_what_it_decides_and_where_the_rule_book_says_so(option: Option) -> None:
    assert_bilingual(option.name)
    assert_bilingual(option.doc)
    assert option.clause in {"2", *(f"3.{number}" for number in range(1, 10))}
    for text in option.values().values():
        assert_bilingual(text)


@pytest.mark.parametrize("option", OPTIONS.values(), ids=str)
def test_base_values_are_canonical(option: Option) -> None:
    assert option.parse(BASE[option.id]) == BASE[option.id]


@pytest.mark.parametrize("module", MODULES)
def test_fixed_rules_are_bilingual_and_no_options(module: str) -> None:
    for rule, text in plugin_class(module).rules.items():
        assert_bilingual(text)
        assert rule not in OPTIONS


@pytest.mark.parametrize("module", MODULES)
def test_the_base_rules_have_no_conflict(module: str) -> None:
    plugin = make(plugin_class(module))
    assert not hasattr(plugin, "conflicts") or not plugin.conflicts(options())


@pytest.mark.parametrize("module", MODULES)
def test_every_plugin_can_be_made_under_every_value_of_its_options(module: str) -> None:
    plugin = plugin_class(module)
    for option in plugin.options:
        for value in option.examples():
            make(plugin, **{option.id: value})
