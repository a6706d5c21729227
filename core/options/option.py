"""What an option is: an id, a meaning, and values in one canonical form."""

from __future__ import annotations

import difflib
from abc import ABC, abstractmethod
from collections.abc import Iterable
from typing import Any

from gunzi.errors import Text


class BadValue(ValueError):
    """A value an option does not take. ``path`` leads to the part that is wrong (list indices, map keys)."""

    def __init__(self, text: Text, *, path: tuple[Any, ...] = (), allowed: str = "", suggestion: str = "") -> None:
        super().__init__(text.en)
        self.text = text
        self.path = path
        self.allowed = allowed
        self.suggestion = suggestion

    def under(self, step: Any) -> BadValue:
        """The same, one step further in."""
        return BadValue(self.text, path=(step, *self.path), allowed=self.allowed, suggestion=self.suggestion)


def closest(word: str, words: Iterable[str]) -> str:
    """The word most like ``word``, or an empty text: for "did you mean"."""
    if len(word) > 100:
        return ""
    found = difflib.get_close_matches(word, list(words), n=1, cutoff=0.6)
    return found[0] if found else ""


class Option(ABC):
    """One option: its id, what it decides, and (in the subclasses) its values.

    ``doc`` says what the option decides, ``clause`` where the rule book says it (``3.3``). ``renamed_from`` lists ids it
    had in earlier versions; they keep working, with a warning.
    """

    def __init__(self, id: str, name: Text, doc: Text, *, clause: str = "", renamed_from: tuple[str, ...] = ()) -> None:
        self.id = id
        self.name = name
        self.doc = doc
        self.clause = clause
        self.renamed_from = renamed_from

    @abstractmethod
    def parse(self, value: Any) -> Any:
        """The value in its one canonical form (plain JSON data). Raises BadValue."""

    @abstractmethod
    def schema(self) -> dict[str, Any]:
        """A JSON Schema (draft 2020-12) that accepts exactly what ``parse`` accepts in a file."""

    def values(self) -> dict[str, Text]:
        """The named values and what each means; empty where the values are not a short list."""
        return {}

    def value_text(self, value: Any) -> Text:
        """What a canonical value means, in both languages."""
        shown = self.show(value)
        return Text(shown, shown)

    def show(self, value: Any) -> str:
        """A canonical value as text; what ``read`` accepts."""
        return str(value)

    def read(self, text: str) -> Any:
        """The canonical value from text given on a command line (``--set``). Raises BadValue."""
        return self.parse(text)

    def examples(self) -> list[Any]:
        """Some canonical values, all of them where they are few: for tests and for sweeps."""
        return []

    def neighbours(self, value: Any) -> list[Any]:
        """The canonical values a sweep tries beside this one: all others where there are few, else a fair choice near it."""
        return [each for each in self.examples() if each != value]

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self.id!r})"


def wrong(zh: str, en: str, allowed: str, suggestion: str = "") -> BadValue:
    """A value that an option does not take, with what it would take."""
    return BadValue(Text(zh, en), allowed=allowed, suggestion=suggestion)


def says(value: Any) -> str:
    """A value as a variant file would write it."""
    return "true" if value is True else "false" if value is False else "null" if value is None else repr(value)


def others(value: Any, values: Iterable[Any]) -> list[Any]:
    """The values that are not this one, each once."""
    found: list[Any] = []
    for each in values:
        if each != value and each not in found:
            found.append(each)
    return found
