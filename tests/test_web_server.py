"""What the web server takes and what it does not: frames, limits, pages, settings."""

from __future__ import annotations

import asyncio
import gc
import json
import os
import random
import socket
import weakref
from pathlib import Path
from typing import Any

import aiohttp
import pytest
from jsonschema import Draft202012Validator
from web_harness import FAST, Json, configured, four_at, run, serving

from gunzi.apps.web import configuration, seating, table_settings
from gunzi.apps.web import serving as server
from gunzi.apps.web.client import Client, Rejected, create
from gunzi.apps.web.configuration import BadConfiguration, Configuration
from gunzi.apps.web.frames import main, web_schema
from gunzi.apps.web.hub import Hub
from gunzi.apps.web.protocol import ACTS, REQUESTS
from gunzi.apps.web.requests import BadFrame, check, read
from gunzi.schema import schema_text

ROOT = Path(__file__).resolve().parent.parent
REQUEST = Draft202012Validator({"$ref": "#/$defs/request", "$defs": web_schema()["$defs"]})
JUNK = [
    "", "null", "[]", "{}", "0", '"x"', "true", "nan", "[" * 10_000, "{" * 10_000, '{"a":' * 5_000, "\x00", "{\"t\":\"act\"}",
    '{"t":"ping"}', '{"t":"ping","id":1}', '{"t":"ping","id":""}', '{"t":"nothing","id":"a"}', '{"t":["ping"],"id":"a"}',
    '{"t":"sit","id":"a","seat":4}', '{"t":"sit","id":"a","seat":true}', '{"t":"sit","id":"a","seat":1e400}', '{"t":"act","id":"a","q":1,"act":null}',
    '{"t":"act","id":"a","q":1,"act":{"act":"play","cards":null}}', '{"t":"act","id":"a","q":1,"act":{"act":"play","cards":[null]}}',
    '{"t":"act","id":"a","q":1,"act":{"act":"play","cards":["S3",["S3"]]}}', '{"t":"act","id":"a","q":1,"act":{"act":[]}}', '{"t":"act","id":"a","q":NaN,"act":{"act":"pass"}}',
    '{"t":"rules","id":"a","set":{"a":{"b":{"c":{"d":{"e":{"f":{"g":1}}}}}}}}', '{"t":"name","id":"a","name":"\\u0000"}', '{"t":"name","id":"a","name":"\\ud800"}',
    '{"t":"rules","id":"a","rules":"yuwang","set":{"titles":[[0,"\\ud800"]]}}', '{"t":"hello","id":"a","v":1,"table":"\\udfff"}', '{"t":"settings","id":"a","settings":{"\\ud800":1}}',
    '{"t":"settings","id":"a","settings":{"rounds":1e3}}', '{"t":"hello","id":"a","v":1,"table":"x"}', '{"t":"choose","id":"a"}',
]  # fmt: skip


def mutated(chance: random.Random) -> str:
    """A frame that is nearly right."""
    kind = chance.choice(list(REQUESTS))
    wild: list[Any] = [
        None,
        True,
        -1,
        0,
        3,
        2**70,
        1.5,
        "",
        "S3",
        "x" * 50,
        [],
        ["S3"],
        {},
        {"act": "pass"},
        {"act": chance.choice(list(ACTS))},
    ]
    frame: Json = {"t": kind, "id": str(chance.randrange(10**6))}
    for key in REQUESTS[kind].fields:
        if chance.random() < 0.8:
            frame[key] = chance.choice(wild)
    text = json.dumps(frame)
    if chance.random() < 0.2:
        cut = chance.randrange(len(text))
        text = text[:cut] + chance.choice(["", "\x00", "}", "[[[", "\\"]) + text[cut + chance.randrange(3) :]
    return text


def test_what_is_read_is_what_the_schema_says() -> None:
    chance = random.Random(5)
    good = 0
    for text in (*JUNK, *(mutated(chance) for _ in range(1_000))):
        try:
            frame = read(text)
        except BadFrame:
            try:
                found = json.loads(text)
            except (ValueError, RecursionError):
                continue
            if (
                isinstance(found, dict)
                and "\\ud" not in text  # halves of characters, which a schema cannot tell
                and not any(isinstance(each, float) for each in found.values())
            ):
                assert not REQUEST.is_valid(found) or found.get("t") == "rules", text
        else:
            good += 1
            assert REQUEST.is_valid(frame), text
    assert good > 80
    assert check({"t": "ping", "id": "a", "newer": 1})


