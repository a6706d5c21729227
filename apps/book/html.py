"""The rule book as one HTML page: style and card pictures inside, nothing fetched from anywhere."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache
from html import escape
from importlib.resources import files

from gunzi.apps.book.drawing import definitions, picture
from gunzi.apps.book.parts import (
    Block,
    Book,
    Bullets,
    Cards,
    Cell,
    Chapter,
    Code,
    Entry,
    Group,
    Link,
    Para,
    Row,
    Shown,
    Table,
    anchor,
)
from gunzi.apps.book.words import Words
from gunzi.cards import Card


@lru_cache(maxsize=1)
def style() -> str:
    """The style sheet."""
    return (files("gunzi.apps.book") / "page.css").read_text(encoding="utf-8")


def document(lang: str, title: str, body: str, more_style: str = "") -> str:
    """A whole page that needs nothing else; ``more_style`` follows the book's style sheet."""
    policy = "default-src 'none'; style-src 'unsafe-inline'; img-src data:"
    return (
        f'<!DOCTYPE html>\n<html lang="{"zh-CN" if lang == "zh" else "en"}">\n<head>\n<meta charset="utf-8">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f'<meta http-equiv="Content-Security-Policy" content="{policy}">\n'
        f"<title>{escape(title)}</title>\n<style>\n{style()}{more_style}</style>\n</head>\n<body>\n{body}\n</body>\n</html>\n"
    )


def page(book: Book) -> str:
    """The whole book."""
    say = Words(book.lang)
    contents = "".join(f'<li><a href="#{chapter.id}">{escape(chapter.title)}</a></li>' for chapter in book.chapters)
    facts = "".join(f"<dt>{escape(what)}</dt><dd>{cell(text)}</dd>" for what, text in book.facts)
    parts = [
        definitions(_used(book), say),
        f"<header><h1>{escape(book.title)}</h1>",
        f'<p class="intro">{escape(book.intro)}</p>' if book.intro else "",
        f'<dl class="facts">{facts}</dl></header>',
        f'<nav aria-label="{say("目录", "contents")}"><ol>{contents}</ol></nav>',
        "<main>",
        *(_chapter(chapter, say) for chapter in book.chapters),
        "</main>",
        f"<footer>{_colophon(say)}</footer>",
    ]
    return document(book.lang, book.title, "\n".join(part for part in parts if part))


def _colophon(say: Words) -> str:
    return say(
        "本书由 gunzi 按这套规则写成；每个例子都在写书时由程序当场判过。",
        "Written by gunzi from the rule set; every example was put to the rules while it was written.",
    )


def _used(book: Book) -> Iterator[Card]:
    for chapter in book.chapters:
        for block in chapter.blocks:
            rows: Sequence[Row] = ()
            if isinstance(block, Cards):
                rows = block.rows
            elif isinstance(block, Entry):
                rows = [row for shown in block.examples for row in shown.rows]
            yield from cards_in(rows)


def cards_in(rows: Sequence[Row]) -> Iterator[Card]:
    """Every card in rows of cards."""
    for row in rows:
        for group in row.groups:
            yield from group.cards


def _chapter(chapter: Chapter, say: Words) -> str:
    inner = "\n".join(_block(block, say) for block in chapter.blocks)
    return f'<section><h2 id="{chapter.id}">{escape(chapter.title)}</h2>\n{inner}</section>'


def _block(block: Block, say: Words) -> str:
    if isinstance(block, Para):
        return f"<p>{escape(block.text)}</p>"
    if isinstance(block, Bullets):
        return "<ul>" + "".join(f"<li>{escape(item)}</li>" for item in block.items) + "</ul>"
    if isinstance(block, Table):
        return table(block)
    if isinstance(block, Cards):
        return "".join(row_of_cards(row, say) for row in block.rows)
    return _entry(block, say)


def cell(value: Cell) -> str:
    """What stands in a cell of a table."""
    if isinstance(value, Link):
        return f'<a href="#{value.anchor}">{escape(value.text)}</a>'
    if isinstance(value, Code):
        return f"<code>{escape(value.text)}</code>"
    return escape(value)


