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
    base = stream(seed, k, POLICY, 1)
    low, high = levels
    dealer = below(base, 0, 0, 4)
    both = (low + below(base, 0, 1, high - low + 1), low + below(base, 0, 2, high - low + 1))
    owed = None
    if below(base, 0, 3, 3):
        owed = Owed((dealer + 3) % 4, dealer, 1 + below(base, 0, 4, LARGEST_TRIBUTE))
    return Start(both, dealer, owed)
