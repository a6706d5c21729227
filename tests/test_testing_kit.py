"""The conformance suites: sound rules pass, and every kind of fault is found and named."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, ClassVar

import pytest
from strangers import install, uninstall

import gunzi
from gunzi import Hand, Phase, Plugin, hookimpl
from gunzi.apps.testing import Checked, ConformanceError, Failure, check_plugin, check_rules
from gunzi.apps.testing.options import check_declarations
from gunzi.apps.testing.report import Report
from gunzi.ask import Ask, ListAsk
from gunzi.errors import Text
from gunzi.installed import built_in_ids, plugin_class
from gunzi.options import Choice, Flag, Number
from gunzi.trump import Trump
from gunzi.values import Conflict, Ending, Lint, Verdict

ON = Text("开", "on")
OFF = Text("关", "off")
NAME = Text("生人的规矩", "a stranger's rule")
BESIDE = ["deal", "reveal", "tribute", "bottom", "bury", "bury_kings", "nod", "play", "settle"]


class Stranger(Plugin):
    """A plugin with nothing wrong."""

    id = "stranger"
    version = "1"
    name = NAME


@pytest.fixture(autouse=True)
def afterwards(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    yield
    uninstall(monkeypatch)


# -- sound rules -------------------------------------------------------------------------------------------------------


def test_every_preset_in_both_modes_keeps_the_contract(rules: gunzi.RuleSet) -> None:
    found = check_rules(rules, hands=2, swaps=2)
    assert isinstance(found, Checked)
    assert found.hands >= 2 and found.acts > 200
    assert set(found.checks) >= {
        "legal-sets",
        "conservation",
        "refusals",
        "copies",
        "hooks",
        "views",
        "leaks",
        "records",
    }
    assert found.notes == ()


@pytest.mark.parametrize("plugin", built_in_ids())
def test_every_built_in_plugin_is_declared_completely(plugin: str) -> None:
    report = Report(plugin)
    check_declarations(plugin_class(plugin), report)
    assert report.failures == []


@pytest.mark.parametrize("plugin", ["gunzi.plugins.capture", "gunzi.plugins.reveal"])
def test_a_built_in_plugin_keeps_the_contract_under_every_value_of_its_options(plugin: str) -> None:
    found = check_plugin(plugin, hands=1)
    assert not [note for note in found.notes if "never asked" in note]


def test_a_smaller_game_keeps_the_contract() -> None:
    check_rules("dalian", {"deck.packs": 2, "deck.hand": 25, "deck.bottom": 8, "follow.shapes": "strict"}, hands=2)


def test_a_game_near_the_highest_level_keeps_the_contract() -> None:
    check_rules("dalian", {"levels.start": 13, "levels.final": 14, "levels.must_play": [14]}, hands=1, swaps=1)


def test_a_game_whose_deals_are_often_void_keeps_the_contract() -> None:
    rules = {"deck.packs": 1, "deck.hand": 13, "deck.bottom": 2, "first_dealer.claim": "optional"}
    for seed in range(3):
        check_rules("yuwang", rules, hands=1, seed=seed, swaps=2)


def test_a_sound_plugin_passes_and_the_summary_tells_what_was_done(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    class Sound(Stranger):
        options = (Flag("stranger.open", NAME, NAME, ON, OFF),)
        defaults: ClassVar[Mapping[str, Any]] = {"stranger.open": False}

        @hookimpl
        def phases(self) -> Mapping[str, Phase]:
            return {"nod": Nod()}

    install(monkeypatch, Sound)
    found = check_plugin(Sound, hands=1)
    assert "stranger: " in str(found) and "checks" in str(found)
    assert found.notes == ("the phase nod was not played: pass `variants` that list it",)
    variant = tmp_path / "nodding.yaml"
    variant.write_text(f"gunzi: 1\nid: nodding\nplugins: [stranger]\nphases: [{', '.join(BESIDE)}]\n")
    assert check_plugin("stranger", variants=[variant], hands=1).notes == ()


# -- faults ------------------------------------------------------------------------------------------------------------


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


def _phase(phase: Callable[[], Phase], shows: bool = True) -> type[Plugin]:
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


class _LaxSchema(Number):
    def schema(self) -> dict[str, Any]:
        return {"type": "integer"}


class _Forgetful(Number):
    def show(self, value: Any) -> str:
        return f"{value}!"


class _NotCanonical(Number):
    def examples(self) -> list[Any]:
        return [0, 99]


def _number(kind: type[Number]) -> type[Plugin]:
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


def _following(**changes: Callable[[Any], Any]) -> type[Plugin]:
    class Following(Stranger):
        @hookimpl(wrapper=True)
        def follow_rule(self, trump: Trump) -> Iterator[None]:
            rule: Any = yield
            return replace(rule, **{name: change(getattr(rule, name)) for name, change in changes.items()})  # type: ignore[no-any-return]

    return Following


def _one_short(count: Any) -> Any:
    return lambda *masks: max(0, count(*masks) - 1)


def _always(contains: Any) -> Any:
    return lambda *masks: True


def _weak_leads() -> type[Plugin]:
    class Weak(Stranger):
        @hookimpl(wrapper=True)
        def trick_rule(self, trump: Trump) -> Iterator[None]:
            rule: Any = yield
            return replace(rule, power=lambda *masks: 0)  # type: ignore[no-any-return]

    return Weak


class _Thief(Nod):
    def start(self, hand: Hand) -> None:
        super().start(hand)
        one, two, three = hand.holdings[0]
        hand.holdings[0] = (one & (one - 1), two & one & (one - 1), three & one & (one - 1))


class _Gossip(Nod):
    def told(self, hand: Hand, seat: int) -> dict[str, Any]:
        return {"seat": seat, "cards": list(hand.cards_of(seat))}


class _Tuples(Nod):
    def told(self, hand: Hand, seat: int) -> dict[str, Any]:
        return {"seat": seat, "levels": hand.levels}


class _Amnesia(Nod):
    def replay(self, hand: Hand, ask: Ask, event: Mapping[str, Any]) -> None:
        return None


class _Misnamed(Nod):
    name = "nodd"


class _Silent(Nod):
    def ask(self, hand: Hand) -> Ask | None:
        seat = hand.extra["nods"]
        return ListAsk(hand.rules, seat, "nod", ()) if seat < 4 else None


class _Foreign(Nod):
    def apply(self, hand: Hand, seat: int, act: gunzi.Act) -> None:
        super().apply(hand, seat, act)
        hand.emit("somebody:else", seat=seat, by="somebody.else")


class _Counting(Nod):
    told_so_far = 0

    def told(self, hand: Hand, seat: int) -> dict[str, Any]:
        type(self).told_so_far += 1
        return {"seat": seat, "count": self.told_so_far}


@pytest.mark.parametrize(
    ("make", "faults"),
    [
        (speechless, {"texts: its name says nothing in Chinese"}),
        (other_names, {"texts: the rule stranger.rule has other {names} in Chinese than in English"}),
        (half_translated, {"texts: the value so says nothing in English"}),
        (no_default, {"options: it has no value in `defaults`"}),
        (wrong_default, {"options: its default 'no' is no value", "plugin: `defaults` names stranger.shut"}),
        (lambda: _number(_LaxSchema), {"options: parse refuses -1, its schema takes it"}),
        (lambda: _number(_Forgetful), {"options: 0 is shown as '0!', which read() refuses"}),
        (lambda: _number(_NotCanonical), {"options: its example 99 is refused"}),
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
        (lambda: _following(count=_one_short), {"plays: kth says otherwise", "plays: nothing may be played"}),
        (lambda: _following(contains=_always), {"plays: contains says True of"}),
        (lambda: _following(why_not=lambda _: lambda *masks: None), {"plays: answers None, no Reason"}),
        (_weak_leads, {"plays: the power of a lead is 0"}),
        (lambda: _phase(_Thief), {"conservation: cards are not those of the deck: missing"}),
        (lambda: _phase(_Gossip), {"leaks: the view tells"}),
        (lambda: _phase(_Tuples), {"events: (stranger:nod) is no JSON"}),
        (lambda: _phase(_Amnesia), {"records: RecordError"}),
        (lambda: _phase(_Misnamed), {"hooks: the phase nod calls itself 'nodd'"}),
        (lambda: _phase(_Silent), {"legal-sets: is asked (nod) and may do nothing"}),
        (
            lambda: _phase(_Foreign),
            {
                "hooks: the event somebody:else belongs to no plugin of this rule set",
                "events: is `by` 'somebody.else', no known rule",
            },
        ),
        (lambda: _phase(_Counting), {"records: the same acts give another record"}),
    ],
    ids=lambda value: min(value) if isinstance(value, set) else "",
)
def test_a_fault_is_found_and_named(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, make: Fault, faults: set[str]
) -> None:
    plugin = make()
    install(monkeypatch, plugin)
    variants = []
    if "phases" in vars(plugin):
        variants.append(tmp_path / "nodding.yaml")
        variants[0].write_text(f"gunzi: 1\nid: nodding\nplugins: [stranger]\nphases: [{', '.join(BESIDE)}]\n")
    leaking = any(fault.startswith("leaks") for fault in faults)
    with pytest.raises(ConformanceError) as caught:
        check_plugin(plugin, variants=variants, hands=1, swaps=4 if leaking else 0)
    for fault in faults:
        check, _, said = fault.partition(": ")
        found = [failure for failure in caught.value.failures if failure.check == check and said in failure.message]
        assert found, str(caught.value)
        assert str(found[0]) in str(caught.value)
        if check in ("hooks", "plays"):
            assert "stranger" in found[0].where or "somebody" in found[0].where


def test_a_secret_that_is_redacted_is_no_leak(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    plugin = _phase(_Gossip, shows=False)
    install(monkeypatch, plugin)
    variant = tmp_path / "nodding.yaml"
    variant.write_text(f"gunzi: 1\nid: nodding\nplugins: [stranger]\nphases: [{', '.join(BESIDE)}]\n")
    check_plugin(plugin, variants=[variant], hands=1)


def test_what_is_not_installed_or_cannot_be_loaded_is_a_failure(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    with pytest.raises(ConformanceError, match="plugin nobody is not installed"):
        check_plugin("nobody")
    with pytest.raises(ConformanceError, match="no entry point of the group gunzi is called 'stranger'"):
        check_plugin(Stranger)
    with pytest.raises(ConformanceError, match="there are no rules nowhere"):
        check_rules("nowhere")
    install(monkeypatch, Stranger)
    other = tmp_path / "other.yaml"
    other.write_text("gunzi: 1\nid: other\n")
    with pytest.raises(ConformanceError, match="it does not use the plugin stranger"):
        check_plugin("stranger", variants=[other], hands=1, swaps=0)


def test_another_class_under_the_id_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    class Twin(Stranger):
        pass

    install(monkeypatch, Twin)
    with pytest.raises(ConformanceError, match="leads to another class"):
        check_plugin(Stranger, hands=1, swaps=0)


def test_one_error_lists_everything_and_repeats_nothing() -> None:
    report = Report("x")
    for number in range(10):
        report.that(False, "views", "seat 0", f"leak {number}")
    report.that(False, "views", "seat 1", "leak")
    report.that(False, "views", "seat 1", "leak")
    report.that(True, "views", "seat 1", "never said")
    with pytest.raises(ConformanceError) as caught:
        report.done()
    assert caught.value.failures[:2] == (Failure("views", "seat 0", "leak 0"), Failure("views", "seat 0", "leak 1"))
    assert len(caught.value.failures) == 4
    assert "x: 11 failures" in str(caught.value) and "and 7 more of the same kinds" in str(caught.value)
    assert report.counts["views"] == 13
    assert isinstance(caught.value, AssertionError)
    assert isinstance(caught.value, gunzi.GunziError)


def test_it_works_without_pytest() -> None:
    code = (
        "import sys; from gunzi.apps.testing import check_rules; print(check_rules('boke', hands=1, swaps=1)); "
        "assert not any(name.partition('.')[0] in ('pytest', '_pytest') for name in sys.modules)"
    )
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert run.returncode == 0, run.stderr
    assert run.stdout.startswith("boke: ")
