"""The rule book as Markdown: readable as it is, and where Markdown is shown."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Final

from gunzi.apps.book.parts import Block, Book, Bullets, Cards, Cell, Code, Entry, Link, Para, Row, Shown, Table, anchor
from gunzi.apps.book.words import Words

_SPECIAL: Final = re.compile(r"([\\`*_\[\]<>|])")
_LINE_START: Final = re.compile(r"^(\s*)([#+-]|\d+\.)(?=\s)")


def markdown(book: Book) -> str:
    """The whole book."""
    say = Words(book.lang)
    rows = [f"# {_plain(book.title)}", ""]
    if book.intro:
        rows += [_plain(book.intro), ""]
    rows += [*(f"- {_plain(what)}{say('：', ': ')}{_cell(text)}" for what, text in book.facts), ""]
    for chapter in book.chapters:
        rows += [f'<a id="{chapter.id}"></a>', "", f"## {_plain(chapter.title)}", ""]
        for block in chapter.blocks:
            rows += [*_block(block, say), ""]
    return "\n".join(rows).rstrip("\n") + "\n"


def _plain(text: str) -> str:
    """A text that Markdown shows as it is."""
    said = _SPECIAL.sub(r"\\\1", " ".join(text.split()))
    return _LINE_START.sub(r"\1\\\2", said)


def _cell(cell: Cell) -> str:
    if isinstance(cell, Link):
        return f"[{_plain(cell.text)}](#{cell.anchor})"
    if isinstance(cell, Code):
        text = cell.text.replace("|", "\\|")
        fence = "``" if "`" in text else "`"
        return f"{fence}{text}{fence}"
    return _plain(cell)


def _block(block: Block, say: Words) -> Iterable[str]:
    if isinstance(block, Para):
        return [_plain(block.text)]
    if isinstance(block, Bullets):
        return [f"- {_plain(item)}" for item in block.items]
    if isinstance(block, Table):
        return _table(block)
    if isinstance(block, Cards):
        return [f"- {_row(row, say)}" for row in block.rows]
    return _entry(block, say)


def _table(table: Table) -> list[str]:
    marks = ["---:" if place in table.figures else "---" for place in range(len(table.head))]
    rows = [[_plain(text) for text in table.head], marks, *([_cell(cell) for cell in row] for row in table.rows)]
    return [f"| {' | '.join(row)} |" for row in rows]


def _row(row: Row, say: Words) -> str:
    said = []
    for group in row.groups:
        text = say.cards(group.cards)
        if group.right is not None:
            text = f"{'✓' if group.right else '✗'} {text}"
        if group.caption:
            text += say(f"（{group.caption}）", f" ({group.caption})")
        said.append(text)
    return _plain(row.label + say("：", ": ") + say("；", "; ").join(said))


def _entry(entry: Entry, say: Words) -> list[str]:
    mark = say("（和推荐打法不一样）", " (not as recommended)") if entry.recommended else ""
    rows = [f'<a id="{anchor(entry.option)}"></a>', "", f"### {_plain(entry.name)}{mark}", ""]
    rows += [_plain(entry.asks), "", f"**{_plain(entry.says)}**"]
    if entry.idle:
        rows += ["", _plain(entry.idle)]
    if entry.recommended:
        joined = say("：", ": ")
        basis = entry.basis.status + (joined + entry.basis.source if entry.basis.source else "")
        rows += [
            "",
            f"- {say('推荐打法', 'recommended')}{joined}{_plain(entry.recommended)}",
            f"- {say('凭什么', 'on what authority')}{joined}{_plain(basis)}",
            f"- {say('写在', 'set in')}{joined}{_cell(Code(entry.basis.where))}",
        ]
    for number, shown in enumerate(entry.examples, 1):
        rows += ["", *_shown(shown, number if len(entry.examples) > 1 else 0, say)]
    return rows


def _shown(shown: Shown, number: int, say: Words) -> list[str]:
    label = say("例", "Example") + (f" {number}" if number else "")
    rows = [f"> **{label}** {_plain(shown.setting)}"]
    rows += [f"> - {_row(row, say)}" for row in shown.rows]
    rows += [">", f"> → **{_plain(shown.answer)}**"]
    rows += [f"> - {_plain(why)}" for why in shown.why]
    rows += [f"> - {_plain(who)}{say('：', ': ')}{_plain(answer)}" for who, answer in shown.others]
    return rows
