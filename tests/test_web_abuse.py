"""Callers that hold things up: who never read, never finish, come under many addresses, or play by two servers at once."""

from __future__ import annotations

import asyncio
import base64
import json
import os
import socket
import sqlite3
from pathlib import Path

import aiohttp
import pytest
from web_harness import FAST, Json, four_at, play_on, run, serving, tried

from gunzi.apps.web import rest
from gunzi.apps.web.client import Client, Left, Rejected, create
from gunzi.apps.web.connecting import counted_as
from gunzi.apps.web.driving import QUICK
from gunzi.apps.web.game import Question
from gunzi.apps.web.hub import Hub
from gunzi.apps.web.serving import BESIDE, allow_files
from gunzi.record import Record
from gunzi.verifying import verify


@pytest.mark.parametrize(
    ("address", "counted"),
    [
        ("192.0.2.7", "192.0.2.7"),
        ("::ffff:192.0.2.7", "192.0.2.7"),
        ("2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"),
        ("2001:db8:1:2::9", "2001:db8:1:2::/64"),
        ("2001:db8:1:3::9", "2001:db8:1:3::/64"),
        ("fe80::1%eth0", "fe80::/64"),
        ("", ""),
        ("x" * 5_000, "x" * 64),
    ],
)
def test_callers_are_counted_by_what_they_cannot_change(address: str, counted: str) -> None:
    assert counted_as(address) == counted


def masked(text: str) -> bytes:
    """A text frame as a browser sends it."""
    data, mask = text.encode(), os.urandom(4)
    assert len(data) < 65_536
    head = bytes([0x81, 0x80 | len(data)]) if len(data) < 126 else bytes([0x81, 0xFE]) + len(data).to_bytes(2, "big")
    return head + mask + bytes(byte ^ mask[at % 4] for at, byte in enumerate(data))


async def joined_without_reading(server: str, table: str, invite: str) -> tuple[socket.socket, asyncio.StreamWriter]:
    """A spectator that has said hello and reads nothing any more."""
    host, port = server.removeprefix("http://").split(":")
    raw = socket.socket()
    raw.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4_096)
    raw.setblocking(False)
    await asyncio.get_running_loop().sock_connect(raw, (host, int(port)))
    reader, writer = await asyncio.open_connection(sock=raw, limit=1_024)
    key = base64.b64encode(os.urandom(16)).decode()
    writer.write(
        f"GET /ws HTTP/1.1\r\nHost: {host}:{port}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
        f"Sec-WebSocket-Key: {key}\r\nSec-WebSocket-Version: 13\r\n\r\n".encode()
    )
    await reader.readuntil(b"\r\n\r\n")
    writer.transport.pause_reading()  # type: ignore[attr-defined]
    hello = {"t": "hello", "id": "h", "v": 1, "table": table, "invite": invite}
    writer.write(masked(json.dumps(hello)))
    return raw, writer


def test_a_client_that_never_reads_is_cut_off_and_the_others_play_on(tmp_path: Path) -> None:
    async def play() -> None:
        async with serving(tmp_path) as (server, hub):
            people = await four_at(server, rules="dalian")
            room = hub.rooms[people[0].table]
            raw, writer = await joined_without_reading(server, room.id, room.invite)
            await people[0].until(lambda state: len(state["room"]["members"]) == 5)
            for at in range(3_000):
                writer.write(masked(json.dumps({"t": "sync", "id": f"s{at}"})))
                if at % 50 == 0:
                    await asyncio.sleep(0.01)
                if hub.metrics.counts["slow_clients_total"]:
                    break
            await people[0].until(lambda state: len(state["room"]["members"]) == 4)
            assert hub.metrics.counts["slow_clients_total"] == 1
            writer.transport.abort()
            await people[0].request("start")
            await asyncio.gather(*map(play_on, people))
            for person in people:
                await person.close()

    run(play())


def test_a_body_that_does_not_come_is_not_waited_for(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rest, "BODY_S", 0.1)

    async def play() -> None:
        async with serving(tmp_path) as (server, _):
            host, port = server.removeprefix("http://").split(":")
            for path in ("/api/rules", "/api/verify"):
                reader, writer = await asyncio.open_connection(host, int(port))
                writer.write(f"POST {path} HTTP/1.1\r\nHost: {host}\r\nContent-Length: 10\r\n\r\n[".encode())
                head = await reader.readuntil(b"\r\n\r\n")
                assert b" 408 " in head.split(b"\r\n")[0]
                writer.close()

    run(play())


