"""Exact chances, as fractions: what a simulation has to come to.

    from gunzi.apps.lab import exact
    exact.dry_pot(rules, level=5, suit="H")            # Fraction: six random cards are a dry pot
    exact.in_bottom(rules, ["BJ"])                     # {0: …, 1: …, 2: …, 3: …}: big jokers in the bottom
    exact.nobody_can_claim(rules)                      # no big joker outside the bottom
    exact.in_hand(rules, ["BJ"])[3]                    # a seat is dealt all three
    exact.tribute(rules, {exact.Score(60, False): Fraction(1, 3), exact.Score(170, True): Fraction(2, 3)})

These are counts of deals out of all there are, worked out from the rule book's words and not by the rules' own functions; only
``tribute`` asks the rules, what each score draws. ``interval`` and ``fits`` hold a counted share against a chance.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import comb, exp, lgamma, log, log1p
from typing import Final

from gunzi.apps.lab.errors import LabError
from gunzi.cards import CARDS, SUITS, parse_cards
from gunzi.errors import Text
from gunzi.ruleset import RuleSet
from gunzi.settling import settle
from gunzi.trump import trump_order
from gunzi.values import BIG_JOKER, CAPTURED, HELD, LITTLE_JOKER, Result

CONFIDENCE: Final = 0.9999
"""The confidence of ``interval`` and ``fits``: one honest figure in ten thousand misses."""


@dataclass(frozen=True, slots=True, order=True)
class Score:
    """How a hand came out, as far as tribute asks: the attackers' points (a captured bottom's included), did they capture, how
    many big and small jokers lie in the bottom, is the pot dry."""

    points: int
    captured: bool
    big: int = 0
    small: int = 0
    dry: bool = False


# Deals.


def in_bottom(rules: RuleSet, cards: Iterable[object]) -> dict[int, Fraction]:
    """How many of these kinds' cards lie in the bottom of a random deal: number → chance, every possible number ascending."""
    return _drawn(rules, cards, rules.deck.bottom)


def in_hand(rules: RuleSet, cards: Iterable[object]) -> dict[int, Fraction]:
    """How many of these kinds' cards a seat is dealt: number → chance, every possible number ascending."""
    return _drawn(rules, cards, rules.deck.hand)


def nobody_can_claim(rules: RuleSet) -> Fraction:
    """The chance that every card one can claim with (抢亮: the big jokers) lies in the bottom."""
    claims = rules.claims.cards
    return in_bottom(rules, claims).get(sum(rules.deck.copies[card.kind] for card in claims), Fraction(0))


def _drawn(rules: RuleSet, cards: Iterable[object], draws: int) -> dict[int, Fraction]:
    deck = rules.deck
    held = sum(deck.copies[card.kind] for card in set(parse_cards(cards)))
    every = comb(deck.size, draws)
    found = {count: comb(held, count) * comb(deck.size - held, draws - count) for count in range(min(held, draws) + 1)}
    return {count: Fraction(ways, every) for count, ways in found.items() if ways}


# The dry pot (干锅).


