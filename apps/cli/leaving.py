"""Being told to end: Ctrl-C, a closed terminal and a request to end are one thing, so that what was done is kept."""

from __future__ import annotations

import signal
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType
from typing import Any


@contextmanager
def interruptible() -> Iterator[None]:
    """Inside, SIGTERM and SIGHUP raise KeyboardInterrupt as Ctrl-C does: games are saved, figures reported, workers ended."""
    old: dict[int, Any] = {}
    try:
        for name in ("SIGHUP", "SIGTERM"):
            number = getattr(signal, name, None)
            # What is ignored stays ignored: nohup means it.
            if number is not None and signal.getsignal(number) is signal.SIG_DFL:
                old[number] = signal.signal(number, _stop)
    except ValueError:  # not in the main thread: signals go elsewhere
        pass
    try:
        yield
    finally:
        for number, handler in old.items():
            signal.signal(number, handler)


def _stop(number: int, frame: FrameType | None) -> None:
    raise KeyboardInterrupt
