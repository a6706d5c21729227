"""Charts for reports that need nothing else: inline SVG that is as wide as its page, words as HTML that wraps.

Each function answers a piece of HTML for a page with ``STYLE`` in its style sheet. Nothing is fetched and no script runs; colours
come from the page (``--ink``, ``--soft``, ``--line``, ``--accent``, ``--box``, light and dark), positions are percentages, so that
nothing is distorted or cut at any width, on a phone or on paper. All texts are escaped here: hand over plain text. Equal data
give equal bytes.

* ``bars(rows, caption)``: a bar a row, with its label and its figure as text. Rows are ``Bar``.
* ``intervals(rows, caption)``: a forest plot: a dot with its interval a row, on a common axis with zero marked. Rows are ``Span``; a
  row without bounds shows its dot, one without a mean nothing.
* ``columns(values, caption)``: a distribution over 1, 2, 3 …: upright bars with few labels. Values are (label, count).
* ``heat(labels, cells, caption)``: a matrix whose cells are tinted by their share 0 … 1 of the strongest colour. Cells are ``Cell``.

``caption`` is read aloud as the name of the chart and stands over it. The figures are in the text too: nothing is told by colour alone.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from html import escape
from math import floor, log10
from typing import Final

STYLE: Final = """
figure.chart { margin: 1rem 0 1.5rem; }
figure.chart > figcaption { font-weight: 600; margin: 0 0 .4rem; }
.chart table { width: 100%; border-collapse: collapse; font-size: .92rem; line-height: 1.4; }
.chart th, .chart td { border: 0; padding: .18rem .5rem; vertical-align: middle; }
.chart tbody th { text-align: left; font-weight: 400; color: var(--ink); white-space: normal; width: 32%; overflow-wrap: anywhere; }
.chart tbody th small { display: block; color: var(--soft); }
.chart td.figure { text-align: right; white-space: nowrap; font-variant-numeric: tabular-nums; width: 1%; }
.chart td.plot { padding: .1rem .5rem; }
.chart svg { display: block; width: 100%; overflow: visible; }
.chart .bar { fill: var(--accent); }
.chart .track { fill: var(--box); }
.chart .span { stroke: var(--soft); stroke-width: 2.5; }
.chart .dot { fill: var(--soft); }
.chart .clear .span { stroke: var(--accent); } .chart .clear .dot { fill: var(--accent); }
.chart tr.clear td.figure { font-weight: 650; }
.chart .zero { stroke: var(--ink); stroke-width: 1; opacity: .55; }
.chart .grid { stroke: var(--line); stroke-width: 1; }
.chart svg text { fill: var(--soft); font-size: 12px; font-family: inherit; font-weight: 400; }
.chart svg.columns { margin-top: 1.6rem; }
.chart table.heat { width: auto; min-width: min(100%, 24rem); }
.chart .heat th, .chart .heat td { padding: .45rem .6rem; text-align: center; width: auto; }
.chart .heat th { overflow-wrap: normal; white-space: nowrap; max-width: 11rem; overflow: hidden; text-overflow: ellipsis; }
.chart .heat tbody th { text-align: right; position: sticky; left: 0; z-index: 1; background: var(--paper); }
.chart .heat td { font-variant-numeric: tabular-nums; white-space: nowrap; border: 1px solid var(--line); position: relative; }
.chart .heat td > svg { position: absolute; inset: 0; height: 100%; }
.chart .heat td > span { position: relative; }
.chart .heat thead td { border: 0; }
.chart .heat .clear { font-weight: 650; }
.chart .sideways { overflow-x: auto; }
@media (max-width: 40rem) {
  .chart table.rows tr { display: grid; grid-template-columns: 1fr auto; padding: .3rem 0; }
  .chart table.rows tbody th { width: auto; }
  .chart table.rows td.figure { width: auto; white-space: normal; }
  .chart table.rows td.plot { grid-column: 1 / -1; order: 1; }
  .chart table.rows tr.axis th, .chart table.rows tr.axis td.figure { display: none; }
}
@media print { .chart tr { break-inside: avoid; } .chart svg * { print-color-adjust: exact; -webkit-print-color-adjust: exact; } }
"""
"""What the charts need in a page's style sheet."""
PAD: Final = 3.0
"""Percent left free at either end of an axis, so that dots and labels at its ends are whole."""


