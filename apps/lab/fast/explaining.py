"""Two settlements of one hand: the rule on which their explanations first differ, in memory that does not grow with the hands."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from enum import Enum, auto
from typing import Final, TypeVar

import numpy as np

from gunzi.apps.lab import parting
from gunzi.apps.lab.fast import layout as at
from gunzi.apps.lab.fast.layout import Numbers
from gunzi.apps.lab.fast.tables import result_of
from gunzi.ruleset import RuleSet
from gunzi.settling import settle
from gunzi.values import Owed

RESULT: Final = 8
"""The first so many facts say what the hand came to; the others what goes onto the sheets."""
MOST_KNOWN: Final = 16_384
"""So many answers are remembered, 0.3 kB each, before the memory is begun anew. Two rule sets meet some 6,000 results of hands in
10^6 of them, and as good as no new ones later."""
Lines = list[dict[str, object]]
A = TypeVar("A")


def facts(rules: RuleSet, rows: Numbers, exact: bool) -> Numbers:
    """What the lines of settlements depend on, a row each: eight facts of the result, who paid whom and how much, the score key.

    Seats are counted from the dealer: all seats are alike, and both rule sets' settlements have the same dealer. What both rule
    sets say alike of trick points is summed up unless ``exact``.
    """
    dealer = rows[:, at.R_DEALER]
    levels = rows[:, [at.R_LEVEL_0, at.R_LEVEL_1]]
    levels = np.where((dealer & 1 == 1)[:, None], levels[:, ::-1], levels)
    # Only the level that is climbed from is told of.
    side = np.where(rows[:, at.R_UP_SIDE] >= 0, rows[:, at.R_UP_SIDE] ^ (dealer & 1), -1)
    told = (side[:, None] == np.arange(2)) | (rows[:, at.R_LOST] == 1)[:, None]
    levels = np.where(told, levels, rules.start_level)
    points = rows[:, [at.R_TRICK_POINTS, at.R_BOTTOM_POINTS]].copy()
    if not exact:
        points[:, 0], points[:, 1] = rows[:, at.R_POINTS], 0
    paid = rows[:, [at.R_PAID_FROM, at.R_PAID_TO, at.R_PAID]]
    paid = np.where(paid[:, 2:] > 0, np.column_stack(((paid[:, :2] - dealer[:, None]) & 3, paid[:, 2])), 0)
    result = rows[:, [at.R_CAPTURED, at.R_BIG, at.R_SMALL, at.R_DRY]]
    return np.column_stack((points, result, levels, paid, rows[:, at.R_SCORE_KEY]))


class Undecided(Enum):
    """What decides where the lines about the result do not."""

    SHEETS = auto()
    """These lines are the same."""
    BOTH = auto()
    """One settlement has more of them: what comes next differs, be it of the sheets."""


class Explanations:
    """How two rule sets explain settlements of the same hands; each answer is asked for once."""

    def __init__(self, a: RuleSet, b: RuleSet, options: Sequence[str]) -> None:
        """``options``: those on which they differ."""
        self.a, self.b, self.options = a, b, options
        self._results: dict[bytes, str | Undecided] = {}
        self._others: dict[bytes, str] = {}

    def apart(self, ours: Numbers, theirs: Numbers) -> Iterator[str]:
        """Hand by hand, the rule on which the settlements of these ``facts`` explain themselves differently (empty: none is named)."""
        results = np.ascontiguousarray(np.hstack((ours[:, :RESULT], theirs[:, :RESULT])))
        sheets = np.ascontiguousarray(np.hstack((ours[:, RESULT:], theirs[:, RESULT:])))
        for place in range(len(results)):
            key = results[place].tobytes()
            by = self._results.get(key)
            if by is None:
                one, other = _lines(self.a, ours[place].tolist()), _lines(self.b, theirs[place].tolist())
                by = _remembered(self._results, key, self._of_results(one[0], other[0]))
            if isinstance(by, Undecided):
                sheet = sheets[place].tobytes()
                key = sheet if by is Undecided.SHEETS else key + sheet
                known = self._others.get(key)
                if known is None:
                    one, other = _lines(self.a, ours[place].tolist()), _lines(self.b, theirs[place].tolist())
                    known = _remembered(self._others, key, self._of([*one[0], *one[1]], [*other[0], *other[1]]))
                by = known
            yield by

    def _of_results(self, ours: Lines, theirs: Lines) -> str | Undecided:
        """What the lines about the result alone decide."""
        if ours == theirs:
            return Undecided.SHEETS
        both = min(len(ours), len(theirs))
        return Undecided.BOTH if ours[:both] == theirs[:both] else self._of(ours, theirs)

    def _of(self, ours: Lines, theirs: Lines) -> str:
        one, other = ({"e": "settle", "explain": lines} for lines in (ours, theirs))
        return parting.reason(one, other, self.options)


def _lines(rules: RuleSet, told: Sequence[int]) -> tuple[Lines, Lines]:
    """The lines of a settlement: about the result, and of the sheets."""
    tricks, bottom, captured, big, small, dry, level_0, level_1, giver, receiver, count, _ = told
    settlement = settle(
        rules,
        result_of(
            rules,
            dealer=0,
            trick_points=tricks,
            bottom_points=bottom,
            captured=bool(captured),
            kings=(big, small),
            dry=bool(dry),
            levels=(level_0, level_1),
            paid=Owed(giver, receiver, count) if count else None,
        ),
    )
    lines: Lines = [{"by": line.by, "value": line.value} for line in settlement.explain]
    results = len(lines) - len(settlement.grounds.scores)
    return lines[:results], lines[results:]


def _remembered(known: dict[bytes, A], key: bytes, answer: A) -> A:
    if len(known) >= MOST_KNOWN:
        known.clear()
    known[key] = answer
    return answer
