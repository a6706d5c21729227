"""Where single hands begin, so that rule sets can be compared on equal terms.

Hand k of a seed is the same for every rule set: an even k is the first hand of a round, an odd k a later hand with a dealer,
levels and, in two of three, a tribute of one to six cards owed, all drawn from the seed. So claims, reveals, declarations,
overturns and tribute all get their share, whatever the rules make of a round. The levels are drawn from those all compared
rule sets know. Whole rounds begin as rounds do.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from gunzi.chance import POLICY, below, stream
from gunzi.ruleset import RuleSet
from gunzi.table import Start
from gunzi.values import Owed

LARGEST_TRIBUTE: Final = 6


def unit_seed(seed: int, k: int) -> int:
    """The seed of the table that plays unit k (a hand or a round), counted from 0."""
    return stream(seed, k, POLICY)


def common_levels(rule_sets: Sequence[RuleSet]) -> tuple[int, int]:
    """The lowest and the highest level that all the rule sets play; the first set's where they share none."""
    ranges = [(rules.start_level, int(rules.options["levels.final"])) for rules in rule_sets]
    low, high = max(low for low, _ in ranges), min(high for _, high in ranges)
    return (low, high) if low <= high else ranges[0]


def situation(seed: int, k: int, levels: tuple[int, int]) -> Start | None:
    """Where hand k begins; None: as the first hand of a round."""
    if k % 2 == 0:
        return None
    dealer, one, other, cards = drawn(stream(seed, k, POLICY, 1), *levels)
    return Start((one, other), dealer, Owed((dealer + 3) % 4, dealer, cards) if cards else None)


def drawn(base: int, low: int, high: int) -> tuple[int, int, int, int]:
    """Dealer, the sides' levels and how many cards are owed (0: none) in a later hand. In the subset that compiles."""
    dealer = below(base, 0, 0, 4)
    one = low + below(base, 0, 1, high - low + 1)
    other = low + below(base, 0, 2, high - low + 1)
    cards = 0
    if below(base, 0, 3, 3):
        cards = 1 + below(base, 0, 4, LARGEST_TRIBUTE)
    return dealer, one, other, cards
