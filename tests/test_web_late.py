"""Frames of the web table that come late: they do nothing to what has come since, and say so. And long games, whose frames do not grow."""

from __future__ import annotations

import asyncio
import sqlite3
from pathlib import Path
from typing import Any

import aiohttp
import orjson
import pytest
from test_web_table import play_on_until_lead
from web_harness import FAST, Json, declare, four_at, run, serving, simple, tried

from gunzi.apps.web import showing
from gunzi.apps.web.client import Client, Rejected, create
from gunzi.apps.web.commands import SHEET
from gunzi.apps.web.hub import Hub
from gunzi.apps.web.protocol import REQUESTS
from gunzi.apps.web.store import PROBE, Batch


async def stale(person: Client, t: str, **keys: Any) -> None:
    """The request is refused as too late, and the state that follows is there."""
    with pytest.raises(Rejected) as no:
        await person.request(t, **keys)
    assert no.value.code == "stale"
    await person.request("sync")


async def leave(people: list[Client]) -> None:
    await asyncio.gather(*(person.close() for person in people))


async def led(people: list[Client]) -> tuple[Client, list[Client]]:
    """The first card is led: by whom, and the others."""
    await people[0].request("start")
    await asyncio.gather(*map(play_on_until_lead, people))
    leader = people[people[0].state["ask"]["seat"]]
    ask = leader.state["ask"]
    await leader.answer(ask, {"act": "play", "cards": ask["lit"][:1]})
    await asyncio.gather(*(person.until(lambda state: state["ask"]["kind"] == "follow") for person in people))
    return leader, [person for person in people if person is not leader]


def test_a_vote_counts_for_what_it_was_asked_about(tmp_path: Path) -> None:
    async def play() -> None:
        async with serving(tmp_path) as (server, _):
            people = await four_at(server, rules="dalian")
            leader, (one, two, three) = await led(people)
            ids = []
            for _ in range(2):
                await leader.request("take_back")
                state = await one.until(lambda state: state["vote"] is not None)
                ids.append(state["vote"]["id"])
                await two.until(lambda state: state["vote"] is not None)
                if len(ids) == 1:
                    await two.request("vote", vote=ids[0], agree=False)
                    await asyncio.gather(*(each.until(lambda state: state["vote"] is None) for each in people))
            assert ids[0] < ids[1]
            # The first vote's agreement comes only now.
            await stale(one, "vote", vote=ids[0], agree=True)
            assert one.state["vote"]["agreed"] == [leader.state["you"]["seat"]]
            await stale(two, "vote", vote=ids[0], agree=False)
            for person in (one, two, three):
                await person.request("vote", vote=ids[1], agree=True)
            await leader.until(lambda state: state["hand"]["view"][-1]["e"] == "undo")
            with pytest.raises(Rejected) as no:
                await one.request("vote", vote=ids[1], agree=True)
            assert no.value.code == "vote"
            await leave(people)

    run(play())


def test_what_is_asked_of_one_moment_is_not_asked_of_a_later_one(tmp_path: Path) -> None:
    async def play() -> None:
        async with serving(tmp_path) as (server, _):
            people = await four_at(server, rules="dalian")
            await people[0].request("start")
            await asyncio.gather(*map(play_on_until_lead, people))
            before = people[0].state["ask"]["q"]
            leader = people[people[0].state["ask"]["seat"]]
            ask = leader.state["ask"]
            await leader.answer(ask, {"act": "play", "cards": ask["lit"][:1]})
            await leader.until(lambda state: state["ask"]["kind"] == "follow")
            # What the leader wanted to take back was what came before that play, and to end the hand before it.
            await stale(leader, "take_back", q=before)
            await stale(leader, "early", q=before)
            assert leader.state["vote"] is None
            await leave(people)

    run(play())


