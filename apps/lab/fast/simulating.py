"""One table, compiled: what ``lab.simulate`` counts, without events."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from gunzi.apps.lab.blocks import Ticks
from gunzi.apps.lab.fast import layout as at
from gunzi.apps.lab.fast.caching import is_kept
from gunzi.apps.lab.fast.counting import count_in
from gunzi.apps.lab.fast.layout import Numbers, numbers
from gunzi.apps.lab.fast.names import RANDOMS
from gunzi.apps.lab.fast.running import Engine, new_state, no_log, unit_of
from gunzi.apps.lab.interrupts import held
from gunzi.apps.lab.simulation import TableBench, TableRun, table_seed
from gunzi.ruleset import RuleSet

HANDS_A_CALL = 4096
"""Between calls of the compiled code progress is told and Ctrl-C is heard."""
TABLES_A_BLOCK = 64


def engine_for(rules: RuleSet, policy: Sequence[str] = RANDOMS) -> Engine:
    """The compiled form of a rule set and four players for whole rounds. Raises NotCovered."""
    return Engine(rules, rules.start_level, int(rules.options["levels.final"]), policy=policy)


class CompiledTables(TableBench):
    """Plays tables compiled; made once in each process. Raises NotCovered."""

    def __init__(self, *shared: Any) -> None:
        super().__init__(*shared)
        self.engine = engine_for(self.rules, self.names)
        self.rows = numbers(HANDS_A_CALL, at.ROW)

    def table(self, number: int, amount: int, tick: Ticks) -> TableRun:
        """Play a table for so many hands or rounds."""
        hands, rounds = (amount, 0) if self.unit == "hands" else (0, amount)
        return play(self.engine, hands, rounds, table_seed(self.seed, number), self.rows, tick)


def prepare(*shared: Any) -> bool:
    """Have everything compiled; True: it is kept, so that other processes need not do it again. Raises NotCovered."""
    bench = CompiledTables(*shared)
    bench.block(0, 1, lambda done: None)
    return is_kept(bench.engine.steady)


def play(engine: Engine, hands: int, rounds: int, seed: int, rows: Numbers, tick: Ticks) -> TableRun:
    """One table played for so many hands or rounds (the other is 0)."""
    rules = engine.rules
    state = new_state(1, hands, rounds)
    units = numbers(1, at.UNIT_FIELDS)
    units[0] = unit_of(seed, (rules.start_level, rules.start_level))
    log = no_log()
    run = TableRun()
    try:
        while not run.over:
            run.over = engine.run(state, units, rows, log) == at.NEXT
            with held():
                count_in(run.tally, rows[: state[at.ROWS]], engine.names)
                state[at.ROWS] = 0
            tick(run.tally.hands if hands else int(state[at.WON_0] + state[at.WON_1]))
    except KeyboardInterrupt:
        run.interrupted = True
    run.redeals = int(state[at.REDEALS])
    run.rounds = int(state[at.WON_0] + state[at.WON_1])
    a, b, c, d = state[at.SCORE_0 : at.SCORE_0 + 4].tolist()
    run.scores = (a, b, c, d)
    return run
