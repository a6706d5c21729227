"""The rule book: its examples are the engine's answers, its sentences hold, its page needs nothing but itself."""

from __future__ import annotations

import re
from functools import cache
from typing import Any

import pytest
from rule_sets import every_setting, random_settings
from strangers import install, uninstall

import gunzi
from gunzi import Plugin
from gunzi.apps.book import markdown, page, write
from gunzi.apps.book.entries import differing, idle
from gunzi.apps.book.examples import answers, examples, told
from gunzi.apps.book.parts import Book, Cards, Table
from gunzi.apps.scenarios import run_text
from gunzi.loading import load_text
from gunzi.options import Number
from gunzi.values import TrickRule
from gunzi.writing import flow

PRESETS = gunzi.preset_ids()
NEVER = ("direction", "phases", "deck.packs", "deck.hand", "deck.bottom")
"""Options that no question of a scenario is about."""


@cache
def book(preset: str, lang: str) -> Book:
    return write(gunzi.load(preset), lang)


@pytest.mark.parametrize("lang", ("zh", "en"))
@pytest.mark.parametrize("preset", PRESETS)
def test_a_sentence_that_ends_in_brackets_has_one_full_stop(preset: str, lang: str) -> None:
    assert re.findall(r".{9}[。？.?][）)][。.]", markdown(book(preset, lang))) == []


# -- examples --------------------------------------------------------------------------------------------------------


def test_every_option_has_an_example() -> None:
    assert set(examples()) == set(gunzi.load("base").option_ids()) - set(NEVER)


@pytest.mark.parametrize("preset", PRESETS)
def test_every_option_that_differs_is_told_with_an_example(preset: str) -> None:
    rules = gunzi.load(preset)
    entries = {entry.option: entry for entry in book(preset, "zh").entries()}
    for option in differing(rules):
        entry = entries[option]
        assert entry.recommended and entry.basis.status, option
        assert entry.examples or entry.idle, option


@pytest.mark.parametrize("preset", PRESETS)
def test_what_differs_shows_in_an_answer(preset: str) -> None:
    rules = gunzi.load(preset)
    for entry in book(preset, "zh").entries():
        if entry.recommended and not entry.idle:
            assert any(shown.others for shown in entry.examples), (entry.option, dict(rules.options)[entry.option])


def under(option: str, value: Any) -> list[gunzi.RuleSet]:
    """Rule sets in which a value stands and its examples make sense."""
    beside = {id: settings for id, given, settings in every_setting() if id == option and given == value}
    found = []
    needs = [example.needs for example in examples()[option]]
    for need in ({}, *needs):
        for settings in ({}, *beside.values()):
            laid = {**settings, **{id: values[0] for id, values in need.items()}, option: value}
            try:
                found.append(gunzi.load("base", laid))
            except gunzi.VariantError:
                continue
    return found


def all_answers(option: str, value: Any) -> list[tuple[Any, ...]]:
    return [answers(option, rules) for rules in under(option, value)]


def tell_apart(ones: list[tuple[Any, ...]], others: list[tuple[Any, ...]]) -> bool:
    return any(
        one is not None and other is not None and one != other
        for mine, yours in zip(ones, others, strict=True)
        for one, other in zip(mine, yours, strict=True)
    )


@pytest.mark.parametrize("option", [id for id in gunzi.load("base").option_ids() if id not in NEVER])
def test_the_examples_of_an_option_tell_its_values_apart(option: str) -> None:
    base = gunzi.load("base")
    known = base.option(option)
    if known.values():
        found = [all_answers(option, value) for value in known.examples()]
        for place, ones in enumerate(found):
            for others in found[place + 1 :]:
                assert tell_apart(ones, others), option
        return
    own = all_answers(option, base.options[option])
    told_apart = 0
    for value in known.examples():
        others = all_answers(option, value)
        if value != base.options[option] and len(others) == len(own):
            told_apart += tell_apart(own, others)
    assert told_apart, option


def as_yaml(value: Any) -> str:
    """Given values or an answer as a scenario file has them."""
    if isinstance(value, dict):
        return "{" + ", ".join(f"{key}: {as_yaml(item)}" for key, item in value.items() if key != "suit" or item) + "}"
    if isinstance(value, (list, tuple)):
        return "[" + ", ".join(as_yaml(item) for item in value) + "]"
    return flow(str(value) if isinstance(value, str) else value)


@pytest.mark.parametrize("preset", PRESETS)
def test_every_printed_answer_passes_as_a_scenario(preset: str) -> None:
    rules = gunzi.load(preset)
    printed = {shown.name for entry in book(preset, "zh").entries() for shown in entry.examples}
    rows = []
    for example in (example for found in examples().values() for example in found if example.name in printed):
        answer = example.run(rules)
        assert answer is not None
        given, value = dict(example.given), told(example, answer.value)
        if example.ask == "follow":
            plays = list(zip(given["legal"], answer.value["legal"], strict=True))
            given["legal"] = [play for play, legal in plays if legal]
            given["illegal"] = [play for play, legal in plays if not legal]
        given = {key: item for key, item in given.items() if item is not None}
        expected = f"[{preset}]" if example.ask == "follow" else f"{{{preset}: {as_yaml(value)}}}"
        name = example.name.replace(".", "-").replace("_", "-")
        rows.append(f"- {{name: {name}, ask: {example.ask}, given: {as_yaml(given)}, expect: {expected}}}")
    assert len(rows) == len(printed)
    report = run_text("\n".join(rows), "book.yaml")
    assert report.status == 0, report.text()
    assert len(report.outcomes) == len(printed)


