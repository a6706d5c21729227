"""Reading records: what is wrong with one is said of its file, and what to do with a file that is none."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any, Final

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


def untold(path: str, event: Mapping[str, Any], error: Exception) -> RecordError:
    """What is said of an event that cannot be told, because of an error of Python's that its keys have led to."""
    missing = error.args[0] if isinstance(error, KeyError) and error.args and isinstance(error.args[0], str) else None
    wrong = (
        Text(f"缺 {missing}", f"{missing} is missing")
        if missing
        else Text("有一项写得不对", "a value is of the wrong kind")
    )
    number = event.get("n")
    place = number if isinstance(number, int) else None
    at = Text(f"事件 {place}", f"event {place}") if place is not None else Text("有一个事件", "an event")
    kind = event.get("e")
    what = Text(f"（{kind}）", f" ({kind})") if isinstance(kind, str) else Text("", "")
    return RecordError(
        Text(
            f"{path}：{at.zh}{what.zh}{wrong.zh}，讲不下去；写了的对不对，用 gunzi verify --as 规则 {path} 查",
            f"{path}: {at.en}{what.en}: {wrong.en}, so it cannot be told; gunzi verify --as RULES {path} checks what is there",
        ),
        event=place,
        line=place + 1 if place is not None else None,
    )


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
