"""Where two rule sets part in a unit they both played, by which option, and which single options are enough to part them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from gunzi.apps.lab.units import Plan, Played, play_until, same_event
from gunzi.errors import RulesError
from gunzi.record import PHASE_OF, Event
from gunzi.ruleset import RuleSet
from gunzi.settling import settle
from gunzi.values import Result

JOINT: Final = "joint"
UNPROVED: Final = "unproved"


@dataclass(frozen=True, slots=True)
class Parting:
    """The first event that differs: its place (from 0), both events (None: the other set's play was over), the phase, the
    trick (0 outside the play) and the option that either event names as its reason (empty: neither does)."""

    place: int
    a: Event | None
    b: Event | None
    event: str
    phase: str
    trick: int
    by: str


def first_difference(a: Sequence[Event], b: Sequence[Event], options: Sequence[str]) -> Parting | None:
    """Where two plays of a unit part; None: they are the same to the end. ``options``: those on which the sets differ."""
    trick = 1
    for place in range(max(len(a), len(b))):
        one = a[place] if place < len(a) else None
        other = b[place] if place < len(b) else None
        if one is not None and other is not None and same_event(one, other):
            kind = one["e"]
            if kind == "trick":
                trick += 1
            elif kind == "hand":
                trick = 1
            continue
        event = telling(one, other)
        kind = event["e"]
        phase = PHASE_OF.get(kind, kind.rpartition(":")[0] or kind)
        return Parting(place, one, other, kind, phase, trick if phase == "play" else 0, reason(one, other, options))
    return None


def telling(one: Event | None, other: Event | None) -> Event:
    """Of two different events, the one that says what the difference is about: the earlier phase's."""
    if one is None or other is None:
        found = one or other
        assert found is not None
        return found
    if one["e"] == other["e"]:
        return one
    order = list(PHASE_OF)
    return min(one, other, key=lambda event: order.index(event["e"]) if event["e"] in order else len(order))


def reason(one: Event | None, other: Event | None, options: Sequence[str]) -> str:
    """The rule that two different events name: an option on which the sets differ, if either does; empty: none."""
    named: list[str] = []
    for event in (one, other):
        if event is not None and "by" in event:
            named.append(event["by"])
        if event is not None and "room_by" in event:
            named.append(event["room_by"])
    if one is not None and other is not None and one["e"] == other["e"] == "settle":
        named = _explained_apart(one, other)
    for by in named:
        if by in options:
            return by
    return named[0] if named else ""


def _explained_apart(one: Event, other: Event) -> list[str]:
    """The rules of the first lines on which two settlements explain themselves differently."""
    ours, theirs = _explained(one), _explained(other)
    for left, right in zip(ours, theirs, strict=False):
        if left != right:
            return [left[0], right[0]]
    fewer = min(len(ours), len(theirs))
    return [by for by, _ in max(ours, theirs, key=len)[fewer : fewer + 1]]


def _explained(settled: Event) -> list[tuple[str, Any]]:
    """The lines of a settlement's explanation as (rule, value); those of other programs may have none, or other ones."""
    lines = settled.get("explain")
    found = [line for line in lines if isinstance(line, dict)] if isinstance(lines, list) else []
    return [(str(line.get("by", "")), line.get("value")) for line in found]


class Replays:
    """Plays of one unit under several rule sets, each kept for whichever pair asks for it again: rules are known by their hash."""

    def __init__(self, plan: Plan, k: int) -> None:
        self.plan = plan
        self.k = k
        self._events: dict[str, list[Event]] = {}

    def until(self, rules: RuleSet, place: int) -> list[Event]:
        """The unit's events under these rules, up to the one at ``place`` (from 0) and perhaps more."""
        events = self._events.get(rules.hash, [])
        if len(events) <= place:
            events = self._events[rules.hash] = play_until(rules, self.plan, self.k, place)
        return events


class Toggles:
    """One rule set with options of another laid over it, made when they are needed."""

    def __init__(self, a: RuleSet, b: RuleSet) -> None:
        self.a = a
        self.options = differing_options(a, b)
        self._b = b
        self._made: dict[tuple[str, ...], RuleSet | None] = {}

    def rules(self, *options: str) -> RuleSet | None:
        """A with these options as in B; None where these cannot stand together."""
        if options not in self._made:
            try:
                self._made[options] = self.a.with_options({option: self._b.options[option] for option in options})
            except (RulesError, KeyError):
                self._made[options] = None
        return self._made[options]

    @staticmethod
    def parts_at(events: Sequence[Event], original: Sequence[Event], place: int) -> bool:
        """Do two plays of a unit part at this place, and not before?"""
        return _parts_at(events, original, place)

    def causes(self, replays: Replays, played: Played, parting: Parting) -> list[str]:
        """The options each of which alone makes A part from itself at this event of the unit."""
        if len(self.options) == 1:
            return list(self.options)
        events, place = played.events, parting.place
        result = None
        if parting.a is not None and parting.a["e"] == "settle":
            result = played.results[sum(event["e"] == "settle" for event in events[:place])]
        found = []
        for option in self.options:
            rules = self.rules(option)
            if rules is None or (result is not None and _settles_the_same(rules, result, events[place])):
                continue
            if _parts_at(replays.until(rules, place), events, place):
                found.append(option)
        return found


def _settles_the_same(rules: RuleSet, result: Result, event: Event) -> bool:
    """Would the same play be settled the same? Then the option cannot part the hand there, and it need not be played again."""
    return same_event({"e": "settle", "n": event["n"], **settle(rules, result).as_json()}, event)


def _parts_at(events: Sequence[Event], original: Sequence[Event], place: int) -> bool:
    for here in range(place + 1):
        one: Mapping[str, Any] | None = events[here] if here < len(events) else None
        other = original[here] if here < len(original) else None
        if one is None or other is None:
            return (one is None) is not (other is None) and here == place
        if not same_event(one, other):
            return here == place
    return False


def differing_options(a: RuleSet, b: RuleSet) -> tuple[str, ...]:
    """The options on which two rule sets differ, in the order of the rule book; one may not know all of the other's."""
    known = dict.fromkeys((*a.option_ids(), *b.option_ids()))
    missing = object()
    return tuple(id for id in known if a.options.get(id, missing) != b.options.get(id, missing))
