"""Which plays, and which burials, are worth trying: few, and among them what ``steady`` would do."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Final

from gunzi import masks
from gunzi.apps.players.discarding import spare_inside, spare_outside
from gunzi.apps.players.following import above
from gunzi.apps.players.sharp.knowing import bits_of
from gunzi.ask import CardsAsk, PlayAsk
from gunzi.choices import count_kings, kings_masks
from gunzi.sight import Sight
from gunzi.trump import SIDE_LANES, TRUMP_LANE, Masks

MOST_PLAYS: Final = 24
ALL_OF: Final = 12
"""So few allowed plays are all tried, but for those that come to the same."""


def plays(ask: PlayAsk, sight: Sight, steady: Masks, unseen: int, pointed: int, heavy: int) -> list[Masks]:
    """Plays to try, ``steady``'s first. ``unseen`` are the kinds that others may hold."""
    if ask.lead is None:
        found = _leads(ask, steady, unseen, pointed)
    elif ask.total <= ALL_OF:
        found = [ask.masks_at(k) for k in range(ask.total)]
        if ask.n == 1:
            found = _distinct(ask, found, steady, unseen | sight.shown.best[0], pointed)
    else:
        found = _follows(ask, sight, unseen, pointed, heavy)
    return _first_and_allowed(steady, found, lambda play: ask.allows(*play))[:MOST_PLAYS]


def _first_and_allowed(first: Masks, found: Iterable[Masks], allowed: Callable[[Masks], bool]) -> list[Masks]:
    kept = [first]
    for each in found:
        if each not in kept and allowed(each):
            kept.append(each)
    return kept


def _leads(ask: PlayAsk, steady: Masks, unseen: int, pointed: int) -> list[Masks]:
    """Every kind once as the most cards there are of it, and singles and pairs out of more; of kinds that come to the same one."""
    every = [ask.masks_at(k) for k in range(ask.total)]
    found = []
    for n in (1, 2, 3):
        found += _distinct(ask, [each for each in every if masks.size(*each) == n], steady, unseen, pointed)
    if len(found) > MOST_PLAYS:
        h1, h2, h3 = ask.holding
        # Cards of pairs and triples are led alone only where they are the strongest or weakest of their lane.
        found = [each for each in found if _worth_leading(each, h1, h2, h3)]
    return found


def _worth_leading(play: Masks, h1: int, h2: int, h3: int) -> bool:
    p1, p2, p3 = play
    if p3 or (p2 and not h3 & p1) or not h2 & p1:
        return True
    for lane in masks.LANES:
        if p1 & lane:
            inside = h1 & lane
            return not p2 and p1 in (inside & -inside, 1 << (inside.bit_length() - 1))
    return False


def _distinct(ask: PlayAsk, found: list[Masks], steady: Masks, unseen: int, pointed: int) -> list[Masks]:
    """Without those that come to the same as another: next in strength of what the others may hold, of the same points, from as
    many cards held."""
    _, h2, h3 = ask.holding
    power = ask.trump.power
    points = ask.play_rules.points
    seen: dict[tuple[int, ...], Masks] = {}
    for play in found:
        kind = play[0]
        bit = kind.bit_length() - 1
        lane = next(lane for lane in masks.LANES if kind & lane)
        weaker = sum(1 for other in bits_of((unseen & lane, 0, 0)) if power[other] < power[bit])
        held = 1 + (h2 & kind != 0) + (h3 & kind != 0)
        key = (lane, weaker, points[bit], held, masks.size(*play))
        if key not in seen or play == steady:
            seen[key] = play
    return list(seen.values())


