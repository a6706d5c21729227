"""What the tests of hooks share: a stranger's plugin in a rule set, and hands that go on to a question."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from gunzi import (
    Hand,
    Phase,
    Plugin,
    RuleSet,
    Table,
    Text,
    hookimpl,
)
from gunzi.acts import Act
from gunzi.ask import Ask
from gunzi.cards import Card, parse_cards
from gunzi.record import Event, EventLog
from gunzi.table import seeded_deals
from gunzi.trump import trump_order
from gunzi.values import (
    Capture,
    Owed,
    Result,
)

SAID = Text("插件说的", "the plugin says so")


class Stranger(Plugin):
    """What the plugins below have in common: they are no part of gunzi and are found by their entry point."""

    id = "gunzi-stranger"
    name = Text("陌生人", "Stranger")
    rules = {"stranger.says": SAID}

    def __init_subclass__(cls) -> None:
        cls.version = cls.__name__  # each behaves differently, and what behaves differently has another version


Load = Callable[..., RuleSet]


def first(ask: Ask) -> Act:
    """The first answer: passes wherever passing is possible."""
    return ask[0]


def play(table: Table, answer: Callable[[Ask], Act] = first) -> list[Event]:
    """Plays the table to its end; its events."""
    while not table.over:
        ask = table.ask
        table.do(ask.seat, answer(ask))
    assert table.log is not None
    return table.log.events


def of_kind(events: Sequence[Event], kind: str) -> list[Event]:
    return [event for event in events if event["e"] == kind]


def later_hand(rules: RuleSet, seed: int = 1, owed: Owed | None = None) -> Hand:
    """A hand that is not the first of its round: seat 0 deals; nobody has been asked yet."""
    deck, _ = seeded_deals(rules, seed)(1, 0)
    return Hand(rules, deck, dealer=0, owed=owed, log=EventLog())


def until(hand: Hand, *kinds: str, answer: Callable[[Ask], Act] = first) -> Ask:
    """Goes on until a question of one of these kinds; that question."""
    while hand.waiting is not None and hand.waiting.kind not in kinds:
        hand.do(hand.waiting.seat, answer(hand.waiting))
    assert hand.waiting is not None, f"no question of kind {kinds} came"
    return hand.waiting


def events_of(hand: Hand) -> list[Event]:
    assert hand.log is not None
    return hand.log.events


def result(**more: Any) -> Result:
    """A played hand at level 3, seat 0 deals, the attackers took 90 and the bottom was held."""
    told: dict[str, Any] = {
        "dealer": 0,
        "levels": (3, 3),
        "trick_points": 90,
        "capture": Capture.HELD,
        "bottom": tuple(parse_cards(["H4", "H6", "C7", "C9", "D8", "DK"])),
        "bottom_points": 10,
        "dry": False,
        "trump": trump_order(3, "S", (2,)),
        "last_play": (Card("SA"),),
    }
    return Result(**(told | more))


class Toast(Phase):
    """A phase that asks nobody and is written down, with a secret."""

    name = "toast"

    def start(self, hand: Hand) -> None:
        hand.emit("gunzi-stranger:toast", wish="a long life", secret="BJ")


WITH_TOAST = ["deal", "reveal", "tribute", "bottom", "bury", "bury_kings", "toast", "play", "settle"]


class Toasts(Stranger):
    @hookimpl
    def phases(self) -> Mapping[str, Phase]:
        return {"toast": Toast()}
