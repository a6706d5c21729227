"""An example of a comparison on an HTML page: what happened under either rule set, side by side, on a phone one under another."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from html import escape
from typing import Final

from gunzi.apps import lab
from gunzi.apps.cli.beside import Beside, Told, aligned, beside, side_of
from gunzi.apps.cli.beside_text import reasons
from gunzi.apps.cli.output import Out
from gunzi.apps.lab.findings import Difference, Example, Pair
from gunzi.ruleset import RuleSet

MOMENTS: Final = 4
"""So many moments are told from where the two part; then the settlement."""
STYLE: Final = """
details.example > summary { cursor: pointer; font-weight: 600; }
details.example p, details.example li { font-size: .92rem; }
.beside { display: grid; grid-template-columns: 1fr 1fr; gap: 0; font-size: .9rem; line-height: 1.45; margin: .6rem 0 0; border-top: 1px solid var(--line); }
.beside > div { padding: .25rem .6rem; border-bottom: 1px solid var(--line); min-width: 0; overflow-wrap: anywhere; white-space: pre-wrap; }
.beside .both { grid-column: 1 / -1; color: var(--soft); }
.beside .side { font-weight: 650; color: var(--accent); }
.beside .apart { background: var(--mark); }
.beside .apart + .apart { border-left: 2px solid var(--paper); }
.beside .sign { display: none; }
@media (max-width: 40rem) {
  .beside { grid-template-columns: 1fr; }
  .beside .side { display: none; }
  .beside .sign { display: inline; font-weight: 650; color: var(--accent); margin-right: .4rem; }
  .beside .apart + .apart { border-left: 0; }
}
@media print { details.example > summary { list-style: none; } details.example::details-content { content-visibility: visible; block-size: auto; } .beside > div { break-inside: avoid; } }
"""


def example(
    found: Difference, sets: Sequence[RuleSet], labels: Sequence[str], pair: Pair, shown: Example, cause: str, out: Out
) -> str:
    """An example as a block that opens at a click; the earliest of its pair stands open."""
    a, b = (labels[place] for place in pair.places)
    records = lab.example_records(found, sets, pair, shown)
    both = beside(side_of(records[0], a), side_of(records[1], b), out)
    t = out.t
    what = t("把", "hand") if found.unit == "hands" else t("轮", "round")
    title = t(
        f"{cause}：第 {shown.unit + 1} {what}，第 {shown.place + 1} 步",
        f"{cause}: {what} {shown.unit + 1}, event {shown.place + 1}",
    )
    lines = "".join(f"<p>{escape(line)}</p>" for line in _before(both))
    why = "".join(f"<li>{escape(_named(line.strip(), a, b))}</li>" for line in reasons(both, out))
    cells = "".join(_rows(both, a, b, out))
    opened = " open" if shown is pair.example else ""
    return (
        f'<details class="example"{opened}><summary>{escape(title)}</summary>{lines}<ul class="why">{why}</ul>'
        f'<div class="beside"><div class="side">{escape(a)}</div><div class="side">{escape(b)}</div>{cells}</div></details>'
    )


def _before(both: Beside) -> Iterator[str]:
    """The deal, and what leads up to where the two part."""
    for cell in dict.fromkeys((*both.common[:1], *both.common[-1:])):
        yield from _text(cell).split("\n")


def _named(line: str, a: str, b: str) -> str:
    """Which of the two a line of the reasons is about."""
    for sign, label in (("A  ", a), ("B  ", b)):
        if line.startswith(sign):
            return f"{label}: {line.removeprefix(sign)}"
    return line


def _rows(both: Beside, a: str, b: str, out: Out) -> Iterator[str]:
    rows = both.rows
    cut = len(rows) - 1 > MOMENTS
    for row in rows[:MOMENTS] if cut else rows:
        yield from _moment(row, a, b, out)
    if cut:
        left_out = len(rows) - 1 - MOMENTS
        said = out.t(f"…… 略去 {left_out} 段", f"… {left_out} more steps")
        yield f'<div class="both">{escape(said)}</div>'
        yield from _moment(rows[-1], a, b, out)


def _moment(row: Told, a: str, b: str, out: Out) -> Iterator[str]:
    for one, other in aligned(row.a, row.b):
        if one == other:
            yield f'<div class="both">{escape(_text(one))}</div>'
            continue
        for label, lines in ((a, one), (b, other)):
            said = _text(lines) if lines else out.t("（没有）", "(nothing)")
            yield f'<div class="apart"><span class="sign">{escape(label)}</span>{escape(said)}</div>'


def _text(lines: Sequence[str]) -> str:
    # What stands in columns in a terminal is kept apart here by a dot.
    return "\n".join(" · ".join(re.split(r" {2,}", line.strip())) for line in lines)