def test_claims_and_the_next_hand_are_of_the_hand_they_were_meant_for(tmp_path: Path) -> None:
    """A hand is played to its end; what was sent for it, or for its result, does nothing in the next ones."""

    async def play() -> None:
        async with serving(tmp_path) as (server, hub):
            people = await four_at(server, rules="dalian", settings={"hands": 3})
            first: dict[str, Any] = {"results": []}
            meant: list[int] = []

            async def seat(person: Client) -> None:
                async for ask in person.asks():
                    hand = person.state["score"]["hand"]
                    if ask["kind"] == "between":
                        if person is people[1]:
                            first["results"].append(ask["q"])
                            for q in first["results"][:-1]:
                                await late(person, "next", q=q)
                        await tried(person.request("next", q=ask["q"]))
                    elif ask["kind"] == "deal":
                        if hand == 1:
                            first.setdefault("deal", ask["q"])
                        elif ask["acts"]:
                            await late(person, "act", q=first["deal"], act=ask["acts"][0])
                            meant.append(hand)
                        if ask["acts"]:
                            await declare(person, ask)
                        elif ask["closing"] and not ask["passed"]:
                            if hand > 1:
                                await late(person, "act", q=first["deal"], act={"act": "pass"})
                            await tried(person.request("act", q=ask["q"], act={"act": "pass"}))
                    elif await tried(person.answer(ask, ask.get("forced") or simple(ask))) is None:
                        found = await tried(person.request("suggest"))
                        if found is not None:
                            await tried(person.answer(ask, found["act"]))

            async def late(person: Client, t: str, **keys: Any) -> None:
                with pytest.raises(Rejected) as no:
                    await person.request(t, **keys)
                assert no.value.code == "stale" or (no.value.code == "phase" and t == "next")

            await people[0].request("start")
            await asyncio.gather(*map(seat, people))
            assert meant and len(set(first["results"])) == len(first["results"]) == 2
            await leave(people)

    run(play())


def test_an_answer_of_the_last_deal_is_none_in_this_one_after_a_restart(tmp_path: Path) -> None:
    """The table is read from the database in the middle of a deal: it knows where that deal began."""

    async def play() -> None:
        async with serving(tmp_path) as (server, hub):
            people = await four_at(server, rules="dalian", settings={"deal_ms": 100})
            await people[0].request("start")
            await people[0].until(lambda state: (state["hand"] or {"dealt": 0})["dealt"] >= 12)
            game = hub.rooms[people[0].table].game
            assert game is not None and game.began
            began = game.began
            hub.rooms[people[0].table].close("closing")
            await people[0].until(
                lambda state: (
                    (room := hub.rooms.get(people[0].table)) is not None
                    and room.game is not None
                    and room.game is not game
                )
            )
            again = hub.rooms[people[0].table].game
            assert again is not None and again.began == began < again.q
            await leave(people)

    run(play())


def test_people_are_ready_for_the_rules_they_have_seen(tmp_path: Path) -> None:
    async def play() -> None:
        async with serving(tmp_path) as (server, _):
            people = await four_at(server, rules="dalian")
            host, guest = people[:2]
            seen = guest.state["room"]["rules"]["hash"]
            await host.request("rules", rules="yuwang")
            await guest.until(lambda state: state["room"]["rules"]["id"] == "yuwang")
            await stale(guest, "ready", on=True, rules=seen)
            assert not guest.state["room"]["seats"][1]["ready"]
            await guest.request("ready", on=True)
            await guest.until(lambda state: state["room"]["seats"][1]["ready"])
            await leave(people)

    run(play())


def test_seats_are_changed_with_who_was_meant(tmp_path: Path) -> None:
    async def play() -> None:
        async with serving(tmp_path) as (server, _):
            people = await four_at(server, rules="dalian")
            host, one, two, three = people
            state = await host.until(lambda state: all(seat["ready"] for seat in state["room"]["seats"]))
            seen = state["room"]["seating"]
            # One would like to change with two; two has gone, and three sits there, when two's word arrives.
            await one.request("swap", seat=2, seating=seen)
            await two.request("stand")
            await three.request("stand")
            await three.request("sit", seat=2)
            await two.request("sit", seat=3)
            await one.until(lambda state: [seat["name"] for seat in state["room"]["seats"]] == ["甲", "乙", "丁", "丙"])
            await one.request("swap", seat=2, seating=one.state["room"]["seating"])
            await stale(three, "swap", seat=1, seating=seen)
            await stale(host, "swap", seat=0, seating=seen, **{"with": 2})
            assert [seat["name"] for seat in three.state["room"]["seats"]] == ["甲", "乙", "丁", "丙"]
            await three.request("swap", seat=1)
            await one.until(lambda state: state["you"]["seat"] == 2)
            await leave(people)

    run(play())


