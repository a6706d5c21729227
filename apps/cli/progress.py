"""A bar for long work, on standard error and only where that is a terminal."""

from __future__ import annotations

import time
from types import TracebackType

from gunzi.apps.cli.output import Out, can_show, columns, is_terminal, write

WIDTH = 28


class Progress:
    """Use as a context; call ``update(done)`` as often as you like: it draws ten times a second at most."""

    def __init__(self, out: Out, label: str, total: int) -> None:
        self.out = out
        self.label = label
        self.total = max(total, 1)
        self.done = 0
        self.shown = is_terminal(out.err) and total > 0
        self.blocks = can_show(out.err, "█░")
        self._started = self._drawn = time.monotonic()
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
        now = time.monotonic()
        if self.shown and (now - self._drawn > 0.1):
            self._drawn = now
            self._draw(now)

    def _draw(self, now: float) -> None:
        share = min(1.0, self.done / self.total)
        full = round(share * WIDTH)
        bar = "█" * full + "░" * (WIDTH - full) if self.blocks else "#" * full + "." * (WIDTH - full)
        text = f"{self.label} {bar} {self.done}/{self.total}"
        spent = now - self._started
        if 0 < share < 1 and spent > 1:
            left = spent / share * (1 - share)
            text += self.out.t(f" 还要 {_clock(left)}", f" {_clock(left)} left")
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


def _clock(seconds: float) -> str:
    whole = int(seconds + 0.5)
    return f"{whole // 60}:{whole % 60:02d}"
