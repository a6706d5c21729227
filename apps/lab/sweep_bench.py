"""A sweep's blocks: the base's units played once, and every neighbour's where it can come out otherwise.

While the base is played it is noticed what is read that a neighbour has otherwise (``consulting.py``): where nothing is, the
neighbour's unit is the base's; where only the settlement reads it, the hand is settled again and not played again.

An engine that plays many units at once fills ``Found`` itself: ``base`` and each neighbour's ``own`` have the figures hand by hand,
``paired`` the 14 sums of ``Paired.FIELDS``, ``diverged`` and ``in_play`` the units that part. ``consulted`` is for ``SweepBench.consulted``.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final

from gunzi.apps.lab.blocks import Ticks, in_turn
from gunzi.apps.lab.consulting import TracedRules
from gunzi.apps.lab.estimates import Moments, Paired, check_counts
from gunzi.apps.lab.interrupts import held
from gunzi.apps.lab.measures import HANDS_A_ROUND, MEASURES, Measure, values_of
from gunzi.apps.lab.simulation import check_shares
from gunzi.apps.lab.situations import unit_seed
from gunzi.apps.lab.tallies import unit_sums
from gunzi.apps.lab.units import Plan, Played, play_unit, same_event, unit_table
from gunzi.apps.lab.watching import Consulted
from gunzi.apps.players import play_table
from gunzi.errors import GunziError, Text
from gunzi.hand import Hand
from gunzi.record import Event
from gunzi.ruleset import RuleSet
from gunzi.settling import settle

ALL: Final[tuple[Measure, ...]] = (*MEASURES, HANDS_A_ROUND)
AT_THE_END: Final = frozenset(
    {"bottom_worth", "next_dealer", "endings", "level_up", "climb", "tribute_parts", "score_parts"}
)
"""The hooks that only the settlement asks."""
TRACED: Final = 100
"""In so many units, the first of a run, it is counted whether options are consulted: compiled hands do not tell."""


def _moments() -> list[Moments]:
    return [Moments() for _ in ALL]


@dataclass(slots=True)
class NeighbourTally:
    """What some units found of one neighbour. ``consulted``: in how many of the first ``TRACED`` units of the run the base consults
    the option. ``failed``: the first unit it could not play, and why."""

    consulted: int = 0
    diverged: int = 0
    in_play: int = 0
    own: list[Moments] = field(default_factory=_moments)
    paired: list[Paired] = field(default_factory=lambda: [Paired() for _ in ALL])
    failed: tuple[int, Text] | None = None

    def merge(self, other: NeighbourTally) -> None:
        """Count in other units."""
        self.consulted += other.consulted
        self.diverged += other.diverged
        self.in_play += other.in_play
        for mine, theirs in zip(self.own, other.own, strict=True):
            mine.merge(theirs)
        for pair, more in zip(self.paired, other.paired, strict=True):
            pair.merge(more)
        if other.failed is not None and (self.failed is None or other.failed[0] < self.failed[0]):
            self.failed = other.failed

    def check(self) -> None:
        """Raises ValueError where no units come to this."""
        check_shares(ALL, self.own)
        check_counts(self.diverged, self.in_play)
        check_counts(TRACED, self.consulted)

    def add(self, base: Played, other: Played) -> None:
        """Count in a unit as the base and as the neighbour played it."""
        count_hands(self.own, other)
        for paired, (xa, na), (xb, nb) in zip(self.paired, unit_sums(base), unit_sums(other), strict=True):
            paired.add(xa, na, xb, nb)


@dataclass(slots=True)
class Found:
    """What some units found: of the base, and of each neighbour. ``slow``: where hands are compiled, the neighbours that were not, by
    their places, and why."""

    tallies: list[NeighbourTally]
    done: int = 0
    base: list[Moments] = field(default_factory=_moments)
    trouble: Text | None = None
    slow: dict[int, Text] = field(default_factory=dict)

    def check(self) -> None:
        """Raises ValueError where no units come to this."""
        check_shares(ALL, self.base)
        check_counts(self.done, *(tally.diverged for tally in self.tallies))
        check_counts(len(self.tallies), *self.slow)

    def merge(self, other: Found) -> None:
        """Count in other units."""
        self.done += other.done
        for mine, theirs in zip(self.base, other.base, strict=True):
            mine.merge(theirs)
        for tally, more in zip(self.tallies, other.tallies, strict=True):
            tally.merge(more)
        self.slow |= other.slow


def nothing(neighbours: int) -> Found:
    """What no units found of so many neighbours."""
    return Found([NeighbourTally() for _ in range(neighbours)])


def count_hands(moments: Sequence[Moments], played: Played) -> None:
    """Count in the figures of a unit, hand by hand, and how many hands it has."""
    for place, each in enumerate(moments[:-1]):
        for hand in played.values:
            value = hand[place]
            if value is not None:
                each.add(value)
    moments[-1].add(len(played.values))


@dataclass(slots=True)
class _Base:
    """A unit as the base played it, and what of the neighbours was consulted in it."""

    played: Played
    last: Hand
    consulted: list[Consulted | None]


@dataclass(slots=True)
class _Unit:
    """The neighbour's side of a unit: its figures, and whether and where it parts."""

    played: Played
    diverged: bool = False
    in_play: bool = False
    failed: Text | None = None


