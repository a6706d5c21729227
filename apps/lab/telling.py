"""A comparison as sections to print: two rule sets side by side, three or more as matrices."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Final

from gunzi.apps.lab.estimates import Estimate, share
from gunzi.apps.lab.findings import Cause, Difference, First, Pair
from gunzi.apps.lab.joint import MOST_UNITS
from gunzi.apps.lab.measures import KIND_TEXT, KINDS, MEASURES, kinds_in_order, measure_name
from gunzi.apps.lab.parting import JOINT, UNPROVED
from gunzi.apps.lab.sections import NOTHING, Cell, Row, Section, interval, number
from gunzi.ask import KIND_TEXT as ASK_TEXT
from gunzi.errors import Text

SHARES: Final = frozenset(measure.id for measure in MEASURES if measure.share)
PHASE_TEXT: Final = {
    "deal": Text("发牌亮主", "deal"),
    "reveal": Text("翻牌定主", "reveal"),
    "tribute": Text("进贡", "tribute"),
    "bottom": Text("看底", "bottom"),
    "bury": Text("扣底", "bury"),
    "bury_kings": Text("别家扣王", "others' kings"),
    "play": Text("打牌", "play"),
    "settle": Text("结算", "settling"),
}
CAUSE_TEXT: Final = {
    JOINT: Text("单独一条都不够", "no single option alone"),
    UNPROVED: Text("没有验证", "not proved"),
}
MOST_FIRSTS: Final = 12
"""So many ways to part are printed; all of them are in the data."""
COUNT, SHARE, INTERVAL = Text("数", "count"), Text("占", "share"), Text("99% 区间", "99% interval")
CLEAR: Final = "*"
"""After a difference whose interval leaves out zero."""


def cause_name(option: str) -> Text:
    """What to call a cause: an option by its id."""
    return CAUSE_TEXT.get(option, Text(option, option))


def sections(found: Difference, labels: Sequence[str]) -> tuple[Section, ...]:
    """All sections that have rows, in the order they are printed."""
    many = len(labels) > 2
    parts = _of_many(found, labels) if many else _of_two(found, labels)
    return tuple(section for section in parts if section.rows)


def _of_two(found: Difference, labels: Sequence[str]) -> Iterator[Section]:
    (pair,) = found.pairs
    yield from _pair_sections(pair, found, labels)
    heads: list[Cell] = [*labels, minus(pair, labels), INTERVAL]
    rows = []
    for id, own in found.measures.items():
        as_share, estimate = id in SHARES, pair.paired[id]
        cells = [number(each.mean, as_share) for each in own]
        cells += [number(estimate.mean, as_share, True), interval(estimate, as_share, True)]
        rows.append(Row(id, measure_name(id), tuple(cells)))
    yield Section(_changes(found), tuple(heads), tuple(rows))
    for what, name, kinds in _kinds(found):
        apart = pair.kinds[what].differences
        yield Section(
            name,
            tuple(heads),
            tuple(
                Row(
                    kind,
                    kind_name(kind),
                    (
                        *_shares(found, what, kind),
                        number(apart[kind].mean, True, True) if kind in apart else NOTHING,
                        interval(apart[kind], True, True) if kind in apart else NOTHING,
                    ),
                )
                for kind in kinds
            ),
        )


def _of_many(found: Difference, labels: Sequence[str]) -> Iterator[Section]:
    yield Section(
        Text(
            "两两之间打法不一样的把" if found.unit == "hands" else "两两之间打法不一样的轮",
            f"{found.unit} that part, each set against each",
        ),
        tuple(labels),
        tuple(
            Row(str(i), Text(labels[i], labels[i]), tuple(_parted(found, i, j) for j in range(len(labels))))
            for i in range(len(labels))
        ),
    )
    yield Section(
        Text("每一对主要差在哪条规则", "what parts each pair most often"),
        (COUNT, SHARE, Text("最多的是", "most often"), Text("占", "of these")),
        tuple(_most_often(pair, found, labels) for pair in found.pairs),
    )
    for pair in found.pairs:
        yield from _pair_sections(pair, found, labels)
    same = []
    legend = Text(
        f"（对角线是各自的平均，别的是列减行；{CLEAR} 表示 99% 区间不含 0）",
        f" (own means on the diagonal, else column minus row; {CLEAR}: its 99% interval leaves out 0)",
    )
    for id, own in found.measures.items():
        as_share = id in SHARES
        if not any(pair.paired[id].differs for pair in found.pairs):
            same.append(Row(id, measure_name(id), tuple(number(each.mean, as_share) for each in own)))
            continue
        name = measure_name(id)
        yield Section(
            Text(name.zh + legend.zh, name.en + legend.en),
            tuple(labels),
            tuple(
                Row(
                    str(i),
                    Text(labels[i], labels[i]),
                    tuple(
                        number(own[i].mean, as_share) if i == j else apart(between(found, id, i, j), as_share)
                        for j in range(len(labels))
                    ),
                )
                for i in range(len(labels))
            ),
        )
        legend = Text("", "")
    yield Section(
        Text("看不出差别的（平均）", "where no two are shown to differ (means)"),
        tuple(labels),
        tuple(same),
    )
    for what, name, kinds in _kinds(found):
        yield Section(
            name, tuple(labels), tuple(Row(kind, kind_name(kind), _shares(found, what, kind)) for kind in kinds)
        )


def between(found: Difference, id: str, row: int, column: int) -> Estimate | None:
    """The figure's mean of one set minus that of another, by their places; None: they were not compared."""
    pair = found.pair(row, column)
    if pair is None:
        return None
    estimate = pair.paired[id]
    return estimate if pair.places == (row, column) else estimate.negative()