def test_no_more_records_are_checked_at_a_time_than_leave_room_for_play(tmp_path: Path) -> None:
    async def play() -> None:
        async with serving(tmp_path) as (server, hub), aiohttp.ClientSession() as session:
            hub.verifying = 2
            async with session.post(f"{server}/api/verify", data=b"{}") as response:
                assert response.status == 503 and (await response.json())["code"] == "busy"
            hub.verifying = 0
            async with session.post(f"{server}/api/verify", data=b"{}") as response:
                assert response.status == 200 and hub.verifying == 0

    run(play())


def test_where_thinking_would_tell_what_a_seat_holds_every_bot_answers_at_once(tmp_path: Path) -> None:
    async def play() -> None:
        async with serving(tmp_path) as (server, hub):
            people = await four_at(server, rules="dalian")
            room = hub.rooms[people[0].table]
            for person in people[1:]:
                await person.request("stand")
            await people[0].request("fill", bot="sharp")
            await people[0].request("start")
            await people[0].until(lambda state: state["room"]["phase"] == "playing")
            game = room.game
            assert game is not None and room.seats[1].bot == "sharp" not in QUICK
            asked: dict[str, str] = {}
            for kind in ("deal", "bury_kings", "bury", "pick", "lead", "follow", "pay", "return"):
                game.question = lambda kind=kind: Question(kind, 1)  # type: ignore[method-assign]
                asked[kind] = room.driver._thinker(game, 1)
            del game.question  # type: ignore[method-assign]
            assert {kind for kind, bot in asked.items() if bot in QUICK} == {"deal", "bury_kings"}
            for person in people:
                await person.close()

    run(play())


def test_a_table_that_nobody_is_at_makes_room_for_another(tmp_path: Path) -> None:
    async def play() -> None:
        async with serving(tmp_path, loaded_tables=2) as (server, hub):
            first = await four_at(server, rules="dalian")
            second = await four_at(server, rules="dalian")
            with pytest.raises(Rejected) as no:
                await four_at(server, rules="dalian")
            assert no.value.code == "busy"
            for person in first:
                await person.close()
            while hub.rooms[first[0].table].watched:
                await asyncio.sleep(0.01)
            third = await four_at(server, rules="dalian")
            assert set(hub.rooms) == {second[0].table, third[0].table}
            for person in second:
                await person.close()
            while hub.rooms[second[0].table].watched:
                await asyncio.sleep(0.01)
            again = Client(server, first[0].table, token=first[0].token)
            await again.connect()
            assert again.state["you"]["seat"] == 0 and len(hub.tasks) == len(hub.rooms) == 2 and not hub._loading
            for person in (again, *third):
                await person.close()

    run(play())


def test_a_damaged_row_is_one_tables_trouble(tmp_path: Path) -> None:
    async def play() -> None:
        async with serving(tmp_path) as (server, _):
            damaged = await four_at(server, rules="dalian", settings={"public": True})
            sound = await four_at(server, rules="dalian", settings={"public": True})
            for person in (*damaged, *sound):
                await person.close()
        for junk in (b"{", b"[]", b"{}", b"\xff", b'{"seats": 3}'):
            connection = sqlite3.connect(tmp_path / "tables.db")
            connection.execute("UPDATE rooms SET room = ? WHERE id = ?", (junk, damaged[0].table))
            connection.commit()
            connection.close()
            async with serving(tmp_path) as (server, _), aiohttp.ClientSession() as session:
                async with session.get(f"{server}/api/tables") as response:
                    assert [row["table"] for row in await response.json()] == [sound[0].table]
                async with session.get(f"{server}/api/tables/{damaged[0].table}") as response:
                    assert response.status == 500 and (await response.json())["code"] == "server"
                async with session.ws_connect(f"{server}/ws") as ws:
                    hello = {"t": "hello", "id": "h", "v": 1, "table": damaged[0].table, "token": damaged[0].token}
                    await ws.send_json(hello)
                    assert (await ws.receive_json())["code"] == "server"
                again = Client(server, sound[0].table, token=sound[0].token)
                await again.connect()
                assert again.state["you"]["seat"] == 0
                await again.close()

    run(play())