def test_the_published_schema_is_the_one_the_program_has(tmp_path: Path) -> None:
    main([str(tmp_path)])
    fresh = (tmp_path / "web.schema.json").read_text(encoding="utf-8")
    assert fresh == schema_text(web_schema()) == (ROOT / "schemas" / "web.schema.json").read_text(encoding="utf-8")


def test_no_frame_ends_the_server_or_changes_the_table(tmp_path: Path) -> None:
    frames = int(os.environ.get("GUNZI_FUZZ_FRAMES", "1500"))

    async def play() -> None:
        async with serving(tmp_path) as (server, hub):
            people = await four_at(server, rules="dalian")
            await people[0].request("start")
            await people[0].until(lambda state: (state["ask"] or {}).get("kind") == "bury")
            room = hub.rooms[people[0].table]
            before, seats = room.rev, [seat.as_kept() for seat in room.seats]
            chance = random.Random(frames)
            sent = answered = 0
            url = f"{server}/ws".replace("http", "ws", 1)
            async with aiohttp.ClientSession() as session:
                while sent < frames:
                    async with session.ws_connect(url) as ws:
                        hello = {"t": "hello", "id": "h", "v": 1, "table": room.id, "invite": room.invite}
                        if chance.random() < 0.9:
                            await ws.send_str(json.dumps(hello))
                        for _ in range(chance.randrange(5, 60)):
                            text = chance.choice(JUNK) if chance.random() < 0.3 else mutated(chance)
                            if ws.closed:
                                break
                            sent += 1
                            if chance.random() < 0.05:
                                await ws.send_bytes(os.urandom(20))
                            elif chance.random() < 0.01:
                                await ws.send_str("x" * 20_000)
                            else:
                                await ws.send_str(text.encode("utf-8", "replace").decode())
                        await ws.close()
                        answered += 1
            assert answered and await people[1].request("ping")
            assert [seat.as_kept() for seat in room.seats] == seats and room.phase == "playing" and not room.error
            changed = {json.loads(row)["t"] for row in await changes(hub, room.id, before)}
            assert changed <= {"ok"}, changed
            assert (await people[0].request("ping"))["now"]
            for person in people:
                await person.close()

    run(play(), 3_000)


async def changes(hub: Any, table: str, since: int) -> list[str]:
    """The answers to requests that have changed a table since."""
    kept = await hub.store.load(table)
    bodies = [json.loads(body) for seq, body in kept.rows if seq > since]
    return [json.dumps(body["ok"]) for body in bodies if "ok" in body]


def test_bytes_that_are_no_text_close_only_their_connection(tmp_path: Path) -> None:
    async def play() -> None:
        async with serving(tmp_path) as (server, _):
            host, port = server.removeprefix("http://").split(":")
            reader, writer = await asyncio.open_connection(host, int(port))
            key = "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n"
            writer.write(
                f"GET /ws HTTP/1.1\r\nHost: {host}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n{key}\r\n".encode()
            )
            await reader.readuntil(b"\r\n\r\n")
            writer.write(b"\x81\x84\x00\x00\x00\x00\xff\xfe\xfd\xfc")
            assert (await reader.read(2))[0] & 0x0F == 8
            writer.close()
            made = await create(server, player="甲")
            async with Client(server, made["table"], token=made["token"]) as person:
                assert await person.request("ping")

    run(play())


