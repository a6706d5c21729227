"""A web table in the test's own process, and people who play at it."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Coroutine
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import aiohttp
import orjson
from aiohttp import web

from gunzi.apps.web.app import make_app
from gunzi.apps.web.client import Client, Rejected, create
from gunzi.apps.web.configuration import Configuration
from gunzi.apps.web.databases import open_store
from gunzi.apps.web.hub import Hub
from gunzi.record import Record

FAST = {
    "deal_ms": 1,
    "window_ms": 50,
    "think_ms": 0,
    "bury_ms": 0,
    "kings_ms": 0,
    "between_ms": 0,
    "hands": 1,
    "rounds": 0,
}
"""A table at which nobody waits."""
Json = dict[str, Any]


def configured(folder: Path, **more: Any) -> Configuration:
    """A server for tests: any port, a database of its own, bots that take no time."""
    usual: dict[str, Any] = {
        "port": 0,
        "database": str(folder / "tables.db"),
        "durability": "normal",
        "bot_delay": 0,
        "frames_per_second": 10_000,
        "connections_per_address": 10_000,
        "tables_per_hour": 10_000,
        "requests_per_second": 10_000,
    }
    return Configuration(**{**usual, **more})


@asynccontextmanager
async def serving(folder: Path, **more: Any) -> AsyncIterator[tuple[str, Hub]]:
    """A running server: its address, and its hub."""
    config = configured(folder, **more)
    hub = Hub(open_store(config.database, config.durability), config)
    await hub.open()
    runner = web.AppRunner(make_app(hub), access_log=None, shutdown_timeout=0.1)
    await runner.setup()
    site = web.TCPSite(runner, "127.0.0.1", config.port)
    await site.start()
    try:
        yield f"http://127.0.0.1:{runner.addresses[0][1]}", hub
    finally:
        await hub.close()
        await runner.cleanup()


def run(test: Coroutine[Any, Any, Any], seconds: float = 120) -> Any:
    """Run a test's coroutine; one that hangs fails."""
    return asyncio.run(asyncio.wait_for(test, seconds))


async def four_at(
    server: str, heard: Callable[[int], Callable[[Json], None] | None] | None = None, **asked: Any
) -> list[Client]:
    """Four people at a new table, seated and ready; the first is the host."""
    made = await create(server, player="甲", settings={**FAST, **asked.pop("settings", {})}, **asked)
    people = []
    for seat, name in enumerate("甲乙丙丁"):
        more: Json = {"token": made["token"]} if seat == 0 else {"invite": made["invite"], "name": name}
        person = Client(server, made["table"], heard=heard(seat) if heard else None, **more)
        await person.connect()
        await person.request("sit", seat=seat)
        await person.request("ready", on=True)
        people.append(person)
    return people


async def play_on(person: Client, choose: Callable[[Json], Json] | None = None) -> None:
    """Answer what is asked until the game is over, the simplest way or as ``choose`` says."""
    async for ask in person.asks():
        if not await _dealt_on(person, ask):
            await tried(person.answer(ask, (choose or simple)(ask) if not ask.get("forced") else ask["forced"]))


async def _dealt_on(person: Client, ask: Json) -> bool:
    """Go on to the next hand, claim, declare or let the deal close, if that is what is asked; was it?"""
    if ask["kind"] == "between":
        await person.request("next")
    elif ask["kind"] == "deal":
        if ask["acts"]:
            await declare(person, ask)
        elif ask["closing"] and not ask["passed"]:
            await tried(person.request("act", act={"act": "pass"}))
    else:
        return False
    return True


async def declare(person: Client, ask: Json) -> None:
    """Claim or declare at once, unless it is too late or somebody was faster."""
    await tried(person.request("act", act=ask["acts"][0]))


async def tried(request: Coroutine[Any, Any, Json]) -> Json | None:
    """The answer, or None where the game had moved on meanwhile."""
    try:
        return await request
    except Rejected as no:
        if no.code not in ("stale", "refused", "turn", "phase"):
            raise
        return None


def simple(ask: Json) -> Json:
    """Some answer that the question itself shows to be allowed."""
    if ask.get("pass"):
        return {"act": "pass"}
    names = {"pay": "pay", "return": "return", "bury": "bury", "pick": "pick"}
    return {"act": names.get(ask["kind"], "play"), "cards": ask["lit"][: ask["count"] or 1]}


def loads(data: str | bytes) -> Json:
    """A frame."""
    found: Json = orjson.loads(data)
    return found


async def record_of(server: str, person: Client, **query: int) -> Record:
    """The record as the server hands it to somebody at the table."""
    headers = {"Authorization": f"Bearer {person.token}"}
    url = f"{server}/api/tables/{person.table}/record"
    async with aiohttp.ClientSession() as session, session.get(url, headers=headers, params=query) as response:
        assert response.status == 200, await response.text()
        return Record.parse(await response.read())


async def advised(person: Client) -> None:
    """Play as the bots advise, refused now and then, and told by which rule."""
    async for ask in person.asks():
        if not await _dealt_on(person, ask):
            try:
                await person.answer(ask, ask.get("forced") or simple(ask))
            except Rejected as no:
                if no.code == "stale":
                    continue
                assert no.code == "refused" and no.refused is not None and no.refused["rule"]
                found = await person.request("suggest")
                assert (await person.request("check", act=found["act"]))["legal"]
                await person.answer(ask, found["act"])
