"""YAML read into nodes that know where they stand, without any of YAML's surprises.

Only ``true`` and ``false`` are booleans, only plain decimal integers are numbers, only ``null``, ``~`` and nothing at all
are null; everything else is text. Tags, merge keys, directives, several documents and duplicate keys are refused. Aliases
work within the limits below, counted after they are expanded.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any, Final

import yaml

from gunzi.errors import Text
from gunzi.problems import MOST, Problem

MAX_BYTES: Final = 1_000_000
MAX_DEPTH: Final = 64
MAX_NODES: Final = 50_000

_INTEGER: Final = re.compile(r"-?(?:0|[1-9][0-9]{0,17})", re.ASCII)
_PARSER: Final[Any] = yaml.CBaseLoader if yaml.__with_libyaml__ else yaml.BaseLoader  # libyaml is many times faster
_LINE_BREAK: Final = re.compile("\r\n|[\n\r\x85\u2028\u2029]")
_DIRECTIVE: Final = re.compile(r"^%", re.MULTILINE)


class Node:
    """A piece of a file. ``line`` and ``col`` count from 1; ``end_line`` and ``end_col`` are just behind its last character."""

    __slots__ = ("col", "end_col", "end_line", "height", "line", "size")

    def __init__(self, line: int, col: int) -> None:
        self.line, self.col = line, col
        self.end_line, self.end_col = line, col
        self.size = 1
        """How many nodes it is, aliases expanded."""
        self.height = 1

    def plain(self) -> Any:
        """The content as plain Python data; map keys are text."""
        raise AssertionError


class Scalar(Node):
    """A single value: None, a bool, an int or a text. ``text`` is how it was written, ``bare`` whether without quotes."""

    __slots__ = ("bare", "text", "value")

    def __init__(self, line: int, col: int, text: str, bare: bool) -> None:
        super().__init__(line, col)
        self.text, self.bare = text, bare
        self.value: bool | int | str | None = resolve(text) if bare else text

    def plain(self) -> Any:
        return self.value


class ListNode(Node):
    """A list."""

    __slots__ = ("items",)

    def __init__(self, line: int, col: int) -> None:
        super().__init__(line, col)
        self.items: list[Node] = []

    def plain(self) -> Any:
        return [item.plain() for item in self.items]


class MapNode(Node):
    """A map in file order; its keys are text as written (``10`` is the key ``"10"``)."""

    __slots__ = ("entries",)

    def __init__(self, line: int, col: int) -> None:
        super().__init__(line, col)
        self.entries: dict[str, tuple[Scalar, Node]] = {}

    def plain(self) -> Any:
        return {key: value.plain() for key, (_, value) in self.entries.items()}

    def get(self, key: str) -> Node | None:
        """The value under a key, or None."""
        found = self.entries.get(key)
        return found[1] if found else None


def resolve(text: str) -> bool | int | str | None:
    """What an unquoted YAML word stands for here."""
    if text in ("true", "false"):
        return text == "true"
    if text in ("", "~", "null"):
        return None
    return int(text) if _INTEGER.fullmatch(text) else text


_BOOLEAN_WORDS: Final = {"yes", "on", "y", "true", "no", "off", "n", "false"}


def misread(node: Node | None) -> Text | None:
    """What to tell somebody who wrote a word that other YAML readers take for something else; None for all others."""
    if not isinstance(node, Scalar) or not node.bare or not isinstance(node.value, str):
        return None
    text = node.text
    if len(text) > 40:
        return None
    word = text.lower()
    if word in _BOOLEAN_WORDS:
        return Text(f"`{text}` 在这里是文字：请写 true 或 false", f"`{text}` is text here: write true or false")
    if word == "null":
        return Text(f"`{text}` 在这里是文字", f"`{text}` is text here")
    if re.fullmatch(r"[-+]?[0-9]+\.0*", text, re.ASCII) or re.fullmatch(r"[-+]?0[0-9]+|\+[0-9]+", text, re.ASCII):
        number = text.split(".")[0]
        plain = str(int(number)) if len(number) < 18 else number
        return Text(
            f"`{text}` 在这里是文字：整数请写 {plain}", f"`{text}` is text here: write the whole number as {plain}"
        )
    if re.fullmatch(r"[-+]?(?:[0-9.][0-9_:.,eExXoOa-fA-F+-]*|\.inf|\.nan)", word, re.ASCII) or word in (".nan", ".inf"):
        return Text(
            f"`{text}` 在这里是文字：数字只能写十进制整数",
            f"`{text}` is text here: numbers are plain decimal integers",
        )
    return None


def full_width(text: str) -> str:
    """The text with full-width punctuation made plain, where there is any that YAML would need; otherwise empty."""
    plain = text.translate(_FULL_WIDTH)
    return plain if plain != text else ""


_FULL_WIDTH: Final = str.maketrans(
    {"：": ": ", "，": ", ", "｛": "{", "｝": "}", "［": "[", "］": "]", "＃": "#", "　": " "}
)


@dataclass(slots=True)
class Source:
    """A file as read: its path as it is shown, its lines, the root node (None if unreadable) and what is wrong."""

    path: str
    lines: list[str] = field(default_factory=list)
    root: Node | None = None
    problems: list[Problem] = field(default_factory=list)

    def line(self, number: int) -> str:
        """The text of a line, counted from 1; empty outside the file."""
        return self.lines[number - 1] if 0 < number <= len(self.lines) else ""

    def at(self, node: Node, code: str, text: Text, **more: Any) -> Problem:
        """A problem at a node."""
        same_line = node.end_line == node.line
        width = node.end_col - node.col if same_line else len(self.line(node.line)) - node.col + 1
        return self.place(node.line, node.col, code, text, width=max(1, width), **more)

    def place(self, line: int, col: int, code: str, text: Text, **more: Any) -> Problem:
        """A problem at a place."""
        return Problem(code, text, path=self.path, line=line, col=col, excerpt=self.line(line), **more)


class _Stop(Exception):
    """Reading cannot go on; the problem says why."""

    def __init__(self, problem: Problem) -> None:
        super().__init__(problem.code)
        self.problem = problem


def read(data: bytes | str, path: str = "<text>") -> Source:
    """A YAML file's content as nodes. Never raises for bad content: see ``problems`` of what is returned."""
    source = Source(path)
    if isinstance(data, str):
        data = data.encode("utf-8", "surrogatepass")
    if len(data) > MAX_BYTES:
        size = Text(f"文件太大：最多 {MAX_BYTES:,} 字节", f"the file is too large: at most {MAX_BYTES:,} bytes")
        source.problems.append(Problem("too-large", size, path=path))
        return source
    text = _decode(data, source)
    if text is None:
        return source
    source.lines = _LINE_BREAK.split(text)
    try:
        source.root = _Composer(source).compose(text)
    except _Stop as stop:
        source.problems.append(stop.problem)
    except yaml.YAMLError as error:
        from gunzi.syntax import syntax_problem  # needed only when something is wrong

        source.problems.append(syntax_problem(source, error))
    return source


