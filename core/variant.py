"""One variant file: read, checked as far as it can be alone, and split into what it sets."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Final

from gunzi.errors import Text
from gunzi.options import BadValue, Choice, Option, closest
from gunzi.optionset import META_KEYS, OptionSet, group_of
from gunzi.problems import Problem
from gunzi.source import ListNode, MapNode, Node, Scalar, Source, full_width, misread, read

FORMAT: Final = 1
"""The format of variant files this gunzi reads: the value of their key ``gunzi``."""
STATUSES: Final = ("stated", "inferred", "ruled", "operator")
ID: Final = re.compile(r"[a-z][a-z0-9]*(?:-[a-z0-9]+)*", re.ASCII)
MAX_TEXT: Final = 4_000


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


@dataclass(slots=True)
class VariantFile:
    """What a variant file says about itself; its options are read later, when the plugins of its whole chain are known.

    ``extends``, ``plugins`` and ``silence`` keep the nodes they stand at. ``path`` is the path as shown.
    """

    source: Source
    id: str = ""
    name: Text = Text("", "")
    description: Text = Text("", "")
    version: str = ""
    extends: list[tuple[str, Node]] = field(default_factory=list)
    plugins: list[tuple[str, Node]] = field(default_factory=list)
    silence: list[tuple[str, Node]] = field(default_factory=list)
    problems: list[Problem] = field(default_factory=list)

    @property
    def path(self) -> str:
        """The path as shown in messages."""
        return self.source.path


def read_variant(data: bytes | str, path: str) -> VariantFile:
    """A variant file's own keys. Never raises for bad content: see ``problems``."""
    file = VariantFile(read(data, path))
    _Reader(file).read()
    return file


class _Reader:
    """Reads the keys that are no options; collects problems and goes on."""

    def __init__(self, file: VariantFile) -> None:
        self.file = file
        self.source = file.source
        self.problems = file.problems

    def wrong(self, node: Node, code: str, zh: str, en: str, **more: Any) -> None:
        hint = misread(node)
        if hint is not None and "suggestion" not in more:
            zh, en = f"{zh}；{hint.zh}", f"{en}; {hint.en}"
        self.problems.append(self.source.at(node, code, Text(zh, en), **more))

    def read(self) -> None:
        self.problems += self.source.problems
        root = self.source.root
        if root is None:
            return
        if not isinstance(root, MapNode):
            guess = full_width(root.text) if isinstance(root, Scalar) else ""
            self.wrong(
                root,
                "full-width" if guess else "not-a-map",
                "变体文件要写成“键: 值”的样子",
                "a variant file is made of `key: value` lines",
                suggestion=guess[:40],
            )
            return
        self.format(root)
        self.id(root)
        self.file.name = self.bilingual(root, "name", 80) or Text(self.file.id, self.file.id)
        self.file.description = self.bilingual(root, "description", MAX_TEXT) or Text("", "")
        node = root.get("version")
        if node is not None:
            text = self.text(node, "version", 40) if not _is_int(node) else _text_of(node)
            self.file.version = text or ""
        for key in ("extends", "plugins", "silence"):
            getattr(self.file, key).extend(self.names(root, key))

    def format(self, root: MapNode) -> None:
        node = root.get("gunzi")
        if node is None:
            said = Text("缺少格式版本：第一行请写 gunzi: 1", "the format is missing: begin with `gunzi: 1`")
            self.problems.append(self.source.place(1, 1, "format-missing", said))
            return
        value = node.value if isinstance(node, Scalar) else None
        if isinstance(value, int) and not isinstance(value, bool) and value > FORMAT:
            self.wrong(
                node,
                "format-newer",
                f"这个文件的格式是 {value}，这个 gunzi 只认得 {FORMAT}：请升级 gunzi",
                f"the file has format {value}, this gunzi reads {FORMAT}: a newer gunzi is needed",
            )
        elif value is True or value != FORMAT:
            self.wrong(node, "format-bad", "gunzi 要写 1", "gunzi is 1", allowed="1")

    def id(self, root: MapNode) -> None:
        node = root.get("id")
        if node is None:
            said = Text("缺少 id，例如 id: my-house", "the id is missing: for example `id: my-house`")
            self.problems.append(self.source.place(1, 1, "id-missing", said))
            return
        text = node.value if isinstance(node, Scalar) else None
        if not isinstance(text, str) or not ID.fullmatch(text) or len(text) > 80:
            guess = kebab(text) if isinstance(text, str) else ""
            self.wrong(
                node,
                "id-bad",
                "id 要用小写字母、数字和连字符，以字母开头",
                "an id is small letters, digits and hyphens, beginning with a letter",
                allowed="my-house",
                suggestion=guess,
            )
            return
        self.file.id = text

    def text(self, node: Node, key: str, most: int) -> str | None:
        value = node.value if isinstance(node, Scalar) else None
        if self.empty(node, key):
            return None
        if not isinstance(value, str) or len(value) > most:
            self.wrong(
                node, "wrong-type", f"{key} 要写文字（最多 {most} 字）", f"{key} is a text of at most {most} characters"
            )
            return None
        return value

    def empty(self, node: Node, key: str) -> bool:
        if not (isinstance(node, Scalar) and node.value is None):
            return False
        self.wrong(
            node, "empty-section", f"{key} 后面什么也没写", f"{key} has nothing in it: fill it in or take it out"
        )
        return True

    def bilingual(self, root: MapNode, key: str, most: int) -> Text | None:
        node = root.get(key)
        if node is None:
            return None
        if not isinstance(node, MapNode):
            both = self.text(node, key, most)
            return None if both is None else Text(both, both)
        found: dict[str, str] = {}
        for lang, (at, value) in node.entries.items():
            if lang not in ("zh", "en"):
                self.wrong(
                    at, "unknown-key", f"{key} 里没有 {lang}", f"{key} has no {lang}", allowed="zh, en",
                    suggestion=closest(lang, ("zh", "en")),
                )  # fmt: skip
                continue
            said = self.text(value, f"{key}.{lang}", most)
            if said is not None:
                found[lang] = said
        if not found:
            if not node.entries:
                self.wrong(node, "empty-section", f"{key} 后面什么也没写", f"{key} has nothing in it", allowed="zh, en")
            return None
        return Text(found.get("zh", found.get("en", "")), found.get("en", found.get("zh", "")))

    def names(self, root: MapNode, key: str) -> list[tuple[str, Node]]:
        node = root.get(key)
        if node is None or self.empty(node, key):
            return []
        if isinstance(node, MapNode) or (not isinstance(node, ListNode) and key != "extends"):
            self.wrong(node, "wrong-type", f"{key} 要写成列表，例如 [a, b]", f"{key} is a list like [a, b]")
            return []
        found: list[tuple[str, Node]] = []
        for item in node.items if isinstance(node, ListNode) else [node]:
            value = item.value if isinstance(item, Scalar) else None
            if not isinstance(value, str) or not value.strip() or len(value) > 400:
                self.wrong(item, "wrong-type", f"{key} 里要写名字", f"{key} takes names")
            elif any(value == known for known, _ in found):
                self.wrong(item, "named-twice", f"{key} 里 {value} 写了两次", f"{key} names {value} twice")
            else:
                found.append((value, item))
        return found


