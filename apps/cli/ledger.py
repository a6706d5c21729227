"""The file a score is kept in: written whole after every entry, so that whatever happens the last entry is there."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, Final

from gunzi.apps.cli.entry import Entry
from gunzi.apps.cli.parser import Stop
from gunzi.apps.cli.sheet import FORMAT, Sheet, Step
from gunzi.files import file_bytes, written_whole
from gunzi.loading import from_header, load, preset_ids
from gunzi.ruleset import RuleSet

try:
    import fcntl
except ImportError:  # Windows
    fcntl = None  # type: ignore[assignment]

LARGEST: Final = 20_000_000
"""No evening's score is larger than this, in bytes."""


class Ledger:
    """One file. It notices when somebody else has written the file meanwhile, and then does not write over it."""

    def __init__(self, path: str) -> None:
        self.path = path
        self._real = Path(os.path.realpath(path))
        self._seen = self._stamp()

    @property
    def exists(self) -> bool:
        """Is there a file already?"""
        return self._seen is not None

    def _stamp(self) -> tuple[int, int, int] | None:
        try:
            found = os.stat(self._real)
        except FileNotFoundError:
            return None
        return (found.st_mtime_ns, found.st_size, found.st_ino)

    def save(self, sheet: Sheet) -> None:
        """Write the sheet, with the hand that is being entered and what can be undone, durably and whole or not at all.

        Raises OSError, and Stop where somebody else has written the file.
        """
        data = {
            **sheet.as_json(),
            "steps": [step.as_json() for step in sheet.steps],
            "undone": [step.as_json() for step in sheet.undone],
            "entering": sheet.entering,
            "correcting": sheet.correcting,
        }
        with _locked(self._real.parent):
            if self._stamp() != self._seen:
                raise Stop(
                    f"{self.path} 被别的程序改过了，没有覆盖它；另存用 --save 别的文件",
                    f"{self.path} was changed by somebody else meanwhile and is left as it is; keep this elsewhere with --save",
                )
            with written_whole(self._real) as file:
                json.dump(data, file, ensure_ascii=False, indent=1)
                file.write("\n")
            _sync_folder(self._real.parent)
            self._seen = self._stamp()

    def load(self) -> Sheet:
        """The sheet in the file. Raises OSError, Stop where the file holds none, and what a record's rules raise."""
        found = self._data()
        sheet = Sheet(_named(from_header(found)), tuple(found["players"]))
        told: list[Entry] = [row["told"] for row in found["hands"]]
        try:
            sheet.replay(told)
        except Stop as wrong:
            number = sheet.number
            raise Stop(
                f"{self.path} 第 {number} 把记得不对：{wrong.text.zh}",
                f"{self.path}, hand {number}: {wrong.text.en}",
            ) from None
        steps = _steps(found.get("steps"))
        if steps is None or _played(steps) != told:
            sheet.steps = [Step(place, entry) for place, entry in enumerate(told)]
            return sheet
        sheet.steps = steps
        sheet.undone = _steps(found.get("undone")) or []
        entering, correcting = found.get("entering"), found.get("correcting")
        if isinstance(entering, dict) and _is_entry(entering):
            sheet.entering = entering
            if type(correcting) is int and 1 <= correcting <= len(told):
                sheet.correcting = correcting
        return sheet

    def _data(self) -> dict[str, Any]:
        data = file_bytes(self._real, LARGEST)
        if len(data) > LARGEST:
            raise self._none("太大了", "it is too large")
        try:
            found = json.loads(data.decode("utf-8"))
        except (ValueError, RecursionError):
            raise self._none("不是 JSON", "it is no JSON") from None
        if not isinstance(found, dict) or found.get("kind") != "score":
            raise self._none('缺 "kind": "score"', 'it lacks "kind": "score"')
        if found.get("gunzi") != FORMAT:
            raise self._none(
                f"格式是 {str(found.get('gunzi'))[:20]}，这里只读得了 {FORMAT}",
                f"its format is {str(found.get('gunzi'))[:20]}; this gunzi reads {FORMAT}",
            )
        hands = found.get("hands")
        if not isinstance(hands, list):
            raise self._none("缺 hands", "it lacks hands")
        for number, row in enumerate(hands, 1):
            if not isinstance(row, dict) or not _is_entry(row.get("told")):
                raise self._none(f"第 {number} 把没有 told", f"its hand {number} has no told")
        players = found.get("players")
        if not players:
            found["players"] = []
        elif not isinstance(players, list) or len(players) != 4 or not all(isinstance(name, str) for name in players):
            raise self._none("players 要写四个名字", "its players are not four names")
        return found

    def _none(self, zh: str, en: str) -> Stop:
        return Stop(f"{self.path} 不是存下的记分：{zh}", f"{self.path} is no saved score: {en}")


@contextmanager
def _locked(folder: Path) -> Iterator[None]:
    """One writer at a time in a folder, where the system knows how: looking whether a file has changed and putting another in
    its place are then one step."""
    handle = -1
    with suppress(OSError):  # a folder that may be written to but not read; a network file system that knows no locks
        if fcntl is not None:
            handle = os.open(folder, os.O_RDONLY)
            fcntl.flock(handle, fcntl.LOCK_EX)
    try:
        yield
    finally:
        if handle >= 0:
            os.close(handle)


def _sync_folder(folder: Path) -> None:
    """Make the file's new name last as well, where the system knows how."""
    if os.name != "posix":
        return
    with suppress(OSError):
        handle = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)


def _is_entry(found: Any) -> bool:
    return isinstance(found, Mapping) and all(isinstance(word, str) for pair in found.items() for word in pair)


def _steps(found: Any) -> list[Step] | None:
    """Steps from data; None where they are not sound."""
    steps = []
    for each in found if isinstance(found, list) else [None]:
        if not isinstance(each, Mapping) or type(each.get("place")) is not int or not _is_entry(each.get("told")):
            return None
        was = each.get("was")
        if was is not None and not _is_entry(was):
            return None
        steps.append(Step(each["place"], dict(each["told"]), dict(was) if was is not None else None))
    return steps


def _played(steps: list[Step]) -> list[Entry] | None:
    """The hands that steps lead to; None where one does not follow from those before it."""
    hands: list[Entry] = []
    for step in steps:
        if step.was is None and step.place == len(hands):
            hands.append(step.told)
        elif step.was is not None and 0 <= step.place < len(hands) and hands[step.place] == step.was:
            hands[step.place] = step.told
        else:
            return None
    return hands


def _named(rules: RuleSet) -> RuleSet:
    """The same rules as loaded by name, where they still are what they were: origins then tell more."""
    if rules.id in preset_ids():
        preset = load(rules.id)
        if preset.hash == rules.hash:
            return preset
    return rules


def free_name(path: str) -> str:
    """The first of ``PATH``, ``PATH-2`` … (before the suffix) that no file has."""
    stem, suffix = os.path.splitext(path)
    number, name = 1, path
    while os.path.exists(name):
        number += 1
        name = f"{stem}-{number}{suffix}"
    return name
