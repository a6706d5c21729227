"""Who plays blocks on this machine: this process, or several others. A worker that dies costs its block, which another plays."""

from __future__ import annotations

import multiprocessing
import os
import pickle
import sys
import time
import traceback
from collections import Counter, deque
from collections.abc import Callable
from multiprocessing.connection import Connection, wait
from threading import Thread
from typing import Any, Final, Generic, Protocol, TypeVar

from gunzi.apps.lab.blocks import Bench, Span
from gunzi.apps.lab.errors import LabError
from gunzi.apps.lab.interrupts import blocked, left_to_parent
from gunzi.errors import GunziError, Text

P = TypeVar("P")
P_co = TypeVar("P_co", covariant=True)
MOST_TRIES: Final = 3
"""A block that has ended so many workers is not given to another one."""
TICK_SECONDS: Final = 0.25
MakeBench = Callable[..., Bench[P]]
Ticked = Callable[[Span, int], None]


class Crew(Protocol[P_co]):
    """Who plays blocks."""

    @property
    def room(self) -> int:
        """So many blocks may be given before one is taken."""

    def give(self, span: Span) -> None:
        """A block to play."""

    def take(self) -> tuple[Span, P_co]:
        """A block that is finished, in whatever order; one at least has been given. Raises LabError, and what a bench raises."""

    def close(self, at_once: bool) -> None:
        """End; ``at_once``: whatever is being played is not wanted."""


class Alone(Generic[P]):
    """This process."""

    room = 1

    def __init__(self, bench: Bench[P], ticked: Ticked) -> None:
        self.bench = bench
        self.ticked = ticked
        self._given: deque[Span] = deque()

    def give(self, span: Span) -> None:
        """A block to play."""
        self._given.append(span)

    def take(self) -> tuple[Span, P]:
        """Play the next block."""
        span = self._given.popleft()
        return span, self.bench.block(*span, lambda done: self.ticked(span, done))

    def close(self, at_once: bool) -> None:
        """Nothing is left behind."""


class _Worker:
    """A process with a bench, and the block it plays."""

    def __init__(self, method: str, make: MakeBench[Any], shared: tuple[object, ...]) -> None:
        context: Any = multiprocessing.get_context(method)
        self.pipe: Connection[Any, Any]
        self.pipe, theirs = context.Pipe()
        self.process = context.Process(target=_serve, args=(theirs, make, shared), daemon=True)
        self.span: Span | None = None
        self.ready = False
        try:
            with blocked():
                self.process.start()
        finally:
            # Its end closed here, the pipe tells when the worker is gone.
            theirs.close()

    def end(self, at_once: bool) -> None:
        if not at_once:
            try:
                self.pipe.send(None)
                self.process.join(2)
            except OSError:
                pass
        self.process.terminate()
        self.process.join(2)
        if self.process.is_alive():
            self.process.kill()
            self.process.join()
        self.pipe.close()
        self.process.close()


