"""The metamorphic check: two rule sets that differ only in some options play the same until one of these is consulted.

What *consulted* means stands in ``consulting.py``. A record that parts earlier has let an option act behind the rules' back:
a plugin that keeps what it should not, an engine that looks where it was not asked, dice that one variant's question shifts
for another. The records are compared whole, reasons and all.
"""

from __future__ import annotations

import json
import time
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

from gunzi.apps.lab.blocks import Layout, Ticks, in_turn
from gunzi.apps.lab.consulting import TracedRules
from gunzi.apps.lab.errors import LabError
from gunzi.apps.lab.estimates import check_counts
from gunzi.apps.lab.interrupts import held
from gunzi.apps.lab.parting import differing_options
from gunzi.apps.lab.runs import Means, Progress, Task, run_blocks
from gunzi.apps.lab.sections import Row, Section, number
from gunzi.apps.lab.simulation import check_amount, policy_of
from gunzi.apps.lab.situations import common_levels, unit_seed
from gunzi.apps.lab.units import Plan, play_unit, unit_table
from gunzi.apps.players import play_table
from gunzi.errors import Text
from gunzi.options import closest
from gunzi.record import Event
from gunzi.ruleset import RuleSet

HANDS: Final = Layout(40, 1280)
ROUNDS: Final = Layout(4, 128)
"""In what blocks hands and rounds are played."""


@dataclass(frozen=True, slots=True)
class TooEarly:
    """A unit whose records differ before the options are consulted: the number of the unit, the place of the first event that
    differs (from 0), the hand it lies in (from 1), how many events there were when the options were first consulted (None: they
    never were) and by what (empty: never), and both sides' event (None: that side's record is over)."""

    unit: int
    place: int
    hand: int
    consulted: int | None
    by: str
    a: Event | None
    b: Event | None

    def as_json(self) -> dict[str, Any]:
        """Plain data."""
        return {
            "unit": self.unit,
            "place": self.place,
            "hand": self.hand,
            "consulted": self.consulted,
            "by": self.by,
            "a": self.a,
            "b": self.b,
        }


@dataclass(frozen=True, slots=True)
class SameUntil:
    """What the check found. ``options`` are those in which ``a`` and ``b`` differ; ``consulted`` and ``parted`` count units: in
    how many an option was consulted at all, and in how many the records came to differ. ``by`` counts what consulted them first.
    ``early`` is the earliest unit that parts too early, None where all is well; ``too_early`` counts them all."""

    a: str
    b: str
    options: tuple[str, ...]
    seed: int
    policy: tuple[str, str, str, str]
    unit: str
    wanted: int
    done: int
    consulted: int
    parted: int
    too_early: int
    by: dict[str, int]
    early: TooEarly | None
    interrupted: bool
    seconds: float
    trouble: Text | None = None
    """What ended the check early, if it was not Ctrl-C."""

    @property
    def holds(self) -> bool:
        """Is every record the same until the options are consulted?"""
        return self.early is None

    def as_json(self) -> dict[str, Any]:
        """Plain data: the same command gives the same."""
        return {
            "a": self.a,
            "b": self.b,
            "options": list(self.options),
            "seed": self.seed,
            "policy": list(self.policy),
            "unit": self.unit,
            "wanted": self.wanted,
            "done": self.done,
            "interrupted": self.interrupted,
            "holds": self.holds,
            "consulted": self.consulted,
            "parted": self.parted,
            "too_early": self.too_early,
            "by": dict(self.by),
            "early": self.early.as_json() if self.early is not None else None,
        }

    def rows(self) -> tuple[Section, ...]:
        """What to print."""
        whole = self.unit == "hands"
        counts = (
            ("done", Text("打了", "played"), self.done),
            ("consulted", Text("问到过这项规则的", "in which the option is consulted"), self.consulted),
            ("parted", Text("打法分了岔的", "that part"), self.parted),
            ("too_early", Text("还没问到就分岔的", "that part before it is consulted"), self.too_early),
        )
        title = Text(
            f"{self.a} 和 {self.b}：{'、'.join(self.options)}", f"{self.a} and {self.b}: {', '.join(self.options)}"
        )
        unit = Text("把", "hands") if whole else Text("轮", "rounds")
        share = Text("占", "share")
        found = [
            Section(
                title,
                (unit, share),
                tuple(
                    Row(id, name, (str(count), number(count / self.done if self.done else None, True)))
                    for id, name, count in counts
                ),
            ),
            Section(
                Text("最先在哪里问到", "where it is first consulted"),
                (unit, share),
                tuple(Row(by, Text(by, by), (str(n), number(n / self.consulted, True))) for by, n in self.by.items()),
            ),
        ]
        return tuple(section for section in found if section.rows)

    def told(self) -> Text:
        """The earliest counter-example in words; that there is none, where the check holds."""
        early = self.early
        zh, en = "、".join(self.options), " or ".join(self.options)
        if early is None:
            return Text(
                f"{self.done} 个里没有一个在问到 {zh} 之前分岔",
                f"none of {self.done} parts before {en} is consulted",
            )
        table = unit_seed(self.seed, early.unit)
        n = early.place + 1
        when_zh = (
            "这里从头到尾没问到它"
            if early.consulted is None
            else f"到第 {early.consulted + 1} 个事件才问到它（{early.by}）"
        )
        when_en = (
            "it is never consulted here"
            if early.consulted is None
            else f"it is first consulted at event {early.consulted + 1} (by {early.by})"
        )
        return Text(
            f"还没问到 {zh} 就分岔了：种子 {self.seed} 的第 {early.unit} 个（这一桌的种子 {table}），第 {early.hand} 把，"
            f"第 {n} 个事件；{when_zh}\n  {self.a}：{_shown(early.a, 'zh')}\n  {self.b}：{_shown(early.b, 'zh')}",
            f"they part before {en} is consulted: unit {early.unit} of seed {self.seed} (table seed {table}), hand "
            f"{early.hand}, event {n}; {when_en}\n  {self.a}: {_shown(early.a, 'en')}\n  {self.b}: {_shown(early.b, 'en')}",
        )


