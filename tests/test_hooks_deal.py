"""The hooks of loading and dealing: a small plugin of a stranger's answers each, and the game goes accordingly."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import pytest
from hook_harness import (
    SAID,
    WITH_TOAST,
    Load,
    Stranger,
    Toasts,
    events_of,
    first,
    later_hand,
    of_kind,
    play,
    until,
)

from gunzi import (
    Declare,
    Pass,
    Refused,
    RuleSet,
    Table,
    VariantError,
    hookimpl,
)
from gunzi.acts import Act, Bury
from gunzi.ask import Ask
from gunzi.cards import Card
from gunzi.trump import TRUMP_LANE
from gunzi.values import (
    Bid,
    ClaimRule,
    Conflict,
    Deck,
    Reason,
    Reveal,
)


def last(ask: Ask) -> Act:
    """The last answer: claims, declares and buries kings wherever possible."""
    return ask[-1]


# -- at load -----------------------------------------------------------------------------------------------------------


def test_hook_deck(rules_with: Load) -> None:
    class BiggerBottom(Stranger):
        replaces = ("gunzi.plugins.deck",)

        @hookimpl
        def deck(self) -> Deck:
            return Deck((3,) * 54, 36, 18)

    hand = later_hand(rules_with(BiggerBottom))
    act = first(until(hand, "bury"))
    assert isinstance(act, Bury)
    assert len(act.cards) == 18
    assert len(hand.cards_of(1)) == 36


def test_hook_card_points(rules_with: Load) -> None:
    class AcesCount(Stranger):
        replaces = ("gunzi.plugins.points",)

        @hookimpl
        def card_points(self, rank: int) -> int:
            return 20 if rank == 14 else 0

    events = play(Table(rules_with(AcesCount), seed=1, hands=1))
    (settled,) = of_kind(events, "settle")
    assert sum(trick["points"] for trick in of_kind(events, "trick")) + settled["bottom_points"] == 12 * 20


def test_hook_permanent_ranks(rules_with: Load) -> None:
    class AcesToo(Stranger):
        replaces = ("gunzi.plugins.permanent",)

        @hookimpl
        def permanent_ranks(self) -> tuple[int, ...]:
            return (14, 2)

    hand = later_hand(rules_with(AcesToo))
    until(hand, "lead")
    assert hand.trump is not None
    assert hand.trump.mask_of(Card("HA").kind) & TRUMP_LANE
    assert hand.trump.mask_of(Card("HK").kind) & TRUMP_LANE or hand.trump.suit != "H"


def test_hook_phases(rules_with: Load) -> None:
    rules = rules_with(Toasts, {"phases": WITH_TOAST})
    kinds = [event["e"] for event in play(Table(rules, seed=1, hands=1))]
    assert kinds.index("bury") < kinds.index("gunzi-stranger:toast") < kinds.index("play")
    assert "toast" not in [phase.name for phase in rules_with(Toasts).phases]


def test_hook_conflicts(rules_with: Load) -> None:
    class Objects(Stranger):
        @hookimpl
        def conflicts(self, options: Mapping[str, Any]) -> Sequence[Conflict]:
            if options["follow.shapes"] == "strict":
                return (Conflict("stranger-strict", ("follow.shapes",), SAID),)
            return (Conflict("stranger-loose", ("follow.shapes",), SAID, error=False),)

    assert "stranger-loose" in [warning.code for warning in rules_with(Objects).warnings]
    with pytest.raises(VariantError) as caught:
        rules_with(Objects, {"follow.shapes": "strict"})
    assert [problem.code for problem in caught.value.problems] == ["stranger-strict"]


def test_hook_questions(rules_with: Load) -> None:
    class Answers(Stranger):
        @hookimpl
        def questions(self) -> Mapping[str, Callable[[RuleSet, Mapping[str, Any]], Any]]:
            return {"how_many": lambda rules, given: given["packs"] * rules.options["deck.packs"]}

    rules = rules_with(Answers)
    (answers,) = rules.hook.questions()
    assert answers["how_many"](rules, {"packs": 2}) == 6


# -- deal --------------------------------------------------------------------------------------------------------------


def test_hook_claims(rules_with: Load) -> None:
    class LittleOnes(Stranger):
        replaces = ("gunzi.plugins.first_dealer",)

        @hookimpl
        def claims(self) -> ClaimRule:
            return ClaimRule((Card("LJ"),), automatic=True, by="stranger.says")

    events = play(Table(rules_with(LittleOnes), seed=1, hands=1))
    (claim,) = of_kind(events, "claim")
    deck = events[0]["deck"]
    assert claim["card"] == "LJ"
    assert claim["dealt"] == deck.index("LJ") + 1


def test_hook_bids(rules_with: Load) -> None:
    class Silence(Stranger):
        replaces = ("gunzi.plugins.declare",)

        @hookimpl
        def bids(self) -> Sequence[tuple[tuple[Card, ...], str]]:
            return ()

    hand = later_hand(rules_with(Silence))
    until(hand, "lead", answer=last)
    assert of_kind(events_of(hand), "declare") == []
    assert hand.how == "draw"


def test_hook_judge_bid(rules_with: Load) -> None:
    class OnlyHearts(Stranger):
        replaces = ("gunzi.plugins.declare",)

        @hookimpl
        def judge_bid(self, suit: str | None, standing: Bid | None) -> Reason | None:
            return None if suit == "H" and standing is None else Reason("stranger.says", SAID)

    rules = rules_with(OnlyHearts)
    for seed in range(100):
        hand = later_hand(rules, seed)
        ask = until(hand, "declare")
        assert all(isinstance(act, Pass) or (isinstance(act, Declare) and act.suit == "H") for act in ask)
        spades = Card("S3")
        if spades in hand.cards_of(ask.seat):
            with pytest.raises(Refused) as caught:
                hand.do(ask.seat, Declare((spades,), "S"))
            assert caught.value.rule == "stranger.says"
            hand.do(ask.seat, ask[1])
            assert hand.suit == "H" or hand.standing == Bid(ask.seat, (Card("H3"),), "H")
            return
    raise AssertionError("in a hundred deals nobody held a three of hearts and one of spades")


def test_hook_reveal(rules_with: Load) -> None:
    class SeatTwo(Stranger):
        replaces = ("gunzi.plugins.reveal",)

        @hookimpl
        def reveal(self, turned: Sequence[tuple[int, Card]]) -> Reveal:
            return Reveal(dealer=2, suit="H", by="stranger.says") if turned else Reveal(turn=0, by="stranger.says")

    events = play(Table(rules_with(SeatTwo), seed=1, hands=1))
    (trump,) = of_kind(events, "trump")
    assert (trump["dealer"], trump["suit"], trump["how"], trump["by"]) == (2, "H", "turn", "stranger.says")
    assert len(of_kind(events, "turn")) == 1


def test_hook_draw_suit(rules_with: Load) -> None:
    class AlwaysClubs(Stranger):
        replaces = ("gunzi.plugins.declare",)

        @hookimpl
        def draw_suit(self) -> str:
            return "C"

    hand = later_hand(rules_with(AlwaysClubs))
    until(hand, "lead")
    assert (hand.how, hand.suit) == ("draw", "C")
