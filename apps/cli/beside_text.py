"""Two records side by side in a terminal: in two columns, in narrow ones one under another."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Final

from gunzi.apps.cli import names
from gunzi.apps.cli.beside import Beside, aligned
from gunzi.apps.cli.output import Out, can_show, columns, pad, wrap
from gunzi.apps.lab.parting import Parting
from gunzi.ruleset import RuleSet
from gunzi.wording import counted

NARROW: Final = 84
"""Where the terminal has fewer columns, the two are told one under another."""
MOST_OPTIONS: Final = 8
"""So many options are explained where no single one is named."""


def show(found: Beside, out: Out, everything: bool) -> None:
    """Print both; the common part is cut short unless ``everything`` is asked for."""
    t = out.t
    for sign, side in (("A", found.a), ("B", found.b)):
        out.line(
            f"{out.style(sign, 'bold')}  {side.label}  {out.style(side.rules.id, 'bold')} {out.say(side.rules.name)}"
        )
    out.line()
    for line in _common(found, out, everything):
        out.lines(_folded((line,), out.width))
    if found.parting is None:
        out.line()
        out.line(
            t(
                f"两份一样，从头到尾 {len(found.a.events)} 步。",
                f"The two are the same, all {counted(len(found.a.events), 'event')}.",
            )
        )
        return
    out.line()
    number = found.parting.place + 1
    out.line(_rule(t(f" 从第 {number} 步起分岔 ", f" from event {number} on they part "), out))
    for line in reasons(found, out):
        out.wrapped(
            line.lstrip(), " " * (len(line) - len(line.lstrip())) + "  ", first=" " * (len(line) - len(line.lstrip()))
        )
    out.line()
    if out.width >= NARROW:
        _two_columns(found, out)
    else:
        _one_column(found, out)


def _rule(text: str, out: Out) -> str:
    sign = "─" if can_show(out.stream, "─") else "-"
    return out.style(sign * 4 + text + sign * max(4, out.width - columns(text) - 4), "yellow")


def _common(found: Beside, out: Out, everything: bool) -> Iterator[str]:
    cells = found.common
    if everything or len(cells) <= 4:
        for cell in cells:
            yield from cell
        return
    # The deal with its trump says what is played; the last moment leads up to where they part.
    yield from cells[0]
    left_out = len(cells) - 2
    yield out.style(
        out.t(
            f"  …… 中间 {left_out} 段两份一样（--all 全列出来）",
            f"  … {left_out} more steps, the same on both (--all shows them)",
        ),
        "dim",
    )
    yield from cells[-1]


def reasons(found: Beside, out: Out) -> list[str]:
    """Why they part: what the rule that decided says on either side, and where that is set."""
    assert found.parting is not None
    t = out.t
    named = found.named
    by = found.parting.by
    lines = []
    if _other_cards(found.parting):
        lines.append(t("从这一把起发的不是同样的牌", "from this hand on other cards are dealt"))
    if not found.options:
        return [
            *lines,
            t(
                "两份的规则选项一样：打的人打得不一样",
                "both follow the same options: the players played differently",
            ),
        ]
    if len(named) > 1:
        said = (
            t(f"（这里写的规则是 {by}，两边一样）", f" (the rule named here, {by}, is the same on both)") if by else ""
        )
        lines.append(t(f"两边不一样的选项{said}：", f"the options on which they differ{said}:"))
    for option in named[:MOST_OPTIONS]:
        owner = found.a.rules if option in found.a.rules.options else found.b.rules
        lines.append(f"{out.style(option, 'bold')}  {out.say(owner.option(option).name)}")
        for sign, side in (("A", found.a), ("B", found.b)):
            lines.append(f"  {sign}  {value_said(side.rules, option, out)}")
    if len(named) > MOST_OPTIONS:
        more = len(named) - MOST_OPTIONS
        lines.append(t(f"还有 {more} 个，见 gunzi compare", f"and {more} more: see gunzi compare"))
    return lines


def _other_cards(parting: Parting) -> bool:
    one, other = parting.a, parting.b
    return one is not None and other is not None and one.get("deck") != other.get("deck")


def value_said(rules: RuleSet, option: str, out: Out) -> str:
    """An option's value, what it means, and where it was set."""
    if option not in rules.options:
        return out.t("没有这个选项（没装它的插件）", "no such option (its plugin is not in use)")
    shown, text = rules.option(option).show(rules.options[option]), out.say(rules.value_text(option))
    origin = rules.origin(option)
    said = (out.say(names.place(origin.where)), out.say(names.status(origin.status)), origin.source)
    basis = " · ".join(part for part in said if part)
    meaning = f"{out.t('：', ': ')}{text}" if text != shown else ""
    return f"{out.style(shown, 'cyan')}{meaning}{out.t('（', ' (')}{basis}{out.t('）', ')')}"


def _two_columns(found: Beside, out: Out) -> None:
    bar = "│" if can_show(out.stream, "│≠") else "|"
    unlike = "≠" if bar == "│" else "#"
    width = (out.width - 3) // 2
    out.line(
        f"{pad(out.style('A ' + found.a.rules.id, 'bold'), width)} {bar} {out.style('B ' + found.b.rules.id, 'bold')}"
    )
    for row in found.rows:
        for lines_a, lines_b in aligned(row.a, row.b):
            left, right = _folded(lines_a, width), _folded(lines_b, width)
            between = bar if lines_a == lines_b else out.style(unlike, "yellow")
            for place in range(max(len(left), len(right))):
                one = left[place] if place < len(left) else ""
                other = right[place] if place < len(right) else ""
                out.line(f"{pad(one, width)} {between} {other}".rstrip())
    for line in _endings(found, out):
        out.line(line)


def _one_column(found: Beside, out: Out) -> None:
    for row in found.rows:
        for lines_a, lines_b in aligned(row.a, row.b):
            _one_above_another(lines_a, lines_b, out)
    for line in _endings(found, out):
        out.line(line)


def _one_above_another(a: Sequence[str], b: Sequence[str], out: Out) -> None:
    if a == b:
        out.lines(f"   {line}" for line in _folded(a, out.width - 3))
        return
    for sign, lines in (("A", a), ("B", b)):
        shown = lines or (out.style(out.t("（没有）", "(nothing)"), "dim"),)
        for place, piece in enumerate(_folded(shown, out.width - 3)):
            out.line(f"{out.style(sign, 'yellow') if place == 0 else ' '}  {piece}")


def _endings(found: Beside, out: Out) -> Iterator[str]:
    """Which of the two ends where the other goes on."""
    for sign, side, there in (
        ("A", found.a, found.parting and found.parting.a),
        ("B", found.b, found.parting and found.parting.b),
    ):
        if there is None:
            yield out.t(
                f"{sign} 到这里就完了（{len(side.events)} 步）",
                f"{sign} ends here ({counted(len(side.events), 'event')})",
            )


def _folded(lines: Sequence[str], width: int) -> list[str]:
    """Lines no wider than ``width``; what is folded goes on a little to the right."""
    found: list[str] = []
    for line in lines:
        if columns(line) > width:
            # Blanks that only line up whole lines are not worth a fold.
            line = re.sub(r"(?<=\S) {3,}", "  ", line)
        if columns(line) <= width:
            found.append(line)
            continue
        indent = len(line) - len(line.lstrip(" "))
        pieces = wrap(line.strip(" "), width - indent - 2)
        found.append(" " * indent + pieces[0])
        found.extend(" " * (indent + 2) + piece for piece in pieces[1:])
    return found
