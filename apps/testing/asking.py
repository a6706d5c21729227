"""Every hook asked directly, about many situations: what a few hands at a table may never come to."""

from __future__ import annotations

from itertools import product
from typing import Any, Final

from gunzi.apps.testing.report import Report
from gunzi.cards import CARDS, Card
from gunzi.chance import shuffle, stream
from gunzi.ruleset import RuleSet
from gunzi.settling import settle
from gunzi.trump import trump_order
from gunzi.values import Bid, Capture, Owed, Result

_DICE: Final = 5
SCORES: Final = (-1000, -1, 0, 1, 99, 100_000)


def ask_everything(rules: RuleSet, report: Report, *, seed: int, samples: int = 12) -> None:
    """Ask a watched rule set: the hooks of its load, of a deal, of a bottom, and of results."""
    for name in ("load", "deal", "bottom", "results"):
        with report.part("hooks", f"{rules.id}, {name}"):
            {"load": _load, "deal": _deal, "bottom": _bottom, "results": _results}[name](rules, seed, samples)


def _load(rules: RuleSet, seed: int, samples: int) -> None:
    for hook in ("deck", "permanent_ranks", "claims", "start_level", "phases", "questions"):
        getattr(rules.hook, hook)()
    for rank in range(2, 15):
        rules.hook.card_points(rank=rank)
    rules.hook.conflicts(options=rules.options)
    for score in SCORES:
        rules.hook.title(score=score)


def _deal(rules: RuleSet, seed: int, samples: int) -> None:
    hook = rules.hook
    held = [min(3, copies) for copies in rules.deck.copies]
    for level in range(2, 15):
        bids = list(hook.bids(level=level, held=held))
        hook.bids(level=level, held=[0] * len(held))
        for standing in (None, *(Bid(1, tuple(cards), suit) for cards, suit in bids[:: max(1, len(bids) // 3)])):
            for cards, suit in bids:
                hook.judge_bid(level=level, cards=cards, suit=suit, standing=standing)
    for card in CARDS:
        hook.draw_suit(card=card)
    for number in range(samples):
        deck = _shuffled(rules, seed, number)
        bottom, turned = deck[rules.deck.dealt :], []
        first = number % 4
        answer = hook.reveal(level=rules.start_level, first=first, turned=())
        for card in bottom:
            if answer.turn is None:
                break
            turned.append((answer.turn, card))
            answer = hook.reveal(level=rules.start_level, first=first, turned=tuple(turned))
    for giver, count, holder in product((0, 3), (1, 5), range(5)):
        big = [3 * (seat == holder) for seat in range(4)]
        hook.tribute_exemption(owed=Owed(giver, (giver + 1) % 4, count), big_jokers=big)


def _bottom(rules: RuleSet, seed: int, samples: int) -> None:
    hook = rules.hook
    for how in ("claim", "turn", "declare", "draw"):
        hook.bottom_is_shown(how=how)
    for big, small in product(range(4), range(4)):
        hook.king_splits(big=big, small=small)
    for kings in range(7):
        hook.burial_is_shown(kings=kings)
    for number in range(samples):
        deck = _shuffled(rules, seed, number)
        trump = trump_order(_level(rules, number % 5), "SHCD"[number % 4], rules.permanent)
        bottom = trump.masks(deck[rules.deck.dealt :])
        for shown, first_hand in product((True, False), (True, False)):
            hook.dry_pot(bottom=bottom, trump=trump, shown=shown, first_hand=first_hand)
        hook.kings_window(dealer_buried=bottom, trump=trump)
        for name in ("payable", "returnable", "pickable", "lead_rule", "follow_rule", "trick_rule"):
            getattr(hook, name)(trump=trump)


def _results(rules: RuleSet, seed: int, samples: int) -> None:
    kings = [*("BJ",) * rules.deck.copies[53], *("LJ",) * rules.deck.copies[52]]
    bottoms = [_bottom_of(rules, seed, number, ()) for number in range(2)]
    bottoms += [
        _bottom_of(rules, seed, 3, kings[:3]),
        _bottom_of(rules, seed, 4, kings[3:]),
        _bottom_of(rules, seed, 5, kings[2:4]),
    ]
    total = sum(rules.points[card.rank - 2] * rules.deck.copies[card.kind] for card in CARDS)
    trump = trump_order(rules.start_level, "H", rules.permanent)
    scores = sorted({0, 5, 75, 80, 115, 120, 150, 155, 200, total} & set(range(total + 1)))
    tributes = (None, Owed(3, 0, 4), Owed(0, 3, 2))
    for number, (points, captured, bottom) in enumerate(product(scores, (True, False), bottoms)):
        result = Result(
            dealer=number % 4,
            levels=(_level(rules, number % 3), _level(rules, number % 2)),
            trick_points=points,
            capture=Capture.CAPTURED if captured else Capture.HELD,
            bottom=bottom,
            bottom_points=sum(rules.points[card.rank - 2] for card in bottom),
            dry=number % 7 == 0,
            trump=trump,
            last_play=(Card("S4"),) * (1 + number % 3),
            tribute_paid=tributes[number % 3],
        )
        settle(rules, result)


def _level(rules: RuleSet, steps: int) -> int:
    """A level so far above the first one, or the highest there is."""
    return min(14, rules.start_level + steps)


def _bottom_of(rules: RuleSet, seed: int, number: int, among: Any) -> tuple[Card, ...]:
    """A bottom that has these cards in it, as far as it holds them."""
    wanted = [Card(card) for card in among][: rules.deck.bottom]
    others = [card for card in _shuffled(rules, seed, 100 + number) if not card.is_joker]
    return (*wanted, *others[: rules.deck.bottom - len(wanted)])


def _shuffled(rules: RuleSet, seed: int, number: int) -> tuple[Card, ...]:
    kinds = [kind for kind, copies in enumerate(rules.deck.copies) for _ in range(copies)]
    shuffle(kinds, stream(seed, number, _DICE))
    return tuple(CARDS[kind] for kind in kinds)
