"""Work in blocks of units, here or in several processes; the blocks' results come in order, whatever the processes do."""

from __future__ import annotations

import os
import signal
from collections import deque
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from multiprocessing import parent_process
from multiprocessing.connection import wait
from threading import Thread
from typing import Any, Final, TypeVar

from gunzi.apps.lab.errors import LabError
from gunzi.errors import Text

R = TypeVar("R")
AHEAD: Final = 4
"""So many blocks a process are handed out ahead: memory stays constant however long the run."""


def blocks(wanted: int, size: int) -> Iterator[tuple[int, int]]:
    """The (first, end) of each block of units 0 … wanted-1."""
    for first in range(0, wanted, size):
        yield first, min(first + size, wanted)


def in_order(
    work: Callable[[int, int], R],
    wanted: int,
    size: int,
    jobs: int,
    start: Callable[..., None],
    shared: tuple[object, ...],
) -> Iterator[R]:
    """``work(first, end)`` for every block, in order. ``start(*shared)`` is called once in every process before.

    Raises LabError when a process dies; what came before stays good.
    """
    if jobs <= 1:
        start(*shared)
        for first, end in blocks(wanted, size):
            yield work(first, end)
        return
    pool = ProcessPoolExecutor(jobs, initializer=_started, initargs=(start, shared))
    waiting: deque[Future[R]] = deque()
    try:
        for first, end in blocks(wanted, size):
            waiting.append(pool.submit(work, first, end))
            if len(waiting) >= AHEAD * jobs:
                yield waiting.popleft().result()
        while waiting:
            yield waiting.popleft().result()
    except BrokenProcessPool:
        raise LabError(
            Text("有一个进程死掉了，后面的没打完", "a worker process died; the rest was not played")
        ) from None
    finally:
        pool.shutdown(wait=False, cancel_futures=True)


def _started(start: Callable[..., None], shared: tuple[object, ...]) -> None:
    # Ctrl-C is for the process that reports; workers are told to stop by it.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    for name in ("SIGTERM", "SIGHUP"):
        if hasattr(signal, name):
            signal.signal(getattr(signal, name), signal.SIG_DFL)
    Thread(target=_end_with, args=(parent_process(),), daemon=True).start()
    start(*shared)


def _end_with(parent: Any) -> None:
    """No worker outlives the process that reports, not even one that was killed."""
    if parent is not None:
        wait([parent.sentinel])
        os._exit(1)