class SweepBench:
    """The base and its neighbours in one process."""

    def __init__(self, rules: RuleSet, others: Sequence[RuleSet], plan: Plan) -> None:
        self.traced = TracedRules(rules, others)
        self.others = tuple(others)
        self.plan = plan
        self.own_phases = not rules.host.phases

    def block(self, first: int, end: int, tick: Ticks) -> Found:
        """Play the units first … end-1; an interruption keeps those that are finished."""
        found = nothing(len(self.others))
        in_turn(found, range(first, end), lambda k: self.unit(k, found), tick)
        return found

    def unit(self, k: int, found: Found) -> None:
        """Play unit k under the base, and under the neighbours what they may play otherwise; count it in."""
        base = self._base(k)
        units = [
            self._other(k, other, consulted, base) for other, consulted in zip(self.others, base.consulted, strict=True)
        ]
        # Nothing is counted before all of the unit is known, so that an interruption leaves whole units only.
        with held():
            found.done += 1
            count_hands(found.base, base.played)
            for tally, unit, consulted in zip(found.tallies, units, base.consulted, strict=True):
                if unit.failed is not None and tally.failed is None:
                    tally.failed = (k, unit.failed)
                tally.consulted += k < TRACED and consulted is not None
                tally.diverged += unit.diverged
                tally.in_play += unit.in_play
                tally.add(base.played, unit.played)

    def consulted(self, k: int) -> list[bool]:
        """Neighbour by neighbour: does the base consult the option in unit k?"""
        return [each is not None for each in self._base(k).consulted]

    def _base(self, k: int) -> _Base:
        self.traced.fresh()
        table = unit_table(self.traced, self.plan, k, True)
        hands: list[Hand] = []
        play_table(table, self.plan.players(), unit_seed(self.plan.seed, k), finished=hands.append)
        settled = [hand for hand in hands if hand.settlement is not None]
        played = Played(table.events, [values_of(hand) for hand in settled])
        return _Base(played, settled[-1], list(self.traced.watch.first))

    def _other(self, k: int, rules: RuleSet, consulted: Consulted | None, base: _Base) -> _Unit:
        if consulted is None:
            return _Unit(base.played)
        try:
            if self._only_settled_otherwise(consulted, base.played.events):
                return self._settled(rules, base.played.events[-1], base.last)
            return self._played(k, rules, base.played.events)
        except GunziError as error:
            return _Unit(base.played, failed=error.text)

    def _only_settled_otherwise(self, consulted: Consulted, events: Sequence[Event]) -> bool:
        last = len(events) - 1
        return self.plan.unit == "hands" and self.own_phases and consulted.place == last and consulted.by in AT_THE_END

    def _settled(self, rules: RuleSet, event: Event, last: Hand) -> _Unit:
        assert last.settlement is not None
        hand = last.copy()
        hand.rules = rules
        hand.settlement = settle(rules, last.settlement.outcome.result)
        other = {"e": "settle", "n": event["n"], **hand.settlement.as_json()}
        return _Unit(Played([], [values_of(hand)]), diverged=not same_event(event, other))

    def _played(self, k: int, rules: RuleSet, events: Sequence[Event]) -> _Unit:
        played = play_unit(rules, self.plan, k)
        unit = _Unit(played)
        for one, other in zip(events, played.events, strict=False):
            if not same_event(one, other):
                unit.diverged = True
                unit.in_play = not one["e"] == other["e"] == "settle"
                return unit
        unit.diverged = unit.in_play = len(events) != len(played.events)
        return unit