def _follows(ask: PlayAsk, sight: Sight, unseen: int, pointed: int, heavy: int) -> list[Masks]:
    """Of the many ways to follow: all that win, the cheap ones, those with points, and those that empty a suit."""
    h1, h2, h3 = ask.holding
    lane, n = ask.lane, ask.n
    follow = ask.play_rules.follow
    strict, split = follow.strict, follow.split
    shown = sight.shown
    own = (h1, h2, h3)[n - 1]
    i1, i2, i3 = h1 & lane, h2 & lane, h3 & lane
    held = masks.size(i1, i2, i3)
    found: list[Masks] = []
    best = shown.best[n - 1]
    if held >= n and not (lane != TRUMP_LANE and best & TRUMP_LANE):
        winning = above(own & lane, best, shown.strongest, ask.trump.power)
    elif held:
        winning = 0  # neither a whole play of the lane nor one of trumps alone can be made, or the trick is ruffed
    elif best & TRUMP_LANE:
        winning = above(own & TRUMP_LANE, best, shown.strongest, ask.trump.power)
    else:
        winning = own & TRUMP_LANE
    if winning:
        winners = [_of_a_kind(bit, n) for bit in bits_of((winning, 0, 0))]
        found += _distinct(ask, winners, winners[0], unseen, pointed)
    if held >= n:
        for giving in (0, 1):
            found.append(spare_inside(i1, i2, i3, n, strict, split, pointed, heavy, giving))
        found += [_of_a_kind(bit, n) for bit in bits_of((own & lane, 0, 0))]
        return found
    for giving in (0, 1):
        found.append(spare_outside(h1, h2, h3, lane, n - held, pointed, heavy, giving, i1, i2, i3))
    for side in (*SIDE_LANES, TRUMP_LANE):
        if side != lane and masks.size(h1 & side, h2 & side, h3 & side) >= n - held:
            for usable in (side & ~pointed, side):
                s1, s2, s3 = h1 & usable, h2 & usable, h3 & usable
                if masks.size(s1, s2, s3) >= n - held:
                    low = spare_inside(s1, s2, s3, n - held, 0, 0, pointed, heavy, 0)
                    found.append(masks.add(i1, i2, i3, *low))
    return found


def _of_a_kind(bit: int, n: int) -> Masks:
    """So many cards of one kind."""
    kind = 1 << bit
    return kind, kind if n > 1 else 0, kind if n > 2 else 0


# -- burying ---------------------------------------------------------------------------------------------------------


def burials(ask: CardsAsk, steady: Masks, pointed: int, heavy: int) -> list[Masks]:
    """Burials to try, ``steady``'s first: each emptying one side suit or two as far as the cards reach, with or without points,
    with the tops kept or not, and with one king or more from a hand that has some."""
    h1, h2, h3 = ask.holding
    need = ask.wanted
    kings = count_kings(ask.holding, ask.trump)
    found: list[Masks] = []
    for big, small in ((0, 0), (0, 1), (1, 0), (1, 1), (0, 2), (2, 0)):
        if big > kings[0] or small > kings[1] or big + small > need:
            continue
        royal = kings_masks(ask.trump, big, small)
        plain = _plain_burials(h1 & ~ask.trump.kings, h2 & ~ask.trump.kings, h3, need - big - small, pointed, heavy)
        found += [masks.add(*burial, *royal) for burial in (plain[:2] if big + small else plain)]
    return _first_and_allowed(steady, found, lambda burial: burial in ask.choices)


def _plain_burials(h1: int, h2: int, h3: int, need: int, pointed: int, heavy: int) -> list[Masks]:
    found: list[Masks] = []
    lanes = sorted(SIDE_LANES, key=lambda lane: masks.size(h1 & lane, h2 & lane, h3 & lane))
    for first in lanes:
        for second in lanes:
            if first == second:
                continue
            for keep in (pointed, heavy, 0):
                chosen: Masks = (0, 0, 0)
                left = need
                for lane in (first, second, *(lane for lane in lanes if lane not in (first, second))):
                    usable = lane & ~keep
                    pool = (h1 & usable, h2 & usable, h3 & usable)
                    count = min(left, masks.size(*pool))
                    if count:
                        low = spare_inside(*pool, count, 0, 0, pointed if keep else 0, heavy if keep else 0, 0)
                        chosen = masks.add(*chosen, *low)
                        left -= count
                if not left and chosen not in found:
                    found.append(chosen)
    return found
