"""Which rule sets play hands alike: what lets a comparison settle a hand again instead of playing it again.

A hand goes from step to step, and each step is decided by the step's own tables and by what the log tells of the steps before. So
where two rule sets A and B played a hand alike up to its settlement, a third one whose tables are, step by step, those of A or those of
B plays it alike too.
"""

from __future__ import annotations

from typing import Any, Final

import numpy as np

from gunzi.apps.lab.fast import layout as at
from gunzi.apps.lab.fast.layout import Tables

STEPS: Final[tuple[tuple[tuple[str, ...], tuple[int, ...], tuple[int, ...]], ...]] = (
    (
        ("cards", "claimed", "draw_suit", "bids", "allowed", "needed", "notable", "mask_at"),
        (at.BIG, at.LITTLE, at.KINGS),
        tuple(place for place in range(at.SCALARS) if place not in (at.STRICT, at.SPLIT, at.BY_TRICK, at.MOST_POINTS)),
    ),
    (("exempt",), (), ()),
    (("tribute_rank",), (at.PAYABLE,), ()),
    (("tiers",), (at.POINTED, at.HEAVY), ()),
    (("dry", "shown"), (), ()),
    (
        ("splits", "split_counts", "burial_shown", "pick_rank"),
        (at.PICKABLE, at.ANY_SHUTS, at.ALL_SHUT, at.OPEN_BY, at.SHUT_BY, at.POINTED, at.HEAVY, at.TOPS),
        (),
    ),
    (("power", "points"), (at.POINTED, at.HEAVY), (at.STRICT, at.SPLIT, at.BY_TRICK)),
)
"""Step by step the tables that decide it (or that a player looks at when it decides), the columns of ``trumps`` and the places of ``scalars``. What only settlements look at is in
none of them; neither is the reveal, which no table has."""


def same_step(step: int, a: Tables, b: Tables) -> bool:
    """Is a step decided alike?"""
    tables, columns, places = STEPS[step]
    return (
        all(np.array_equal(getattr(a, name), getattr(b, name)) for name in tables)
        and np.array_equal(a.trumps[:, list(columns)], b.trumps[:, list(columns)])
        and np.array_equal(a.scalars[list(places)], b.scalars[list(places)])
    )


def play_alike(a: Tables, b: Tables) -> bool:
    """Is every step up to the settlement decided alike, but for the reveal?"""
    return all(same_step(step, a, b) for step in range(len(STEPS)))


def between(a: Tables, b: Tables, other: Tables) -> bool:
    """Is every step of ``other`` decided as by a or as by b?"""
    return all(same_step(step, a, other) or same_step(step, b, other) for step in range(len(STEPS)))


def same_answers(a: Any, b: Any, hook: str) -> bool:
    """Do two rule sets of built-in plugins answer a hook alike: do the same plugins answer it, in the same state, and with the same
    options? (They read others' options when they are made.)"""
    found = []
    for rules in (a, b):
        plugins = [rules.host.plugins[id] for id in rules.host.who(hook)]
        found.append(
            [
                (
                    type(plugin),
                    {name: value for name, value in vars(plugin).items() if name != "_options"},
                    {option.id: plugin.option(option.id) for option in plugin.options},
                )
                for plugin in plugins
            ]
        )
    return found[0] == found[1]