@dataclass(frozen=True, slots=True)
class Bar:
    """A bar: its label, its length from 0 to 1, its figure as text, what is said of it besides (shown small under the label)."""

    label: str
    value: float
    figure: str
    note: str = ""


@dataclass(frozen=True, slots=True)
class Span:
    """A value with its interval, in the unit of the axis, and both as text; ``clear``: to be stressed (its interval leaves out zero)."""

    label: str
    mean: float | None
    low: float | None
    high: float | None
    figure: str
    clear: bool = False
    note: str = ""


@dataclass(frozen=True, slots=True)
class Cell:
    """A cell of a matrix: its text, how strongly it is tinted (0 to 1), and whether it is stressed."""

    text: str
    tint: float = 0.0
    clear: bool = False


def bars(rows: Sequence[Bar], caption: str) -> str:
    """Bars from the left, one a row; 1 is the whole width."""
    body = "".join(
        f'<tr>{_head(row.label, row.note)}<td class="plot">{_svg(16, _bar(row.value))}</td>'
        f'<td class="figure">{escape(row.figure)}</td></tr>'
        for row in rows
    )
    return _figure(caption, f'<table class="rows"><tbody>{body}</tbody></table>')


def _bar(value: float) -> str:
    length = _percent(100 * min(1.0, max(0.0, value)))
    return f'<rect class="track" x="0" y="1" width="100%" height="14" rx="2"/><rect class="bar" x="0" y="1" width="{length}" height="14" rx="2"/>'


def intervals(rows: Sequence[Span], caption: str, unit: str = "") -> str:
    """A forest plot: every row on one axis, which is labelled at the foot; ``unit`` follows the axis' figures."""
    shown = [value for row in rows for value in (row.mean, row.low, row.high) if value is not None]
    low, high = min([0.0, *shown]), max([0.0, *shown])
    if low == high:
        low, high = low - 1, high + 1
    ticks = _ticks(low, high)
    low, high = min(low, ticks[0]), max(high, ticks[-1])

    def at(value: float) -> str:
        return _percent(PAD + (100 - 2 * PAD) * (value - low) / (high - low))

    grid = "".join(
        f'<line class="{"zero" if tick == 0 else "grid"}" x1="{at(tick)}" x2="{at(tick)}" y1="0" y2="100%"/>'
        for tick in ticks
    )
    body = []
    for row in rows:
        marks = ""
        if row.low is not None and row.high is not None:
            marks += f'<line class="span" x1="{at(row.low)}" x2="{at(row.high)}" y1="11" y2="11"/>'
        if row.mean is not None:
            marks += f'<circle class="dot" cx="{at(row.mean)}" cy="11" r="4"/>'
        kind = ' class="clear"' if row.clear else ""
        body.append(
            f'<tr{kind}>{_head(row.label, row.note)}<td class="plot">{_svg(22, grid + marks)}</td>'
            f'<td class="figure">{escape(row.figure)}</td></tr>'
        )
    axis = "".join(
        f'<text x="{at(tick)}" y="12" text-anchor="middle">{escape(_tick(tick))}{escape(unit)}</text>' for tick in ticks
    )
    body.append(
        f'<tr class="axis" aria-hidden="true"><th></th><td class="plot">{_svg(16, axis)}</td><td class="figure"></td></tr>'
    )
    return _figure(caption, f'<table class="rows"><tbody>{"".join(body)}</tbody></table>')