def test_requests_without_an_event_do_not_fill_the_disk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("gunzi.apps.web.room.ANSWERED", 70)

    async def play() -> None:
        async with serving(tmp_path) as (server, hub):
            people = await four_at(server, rules="dalian", settings={"hands": 1})
            table = people[0].table
            for at in range(200):
                await people[1].request("name", id=f"n{at}", name=f"乙{at}")
            kept = await hub.store.load(table)
            assert kept is not None and len(kept.rows) <= 141 and kept.rows[-1][0] == hub.rooms[table].rev
            await people[0].request("start")
            await people[0].until(lambda state: (state["ask"] or {}).get("kind") in ("bury", "lead"))
            for at in range(200):
                await people[2].request("name", id=f"n{at}", name=f"丙{at}")
            last = people[2].rev
            for person in people:
                await person.close()
        async with serving(tmp_path) as (server, hub):
            for seat, person in enumerate(people):
                people[seat] = Client(server, table, token=person.token)
                await people[seat].connect()
            assert people[2].rev >= last and people[2].state["you"]["name"] == "丙199"
            assert (await people[2].request("name", id="n199", name="x"))["rev"] == last  # as it was answered before
            await asyncio.gather(*map(play_on, people))
            headers = {"Authorization": f"Bearer {people[0].token}"}
            url = f"{server}/api/tables/{table}/record"
            async with aiohttp.ClientSession(headers=headers) as session, session.get(url) as response:
                assert verify(Record.parse(await response.read())).hands == 1
            for person in people:
                await person.close()

    run(play())


def test_who_comes_while_a_table_leaves_the_memory_is_not_kept_waiting(tmp_path: Path) -> None:
    async def play() -> None:
        async with serving(tmp_path) as (server, hub):
            made = await create(server, player="甲")
            room, held = hub.rooms[made["table"]], asyncio.Event()

            async def hold() -> None:
                await held.wait()

            room.put(hold)
            host = Client(server, made["table"], token=made["token"])
            coming = asyncio.create_task(host.connect())
            while not room.queue.qsize():
                await asyncio.sleep(0.01)
            room.close("server")
            held.set()
            await asyncio.wait_for(coming, 5)
            assert host.state["you"]["host"] and hub.rooms[made["table"]] is not room
            await host.close()

    run(play())


def test_as_many_files_as_connections(monkeypatch: pytest.MonkeyPatch) -> None:
    resource = pytest.importorskip("resource")
    limits = [(1_024, 5_000)]
    monkeypatch.setattr(resource, "getrlimit", lambda which: limits[-1])
    monkeypatch.setattr(resource, "setrlimit", lambda which, pair: limits.append(pair))
    allow_files(900)
    assert limits == [(1_024, 5_000)]
    allow_files(2_000)
    assert limits[-1] == (2_000 + BESIDE, 5_000)
    allow_files(10_000)
    assert limits[-1] == (5_000, 5_000)


def test_two_servers_on_one_database_apply_nothing_twice(tmp_path: Path) -> None:
    async def play() -> None:
        async with serving(tmp_path) as (one, hub), serving(tmp_path) as (other, second):
            assert isinstance(hub, Hub) and hub is not second
            people = await four_at(one, rules="dalian")
            await people[0].request("start")
            await people[0].until(lambda state: state["room"]["phase"] == "playing")
            for seat in (1, 3):  # half of the table comes by the other server
                await people[seat].close()
                people[seat] = Client(other, people[seat].table, token=people[seat].token)
                await people[seat].connect()
            said: list[Json] = []

            async def advised(person: Client) -> None:
                while person.state["room"]["phase"] != "over":
                    ask = person.state["ask"]
                    if ask and ask["mine"] and ask["kind"] not in ("deal", "between"):
                        act = ask.get("forced") or (await tried(person.request("suggest")) or {}).get("act")
                        answer = await tried(person.answer(ask, act)) if act else None
                        if answer is not None:
                            said.append({**act, "seat": person.state["you"]["seat"]})
                    await asyncio.sleep(0.02)
                    await tried(person.request("sync"))
                    if not (person.state["ask"] or {}).get("mine"):
                        for loaded in (
                            hub,
                            second,
                        ):  # what the other has written is seen when the table is loaded again
                            room = loaded.rooms.get(person.table)
                            if room is not None:
                                kept = await loaded.store.load(person.table)
                                if kept is not None and kept.rows and kept.rows[-1][0] > room.rev:
                                    room.close("server")

            await asyncio.wait_for(asyncio.gather(*map(advised, people)), 60)
            headers = {"Authorization": f"Bearer {people[0].token}"}
            url = f"{one}/api/tables/{people[0].table}/record"
            async with aiohttp.ClientSession() as session, session.get(url, headers=headers) as response:
                record = Record.parse(await response.read())
            assert verify(record).hands == 1
            plays = [(event["seat"], sorted(event["cards"])) for event in record.events if event["e"] == "play"]
            told = [(act["seat"], sorted(act["cards"])) for act in said if act["act"] == "play"]
            assert sorted(plays) == sorted(told)
            for person in people:
                await person.close()

    run(play())


