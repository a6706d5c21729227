"""Games of ``gunzi play`` up to a question a test is about: looked for, so that no test depends on what one seed deals.

The person sits at seat 0 and takes every hint; so the game here is the one that the command plays.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from itertools import combinations, islice
from typing import Any

import gunzi
from gunzi.acts import Play
from gunzi.apps.cli.seat_view import in_hand_order, numbered
from gunzi.apps.players import four_dice, one_act, player
from gunzi.ask import Ask
from gunzi.cards import Card
from gunzi.table import Table

TAKE_THE_HINT = "hint\nok\n"
MOST_SEEDS = 300
Wanted = Callable[[Table, Ask], Any]


@dataclass(frozen=True)
class Reached:
    """A game that has come to a question for seat 0."""

    preset: str
    overrides: Mapping[str, Any]
    seed: int
    table: Table
    answers: str
    """What the person types until then."""
    found: Any
    """What ``wanted`` answered."""

    @property
    def words(self) -> tuple[str, ...]:
        """The command of this game."""
        sets = [word for id, value in self.overrides.items() for word in ("--set", f"{id}={value}")]
        return ("play", self.preset, "--seed", str(self.seed), *sets)

    @property
    def asked(self) -> int:
        """How often the person has been prompted until then."""
        return self.answers.count("\n")


def reach(preset: str, wanted: Wanted, overrides: Mapping[str, Any] | None = None, hand: int = 1) -> Reached:
    """The first game in which ``wanted`` finds something at a question for seat 0, forced ones too, in hand ``hand``; the
    bots play for the person in the hands before."""
    rules = gunzi.load(preset, dict(overrides or {}))
    for seed in range(1, MOST_SEEDS):
        table = Table(rules, seed, rounds=1, watched=True)
        dice, steady = four_dice(seed), player("steady")
        answers, left_to_bots = "", 0
        while not table.over and table.hand_number <= hand:
            ask = table.ask
            if ask.seat == 0 and table.hand_number == hand:
                found = wanted(table, ask)
                if found:
                    return Reached(preset, overrides or {}, seed, table, answers, found)
            if ask.seat == 0 and len(ask) > 1 and left_to_bots != table.hand_number:
                if table.hand_number < hand:
                    answers, left_to_bots = answers + "auto\n", table.hand_number
                else:
                    answers += TAKE_THE_HINT
            table.do(ask.seat, one_act(table, steady, dice))
    raise AssertionError(f"no game of {preset} comes to the question wanted")


def refused_by(rule: str) -> Wanted:
    """At a follow: as many of the person's own cards that this rule refuses, as typed."""

    def wanted(table: Table, ask: Ask) -> str:
        if ask.kind != "follow" or len(ask) == 1:
            return ""
        for cards in islice(combinations(cards_of(table), len(ask[0].cards)), 300):  # type: ignore[attr-defined]
            refused = ask.refusal(Play(cards))
            if refused is not None and refused.rule == rule:
                return " ".join(cards)
        return ""

    return wanted


def lead_by_numbers(table: Table, ask: Ask) -> tuple[str, list[Card]] | None:
    """At a lead: two equal cards by their numbers, and the cards."""
    cards = cards_of(table)
    for place in range(1, len(cards)):
        pair = cards[place - 1 : place + 1]
        if ask.kind == "lead" and Play(tuple(pair)) in ask:
            return f"{place} {place + 1}", pair
    return None


def asks(kind: str) -> Wanted:
    """A question of this kind that is not forced."""
    return lambda table, ask: ask.kind == kind and len(ask) > 1


def cards_of(table: Table) -> list[Card]:
    """The person's cards as they are numbered at the terminal."""
    return numbered(in_hand_order(table.hand.cards_of(0), table.hand.trump))
