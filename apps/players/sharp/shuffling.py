"""Dealing the unseen cards, in the subset that compiles: every deal that agrees with what was seen is equally likely.

A deal gives each unseen card a place: a seat (0-3) or the bottom (4). A card's ``allowed`` masks the places where it may lie;
what strict following tells of pairs and triples, and a tribute that was paid, cannot be said card by card, so a deal that goes
against it is a *fault*. One step of the walk has two, three or four cards of different places change places in a ring; it is
chosen as often as the step that undoes it, and is taken whenever it is allowed, but one that adds faults only one time in
``8^faults``. So the walk visits every deal without faults equally often in the long run (Metropolis), and because it may pass
through faulty ones it reaches all of them: for a seat there are four places at most, the other seats and the bottom, and two
deals that obey ``allowed`` differ by rings of two, three or four places. A deal is taken where the walk has no faults at the
end of a sweep: looked at only then, it is a walk on the faultless deals alone, and visits them equally often as well.

Cards that may lie in the same places form a class; where nothing else counts, the places of a class are shuffled outright.
"""

from __future__ import annotations

from typing import Any

from gunzi import masks
from gunzi.trump import TRUMP_LANE

LOW = 0xFFFFFFFF
MULTIPLIER = 698769069
"""Multiply with carry: the state is below 2^62, its lower half the number drawn."""
PLACES = 5
BOTTOM = 4
LIMIT = 6
"""Numbers in a limit: seat, lane, how many single cards of the lane at most, and what the seat has played since (three masks)."""
MOST_SWEEPS = 40


def drawn(state: int) -> int:
    """The state after this one."""
    return MULTIPLIER * (state & LOW) + (state >> 32)


def faults_of(seat: int, hold: Any, bad: Any, limits: Any) -> int:
    """In how many kinds, and how many limits, the cards of a seat go against what strict following showed."""
    k = 3 * seat
    h1 = hold[k]
    h2 = hold[k + 1]
    h3 = hold[k + 2]
    found: int = (h1 & ~h2 & bad[k]).bit_count() + (h2 & ~h3 & bad[k + 1]).bit_count() + (h3 & bad[k + 2]).bit_count()
    for place in range(0, len(limits), LIMIT):
        if limits[place] == seat:
            lane = limits[place + 1]
            s1 = limits[place + 3]
            s2 = limits[place + 4]
            singles = (h1 & ~h2 & ~s1 & lane).bit_count() + (s1 & ~s2 & ~h1 & lane).bit_count()
            if singles > limits[place + 2]:
                found += 1
    return found


def tribute_faults(hold: Any, tribute: Any, at_least: Any) -> int:
    """1 if the payer still had a stronger card than those it paid, by what the receiver can have got from it.

    ``tribute``: nothing, or eight numbers: payer, receiver, how many cards; what else the payer had at that time (kinds, at least
    once) and the receiver (three masks); and whether the bottom counts as the receiver's.
    """
    if not len(tribute):
        return 0
    k = 3 * tribute[0]
    kept = (hold[k] | tribute[3]) & at_least[60] & TRUMP_LANE
    if not kept:
        return 0
    # No weaker than the strongest one kept.
    strong = at_least[kept.bit_length() - 1]
    k = 3 * tribute[1]
    count = (hold[k] & strong).bit_count() + (hold[k + 1] & strong).bit_count() + (hold[k + 2] & strong).bit_count()
    count += (tribute[4] & strong).bit_count() + (tribute[5] & strong).bit_count() + (tribute[6] & strong).bit_count()
    if tribute[7]:
        k = 3 * BOTTOM
        count += (
            (hold[k] & strong).bit_count() + (hold[k + 1] & strong).bit_count() + (hold[k + 2] & strong).bit_count()
        )
    return 1 if count < tribute[2] else 0


def all_faults(hold: Any, bad: Any, limits: Any, tribute: Any, at_least: Any) -> int:
    """The faults of a deal."""
    found = tribute_faults(hold, tribute, at_least)
    for seat in range(4):
        found += faults_of(seat, hold, bad, limits)
    return found


