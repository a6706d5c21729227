"""The single-option neighbours of a rule set: one option at another value, everything else as it is."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from gunzi.apps.lab.errors import LabError
from gunzi.errors import PluginError, RulesError, Text
from gunzi.options import BadValue, closest
from gunzi.ruleset import RuleSet


@dataclass(frozen=True, slots=True)
class Neighbour:
    """One option at another value; ``shown`` is the value as text. ``warnings`` are what the rule set is warned of and the
    base is not: often that the value decides nothing."""

    option: str
    value: Any
    shown: str
    rules: RuleSet
    warnings: tuple[tuple[str, Text], ...] = ()


@dataclass(frozen=True, slots=True)
class Skipped:
    """A value that was not played, and why: ``codes`` of the conflicts at load (empty: it could not be played), in words."""

    option: str
    value: Any
    shown: str
    codes: tuple[str, ...]
    why: Text

    def as_json(self) -> dict[str, Any]:
        """Plain data."""
        return {
            "option": self.option,
            "value": self.value,
            "codes": list(self.codes),
            "why": {"zh": self.why.zh, "en": self.why.en},
        }


def neighbours(
    rules: RuleSet, option: str | None = None, values: Sequence[Any] | None = None
) -> tuple[tuple[Neighbour, ...], tuple[Skipped, ...]]:
    """The neighbours of a rule set in the rule book's order, and the values that contradict the rest of it.

    ``option``: of this option alone; ``values``: these (or text, as on a command line) in place of those a sweep chooses
    (``Option.neighbours``). Raises LabError where there is no such option or value, or nothing to try.
    """
    if option is not None:
        option = rules.option_set.renamed.get(option, option)
    if option is not None and option not in rules.option_set:
        guess = rules.option_set.suggest(option) or closest(option, rules.option_set)
        raise LabError(
            Text(
                f"没有叫 {option} 的选项" + (f"，是不是 {guess}？" if guess else ""),
                f"there is no option {option}" + (f" (did you mean {guess}?)" if guess else ""),
            )
        )
    if values is not None and option is None:
        raise LabError(Text("写了取值就要写是哪个选项", "values need an option they are of"))
    found: list[Neighbour] = []
    skipped: list[Skipped] = []
    heard = {(problem.code, problem.text) for problem in rules.warnings}
    for id in rules.option_ids() if option is None else (option,):
        known = rules.option(id)
        tried = known.neighbours(rules.options[id]) if values is None else _read(rules, id, values)
        for value in tried:
            shown = known.show(value)
            try:
                other = rules.with_options({id: value}, "sweep")
            except PluginError as error:
                skipped.append(Skipped(id, value, shown, (), error.text))
            except RulesError as error:
                skipped.append(_conflict(id, value, shown, error))
            else:
                new = tuple((each.code, each.text) for each in other.warnings if (each.code, each.text) not in heard)
                found.append(Neighbour(id, value, shown, other, new))
    if not found and not skipped:
        raise LabError(Text(f"{option} 没有别的取值可试", f"{option} has no other value to try"))
    return tuple(found), tuple(skipped)


def _read(rules: RuleSet, id: str, values: Sequence[Any]) -> list[Any]:
    option = rules.option(id)
    found: list[Any] = []
    for given in values:
        try:
            value = option.read(given) if isinstance(given, str) else option.parse(given)
        except BadValue as error:
            raise LabError(_told(error)) from None
        if value != rules.options[id] and value not in found:
            found.append(value)
    return found


def _told(error: BadValue) -> Text:
    """What is wrong with a value, and what may be written where that is not said."""
    text = error.text
    if error.suggestion:
        return Text(f"{text.zh}，是不是 {error.suggestion}？", f"{text.en} (did you mean {error.suggestion}?)")
    if not error.allowed or error.allowed.split(", ")[0] in text.en:
        return text
    return Text(f"{text.zh}；可以写 {error.allowed}", f"{text.en}; it is one of {error.allowed}")


def _conflict(id: str, value: Any, shown: str, error: RulesError) -> Skipped:
    problems = [problem for problem in error.problems if problem.severity == "error"]
    if not problems:
        return Skipped(id, value, shown, (), error.text)
    why = Text("；".join(each.text.zh for each in problems), "; ".join(each.text.en for each in problems))
    return Skipped(id, value, shown, tuple(dict.fromkeys(each.code for each in problems)), why)
