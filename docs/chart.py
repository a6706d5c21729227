"""Draws the chart of phases and hooks, from the order that ``core/hooks.py`` states and the hooks' kinds."""

from __future__ import annotations

import inspect
import re
from collections.abc import Iterable
from html import escape

from gunzi import hooks
from gunzi.errors import Text

PHASES = {
    "load": Text("加载一套规则", "loading a rule set"),
    "deal": Text("发牌、抢亮、亮主", "deal, claims, declarations"),
    "reveal": Text("翻底牌定庄、定主", "reveal"),
    "tribute": Text("进贡、还贡", "tribute and return"),
    "bottom": Text("亮底、看干锅", "bottom, dry pot"),
    "bury": Text("庄家扣底", "the dealer buries"),
    "bury_kings": Text("别家扣王", "others bury kings"),
    "play": Text("打牌", "play"),
    "settle": Text("结算", "settle"),
    "any": Text("任何时候", "at any time"),
}
"""Where hooks are called: the phases of a hand, loading before them, and what belongs nowhere."""
GROUPS = {"at load": "load", "settling": "settle", "observers and plugin events": "any"}
"""Where the hooks of a group are called that the order does not name."""
KINDS = {
    "decision": (Text("裁定：只由一个插件回答", "decision: one plugin answers"), "#d9ece4", "#0b5d4b"),
    "contribution": (Text("添补：每个插件都可以回答", "contribution: every plugin may answer"), "#fbe7cf", "#8a4b00"),
    "observer": (Text("旁听：回答不算数", "observer: the answer is ignored"), "#e5e2f3", "#4a3d8f"),
}
WIDTH, LEFT, CHIP, GAP = 760, 190, 26, 8


def places(every: Iterable[tuple[str, str, str]]) -> dict[str, list[tuple[str, str]]]:
    """The hooks, as (name, kind), by where they are called; ``every``: (name, kind, group) in the file's order."""
    kinds = {name: (kind, group) for name, kind, group in every}
    text = (inspect.getdoc(hooks) or "").partition("Order in a hand:")[2]
    found: dict[str, list[tuple[str, str]]] = {phase: [] for phase in PHASES}
    named: set[str] = set()
    for piece in text.replace("\n", " ").rstrip(". ").split("→"):
        phase = re.search(r"\((\w+)\)", piece)
        names = re.findall(r"\w+", re.sub(r"\(\w+\)", "", piece))
        where = phase[1] if phase else names[0]
        for name in names:
            if name not in kinds or where not in found:
                raise SystemExit(f"core/hooks.py: the order in a hand names {name} ({where}), which is not there")
            found[where].append((name, kinds[name][0]))
            named.add(name)
    for name, (kind, group) in kinds.items():
        if name not in named:
            if group not in GROUPS:
                raise SystemExit(f"core/hooks.py: the order in a hand does not name {name}")
            found[GROUPS[group]].append((name, kind))
    return found


def chart(every: Iterable[tuple[str, str, str]], lang: str) -> str:
    """The chart as an SVG file: a row a phase, its hooks beside it, their kinds by colour."""
    found = places(every)
    body: list[str] = []
    top = 16
    for number, (phase, text) in enumerate(PHASES.items()):
        chips, height = _chips(found[phase], top)
        body.append(_row(phase, text.in_(lang), top, height, number))
        body += chips
        top += height + 16
    legend, end = _legend(top, lang)
    title = "阶段和钩子" if lang == "zh" else "Phases and hooks"
    return "\n".join(
        [
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {end}" width="{WIDTH}" height="{end}" role="img" '
            "font-family=\"system-ui, 'PingFang SC', 'Microsoft YaHei', 'Noto Sans CJK SC', sans-serif\" font-size=\"13\">",
            f"<title>{title}</title>",
            f'<rect width="{WIDTH}" height="{end}" rx="8" fill="#fff"/>',
            *body,
            *legend,
            "</svg>\n",
        ]
    )


def _row(phase: str, text: str, top: int, height: int, number: int) -> str:
    outside = phase in ("load", "any")
    dash = ' stroke-dasharray="4 3"' if outside else ""
    parts = [
        f'<rect x="16" y="{top}" width="{LEFT - 32}" height="{height}" rx="5" fill="#f5f6f4" stroke="#8a938c"{dash}/>'
    ]
    middle = top + height / 2
    if phase == "any":
        parts.append(
            f'<text x="{LEFT / 2}" y="{middle + 5:g}" text-anchor="middle" fill="#1f2328">{escape(text)}</text>'
        )
    else:
        parts.append(
            f'<text x="{LEFT / 2}" y="{middle - 2:g}" text-anchor="middle" font-weight="600" fill="#1f2328">{phase}</text>'
            f'<text x="{LEFT / 2}" y="{middle + 14:g}" text-anchor="middle" font-size="11" fill="#5f6b76">{escape(text)}</text>'
        )
    if number and phase != "any":
        parts.append(
            f'<path d="M{LEFT / 2 - 4} {top - 8}l4 6l4 -6z M{LEFT / 2} {top - 16}v10" fill="#8a938c" stroke="#8a938c"/>'
        )
    return "".join(parts)


def _chips(names: Iterable[tuple[str, str]], top: int) -> tuple[list[str], int]:
    chips: list[str] = []
    left, row = LEFT, 0
    for name, kind in names:
        width = 18 + round(len(name) * 7.6)
        if left + width > WIDTH - 16:
            left, row = LEFT, row + 1
        y = top + 8 + row * (CHIP + GAP)
        chips.append(_chip(left, y, width, name, kind))
        left += width + GAP
    return chips, max(42, 16 + (row + 1) * CHIP + row * GAP)


def _chip(left: int, top: int, width: int, name: str, kind: str) -> str:
    _, fill, ink = KINDS[kind]
    return (
        f'<rect x="{left}" y="{top}" width="{width}" height="{CHIP}" rx="13" fill="{fill}" stroke="{ink}"/>'
        f'<text x="{left + width / 2:g}" y="{top + 17}" text-anchor="middle" font-family="ui-monospace, Menlo, Consolas, monospace" '
        f'font-size="12" fill="{ink}">{name}</text>'
    )


def _legend(top: int, lang: str) -> tuple[list[str], int]:
    parts: list[str] = []
    for text, fill, ink in KINDS.values():
        parts.append(
            f'<rect x="{LEFT}" y="{top}" width="26" height="14" rx="7" fill="{fill}" stroke="{ink}"/>'
            f'<text x="{LEFT + 36}" y="{top + 12}" fill="#1f2328">{escape(text.in_(lang))}</text>'
        )
        top += 22
    return parts, top + 8
