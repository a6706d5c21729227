"""The compiled fast path beside the C yardstick: the same hands, in turns in one process.

What is missing (a C compiler, numba, the fast path) is said, and its figures are left out.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from statistics import median
from time import process_time
from typing import Any

import yardstick
from figures import RULES, Effort, Figure, Missing

import gunzi
from gunzi.chance import CHOICE, seeded_deck, stream
from gunzi.trump import trump_order

HANDS = 4000


def compiled_figures(effort: Effort) -> Iterator[Figure | Missing]:
    """Compiled trick play and compiled complete hands, as shares of the C loop's hands a second."""
    if effort.slices == 1:
        yield Missing("no compiled figures: compiling takes longer than all the rest")
        return
    try:
        from gunzi.apps.lab.fast.compiled import the_compiler
        from gunzi.apps.lab.fast.running import Engine

        the_compiler()
    except ImportError as missing:
        yield Missing(f"no compiled figures: {missing}")
        return
    hands = HANDS
    c_loop = yardstick.build(hands)
    if c_loop is None:
        yield Missing("no compiled figures: no C compiler was found to build yardstick.c")
        return
    c_loop.check(100)
    rules = gunzi.load(RULES)
    engine = Engine(rules, rules.start_level, int(rules.options["levels.final"]))
    plays = trick_play(engine, the_compiler(), hands)
    if plays() != c_loop.play():
        raise AssertionError("compiled trick play and yardstick.c come to different results")
    yield beside("compiled trick play, to C", plays, hands, c_loop, effort, 0.5)
    whole = complete_hands(engine, hands)
    yield beside("compiled complete hands, random, to C", whole, hands, c_loop, effort, 0.25)


def beside(
    name: str, work: Callable[[], object], hands: int, c_loop: yardstick.Yardstick, effort: Effort, wanted: float
) -> Figure:
    """Work on so many hands as a share of the C loop's rate, slice by slice in turns."""
    work()
    ratios, rates, c_rates = [], [], []
    for _ in range(effort.slices):
        ours, theirs = seconds(work), seconds(c_loop.play)
        ratios.append(hands / ours / (c_loop.hands / theirs))
        rates.append(hands / ours)
        c_rates.append(c_loop.hands / theirs)
    said = f"{median(rates):,.0f} hands/s, C {median(c_rates):,.0f}"
    return Figure(name, median(ratios), "of C", wanted, True, said)


def seconds(work: Callable[[], object]) -> float:
    """The processor time of one call."""
    began = process_time()
    work()
    return process_time() - began


def trick_play(engine: Any, compiler: Any, hands: int) -> Callable[[], int]:
    """The yardstick's hands for the compiled tricks."""
    import numpy as np
    from dealt_tricks import play_dealt

    from gunzi.apps.lab.fast import running

    order = trump_order(3, "H")
    place = next(
        place
        for place in range(len(engine.tables.mask_at))
        if tuple(engine.tables.mask_at[place]) == order_masks(order)
    )
    holdings = np.zeros((hands, 4, 3), np.int64)
    bases = np.zeros((hands, 4), np.int64)
    for k in range(hands):
        deck = seeded_deck(yardstick.DECK_SEED, k, 0)
        for seat in range(4):
            holdings[k, seat] = order.masks([gunzi.CARDS[kind] for kind in deck[seat:156:4]])
            bases[k, seat] = running.signed(stream(yardstick.PLAY_SEED, k, CHOICE, seat))
    leaders = np.arange(hands, dtype=np.int64) & 3
    compiled = compiler.kept(play_dealt)
    log = running.no_log()
    return lambda: int(compiled(engine.packed, engine.scratch, log, place, holdings, bases, leaders))


def order_masks(order: gunzi.Trump) -> tuple[int, ...]:
    """Where each of the 54 kinds lies."""
    return tuple(order.mask_of(kind) for kind in range(54))


def complete_hands(engine: Any, hands: int) -> Callable[[], int]:
    """A table of so many complete hands, another seed each time."""
    from gunzi.apps.lab.fast import layout as at
    from gunzi.apps.lab.fast import running
    from gunzi.apps.lab.fast.layout import numbers

    level = engine.rules.start_level
    rows = numbers(hands + 1, at.ROW)
    units = numbers(1, at.UNIT_FIELDS)
    log = running.no_log()
    seed = 0

    def work() -> int:
        nonlocal seed
        seed += 1
        units[0] = running.unit_of(seed, (level, level))
        state = running.new_state(1, hands, 0)
        engine.run(state, units, rows, log)
        return int(state[at.ROWS])

    if work() != hands:
        raise AssertionError("the compiled table did not play all its hands")
    return work
