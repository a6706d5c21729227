"""How fast ``sharp`` thinks: deals dealt and played to their end, interpreted and compiled.

    python benchmarks/thinking.py          at the first lead, and in the middle of a hand, loose and strict
    python benchmarks/thinking.py --tiny   only that it runs

A playout is one deal of the unseen cards played to its end by ``steady`` in every seat, dealing and settling included. Rates are a
second and, to compare machines by, per million iterations of the calibration loop (``measuring.py``). How strong it is, is a
match: ``gunzi match sharp:0.2s steady yuwang --pairs 100``.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from importlib.util import find_spec

from measuring import Rate, rate

import gunzi
from gunzi.apps.players import four_dice, one_act, player
from gunzi.apps.players.sharp.compiling import INTERPRETED, Form, compiled
from gunzi.apps.players.sharp.knowing import know
from gunzi.apps.players.sharp.searching import Deals, PlaySearch
from gunzi.apps.players.sharp.worth import Stakes
from gunzi.ask import PlayAsk
from gunzi.table import Table

MOMENTS = ((1, "at the first lead"), (14, "at the 14th trick"))


def search(rules: gunzi.RuleSet, trick: int, form: Form) -> PlaySearch:
    """The search of the first play asked for in a trick; one candidate."""
    table = Table(rules, seed=5, rounds=None, hands=1, record=False, watched=True)
    seats, steady = four_dice(1), player("steady")
    while not (isinstance(table.ask, PlayAsk) and table.hand.trick_number == trick):
        table.do(table.ask.seat, one_act(table, steady, seats))
    ask, hand = table.ask, table.hand
    sight = table.sight(ask.seat)
    known = know(sight, ask.play_rules, burying=False)
    assert known is not None and hand.dealer is not None
    stakes = Stakes(ask.play_rules, hand.levels, hand.dealer, hand.dry, hand.tribute_paid, ask.seat)
    heavy = sum(1 << bit for bit, points in enumerate(ask.play_rules.points) if points > 5)
    return PlaySearch(sight, ask, [ask.masks_at(0)], Deals(known, ask.play_rules, 1, form), stakes, heavy)


def rates(tiny: bool) -> Iterator[tuple[str, Rate]]:
    """Each rate with its name."""
    forms = [("interpreted", INTERPRETED, 4)]
    if find_spec("numba") is not None and not tiny:
        forms.append(("compiled", compiled(), 400))
    for shapes in ("loose", "strict"):
        rules = gunzi.load("yuwang", {"follow.shapes": shapes})
        for trick, when in MOMENTS:
            for name, form, deals in forms:
                found = search(rules, trick, form)

                def work(found: PlaySearch = found, deals: int = deals) -> int:
                    return len(found.attempt(deals, [0]))

                yield f"{name}, {shapes}, {when}", rate(work, 1 if tiny else 25)


def main(arguments: list[str] | None = None) -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--tiny", action="store_true", help="only that everything runs: the figures mean nothing")
    args = parser.parse_args(arguments)
    for name, found in rates(args.tiny):
        print(f"{name:45} {found.per_second:12,.0f} playouts/s {found.per_million:12,.1f} a million", flush=True)


if __name__ == "__main__":
    main()
