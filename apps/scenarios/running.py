"""Scenarios run: read, asked of every rule set they name, and reported."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any

from gunzi.apps.scenarios.catalogue import questions_of
from gunzi.apps.scenarios.files import Expected, Scenario, ScenarioFile, read_file, read_text, scenario_paths
from gunzi.apps.scenarios.outcomes import Outcome, compared, reasons_of, same
from gunzi.apps.scenarios.question import Answer, Question, Unasked
from gunzi.apps.scenarios.reading import Unreadable, wrong
from gunzi.errors import CardError, RulesError, ScenarioError, Text
from gunzi.loading import load
from gunzi.options import BadValue, closest
from gunzi.problems import Problem, format_problems, in_file_order
from gunzi.resolve import locate, unknown_option
from gunzi.ruleset import RuleSet
from gunzi.variants import PRESETS
from gunzi.wording import counted


@dataclass(frozen=True, slots=True)
class Report:
    """What came of running scenario files. ``problems`` are in file order; ``lang`` is what ``text`` speaks by default."""

    files: tuple[str, ...]
    outcomes: tuple[Outcome, ...]
    problems: tuple[Problem, ...]
    lang: str = "en"

    @property
    def failed(self) -> tuple[Outcome, ...]:
        """The outcomes that do not hold."""
        return tuple(outcome for outcome in self.outcomes if not outcome.passed)

    @property
    def scenarios(self) -> int:
        """How many scenarios were asked of at least one rule set."""
        return len({(outcome.path, outcome.line, outcome.col) for outcome in self.outcomes})

    @property
    def status(self) -> int:
        """The exit status: 0 all hold, 1 some fail, 2 some could not be asked."""
        return 2 if self.problems else 1 if self.failed else 0

    def summary(self, lang: str | None = None) -> str:
        """One line: how many were asked and how many failed."""
        asked, failed, problems = len(self.outcomes), len(self.failed), len(self.problems)
        if (lang or self.lang) == "zh":
            said = f"{self.scenarios} 个场景，问了 {asked} 次：{asked - failed} 次对，{failed} 次不对"
            return said + (f"；{problems} 处写错，没法问" if problems else "")
        said = (
            f"{counted(self.scenarios, 'scenario')}, asked {counted(asked, 'time')}: "
            f"{counted(asked - failed, 'holds', 'hold')}, {counted(failed, 'fails', 'fail')}"
        )
        return said + (f"; {counted(problems, 'problem')} kept some from being asked" if problems else "")

    def text(self, lang: str | None = None) -> str:
        """Everything wrong, every failure, and the summary."""
        speak = lang or self.lang
        rows = [format_problems(self.problems, "text", speak)] if self.problems else []
        rows += [outcome.text(speak) for outcome in self.failed]
        return "\n".join([*rows, self.summary(speak)])

    def as_json(self) -> dict[str, Any]:
        """The report as plain data."""
        return {
            "files": list(self.files),
            "scenarios": self.scenarios,
            "asked": len(self.outcomes),
            "failed": len(self.failed),
            "status": self.status,
            "problems": [problem.as_json() for problem in self.problems],
            "outcomes": [outcome.as_json() for outcome in self.outcomes],
        }


def run_files(
    paths: Iterable[str | os.PathLike[str]],
    lang: str = "en",
    *,
    progress: Callable[[Outcome], object] | None = None,
) -> Report:
    """Ask every scenario of the files (or of the YAML files below a folder) of every rule set it names.

    ``progress`` is told each outcome as it comes. Never raises for what the files say: see the report.
    """
    names = scenario_paths(paths)
    return _run([read_file(name) for name in names], lang, progress)


def run_text(data: bytes | str, name: str = "<text>", lang: str = "en") -> Report:
    """The same for a scenario file's content; paths in it are looked for beside ``name``."""
    return _run([read_text(data, name)], lang, None)


def _run(files: list[ScenarioFile], lang: str, progress: Callable[[Outcome], object] | None) -> Report:
    outcomes: list[Outcome] = []
    problems: list[Problem] = []
    for file in files:
        problems += file.problems
        broken = [scenario for scenario in file.broken if scenario.ask_at is not None]
        for scenario in [*file.scenarios, *broken]:
            for expected in scenario.expected:
                try:
                    outcome = ask(scenario, expected)
                except Unreadable as error:
                    problems += error.problems
                    continue
                if scenario not in broken:
                    outcomes.append(outcome)
                    if progress is not None:
                        progress(outcome)
    names = tuple(file.path for file in files)
    return Report(names, tuple(outcomes), tuple(in_file_order(problems, names)), lang)


def ask(scenario: Scenario, expected: Expected) -> Outcome:
    """Ask one rule set what a scenario asks. Raises Unreadable with every problem found."""
    source, node = scenario.source, scenario.given
    problems: list[Problem] = []

    def gather(read: Callable[[], Any]) -> Any:
        try:
            return read()
        except Unreadable as error:
            problems.extend(error.problems)
            return None

    reference, rules = _load(scenario, expected)
    question: Question | None = gather(lambda: _question(scenario, rules))
    overrides = gather(lambda: _overrides(scenario, rules))
    given: dict[str, Any] | None = None
    right: Any = None
    if question is not None:
        given = gather(lambda: question.given(source, node) if node is not None else None)
        right = gather(lambda: _right(scenario, question, expected))
    if overrides and not problems:
        rules = gather(lambda: _laid_over(scenario, expected, reference, overrides))
    if problems:
        raise Unreadable(problems)
    assert question is not None and node is not None and given is not None
    if question.right is not None:
        right = question.right(given)
    answer = _answer(scenario, question, rules, given)
    passed = same(right, answer.value)
    return Outcome(
        where=scenario.where,
        path=scenario.path,
        line=scenario.node.line,
        col=scenario.node.col,
        name=scenario.name,
        ask=scenario.ask,
        why=scenario.why,
        rules=expected.rules,
        hash=rules.hash,
        given=node.plain(),
        overrides={id: value.plain() for id, (_, value) in scenario.overrides.items()},
        expected=right,
        got=compared(right, answer.value),
        passed=passed,
        reasons=() if passed else reasons_of(rules, question, answer),
    )