def test_a_bot_that_is_sent_away_is_no_person_that_has_come_since(tmp_path: Path) -> None:
    async def play() -> None:
        async with serving(tmp_path) as (server, hub):
            made = await create(server, player="甲", rules="dalian", settings={**FAST, "think_ms": 0, "join": True})
            host = Client(server, made["table"], token=made["token"])
            await host.connect()
            await host.request("sit", seat=0)
            await host.request("fill", seat=1)
            await host.request("kick", seat=1)  # the bot's seat is free again
            await host.until(lambda state: state["room"]["seats"][1]["kind"] == "free")
            guest = Client(server, made["table"], invite=made["invite"], name="乙")
            await guest.connect()
            await guest.request("sit", seat=1)
            await host.until(lambda state: state["room"]["seats"][1]["kind"] == "human")
            await stale(host, "kick", seat=1)
            assert guest.state["you"]["seat"] == 1
            # In play a bot takes the place of somebody who is away: of the one that was seen to be.
            await host.request("fill")
            await guest.request("ready", on=True)
            await host.request("start")
            await host.until(lambda state: state["room"]["phase"] == "playing")
            await guest.close()
            await host.until(lambda state: not state["room"]["seats"][1]["online"])
            for member in ({}, {"member": host.member}):
                with pytest.raises(Rejected) as no:
                    await host.request("fill", seat=1, **member)
                assert no.value.code == "stale"
            await host.request("fill", seat=1, member=guest.member)
            await host.until(lambda state: state["room"]["seats"][1]["kind"] == "bot")
            await host.close()

    run(play())


# -- long games ------------------------------------------------------------------------------------------------


async def finish_hands(hub: Hub, person: Client, first: int, last: int) -> None:
    """So many more hands of the table's game are over, as the game and the database are told of them."""
    room = hub.rooms[person.table]
    game = room.game
    assert game is not None
    told: Json = {"attackers_points": 85, "captured": False, "takeover": False, "level_up": None, "ending": None}
    for hand in range(first, last + 1):
        game._hand = {"hand": hand, "round": 1, "levels": [3, 3], "dealer": 0}
        game._suit = "H"
        game._settled({**told, "round_won_by": None, "scores": [hand, -hand, hand, -hand]})
        summary = orjson.dumps({**(game.finished or {}), "game": room.number})
        await hub.store.commit(Batch(room.id, 10**6 + hand, room.number, b'{"rows":[]}', hand=(hand, summary)))
    game.finished = None


def test_frames_do_not_grow_with_the_hands_and_the_sheet_has_them_all(tmp_path: Path) -> None:
    async def play() -> None:
        async with serving(tmp_path) as (server, hub):
            people = await four_at(server, rules="dalian", settings={"hands": 0})
            await people[0].request("start")
            await people[0].until(lambda state: (state["ask"] or {}).get("kind") not in (None, "deal"))
            room = hub.rooms[people[0].table]
            member = next(iter(room.members.values()))
            sizes = []
            for first, last in ((1, 1_000), (1_001, 3_000)):
                await finish_hands(hub, people[0], first, last)
                sizes.append((len(showing.state_frame(room, member)), len(orjson.dumps(showing.score_json(room)))))
            assert sizes[1][0] - sizes[0][0] <= 8 * SHEET and sizes[1][1] < 10_000
            await people[0].request("sync")
            score = (await people[0].until(lambda state: state["score"]["hands"] == 3_000))["score"]
            assert [row["hand"] for row in score["sheet"]] == list(range(3_001 - SHEET, 3_001))
            rows = await people[0].sheet()
            assert [row["hand"] for row in rows] == list(range(1, 3_001))
            assert all(row["scores"][0] == row["hand"] and set(score["sheet"][0]) <= set(row) for row in rows)
            headers, url = {"Authorization": f"Bearer {people[0].token}"}, f"{server}/api/tables/{room.id}/hands"
            async with aiohttp.ClientSession(headers=headers) as session:
                for query, hands in (
                    ("", range(2_801, 3_001)),
                    ("?most=500", range(2_501, 3_001)),
                    ("?game=1&before=3&most=500", range(1, 3)),
                    ("?game=2", ()),
                ):
                    async with session.get(url + query) as response:
                        assert [row["hand"] for row in await response.json()] == list(hands)
                for wrong in ("?most=501", "?most=0", "?before=x", "?game=-1"):
                    async with session.get(url + wrong) as response:
                        assert response.status == 400
            await leave(people)

    run(play())


