"""Benches for tests of how runs run: they add numbers up, and some of them die. Importable by worker processes."""

from __future__ import annotations

import os
import signal
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from gunzi.apps.lab.blocks import Layout, Ticks
from gunzi.apps.lab.runs import Task
from gunzi.errors import Text


@dataclass(slots=True)
class Sum:
    """The units seen, and their squares added up."""

    done: int = 0
    total: int = 0
    order: list[int] = field(default_factory=list)
    trouble: Text | None = None

    def merge(self, other: Sum) -> None:
        """Count in a later block."""
        self.done += other.done
        self.total += other.total
        self.order += other.order


class Adds:
    """Plays by adding. ``mischief(folder, first)`` is called before each block."""

    def __init__(self, folder: str, mischief: Callable[[Path, int], Any] | None = None) -> None:
        self.folder = Path(folder)
        self.mischief = mischief

    def block(self, first: int, end: int, tick: Ticks) -> Sum:
        """The units first … end-1."""
        if self.mischief is not None:
            self.mischief(self.folder, first)
        found = Sum()
        for k in range(first, end):
            found.merge(Sum(1, k * k, [k]))
            tick(found.done)
        return found


def task(
    wanted: int, folder: object = "", mischief: Callable[[Path, int], Any] | None = None, grain: int = 1
) -> Task[Sum]:
    """Add up so many units, in blocks of ten."""
    return Task(Adds, (str(folder), mischief), wanted, Layout(10, 40, grain), Sum(), {"seed": 1})


def dies_once(folder: Path, first: int) -> None:
    """The worker that plays the third block is killed, the first time."""
    mark = folder / "killed"
    if first == 20 and not mark.exists():
        mark.touch()
        os.kill(os.getpid(), signal.SIGKILL)


def always_dies(folder: Path, first: int) -> None:
    """Whoever plays the third block dies, when the blocks before are long finished."""
    if first == 20:
        time.sleep(0.3)
        os._exit(3)


def raises(folder: Path, first: int) -> None:
    """The third block is a bug."""
    if first == 20:
        raise ValueError("no such hand")


def cannot_start(folder: str, mischief: object) -> Adds:
    """A bench whose process dies while it is made."""
    os._exit(4)