def table(block: Table, own: int | None = None) -> str:
    """A table; ``own``: the column to be marked. Wide ones become a list on small screens."""

    def kind(place: int) -> str:
        names = [name for name, is_so in (("figure", place in block.figures), ("own", place == own)) if is_so]
        return f' class="{" ".join(names)}"' if names else ""

    wide = len(block.head) > 3
    head = "".join(f"<th{kind(place)}>{escape(text)}</th>" for place, text in enumerate(block.head))
    rows = []
    for row in block.rows:
        cells = []
        for place, value in enumerate(row):
            label = f' data-head="{escape(block.head[place], quote=True)}"' if wide and place else ""
            cells.append(f"<td{kind(place)}{label}>{cell(value)}</td>")
        rows.append(f"<tr>{''.join(cells)}</tr>")
    name = "stack" if wide else "narrow"
    return f'<div class="scroll"><table class="{name}"><thead><tr>{head}</tr></thead><tbody>{"".join(rows)}</tbody></table></div>'


def row_of_cards(row: Row, say: Words) -> str:
    """A label and groups of cards."""
    groups = "".join(_group(group, say) for group in row.groups)
    return f'<div class="row"><span class="label">{escape(row.label)}</span><span class="groups">{groups}</span></div>'


def _group(group: Group, say: Words) -> str:
    hand = "".join(picture(card, say) for card in group.cards) or escape(say.cards(()))
    if group.right is not None:
        kind, sign = ("good", "✓") if group.right else ("bad", "✗")
        hand += f'<span class="verdict {kind}">{sign}</span>'
    caption = f'<span class="caption">{escape(group.caption)}</span>' if group.caption else ""
    return f'<span class="group"><span class="hand">{hand}</span>{caption}</span>'


def _entry(entry: Entry, say: Words) -> str:
    badge = f'<span class="badge">{say("和推荐不一样", "not as recommended")}</span>' if entry.recommended else ""
    parts = [
        f'<h3 id="{anchor(entry.option)}">{escape(entry.name)}{badge}</h3>',
        f'<p class="asks">{escape(entry.asks)}</p>',
        f'<p class="says">{escape(entry.says)}</p>',
    ]
    if entry.idle:
        parts.append(f'<p class="idle">{escape(entry.idle)}</p>')
    if entry.recommended:
        basis = escape(entry.basis.status) + (
            f"{say('：', ': ')}{escape(entry.basis.source)}" if entry.basis.source else ""
        )
        parts.append(
            f'<div class="basis"><div><b>{say("推荐打法", "Recommended")}</b>{escape(entry.recommended)}</div>'
            f"<div><b>{say('凭什么', 'On what authority')}</b>{basis}</div>"
            f"<div><b>{say('写在', 'Set in')}</b><code>{escape(entry.basis.where)}</code></div></div>"
        )
    many = len(entry.examples) > 1
    parts += [example(shown, number if many else 0, say) for number, shown in enumerate(entry.examples, 1)]
    kind = ' class="differs"' if entry.recommended else ""
    return f"<article{kind}>{''.join(parts)}</article>"


def example(shown: Shown, number: int, say: Words) -> str:
    """A worked example; ``number`` 0: the only one."""
    label = say("例", "Example") + (f" {number}" if number else "")
    rows = "".join(row_of_cards(row, say) for row in shown.rows)
    why = "".join(f"<li>{escape(text)}</li>" for text in shown.why)
    others = "".join(f"<li>{escape(who)}{say('：', ': ')}{escape(answer)}</li>" for who, answer in shown.others)
    return (
        f'<div class="example" data-example="{escape(shown.name, quote=True)}">'
        f'<p><span class="label">{label}</span>{escape(shown.setting)}</p>{rows}'
        f'<p class="answer">{escape(shown.answer)}</p>'
        + (f'<ul class="why">{why}</ul>' if why else "")
        + (f'<ul class="others">{others}</ul>' if others else "")
        + "</div>"
    )
