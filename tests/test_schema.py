"""The published schemas agree with what gunzi itself reads."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator

import gunzi
from gunzi import schemas, variants
from gunzi.errors import Text, VariantError
from gunzi.loading import check_text, load
from gunzi.options import Flag
from gunzi.optionset import OptionSet
from gunzi.plugin import Plugin
from gunzi.resolve import option_set
from gunzi.schema import main, option_schema, schema_text, variant_schema
from gunzi.source import read
from gunzi.writing import flow

HEAD = "gunzi: 1\nid: my-house\n"
OPTIONS = option_set(())[0]


@pytest.fixture(scope="module")
def variant() -> Draft202012Validator:
    return Draft202012Validator(variant_schema())


def published(name: str) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(schemas.path(name).read_text(encoding="utf-8"))
    return found


def accepts(validator: Draft202012Validator, text: str | bytes) -> bool:
    source = read(text)
    assert source.root is not None
    return validator.is_valid(source.root.plain())


def walk(schema: Any) -> Iterator[Any]:
    yield schema
    for part in schema.values() if isinstance(schema, dict) else schema if isinstance(schema, list) else ():
        yield from walk(part)


@pytest.mark.parametrize("name", schemas.NAMES)
def test_a_schema_is_sound_and_never_says_any_of_the_given_schemas(name: str) -> None:
    schema = published(name)
    Draft202012Validator.check_schema(schema)
    assert schema["$schema"] == "https://json-schema.org/draft/2020-12/schema"
    for part in walk(schema):
        if isinstance(part, dict):
            assert not {"oneOf", "anyOf"} & part.keys()
    with pytest.raises(KeyError):
        schemas.path("nothing")


def test_the_published_variant_schema_is_the_one_the_options_give(tmp_path: Path) -> None:
    assert main([str(tmp_path)]) == 0
    fresh = (tmp_path / "variant.schema.json").read_text(encoding="utf-8")
    assert fresh == schema_text(variant_schema()) == schemas.path("variant").read_text(encoding="utf-8")


def test_every_option_and_value_is_described_in_both_languages() -> None:
    for id, option in OPTIONS.items():
        made = option_schema(option)
        assert option.doc.zh in made["description"]
        assert option.doc.en in made["description"]
        for value, text in option.values().items():
            assert f"`{value}`: {text.zh} / {text.en}" in made["markdownDescription"], id
        if "enum" in made and option.values():
            assert len(made["enumDescriptions"]) == len(made["enum"])


@pytest.mark.parametrize("id", ("base", *gunzi.preset_ids()))
def test_every_preset_is_valid(variant: Draft202012Validator, id: str) -> None:
    assert accepts(variant, variants.read(id))


def file_with(option: str, value: str) -> str:
    group, _, name = option.partition(".")
    return f"{HEAD}{group}: {{{name}: {value}}}\n" if name else f"{HEAD}{group}: {value}\n"


@pytest.mark.parametrize("option", list(OPTIONS))
def test_schema_and_loader_take_the_same_values(variant: Draft202012Validator, option: str) -> None:
    for value in OPTIONS[option].examples():
        assert accepts(variant, file_with(option, flow(value))), value
        OPTIONS[option].parse(value)


WRONG = (
    "no", "off", "'true'", "true", "null", "1:30", "010", "1.10", "120.0", ".nan", "-1", "99999", "7", "x", "[]", "{}", "[x]",
    "[3, 3]", "[3, 10, 11]", "{a: 1}", "{big: 2}", "{big: 2, small: 10}", "{big: 2, small: 1, mid: 1}", "{5: 3}", "{Z: 5}",
    "{5: true}", "[[1]]", "[[1, 2]]", "[[true, a]]", "[[-1, a]]", "[[0, '']]", "min", "max", "either", "strict", "2", "15", "Z", "[2, 3]",
    "[deal]", "[deal, deal]", "['']", "{10: 10}", "[[0, a]]", "120", "3", "'3'", "false",
)  # fmt: skip


@pytest.mark.parametrize("option", list(OPTIONS))
def test_schema_and_loader_refuse_the_same_values(variant: Draft202012Validator, option: str) -> None:
    for value in WRONG:
        text = file_with(option, value)
        wrong = {"bad-value", "empty-section"} & {problem.code for problem in check_text(text)}
        assert accepts(variant, text) == (not wrong), value


@pytest.mark.parametrize(
    "text",
    [
        "gunzi: 2\nid: a\n", "gunzi: true\nid: a\n", "id: a\n", "gunzi: 1\n", "gunzi: 1\nid: A b\n",
        HEAD + "nmae: x\n", HEAD + "name: []\n", HEAD + "name: {}\n", HEAD + "name: {xx: a}\n", HEAD + "name: 3\n",
        HEAD + "extends: 3\n", HEAD + "extends: {a: 1}\n", HEAD + "extends: [boke, boke]\n", HEAD + "plugins: a\n",
        HEAD + "plugins: [1]\n", HEAD + "silence: [' ']\n", HEAD + "notes: {reveal.pik: {status: ruled}}\n",
        HEAD + "notes: {reveal.pick: {status: rule}}\n", HEAD + "notes: {reveal.pick: {source: x}}\n",
        HEAD + "notes: {reveal.pick: {status: ruled, x: y}}\n", HEAD + "notes: {reveal.pick: {status: ruled, source: 1}}\n",
        HEAD + "reveal:\n", HEAD + "reveal: max\n", HEAD + "reveal.pick: max\n", HEAD + "reveal: {pik: max}\n",
        HEAD + "version: []\n", HEAD + "version: true\n", "- a\n", HEAD + "extends: ''\n",
    ],
)  # fmt: skip
def test_schema_and_loader_refuse_the_same_files(variant: Draft202012Validator, text: str) -> None:
    assert check_text(text)
    assert not accepts(variant, text)


@pytest.mark.parametrize(
    "text",
    [
        HEAD, HEAD + "name: 我家\n", HEAD + "name: {zh: 我家}\n", HEAD + "extends: [boke, yuwang]\n", HEAD + "extends: []\n",
        HEAD + "plugins: []\n", HEAD + "version: 1.10\n", HEAD + "version: 3\n", HEAD + "reveal: {}\n",
        HEAD + "notes: {reveal.pick: {status: operator, source: ours}}\n", HEAD + "description: {en: x}\nsilence: [no-points]\n",
    ],
)  # fmt: skip
def test_schema_and_loader_take_the_same_files(variant: Draft202012Validator, text: str) -> None:
    assert check_text(text) == []
    assert accepts(variant, text)


def test_a_plugins_options_and_old_names_are_in_its_schema() -> None:
    yes = Text("是", "yes")

    class Stranger(Plugin):
        id = "stranger"
        options = (Flag("house.new", yes, yes, yes, yes, renamed_from=("house.old", "bare")),)

    schema = variant_schema(OptionSet([Stranger]))
    validator = Draft202012Validator(schema)
    for text in ("house: {new: true}", "house: {old: true}", "bare: true"):
        assert validator.is_valid(read(f"{HEAD}{text}\n").root.plain())  # type: ignore[union-attr]
    assert not validator.is_valid(read(f"{HEAD}house: {{old: 3}}\n").root.plain())  # type: ignore[union-attr]
    assert schema["properties"]["house"]["properties"]["old"]["deprecated"] is True


def test_a_record_fits_its_schema() -> None:
    validator = Draft202012Validator(published("record"))
    table = gunzi.Table(load("dalian"), seed=3, hands=2)
    while not table.over:
        ask = table.ask
        table.do(ask.seat, ask[len(ask) // 2])
    for line in table.record.lines():
        validator.validate(json.loads(line))
    for seat in (0, None):
        for event in table.view(seat):
            validator.validate(json.loads(json.dumps(event)))
    assert not validator.is_valid({"e": "play", "n": 1, "seat": 4, "cards": ["S3"]})
    assert not validator.is_valid({"e": "play", "n": 1, "seat": 0, "cards": ["S1"]})
    assert not validator.is_valid({"e": "dance", "n": 1})
    assert validator.is_valid({"e": "stranger:peek", "n": 1})
    assert not validator.is_valid({**table.record.header, "players": []})


def test_scenarios_fit_their_schema() -> None:
    validator = Draft202012Validator(published("scenario"))
    folder = Path(__file__).parent / "scenarios"
    files = sorted(folder.glob("*.yaml"))
    assert files
    for file in files:
        root = read(file.read_bytes(), file.name).root
        assert root is not None
        errors = [f"{file.name} {list(error.path)}: {error.message}" for error in validator.iter_errors(root.plain())]
        assert errors == []
    for wrong in (
        "- {name: A, ask: dry_pot, given: {level: 3, trump: S, bottom: [H4]}, expect: {all: true}}",
        "- {name: a, ask: dry_pot, given: {level: 3, trump: S}, expect: {all: true}}",
        "- {name: a, ask: dry_pot, given: {level: 3, trump: X, bottom: [H4]}, expect: {all: true}}",
        "- {name: a, ask: lead, given: {level: 3, trump: S, hand: [H4]}, expect: {all: true}}",
        "- {name: a, ask: dry_pot, given: {level: 3, trump: S, bottom: [H1]}, expect: {all: true}}",
        "- {name: a, ask: title, given: {score: 1}, expect: {all: x}, wiht: {}}",
    ):
        assert not accepts(validator, wrong)


def test_a_value_the_schema_takes_can_still_contradict_another() -> None:
    with pytest.raises(VariantError, match="tribute-thresholds"):
        load("base", {"tribute.high": 100})
