"""Files written whole or not at all."""

from __future__ import annotations

import os
from pathlib import Path

from gunzi.files import written_whole


def write_whole(path: str | os.PathLike[str], text: str) -> None:
    """Write a text to a file; interrupted, or on a full disk, the old file stays as it was. Raises OSError.

    What is no plain file (a pipe, a terminal) is written to as it is; of a link, the file it leads to is replaced.
    """
    target = Path(path)
    if target.exists() and not target.is_file():
        with open(target, "w", encoding="utf-8", newline="\n") as file:
            file.write(text)
        return
    with written_whole(os.path.realpath(target) if target.is_symlink() else target) as file:
        file.write(text)
