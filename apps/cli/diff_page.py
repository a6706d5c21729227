"""A comparison as one HTML page: plots, tables and examples side by side, in one language, with nothing fetched from anywhere."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from html import escape
from typing import Final

from gunzi.apps.book.html import document
from gunzi.apps.book.html import table as html_table
from gunzi.apps.book.parts import Cell as BookCell
from gunzi.apps.book.parts import Code, Table
from gunzi.apps.cli.beside_page import STYLE as BESIDE_STYLE
from gunzi.apps.cli.beside_page import example
from gunzi.apps.cli.output import Out
from gunzi.apps.lab.charts import STYLE, Bar, Cell, Span, bars, columns, heat, intervals
from gunzi.apps.lab.estimates import Estimate
from gunzi.apps.lab.findings import Difference, Pair
from gunzi.apps.lab.measures import HANDS_A_ROUND, KINDS, MEASURES, Measure, kinds_in_order
from gunzi.apps.lab.sections import NOTHING, interval, number
from gunzi.apps.lab.telling import (
    PHASE_TEXT,
    SHARES,
    apart,
    between,
    cause_name,
    joint_name,
    joint_title,
    kind_name,
    minus,
)
from gunzi.errors import Text
from gunzi.record import PHASE_OF
from gunzi.ruleset import RuleSet
from gunzi.wording import counted

MOST_EXAMPLES: Final = 6
"""So many examples of a pair stand on the page, those of its most frequent causes."""
_STYLE: Final = """
.answer-first { font-size: 1.05rem; }
.pair { margin-top: 2.5rem; }
.matrices { display: flex; flex-wrap: wrap; gap: 0 2.5rem; }
.matrices > figure.chart { margin-bottom: .8rem; max-width: 100%; }
section > .scroll code { overflow-wrap: normal; white-space: nowrap; }
h3.minor { margin-top: 1.6rem; }
.hint { color: var(--soft); font-size: .9rem; }
"""


def page(found: Difference, sets: Sequence[RuleSet], labels: Sequence[str], lang: str) -> str:
    """The page. ``labels`` are what to call the rule sets. Equal findings give equal bytes."""
    out = Out(lang)
    out.colour, out.signs = False, True
    return _Page(found, sets, labels, out).html()


class _Page:
    def __init__(self, found: Difference, sets: Sequence[RuleSet], labels: Sequence[str], out: Out) -> None:
        self.found, self.sets, self.labels, self.out = found, sets, labels, out
        self.t = out.t
        self.unit = self.t("把", "hands") if found.unit == "hands" else self.t("轮", "rounds")
        self.measures: tuple[Measure, ...] = tuple(
            measure for measure in (*MEASURES, HANDS_A_ROUND) if measure.id in found.measures
        )

    def html(self) -> str:
        t, found = self.t, self.found
        title = t("规则对打：", "Rule sets at play: ") + t("、", ", ").join(self.labels)
        pairs = found.pairs
        links = [
            f'<li><a href="#pair-{number}">{escape(self._pair_name(pair))}</a></li>'
            for number, pair in enumerate(pairs)
        ]
        if len(self.sets) > 2:
            links.insert(0, f'<li><a href="#matrix">{t("两两相比", "Each against each")}</a></li>')
        links.append(f'<li><a href="#options">{t("哪些选项不一样", "The options that differ")}</a></li>')
        links.append(f'<li><a href="#measures">{t("每个数是什么", "What each figure is")}</a></li>')
        body = [
            f"<header><h1>{escape(title)}</h1>{self._intro()}{self._facts()}</header>",
            f'<nav aria-label="{t("目录", "contents")}"><ol>{"".join(links)}</ol></nav>',
            "<main>",
            *(self._matrix() if len(self.sets) > 2 else ()),
            *(self._pair(number, pair) for number, pair in enumerate(pairs)),
            self._options(),
            self._definitions(),
            "</main>",
            f"<footer>{self._colophon()}</footer>",
        ]
        return document(self.out.lang, title, "\n".join(body), STYLE + BESIDE_STYLE + _STYLE)

    # -- the head ------------------------------------------------------------------------------------------------

    def _intro(self) -> str:
        lines = [self._summary(pair) for pair in self.found.pairs]
        return "".join(f'<p class="answer-first">{escape(line)}</p>' for line in lines)

    def _summary(self, pair: Pair) -> str:
        t = self.t
        name = self._pair_name(pair)
        share, early = number(pair.diverged.mean, True), number(pair.before_settling.mean, True)
        if not pair.count:
            return t(f"{name}：没有一{self.unit}打得不一样。", f"{name}: no {self.unit} part.")
        said = t(
            f"{name}：{share} 的{self.unit}不一样（{early} 在结算以前就分岔）。",
            f"{name}: {share} of {self.unit} part ({early} before they are settled).",
        )
        if pair.causes:
            top = pair.causes[0]
            cause, often = self._cause(top.option), number(top.share.mean, True)
            said += t(f"最多的是{cause}，占 {often}。", f" Most often it is {cause}: {often} of these.")
        return said

    def _facts(self) -> str:
        t, found = self.t, self.found
        rows = [
            (label, f"{escape(self.out.say(rules.name))} <code>{escape(rules.hash[:19])}…</code>")
            for label, rules in zip(self.labels, self.sets, strict=True)
        ]
        rows.append(
            (
                t("同样的牌", "the same deals"),
                self.t(f"{found.done} {self.unit}", counted(found.done, found.unit.removesuffix("s"))),
            )
        )
        if found.done < found.wanted:
            rows.append((t("没打完", "not finished"), t(f"要打 {found.wanted}", f"{found.wanted} were asked for")))
        rows.append((t("种子", "seed"), str(found.seed)))
        names = found.policy[:1] if len(set(found.policy)) == 1 else found.policy
        rows.append((t("谁打的", "players"), escape(", ".join(names))))
        rows.append((t("区间", "intervals"), "99%"))
        return (
            '<dl class="facts">' + "".join(f"<dt>{escape(what)}</dt><dd>{text}</dd>" for what, text in rows) + "</dl>"
        )

    def _colophon(self) -> str:
        return self.t(
            "由 gunzi 写成。每套规则打的是同样的牌，情形一样时掷的也是同样的骰子；哪条规则分的岔，是单独改那一条重打验证过的。",
            "Written by gunzi. Every rule set plays the same cards and, while situations are equal, the same dice; which option parts "
            "hands is proved by playing them again with that option alone changed.",
        )

    def _pair_name(self, pair: Pair) -> str:
        a, b = (self.labels[place] for place in pair.places)
        return self.t(f"{a} 和 {b}", f"{a} and {b}")

    def _cause(self, option: str) -> str:
        for rules in self.sets:
            if option in rules.options:
                name = self.out.say(rules.option(option).name)
                return self.t(f"{name}（{option}）", f"{name} ({option})")
        return self.out.say(cause_name(option))

    # -- three sets or more --------------------------------------------------------------------------------------

    def _matrix(self) -> Iterator[str]:
        t, count = self.t, len(self.sets)
        yield f'<section><h2 id="matrix">{t("两两相比", "Each against each")}</h2>'
        cells = []
        for i in range(count):
            row = []
            for j in range(count):
                pair = self.found.pair(i, j) if i != j else None
                share = pair.diverged.mean if pair is not None else None
                row.append(Cell(number(share, True), share or 0.0))
            cells.append(row)
        yield heat(self.labels, cells, t(f"打法不一样的{self.unit}", f"{self.unit} that part"))
        yield f'<p class="hint">{escape(self._matrix_hint())}</p>'
        yield '<div class="matrices">'
        for measure in self.measures:
            yield self._measure_matrix(measure)
        yield "</div></section>"

    def _matrix_hint(self) -> str:
        return self.t(
            "下面每张表：对角线是各自的平均，别的格子是列减行；颜色越深差得越多，粗体的 99% 区间不含 0。",
            "In each table below the diagonal has each set's own mean, the other cells the column minus the row: the deeper the colour, "
            "the larger the difference; bold where its 99% interval leaves out 0.",
        )

    def _measure_matrix(self, measure: Measure) -> str:
        own, count = self.found.measures[measure.id], len(self.sets)
        as_share = measure.id in SHARES
        every = {(i, j): between(self.found, measure.id, i, j) for i in range(count) for j in range(count) if i != j}
        most = max((abs(each.mean) for each in every.values() if each is not None and each.mean is not None), default=0)
        cells = []
        for i in range(count):
            row = []
            for j in range(count):
                if i == j:
                    row.append(Cell(number(own[i].mean, as_share)))
                    continue
                estimate = every[i, j]
                clear = estimate is not None and estimate.differs
                size = abs(estimate.mean) / most if estimate is not None and estimate.mean is not None and most else 0.0
                row.append(Cell(apart(estimate, as_share).rstrip("*"), size if clear else 0.0, clear))
            cells.append(row)
        return heat(self.labels, cells, self.out.say(measure.name))

    # -- a pair --------------------------------------------------------------------------------------------------

    def _pair(self, number_: int, pair: Pair) -> str:
        parts = [f'<section class="pair"><h2 id="pair-{number_}">{escape(self._pair_name(pair))}</h2>']
        parts.append(f"<p>{escape(self._parted(pair))}</p>")
        if pair.count:
            parts += [self._causes(pair), self._joint(pair), self._where(pair)]
        parts.append(self._changes(pair))
        if pair.examples:
            parts.append(self._examples(pair))
        return "".join(parts) + "</section>"

    def _parted(self, pair: Pair) -> str:
        t, done = self.t, self.found.done
        early = round((pair.before_settling.mean or 0) * done)
        return t(
            f"{done} {self.unit}里有 {pair.count} {self.unit}不一样：{number(pair.diverged.mean, True)}（{interval(pair.diverged, True)}）；"
            f"其中 {early} {self.unit}还没结算就分岔。",
            f"{pair.count} of {done} {self.unit} part: {number(pair.diverged.mean, True)} ({interval(pair.diverged, True)}); "
            f"{early} of them before they are settled.",
        )

    def _causes(self, pair: Pair) -> str:
        rows = [
            Bar(
                self._cause(each.option),
                each.share.mean or 0.0,
                f"{each.count} · {number(each.share.mean, True)}",
                interval(each.share, True),
            )
            for each in pair.causes
        ]
        return bars(
            rows,
            self.t(
                "哪条规则分的岔（单独改这一条，在同一处也分岔）",
                "which option parts them (changed alone, it parts them there too)",
            ),
        )

    def _joint(self, pair: Pair) -> str:
        if not pair.joint:
            return ""
        looked = sum(each.count for each in pair.joint)
        rows = [
            Bar(self.out.say(joint_name(each.options, each.smallest)), each.count / looked, str(each.count))
            for each in pair.joint
        ]
        return bars(rows, self.out.say(joint_title(pair)))

    def _where(self, pair: Pair) -> str:
        t = self.t
        order = list(dict.fromkeys(PHASE_OF.values()))
        phases: dict[str, int] = {}
        tricks: dict[int, int] = {}
        for first in pair.first:
            phases[first.phase] = phases.get(first.phase, 0) + first.count
            if first.trick:
                tricks[first.trick] = tricks.get(first.trick, 0) + first.count
        named = sorted(phases, key=lambda phase: (order.index(phase) if phase in order else len(order), phase))
        rows = [
            Bar(
                self.out.say(PHASE_TEXT.get(phase, Text(phase, phase))),
                phases[phase] / pair.count,
                f"{phases[phase]} · {number(phases[phase] / pair.count, True)}",
            )
            for phase in named
        ]
        shown = bars(rows, t("最先在哪一步分岔", "in which phase they part first"))
        if tricks:
            values = [(str(trick), tricks.get(trick, 0)) for trick in range(1, max(tricks) + 1)]
            shown += columns(
                values,
                t("打牌时最先在第几圈分岔", "in which trick they part first"),
                t("第 {label} 圈：{count}", "trick {label}: {count}"),
            )
        return shown

    def _changes(self, pair: Pair) -> str:
        t = self.t
        head = minus(pair, self.labels)
        parts = [f'<h3 class="minor">{t("改变了什么", "What it changes")}{t("：", ": ")}{escape(head)}</h3>']
        groups: dict[str, list[Measure]] = {}
        for measure in self.measures:
            groups.setdefault(self.out.say(measure.unit), []).append(measure)
        for unit, measures in groups.items():
            rows = [self._span(measure, pair) for measure in measures]
            share = measures[0].share
            caption = t("占多少", "shares of hands") if share else t(f"单位：{unit}", unit)
            parts.append(intervals(rows, caption, "%" if share else ""))
        for kinds in KINDS:
            differences = pair.kinds[kinds.id].differences
            if not any(each.mean for each in differences.values()):
                continue
            order = kinds_in_order({kind: abs(each.mean or 0) for kind, each in differences.items()})
            rows = [self._kind_span(kinds.id, kind, differences[kind], pair) for kind in order]
            parts.append(intervals(rows, self.out.say(kinds.name), "%"))
        return "".join(parts)

    def _span(self, measure: Measure, pair: Pair) -> Span:
        estimate, share = pair.paired[measure.id], measure.share
        a, b = (self.found.measures[measure.id][place].mean for place in pair.places)
        note = f"{number(a, share)} → {number(b, share)}"
        return _span(self.out.say(measure.name), estimate, share, note)

    def _kind_span(self, what: str, kind: str, estimate: Estimate, pair: Pair) -> Span:
        shares = []
        for place in pair.places:
            counts = self.found.tables[what][place]
            total = sum(counts.values())
            shares.append(number(counts.get(kind, 0) / total if total else None, True))
        return _span(self.out.say(kind_name(kind)), estimate, True, " → ".join(shares))

    def _examples(self, pair: Pair) -> str:
        t = self.t
        head = t(
            "例子：每个原因最早分岔、最短的一把",
            "Examples: for each cause the hand it parts earliest, the shortest of those",
        )
        shown = [
            example(self.found, self.sets, self.labels, pair, each, self._cause(each.cause), self.out)
            for each in pair.examples[:MOST_EXAMPLES]
        ]
        more = len(pair.examples) - MOST_EXAMPLES
        if more > 0:
            shown.append(
                f'<p class="hint">{escape(t(f"还有 {more} 个，用 --examples 写出来", f"{more} more with --examples"))}</p>'
            )
        return f'<h3 class="minor">{escape(head)}</h3>{"".join(shown)}'

    # -- what was compared ---------------------------------------------------------------------------------------

    def _options(self) -> str:
        t = self.t
        rows: list[tuple[BookCell, ...]] = []
        for option in self.found.options:
            owner = next((rules for rules in self.sets if option in rules.options), None)
            if owner is None:
                continue
            values = [self._value(rules, option) for rules in self.sets]
            rows.append((Code(option), self.out.say(owner.option(option).name), *values))
        head = (t("选项", "option"), t("名字", "name"), *self.labels)
        shown = (
            html_table(Table(head, tuple(rows)))
            if rows
            else f"<p>{t('没有，全一样。', 'None: they agree on all.')}</p>"
        )
        return f'<section><h2 id="options">{t("哪些选项不一样", "The options that differ")}</h2>{shown}</section>'

    def _value(self, rules: RuleSet, option: str) -> str:
        if option not in rules.options:
            return NOTHING
        shown, meaning = rules.option(option).show(rules.options[option]), self.out.say(rules.value_text(option))
        return shown if meaning == shown else f"{shown}{self.t('：', ': ')}{meaning}"

    def _definitions(self) -> str:
        t = self.t
        texts = [(each.name, each.means) for each in self.measures] + [(each.name, each.means) for each in KINDS]
        rows: list[tuple[BookCell, ...]] = [(self.out.say(name), self.out.say(means)) for name, means in texts]
        per = (
            t(
                "每把一个数；差是同一把牌上相减的平均。",
                "Each is a figure of a hand; differences are taken deal by deal.",
            )
            if self.found.unit == "hands"
            else t(
                "都是每把的平均（一轮几把除外）；差按轮成对，区间按轮算。",
                "All are means of a hand, but for the hands in a round; differences are paired round by round, and so are the intervals.",
            )
        )
        clause = t("括号里是规则书的章节。", "Numbers in brackets are clauses of the rules.")
        shown = html_table(Table((t("数", "figure"), t("数的是什么", "what is counted")), tuple(rows)))
        return f'<section><h2 id="measures">{t("每个数是什么", "What each figure is")}</h2><p>{per}{t("", " ")}{clause}</p>{shown}</section>'


def _span(label: str, estimate: Estimate, share: bool, note: str) -> Span:
    scale = 100 if share else 1
    mean, low, high = (
        None if value is None else value * scale for value in (estimate.mean, estimate.low, estimate.high)
    )
    figure = number(estimate.mean, share, True)
    bounds = interval(estimate, share, True)
    if bounds != NOTHING:
        note = f"{note} · {bounds}"
    return Span(label, mean, low, high, figure, estimate.differs, note)