def dry_pot(rules: RuleSet, level: int, suit: str, *, shown: bool = True, first_hand: bool = False) -> Fraction:
    """The chance that a bottom of random cards is dry under a level 2-14 and a trump suit (``S H C D``).

    ``shown``: somebody claimed or declared; ``first_hand``: of a round. Inclusion and exclusion: all trump, or none of the trumps
    that count; all trump and none that count is in both. Raises LabError where a plugin decides what is dry.
    """
    if not 2 <= level <= 14 or suit not in SUITS or len(suit) != 1:
        raise LabError(Text(f"没有这样的主：{level} {suit}", f"there is no such trump: level {level!r}, suit {suit!r}"))
    if "gunzi.plugins.dry_pot" not in rules.plugins:
        raise LabError(
            Text(
                "这套规则的干锅由别的插件定，算不出来",
                "a plugin decides what is dry under these rules: its chance is not known",
            )
        )
    options = rules.options
    leg = options["dry_pot.side_leg"]
    if (
        leg == "never"
        or "bottom" not in options["phases"]
        or (not shown and options["dry_pot.hidden_bottom"] != "possible")
        or (first_hand and options["dry_pot.first_hand"] != "possible")
        or not rules.deck.bottom
    ):
        return Fraction(0)
    trumps = counting = 0
    for card in CARDS:
        copies = rules.deck.copies[card.kind]
        is_level = card.rank == level
        permanent = card.rank in rules.permanent and not is_level
        plain = card.suit == suit and not is_level and not permanent
        if card.is_joker or is_level or permanent or plain:
            trumps += copies
            counts = {
                "no_trump": True,
                "side_or_permanent": plain or is_level,
                "no_trump_suit": plain,
                "no_trump_suit_or_its_2": plain or (permanent and card.suit == suit),
            }
            counting += copies if counts[leg] else 0
    size, draws = rules.deck.size, rules.deck.bottom
    ways = comb(trumps, draws) + comb(size - counting, draws) - comb(trumps - counting, draws)
    return Fraction(ways, comb(size, draws))


# Tribute (进贡).


def tribute(
    rules: RuleSet, scores: Mapping[Score, Fraction], levels: tuple[int, int] | None = None
) -> dict[int | None, Fraction]:
    """What a distribution of scores makes of the tribute owed for the next hand: cards → chance.

    Above 0: paid to the next dealer; below: by him; 0: none; None: the round is over. ``levels`` are the dealer side's and the
    attackers' in that hand (None: both the first level). The chances may be counts: what comes out sums to the same.
    """
    low, high = levels or (rules.start_level, rules.start_level)
    found: dict[int | None, Fraction] = {}
    for score, chance in scores.items():
        owed = owed_after(rules, score, (low, high))
        found[owed] = found.get(owed, Fraction(0)) + chance
    return dict(sorted(found.items(), key=lambda item: (item[0] is None, item[0])))


def owed_after(rules: RuleSet, score: Score, levels: tuple[int, int] | None = None) -> int | None:
    """What one score draws, asked of the rules; see ``tribute``."""
    kings = (BIG_JOKER,) * score.big + (LITTLE_JOKER,) * score.small
    if len(kings) > rules.deck.bottom:
        raise LabError(
            Text(
                f"底牌只有 {rules.deck.bottom} 张，放不下 {len(kings)} 个王",
                f"{len(kings)} jokers do not lie in a bottom of {rules.deck.bottom}",
            )
        )
    result = Result(
        dealer=0,
        levels=levels or (rules.start_level, rules.start_level),
        trick_points=score.points,
        capture=CAPTURED if score.captured else HELD,
        bottom=kings,
        bottom_points=0,
        dry=score.dry,
        trump=trump_order(rules.start_level, "S", rules.permanent),
        last_play=(),
    )
    outcome = settle(rules, result, points=score.points).outcome
    if outcome.round_won_by is not None:
        return None
    if outcome.owed is None:
        return 0
    return outcome.owed.count if outcome.owed.receiver == outcome.result.next_dealer else -outcome.owed.count


def dealt_scores(rules: RuleSet, captured: bool) -> dict[Score, Fraction]:
    """A distribution of scores that deals have exactly: the attackers take the points two seats are dealt, and a captured
    bottom's as many times as ``capture.multiplier`` says; the bottom stays as it was dealt and is not dry.

    For checking: it can be counted from deals alone, without a card being played.
    """
    deck = rules.deck
    worth = [rules.points[card.rank - 2] for card in CARDS]
    values = sorted({each for each in worth if each})
    size = {value: sum(deck.copies[card.kind] for card in CARDS if worth[card.kind] == value) for value in values}
    kings = [deck.copies[BIG_JOKER.kind], deck.copies[LITTLE_JOKER.kind]]
    if worth[BIG_JOKER.kind] or worth[LITTLE_JOKER.kind]:
        raise LabError(Text("王是分牌的，这里算不了", "jokers that are worth points are not counted here"))
    groups = [*size.values(), *kings]
    times = int(rules.options["capture.multiplier"]) if captured else 0
    found: dict[Score, int] = {}
    taking: dict[tuple[int, ...], list[tuple[int, int]]] = {}
    for bottom, ways in draws([*groups, deck.size - sum(groups)], deck.bottom):
        lying = bottom[: len(values)]
        left = tuple(held - gone for held, gone in zip(size.values(), lying, strict=True))
        if left not in taking:
            dealt = draws([*left, deck.dealt - sum(left)], 2 * deck.hand)
            taking[left] = [(_worth(values, taken), also) for taken, also in dealt]
        base = times * _worth(values, lying)
        for points, also in taking[left]:
            score = Score(base + points, captured, bottom[len(values)], bottom[len(values) + 1])
            found[score] = found.get(score, 0) + ways * also
    every = comb(deck.size, deck.bottom) * comb(deck.dealt, 2 * deck.hand)
    return {score: Fraction(ways, every) for score, ways in sorted(found.items())}


