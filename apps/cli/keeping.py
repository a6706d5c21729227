"""A game in the terminal, kept act by act: not even a killed process costs more than what was being typed."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any

from gunzi.record import Record
from gunzi.table import Table


class KeptGame:
    """The file a game is saved to. It is begun by the first ``keep``; ``header`` is what the record's header has besides the table's."""

    def __init__(self, path: Path, table: Table, header: Mapping[str, Any]) -> None:
        self.path = path
        self.table = table
        self.header = dict(header)
        self._events = 0
        self._size: int | None = None
        """What the file should hold; None: it is not begun."""

    def save(self, path: Path) -> None:
        """The whole game to a file, durably, whole or not at all. Raises OSError."""
        Record({**self.table.header, **self.header}, self.table.events).save(path)

    def save_whole(self) -> None:
        """The same to its own file. Raises OSError."""
        events = len(self.table.events)
        self.save(self.path)
        self._size, self._events = os.stat(self.path).st_size, events

    def keep(self) -> None:
        """What has happened since the last time, at the end of the file. Raises OSError; then the file is as it was."""
        events = self.table.events
        if self._size is None:
            self.save_whole()
        elif len(events) > self._events:
            rows = (json.dumps(event, ensure_ascii=False) + "\n" for event in events[self._events :])
            if self._append("".join(rows).encode(), self._size):
                self._events = len(events)
            else:
                self.save_whole()

    def _append(self, data: bytes, size: int) -> bool:
        """False: the file is gone, or somebody else has written to it."""
        try:
            file = os.open(self.path, os.O_WRONLY | os.O_APPEND | getattr(os, "O_BINARY", 0))
        except FileNotFoundError:
            return False
        try:
            if os.fstat(file).st_size != size:
                return False
            rest = memoryview(data)
            try:
                while rest:
                    rest = rest[os.write(file, rest) :]
            except BaseException as error:
                # A full disk takes a part; an interruption may come between two parts.
                with suppress(OSError):
                    os.ftruncate(file, size)
                if isinstance(error, OSError):
                    error.filename = os.fspath(self.path)
                raise
        finally:
            os.close(file)
        self._size = size + len(data)
        return True