# -- is the server fit for players? ----------------------------------------------------------------------------


async def health(server: str) -> tuple[int, Json]:
    async with aiohttp.ClientSession() as session, session.get(f"{server}/healthz") as response:
        return response.status, await response.json()


def test_health_says_when_the_database_cannot_be_written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async def play() -> None:
        async with serving(tmp_path) as (server, hub):
            store = hub.store
            writes: list[int] = []
            write = store._write

            def counted(connection: Any, batches: Any) -> None:
                writes.append(sum(batch is PROBE for batch in batches))
                connection.execute("PRAGMA busy_timeout = 1")
                write(connection, batches)

            monkeypatch.setattr(store, "_write", counted)
            for _ in range(5):
                assert await health(server) == (200, {"ok": True, "why": None})
            assert sum(writes) == 1  # asked often, written once
            other = sqlite3.connect(tmp_path / "tables.db")
            other.execute("BEGIN EXCLUSIVE")
            # A write that has failed is known at once, without any probe.
            with pytest.raises(Exception, match="locked"):
                await store.commit(Batch("t", 1, 1, b"{}"))
            del writes[:]
            for _ in range(5):
                assert await health(server) == (503, {"ok": False, "why": "database"})
            assert writes == []
            # So is one that is long ago: then a probe finds out.
            monkeypatch.setattr("gunzi.apps.web.store.FRESH_S", 0.0)
            monkeypatch.setattr("gunzi.apps.web.store.FAILED_S", 0.0)
            assert (await health(server))[0] == 503 and sum(writes) >= 1
            other.rollback()
            other.close()
            assert await health(server) == (200, {"ok": True, "why": None})

    run(play())


def test_health_does_not_wait_for_a_database_that_says_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("gunzi.apps.web.store.ANSWER_S", 0.05)

    async def play() -> None:
        async with serving(tmp_path) as (server, hub):
            store = hub.store
            told: list[Any] = []
            commit = store.commit

            def unanswered(batch: Batch) -> asyncio.Future[None]:
                told.append(batch)
                return asyncio.get_running_loop().create_future()

            monkeypatch.setattr(store, "commit", unanswered)
            found = await asyncio.gather(*(health(server) for _ in range(8)))
            found.append(await health(server))
            assert found == [(503, {"ok": False, "why": "database"})] * 9
            assert told == [PROBE]  # one is enough while it is unanswered
            monkeypatch.setattr(store, "commit", commit)
            # Whatever is written by players says that it is well again.
            await store.commit(Batch("t", 1, 1, b"{}"))
            assert await health(server) == (200, {"ok": True, "why": None})

    run(play())


def test_every_request_that_is_about_something_names_it() -> None:
    """A client that leaves it out is told at once, not when it matters."""
    needed = {t: [key for key, field in request.fields.items() if field.needed] for t, request in REQUESTS.items()}
    for t, key in {"vote": "vote", "swap": "seating", "ready": "rules", "contribute": "hash"}.items():
        assert key in needed[t]
    assert all("q" in needed[t] for t in ("act", "next", "take_back", "early"))
