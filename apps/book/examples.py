"""The worked examples: scenarios without answers, asked of the rules while the book is written."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from importlib.resources import files
from typing import TYPE_CHECKING, Any

from gunzi.apps.scenarios.catalogue import BUILT_IN, questions_of
from gunzi.apps.scenarios.question import Answer, Question
from gunzi.apps.scenarios.reading import Unreadable
from gunzi.errors import CardError, ScenarioError, Text
from gunzi.problems import problems_text
from gunzi.source import MapNode, Node, Source, read

if TYPE_CHECKING:
    from gunzi.ruleset import RuleSet

FILE = "examples.yaml"


@dataclass(frozen=True, slots=True)
class Example:
    """One question about an option. ``needs``: option → the values under which the question makes sense."""

    option: str
    name: str
    ask: str
    given: Mapping[str, Any]
    needs: Mapping[str, tuple[Any, ...]]
    tell: tuple[str, ...]
    written: str
    """What is given, as it stands in the file, for those who want to try it: plain data."""

    def suits(self, rules: RuleSet) -> bool:
        """Does the question make sense under these rules?"""
        return all(option in rules.options and rules.options[option] in values for option, values in self.needs.items())

    def run(self, rules: RuleSet) -> Answer | None:
        """What the rules answer; None where the question cannot be asked of them."""
        question: Question | None = questions_of(rules).get(self.ask)
        if question is None:
            return None
        try:
            found = question.ask(rules, self.given)
        except (ScenarioError, CardError):
            return None
        return found if isinstance(found, Answer) else Answer(found)


@lru_cache(maxsize=1)
def examples() -> Mapping[str, tuple[Example, ...]]:
    """The packaged examples by option id."""
    data = (files("gunzi.apps.book") / FILE).read_bytes()
    return parse(data, FILE)


def parse(data: bytes, path: str) -> dict[str, tuple[Example, ...]]:
    """Examples from a file's content. Raises Unreadable."""
    source = read(data, path)
    if source.problems:
        raise Unreadable(source.problems)
    assert isinstance(source.root, MapNode)
    found: dict[str, tuple[Example, ...]] = {}
    for option, (_, node) in source.root.entries.items():
        items = getattr(node, "items", [])
        found[option] = tuple(_example(source, option, number, item) for number, item in enumerate(items, 1))
    return found


def _example(source: Source, option: str, number: int, node: Node) -> Example:
    plain = node.plain()
    given = node.get("given") if isinstance(node, MapNode) else None
    question = BUILT_IN.get(plain.get("ask", "")) if isinstance(plain, dict) else None
    if question is None or given is None or set(plain) - {"ask", "given", "needs", "tell"}:
        where = f"{source.path}:{node.line}"
        raise ScenarioError(
            Text(f"{where}: 例子要写 ask、given、needs、tell", f"{where}: an example has ask, given, needs, tell")
        )
    try:
        values = question.given(source, given)
    except Unreadable as error:
        raise ScenarioError(problems_text(error.problems)) from error
    return Example(
        option,
        f"{option}-{number}",
        plain["ask"],
        values,
        {id: tuple(value) if isinstance(value, list) else (value,) for id, value in plain.get("needs", {}).items()},
        tuple(plain.get("tell", ())),
        str(given.plain()),
    )


def answers(option: str, rules: RuleSet) -> tuple[Any, ...]:
    """What the rules answer to an option's examples, in their order; None where one makes no sense for them."""
    found = []
    for example in examples().get(option, ()):
        answer = example.run(rules) if example.suits(rules) else None
        found.append(None if answer is None else told(example, answer.value))
    return tuple(found)


def told(example: Example, value: Any) -> Any:
    """The parts of an answer that the example is about."""
    if example.tell and isinstance(value, Mapping):
        return {key: value[key] for key in example.tell}
    return value
