"""A sweep as one HTML page: which options change the game, drawn and in tables, with nothing fetched from anywhere."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from typing import Final

from gunzi.apps.book.html import document
from gunzi.apps.book.html import table as html_table
from gunzi.apps.book.parts import Table
from gunzi.apps.cli.output import Out
from gunzi.apps.lab.charts import STYLE, Bar, Span, bars, intervals
from gunzi.apps.lab.measures import measure_name
from gunzi.apps.lab.sections import Section, number
from gunzi.apps.lab.sweeping import Effect, Sweep
from gunzi.errors import Text
from gunzi.ruleset import RuleSet
from gunzi.wording import counted

_STYLE: Final = """
section > .scroll code { overflow-wrap: normal; white-space: nowrap; }
.hint { color: var(--soft); font-size: .9rem; }
"""
MEANING: Final = Text(
    "每种改法都和原来的规则打同样的牌、掷同样的骰子。差几个标准差：这个数每把平均差多少，除以它自己每把的标准差；1 就是和两把牌本来的差别一样大。"
    "排名先看有把握的部分（一种改法的各个数合起来取 99% 区间，区间里离 0 最近的那一头），再看多少把打法不一样，都一样就按规则书的次序。",
    "Every value is played on the same deals and dice as the rule set itself. A difference in standard deviations is the mean paired "
    "difference of a figure over the standard deviation of that figure: 1 is as much as hands differ anyway. Ranked by what of it is sure "
    "(the end nearer to 0 of one 99% interval for all figures of a value together), then by the share of hands that part, then in the order "
    "of the rule book.",
)


def page(found: Sweep, rules: RuleSet, lang: str) -> str:
    """The page. Equal findings give equal bytes."""
    out = Out(lang)
    out.colour, out.signs = False, True
    t = out.t
    unit = t("把", "hands") if found.unit == "hands" else t("轮", "rounds")
    named = found.option or t("每个选项", "every option")
    title = t(f"{rules.id}：{named}各改一项", f"{rules.id}: {named}, one change at a time")
    ranked = [each for each in (found.ranking if found.option is None else found.effects) if each.count]
    names = found.policy[:1] if len(set(found.policy)) == 1 else found.policy
    facts = [
        (t("规则", "rule set"), f"{escape(out.say(rules.name))} <code>{escape(rules.hash[:19])}…</code>"),
        (t("同样的牌", "the same deals"), t(f"{found.done} {unit}", counted(found.done, found.unit.removesuffix("s")))),
        (t("试了几种改法", "values tried"), str(len(found.effects))),
        (t("种子", "seed"), str(found.seed)),
        (t("谁打的", "players"), escape(", ".join(names))),
    ]
    if found.done < found.wanted:
        facts.append((t("没打完", "not finished"), t(f"要打 {found.wanted}", f"{found.wanted} were asked for")))
    body = [
        f"<header><h1>{escape(title)}</h1><p>{escape(out.say(MEANING))}</p>",
        '<dl class="facts">'
        + "".join(f"<dt>{escape(what)}</dt><dd>{text}</dd>" for what, text in facts)
        + "</dl></header>",
        "<main>",
        "<section>",
        intervals(
            [_span(each, rules, out) for each in ranked],
            t("变得最多的数字，差几个标准差", "what changes most, in standard deviations"),
        ),
        bars([_bar(each, rules, out) for each in ranked], t(f"打法不一样的{unit}", f"{unit} that part")),
        "</section>",
        *(_section(section, out) for section in found.rows()),
        "</main>",
        f"<footer>{escape(t('由 gunzi 写成。', 'Written by gunzi.'))}</footer>",
    ]
    return document(lang, title, "\n".join(body), STYLE + _STYLE)


def _label(each: Effect, rules: RuleSet, out: Out) -> str:
    return f"{out.say(rules.option(each.option).name)} = {each.shown}"


def _span(each: Effect, rules: RuleSet, out: Out) -> Span:
    """The largest effect with its own interval, in standard deviations."""
    if each.measure is None:
        return Span(_label(each, rules, out), 0.0, None, None, number(0.0), note=each.option)
    paired = each.paired[each.measure]
    low = high = None
    if paired.mean and paired.low is not None and paired.high is not None:
        low, high = (each.effect * bound / paired.mean for bound in (paired.low, paired.high))
    note = f"{each.option}{out.t('：', ': ')}{out.say(measure_name(each.measure))}"
    return Span(_label(each, rules, out), each.effect, low, high, number(each.effect, signed=True), each.sure > 0, note)


def _bar(each: Effect, rules: RuleSet, out: Out) -> Bar:
    share = each.diverged.mean or 0.0
    return Bar(_label(each, rules, out), share, number(share, True), each.option)


def _section(section: Section, out: Out) -> str:
    heads = [_said(head, out) for head in section.heads]
    rows: Sequence[tuple[str, ...]] = [
        (out.say(row.name), *(_said(cell, out) for cell in row.cells)) for row in section.rows
    ]
    width = max(map(len, rows))
    heads = [""] * (width - len(heads)) + heads
    return f"<section><h2>{escape(out.say(section.title))}</h2>{html_table(Table(tuple(heads), tuple(rows)))}</section>"


def _said(cell: str | Text, out: Out) -> str:
    return out.say(cell) if isinstance(cell, Text) else cell