def apart(estimate: Estimate | None, as_share: bool) -> str:
    """A difference, marked where it is clear."""
    if estimate is None:
        return NOTHING
    return number(estimate.mean, as_share, True) + (CLEAR if estimate.differs else "")


def minus(pair: Pair, labels: Sequence[str]) -> str:
    """``b − a``."""
    a, b = (labels[place] for place in pair.places)
    return f"{b} − {a}"


def _parted(found: Difference, i: int, j: int) -> str:
    pair = found.pair(i, j) if i != j else None
    return number(pair.diverged.mean, True) if pair is not None else NOTHING


def _most_often(pair: Pair, found: Difference, labels: Sequence[str]) -> Row:
    a, b = (labels[place] for place in pair.places)
    top = pair.causes[0] if pair.causes else None
    return Row(
        f"{a} {b}",
        Text(f"{a} 和 {b}", f"{a} and {b}"),
        (
            f"{pair.count} / {found.done}",
            number(pair.diverged.mean, True),
            cause_name(top.option) if top is not None else NOTHING,
            number(top.share.mean, True) if top is not None else NOTHING,
        ),
    )


def _changes(found: Difference) -> Text:
    if found.unit == "hands":
        return Text("改变了什么（成对相减）", "what it changes (paired differences)")
    return Text("改变了什么（每把的平均，按轮成对相减）", "what it changes (means of a hand, paired round by round)")


def _kinds(found: Difference) -> Iterator[tuple[str, Text, list[str]]]:
    """What is counted by kind: its id, its name, the kinds that came up in order."""
    for kinds in KINDS:
        every: Counter[str] = Counter()
        for counts in found.tables[kinds.id]:
            every.update(counts)
        yield kinds.id, kinds.name, kinds_in_order(every)


def _shares(found: Difference, what: str, kind: str) -> tuple[str, ...]:
    own = found.tables[what]
    return tuple(
        number(counts.get(kind, 0) / total if (total := sum(counts.values())) else None, True) for counts in own
    )


