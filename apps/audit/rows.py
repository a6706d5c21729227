"""Where the rows of an audit come from: a record of gunzi's, line by line."""

from __future__ import annotations

import os
from collections.abc import Iterator

from gunzi.apps.audit.findings import Row
from gunzi.errors import RecordError, Text
from gunzi.record import check_header, parse_line

LONGEST = 1_000_000
"""A longer line is no event, in bytes."""


def record_rows(path: str | os.PathLike[str]) -> Iterator[Row]:
    """The events of a record, read line by line. Raises OSError, and RecordError where the first line is no header."""
    with open(path, "rb") as file:
        number = 0
        while True:
            data = file.readline(LONGEST + 1)
            if not data:
                break
            number += 1
            row = _row(data, number)
            if number == 1:
                if row.trouble is not None:
                    raise RecordError(row.trouble, line=1)
                check_header(row.event or {})
                continue
            if data.strip():
                yield row
            while len(data) > LONGEST and not data.endswith(b"\n"):
                data = file.readline(LONGEST + 1)
        if not number:
            raise RecordError(
                Text("文件是空的：第一行要写表头", "the record is empty: its first line must be the header"), line=1
            )


def _row(data: bytes, number: int) -> Row:
    if len(data) > LONGEST:
        return Row(number, None, Text(f"第 {number} 行太长了", f"line {number} is too long"))
    try:
        text = data.decode("utf-8-sig" if number == 1 else "utf-8")
        return Row(number, parse_line(text, number, False))
    except UnicodeDecodeError:
        return Row(number, None, Text(f"第 {number} 行不是 UTF-8 文字", f"line {number} is not UTF-8 text"))
    except RecordError as error:
        return Row(number, None, error.text)
