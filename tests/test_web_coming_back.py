"""People, hosts and whole tables that come back; rules and disks that fail, and stop no other table."""

from __future__ import annotations

import asyncio
from copy import deepcopy
from pathlib import Path
from typing import Any

import aiohttp
import pytest
from web_harness import FAST, Json, advised, four_at, record_of, run, serving

from gunzi.apps.web import seating
from gunzi.apps.web.client import Client, Left, Rejected, create
from gunzi.apps.web.hub import Hub
from gunzi.apps.web.store import Batch, StoreError
from gunzi.errors import Text
from gunzi.verifying import verify


def test_people_come_back_to_the_same_seat_hand_and_turn(tmp_path: Path) -> None:
    async def play() -> None:
        async with serving(tmp_path) as (server, _):
            people = await four_at(server, rules="baike")
            await people[0].request("start")
            await people[0].until(lambda state: (state["ask"] or {}).get("kind") not in (None, "deal"))
            before = {key: people[2].state[key] for key in ("hand", "ask", "score")}
            await people[2].drop()
            await people[0].until(lambda state: not state["room"]["seats"][2]["online"])
            await people[0].until(lambda state: state["room"]["seats"][2]["online"])
            await people[2].request("ping")
            assert {key: people[2].state[key] for key in ("hand", "ask", "score")} == before
            other = Client(server, people[2].table, token=people[2].token)
            await other.connect()
            with pytest.raises(Left):
                await people[2].until(lambda state: False)
            assert other.state["you"]["seat"] == 2
            with pytest.raises(Rejected) as no:
                await Client(server, other.table, token="A" * 22).connect()
            assert no.value.code == "token"
            for person in (*people, other):
                await person.close()

    run(play())


