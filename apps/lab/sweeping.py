"""What a sweep found, as plain values and as sections to print."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, Final

from gunzi.apps.lab.estimates import Estimate
from gunzi.apps.lab.measures import HANDS_A_ROUND, MEASURES, measure_name
from gunzi.apps.lab.neighbours import Skipped
from gunzi.apps.lab.sections import NOTHING, Cell, Row, Section, interval, number
from gunzi.errors import Text

SHARES: Final = frozenset(measure.id for measure in MEASURES if measure.share)
SHOWN: Final = ("levels", "attackers_points", "owed", HANDS_A_ROUND.id)
"""The figures printed of every value."""
PARTS: Final = Text("打法不一样", "part")
INTERVAL: Final = Text("99% 区间", "99% interval")


@dataclass(frozen=True, slots=True)
class Effect:
    """What one option at another value changes. ``consulted`` and ``count`` are units: in how many of the first ``Sweep.traced`` the
    base consults the option, and how many of all part. ``paired`` are the means a hand of the neighbour minus those of the base; ``effects`` the same in standard deviations;
    ``measure`` is the figure that changes most (None: none does), ``effect`` its change and ``sure`` what of it is sure.
    ``warnings`` (code, text) are what this value is warned of."""

    option: str
    value: Any
    shown: str
    consulted: int
    count: int
    diverged: Estimate
    before_settling: Estimate
    paired: dict[str, Estimate]
    effects: dict[str, float]
    measure: str | None
    effect: float
    sure: float
    warnings: tuple[tuple[str, Text], ...]

    def as_json(self) -> dict[str, Any]:
        """Plain data."""
        return {
            "option": self.option,
            "value": self.value,
            "consulted": self.consulted,
            "count": self.count,
            "diverged": self.diverged.as_json(),
            "before_settling": self.before_settling.as_json(),
            "measure": self.measure,
            "effect": _rounded(self.effect),
            "sure": _rounded(self.sure),
            "paired": {id: estimate.as_json() for id, estimate in self.paired.items()},
            "effects": {id: _rounded(effect) for id, effect in self.effects.items()},
            "warnings": [{"code": code, "zh": text.zh, "en": text.en} for code, text in self.warnings],
        }


@dataclass(frozen=True, slots=True)
class Sweep:
    """What a sweep found. ``effects`` are ranked: by what is sure of the largest effect, then by the units that part, then in the
    order of the rule book. ``measures`` are the base's own figures. ``traced``: in so many units, the first, it was counted whether
    options are consulted. ``trouble``: what ended the run early, if it was not Ctrl-C; ``note``: what was not played compiled.
    ``seconds``, ``trouble`` and ``note`` are no part of ``as_json``."""

    rules: str
    hash: str
    option: str | None
    seed: int
    policy: tuple[str, str, str, str]
    unit: str
    wanted: int
    done: int
    interrupted: bool
    traced: int
    measures: dict[str, Estimate]
    effects: tuple[Effect, ...]
    skipped: tuple[Skipped, ...]
    seconds: float
    trouble: Text | None = None
    note: Text | None = None

    @property
    def ranking(self) -> tuple[Effect, ...]:
        """Each option once, as the value of it that comes first."""
        found: dict[str, Effect] = {}
        for each in self.effects:
            found.setdefault(each.option, each)
        return tuple(found.values())

    def as_json(self) -> dict[str, Any]:
        """Plain data: the same command gives the same, whatever the number of processes."""
        return {
            "rules": self.rules,
            "hash": self.hash,
            "option": self.option,
            "seed": self.seed,
            "policy": list(self.policy),
            "unit": self.unit,
            "wanted": self.wanted,
            "done": self.done,
            "interrupted": self.interrupted,
            "traced": self.traced,
            "ranked_by": ["sure", "count", "rule book"],
            "measures": {id: estimate.as_json() for id, estimate in self.measures.items()},
            "ranking": [each.option for each in self.ranking],
            "effects": [each.as_json() for each in self.effects],
            "skipped": [each.as_json() for each in self.skipped],
        }

    def rows(self) -> tuple[Section, ...]:
        """What to print."""
        ranked = self.ranking if self.option is None else self.effects
        changing = [each for each in ranked if each.count]
        found = [self._ranked(changing), self._figures(changing), self._unchanging(), self._skipped()]
        return tuple(section for section in found if section.rows)

    def _ranked(self, effects: Iterable[Effect]) -> Section:
        title = (
            Text(
                "哪些选项最改变打法（改得最多的取值）", "the options that change the game most (by the value that does)"
            )
            if self.option is None
            else Text(f"{self.option} 的各个取值", f"the values of {self.option}")
        )
        heads = (
            Text("取值", "value"),
            PARTS,
            INTERVAL,
            Text("变得最多的数字", "what changes most"),
            Text("差", "difference"),
            INTERVAL,
            Text("标准差", "in SD"),
            Text("有把握的", "sure"),
        )
        return Section(title, heads, tuple(self._row(each) for each in effects))

    def _row(self, each: Effect) -> Row:
        cells: list[Cell] = [each.shown, number(each.diverged.mean, True), interval(each.diverged, True)]
        if each.measure is None:
            cells += [NOTHING, NOTHING, NOTHING]
        else:
            estimate, as_share = each.paired[each.measure], each.measure in SHARES
            cells += [
                measure_name(each.measure),
                number(estimate.mean, as_share, True),
                interval(estimate, as_share, True),
            ]
        cells += [number(each.effect, signed=True), number(each.sure)]
        name = each.option if self.option is None else f"= {each.shown}"
        return Row(
            f"{each.option}={each.shown}", Text(name, name), tuple(cells[1:] if self.option is not None else cells)
        )

    def _figures(self, effects: Iterable[Effect]) -> Section:
        shown = [id for id in SHOWN if id in self.measures]
        heads: list[Cell] = []
        for id in shown:
            heads += [measure_name(id), INTERVAL]
        rows = []
        for each in effects:
            cells: list[Cell] = []
            for id in shown:
                cells += [number(each.paired[id].mean, signed=True), interval(each.paired[id], signed=True)]
            name = f"{each.option} = {each.shown}"
            rows.append(Row(f"{each.option}={each.shown}", Text(name, name), tuple(cells)))
        return Section(Text("每把差多少（成对相减）", "differences a hand (paired)"), tuple(heads), tuple(rows))

    def _unchanging(self) -> Section:
        changed = {each.option for each in self.effects if each.count}
        rows = []
        for each in self.effects:
            if each.count or (self.option is None and each.option in changed):
                continue
            name = f"{each.option} = {each.shown}"
            rows.append(Row(f"{each.option}={each.shown}", Text(name, name), (self._why(each),)))
        title = Text(f"{self.done} 个里一个都没分岔的", f"none of {self.done} parts")
        return Section(title, (Text("为什么", "why"),), tuple(rows))

    def _why(self, each: Effect) -> Text:
        if each.warnings:
            return Text(
                "；".join(text.zh for _, text in each.warnings), "; ".join(text.en for _, text in each.warnings)
            )
        if self.traced < self.done:
            # It may be consulted later on; that it made no difference holds for all.
            if not each.consulted:
                return Text(f"头 {self.traced} 个里一次也没问到过它", f"it is not consulted in the first {self.traced}")
            return Text(
                f"头 {self.traced} 个里有 {each.consulted} 个问到过，结果都一样",
                f"consulted in {each.consulted} of the first {self.traced}, and it made no difference",
            )
        if not each.consulted:
            return Text("一次也没问到过它", "it is never consulted")
        return Text(
            f"{each.consulted} 个里问到过，结果都一样",
            f"consulted in {each.consulted}, and each time it made no difference",
        )

    def _skipped(self) -> Section:
        rows = []
        for each in self.skipped:
            name = f"{each.option} = {each.shown}"
            rows.append(Row(f"{each.option}={each.shown}", Text(name, name), (each.why,)))
        return Section(Text("没法打的取值", "values that cannot be played"), (Text("为什么", "why"),), tuple(rows))


def _rounded(value: float) -> float:
    return round(value, 6) + 0.0
