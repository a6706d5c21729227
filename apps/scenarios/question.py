"""What a scenario's question is: what must be given, how its answer reads, and who works it out."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from gunzi.apps.scenarios.reading import Field, Fields, Kind, needed, rank, suit
from gunzi.cards import Card
from gunzi.errors import Refused, ScenarioError, Text
from gunzi.trump import Trump, trump_order

if TYPE_CHECKING:
    from gunzi.ruleset import RuleSet

MOST_CHARACTERS: Final = 400
"""How much of a value is shown."""

Given = Mapping[str, Any]
"""What is given, read: every key of the question, defaults filled in."""


class Unasked(ScenarioError):
    """What is given makes no question for this rule set; ``text`` says why."""

    def __init__(self, text: Text) -> None:
        super().__init__(text)
        self.text = text


@dataclass(frozen=True, slots=True)
class Note:
    """A reason for an answer: the rule that decided and a sentence."""

    by: str
    text: Text


@dataclass(frozen=True, slots=True)
class Answer:
    """What the rules say, and why. ``value`` is a plain value, or a map of which only some keys are compared."""

    value: Any
    notes: tuple[Note, ...] = ()


@dataclass(frozen=True, slots=True)
class Question:
    """A question: its name, the keys of ``given``, the kind of its answer, the function that asks the rules.

    ``right`` stands where no answer is written down (``lead``, ``follow``): it makes the right one from what is given, and
    ``expect`` only lists rule sets. ``decided_by`` are the options that decide where no reason names one.
    """

    name: str
    given: Fields
    answer: Kind
    ask: Callable[[RuleSet, Given], Any]
    right: Callable[[Given], Any] | None = None
    decided_by: tuple[str, ...] = ()


TRUMP = {"level": needed(rank), "trump": needed(suit)}
"""The two keys from which the order of a hand's cards follows."""


def given(**fields: Field) -> Fields:
    """The keys of ``given``."""
    return Fields("given", {key.rstrip("_"): field for key, field in fields.items()})


def trump_of(rules: RuleSet, given: Given) -> Trump:
    """The order of a hand's cards."""
    return trump_order(given["level"], given["trump"], rules.permanent)


def verdict(refusal: Refused | None, what: tuple[Card, ...] = ()) -> tuple[bool, tuple[Note, ...]]:
    """Is it allowed, and if not why; ``what`` was tried."""
    if refusal is None:
        return True, ()
    return False, (note(refusal.rule, refusal.text, what),)


def note(by: str, text: Text, what: tuple[Card, ...] = ()) -> Note:
    """A reason, with the cards it is about in front."""
    tried = f"[{', '.join(what)}] " if what else ""
    return Note(by, Text(tried + text.zh, tried + text.en))


def say(value: Any) -> str:
    """A value as it would stand in a scenario file, shortened where it is long."""
    said = _say(value)
    return said if len(said) <= MOST_CHARACTERS else said[: MOST_CHARACTERS - 1] + "…"


def _say(value: Any) -> str:
    if value is None or isinstance(value, bool):
        return {None: "null", True: "true", False: "false"}[value]
    if isinstance(value, Mapping):
        return "{" + ", ".join(f"{key}: {_say(item)}" for key, item in value.items()) + "}"
    if isinstance(value, (list, tuple)):
        return "[" + ", ".join(_say(item) for item in value) + "]"
    return str(value)
