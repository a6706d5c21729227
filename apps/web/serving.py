"""Running a server: start, stop on a signal, tables resume when it comes back."""

from __future__ import annotations

import asyncio
import errno
import gc
import logging
import signal
import socket
from collections.abc import Callable
from contextlib import suppress
from importlib import import_module
from time import thread_time
from typing import Any, Final

from aiohttp import web

from gunzi.apps.web.app import make_app
from gunzi.apps.web.configuration import BadConfiguration, Configuration
from gunzi.apps.web.databases import open_store
from gunzi.apps.web.hub import Hub
from gunzi.errors import Text

log: Final = logging.getLogger("gunzi.web")
SILENT_S: Final = 75.0
"""How long a connection may be open without a whole request, before the first and between two; WebSockets have their own heartbeat."""
BESIDE: Final = 100
"""Files that are open beside connections."""
YOUNG_S: Final = 1.0
MIDDLE_S: Final = 60.0
"""How often garbage is looked for among what is new, and among what has lasted a while."""
OLD_S: Final = (60.0, 1_800.0)
PAUSES: Final = 1 / 2_000
"""Ended tables and broken connections are cycles, and go when garbage is looked for among everything. That pause grows with the
number of tables: it takes this share of the time, and comes at least and at most so long after the one before."""


def run(config: Configuration, ready: Callable[[str], None] = lambda address: None) -> None:
    """``serve`` in an event loop of its own: uvloop's where it is installed, which takes less of the processor. Raises StoreError, BadConfiguration."""
    factory: Callable[[], asyncio.AbstractEventLoop] | None = None
    with suppress(ImportError):
        factory = import_module("uvloop").new_event_loop
    with asyncio.Runner(loop_factory=factory) as runner:
        runner.run(serve(config, ready))


async def serve(config: Configuration, ready: Callable[[str], None] = lambda address: None) -> None:
    """Serve until SIGINT or SIGTERM. ``ready`` is told the address when connections are accepted. Raises StoreError, BadConfiguration."""
    allow_files(config.connections)
    hub = Hub(open_store(config.database, config.durability), config)
    await hub.open()
    runner = web.AppRunner(
        make_app(hub), access_log=None, handler_cancellation=False, shutdown_timeout=2, keepalive_timeout=SILENT_S
    )
    stop = asyncio.Event()
    loop = asyncio.get_running_loop()
    for name in (signal.SIGINT, signal.SIGTERM):
        with suppress(NotImplementedError):  # Windows
            loop.add_signal_handler(name, stop.set)
    collector: asyncio.Task[None] | None = None
    try:
        await runner.setup()
        site = web.TCPSite(runner, config.host, config.port, backlog=1024)
        try:
            await site.start()
        except OSError as error:
            raise BadConfiguration(_why_not_listening(config, error)) from None
        collector = asyncio.create_task(collect_garbage())
        ready(address_of(runner, config))
        await stop.wait()
    finally:
        log.info("closing")
        if collector is not None:
            collector.cancel()
        await hub.close()
        await runner.cleanup()


def _why_not_listening(config: Configuration, error: OSError) -> Text:
    """Where the server cannot listen, why, and what to change; systems and event loops say it each in their own words."""
    if isinstance(error, socket.gaierror) or error.errno == errno.EADDRNOTAVAIL:
        why = Text("这台机器没有这个地址，换一个 --host", "this computer has no such address, choose another --host")
    elif error.errno == errno.EADDRINUSE:
        why = Text("端口已经有程序在用，换一个 --port", "another program uses this port, choose another --port")
    elif error.errno in (errno.EACCES, errno.EPERM):
        why = Text(
            "系统不许用这个端口，换一个 1024 以上的 --port",
            "the system does not allow this port, choose a --port above 1023",
        )
    else:
        why = Text(str(error), str(error))
    place = f"{config.host}:{config.port}"
    return Text(f"在 {place} 上开不了：{why.zh}", f"the server cannot listen on {place}: {why.en}")


def allow_files(connections: int) -> None:
    """As many open files as connections are allowed, where the system lets a process have them; else say so."""
    with suppress(ImportError):  # Windows
        resource: Any = import_module("resource")
        soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
        wanted = connections + BESIDE
        if soft == resource.RLIM_INFINITY or soft >= wanted:
            return
        most = wanted if hard == resource.RLIM_INFINITY else min(wanted, hard)
        with suppress(OSError, ValueError):
            resource.setrlimit(resource.RLIMIT_NOFILE, (most, hard))
        soft, _ = resource.getrlimit(resource.RLIMIT_NOFILE)
        if soft < wanted:
            log.warning("this system allows %d open files, so fewer than %d connections", soft, connections)


def address_of(runner: web.AppRunner, config: Configuration) -> str:
    """Where the server can be reached."""
    host, port = next(iter(runner.addresses), (config.host, config.port))[:2]
    shown = "127.0.0.1" if host == "0.0.0.0" else f"[{host}]" if ":" in str(host) else host
    return f"http://{shown}:{port}"


async def collect_garbage() -> None:
    """Look for garbage at set times instead of whenever many objects have been made."""
    gc.collect()
    gc.freeze()
    gc.disable()
    loop = asyncio.get_running_loop()
    middle, old = loop.time() + MIDDLE_S, loop.time() + OLD_S[0]
    try:
        while True:
            await asyncio.sleep(YOUNG_S)
            now = loop.time()
            if now >= old:
                began = thread_time()  # what others on the machine take is no part of it
                gc.collect(2)
                pause = thread_time() - began
                middle, old = now + MIDDLE_S, now + min(max(OLD_S[0], pause / PAUSES), OLD_S[1])
            elif now >= middle:
                gc.collect(1)
                middle = now + MIDDLE_S
            else:
                gc.collect(0)
    finally:
        gc.enable()
