"""Examples of a comparison as pairs of records: the same cards under both rule sets, to be looked at side by side."""

from __future__ import annotations

import contextlib
import os
import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from gunzi.apps.lab.errors import LabError
from gunzi.apps.lab.findings import Difference, Example, Pair
from gunzi.apps.lab.situations import unit_seed
from gunzi.apps.lab.units import Plan, unit_table
from gunzi.apps.players import play_table
from gunzi.errors import Text
from gunzi.files import written_whole
from gunzi.record import Record
from gunzi.ruleset import RuleSet


@dataclass(frozen=True, slots=True)
class ExampleFiles:
    """The two files of an example, a's and b's."""

    pair: Pair
    example: Example
    a: Path
    b: Path


def example_records(
    found: Difference, rule_sets: Sequence[RuleSet], pair: Pair, example: Example
) -> tuple[Record, Record]:
    """The unit as both rule sets play it, to the end of the hand in which it parts. ``rule_sets`` are those that were compared."""
    plan = Plan(found.seed, found.policy, found.unit, found.levels)
    a, b = (rule_sets[place] for place in pair.places)
    return _record(a, b, plan, example), _record(b, a, plan, example)


def _record(rules: RuleSet, other: RuleSet, plan: Plan, example: Example) -> Record:
    table = unit_table(rules, plan, example.unit, True)
    events = table.events

    def told() -> bool:
        return any(event["e"] == "settle" for event in events[example.place :])

    play_table(table, plan.players(), unit_seed(plan.seed, example.unit), until=told)
    end = next((place for place in range(example.place, len(events)) if events[place]["e"] == "settle"), len(events))
    about = {"cause": example.cause, "event": example.place + 1, "beside": other.hash}
    return Record({**table.header, "example": about}, events[: end + 1])


def write_examples(
    folder: str | os.PathLike[str], found: Difference, rule_sets: Sequence[RuleSet]
) -> tuple[ExampleFiles, ...]:
    """Write every example of every pair into a folder, all of them or none, in the order of pairs and causes.

    A file that is there already is left as it is: if it says the same, all is well. Raises LabError where one says something else,
    OSError where nothing can be written.
    """
    written = []
    texts: dict[Path, str] = {}
    for pair in found.pairs:
        for example in pair.examples:
            names = [Path(folder) / _name(found, pair, example, place) for place in pair.places]
            for path, record in zip(names, example_records(found, rule_sets, pair, example), strict=True):
                texts[path] = record.text()
            written.append(ExampleFiles(pair, example, *names))
    _write_new(Path(folder), texts)
    return tuple(written)


def _name(found: Difference, pair: Pair, example: Example, place: int) -> str:
    """``1-2.dry_pot.side_leg.1-yuwang.jsonl``: which sets, what parts them, whose record."""
    a, b = (number + 1 for number in pair.places)
    id = re.sub(r"[^\w.-]", "_", found.rule_sets[place])[:60]
    return f"{a}-{b}.{example.cause}.{place + 1}-{id}.jsonl"


def _write_new(folder: Path, texts: dict[Path, str]) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    for path, text in texts.items():
        if path.exists() and path.read_bytes() != text.encode("utf-8"):
            raise LabError(
                Text(
                    f"{path} 已经有了，内容不一样，没有动它；换一个文件夹，或者先把它挪走",
                    f"{path} is there already with other content, and was left alone: name another folder, or move it away",
                )
            )
    made: list[Path] = []
    try:
        for path, text in texts.items():
            if not path.exists():
                _create(path, text)
                made.append(path)
    except BaseException:
        for path in made:
            with contextlib.suppress(OSError):
                path.unlink()
        raise


def _create(path: Path, text: str) -> None:
    """A new file, whole or not at all; another one of that name is never replaced. Raises FileExistsError, OSError."""

    def put(name: str, target: Path) -> None:
        try:
            os.link(name, target)
        except FileExistsError:
            raise
        except (OSError, AttributeError):  # a file system without links
            with open(target, "x", encoding="utf-8", newline="\n") as file:
                file.write(text)
        with contextlib.suppress(OSError):
            os.unlink(name)

    with written_whole(path, put) as file:
        file.write(text)
