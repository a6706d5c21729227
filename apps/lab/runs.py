"""A run of many units: in blocks, on as many processes or machines as there are, kept in a file if asked, merged in order."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Mapping
from contextlib import ExitStack
from copy import deepcopy
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path
from typing import Any, Final, Generic, TypeVar

import gunzi
from gunzi.apps.lab.blocks import Layout, Part, Span
from gunzi.apps.lab.errors import LabError
from gunzi.apps.lab.interrupts import held
from gunzi.apps.lab.journal import Journal
from gunzi.apps.lab.plain import from_plain, shape, to_plain
from gunzi.apps.lab.workers import Alone, Crew, MakeBench, Workers
from gunzi.errors import GunziError, Text
from gunzi.os_errors import os_text

P = TypeVar("P", bound=Part)
Progress = Callable[[int, int], None]
AHEAD: Final = 4
"""Finished blocks that wait for an earlier one are at most so many times the blocks in work: memory stays constant."""


@dataclass(frozen=True, slots=True)
class Task(Generic[P]):
    """What is to be run: ``make(*shared)`` is a bench, made in each process, so both must be importable there; ``nothing`` is
    what no units came to. ``question``: all that decides the result but ``wanted``, as plain data; finished blocks are of use
    to the same question only."""

    make: MakeBench[P]
    shared: tuple[Any, ...]
    wanted: int
    layout: Layout
    nothing: P
    question: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Means:
    """With what a run is run: so many processes; ``resume``, a file that keeps finished blocks and goes on with those it has;
    ``cluster``, the address of a dask.distributed scheduler, whose workers then play in place of processes here."""

    jobs: int = 1
    resume: str | Path | None = None
    cluster: str | None = None

    def __post_init__(self) -> None:
        if self.jobs < 1:
            raise LabError(Text(f"至少一个进程，不能是 {self.jobs}", f"at least one process, not {self.jobs}"))


@dataclass(slots=True)
class Outcome(Generic[P]):
    """What a run came to: of the first ``found.done`` units, where it was interrupted or something went wrong (``trouble``)."""

    found: P
    interrupted: bool = False
    trouble: Text | None = None


def run_blocks(task: Task[P], means: Means, progress: Progress | None = None) -> Outcome[P]:
    """Play all units, or as many as can be. The result is the same whatever the means.

    Ctrl-C, a dead worker and a full disk end the run early; what is finished is answered. Raises LabError and OSError where
    nothing is finished, and JournalError where the file keeps something else.
    """
    run = _Run(task, progress)
    try:
        run.all(means)
    except KeyboardInterrupt:
        run.outcome.interrupted = True
    except (LabError, OSError) as error:
        if not run.outcome.found.done:
            raise
        run.outcome.interrupted = True
        run.outcome.trouble = told(error)
    return run.outcome


def told(error: LabError | OSError) -> Text:
    """What went wrong, in words."""
    if isinstance(error, GunziError):
        return error.text
    text = os_text(error)
    name = f"{error.filename}: " if error.filename is not None else ""
    return Text(name + text.zh, name + text.en)


@dataclass(slots=True)
class _Run(Generic[P]):
    task: Task[P]
    progress: Progress | None
    outcome: Outcome[P] = field(init=False)
    blank: P = field(init=False)
    """What no units came to; it stays so."""
    waiting: dict[Span, P] = field(default_factory=dict)
    """Finished, but something before them is not."""
    playing: dict[Span, int] = field(default_factory=dict)
    """How many units of each block in work are done."""

    def __post_init__(self) -> None:
        self.outcome = Outcome(self.task.nothing)
        self.blank = deepcopy(self.task.nothing)

    def all(self, means: Means) -> None:
        with ExitStack() as stack:
            journal = None
            if means.resume is not None:
                journal = stack.enter_context(Journal(means.resume, question(self.task)))
            # Signals wait while a block is counted in; before and after they are heard.
            crew: Crew[P] | None = None
            try:
                plan = self.task.layout.plan(self.task.wanted, journal.spans if journal is not None else ())
                queue: deque[tuple[Span, bool]] = deque()
                ended = False
                while True:
                    room = crew.room if crew is not None else 1
                    while not ended and len(self.playing) < room and len(queue) < AHEAD * room:
                        item = next(plan, None)
                        if item is None:
                            ended = True
                            break
                        queue.append(item)
                        span, kept = item
                        if not kept:
                            if crew is None:
                                crew = self._crew(means)
                                room = crew.room
                            self.playing[span] = 0
                            crew.give(span)
                        elif len(queue) == 1:
                            self._count_in(queue, journal)
                    if not queue:
                        break
                    assert crew is not None
                    span, part = crew.take()
                    with held():
                        del self.playing[span]
                        self.waiting[span] = part
                    if not self._finish(span, part, queue, journal):
                        self.outcome.trouble = part.trouble
                        raise KeyboardInterrupt
                if crew is not None:
                    crew.close(at_once=False)
                    crew = None
            finally:
                if crew is not None:
                    crew.close(at_once=True)

    def _finish(self, span: Span, part: P, queue: deque[tuple[Span, bool]], journal: Journal | None) -> bool:
        """Keep and count in; False: the block was interrupted, and nothing after it is wanted."""
        first, end = span
        whole = part.done == end - first
        until = first + part.done
        try:
            # Of units that go together, an interrupted block has some that are not whole.
            if journal is not None and part.done and (whole or self.task.layout.grain == 1):
                with held():
                    journal.keep((first, until), to_plain(part, type(part)))
        finally:
            # A full disk keeps nothing more, but this block is finished all the same.
            self._count_in(queue, journal)
        return whole

    def _count_in(self, queue: deque[tuple[Span, bool]], journal: Journal | None) -> None:
        """Merge all that is finished up to the first block that is not."""
        found = self.outcome.found
        while queue:
            span, kept = queue[0]
            if kept:
                assert journal is not None
                part = self._kept(span, journal)
            elif span in self.waiting:
                part = self.waiting[span]
            else:
                break
            with held():
                queue.popleft()
                self.waiting.pop(span, None)
                found.merge(part)
        self._tell()

    def _kept(self, span: Span, journal: Journal) -> P:
        """What the file says of a block, as part of what is counted in; whoever wrote it. Raises LabError."""
        part = deepcopy(self.blank)
        try:
            read = from_plain(journal.found(span), type(part))
            if read.done != span[1] - span[0]:
                raise ValueError(f"it is of {read.done}")
            # A part of another form is told before anything of it is counted in.
            part.merge(read)
        except (ValueError, LookupError) as wrong:
            raise LabError(
                Text(
                    f"{journal.path} 里第 {span[0] + 1} 到第 {span[1]} 个的结果读不懂，文件被人改过；要从头来，就换一个文件名",
                    f"{journal.path}: what is kept of numbers {span[0] + 1} to {span[1]} cannot be read: the file was changed. "
                    "To begin anew, name another file",
                )
            ) from wrong
        return part

    def _tell(self) -> None:
        if self.progress is not None:
            done = self.outcome.found.done
            done += sum(part.done for part in self.waiting.values()) + sum(self.playing.values())
            self.progress(done, self.task.wanted)

    def _ticked(self, span: Span, done: int) -> None:
        if span in self.playing:
            self.playing[span] = done
            self._tell()

    def _crew(self, means: Means) -> Crew[P]:
        task = self.task
        if means.cluster is not None:
            from gunzi.apps.lab.cluster import Cluster  # dask takes a second

            return Cluster(means.cluster, task.make, task.shared, self._ticked)
        jobs = sum(1 for _ in islice(task.layout.blocks(task.wanted), means.jobs))
        if jobs > 1:
            return Workers(jobs, task.make, task.shared, self._ticked)
        return Alone(task.make(*task.shared), self._ticked)


def question(task: Task[P]) -> dict[str, Any]:
    """What a file of finished blocks is about."""
    return {
        **task.question,
        "gunzi": gunzi.__version__,
        "form": shape(type(task.nothing)),
        "together": task.layout.grain,
    }
