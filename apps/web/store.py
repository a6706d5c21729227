"""Where tables are kept: a journal that is written before anybody is told, in SQLite or PostgreSQL.

One thread writes. It takes whatever has been handed in meanwhile as one transaction (group commit), and says so when the
database has it for good. Another thread reads.
"""

from __future__ import annotations

import asyncio
import queue
import threading
import time
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from typing import Any, Final, Protocol, TypeVar

from gunzi.errors import GunziError, Text

T = TypeVar("T")
MOST_AT_ONCE: Final = 2_000
"""Batches in one transaction."""
MOST_DELETED: Final = 2_000
"""Rows of a journal that are deleted in one transaction."""
BREATH_S: Final = 0.02
"""How long others have the database between two such transactions."""
GONE: Final = "gone"
"""The phase of a table that is being deleted: it is found no more."""
NO_EVENT: Final = b'{"rows":[]'
"""How a journal row begins that holds no event."""
_STOP: Final = None


class StoreError(GunziError, RuntimeError):
    """The database cannot be opened, read or written; ``text`` says which and why."""


@dataclass(frozen=True, slots=True)
class Batch:
    """One command's trace: a journal row, and the room where it has changed, and the hand that has been finished."""

    table: str
    seq: int
    game: int
    body: bytes
    room: bytes | None = None
    public: bool = False
    phase: str = ""
    hand: tuple[int, bytes] | None = None
    prune: int = 0
    """Journal rows before this one that hold no event, only a request's answer, are not needed any more."""


PROBE: Final = Batch("", 0, 0, b"")
"""Written to see whether the database can be written: one row, always the same."""
FRESH_S, FAILED_S, ANSWER_S = 10.0, 3.0, 2.0
"""For how long a write says that the database can be written, one that failed that it cannot; how long a probe may take."""


@dataclass(frozen=True, slots=True)
class Kept:
    """A table as the database has it: its room, and the journal rows of the game it is in, oldest first."""

    room: bytes
    rows: tuple[tuple[int, bytes], ...]


class Connection(Protocol):
    """What both drivers' connections can do."""

    def execute(self, sql: str, values: Sequence[Any] = ...) -> Any: ...
    def commit(self) -> None: ...
    def rollback(self) -> None: ...
    def close(self) -> None: ...


SCHEMA: Final = (
    "CREATE TABLE IF NOT EXISTS rooms (id TEXT PRIMARY KEY, updated BIGINT NOT NULL, public INTEGER NOT NULL, "
    "phase TEXT NOT NULL, room {blob} NOT NULL)",
    "CREATE INDEX IF NOT EXISTS rooms_listed ON rooms (public, updated)",
    "CREATE TABLE IF NOT EXISTS journal (id TEXT NOT NULL, seq BIGINT NOT NULL, game INTEGER NOT NULL, body {blob} NOT NULL, "
    "PRIMARY KEY (id, seq)){clustered}",
    "CREATE TABLE IF NOT EXISTS hands (id TEXT NOT NULL, game INTEGER NOT NULL, hand INTEGER NOT NULL, seq BIGINT NOT NULL, "
    "summary {blob} NOT NULL, PRIMARY KEY (id, game, hand))",
    "CREATE TABLE IF NOT EXISTS gunzi (key TEXT PRIMARY KEY, value TEXT NOT NULL)",
)
FORMAT: Final = "1"
"""The layout of these tables."""


@dataclass(frozen=True, slots=True)
class Dialect:
    """How a database is opened, and how it wants its SQL."""

    name: str
    connect: Callable[[], Connection]
    mark: str
    blob: str
    clustered: str
    errors: tuple[type[BaseException], ...]
    troubles: tuple[type[BaseException], ...]
    """Those of the ``errors`` that are the database's own, whatever was written."""

    def sql(self, text: str) -> str:
        """The statement in the database's own words."""
        return text.replace("?", self.mark) if self.mark != "?" else text