def columns(values: Sequence[tuple[str, int]], caption: str, each: str) -> str:
    """Upright bars; ``each`` says one of them in words, with ``{label}`` and ``{count}``."""
    most = max((count for _, count in values), default=0) or 1
    step = 100 / max(1, len(values))
    # No more labels than fit on a phone.
    every = max(1, -(-len(values) // 10))
    parts = []
    for place, (label, count) in enumerate(values):
        height = 120 * count / most
        said = escape(each.format(label=label, count=count))
        parts.append(
            f'<rect class="bar" x="{_percent(step * (place + 0.1))}" width="{_percent(step * 0.8)}" '
            f'y="{_plain(124 - height)}" height="{_plain(height)}"><title>{said}</title></rect>'
        )
        if place % every == 0:
            parts.append(
                f'<text x="{_percent(step * (place + 0.5))}" y="140" text-anchor="middle">{escape(label)}</text>'
            )
    parts.append('<line class="zero" x1="0" x2="100%" y1="124" y2="124"/>')
    parts.append(f'<text x="0" y="-4">{most}</text><line class="grid" x1="0" x2="100%" y1="4" y2="4"/>')
    told = "; ".join(each.format(label=label, count=count) for label, count in values if count)
    drawn = (
        f'<svg class="columns" height="146" role="img" aria-label="{escape(caption, quote=True)}">'
        f"<title>{escape(caption)}</title><desc>{escape(told)}</desc>{''.join(parts)}</svg>"
    )
    return _figure(caption, drawn)


def heat(labels: Sequence[str], cells: Sequence[Sequence[Cell]], caption: str, corner: str = "") -> str:
    """A matrix with the same labels for rows and columns."""
    head = "".join(f'<th scope="col">{escape(label)}</th>' for label in labels)
    body = "".join(
        f'<tr><th scope="row">{escape(label)}</th>{"".join(_heated(cell) for cell in row)}</tr>'
        for label, row in zip(labels, cells, strict=True)
    )
    table = f'<table class="heat"><thead><tr><td>{escape(corner)}</td>{head}</tr></thead><tbody>{body}</tbody></table>'
    return _figure(caption, _sideways(table, caption))


def _sideways(table: str, caption: str) -> str:
    """What may be wider than the page scrolls by itself, with the keyboard too."""
    return f'<div class="sideways" tabindex="0" role="region" aria-label="{escape(caption, quote=True)}">{table}</div>'


def _heated(cell: Cell) -> str:
    tint = min(1.0, max(0.0, cell.tint))
    # The strongest tint leaves the text readable in light and in dark.
    back = (
        f'<svg aria-hidden="true" focusable="false"><rect class="bar" width="100%" height="100%" fill-opacity="{_plain(0.55 * tint)}"/></svg>'
        if tint
        else ""
    )
    kind = ' class="clear"' if cell.clear else ""
    return f"<td{kind}>{back}<span>{escape(cell.text)}</span></td>"


def _figure(caption: str, inner: str) -> str:
    return f'<figure class="chart"><figcaption>{escape(caption)}</figcaption>{inner}</figure>'


def _head(label: str, note: str) -> str:
    more = f"<small>{escape(note)}</small>" if note else ""
    return f'<th scope="row">{escape(label)}{more}</th>'


def _svg(height: int, inner: str) -> str:
    """A drawing whose figures stand beside it as text: nothing to be read aloud twice."""
    return f'<svg height="{height}" aria-hidden="true" focusable="false">{inner}</svg>'


def _plain(value: float) -> str:
    text = f"{value:.2f}".rstrip("0").rstrip(".")
    return "0" if text == "-0" else text


def _percent(value: float) -> str:
    return _plain(value) + "%"


def _ticks(low: float, high: float) -> list[float]:
    """Three to seven round figures that include zero and span the values."""
    rough = (high - low) / 4
    power = 10.0 ** floor(log10(rough))
    step = next(power * factor for factor in (1, 2, 5, 10) if power * factor >= rough)
    first, last = floor(low / step), -floor(-high / step)
    return [place * step for place in range(first, last + 1)]


def _tick(value: float) -> str:
    text = f"{value:.6f}".rstrip("0").rstrip(".")
    return text if value <= 0 else f"+{text}"
