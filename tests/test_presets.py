"""The presets say what the rule book says, and of every option where it comes from."""

from __future__ import annotations

import re
import time
from typing import Any

import pytest

import gunzi
from gunzi import variants
from gunzi.loading import check_text, forget, load
from gunzi.source import MapNode, read
from gunzi.variant_options import STATUSES

FIVE = ("boke", "zixun", "chayuan", "yuwang", "baike")
TITLES = [
    [0, "赤脚"], [5, "穿鞋"], [10, "单车"], [20, "三轮车"], [40, "卡车"], [80, "面包车"], [144, "轿车"], [260, "房车"],
    [468, "坦克"], [843, "滑翔机"], [1517, "直升机"], [2731, "客机"], [4916, "战斗机"], [8849, "航天飞机"],
    [15929, "宇宙飞船"], [28672, "星球战舰"], [51610, "太空堡垒"], [92898, "神"],
]  # fmt: skip

# Rule book section 4; columns boke, zixun, chayuan, yuwang, baike, dalian.
AT_A_GLANCE: dict[str, tuple[Any, ...]] = {
    "first_dealer.claim": ("optional", "optional", "optional", "optional", "automatic", "optional"),
    "reveal.pick": ("min", "max", "min", "max", "min", "min"),
    "declare.jokers_may_open": (False, False, False, False, True, False),
    "dry_pot.side_leg": (
        "side_or_permanent", "no_trump_suit", "no_trump", "no_trump_suit", "side_or_permanent", "side_or_permanent",
    ),
    "bury_kings.blocked_by": (
        "all_points_or_kings", "all_points_or_kings", "all_points_or_kings", "all_points_or_kings", "all_points",
        "all_points_or_kings",
    ),
    "bury_kings.pick_kings": (False, False, False, False, True, False),
    "tribute.kings_when": ("by_score", "four_case", "four_case", "four_case", "by_score", "four_case"),
    "tribute.cards": ("no_points", "no_points", "no_points", "no_points", "any", "no_points"),
    "tribute.level_points": ("keep", "pay", "keep", "pay", "pay", "pay"),
    "tribute.three_big": ("ignore", "ignore", "reverse_or_cancel", "ignore", "reverse_or_cancel", "reverse_or_cancel"),
    "levels.must_play": ([3, 10], [3, 10], [3], [3, 10], [3, 10], [3, 10]),
    "endings.three_big": ("attackers", "either", "attackers", "either", "attackers", "attackers"),
    "endings.three_small": ("none", "either", "none", "either", "none", "none"),
    "scoring.scheme": ("points", "rounds", "points", "rounds", "points", "points"),
    "titles": ([], [], [], [], TITLES, TITLES),
}  # fmt: skip

# Rule book section 5, the column "base".
BASE: dict[str, Any] = {
    "deck.packs": 3, "deck.hand": 39, "deck.bottom": 6, "points": {"5": 5, "10": 10, "K": 10}, "trump.permanent": [2],
    "direction": "counterclockwise",
    "phases": ["deal", "reveal", "tribute", "bottom", "bury", "bury_kings", "play", "settle"],
    "first_dealer.claim": "optional", "reveal.pick": "min", "reveal.order": "game", "reveal.jokers": "redraw",
    "declare.jokers_may_open": False, "dry_pot.side_leg": "side_or_permanent", "dry_pot.hidden_bottom": "never",
    "dry_pot.first_hand": "possible", "bury_kings.others": "allowed", "bury_kings.pick_kings": False,
    "bury_kings.blocked_by": "all_points_or_kings", "tribute.low": 80, "tribute.high": 150, "tribute.step": 10,
    "tribute.low_rounding": "up", "tribute.high_rounding": "down", "tribute.kings": {"big": 2, "small": 1},
    "tribute.kings_when": "four_case", "tribute.cards": "no_points", "tribute.level_points": "pay",
    "tribute.return": "side_no_points", "tribute.three_big": "reverse_or_cancel", "follow.shapes": "loose",
    "follow.triple_against_pair": "may_keep", "capture.multiplier": 2, "levels.threshold": 120,
    "levels.kings": {"big": 2, "small": 1}, "levels.start": 3, "levels.final": 10, "levels.must_play": [3, 10],
    "levels.must_play_as": "either", "levels.win": "pass", "rotation.hold": "partner", "rotation.takeover": "next_seat",
    "endings.shutout": True, "endings.sweep": True, "endings.three_big": "attackers", "endings.three_small": "none",
    "scoring.scheme": "points", "scoring.levels": "climbed", "scoring.tribute_for": "side", "titles": [],
}  # fmt: skip

SAME_IN_ALL_RULED = (
    "reveal.order", "reveal.jokers", "dry_pot.first_hand", "levels.must_play_as", "scoring.levels", "scoring.tribute_for",
)  # fmt: skip


def test_base_has_the_values_of_the_rule_book() -> None:
    assert dict(load("base").options) == BASE


