"""REST: the lobby, records of finished hands, failures exported, records checked."""

from __future__ import annotations

import asyncio
import json
import logging
import platform
from importlib import metadata
from typing import Any, Final

import orjson
from aiohttp import web

import gunzi
from gunzi.apps.players import PLAYERS
from gunzi.apps.web import table_settings
from gunzi.apps.web.connecting import address_of
from gunzi.apps.web.errors import No
from gunzi.apps.web.people import Member
from gunzi.apps.web.protocol import ERRORS, MAX_FRAME, MAX_NAME, PACES, PHRASES, VERSION
from gunzi.apps.web.rest import MAX_BODY, MAX_RECORD, Call, Json, Route, Schema, bad, reply, typed
from gunzi.apps.web.rest_rules import ANY, LIST, RULES_BODY, TEXTUAL
from gunzi.apps.web.room import Room
from gunzi.apps.web.ruling import MAX_YAML, both
from gunzi.apps.web.store import StoreError
from gunzi.errors import GunziError, RecordError, Text
from gunzi.record import Record
from gunzi.verifying import verify as verified

log: Final = logging.getLogger("gunzi.web")
MOST_VERIFIED: Final = 2
"""Records that are checked at the same time: it can take long, and must not keep tables waiting."""

MOST_HANDS: Final = 500
USUAL_HANDS: Final = 200
"""Finished hands that are given at once, at most and where nothing is said."""


async def about(call: Call) -> web.StreamResponse:
    """``GET /api/about``."""
    config = call.hub.config
    return reply(
        {
            "version": gunzi.__version__,
            "protocol": VERSION,
            "players": [{"name": each.name, **both(each.title)} for each in PLAYERS.values()],
            "paces": {id: both(text) for id, text in PACES.items()},
            "phrases": {id: both(text) for id, text in PHRASES.items()},
            "settings": table_settings.as_json(),
            "errors": {code: both(text) for code, text in ERRORS.items()},
            "limits": {
                "frame": MAX_FRAME,
                "name": MAX_NAME,
                "yaml": MAX_YAML,
                "body": MAX_BODY,
                "record": MAX_RECORD,
                "members": config.members,
                "spectators": config.spectators,
                "frames_per_second": config.frames_per_second,
                "tables_per_hour": config.tables_per_hour,
            },
        }
    )


async def tables(call: Call) -> web.StreamResponse:
    """``GET /api/tables``."""
    return reply(await call.hub.listed())


async def create(call: Call) -> web.StreamResponse:
    """``POST /api/tables``."""
    asked = await call.body()
    typed(asked, name=str, player=str, rules=str, yaml=str, set=dict, settings=dict)
    if not call.hub.addresses.take(address_of(call.request, call.hub)):
        raise No("rate")
    return reply(await call.hub.create(asked), 201)


async def _room(call: Call) -> Room:
    return await call.hub.find(call.path("table")[:32])


async def _entitled(call: Call) -> tuple[Room, Member]:
    room = await _room(call)
    member = room.member_of(call.token) if call.token else None
    if member is None:
        raise No("token")
    return room, member


async def table(call: Call) -> web.StreamResponse:
    """``GET /api/tables/{table}``."""
    return reply(call.hub.row(await _room(call)))


async def hands(call: Call) -> web.StreamResponse:
    """``GET /api/tables/{table}/hands``: the latest, or those before one; never more than ``MOST_HANDS``."""
    room, _ = await _entitled(call)
    game, before = call.whole("game", 1, 10**9), call.whole("before", 1, 10**9)
    most = call.whole("most", 1, MOST_HANDS) or USUAL_HANDS
    found = await call.hub.store.latest_hands(room.id, game, before or 10**9, most)
    return reply([orjson.loads(summary) for summary in found])


async def record(call: Call) -> web.StreamResponse:
    """``GET /api/tables/{table}/record``: hands that are over, and nothing of the one that is being played."""
    room, _ = await _entitled(call)
    game, hand = call.whole("game", 1, 10**9), call.whole("hand", 1, 10**9)
    number = game if game is not None else room.number
    finished = [(at, seq) for g, at, seq, _ in await call.hub.store.hands(room.id) if g == number]
    if hand is not None and hand not in [at for at, _ in finished] or not finished:
        raise bad(Text("没有打完的这一把", "there is no such finished hand"), 404, "record")
    last = max(seq for at, seq in finished if hand is None or at <= hand)
    lines = await _finished_lines(call, room, number, last)
    name = f"{room.id}-{number}" + (f"-{hand}" if hand is not None else "")
    return web.Response(
        body=b"\n".join(lines) + b"\n",
        content_type="application/x-ndjson",
        headers={"Content-Disposition": f'attachment; filename="{name}.jsonl"', "Cache-Control": "no-store"},
    )


async def _finished_lines(call: Call, room: Room, number: int, last: int) -> list[bytes]:
    """The header and the events up to the journal row that ended a hand."""
    header: Json | None = None
    lines: list[bytes] = []
    for body in await call.hub.store.journal_upto(room.id, number, last):
        kept = orjson.loads(body)
        header = kept.get("header", header)
        lines += [_line(row) for row in kept["rows"] if "n" in row]
    if header is None:
        raise bad(Text("没有这一局", "there is no such game"), 404, "record")
    return [_line(header), *lines]


def _line(row: Json) -> bytes:
    return json.dumps(row, ensure_ascii=False).encode()


