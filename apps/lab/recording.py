"""The record of a table that plays for long: written hand by hand, then forgotten; whatever happens, the file holds whole hands."""

from __future__ import annotations

import json
import os
import stat
from contextlib import suppress
from pathlib import Path
from typing import Any

from gunzi.apps.lab.errors import LabError
from gunzi.errors import Text
from gunzi.table import Table


def record_path(path: str | Path, table: int) -> Path:
    """Where table 0, 1, … of a run is recorded: ``tonight.jsonl``, ``tonight-2.jsonl`` …"""
    first = Path(path)
    return first if not table else first.with_name(f"{first.stem}-{table + 1}{first.suffix}")


def check_free(path: str | Path, tables: int) -> None:
    """Before anything is played: somebody's record is not to be lost to another one. Raises LabError where a table's file holds
    something already; what is no plain file, or is empty, does not matter."""
    for table in range(tables):
        place = record_path(path, table)
        with suppress(OSError):
            found = os.stat(place)
            if stat.S_ISREG(found.st_mode) and found.st_size:
                raise LabError(
                    Text(
                        f"{place} 已经有了，没有动它；牌谱换一个文件名，或者先把它挪走",
                        f"{place} is there already and was left alone: name another file for the record, or move it away",
                    )
                )


class Recorder:
    """Writes a record as hands finish: with the first hand the header, then each hand's events.

    The file is opened at once, so that it is known early if it cannot be, but nothing in it is touched before there is a hand
    to write. Raises OSError.
    """

    def __init__(self, path: str | Path) -> None:
        self.path = path
        flags = os.O_WRONLY | os.O_CREAT | getattr(os, "O_BINARY", 0)
        self._new = True
        try:
            self._file = os.open(path, flags | os.O_EXCL, 0o666)
        except FileExistsError:
            self._new = False
            self._file = os.open(path, flags, 0o666)
        self._regular = stat.S_ISREG(os.fstat(self._file).st_mode)
        self._end = 0

    def flush(self, table: Table, finished: bool) -> None:
        """Write the events of the hands that are over, all or none of them, and forget them. Raises OSError."""
        events = table.events
        keep = 0
        if not finished:
            # The next hand has begun already: its events stay until it is over.
            keep = next((n for n in range(1, len(events) + 1) if events[-n]["e"] == "hand"), 0)
        done = len(events) - keep
        rows: list[Any] = [table.header] if not self._end else []
        rows += events[:done]
        self._write("".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows).encode())
        del events[:done]

    def _write(self, data: bytes) -> None:
        rest = memoryview(data)
        try:
            if not self._end and self._regular:
                os.ftruncate(self._file, 0)
            while rest:
                rest = rest[os.write(self._file, rest) :]
        except BaseException as error:
            # A full disk takes a part; an interruption may come between two parts.
            self._cut()
            if isinstance(error, OSError):
                error.filename = os.fspath(self.path)
            raise
        self._end += len(data)

    def _cut(self) -> None:
        if self._regular:
            with suppress(OSError):
                os.ftruncate(self._file, self._end)
                os.lseek(self._file, self._end, os.SEEK_SET)

    def close(self) -> None:
        """Nothing more comes. A file that was made for a record without a hand goes away again."""
        os.close(self._file)
        if self._new and self._regular and not self._end:
            with suppress(OSError):
                os.unlink(self.path)
