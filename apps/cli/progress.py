"""A bar for long work, with its rate and the time left, on standard error and only where that is a terminal."""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Callable
from types import TracebackType

from gunzi.apps.cli.output import Out, can_show, columns, is_terminal, write
from gunzi.errors import Text

WIDTH = 28
WINDOW = 60.0
"""The rate is that of so many seconds past: work that is done in blocks comes in jumps."""
SOON = 1.0
"""After so many seconds a rate says something."""


class Progress:
    """Use as a context; call ``update(done)`` as often as you like: it draws ten times a second at most.

    ``each``: what is counted, for the rate (``把``, `` hands``); empty: no rate. What the first ``update`` tells may have been
    done before: neither rate nor time left come from it.
    """

    def __init__(
        self, out: Out, label: str, total: int, *, each: str = "", clock: Callable[[], float] = time.monotonic
    ) -> None:
        self.out = out
        self.label = label
        self.total = max(total, 1)
        self.each = each
        self.done = 0
        self.shown = is_terminal(out.err) and total > 0
        self.blocks = can_show(out.err, "█░")
        self._clock = clock
        self._drawn = clock()
        self._seen: deque[tuple[float, int]] = deque()
        self._width = 0

    def __enter__(self) -> Progress:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.clear()

    def update(self, done: int, total: int | None = None) -> None:
        """So much of the work is done."""
        self.done = done
        if total:
            self.total = total
        if not self.shown:
            return
        now = self._clock()
        if not self._seen:
            self._seen.append((now, done))
        if now - self._drawn > 0.1:
            self._drawn = now
            self._seen.append((now, done))
            while now - self._seen[0][0] > WINDOW and len(self._seen) > 2:
                self._seen.popleft()
            self._draw(now)

    def rate(self, now: float) -> float | None:
        """So much a second lately; None: too early to say."""
        since, before = self._seen[0]
        if now - since < SOON or self.done <= before:
            return None
        return (self.done - before) / (now - since)

    def _draw(self, now: float) -> None:
        share = min(1.0, self.done / self.total)
        full = round(share * WIDTH)
        bar = "█" * full + "░" * (WIDTH - full) if self.blocks else "#" * full + "." * (WIDTH - full)
        text = f"{self.label} {bar} {self.done}/{self.total}"
        rate = self.rate(now)
        if rate is not None and self.done < self.total:
            if self.each:
                text += self.out.t(f" {_number(rate)} {self.each}/秒", f" {_number(rate)}{self.each}/s")
            left = _clock((self.total - self.done) / rate)
            text += self.out.t(f" 还要 {left.zh}", f" {left.en} left")
        width = columns(text)
        write(self.out.err, "\r" + text + " " * max(0, self._width - width))
        self.out.err.flush()
        self._width = width

    def clear(self) -> None:
        """Take the bar off the screen."""
        if self._width:
            write(self.out.err, "\r" + " " * self._width + "\r")
            self.out.err.flush()
            self._width = 0


def tell_seconds(seconds: float, out: Out) -> None:
    """Say how long the work took, where the bar was too: what a command prints is the same each time it is run."""
    if is_terminal(out.err):
        out.tell(out.t(f"用了 {seconds:.1f} 秒", f"took {seconds:.1f} s"))


def _number(rate: float) -> str:
    return f"{rate:,.0f}" if rate >= 10 else f"{rate:.2g}"


def _clock(seconds: float) -> Text:
    whole = int(seconds + 0.5)
    hours, rest = divmod(whole, 3600)
    if hours >= 48:
        days, hours = divmod(hours, 24)
        return Text(f"{days} 天 {hours} 小时", f"{days}d {hours}h")
    shown = f"{hours}:{rest // 60:02d}:{rest % 60:02d}" if hours else f"{rest // 60}:{rest % 60:02d}"
    return Text(shown, shown)
