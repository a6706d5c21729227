"""Files written whole or not at all."""

from __future__ import annotations

import contextlib
import errno
import os
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import TextIO


def write_whole(path: str | os.PathLike[str], text: str) -> None:
    """Write a text to a file; interrupted, or on a full disk, the old file stays as it was. Raises OSError."""
    with whole_file(path) as file:
        file.write(text)


@contextlib.contextmanager
def whole_file(path: str | os.PathLike[str]) -> Iterator[TextIO]:
    """A file to write a text to, piece by piece; it takes the place of an old one when the context ends well. Raises OSError.

    What is no plain file (a pipe, a terminal) is written to as it is; of a link, the file it leads to is replaced.
    """
    target = Path(path)
    with _named(path):
        if target.exists() and not target.is_file():
            with open(target, "w", encoding="utf-8", newline="\n") as file:
                yield file
            return
        target = Path(os.path.realpath(target))  # of a link, where it leads
        handle, name = tempfile.mkstemp(dir=target.parent, prefix=f".{target.name}.")
        try:
            with os.fdopen(handle, "w", encoding="utf-8", newline="\n") as file:
                yield file
                file.flush()
                os.fsync(file.fileno())
            if os.name == "posix":
                umask = os.umask(0)
                os.umask(umask)
                os.chmod(name, 0o666 & ~umask)
            os.replace(name, target)
        except BaseException:
            with contextlib.suppress(OSError):
                os.unlink(name)
            raise


def check_writable(path: str | os.PathLike[str]) -> None:
    """Before long work: a file that could not be written at its end. Nothing is left behind. Raises OSError."""
    target = Path(path)
    with _named(path):
        if target.is_dir():
            raise OSError(errno.EISDIR, os.strerror(errno.EISDIR))
        if target.exists() and not target.is_file():
            return
        os.stat(target.parent)
        target = Path(os.path.realpath(target))
        handle, name = tempfile.mkstemp(dir=target.parent, prefix=f".{target.name}.")
        os.close(handle)
        os.unlink(name)


@contextlib.contextmanager
def _named(path: str | os.PathLike[str]) -> Iterator[None]:
    """The name that was asked for says more than that of the file in between, or than none."""
    try:
        yield
    except OSError as error:
        between = f".{Path(os.path.realpath(path)).name}."
        if error.filename is None or os.path.basename(os.fsdecode(error.filename)).startswith(between):
            error.filename = os.fspath(path)
            error.filename2 = None
        raise
