"""What the tests of long runs and of the file that keeps them share."""

from __future__ import annotations

import errno
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from gunzi.apps.lab.blocks import Span
from gunzi.apps.lab.journal import Journal

QUESTION = {"seed": 1, "rules": ["sha256:" + "a" * 64]}


def kept(path: Path) -> dict[Span, Any]:
    """What a file keeps, by its blocks."""
    with Journal(path, QUESTION) as journal:
        return {span: journal.found(span) for span in journal.spans}


def full_after(monkeypatch: pytest.MonkeyPatch, size: int) -> None:
    """From now on only so many bytes find room on the disk."""
    real: Callable[[int, Any], int] = os.write
    left = size

    def full(handle: int, data: Any) -> int:
        nonlocal left
        if not left:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        done = real(handle, data[:left])
        left -= done
        return done

    monkeypatch.setattr(os, "write", full)