@pytest.mark.parametrize("id", FIVE + ("dalian",))
def test_a_preset_differs_from_base_as_the_rule_book_says_and_nowhere_else(id: str) -> None:
    column = gunzi.preset_ids().index(id)
    expected = {**BASE, **{option: row[column] for option, row in AT_A_GLANCE.items()}}
    assert dict(load(id).options) == expected


@pytest.mark.parametrize("id", gunzi.preset_ids())
def test_a_preset_lists_only_what_differs_from_what_it_extends(id: str) -> None:
    rules = load(id)
    parent = load(rules.resolved.files[-2].rpartition("/")[2].removesuffix(".yaml"))
    for option in rules.option_ids():
        if rules.origin(option).path == variants.shown(id):
            assert rules.options[option] != parent.options[option], option


@pytest.mark.parametrize("id", ("base", *gunzi.preset_ids()))
def test_every_option_of_every_preset_has_a_status_and_a_source(id: str) -> None:
    rules = load(id)
    for option in rules.option_ids():
        origin = rules.origin(option)
        assert origin.status in STATUSES[:3], option
        assert re.fullmatch(r"(\w+\.(txt|md) §[^;]+)(; \w+\.(txt|md) §[^;]+)*", origin.source), (option, origin.source)
        if origin.status == "ruled":
            assert origin.source.startswith("rules.md §"), option


@pytest.mark.parametrize("id", FIVE)
def test_a_text_speaks_for_itself(id: str) -> None:
    """What a preset's own text carries is cited from that text, never inherited from another's note."""
    rules = load(id)
    for option in rules.option_ids():
        origin = rules.origin(option)
        if origin.status == "stated":
            assert origin.source.startswith(f"{id}.txt §"), option
            assert "; " not in origin.source, option
        elif option not in SAME_IN_ALL_RULED and origin.status == "inferred":
            assert any(f"{other}.txt" in origin.source for other in FIVE if other != id), option


@pytest.mark.parametrize(
    ("option", "statuses"),
    [
        ("points", ("inferred", "inferred", "inferred", "inferred", "stated")),
        ("phases", ("stated", "stated", "stated", "stated", "inferred")),
        ("reveal.pick", ("stated",) * 5),
        ("reveal.order", ("ruled",) * 5),
        ("dry_pot.hidden_bottom", ("inferred", "inferred", "inferred", "inferred", "stated")),
        ("dry_pot.side_leg", ("stated",) * 5),
        ("bury_kings.pick_kings", ("ruled",) * 5),
        ("bury_kings.blocked_by", ("stated",) * 5),
        ("tribute.low", ("inferred", "stated", "inferred", "stated", "stated")),
        ("tribute.low_rounding", ("inferred", "stated", "inferred", "stated", "inferred")),
        ("tribute.kings", ("stated",) * 5),
        ("tribute.kings_when", ("inferred", "stated", "inferred", "stated", "stated")),
        ("tribute.level_points", ("ruled", "stated", "stated", "stated", "ruled")),
        ("tribute.return", ("inferred", "inferred", "stated", "inferred", "stated")),
        ("tribute.three_big", ("ruled", "ruled", "stated", "ruled", "stated")),
        ("levels.threshold", ("stated", "stated", "inferred", "stated", "stated")),
        ("levels.kings", ("inferred", "inferred", "inferred", "inferred", "stated")),
        ("rotation.takeover", ("inferred", "inferred", "inferred", "inferred", "stated")),
        ("endings.three_small", ("stated",) * 5),
        ("titles", ("ruled", "ruled", "ruled", "ruled", "stated")),
    ],
)
def test_statuses_are_those_of_the_rule_book(option: str, statuses: tuple[str, ...]) -> None:
    assert tuple(load(id).origin(option).status for id in FIVE) == statuses


def test_the_two_copies_of_one_text_play_alike() -> None:
    assert load("yuwang") == load("zixun")
    assert load("yuwang").origin("reveal.pick").where.startswith("gunzi/variants/zixun.yaml:")
    assert load("yuwang").origin("reveal.pick").source == "yuwang.txt §亮主 2"


@pytest.mark.parametrize("id", ("base", *gunzi.preset_ids()))
def test_a_presets_file_is_in_order(id: str) -> None:
    content = variants.read(id)
    assert content.startswith(b"# yaml-language-server: $schema=../schemas/variant.schema.json\n")
    assert check_text(content, f"{id}.yaml") == []
    rules = load(id)
    assert rules.id == id
    assert rules.name.zh
    assert rules.name.en
    assert rules.description.zh
    assert rules.warnings == ()
    root = read(content, id).root
    assert isinstance(root, MapNode)
    if id != "base":
        own = [key for key in root.entries if key not in ("gunzi", "id", "name", "description", "extends", "notes")]
        assert len(own) <= 6
    with pytest.raises(KeyError):
        variants.path("nobody")


def test_loading_a_preset_afresh_is_quick() -> None:
    load("yuwang")
    best = 1.0
    for _ in range(3):
        forget()
        begun = time.process_time()
        load("yuwang")
        best = min(best, time.process_time() - begun)
    assert best < 0.25  # the figure to reach is 30 ms; machines that run tests are busy
