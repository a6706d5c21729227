"""Legal sets: never empty; index, length, iteration and ``in`` agree; small ones by brute force."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from itertools import combinations
from math import comb
from typing import Any, Final

from gunzi.acts import Bury, Pay, Pick, Play, Return
from gunzi.apps.testing.report import Report
from gunzi.ask import Ask
from gunzi.cards import Card
from gunzi.hand import Hand

CHECK: Final = "legal-sets"
WHOLE: Final = 40
"""Sets of so many acts are looked at whole; of larger ones a few."""
MOST: Final = 600
"""So many sets of cards are tried by brute force."""


def check_ask(hand: Hand, ask: Ask, where: str, report: Report) -> None:
    """One question: the answers it offers."""
    total = ask.total
    if not report.that(total > 0, CHECK, where, f"seat {ask.seat} is asked ({ask.kind}) and may do nothing"):
        return
    said = f"{ask.kind} has {len(ask)} answers by len, {total} by total"
    report.that(len(ask) == min(total, sys.maxsize), CHECK, where, said)
    report.that(ask.seat in range(-1, 4), CHECK, where, f"{ask.seat!r} is asked: no seat")
    places = range(total) if total <= WHOLE else (0, 1, total // 3, total // 2, total - 2, total - 1)
    acts = [ask[k] for k in places]
    report.that(len(set(acts)) == len(acts), CHECK, where, f"an answer to {ask.kind} is offered twice")
    for k, act in zip(places, acts, strict=True):
        report.that(act in ask, CHECK, where, f"answer {k} to {ask.kind}, {act!r}, is offered but not `in`")
        report.that(ask[k - total] == act, CHECK, where, f"answers {k} and {k - total} to {ask.kind} differ")
        refused = ask.refusal(act)
        report.that(refused is None, CHECK, where, f"answer {k} to {ask.kind}, {act!r}, is offered and refused")
    if total <= WHOLE:
        report.that(list(ask) == acts, CHECK, where, f"iterating over {ask.kind} gives other answers than indexing")
    for k in (total, -total - 1):
        report.that(_ends(ask, k), CHECK, where, f"{ask.kind} has an answer {k} of {total}")
    thing: object
    for thing in (None, 7, "pass"):
        report.that(not ask.__contains__(thing), CHECK, where, f"{thing!r} is `in` {ask.kind}")


def _ends(ask: Ask, k: int) -> bool:
    try:
        ask[k]
    except IndexError:
        return True
    return False


_CARDS: Final[dict[str, type[Any]]] = {
    "pay": Pay, "return": Return, "bury": Bury, "pick": Pick, "lead": Play, "follow": Play,
}  # fmt: skip


def check_ask_by_force(hand: Hand, ask: Ask, where: str, report: Report) -> bool:
    """Every set of cards the seat could choose, against what is allowed; False where that are too many."""
    make: Any = _CARDS.get(ask.kind)
    first: Any = ask[0]
    if make is None or type(first) is not make:
        return False
    cards = hand.bottom if ask.kind == "pick" else hand.cards_of(ask.seat)
    size = len(first.cards)
    if ask.total > MOST or comb(len(cards), min(size, len(cards))) > MOST:
        return False
    allowed = set(ask)
    trump = hand.trump
    assert trump is not None
    for chosen in _choices(cards, size if ask.kind != "lead" else None):
        act: Any = make(trump.cards(trump.masks(chosen)))
        agreed = (act in ask) == (act in allowed)
        report.that(
            agreed, CHECK, where, f"{act!r} is {'' if act in ask else 'not '}`in` {ask.kind}, but listed otherwise"
        )
    return True


def _choices(cards: tuple[Card, ...], size: int | None) -> Iterator[tuple[Card, ...]]:
    """The different sets of ``size`` cards; None: of any size, as long as there are few of that size."""
    if size is not None:
        yield from dict.fromkeys(combinations(sorted(cards), size))
        return
    for number in range(1, len(cards) + 1):
        if comb(len(cards), number) > MOST:
            return
        yield from _choices(cards, number)
