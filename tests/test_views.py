"""Views: what a seat or a spectator sees, and that nothing else gets through."""

from __future__ import annotations

import json

import pytest
from conftest import play_out, steps

import gunzi
from gunzi import Table
from gunzi.table import TableError
from gunzi.views import view, view_header


def test_a_view_never_holds_the_deck_and_shows_only_the_seats_own_cards(rules: gunzi.RuleSet) -> None:
    table = play_out(Table(rules, seed=4, hands=4, rounds=None))
    for seat in range(4):
        dealer = None
        for event in table.view(seat):
            assert "deck" not in event
            kind = event["e"]
            if kind == "hand":
                dealer, first, dealt = event["dealer"], event["first"], 0
            elif kind == "deal":
                assert event["seat"] == seat
                assert (first + event["dealt"] - 1) % 4 == seat
                assert event["dealt"] > dealt
                dealt = event["dealt"]
            elif kind == "trump":
                dealer = event["dealer"]
            elif kind in ("tribute", "return"):
                assert ("cards" in event) == (seat in (event["from"], event["to"]))
                assert ("count" in event) != ("cards" in event)
            elif kind == "bottom":
                assert ("cards" in event) == event["shown"]
            elif kind == "take":
                assert seat == dealer
            elif kind == "bury":
                assert ("cards" in event) == (event["shown"] or seat == event["seat"])


def test_a_seat_can_follow_its_own_hand_from_its_view_alone(rules: gunzi.RuleSet) -> None:
    table = Table(rules, seed=14, hands=3, rounds=None)
    for seat, _ in steps(table):
        hand = table.hand
        held: list[str] = []
        dealer = None
        for event in table.view(seat):
            kind = event["e"]
            if kind == "hand":
                held = []
            elif kind == "deal":
                held.append(event["card"])
            elif kind in ("tribute", "return") and "cards" in event:
                for card in event["cards"]:
                    if event["from"] == seat:
                        held.remove(card)
                    else:
                        held.append(card)
            elif kind == "trump":
                dealer = event["dealer"]
            elif kind == "bottom" and "cards" in event:
                if not event["dry"] and dealer == seat:
                    held += event["cards"]
            elif kind == "take":
                held += event["cards"]
            elif kind == "bury" and event["seat"] == seat or kind == "play" and event["seat"] == seat:
                for card in event["cards"]:
                    held.remove(card)
            elif kind == "bury_kings" and event["seat"] == seat:
                for card in event["kings"]:
                    held.remove(card)
                held += event["picked"]
        assert sorted(held) == sorted(hand.cards_of(seat))


def test_a_view_grows_and_never_takes_anything_back(rules: gunzi.RuleSet) -> None:
    table = Table(rules, seed=21, hands=2, rounds=None)
    before: dict[int | None, list[object]] = {seat: [] for seat in (0, 1, 2, 3, None)}
    for _ in steps(table):
        for seat, old in before.items():
            new = [event for event in table.view(seat) if event["e"] != "naming"]
            assert new[: len(old)] == old
            before[seat] = new
    for seat in (0, 1, 2, 3, None):
        assert table.view(seat) == view(rules, table.events, seat)


def test_swapping_cards_a_seat_cannot_see_changes_no_byte_of_its_view() -> None:
    """Two cards of seats 1 and 3 change places in the deck, and everybody goes on doing the same: until one of the two is
    played openly or cannot be, the views of seats 0 and 2 and of a spectator are the same to the byte."""
    compared = 0
    for preset in ("yuwang", "baike", "chayuan"):
        rules = gunzi.load(preset)
        for seed in range(12):
            deck = list(Table(rules, seed=seed).hand.deck)
            # Two plain cards of one suit, so that neither is shown in the deal nor decides the trump suit there.
            a, b = next(
                (p, q)
                for p in range(4 * seed + 1, 156, 4)
                for q in range(3, 156, 4)
                if deck[p].suit == deck[q].suit and 3 < deck[p].rank != deck[q].rank > 3 and not deck[p].is_joker
            )
            twin = list(deck)
            twin[a], twin[b] = deck[b], deck[a]
            tables = [
                Table(rules, seed=seed, hands=1, deals=lambda number, redeal, cards=cards: (cards, 0))
                for cards in (deck, twin)
            ]
            hidden = {deck[a], deck[b]}
            for seat, act in steps(tables[0], seed):
                for watcher in (0, 2, None):
                    mine, theirs = (json.dumps(table.view(watcher)) for table in tables)
                    assert mine == theirs
                other = tables[1]
                shown = hidden & {*getattr(act, "cards", ()), *getattr(act, "kings", ())}
                if other.ask.seat != seat or act not in other.ask or (seat % 2 and shown):
                    break
                other.do(seat, act)
                compared += 1
    assert compared > 500


def test_the_bottom_is_added_to_the_first_burial_of_kings_when_it_was_hidden() -> None:
    rules = gunzi.load("dalian")
    for seed in range(40):
        table = play_out(Table(rules, seed=seed, hands=2, rounds=None))
        events = table.events
        for place, event in enumerate(events):
            if event["e"] != "bury" or event["shown"]:
                continue
            following = [e for e in events[place + 1 : place + 4] if e["e"] == "bury_kings"]
            if not following:
                continue
            seen = [e for e in table.view((event["seat"] + 2) % 4) if e.get("n") == following[0]["n"]]
            assert sorted(seen[0]["bottom"]) == sorted(event["cards"])
            own = [e for e in table.view((event["seat"] + 2) % 4) if e.get("n") == event["n"]]
            assert "cards" not in own[0]
            return
    raise AssertionError("nobody buried a king into a hidden bottom")


def test_named_kings_and_the_bottom_are_shown_to_all_before_the_seat_picks() -> None:
    for seed in range(40):
        table = Table(gunzi.load("dalian"), seed=seed, hands=2, rounds=None)
        for seat, act in steps(table, seed):
            if isinstance(act, gunzi.Pick):
                bottom = sorted(table.hand.bottom)
                for watcher in (0, 1, 2, 3, None):
                    row = table.view(watcher)[-1]
                    assert (row["e"], row["seat"], sorted(row["bottom"])) == ("naming", seat, bottom)
                return
    raise AssertionError("nobody buried a king")


def test_a_spectator_gets_the_private_cards_only_after_the_hand_is_settled(rules: gunzi.RuleSet) -> None:
    table = Table(rules, seed=31, hands=1)
    for _ in steps(table):
        assert not any(event["e"] == "disclose" for event in table.view(None))
        assert not any("deck" in event for event in table.view(None))
    last = table.view(None)[-1]
    assert last["e"] == "disclose"
    assert last["events"][0]["deck"] == table.events[0]["deck"]


def test_a_header_shown_to_others_has_no_seed() -> None:
    table = Table(gunzi.load("yuwang"), seed=77)
    assert table.header["seed"] == 77
    assert "seed" not in view_header(table.header)


def test_a_table_without_a_record_has_no_views() -> None:
    table = Table(gunzi.load("yuwang"), seed=1, record=False)
    with pytest.raises(TableError):
        table.view(0)
