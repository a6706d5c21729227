"""A score to print: one HTML page that needs nothing else, or plain text."""

from __future__ import annotations

from collections.abc import Iterator
from html import escape
from typing import Final

from gunzi.apps.cli import score_words as words
from gunzi.apps.cli.output import Out, columns, pad
from gunzi.apps.cli.sheet import Sheet
from gunzi.wording import counted

_STYLE: Final = """
body { font: 11pt/1.45 "Noto Sans CJK SC", "PingFang SC", "Microsoft YaHei", system-ui, sans-serif; margin: 1.5em; color: #111; }
h1 { font-size: 1.4em; margin: 0 0 .2em; }
h2 { font-size: 1.1em; margin: 1.4em 0 .3em; }
h3 { font-size: 1em; margin: 1em 0 .2em; }
table { border-collapse: collapse; width: 100%; }
th, td { border: 1px solid #999; padding: .15em .45em; text-align: left; vertical-align: top; }
th { background: #eee; }
td.n { text-align: right; white-space: nowrap; }
tr.round td { border-bottom: 2px solid #111; }
tr.sum td { font-weight: bold; }
pre { margin: 0; font: inherit; white-space: pre-wrap; }
.reasons td { border: 0; border-bottom: 1px dotted #bbb; }
.rule { color: #666; font-size: .85em; }
section.hand { break-inside: avoid; }
tr { break-inside: avoid; }
.remark { color: #a40; }
@page { size: A4 landscape; margin: 12mm; }
@media print { body { margin: 0; } th { -webkit-print-color-adjust: exact; print-color-adjust: exact; } }
"""
_NUMBERS: Final = frozenset({0, 1, 3, 5, 8, 9, 10, 11})
"""The columns of figures."""


def page(sheet: Sheet, out: Out) -> str:
    """The score as an HTML page."""
    t = out.t
    title = t(f"记分表：{sheet.rules.name.zh}", f"Score sheet: {sheet.rules.name.en}")
    policy = "default-src 'none'; style-src 'unsafe-inline'"
    body = "\n".join((*_summary(sheet, out, title), *_table(sheet, out), *_reasons(sheet, out)))
    return (
        f'<!DOCTYPE html>\n<html lang="{"zh-CN" if out.lang == "zh" else "en"}">\n<head>\n<meta charset="utf-8">\n'
        f'<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f'<meta http-equiv="Content-Security-Policy" content="{policy}">\n'
        f"<title>{escape(title)}</title>\n<style>{_STYLE}</style>\n</head>\n<body>\n{body}\n</body>\n</html>\n"
    )


def _summary(sheet: Sheet, out: Out, title: str) -> Iterator[str]:
    yield f"<h1>{escape(title)}</h1>"
    yield f"<p>{escape(_rules(sheet, out))}</p>"
    for line in words.standings(sheet, out):
        yield f"<p>{escape(line)}</p>"
    yield f"<p><strong>{escape(words.coming(sheet, out))}</strong></p>"


def _rules(sheet: Sheet, out: Out) -> str:
    rules = sheet.rules
    return out.t(
        f"规则 {rules.id}，指纹 {rules.hash[:19]}…；一共 {len(sheet.rows)} 把",
        f"rules {rules.id}, {rules.hash[:19]}…; {counted(len(sheet.rows), 'hand')}",
    )


def _table(sheet: Sheet, out: Out) -> Iterator[str]:
    yield "<table>"
    yield (
        "<thead><tr>" + "".join(f"<th>{escape(head)}</th>" for head in words.heads(sheet, out)) + "</tr></thead><tbody>"
    )
    for row in sheet.rows:
        mark = ' class="round"' if row.settlement.outcome.round_won_by is not None else ""
        filled = enumerate(words.cells(sheet, row, out))
        yield f"<tr{mark}>" + "".join(_cell(cell, place in _NUMBERS) for place, cell in filled) + "</tr>"
    total = "".join(_cell(words.signed(score), True) for score in sheet.scores)
    yield f'<tr class="sum"><td colspan="8">{escape(out.t("总分", "total"))}</td>{total}<td></td></tr>'
    yield "</tbody></table>"


def _cell(text: str, figures: bool) -> str:
    return f'<td class="n">{escape(text)}</td>' if figures else f"<td>{escape(text)}</td>"


def _reasons(sheet: Sheet, out: Out) -> Iterator[str]:
    if not sheet.rows:
        return
    yield f"<h2>{escape(out.t('每个数怎么来的', 'Where every number comes from'))}</h2>"
    for row in sheet.rows:
        yield f'<section class="hand"><h3>{escape(words.hand_title(sheet, row, out))}</h3>'
        yield '<table class="reasons">'
        for what, value, by in words.explained_rows(row, out):
            yield (
                f'<tr><td>{escape(what)}</td><td class="n">{escape(value)}</td><td class="rule">{escape(by)}</td></tr>'
            )
        yield "</table>"
        for line in words.after(sheet, row, out):
            yield f"<p>{escape(line.strip())}</p>"
        for remark in row.remarks:
            yield f'<p class="remark">{escape(out.say(remark))}</p>'
        yield "</section>"


def text(sheet: Sheet, out: Out) -> str:
    """The score as plain text."""
    lines = [out.t(f"记分表：{sheet.rules.name.zh}", f"Score sheet: {sheet.rules.name.en}"), _rules(sheet, out), ""]
    lines += [*_text_table(sheet, out), "", *words.standings(sheet, out), words.coming(sheet, out)]
    if sheet.rows:
        lines += ["", out.t("每个数怎么来的", "Where every number comes from")]
    for row in sheet.rows:
        lines += ["", words.hand_title(sheet, row, out), *words.reasons(sheet, row, out)]
    return "\n".join(line.rstrip() for line in lines) + "\n"


def _text_table(sheet: Sheet, out: Out) -> list[str]:
    rows = [words.heads(sheet, out), *(words.cells(sheet, row, out) for row in sheet.rows)]
    widths = [max(columns(row[place]) for row in rows) for place in range(len(rows[0]))]
    return [
        "  ".join(pad(cell, widths[place], place in _NUMBERS and number > 0) for place, cell in enumerate(row)).rstrip()
        for number, row in enumerate(rows)
    ]


def plain_out(lang: str) -> Out:
    """Where the words of a printed sheet come from: no colours, no signs a printer's font may lack."""
    out = Out(lang)
    out.colour = out.signs = False
    return out
