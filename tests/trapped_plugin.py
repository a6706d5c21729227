"""A plugin that wraps every hook of a hand, adds a phase, and raises where a trap is set."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any

import pytest
from strangers import install, uninstall

import gunzi
from gunzi import Hand, Phase, Plugin, RuleSet, hookimpl
from gunzi.ask import Ask, ListAsk
from gunzi.errors import Text
from gunzi.host import SPECS
from gunzi.loading import load_text
from gunzi.trump import Trump

MIND = ["deal", "reveal", "tribute", "bottom", "bury", "bury_kings", "nod", "play", "settle"]
IN_A_HAND = sorted(
    set(SPECS) - {"deck", "card_points", "permanent_ranks", "phases", "conflicts", "questions", "claims", "start_level"}
    - {"title", "redact", "narrate", "follow_rule"}
)  # fmt: skip


class Trap:
    """Where the plugin below raises; an empty name: nowhere."""

    at = ""


def trapped(place: str) -> None:
    if Trap.at == place:
        raise ZeroDivisionError(place)


class Nod(Phase):
    """Everybody nods, one after another."""

    name = "nod"

    def start(self, hand: Hand) -> None:
        hand.extra["nods"] = {"seats": []}
        trapped("start")

    def ask(self, hand: Hand) -> Ask | None:
        trapped("ask")
        nods = hand.extra["nods"]["seats"]
        return ListAsk(hand.rules, len(nods), "nod", (gunzi.Pass(),)) if len(nods) < 4 else None

    def apply(self, hand: Hand, seat: int, act: gunzi.Act) -> None:
        hand.check_turn(seat)
        hand.extra["nods"]["seats"].append(seat)
        hand.emit("stranger:nod", seat=seat)
        trapped("apply")

    def replay(self, hand: Hand, ask: Ask, event: Mapping[str, Any]) -> tuple[int, gunzi.Act] | None:
        trapped("replay")
        return (event["seat"], gunzi.Pass()) if event.get("e") == "stranger:nod" else None


def _wrapper(hook: str) -> Any:
    def wrap(self: Plugin) -> Iterator[None]:
        answer = yield
        trapped(hook)
        return answer

    wrap.__name__ = hook
    return hookimpl(wrapper=True)(wrap)


class Stranger(Plugin):
    """Wraps every hook of a hand, adds a phase, and raises where the trap is set."""

    id = "stranger"
    version = "1"
    name = Text("生人", "Stranger")

    @hookimpl
    def phases(self) -> Mapping[str, Phase]:
        return {"nod": Nod()}

    @hookimpl
    def happened(self, event: Mapping[str, Any]) -> None:
        trapped("happened")

    @hookimpl(wrapper=True)
    def follow_rule(self, trump: Trump) -> Iterator[None]:
        rule: Any = yield
        trapped("follow_rule")

        def contains(*masks: int) -> bool:
            trapped("follow_rule.contains")
            return bool(rule.contains(*masks))

        def count(*masks: int) -> int:
            trapped("follow_rule.count")
            return int(rule.count(*masks))

        return replace(rule, contains=contains, count=count)  # type: ignore[no-any-return]


for _hook in {*IN_A_HAND, "title"} - {"happened"}:
    setattr(Stranger, _hook, _wrapper(_hook))


def trap_installed(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """The stranger is installed until this goes on; no trap is set."""
    install(monkeypatch, Stranger)
    Trap.at = ""
    yield
    Trap.at = ""
    uninstall(monkeypatch)


def trapped_rules(monkeypatch: pytest.MonkeyPatch) -> Iterator[RuleSet]:
    """``dalian`` with the stranger, installed until this goes on."""
    for _ in trap_installed(monkeypatch):
        yield load_text(f"gunzi: 1\nid: x\nextends: dalian\nplugins: [stranger]\nphases: [{', '.join(MIND)}]\n")
