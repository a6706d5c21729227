"""A first deal to start the walk from: any deal with each card in a place where it may lie."""

from __future__ import annotations

from collections.abc import Sequence

from gunzi.apps.players.sharp.shuffling import LOW, drawn


class NoDealError(ValueError):
    """No deal agrees with what is known."""


def place_cards(allowed: Sequence[int], room: Sequence[int], state: int) -> tuple[list[int], int]:
    """A place for each card, and the state of chance after it. Cards with the least choice come first; where a card finds its
    places full, cards are passed on along the shortest way to a free one. Raises NoDealError."""
    place = [-1] * len(allowed)
    left = list(room)
    for i in sorted(range(len(allowed)), key=lambda i: (allowed[i].bit_count(), i)):
        free = [where for where in range(len(room)) if allowed[i] >> where & 1 and left[where] > 0]
        if free:
            state = drawn(state)
            pick = (state & LOW) * sum(left[where] for where in free) >> 32
            for where in free:
                pick -= left[where]
                if pick < 0:
                    break
            place[i] = where
            left[where] -= 1
        else:
            left[_pass_on(i, place, allowed, left)] -= 1
    return place, state


def _pass_on(i: int, place: list[int], allowed: Sequence[int], left: Sequence[int]) -> int:
    """Make room for a card; answers the place that takes one more."""
    came: dict[int, tuple[int, int]] = {where: (i, -1) for where in range(len(left)) if allowed[i] >> where & 1}
    queue = list(came)
    for where in queue:
        for card, at in enumerate(place):
            if at != where:
                continue
            for target in range(len(left)):
                if allowed[card] >> target & 1 and target not in came:
                    came[target] = (card, where)
                    queue.append(target)
                    if left[target] > 0:
                        return _shift(target, came, place)
    raise NoDealError("no deal agrees with what is known")


def _shift(target: int, came: dict[int, tuple[int, int]], place: list[int]) -> int:
    end = target
    while target >= 0:
        card, source = came[target]
        place[card] = target
        target = source
    return end
