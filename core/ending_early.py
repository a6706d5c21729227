"""Ending a hand early: the plays that are left are not made, because nothing they could do changes what the hand comes to.

What counts is what everybody can see. The cards still out may fall to either side, the last trick may be won by either, and a
hidden bottom may be any that fits: only where all of these give the same dealer, levels, tribute, ending and sheets, the hand may
end. This looks at more than can really happen, so that a hand is never ended wrongly; now and then one is played on that
need not be. Record format, event ``early``.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from functools import reduce
from itertools import product
from math import gcd
from typing import TYPE_CHECKING, Any

from gunzi.cards import Card
from gunzi.settling import settle
from gunzi.shown import Shown
from gunzi.values import CAPTURED, HELD, Result, Settlement

if TYPE_CHECKING:
    from gunzi.hand import Hand


def settled_early(hand: Hand, shown: Shown) -> Settlement | None:
    """What the hand comes to, whatever is still played; None: that is open, or it is not a moment to end at.

    ``shown``: what everybody has seen of this hand. Hands end early between two tricks only, and only under gunzi's own rules:
    what a stranger's rules look at cannot be known.
    """
    rules = hand.rules
    if hand.phase != "play" or hand.plays or rules.host.strangers or hand.trump is None or hand.dealer is None:
        return None
    if [phase.name for phase in rules.phases[hand.index :]] != ["play", "settle"]:
        return None
    now = Result(
        dealer=hand.dealer,
        levels=hand.levels,
        trick_points=hand.attackers_points,
        capture=HELD,
        bottom=hand.bottom,
        bottom_points=_points(hand, hand.bottom),
        dry=hand.dry,
        trump=hand.trump,
        last_play=(),
        tribute_paid=hand.tribute_paid,
    )
    settlement = settle(rules, now)
    wanted = _come_to(settlement)
    for possible in _ends(hand, shown, now):
        if _come_to(settle(rules, possible)) != wanted:
            return None
    return replace(settlement, grounds=settlement.grounds._replace(early=True))


def _come_to(settlement: Settlement) -> tuple[Any, ...]:
    """All that a hand leaves behind."""
    outcome = settlement.outcome
    result = outcome.result
    return (
        result.next_dealer,
        result.takeover,
        outcome.ending,
        outcome.round_won_by,
        outcome.level_up,
        outcome.levels,
        outcome.owed,
        settlement.scores,
    )


def _ends(hand: Hand, shown: Shown, now: Result) -> Iterator[Result]:
    """All the ends the rest of the hand could have, the most different ones first."""
    assert hand.trump is not None
    out = hand.trump.cards((shown.out1, shown.out2, shown.out3))
    least, total, step = now.trick_points, _points(hand, out), reduce(gcd, hand.rules.points)
    known = shown.buried is not None
    # Each bottom with the points that are in the hands when it lies so.
    bottoms: list[tuple[tuple[Card, ...], int]] = []
    if known:
        bottoms.append((now.bottom, total))
    else:
        # A hidden bottom holds no kings, or it is dry and they do not count.
        hidden = [card for card in out if now.dry or not card.is_joker]
        size = len(now.bottom)
        richest = sorted(hidden, key=lambda card: _points(hand, (card,)))[len(hidden) - size :]
        yield from _with_bottom(hand, now, tuple(richest), (least, least + total - _points(hand, richest)))
        bottoms += [(bottom, total - _points(hand, bottom)) for bottom in _bottoms(hand, hidden, size)]
    for bottom, left in bottoms:
        yield from _with_bottom(hand, now, bottom, (least, least + left))
    for bottom, left in bottoms:
        yield from _with_bottom(hand, now, bottom, range(least + step, least + left, step) if step else ())


def _with_bottom(hand: Hand, now: Result, bottom: tuple[Card, ...], tricks: Iterable[int]) -> Iterator[Result]:
    """The ends with this bottom in which the attackers' tricks come to so many points."""
    worth = _points(hand, bottom)
    for points, capture in product(tricks, (CAPTURED, HELD)):
        yield replace(now, trick_points=points, capture=capture, bottom=bottom, bottom_points=worth)


def _bottoms(hand: Hand, hidden: Sequence[Card], size: int) -> Iterator[tuple[Card, ...]]:
    """A bottom of these cards for each sum of points that ``size`` of them can have, the richest first."""
    # sums[n]: the sums that n cards can have, and such cards.
    sums: list[dict[int, tuple[Card, ...]]] = [{0: ()}, *({} for _ in range(size))]
    for card in hidden:
        worth = _points(hand, (card,))
        for count in range(size, 0, -1):
            for reached, cards in list(sums[count - 1].items()):
                sums[count].setdefault(reached + worth, (*cards, card))
    for _, cards in sorted(sums[size].items(), reverse=True):
        yield cards


def _points(hand: Hand, cards: Iterable[Card]) -> int:
    points = hand.rules.points
    return sum(points[card.rank - 2] for card in cards)