def test_who_is_too_slow_with_the_hello_is_not_there(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("gunzi.apps.web.connecting.HELLO_S", 0.3)

    async def play() -> None:
        async with serving(tmp_path) as (server, hub), aiohttp.ClientSession() as session:
            made = await create(server, player="甲", settings={"public": True})
            room = hub.rooms[made["table"]]
            for who in ({"token": made["token"]}, {"name": "乙"}):
                held = asyncio.Event()

                async def hold(held: asyncio.Event = held) -> None:
                    await held.wait()

                room.put(hold)
                async with session.ws_connect(f"{server}/ws") as ws:
                    await ws.send_json({"t": "hello", "id": "h", "v": 1, "table": room.id, **who})
                    assert (await ws.receive_json())["code"] == "hello"
                held.set()
                done = asyncio.Event()

                async def end(done: asyncio.Event = done) -> None:
                    done.set()

                while hub.addresses.open:
                    await asyncio.sleep(0.01)
                room.put(end)
                await done.wait()
                assert not room.watched  # or it would stay in memory for ever, and its clocks would run

    run(play())


def test_where_nobody_may_watch_nobody_does(tmp_path: Path) -> None:
    async def play() -> None:
        async with serving(tmp_path) as (server, _):
            made = await create(server, player="甲", settings={**FAST, "spectators": False})

            async def come(name: str) -> Client:
                found = Client(server, made["table"], invite=made["invite"], name=name)
                await found.connect()
                return found

            host = Client(server, made["table"], token=made["token"])
            await host.connect()
            second, third, fourth = [await come(name) for name in "乙丙丁"]
            for seat, person in enumerate((host, second)):
                await person.request("sit", seat=seat)
                await person.request("ready", on=True)
            await host.request("fill")
            await host.request("start")
            await fourth.until(lambda state: state["room"]["phase"] == "playing")
            await third.request("sit", seat=2)  # in a bot's seat, and one is left
            await second.close()
            fifth = await come("戊")
            await fifth.request("sit", seat=3)
            with pytest.raises(Left) as left:  # now there is none
                await fourth.until(lambda state: False)
            assert left.value.code == "full"
            for again in (Client(server, made["table"], token=fourth.token), come("己")):
                with pytest.raises(Rejected) as no:
                    await (again.connect() if isinstance(again, Client) else again)
                assert no.value.code == "full"
            await second.connect()
            assert second.state["you"]["seat"] == 1
            for person in (host, second, third, fifth):
                await person.close()
            # Nor does the host's people's game let anybody in who could not play.
            alone = await create(server, player="甲", settings={**FAST, "spectators": False, "join": False})
            async with Client(server, alone["table"], token=alone["token"]) as host:
                watcher = Client(server, alone["table"], invite=alone["invite"], name="看客")
                await watcher.connect()
                await host.request("fill")
                await host.request("start")  # four bots, and the host looks on
                with pytest.raises(Left) as left:
                    await watcher.until(lambda state: False)
                assert left.value.code == "full"
                await host.until(lambda state: state["room"]["phase"] == "over")
            await watcher.close()
            await fourth.close()

    run(play())


def test_people_who_come_back_to_watch_are_counted(tmp_path: Path) -> None:
    async def play() -> None:
        async with serving(tmp_path, spectators=1) as (server, hub):
            made = await create(server, player="甲", settings=FAST)
            people = []
            for name in "乙丙":
                person = Client(server, made["table"], invite=made["invite"], name=name)
                await person.connect()
                await person.close()
                while hub.rooms[made["table"]].watched:
                    await asyncio.sleep(0.01)
                people.append(person)
            await people[0].connect()
            with pytest.raises(Rejected) as no:
                await people[1].connect()
            assert no.value.code == "full"
            await people[0].drop()  # whose line breaks is no second one
            await people[0].request("ping")
            await people[0].close()

    run(play())


def test_a_client_that_ends_leaves_nobody_waiting(tmp_path: Path) -> None:
    async def play() -> None:
        async with serving(tmp_path) as (server, hub):
            made = await create(server, player="甲", settings=FAST)
            host = Client(server, made["table"], token=made["token"])
            await host.connect()
            held = asyncio.Event()

            async def hold() -> None:
                await held.wait()

            hub.rooms[made["table"]].put(hold)
            waits = [asyncio.create_task(host.until(lambda state: False)), asyncio.create_task(host.request("ping"))]
            await asyncio.sleep(0)
            await host.close()
            for each in waits:
                with pytest.raises(Left) as left:
                    await each
                assert left.value.code == "closed"
            held.set()
            await host.connect()  # and it may come again
            assert host.state["you"]["host"]

            def broken(frame: Json) -> None:
                raise LookupError("what is this?")

            host.heard = broken
            with pytest.raises(Left) as left:
                await host.request("ping")
            assert left.value.code == "failed" and isinstance(left.value.__cause__, LookupError)
            await host.close()
            with pytest.raises(Left):
                await host.connect()

    run(play())