class Store:
    """A database. ``open`` before use, ``close`` at the end; all other methods belong to the event loop that opened it."""

    def __init__(self, dialect: Dialect) -> None:
        self.dialect = dialect
        self.written = 0
        self.newest = 0
        """The latest moment that a table was changed at (Unix time in seconds): a clock that is set back makes no table old."""
        self.groups = 0
        self._outcome: tuple[float, StoreError | None] = (float("-inf"), None)  # of the last write: when, what
        self._probe: asyncio.Future[None] | None = None
        self.waiting: queue.SimpleQueue[tuple[Batch, asyncio.Future[None]] | None] = queue.SimpleQueue()
        self._reader = ThreadPoolExecutor(1, "gunzi-reads")
        self._reading: Connection | None = None
        self._thread: threading.Thread | None = None
        self._loop: asyncio.AbstractEventLoop | None = None
        sql = dialect.sql
        self._journal = sql("INSERT INTO journal (id, seq, game, body) VALUES (?, ?, ?, ?)")
        self._room = sql(
            "INSERT INTO rooms (id, updated, public, phase, room) VALUES (?, ?, ?, ?, ?) ON CONFLICT (id) DO UPDATE "
            "SET updated = excluded.updated, public = excluded.public, phase = excluded.phase, room = excluded.room"
        )
        self._prune = sql(f"DELETE FROM journal WHERE id = ? AND seq < ? AND substr(body, 1, {len(NO_EVENT)}) = ?")
        self._touch = sql(
            "INSERT INTO gunzi (key, value) VALUES ('probed', ?) ON CONFLICT (key) DO UPDATE SET value = excluded.value"
        )
        self._hand = sql(
            "INSERT INTO hands (id, game, hand, seq, summary) VALUES (?, ?, ?, ?, ?) ON CONFLICT (id, game, hand) DO UPDATE "
            "SET seq = excluded.seq, summary = excluded.summary"
        )

    async def open(self) -> None:
        """Open the database and make its tables. Raises StoreError."""
        self._loop = asyncio.get_running_loop()
        writing = await self._call(self._prepare)
        try:
            self._reading = await self._call(self.dialect.connect)
        except BaseException:
            writing.close()
            raise
        self._thread = threading.Thread(target=self._write_on, args=(writing,), name="gunzi-writes", daemon=True)
        self._thread.start()

    def _prepare(self) -> Connection:
        connection = self.dialect.connect()
        try:
            self._check(connection)
        except BaseException:
            connection.close()
            raise
        return connection

    def _check(self, connection: Connection) -> None:
        """Have the tables there, in the format that is read here. Raises StoreError."""
        for statement in SCHEMA:
            connection.execute(statement.format(blob=self.dialect.blob, clustered=self.dialect.clustered))
        connection.execute(
            self.dialect.sql("INSERT INTO gunzi (key, value) VALUES ('format', ?) ON CONFLICT (key) DO NOTHING"),
            (FORMAT,),
        )
        row = connection.execute("SELECT value FROM gunzi WHERE key = 'format'").fetchone()
        self.newest = int(connection.execute("SELECT COALESCE(MAX(updated), 0) FROM rooms").fetchone()[0])
        connection.commit()
        if row[0] != FORMAT:
            raise StoreError(
                Text(
                    f"数据库的格式是 {row[0]}，这个 gunzi 只认得 {FORMAT}：请用写它的那个版本，或者换一个数据库",
                    f"the database has format {row[0]}, this gunzi reads {FORMAT}: use the version that wrote it, or another database",
                )
            )

    async def close(self) -> None:
        """Write what is waiting, and close."""
        if self._thread is not None:
            self.waiting.put(_STOP)
            await asyncio.to_thread(self._thread.join)
            self._thread = None
        if self._reading is not None:
            await self._call(self._reading.close)
            self._reading = None
        self._reader.shutdown(wait=True)

    # -- writing -----------------------------------------------------------------------------------------------

    def commit(self, batch: Batch) -> asyncio.Future[None]:
        """Hand in a batch; the future is done when it is in the database for good, or has a StoreError."""
        assert self._loop is not None
        done: asyncio.Future[None] = self._loop.create_future()
        self.waiting.put((batch, done))
        return done

    async def check(self) -> None:
        """Can the database be written? By the last write's outcome or, where that is old, by a tiny write, never two at a time. Raises StoreError."""
        at, trouble = self._outcome
        if time.monotonic() - at < (FAILED_S if trouble else FRESH_S):
            if trouble:
                raise trouble.with_traceback(None)
            return
        if self._probe is None or self._probe.done():
            self._probe = self.commit(PROBE)
            self._probe.add_done_callback(lambda probe: probe.exception())  # also where nobody has waited for it
        probe = self._probe
        if not (await asyncio.wait([probe], timeout=ANSWER_S))[0]:
            raise failure(self.dialect, TimeoutError(f"no answer within {ANSWER_S:g} s"))
        probe.result()

    def _write_on(self, connection: Connection) -> None:
        going = True
        while going:
            first = self.waiting.get()
            if first is _STOP:
                break
            group = [first]
            with suppress(queue.Empty):
                while len(group) < MOST_AT_ONCE:
                    more = self.waiting.get_nowait()
                    if more is _STOP:
                        going = False
                        break
                    group.append(more)
            connection = self._write_group(connection, group)
        with suppress(*self.dialect.errors):
            connection.close()

    def _write_group(self, connection: Connection, group: Sequence[tuple[Batch, asyncio.Future[None]]]) -> Connection:
        """Write all or, where that fails, each by itself; the connection to go on with."""
        failed: list[StoreError | None]
        try:
            self._write(connection, [batch for batch, _ in group])
            failed = [None] * len(group)
        except self.dialect.errors:
            # One table's trouble is not the others'; and a connection that has broken is made again.
            connection = self._again(connection)
            failed = self._write_each(connection, [batch for batch, _ in group])
        self.groups += 1
        assert self._loop is not None
        with suppress(RuntimeError):  # the loop is gone: nobody waits any more
            self._loop.call_soon_threadsafe(_tell, [done for _, done in group], failed)
        return connection

    def _again(self, connection: Connection) -> Connection:
        """A fresh connection, or the old one where there is none to be had."""
        try:
            fresh = self.dialect.connect()
        except self.dialect.errors:
            return connection
        with suppress(*self.dialect.errors):
            connection.close()
        return fresh

    def _write_each(self, connection: Connection, batches: Sequence[Batch]) -> list[StoreError | None]:
        """Each by itself. What is the database's trouble (locked, full, gone) and no batch's is met once, not by one after another."""
        found: list[StoreError | None] = []
        for batch in batches:
            try:
                self._write(connection, [batch])
            except self.dialect.errors as error:
                found.append(failure(self.dialect, error))
                if isinstance(error, self.dialect.troubles):
                    return found + [found[-1]] * (len(batches) - len(found))
            else:
                found.append(None)
        return found

    def _write(self, connection: Connection, batches: Sequence[Batch]) -> None:
        now = self.newest = max(self.newest, int(time.time()))
        try:
            for batch in batches:
                if batch is PROBE:
                    connection.execute(self._touch, (str(now),))
                    continue
                connection.execute(self._journal, (batch.table, batch.seq, batch.game, batch.body))
                if batch.room is not None:
                    values = (batch.table, now, int(batch.public), batch.phase, batch.room)
                    connection.execute(self._room, values)
                if batch.prune:
                    connection.execute(self._prune, (batch.table, batch.prune, NO_EVENT))
                if batch.hand is not None:
                    number, summary = batch.hand
                    connection.execute(self._hand, (batch.table, batch.game, number, batch.seq, summary))
            connection.commit()
        except self.dialect.errors as error:
            with suppress(*self.dialect.errors):
                connection.rollback()
            if isinstance(error, self.dialect.troubles) or PROBE in batches:
                self._outcome = (time.monotonic(), failure(self.dialect, error))
            raise
        self._outcome = (time.monotonic(), None)
        self.written += sum(batch is not PROBE for batch in batches)

    # -- reading -----------------------------------------------------------------------------------------------

    async def _call(self, function: Callable[[], T]) -> T:
        assert self._loop is not None
        try:
            return await self._loop.run_in_executor(self._reader, function)
        except self.dialect.errors as error:
            raise failure(self.dialect, error) from error

    async def _rows(self, sql: str, values: Sequence[Any]) -> list[Any]:
        return await self._call(partial(self._fetch, self.dialect.sql(sql), values))

    def _fetch(self, sql: str, values: Sequence[Any]) -> list[Any]:
        assert self._reading is not None
        try:
            found: list[Any] = self._reading.execute(sql, values).fetchall()
        except self.dialect.errors:
            self._reading = self._again(self._reading)
            found = self._reading.execute(sql, values).fetchall()
        self._reading.commit()
        return found

    async def load(self, table: str) -> Kept | None:
        """A table with the journal of its present game; None where there is none. Raises StoreError."""
        rooms = await self._rows("SELECT room FROM rooms WHERE id = ? AND phase <> ?", (table, GONE))
        if not rooms:
            return None
        rows = await self._rows(
            "SELECT seq, body FROM journal WHERE id = ? AND game = "
            "(SELECT MAX(game) FROM journal WHERE id = ?) ORDER BY seq",
            (table, table),
        )
        return Kept(bytes(rooms[0][0]), tuple((int(seq), bytes(body)) for seq, body in rows))

    async def journal(self, table: str, game: int) -> list[bytes]:
        """The journal rows of a game, oldest first. Raises StoreError."""
        rows = await self._rows("SELECT body FROM journal WHERE id = ? AND game = ? ORDER BY seq", (table, game))
        return [bytes(body) for (body,) in rows]

    async def journal_upto(self, table: str, game: int, seq: int) -> list[bytes]:
        """The same, up to a row. Raises StoreError."""
        rows = await self._rows(
            "SELECT body FROM journal WHERE id = ? AND game = ? AND seq <= ? ORDER BY seq", (table, game, seq)
        )
        return [bytes(body) for (body,) in rows]

    async def hands(self, table: str) -> list[tuple[int, int, int, bytes]]:
        """The finished hands of a table: game, hand, the journal row that ended it, summary. Raises StoreError."""
        rows = await self._rows("SELECT game, hand, seq, summary FROM hands WHERE id = ? ORDER BY game, hand", (table,))
        return [(int(game), int(hand), int(seq), bytes(summary)) for game, hand, seq, summary in rows]

    async def latest_hands(self, table: str, game: int | None, before: int, most: int) -> list[bytes]:
        """The summaries of at most so many finished hands (of one game) below a number, oldest first. Raises StoreError."""
        low, high = (0, 2**31 - 1) if game is None else (game, game)
        rows = await self._rows(
            "SELECT summary FROM hands WHERE id = ? AND game BETWEEN ? AND ? AND hand < ? "
            "ORDER BY game DESC, hand DESC LIMIT ?",
            (table, low, high, before, most),
        )
        return [bytes(summary) for (summary,) in reversed(rows)]

    async def listed(self, most: int, since: int = 0) -> list[bytes]:
        """The rooms of public tables that play and have changed ``since`` (Unix time), lately changed first. Raises StoreError."""
        rows = await self._rows(
            "SELECT room FROM rooms WHERE public = 1 AND updated >= ? AND phase <> 'broken' ORDER BY updated DESC LIMIT ?",
            (since, most),
        )
        return [bytes(room) for (room,) in rows]

    async def count(self) -> int:
        """How many tables there are. Raises StoreError."""
        return int((await self._rows("SELECT COUNT(*) FROM rooms", ()))[0][0])

    async def old(self, before: int, most: int) -> list[str]:
        """Tables that have not changed since a moment (Unix time in seconds), the oldest first. Raises StoreError."""
        rows = await self._rows("SELECT id FROM rooms WHERE updated < ? ORDER BY updated LIMIT ?", (before, most))
        return [str(id) for (id,) in rows]

    async def forget(self, table: str) -> None:
        """Delete a table, a part of its journal at a time, so that nobody who writes waits long for it. Raises StoreError; then, or
        where the process ends, the table is gone already, and is found among the old ones again. Nobody may be at it."""
        await self._change("UPDATE rooms SET phase = ?, public = 0 WHERE id = ?", (GONE, table))
        part = "DELETE FROM journal WHERE id = ? AND seq < (SELECT MIN(seq) FROM journal WHERE id = ?) + ?"
        while await self._change(part, (table, table, MOST_DELETED)):
            await asyncio.sleep(BREATH_S)
        await self._change("DELETE FROM hands WHERE id = ?", (table,))
        await self._change("DELETE FROM rooms WHERE id = ?", (table,))

    async def _change(self, sql: str, values: Sequence[Any]) -> int:
        """How many rows a statement has changed, for good."""
        return await self._call(partial(self._changed, self.dialect.sql(sql), values))

    def _changed(self, sql: str, values: Sequence[Any]) -> int:
        connection = self._reading
        assert connection is not None
        try:
            rows = int(connection.execute(sql, values).rowcount)
            connection.commit()
        except self.dialect.errors:
            with suppress(*self.dialect.errors):
                connection.rollback()  # or whoever writes would find the database locked
            raise
        return rows


def _tell(futures: Sequence[asyncio.Future[None]], failed: Sequence[StoreError | None]) -> None:
    for future, error in zip(futures, failed, strict=True):
        if future.done():
            continue
        if error is None:
            future.set_result(None)
        else:
            future.set_exception(error)


def failure(dialect: Dialect, error: BaseException) -> StoreError:
    """A driver's error in words."""
    detail = str(error).strip().split("\n")[0][:200]
    return StoreError(
        Text(f"数据库（{dialect.name}）出错：{detail}", f"the database ({dialect.name}) failed: {detail}")
    )
