"""Rule sets: content, hash, immutability, reasons, and the rules a record carries."""

from __future__ import annotations

import copy
import hashlib
import json
import pickle
import time
from typing import Any

import pytest

from gunzi.acts import Play
from gunzi.ask import PlayAsk
from gunzi.cards import Card, parse_cards
from gunzi.errors import PluginError, RecordError, Refused, Text, VariantError
from gunzi.loading import from_header, from_options, load, load_text
from gunzi.play_rules import play_rules
from gunzi.ruleset import content_hash
from gunzi.trump import trump_order
from gunzi.values import Deck

# -- content -----------------------------------------------------------------------------------------------------


def test_a_rule_set_has_every_option_in_the_order_of_the_rule_book() -> None:
    rules = load("yuwang")
    ids = rules.option_ids()
    assert list(rules.options) == list(ids)
    groups = list(dict.fromkeys(id.partition(".")[0] for id in ids))
    assert groups == [
        "deck", "points", "trump", "direction", "phases", "first_dealer", "reveal", "declare", "dry_pot", "bury_kings",
        "tribute", "follow", "capture", "levels", "rotation", "endings", "scoring", "titles",
    ]  # fmt: skip
    assert ids[:5] == ("deck.packs", "deck.hand", "deck.bottom", "points", "trump.permanent")


def test_what_a_table_needs_is_worked_out_at_load() -> None:
    rules = load("dalian")
    assert rules.deck == Deck((3,) * 54, 39, 6)
    assert rules.points == (0, 0, 0, 5, 0, 0, 0, 0, 10, 0, 0, 10, 0, 0, 0)
    assert rules.permanent == (2,)
    assert rules.start_level == 3
    assert [phase.name for phase in rules.phases] == rules.options["phases"]
    trump = trump_order(3, "S")
    pointed, points = rules.point_masks(trump)
    assert pointed.bit_count() == 12
    assert sum(points) * 3 == 300
    assert rules.play_rules(trump) is rules.play_rules(trump)
    assert rules.observer is None
    assert rules.redact({"e": "nobody:secret"}, 0) is None


def test_a_refusal_names_where_the_tables_own_rule_set_has_a_value_from_not_an_equal_ones() -> None:
    trump = trump_order(3, "S")
    hand, lead = trump.masks(parse_cards("H4 H4 H5 H6 D3")), trump.masks(parse_cards("H9 H9"))
    for where in ("my-house", "the guests"):
        rules = load("yuwang").with_options({"follow.shapes": "strict"}, where)
        ask = PlayAsk(play_rules(rules, trump), 1, hand, lead, trump.lane(Card("H9")), 2)
        refused = ask.refusal(Play(parse_cards("H5 H6")))
        assert refused is not None and (refused.rule, refused.origin) == ("follow.shapes", where)


def test_equal_meaning_has_an_equal_hash() -> None:
    one = load_text("gunzi: 1\nid: a\nlevels: {final: 10, must_play: [3, 10]}\npoints: {5: 5, 10: 10, K: 10}\n")
    two = load_text(
        "gunzi: 1\nid: b\npoints: {13: 10, T: 10, '5': 5, 6: 0}\nlevels: {must_play: ['10', 3], final: T}\n"
    )
    assert one == two == load("base")
    assert hash(one) == hash(two)
    assert len({one, two}) == 1
    assert one != load("boke")
    assert one != "base"


def test_the_hash_can_be_recomputed_by_anybody() -> None:
    rules = load("baike")
    header = json.loads(json.dumps(rules.as_json()))
    text = json.dumps(
        {"options": header["options"], "plugins": header["plugins"]},
        sort_keys=True, separators=(",", ":"), ensure_ascii=False,
    )  # fmt: skip
    assert rules.hash == "sha256:" + hashlib.sha256(text.encode()).hexdigest()
    assert content_hash(header["options"], header["plugins"]) == rules.hash


def test_a_rule_set_cannot_be_changed() -> None:
    rules = load("boke")
    with pytest.raises(AttributeError):
        rules.id = "other"
    with pytest.raises(AttributeError):
        del rules.id
    with pytest.raises(TypeError):
        rules.options["reveal.pick"] = "max"  # type: ignore[index]
    changed = rules.with_options({"reveal.pick": "max"})
    assert rules.options["reveal.pick"] == "min"
    assert changed.options["reveal.pick"] == "max"
    assert changed.origin("reveal.pick").overridden