@pytest.mark.parametrize("lang", ["zh", "en"])
@pytest.mark.parametrize("preset", PRESETS)
def test_every_option_is_told_once(preset: str, lang: str) -> None:
    options = [entry.option for entry in book(preset, lang).entries()]
    assert sorted(options) == sorted(gunzi.load(preset).option_ids())


def test_an_option_that_decides_nothing_says_so() -> None:
    entries = {entry.option: entry for entry in book("yuwang", "zh").entries()}
    assert entries["scoring.levels"].idle == "只记轮数，这一项用不上。"
    assert entries["scoring.levels"].examples == ()
    for option, settings in (
        ("dry_pot.first_hand", {"dry_pot.side_leg": "never"}),
        ("bury_kings.blocked_by", {"bury_kings.others": "none"}),
        ("levels.must_play_as", {"levels.must_play": []}),
        ("endings.three_big", {"deck.packs": 2, "deck.hand": 25, "deck.bottom": 8}),
        ("tribute.three_big", {"phases": ["deal", "reveal", "bottom", "bury", "play", "settle"]}),
        ("tribute.level_points", {"points": {"K": 10}}),
    ):
        assert idle(gunzi.load("base", settings), option).zh, option
        assert not idle(gunzi.load("base"), option).zh, option


# -- sentences that stand in the book as they are ---------------------------------------------------------------------

DRY = "{level: 5, trump: S, dealer: 0, levels: [5, 5], bottom: [BJ, BJ, BJ, LJ, LJ, LJ], dry: true, trick_points: %d, captured: %s}"


@pytest.mark.parametrize("preset", PRESETS)
def test_what_the_book_says_of_every_table_holds(preset: str) -> None:
    def settle(given: str, answer: str) -> str:
        given = given.replace("level: 5, ", "")
        return f"{{ask: settle, given: {given}, expect: {{{preset}: {answer}}}}}"

    plain = "{trump: S, dealer: 0, levels: [5, 5], bottom: [H7, H9, C8, CJ, D4, D6], trick_points: %d, captured: %s}"
    last = (
        "{last: {dealer: 0, points: %d, captured: %s, bottom: [BJ, BJ, BJ, H9, D4, D6], dry: true, trump: S, level: 5}}"
    )
    facts = [
        # Kings in a dry pot add no levels and end no round; they draw no blood, the tribute for points stands.
        settle(DRY % (85, "false"), "{level_up: {side: 0, levels: 1}, ending: null, levels: [6, 5]}"),
        settle(DRY % (140, "true"), "{level_up: {side: 1, levels: 1}, ending: null, levels: [5, 6]}"),
        f"{{ask: tribute_due, given: {last % (100, 'false')}, expect: {{{preset}: {{count: 0}}}}}}",
        f"{{ask: tribute_due, given: {last % (60, 'false')}, expect: {{{preset}: {{count: 2, from: 1, to: 2}}}}}}",
        # The seat before the new dealer pays the new dealer, whichever side that is.
        f"{{ask: tribute_due, given: {last % (200, 'false')}, expect: {{{preset}: {{count: 5, from: 0, to: 1}}}}}}",
        # Side cards of different suits do not compare; of equal cards the earlier counts.
        f"{{ask: trick, given: {{level: 5, trump: S, plays: [[H3], [CA], [DA], [CK]]}}, expect: {{{preset}: {{winner: 0}}}}}}",
        f"{{ask: trick, given: {{level: 5, trump: S, plays: [[H3], [C5], [D5], [C2]]}}, expect: {{{preset}: {{winner: 1}}}}}}",
        # After a round both sides are back at the first level; a special ending leaves no level-up.
        settle(plain % (0, "false"), "{levels: [3, 3], level_up: null, round_won_by: 0}"),
        # Only jokers are no suited cards; a bottom without one means a new deal.
        f"{{ask: first_dealer, given: {{draws: [[0, BJ]], claims: [[0, 1]], bottom: [LJ, H2]}}, expect: {{{preset}: {{trump: H}}}}}}",
        f"{{ask: first_dealer, given: {{draws: [[0, BJ]], claims: [[0, 1]], bottom: [LJ, LJ]}}, expect: {{{preset}: redeal}}}}",
        # The declarer may overturn himself; the same number never does.
        f"{{ask: declare, given: {{level: 6, bids: [{{seat: 1, cards: [C6]}}, {{seat: 1, cards: [H6, H6]}}, "
        f"{{seat: 2, cards: [D6, D6]}}]}}, expect: {{{preset}: {{legal: [true, true, false], trump: H}}}}}}",
        # Points and kings may be buried; a big joker goes before a small one.
        f"{{ask: bury, given: {{level: 5, trump: S, pool: [BJ, LJ, HK, HT, D5, C3, C4, C6], cards: [BJ, LJ, HK, HT, C3, C4]}}, "
        f"expect: {{{preset}: {{legal: true, shown: true}}}}}}",
        f"{{ask: bury, given: {{level: 5, trump: S, pool: [BJ, LJ, HK, HT, D5, C3, C4, C6], cards: [LJ, HK, HT, C3, C4, C6]}}, "
        f"expect: {{{preset}: {{legal: false}}}}}}",
    ]
    rows = [f"- {{name: fact-{number}, {fact[1:]}" for number, fact in enumerate(facts)]
    report = run_text("\n".join(rows), "facts.yaml")
    assert report.status == 0, report.text()


