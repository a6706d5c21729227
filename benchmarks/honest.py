"""Counted figures against exact ones: a figure whose 99.99 % interval misses the exact chance is a failing check.

    python benchmarks/honest.py                    a million deals of a fixed seed, a minute or two
    python benchmarks/honest.py --deals 100000     fewer

Decks come from the generator of every seeded table, dry pots and tribute from the hooks that every table asks; the exact chances are
counts of all deals (``gunzi.apps.lab.exact``).
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction

import gunzi
from gunzi.apps.lab import exact
from gunzi.chance import seeded_deck
from gunzi.ruleset import RuleSet
from gunzi.values import BIG_JOKER, LITTLE_JOKER

DEALS = 1_000_000
SEED = 1
SIDE_LEGS = ("no_trump", "side_or_permanent", "no_trump_suit", "no_trump_suit_or_its_2", "never")
LEVELS = range(3, 11)


@dataclass(frozen=True)
class Check:
    """A chance and what was counted."""

    name: str
    chance: Fraction
    hits: int
    count: int

    @property
    def holds(self) -> bool:
        """Does the 99.99 % interval of what was counted hold the chance?"""
        return exact.fits(self.chance, self.hits, self.count)

    def line(self) -> str:
        """As it is printed."""
        low, high = exact.interval(self.hits, self.count)
        mark = " " if self.holds else "!"
        share = self.hits / self.count
        return f"{mark} {self.name:58} {float(self.chance):11.7f} {share:11.7f}   {low:.7f} … {high:.7f}"


def checks(deals: int, seed: int, preset: str = "yuwang") -> Iterator[Check]:
    """Every check on so many deals: hand k of the seed is looked at under level 3 + k % 8 and suit k // 8 % 4."""
    rules = gunzi.load(preset)
    legs = {
        leg: gunzi.load(preset, {"dry_pot.side_leg": leg, "dry_pot.hidden_bottom": "possible"}) for leg in SIDE_LEGS
    }
    tables: dict[str, RuleSet] = {name: gunzi.load(name) for name in ("yuwang", "baike")}
    orders = [[gunzi.trump_order(level, suit) for suit in "SHCD"] for level in LEVELS]
    cards, worth = gunzi.CARDS, [rules.points[card.rank - 2] for card in gunzi.CARDS]
    dry: Counter[tuple[str, int]] = Counter()
    looked: Counter[int] = Counter()
    big_below: Counter[int] = Counter()
    big_held: Counter[int] = Counter()
    scores: Counter[exact.Score] = Counter()
    for k in range(deals):
        deck = seeded_deck(seed, k, 0)
        bottom = deck[156:]
        order = orders[k % 8][k // 8 % 4]
        lies = order.masks([cards[kind] for kind in bottom])
        looked[k % 8] += 1
        for leg, under in legs.items():
            if under.hook.dry_pot(bottom=lies, trump=order, shown=bool(k & 1), first_hand=bool(k & 2)).dry:
                dry[leg, k % 8] += 1
        big, small = bottom.count(BIG_JOKER.kind), bottom.count(LITTLE_JOKER.kind)
        big_below[big] += 1
        big_held[deck[k & 3 : 156 : 4].count(BIG_JOKER.kind)] += 1
        points = sum([worth[kind] for kind in deck[1:156:2]])
        scores[exact.Score(points, False, big, small)] += 1
        in_bottom = sum([worth[kind] for kind in bottom])
        scores[exact.Score(points + 2 * in_bottom, True, big, small)] += 1
    for leg, under in legs.items():
        for place, level in enumerate(LEVELS):
            chance = exact.dry_pot(under, level, "H", shown=False)
            yield Check(f"dry, {leg}, level {level}", chance, dry[leg, place], looked[place])
    yield Check("no big joker outside the bottom", exact.nobody_can_claim(rules), big_below[3], deals)
    for what, law, counted in (
        ("in the bottom", exact.in_bottom(rules, [BIG_JOKER]), big_below),
        ("with a seat", exact.in_hand(rules, [BIG_JOKER]), big_held),
    ):
        for number, chance in law.items():
            yield Check(f"{number} big jokers {what}", chance, counted[number], deals)
    laws = {captured: exact.dealt_scores(rules, captured) for captured in (False, True)}
    for name, table in tables.items():
        for captured, dealt in laws.items():
            owed: Counter[int | None] = Counter()
            for score, times in scores.items():
                if score.captured is captured:
                    owed[exact.owed_after(table, score)] += times
            law = exact.tribute(table, dealt)
            how = "captured" if captured else "held"
            for number in {**law, **owed}:
                said = "round over" if number is None else f"{number} cards owed"
                found = Check(f"{said}, {name}, {how}", law.get(number, Fraction(0)), owed[number], deals)
                if found.hits or found.chance * deals >= 1:
                    yield found


def main(arguments: list[str] | None = None) -> int:
    """Count and print; 1 where a check fails."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--deals", type=int, default=DEALS, help="how many deals")
    parser.add_argument("--seed", type=int, default=SEED, help="the seed they come from")
    args = parser.parse_args(arguments)
    print(f"  {'':58} {'exact':>11} {'counted':>11}   99.99 % interval")
    failed = 0
    for check in checks(args.deals, args.seed):
        print(check.line(), flush=True)
        failed += not check.holds
    print(f"{failed} of the checks fail" if failed else "all hold")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
