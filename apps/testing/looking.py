"""Views: nothing in them that a seat may not know, and nothing ever taken back."""

from __future__ import annotations

import json
from collections.abc import Sequence
from functools import partial
from typing import Any, Final

from gunzi.apps.testing.answers import check_redaction
from gunzi.apps.testing.playing import steps
from gunzi.apps.testing.report import Report
from gunzi.cards import Card
from gunzi.ruleset import RuleSet
from gunzi.table import Table
from gunzi.views import view

CHECK: Final = "views"
LEAKS: Final = "leaks"
Decks = dict[tuple[int, int], tuple[Sequence[Card], int]]
"""(hand, attempt) → the deck, and the seat dealt first."""
WATCHERS: Final = (0, 1, 2, 3, None)


def check_views(rules: RuleSet, report: Report, *, hands: int, seed: int) -> None:
    """Views grow, hold no deck and no foreign cards, and are the same made at once as made step by step."""
    with report.part(CHECK, rules.id):
        table = Table(rules, seed=seed, hands=hands, rounds=None)
        before: dict[int | None, list[Any]] = {seat: [] for seat in WATCHERS}
        for _ in steps(table, seed):
            for seat, old in before.items():
                new = [row for row in table.view(seat) if row["e"] != "naming"]
                where = f"{rules.id}, seed {seed}, event {len(table.events)}, seat {seat}"
                report.that(new[: len(old)] == old, CHECK, where, "what was seen before is not in the view any more")
                for row in new[len(old) :]:
                    _check_row(row, seat, where, report)
                before[seat] = new
        for seat in WATCHERS:
            same = json.dumps(table.view(seat)) == json.dumps(view(rules, table.events, seat))
            report.that(same, CHECK, f"{rules.id}, seat {seat}", "a view made at once is not the view that grew")
        check_redaction(rules, table.events, report)


def _check_row(row: dict[str, Any], seat: int | None, where: str, report: Report) -> None:
    kind = row["e"]
    report.that("deck" not in row, LEAKS, where, f"the view of {kind} holds the deck")
    if kind == "deal":
        report.that(row["seat"] == seat, LEAKS, where, f"the view has a card dealt to seat {row['seat']}")
    elif kind in ("tribute", "return"):
        mine = seat in (row["from"], row["to"])
        report.that(("cards" in row) == mine, LEAKS, where, f"the view of a {kind} of others has its cards")
    elif kind == "bottom":
        report.that(("cards" in row) == row["shown"], LEAKS, where, "the view of a hidden bottom has its cards")
    elif kind == "bury":
        report.that(
            ("cards" in row) == (row["shown"] or seat == row["seat"]), LEAKS, where, "the view has a hidden burial"
        )


def check_swaps(rules: RuleSet, report: Report, *, swaps: int, seed: int) -> None:
    """Two cards of one side change places, and everybody goes on doing the same: until one of the two is seen openly or
    cannot be played, the other side and a spectator see the same to the byte.

    In turn in a first hand and in a second one, and for either side.
    """
    compared = 0
    with report.part(LEAKS, rules.id):
        for number in range(swaps):
            compared += _swap(rules, report, seed + number, hand=1 + number % 2, side=number // 2 % 2)
        if swaps and not compared:
            report.note("no two cards could be swapped: that views leak nothing was tried by their rows alone")


def _swap(rules: RuleSet, report: Report, seed: int, hand: int, side: int) -> int:
    first = Table(rules, seed=seed, hands=hand, rounds=None)
    played: list[tuple[int, Any]] = []
    for seat, act in steps(first, seed):
        played.append((seat, act))
    # Of the events, not of the hands met on the way: a deal can be void without anybody being asked.
    decks: Decks = {
        (event["hand"], event["redeal"]): (event["deck"], event["first"])
        for event in first.events
        if event["e"] == "hand"
    }
    last = [event for event in first.events if event["e"] == "hand"][-1]
    key = (last["hand"], last["redeal"])
    places = _two_places(rules, decks[key][0], last["first"], set(last["levels"]), side)
    if places is None or key[0] != hand:
        return 0
    swapped = list(decks[key][0])
    a, b = places
    swapped[a], swapped[b] = swapped[b], swapped[a]
    twins = {**decks, key: (swapped, decks[key][1])}
    mine, theirs = (
        Table(rules, seed=seed, hands=hand, rounds=None, deals=partial(_dealt, of)) for of in (decks, twins)
    )
    hidden = {swapped[a], swapped[b]}
    watchers = [seat for seat in (0, 1, 2, 3) if seat % 2 != side] + [None]
    compared = 0
    for seat, act in played:
        for watcher in watchers:
            same = json.dumps(mine.view(watcher)) == json.dumps(theirs.view(watcher))
            where = f"{rules.id}, seed {seed}, event {len(mine.events)}, {mine.hand.phase}, seat {watcher}"
            said = f"the view tells {swapped[b]} from {swapped[a]} in the hands of seats {side} and {side + 2}"
            if not report.that(same, LEAKS, where, said):
                return compared
        open_cards = hidden & {*getattr(act, "cards", ()), *getattr(act, "kings", ())}
        if theirs.ask.seat != seat or act not in theirs.ask or (seat % 2 == side and open_cards):
            break
        mine.do(seat, act)
        theirs.do(seat, act)
        compared += mine.hand.number == hand
    return compared


def _dealt(decks: Decks, number: int, redeal: int) -> tuple[Sequence[Card], int]:
    return decks[number, redeal]


def _two_places(
    rules: RuleSet, deck: Sequence[Card], first: int, levels: set[int], side: int
) -> tuple[int, int] | None:
    """Places of two plain cards of one suit, dealt to the two seats of a side: none that is shown in the deal or decides
    a trump suit there."""
    special = levels | set(rules.permanent)

    def mine(seat: int) -> list[int]:
        return [
            place
            for place in range((seat - first) % 4, rules.deck.dealt, 4)
            if not deck[place].is_joker and deck[place].rank not in special and deck[place] not in rules.claims.cards
        ]

    for a in mine(side):
        for b in mine(side + 2):
            if deck[a].suit == deck[b].suit and deck[a].rank != deck[b].rank:
                return a, b
    return None