def _shown(event: Event | None, lang: str) -> str:
    if event is None:
        return "（打完了）" if lang == "zh" else "(over)"
    return json.dumps(event, ensure_ascii=False)


@dataclass(slots=True)
class Found:
    """What the check found in some units."""

    done: int = 0
    consulted: int = 0
    parted: int = 0
    too_early: int = 0
    by: Counter[str] = field(default_factory=Counter)
    early: TooEarly | None = None
    trouble: Text | None = None

    def check(self) -> None:
        """Raises ValueError where no units come to this."""
        check_counts(self.done, self.consulted, self.parted)
        check_counts(self.parted, self.too_early)
        check_counts(self.consulted, self.by.total(), *self.by.values())
        if (self.early is None) != (not self.too_early):
            raise ValueError(f"{self.too_early} too early, and {'none' if self.early is None else 'one'} is shown")

    def merge(self, other: Found) -> None:
        """Count in other units."""
        self.done += other.done
        self.consulted += other.consulted
        self.parted += other.parted
        self.too_early += other.too_early
        self.by.update(other.by)
        mine, theirs = self.early, other.early
        if theirs is not None and (mine is None or (theirs.place, theirs.unit) < (mine.place, mine.unit)):
            self.early = theirs


class SameUntilBench:
    """One pair of rule sets in one process."""

    def __init__(self, a: RuleSet, b: RuleSet, plan: Plan) -> None:
        self.traced = TracedRules(a, (b,))
        self.b = b
        self.plan = plan

    def block(self, first: int, end: int, tick: Ticks) -> Found:
        """Play the units first … end-1 under both; an interruption keeps those that are finished."""
        found = Found()

        def play(k: int) -> None:
            unit = self._unit(k)
            with held():
                found.merge(unit)

        in_turn(found, range(first, end), play, tick)
        return found

    def _unit(self, k: int) -> Found:
        plan, traced = self.plan, self.traced
        traced.fresh()
        table = unit_table(traced, plan, k, True)
        play_table(table, plan.players(), unit_seed(plan.seed, k))
        ours, theirs = table.events, play_unit(self.b, plan, k).events
        consulted = traced.watch.first[0]
        place = next((n for n, (one, other) in enumerate(zip(ours, theirs, strict=False)) if one != other), None)
        if place is None and len(ours) != len(theirs):
            place = min(len(ours), len(theirs))
        found = Found(done=1, parted=int(place is not None))
        if consulted is not None:
            found.consulted = 1
            found.by[consulted.by] = 1
        if place is not None and (consulted is None or place < consulted.place):
            found.too_early = 1
            found.early = TooEarly(
                k,
                place,
                sum(event["e"] == "hand" and not event["redeal"] for event in ours[: place + 1]),
                consulted.place if consulted else None,
                consulted.by if consulted else "",
                ours[place] if place < len(ours) else None,
                theirs[place] if place < len(theirs) else None,
            )
        return found


