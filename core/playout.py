"""Trick play at full speed: random legal plays on masks, no question asked.

The same mask functions as the table calls, and the same dice: a hand played out here is card for card the one that a table
plays with ``random`` in every seat.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, NamedTuple

from gunzi import combinations, masks
from gunzi.chance import CHOICE, Lanes, below, stream, words_at
from gunzi.play_rules import PlayRules
from gunzi.record import EventLog
from gunzi.trump import NOTHING, Masks
from gunzi.values import AFTER

PLAYS: Final = Lanes(41)
"""The first number of each trick is made for all tricks at once: no hand has more than 40."""


class Played(NamedTuple):
    """How the tricks went: the attackers' points, the last trick's winner and with what, of what power, in which lane and
    shape, and how many tricks there were."""

    attackers: int
    winner: int
    last_play: Masks
    strongest: int
    lane: int
    n: int
    tricks: int


Draws = tuple[int, tuple[int, ...]]
"""A seat's stream of choices in a hand, and the upper halves of the first words of its tricks (``PLAYS``)."""


def draws_of(seed: int, hand: int, seat: int) -> Draws:
    """The draws of a seat's plays in a hand."""
    return draws_from(stream(seed, hand, CHOICE, seat))


def draws_from(base: int) -> Draws:
    """The draws of a seat's plays from its stream of choices."""
    return base, PLAYS.highs(words_at(base, PLAYS))


def play_out(
    rules: PlayRules, holdings: Sequence[Masks], dealer: int, draws: Sequence[Draws], log: EventLog | None = None
) -> Played:
    """Play the tricks of a hand from these holdings; the dealer leads. ``draws``: the four seats' (``draws_of``). A ``log``
    gets the same events as when the table asks for every play."""
    lead_count, lead_kth = rules.leads.count, rules.leads.kth
    follow = rules.follow
    follow_count, follow_kth, strict, split = follow.count, follow.kth, follow.strict, follow.split
    single, single_by_single = masks.follow_single, rules.single_by_single
    remove, points_of, select = masks.remove, masks.points_of, combinations.select
    pointed, points = rules.pointed, rules.points
    power_of, led, singles = rules.wins.power, rules.led, rules.singles
    bases = [base for base, _ in draws]
    drawn = list(zip(*[high for _, high in draws], strict=True))
    held = list(holdings)
    winner = seat = dealer
    attackers = 0
    trick = 1
    strongest = lane = n = 0
    best: Masks = NOTHING
    while held[seat][0]:
        numbers = drawn[trick]
        h1, h2, h3 = held[seat]
        count = lead_count(h1, h2, h3)
        # A short form of `below`: the very number it gives.
        product = numbers[seat] * count
        if product & 0xFFFFFFFF < count:
            product = below(bases[seat], trick, 0, count) << 32
        p1, p2, p3 = best = lead_kth(h1, h2, h3, product >> 32)
        held[seat] = remove(h1, h2, h3, p1, p2, p3) if h2 & p1 else (h1 ^ p1, h2, h3)
        lane, n, strongest, pile = led[best]
        if log is not None:
            log.play(seat, rules.act(best).cards)
        winner = seat
        if n == 1 and single_by_single:
            worth = singles[lane]
            for other in AFTER[seat]:
                h1, h2, h3 = held[other]
                kinds = single(h1, lane)
                count = kinds.bit_count()
                product = numbers[other] * count
                if product & 0xFFFFFFFF < count:
                    product = below(bases[other], trick, 0, count) << 32
                p1 = select(kinds, product >> 32)
                if not h2 & p1:
                    held[other] = h1 ^ p1, h2, h3
                elif not h3 & p1:
                    held[other] = h1, h2 ^ p1, h3
                else:
                    held[other] = h1, h2, h3 ^ p1
                if log is not None:
                    log.play(other, rules.act((p1, 0, 0)).cards)
                power, scored = worth[p1]
                pile += scored
                if power > strongest:
                    strongest = power
                    winner = other
                    best = p1, 0, 0
        else:
            for other in AFTER[seat]:
                h1, h2, h3 = held[other]
                count = follow_count(h1, h2, h3, lane, n, strict, split)
                product = numbers[other] * count
                if product & 0xFFFFFFFF < count:
                    product = below(bases[other], trick, 0, count) << 32
                p1, p2, p3 = chosen = follow_kth(h1, h2, h3, lane, n, strict, split, product >> 32)
                held[other] = remove(h1, h2, h3, p1, p2, p3) if h2 & p1 else (h1 ^ p1, h2, h3)
                if log is not None:
                    log.play(other, rules.act(chosen).cards)
                power = power_of(p1, p2, p3, n, lane)
                if power > strongest:
                    strongest = power
                    winner = other
                    best = chosen
                if p1 & pointed:
                    pile += points_of(p1, p2, p3, pointed, points)
        if (winner ^ dealer) & 1:
            attackers += pile
        if log is not None:
            log.trick(winner, pile, rules.wins.by)
        seat = winner
        trick += 1
    return Played(attackers, winner, best, strongest, lane, n, trick - 1)
