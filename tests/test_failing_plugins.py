"""Plugins that fail: named wherever they raise, the table as it was, other tables undisturbed."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from cli_harness import Cli
from conftest import play_out, steps
from strangers import install, uninstall

import gunzi
from gunzi import Hand, Phase, Plugin, PluginError, Record, RuleSet, Table, hookimpl, installed, loading
from gunzi.ask import Ask, ListAsk
from gunzi.errors import Text
from gunzi.guarding import GuardedHand, GuardedTable
from gunzi.host import SPECS
from gunzi.loading import check_text, load_text
from gunzi.options import Choice
from gunzi.playout import draws_of
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

        def contains(*masks: int) -> bool:
            trapped("follow_rule.contains")
            return bool(rule.contains(*masks))

        def count(*masks: int) -> int:
            trapped("follow_rule.count")
            return int(rule.count(*masks))

        return replace(rule, contains=contains, count=count)  # type: ignore[no-any-return]


for _hook in set(IN_A_HAND) - {"happened"}:
    setattr(Stranger, _hook, _wrapper(_hook))


@pytest.fixture
def rules(monkeypatch: pytest.MonkeyPatch) -> Iterator[RuleSet]:
    """``dalian`` with the stranger."""
    install(monkeypatch, Stranger)
    Trap.at = ""
    yield load_text(f"gunzi: 1\nid: x\nextends: dalian\nplugins: [stranger]\nphases: [{', '.join(MIND)}]\n")
    Trap.at = ""
    uninstall(monkeypatch)


def state(table: Table) -> tuple[Any, ...]:
    """Everything that a failed act must leave alone."""
    return (
        table.hand,
        table.hand.content(),
        list(table.events),
        table.log.n if table.log else 0,
        {key: str(value) for key, value in vars(table).items() if key not in ("hand", "log", "_sights", "deals")},
        table.hand.watch.content() if table.hand.watch else None,
        (table.ask.seat, table.ask.kind, len(table.ask)),
    )


@pytest.mark.parametrize("place", [*IN_A_HAND, "start", "ask", "apply", "follow_rule.contains"])
def test_a_fault_in_mid_hand_names_the_plugin_and_leaves_the_table_as_it_was(rules: RuleSet, place: str) -> None:
    sprung = 0
    for seed in range(30):
        table = Table(rules, seed=seed, hands=3, rounds=None, watched=True)
        undisturbed = Table(rules, seed=seed, hands=3, rounds=None, watched=True)
        for seat, act in steps(undisturbed, seed):
            if sprung >= 40:
                table.do(seat, act)
                continue
            before = state(table)
            Trap.at = place
            try:
                table.do(seat, act)
            except PluginError as error:
                Trap.at = ""
                sprung += 1
                assert error.plugin == "stranger", error
                assert "ZeroDivisionError" in str(error)
                assert state(table) == before
                table.do(seat, act)
            finally:
                Trap.at = ""
        assert table.events == undisturbed.events
        assert table.scores == undisturbed.scores
        if sprung:
            break
    assert sprung, f"{place} was never asked"


def test_another_table_goes_on(rules: RuleSet) -> None:
    failing, other = Table(rules, seed=1), Table(gunzi.load("dalian"), seed=1)
    Trap.at = "apply"
    with pytest.raises(PluginError, match=r"plugin stranger raised in its Nod\.apply: ZeroDivisionError"):
        play_out(failing)
    assert play_out(other).over
    Trap.at = ""
    play_out(failing)
    gunzi.verify(failing.record)


def test_a_hand_alone_is_restored_too(rules: RuleSet) -> None:
    hand = Table(rules, seed=1).hand.copy()
    while hand.phase != "nod":
        assert hand.ask is not None
        hand.do(hand.ask.seat, hand.ask[0])
    before = hand.content()
    Trap.at = "apply"
    with pytest.raises(PluginError):
        hand.do(0, gunzi.Pass())
    Trap.at = ""
    assert hand.content() == before
    hand.do(0, gunzi.Pass())
    assert hand.extra["nods"]["seats"] == [0]


def test_the_functions_of_a_play_rule_name_the_plugin(rules: RuleSet) -> None:
    table = Table(rules, seed=1)
    while table.ask.kind != "follow":
        table.do(table.ask.seat, table.ask[0])
    Trap.at = "follow_rule.contains"
    with pytest.raises(PluginError, match=r"plugin stranger raised in its hook follow_rule \(contains\)"):
        assert gunzi.Play(table.ask[0].cards) in table.ask  # type: ignore[union-attr]


def test_replaying_names_the_plugin(rules: RuleSet) -> None:
    record = play_out(Table(rules, seed=1, hands=1)).record
    Trap.at = "replay"
    with pytest.raises(PluginError, match=r"plugin stranger raised in its Nod\.replay"):
        gunzi.verify(record)


def test_gunzis_own_rules_play_on_plain_tables(rules: RuleSet) -> None:
    table = Table(gunzi.load("dalian"), seed=1)
    assert type(table) is Table and type(table.hand) is Hand
    guarded = Table(rules, seed=1)
    assert type(guarded) is GuardedTable
    assert type(guarded.hand) is type(guarded.hand.copy()) is GuardedHand


def test_an_observer_is_told_of_an_act_when_it_is_done(monkeypatch: pytest.MonkeyPatch) -> None:
    tables: list[Table] = []
    phases: list[str] = []

    class Watching(Plugin):
        id = "stranger"
        version = "1"

        @hookimpl
        def happened(self, event: Mapping[str, Any]) -> None:
            if tables and event["e"] == "trick":
                phases.append(str(tables[0].hand.trick_number))

    install(monkeypatch, Watching)
    tables.append(Table(load_text("gunzi: 1\nid: x\nplugins: [stranger]\n"), seed=1, hands=1))
    play_out(tables[0])
    assert phases[0] == "2"
    uninstall(monkeypatch)


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


# -- shutting plugins out ----------------------------------------------------------------------------------------------


@pytest.fixture
def variant(rules: RuleSet, tmp_path: Path) -> Path:
    """A variant that needs the stranger."""
    path = tmp_path / "with-a-stranger.yaml"
    path.write_text("gunzi: 1\nid: with-a-stranger\nplugins: [stranger]\n")
    return path


@pytest.mark.parametrize(
    ("allowed", "said"),
    [
        ("other,another", "plugin stranger is installed but shut out: GUNZI_PLUGINS allows only other, another"),
        ("", "plugin stranger is installed but shut out: --no-external, or an empty GUNZI_PLUGINS"),
        ("other, stranger", ""),
        (None, ""),
    ],
)
def test_the_environment_limits_the_plugins(
    monkeypatch: pytest.MonkeyPatch, variant: Path, allowed: str | None, said: str
) -> None:
    with monkeypatch.context() as patch:
        if allowed is None:
            patch.delenv(installed.ALLOWED, raising=False)
        else:
            patch.setenv(installed.ALLOWED, allowed)
        loading.forget()
        if said:
            with pytest.raises(PluginError, match=said):
                gunzi.load(variant)
            assert installed.external_ids() == ()
        else:
            assert "stranger" in gunzi.load(variant).plugins
    loading.forget()


def test_no_external_holds_for_one_command(
    variant: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    cli = Cli(capsys, monkeypatch)
    assert cli("show", str(variant)).status == 0
    for words in (("--no-external", "show", str(variant)), ("show", "--no-external", str(variant))):
        ran = cli(*words)
        assert ran.status == 2
        assert "plugin stranger is installed but shut out" in ran.err
    assert cli("check", str(variant), "--no-external").status == 1
    rows = {row["id"]: row for row in cli("plugins", "--json", "--no-external").json["plugins"]}
    assert rows["stranger"]["shut_out"] and "shut out" in rows["stranger"]["error"]
    assert not rows["gunzi.plugins.deck"]["shut_out"]
    rows = {row["id"]: row for row in cli("plugins", "--json").json["plugins"]}
    assert not rows["stranger"]["shut_out"] and rows["stranger"]["version"] == "1"


def test_who_answers_is_told_for_a_rule_set(
    variant: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    told = Cli(capsys, monkeypatch)("plugins", str(variant), "--json").json
    assert told["hooks"]["dry_pot"] == {
        "kind": "decision", "answers": ["gunzi.plugins.dry_pot"], "wraps": ["stranger"],
    }  # fmt: skip
    row = next(row for row in told["plugins"] if row["id"] == "stranger")
    assert set(row) >= {"version", "distribution", "distribution_version", "hooks", "options", "lints", "replaces"}


# -- records -----------------------------------------------------------------------------------------------------------


def test_a_record_names_the_plugins_and_versions_it_needs(
    rules: RuleSet, monkeypatch: pytest.MonkeyPatch, reinstall: Callable[..., None]
) -> None:
    record = play_out(Table(rules, seed=1, hands=1)).record
    header = record.header["rules"]
    assert header["plugins"]["stranger"] == "1"
    assert (header["id"], "version" in header) == ("x", False)

    class Newer(Stranger):
        version = "2"

    reinstall(Newer)
    again = load_text(f"gunzi: 1\nid: x\nextends: dalian\nplugins: [stranger]\nphases: [{', '.join(MIND)}]\n")
    assert again.hash != rules.hash
    with pytest.raises(PluginError, match="recorded with plugin stranger in version 1; installed is version 2"):
        gunzi.verify(record)
    reinstall()
    with pytest.raises(
        PluginError, match="recorded with plugin stranger in version 1: plugin stranger is not installed"
    ):
        gunzi.verify(record)
    reinstall(Stranger)
    assert gunzi.verify(record).hands == 1


@pytest.fixture
def reinstall(monkeypatch: pytest.MonkeyPatch) -> Callable[..., None]:
    return lambda *plugins: install(monkeypatch, *plugins)


def test_a_record_states_the_presets_version() -> None:
    record = play_out(Table(gunzi.load("yuwang"), seed=1, hands=1)).record
    assert (record.header["rules"]["id"], record.header["rules"]["version"]) == ("yuwang", "1")
    older = Record({**record.header, "rules": {**record.header["rules"], "version": "0"}}, record.events)
    assert gunzi.resume(older, hands=1).header["rules"]["version"] == "0"
    del older.header["rules"]["version"]
    assert "version" not in gunzi.resume(older, hands=1).header["rules"]


def test_rule_functions_of_gunzi_stay_bare(rules: RuleSet) -> None:
    table = Table(rules, seed=1)
    while table.ask.kind != "follow":
        table.do(table.ask.seat, table.ask[0])
    trump = table.hand.trump
    assert trump is not None
    leads, follows, _ = rules.play_rules(trump)
    plain_leads, plain_follows, _ = gunzi.load("dalian").play_rules(trump)
    assert leads.count is plain_leads.count
    assert follows.kth is plain_follows.kth
    assert follows.contains is not plain_follows.contains


def test_hands_played_out_at_once_are_restored_too(rules: RuleSet) -> None:
    table = Table(rules, seed=1, hands=1)
    while table.ask.kind != "lead":
        table.do(table.ask.seat, table.ask[0])
    before = state(table)
    draws = [draws_of(1, 1, seat) for seat in range(4)]
    for place in ("next_dealer", "happened"):
        Trap.at = place
        with pytest.raises(PluginError, match=place):
            table.play_out(draws)
        Trap.at = ""
        assert state(table) == before
    table.play_out(draws)
    assert table.over
    gunzi.verify(table.record)


def test_what_a_plugin_does_wrong_is_told_in_chinese_too(
    rules: RuleSet, variant: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert "插件 stranger 装了，可是不让用" in Cli(capsys, monkeypatch).zh("show", str(variant), "--no-external").err
    Trap.at = "apply"
    with pytest.raises(PluginError) as caught:
        play_out(Table(rules, seed=1))
    assert caught.value.text.zh == "插件 stranger 在 Nod.apply 里出错：ZeroDivisionError: apply"
