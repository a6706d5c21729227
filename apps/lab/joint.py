"""Where no single option parts a unit: the smallest set of options that does."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations
from typing import Final

from gunzi.apps.lab.parting import Toggles
from gunzi.apps.lab.units import Plan, play_until
from gunzi.record import Event

MOST_UNITS: Final = 64
"""Sets are looked for in so many units of a pair, those with the lowest numbers: the answer is the same whatever the blocks."""
MOST_PLAYS: Final = 1000
"""So many units are played again for it, for each pair of rule sets; then the rest stays as it is."""

Found = tuple[tuple[str, ...], bool]
"""The options, in the order of the rule book, and whether every smaller set has been refuted."""


class SmallestSets:
    """Looks for the sets of one pair of rule sets, unit after unit, with at most ``MOST_PLAYS`` plays in all."""

    def __init__(self, toggles: Toggles, plan: Plan) -> None:
        self.toggles = toggles
        self.plan = plan
        self.plays = 0
        self._known: list[tuple[str, ...]] = []

    @property
    def spent(self) -> bool:
        """Has all been played that may be?"""
        return self.plays >= MOST_PLAYS

    def of(self, k: int, place: int) -> Found | None:
        """The smallest set that parts unit k at this place of its events; None: the options do not tell, or too much was played.

        Options are left out one by one as long as the rest still parts the unit: what remains is needed, all of it. Then all
        smaller sets are tried, from pairs up; what worked for an earlier unit of the same size first.
        """
        original: list[Event] = play_until(self.toggles.a, self.plan, k, place)
        every = self.toggles.options
        if len(every) < 2 or not self._parts(every, k, place, original):
            return None
        for known in self._known:
            if len(known) == 2 and self._parts(known, k, place, original):
                return known, True
        needed = every
        for option in every:
            fewer = tuple(each for each in needed if each != option)
            if len(fewer) > 1 and self._parts(fewer, k, place, original):
                needed = fewer
        smaller = self._smaller(len(needed), k, place, original)
        found, proved = (smaller, True) if smaller is not None else (needed, not self.spent)
        if found not in self._known:
            self._known.append(found)
        return found, proved

    def _smaller(self, size: int, k: int, place: int, original: Sequence[Event]) -> tuple[str, ...] | None:
        for chosen in self._candidates(size):
            if self.spent:
                return None
            if self._parts(chosen, k, place, original):
                return chosen
        return None

    def _candidates(self, size: int) -> Iterator[tuple[str, ...]]:
        for count in range(2, size):
            known = [each for each in self._known if len(each) == count]
            yield from known
            yield from (each for each in combinations(self.toggles.options, count) if each not in known)

    def _parts(self, options: Sequence[str], k: int, place: int, original: Sequence[Event]) -> bool:
        if self.spent:
            return False
        rules = self.toggles.rules(*options)
        if rules is None:
            return False
        self.plays += 1
        return self.toggles.parts_at(play_until(rules, self.plan, k, place), original, place)
