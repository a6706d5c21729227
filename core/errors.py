"""Every error gunzi raises on purpose, in one tree.

GunziError
├── CardError (ValueError)       text that is no card, cards that cannot be
├── Refused (ValueError)         an act the rules do not allow; nothing has changed
├── RulesError (ValueError)      a rule set that cannot be used
│   ├── VariantError             a variant file or an option value is wrong
│   └── PluginError              a plugin is missing, in conflict, or raised
├── RecordError (ValueError)     a record that cannot be read or does not follow the rules
├── ScenarioError (ValueError)   a scenario that cannot be asked
└── TableError (ValueError)      a table that cannot be set up, or cannot show what it does not keep

Apps add their own beside these (``LabError``, ``UnknownPlayerError``).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from gunzi.problems import Problem


@dataclass(frozen=True, slots=True)
class Text:
    """The same thing said in Chinese and in English."""

    zh: str
    en: str

    def in_(self, lang: str) -> str:
        """The text in ``lang``: ``zh``, anything else reads as English."""
        return self.zh if lang == "zh" else self.en

    def format(self, **values: object) -> Text:
        """Both texts with their ``{names}`` filled in; a value that is a Text fills each language with its own."""
        return Text(
            self.zh.format(**{k: v.zh if isinstance(v, Text) else v for k, v in values.items()}),
            self.en.format(**{k: v.en if isinstance(v, Text) else v for k, v in values.items()}),
        )


class GunziError(Exception):
    """The root: catch this to catch everything gunzi says on purpose. ``text`` says it in both languages."""

    def __init__(self, text: Text | str) -> None:
        self.text = text if isinstance(text, Text) else Text(text, text)
        super().__init__(self.text.en)


class CardError(GunziError, ValueError):
    """Text that names no card, or cards that do not exist together."""


class Refused(GunziError, ValueError):
    """An act the rules do not allow. The hand is exactly as it was before.

    ``rule`` is a rule id (an option id where an option decided), ``value`` the option's value in force or None for a
    fixed rule, ``origin`` where that value was set (``file:line``), ``cards`` the cards of the refused act, and ``text``
    the sentence for the player in both languages.
    """

    def __init__(
        self,
        rule: str,
        text: Text,
        *,
        value: Any = None,
        origin: str | None = None,
        cards: Sequence[str] = (),
        seat: int | None = None,
    ) -> None:
        super().__init__(text)
        self.rule = rule
        self.value = value
        self.origin = origin
        self.cards = tuple(cards)
        self.seat = seat

    @property
    def zh(self) -> str:
        """The sentence in Chinese."""
        return self.text.zh

    @property
    def en(self) -> str:
        """The sentence in English."""
        return self.text.en

    def in_(self, lang: str) -> str:
        """The sentence in ``lang``."""
        return self.text.in_(lang)

    def as_json(self) -> dict[str, Any]:
        """The refusal as plain data, for ``--json`` and for a server's reply."""
        return {
            "rule": self.rule,
            "value": self.value,
            "origin": self.origin,
            "seat": self.seat,
            "cards": list(self.cards),
            "zh": self.text.zh,
            "en": self.text.en,
        }


class RulesError(GunziError, ValueError):
    """A rule set that cannot be used; ``problems`` lists what is wrong in its files, where that is known."""

    problems: tuple[Problem, ...] = ()


class VariantError(RulesError):
    """A variant file or an option value is wrong; ``problems`` lists all of it, in file order."""

    def __init__(self, message: Text | str, problems: Sequence[Problem] = ()) -> None:
        super().__init__(message)
        self.problems = tuple(problems)


class PluginError(RulesError):
    """A plugin is missing, misspells a hook, conflicts with another, or raised; ``plugin`` names it."""

    def __init__(self, message: Text | str, plugin: str | None = None, problems: Sequence[Problem] = ()) -> None:
        super().__init__(message)
        self.plugin = plugin
        self.problems = tuple(problems)


class RecordError(GunziError, ValueError):
    """A record that cannot be read, or an event the rules do not allow.

    ``line`` is the 1-based line of the file, ``event`` the ``n`` of the first wrong event, ``rule`` the rule it breaks;
    each is None where it does not apply. ``detail`` says what is wrong without saying where; ``text`` says both.
    """

    def __init__(
        self,
        message: Text | str,
        *,
        line: int | None = None,
        event: int | None = None,
        rule: str | None = None,
        detail: Text | None = None,
    ) -> None:
        super().__init__(message)
        self.detail = detail or self.text
        self.line = line
        self.event = event
        self.rule = rule


class ScenarioError(GunziError, ValueError):
    """A scenario that cannot be asked: a missing key, a question nobody answers, a card that is none."""


class TableError(GunziError, ValueError):
    """A table that cannot be set up (a negative seed, too few players, rules no deal satisfies), or that keeps no events."""
