"""The databases there are: SQLite in a file, PostgreSQL behind an address."""

from __future__ import annotations

import sqlite3
from functools import partial
from importlib import import_module
from typing import Any, Final

from gunzi.apps.extras import install_command
from gunzi.apps.web.store import Connection, Dialect, Store, StoreError
from gunzi.errors import Text

POSTGRES: Final = ("postgresql://", "postgres://")


def open_store(database: str, durability: str = "full") -> Store:
    """The store of an address: ``postgresql://…``, else a file. ``durability`` (SQLite): ``full`` survives a power cut,
    ``normal`` only the end of the process. Raises StoreError where a driver is missing; ``Store.open`` says the rest."""
    if database.startswith(POSTGRES):
        return Store(_postgres(database))
    return Store(_sqlite(database, durability))


def _sqlite(path: str, durability: str) -> Dialect:
    return Dialect(
        f"SQLite, {path}",
        partial(_open_file, path, durability),
        "?",
        "BLOB",
        " WITHOUT ROWID",
        (sqlite3.Error, OSError),
        (sqlite3.OperationalError, OSError),
    )


def _open_file(path: str, durability: str) -> Connection:
    connection = sqlite3.connect(path, timeout=10, check_same_thread=False)
    try:
        connection.execute("PRAGMA journal_mode = WAL")
        connection.execute(f"PRAGMA synchronous = {'FULL' if durability == 'full' else 'NORMAL'}")
        connection.execute("PRAGMA foreign_keys = ON")
    except BaseException:
        connection.close()
        raise
    return connection


def _postgres(address: str) -> Dialect:
    try:
        psycopg = import_module("psycopg")
    except ImportError:
        command = install_command("postgres")
        raise StoreError(
            Text(
                f"用 PostgreSQL 要装 gunzi[postgres]：{command}",
                f"PostgreSQL needs gunzi[postgres]: {command}",
            )
        ) from None
    connect: Any = partial(psycopg.connect, address)
    return Dialect(
        "PostgreSQL", connect, "%s", "BYTEA", "", (psycopg.Error, OSError), (psycopg.OperationalError, OSError)
    )
