"""The hooks of play and settling: a small plugin of a stranger's answers each, and the game goes accordingly."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from hook_harness import (
    SAID,
    Load,
    Stranger,
    later_hand,
    of_kind,
    play,
    result,
    until,
)

from gunzi import (
    Play,
    Refused,
    Table,
    Trump,
    combinations,
    hookimpl,
    masks,
    settle,
)
from gunzi.trump import TRUMP_LANE, Masks
from gunzi.values import (
    BottomWorth,
    Capture,
    Climb,
    Ending,
    FollowRule,
    LeadRule,
    LevelUp,
    Outcome,
    Reason,
    Result,
    Rotation,
    ScorePart,
    TributePart,
    TrickRule,
)

# -- play --------------------------------------------------------------------------------------------------------------


def bits(mask: int) -> list[int]:
    return [1 << bit for bit in range(mask.bit_length()) if mask >> bit & 1]


def test_hook_lead_rule(rules_with: Load) -> None:
    class SinglesOnly(Stranger):
        replaces = ("gunzi.plugins.lead",)

        @hookimpl
        def lead_rule(self, trump: Trump) -> LeadRule:
            def count(h1: int, h2: int, h3: int) -> int:
                return h1.bit_count()

            def kth(h1: int, h2: int, h3: int, k: int) -> Masks:
                return bits(h1)[k], 0, 0

            def contains(h1: int, h2: int, h3: int, p1: int, p2: int, p3: int) -> bool:
                return p1.bit_count() == 1 and p1 & h1 == p1 and not p2

            def why_not(holding: Masks, chosen: Masks) -> Reason:
                return Reason("stranger.says", SAID)

            return LeadRule(count, kth, contains, why_not)

    hand = later_hand(rules_with(SinglesOnly))
    ask = until(hand, "lead")
    held = hand.cards_of(ask.seat)
    assert [act.cards for act in ask] == [(card,) for card in sorted(set(held), key=held.index)]  # type: ignore[union-attr]
    pair = next(card for card in held if held.count(card) > 1)
    with pytest.raises(Refused) as caught:
        hand.do(ask.seat, Play((pair, pair)))
    assert caught.value.rule == "stranger.says"


def test_hook_follow_rule(rules_with: Load) -> None:
    class NoDuty(Stranger):
        replaces = ("gunzi.plugins.follow",)

        @hookimpl
        def follow_rule(self, trump: Trump) -> FollowRule:
            def shape(l1: int, l2: int, l3: int) -> tuple[int, int]:
                return TRUMP_LANE, masks.size(l1, l2, l3)

            def count(h1: int, h2: int, h3: int, lane: int, n: int, strict: int, split: int) -> int:
                return combinations.choose_count(h1, h2, h3, n)

            def kth(h1: int, h2: int, h3: int, lane: int, n: int, strict: int, split: int, k: int) -> Masks:
                return combinations.choose_kth(h1, h2, h3, n, k)

            def contains(*given: int) -> bool:
                n, chosen = given[4], given[7:]
                return masks.size(*chosen) == n

            def why_not(holding: Masks, lead: Masks, chosen: Masks) -> Reason:
                return Reason("stranger.says", SAID)

            return FollowRule(shape, count, kth, contains, 0, 0, why_not)

    hand = later_hand(rules_with(NoDuty))
    ask = until(hand, "lead")
    hand.do(ask.seat, Play((hand.cards_of(ask.seat)[0],)))
    follow = until(hand, "follow")
    assert len(follow) == len(set(hand.cards_of(follow.seat)))


def test_hook_trick_rule(rules_with: Load) -> None:
    class LeaderWins(Stranger):
        replaces = ("gunzi.plugins.trick",)

        @hookimpl
        def trick_rule(self, trump: Trump) -> TrickRule:
            return TrickRule(lambda p1, p2, p3, n, lane: 1, "stranger.says")

    events = play(Table(rules_with(LeaderWins), seed=1, hands=1))
    (trump,) = of_kind(events, "trump")
    assert {trick["winner"] for trick in of_kind(events, "trick")} == {trump["dealer"]}


# -- settling ----------------------------------------------------------------------------------------------------------


def test_hook_bottom_worth(rules_with: Load) -> None:
    class FlatRate(Stranger):
        replaces = ("gunzi.plugins.capture",)

        @hookimpl
        def bottom_worth(self, result: Result) -> BottomWorth:
            return BottomWorth(25, "stranger.says")

    settled = settle(rules_with(FlatRate), result(capture=Capture.CAPTURED))
    assert settled.outcome.result.attackers_points == 115
    assert ("stranger.says", 25) in [(line.by, line.value) for line in settled.explain]


def test_hook_next_dealer(rules_with: Load) -> None:
    class StaysPut(Stranger):
        replaces = ("gunzi.plugins.rotation",)

        @hookimpl
        def next_dealer(self, result: Result) -> Rotation:
            return Rotation(result.dealer, False, "stranger.says")

    assert settle(rules_with(StaysPut), result()).outcome.result.next_dealer == 0


def test_hook_endings(rules_with: Load) -> None:
    class Ninety(Stranger):
        @hookimpl
        def endings(self, result: Result) -> Sequence[Ending]:
            return (Ending("ninety", 1, "stranger.says", what=SAID),) if result.attackers_points == 90 else ()

    rules = rules_with(Ninety)
    settlement = settle(rules, result())
    ended = settlement.outcome
    assert (ended.ending, ended.round_won_by, ended.level_up) == ("ninety", 1, None)
    assert SAID in [line.what for line in settlement.explain]
    assert settle(rules, result(trick_points=95)).outcome.ending is None


def test_hook_level_up(rules_with: Load) -> None:
    class AttackersAlways(Stranger):
        replaces = ("gunzi.plugins.levels",)

        @hookimpl
        def level_up(self, result: Result) -> LevelUp | None:
            return LevelUp(1 - result.side, 2, "stranger.says")

    assert settle(rules_with(AttackersAlways), result()).outcome.levels == (3, 5)


def test_hook_climb(rules_with: Load) -> None:
    class StraightToNine(Stranger):
        replaces = ("gunzi.plugins.levels",)

        @hookimpl
        def climb(self, level: int, earned: int) -> Climb:
            return Climb(9, 9 - level, by="stranger.says")

    assert settle(rules_with(StraightToNine), result()).outcome.levels == (9, 3)


def test_hook_start_level(rules_with: Load) -> None:
    class FromFive(Stranger):
        replaces = ("gunzi.plugins.levels",)

        @hookimpl
        def start_level(self) -> int:
            return 5

    events = play(Table(rules_with(FromFive), seed=1, hands=1))
    assert events[0]["levels"] == [5, 5]
    assert of_kind(events, "trump")[0]["level"] == 5


def test_hook_tribute_parts(rules_with: Load) -> None:
    class OneMore(Stranger):
        @hookimpl
        def tribute_parts(self, result: Result) -> Sequence[TributePart]:
            return (TributePart(1, SAID, "stranger.says"),)

    low = result(trick_points=60)
    owed = settle(rules_with(OneMore), low).outcome.owed
    assert owed is not None
    assert owed.count == 3
    assert owed.receiver == 2


def test_hook_score_parts(rules_with: Load) -> None:
    class Tips(Stranger):
        @hookimpl
        def score_parts(self, outcome: Outcome) -> Sequence[ScorePart]:
            return (ScorePart((-3, 1, 1, 1), SAID, "stranger.says"),)

    assert settle(rules_with(Tips), result()).scores == (-3, 1, 1, 1)


def test_hook_title(rules_with: Load) -> None:
    class Flatters(Stranger):
        replaces = ("gunzi.plugins.titles",)

        @hookimpl
        def title(self, score: int) -> str:
            return "牌神" if score > 0 else ""

    rules = rules_with(Flatters)
    assert [rules.hook.title(score=score) for score in (1, 0)] == ["牌神", ""]