def test_a_rule_set_travels() -> None:
    rules = load("chayuan", {"follow.shapes": "strict"}, override_origin="--set")
    again = pickle.loads(pickle.dumps(rules))
    assert again == rules
    assert again.origin("follow.shapes") == rules.origin("follow.shapes")
    assert copy.deepcopy(rules) == rules
    assert repr(rules).startswith("<RuleSet chayuan sha256:")


def test_loading_is_cached() -> None:
    first = load("yuwang", {"follow.shapes": "strict"})
    begun = time.process_time()
    for _ in range(100):
        assert load("yuwang", {"follow.shapes": "strict"}) is first
    assert (time.process_time() - begun) / 100 < 0.01
    assert load("yuwang").hash == load("zixun").hash
    assert load("yuwang").host is load("zixun").host
    assert load("yuwang").origin("points") != load("zixun").origin("points")


def test_rules_explain_themselves_in_both_languages() -> None:
    rules = load("boke")
    for rule in rules.rule_ids():
        text = rules.rule_text(rule)
        assert text.zh
        assert text.en
    assert rules.value_text("reveal.pick").zh in rules.rule_text("reveal.pick").zh
    with pytest.raises(KeyError):
        rules.rule_text("no.such")
    with pytest.raises(VariantError, match="did you mean reveal.pick"):
        rules.option("reveal.pik")
    with pytest.raises(VariantError, match="did you mean reveal.pick"):
        rules.origin("reveal.pik")


def test_a_refusal_carries_the_rule_its_value_and_where_it_was_set() -> None:
    rules = load("yuwang", {"follow.shapes": "strict"}, override_origin="--set")
    refused = rules.refuse("follow.shapes", cards=("H9",), seat=2)
    assert isinstance(refused, Refused)
    assert (refused.rule, refused.value, refused.origin, refused.cards, refused.seat) == (
        "follow.shapes", "strict", "--set", ("H9",), 2,
    )  # fmt: skip
    fixed = rules.refuse("table.seat", {"seat": 9})
    assert (fixed.value, fixed.origin) == (None, None)
    assert "9" in fixed.zh
    assert "9" in fixed.en
    assert rules.refuse("follow.shapes", Text("不行", "no")).en == "no"


# -- records -----------------------------------------------------------------------------------------------------


def test_a_record_carries_its_rules() -> None:
    rules = load("baike", {"follow.shapes": "strict"})
    again = from_header({"rules": json.loads(json.dumps(rules.as_json()))})
    assert again == rules
    assert again.origin("follow.shapes").where == "record"
    assert again.origin("reveal.pick").where == rules.origin("reveal.pick").where


def test_a_foreign_record_need_not_list_every_option() -> None:
    rules = from_header({"rules": {"id": "boke", "hash": None, "options": {"follow.shapes": "strict"}, "plugins": {}}})
    assert rules == load("boke", {"follow.shapes": "strict"})


def test_a_record_of_an_unknown_variant_must_list_every_option() -> None:
    whole = dict(load("boke").options)
    rules = from_options("my-house", whole, name=Text("我家", "Mine"))
    assert (rules.id, rules.name.zh, rules.hash) == ("my-house", "我家", load("boke").hash)
    del whole["reveal.pick"], whole["titles"]
    with pytest.raises(VariantError, match=r"lacks these options: reveal.pick, titles"):
        from_options("my-house", whole)


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"reveal.pik": "max"}, "did you mean reveal.pick"),
        ({"reveal.pick": "mox"}, "is no value of reveal.pick"),
        ({"endings.sweep": "true"}, "is true or false"),
        ([], "an id, options and plugins"),
        (None, "an id, options and plugins"),
    ],
)
def test_wrong_options_in_a_record_are_named(given: Any, said: str) -> None:
    with pytest.raises(VariantError, match=said):
        from_options("boke", given)


@pytest.mark.parametrize(
    ("plugins", "said"),
    [
        ({"gunzi.plugins.deck": "999"}, "version 999; installed is version"),
        ({"somebody": "1"}, "somebody is not installed"),
        ({"gunzi.plugins.deck": "1"}, "recorded without gunzi.plugins.bury"),
    ],
)
def test_other_versions_in_a_record_are_named(plugins: dict[str, str], said: str) -> None:
    with pytest.raises(PluginError, match=said):
        from_options("boke", {}, plugins)


def test_an_edited_header_is_found_out() -> None:
    header = load("boke").as_json()
    header["options"]["reveal.pick"] = "max"
    with pytest.raises(RecordError, match="does not fit"):
        from_header({"rules": header})
    with pytest.raises(RecordError, match="rules"):
        from_header({"rules": None})
