"""A room as the database has it, and back."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any

import orjson

from gunzi.apps.web.beginning import deals_of, resumed
from gunzi.apps.web.commands import BROKEN, OVER, PLAYING, Done, Limits
from gunzi.apps.web.packing import packed
from gunzi.apps.web.people import Member, Seat
from gunzi.apps.web.room import Room
from gunzi.apps.web.store import Kept, Store
from gunzi.apps.web.voting import Shuffle
from gunzi.errors import GunziError, PluginError, RecordError, Text, VariantError
from gunzi.loading import from_header, load
from gunzi.resolve import BASE

Json = dict[str, Any]


async def room_of(id: str, store: Store, kept: Kept, limits: Limits, on_change: Callable[[], None]) -> Room:
    """The room as the database has it. A game that cannot be resumed leaves the room broken, until a program comes that can."""
    state = orjson.loads(kept.room)
    bodies = [orjson.loads(body) for _, body in kept.rows]
    failed: Exception | None = None
    try:
        rules = from_header({"rules": state["rules"]})
    except Exception as error:
        # A plugin is gone, or plays otherwise now: the people are still there, and may play something else.
        rules, failed = load(BASE), error
    room = Room(id, store, rules, limits, on_change)
    if failed is not None:
        room.rules_gone = failed.text if isinstance(failed, GunziError) else Text(str(failed), str(failed))
    room.card, room.kept_rules = state["card"], state["rules"]
    for key in ("name", "invite", "phase", "settings", "host", "error", "trace", "number", "next_member", "header"):
        setattr(room, key, state[key])
    room.seats = [Seat.of(seat) for seat in state["seats"]]
    room.members = {member["id"]: Member.of(member) for member in state["members"]}
    room.rev = max((seq for seq, _ in kept.rows), default=state["rev"])
    room.seating = room.rev
    room.eventless = sum(not body["rows"] for body in bodies)
    for body in bodies:
        member = room.members.get(body.get("who", ""))
        if member is not None:
            member.remember(body["re"], packed(body["ok"]))
    if state["shuffle"] is not None:
        room.shuffle = Shuffle.of(state["shuffle"])
    if failed is not None and room.phase != BROKEN:
        _stand_still(room, failed)
    if room.phase in (PLAYING, OVER):
        await _resume(room, kept, bodies)
    return room


def _stand_still(room: Room, error: Exception, said: Text | None = None) -> None:
    room.kept_phase = room.phase
    room.fail(error, said)


def _where(error: Exception) -> Text:
    """Why a game cannot be resumed, for all to see. Another program may go on with it: no card that somebody holds may stand in it,
    so it is where and by which rule, and the rest is in the report."""
    if isinstance(error, RecordError):
        at, rule = error.event or "?", error.rule or "?"
        return Text(
            f"这个版本的程序接不下去这一局：第 {at} 个事件它打得不一样（{rule}）",
            f"this version of the program cannot go on with the game: it plays event {at} otherwise ({rule})",
        )
    if isinstance(error, PluginError | VariantError):
        return error.text
    return Text("这个版本的程序接不下去这一局", "this version of the program cannot go on with the game")


async def _resume(room: Room, kept: Kept, bodies: list[Json]) -> None:
    rows = [row for body in bodies for row in body["rows"]]
    try:
        assert room.header is not None
        # Some milliseconds a hand: the other tables do not wait for it.
        room.game = await asyncio.to_thread(resumed, room.header, room.number, rows, room.settings, deals_of(room))
        written = [(seq, body["rows"]) for (seq, _), body in zip(kept.rows, bodies, strict=True) if body["rows"]]
        room.game.asks(max(seq for seq, rows in written if any(row["e"] == "hand" for row in rows)))
        room.game.asks(max(seq for seq, _ in written))
        room.phase = OVER if room.game.table.over else PLAYING
        room.commit_to_shuffle(Done())
    except Exception as error:
        _stand_still(room, error, _where(error))