class Workers(Generic[P]):
    """So many processes, started as they are needed, each with a bench of its own: ``make(*shared)``.

    ``method``: how processes are started; None: ``start_method()``.
    """

    def __init__(
        self,
        jobs: int,
        make: MakeBench[P],
        shared: tuple[object, ...],
        ticked: Ticked,
        method: str | None = None,
    ) -> None:
        self.jobs = jobs
        self.make = make
        self.shared = shared
        self.ticked = ticked
        self.method = method or start_method()
        self._workers: list[_Worker] = []
        self._given: deque[Span] = deque()
        self._finished: deque[tuple[Span, P]] = deque()
        self._tries: Counter[Span] = Counter()
        self._any_ready = False
        self._stillborn = 0

    @property
    def room(self) -> int:
        """One block for each process, and as many that wait."""
        return 2 * self.jobs

    def give(self, span: Span) -> None:
        """A block to play."""
        self._given.append(span)
        self._hand_out()

    def take(self) -> tuple[Span, P]:
        """Wait for a block."""
        while not self._finished:
            self._hand_out()
            found: dict[Any, _Worker] = {worker.pipe: worker for worker in self._workers}
            sentinels: dict[Any, _Worker] = {worker.process.sentinel: worker for worker in self._workers}
            ready = wait([*found, *sentinels])
            heard = {id(each): each for each in (found.get(one) or sentinels.get(one) for one in ready) if each}
            for worker in heard.values():
                self._hear(worker)
        return self._finished.popleft()

    def close(self, at_once: bool) -> None:
        """End all processes."""
        for worker in self._workers:
            worker.end(at_once)
        self._workers.clear()

    def _hand_out(self) -> None:
        for worker in [*self._workers]:
            if self._given and worker.span is None:
                self._send(worker)
        while self._given and len(self._workers) < self.jobs:
            worker = _Worker(self.method, self.make, self.shared)
            self._workers.append(worker)
            self._send(worker)

    def _send(self, worker: _Worker) -> None:
        worker.span = span = self._given.popleft()
        try:
            worker.pipe.send(span)
        except OSError:
            self._lost(worker)

    def _hear(self, worker: _Worker) -> None:
        try:
            if not worker.pipe.poll():
                self._lost(worker)
                return
            kind, what = worker.pipe.recv()
        except (EOFError, OSError, pickle.UnpicklingError):
            self._lost(worker)
            return
        if kind == "ready":
            worker.ready = self._any_ready = True
        elif kind == "wrong":
            raise what
        elif worker.span is not None:
            if kind == "tick":
                self.ticked(worker.span, what)
            else:
                self._finished.append((worker.span, what))
                worker.span = None
                self._hand_out()

    def _lost(self, worker: _Worker) -> None:
        """A worker is dead: its block is for another one, unless it is the block that kills."""
        worker.process.join(2)
        code = worker.process.exitcode
        self._workers.remove(worker)
        span = worker.span
        worker.end(at_once=True)
        if not worker.ready:
            self._stillborn += 1
            if not self._any_ready or self._stillborn >= MOST_TRIES:
                raise LabError(
                    Text(
                        f"开不了进程（{_how(code).zh}）；用 --jobs 1 就在这个进程里打",
                        f"worker processes cannot be started: one died at once ({_how(code).en}); --jobs 1 plays in this process",
                    )
                )
        if span is None:
            return
        self.ticked(span, 0)
        if worker.ready:
            self._tries[span] += 1
        if self._tries[span] >= MOST_TRIES:
            first, end = span
            raise LabError(
                Text(
                    f"打第 {first + 1} 到第 {end} 个时死了 {MOST_TRIES} 个进程（{_how(code).zh}），后面的没打完；会不会是内存不够？",
                    f"{MOST_TRIES} worker processes died over numbers {first + 1} to {end} ({_how(code).en}); "
                    "the rest was not played. Is there enough memory?",
                )
            )
        self._given.appendleft(span)


def start_method() -> str:
    """How processes are started: ``fork`` where that is safe and quick, on Linux while this process has one thread; else
    ``spawn``, which is safe everywhere."""
    if sys.platform != "linux" or "fork" not in multiprocessing.get_all_start_methods():
        return "spawn"
    try:
        threads = len(os.listdir("/proc/self/task"))
    except OSError:
        return "spawn"
    return "fork" if threads == 1 else "spawn"


def _how(code: int | None) -> Text:
    if code is not None and code < 0:
        return Text(f"信号 {-code}", f"signal {-code}")
    return Text(f"退出状态 {code}", f"exit status {code}")


# -- in the worker ---------------------------------------------------------------------------------------------


def _serve(pipe: Connection[Any, Any], make: MakeBench[Any], shared: tuple[object, ...]) -> None:
    left_to_parent()
    Thread(target=_end_with, args=(multiprocessing.parent_process(),), daemon=True).start()
    try:
        bench = make(*shared)
        pipe.send(("ready", None))
        while (span := pipe.recv()) is not None:
            first, end = span
            pipe.send(("done", bench.block(first, end, _Told(pipe))))
    except (EOFError, BrokenPipeError):
        pass  # nobody is there to report to
    except Exception as error:
        pipe.send(("wrong", sendable(error)))


class _Told:
    """Tells how far a block is, but not all the time."""

    def __init__(self, pipe: Connection[Any, Any]) -> None:
        self.pipe = pipe
        self.last = time.monotonic()

    def __call__(self, done: int, /) -> None:
        now = time.monotonic()
        if now - self.last > TICK_SECONDS:
            self.last = now
            self.pipe.send(("tick", done))


def sendable(error: Exception) -> Exception:
    """An exception that another process can read, with where it happened as a note."""
    told = "".join(traceback.format_exception(error))
    try:
        found: Exception = pickle.loads(pickle.dumps(error))
        if type(found) is not type(error) or str(found) != str(error):
            raise TypeError("changed on the way")
    except Exception:
        if isinstance(error, GunziError):
            found = LabError(error.text)
        else:
            found = RuntimeError(f"{type(error).__name__}: {error}")
    found.add_note(told)
    return found


def _end_with(parent: Any) -> None:
    """No worker outlives the process that reports, not even one that was killed."""
    if parent is not None:
        wait([parent.sentinel])
        os._exit(1)
