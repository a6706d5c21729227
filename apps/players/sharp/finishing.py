"""Playing a hand to its end with ``steady`` in every seat, in the subset that compiles: the very functions ``steady`` answers with."""

from __future__ import annotations

from typing import Any

from gunzi import masks
from gunzi.apps.players.following import choose_follow
from gunzi.apps.players.leading import choose_lead
from gunzi.apps.players.sharp.shuffling import gather, next_deal, walk
from gunzi.trump import TRUMP_LANE

(
    DEALER, LEADER, PLAYS, LANE, N, BEST, STRONGEST, WINNING, PILE, ATTACKERS, OUT, VOIDS, STRICT, SPLIT, TELLS, POINTED, HEAVY,
    SIZE,
) = (0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 13, 17, 18, 19, 20, 21, 22)  # fmt: skip
"""Where a moment of the play stands among its numbers: ``OUT`` three masks (neither played nor in a bottom everybody knows),
``VOIDS`` four, ``TELLS`` 1 where a discard under a pair shows a void, ``BEST`` the bit that wins so far."""


def play_on(hold: Any, moment: Any, voids: Any, burial: Any, c1: int, c2: int, c3: int, points: Any, power: Any) -> int:
    """Play to the end; the first play is ``c`` (nothing: as ``steady`` does). ``hold`` and ``voids`` are used up.

    ``burial``: the cards only the dealer knows to lie in the bottom. Answers the attackers' points in tricks
    (times 4096), the bit (times 16) and number of cards (times 4) of the play that won last, and who won it.
    """
    dealer = moment[DEALER]
    leader = moment[LEADER]
    plays = moment[PLAYS]
    lane = moment[LANE]
    n = moment[N]
    best = moment[BEST]
    strongest = moment[STRONGEST]
    winning = moment[WINNING]
    pile = moment[PILE]
    attackers = moment[ATTACKERS]
    o1 = moment[OUT]
    o2 = moment[OUT + 1]
    o3 = moment[OUT + 2]
    strict = moment[STRICT]
    split = moment[SPLIT]
    pointed = moment[POINTED]
    heavy = moment[HEAVY]
    b1 = burial[0]
    b2 = burial[1]
    b3 = burial[2]
    for seat in range(4):
        voids[seat] = moment[VOIDS + seat]
    while True:
        seat = (leader + plays) & 3
        k = 3 * seat
        h1 = hold[k]
        h2 = hold[k + 1]
        h3 = hold[k + 2]
        if not h1:
            break
        if c1:
            p1 = c1
            p2 = c2
            p3 = c3
            c1 = 0
        elif not h1 & (h1 - 1) and not h2:
            p1 = h1
            p2 = 0
            p3 = 0
        else:
            u1, u2, u3 = masks.remove(o1, o2, o3, h1, h2, h3)
            if b1 and seat == dealer:
                u1, u2, u3 = masks.remove(u1, u2, u3, b1, b2, b3)
            if not plays:
                foes = voids[seat ^ 1] | voids[seat ^ 3]
                p1, p2, p3 = choose_lead(h1, h2, h3, u1, u2, u3, foes, voids[seat ^ 2], pointed, points)
            else:
                mate = 1 if winning ^ seat == 2 else 0
                p1, p2, p3 = choose_follow(
                    h1, h2, h3, u1, u2, u3, lane, n, strict, split, best, strongest, mate, plays,
                    voids[(seat + 3 - plays) & 3], pile, pointed, heavy, power,
                )  # fmt: skip
        n1, n2, n3 = masks.remove(h1, h2, h3, p1, p2, p3)
        hold[k] = n1
        hold[k + 1] = n2
        hold[k + 2] = n3
        o1, o2, o3 = masks.remove(o1, o2, o3, p1, p2, p3)
        if not plays:
            lane = lane_of(p1)
            n = masks.size(p1, p2, p3)
            strongest = -1
            pile = 0
        elif p1 & ~lane and (n != 2 or moment[TELLS]):
            voids[seat] |= lane
        strength = masks.play_power(p1, p2, p3, n, lane, TRUMP_LANE, power)
        if strength > strongest:
            strongest = strength
            winning = seat
            best = p1 if n == 1 else (p2 if n == 2 else p3)
        if p1 & pointed:
            pile += masks.points_of(p1, p2, p3, pointed, points)
        if plays < 3:
            plays += 1
        else:
            plays = 0
            leader = winning
            if (winning ^ dealer) & 1:
                attackers += pile
            pile = 0
    end: int = attackers << 12 | (best.bit_length() - 1) << 4 | n << 2 | winning
    return end


def lane_of(kinds: int) -> int:
    """The lane of the weakest of some kinds."""
    weakest = kinds & -kinds
    for lane in masks.LANES:
        if weakest & lane:
            return lane
    return 0


def explore(
    random: Any,
    burn_in: int,
    deals: int,
    steps: int,
    cards: Any,
    allowed: Any,
    place: Any,
    classes: Any,
    hold: Any,
    bad: Any,
    limits: Any,
    tribute: Any,
    at_least: Any,
    ring: Any,
    checked: int,
    seat: int,
    own: Any,
    moment: Any,
    voids: Any,
    burial: Any,
    firsts: Any,
    chosen: Any,
    points: Any,
    power: Any,
    work: Any,
    ends: Any,
    bottoms: Any,
) -> None:
    """Deal the unseen cards so many times and play each deal to its end once for every candidate in ``chosen``.

    ``firsts`` are the candidates' plays, ``own`` the hand of ``seat``, three masks each. ``random[0]`` is the state of chance.
    ``ends`` gets what ``play_on`` says, deal by deal, ``bottoms`` the hidden bottom of each deal. Before, the walk goes
    ``burn_in`` steps; ``steps`` below 0: the one deal is the one in ``hold``.
    """
    state = random[0]
    if burn_in:
        gather(cards, place, hold)
        state = walk(state, burn_in, cards, allowed, place, hold, bad, limits, tribute, at_least, ring, checked)
    for deal in range(deals):
        if steps >= 0:
            state = next_deal(
                state, steps, cards, allowed, place, classes, hold, bad, limits, tribute, at_least, ring, checked
            )  # fmt: skip
        for k in range(3):
            bottoms[3 * deal + k] = hold[12 + k]
        for c in range(len(chosen)):
            k = 3 * chosen[c]
            for i in range(12):
                work[i] = hold[i]
            for i in range(3):
                work[3 * seat + i] = own[i]
            ends[deal * len(chosen) + c] = play_on(
                work, moment, voids, burial, firsts[k], firsts[k + 1], firsts[k + 2], points, power
            )
    random[0] = state
