"""Playing hands on from their middle, compiled: what a player that looks ahead needs.

    from gunzi.apps.lab.fast import playouts as by
    playouts = by.Playouts(rules)                  # NotCovered: this rule set has no compiled form; ImportError without numba
    states = by.new_states(n)                      # n situations, a row each, of the columns below
    states[:, by.HANDS : by.HANDS + 12] = …        # who holds what; then what lies on the table, points so far …
    found = playouts.run(trump, states, times=16)  # [n, times, 2]: attackers' points with a captured bottom, captured (0, 1)

A row is one way the cards may lie: the four holdings as masks in the order of ``trump`` (``gunzi.trump``), without what lies on the
table; the up to four plays of the trick that is being played, in playing order (four: it is taken up first); who led it; its
number from 1; the dealer; the attackers' points so far; the points of the bottom; a seed. The holdings must hold as many cards as the
tricks that are left need. Each row is played to its end ``times`` times by ``random`` in every seat: the i-th time with the
dice of hand i + 1 of a table of the row's seed, so that rows of one seed are played on with the same dice. A row is not changed.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from gunzi.apps.lab.fast import layout as at
from gunzi.apps.lab.fast.layout import Log, Numbers, Scratch, Tables, numbers
from gunzi.apps.lab.fast.names import Names
from gunzi.apps.lab.fast.pieces import key
from gunzi.apps.lab.fast.tricks import lay, play_on
from gunzi.cards import SUITS
from gunzi.chance import CHOICE
from gunzi.ruleset import RuleSet
from gunzi.trump import Trump

HANDS: Final = 0
"""Columns of a state: from here twelve numbers, the three masks of each seat's holding."""
PLAYS: Final = 12
"""From here twelve numbers, the three masks of each of the trick's plays, the leader's first."""
PLACED, LEADER, TRICK, DEALER, POINTS, BOTTOM_POINTS, SEED = range(24, 31)
COLUMNS: Final = 31

WON: Final = 0
"""Columns of an outcome: the attackers' points, those of a captured bottom included, and 1 where they captured."""
CAPTURED: Final = 1
OUTCOME: Final = 2


def play_states(
    tables: Sequence[Tables], scratch: Sequence[Scratch], log: Log, trump: int, states: Numbers, found: Numbers
) -> None:
    """Play every state on to the end, as often as ``found`` [state, time, outcome] has room."""
    t = tables[0]
    x = scratch[0]
    x.found[at.TRUMP] = trump
    for place in range(len(states)):
        state = states[place]
        dealer = state[DEALER]
        leader = state[LEADER]
        for time in range(found.shape[1]):
            for seat in range(4):
                x.bases[seat] = key(state[SEED], time + 1, CHOICE, seat)
                for copies in range(3):
                    x.holdings[seat, copies] = state[HANDS + 3 * seat + copies]
            x.found[at.TRICK_POINTS] = state[POINTS]
            x.table[at.LEADER] = leader
            x.table[at.TRICK] = state[TRICK]
            x.table[at.PLACED] = 0
            for n in range(state[PLACED]):
                start = PLAYS + 3 * n
                lay(t, x, (leader + n) & 3, state[start], state[start + 1], state[start + 2])
            play_on(t, x, log, dealer)
            points = x.found[at.TRICK_POINTS]
            captured = (x.table[at.LEADER] ^ dealer) & 1
            if captured:
                points += t.worth[state[BOTTOM_POINTS] // 5]
            found[place, time, WON] = points
            found[place, time, CAPTURED] = captured


class Playouts:
    """Plays situations on under one rule set. Raises NotCovered where that has no compiled form."""

    def __init__(self, rules: RuleSet, low: int | None = None, high: int | None = None) -> None:
        """``low`` and ``high``: the levels that may be asked for, otherwise all that the rule set plays."""
        from gunzi.apps.lab.fast.compiled import compiled_states
        from gunzi.apps.lab.fast.running import no_log
        from gunzi.apps.lab.fast.tables import read

        self.rules = rules
        self._low = rules.start_level if low is None else low
        self._high = int(rules.options["levels.final"]) if high is None else high
        self._packed, _ = read(rules, Names(), self._low, self._high)
        self._scratch = at.record(at.SCRATCH_SHAPES)
        self._log = no_log()
        self._play = compiled_states()

    def run(self, trump: Trump, states: Numbers, times: int = 1) -> Numbers:
        """The outcomes [state, time, 2] of playing each state (``new_states``) on so many times.

        ValueError for a trump of a level that was not announced, or of other permanent trumps.
        """
        if not self._low <= trump.level <= self._high or trump.permanent != self.rules.permanent:
            raise ValueError(f"{trump} is no trump order that these playouts were made for")
        found = numbers(len(states), times, OUTCOME)
        number = 4 * trump.level + SUITS.index(trump.suit)
        self._play(self._packed, self._scratch, self._log, number, states, found)
        return found


def new_states(count: int) -> Numbers:
    """So many rows of ``COLUMNS`` zeros; in each the first trick is led by seat 0, who is the dealer."""
    states = numbers(count, COLUMNS)
    states[:, TRICK] = 1
    return states


__all__ = [
    "BOTTOM_POINTS",
    "CAPTURED",
    "COLUMNS",
    "DEALER",
    "HANDS",
    "LEADER",
    "PLACED",
    "PLAYS",
    "POINTS",
    "SEED",
    "TRICK",
    "WON",
    "Playouts",
    "new_states",
]
