"""The file that keeps finished blocks, so that a run that was cut off goes on where it was.

Text, one row a line, only ever added to: eight hexadecimal digits (the CRC-32 of the rest), a blank, JSON. The first row
says what the run asks; every other one is ``[first, end, what the units first … end-1 came to]``. A row that is torn or
damaged is as good as not there: its units are played again. One process at a time has the file.
"""

from __future__ import annotations

import json
import os
import stat
import sys
import time
from collections.abc import Mapping
from contextlib import suppress
from itertools import chain
from pathlib import Path
from types import TracebackType
from typing import Any, Final
from zlib import crc32

from gunzi.apps.lab.blocks import Span
from gunzi.apps.lab.errors import LabError
from gunzi.errors import Text

FORMAT: Final = 1
KIND: Final = "gunzi-blocks"
SECONDS_UNSYNCED: Final = 2.0
"""A power cut costs what so many seconds have added, at most; a killed process costs nothing."""
LONGEST_HEADER: Final = 1 << 22
NAMES: Final[Mapping[str, Text]] = {
    "command": Text("命令", "command"),
    "rules": Text("规则", "rules"),
    "seed": Text("种子", "seed"),
    "policy": Text("打法", "policy"),
    "unit": Text("按把还是按轮", "unit"),
    "measures": Text("统计的项目", "list of figures"),
    "gunzi": Text("gunzi 的版本", "version of gunzi"),
    "form": Text("存的格式", "form of what is kept"),
    "together": Text("一桌打多少", "size of a table"),
    "neighbours": Text("试的取值", "values tried"),
    "traced": Text("数问没问到数多少个", "number of units traced"),
    "prove": Text("验不验证原因", "proof of causes"),
    "pairs": Text("哪几对", "choice of pairs"),
    "kinds": Text("分类统计的项目", "list of what is counted by kind"),
}
"""What a question is made of, in words."""
_LOCKED_BYTE: Final = 1 << 40
"""On Windows a locked byte cannot be read, so one is locked that no file reaches."""
_open_here: set[str] = set()


class JournalError(LabError):
    """The file holds something else than finished blocks of this very run, or is in use."""


