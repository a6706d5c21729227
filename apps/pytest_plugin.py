"""pytest runs scenario files: every ``*.scenario.yaml``, and the YAML files of the folders named in the configuration.

    [tool.pytest.ini_options]
    gunzi_scenarios = ["tests/scenarios"]      # folders or patterns, seen from the configuration file; variants are left out

Each scenario is one test for each rule set it names: ``house.scenario.yaml::off-suit-two[yuwang]``. gunzi itself is used
only when such a file is collected, or the fixture ``differential`` is asked for.
"""

from __future__ import annotations

import fnmatch
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from gunzi.apps.lab import SameUntil
    from gunzi.apps.scenarios.files import Expected, Scenario

ALWAYS = (".scenario.yaml", ".scenario.yml")
SUFFIXES = (".yaml", ".yml")


def pytest_addoption(parser: pytest.Parser) -> None:
    """The configuration option ``gunzi_scenarios``."""
    parser.addini("gunzi_scenarios", "folders or patterns of gunzi scenario files", type="linelist", default=[])


def pytest_collect_file(file_path: Path, parent: pytest.Collector) -> pytest.Collector | None:
    """A collector for a scenario file; None for any other file."""
    if file_path.suffix not in SUFFIXES:
        return None
    if file_path.name.endswith(ALWAYS) or (_named(file_path, parent.config) and not _is_variant(file_path)):
        collector: pytest.Collector = ScenarioCollector.from_parent(parent, path=file_path)
        return collector
    return None


def _named(file: Path, config: pytest.Config) -> bool:
    """Does the configuration name this file, its folder, or a pattern that fits it?"""
    patterns: list[str] = config.getini("gunzi_scenarios")
    if not patterns:
        return False
    base = config.inipath.parent if config.inipath is not None else config.rootpath
    for pattern in patterns:
        wanted = base / pattern
        if any(fnmatch.fnmatch(str(each), str(wanted)) for each in (file, *file.parents)):
            return True
    return False


def _is_variant(file: Path) -> bool:
    from gunzi.apps.scenarios.files import is_variant_file

    return is_variant_file(file)


class ScenarioCollector(pytest.File):
    """A scenario file."""

    def collect(self) -> Iterator[pytest.Item]:
        """One item for each scenario and rule set. Raises CollectError listing what is wrong with the file."""
        from gunzi.apps.scenarios.files import read_file
        from gunzi.problems import format_problems

        file = read_file(_shown(self.path, self.config))
        if file.problems:
            raise self.CollectError(format_problems(file.problems))
        for scenario in file.scenarios:
            for expected in scenario.expected:
                name = f"{scenario.name}[{expected.rules}]"
                yield ScenarioItem.from_parent(self, name=name, scenario=scenario, expected=expected)


class ScenarioFailed(Exception):
    """A scenario that does not hold, or could not be asked; its text is the report."""


class ScenarioItem(pytest.Item):
    """A scenario, asked of one rule set."""

    def __init__(self, *, scenario: Scenario, expected: Expected, **more: Any) -> None:
        super().__init__(**more)
        self.scenario, self.expected = scenario, expected

    def runtest(self) -> None:
        """Ask. Raises ScenarioFailed."""
        from gunzi.apps.scenarios import ask
        from gunzi.apps.scenarios.reading import Unreadable
        from gunzi.problems import format_problems

        try:
            outcome = ask(self.scenario, self.expected)
        except Unreadable as error:
            raise ScenarioFailed(format_problems(error.problems)) from None
        if not outcome.passed:
            raise ScenarioFailed(outcome.text())

    def repr_failure(self, excinfo: pytest.ExceptionInfo[BaseException], style: Any = None) -> Any:
        """The report alone, without a traceback."""
        if isinstance(excinfo.value, ScenarioFailed):
            return str(excinfo.value)
        return super().repr_failure(excinfo, style)

    def reportinfo(self) -> tuple[Path, int, str]:
        """Where the scenario stands."""
        return self.path, self.scenario.node.line - 1, self.name


def _shown(path: Path, config: pytest.Config) -> str:
    """A path as a person types it: seen from where pytest was started."""
    start = config.invocation_params.dir
    return str(path.relative_to(start)) if path.is_relative_to(start) else str(path)


@pytest.fixture(scope="session")
def differential() -> Callable[..., SameUntil]:
    """``differential(rules_a, rules_b, hands=20, …)``: two rule sets that differ only in an option have identical records until
    the option is first consulted.

    ``rules_a`` and ``rules_b`` are rule sets, what ``gunzi.load`` takes, or a mapping of options laid over the other one.
    ``hands`` single hands, or ``rounds``, of ``seed`` (1), played by ``policy`` ("random"). ``options``: what they may differ
    in, where that is more than one option. Answers what was found (``lab.SameUntil``: ``consulted``, ``parted``, ``by`` …) for
    further asserts. Raises AssertionError that tells seed, hand, event and both sides; ValueError where the two differ in
    more than was said, or in nothing.
    """
    return _differential


def _differential(
    rules_a: Any,
    rules_b: Any,
    hands: int | None = None,
    *,
    rounds: int | None = None,
    seed: int = 1,
    policy: str | Sequence[str] = "random",
    options: Sequence[str] | None = None,
) -> SameUntil:
    from gunzi.apps.lab import LabError, same_until
    from gunzi.loading import load

    __tracebackhide__ = True  # what fails is the test's line, and what was found there
    if isinstance(rules_a, Mapping):
        a, b = load(rules_b, rules_a), load(rules_b)
    else:
        a = load(rules_a)
        b = load(a, rules_b) if isinstance(rules_b, Mapping) else load(rules_b)
    if hands is None and rounds is None:
        hands = 20
    try:
        found = same_until(a, b, options, hands=hands, rounds=rounds, seed=seed, policy=policy)
    except LabError as wrong:
        raise wrong.with_traceback(None) from None
    assert found.holds, found.told().en
    return found
