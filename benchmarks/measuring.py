"""Rates measured against a calibration loop in the same run.

A machine's speed swings for seconds at a time, so work and calibration take turns in short slices, and each slice of work is
held against the calibration slices around it. Time is the process's own, so that other processes on the machine do not
count. Medians are reported.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from statistics import median

CALIBRATION_SLICE = 150_000
"""Iterations of a calibration slice: some 5 milliseconds."""


def calibrate(n: int) -> float:
    """The seconds that n iterations of the calibration loop take."""
    s = 0
    started = time.process_time()
    for i in range(n):
        s += i & 7
    return time.process_time() - started


@dataclass(frozen=True)
class Rate:
    """Medians: per second, per million calibration iterations, and the calibration iterations a second."""

    per_second: float
    per_million: float
    calibration: float

    @property
    def iterations_each(self) -> float:
        """How many calibration iterations' time one takes."""
        return 1e6 / self.per_million


def rate(work: Callable[[], int], slices: int, calibration: int = CALIBRATION_SLICE) -> Rate:
    """How often ``work`` (it answers how many it did, in a slice of some 20 ms) is done, in so many slices."""
    work()
    absolute: list[float] = []
    ratios: list[float] = []
    speeds: list[float] = []
    before = calibration / calibrate(calibration)
    for _ in range(slices):
        started = time.process_time()
        done = work()
        took = time.process_time() - started
        after = calibration / calibrate(calibration)
        speed = (before + after) / 2
        absolute.append(done / took)
        ratios.append(done / took / speed * 1e6)
        speeds.append(speed)
        before = after
    return Rate(median(absolute), median(ratios), median(speeds))


def milliseconds(work: Callable[[], object], times: int, clock: Callable[[], float] = time.process_time) -> float:
    """The median time of one call; by the wall's clock where other processes do the work."""
    found = []
    for _ in range(times):
        started = clock()
        work()
        found.append(clock() - started)
    return 1000 * median(found)
