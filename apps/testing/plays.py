"""Leading, following and winning, by brute force: small hands, every play there could be against every play that is allowed."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from itertools import product
from typing import Any, Final

from gunzi import masks
from gunzi.apps.testing.report import Report
from gunzi.apps.testing.texts import check_text
from gunzi.cards import CARDS, KINDS, SUITS, Card
from gunzi.chance import below, stream
from gunzi.ruleset import RuleSet
from gunzi.trump import Masks, Trump, trump_order
from gunzi.values import FollowRule, LeadRule, Reason, TrickRule

CHECK: Final = "plays"
_DICE: Final = 77


class _Dice:
    def __init__(self, seed: int) -> None:
        self.base = stream(seed, 0, _DICE)
        self.drawn = 0

    def below(self, n: int) -> int:
        self.drawn += 1
        return below(self.base, 0, self.drawn, n)


def check_plays(rules: RuleSet, report: Report, *, hands: int = 40, seed: int = 1) -> None:
    """Try ``hands`` small hands under several trump orders."""
    dice = _Dice(seed)
    levels = sorted({rules.start_level, 5, 10, *rules.permanent} & set(range(2, 15)))
    who = {hook: " or ".join(rules.host.who(hook)) for hook in ("lead_rule", "follow_rule", "trick_rule")}
    for number in range(hands):
        trump = trump_order(levels[number % len(levels)], "SHCD"[dice.below(4)], rules.permanent)
        with report.part(CHECK, f"{rules.id}, {trump!r}"):
            lead_rule, follow_rule, trick_rule = rules.play_rules(trump)
            mine, other = _hand(rules, dice, 7), _hand(rules, dice, 6)
            leads = _check_leads(trump, lead_rule, trump.masks(mine), f"{who['lead_rule']}, lead_rule", report)
            if not leads:
                continue
            for _ in range(3):
                lead = leads[dice.below(len(leads))]
                _check_follows(
                    trump, follow_rule, lead, trump.masks(other), f"{who['follow_rule']}, follow_rule", report
                )
                _check_power(
                    follow_rule, trick_rule, lead, trump.masks(other), f"{who['trick_rule']}, trick_rule", report
                )


def _hand(rules: RuleSet, dice: _Dice, size: int) -> list[Card]:
    """A few cards of few kinds, so that pairs, triples and neighbours are frequent."""
    first = 2 + dice.below(9)
    pool: list[Card] = []
    for rank, suit in product(range(first, first + 4), range(2)):
        kind = ((dice.below(2) + 2 * suit) % len(SUITS)) * 13 + rank - 2
        pool += [CARDS[kind]] * rules.deck.copies[kind]
    extra = dice.below(KINDS)
    pool += [CARDS[extra]] * rules.deck.copies[extra]
    kept: Counter[Card] = Counter()
    hand: list[Card] = []
    while pool and len(hand) < size:
        card = pool.pop(dice.below(len(pool)))
        if kept[card] < rules.deck.copies[card.kind]:
            kept[card] += 1
            hand.append(card)
    return hand


def _all_plays(trump: Trump, holding: Masks) -> Iterator[Masks]:
    """Every set of cards that a holding contains, the empty one left out."""
    counts = Counter(trump.cards(holding))
    for numbers in product(*(range(count + 1) for count in counts.values())):
        cards = [card for card, number in zip(counts, numbers, strict=True) for _ in range(number)]
        if cards:
            yield trump.masks(cards)


def _said(trump: Trump, play: Masks) -> str:
    return " ".join(trump.cards(play)) or "nothing"


def _check_leads(trump: Trump, rule: LeadRule, holding: Masks, where: str, report: Report) -> list[Masks]:
    held = _said(trump, holding)
    count = rule.count(*holding)
    if not report.that(type(count) is int and count > 0, CHECK, where, f"count answers {count!r} for {held}"):
        return []
    listed = [rule.kth(*holding, k) for k in range(count)]
    report.that(len(set(listed)) == count, CHECK, where, f"kth gives the same lead twice for {held}")
    allowed = set(listed)
    for play in allowed:
        report.that(masks.contains(*holding, *play), CHECK, where, f"kth leads {_said(trump, play)} from {held}")
    for play in _all_plays(trump, holding):
        found = rule.contains(*holding, *play)
        agreed = bool(found) == (play in allowed)
        report.that(
            agreed, CHECK, where, f"contains says {found!r} of {_said(trump, play)} led from {held}; kth says otherwise"
        )
        if play not in allowed:
            _check_reason(rule.why_not(holding, play), f"why_not({_said(trump, play)} from {held})", where, report)
    return [play for play in listed if masks.contains(*holding, *play)]


def _check_follows(trump: Trump, rule: FollowRule, lead: Masks, holding: Masks, where: str, report: Report) -> None:
    size = masks.size(*lead)
    if masks.size(*holding) < size:
        return
    shape: Any = rule.shape(*lead)
    said = f"{_said(trump, holding)} after {_said(trump, lead)}"
    if not report.that(
        isinstance(shape, tuple) and len(shape) == 2 and all(type(part) is int for part in shape),
        CHECK,
        where,
        f"shape({_said(trump, lead)}) is {shape!r}, no pair of whole numbers",
    ):
        return
    lane, n = shape
    count = rule.count(*holding, lane, n, rule.strict, rule.split)
    if not report.that(
        type(count) is int and count > 0, CHECK, where, f"nothing may be played: count is {count!r} for {said}"
    ):
        return
    listed = [rule.kth(*holding, lane, n, rule.strict, rule.split, k) for k in range(count)]
    report.that(len(set(listed)) == count, CHECK, where, f"kth gives the same play twice for {said}")
    allowed = set(listed)
    for play in allowed:
        sound = masks.contains(*holding, *play) and masks.size(*play) == size
        report.that(sound, CHECK, where, f"kth plays {_said(trump, play)} for {said}")
    for play in _all_plays(trump, holding):
        found = rule.contains(*holding, lane, n, rule.strict, rule.split, *play)
        agreed = bool(found) == (play in allowed)
        report.that(
            agreed, CHECK, where, f"contains says {found!r} of {_said(trump, play)} for {said}; kth says otherwise"
        )
        if play not in allowed and masks.size(*play) == size:
            _check_reason(rule.why_not(holding, lead, play), f"why_not({_said(trump, play)} for {said})", where, report)


def _check_power(follow: FollowRule, rule: TrickRule, lead: Masks, holding: Masks, where: str, report: Report) -> None:
    lane, n = follow.shape(*lead)
    power = rule.power(*lead, n, lane)
    report.that(type(power) is int and power > 0, CHECK, where, f"the power of a lead is {power!r}: it must be above 0")
    if masks.size(*holding) < masks.size(*lead):
        return
    for k in range(min(follow.count(*holding, lane, n, follow.strict, follow.split), 20)):
        play = follow.kth(*holding, lane, n, follow.strict, follow.split, k)
        power = rule.power(*play, n, lane)
        report.that(type(power) is int and power >= 0, CHECK, where, f"the power of a play is {power!r}: 0 or more")


def _check_reason(reason: object, what: str, where: str, report: Report) -> None:
    if report.that(isinstance(reason, Reason), CHECK, where, f"{what} answers {reason!r}, no Reason"):
        assert isinstance(reason, Reason)
        check_text(reason.text, what, where, report)
