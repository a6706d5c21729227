"""Variant files that gunzi writes read back as the same rules."""

from __future__ import annotations

import pytest

import gunzi
from gunzi.errors import VariantError
from gunzi.loading import load, load_text
from gunzi.writing import flow, quoted, variant_text

HEAD = "gunzi: 1\nid: my-house\n"


def every_value() -> list[tuple[str, object]]:
    rules = load("base")
    return [(id, value) for id in rules.option_ids() for value in rules.option(id).examples()]


def test_a_written_variant_reads_back_as_the_same_rules() -> None:
    base = load("base")
    for id, value in every_value():
        try:
            rules = base.with_options({id: value})
        except VariantError:
            continue  # contradicts another option alone; the values themselves are tested with their options
        again = load_text(variant_text(rules, "copy"))
        assert again.options == rules.options
        assert again.hash == rules.hash


@pytest.mark.parametrize("parent", ["base", "yuwang", "baike"])
@pytest.mark.parametrize("preset", gunzi.preset_ids())
def test_every_preset_can_be_written_as_differences_from_another(preset: str, parent: str) -> None:
    rules = load(preset)
    text = variant_text(rules, "copy", load(parent), name=rules.name)
    again = load_text(text)
    assert again.hash == rules.hash
    for id in rules.option_ids():
        if rules.options[id] != load(parent).options[id]:
            assert (again.origin(id).status, again.origin(id).source) == (
                rules.origin(id).status,
                rules.origin(id).source,
            )


@pytest.mark.parametrize(
    "text",
    [
        "",
        "no",
        "TRUE",
        "null",
        "~",
        "1",
        "1.0",
        "a: b",
        "#x",
        '"',
        "\\",
        "'",
        "你好",
        "a\nb",
        "\x07",
        "😀",
        " x ",
        "-",
        "yes",
    ],
)
def test_any_text_can_be_written(text: str) -> None:
    rules = load_text(f"{HEAD}name: {quoted(text)}\n")
    assert rules.name.en == text
    assert flow({"a": [text, 1, True, None], "5": 5}).startswith("{a: [")
