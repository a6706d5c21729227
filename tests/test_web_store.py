"""The database of the web tables: what is acknowledged is there, one table's failure is not the others', broken connections are made again."""

from __future__ import annotations

import asyncio
import os
import sqlite3
import time
from pathlib import Path
from typing import Any

import pytest
from web_harness import run, serving

from gunzi.apps.web.client import Client, create
from gunzi.apps.web.databases import open_store
from gunzi.apps.web.hub import Age
from gunzi.apps.web.store import Batch, Store, StoreError


def addresses() -> list[Any]:
    """SQLite, and PostgreSQL where the environment names one (its tables are written to)."""
    postgres = os.environ.get("GUNZI_TEST_POSTGRES")
    return ["sqlite", *([postgres] if postgres else [])]


def store_at(address: str, folder: Path) -> Store:
    return open_store(str(folder / "t.db") if address == "sqlite" else address, "full")


@pytest.mark.parametrize("address", addresses())
def test_batches_are_kept_and_fail_one_by_one(address: str, tmp_path: Path) -> None:
    async def play() -> None:
        store = store_at(address, tmp_path)
        await store.open()
        for table in await store.old(2**40, 1_000):
            await store.forget(table)
        batches = [Batch(f"t{n % 3}", n, 1, b"{}", b'{"n":%d}' % n, n % 3 == 0, "lobby", (n, b"[]")) for n in range(30)]
        await asyncio.gather(*map(store.commit, batches))
        assert await store.count() == 3
        twice = [store.commit(Batch("t0", 3, 1, b"{}")), store.commit(Batch("t1", 1_000, 2, b"last"))]
        done = await asyncio.gather(*twice, return_exceptions=True)
        assert isinstance(done[0], StoreError) and done[1] is None
        kept = await store.load("t1")
        assert kept is not None and kept.room == b'{"n":28}' and kept.rows == ((1_000, b"last"),)
        assert await store.journal("t1", 1) == [b"{}"] * 10 and len(await store.hands("t1")) == 10
        assert await store.journal_upto("t1", 1, 10) == [b"{}"] * 4
        assert await store.load("t9") is None and await store.listed(10) == [b'{"n":27}']
        assert sorted(await store.old(2**40, 10)) == ["t0", "t1", "t2"] and len(await store.old(2**40, 2)) == 2
        for table in ("t1", "t2"):
            await store.forget(table)
        assert await store.count() == 1 and await store.journal("t1", 1) == [] == await store.hands("t1")
        await store.close()
        again = store_at(address, tmp_path)
        await again.open()
        assert await again.count() == 1
        await again.close()

    run(play())


def test_a_broken_connection_is_made_again(tmp_path: Path) -> None:
    async def play() -> None:
        store = store_at("sqlite", tmp_path)
        await store.open()
        await store.commit(Batch("t", 1, 1, b"{}", b"{}"))
        assert store._reading is not None
        store._reading.close()
        assert await store.count() == 1
        await store.close()

    run(play())


def test_a_locked_database_is_waited_for_once_and_keeps_what_it_has(tmp_path: Path) -> None:
    async def play() -> None:
        store = store_at("sqlite", tmp_path)
        await store.open()
        await store.commit(Batch("t", 1, 1, b"{}", b"{}"))
        tries: list[Batch] = []
        write = store._write

        def counted(connection: Any, batches: Any) -> None:
            tries.extend(batches)
            connection.execute("PRAGMA busy_timeout = 1")
            write(connection, batches)

        store._write = counted  # type: ignore[method-assign]
        other = sqlite3.connect(tmp_path / "t.db")
        other.execute("BEGIN EXCLUSIVE")
        found = await asyncio.gather(
            *(store.commit(Batch("t", n, 1, b"{}")) for n in range(2, 42)), return_exceptions=True
        )
        assert all(isinstance(each, StoreError) and "locked" in each.text.en for each in found)
        assert len(tries) < 80 + 2  # not each of the forty by itself
        other.rollback()
        other.close()
        await store.commit(Batch("t", 2, 1, b"after"))
        assert (await store.journal("t", 1))[1:] == [b"after"]
        await store.close()

    run(play())


def test_a_clock_that_is_wrong_deletes_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    day, now = 86_400, 1_800_000_000

    async def play() -> None:
        monkeypatch.setattr("time.time", lambda: float(now))
        store = store_at("sqlite", tmp_path)
        await store.open()
        age = Age(store.newest)
        await store.commit(Batch("t", 1, 1, b"{}", b"{}"))
        assert age.now() == now
        monkeypatch.setattr("time.time", lambda: float(now + 3_650 * day))  # it jumps ahead
        assert age.now() < now + 60
        monkeypatch.setattr("time.time", lambda: float(now - 3_650 * day))  # or back: what is changed now is not old
        assert age.now() < now
        await store.commit(Batch("t", 2, 1, b"{}", b"{}"))
        assert await store.old(now, 10) == []
        await store.close()
        monkeypatch.setattr("time.time", lambda: float(now + 3_650 * day))  # it is wrong when the server starts
        again = store_at("sqlite", tmp_path)
        await again.open()
        assert Age(again.newest).now() <= now + day + 60
        assert await again.old(now + 1, 10) == ["t"]
        await again.close()

    run(play())


