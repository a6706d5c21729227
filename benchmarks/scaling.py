"""Long runs: two processes against one, the cost of a hand and the memory as runs grow.

    python benchmarks/scaling.py          some minutes; needs two free processors
    python benchmarks/scaling.py --tiny   only that everything runs: the figures mean nothing

``run.py`` measures these too, unless it is to be quick. Times with two processes are the wall's, the best of several taken in
turns; costs are processor time, which other work on the machine does not change. Memory is the largest resident size of the process that
reports and, times their number, of its largest worker; pages they share are counted in each.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass

from figures import Figure

import gunzi
from gunzi.apps import lab


@dataclass(frozen=True)
class Lengths:
    """How many hands: compared by one and by two processes, so many times each; simulated in a short and in a long run; compared in
    a short and in a long run for the memory."""

    compared: int
    times: int
    short: int
    long: int
    little: int
    much: int


FULL = Lengths(compared=2_000, times=3, short=1_000, long=100_000, little=4_000, much=20_000)
TINY = Lengths(compared=4, times=1, short=2, long=4, little=2, much=4)
JOBS = 2
MEMORY = """
import json, resource, sys
import gunzi
from gunzi.apps import lab
if __name__ == "__main__":
    lab.diff([gunzi.load("yuwang"), gunzi.load("chayuan")], hands=int(sys.argv[1]), seed=1, jobs=int(sys.argv[2]))
    who = (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)
    print(json.dumps([resource.getrusage(each).ru_maxrss for each in who]))
"""


def scaling_figures(lengths: Lengths = FULL) -> Iterator[Figure]:
    """Measure all of them."""
    yield two_processes(lengths)
    yield cost_of_a_hand(lengths)
    if sys.platform != "win32":
        yield from memory(lengths)


def two_processes(lengths: Lengths) -> Figure:
    """How much sooner a comparison is done by two processes."""
    sets = [gunzi.load("yuwang"), gunzi.load("chayuan")]
    walls: dict[int, list[float]] = {1: [], JOBS: []}
    for _ in range(lengths.times):
        for jobs, found in walls.items():
            started = time.perf_counter()
            lab.diff(sets, hands=lengths.compared, seed=1, jobs=jobs)
            found.append(time.perf_counter() - started)
    one, two = min(walls[1]), min(walls[JOBS])
    return Figure("two processes against one", one / two, "times", 1.8, True, f"{one:.2f} s and {two:.2f} s")


def cost_of_a_hand(lengths: Lengths) -> Figure:
    """What a hand of a long simulation costs, in hands of a short one."""
    rules = gunzi.load("yuwang")
    lab.simulate(rules, hands=lengths.short, seed=9)

    def cost(hands: int) -> float:
        started = time.process_time()
        lab.simulate(rules, hands=hands, seed=1)
        return (time.process_time() - started) / hands

    before, long, after = cost(lengths.short), cost(lengths.long), cost(lengths.short)
    ratio = long / ((before + after) / 2)
    beside = f"{1e6 * long:.0f} µs"
    return Figure(f"a hand of {lengths.long:,} against one of {lengths.short:,}", ratio, "times", 1.1, False, beside)


def memory(lengths: Lengths) -> Iterator[Figure]:
    """What a comparison holds in memory, and how much more when it is many times as long."""
    little, much = (_megabytes(hands) for hands in (lengths.little, lengths.much))
    yield Figure(f"memory of a diff, {JOBS} processes and the one that reports", much, "MB", 400, False)
    name = f"memory of {lengths.much:,} hands against {lengths.little:,}"
    yield Figure(name, much / little, "times", 1.1, False, f"{little:.0f} MB and {much:.0f} MB")


def _megabytes(hands: int) -> float:
    command = [sys.executable, "-c", MEMORY, str(hands), str(JOBS)]
    ran = subprocess.run(command, capture_output=True, text=True, check=True)
    reports, worker = json.loads(ran.stdout)
    unit = 1e6 if sys.platform == "darwin" else 1e3
    return float((reports + JOBS * worker) / unit)


def main(arguments: list[str] | None = None) -> int:
    """Measure and print; 1 where a figure is missed."""
    from run import line

    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--tiny", action="store_true", help="only that everything runs")
    args = parser.parse_args(arguments)
    missed = 0
    for figure in scaling_figures(TINY if args.tiny else FULL):
        print(line(figure), flush=True)
        missed += not figure.reached()
    return 1 if missed and not args.tiny else 0


if __name__ == "__main__":
    sys.exit(main())
