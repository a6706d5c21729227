"""The two forms of the search's inner functions: interpreted, and compiled where numba is installed. Both give the same numbers."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from gunzi.apps.players.sharp.finishing import explore, play_on
from gunzi.apps.players.sharp.shuffling import gather, next_deal, walk


@dataclass(frozen=True, slots=True)
class Form:
    """``numbers`` makes what the functions write to, ``table`` what they only read."""

    numbers: Callable[[Sequence[int]], Any]
    table: Callable[[Sequence[int]], Any]
    start: Callable[..., Any]
    next_deal: Callable[..., Any]
    play_on: Callable[..., Any]
    explore: Callable[..., Any]


def start(
    random: Any, steps: int, cards: Any, allowed: Any, place: Any, classes: Any, hold: Any, bad: Any, limits: Any,
    tribute: Any, at_least: Any, ring: Any, checked: int, burn_in: int,
) -> None:  # fmt: skip
    """Walk away from the first deal."""
    gather(cards, place, hold)
    random[0] = walk(random[0], burn_in, cards, allowed, place, hold, bad, limits, tribute, at_least, ring, checked)


INTERPRETED = Form(list, tuple, start, next_deal, play_on, explore)


@lru_cache(maxsize=1)
def quickest() -> Form:
    """The compiled form where there is one."""
    return INTERPRETED
