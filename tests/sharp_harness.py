"""What the tests of ``sharp`` share."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product
from typing import Any

from gunzi.apps.players import (
    four_dice,
    one_act,
    parse_policy,
    player,
)
from gunzi.apps.players.sharp.knowing import Known
from gunzi.apps.players.sharp.shuffling import all_faults, gather
from gunzi.table import Table

STRICT: dict[str, Any] = {"follow.shapes": "strict"}


def asked(table: Table, policy: str, seed: int) -> Iterator[None]:
    """Play on; stops before every act."""
    players = [player(name) for name in parse_policy(policy)]
    seats = four_dice(seed)
    while not table.over:
        yield
        table.do(table.ask.seat, one_act(table, players[table.ask.seat], seats))


def every_deal(known: Known, at_least: list[int]) -> set[tuple[int, ...]]:
    """All deals without faults, one by one."""
    found = set()
    for place in product(range(5), repeat=len(known.cards)):
        fits = all(allowed >> where & 1 for allowed, where in zip(known.allowed, place, strict=True))
        if fits and all(place.count(where) == known.room[where] for where in range(5)):
            hold = [0] * 15
            gather(known.cards, list(place), hold)
            if not all_faults(hold, known.bad, known.limits, known.tribute, at_least):
                found.add(place)
    return found
