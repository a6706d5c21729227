"""Nothing gunzi writes loses an option: file, share code and record header all read back as the same rules."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from rule_sets import every_setting, random_settings

import gunzi
from gunzi.loading import forget, from_header, load_text
from gunzi.sharecode import encode
from gunzi.writing import variant_text

IDS = tuple(gunzi.load("base").option_ids())
EVERY: dict[str, list[tuple[Any, dict[str, Any]]]] = {id: [] for id in IDS}
for _id, _value, _settings in every_setting():
    EVERY[_id].append((_value, _settings))


def read_back(rules: gunzi.RuleSet, twice: bool = True) -> dict[str, gunzi.RuleSet]:
    """The rule set by each way of writing it down, the file ``twice``: what is read from it written again."""
    exported = load_text(variant_text(rules, "my-house"))
    header = json.loads(json.dumps({"rules": rules.as_json()}, ensure_ascii=False))
    return {
        "file": exported,
        "share code": gunzi.load(encode(rules)),
        "record": from_header(header),
        **({"file of the file": load_text(variant_text(exported, "my-house"))} if twice else {}),
    }


def same(rules: gunzi.RuleSet, what: object = "", twice: bool = True) -> None:
    for way, found in read_back(rules, twice).items():
        assert dict(found.options) == dict(rules.options), (way, what)
        assert found.hash == rules.hash, (way, what)
        assert found.plugins == rules.plugins, (way, what)


@pytest.mark.parametrize("preset", ["base", *gunzi.preset_ids()])
def test_a_preset_reads_back_as_itself(preset: str) -> None:
    same(gunzi.load(preset))


@pytest.mark.parametrize("id", IDS)
def test_every_value_of_an_option_reads_back(id: str) -> None:
    assert EVERY[id], f"no value of {id} can stand"
    for place, (value, settings) in enumerate(EVERY[id]):
        rules = gunzi.load("base", settings)
        assert rules.options[id] == value
        same(rules, value, twice=place < 10)  # what is read is equal: it is not written otherwise
    forget()


def test_every_named_value_is_among_them() -> None:
    base = gunzi.load("base")
    for id in IDS:
        named = set(base.option(id).values())
        assert named <= {base.option(id).show(value) for value, _ in EVERY[id]}, id


@pytest.mark.parametrize("part", range(4))
def test_random_rule_sets_read_back(part: int) -> None:
    for preset, settings in random_settings(50, seed=part):
        same(gunzi.load(preset, settings), (preset, settings))
    forget()


def test_a_file_on_disk_reads_back(tmp_path: Path) -> None:
    for number, (preset, settings) in enumerate(random_settings(10, seed=9)):
        rules = gunzi.load(preset, settings)
        path = tmp_path / f"house-{number}.yaml"
        path.write_text(variant_text(rules, f"house-{number}", gunzi.load(preset)), encoding="utf-8")
        assert gunzi.load(path).hash == rules.hash