def test_the_table_of_tribute_is_the_rule_books() -> None:
    chapter = next(chapter for chapter in book("dalian", "zh").chapters if chapter.id == "tribute")
    rows = [row for block in chapter.blocks if isinstance(block, Table) for row in block.rows]
    assert rows[0] == ("5", "抓分方", "8")  # no points at all end the round
    assert rows[6:9] == [("60–65", "抓分方", "2"), ("70–75", "抓分方", "1"), ("160–165", "庄家方", "1")]
    assert rows[-1] == ("290–295", "庄家方", "14")


def test_the_card_order_is_the_rule_books() -> None:
    for chapter in book("dalian", "zh").chapters:
        if chapter.id == "order":
            rows = [row for block in chapter.blocks if isinstance(block, Cards) for row in block.rows]
            strong = [" ".join(group.cards) for group in rows[0].groups]
            assert strong == ["BJ", "LJ", "S8", "H8 C8 D8", "S2", "H2 C2 D2", "SA SK SQ SJ ST S9 S7 S6 S5 S4 S3"]
            assert " ".join(rows[1].groups[0].cards) == "HA HK HQ HJ HT H9 H7 H6 H5 H4 H3"


# -- any rule set ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("part", range(3))
def test_any_rule_set_can_be_written(part: int) -> None:
    for preset, settings in random_settings(8, seed=300 + part):
        rules = gunzi.load(preset, settings)
        for lang in ("zh", "en"):
            made = write(rules, lang)
            assert len(list(made.entries())) == len(rules.option_ids())
            assert markdown(made) and page(made)


def test_texts_do_not_speak_of_values_another_option_holds() -> None:
    """A named value's text is printed whatever the others are, so it may not take their numbers for granted."""
    rules = gunzi.load("base")
    own = {"scoring.scheme", "follow.triple_against_pair", "reveal.order", "dry_pot.side_leg"}
    for option in rules.option_ids():
        for text in rules.option(option).values().values():
            numbers = set(re.findall(r"\d+", text.zh + text.en))
            assert not numbers or option in own, (option, numbers)


HOUSE = """
gunzi: 1
id: house
name: {zh: "<b>我家</b> | *星* & `码`", en: "<script>alert(1)</script>"}
description: "[点这里](http://example.org) <img src=x onerror=alert(1)>"
titles: [[0, "<i>赤脚</i>"], [5, "a|b"]]
notes: {titles: {status: operator, source: "</td><script>"}}
"""


def test_what_people_write_stays_text() -> None:
    rules = load_text(HOUSE)
    for lang in ("zh", "en"):
        made = write(rules, lang)
        shown = page(made)
        for tag in ("<b>我", "<script", "<img", "<i>"):
            assert tag not in shown
        text = re.sub(r"`[^`\n]+`", "", markdown(made))
        assert not re.search(r"(?<!\\)<(?!a id=|/a>)", text)
        assert "a\\|b" in text and "](http" not in text.replace("\\]", "")


# -- plugins ---------------------------------------------------------------------------------------------------------------------


class Anything(Plugin):
    """Lets a trick be won by anything: what a stranger may do to the rules of play."""

    id = "gunzi-anything"
    version = "1"
    name = gunzi.Text("随便赢", "Anything wins")
    options = (Number("anything.many", gunzi.Text("几", "How many"), gunzi.Text("几次。", "How often."), 0, 9),)
    rules = {"anything.wins": gunzi.Text("什么都能赢", "Anything wins")}
    replaces = ("gunzi.plugins.trick",)
    defaults = {"anything.many": 3}

    @gunzi.hookimpl
    def trick_rule(self, trump: gunzi.Trump) -> TrickRule:
        return TrickRule(lambda p1, p2, p3, n, lane: 1, by="anything.wins")


def test_what_a_plugin_changes_is_not_told_as_if_it_did_not(monkeypatch: pytest.MonkeyPatch) -> None:
    install(monkeypatch, Anything)
    try:
        rules = load_text("gunzi: 1\nid: house\nextends: yuwang\nplugins: [gunzi-anything]\n")
        text = markdown(write(rules, "zh"))
    finally:
        uninstall(monkeypatch)
    assert "最大的收分" not in text and "这里有插件 随便赢 的规矩" in text
    assert "什么都能赢。" in text and "### 几" in text and "gunzi-anything 1" in text
