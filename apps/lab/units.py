"""Playing one unit, a hand or a whole round, under one rule set."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from gunzi.apps.lab.measures import Value, kinds_of, values_of
from gunzi.apps.lab.situations import situation, unit_seed
from gunzi.apps.players import Player, play_table, player
from gunzi.hand import Hand
from gunzi.record import Event
from gunzi.ruleset import RuleSet
from gunzi.table import Table
from gunzi.values import Result


@dataclass(frozen=True, slots=True)
class Plan:
    """What all units of a run have in common: the seed, the four players' names, hands or rounds, the levels hands are from."""

    seed: int
    policy: tuple[str, str, str, str]
    unit: str
    levels: tuple[int, int]

    def players(self) -> list[Player]:
        """The four players."""
        return [player(name) for name in self.policy]


@dataclass(slots=True)
class Played:
    """A unit as it was played: its events, where they were kept, and the figures, kinds and results of its hands."""

    events: list[Event]
    values: list[list[Value]] = field(default_factory=list)
    kinds: list[tuple[str, str]] = field(default_factory=list)
    results: list[Result] = field(default_factory=list)
    redeals: int = 0


def unit_table(rules: RuleSet, plan: Plan, k: int, record: bool) -> Table:
    """The table of unit k, before anybody has acted."""
    hands = plan.unit == "hands"
    return Table(
        rules,
        seed=unit_seed(plan.seed, k),
        hands=1 if hands else None,
        rounds=1,
        record=record,
        watched=any(each.looks for each in plan.players()),
        start=situation(plan.seed, k, plan.levels) if hands else None,
        players=[{"name": f"{name}-{seat}", "kind": "bot"} for seat, name in enumerate(plan.policy)],
    )


def play_unit(rules: RuleSet, plan: Plan, k: int, *, record: bool = True) -> Played:
    """Play unit k to its end."""
    table = unit_table(rules, plan, k, record)
    played = Played(table.events if record else [])

    def finished(hand: Hand) -> None:
        if hand.settlement is None:
            played.redeals += 1
            return
        played.values.append(values_of(hand))
        played.kinds.extend(kinds_of(hand))
        played.results.append(hand.settlement.outcome.result)

    play_table(table, plan.players(), unit_seed(plan.seed, k), finished=finished)
    return played


def play_until(rules: RuleSet, plan: Plan, k: int, place: int) -> list[Event]:
    """The events of unit k up to the one at ``place`` (from 0), and perhaps a few more."""
    table = unit_table(rules, plan, k, True)
    events = table.events
    enough: Callable[[], bool] = lambda: len(events) > place  # noqa: E731
    if not enough():
        play_table(table, plan.players(), unit_seed(plan.seed, k), until=enough)
    return events


def same_event(one: Mapping[str, Any], other: Mapping[str, Any]) -> bool:
    """Do two events say the same happened? By which rule, and in what words, does not count."""
    if one == other:
        return True
    if one["e"] != other["e"]:
        return False
    keys = one.keys() | other.keys()
    return all(one.get(key) == other.get(key) for key in keys if key not in _REASONS)


_REASONS = frozenset({"by", "room_by", "explain"})
