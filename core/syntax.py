"""A YAML parser's complaints in plain words, at the place where a person would look."""

from __future__ import annotations

import re
from typing import Final

import yaml

from gunzi.errors import Text
from gunzi.problems import Problem
from gunzi.source import MAX_DEPTH, Source

_PLAIN_WORDS: Final = (
    (
        "mapping values are not allowed",
        "这里不能再有冒号（看看缩进）",
        "a second colon is not allowed here (look at the indentation)",
    ),
    ("cannot start any token", "这个字符不能写在这里", "this character cannot stand here"),
    ("found a tab character", "缩进不能用制表符，请用空格", "tabs cannot indent: use spaces"),
    ("could not find expected ':'", "这里缺少冒号", "a colon is missing here"),
    (
        "did not find expected key",
        "这里应该是一个键（看看缩进和引号）",
        "a key should stand here (look at the indentation)",
    ),
    ("expected <block end>", "这里应该是一个键（看看缩进和引号）", "a key should stand here (look at the indentation)"),
    ("did not find expected '-'", "这里应该是列表的下一项（- ）", "the next list item (-) should stand here"),
    ("did not find expected ',' or '}'", "花括号没有写完：缺少 , 或 }", "the braces are not closed: , or } is missing"),
    (
        "did not find expected ',' or ']'",
        "方括号没有写完：缺少 , 或 ]",
        "the brackets are not closed: , or ] is missing",
    ),
    ("expected ',' or '}'", "花括号没有写完：缺少 , 或 }", "the braces are not closed: , or } is missing"),
    ("expected ',' or ']'", "方括号没有写完：缺少 , 或 ]", "the brackets are not closed: , or ] is missing"),
    ("unexpected end of stream", "引号没有写完", "a quotation mark is not closed"),
    (
        "sequence entries are not allowed",
        "列表不能写在这里：换一行再写 -",
        "a list cannot begin here: start it on a new line",
    ),
    ("control characters are not allowed", "文件里有控制字符", "there is a control character in the file"),
    ("special characters are not allowed", "文件里有控制字符", "there is a control character in the file"),
    ("node content", "这里应该有一个值", "a value should stand here"),
    (
        "document start>",
        "上面已经写完了，后面多了东西",
        "everything was closed before this: it is one too many",
    ),
    (
        "expected alphabetic or numeric",
        "& 和 * 后面要跟名字；文字里有 & 或 * 请加引号",
        "a name must follow & and *; quote a text that has them",
    ),
    (
        "scanning a block scalar",
        "| 和 > 后面要换行；文字里有它们请加引号",
        "the text begins on the line after | or >; quote a text that has them",
    ),
    ("unknown escape character", "双引号里没有这种转义", "there is no such escape inside double quotes"),
)


_POINT_TO_START: Final = ("could not find expected ':'", "end of stream", "expected ',' or")
"""Complaints that are better shown where the thing begins than where the parser gave up."""


_GLUED: Final = re.compile(r"\s*(?:- )?([A-Za-z_][A-Za-z0-9_.]*):(?=[^\s:/])")
"""A key whose colon no space follows."""


def syntax_problem(source: Source, error: yaml.YAMLError) -> Problem:
    """A YAML parser's complaint in plain words, with its place."""
    mark = getattr(error, "problem_mark", None) or getattr(error, "context_mark", None)
    begun = getattr(error, "context_mark", None)
    raw = " ".join(str(part) for part in (getattr(error, "context", None), getattr(error, "problem", None)) if part)
    raw = raw or str(getattr(error, "reason", "")) or "it cannot be read"
    if begun is not None and any(part in raw for part in _POINT_TO_START):
        mark = begun
    line, col = (mark.line + 1, mark.column + 1) if mark is not None else (1, 1)
    if mark is None:
        where = getattr(error, "position", None)
        if isinstance(where, int):
            text = "\n".join(source.lines).encode("utf-8", "replace")[:where].decode("utf-8", "replace")
            line, col = text.count("\n") + 1, len(text) - text.rfind("\n")
    if line > len(source.lines):
        line, col = len(source.lines), len(source.lines[-1]) + 1
    zh, en = "YAML 格式不对", "this is not YAML"
    for part, said_zh, said_en in _PLAIN_WORDS:
        if part in raw:
            zh, en = said_zh, said_en
            break
    here = source.line(line)
    if "cannot start any token" in raw and here[col - 1 : col] == "\t":
        zh, en = "缩进不能用制表符，请用空格", "tabs cannot indent: use spaces"
    if "maximum nesting depth" in raw:
        deep = Text(f"嵌套太深：最多 {MAX_DEPTH} 层", f"nested too deeply: at most {MAX_DEPTH} levels")
        return source.place(line, col, "too-deep", deep)
    for near in (line, line - 1):
        text = source.line(near)
        if "：" in text:
            at = text.index("：")
            word = (text[:at].split() or [""])[-1]
            zh += f"（第 {near} 行的冒号“：”是全角的）"
            en += f" (line {near} has a full-width colon ：)"
            return source.place(near, at + 1, "full-width", Text(zh, en), suggestion=f"{word}:")
        glued = _GLUED.match(text)
        if glued and ("mapping values" in raw or "expected ':'" in raw):
            said = Text("冒号后面要空一格", "a space must follow the colon")
            word = glued.group(1)
            return source.place(near, glued.end(), "colon-space", said, suggestion=f"{word}: ")
    return source.place(line, col, "yaml-syntax", Text(zh, f"{en} [{raw}]" if en == "this is not YAML" else en))
