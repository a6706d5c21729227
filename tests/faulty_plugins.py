"""Plugins with one fault each, for the conformance kit to find."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any, ClassVar

import gunzi
from gunzi import Hand, Phase, Plugin, hookimpl
from gunzi.ask import Ask, ListAsk
from gunzi.errors import Text
from gunzi.options import Choice, Flag, Number
from gunzi.trump import Trump
from gunzi.values import Conflict, Ending, Lint, Verdict

ON = Text("开", "on")
OFF = Text("关", "off")
NAME = Text("生人的规矩", "a stranger's rule")


class Stranger(Plugin):
    """A plugin with nothing wrong."""

    id = "stranger"
    version = "1"
    name = NAME


class Nod(Phase):
    """Everybody nods, one after another."""

    name = "nod"

    def start(self, hand: Hand) -> None:
        hand.extra["nods"] = 0

    def ask(self, hand: Hand) -> Ask | None:
        seat = hand.extra["nods"]
        return ListAsk(hand.rules, seat, "nod", (gunzi.Pass(),)) if seat < 4 else None

    def apply(self, hand: Hand, seat: int, act: gunzi.Act) -> None:
        hand.check_turn(seat)
        if not isinstance(act, gunzi.Pass):
            raise hand.wrong_phase(seat, act)
        hand.extra["nods"] += 1
        hand.emit("stranger:nod", **self.told(hand, seat))

    def told(self, hand: Hand, seat: int) -> dict[str, Any]:
        """What the event says."""
        return {"seat": seat}

    def replay(self, hand: Hand, ask: Ask, event: Mapping[str, Any]) -> tuple[int, gunzi.Act] | None:
        return (event["seat"], gunzi.Pass()) if event.get("e") == "stranger:nod" else None


Fault = Callable[[], type[Plugin]]


def phase_plugin(phase: Callable[[], Phase], shows: bool = True) -> type[Plugin]:
    class Nodding(Stranger):
        @hookimpl
        def phases(self) -> Mapping[str, Phase]:
            return {"nod": phase()}

        @hookimpl
        def redact(self, event: Mapping[str, Any], seat: int | None) -> Mapping[str, Any] | None:
            return event if shows else None

    return Nodding


def speechless() -> type[Plugin]:
    class Speechless(Stranger):
        name = Text("stranger", "stranger")

    return Speechless


def other_names() -> type[Plugin]:
    class OtherNames(Stranger):
        rules: ClassVar[Mapping[str, Text]] = {"stranger.rule": Text("打 {level}", "the level is {rank}")}

    return OtherNames


def half_translated() -> type[Plugin]:
    class Half(Stranger):
        options = (
            Choice("stranger.how", NAME, NAME, {"so": Text("这样", ""), "otherwise": Text("那样", "otherwise")}),
        )
        defaults: ClassVar[Mapping[str, Any]] = {"stranger.how": "so"}

    return Half


def no_default() -> type[Plugin]:
    class NoDefault(Stranger):
        options = (Flag("stranger.open", NAME, NAME, ON, OFF),)

    return NoDefault


def wrong_default() -> type[Plugin]:
    class WrongDefault(Stranger):
        options = (Flag("stranger.open", NAME, NAME, ON, OFF),)
        defaults: ClassVar[Mapping[str, Any]] = {"stranger.open": "no", "stranger.shut": True}

    return WrongDefault


class LaxSchema(Number):
    def schema(self) -> dict[str, Any]:
        return {"type": "integer"}


class Forgetful(Number):
    def show(self, value: Any) -> str:
        return f"{value}!"


class NotCanonical(Number):
    def examples(self) -> list[Any]:
        return [0, 99]


def number_plugin(kind: type[Number]) -> type[Plugin]:
    class Numbered(Stranger):
        options = (kind("stranger.number", NAME, NAME, 0, 1),)
        defaults: ClassVar[Mapping[str, Any]] = {"stranger.number": 0}

    return Numbered


def unexplained_conflict() -> type[Plugin]:
    class Unexplained(Stranger):
        lints: ClassVar[Mapping[str, Lint]] = {"stranger-too": Lint(NAME, error=True)}

        @hookimpl
        def conflicts(self, options: Mapping[str, Any]) -> Sequence[Conflict]:
            return [
                Conflict("stranger-odd", ("points",), NAME, error=False),
                Conflict("stranger-too", ("pointz",), NAME, error=False),
            ]

    return Unexplained


def unknown_rule() -> type[Plugin]:
    class UnknownRule(Stranger):
        replaces = ("gunzi.plugins.dry_pot",)

        @hookimpl
        def dry_pot(self) -> Verdict:
            return Verdict(False, "stranger.mood")

    return UnknownRule


def moody() -> type[Plugin]:
    class Moody(Stranger):
        def __init__(self, options: Mapping[str, Any]) -> None:
            super().__init__(options)
            self.asked = 0

        @hookimpl(wrapper=True)
        def start_level(self) -> Iterator[None]:
            level: Any = yield
            self.asked += 1
            return level + self.asked % 2  # type: ignore[no-any-return]

    return Moody


def wrong_winner() -> type[Plugin]:
    class WrongWinner(Stranger):
        @hookimpl
        def endings(self) -> Sequence[Ending]:
            return [Ending("whim", 2, "endings.sweep")]

    return WrongWinner


def raising() -> type[Plugin]:
    class Raising(Stranger):
        @hookimpl
        def tribute_parts(self) -> Sequence[Any]:
            raise LookupError("nowhere")

    return Raising


def following_plugin(**changes: Callable[[Any], Any]) -> type[Plugin]:
    class Following(Stranger):
        @hookimpl(wrapper=True)
        def follow_rule(self, trump: Trump) -> Iterator[None]:
            rule: Any = yield
            return replace(rule, **{name: change(getattr(rule, name)) for name, change in changes.items()})  # type: ignore[no-any-return]

    return Following


def one_short(count: Any) -> Any:
    return lambda *masks: max(0, count(*masks) - 1)


def always(contains: Any) -> Any:
    return lambda *masks: True


def weak_leads() -> type[Plugin]:
    class Weak(Stranger):
        @hookimpl(wrapper=True)
        def trick_rule(self, trump: Trump) -> Iterator[None]:
            rule: Any = yield
            return replace(rule, power=lambda *masks: 0)  # type: ignore[no-any-return]

    return Weak


class Thief(Nod):
    def start(self, hand: Hand) -> None:
        super().start(hand)
        one, two, three = hand.holdings[0]
        hand.holdings[0] = (one & (one - 1), two & one & (one - 1), three & one & (one - 1))


class Gossip(Nod):
    def told(self, hand: Hand, seat: int) -> dict[str, Any]:
        return {"seat": seat, "cards": list(hand.cards_of(seat))}


class Tuples(Nod):
    def told(self, hand: Hand, seat: int) -> dict[str, Any]:
        return {"seat": seat, "levels": hand.levels}


class Amnesia(Nod):
    def replay(self, hand: Hand, ask: Ask, event: Mapping[str, Any]) -> None:
        return None


class Misnamed(Nod):
    name = "nodd"


class Silent(Nod):
    def ask(self, hand: Hand) -> Ask | None:
        seat = hand.extra["nods"]
        return ListAsk(hand.rules, seat, "nod", ()) if seat < 4 else None


class Foreign(Nod):
    def apply(self, hand: Hand, seat: int, act: gunzi.Act) -> None:
        super().apply(hand, seat, act)
        hand.emit("somebody:else", seat=seat, by="somebody.else")


class Counting(Nod):
    told_so_far = 0

    def told(self, hand: Hand, seat: int) -> dict[str, Any]:
        type(self).told_so_far += 1
        return {"seat": seat, "count": self.told_so_far}


FAULTS: tuple[tuple[Fault, set[str]], ...] = (
    (speechless, {"texts: its name says nothing in Chinese"}),
    (other_names, {"texts: the rule stranger.rule has other {names} in Chinese than in English"}),
    (half_translated, {"texts: the value so says nothing in English"}),
    (no_default, {"options: it has no value in `defaults`"}),
    (wrong_default, {"options: its default 'no' is no value", "plugin: `defaults` names stranger.shut"}),
    (lambda: number_plugin(LaxSchema), {"options: parse refuses -1, its schema takes it"}),
    (lambda: number_plugin(Forgetful), {"options: 0 is shown as '0!', which read() refuses"}),
    (lambda: number_plugin(NotCanonical), {"options: its example 99 is refused"}),
    (
        unexplained_conflict,
        {
            "plugin: it reports stranger-odd, which its `lints` do not explain",
            "plugin: it reports stranger-too as a warning, its `lints` say otherwise",
            "hooks: stranger-too names 'pointz', which is no option",
        },
    ),
    (unknown_rule, {"hooks: `by` is 'stranger.mood', no id of an option or of a rule"}),
    (moody, {"hooks: asked the same twice, it answers"}),
    (wrong_winner, {"hooks: a winning side 0 or 1"}),
    (raising, {"hooks: plugin stranger raised in its hook tribute_parts: LookupError: nowhere"}),
    (lambda: following_plugin(count=one_short), {"plays: kth says otherwise", "plays: nothing may be played"}),
    (lambda: following_plugin(contains=always), {"plays: contains says True of"}),
    (lambda: following_plugin(why_not=lambda _: lambda *masks: None), {"plays: answers None, no Reason"}),
    (weak_leads, {"plays: the power of a lead is 0"}),
    (lambda: phase_plugin(Thief), {"conservation: cards are not those of the deck: missing"}),
    (lambda: phase_plugin(Gossip), {"leaks: the view tells"}),
    (lambda: phase_plugin(Tuples), {"events: (stranger:nod) is no JSON"}),
    (lambda: phase_plugin(Amnesia), {"records: RecordError"}),
    (lambda: phase_plugin(Misnamed), {"hooks: the phase nod calls itself 'nodd'"}),
    (lambda: phase_plugin(Silent), {"legal-sets: is asked (nod) and may do nothing"}),
    (
        lambda: phase_plugin(Foreign),
        {
            "hooks: the event somebody:else belongs to no plugin of this rule set",
            "events: is `by` 'somebody.else', no known rule",
        },
    ),
    (lambda: phase_plugin(Counting), {"records: the same acts give another record"}),
)
"""Plugins and what is wrong with each: check and message."""
