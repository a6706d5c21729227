"""The example packages, as strangers' plugins in this process: whole hands are played, verified and seen from every seat.

Installed from a wheel and with their own tests they are tried by ``.ci/run``.
"""

from __future__ import annotations

import sys
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest
from conftest import steps
from strangers import install, uninstall

import gunzi
from gunzi.apps.scenarios import run_files
from gunzi.cards import count_kinds
from gunzi.loading import check_file
from gunzi.sight import sight_of

FOLDER = Path(__file__).resolve().parent.parent / "examples"
PACKAGES = sorted(file.parent.name for file in FOLDER.glob("*/pyproject.toml"))


@dataclass(frozen=True)
class Example:
    """A package: its folder, its plugin class, its variants."""

    folder: Path
    plugin: type[gunzi.Plugin]
    variants: tuple[Path, ...]


@pytest.fixture(params=PACKAGES)
def example(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Iterator[Example]:
    """A package whose plugin is installed for the length of a test."""
    folder = FOLDER / request.param
    with (folder / "pyproject.toml").open("rb") as file:
        project: dict[str, Any] = tomllib.load(file)
    ((id, value),) = project["project"]["entry-points"]["gunzi"].items()
    module, _, name = value.partition(":")
    source = folder / "src" if (folder / "src").is_dir() else folder
    monkeypatch.setattr(sys, "path", [str(source), *sys.path])
    plugin = getattr(import_module(module), name)
    assert plugin.id == id
    install(monkeypatch, plugin)
    variants = tuple(file for file in sorted(folder.glob("*.yaml")) if ".scenario." not in file.name)
    yield Example(folder, plugin, variants)
    uninstall(monkeypatch)


def test_its_variants_have_no_problems_and_its_scenarios_hold(example: Example) -> None:
    assert example.variants
    for variant in example.variants:
        assert check_file(variant) == []
        assert example.plugin.id in gunzi.load(variant).plugins
    report = run_files(sorted(example.folder.glob("*.scenario.yaml")))
    assert report.status == 0, report.text("en")
    assert report.scenarios


def test_its_texts_are_there_in_both_languages(example: Example) -> None:
    texts = [example.plugin.name, *example.plugin.rules.values()]
    for option in example.plugin.options:
        assert option.id in example.plugin.defaults
        texts += [option.name, option.doc, *option.values().values()]
    for text in texts:
        assert text.zh
        assert text.en
        assert text.zh != text.en
    assert (example.folder / "README.md").exists() == (example.folder / "README.zh.md").exists()


def test_twenty_hands_are_played_with_no_card_lost_and_every_seat_able_to_follow(example: Example) -> None:
    rules = gunzi.load(example.variants[-1])
    table = gunzi.Table(rules, seed=20, hands=20, rounds=None)
    counts = list(rules.deck.copies)
    played: list[gunzi.Card] = []
    number = (0, 0)
    for done, (_, act) in enumerate(steps(table, dice=20)):
        hand = table.hand
        if (hand.number, hand.redeal) != number:
            number, played = (hand.number, hand.redeal), []
        if hand.trump is not None:
            bottom = () if hand.phase == "bury" else hand.bottom
            if hand.phase == "play" and done % 4 == 0:
                held = [card for seat in range(4) for card in hand.cards_of(seat)]
                assert count_kinds([*held, *bottom, *played]) == counts
            if done % 100 == 0:
                for seat in range(4):
                    assert sight_of(rules, table.view(seat), seat).holding == hand.holdings[seat]
        if isinstance(act, gunzi.Play):
            played += act.cards
    assert gunzi.verify(gunzi.Record.parse(table.record.text())).hands == 20


def test_a_table_is_taken_up_again_from_its_record_in_mid_hand(example: Example) -> None:
    rules = gunzi.load(example.variants[0])
    table = gunzi.Table(rules, seed=3, hands=2, rounds=None)
    for done, _ in enumerate(steps(table, dice=3)):
        if done == 60:
            break
    again = gunzi.resume(gunzi.Record.parse(table.record.text()))
    assert again.hand == table.hand
    assert again.ask.seat == table.ask.seat
    assert list(again.ask[:20]) == list(table.ask[:20])


def test_its_options_act_only_where_they_are_consulted(example: Example, differential: Any) -> None:
    for variant in example.variants:
        rules = gunzi.load(variant)
        for option in example.plugin.options:
            for value in option.neighbours(rules.options[option.id]):
                try:
                    other = rules.with_options({option.id: value})
                except gunzi.VariantError:
                    continue
                found = differential(rules, other, hands=2, seed=4)
                assert found.done == 2