def test_limits(tmp_path: Path) -> None:
    async def play() -> None:
        limits = {
            "frames_per_second": 20,
            "connections_per_address": 5,
            "tables_per_hour": 3,
            "spectators": 1,
            "members": 6,
        }
        async with serving(tmp_path, **limits) as (server, _):
            made = await create(server, player="甲", settings=FAST)
            host = Client(server, made["table"], token=made["token"])
            await host.connect()
            await host.request("sit", seat=0)
            watcher = Client(server, made["table"], invite=made["invite"])
            await watcher.connect()
            with pytest.raises(Rejected) as no:
                await Client(server, made["table"], invite=made["invite"]).connect()
            assert no.value.code == "full"
            with pytest.raises(Rejected) as no:
                await Client(server, made["table"], invite="guess").connect()
            assert no.value.code == "invite"
            with pytest.raises(Rejected) as no:
                await Client(server, "nosuchtable", invite="guess").connect()
            assert no.value.code == "no_table"
            for _ in range(2):
                await create(server, player="乙")
            with pytest.raises(Rejected) as no:
                await create(server, player="丙")
            assert no.value.code == "rate"
            heard: list[str] = []
            watcher.heard = lambda frame: heard.append(frame.get("code", ""))
            pings = [asyncio.create_task(watcher.request("ping")) for _ in range(90)]
            await host.until(
                lambda state: not any(each["member"] == watcher.member for each in state["room"]["members"])
            )
            assert "rate" in heard
            for ping in pings:
                ping.cancel()
            await watcher.close()
            url = f"{server}/ws".replace("http", "ws", 1)
            async with aiohttp.ClientSession() as session:
                open_ = [await session.ws_connect(url) for _ in range(4)]
                with pytest.raises(aiohttp.WSServerHandshakeError) as refused:
                    await session.ws_connect(url)
                assert refused.value.status == 429
                for ws in open_:
                    await ws.close()
                with pytest.raises(aiohttp.WSServerHandshakeError) as refused:
                    await session.ws_connect(url, origin="https://evil.example")
                assert refused.value.status == 403
                for foreign in ("null", "http://[", "file://", "", f"{server}1"):
                    async with session.post(f"{server}/api/pick", json={}, headers={"Origin": foreign}) as response:
                        assert response.status == 403, foreign
                async with session.ws_connect(url, origin=server) as ws:
                    await ws.send_str("x" * 20_000)
                    assert (await ws.receive()).type in (aiohttp.WSMsgType.CLOSE, aiohttp.WSMsgType.CLOSED)
                async with session.post(
                    f"{server}/api/tables", json={}, headers={"Origin": "https://evil.example"}
                ) as response:
                    assert response.status == 403
            await host.close()

    run(play())


def test_pages_and_headers(tmp_path: Path) -> None:
    async def play() -> None:
        async with serving(tmp_path) as (server, _), aiohttp.ClientSession() as session:
            for path, status in (
                ("/", 200),
                ("/t/abc", 200),
                ("/static/nothing.js", 404),
                ("/static/%2e%2e/app.py", 404),
                ("/api/nothing", 404),
            ):
                async with session.get(server + path) as response:
                    assert response.status == status, path
                    policy = response.headers["Content-Security-Policy"]
                    assert policy.startswith("default-src 'self'") and "unsafe" not in policy
                    assert response.headers["X-Content-Type-Options"] == "nosniff"
                    tag = response.headers.get("ETag")
                if tag:
                    async with session.get(server + path, headers={"If-None-Match": tag}) as response:
                        assert response.status == 304

    run(play())


