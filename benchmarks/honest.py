"""Counted figures against exact ones: a figure whose 99.99 % interval misses the exact chance is a failing check.

    python benchmarks/honest.py                    a million deals of a fixed seed, a minute or two
    python benchmarks/honest.py --deals 100000     fewer
    python benchmarks/honest.py --jobs 1           in one process: the figures are the same

Decks come from the generator of every seeded table, dry pots and tribute from the hooks that every table asks; the exact chances are
counts of all deals (``gunzi.apps.lab.exact``). Where the compiled fast path is there, as many whole hands are played by it: how often
nobody can claim, and the tribute they owe, which has to be just what the distribution of their scores comes to.
"""

from __future__ import annotations

import argparse
import os
import sys
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, field
from fractions import Fraction
from functools import partial

import gunzi
from gunzi.apps.lab import exact
from gunzi.chance import seeded_deck
from gunzi.values import BIG_JOKER, LITTLE_JOKER

DEALS = 1_000_000
SEED = 1
RULES = "yuwang"
TABLES = ("yuwang", "baike")
SIDE_LEGS = ("no_trump", "side_or_permanent", "no_trump_suit", "no_trump_suit_or_its_2", "never")
LEVELS = range(3, 11)
BLOCK = 25_000


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


@dataclass(frozen=True)
class Same:
    """Two counts that have to be equal."""

    name: str
    wanted: int
    found: int

    @property
    def holds(self) -> bool:
        """Are they?"""
        return self.wanted == self.found

    def line(self) -> str:
        """As it is printed."""
        mark = " " if self.holds else "!"
        return f"{mark} {self.name:58} {self.wanted:11} {self.found:11}   the same number"


@dataclass
class Counts:
    """What some deals came to."""

    dry: Counter[tuple[str, int]] = field(default_factory=Counter)
    looked: Counter[int] = field(default_factory=Counter)
    big_below: Counter[int] = field(default_factory=Counter)
    big_held: Counter[int] = field(default_factory=Counter)
    scores: Counter[exact.Score] = field(default_factory=Counter)

    def add(self, other: Counts) -> None:
        """Count in what other deals came to."""
        for name in ("dry", "looked", "big_below", "big_held", "scores"):
            getattr(self, name).update(getattr(other, name))


def legs() -> dict[str, gunzi.RuleSet]:
    """A rule set for each definition of the dry pot; hidden bottoms can be dry too."""
    return {leg: gunzi.load(RULES, {"dry_pot.side_leg": leg, "dry_pot.hidden_bottom": "possible"}) for leg in SIDE_LEGS}