class Journal:
    """The finished blocks of one run. Opened, it is this process's alone until it is closed.

    ``question``: what must be the same for finished blocks to be of use; names to plain data. Raises JournalError where the
    file is in use, holds something else or answers another question, and OSError. A file that is not there or empty is begun.
    """

    def __init__(self, path: str | Path, question: Mapping[str, Any]) -> None:
        self.path = str(path)
        self._real = os.path.realpath(path)
        self._rows: dict[Span, tuple[int, int]] = {}
        self._synced = time.monotonic()
        # POSIX locks are a process's: they do not tell two users in the same one apart.
        if self._real in _open_here:
            raise self._in_use()
        self._file = os.open(self._real, os.O_RDWR | os.O_CREAT | getattr(os, "O_BINARY", 0), 0o666)
        _open_here.add(self._real)
        try:
            # A device may never end, and a pipe has no place to go back to.
            if not stat.S_ISREG(os.fstat(self._file).st_mode):
                raise self._none("这不是普通文件", "it is no plain file")
            self._lock()
            self._end = self._read(_plain(question))
        except BaseException:
            self._free()
            raise

    # -- what is kept ------------------------------------------------------------------------------------------

    @property
    def spans(self) -> tuple[Span, ...]:
        """The units that are kept, block by block."""
        return tuple(self._rows)

    def found(self, span: Span) -> Any:
        """What a kept block came to, as it was given. Raises KeyError, and OSError."""
        where, length = self._rows[span]
        row = _checked(self._at(where, length))
        if row is None:
            raise self._none("中途被别的程序改了", "it was changed by somebody else meanwhile")
        return row[2]

    def keep(self, span: Span, found: Any) -> None:
        """Add a finished block, whole or not at all. Raises OSError, then the file is as it was before."""
        line = _line([*span, found])
        self._add(line)
        self._rows[span] = (self._end - len(line), len(line))
        now = time.monotonic()
        if now - self._synced > SECONDS_UNSYNCED:
            self._sync()
            self._synced = now

    # -- the file ----------------------------------------------------------------------------------------------

    def __enter__(self) -> Journal:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """Make all of it durable and let others have it."""
        if self._file >= 0:
            with suppress(OSError):
                self._sync()
            self._free()

    def _sync(self) -> None:
        with suppress(OSError):  # what is no disk cannot be synced
            os.fsync(self._file)

    def _free(self) -> None:
        os.close(self._file)
        self._file = -1
        _open_here.discard(self._real)

    def _lock(self) -> None:
        try:
            if sys.platform == "win32":
                import msvcrt

                os.lseek(self._file, _LOCKED_BYTE, os.SEEK_SET)
                msvcrt.locking(self._file, msvcrt.LK_NBLCK, 1)
            else:
                import fcntl

                fcntl.lockf(self._file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except (BlockingIOError, PermissionError):
            raise self._in_use() from None
        except OSError:
            pass  # a network file system that knows no locks

    def _at(self, where: int, length: int) -> bytes:
        os.lseek(self._file, where, os.SEEK_SET)
        found = b""
        while len(found) < length and (more := os.read(self._file, length - len(found))):
            found += more
        return found

    def _add(self, line: bytes) -> None:
        os.lseek(self._file, self._end, os.SEEK_SET)
        rest = memoryview(line)
        try:
            while rest:
                rest = rest[os.write(self._file, rest) :]
        except BaseException as error:
            # A full disk takes part of a row; an interruption may come between two parts.
            with suppress(OSError):
                os.ftruncate(self._file, self._end)
            if isinstance(error, OSError):
                error.filename = self.path
            raise
        self._end += len(line)

    def _read(self, question: Mapping[str, Any]) -> int:
        """Take in what is there; the end of the last good row. A file without one is begun."""
        header: Any = None
        end = where = 0
        torn = False
        # Not over another handle: closing that would give the lock away.
        with open(self._file, "rb", closefd=False) as file:
            # Whatever the file is, its first line is no longer than a header can be.
            for number, line in enumerate(chain([file.readline(LONGEST_HEADER)], file)):
                row = _checked(line) if line else None
                if number == 0:
                    header = row
                    if header is None:
                        if line.endswith(b"\n") or not _may_be_begun(line):
                            raise self._none("第一行不是表头", "its first line is no header")
                        break
                elif row is not None and _is_row(row):
                    self._rows[(row[0], row[1])] = (where, len(line))
                where += len(line)
                torn = not line.endswith(b"\n")
                if not torn:
                    end = where
        if header is None:
            self._end = 0
            os.ftruncate(self._file, 0)
            self._add(_line({"gunzi": FORMAT, "kind": KIND, "question": dict(question)}))
            return self._end
        self._check(header, question)
        if torn:
            self._rows = {span: place for span, place in self._rows.items() if sum(place) <= end}
            os.ftruncate(self._file, end)
        return end

    def _check(self, header: Any, question: Mapping[str, Any]) -> None:
        if not isinstance(header, dict) or header.get("kind") != KIND or not isinstance(header.get("question"), dict):
            raise self._none("第一行不是表头", "its first line is no header")
        if header.get("gunzi") != FORMAT:
            told = str(header.get("gunzi"))[:20]
            raise self._none(
                f"格式是 {told}，这里只读得了 {FORMAT}", f"its format is {told}; this gunzi reads {FORMAT}"
            )
        kept = header["question"]
        apart = [name for name in dict.fromkeys((*kept, *question)) if kept.get(name) != question.get(name)]
        if apart:
            # Another command differs in everything; another form of the tallies is told where nothing else is.
            apart = ["command"] if "command" in apart else [name for name in apart if name != "form"] or apart
            pairs = [(NAMES.get(name, Text(name, name)), kept.get(name), question.get(name)) for name in apart]
            zh = "；".join(f"{name.zh}那时是 {_short(then)}，现在是 {_short(now)}" for name, then, now in pairs)
            en = "; ".join(f"the {name.en} was {_short(then)} and is {_short(now)}" for name, then, now in pairs)
            raise JournalError(
                Text(
                    f"{self.path} 里存的是另一次的结果：{zh}。要从头来，就换一个文件名",
                    f"{self.path} keeps blocks of another run: {en}. To begin anew, name another file",
                )
            )

    def _none(self, zh: str, en: str) -> JournalError:
        return JournalError(
            Text(f"{self.path} 不是存下的结果：{zh}", f"{self.path} does not keep blocks of a run: {en}")
        )

    def _in_use(self) -> JournalError:
        return JournalError(
            Text(
                f"{self.path} 正被另一个 gunzi 用着：等它打完，或者换一个文件名",
                f"{self.path} is in use by another gunzi: wait until that one has ended, or name another file",
            )
        )


def _line(row: Any) -> bytes:
    text = json.dumps(row, ensure_ascii=True, separators=(",", ":")).encode()
    return b"%08x %b\n" % (crc32(text), text)


def _checked(line: bytes) -> Any:
    """The row in a line; None where it is not as it was written."""
    sum_, sign, text = line[:-1].partition(b" ")
    if not line.endswith(b"\n") or not sign or sum_ != b"%08x" % crc32(text):
        return None
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return None


def _is_row(row: Any) -> bool:
    return isinstance(row, list) and len(row) == 3 and type(row[0]) is type(row[1]) is int and 0 <= row[0] < row[1]


def _may_be_begun(line: bytes) -> bool:
    """May a torn first line be the beginning of a header?"""
    head = b'xxxxxxxx {"gunzi":'
    return line[8 : len(head)] == head[8 : len(line)] and all(byte in b"0123456789abcdef" for byte in line[:8])


def _plain(question: Mapping[str, Any]) -> dict[str, Any]:
    """As it will be when it is read again."""
    found: dict[str, Any] = json.loads(json.dumps(dict(question)))
    return found


def _short(value: Any) -> str:
    """A value in a sentence; of hashes the beginning says enough."""
    if isinstance(value, list):
        return ", ".join(_short(each) for each in dict.fromkeys(map(str, value)))
    text = str(value)
    return text if len(text) <= 24 else text[:15] + "…"
