"""gunzi beside OpenSpiel and RLCard: decisions a second, in turns in one run.

    python benchmarks/peers.py              makes .peers/ with both libraries once (a network is needed), then a minute
    python benchmarks/peers.py --quick      fewer slices

Where they cannot be installed, it says so and ends well. A decision is a player's choice among what the rules allow at that moment,
forced ones included; dealing takes time and is no decision. On our side every question to a seat is one: plays, claims, declarations,
tribute, burying. The games differ (打滚子 has 39 tricks and three packs); a decision is what all of them have.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import venv
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from statistics import median
from time import process_time

from figures import RULES

import gunzi
from gunzi.apps.players import play_table, player
from gunzi.table import Table

HERE = Path(__file__).resolve().parent
ENVIRONMENT = HERE.parent / ".peers"
PACKAGES = ("open_spiel", "rlcard")
MEDIAN_OF = ("skat", "hearts", "dou_dizhu")
BRIDGE = "bridge(use_double_dummy_result=false)"
"""With its double-dummy solver most of bridge's time goes into the result."""
GAMES = (*MEDIAN_OF, BRIDGE)
PYTHON, ROLLOUTS = 0.6, 2.0
"""The figures to reach."""
HANDS = 12
SAMPLE = 400
"""So many hands tell how many decisions a hand has."""


