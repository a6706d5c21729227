"""The databases there are: SQLite in a file, PostgreSQL behind an address."""

from __future__ import annotations

import re
import sqlite3
from functools import partial
from importlib import import_module
from typing import Any, Final

from gunzi.apps.extras import install_command
from gunzi.apps.web.store import Connection, Dialect, Store, StoreError
from gunzi.errors import Text

POSTGRES: Final = ("postgresql://", "postgres://")
SCHEME: Final = re.compile("[A-Za-z][A-Za-z0-9+.-]*://")
PORTS: Final = re.compile("[0-9]*(,[0-9]*)*", re.ASCII)


def open_store(database: str, durability: str = "full") -> Store:
    """The store of an address: ``postgresql://…``, else a file. ``durability`` (SQLite): ``full`` survives a power cut,
    ``normal`` only the end of the process. Raises StoreError where a driver is missing and for an address that is none;
    ``Store.open`` says the rest."""
    if database.startswith(POSTGRES):
        return Store(_postgres(database))
    if scheme := SCHEME.match(database):
        raise StoreError(
            Text(
                f"数据库不能写 {scheme[0]}…：写一个 SQLite 文件名，或者 postgresql://…",
                f"there is no database {scheme[0]}…: write the name of an SQLite file, or postgresql://…",
            )
        )
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
    _expect_address(address, psycopg)
    connect: Any = partial(psycopg.connect, address)
    return Dialect(
        "PostgreSQL", connect, "%s", "BYTEA", "", (psycopg.Error, OSError), (psycopg.OperationalError, OSError)
    )


def _expect_address(address: str, psycopg: Any) -> None:
    """Raises StoreError for an address that is none. The driver would say what it cannot read, which may be the password."""
    try:
        parts = import_module("psycopg.conninfo").conninfo_to_dict(address)
    except psycopg.Error:
        parts = None
    if parts is None or not PORTS.fullmatch(str(parts.get("port", ""))):
        raise StoreError(
            Text(
                "PostgreSQL 的地址不对：要写 postgresql://用户:密码@主机:端口/库名，密码里 / @ : % 这样的字符写成 %2F %40 %3A %25，"
                "? 后面只能写 PostgreSQL 认得的参数",
                "the address of the PostgreSQL database is wrong: it is postgresql://user:password@host:port/name, with characters such "
                "as / @ : % in the password written %2F %40 %3A %25, and after a ? only parameters that PostgreSQL knows",
            )
        )
