"""The figures of many hands at once: what ``measures.py`` says of one hand, said of columns of rows."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from typing import Final, TypeAlias

import numpy as np

from gunzi.apps.lab.estimates import Moments
from gunzi.apps.lab.fast import layout as at
from gunzi.apps.lab.fast.layout import HOWS, Numbers
from gunzi.apps.lab.fast.names import Names
from gunzi.apps.lab.measures import KINDS, MEASURES
from gunzi.apps.lab.simulation import Tally

Rows: TypeAlias = Numbers
Column: TypeAlias = Callable[[Rows], tuple[Numbers, Numbers | None]]
"""The figures of rows, and a column that is 0 where the figure does not apply (None: it always does)."""


def _plain(field: int) -> Column:
    return lambda rows: (rows[:, field], None)


def _tribute(rows: Rows) -> tuple[Numbers, Numbers | None]:
    return rows[:, at.R_PAID], 1 - rows[:, at.R_FIRST_HAND]


def _tribute_to_dealer(rows: Rows) -> tuple[Numbers, Numbers | None]:
    sign = np.where(rows[:, at.R_PAID_TO] == rows[:, at.R_DEALER], 1, -1)
    return sign * rows[:, at.R_PAID], 1 - rows[:, at.R_FIRST_HAND]


def _owed(rows: Rows) -> tuple[Numbers, Numbers | None]:
    sign = np.where(rows[:, at.R_OWES_TO] == rows[:, at.R_NEXT_DEALER], 1, -1)
    return sign * rows[:, at.R_OWES], (rows[:, at.R_WON_BY] < 0).astype(np.int64)


def _held(rows: Rows) -> tuple[Numbers, Numbers | None]:
    return 1 - rows[:, at.R_TAKEOVER], None


def _levels(rows: Rows) -> tuple[Numbers, Numbers | None]:
    return np.where(rows[:, at.R_UP_SIDE] >= 0, rows[:, at.R_CLIMBED], 0), None


def _levels_of(dealer_side: bool) -> Column:
    def levels(rows: Rows) -> tuple[Numbers, Numbers | None]:
        same = rows[:, at.R_UP_SIDE] == rows[:, at.R_DEALER] % 2
        theirs = same if dealer_side else ~same & (rows[:, at.R_UP_SIDE] >= 0)
        return np.where(theirs, rows[:, at.R_CLIMBED], 0), None

    return levels


def _kings(rows: Rows) -> tuple[Numbers, Numbers | None]:
    return rows[:, at.R_BIG] + rows[:, at.R_SMALL], None


def _ended(rows: Rows) -> tuple[Numbers, Numbers | None]:
    return (rows[:, at.R_WON_BY] >= 0).astype(np.int64), None


def _swing(rows: Rows) -> tuple[Numbers, Numbers | None]:
    scores = rows[:, at.R_SCORE_0 : at.R_SCORE_0 + 4]
    return scores.max(axis=1) - scores.min(axis=1), None


def _dealer_score(rows: Rows) -> tuple[Numbers, Numbers | None]:
    scores = rows[:, at.R_SCORE_0 : at.R_SCORE_0 + 4]
    return np.take_along_axis(scores, rows[:, at.R_DEALER : at.R_DEALER + 1], axis=1)[:, 0], None


COLUMNS: Final[dict[str, Column]] = {
    "dry": _plain(at.R_DRY),
    "tribute": _tribute,
    "tribute_to_dealer": _tribute_to_dealer,
    "owed": _owed,
    "attackers_points": _plain(at.R_POINTS),
    "captured": _plain(at.R_CAPTURED),
    "takeover": _plain(at.R_TAKEOVER),
    "dealer_holds": _held,
    "levels": _levels,
    "levels_dealers": _levels_of(True),
    "levels_attackers": _levels_of(False),
    "kings": _kings,
    "round_ends": _ended,
    "swing": _swing,
    "dealer_score": _dealer_score,
}


def columns(rows: Rows) -> list[tuple[Numbers, Numbers | None]]:
    """The figures of rows in the order of ``MEASURES``."""
    return [COLUMNS[measure.id](rows) for measure in MEASURES]


def moments_of(values: Numbers, counted: Numbers | None) -> Moments:
    """Count, sum and sum of squares of a column."""
    if counted is not None:
        values = values[counted != 0]
    return Moments(len(values), int(values.sum()), int((values * values).sum()))


def _first_dealer(rows: Rows, names: Names) -> Counter[str]:
    first = rows[rows[:, at.R_FIRST_HAND] == 1]
    return _counted((first[:, at.R_DEALER] - first[:, at.R_FIRST]) % 4, lambda step: f"+{step}")


def _trump_by(rows: Rows, names: Names) -> Counter[str]:
    return _counted(rows[:, at.R_HOW], lambda how: HOWS[how])


def _direction(rows: Rows, names: Names) -> Counter[str]:
    later = rows[rows[:, at.R_FIRST_HAND] == 0]
    to_dealer = later[:, at.R_PAID_TO] == later[:, at.R_DEALER]
    code = np.where(later[:, at.R_PAID] == 0, later[:, at.R_OWED], np.where(to_dealer, 2, 3))
    return _counted(code, lambda kind: ("none", "exempt", "to_dealer", "from_dealer")[kind])


def _size(rows: Rows, names: Names) -> Counter[str]:
    return _counted(rows[rows[:, at.R_FIRST_HAND] == 0][:, at.R_PAID], str)


def _ending(rows: Rows, names: Names) -> Counter[str]:
    endings = rows[:, at.R_ENDING]
    return _counted(endings[endings >= 0], lambda ending: names.endings[ending])


def _winner(rows: Rows, names: Names) -> Counter[str]:
    winners = rows[:, at.R_WON_BY]
    return _counted(winners[winners >= 0], lambda side: f"side {side}")


def _counted(codes: Numbers, name: Callable[[int], str]) -> Counter[str]:
    found, counts = np.unique(codes, return_counts=True)
    return Counter({name(code): count for code, count in zip(found.tolist(), counts.tolist(), strict=True)})


KIND_COLUMNS: Final[dict[str, Callable[[Rows, Names], Counter[str]]]] = {
    "first_dealer": _first_dealer,
    "trump_by": _trump_by,
    "tribute_direction": _direction,
    "tribute_size": _size,
    "ending": _ending,
    "round_won_by": _winner,
}


def count_in(tally: Tally, rows: Rows, names: Names) -> None:
    """Count the hands of these rows in."""
    tally.hands += len(rows)
    for moments, (values, counted) in zip(tally.moments, columns(rows), strict=True):
        moments.merge(moments_of(values, counted))
    for kinds in KINDS:
        tally.kinds[kinds.id].update(KIND_COLUMNS[kinds.id](rows, names))