def test_what_cannot_be_opened_says_so(tmp_path: Path) -> None:
    async def opened(address: str) -> None:
        await open_store(address).open()

    with pytest.raises(StoreError) as wrong:
        run(opened(str(tmp_path / "no" / "such" / "t.db")))
    assert "SQLite" in wrong.value.text.zh and str(tmp_path) in wrong.value.text.en
    run(closed(tmp_path / "t.db"))
    with sqlite3.connect(tmp_path / "t.db") as connection:
        connection.execute("UPDATE gunzi SET value = '99'")
    connection.close()
    with pytest.raises(StoreError) as wrong:
        run(opened(str(tmp_path / "t.db")))
    assert "99" in wrong.value.text.en


@pytest.mark.parametrize(
    "address", ["mysql://u:tell-nobody@h/x", "sqlite:///tell-nobody.db", "PostgreSQL+psycopg://u:tell-nobody@h/x"]
)
def test_a_database_that_there_is_none_of_is_no_file(address: str) -> None:
    with pytest.raises(StoreError) as wrong:
        open_store(address)
    for text in (wrong.value.text.zh, wrong.value.text.en):
        assert address.partition("//")[0] in text and "postgresql://" in text and "tell-nobody" not in text


@pytest.mark.parametrize(
    "address",
    [
        "u:tell-nobody@[h/x",
        "u:tell%nobody@h/x",
        "u:tell-nobody@h/x?tell-nobody=1",
        "u:tell-nobody/x@h/x",
        "u:1/tell-nobody x@:h",
    ],
)
def test_an_address_that_cannot_be_read_is_not_told(address: str) -> None:
    pytest.importorskip("psycopg")

    async def opened() -> None:
        await open_store(f"postgresql://{address}").open()

    with pytest.raises(StoreError) as wrong:
        run(opened())
    for text in (wrong.value.text.zh, wrong.value.text.en):
        assert "%2F" in text and "nobody" not in text


async def closed(path: Path) -> None:
    store = open_store(str(path))
    await store.open()
    await store.close()


def test_a_table_is_deleted_part_by_part_and_whoever_writes_comes_between(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("gunzi.apps.web.store.MOST_DELETED", 10)

    async def play() -> None:
        store = store_at("sqlite", tmp_path)
        await store.open()
        rows = [Batch("old", n, n // 50, b"{}", b"{}", True, "over", (n, b"[]")) for n in range(1, 101)]
        await asyncio.gather(*map(store.commit, rows), store.commit(Batch("new", 1, 1, b"{}", b"{}")))
        forgetting = asyncio.create_task(store.forget("old"))
        while len(await store.journal("old", 0)) == 49:
            await asyncio.sleep(0)
        assert not forgetting.done() and await store.load("old") is None and await store.listed(10) == []
        await store.commit(Batch("new", 2, 1, b"{}"))
        assert not forgetting.done()
        forgetting.cancel()
        with pytest.raises(asyncio.CancelledError):
            await forgetting
        await store.close()
        again = store_at("sqlite", tmp_path)  # the process has ended meanwhile
        await again.open()
        assert "old" in await again.old(2**40, 10) and await again.load("old") is None
        await again.forget("old")
        assert await again.count() == 1 and await again.journal("old", 1) == [] == await again.hands("old")
        await again.close()

    run(play())


def test_what_fails_to_be_deleted_keeps_nobody_from_writing(tmp_path: Path) -> None:
    async def play() -> None:
        store = store_at("sqlite", tmp_path)
        await store.open()
        await store.commit(Batch("t", 1, 1, b"{}", b"{}"))
        other = sqlite3.connect(tmp_path / "t.db")
        other.execute("CREATE TRIGGER broken BEFORE DELETE ON hands BEGIN SELECT RAISE(FAIL, 'disk full'); END")
        other.commit()
        other.close()
        await store.commit(Batch("t", 2, 1, b"{}", b"{}", hand=(1, b"[]")))
        with pytest.raises(StoreError):
            await store.forget("t")
        assert store._reading is not None and not store._reading.in_transaction  # type: ignore[attr-defined]
        await store.close()

    run(play())


def test_only_tables_that_nobody_has_in_hand_are_deleted(tmp_path: Path) -> None:
    async def play() -> None:
        async with serving(tmp_path, keep_days=1) as (server, hub):
            loaded = await create(server, player="甲")
            away = await create(server, player="乙")
            hub.rooms[away["table"]].close("closing")
            await asyncio.wait([hub.tasks[away["table"]]])
            hub.age.now = lambda: int(time.time()) + 3 * 86_400  # type: ignore[method-assign]
            await hub._forget_old()
            assert await hub.store.load(away["table"]) is None and await hub.store.count() == hub._count == 1
            async with Client(server, loaded["table"], token=loaded["token"]) as host:
                assert host.state["you"]["host"]

    run(play())
