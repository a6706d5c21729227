"""Plugins beside the built-in ones: how they come in, and everything one can do wrong at load."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from importlib.metadata import entry_points
from typing import Any, ClassVar

import pytest

from gunzi import installed
from gunzi.errors import PluginError, Text, VariantError
from gunzi.hooks import hookimpl
from gunzi.host import SPECS, Host, hook_methods
from gunzi.loading import check_text, forget, from_header, load, load_text
from gunzi.options import Choice, Flag
from gunzi.phase import Phase
from gunzi.plugin import Plugin
from gunzi.plugins.dry_pot import DryPot
from gunzi.problems import format_problems
from gunzi.resolve import option_set
from gunzi.ruleset import RuleSet
from gunzi.trump import trump_order
from gunzi.values import Conflict, Deck, Reason, Verdict

HEAD = "gunzi: 1\nid: my-house\nplugins: [stranger]\n"
YES, NO = Text("是", "yes"), Text("否", "no")


@dataclass
class Entry:
    """An installed entry point."""

    name: str
    plugin: Any
    value: str = "somewhere:Stranger"

    def load(self) -> Any:
        if isinstance(self.plugin, Exception):
            raise self.plugin
        return self.plugin


Install = Callable[..., None]


@pytest.fixture
def install(monkeypatch: pytest.MonkeyPatch) -> Iterator[Install]:
    """Installs plugins beside the built-in ones, each a class, or a pair (entry-point name, anything)."""
    real = list(entry_points(group="gunzi"))

    def put(*plugins: Any) -> None:
        entries = [pair if isinstance(pair, tuple) else (pair.id, pair) for pair in plugins]
        found = [Entry(name, plugin, f"place{n}:X") for n, (name, plugin) in enumerate(entries)]
        monkeypatch.setattr(installed, "entry_points", lambda group: [*real, *found])
        forget()

    yield put
    monkeypatch.undo()
    forget()


class Stranger(Plugin):
    """A plugin that decides nothing."""

    id = "stranger"
    version = "1"


class Owner(Stranger):
    """A plugin with options of a new group and of a group that there is."""

    options = (Flag("knock.on", YES, YES, YES, NO), Flag("reveal.twice", YES, YES, YES, NO))
    defaults: ClassVar[Mapping[str, Any]] = {"knock.on": False, "reveal.twice": False}


@pytest.mark.parametrize("line", ["knock: {on: true}", "reveal: {twice: true}"])
def test_an_option_of_a_plugin_that_the_variant_forgot_names_the_plugin(install: Install, line: str) -> None:
    install(("broken", ImportError("no such module")), Owner)
    (problem,) = check_text(f"gunzi: 1\nid: my-house\nextends: boke\n{line}\n")
    assert "plugins: [stranger]" in problem.message("zh") and "plugins: [stranger]" in problem.message("en")
    assert not problem.suggestion
    assert check_text(f"{HEAD}extends: boke\n{line}\n") == []
    with pytest.raises(VariantError, match="plugins: .stranger."):
        load("boke", {"knock.on": True})
    with installed.no_external():
        (problem,) = check_text(f"gunzi: 1\nid: my-house\nextends: boke\n{line}\n")
        assert "stranger" not in problem.message("en")


def test_a_plugin_comes_in_only_where_the_variant_names_it(install: Install) -> None:
    install(Stranger)
    assert "stranger" not in load("boke").plugins
    rules = load_text(HEAD)
    assert rules.plugins["stranger"] == "1"
    assert rules.options == load("base").options
    assert rules != load("base")


def test_a_plugin_is_inherited_and_named_once(install: Install) -> None:
    install(Stranger)
    assert [p.code for p in check_text("gunzi: 1\nid: x\nplugins: [stranger, stranger]\n")] == ["named-twice"]
    assert [p.code for p in check_text("gunzi: 1\nid: x\nplugins: [gunzi.plugins.deck]\n")] == ["plugin-built-in"]


def test_a_plugins_options_stand_in_their_groups_and_have_defaults(install: Install) -> None:
    class Bright(Stranger):
        options = (Flag("shuangming.on", Text("双明", "open partners"), Text("双明", "open partners"), YES, NO),)
        defaults = {"shuangming.on": False}

    install(Bright)
    rules = load_text(HEAD)
    assert rules.options["shuangming.on"] is False
    assert rules.origin("shuangming.on").where == "default of stranger"
    assert rules.option_ids()[-1] == "shuangming.on"
    assert load_text(HEAD + "shuangming: {on: true}\n").options["shuangming.on"] is True
    assert load_text(HEAD, overrides={"shuangming.on": "true"}).options["shuangming.on"] is True
    assert from_header({"rules": rules.as_json()}) == rules
    (problem,) = check_text("gunzi: 1\nid: x\nshuangming: {on: true}\n")
    assert problem.code == "unknown-key"


def test_an_option_without_value_or_default_is_named(install: Install) -> None:
    class Demanding(Stranger):
        options = (Flag("shuangming.on", Text("双明", "x"), Text("双明", "x"), YES, NO),)

    install(Demanding)
    (problem,) = check_text(HEAD)
    assert problem.code == "no-value"
    assert "shuangming.on (of stranger)" in problem.text.en


def test_a_renamed_option_keeps_working_with_a_warning(install: Install) -> None:
    class Renaming(Stranger):
        options = (
            Choice("house.new", Text("新", "new"), Text("新", "new"), {"a": YES, "b": NO}, renamed_from=("house.old", "older.one")),
        )  # fmt: skip
        defaults = {"house.new": "a"}

    install(Renaming)
    for text in ("house: {old: b}\n", "older: {one: b}\n"):
        rules = load_text(HEAD + text)
        assert rules.options["house.new"] == "b"
        assert [(each.code, each.severity, each.suggestion) for each in rules.warnings] == [
            ("renamed-option", "warning", "house.new")
        ]
    rules = load_text(HEAD, overrides={"house.old": "b"})
    assert rules.options["house.new"] == "b"
    assert [each.code for each in rules.warnings] == ["renamed-option"]
    assert [each.code for each in check_text(HEAD + "house: {old: b, new: a}\n")] == ["renamed-option", "duplicate-key"]
    noted = load_text(HEAD + "notes: {house.old: {status: ruled, source: x}}\n")
    assert noted.origin("house.new").status == "ruled"
    with pytest.raises(VariantError, match="set twice"):
        load_text(HEAD, overrides={"house.old": "b", "house.new": "a"})


class Replacing(Stranger):
    replaces: ClassVar[tuple[str, ...]] = ("gunzi.plugins.dry_pot",)

    @hookimpl
    def dry_pot(self) -> Verdict:
        return Verdict(False, "stranger")


def test_a_plugin_may_replace_one_decision_of_another(install: Install) -> None:
    install(Replacing)
    rules = load_text(HEAD)
    trump = trump_order(3, "S")
    assert rules.hook.dry_pot(bottom=(0, 0, 0), trump=trump, shown=True, first_hand=False).by == "stranger"
    assert rules.hook.bottom_is_shown(how="claim") is True
    assert load("base").hook.dry_pot(bottom=(1, 0, 0), trump=trump, shown=True, first_hand=False).by != "stranger"


def test_a_wrapper_changes_an_answer(install: Install) -> None:
    class Wrapping(Stranger):
        @hookimpl(wrapper=True)
        def start_level(self) -> Iterator[None]:
            level = yield
            return level + 1  # type: ignore[operator,return-value]

    install(Wrapping)
    assert load_text(HEAD).start_level == 4


def test_one_plain_answer_is_bound_without_ceremony() -> None:
    hook = load("boke").hook
    assert hook.follow_rule.__self__.id == "gunzi.plugins.follow"
    assert hook.phases() == []


def broken(name: str) -> type[Plugin]:
    """Plugins that are wrong in one way each."""

    class Misspelt(Stranger):
        @hookimpl
        def dry_pott(self) -> None: ...

    class BadArgument(Stranger):
        @hookimpl
        def happened(self, evnt: object) -> None: ...

    class Unmarked(Stranger):
        def dry_pot(self) -> None: ...

    class Second(Stranger):
        @hookimpl
        def dry_pot(self) -> Verdict:
            return Verdict(False, "stranger")

    class Typo(Stranger):
        replaces = ("gunzi.plugins.dry_pots",)

        @hookimpl
        def dry_pot(self) -> Verdict:
            return Verdict(False, "stranger")

    class Selfish(Stranger):
        replaces = ("stranger",)

    class Raising(Stranger):
        def __init__(self, options: Mapping[str, Any]) -> None:
            raise ZeroDivisionError("oops")

    class Complaining(Stranger):
        def __init__(self, options: Mapping[str, Any]) -> None:
            raise PluginError("stranger wants more", "stranger")

    class Owner(Stranger):
        options = (Flag("declare.jokers_may_open", YES, YES, YES, NO),)

    class BadId(Stranger):
        options = (Flag("Notes.x", YES, YES, YES, NO),)

    class MetaId(Stranger):
        options = (Flag("name", YES, YES, YES, NO),)

    class GroupId(Stranger):
        options = (Flag("reveal", YES, YES, YES, NO),)

    class PhaseTaken(Stranger):
        @hookimpl
        def phases(self) -> Mapping[str, Phase]:
            return {"deal": Phase()}

    class BadDeck(Stranger):
        replaces = ("gunzi.plugins.deck",)

        @hookimpl
        def deck(self) -> Deck:
            return Deck((3,) * 54, 40, 6)

    class BadPoints(Stranger):
        replaces = ("gunzi.plugins.points",)

        @hookimpl
        def card_points(self, rank: int) -> int:
            return 3

    class BadPermanent(Stranger):
        replaces = ("gunzi.plugins.permanent",)

        @hookimpl
        def permanent_ranks(self) -> tuple[int, ...]:
            return (2, 3, 5)

    class FailingConflicts(Stranger):
        @hookimpl
        def conflicts(self, options: Mapping[str, Any]) -> Sequence[Conflict]:
            raise LookupError("gone")

    class NoVersion(Stranger):
        version = ""

    found: type[Plugin] = locals()[name]
    return found


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("Misspelt", "there is no hook dry_pott .did you mean dry_pot"),
        ("BadArgument", "hook happened has no argument evnt .did you mean event"),
        ("Unmarked", "dry_pot is named like a hook but lacks @hookimpl"),
        (
            "Second",
            "two plugins answer the hook dry_pot: .*dry_pot and stranger|two plugins answer the hook dry_pot: stranger",
        ),
        ("Typo", "replaces gunzi.plugins.dry_pots, which is not in this rule set .did you mean gunzi.plugins.dry_pot"),
        ("Selfish", "names itself"),
        ("Raising", "raised while it was set up: ZeroDivisionError: oops"),
        ("Complaining", "stranger wants more"),
        ("Owner", "own the option declare.jokers_may_open: gunzi.plugins.declare and stranger"),
        ("BadId", "'Notes.x' cannot be an option id"),
        ("MetaId", "'name' cannot be an option id"),
        ("GroupId", "either an option or a group"),
        ("PhaseTaken", "the phase deal is taken: gunzi and stranger"),
        ("BadDeck", "cannot be dealt"),
        ("BadPoints", "multiples of 5"),
        ("BadPermanent", "at most two different ranks"),
        ("FailingConflicts", "raised in its hook conflicts: LookupError: gone"),
        ("NoVersion", "has no version"),
    ],
)
def test_what_a_plugin_does_wrong_is_an_error_at_load(install: Install, name: str, said: str) -> None:
    install(broken(name))
    with pytest.raises(PluginError, match=said) as caught:
        load_text(HEAD)
    assert caught.value.plugin in ("stranger", "gunzi.plugins.dry_pot", None)
    found = check_text(HEAD)
    assert found
    assert "plugin" in {problem.code for problem in found}
    assert format_problems(found, "text", "zh")


@pytest.mark.parametrize(
    ("entries", "said"),
    [
        ([("stranger", ImportError("no such module"))], "cannot be imported: ImportError: no such module"),
        ([("stranger", object)], "is no plugin class"),
        ([("stranger", 3)], "is no plugin class"),
        ([("stranger", type("Other", (Plugin,), {"id": "other", "version": "1"}))], "calls itself 'other'"),
        ([("stranger", Stranger), ("stranger", Stranger)], "two plugins are installed under the id stranger"),
        (
            [("strangers", Stranger)],
            "not installed .did you mean strangers..; installed besides the built-in ones: strangers",
        ),
    ],
)
def test_what_is_wrong_with_an_installation_is_named(install: Install, entries: list[Any], said: str) -> None:
    install(*entries)
    with pytest.raises(PluginError, match=said):
        load_text(HEAD)


def test_two_plugins_may_not_add_the_same_phase(install: Install) -> None:
    class One(Stranger):
        @hookimpl
        def phases(self) -> Mapping[str, Phase]:
            return {"open": Phase()}

    class Two(One):
        id = "two"

    install(One, Two)
    text = "gunzi: 1\nid: x\nplugins: [stranger, two]\n"
    with pytest.raises(PluginError, match="phase open is taken: (stranger and two|two and stranger)"):
        load_text(text)
    rules = load_text("gunzi: 1\nid: x\nplugins: [two]\nphases: [deal, reveal, open, play, settle]\n")
    assert isinstance(rules.phases[2], Phase)


def test_two_plugins_may_not_replace_each_other(install: Install) -> None:
    class Other(Replacing):
        id = "other"
        replaces = ("gunzi.plugins.dry_pot", "stranger")

    class Both(Replacing):
        replaces = ("gunzi.plugins.dry_pot", "other")

    install(Replacing, Other)
    text = "gunzi: 1\nid: x\nplugins: [stranger, other]\n"
    assert load_text(text).hook.dry_pot(bottom=(0, 0, 0), trump=trump_order(3, "S"), shown=True, first_hand=True)
    install(Both, Other)
    with pytest.raises(PluginError, match="replace each other's dry_pot"):
        load_text(text)


def test_one_plugin_under_two_names_or_twice_is_refused() -> None:
    _, classes = option_set(())
    options = dict(load("base").options)
    with pytest.raises(PluginError, match="there twice"):
        Host((*classes, Stranger, Stranger), options)
    with pytest.raises(PluginError, match="no plugin answers the hook deck"):
        Host([each for each in classes if each.id != "gunzi.plugins.deck"], options)


class Faulty(Stranger):
    replaces = ("gunzi.plugins.titles", "gunzi.plugins.rotation")

    @hookimpl
    def title(self, score: int) -> str:
        return str(1 // score)

    @hookimpl(wrapper=True)
    def climb(self, level: int) -> Iterator[None]:
        if level == 3:
            raise KeyError("before")
        answer = yield
        if level == 4:
            raise KeyError("after")
        return answer

    @hookimpl(wrapper=True)
    def start_level(self) -> Iterator[None]:
        return (yield)


def test_a_strangers_fault_in_play_names_the_stranger(install: Install) -> None:
    install(Faulty)
    rules = load_text(HEAD)
    assert rules.hook.title(score=1) == "1"
    with pytest.raises(PluginError, match="stranger raised in its hook title: ZeroDivisionError"):
        rules.hook.title(score=0)
    with pytest.raises(PluginError, match="stranger raised in its wrapper of climb: KeyError: 'before'"):
        rules.hook.climb(level=3, earned=1, as_dealer=True)
    with pytest.raises(PluginError, match="stranger raised in its wrapper of climb: KeyError: 'after'"):
        rules.hook.climb(level=4, earned=1, as_dealer=True)
    assert rules.hook.climb(level=5, earned=1, as_dealer=True).level == 6
    with pytest.raises(TypeError):  # what comes from inside passes through unchanged
        rules.hook.climb(level="x", earned=1, as_dealer=True)


def test_observers_and_secrets_go_to_the_plugin_they_belong_to(install: Install) -> None:
    seen: list[object] = []

    class Watching(Stranger):
        @hookimpl
        def happened(self, event: Mapping[str, Any]) -> None:
            seen.append(event)

        @hookimpl
        def redact(self, event: Mapping[str, Any]) -> Mapping[str, Any]:
            return {"e": event["e"]}

    install(Watching)
    rules = load_text(HEAD)
    assert rules.observer is not None
    rules.observer({"e": "hand"})
    assert seen == [{"e": "hand"}]
    assert rules.redact({"e": "stranger:peek", "card": "BJ"}, 1) == {"e": "stranger:peek"}
    assert rules.redact({"e": "other:peek", "card": "BJ"}, 1) is None


def test_a_strangers_conflicts_are_heard(install: Install) -> None:
    class Contradicting(Stranger):
        @hookimpl
        def conflicts(self, options: Mapping[str, Any]) -> Sequence[Conflict]:
            odd = options["reveal.pick"] == "max"
            return [
                Conflict("odd-pick", ("reveal.pick",), Text("怪", "odd"), error=odd),
                Conflict("all", (), YES, error=False),
            ]

    install(Contradicting)
    rules = load_text(HEAD)
    assert {each.code for each in rules.warnings} == {"odd-pick", "all"}
    with pytest.raises(VariantError, match="odd-pick"):
        load_text(HEAD + "reveal: {pick: max}\n")
    with pytest.raises(VariantError) as caught:
        load_text(HEAD, overrides={"reveal.pick": "max"}, override_origin="--set")
    assert "--set reveal.pick" in [problem.path for problem in caught.value.problems]


def test_the_hooks_of_a_plugin_can_be_listed() -> None:
    rules = load("boke")
    assert {method.hook for method in hook_methods(DryPot).values()} == {"bottom_is_shown", "conflicts", "dry_pot"}
    assert set(hook_methods(Stranger)) == set()
    assert SPECS["judge_bid"].args == ("level", "cards", "suit", "standing")
    assert isinstance(rules, RuleSet)
    assert isinstance(Reason("x", YES).text, Text)
