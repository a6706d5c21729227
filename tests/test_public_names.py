"""The names gunzi promises to keep: taking one away, or adding one, is a decision and changes this list."""

from __future__ import annotations

import tomllib
from pathlib import Path

import gunzi

PUBLIC = """
CARDS Act Ask Bury BuryKings Card CardError Claim DealCard Declare Fair GunziError Hand Pass Pay Phase Pick Play
Plugin PluginError Record RecordError Refused Return RuleSet RulesError ScenarioError Table TableError Text Trump
VariantError hookimpl load parse_card parse_cards preset_ids resume settle take_back trump_order verify view
"""


def test_the_public_names_are_these() -> None:
    assert list(gunzi.__all__) == PUBLIC.split()


def test_every_public_name_is_there_and_says_what_it_is() -> None:
    for name in PUBLIC.split():
        thing = getattr(gunzi, name)
        if isinstance(thing, type) or callable(thing):
            assert thing.__doc__, f"{name} has no docstring"


def test_star_imports_exactly_the_public_names() -> None:
    names: dict[str, object] = {}
    exec("from gunzi import *", names)
    assert set(names) - {"__builtins__"} == set(PUBLIC.split())


def test_the_version_is_the_one_of_the_project_file() -> None:
    with (Path(__file__).resolve().parent.parent / "pyproject.toml").open("rb") as file:
        assert gunzi.__version__ == tomllib.load(file)["project"]["version"]
