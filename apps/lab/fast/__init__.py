"""The fast path: hands of ``random`` and ``steady`` compiled with numba (``pip install 'gunzi[fast]'``), the same hands as the tables play.

    from gunzi.apps.lab import fast
    how = fast.decide("auto", [rules], policy, hands)     # how.use; how.note: why not, for whoever asked (or None)

The loops are this package's; the rules are the engine's own functions, compiled as they stand (``compiling.py``), and tables
read from the plugins' hooks (``tables.py``). What the tables do not have, the rules are asked while the hands are played
(``running.py``). Whatever a hand comes to is the same, number by number and event by event (``events.py``).

Covered are the built-in rules with all their options. Not covered, and played interpreted: plugins of strangers, other orders of
the phases, other players, seeds of more than 64 bits, decks or tributes with more choices than 62 bits count.
Nothing here is imported before it is needed; numba is needed from ``running.Engine`` on.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from importlib.util import find_spec
from typing import Final, Literal

from gunzi.apps.extras import install_command
from gunzi.apps.lab.fast.names import PLAYERS
from gunzi.errors import Text
from gunzi.ruleset import RuleSet

BLAS_THREADS: Final = "OPENBLAS_NUM_THREADS"
Mode = Literal["auto", "on", "off"]
MODES: Final[tuple[Mode, ...]] = ("auto", "on", "off")
WORTH_LOADING: Final = 2_000
WORTH_COMPILING: Final = 30_000
"""So many hands make up for loading numba and code that was compiled before, and for compiling it: half a second, ten seconds or twenty."""
A_STEADY_HAND: Final = 4
"""About so many hands of ``random`` take as long as one of ``steady``, for the choice between the two."""
A_ROUND: Final = 6
"""About so many hands a round has, for the choice between the two."""


@dataclass(frozen=True, slots=True)
class Decision:
    """Is the compiled form used, and if not, why (None: nobody needs to be told)?"""

    use: bool
    note: Text | None = None


def decide(mode: Mode, rule_sets: Sequence[RuleSet], policy: Sequence[str], hands: int, seed: int = 0) -> Decision:
    """Shall hands be played compiled? ``auto``: where it pays. Whatever is not covered is played interpreted."""
    if mode == "off":
        return Decision(False)
    wanted = mode == "on"
    others = ", ".join(sorted({*policy} - {*PLAYERS}))
    if others:
        note = Text(f"{others} 的打法没有编译版", f"the player {others} has no compiled form")
        return Decision(False, note if wanted else None)
    steady = any(PLAYERS[name] for name in policy)
    if steady:
        hands *= A_STEADY_HAND
    if find_spec("numba") is None or find_spec("numpy") is None:
        command = install_command("fast")
        note = Text(f"没装 numba：{command}", f"numba is not installed: {command}")
        return Decision(False, note if wanted else None)
    if not wanted and hands < WORTH_LOADING:
        return Decision(False)
    load_numpy()
    note_or_none = not_covered(rule_sets, seed)
    if note_or_none is not None:
        return Decision(False, note_or_none)
    if not wanted and hands < WORTH_COMPILING:
        from gunzi.apps.lab.fast.caching import is_kept

        return Decision(is_kept(steady))
    return Decision(True)


def load_numpy() -> None:
    """Import numpy, where nobody has yet, without the threads of its linear algebra, which nothing here needs: processes are
    forked from one that has a single thread only, and what is forked need not load and link everything again."""
    if "numpy" in sys.modules:
        return
    before = os.environ.get(BLAS_THREADS)
    os.environ[BLAS_THREADS] = "1"
    try:
        import numpy  # noqa: F401
    finally:
        # Only the loading reads it; processes that this one starts are not concerned.
        if before is None:
            del os.environ[BLAS_THREADS]
        else:
            os.environ[BLAS_THREADS] = before


def not_covered(rule_sets: Sequence[RuleSet], seed: int = 0) -> Text | None:
    """Why these rule sets have no compiled form; None: at first sight they have one."""
    from gunzi.apps.lab.fast.names import NotCovered
    from gunzi.apps.lab.fast.tables import check_shape

    if seed >> 64:
        return Text("种子超过 64 位，编译版用不了", "the compiled form takes seeds of at most 64 bits")
    try:
        for rules in rule_sets:
            check_shape(rules)
    except NotCovered as found:
        return found.text
    return None


__all__ = ["A_ROUND", "MODES", "Decision", "Mode", "decide", "load_numpy", "not_covered"]
