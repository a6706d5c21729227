"""Matches: two players on the same decks, each pair of hands played with the sides changed, and how much better one is.

A pair is two hands with the same cards from the same situation: ``a`` has seats 0 and 2 in the one, 1 and 3 in the other. The
pair is won by whoever climbed more levels in the two together; where these are equal, by whoever had more points; where these
are equal too, it is drawn. Half a win is a draw's share. The Elo difference is the one that makes the share of the pairs the
expected one, 400 × log10(share / (1 − share)), and its interval is that of the share, carried over: Wilson's at 99 %, which
stays honest near 0 and 1 and, as a draw moves a mean less than a win, errs on the wide side where there are draws.
"""

from __future__ import annotations

import time
from dataclasses import dataclass, field
from math import log10
from pathlib import Path
from typing import Any, Final

from gunzi.apps.lab.blocks import Layout, Ticks, in_turn
from gunzi.apps.lab.duplicates import even_side, halved, match_plans
from gunzi.apps.lab.estimates import Estimate, Moments, check_counts, share
from gunzi.apps.lab.interrupts import held
from gunzi.apps.lab.runs import Means, Progress, Task, run_blocks
from gunzi.apps.lab.sections import NOTHING, Row, Section, interval, number
from gunzi.apps.lab.simulation import check_amount
from gunzi.apps.lab.units import Plan
from gunzi.apps.players import player
from gunzi.errors import Text
from gunzi.ruleset import RuleSet

PAIRS: Final = Layout(40, 1280)
SLOW_PAIRS: Final = Layout(2, 64)
"""In what blocks pairs are played. Where a player thinks long, blocks are small: little is lost when a match is broken off."""


@dataclass(slots=True)
class Tally:
    """What some pairs came to. The moments are of ``a`` minus ``b``, over both hands of a pair."""

    done: int = 0
    levels: Moments = field(default_factory=Moments)
    points: Moments = field(default_factory=Moments)
    score: Moments = field(default_factory=Moments)
    won: int = 0
    drawn: int = 0
    lost: int = 0
    trouble: Text | None = None

    def add(self, levels: int, points: int, score: int) -> None:
        """Count a pair in."""
        self.done += 1
        self.levels.add(levels)
        self.points.add(points)
        self.score.add(score)
        if (levels, points) == (0, 0):
            self.drawn += 1
        elif (levels, points) > (0, 0):
            self.won += 1
        else:
            self.lost += 1

    def check(self) -> None:
        """Raises ValueError where no pairs come to this."""
        check_counts(self.done, self.won, self.drawn, self.lost)
        if {self.won + self.drawn + self.lost, *(each.count for each in (self.levels, self.points, self.score))} != {
            self.done
        }:
            raise ValueError(f"not all of {self.done} pairs are told of")

    def merge(self, other: Tally) -> None:
        """Count in later pairs."""
        self.done += other.done
        self.levels.merge(other.levels)
        self.points.merge(other.points)
        self.score.merge(other.score)
        self.won += other.won
        self.drawn += other.drawn
        self.lost += other.lost