def gather(cards: Any, place: Any, hold: Any) -> None:
    """The holdings of the places from the places of the cards."""
    for k in range(3 * PLACES):
        hold[k] = 0
    for i in range(len(cards)):
        bit = 1 << cards[i]
        k = 3 * place[i]
        if not hold[k] & bit:
            hold[k] |= bit
        elif not hold[k + 1] & bit:
            hold[k + 1] |= bit
        else:
            hold[k + 2] |= bit


def move(hold: Any, bit: int, source: int, target: int) -> None:
    """One card goes from a place to another."""
    k = 3 * source
    n1, n2, n3 = masks.remove(hold[k], hold[k + 1], hold[k + 2], bit, 0, 0)
    hold[k] = n1
    hold[k + 1] = n2
    hold[k + 2] = n3
    k = 3 * target
    n1, n2, n3 = masks.add(hold[k], hold[k + 1], hold[k + 2], bit, 0, 0)
    hold[k] = n1
    hold[k + 1] = n2
    hold[k + 2] = n3


def shuffle_classes(state: int, place: Any, classes: Any) -> int:
    """Shuffle the places within each class; ``classes`` lists where each begins, and the end."""
    for c in range(len(classes) - 1):
        first = classes[c]
        for i in range(classes[c + 1] - 1, first, -1):
            state = drawn(state)
            j = first + ((state & LOW) * (i + 1 - first) >> 32)
            kept = place[i]
            place[i] = place[j]
            place[j] = kept
    return state


def walk(
    state: int,
    steps: int,
    cards: Any,
    allowed: Any,
    place: Any,
    hold: Any,
    bad: Any,
    limits: Any,
    tribute: Any,
    at_least: Any,
    ring: Any,
    checked: int,
) -> int:
    """So many steps of the walk. ``checked`` 0: there can be no faults, and ``hold`` is not kept up to date."""
    n = len(cards)
    faults = all_faults(hold, bad, limits, tribute, at_least) if checked else 0
    for _ in range(steps):
        state = drawn(state)
        size = 2
        if not state & 3:
            size = 3 + (state >> 2 & 1)
        seen = 0
        for r in range(size):
            state = drawn(state)
            i = (state & LOW) * n >> 32
            ring[r] = i
            seen |= 1 << place[i]
        if seen.bit_count() != size:
            continue
        fits = 1
        for r in range(size):
            if not allowed[ring[r]] >> place[ring[(r + 1) % size]] & 1:
                fits = 0
        if not fits:
            continue
        first = place[ring[0]]
        for r in range(size):
            i = ring[r]
            target = place[ring[r + 1]] if r + 1 < size else first
            if checked:
                move(hold, 1 << cards[i], place[i], target)
            place[i] = target
        if checked:
            now = all_faults(hold, bad, limits, tribute, at_least)
            if now > faults:
                state = drawn(state)
                if (state & LOW) >> (32 - 3 * min(now - faults, 10)):
                    # Back round the ring the other way.
                    last = place[ring[size - 1]]
                    for r in range(size - 1, -1, -1):
                        i = ring[r]
                        target = place[ring[r - 1]] if r else last
                        move(hold, 1 << cards[i], place[i], target)
                        place[i] = target
                    continue
            faults = now
    return state


def next_deal(
    state: int,
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
) -> int:
    """Go on to another deal without faults: ``place`` and ``hold``. ``steps`` is the length of a sweep."""
    if not checked:
        if len(classes) > 2:
            state = walk(state, steps, cards, allowed, place, hold, bad, limits, tribute, at_least, ring, 0)
        state = shuffle_classes(state, place, classes)
        gather(cards, place, hold)
        return state
    for _ in range(MOST_SWEEPS):
        state = walk(state, steps, cards, allowed, place, hold, bad, limits, tribute, at_least, ring, 1)
        if not all_faults(hold, bad, limits, tribute, at_least):
            break
    return state