def test_settings_come_from_flags_environment_file_in_this_order(tmp_path: Path) -> None:
    for name, text in (
        ("a.toml", 'port = 1\nhost = "x"\nkeep_days = 3\n'),
        ("a.yaml", "port: 1\nhost: x\nkeep-days: 3\n"),
    ):
        (tmp_path / name).write_text(text)
        found = configuration.configuration({"port": "3"}, {"GUNZI_HOST": "y", "GUNZI_PORT": "2"}, tmp_path / name)
        assert (found.port, found.host, found.keep_days) == (3, "y", 3)
    assert configuration.configuration({}, {}) == Configuration()
    assert set(configuration.SETTINGS) == set(configuration.KINDS)
    for flags, environment in (
        ({"port": "x"}, {}),
        ({"port": 70_000}, {}),
        ({}, {"GUNZI_BEHIND_PROXY": "maybe"}),
        ({"durability": "none"}, {}),
        ({"database": ""}, {}),  # where SQLite would keep everything until the end of the process
        ({}, {"GUNZI_HOST": ""}),  # where the system would listen on every address
        ({}, {"GUNZI_DATBASE": "x.db"}),
        ({"port": "080"}, {}),
        ({"port": "８０"}, {}),
        ({"origins": "example.org"}, {}),
        ({"origins": "*"}, {}),
        ({"origins": "null"}, {}),
        ({"origins": "https://*.example.org"}, {}),
        ({"origins": "https://example.org/table"}, {}),
        ({}, {"GUNZI_ORIGINS": "https://a.example https://b.example"}),
    ):
        with pytest.raises(BadConfiguration):
            configuration.configuration(flags, environment)
    assert configuration.configuration({}, {"GUNZI_BROWSER": "required", "GUNZI_ORIGINS": ""}) == Configuration()
    tidy = configuration.configuration(
        {"origins": "https://A.example:443/, http://b.example:8080 ,app://c,http://[::1]:80"}, {}
    )
    assert tidy.origins == "https://a.example,http://b.example:8080,app://c,http://[::1]"
    for name, text, said in (
        ("b.toml", "prot = 1\n", "prot"),
        ("b.yaml", "port: 1\nport: 2\n", "b.yaml:2:1"),
        ("b.yaml", "keep-days: 1\nkeep_days: 2\n", "twice"),
        ("b.toml", "keep-days = 1\nkeep_days = 2\n", "twice"),
        ("b.yaml", "port: 010\n", "010"),
        ("b.yaml", "database:\n", "database"),
        ("b.yaml", "database: [x]\n", "database"),
        ("b.yaml", "host: 1\n", "host"),
        ("b.yaml", "port: 1\nhost: {\n", "b.yaml:"),
        ("b.yaml", "a: !!python/object/apply:os.getcwd []\n", "b.yaml:1:4"),
        ("b.toml", "database = {x = 1}\n", "database"),
        ("b.toml", "database = \x00\n", "b.toml"),
    ):
        (tmp_path / name).write_text(text)
        with pytest.raises(BadConfiguration) as bad:
            configuration.configuration({}, {}, tmp_path / name)
        assert said in bad.value.text.en, bad.value.text.en
    (tmp_path / "empty.yaml").write_text("# nothing\n")
    assert configuration.configuration({}, {}, tmp_path / "empty.yaml") == Configuration()
    (tmp_path / "on.yaml").write_text("behind_proxy: on\nlog-level: debug\n")
    assert configuration.configuration({}, {}, tmp_path / "on.yaml").behind_proxy
    assert table_settings.changed(table_settings.defaults(), {"rounds": 2})["rounds"] == 2
    for wrong in ({"rounds": True}, {"rounds": 1.0}, {"public": 1}, {"nothing": 1}, {"deal_ms": 0}):
        with pytest.raises(table_settings.BadSettings):
            table_settings.changed(table_settings.defaults(), wrong)
    assert configured(tmp_path).port == 0


@pytest.mark.parametrize("again", [False, True], ids=["made here", "out of the database"])
def test_an_ended_table_leaves_the_memory_without_a_search_for_garbage(
    again: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(seating, "HOST_AWAY_S", 0.05)  # so long a host who is away is waited for

    async def end(hub: Hub, table: str) -> Any:
        room = hub.rooms[table]
        task = hub.tasks[table]
        room.close("closing")
        await asyncio.wait([task])
        return weakref.ref(room), weakref.ref(room.game), weakref.ref(room.driver)

    async def play() -> None:
        async with serving(tmp_path) as (server, hub):
            made = await create(server, player="甲", settings=FAST)
            host = Client(server, made["table"], token=made["token"])
            await host.connect()
            await host.request("sit", seat=0)
            await host.request("fill")
            await host.request("start")
            await host.until(lambda state: (state.get("ask") or {}).get("kind") == "deal")
            if again:
                await end(hub, made["table"])
                await host.until(lambda state: made["table"] in hub.rooms)
            await host.close()
            gone = await end(hub, made["table"])
            async with asyncio.timeout(10):
                while any(each() is not None for each in gone):
                    await asyncio.sleep(0.05)

    gc.collect()
    gc.disable()
    try:
        run(play())
    finally:
        gc.enable()


def test_where_the_server_cannot_listen_it_says_why_and_what_to_change(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        for host, number, said in (
            ("127.0.0.1", port, "--port"),
            ("192.0.2.1", 0, "--host"),
            ("no.invalid", 0, "--host"),
        ):
            config = Configuration(host=host, port=number, database=str(tmp_path / "t.db"))
            with pytest.raises(BadConfiguration) as wrong:
                server.run(config)
            for text in (wrong.value.text.zh, wrong.value.text.en):
                assert f"{host}:{number}" in text and said in text, text
