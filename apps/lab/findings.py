"""What a comparison of rule sets found, as plain values and as sections to print."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from gunzi.apps.lab.estimates import Estimate
from gunzi.apps.lab.measures import KIND_TEXT, KINDS, MEASURES, measure_name
from gunzi.apps.lab.parting import JOINT, UNPROVED
from gunzi.apps.lab.sections import Row, Section, interval, number
from gunzi.ask import KIND_TEXT as ASK_TEXT
from gunzi.errors import Text
from gunzi.record import Event

SHARES = frozenset(measure.id for measure in MEASURES if measure.share)
PHASE_TEXT = {
    "deal": Text("发牌亮主", "deal"),
    "reveal": Text("翻牌定主", "reveal"),
    "tribute": Text("进贡", "tribute"),
    "bottom": Text("看底", "bottom"),
    "bury": Text("扣底", "bury"),
    "bury_kings": Text("别家扣王", "others' kings"),
    "play": Text("打牌", "play"),
    "settle": Text("结算", "settling"),
}
CAUSE_TEXT = {
    JOINT: Text("单独一条都不够", "no single option alone"),
    UNPROVED: Text("没有验证", "not proved"),
}
MOST_FIRSTS = 12
"""So many ways to part are printed; all of them are in the data."""


@dataclass(frozen=True, slots=True)
class First:
    """Where hands part: the kind of the first event that differs, its phase, the trick (0 outside the play), the rule that
    either event names (empty: none), and how many hands part there."""

    event: str
    phase: str
    trick: int
    by: str
    count: int

    def as_json(self) -> dict[str, Any]:
        """Plain data."""
        return {"event": self.event, "phase": self.phase, "trick": self.trick, "by": self.by, "count": self.count}


@dataclass(frozen=True, slots=True)
class Cause:
    """An option that, alone, parts so many of the hands at the event at which they part; ``joint``: no single one does."""

    option: str
    count: int
    share: Estimate

    def as_json(self) -> dict[str, Any]:
        """Plain data."""
        return {"option": self.option, "count": self.count, "share": self.share.as_json()}


@dataclass(frozen=True, slots=True)
class Example:
    """The unit that parts earliest: its number, the place of the event (from 0), and what each set has there."""

    unit: int
    place: int
    by: str
    a: Event | None
    b: Event | None

    def as_json(self) -> dict[str, Any]:
        """Plain data."""
        return {"unit": self.unit, "place": self.place, "by": self.by, "a": self.a, "b": self.b}


@dataclass(frozen=True, slots=True)
class Pair:
    """The first rule set (``a``) against another (``b``). ``before_settling`` is the share of units that part while they are
    played, not only in how they are settled; ``paired`` are the means of b minus a, over the same units."""

    a: str
    b: str
    options: tuple[str, ...]
    diverged: Estimate
    count: int
    before_settling: Estimate
    first: tuple[First, ...]
    causes: tuple[Cause, ...]
    paired: dict[str, Estimate]
    example: Example | None

    def as_json(self) -> dict[str, Any]:
        """Plain data."""
        return {
            "a": self.a,
            "b": self.b,
            "options": list(self.options),
            "diverged": self.diverged.as_json(),
            "count": self.count,
            "before_settling": self.before_settling.as_json(),
            "first": [each.as_json() for each in self.first],
            "causes": [each.as_json() for each in self.causes],
            "paired": {id: estimate.as_json() for id, estimate in self.paired.items()},
            "example": self.example.as_json() if self.example is not None else None,
        }


@dataclass(frozen=True, slots=True)
class Difference:
    """What a comparison found; ``seconds`` is how long it took, ``note`` why it was not played compiled (None: nobody asked); both
    are no part of ``as_json``."""

    rule_sets: tuple[str, ...]
    hashes: tuple[str, ...]
    seed: int
    policy: tuple[str, str, str, str]
    unit: str
    wanted: int
    done: int
    interrupted: bool
    options: tuple[str, ...]
    pairs: tuple[Pair, ...]
    measures: dict[str, tuple[Estimate, ...]]
    tables: dict[str, tuple[dict[str, int], ...]]
    seconds: float
    note: Text | None = None

    def as_json(self) -> dict[str, Any]:
        """Plain data: the same command gives the same, whatever the number of processes."""
        return {
            "rule_sets": list(self.rule_sets),
            "hashes": list(self.hashes),
            "seed": self.seed,
            "policy": list(self.policy),
            "unit": self.unit,
            "wanted": self.wanted,
            "done": self.done,
            "interrupted": self.interrupted,
            "options": list(self.options),
            "pairs": [pair.as_json() for pair in self.pairs],
            "measures": {id: [each.as_json() for each in own] for id, own in self.measures.items()},
            "counts": {id: [dict(each) for each in own] for id, own in self.tables.items()},
        }

    def rows(self) -> tuple[Section, ...]:
        """What to print."""
        sections: list[Section] = []
        for pair in self.pairs:
            sections.extend(_pair_sections(pair, self.done, self.unit))
        sections.append(self._figures())
        sections.extend(self._counts())
        return tuple(section for section in sections if section.rows)

    def _figures(self) -> Section:
        heads: list[str | Text] = list(self.rule_sets)
        for pair in self.pairs:
            heads += [Text(f"{pair.b} − {pair.a}", f"{pair.b} − {pair.a}"), Text("99% 区间", "99% interval")]
        rows = []
        for id, own in self.measures.items():
            as_share = id in SHARES
            # Summed over a round, a share is a number of hands.
            paired_share = as_share and self.unit == "hands"
            cells = [number(each.mean, as_share) for each in own]
            for pair in self.pairs:
                estimate = pair.paired[id]
                cells += [number(estimate.mean, paired_share, True), interval(estimate, paired_share, True)]
            rows.append(Row(id, measure_name(id), tuple(cells)))
        title = (
            Text("改变了什么（成对相减）", "what it changes (paired differences)")
            if self.unit == "hands"
            else Text("改变了什么（差是每轮合计之差）", "what it changes (differences of totals a round)")
        )
        return Section(title, tuple(heads), tuple(rows))

    def _counts(self) -> Iterable[Section]:
        for kinds in KINDS:
            own = self.tables[kinds.id]
            totals = [sum(counts.values()) for counts in own]
            found = dict.fromkeys(kind for counts in own for kind in counts)
            order = sorted(found, key=lambda kind: (-sum(counts.get(kind, 0) for counts in own), kind))
            rows = tuple(
                Row(
                    kind,
                    KIND_TEXT.get(kind, Text(kind, kind)),
                    tuple(
                        number(counts.get(kind, 0) / total if total else None, True)
                        for counts, total in zip(own, totals, strict=True)
                    ),
                )
                for kind in order
            )
            yield Section(kinds.name, tuple(self.rule_sets), rows)


def _pair_sections(pair: Pair, done: int, unit: str) -> Iterable[Section]:
    share_text, bounds = number(pair.diverged.mean, True), interval(pair.diverged, True)
    what = Text("打法不一样的把", "hands that part") if unit == "hands" else Text("打法不一样的轮", "rounds that part")
    yield Section(
        Text(f"{pair.a} 和 {pair.b}", f"{pair.a} and {pair.b}"),
        (Text("数", "count"), Text("占", "share"), Text("99% 区间", "99% interval")),
        (
            Row("diverged", what, (f"{pair.count} / {done}", share_text, bounds)),
            Row(
                "before_settling",
                Text("其中还没结算就分岔的", "of them before they are settled"),
                (
                    f"{round((pair.before_settling.mean or 0) * done)} / {done}",
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
        (Text("数", "count"), Text("占", "share"), Text("99% 区间", "99% interval")),
        tuple(
            Row(
                each.option,
                CAUSE_TEXT.get(each.option, Text(each.option, each.option)),
                (str(each.count), number(each.share.mean, True), interval(each.share, True)),
            )
            for each in pair.causes
        ),
    )
    yield Section(
        Text("最先在哪里分岔", "where they part first"),
        (Text("规则", "by"), Text("数", "count"), Text("占", "share")),
        tuple(
            Row(
                f"{each.phase}.{each.event}.{each.trick}",
                _where(each),
                (each.by or "–", str(each.count), number(each.count / pair.count, True)),
            )
            for each in pair.first[:MOST_FIRSTS]
        ),
    )


def _where(first: First) -> Text:
    phase = PHASE_TEXT.get(first.phase) or ASK_TEXT.get(first.phase) or Text(first.phase, first.phase)
    if first.trick:
        return Text(f"{phase.zh}，第 {first.trick} 圈", f"{phase.en}, trick {first.trick}")
    return Text(f"{phase.zh}（{first.event}）", f"{phase.en} ({first.event})")
