"""Share codes: short, stable, and an error as soon as anything about them is wrong."""

from __future__ import annotations

import base64
import hashlib
import random
import string
from collections.abc import Iterator
from typing import Any

import pytest
from rule_sets import random_settings
from strangers import install, uninstall

import gunzi
from gunzi import Plugin, sharecode
from gunzi.options import Flag, Number, Schema
from gunzi.sharecode import PREFIX, decode, encode, is_code
from gunzi.sharetable import BASES, ONE, OPTIONS

# Codes that people have saved. They must give these rules for ever: what is wrong is the change, not the test.
SAVED = {
    "gz1.YmAuDDHUDQA": ("dalian", {}),
    "gz1.s6p8CDHK9wAJAA": ("yuwang", {"reveal.pick": "min"}),
}


def code_error(code: str) -> str:
    with pytest.raises(gunzi.VariantError) as raised:
        gunzi.load(code)
    return raised.value.problems[0].code


def test_saved_codes_keep_their_meaning() -> None:
    for code, (preset, settings) in SAVED.items():
        assert gunzi.load(code) == gunzi.load(preset, settings)


def test_the_numbers_of_options_and_values_are_pinned() -> None:
    """New options and values come at the end, with a new number below; nothing before them may move."""
    written = "|".join(f"{id}:{form}:{','.join(map(str, named))}" for id, form, named in OPTIONS[:49])
    assert hashlib.sha256(written.encode()).hexdigest()[:16] == "8c04ec41f8cf63aa"
    assert BASES[:7] == ("base", "boke", "zixun", "chayuan", "yuwang", "baike", "dalian")


def test_every_built_in_option_and_named_value_has_a_number() -> None:
    base = gunzi.load("base")
    assert {id for id, _, _ in OPTIONS} == set(base.option_ids())
    for id, form, named in OPTIONS:
        if form == ONE:
            assert {base.option(id).show(value) for value in named} == set(base.option(id).values()), id


def test_a_preset_is_its_own_base() -> None:
    for preset in ("base", *gunzi.preset_ids()):
        code = encode(gunzi.load(preset))
        assert gunzi.load(code).id == preset
        assert gunzi.load(code).origin("deck.packs") == gunzi.load(preset).origin("deck.packs")


def test_a_code_is_short_and_fit_for_an_address() -> None:
    changes: dict[str, Any] = {
        "reveal.pick": "max", "follow.shapes": "strict", "levels.threshold": 100, "tribute.kings": {"big": 3, "small": 1},
        "endings.three_small": "either",
    }  # fmt: skip
    allowed = set(string.ascii_letters + string.digits + "-_.")
    for preset in gunzi.preset_ids():
        for many in range(6):
            code = encode(gunzi.load(preset, dict(list(changes.items())[:many])))
            assert code.startswith(PREFIX) and set(code) <= allowed and len(code) <= 40, code


def test_the_shortest_base_is_chosen() -> None:
    as_yuwang = {id: value for id, value in gunzi.load("zixun").options.items() if id != "reveal.pick"}
    code = encode(gunzi.load("boke", as_yuwang))
    assert len(code) <= 20
    assert gunzi.load(code).id in ("zixun", "yuwang")


def test_every_change_of_one_character_is_found() -> None:
    code = encode(gunzi.load("yuwang", {"follow.shapes": "strict", "levels.final": 14}))
    for place in range(len(PREFIX), len(code)):
        for other in string.ascii_letters + string.digits + "-_":
            if other != code[place]:
                assert code_error(code[:place] + other + code[place + 1 :]) == "code-damaged"


def test_missing_doubled_and_swapped_characters_are_found() -> None:
    code = encode(gunzi.load("baike", {"reveal.pick": "max", "capture.multiplier": 4}))
    for place in range(len(PREFIX), len(code)):
        assert code_error(code[:place] + code[place + 1 :]) == "code-damaged"
        assert code_error(code[:place] + code[place] + code[place:]) == "code-damaged"
        swapped = code[:place] + code[place : place + 2][::-1] + code[place + 2 :]
        if swapped != code:
            assert code_error(swapped) == "code-damaged"


def test_random_texts_are_no_codes() -> None:
    dice = random.Random(5)
    for _ in range(2_000):
        text = "".join(dice.choices(string.ascii_letters + string.digits + "-_", k=dice.randint(0, 60)))
        assert code_error(PREFIX + text) in ("code-damaged", "code-newer")


def packed(payload: bytes) -> str:
    """A code with a sound first check around any bytes."""
    return PREFIX + base64.urlsafe_b64encode(sharecode._own_check(payload) + payload).decode().rstrip("=")


def test_sound_checks_around_nonsense_are_errors_all_the_same() -> None:
    dice = random.Random(6)
    right = sharecode._payload(
        encode(gunzi.load("yuwang", {"titles": [[0, "赤脚"]], "phases": ["deal", "reveal", "play", "settle"]}))
    )
    for _ in range(3_000):
        payload = bytearray(right if dice.random() < 0.7 else dice.randbytes(dice.randint(0, 40)))
        for _ in range(dice.randint(1, 3)):
            if payload:
                payload[dice.randrange(len(payload))] = dice.randrange(256)
        if bytes(payload) == right:
            continue
        try:
            found = gunzi.load(packed(bytes(payload)))
        except gunzi.RulesError:
            continue
        assert encode(found)  # one in 65,536 gets past the second check too, as some rule set; it must at least be one