def _decode(data: bytes, source: Source) -> str | None:
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        bad = error.start
    line = data.count(b"\n", 0, bad) + 1
    start = data.rfind(b"\n", 0, bad) + 1
    col = len(data[start:bad].decode("utf-8", "replace")) + 1
    if data[:2] in (b"\xff\xfe", b"\xfe\xff"):
        guess = "UTF-16"
    else:
        try:
            data.decode("gb18030")
            guess = "GBK"
        except UnicodeDecodeError:
            guess = ""
    zh = f"文件不是 UTF-8 编码（看起来是 {guess}）" if guess else "文件不是 UTF-8 编码（也不是 GBK）"
    en = f"the file is not UTF-8 (it looks like {guess})" if guess else "the file is not UTF-8 (nor GBK)"
    text = Text(zh + "：请另存为 UTF-8", en + ": save it as UTF-8")
    source.problems.append(Problem("encoding", text, path=source.path, line=line, col=col))
    return None


class _Composer:
    """Builds the nodes from the parser's events; no recursion, everything counted."""

    def __init__(self, source: Source) -> None:
        self.source = source
        self.anchors: dict[str, Node] = {}
        self.open_anchors: set[int] = set()
        self.nodes = 0
        self.stack: list[tuple[ListNode | MapNode, list[Scalar | None]]] = []
        self.root: Node | None = None

    def stop(self, mark: Any, code: str, zh: str, en: str) -> _Stop:
        return _Stop(self.source.place(mark.line + 1, mark.column + 1, code, Text(zh, en)))

    def compose(self, text: str) -> Node | None:
        directive = _DIRECTIVE.search(text)
        if directive:
            line = len(_LINE_BREAK.findall(text, 0, directive.start())) + 1
            said = Text(
                "这里不能用 YAML 指令（以 % 开头的行）", "YAML directives (lines that begin with %) are not used here"
            )
            raise _Stop(self.source.place(line, 1, "directive", said))
        documents = 0
        for event in _events(text):
            kind = type(event)
            if kind is yaml.ScalarEvent:
                self.scalar(event)
            elif kind is yaml.MappingStartEvent or kind is yaml.SequenceStartEvent:
                self.start(event, kind is yaml.MappingStartEvent)
            elif kind is yaml.MappingEndEvent or kind is yaml.SequenceEndEvent:
                self.end(event)
            elif kind is yaml.AliasEvent:
                self.alias(event)
            elif kind is yaml.DocumentStartEvent:
                documents += 1
                if documents > 1:
                    raise self.stop(
                        event.start_mark,
                        "many-documents",
                        "一个文件只能有一份文档（去掉 --- 分隔线）",
                        "a file holds one document: take the --- line out",
                    )
        root = self.root
        if root is None or (isinstance(root, Scalar) and root.value is None):
            said = Text("文件是空的", "the file is empty")
            raise _Stop(self.source.place(1, 1, "empty-file", said))
        return root

    def count(self, mark: Any, nodes: int, height: int) -> None:
        self.nodes += nodes
        if self.nodes > MAX_NODES:
            raise self.stop(
                mark,
                "too-many",
                f"内容太多：展开别名后最多 {MAX_NODES:,} 个值",
                f"too much content: at most {MAX_NODES:,} values, aliases expanded",
            )
        if len(self.stack) + height > MAX_DEPTH:
            raise self.stop(
                mark, "too-deep", f"嵌套太深：最多 {MAX_DEPTH} 层", f"nested too deeply: at most {MAX_DEPTH} levels"
            )

    def check(self, event: Any) -> None:
        if event.tag is not None:
            raise self.stop(
                event.start_mark,
                "tag",
                f"这里不能用 YAML 标签 {event.tag[:80]}",
                f"YAML tags are not used here ({event.tag[:80]})",
            )
        self.count(event.start_mark, 1, 1)

    def scalar(self, event: Any) -> None:
        self.check(event)
        mark, end = event.start_mark, event.end_mark
        node = Scalar(mark.line + 1, mark.column + 1, event.value, event.style is None or event.style == "")
        node.end_line, node.end_col = end.line + 1, end.column + 1
        if event.anchor is not None:
            self.anchors[event.anchor] = node
        self.attach(node)

    def start(self, event: Any, is_map: bool) -> None:
        self.check(event)
        mark = event.start_mark
        node = MapNode(mark.line + 1, mark.column + 1) if is_map else ListNode(mark.line + 1, mark.column + 1)
        if event.anchor is not None:
            self.anchors[event.anchor] = node
        self.open_anchors.add(id(node))
        self.stack.append((node, [None]))

    def end(self, event: Any) -> None:
        node, _ = self.stack.pop()
        self.open_anchors.discard(id(node))
        node.end_line, node.end_col = event.end_mark.line + 1, event.end_mark.column + 1
        self.attach(node)

    def alias(self, event: Any) -> None:
        node = self.anchors.get(event.anchor)
        mark = event.start_mark
        if node is None:
            raise self.stop(
                mark, "alias-unknown", f"没有叫 &{event.anchor} 的锚点", f"there is no anchor &{event.anchor}"
            )
        if id(node) in self.open_anchors:
            raise self.stop(
                mark,
                "alias-cycle",
                f"别名 *{event.anchor} 指向自己所在的内容",
                f"the alias *{event.anchor} refers to itself",
            )
        self.count(mark, node.size, node.height)
        self.attach(node)

    def attach(self, node: Node) -> None:
        if not self.stack:
            self.root = node
            return
        parent, waiting = self.stack[-1]
        parent.size += node.size
        parent.height = max(parent.height, node.height + 1)
        if isinstance(parent, ListNode):
            parent.items.append(node)
            return
        key = waiting[0]
        if key is None:
            waiting[0] = self.key(node)
            return
        waiting[0] = None
        known = parent.entries.get(key.text)
        if known is not None:
            said = Text(
                f"{key.text} 写了两次：第 {known[0].line} 行和第 {key.line} 行",
                f"{key.text} is written twice: on line {known[0].line} and on line {key.line}",
            )
            if len(self.source.problems) < MOST:
                self.source.problems.append(self.source.at(key, "duplicate-key", said))
            return
        parent.entries[key.text] = (key, node)

    def key(self, node: Node) -> Scalar:
        if not isinstance(node, Scalar):
            raise _Stop(self.source.at(node, "key-not-text", Text("键只能是一个词", "a key is a single word")))
        if node.text == "<<" and node.bare:
            said = Text("这里不能用合并键 <<：继承请用 extends", "merge keys (<<) are not used here: use extends")
            raise _Stop(self.source.at(node, "merge-key", said))
        if node.bare and node.value is None and node.text == "":
            raise _Stop(
                self.source.at(node, "key-not-text", Text("冒号前面缺少键", "there is no key before the colon"))
            )
        if node.bare and "：" in node.text:
            at = node.text.index("：")
            said = Text("这里的冒号“：”是全角的", "this colon (：) is full-width")
            here = self.source.place(node.line, node.col + at, "full-width", said, suggestion=node.text[:at] + ":")
            self.source.problems.append(here)
        return node


def _events(text: str) -> Iterator[Any]:
    parser = _PARSER(text)
    try:
        while parser.check_event():
            yield parser.get_event()
    finally:
        parser.dispose()