@dataclass
class Row:
    """Something measured, slice by slice: it answers (decisions, processor seconds)."""

    name: str
    work: Callable[[], tuple[float, float]]
    rates: list[float] = field(default_factory=list)
    problem: str = ""

    @property
    def rate(self) -> float:
        """Decisions a second: the median of the fastest third of all slices. What else runs on a machine slows slices down, and
        never speeds one up."""
        fastest = sorted(self.rates, reverse=True)
        return median(fastest[: -(-len(fastest) // 3)])

    def measure(self) -> None:
        """One slice more."""
        if self.problem:
            return
        try:
            decisions, seconds = self.work()
        except RuntimeError as problem:
            self.problem = str(problem)
        else:
            self.rates.append(decisions / seconds)


class Peers:
    """The process of the peers, in their own environment."""

    def __init__(self, python: Path) -> None:
        command = [str(python), str(HERE / "peer_games.py")]
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)

    def row(self, library: str, game: str, way: str, seconds: float) -> Row:
        """Something a peer does."""

        def work() -> tuple[float, float]:
            assert self.process.stdin is not None and self.process.stdout is not None
            try:
                self.process.stdin.write(f"{library} {game} {way} {seconds}\n")
                self.process.stdin.flush()
                told = self.process.stdout.readline()
            except BrokenPipeError:
                told = ""
            found = json.loads(told) if told else {"problem": "the peers' process ended"}
            if "problem" in found:
                raise RuntimeError(found["problem"])
            return float(found["decisions"]), float(found["seconds"])

        work_name = {
            "python": "from Python",
            "rollouts": "C++ rollouts",
            "bots": "C++ bots",
            "documented": "from Python, the documented loop",
        }[way]
        return Row(f"{library} {game.partition('(')[0]}, {work_name}", work)

    def close(self) -> None:
        """End the process."""
        assert self.process.stdin is not None
        with suppress(BrokenPipeError):
            self.process.stdin.close()
        self.process.wait()


def installed() -> Path | str:
    """The peers' Python, installed now if it was not; or why there is none."""
    python = ENVIRONMENT / ("Scripts/python.exe" if sys.platform == "win32" else "bin/python")
    try:
        if not python.exists():
            venv.create(ENVIRONMENT, with_pip=True)
        ready = [str(python), "-c", "import pyspiel, rlcard"]
        if subprocess.run(ready, capture_output=True, check=False).returncode == 0:
            return python
        install = [str(python), "-m", "pip", "install", "--quiet", "--disable-pip-version-check", *PACKAGES]
        done = subprocess.run(install, capture_output=True, text=True, check=False)
        if done.returncode == 0 and subprocess.run(ready, capture_output=True, check=False).returncode == 0:
            return python
    except (OSError, subprocess.SubprocessError) as problem:
        return str(problem)
    told = [line for line in done.stderr.strip().splitlines() if line.startswith("ERROR")]
    return told[-1] if told else "pip did not install them"


def interpreted(one_by_one: bool, seconds: float, each: float) -> Callable[[], tuple[float, float]]:
    """Whole hands, of ``each`` decisions on average, through tables that keep no record: as the policy ``random`` plays them, tricks at
    once; or every play asked for and answered by itself."""
    rules = gunzi.load(RULES)
    players = [player("random")] * 4
    until = (lambda: False) if one_by_one else None
    seed = 0

    def work() -> tuple[float, float]:
        nonlocal seed
        hands = 0
        began = process_time()
        while process_time() - began < seconds:
            seed += 1
            play_table(Table(rules, seed=seed, rounds=None, hands=HANDS, record=False), players, seed, until=until)
            hands += HANDS
        return hands * each, process_time() - began

    return work


def decisions_a_hand() -> float:
    """How many questions a hand of the policy ``random`` has on average."""
    asked = 0

    def count() -> bool:
        nonlocal asked
        asked += 1
        return False

    table = Table(gunzi.load(RULES), seed=1, rounds=None, hands=SAMPLE, record=False)
    play_table(table, [player("random")] * 4, 1, until=count)
    return asked / SAMPLE


def compiled(seconds: float, each: float) -> list[Row]:
    """Our compiled hands, where the fast path is there: from the deal on, and the tricks of dealt hands."""
    try:
        from beside_c import complete_hands, trick_play
        from yardstick import DECK_SEED, PLAY_SEED

        from gunzi.apps.lab.fast.compiled import the_compiler
        from gunzi.apps.lab.fast.running import Engine

        the_compiler()
    except ImportError as missing:
        print(f"- nothing compiled on our side: {missing}")
        return []
    from figures import dealt_hands

    from gunzi.play_rules import play_rules
    from gunzi.playout import draws_of, play_out

    rules = gunzi.load(RULES)
    engine = Engine(rules, rules.start_level, int(rules.options["levels.final"]))
    hands = 2000
    whole, tricks = complete_hands(engine, hands), trick_play(engine, the_compiler(), hands)
    assert DECK_SEED == 1  # what ``dealt_hands`` deals
    order = play_rules(rules, gunzi.trump_order(3, "H"))
    played = [
        play_out(order, holdings, k & 3, [draws_of(PLAY_SEED, k, seat) for seat in range(4)]).tricks
        for k, holdings in enumerate(dealt_hands(SAMPLE))
    ]

    def row(name: str, work: Callable[[], object], a_hand: float) -> Row:
        def timed() -> tuple[float, float]:
            done = 0
            began = process_time()
            while process_time() - began < seconds:
                work()
                done += hands
            return done * a_hand, process_time() - began

        return Row(name, timed)

    return [
        row("gunzi compiled, complete hands", whole, each),
        row("gunzi compiled, tricks of dealt hands", tricks, 4 * sum(played) / len(played)),
    ]


def ratio(ours: Row, theirs: list[Row]) -> float:
    """Ours to the median of theirs."""
    return ours.rate / median(row.rate for row in theirs)


def main(arguments: list[str] | None = None) -> int:
    """Measure and print; 1 where a figure is missed, 0 too where the peers cannot be installed."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--quick", action="store_true", help="fewer slices")
    args = parser.parse_args(arguments)
    python = installed()
    if isinstance(python, str):
        print(f"skipped: {', '.join(PACKAGES)} cannot be installed here ({python})")
        return 0
    slices, seconds = (15, 0.05) if args.quick else (45, 0.1)
    peers = Peers(python)
    each = decisions_a_hand()
    ours = [
        Row("gunzi, random hands", interpreted(False, seconds, each)),
        Row("gunzi, random hands, play by play", interpreted(True, seconds, each)),
    ]
    fast = compiled(seconds, each)
    driven = [peers.row("openspiel", game, "python", seconds) for game in GAMES]
    documented = [peers.row("openspiel", game, "documented", seconds) for game in GAMES]
    rollouts = [peers.row("openspiel", game, "rollouts", seconds) for game in GAMES]
    bots = [peers.row("openspiel", game, "bots", seconds) for game in GAMES]
    cards = [peers.row("rlcard", game, "python", seconds) for game in ("doudizhu", "mahjong", "gin-rummy", "uno")]
    rows = [*ours, *fast, *driven, *documented, *rollouts, *bots, *cards]
    try:
        for row in rows:
            row.measure()  # the first slice loads and warms up
            row.rates.clear()
        for _ in range(slices):
            for row in rows:
                row.measure()
    finally:
        peers.close()
    for row in rows:
        print(f"{row.name:58} " + (row.problem or f"{row.rate:14,.0f} decisions/s"))
    count = len(MEDIAN_OF)
    return report(ours, fast, driven[:count], documented[:count], rollouts[:count])


def report(ours: list[Row], fast: list[Row], driven: list[Row], documented: list[Row], rollouts: list[Row]) -> int:
    """The figures that are to be reached; 1 where one is missed."""
    games = ", ".join(MEDIAN_OF)
    figures = []
    for loop, how, least in ((driven, "the fastest loop", PYTHON), (documented, "the documented loop", 0.0)):
        if not any(row.problem for row in loop):
            figures += [
                (f"{row.name}, to the median of {games} from Python, {how}", ratio(row, loop), wanted)
                for row, wanted in zip(ours, (least, 0.0), strict=True)
            ]
    if not any(row.problem for row in rollouts):
        figures += [
            (f"{row.name}, to the median of their C++ rollouts", ratio(row, rollouts), ROLLOUTS) for row in fast
        ]
    print()
    missed = False
    for name, value, wanted in figures:
        mark = "!" if value < wanted else " "
        missed = missed or value < wanted
        print(f"{mark} {name:108} {value:6.2f}" + (f"  >= {wanted:g}" if wanted else ""))
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main())
