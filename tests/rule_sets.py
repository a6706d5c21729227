"""Rule sets for tests that hold for all of them: every option at every value, and random ones.

Values of some options only stand together with others of another (first level before final level): ``every_setting`` gives
each value with the companions it needs, and leaves out the few values no rule set can have.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping
from typing import Any

import gunzi
from gunzi.options import KingCounts, Number, Option, Rank, RankPoints, Ranks, Titles

Settings = dict[str, Any]

PHASE_LISTS = (
    ["deal", "reveal", "tribute", "bottom", "bury", "bury_kings", "play", "settle"],
    ["deal", "reveal", "tribute", "bottom", "bury", "play", "settle"],
    ["deal", "reveal", "play", "settle"],
    ["deal", "reveal", "bottom", "bury", "tribute", "play", "settle"],
)
TITLE_LISTS: tuple[list[list[Any]], ...] = (
    [],
    [[0, "赤脚"], [5, "穿鞋"]],
    [[0, "a"], [10**9, "z"]],
    [[3, "10"], [7, "true"], [9, "null"]],
    [[0, "神仙 👍, ]["], [1, 'quote " and \\ slash'], [2, "# no comment: here"]],
    [[number * number, f"第 {number} 档"] for number in range(1, 60)],
)


def every_setting() -> Iterator[tuple[str, Any, Settings]]:
    """(option, value, overrides of the base that make it stand) for every built-in option and value."""
    base = gunzi.load("base")
    for id in base.option_ids():
        for value in values_of(base.option(id)):
            beside = _companions(id, value)
            if beside is not None:
                yield id, value, {**beside, id: value}


def values_of(option: Option) -> list[Any]:
    """Every value of an option; of those that take any text or map, a fair choice."""
    if isinstance(option, Number):
        first = -(-option.low // option.step) * option.step
        most = 200 if option.id == "deck.hand" or option.id == "deck.bottom" else option.high
        return list(range(first, most + 1, option.step))
    if isinstance(option, KingCounts):
        return [{"big": big, "small": small} for big in range(10) for small in range(10)]
    if isinstance(option, Ranks):
        one = [[rank] for rank in range(2, 15)]
        if option.ordered or option.most <= 2:
            return [
                [],
                *one,
                *([first, second] for first in range(2, 15) for second in range(2, 15) if first != second),
            ]
        return [[], *one, [3, 10], [2, 7, 14], list(range(2, 15))]
    if isinstance(option, RankPoints):
        return [{}, {"5": 5, "10": 10, "K": 10}, {"A": 100}, {"2": 5, "3": 15, "J": 95}]
    if isinstance(option, Titles):
        return [list(each) for each in TITLE_LISTS]
    if isinstance(option, Rank):
        return list(range(2, 15))
    if option.id == "phases":
        return [list(each) for each in PHASE_LISTS]
    return option.examples()


def _companions(id: str, value: Any) -> Settings | None:
    """What has to stand beside a value; None where nothing makes it stand."""
    if id == "levels.start":
        return {"levels.final": 14, "levels.must_play": []}
    if id == "levels.final":
        return {"levels.start": 2, "levels.must_play": []}
    if id == "levels.must_play":
        return {"levels.start": 2, "levels.final": 14}
    if id == "levels.threshold":
        return {"tribute.low": 0, "tribute.high": 300}
    if id == "tribute.low":
        return {"levels.threshold": max(5, -(-value // 5) * 5), "tribute.high": 300}
    if id == "tribute.high":
        return {"levels.threshold": 5, "tribute.low": 0} if value >= 5 else None
    if id == "deck.packs":
        return {"deck.hand": 12 * value, "deck.bottom": 54 * value - 48 * value}
    if id == "deck.bottom":
        for packs in (3, 2, 1):
            hand, rest = divmod(54 * packs - value, 4)
            if not rest and hand > 0:
                return {"deck.packs": packs, "deck.hand": hand}
        return None
    if id == "deck.hand":
        for packs in (1, 2, 3):
            if 4 * value <= 54 * packs:
                return {"deck.packs": packs, "deck.bottom": 54 * packs - 4 * value}
        return None
    return {}


def random_settings(count: int, seed: int = 1) -> list[tuple[str, Settings]]:
    """``count`` different (preset, overrides) that load, each changing one to all of the options."""
    dice = random.Random(seed)
    base = gunzi.load("base")
    every: Mapping[str, list[tuple[Any, Settings]]] = {id: [] for id in base.option_ids()}
    for id, value, settings in every_setting():
        every[id].append((value, settings))
    found: list[tuple[str, Settings]] = []
    while len(found) < count:
        preset = dice.choice(("base", *gunzi.preset_ids()))
        chosen: Settings = {}
        for id in dice.sample(base.option_ids(), dice.randint(1, len(every))):
            chosen |= dice.choice(every[id])[1]
        try:
            gunzi.load(preset, chosen)
        except gunzi.VariantError:
            continue
        found.append((preset, chosen))
    return found
