"""One table, compiled: what ``lab.simulate`` counts, without events."""

from __future__ import annotations

from collections.abc import Sequence

from gunzi.apps.lab.fast import layout as at
from gunzi.apps.lab.fast.counting import count_in
from gunzi.apps.lab.fast.layout import numbers
from gunzi.apps.lab.fast.names import RANDOMS, NotCovered
from gunzi.apps.lab.fast.running import Engine, new_state, no_log, unit_of
from gunzi.apps.lab.simulation import Progress, TableRun
from gunzi.errors import Text
from gunzi.ruleset import RuleSet

HANDS_A_CALL = 4096
"""Between calls of the compiled code progress is told and Ctrl-C is heard."""


def engine_for(rules: RuleSet, policy: Sequence[str] = RANDOMS) -> Engine:
    """The compiled form of a rule set and four players for whole rounds. Raises NotCovered."""
    return Engine(rules, rules.start_level, int(rules.options["levels.final"]), policy=policy)


def play_compiled(
    rules: RuleSet, policy: Sequence[str], *, hands: int, rounds: int, seed: int, progress: Progress | None = None
) -> tuple[TableRun | None, Text | None]:
    """One table played for so many hands or rounds (the other is 0); None and why not, where something is not covered."""
    try:
        return _play(engine_for(rules, policy), hands, rounds, seed, progress), None
    except NotCovered as found:
        return None, found.text


def _play(engine: Engine, hands: int, rounds: int, seed: int, progress: Progress | None) -> TableRun:
    rules = engine.rules
    state = new_state(1, hands, rounds)
    units = numbers(1, at.UNIT_FIELDS)
    units[0] = unit_of(seed, (rules.start_level, rules.start_level))
    rows = numbers(HANDS_A_CALL, at.ROW)
    log = no_log()
    run = TableRun()
    try:
        while not run.over:
            run.over = engine.run(state, units, rows, log) == at.NEXT
            count_in(run.tally, rows[: state[at.ROWS]], engine.names)
            state[at.ROWS] = 0
            if progress is not None:
                progress(run.tally.hands if hands else int(state[at.WON_0] + state[at.WON_1]), hands or rounds)
    except KeyboardInterrupt:
        run.interrupted = True
    run.redeals = int(state[at.REDEALS])
    run.rounds = int(state[at.WON_0] + state[at.WON_1])
    a, b, c, d = state[at.SCORE_0 : at.SCORE_0 + 4].tolist()
    run.scores = (a, b, c, d)
    return run
