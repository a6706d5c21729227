"""Files: a read that ends, and a write that is whole or not at all."""

from __future__ import annotations

import contextlib
import errno
import os
import stat
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TextIO


def file_bytes(path: str | os.PathLike[str], most: int | None = None) -> bytes:
    """A file's content; of one larger than ``most`` (None: no limit) only ``most`` + 1 bytes, enough to see that it is.

    Raises OSError; without a limit also for a device that has anything to say: it might never end.
    """
    with open(path, "rb") as file:
        if most is not None:
            return file.read(most + 1)
        endless = stat.S_ISCHR(os.fstat(file.fileno()).st_mode) and not file.isatty()
        if endless and file.read(1):
            raise OSError(errno.EFBIG, os.strerror(errno.EFBIG), os.fspath(path))
        return file.read()


@contextlib.contextmanager
def written_whole(path: str | os.PathLike[str], put: Callable[[str, Path], object] = os.replace) -> Iterator[TextIO]:
    """A text file (UTF-8) that takes the place of ``path`` when the block ends; before that, on an exception or a full disk,
    the old file stays as it was. ``put`` gives the finished file, by its name in between, the name it is to have.

    Raises OSError.
    """
    target = Path(path)
    try:
        handle, name = tempfile.mkstemp(dir=target.parent, prefix=f".{target.name}.")
    except OSError as error:
        # The name that was asked for says more than that of the file in between.
        raise type(error)(error.errno, error.strerror, os.fspath(path)) from None
    try:
        with os.fdopen(handle, "w", encoding="utf-8", newline="\n") as file:
            yield file
            file.flush()
            os.fsync(file.fileno())
        if os.name == "posix":
            # A file in between may be read by its owner alone; this one like any other new file.
            umask = os.umask(0)
            os.umask(umask)
            os.chmod(name, 0o666 & ~umask)
        put(name, target)
    except BaseException:
        with contextlib.suppress(OSError):
            os.unlink(name)
        raise