def _answer(scenario: Scenario, question: Question, rules: RuleSet, given: dict[str, Any]) -> Answer:
    node = scenario.given
    assert node is not None
    try:
        found = question.ask(rules, given)
    except Unasked as error:
        raise wrong(scenario.source, node, "cannot-ask", error.text.zh, error.text.en) from error
    except (ScenarioError, CardError) as error:
        raise wrong(scenario.source, node, "cannot-ask", error.text.zh, error.text.en) from error
    except RulesError as error:
        raise wrong(scenario.source, node, "plugin", error.text.zh, error.text.en) from error
    return found if isinstance(found, Answer) else Answer(found)


def _question(scenario: Scenario, rules: RuleSet) -> Question:
    at = scenario.ask_at
    assert at is not None
    try:
        known = questions_of(rules)
    except RulesError as error:
        raise wrong(scenario.source, at, "plugin", error.text.zh, error.text.en) from error
    found = known.get(scenario.ask)
    if found is None:
        said = Text(f"没有 {scenario.ask} 这个问题", f"nobody answers the question {scenario.ask}")
        guess = closest(scenario.ask, known)
        raise Unreadable([scenario.source.at(at, "unknown-question", said, allowed=", ".join(known), suggestion=guess)])
    return found


def _right(scenario: Scenario, question: Question, expected: Expected) -> Any:
    """The answer written down for a rule set, read; None where the question itself says what is right."""
    if (question.right is None) != scenario.listed:
        return None if expected.answer is None else question.answer(scenario.source, expected.answer)
    name = question.name
    if scenario.listed:
        said = Text(f"{name} 的 expect 要写成 {{规则: 答案}}", f"expect of {name} is a map {{rule set: answer}}")
    else:
        said = Text(f"{name} 的 expect 只列规则：[all]", f"expect of {name} only lists rule sets: [all]")
    raise Unreadable([scenario.source.at(expected.at, "expect-form", said)])


def _load(scenario: Scenario, expected: Expected) -> tuple[str, RuleSet]:
    """The rule set a scenario names, before anything is laid over it, and the name to load it by. Raises Unreadable."""
    source, name = scenario.source, expected.rules
    place = locate(name, os.path.dirname(scenario.path) or ".")
    if place is None:
        said = Text(
            f"没有叫 {name} 的规则：不是预设，旁边也没有这个文件",
            f"there are no rules {name}: no preset, and no such file beside this one",
        )
        allowed = ", ".join(("all", *PRESETS))
        guess = closest(name, ("all", *PRESETS))
        raise Unreadable([source.at(expected.at, "unknown-rules", said, allowed=allowed, suggestion=guess)])
    reference = name if place.real is None else place.path
    if place.real is not None and os.sep not in reference:
        reference = os.path.join(".", reference)
    try:
        return reference, load(reference)
    except RulesError as error:
        said = Text(f"{name} 这套规则不能用", f"the rules {name} cannot be used")
        raise Unreadable([source.at(expected.at, "bad-rules", said), *error.problems]) from error


def _laid_over(scenario: Scenario, expected: Expected, reference: str, overrides: dict[str, Any]) -> RuleSet:
    """The rule set with the values of ``with``; where they contradict each other, Unreadable."""
    at, _ = next(iter(scenario.overrides.values()))
    try:
        return load(reference, overrides, f"{scenario.path}:{at.line}")
    except RulesError as error:
        texts = [problem.text for problem in error.problems] or [error.text]
        said = [_on(expected.rules, text) for text in texts]
        raise Unreadable([scenario.source.at(at, "bad-with", text) for text in said]) from error


def _on(name: str, text: Text) -> Text:
    return Text(f"{name} 加上 with 之后：{text.zh}", f"{name} with these values: {text.en}")


def _overrides(scenario: Scenario, rules: RuleSet) -> dict[str, Any]:
    """The values of ``with``, read as the options read them in a variant file."""
    source, known = scenario.source, rules.option_set
    found: dict[str, Any] = {}
    problems: list[Problem] = []
    for written, (at, node) in scenario.overrides.items():
        id = written if written in known else known.renamed.get(written, written)
        if id not in known:
            problem = unknown_option(written, known, "")
            problems.append(
                source.at(at, problem.code, problem.text, allowed=problem.allowed, suggestion=problem.suggestion)
            )
            continue
        try:
            found[id] = known[id].parse(node.plain())
        except BadValue as bad:
            more = {"allowed": bad.allowed, "suggestion": bad.suggestion}
            problems += wrong(source, node, "bad-value", bad.text.zh, bad.text.en, **more).problems
    if problems:
        raise Unreadable(problems)
    return found