def count(seed: int, deals: range) -> Counts:
    """Deal these hands of the seed. Hand k is looked at under level 3 + k % 8 and suit k // 8 % 4."""
    found = Counts()
    rules, under = gunzi.load(RULES), legs()
    orders = [[gunzi.trump_order(level, suit) for suit in "SHCD"] for level in LEVELS]
    cards, worth = gunzi.CARDS, [rules.points[card.rank - 2] for card in gunzi.CARDS]
    for k in deals:
        deck = seeded_deck(seed, k, 0)
        bottom = deck[156:]
        order = orders[k % 8][k // 8 % 4]
        lies = order.masks([cards[kind] for kind in bottom])
        found.looked[k % 8] += 1
        for leg, by in under.items():
            if by.hook.dry_pot(bottom=lies, trump=order, shown=bool(k & 1), first_hand=bool(k & 2)).dry:
                found.dry[leg, k % 8] += 1
        big, small = bottom.count(BIG_JOKER.kind), bottom.count(LITTLE_JOKER.kind)
        found.big_below[big] += 1
        found.big_held[deck[k & 3 : 156 : 4].count(BIG_JOKER.kind)] += 1
        points = sum([worth[kind] for kind in deck[1:156:2]])
        found.scores[exact.Score(points, False, big, small)] += 1
        below = sum([worth[kind] for kind in bottom])
        found.scores[exact.Score(points + 2 * below, True, big, small)] += 1
    return found


def counted(deals: int, seed: int, jobs: int = 1) -> Counts:
    """Deal so many hands; the same whatever the number of processes."""
    blocks = [range(start, min(start + BLOCK, deals)) for start in range(0, deals, BLOCK)]
    found = Counts()
    if jobs <= 1 or len(blocks) == 1:
        for block in blocks:
            found.add(count(seed, block))
        return found
    with ProcessPoolExecutor(jobs) as processes:
        for part in processes.map(partial(count, seed), blocks):
            found.add(part)
    return found


def checks(deals: int, seed: int, jobs: int = 1) -> Iterator[Check]:
    """Every check on so many deals."""
    found = counted(deals, seed, jobs)
    for leg, under in legs().items():
        for place, level in enumerate(LEVELS):
            chance = exact.dry_pot(under, level, "H", shown=False)
            yield Check(f"dry, {leg}, level {level}", chance, found.dry[leg, place], found.looked[place])
    rules = gunzi.load(RULES)
    yield Check("no big joker outside the bottom", exact.nobody_can_claim(rules), found.big_below[3], deals)
    for what, law, seen in (
        ("in the bottom", exact.in_bottom(rules, [BIG_JOKER]), found.big_below),
        ("with a seat", exact.in_hand(rules, [BIG_JOKER]), found.big_held),
    ):
        for number, chance in law.items():
            yield Check(f"{number} big jokers {what}", chance, seen[number], deals)
    laws = {captured: exact.dealt_scores(rules, captured) for captured in (False, True)}
    for name in TABLES:
        for captured, dealt in laws.items():
            yield from tribute_checks(name, captured, dealt, found.scores, deals)


def tribute_checks(
    name: str, captured: bool, dealt: dict[exact.Score, Fraction], scores: Counter[exact.Score], deals: int
) -> Iterator[Check]:
    """What the deals' scores owe against what they have to; what is hardly to be expected at all is left out where it was not seen."""
    rules = gunzi.load(name)
    owed: Counter[int | None] = Counter()
    for score, times in scores.items():
        if score.captured is captured:
            owed[exact.owed_after(rules, score)] += times
    law = exact.tribute(rules, dealt)
    how = "captured" if captured else "held"
    for number in {**law, **owed}:
        chance, hits = law.get(number, Fraction(0)), owed[number]
        if hits or chance * deals >= 1:
            yield Check(f"{owing(number)}, {name}, {how}", chance, hits, deals)


def owing(number: int | None) -> str:
    """An outcome of tribute, named."""
    return "round over" if number is None else f"{number} cards owed"


def compiled_checks(hands: int, seed: int) -> Iterator[Check | Same]:
    """The same of hands that the compiled fast path plays; nothing where it is not there."""
    try:
        from gunzi.apps.lab.fast import layout as at
        from gunzi.apps.lab.fast import running
        from gunzi.apps.lab.fast.compiled import the_compiler
        from gunzi.apps.lab.fast.layout import numbers

        the_compiler()
    except ImportError:
        return
    for name in TABLES:
        rules = gunzi.load(name)
        engine = running.Engine(rules, rules.start_level, int(rules.options["levels.final"]))
        owed: Counter[int | None] = Counter()
        scores: dict[tuple[int, int], Counter[exact.Score]] = {}
        redeals = first_hands = 0
        state = running.new_state(1, hands, 0)
        units, rows = numbers(1, at.UNIT_FIELDS), numbers(BLOCK, at.ROW)
        units[0] = running.unit_of(seed, (rules.start_level, rules.start_level))
        over = False
        while not over:
            over = engine.run(state, units, rows, running.no_log()) == at.NEXT
            for row in rows[: state[at.ROWS]].tolist():
                side = row[at.R_DEALER] & 1
                levels = (row[at.R_LEVEL_0 + side], row[at.R_LEVEL_1 - side])
                score = exact.Score(
                    row[at.R_POINTS], bool(row[at.R_CAPTURED]), row[at.R_BIG], row[at.R_SMALL], bool(row[at.R_DRY])
                )
                scores.setdefault(levels, Counter())[score] += 1
                if row[at.R_WON_BY] >= 0:
                    owed[None] += 1
                else:
                    owed[row[at.R_OWES] * (1 if row[at.R_OWES_TO] == row[at.R_NEXT_DEALER] else -1)] += 1
                first_hands += row[at.R_FIRST_HAND]
            state[at.ROWS] = 0
        redeals = int(state[at.REDEALS])
        if rules.options["first_dealer.claim"] == "automatic":
            # Then a first hand is dealt again just when every big joker lies in the bottom: all its reveals end so.
            chance = exact.nobody_can_claim(rules)
            yield Check(f"first hands dealt again, {name}, compiled", chance, redeals, first_hands + redeals)
        found: Counter[int | None] = Counter()
        for levels, seen in scores.items():
            law = exact.tribute(rules, {score: Fraction(times) for score, times in seen.items()}, levels)
            for number, times in law.items():
                found[number] += int(times)
        for number in sorted({*found, *owed}, key=lambda each: (each is None, each or 0)):
            yield Same(f"{owing(number)}, {name}, compiled", found[number], owed[number])


def main(arguments: list[str] | None = None) -> int:
    """Count and print; 1 where a check fails."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--deals", type=int, default=DEALS, help="how many deals, and compiled hands")
    parser.add_argument("--seed", type=int, default=SEED, help="the seed they come from")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1, help="how many processes")
    args = parser.parse_args(arguments)
    print(f"  {'':58} {'exact':>11} {'counted':>11}   99.99 % interval")
    failed = 0
    for check in (*checks(args.deals, args.seed, args.jobs), *compiled_checks(args.deals, args.seed)):
        print(check.line(), flush=True)
        failed += not check.holds
    print(f"{failed} of the checks fail" if failed else "all hold")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
