"""A plugin that fails in mid-hand: it is named, and the table is as it was."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import pytest
from conftest import play_out, steps
from strangers import install, uninstall
from trapped_plugin import IN_A_HAND, Trap, trapped_rules

import gunzi
from gunzi import Hand, Plugin, PluginError, RuleSet, Table, hookimpl
from gunzi.guarding import GuardedHand, GuardedTable
from gunzi.loading import load_text
from gunzi.playout import draws_of


@pytest.fixture
def rules(monkeypatch: pytest.MonkeyPatch) -> Iterator[RuleSet]:
    """``dalian`` with the stranger."""
    yield from trapped_rules(monkeypatch)


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
