"""All the tables of a server: found, made, put away, closed."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import time
from typing import Any, Final
from weakref import WeakValueDictionary

import orjson

from gunzi.apps.web.commands import Done, Limits
from gunzi.apps.web.configuration import Configuration
from gunzi.apps.web.entering import new_member
from gunzi.apps.web.errors import No, Said
from gunzi.apps.web.keeping import room_of
from gunzi.apps.web.limiting import PerAddress
from gunzi.apps.web.metrics import Metrics
from gunzi.apps.web.people import clean_name, new_table_id
from gunzi.apps.web.room import Room
from gunzi.apps.web.ruling import KnownRules, rules_or_no
from gunzi.apps.web.store import Store
from gunzi.apps.web.table_settings import BadSettings, changed, defaults
from gunzi.errors import GunziError
from gunzi.ruleset import RuleSet

Json = dict[str, Any]
log: Final = logging.getLogger("gunzi.web")
LISTED: Final = 200
"""Public tables that are listed."""
LIST_S: Final = 2.0
"""How old the list of tables that nobody is at may be."""
SWEEP_S: Final = 30.0
MOST_FORGOTTEN: Final = 200
"""Old tables that are deleted in one sweep."""
DAMAGED: Final = (ValueError, KeyError, TypeError, AttributeError)
"""What reading a row that something else has written over may raise."""
DAY_S: Final = 86_400


class Age:
    """The time by which tables grow old: that of running servers. A clock that jumps ahead, or is wrong from the start, deletes nothing."""

    def __init__(self, newest: int) -> None:
        """``newest``: when a table was last changed (Unix time in seconds)."""
        self._start = min(int(time.time()), newest + DAY_S) if newest else int(time.time())
        self._began = time.monotonic()

    def now(self) -> int:
        """Unix time in seconds, the later of two doubtful ones left aside."""
        return min(int(time.time()), self._start + int(time.monotonic() - self._began))


class Hub:
    """The tables in memory, the others in the database."""

    def __init__(self, store: Store, config: Configuration) -> None:
        self.store = store
        self.config = config
        self.limits = Limits(config.members, config.spectators)
        self.metrics = Metrics()
        self.known = KnownRules()
        self.addresses = PerAddress(config.tables_per_hour / 3600, config.tables_per_hour)
        self.requests = PerAddress(config.requests_per_second, 10 * config.requests_per_second)
        self.rooms: dict[str, Room] = {}
        self.tasks: dict[str, asyncio.Task[None]] = {}
        self.closing = False
        self.verifying = 0
        """Records that are being checked at this moment."""
        self._loading: WeakValueDictionary[str, asyncio.Lock] = WeakValueDictionary()
        """One lock for each table that is being loaded, there as long as anybody waits for it."""
        self.age = Age(0)
        self._count = 0
        self._listing = asyncio.Lock()
        self._listed: list[Json] = []
        self._listed_again = 0.0
        self._sweeper: asyncio.Task[None] | None = None

    async def open(self) -> None:
        """Open the database. Raises StoreError."""
        await self.store.open()
        self.age = Age(self.store.newest)
        self._count = await self.store.count()
        self._sweeper = asyncio.create_task(self._sweep())

    async def close(self) -> None:
        """Tell everybody, write everything, close."""
        self.closing = True
        if self._sweeper is not None:
            self._sweeper.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await self._sweeper
        for room in list(self.rooms.values()):
            room.close("closing")
        if self.tasks:
            await asyncio.wait(list(self.tasks.values()), timeout=10)
        await self.store.close()

    # -- tables ------------------------------------------------------------------------------------------------

    async def find(self, id: str) -> Room:
        """The table of an id, from the database if need be. Raises No, StoreError."""
        room = self.rooms.get(id)
        if room is not None and not room.closed:
            return room
        if self.closing:
            raise No("closing")
        async with self._loading.setdefault(id, asyncio.Lock()):
            room = self.rooms.get(id)
            if room is not None and not room.closed:
                return room
            if id in self.tasks:
                await asyncio.wait([self.tasks[id]])
            self._make_room()
            kept = await self.store.load(id)
            if kept is None:
                raise No("no_table")
            try:
                room = await room_of(id, self.store, kept, self.limits, self.metrics.committed)
            except GunziError as error:
                raise Said("rules", error.text) from None
            except DAMAGED:
                log.exception("table %s cannot be read from the database", id)
                raise No("server") from None
            self._add(room)
            return room

    def _add(self, room: Room) -> None:
        room.driver.hurry = self.config.bot_delay / 100
        self.known.add(room.rules)
        self.rooms[room.id] = room
        task = asyncio.create_task(room.run(), name=f"table {room.id}")
        self.tasks[room.id] = task
        task.add_done_callback(lambda task: self._gone(room, task))

    def _make_room(self) -> None:
        """One more table in memory: where it is full, the one that nobody has been at for longest leaves it. Raises No."""
        if len(self.rooms) < self.config.loaded_tables:
            return
        idle = [room for room in self.rooms.values() if not room.closed and not room.watched and room.queue.empty()]
        if not idle:
            raise No("busy")
        room = min(idle, key=lambda room: room.used)
        room.close("closing")
        del self.rooms[room.id]

    def _gone(self, room: Room, task: asyncio.Task[None]) -> None:
        if self.rooms.get(room.id) is room:
            del self.rooms[room.id]
        if self.tasks.get(room.id) is task:
            del self.tasks[room.id]

    async def create(self, asked: Json) -> Json:
        """A new table, whose maker is its host. Raises No, StoreError."""
        if self.closing:
            raise No("closing")
        if self._count >= self.config.tables:
            raise No("busy")
        self._make_room()
        rules = await asyncio.to_thread(rules_or_no, asked, "dalian")
        player = clean_name(asked["player"]) if asked.get("player") is not None else "房主"
        name = clean_name(asked["name"]) if asked.get("name") is not None else ""
        if player is None or name is None:
            raise No("name")
        try:
            settings = changed(defaults(), asked.get("settings") or {})
        except BadSettings as wrong:
            raise Said("settings", wrong.text) from None
        room = Room(new_table_id(), self.store, rules, self.limits, self.metrics.committed)
        room.name, room.settings = name or f"{player}的桌子"[:24], settings
        member, token = new_member(room, player)
        await room.commit(Done(room=True))
        self._count += 1
        self._add(room)
        return {
            "table": room.id,
            "member": member.id,
            "token": token,
            "invite": room.invite,
            "link": f"/t/{room.id}#k={room.invite}",
        }

    def rules_of(self, hash: str) -> RuleSet | None:
        """The rule set of a hash: one that was asked for lately, or that a table in memory plays by, whoever has asked for how many
        others meanwhile."""
        found = self.known.get(hash)
        if found is None:
            played = next((room.rules for room in self.rooms.values() if room.rules.hash == hash), None)
            found = self.known.add(played) if played is not None else None
        return found

    def row(self, room: Room) -> Json:
        """A table in the list."""
        return _row(
            room.id,
            room.name,
            room.phase,
            [seat.kind for seat in room.seats],
            [each.seat for each in room.members.values() if each.link is not None],
            room.card,
        )

    async def listed(self) -> list[Json]:
        """The public tables in memory and those that have changed within a day, those with people first. Raises StoreError."""
        live = [room for room in self.rooms.values() if room.settings["public"] and not room.closed]
        live.sort(key=lambda room: -room.used)
        rows = [self.row(room) for room in live[:LISTED]]
        rows += [row for row in await self._listed_kept() if row["table"] not in self.rooms]
        return rows[:LISTED]

    async def _listed_kept(self) -> list[Json]:
        """The public tables as the database has them, which is looked at once in a while, however many ask."""
        async with self._listing:
            now = time.monotonic()
            if now >= self._listed_again:
                found = await self.store.listed(LISTED, self.age.now() - DAY_S)
                self._listed = [row for row in map(_kept_row, found) if row is not None]
                self._listed_again = now + LIST_S
            return self._listed

    # -- housekeeping ------------------------------------------------------------------------------------------

    async def _sweep(self) -> None:
        while True:
            await asyncio.sleep(SWEEP_S)
            idle = time.monotonic() - self.config.idle_minutes * 60
            for room in list(self.rooms.values()):
                if not room.watched and room.used < idle and room.queue.empty():
                    room.close("closing")
            if self.config.keep_days:
                try:
                    await self._forget_old()
                except GunziError as error:
                    log.error("old tables could not be deleted: %s", error.text.en)

    async def _forget_old(self) -> None:
        for id in await self.store.old(self.age.now() - self.config.keep_days * DAY_S, MOST_FORGOTTEN):
            # Whoever asks for it from here on finds it gone.
            if id not in self.rooms and id not in self.tasks and id not in self._loading:
                await self.store.forget(id)
                self._count -= 1


def _kept_row(kept: bytes) -> Json | None:
    """A table in the list, as the database has it. None where that cannot be read: whoever asks for the table is told."""
    try:
        state = orjson.loads(kept)
        seats = [seat["kind"] for seat in state["seats"]]
        return _row(state["id"], state["name"], state["phase"], seats, [], state["card"])
    except DAMAGED:
        return None


def _row(id: str, name: str, phase: str, seats: list[str], present: list[int | None], card: Json) -> Json:
    return {
        "table": id,
        "name": name,
        "phase": phase,
        "seats": seats,
        "people": sum(1 for seat in present if seat is not None),
        "spectators": sum(1 for seat in present if seat is None),
        "rules": {"id": card["id"], "name": card["name"], "hash": card["hash"]},
    }
