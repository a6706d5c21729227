"""The functions that are compiled and kept, each made when it is first needed."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

from gunzi.apps.lab.fast import beside, kernel, playouts


@lru_cache(maxsize=1)
def the_compiler() -> Any:
    """What compiles all of them. Raises ImportError without numba."""
    from gunzi.apps.lab.fast.compiling import Compiler  # numba takes half a second

    return Compiler()


@lru_cache(maxsize=1)
def the_steady_compiler() -> Any:
    """The same for tables where some seats play ``steady``: who needs none of them does not wait for their code."""
    from gunzi.apps.lab.fast import steady
    from gunzi.apps.lab.fast.compiling import Compiler

    return Compiler(steady.ANSWERS, "_steady", the_compiler())


@lru_cache(maxsize=2)
def compiled_play(steady: bool = False) -> Any:
    """The compiled ``play_units``; ``steady``: the one for tables where some seats play ``steady``."""
    return (the_steady_compiler() if steady else the_compiler()).kept(kernel.play_units)


@lru_cache(maxsize=1)
def compiled_begin_units() -> Any:
    """The compiled ``begin_units``."""
    return the_compiler().kept(beside.begin_units)


@lru_cache(maxsize=1)
def compiled_part() -> Any:
    """The compiled ``part``."""
    return the_compiler().kept(beside.part)


@lru_cache(maxsize=1)
def compiled_settle_again() -> Any:
    """The compiled ``settle_again``."""
    return the_compiler().kept(beside.settle_again)


@lru_cache(maxsize=1)
def compiled_states() -> Any:
    """The compiled ``play_states``."""
    return the_compiler().kept(playouts.play_states)


def prepare_all() -> None:
    """Have all of them compiled and kept, so that whatever comes later finds them."""
    from gunzi.apps.lab.comparison import diff
    from gunzi.loading import load
    from gunzi.trump import trump_order

    rules = load("dalian")
    for policy in ("random", "steady"):
        diff([rules, load("yuwang")], hands=4, seed=1, policy=policy, fast="on")
    playouts.Playouts(rules).run(trump_order(rules.start_level, "S", rules.permanent), playouts.new_states(1))