def _worth(values: Sequence[int], counts: Sequence[int]) -> int:
    return sum(value * count for value, count in zip(values, counts, strict=False))


def draws(groups: Sequence[int], count: int) -> Iterator[tuple[tuple[int, ...], int]]:
    """All ways to draw ``count`` cards from groups of so many different cards: (how many of each group, in how many ways)."""
    if not groups:
        if not count:
            yield (), 1
        return
    first, *rest = groups
    beyond = sum(rest)
    for drawn in range(max(0, count - beyond), min(first, count) + 1):
        ways = comb(first, drawn)
        for others, also in draws(rest, count - drawn):
            yield (drawn, *others), ways * also


# Is what was counted what it has to be?


def fits(chance: Fraction | float, hits: int, count: int, confidence: float = CONFIDENCE) -> bool:
    """Does the interval around a counted share hold the chance? Raises LabError where so many hits cannot be."""
    _check_share(hits, count)
    strange = (1 - confidence) / 2
    share = float(chance)
    # What is short of the mean is as strange as its contrary beyond it.
    if hits >= share * count:
        return hits == 0 or _at_least(hits, count, share) >= strange
    return _at_least(count - hits, count, 1 - share) >= strange


def interval(hits: int, count: int, confidence: float = CONFIDENCE) -> tuple[float, float]:
    """The exact (Clopper-Pearson) interval of a share: the chances under which so many hits, and as few, are not too strange. Raises
    LabError where so many hits cannot be."""
    _check_share(hits, count)
    strange = (1 - confidence) / 2
    low = 0.0 if not hits else _least(hits, count, strange)
    high = 1.0 if hits == count else 1 - _least(count - hits, count, strange)
    return low, high


def _check_share(hits: int, count: int) -> None:
    if not 0 <= hits <= count or count < 1:
        raise LabError(Text(f"{count} 次里不会中 {hits} 次", f"{hits} of {count} is no share"))


def _least(hits: int, count: int, strange: float) -> float:
    """The chance under which at least so many hits are just as strange as that."""
    low, high = 0.0, hits / count
    for _ in range(40):
        middle = (low + high) / 2
        low, high = (low, middle) if _at_least(hits, count, middle) > strange else (middle, high)
    return low


def _at_least(hits: int, count: int, chance: float) -> float:
    """The chance of so many hits or more, where they are more than to be expected."""
    if not 0 < chance < 1:
        return float(chance >= 1)
    term = exp(
        lgamma(count + 1)
        - lgamma(hits + 1)
        - lgamma(count - hits + 1)
        + hits * log(chance)
        + (count - hits) * log1p(-chance)
    )
    total = 0.0
    odds = chance / (1 - chance)
    for number in range(hits, count + 1):
        total += term
        term *= (count - number) / (number + 1) * odds
        if term < total * 1e-15:
            break
    return total


__all__ = [
    "CONFIDENCE",
    "Score",
    "dealt_scores",
    "draws",
    "dry_pot",
    "fits",
    "in_bottom",
    "in_hand",
    "interval",
    "nobody_can_claim",
    "owed_after",
    "tribute",
]
