"""The hooks that observe and tell: what a plugin hears, hides and puts in words."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from hook_harness import (
    WITH_TOAST,
    Load,
    Stranger,
    Toasts,
    of_kind,
    play,
)

from gunzi import (
    RuleSet,
    Table,
    Text,
    hookimpl,
    view,
)
from gunzi.apps.cli.narrate import Narrator
from gunzi.apps.cli.output import Out
from gunzi.record import Event
from gunzi.values import (
    Ending,
    Result,
)


def test_hook_happened(rules_with: Load) -> None:
    seen: list[Mapping[str, Any]] = []

    class Watches(Stranger):
        @hookimpl
        def happened(self, event: Mapping[str, Any]) -> None:
            seen.append(event)

    events = play(Table(rules_with(Watches), seed=1, hands=1))
    assert seen == events
    play(Table(rules_with(Watches), seed=1, hands=1, record=True))
    assert len(seen) == 2 * len(events)


def test_hook_redact(rules_with: Load) -> None:
    class Discreet(Toasts):
        @hookimpl
        def redact(self, event: Mapping[str, Any], seat: int | None) -> Mapping[str, Any] | None:
            if seat == 3:
                return None
            return {key: value for key, value in event.items() if key != "secret" or seat == 0}

    rules = rules_with(Discreet, {"phases": WITH_TOAST})
    events = play(Table(rules, seed=1, hands=1))

    def toast(seat: int | None) -> list[Event]:
        return of_kind(view(rules, events, seat), "gunzi-stranger:toast")

    assert [event.get("secret") for event in toast(0)] == ["BJ"]
    assert [event.get("secret", "hidden") for event in toast(1)] == ["hidden"]
    assert [event["wish"] for event in toast(None)] == ["a long life"]
    assert toast(3) == []
    assert [event["secret"] for event in disclosed(rules, events)] == ["BJ"]
    silent = rules_with(Toasts, {"phases": WITH_TOAST})
    assert of_kind(view(silent, events, 0), "gunzi-stranger:toast") == []
    assert disclosed(silent, events) == []


def test_hook_narrate(rules_with: Load) -> None:
    class Talks(Toasts):
        @hookimpl
        def redact(self, event: Mapping[str, Any], seat: int | None) -> Mapping[str, Any] | None:
            return {key: value for key, value in event.items() if key != "secret"}

        @hookimpl
        def narrate(self, event: Mapping[str, Any]) -> Text | None:
            if "secret" not in event:
                return None
            return Text(f"干杯\n底下写着 {event['secret']}", f"a toast\nbelow it {event['secret']}")

    rules = rules_with(Talks, {"phases": WITH_TOAST})
    events = play(Table(rules, seed=1, hands=1))
    whole = of_kind(events, "gunzi-stranger:toast")[0]
    assert rules.narrate(whole) == Text("干杯\n底下写着 BJ", "a toast\nbelow it BJ")
    assert rules.narrate(of_kind(view(rules, events, 0), "gunzi-stranger:toast")[0]) is None
    told = {lang: Narrator(Out(lang, {}), None, rules).tell(whole) for lang in ("zh", "en")}
    assert told == {"zh": ["干杯", "底下写着 BJ"], "en": ["a toast", "below it BJ"]}
    silent = rules_with(Toasts, {"phases": WITH_TOAST})
    assert silent.narrate(whole) is None
    assert "secret=BJ" in Narrator(Out("zh", {}), None, silent).tell(whole)[0]


def test_a_plugins_ending_is_told_in_its_own_words(rules_with: Load) -> None:
    class Ends(Stranger):
        @hookimpl
        def endings(self, result: Result) -> Sequence[Ending]:
            return (Ending("early_night", 0, "gunzi-stranger", order=-1, what=Text("天晚了，散了", "it grew late")),)

    events = play(Table(rules_with(Ends), seed=1, hands=1))
    settled = of_kind(events, "settle")[0]
    assert Narrator(Out("zh", {})).after(settled)[0].strip() == "天晚了，散了，0、2号一方赢下这一轮"
    assert "it grew late, the round goes to seats 0 and 2" in Narrator(Out("en", {})).after(settled)[0]


def disclosed(rules: RuleSet, events: Sequence[Event]) -> list[Event]:
    """The toasts among what a spectator is told when the hand is settled."""
    rows = of_kind(view(rules, events, None), "disclose")
    return of_kind([event for row in rows for event in row["events"]], "gunzi-stranger:toast")
