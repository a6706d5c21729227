"""What came of asking a scenario: held or not, what was expected, what the rules say, and which option decided."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from gunzi.apps.scenarios.question import Answer, Question, say
from gunzi.cards import Card, parse_card, sorted_cards
from gunzi.errors import CardError, Text
from gunzi.ruleset import RuleSet

MOST_REASONS = 14
"""How many reasons a failure lists."""


class Absent:
    """What stands for a key an answer does not have."""


ABSENT = Absent()


@dataclass(frozen=True, slots=True)
class Reason:
    """Why the rules answered so: a rule (an option's id where an option decided) and a sentence; for an option also its
    value, where that was set, its status and what it means."""

    by: str
    text: Text | None
    value: str = ""
    where: str = ""
    status: str = ""
    means: Text | None = None

    def in_(self, lang: str) -> str:
        """The reason as one line."""
        said = self.text.in_(lang) if self.text else (self.means.in_(lang) if self.means else "")
        if not self.value:
            return f"{said} [{self.by}]" if said else self.by
        status = _STATUS_ZH.get(self.status, self.status) if lang == "zh" else self.status
        return f"{said} [{self.by} = {self.value}; {self.where}{', ' + status if status else ''}]"

    def as_json(self) -> dict[str, Any]:
        """The reason as plain data."""
        said = self.text or self.means or Text("", "")
        return {
            "by": self.by,
            "value": self.value,
            "where": self.where,
            "status": self.status,
            "zh": said.zh,
            "en": said.en,
        }


_STATUS_ZH = {"stated": "原文写明", "inferred": "推断", "ruled": "裁定", "operator": "自定"}


@dataclass(frozen=True, slots=True)
class Outcome:
    """A scenario asked of one rule set. ``rules`` is the rule set as the file names it, ``hash`` what it resolved to;
    ``given`` and ``overrides`` are the file's own words; ``where`` is ``file:line:col``."""

    where: str
    path: str
    line: int
    col: int
    name: str
    ask: str
    why: str
    rules: str
    hash: str
    given: Mapping[str, Any]
    overrides: Mapping[str, Any]
    expected: Any
    got: Any
    passed: bool
    reasons: tuple[Reason, ...] = ()

    def text(self, lang: str = "en") -> str:
        """One line where it holds; otherwise what was asked, expected and answered, and why."""
        zh = lang == "zh"
        mark = ("对" if self.passed else "不对") if zh else ("ok" if self.passed else "FAILED")
        colon = "：" if zh else ": "
        head = f"{self.where}: {mark}{colon}{self.name} [{self.rules}]"
        if self.passed:
            return head
        rows = [head]
        words = (
            ("问", "说明", "另设", "应当", "实得", "根据")
            if zh
            else ("asked", "why", "with", "expected", "got", "because")
        )
        asked, why, laid, expected, got, because = (f"  {word}{colon}" for word in words)
        rows.append(f"{asked}{self.ask} {say(self.given)}")
        if self.why:
            rows.append(f"{why}{self.why}")
        if self.overrides:
            rows.append(f"{laid}{say(self.overrides)}")
        rows.append(f"{expected}{say(self.expected)}")
        rows.append(f"{got}{say(self.got)}")
        rows += [f"{because}{reason.in_(lang)}" for reason in self.reasons]
        return "\n".join(rows)

    def as_json(self) -> dict[str, Any]:
        """The outcome as plain data."""
        return {
            "path": self.path,
            "line": self.line,
            "col": self.col,
            "name": self.name,
            "ask": self.ask,
            "rules": self.rules,
            "hash": self.hash,
            "passed": self.passed,
            "given": self.given,
            "with": self.overrides,
            "expected": plain(self.expected),
            "got": plain(self.got),
            "because": [reason.as_json() for reason in self.reasons],
        }


def same(expected: Any, got: Any) -> bool:
    """Does an answer say what is expected? Maps key by key, cards of a list in any order, everything else exactly."""
    if isinstance(expected, Mapping):
        return isinstance(got, Mapping) and all(same(value, got.get(key, ABSENT)) for key, value in expected.items())
    if isinstance(expected, (list, tuple)):
        if not isinstance(got, (list, tuple)) or len(got) != len(expected):
            return False
        cards = _cards(got)
        if cards is not None:
            return _cards(expected) == cards
        return all(same(one, other) for one, other in zip(expected, got, strict=True))
    if isinstance(got, Card):
        return _cards([expected]) == (got,)
    return isinstance(expected, bool) == isinstance(got, bool) and bool(expected == got)


def _cards(texts: Any) -> tuple[Card, ...] | None:
    """The cards a list is, sorted; None where it is no list of cards."""
    if not all(isinstance(text, str) for text in texts):
        return None
    try:
        return sorted_cards(parse_card(text) for text in texts)
    except CardError:
        return None


def compared(expected: Any, got: Any) -> Any:
    """The part of an answer that was compared; all of it where something expected is not there."""
    if isinstance(expected, Mapping) and isinstance(got, Mapping) and all(key in got for key in expected):
        return {key: compared(value, got[key]) for key, value in expected.items()}
    return got


def plain(value: Any) -> Any:
    """An answer as plain data: cards and ranks as they are, tuples as lists."""
    if isinstance(value, Mapping):
        return {str(key): plain(item) for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [plain(item) for item in value]
    return str(value) if isinstance(value, str) or not (value is None or isinstance(value, (bool, int))) else value


def reasons_of(rules: RuleSet, question: Question, answer: Answer) -> tuple[Reason, ...]:
    """The reasons an answer gives, and the options that decide the question where it names none."""
    found = [_reason(rules, note.by, note.text) for note in answer.notes]
    named = {reason.by for reason in found if reason.value}
    if not named:
        found += [_reason(rules, id, None) for id in question.decided_by]
    return tuple(dict.fromkeys(found))[:MOST_REASONS]


def _reason(rules: RuleSet, by: str, text: Text | None) -> Reason:
    if by not in rules.option_set:
        return Reason(by, text)
    origin, option = rules.origin(by), rules.option(by)
    return Reason(by, text, option.show(origin.value), origin.where, origin.status, option.value_text(origin.value))
