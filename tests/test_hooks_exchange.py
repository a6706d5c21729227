"""The hooks of tribute, bottom and burying: a small plugin of a stranger's answers each, and the game goes accordingly."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from hook_harness import (
    Load,
    Stranger,
    events_of,
    first,
    later_hand,
    of_kind,
    until,
)

from gunzi import (
    BuryKings,
    Hand,
    Refused,
    RuleSet,
    hookimpl,
)
from gunzi.acts import Bury
from gunzi.cards import Card
from gunzi.trump import ALL_SIDE, TRUMP_LANE
from gunzi.values import (
    Exemption,
    Owed,
    Verdict,
    Window,
)

# -- tribute -----------------------------------------------------------------------------------------------------------


def test_hook_tribute_exemption(rules_with: Load) -> None:
    class Forgives(Stranger):
        replaces = ("gunzi.plugins.tribute",)

        @hookimpl
        def tribute_exemption(self, owed: Owed) -> Exemption | None:
            return Exemption(owed.giver, "cancel", "stranger.says")

    hand = later_hand(rules_with(Forgives), owed=Owed(3, 0, 2))
    until(hand, "lead")
    (exempt,) = of_kind(events_of(hand), "exempt")
    assert (exempt["seat"], exempt["kind"], exempt["by"]) == (3, "cancel", "stranger.says")
    assert of_kind(events_of(hand), "tribute") == []


def test_hook_payable(rules_with: Load) -> None:
    class SideOnly(Stranger):
        replaces = ("gunzi.plugins.tribute",)

        @hookimpl
        def payable(self) -> int:
            return ALL_SIDE

    hand = later_hand(rules_with(SideOnly), owed=Owed(3, 0, 2))
    ask = until(hand, "pay")
    assert hand.trump is not None
    for act in ask:
        assert not hand.trump.masks(act.cards)[0] & TRUMP_LANE  # type: ignore[union-attr]


def test_hook_returnable(rules_with: Load) -> None:
    class TrumpsBack(Stranger):
        replaces = ("gunzi.plugins.tribute",)

        @hookimpl
        def returnable(self) -> Sequence[int]:
            return (TRUMP_LANE,)

    hand = later_hand(rules_with(TrumpsBack), owed=Owed(3, 0, 2))
    ask = until(hand, "return")
    assert hand.trump is not None
    for act in ask:
        assert not hand.trump.masks(act.cards)[0] & ALL_SIDE  # type: ignore[union-attr]


# -- bottom, burying ---------------------------------------------------------------------------------------------------


def test_hook_bottom_is_shown(rules_with: Load) -> None:
    class AlwaysShown(Stranger):
        replaces = ("gunzi.plugins.dry_pot",)

        @hookimpl
        def bottom_is_shown(self) -> bool:
            return True

    hand = later_hand(rules_with(AlwaysShown))
    until(hand, "lead")
    (bottom,) = of_kind(events_of(hand), "bottom")
    assert hand.how == "draw"
    assert bottom["shown"]


def test_hook_dry_pot(rules_with: Load) -> None:
    class AlwaysDry(Stranger):
        replaces = ("gunzi.plugins.dry_pot",)

        @hookimpl
        def dry_pot(self) -> Verdict:
            return Verdict(True, "stranger.says")

    hand = later_hand(rules_with(AlwaysDry))
    until(hand, "lead")
    (bottom,) = of_kind(events_of(hand), "bottom")
    assert (bottom["dry"], bottom["by"]) == (True, "stranger.says")
    assert of_kind(events_of(hand), "bury") == []


def hand_with_king_at_dealer(rules: RuleSet) -> Hand:
    for seed in range(100):
        hand = later_hand(rules, seed)
        until(hand, "bury")
        if Card("BJ") in hand.cards_of(0):
            return hand
    raise AssertionError("in a hundred deals the dealer never had a big joker")


def test_hook_king_splits(rules_with: Load) -> None:
    class KeepKings(Stranger):
        replaces = ("gunzi.plugins.bury",)

        @hookimpl
        def king_splits(self) -> Sequence[tuple[int, int]]:
            return ((0, 0),)

    hand = hand_with_king_at_dealer(rules_with(KeepKings))
    assert hand.waiting is not None
    held = hand.cards_of(0)
    others = [card for card in held if not card.is_joker]
    with pytest.raises(Refused) as caught:
        hand.do(0, Bury((Card("BJ"), *others[:5])))
    assert caught.value.rule == "bury.big_before_small"
    hand.do(0, Bury(tuple(others[:6])))


def test_hook_burial_is_shown(rules_with: Load) -> None:
    class AlwaysShown(Stranger):
        replaces = ("gunzi.plugins.bury",)

        @hookimpl
        def burial_is_shown(self) -> bool:
            return True

    hand = later_hand(rules_with(AlwaysShown))
    until(hand, "lead")
    (bury,) = of_kind(events_of(hand), "bury")
    assert bury["shown"]
    assert not any(Card(card).is_joker for card in bury["cards"])


def test_hook_kings_window(rules_with: Load) -> None:
    class Closed(Stranger):
        replaces = ("gunzi.plugins.bury_kings",)

        @hookimpl
        def kings_window(self) -> Window:
            return Window(False, "stranger.says")

    hand = later_hand(rules_with(Closed))
    kinds = []
    while hand.waiting is not None and hand.waiting.kind != "lead":
        kinds.append(hand.waiting.kind)
        hand.do(hand.waiting.seat, first(hand.waiting))
    (bury,) = of_kind(events_of(hand), "bury")
    assert "bury_kings" not in kinds
    assert (bury["room"], bury["room_by"]) == (0, "stranger.says")


def test_hook_pickable(rules_with: Load) -> None:
    class OnlyTrumps(Stranger):
        replaces = ("gunzi.plugins.bury_kings",)

        @hookimpl
        def pickable(self) -> int:
            return TRUMP_LANE

    hand = later_hand(rules_with(OnlyTrumps))
    ask = until(hand, "bury")
    assert hand.trump is not None
    trump = hand.trump
    held = [card for card in hand.cards_of(0) if not card.is_joker]
    trumps = [card for card in held if trump.mask_of(card.kind) & TRUMP_LANE][:2]
    side = [card for card in held if not trump.mask_of(card.kind) & TRUMP_LANE][:4]
    hand.do(ask.seat, Bury((*trumps, *side)))
    (bury,) = of_kind(events_of(hand), "bury")
    assert bury["room"] == 2
    kings = until(hand, "bury_kings")
    hand.do(kings.seat, next(act for act in kings if isinstance(act, BuryKings)))
    assert all(trump.mask_of(card.kind) & TRUMP_LANE for card in first(until(hand, "pick")).cards)  # type: ignore[union-attr]
