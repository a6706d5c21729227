"""Reading records: what is wrong with one is said of its file, and what to do with a file that is none."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

from gunzi.errors import RecordError, Text

_LONGEST: Final = 1 << 20
"""More bytes of a first line are not looked at."""
_ANOTHER: Final = Text(
    "（别的程序的日志这样查：gunzi verify --as 规则 --mapping 对照表 日志）",
    " (another program's log: gunzi verify --as RULES --mapping FILE LOG)",
)


def advice(path: str) -> Text:
    """What to do with a file that cannot be read and does not begin as a record does; empty where it does."""
    try:
        with open(path, "rb") as file:
            header = json.loads(file.readline(_LONGEST))
    except OSError:
        return Text("", "")
    except (ValueError, RecursionError):
        return _ANOTHER
    return Text("", "") if isinstance(header, dict) and "gunzi" in header else _ANOTHER


@contextmanager
def named(path: str) -> Iterator[None]:
    """RecordErrors from inside name the file."""
    try:
        yield
    except RecordError as error:
        more = advice(path)
        raise RecordError(
            Text(f"{path}：{error.text.zh}{more.zh}", f"{path}: {error.text.en}{more.en}"),
            event=error.event,
            line=error.line,
            rule=error.rule,
        ) from None
