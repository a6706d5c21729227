"""Foreign logs read row by row: CSV with or without a heading, or JSON lines; in constant memory, broken lines named."""

from __future__ import annotations

import csv
import json
import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import IO, Any, Final

from gunzi.apps.audit.findings import Row
from gunzi.apps.audit.mapping import Mapping, MappingError
from gunzi.apps.audit.mapping_files import ENCODINGS
from gunzi.apps.audit.names import shown
from gunzi.errors import Text
from gunzi.options import closest
from gunzi.problems import Problem

LONGEST: Final = 1_000_000
"""A longer line is no row, in bytes."""


@dataclass(frozen=True, slots=True)
class Record:
    """A row of a log and the line it begins on."""

    line: int
    data: Any


class _Lines:
    """The lines of a file as text; which of them could not be read is remembered."""

    def __init__(self, file: IO[bytes], encoding: str) -> None:
        self.file = file
        self.encoding = encoding
        self.number = 0
        self.broken: dict[int, Text] = {}

    def __iter__(self) -> Iterator[str]:
        while True:
            data = self.file.readline(LONGEST + 1)
            if not data:
                return
            self.number += 1
            number = self.number
            if len(data) > LONGEST:
                self.broken[number] = Text(f"第 {number} 行太长了", f"line {number} is too long")
                while data and not data.endswith(b"\n"):
                    data = self.file.readline(LONGEST + 1)
                yield "\n"
                continue
            if number == 1:
                data = data.removeprefix(b"\xef\xbb\xbf")
            try:
                text = data.decode(self.encoding)
            except UnicodeDecodeError:
                self.broken[number] = Text(
                    f"第 {number} 行不是 {self.encoding} 文字", f"line {number} is not {self.encoding} text"
                )
                text = data.decode(self.encoding, "replace")
            if "\0" in text:
                self.broken[number] = Text(f"第 {number} 行有空字符", f"there is a null character in line {number}")
                text = text.replace("\0", " ")
            yield text

    def trouble(self, first: int, last: int) -> Text | None:
        """What is wrong with the lines from ``first`` to ``last``; forgotten once asked."""
        found = None
        for number in [number for number in self.broken if number <= last]:
            text = self.broken.pop(number)
            found = found or (text if number >= first else None)
        return found


def read_log(path: str | os.PathLike[str], mapping: Mapping) -> Iterator[Record | Row]:
    """The rows of a log: ``Record``, or ``Row`` with its trouble where a line cannot be read.

    Raises OSError, and MappingError where a column that the mapping names is not there.
    """
    with open(path, "rb") as file:
        lines = _Lines(file, mapping.encoding)
        yield from _csv(lines, mapping, os.fspath(path)) if mapping.format == "csv" else _json(lines)


def _json(lines: _Lines) -> Iterator[Record | Row]:
    for text in lines:
        number = lines.number
        trouble = lines.trouble(number, number)
        if trouble is not None:
            yield Row(number, None, trouble)
            continue
        if not text.strip():
            continue
        try:
            found = json.loads(text, parse_constant=_no_constant)
        except (ValueError, RecursionError):
            yield Row(number, None, Text(f"第 {number} 行不是 JSON", f"line {number} is not JSON"))
            continue
        if isinstance(found, dict):
            yield Record(number, found)
        else:
            yield Row(number, None, Text(f"第 {number} 行不是 JSON 对象", f"line {number} is not a JSON object"))


def _no_constant(name: str) -> Any:
    raise ValueError(f"{name} is no JSON number")


def _csv(lines: _Lines, mapping: Mapping, path: str) -> Iterator[Record | Row]:
    reader = csv.reader(iter(lines), delimiter=mapping.separator, strict=True)
    heading = list(mapping.columns)
    _check_columns(heading, mapping, path) if heading else None
    while True:
        first = lines.number + 1
        try:
            cells = next(reader)
        except StopIteration:
            return
        except csv.Error as error:
            lines.trouble(first, lines.number)
            yield Row(first, None, _csv_trouble(first, error))
            continue
        trouble = lines.trouble(first, lines.number)
        if trouble is not None and heading:
            yield Row(first, None, trouble)
            continue
        if trouble is not None:
            raise MappingError([_no_heading(mapping, path, trouble)])
        if not any(cell.strip() for cell in cells):
            continue
        if not heading:
            heading = [cell.strip() for cell in cells]
            _check_columns(heading, mapping, path)
            continue
        if len(cells) != len(heading):
            said = Text(
                f"第 {first} 行有 {len(cells)} 格，表头是 {len(heading)} 格",
                f"line {first} has {len(cells)} cells, the heading has {len(heading)}",
            )
            yield Row(first, None, said)
            continue
        yield Record(first, dict(zip(heading, cells, strict=True)))


def _no_heading(mapping: Mapping, path: str, trouble: Text) -> Problem:
    """A heading that cannot be read: no column would be found, and most likely the file is written in another way."""
    others = " / ".join(each for each in ENCODINGS if each != mapping.encoding)
    hint = Text(f"；对照表的 encoding 写对了吗（{others}）？", f"; is the mapping's encoding right ({others})?")
    return Problem("encoding", Text(f"{trouble.zh}{hint.zh}", f"{trouble.en}{hint.en}"), path=path, line=1)


def _csv_trouble(line: int, error: csv.Error) -> Text:
    if "field larger" in str(error):
        return Text(
            f"第 {line} 行有一格太长：引号没有写完？",
            f"a cell of line {line} is too long: is a quotation mark not closed?",
        )
    return Text(f"第 {line} 行的引号不对", f"the quotation marks of line {line} are wrong")


def _check_columns(heading: Sequence[str], mapping: Mapping, path: str) -> None:
    """Raises MappingError unless every column the mapping names is there, once."""
    problems: list[Problem] = []
    for column in mapping.named():
        if column.name not in heading:
            said = Text(f"{path} 没有 {column.name} 这一列", f"{path} has no column {column.name}")
            problems.append(
                mapping.source.at(
                    column.node,
                    "no-column",
                    said,
                    suggestion=closest(column.name, heading),
                    allowed=", ".join(shown(name) for name in heading[:30]),
                )
            )
        elif heading.count(column.name) > 1:
            said = Text(f"{path} 有两列都叫 {column.name}", f"{path} has two columns {column.name}")
            problems.append(mapping.source.at(column.node, "two-columns", said))
    if problems:
        raise MappingError(list(dict.fromkeys(problems)))
