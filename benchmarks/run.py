"""The figures of the whole game, measured on this machine.

    python benchmarks/run.py            takes a quarter of an hour, and twenty minutes more to hold compiled hands against interpreted ones
    python benchmarks/run.py --quick    half a minute; exits with 1 when a figure is missed by more than a tenth

Compiled figures are ratios to ``yardstick.c`` in the same run; they are left out where no C compiler or no fast path is found.

Rates are per million iterations of ``for i in range(n): s += i & 7``, measured in turns with the work: compare these between
machines, not the rates beside them.
"""

from __future__ import annotations

import argparse
import json
import sys
from itertools import chain

import compiled
from beside_c import compiled_figures
from environment import environment_figures
from figures import Effort, Figure, Missing, all_figures
from scaling import scaling_figures

FULL = Effort(slices=60, hands=20, times=21)
QUICK = Effort(slices=21, hands=12, times=7)
TINY = Effort(slices=1, hands=1, times=1)
MARGIN = 0.1
"""Medians of a quick run on a busy machine may be off by as much."""


def line(figure: Figure) -> str:
    """A figure as it is printed."""
    sign = ">=" if figure.at_least else "<="
    mark = " " if figure.reached() else ("~" if figure.reached(MARGIN) else "!")
    wanted = f"{sign} {figure.wanted:g}" if figure.wanted else "-"
    beside = f"   ({figure.beside})" if figure.beside else ""
    return f"{mark} {figure.name:52} {figure.value:10.3f} {figure.unit:16} {wanted:>9}{beside}"


def main(arguments: list[str] | None = None) -> int:
    """Measure and print; 1 where a figure is missed."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--quick", action="store_true", help="fewer slices, and a margin of a tenth")
    parser.add_argument("--tiny", action="store_true", help="only that everything runs: the figures mean nothing")
    parser.add_argument("--json", action="store_true", help="print JSON")
    args = parser.parse_args(arguments)
    effort = TINY if args.tiny else QUICK if args.quick else FULL
    figures = []
    everything = chain(
        all_figures(effort),
        environment_figures(effort),
        compiled_figures(effort),
        scaling_figures() if effort is FULL else (),
    )
    for figure in everything:
        if isinstance(figure, Missing):
            if not args.json:
                print(f"- {figure.why}", flush=True)
            continue
        figures.append(figure)
        if not args.json:
            print(line(figure), flush=True)
    if args.json:
        rows = [
            {
                "name": each.name,
                "value": each.value,
                "unit": each.unit,
                "wanted": each.wanted,
                "at_least": each.at_least,
                "reached": each.reached(),
            }
            for each in figures
        ]
        print(json.dumps(rows, indent=1))
    if effort is FULL and compiled.available() and compiled.main([]):
        return 1
    missed = [each for each in figures if not each.reached(MARGIN if args.quick else 0.0)]
    return 1 if missed and not args.tiny else 0


if __name__ == "__main__":
    sys.exit(main())
