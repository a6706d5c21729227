"""Files that commands write: whole or not at all, and named as they were asked for."""

from __future__ import annotations

import contextlib
import errno
import os
import tempfile
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import TextIO

from gunzi.apps.cli.parser import Stop
from gunzi.files import written_whole
from gunzi.ruleset import RuleSet


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
        with written_whole(os.path.realpath(target)) as file:
            yield file


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


def keep_inputs(path: str | os.PathLike[str], read: Iterable[str | os.PathLike[str]]) -> None:
    """Before anything is written: what was read is not to be lost to what is made of it. Raises Stop where ``path`` is such a file."""
    for source in read:
        with contextlib.suppress(OSError):
            if os.path.samefile(path, source):
                raise Stop(
                    f"{path} 是这次读进来的文件，写在那里会把它盖掉；换一个文件名",
                    f"{path} is a file that was read for this, and would be written over: name another file",
                )


def files_of(sets: Iterable[RuleSet]) -> list[str]:
    """The variant files that rule sets were read from."""
    return [file for rules in sets for file in rules.resolved.files]


@contextlib.contextmanager
def _named(path: str | os.PathLike[str]) -> Iterator[None]:
    """The name that was asked for says more than that of the file in between, or than none."""
    target = os.path.realpath(path)
    try:
        yield
    except OSError as error:
        named = None if error.filename is None else os.fsdecode(error.filename)
        if named in (None, target) or os.path.basename(named).startswith(f".{Path(target).name}."):
            error.filename = os.fspath(path)
            error.filename2 = None
        raise
