"""Ctrl-C at a moment that suits: what is counted in is counted in whole."""

from __future__ import annotations

import signal
from collections.abc import Iterator
from contextlib import contextmanager
from threading import current_thread, main_thread
from types import FrameType
from typing import Any

NAMES = ("SIGINT", "SIGTERM", "SIGHUP", "SIGBREAK")


@contextmanager
def held() -> Iterator[None]:
    """Inside, signals that Python would turn into an exception wait; at the end the first of them is heard."""
    if current_thread() is not main_thread():
        yield  # signals are heard elsewhere
        return
    heard: list[tuple[int, FrameType | None]] = []
    old: dict[int, Any] = {}
    try:
        for name in NAMES:
            number = getattr(signal, name, None)
            if number is not None and callable(signal.getsignal(number)):
                old[number] = signal.signal(number, lambda number, frame: heard.append((number, frame)))
        yield
    finally:
        for number, handler in old.items():
            signal.signal(number, handler)
        if heard:
            number, frame = heard[0]
            old[number](number, frame)


@contextmanager
def blocked() -> Iterator[None]:
    """Inside, Ctrl-C is kept from this process and from those it starts, until these have said what they do about it."""
    mask = getattr(signal, "pthread_sigmask", None)
    if mask is None:  # Windows
        yield
        return
    before = mask(signal.SIG_BLOCK, [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
    try:
        yield
    finally:
        mask(signal.SIG_SETMASK, before)


def left_to_parent() -> None:
    """In a worker: Ctrl-C is for the process that reports, which ends its workers itself."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    for name in NAMES[1:]:
        if hasattr(signal, name):
            signal.signal(getattr(signal, name), signal.SIG_DFL)
    if hasattr(signal, "pthread_sigmask"):
        signal.pthread_sigmask(signal.SIG_UNBLOCK, [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
