"""Long runs: two processes against one, the cost of a hand and the memory as runs grow, and how long whole commands take.

    python benchmarks/scaling.py          ten minutes or so; needs two free processors
    python benchmarks/scaling.py --tiny   only that everything runs: the figures mean nothing

``run.py`` measures these too, unless it is to be quick. Hands are compiled where numba is installed (of the short and the long run
both, else they could not be compared), and the code is there already when anything is measured. Times with two processes and
of whole commands are the wall's, the best of several taken in turns; costs are processor time, which other work on the machine does
not change. Memory is the most that all processes hold together, shared pages counted once (on Linux; elsewhere the largest resident
size of the process that reports and, times their number, of its largest worker).
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass
from importlib.util import find_spec

from figures import Figure, Missing

import gunzi
from gunzi.apps import lab
from gunzi.apps.lab.fast import Mode


@dataclass(frozen=True)
class Lengths:
    """How many hands: compared by one and by two processes, interpreted and compiled, so many times each; simulated in a short and in
    a long run; compared in a short and in a long run for the memory; compared by a whole command."""

    interpreted: int
    compiled: int
    times: int
    short: int
    long: int
    little: int
    much: int
    command: int


FULL = Lengths(
    interpreted=2_000,
    compiled=200_000,
    times=3,
    short=10_000,
    long=10_000_000,
    little=100_000,
    much=1_000_000,
    command=100_000,
)
SLOW = Lengths(interpreted=2_000, compiled=0, times=3, short=1_000, long=100_000, little=4_000, much=20_000, command=0)
"""Without numba."""
TINY = Lengths(interpreted=4, compiled=0, times=1, short=2, long=4, little=2, much=4, command=4)
JOBS = 2
FIRST = 40
"""So few hands are a first result: what they take is all that comes before."""
MEMORY = """
import json, os, resource, sys
from pathlib import Path
import gunzi
from gunzi.apps import lab

def held():
    me = os.getpid()
    every = [me, *Path(f"/proc/{me}/task/{me}/children").read_text().split()]
    told = [Path(f"/proc/{pid}/smaps_rollup").read_text() for pid in every]
    return sum(int(line.split()[1]) for text in told for line in text.splitlines() if line.startswith("Pss:"))

def look(done, wanted):
    global most
    try:
        most = max(most, held())
    except OSError:  # no Linux, or a worker has ended meanwhile
        pass

if __name__ == "__main__":
    most = 0
    hands, jobs, fast = int(sys.argv[1]), int(sys.argv[2]), sys.argv[3]
    lab.diff([gunzi.load("yuwang"), gunzi.load("chayuan")], hands=hands, seed=1, jobs=jobs, fast=fast, progress=look)
    own, worker = (resource.getrusage(who).ru_maxrss for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
    print(json.dumps(most or own + jobs * worker))
"""
CALL = "import sys; from gunzi.apps.cli import main; sys.exit(main())"


def scaling_figures(lengths: Lengths | None = None) -> Iterator[Figure | Missing]:
    """Measure all of them; ``lengths`` by default as long as they are stated, in so far as there is a compiled form."""
    there = find_spec("numba") is not None
    fast: Mode = "on" if there and lengths is not TINY else "off"
    lengths = lengths or (FULL if there else SLOW)
    yield two_processes(lengths.interpreted, lengths.times, "off")
    if lengths.compiled:
        yield two_processes(lengths.compiled, lengths.times, "on")
    else:
        yield Missing("no compiled figures of long runs")
    yield cost_of_a_hand(lengths, fast)
    if sys.platform != "win32":
        yield from memory(lengths, fast)
    if lengths.command:
        yield whole_command(
            "a first result, compiled", ("simulate", "yuwang", "--hands", str(FIRST)), fast, lengths, 1.5
        )
        name = f"gunzi diff yuwang chayuan --hands {lengths.command}"
        yield whole_command(name, tuple(name.split()[1:]), fast, lengths, 10)


def two_processes(hands: int, times: int, fast: Mode) -> Figure:
    """How much sooner a comparison is done by two processes."""
    sets = [gunzi.load("yuwang"), gunzi.load("chayuan")]
    walls: dict[int, list[float]] = {1: [], JOBS: []}
    for turn in range(times + 1):
        for jobs, found in walls.items():
            started = time.perf_counter()
            lab.diff(sets, hands=hands if turn else 2, seed=1, jobs=jobs, fast=fast)  # the first turn only warms up
            if turn:
                found.append(time.perf_counter() - started)
    one, two = min(walls[1]), min(walls[JOBS])
    name = f"two processes against one, {'compiled' if fast == 'on' else 'interpreted'}"
    return Figure(name, one / two, "times", 1.8, True, f"{one:.2f} s and {two:.2f} s")


def cost_of_a_hand(lengths: Lengths, fast: Mode) -> Figure:
    """What a hand of a long simulation costs, in hands of a short one."""
    rules = gunzi.load("yuwang")
    lab.simulate(rules, hands=lengths.short, seed=9, fast=fast)

    def cost(hands: int) -> float:
        started = time.process_time()
        lab.simulate(rules, hands=hands, seed=1, fast=fast)
        return (time.process_time() - started) / hands

    before, long, after = cost(lengths.short), cost(lengths.long), cost(lengths.short)
    ratio = long / ((before + after) / 2)
    beside = f"{1e6 * long:.0f} µs"
    return Figure(f"a hand of {lengths.long:,} against one of {lengths.short:,}", ratio, "times", 1.1, False, beside)


def memory(lengths: Lengths, fast: Mode) -> Iterator[Figure]:
    """What a comparison holds in memory, and how much more when it is many times as long."""
    little, much = (_megabytes(hands, fast) for hands in (lengths.little, lengths.much))
    yield Figure(f"memory of a diff, {JOBS} processes and the one that reports", much, "MB", 400, False)
    name = f"memory of {lengths.much:,} hands against {lengths.little:,}"
    yield Figure(name, much / little, "times", 1.1, False, f"{little:.0f} MB and {much:.0f} MB")


def _megabytes(hands: int, fast: Mode) -> float:
    command = [sys.executable, "-c", MEMORY, str(hands), str(JOBS), fast]
    ran = subprocess.run(command, capture_output=True, text=True, check=True)
    return float(json.loads(ran.stdout) / (1e6 if sys.platform == "darwin" else 1e3))


def whole_command(name: str, words: tuple[str, ...], fast: Mode, lengths: Lengths, wanted: float) -> Figure:
    """A command from start to end, in a new process each time, with the compiled code kept."""
    command = [sys.executable, "-c", CALL, *words, "--fast", fast]
    best = float("inf")
    for turn in range(lengths.times + 1):
        started = time.perf_counter()
        subprocess.run(command, capture_output=True, check=True)
        if turn:  # the first one keeps the code
            best = min(best, time.perf_counter() - started)
    return Figure(name, best, "s", wanted, False)


def main(arguments: list[str] | None = None) -> int:
    """Measure and print; 1 where a figure is missed."""
    from run import line

    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--tiny", action="store_true", help="only that everything runs")
    args = parser.parse_args(arguments)
    missed = 0
    for figure in scaling_figures(TINY if args.tiny else None):
        if isinstance(figure, Missing):
            print(f"- {figure.why}", flush=True)
            continue
        print(line(figure), flush=True)
        missed += not figure.reached()
    return 1 if missed and not args.tiny else 0


if __name__ == "__main__":
    sys.exit(main())
