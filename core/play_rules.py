"""The rules of play under one trump order, with what they have answered before: plays ask the same few things again and again."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from gunzi import masks
from gunzi.acts import Play
from gunzi.trump import Masks, Trump
from gunzi.values import FollowRule, LeadRule, TrickRule

if TYPE_CHECKING:
    from gunzi.ruleset import RuleSet


class PlayRules:
    """What playing a hand needs to know: the rules under its trump, made once for all its tables (``play_rules``)."""

    __slots__ = (
        "acts",
        "follow",
        "leads",
        "led",
        "pointed",
        "points",
        "rules",
        "single_by_single",
        "singles",
        "trump",
        "wins",
    )

    def __init__(self, rules: RuleSet, trump: Trump) -> None:
        self.rules = rules
        self.trump = trump
        self.leads: LeadRule
        self.follow: FollowRule
        self.wins: TrickRule
        self.leads, self.follow, self.wins = rules.play_rules(trump)
        self.pointed, self.points = rules.point_masks(trump)
        self.acts: dict[Masks, Play] = {}
        self.led = Leads(self)
        self.singles = Singles(self)
        # By gunzi's own functions a single is followed with any one of the kinds that ``masks.follow_single`` tells.
        self.single_by_single = (
            self.follow.count is masks.follow_count
            and self.follow.kth is masks.follow_kth
            and self.follow.contains is masks.is_follow
        )

    def __reduce__(self) -> tuple[Any, ...]:
        return (play_rules, (self.rules, self.trump))

    def act(self, chosen: Masks) -> Play:
        """The act that plays these cards. Plays of one kind are made once: they are nearly all there are."""
        act = self.acts.get(chosen)
        if act is None:
            act = Play(self.trump.cards(chosen))
            if not chosen[0] & (chosen[0] - 1):
                self.acts[chosen] = act
        return act


class Leads(dict[Masks, tuple[int, int, int, int]]):
    """A lead → its lane, its number of cards, its power and its points. The rules are asked once for each lead of one kind:
    nearly all there are."""

    __slots__ = ("rules",)

    def __init__(self, rules: PlayRules) -> None:
        super().__init__()
        self.rules = rules

    def __missing__(self, lead: Masks) -> tuple[int, int, int, int]:
        rules = self.rules
        lane, n = rules.follow.shape(*lead)
        found = lane, n, rules.wins.power(*lead, n, lane), masks.points_of(*lead, rules.pointed, rules.points)
        if not lead[0] & (lead[0] - 1):
            self[lead] = found
        return found


class Singles(dict[int, dict[int, tuple[int, int]]]):
    """A lane → the bit of a kind → the power of one such card after a single card of that lane was led, and its points. The
    trick rule is asked once for each."""

    __slots__ = ("rules",)

    def __init__(self, rules: PlayRules) -> None:
        super().__init__()
        self.rules = rules

    def __missing__(self, lane: int) -> dict[int, tuple[int, int]]:
        found = self[lane] = _SinglesAfter(self.rules, lane)
        return found


class _SinglesAfter(dict[int, tuple[int, int]]):
    __slots__ = ("lane", "rules")

    def __init__(self, rules: PlayRules, lane: int) -> None:
        super().__init__()
        self.rules = rules
        self.lane = lane

    def __missing__(self, bit: int) -> tuple[int, int]:
        rules = self.rules
        found = self[bit] = rules.wins.power(bit, 0, 0, 1, self.lane), rules.points[bit.bit_length() - 1]
        return found


def play_rules(rules: RuleSet, trump: Trump) -> PlayRules:
    """The rules of playing under a trump order; made once for each rule set."""
    # Equal rule sets do not share them: a refusal names where the table's own rule set has a value from.
    found = rules.playing.get(trump)
    if found is None:
        found = rules.playing[trump] = PlayRules(rules, trump)
    return found