def same_until(
    a: RuleSet,
    b: RuleSet,
    options: Sequence[str] | None = None,
    *,
    hands: int | None = None,
    rounds: int | None = None,
    seed: int = 1,
    policy: str | Sequence[str] = "random",
    jobs: int = 1,
    progress: Progress | None = None,
    resume: str | Path | None = None,
    cluster: str | None = None,
) -> SameUntil:
    """Play the same units under two rule sets and check that they are the same until what they differ in is consulted.

    ``options``: what they may differ in; None: in exactly one option, whichever. ``resume`` and ``cluster`` as in ``diff``; the result
    is the same whatever these and ``jobs``. Ctrl-C ends the check early and is reported. Raises LabError where the sets differ
    in anything else, in nothing at all, or use different plugins; UnknownPlayerError and OSError.
    """
    unit, wanted = check_amount(hands, rounds, seed)
    differing = check_differences(a, b, options)
    plan = Plan(seed, policy_of(policy), unit, common_levels([a, b]))
    began = time.perf_counter()
    task = Task(
        make=SameUntilBench,
        shared=(a, b, plan),
        wanted=wanted,
        layout=HANDS if unit == "hands" else ROUNDS,
        nothing=Found(),
        question={
            "command": "diff --assert-same-until",
            "rules": [a.hash, b.hash],
            "seed": seed,
            "policy": list(plan.policy),
            "unit": unit,
        },
    )
    outcome = run_blocks(task, Means(jobs, resume, cluster), progress)
    found = outcome.found
    return SameUntil(
        a=a.id,
        b=b.id,
        options=differing,
        seed=seed,
        policy=plan.policy,
        unit=unit,
        wanted=wanted,
        done=found.done,
        consulted=found.consulted,
        parted=found.parted,
        too_early=found.too_early,
        by=dict(sorted(found.by.items(), key=lambda item: (-item[1], item[0]))),
        early=found.early,
        interrupted=outcome.interrupted,
        seconds=time.perf_counter() - began,
        trouble=outcome.trouble,
    )


def check_differences(a: RuleSet, b: RuleSet, options: Sequence[str] | None) -> tuple[str, ...]:
    """The options in which two rule sets differ, all of them among those named. Raises LabError."""
    differing = differing_options(a, b)
    if dict(a.plugins) != dict(b.plugins):
        raise LabError(
            Text(
                f"{a.id} 和 {b.id} 用的插件不一样，没法说是哪个选项分的岔",
                f"{a.id} and {b.id} do not use the same plugins: no option alone is what they differ in",
            )
        )
    for name in options or ():
        if name not in a.option_set:
            guess = a.option_set.suggest(name) or closest(name, a.option_set)
            raise LabError(
                Text(
                    f"没有叫 {name} 的选项" + (f"，是不是 {guess}？" if guess else ""),
                    f"there is no option {name}" + (f" (did you mean {guess}?)" if guess else ""),
                )
            )
        if name not in differing:
            shown = a.option(name).show(a.options[name])
            raise LabError(
                Text(
                    f"{a.id} 和 {b.id} 的 {name} 都是 {shown}，没有什么可查的",
                    f"{name} is {shown} in both {a.id} and {b.id}: there is nothing to check",
                )
            )
    if not differing:
        raise LabError(
            Text(
                f"{a.id} 和 {b.id} 每个选项都一样，没有什么可查的",
                f"{a.id} and {b.id} agree on every option: there is nothing to check",
            )
        )
    others = [id for id in differing if id not in (options or differing[:1])]
    if others:
        named = ", ".join(options or differing[:1])
        rest = ", ".join(others)
        raise LabError(
            Text(
                f"{a.id} 和 {b.id} 不只差 {named}，还差 {rest}；要一起查，就都写上",
                f"{a.id} and {b.id} differ not only in {named} but also in {rest}; name these too if they may differ",
            )
        )
    return differing