@dataclass(frozen=True, slots=True)
class Match:
    """A match of ``a`` against ``b``: ``pairs`` finished of ``wanted``; ``levels``, ``points`` and ``score`` how much better ``a`` did
    in a hand (as in ``Duplicate``), ``share`` of the pairs, ``elo`` the difference in Elo points (None: beyond all bounds).
    ``seconds`` is how long it took and no part of ``as_json``."""

    rules: str
    hash: str
    a: str
    b: str
    seed: int
    wanted: int
    pairs: int
    levels: Estimate
    points: Estimate
    score: Estimate
    won: int
    drawn: int
    lost: int
    share: Estimate
    elo: Estimate
    interrupted: bool
    seconds: float
    trouble: Text | None = None
    """What ended the match early, if it was not Ctrl-C."""

    def as_json(self) -> dict[str, Any]:
        """Plain data: the same command gives the same, unless a player thinks by the clock."""
        return {
            "rules": self.rules,
            "hash": self.hash,
            "a": self.a,
            "b": self.b,
            "seed": self.seed,
            "wanted": self.wanted,
            "pairs": self.pairs,
            "hands": 2 * self.pairs,
            "won": self.won,
            "drawn": self.drawn,
            "lost": self.lost,
            "share": self.share.as_json(),
            "elo": self.elo.as_json(),
            "levels": self.levels.as_json(),
            "points": self.points.as_json(),
            "score": self.score.as_json(),
            "interrupted": self.interrupted,
        }

    def rows(self) -> tuple[Section, ...]:
        """What to print."""
        mean, bounds = Text("平均", "mean"), Text("99% 区间", "99% interval")
        figures = (
            ("levels", Text("每把多升的级", "levels more, a hand"), self.levels, False),
            ("points", Text("每把多得的分", "points more, a hand"), self.points, False),
            ("score", Text("每把多记的分（记分表）", "more on the sheet, a hand"), self.score, False),
            ("share", Text("赢的副数（平算一半）", "share of the pairs (a draw is half)"), self.share, True),
        )
        rows = tuple(
            Row(id, name, (number(each.mean, as_share, not as_share), interval(each, as_share, not as_share)))
            for id, name, each, as_share in figures
        )
        rows = (*rows, Row("elo", Text("等级分差（Elo）", "Elo difference"), self._elo_cells()))
        pairs = tuple(
            Row(id, name, (str(count), number(count / self.pairs if self.pairs else None, True)))
            for id, name, count in (
                ("won", Text(f"{self.a} 赢", f"won by {self.a}"), self.won),
                ("drawn", Text("平", "drawn"), self.drawn),
                ("lost", Text(f"{self.b} 赢", f"won by {self.b}"), self.lost),
            )
        )
        return (
            Section(Text(f"{self.a} 比 {self.b}", f"{self.a} against {self.b}"), (mean, bounds), rows),
            Section(
                Text("同样的牌换边各打一把算一副", "pairs: the same cards, sides changed"),
                (Text("副数", "count"), Text("占", "share")),
                pairs,
            ),
        )

    def _elo_cells(self) -> tuple[str, str]:
        """Where all pairs went one way the difference has no bound on that side."""
        if not self.pairs:
            return NOTHING, NOTHING
        mean, low, high = (
            f"{round(elo):+d}".replace("+0", "0") if elo is not None else ("+∞" if expected else "-∞")
            for elo, expected in zip(
                (self.elo.mean, self.elo.low, self.elo.high),
                (self.share.mean, self.share.low, self.share.high),
                strict=True,
            )
        )
        return mean, f"{low} … {high}"


class MatchBench:
    """What a process needs to play pairs."""

    def __init__(self, rules: RuleSet, plans: tuple[Plan, Plan]) -> None:
        self.rules = rules
        self.plans = plans

    def block(self, first: int, end: int, tick: Ticks) -> Tally:
        """Play the pairs first … end-1; an interruption keeps those that are finished."""
        found = Tally()
        one, other = self.plans

        def play(k: int) -> None:
            ours, theirs = even_side(self.rules, one, k), even_side(self.rules, other, k)
            with held():
                found.add(*(left - right for left, right in zip(ours, theirs, strict=True)))

        in_turn(found, range(first, end), play, tick)
        return found


def match(
    rules: RuleSet,
    a: str,
    b: str,
    *,
    pairs: int,
    seed: int,
    jobs: int = 1,
    progress: Progress | None = None,
    resume: str | Path | None = None,
    cluster: str | None = None,
) -> Match:
    """Play so many pairs of hands, the same cards with the sides changed. The result is the same whatever ``jobs``, ``resume`` and
    ``cluster`` (as in ``diff``), unless a player thinks by the clock. Ctrl-C ends it early and is reported. Raises LabError,
    UnknownPlayerError, BudgetError and OSError."""
    check_amount(pairs, None, seed)
    a, b = player(a).name, player(b).name
    began = time.perf_counter()
    slow = any(name.startswith("sharp") for name in (a, b))
    task = Task(
        make=MatchBench,
        shared=(rules, match_plans(rules, a, b, seed)),
        wanted=pairs,
        layout=SLOW_PAIRS if slow else PAIRS,
        nothing=Tally(),
        question={"command": "match", "rules": [rules.hash], "seed": seed, "policy": [a, b]},
    )
    outcome = run_blocks(task, Means(jobs, resume, cluster), progress)
    found = outcome.found
    won = _share(found)
    return Match(
        rules=rules.id,
        hash=rules.hash,
        a=a,
        b=b,
        seed=seed,
        wanted=pairs,
        pairs=found.done,
        levels=halved(found.levels.estimate()),
        points=halved(found.points.estimate()),
        score=halved(found.score.estimate()),
        won=found.won,
        drawn=found.drawn,
        lost=found.lost,
        share=won,
        elo=Estimate(_elo(won.mean), _elo(won.low), _elo(won.high), won.count),
        interrupted=outcome.interrupted,
        seconds=time.perf_counter() - began,
        trouble=outcome.trouble,
    )


def _share(found: Tally) -> Estimate:
    """``a``'s share of the pairs: every win counts twice, a draw once, of twice as many."""
    if not found.done:
        return Estimate(None, None, None, 0)
    return share((2 * found.won + found.drawn) / 2, found.done)


def _elo(expected: float | None) -> float | None:
    """The Elo difference that makes this share the expected one; None at 0 and 1, where there is none."""
    if expected is None or not 0 < expected < 1:
        return None
    return 400 * log10(expected / (1 - expected))
