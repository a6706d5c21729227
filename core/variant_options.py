"""The options and notes of a variant file, read against the options that its plugins know."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

from gunzi.errors import Text
from gunzi.installed import who_has
from gunzi.options import BadValue, Choice, Option, closest
from gunzi.optionset import META_KEYS, OptionSet, group_of
from gunzi.problems import MOST, Problem, more_problems
from gunzi.source import ListNode, MapNode, Node, Scalar, Source, full_width, misread
from gunzi.variant import MAX_TEXT, VariantFile

STATUSES: Final = ("stated", "inferred", "ruled", "operator")
"""What a note may say of a value: a text says it, needs it, no text says it, or this table chose it."""


@dataclass(frozen=True, slots=True)
class Setting:
    """An option's value as a file sets it, canonical, and where."""

    value: Any
    line: int
    col: int
    excerpt: str


@dataclass(frozen=True, slots=True)
class Note:
    """What a file says about where an option's value comes from."""

    status: str
    source: str


class OptionReader:
    """Reads the options and notes of a file against a set of options; collects problems and goes on."""

    def __init__(self, file: VariantFile, options: OptionSet) -> None:
        self.file = file
        self.source = file.source
        self.options = options
        self.settings: dict[str, Setting] = {}
        self.notes: dict[str, Note] = {}
        self.problems: list[Problem] = []
        root = self.source.root
        if isinstance(root, MapNode):
            for key, (at, value) in root.entries.items():
                if self.full:
                    break
                if key == "notes":
                    self._notes(value)
                elif key not in META_KEYS:
                    self._top(key, at, value)

    @property
    def full(self) -> bool:
        """Are there so many problems that reading on helps nobody? Says so once."""
        if len(self.problems) < MOST:
            return False
        if self.problems[-1].code != "more-problems":
            self.problems.append(more_problems(self.file.path, len(self.source.lines)))
        return True

    def wrong(self, node: Node, code: str, zh: str, en: str, **more: Any) -> None:
        """Note a problem at a node."""
        self.problems.append(self.source.at(node, code, Text(zh, en), **more))

    def _top(self, key: str, at: Scalar, value: Node) -> None:
        options = self.options
        if key in options:
            if "." in key:
                group, _, name = key.partition(".")
                shown = options[key]
                form = f"{group}: {{{name}: {value.text if isinstance(value, Scalar) and value.text else '…'}}}"
                self.wrong(
                    at,
                    "dotted-key",
                    f"变体文件里选项要按组写（{shown.name.zh}）",
                    "in a variant file options stand in their groups",
                    suggestion=form,
                )
                return
            self._set(key, at, value)
            return
        if key in options.renamed:
            self._set(self._renamed(key, at), at, value)
            return
        groups = {group_of(old) for old in options.renamed if "." in old}
        if key in options.groups or key in groups:
            self._group(key, at, value)
            return
        if self._colon(key, at):
            return
        keys = [*META_KEYS, *options.groups]
        same_name = [id for id in options if id.endswith(f".{key}")]
        if len(same_name) == 1:
            group, _, name = same_name[0].partition(".")
            guess = f"{group}: {{{name}: …}}"
        else:
            guess = closest(key, keys)
            dotted = options.suggest(key) if "." in key else ""
            if dotted:
                group, _, name = dotted.partition(".")
                guess = f"{group}: {{{name}: …}}"
        plugin = who_has(key)
        self.wrong(
            at,
            "unknown-key",
            f"没有 {key} 这个键{plugin.zh}",
            f"there is no key {key}{plugin.en}",
            allowed=", ".join(keys),
            suggestion="" if plugin.en else guess,
        )

    def _group(self, group: str, at: Scalar, node: Node) -> None:
        names = [id.partition(".")[2] for id in self.options.groups.get(group, ())]
        if isinstance(node, Scalar) and node.value is None:
            self.wrong(
                at,
                "empty-section",
                f"{group} 后面什么也没写：填上选项或者去掉这一行",
                f"{group} has nothing in it: fill it in or take it out",
                allowed=", ".join(names),
            )
            return
        if not isinstance(node, MapNode):
            wide = full_width(node.text) if isinstance(node, Scalar) and "：" in node.text else ""
            self.wrong(
                node,
                "full-width" if wide else "wrong-type",
                f"{group} 是一组选项，要写成 {group}: {{{names[0] if names else '…'}: …}}",
                f"{group} is a group of options: write {group}: {{{names[0] if names else '…'}: …}}",
                allowed=", ".join(names),
                suggestion=f"{{{wide}}}" if wide else "",
            )
            return
        for name, (name_at, value) in node.entries.items():
            if self.full:
                return
            id = f"{group}.{name}"
            if id in self.options:
                self._set(id, name_at, value)
            elif id in self.options.renamed:
                self._set(self._renamed(id, name_at), name_at, value)
            elif not self._colon(name, name_at):
                plugin = who_has(id)
                guess = closest(name, names) if not plugin.en else ""
                if not guess and not plugin.en:
                    elsewhere = self.options.suggest(id)
                    guess = elsewhere if not elsewhere.startswith(f"{group}.") else ""
                self.wrong(
                    name_at,
                    "unknown-option",
                    f"{group} 里没有 {name}{plugin.zh}",
                    f"{group} has no option {name}{plugin.en}",
                    allowed=", ".join(names),
                    suggestion=guess,
                )

    def _colon(self, key: str, at: Scalar) -> bool:
        """Is an unknown key one with a value stuck to it? Then that is what is wrong, and it is said here (once)."""
        if "：" in key:
            return True  # said already, where the colon was read
        name, colon, value = key.partition(":")
        if not colon or not name or not at.bare:
            return False
        self.wrong(
            at, "colon-space", "冒号后面要空一格", "a space must follow the colon", suggestion=f"{name}: {value}"
        )
        return True

    def _renamed(self, old: str, at: Scalar) -> str:
        new = self.options.renamed[old]
        self.problems.append(renamed_problem(old, new, self.source, at))
        return new

    def _set(self, id: str, at: Scalar, node: Node) -> None:
        if id in self.settings:
            self.wrong(
                at,
                "duplicate-key",
                f"{id} 设了两次（新旧名字各一次）",
                f"{id} is set twice (by its old and its new name)",
            )
            return
        option = self.options[id]
        if isinstance(node, Scalar) and node.value is None and node.text == "":
            zh, en = f"{id} 后面什么也没写", f"{id} has no value"
            self.wrong(at, "empty-section", zh, en, allowed=allowed_values(option))
            return
        try:
            value = option.parse(node.plain())
        except BadValue as bad:
            self.problems.append(self._bad(bad, option, node))
            return
        self.settings[id] = Setting(value, at.line, at.col, self.source.line(at.line))

    def _bad(self, bad: BadValue, option: Option, node: Node) -> Problem:
        place: Node = node
        for step in bad.path:
            if isinstance(place, MapNode) and str(step) in place.entries:
                key, value = place.entries[str(step)]
                place = key if bad.suggestion or isinstance(value, (MapNode, ListNode)) else value
                if place is key:
                    break
            elif isinstance(place, ListNode) and isinstance(step, int) and 0 <= step < len(place.items):
                place = place.items[step]
            else:
                break
        zh, en = bad.text.zh, bad.text.en
        hint = misread(place)
        if hint is not None and not isinstance(option, Choice):  # a choice is a text: nothing was misread
            zh, en = f"{zh}；{hint.zh}", f"{en}; {hint.en}"
        suggestion = bad.suggestion
        if not suggestion and isinstance(place, Scalar) and place.bare:
            suggestion = full_width(place.text)[:40]
        return self.source.at(place, "bad-value", Text(zh, en), allowed=bad.allowed, suggestion=suggestion)

    def _notes(self, node: Node) -> None:
        if not isinstance(node, MapNode):
            empty = isinstance(node, Scalar) and node.value is None
            self.wrong(
                node,
                "empty-section" if empty else "wrong-type",
                "notes 要写成 {选项: {status: …, source: …}}",
                "notes is a map {option: {status: …, source: …}}",
            )
            return
        for id, (at, value) in node.entries.items():
            if self.full:
                return
            if id in self.options.renamed and id not in self.options:
                id = self._renamed(id, at)
            if id not in self.options:
                self.wrong(
                    at,
                    "unknown-option",
                    f"notes 里的 {id} 不是选项",
                    f"notes name {id}, which is no option",
                    suggestion=self.options.suggest(id),
                )
            note = self._note(id, value)
            if note is not None:
                self.notes[id] = note

    def _note(self, id: str, node: Node) -> Note | None:
        if not isinstance(node, MapNode):
            self.wrong(
                node, "wrong-type", f"notes 的 {id} 要写成 {{status: …, source: …}}",
                f"the note of {id} is a map {{status: …, source: …}}", allowed="status, source",
            )  # fmt: skip
            return None
        found: dict[str, str] = {}
        for key, (at, value) in node.entries.items():
            said = value.value if isinstance(value, Scalar) else None
            if key not in ("status", "source"):
                self.wrong(
                    at, "unknown-key", f"注释里没有 {key}", f"a note has no {key}", allowed="status, source",
                    suggestion=closest(key, ("status", "source")),
                )  # fmt: skip
            elif not isinstance(said, str) or len(said) > MAX_TEXT:
                self.wrong(value, "wrong-type", f"{key} 要写文字", f"{key} is a text")
            elif key == "status" and said not in STATUSES:
                self.wrong(
                    value, "bad-value", f"status 没有 {said} 这个取值", f"{said!r} is no status",
                    allowed=", ".join(STATUSES), suggestion=closest(said, STATUSES),
                )  # fmt: skip
            else:
                found[key] = said
        if "status" not in node.entries:
            zh, en = f"notes 的 {id} 缺少 status", f"the note of {id} lacks its status"
            self.wrong(node, "note-status", zh, en, allowed=", ".join(STATUSES))
        return Note(found["status"], found.get("source", "")) if "status" in found else None


def renamed_problem(old: str, new: str, source: Source | None, at: Node | None, path: str = "") -> Problem:
    """The warning that an option has a new name."""
    said = Text(f"{old} 现在叫 {new}，旧名字暂时还能用", f"{old} is now called {new}; the old name still works")
    if source is not None and at is not None:
        return source.at(at, "renamed-option", said, severity="warning", suggestion=new)
    return Problem("renamed-option", said, path=path, severity="warning", suggestion=new)


def allowed_values(option: Option) -> str:
    """The values of an option as one line: the named ones, or what its schema says."""
    named: Mapping[str, Text] = option.values()
    if named:
        return ", ".join(named)
    examples = [option.show(value) for value in option.examples()[:3]]
    return ", ".join(examples) + ", …" if examples else ""