def kind_name(kind: str) -> Text:
    """What to call a kind."""
    return KIND_TEXT.get(kind, Text(kind, kind))


def _pair_sections(pair: Pair, found: Difference, labels: Sequence[str]) -> Iterator[Section]:
    what = (
        Text("打法不一样的把", "hands that part")
        if found.unit == "hands"
        else Text("打法不一样的轮", "rounds that part")
    )
    a, b = (labels[place] for place in pair.places)
    yield Section(
        Text(f"{a} 和 {b}", f"{a} and {b}"),
        (COUNT, SHARE, INTERVAL),
        (
            Row(
                "diverged",
                what,
                (f"{pair.count} / {found.done}", number(pair.diverged.mean, True), interval(pair.diverged, True)),
            ),
            Row(
                "before_settling",
                Text("其中还没结算就分岔的", "of them before they are settled"),
                (
                    f"{round((pair.before_settling.mean or 0) * found.done)} / {found.done}",
                    number(pair.before_settling.mean, True),
                    interval(pair.before_settling, True),
                ),
            ),
        ),
    )
    yield Section(
        Text(
            "哪条规则分的岔（单独改这一条也在同一处分岔）",
            "which option parts them (changed alone, it parts them there too)",
        ),
        (COUNT, SHARE, INTERVAL),
        tuple(
            Row(
                each.option,
                cause_name(each.option),
                (str(each.count), number(each.share.mean, True), interval(each.share, True)),
            )
            for each in (*pair.causes, *_never(pair))
        ),
    )
    yield Section(
        joint_title(pair),
        (COUNT,),
        tuple(
            Row("+".join(each.options), joint_name(each.options, each.smallest), (str(each.count),))
            for each in pair.joint
        ),
    )
    yield Section(
        Text("最先在哪里分岔", "where they part first"),
        (Text("规则", "by"), COUNT, SHARE),
        tuple(
            Row(
                f"{each.phase}.{each.event}.{each.trick}",
                where(each),
                (each.by or NOTHING, str(each.count), number(each.count / pair.count, True)),
            )
            for each in pair.first[:MOST_FIRSTS]
        ),
    )


def _never(pair: Pair) -> Iterator[Cause]:
    """The options that differ and part no unit first; none where that was not proved."""
    found = {cause.option for cause in pair.causes}
    if found and UNPROVED not in found:
        yield from (Cause(option, 0, share(0, pair.count)) for option in pair.options if option not in found)


def joint_title(pair: Pair) -> Text:
    """What the smallest sets are of: all units without a single cause, or the first of them."""
    looked = sum(each.count for each in pair.joint)
    all_of = next((cause.count for cause in pair.causes if cause.option == JOINT), 0)
    if looked >= all_of:
        return Text("单独一条不够的，最少要几条一起改", "where no single option does it: the fewest that do together")
    return Text(
        f"单独一条不够的，最少要几条一起改（看了 {all_of} 个里的头 {looked} 个，至多看 {MOST_UNITS} 个）",
        f"where no single option does it: the fewest that do together (the first {looked} of {all_of} looked into, "
        f"at most {MOST_UNITS})",
    )


def joint_name(options: Sequence[str], smallest: bool) -> Text:
    """A set of options that acts together."""
    if not options:
        return Text("改选项还不够（插件也不同）", "not by options alone (other plugins)")
    said = " + ".join(options)
    if smallest:
        return Text(said, said)
    return Text(f"{said}（也许还能更少）", f"{said} (fewer may do)")


def where(first: First) -> Text:
    """A place where hands part."""
    phase = PHASE_TEXT.get(first.phase) or ASK_TEXT.get(first.phase) or Text(first.phase, first.phase)
    if first.trick:
        return Text(f"{phase.zh}，第 {first.trick} 圈", f"{phase.en}, trick {first.trick}")
    return Text(f"{phase.zh}（{first.event}）", f"{phase.en} ({first.event})")
