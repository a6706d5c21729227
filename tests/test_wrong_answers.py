"""A plugin that answers what cannot be, or fails before anything is played: the error names it and what was wrong."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any

import pytest
from conftest import play_out
from strangers import install, uninstall

import gunzi
from gunzi import Plugin, PluginError, Table, hookimpl, installed, loading
from gunzi.errors import Text
from gunzi.loading import check_text, load_text
from gunzi.options import Choice

# -- wrong answers -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("hook", "answer", "said"),
    [
        ("dry_pot", None, "its hook dry_pot answers None, which is no Verdict"),
        ("bottom_is_shown", "yes", "its hook bottom_is_shown answers 'yes', which is no bool"),
        ("level_up", 3, "its hook level_up answers 3, which is no LevelUp or None"),
        ("payable", "SA", "its hook payable answers 'SA', which is no int"),
        ("endings", 7, "its hook endings answers 7, which is no Sequence"),
        ("endings", ["shutout"], "its hook endings answers with 'shutout', which is no Ending"),
        ("score_parts", (1, 2), "its hook score_parts answers with 1, which is no ScorePart"),
        ("returnable", "SA", "its hook returnable answers with 'S', which is no int"),
    ],
)
def test_an_answer_of_the_wrong_kind_names_the_plugin(
    monkeypatch: pytest.MonkeyPatch, hook: str, answer: object, said: str
) -> None:
    def respond(self: Plugin) -> object:
        return answer

    respond.__name__ = hook

    class Wrong(Plugin):
        id = "stranger"
        version = "1"
        replaces = tuple(f"gunzi.plugins.{name}" for name in ("dry_pot", "levels", "tribute"))

    setattr(Wrong, hook, hookimpl(respond))
    install(monkeypatch, Wrong)
    table = Table(load_text("gunzi: 1\nid: x\nplugins: [stranger]\n"), seed=1, hands=4, rounds=None)
    with pytest.raises(PluginError, match=said):
        play_out(table)
    uninstall(monkeypatch)


def test_a_card_that_is_none_in_a_plugin_is_the_plugins_fault(monkeypatch: pytest.MonkeyPatch) -> None:
    class Wrong(Plugin):
        id = "stranger"
        version = "1"

        @hookimpl
        def endings(self) -> Sequence[Any]:
            return gunzi.parse_cards("S1")

    install(monkeypatch, Wrong)
    with pytest.raises(PluginError, match="stranger raised in its hook endings: CardError"):
        play_out(Table(load_text("gunzi: 1\nid: x\nplugins: [stranger]\n"), seed=1, hands=1))
    uninstall(monkeypatch)


def _yields_twice() -> Iterator[None]:
    answer = yield
    yield
    return answer  # type: ignore[return-value]


def _answers_wrongly() -> Iterator[None]:
    yield
    return "dry"  # type: ignore[return-value]


def _raises() -> Iterator[None]:
    yield
    raise LookupError("nowhere")


@pytest.mark.parametrize(
    ("body", "said"),
    [
        (_yields_twice, "plugin stranger: its wrapper of dry_pot yields more than once"),
        (_answers_wrongly, "plugin stranger: its wrapper of dry_pot answers 'dry', which is no Verdict"),
        (_raises, "plugin stranger raised in its wrapper of dry_pot: LookupError: nowhere"),
    ],
)
def test_a_wrapper_that_fails_names_its_plugin(
    monkeypatch: pytest.MonkeyPatch, body: Callable[[], Iterator[None]], said: str
) -> None:
    class Wrong(Plugin):
        id = "stranger"
        version = "1"

        @hookimpl(wrapper=True)
        def dry_pot(self) -> Iterator[None]:
            return (yield from body())

    install(monkeypatch, Wrong)
    with pytest.raises(PluginError, match=said) as caught:
        play_out(Table(load_text("gunzi: 1\nid: x\nplugins: [stranger]\n"), seed=1, hands=1))
    assert caught.value.plugin == "stranger"
    uninstall(monkeypatch)


@pytest.mark.parametrize("inner", [LookupError("nowhere"), gunzi.Refused("stranger.rule", Text("不行", "no"))])
def test_a_fault_inside_a_wrapper_is_not_the_wrappers(monkeypatch: pytest.MonkeyPatch, inner: Exception) -> None:
    class Inner(Plugin):
        id = "inner"
        version = "1"
        replaces = ("gunzi.plugins.dry_pot",)

        @hookimpl
        def dry_pot(self) -> object:
            raise inner

        @hookimpl
        def bottom_is_shown(self) -> bool:
            return False

    class Outer(Plugin):
        id = "stranger"
        version = "1"

        @hookimpl(wrapper=True)
        def dry_pot(self) -> Iterator[None]:
            return (yield)

    install(monkeypatch, Inner, Outer)
    with pytest.raises((PluginError, gunzi.Refused)) as caught:
        play_out(Table(load_text("gunzi: 1\nid: x\nplugins: [inner, stranger]\n"), seed=1, hands=1))
    if isinstance(inner, gunzi.Refused):
        assert caught.value is inner
    else:
        assert "plugin inner raised in its hook dry_pot: LookupError: nowhere" in str(caught.value)
    uninstall(monkeypatch)


# -- at import and at load ---------------------------------------------------------------------------------------------


class _Odd(Choice):
    def parse(self, value: Any) -> str:
        raise LookupError("odd")


def test_an_option_that_raises_names_its_plugin(monkeypatch: pytest.MonkeyPatch) -> None:
    class Odd(Plugin):
        id = "stranger"
        version = "1"
        options = (_Odd("odd.option", Text("怪", "odd"), Text("怪", "odd"), {"a": Text("甲", "a")}),)
        defaults = {"odd.option": "a"}

    install(monkeypatch, Odd)
    text = "gunzi: 1\nid: x\nplugins: [stranger]\nodd: {option: a}\n"
    with pytest.raises(
        PluginError, match=r"plugin stranger raised in its _Odd\.parse: LookupError: 'odd'|LookupError: odd"
    ):
        load_text(text)
    assert [problem.code for problem in check_text(text)] == ["plugin"]
    uninstall(monkeypatch)


@pytest.mark.parametrize(
    ("attribute", "value", "said"),
    [
        ("version", 1, "`version` must be a text, not 1"),
        ("name", "Odd", "`name` must be a Text"),
        ("options", ("reveal.pick",), "`options` must be a tuple of options"),
        ("rules", ["x"], "`rules` must be a map from rule ids to Texts"),
        ("lints", {"x": "y"}, "`lints` must be a map from codes to Lints"),
        ("replaces", "gunzi.plugins.deck", "`replaces` must be a tuple of plugin ids"),
        ("defaults", [1], "`defaults` must be a map"),
    ],
)
def test_an_attribute_of_the_wrong_kind_is_named(
    monkeypatch: pytest.MonkeyPatch, attribute: str, value: object, said: str
) -> None:
    class Odd(Plugin):
        id = "stranger"
        version = "1"

    setattr(Odd, attribute, value)
    install(monkeypatch, Odd)
    with pytest.raises(PluginError, match=said):
        load_text("gunzi: 1\nid: x\nplugins: [stranger]\n")
    uninstall(monkeypatch)


@pytest.mark.parametrize("error", [RuntimeError("no"), SystemExit(3)])
def test_a_plugin_that_ends_the_process_at_import_only_fails_itself(
    monkeypatch: pytest.MonkeyPatch, error: BaseException
) -> None:
    class Point:
        name, group, value, dist = "stranger", "gunzi", "nowhere:Stranger", None

        def load(self) -> object:
            raise error

    built_in = [point for points in installed.installed().values() for point in points]
    monkeypatch.setattr(installed, "entry_points", lambda group: [*built_in, Point()])
    loading.forget()
    with pytest.raises(PluginError, match="plugin stranger cannot be imported"):
        load_text("gunzi: 1\nid: x\nplugins: [stranger]\n")
    assert play_out(Table(gunzi.load("dalian"), seed=1, hands=1)).over
    uninstall(monkeypatch)
