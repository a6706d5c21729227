"""What is wrong in a file or an option value, where it stands, and how it is shown: as text, as JSON, or for GitHub."""

from __future__ import annotations

import json
import unicodedata
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Final, Literal

from gunzi.errors import Text

Severity = Literal["error", "warning"]
Format = Literal["text", "json", "github"]
EXCERPT: Final = 120
"""The longest piece of a line that is shown, in characters."""
MESSAGE: Final = 800
"""The longest message, in characters: a file may hold a word of any length."""


@dataclass(frozen=True, slots=True)
class Problem:
    """One thing that is wrong. ``code`` is stable; ``line`` and ``col`` count from 1, 0 where there is no such place.

    ``excerpt`` is the source line and ``width`` how many of its characters are meant; ``allowed`` and ``suggestion`` may
    be empty.
    """

    code: str
    text: Text
    path: str = ""
    line: int = 0
    col: int = 0
    severity: Severity = "error"
    allowed: str = ""
    suggestion: str = ""
    excerpt: str = ""
    width: int = 1

    @property
    def where(self) -> str:
        """``file:line:col``, or as much of it as there is."""
        if not self.line:
            return self.path
        return f"{self.path}:{self.line}:{self.col}" if self.col else f"{self.path}:{self.line}"

    def message(self, lang: str) -> str:
        """The sentence, with the suggestion."""
        said = self.text.in_(lang)
        if len(said) > MESSAGE:
            said = said[:MESSAGE] + "…"
        if not self.suggestion:
            return said
        return f"{said}（是不是 {self.suggestion}？）" if lang == "zh" else f"{said} (did you mean {self.suggestion}?)"

    def as_json(self) -> dict[str, Any]:
        """The problem as plain data, both languages in it."""
        return {
            "code": self.code,
            "severity": self.severity,
            "path": self.path,
            "line": self.line,
            "col": self.col,
            "zh": self.message("zh"),
            "en": self.message("en"),
            "allowed": self.allowed,
            "suggestion": self.suggestion,
        }


_SEVERITY_ZH: Final = {"error": "错误", "warning": "提醒"}


def format_text(problem: Problem, lang: str = "en") -> str:
    """``file:line:col: error[code]: message``, the line with a caret, and what is allowed."""
    kind = _SEVERITY_ZH[problem.severity] if lang == "zh" else problem.severity
    where = f"{problem.where}: " if problem.where else ""
    rows = [f"{where}{kind}[{problem.code}]: {problem.message(lang)}"]
    if problem.line and problem.excerpt.strip():
        rows += _caret(problem)
    if problem.allowed:
        rows.append(f"    {'可以写：' if lang == 'zh' else 'allowed: '}{problem.allowed}")
    return "\n".join(rows)


def _caret(problem: Problem) -> list[str]:
    """The source line and a caret under the place, wide characters counted as two columns."""
    line, at = problem.excerpt, max(problem.col - 1, 0)
    start = max(0, at - EXCERPT // 2) if len(line) > EXCERPT else 0
    shown = line[start : start + EXCERPT]
    at -= start
    before, meant = shown[:at], shown[at : at + max(problem.width, 1)]
    indent = "".join("\t" if char == "\t" else " " * _columns(char) for char in before)
    carets = "^" * max(1, sum(map(_columns, meant)))
    visible = "".join(char if char == "\t" or char.isprintable() else "?" for char in shown)
    return [f"    {visible}", f"    {indent}{carets}"]


def _columns(char: str) -> int:
    return 2 if unicodedata.east_asian_width(char) in "WF" else 1


def format_github(problem: Problem, lang: str = "en") -> str:
    """A workflow command that puts the problem beside the line in a pull request."""
    place = f"file={_property(problem.path)}"
    if problem.line:
        place += f",line={problem.line}" + (f",col={problem.col}" if problem.col else "")
    said = problem.message(lang)
    if problem.allowed:
        said += f"\n{'可以写：' if lang == 'zh' else 'allowed: '}{problem.allowed}"
    return f"::{problem.severity} {place},title={_property(problem.code)}::{_data(said)}"


def _data(text: str) -> str:
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _property(text: str) -> str:
    return _data(text).replace(":", "%3A").replace(",", "%2C")


def format_problems(problems: Iterable[Problem], form: Format = "text", lang: str = "en") -> str:
    """All problems in one of the three forms; an empty text where there are none (``[]`` in JSON)."""
    if form == "json":
        return json.dumps([problem.as_json() for problem in problems], ensure_ascii=False, indent=1)
    show = format_github if form == "github" else format_text
    return "\n".join(show(problem, lang) for problem in problems)


def problems_text(problems: Sequence[Problem]) -> Text:
    """All problems as text in both languages, for the error that carries them."""
    return Text(format_problems(problems, "text", "zh"), format_problems(problems, "text", "en"))


def in_file_order(problems: Iterable[Problem], files: Sequence[str] = ()) -> list[Problem]:
    """Problems sorted by file (``files`` first, in that order), then by place; equal ones once."""
    order = {path: place for place, path in enumerate(files)}
    found = dict.fromkeys(problems)
    return sorted(found, key=lambda each: (order.get(each.path, len(order)), each.path, each.line, each.col))


MOST: Final = 100
"""So many problems of one file are listed; whoever reads on has mended those by then."""


def more_problems(path: str, line: int) -> Problem:
    """The last of a list that was cut off at ``MOST``."""
    said = Text(f"问题太多，只列出前 {MOST} 个", f"there are more problems; the first {MOST} are listed")
    return Problem("more-problems", said, path=path, line=line)


def has_errors(problems: Iterable[Problem]) -> bool:
    """Is any of them more than a warning?"""
    return any(problem.severity == "error" for problem in problems)