def _is_int(node: Node) -> bool:
    return isinstance(node, Scalar) and isinstance(node.value, int) and not isinstance(node.value, bool)


def _text_of(node: Node) -> str:
    return node.text if isinstance(node, Scalar) else ""


def kebab(text: str) -> str:
    """A text as a kebab-case id; empty where nothing of it can be one."""
    made = re.sub(r"[^a-z0-9]+", "-", text.lower()).strip("-")
    return made if ID.fullmatch(made) else ""


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
                if key == "notes":
                    self._notes(value)
                elif key not in META_KEYS:
                    self._top(key, at, value)

    def wrong(self, node: Node, code: str, zh: str, en: str, **more: Any) -> None:
        self.problems.append(self.source.at(node, code, Text(zh, en), **more))

    def _top(self, key: str, at: Scalar, value: Node) -> None:
        options = self.options
        if key in options:
            if "." in key:
                group, _, name = key.partition(".")
                shown = options[key]
                form = f"{group}: {{{name}: {_text_of(value) or '…'}}}"
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
        if "：" in key:
            return  # said already, where the colon was read
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
        self.wrong(
            at, "unknown-key", f"没有 {key} 这个键", f"there is no key {key}", allowed=", ".join(keys), suggestion=guess
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
            id = f"{group}.{name}"
            if id in self.options:
                self._set(id, name_at, value)
            elif id in self.options.renamed:
                self._set(self._renamed(id, name_at), name_at, value)
            elif "：" not in name:
                guess = closest(name, names)
                if not guess:
                    elsewhere = self.options.suggest(id)
                    guess = elsewhere if not elsewhere.startswith(f"{group}.") else ""
                self.wrong(
                    name_at,
                    "unknown-option",
                    f"{group} 里没有 {name}",
                    f"{group} has no option {name}",
                    allowed=", ".join(names),
                    suggestion=guess,
                )

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
