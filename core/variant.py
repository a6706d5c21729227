"""One variant file: read, checked as far as it can be alone, and split into what it sets."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import Any, Final

from gunzi.errors import Text
from gunzi.options import closest
from gunzi.problems import Problem
from gunzi.source import ListNode, MapNode, Node, Scalar, Source, full_width, misread, read

FORMAT: Final = 1
"""The format of variant files this gunzi reads: the value of their key ``gunzi``."""
ID: Final = re.compile(r"[a-z][a-z0-9]*(?:-[a-z0-9]+)*", re.ASCII)
MAX_TEXT: Final = 4_000
MAX_NAMES: Final = 64
"""The longest list of files, plugins or codes."""


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
            number = node.text if isinstance(node, Scalar) and type(node.value) is int else None
            self.file.version = number or self.text(node, "version", 40) or ""
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
        if isinstance(node, ListNode) and len(node.items) > MAX_NAMES:
            zh, en = f"{key} 最多写 {MAX_NAMES} 个名字", f"{key} takes at most {MAX_NAMES} names"
            self.wrong(node, "too-many-names", zh, en)
            return []
        for item in node.items if isinstance(node, ListNode) else [node]:
            value = item.value if isinstance(item, Scalar) else None
            if not isinstance(value, str) or not value.strip() or len(value) > 400:
                self.wrong(item, "wrong-type", f"{key} 里要写名字", f"{key} takes names")
            elif any(value == known for known, _ in found):
                self.wrong(item, "named-twice", f"{key} 里 {value} 写了两次", f"{key} names {value} twice")
            else:
                found.append((value, item))
        return found


def kebab(text: str) -> str:
    """A text as a kebab-case id; empty where nothing of it can be one."""
    made = re.sub(r"[^a-z0-9]+", "-", text.lower()).strip("-")
    return made if ID.fullmatch(made) else ""