def test_a_host_who_comes_back_soon_is_still_host_and_one_who_stays_away_is_not(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def come_and_go() -> None:
        async with serving(tmp_path) as (server, _):
            made = await create(server, player="主", rules="dalian", settings=FAST)
            host = Client(server, made["table"], token=made["token"])
            await host.connect()
            guest = Client(server, made["table"], invite=made["invite"], name="客")
            await guest.connect()
            await host.request("sit", seat=0)
            await guest.request("sit", seat=1)
            await host.drop()
            await guest.until(lambda state: not state["room"]["seats"][0]["online"])
            await guest.until(lambda state: state["room"]["seats"][0]["online"])
            assert guest.state["room"]["host"] == host.member and not guest.state["you"]["host"]
            await host.request("fill")
            await host.request("ready", on=True)
            monkeypatch.setattr(seating, "HOST_AWAY_S", 0.2)
            await host.close()
            await guest.until(lambda state: state["you"]["host"])
            assert guest.state["room"]["host"] == guest.member
            await guest.request("start")
            await guest.close()

    run(come_and_go())


def test_a_table_that_fails_while_its_host_is_away_gets_another(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """In play nobody follows him, but one stands in for him; a table that has failed needs somebody who reports it."""

    async def play() -> None:
        monkeypatch.setattr(seating, "HOST_AWAY_S", 0.1)
        async with serving(tmp_path) as (server, hub):
            people = await four_at(server, rules="dalian")
            await people[0].request("start")
            await people[1].until(lambda state: state["hand"] is not None)
            await people[0].close()
            await people[1].until(lambda state: not state["room"]["seats"][0]["online"])
            await asyncio.sleep(0.3)
            assert people[1].state["room"]["host"] == people[0].member
            room = hub.rooms[people[1].table]

            async def fail() -> None:
                raise RuntimeError("a rule has failed")

            room.put(fail)
            state = await people[1].until(lambda state: state["room"]["phase"] == "broken" and state["you"]["host"])
            assert state["room"]["host"] == people[1].member
            for person in people[1:]:
                await person.close()

    run(play())


def test_a_failing_rule_stops_one_table_and_no_other(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async def play() -> None:
        async with serving(tmp_path) as (server, hub):
            people = await four_at(server, rules="dalian")
            healthy = await four_at(server, rules="dalian")
            await people[0].request("start")
            await people[0].until(lambda state: state["hand"] is not None)
            game = hub.rooms[people[0].table].game
            assert game is not None

            def fail(*_: Any) -> Any:
                raise RuntimeError("a rule has failed")

            monkeypatch.setattr(game.table, "do", fail)
            state = await people[3].until(lambda state: state["room"]["phase"] == "broken")
            assert state["room"]["error"]["code"] == "RuntimeError" and state["ask"] is None
            with pytest.raises(Rejected) as no:
                await people[1].request("act", act={"act": "pass"})
            assert no.value.code == "broken"
            await healthy[0].request("start")
            await asyncio.gather(*map(advised, healthy))
            async with aiohttp.ClientSession() as session:
                for person, status in ((people[1], 403), (people[0], 200)):
                    headers = {"Authorization": f"Bearer {person.token}"}
                    url = f"{server}/api/tables/{person.table}/bundle"
                    async with session.get(url, headers=headers) as response:
                        assert response.status == status
                        found = await response.json()
            assert "a rule has failed" in found["traceback"] and found["journal"][0]["e"] == "hand"
            assert str(people[0].token) not in str(found)
            room = hub.rooms[people[0].table]
            room.close("closing")
            await asyncio.sleep(0.05)
            await people[0].until(lambda state: state["room"]["phase"] == "broken")
            await people[0].request("rematch")
            for person in (*people, *healthy):
                await person.close()

    run(play())


def test_tables_come_back_after_a_restart(tmp_path: Path) -> None:
    async def play() -> None:
        async with serving(tmp_path) as (server, _):
            people = await four_at(server, rules="zixun", settings={"hands": 2})
            await people[0].request("start")
            await people[0].until(lambda state: state["hand"] and state["hand"]["dealt"] > 60)
            states = [person.state for person in people]
            for person in people:
                await person.close()
        async with serving(tmp_path) as (server, hub):
            for seat, person in enumerate(people):
                people[seat] = Client(server, person.table, token=person.token)
            await people[1].connect()
            now = people[1].state
            assert now["you"] == states[1]["you"] and now["score"] == states[1]["score"]
            seen = states[1]["hand"]["view"]
            assert now["hand"]["view"][: len(seen)] == seen
            assert now["room"]["rules"] == states[1]["room"]["rules"]
            for person in (people[0], people[2], people[3]):
                await person.connect()
            await asyncio.gather(*map(advised, people))
            assert verify(await record_of(server, people[0])).hands == 2
            assert isinstance(hub, Hub)
            for person in people:
                await person.close()

    run(play())


def test_a_table_whose_rules_are_gone_says_so_and_may_play_others(tmp_path: Path) -> None:
    async def play() -> None:
        async with serving(tmp_path) as (server, hub):
            people = await four_at(server, rules="dalian")
            await people[0].request("start")
            await people[0].until(lambda state: state["room"]["phase"] == "playing")
            made, room = people[0].table, hub.rooms[people[0].table]
            token = people[0].token
            room.kept_rules["plugins"] = {**room.kept_rules["plugins"], "gone-for-good": "1"}
            await people[0].request("name", name="房主")
            for person in people:
                await person.close()
        async with serving(tmp_path) as (server, hub), Client(server, made, token=token) as host:
            assert host.state["room"]["phase"] == "broken" and "gone-for-good" in host.state["room"]["error"]["en"]
            assert host.state["room"]["rules"]["id"] == "dalian"
            await host.request("rematch")
            await host.request("rules", rules="yuwang")
            assert host.state["room"]["rules"]["id"] == "yuwang" and host.state["room"]["phase"] == "lobby"

    run(play())


def test_what_could_not_be_written_has_not_happened(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async def play() -> None:
        async with serving(tmp_path) as (server, hub):
            people = await four_at(server, rules="dalian")
            await people[0].request("start")
            state = await people[0].until(lambda state: (state["ask"] or {}).get("kind") == "bury")
            dealer = people[state["ask"]["seat"]]
            ask = (await dealer.until(lambda state: state["ask"]["kind"] == "bury"))["ask"]
            act = (await dealer.request("suggest"))["act"]
            commit, failed = hub.store.commit, []

            def full(batch: Batch) -> asyncio.Future[None]:
                if failed:
                    return commit(batch)
                failed.append(batch)
                future: asyncio.Future[None] = asyncio.get_running_loop().create_future()
                future.set_exception(StoreError(Text("磁盘满了", "the disk is full")))
                return future

            monkeypatch.setattr(hub.store, "commit", full)
            heard: list[Json] = []
            dealer.heard = lambda frame: heard.append(deepcopy(frame))
            told = await dealer.request("act", id="bury", q=ask["q"], act=act)
            codes = [(frame["t"], frame.get("code")) for frame in heard]
            assert ("bye", "server") in codes and failed
            again = next(frame for frame in heard if frame["t"] == "state")
            assert again["ask"]["q"] == ask["q"] == told["rev"] - 1 and again["ask"]["kind"] == "bury"
            await asyncio.gather(*map(advised, people))
            record = await record_of(server, people[0])
            assert verify(record).hands == 1
            assert sum(event["e"] == "bury" for event in record.events) == 1
            for person in people:
                await person.close()

    run(play())