async def bundle(call: Call) -> web.StreamResponse:
    """``GET /api/tables/{table}/bundle``: all that is needed to look into a failure, for the host; only of a table that has failed."""
    room, member = await _entitled(call)
    if member.id != room.host:
        raise No("host")
    if room.error is None:
        raise No("phase")
    # Whoever reads the cards of a hand does not play it on: also not under a program that could resume it.
    await room.give_up()
    bodies = await call.hub.store.journal(room.id, room.number)
    rows = [row for body in bodies for row in orjson.loads(body)["rows"]]
    found = {
        "gunzi": gunzi.__version__,
        "python": platform.python_version(),
        "packages": {name: metadata.version(name) for name in ("aiohttp", "orjson", "pluggy")},
        "error": room.error,
        "traceback": room.trace,
        "settings": room.settings,
        "seats": [{"kind": seat.kind, "bot": seat.bot, "auto": seat.auto} for seat in room.seats],
        "header": room.header,
        "journal": rows,
    }
    return reply(found, Content_Disposition=f'attachment; filename="{room.id}-failure.json"')


async def verify(call: Call) -> web.StreamResponse:
    """``POST /api/verify``."""
    hub = call.hub
    if hub.verifying >= MOST_VERIFIED:
        raise No("busy")
    hub.verifying += 1
    try:
        return reply(await asyncio.to_thread(_verify, await call.read()))
    finally:
        hub.verifying -= 1


def _verify(data: bytes) -> Json:
    try:
        found = verified(Record.parse(data))
    except RecordError as wrong:
        return {"ok": False, "line": wrong.line, "event": wrong.event, "rule": wrong.rule, **both(wrong.text)}
    except GunziError as wrong:
        return {"ok": False, "line": None, "event": None, "rule": None, **both(wrong.text)}
    return {"ok": True, "hands": found.hands, "events": found.events}


async def health(call: Call) -> web.StreamResponse:
    """``GET /healthz``: fit for players? Not when it is closing, nor when its database takes no writes, whatever else goes on."""
    why = "closing" if call.hub.closing else None
    if why is None:
        try:
            await call.hub.store.check()
        except StoreError as error:
            log.error("%s", error.text.en)
            why = "database"
    return reply({"ok": why is None, "why": why}, 200 if why is None else 503)


async def metrics(call: Call) -> web.StreamResponse:
    """``GET /metrics``."""
    hub = call.hub
    now: dict[str, Any] = {
        "tables": len(hub.rooms),
        "connections": sum(hub.addresses.open.values()),
        "store_groups": hub.store.groups,
        "store_batches": hub.store.written,
        "store_waiting": hub.store.waiting.qsize(),
    }
    return web.Response(text=hub.metrics.text(now), content_type="text/plain")


SETTINGS_BODY: Final[Schema] = {"type": "object"}
ROUTES: Final = (
    Route("GET", "/api/about", about, Text("版本、各种上限和文字", "version, limits and texts"), ANY),
    Route("GET", "/api/tables", tables, Text("公开的桌", "the public tables"), LIST),
    Route(
        "POST",
        "/api/tables",
        create,
        Text("开一张桌", "open a table"),
        ANY,
        body={
            "type": "object",
            "properties": {
                **RULES_BODY["properties"],
                "name": {"type": "string", "maxLength": MAX_NAME},
                "player": {"type": "string", "maxLength": MAX_NAME},
                "settings": SETTINGS_BODY,
            },
        },
        errors=(503,),
    ),
    Route("GET", "/api/tables/{table}", table, Text("一张桌", "one table"), ANY, errors=(404, 503)),
    Route(
        "GET",
        "/api/tables/{table}/hands",
        hands,
        Text("打完的各把：最后的，或者某一把以前的", "the finished hands: the latest, or those before one"),
        LIST,
        {
            "game": {"type": "integer", "minimum": 1},
            "before": {"type": "integer", "minimum": 1},
            "most": {"type": "integer", "minimum": 1, "maximum": MOST_HANDS},
        },
        auth="member",
        errors=(401, 404, 503),
    ),
    Route(
        "GET",
        "/api/tables/{table}/record",
        record,
        Text("打完的各把的牌谱", "the record of the finished hands"),
        TEXTUAL,
        {"game": {"type": "integer", "minimum": 1}, "hand": {"type": "integer", "minimum": 1}},
        kind="application/x-ndjson",
        auth="member",
        errors=(401, 404, 503),
    ),
    Route(
        "GET",
        "/api/tables/{table}/bundle",
        bundle,
        Text("故障报告要用的东西", "all that a report of a failure needs"),
        ANY,
        auth="host",
        errors=(401, 403, 404, 409, 503),
    ),
    Route(
        "POST",
        "/api/verify",
        verify,
        Text("检查一份牌谱", "check a record"),
        ANY,
        body=TEXTUAL,
        takes="text/plain",
        errors=(413, 503),
    ),
    Route(
        "GET",
        "/healthz",
        health,
        Text(
            "能不能打牌：why 是 closing（正在关）、database（数据库写不进去）",
            "fit for players? `why`: closing, or database (it cannot be written)",
        ),
        ANY,
        errors=(503,),
    ),
    Route("GET", "/metrics", metrics, Text("各种计数", "counters"), TEXTUAL, kind="text/plain"),
)
"""What this file serves."""