def test_a_newer_code_says_so() -> None:
    code = encode(gunzi.load("yuwang"))
    assert code_error("gz2." + code[4:]) == "code-newer"
    assert code_error("gz17.AAAA") == "code-newer"
    right = sharecode._payload(code)
    assert code_error(packed(bytes([right[0], len(OPTIONS) + 1]) + right[2:])) == "code-newer"
    assert code_error(packed(bytes([100]) + right[1:])) == "code-newer"


def test_a_code_of_a_preset_that_has_changed_is_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    code = encode(gunzi.load("yuwang", {"follow.shapes": "strict"}))

    def changed(id: str) -> Any:
        return gunzi.load(id, {"reveal.pick": "min"}).resolved

    with pytest.raises(gunzi.VariantError) as raised:
        decode(code, changed)
    assert raised.value.problems[0].code == "code-outdated"


def test_options_that_come_later_leave_a_code_as_it_is(monkeypatch: pytest.MonkeyPatch) -> None:
    rules = gunzi.load("yuwang", {"follow.shapes": "strict"})
    with monkeypatch.context() as patch:
        patch.setattr(sharecode, "OPTIONS", OPTIONS[:-1])  # as an earlier gunzi wrote it
        patch.delitem(sharecode._NUMBER, OPTIONS[-1][0])
        code = encode(rules)
    assert code != encode(rules)
    assert gunzi.load(code) == rules


def test_what_is_and_is_not_meant_as_a_code() -> None:
    assert is_code("gz1.abc") and is_code(" gz1.abc\n") and is_code("gz12.")
    assert not is_code("gz1.yaml") and not is_code("./gz1.abc") and not is_code("gz.abc") and not is_code("yuwang")


def test_titles_and_phases_stand_in_a_code() -> None:
    settings = {"titles": [[0, "光脚丫"], [1000, "hero ⭐"]], "phases": ["deal", "reveal", "bury", "play", "settle"]}
    rules = gunzi.load("dalian", settings)
    assert gunzi.load(encode(rules)) == rules


def test_a_long_code_is_packed() -> None:
    rules = gunzi.load("base", {"titles": [[number * 10, "好汉好汉好汉"] for number in range(100)]})
    assert len(encode(rules)) < 700
    assert gunzi.load(encode(rules)) == rules


def test_values_can_be_laid_over_a_code() -> None:
    code = encode(gunzi.load("yuwang", {"reveal.pick": "min"}))
    rules = gunzi.load(code, {"follow.shapes": "strict"})
    assert rules == gunzi.load("yuwang", {"reveal.pick": "min", "follow.shapes": "strict"})
    assert rules.origin("reveal.pick").where == code


class Extra(Plugin):
    """A stranger with options of its own."""

    id = "gunzi-extra"
    version = "1"
    options = (
        Flag("extra.on", gunzi.Text("开", "on"), gunzi.Text("", ""), gunzi.Text("开", "on"), gunzi.Text("关", "off")),
        Number("extra.many", gunzi.Text("几", "many"), gunzi.Text("", ""), 0, 1000),
        Schema("extra.any", gunzi.Text("随便", "any"), gunzi.Text("", ""), {"type": ["object", "string", "number"]}),
    )
    defaults = {"extra.on": False, "extra.many": 3, "extra.any": "x"}


class Another(Plugin):
    """A second stranger."""

    id = "another"
    version = "1"


@pytest.fixture
def strangers(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    install(monkeypatch, Extra, Another)
    yield
    uninstall(monkeypatch)


HOUSE = "gunzi: 1\nid: house\nextends: yuwang\nplugins: [{plugins}]\nextra: {{on: true, many: 700, any: {{a: 词}}}}\n"


def test_a_code_carries_the_options_of_strangers(strangers: None) -> None:
    rules = gunzi.loading.load_text(HOUSE.format(plugins="gunzi-extra, another"))
    assert gunzi.load(encode(rules)) == rules
    turned = gunzi.loading.load_text(HOUSE.format(plugins="another, gunzi-extra"))
    assert encode(turned) == encode(rules)


def test_a_code_that_needs_a_missing_plugin_names_it(strangers: None, monkeypatch: pytest.MonkeyPatch) -> None:
    code = encode(gunzi.loading.load_text(HOUSE.format(plugins="gunzi-extra")))
    install(monkeypatch)
    with pytest.raises(gunzi.PluginError, match="gunzi-extra"):
        gunzi.load(code)


def test_codes_of_random_rule_sets_are_different_and_read_back() -> None:
    codes = {}
    for preset, settings in random_settings(60, seed=77):
        rules = gunzi.load(preset, settings)
        codes[encode(rules)] = rules.hash
        assert gunzi.load(encode(rules)).hash == rules.hash
    assert len(set(codes.values())) == len(codes)
