"""What hooks decide about whole bottoms, as numbers: dry pots and the others' window.

It is read by trying single cards, and then checked against the hook on drawn bottoms: a hook that does not decide in that way is
not covered.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Final

from gunzi.apps.lab.fast import layout as at
from gunzi.apps.lab.fast.layout import Numbers
from gunzi.apps.lab.fast.names import Names, NotCovered
from gunzi.cards import KINDS
from gunzi.chance import below
from gunzi.errors import Text
from gunzi.ruleset import RuleSet
from gunzi.trump import TRUMP_LANE, Masks, Trump

CHECKS: Final = 12
"""So many drawn bottoms check what was read of a hook, under each trump order."""


def _bits(order: Trump) -> list[int]:
    return [order.mask_of(kind) for kind in range(KINDS)]


def drawn_bottoms(order: Trump, size: int) -> Iterator[Masks]:
    """Bottoms to check with: of each number of kinds, drawn, half of them of few lanes."""
    bits = sorted(_bits(order))
    for k in range(CHECKS if size else 0):
        span = len(bits) if k & 1 else 18
        first = below(k, order.level, 0, len(bits) - span + 1)
        one = two = three = 0
        for i in range(size):
            bit = bits[first + below(k, order.level, i + 1, span)]
            three |= two & bit
            two |= one & bit
            one |= bit
        yield one, two, three


def read_dry(
    rules: RuleSet, names: Names, order: Trump, shown: bool, first: bool, bottoms: Iterable[Masks]
) -> list[int]:
    """(Mask, then dry and by: without side cards; with side cards and no trump of the mask; with one)."""

    def ask(kinds: int) -> tuple[int, int]:
        verdict = rules.hook.dry_pot(bottom=(kinds, 0, 0), trump=order, shown=shown, first_hand=first)
        return int(verdict.dry), names.rule(verdict.by)

    bits = _bits(order)
    side = next(bit for bit in bits if not bit & TRUMP_LANE)
    trumps = [bit for bit in bits if bit & TRUMP_LANE]
    without = ask(order.big)
    plain = ask(side)
    counting = 0
    counted = plain
    for bit in trumps:
        found = ask(side | bit)
        if found != plain:
            counting |= bit
            counted = found
    for one, two, three in bottoms:
        verdict = rules.hook.dry_pot(bottom=(one, two, three), trump=order, shown=shown, first_hand=first)
        told = without if not one & ~TRUMP_LANE else counted if one & counting else plain
        if (int(verdict.dry), names.rule(verdict.by)) != told:
            raise NotCovered(Text("干锅的规则没有编译版", "the rule of dry pots has no compiled form"))
    return [counting, *without, *plain, *counted]


def read_window(rules: RuleSet, names: Names, order: Trump, row: Numbers, bottoms: Iterable[Masks]) -> None:
    """The kinds any of which shuts the window, and those all of which do."""

    def ask(kinds: int) -> tuple[bool, str]:
        window = rules.hook.kings_window(dealer_buried=(kinds, 0, 0), trump=order)
        return window.open, window.by

    bits = _bits(order)
    everything = sum(bits)
    alone = [ask(bit) for bit in bits]
    neutral = next((bit for bit, (is_open, _) in zip(bits, alone, strict=True) if is_open), 0)
    all_shut = sum(bit for bit, (is_open, _) in zip(bits, alone, strict=True) if not is_open)
    any_shuts = 0
    if neutral:
        any_shuts = sum(bit for bit in bits if not ask(neutral | bit)[0])
    open_by = next((by for is_open, by in alone if is_open), "")
    shut_by = next((by for is_open, by in alone if not is_open), "")
    if not neutral:
        all_shut = everything
    row[at.ANY_SHUTS], row[at.ALL_SHUT] = any_shuts, all_shut
    row[at.OPEN_BY], row[at.SHUT_BY] = names.rule(open_by), names.rule(shut_by)
    for one, two, three in bottoms:
        window = rules.hook.kings_window(dealer_buried=(one, two, three), trump=order)
        is_open = not (one & any_shuts or not one & ~all_shut)
        if (window.open, window.by) != (is_open, open_by if is_open else shut_by):
            raise NotCovered(Text("别家扣王的规则没有编译版", "the rule of the others' window has no compiled form"))
