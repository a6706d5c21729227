"""Foreign logs read row by row: CSV with or without a heading, or JSON lines; in constant memory, broken lines named."""

from __future__ import annotations

import csv
import json
import os
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from typing import IO, Any, Final

from gunzi.apps.audit.findings import Row
from gunzi.apps.audit.mapping import Mapping, MappingError
from gunzi.apps.audit.mapping_files import ENCODINGS
from gunzi.apps.audit.names import shown
from gunzi.errors import Text
from gunzi.options import closest
from gunzi.problems import Problem

SEPARATORS: Final = (",", ";", "\t", "|", ":", " ", "，", "；", "、")
"""What a file may seem to be separated by."""
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
                self.broken[number] = _encoded(
                    Text(f"第 {number} 行不是 {self.encoding} 文字", f"line {number} is not {self.encoding} text"),
                    self.encoding,
                )
                text = data.decode(self.encoding, "replace")
            if "\0" in text:
                self.broken[number] = _encoded(
                    Text(f"第 {number} 行有空字符", f"there is a null character in line {number}"), self.encoding
                )
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
            # No column would be found.
            raise MappingError([Problem("encoding", trouble, path=path, line=first)])
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
            if len(cells) == 1:
                hint = _separated(cells[0], mapping, ())
                said = Text(f"{said.zh}；{hint.zh}", f"{said.en}; {hint.en}")
            yield Row(first, None, said)
            continue
        yield Record(first, dict(zip(heading, cells, strict=True)))


def _encoded(trouble: Text, encoding: str) -> Text:
    """With the question whether the encoding is right: most likely the file is written in another one."""
    others = " / ".join(each for each in ENCODINGS if each != encoding)
    return Text(
        f"{trouble.zh}；对照表的 encoding 写对了吗（{others}）？",
        f"{trouble.en}; is the mapping's encoding right ({others})?",
    )


def _separated(text: str, mapping: Mapping, named: Collection[str]) -> Text:
    """What to say of a line that is a single cell and should be several: by which separator it seems to be written."""
    best, most = "", 0
    for separator in SEPARATORS:
        cells = {cell.strip().strip('"') for cell in text.split(separator)}
        found = len(cells.intersection(named)) if named else len(cells) - 1
        if separator != mapping.separator and found > most:
            best, most = separator, found
    ours = _shown_separator(mapping.separator)
    zh, en = f"照对照表的分隔符（{ours}）只有一列", f"by the mapping's separator ({ours}) it is a single column"
    if best:
        seems = _shown_separator(best)
        zh += f"；看样子是用 {seems} 隔开的：separator 写成 {seems}"
        en += f"; it seems to be separated by {seems}: write separator: {seems}"
    else:
        zh, en = f"{zh}；separator 写对了吗？", f"{en}; is the separator right?"
    return Text(zh, en)


def _shown_separator(separator: str) -> str:
    return "tab" if separator == "\t" else f'"{separator}"'


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
    named = {column.name for column in mapping.named()}
    if len(heading) == 1 < len(named) and not mapping.columns:
        # Not a word about each column: none of them can be there.
        hint = _separated(heading[0], mapping, named)
        said = Text(f"表头{hint.zh}", f"the heading: {hint.en}")
        raise MappingError([Problem("separator", said, path=path, line=1)])
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
