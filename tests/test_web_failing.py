"""Web tables with something that fails: a plugin wherever it is asked, rules that are gone, a program that plays otherwise."""

from __future__ import annotations

import asyncio
import json
import re
import sqlite3
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, closing
from pathlib import Path
from typing import Any

import aiohttp
import pytest
from strangers import uninstall
from trapped_plugin import Stranger, Trap, trap_installed
from web_harness import FAST, Json, four_at, run, serving

from gunzi.apps.web.client import Client, Rejected, create
from gunzi.apps.web.errors import No
from gunzi.apps.web.hub import Hub

HOOKS = ["title", "happened", "follow_rule", "trick_rule", "kings_window", "score_parts", "endings"]
"""Where the plugin raises: in acts, in what is shown, in what is told."""


WITH_STRANGER = "gunzi: 1\nid: x\nextends: dalian\nplugins: [stranger]\n"


@pytest.fixture
def stranger(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """The plugin is installed."""
    yield from trap_installed(monkeypatch)


async def bundle(server: str, person: Client) -> Json:
    """What the host can export of a table that has failed."""
    headers, url = {"Authorization": f"Bearer {person.token}"}, f"{server}/api/tables/{person.table}/bundle"
    async with aiohttp.ClientSession(headers=headers) as session, session.get(url) as response:
        assert response.status == 200, await response.text()
        found: Json = await response.json()
        return found


async def opened(server: str, settings: Json, **asked: Any) -> Client:
    """A table with its host in seat 0 and three bots."""
    made = await create(server, player="甲", settings={**FAST, **settings}, **asked)
    host = Client(server, made["table"], token=made["token"])
    await host.connect()
    await host.request("sit", seat=0)
    await host.request("fill")
    return host


@pytest.mark.parametrize("hook", HOOKS)
@pytest.mark.usefixtures("stranger")
def test_a_plugin_that_fails_anywhere_is_named_and_stops_its_own_table_only(hook: str, tmp_path: Path) -> None:
    async def play() -> None:
        async with serving(tmp_path) as (server, hub):
            other = await opened(server, {}, rules="dalian")
            host = await opened(server, {"between_ms": 1, "hands": 0, "think_ms": 1}, yaml=WITH_STRANGER)
            await host.request("start")
            await host.until(lambda state: state["room"]["phase"] == "playing")
            await host.request("auto", on=True)
            await host.until(lambda state: len((state["hand"] or {"view": ()})["view"]) > 60)
            Trap.at = hook
            state = await host.until(lambda state: state["room"]["phase"] == "broken")
            assert "stranger" in state["room"]["error"]["en"] or "ZeroDivisionError" in state["room"]["error"]["en"]
            # Whoever comes, comes back or asks is told so, and everything else goes on.
            again = Client(server, host.table, token=host.token)
            await again.connect()
            assert again.state["room"]["phase"] == "broken" and again.state["ask"] is None
            watching = Client(server, host.table, invite=state["room"]["invite"])
            await watching.connect()
            assert watching.state["room"]["error"] == state["room"]["error"]
            with pytest.raises(Rejected) as no:
                await again.request("act", act={"act": "pass"})
            assert no.value.code == "broken"
            assert hook in (await bundle(server, again))["traceback"]
            await other.request("start")
            await other.until(lambda state: state["room"]["phase"] == "playing")
            # The same after a restart of the table, and the host may play something else.
            hub.rooms[host.table].close("closing")
            await again.until(lambda state: state["room"]["phase"] == "broken")
            Trap.at = ""
            await again.request("rematch")
            await again.request("rules", rules="yuwang")
            await again.request("start")
            await again.until(lambda state: state["room"]["phase"] == "playing")
            for person in (again, watching, other, host):
                await person.close()

    run(play(), 30)


@pytest.mark.usefixtures("stranger")
def test_a_request_that_makes_a_table_fail_is_answered(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async def play() -> None:
        async with serving(tmp_path) as (server, _):
            host = await opened(server, {}, rules="dalian")

            def fail(*_: Any) -> Any:
                raise RuntimeError("failed")

            monkeypatch.setattr("gunzi.apps.web.seating.rules_or_no", fail)
            with pytest.raises(Rejected) as no:
                await host.request("rules", rules="yuwang")
            assert no.value.code == "broken" and host.state["room"]["phase"] == "broken"
            await host.close()

    run(play(), 30)


async def played_a_while(tmp_path: Path, rules: Json) -> tuple[str, str | None, str | None]:
    """A table whose first hand is being played: its id, its host's token, its record so far."""
    async with serving(tmp_path) as (server, hub):
        host = await opened(server, {}, **rules)
        await host.request("start")
        await host.until(lambda state: (state["ask"] or {}).get("kind") not in (None, "deal", "between"))
        game = hub.rooms[host.table].game
        assert game is not None
        await host.close()
        return host.table, host.token, game.rows[0].decode()


async def present(server: str, table: str, token: str | None) -> Client:
    """Somebody comes back."""
    person = Client(server, table, token=token)
    await person.connect()
    return person


@asynccontextmanager
async def under(
    version: str, monkeypatch: pytest.MonkeyPatch, folder: Path, table: str, token: str | None
) -> AsyncIterator[tuple[str, Hub, Client]]:
    """The server with the plugin in this version, and the host, who comes back."""
    monkeypatch.setattr(Stranger, "version", version)
    async with serving(folder) as (server, hub):
        host = await present(server, table, token)
        yield server, hub, host
        await host.close()


@pytest.mark.usefixtures("stranger")
def test_a_game_waits_for_the_program_that_can_resume_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async def play() -> None:
        table, token, deal = await played_a_while(tmp_path, {"yaml": WITH_STRANGER})
        async with under("2", monkeypatch, tmp_path, table, token) as (server, _, host):
            assert host.state["room"]["phase"] == "broken" and "stranger" in host.state["room"]["error"]["en"]
            guest = Client(server, table, invite=host.state["room"]["invite"], name="看客")
            await guest.connect()  # which writes the table
            await host.request("leave")  # and leaves no seat free
            await guest.close()
        async with under("1", monkeypatch, tmp_path, table, token) as (_, hub, host):
            assert host.state["room"]["phase"] == "playing" and host.state["room"]["error"] is None
            assert host.state["you"]["seat"] == 0
            game = hub.rooms[table].game
            assert game is not None and game.rows[0].decode() == deal

    run(play(), 30)


def test_why_a_game_cannot_go_on_tells_no_card(tmp_path: Path) -> None:
    """A later program may go on with it, and then somebody would know what he may not."""

    async def play() -> None:
        table, token, _ = await played_a_while(tmp_path, {"rules": "dalian"})
        with closing(sqlite3.connect(tmp_path / "tables.db")) as database:
            rows = database.execute("SELECT seq, body FROM journal WHERE id = ?", (table,)).fetchall()
            seq, body = next((seq, body) for seq, body in rows if b'"e":"bottom"' in body)
            kept = json.loads(body)
            bottom = next(row for row in kept["rows"] if row["e"] == "bottom")
            bottom["cards"][0] = "S3" if bottom["cards"][0] != "S3" else "S4"
            update = "UPDATE journal SET body = ? WHERE id = ? AND seq = ?"
            database.execute(update, (json.dumps(kept, separators=(",", ":")).encode(), table, seq))
            database.commit()
        async with serving(tmp_path) as (server, hub):
            host = await present(server, table, token)
            error = host.state["room"]["error"]
            assert (
                error["code"] == "RecordError" and str(bottom["n"]) in error["zh"] and str(bottom["n"]) in error["en"]
            )
            assert not re.search(r"\b(?:[SHCD][2-9TJQKA]|[BL]J)\b", error["zh"] + error["en"])
            assert bottom["cards"][1] in (await bundle(server, host))["traceback"]
            await host.close()

    run(play(), 30)


@pytest.mark.usefixtures("stranger")
def test_whoever_has_read_the_cards_does_not_play_on(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async def play() -> None:
        table, token, deal = await played_a_while(tmp_path, {"yaml": WITH_STRANGER})
        async with under("2", monkeypatch, tmp_path, table, token) as (server, _, host):
            assert "deck" in (await bundle(server, host))["journal"][0] and deal
        async with under("1", monkeypatch, tmp_path, table, token) as (_, _, host):
            assert host.state["room"]["phase"] == "broken"

    run(play(), 30)


@pytest.mark.usefixtures("stranger")
def test_a_report_is_not_waited_for_at_a_table_that_has_left_the_memory(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def play() -> None:
        table, token, _ = await played_a_while(tmp_path, {"yaml": WITH_STRANGER})
        monkeypatch.setattr(Stranger, "version", "2")
        async with serving(tmp_path) as (server, hub):
            host = await present(server, table, token)
            room, holding, held = hub.rooms[table], asyncio.Event(), asyncio.Event()

            async def hold() -> None:
                holding.set()
                await held.wait()

            room.put(hold)
            await holding.wait()
            report = asyncio.create_task(room.give_up())
            while not room.queue.qsize():
                await asyncio.sleep(0.01)
            room.close("server")
            held.set()
            with pytest.raises(No) as no:
                await report
            assert no.value.code == "closing"
            await host.close()

    run(play(), 30)


@pytest.mark.usefixtures("stranger")
def test_nobody_plays_other_rules_than_are_shown(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async def play() -> None:
        table, token, _ = await played_a_while(tmp_path, {"yaml": WITH_STRANGER})
        uninstall(monkeypatch)
        async with serving(tmp_path) as (server, hub):
            host = await present(server, table, token)
            await host.request("rematch")
            assert host.state["room"]["rules"]["id"] == "x"
            with pytest.raises(Rejected) as no:
                await host.request("start")
            assert no.value.code == "rules" and "stranger" in str(no.value)
            await host.request("rules", rules="yuwang")
            await host.request("start")
            await host.until(lambda state: state["room"]["phase"] == "playing")
            assert isinstance(hub, Hub) and hub.rooms[table].header["rules"]["id"] == "yuwang"  # type: ignore[index]
            await host.close()

    run(play(), 30)


def test_who_leaves_during_the_shuffle_leaves_no_free_seat(tmp_path: Path) -> None:
    async def play() -> None:
        async with serving(tmp_path) as (server, _):
            people = await four_at(server, rules="dalian", settings={"hands": 1})
            for person in people:
                person.contribute = False
            await people[0].request("start")
            await people[3].request("leave")
            state = await people[0].until(lambda state: state["room"]["phase"] == "playing")
            assert [seat["kind"] for seat in state["room"]["seats"]] == ["human"] * 4
            assert state["room"]["seats"][3]["auto"]
            await asyncio.gather(*(person.close() for person in people))

    run(play(), 30)
