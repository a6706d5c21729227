"""An option's examples for ``gunzi explain``: the same question put to each of its values."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from gunzi.apps.book.answers import answer_text
from gunzi.apps.book.examples import Example, examples
from gunzi.apps.book.parts import Row
from gunzi.apps.book.stories import story
from gunzi.apps.book.words import Words
from gunzi.errors import RulesError
from gunzi.ruleset import RuleSet


@dataclass(frozen=True, slots=True)
class Explained:
    """A question, what has to be so for it to make sense (option, value), and the answer of each value."""

    name: str
    setting: str
    rows: tuple[Row, ...]
    needs: tuple[tuple[str, str], ...]
    answers: tuple[tuple[str, str], ...]

    def lines(self, say: Words) -> list[str]:
        """The question as lines of text, without its answers."""
        colon, stop = say("：", ": "), say("；", "; ")
        found = [self.setting]
        for row in self.rows:
            groups = [
                say.cards(group.cards) + (say(f"（{group.caption}）", f" ({group.caption})") if group.caption else "")
                for group in row.groups
            ]
            found.append(row.label + colon + stop.join(groups))
        if self.needs:
            laid = say.list([f"{option}={value}" for option, value in self.needs])
            found.append(say(f"设 {laid}", f"with {laid}"))
        return found


def explained(rules: RuleSet, option: str, lang: str) -> list[Explained]:
    """An option's examples, each value of the option laid over the rules in turn; one value where they are no short list."""
    say = Words(lang)
    found = []
    for example in examples().get(option, ()):
        laid = fitting(example, rules)
        base = _with(rules, laid)
        if base is None:
            continue
        setting, rows = story(example.ask, example.given, say)
        known = rules.option(option)
        values = known.examples() if known.values() else [rules.options[option]]
        answers = []
        for value in values:
            other = _with(base, {option: value})
            answer = example.run(other) if other is not None else None
            if answer is not None:
                answers.append((known.show(value), answer_text(example, answer, say)))
        needs = tuple((id, rules.option(id).show(value)) for id, value in laid.items())
        found.append(Explained(example.name, setting, rows, needs, tuple(answers)))
    return found


def fitting(example: Example, rules: RuleSet) -> dict[str, Any]:
    """What has to be laid over the rules for the example to make sense."""
    return {
        option: values[0]
        for option, values in example.needs.items()
        if rules.options.get(option, object()) not in values
    }


def _with(rules: RuleSet, values: dict[str, Any]) -> RuleSet | None:
    try:
        return rules.with_options(values) if values else rules
    except RulesError:
        return None
