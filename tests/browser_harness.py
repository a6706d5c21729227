"""Chromium before a server that runs by itself: what the tests of the web table's pages have in common."""

from __future__ import annotations

import json
import os
import shutil
import signal
import socket
import subprocess
import sys
import threading
import time
import urllib.request
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

WEB = Path(__file__).resolve().parent / "web"
FLAGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--disable-background-timer-throttling",
    "--disable-backgrounding-occluded-windows",
    "--disable-renderer-backgrounding",
]
FAST = {
    "deal_ms": 1,
    "window_ms": 300,
    "think_ms": 0,
    "bury_ms": 0,
    "kings_ms": 0,
    "between_ms": 0,
    "hands": 1,
    "rounds": 0,
    "counting": True,
}
"""Settings of a table at which nobody waits but for people."""


def chromium() -> str | None:
    """The browser, where there is one."""
    given = os.environ.get("GUNZI_CHROMIUM")
    return given or next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)


class Server:
    """``gunzi serve`` in a process of its own, which can be killed and started again at the same port. ``first``: what the
    process does before it serves; ``pace``: how long bots take, in per cent of the usual."""

    def __init__(self, folder: Path, first: str = "", pace: int = 0) -> None:
        self.folder = folder
        self.first = first
        self.pace = pace
        self.port = 0
        self.process: subprocess.Popen[str] | None = None

    def start(self) -> None:
        """Start it and wait until it listens."""
        command = [
            sys.executable,
            "-c",
            f"{self.first}\nimport gunzi.apps.cli as c; raise SystemExit(c.main())",
            "serve",
            "--lang",
            "en",
            "--port",
            str(self.port),
        ]
        command += ["--database", str(self.folder / "tables.db"), "--bot-delay", str(self.pace), "--log-level", "error"]
        command += ["--frames-per-second", "1000", "--requests-per-second", "10000", "--tables-per-hour", "10000"]
        self.process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
        assert self.process.stdout is not None
        said = self.process.stdout.readline()
        self.port = int(said.split("127.0.0.1:")[1].split("/")[0])

    def kill(self) -> None:
        """``kill -9``."""
        self._end(signal.SIGKILL)

    def stop(self) -> None:
        """Ctrl-C."""
        self._end(signal.SIGINT)

    def _end(self, how: signal.Signals) -> None:
        assert self.process is not None and self.process.stdout is not None
        self.process.send_signal(how)
        self.process.wait(30)
        self.process.stdout.close()
        self.process = None

    @property
    def address(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def open_table(self, **asked: Any) -> dict[str, Any]:
        """A new table: its id, its invitation, and who its host is."""
        body = {"player": "host", "name": "T", **asked, "settings": {**FAST, **asked.get("settings", {})}}
        found: dict[str, Any] = json.loads(self.ask("tables", body))
        return found

    def ask(self, path: str, body: Any = None, token: str = "") -> bytes:
        """A request to the REST side."""
        data = None if body is None else json.dumps(body).encode()
        headers = {"Content-Type": "application/json", **({"Authorization": f"Bearer {token}"} if token else {})}
        with urllib.request.urlopen(
            urllib.request.Request(f"{self.address}/api/{path}", data, headers), timeout=60
        ) as answer:
            read: bytes = answer.read()
            return read


class Line:
    """A network between a browser and the server that can be cut."""

    def __init__(self, server: Server) -> None:
        self.server = server
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.port = self.listener.getsockname()[1]
        self.whole = True
        self.pairs: list[socket.socket] = []
        threading.Thread(target=self._accept, daemon=True).start()

    def _accept(self) -> None:
        with suppress(OSError):
            while True:
                caller, _ = self.listener.accept()
                if not self.whole:
                    caller.close()
                    continue
                try:
                    called = socket.create_connection(("127.0.0.1", self.server.port))
                except OSError:
                    caller.close()
                    continue
                self.pairs += [caller, called]
                for one, other in ((caller, called), (called, caller)):
                    threading.Thread(target=_pass_on, args=(one, other), daemon=True).start()

    def cut(self) -> None:
        """Nothing goes through any more."""
        self.whole = False
        for each in self.pairs:
            with suppress(OSError):
                each.shutdown(socket.SHUT_RDWR)
            each.close()
        self.pairs.clear()

    def mend(self) -> None:
        """There is a network again."""
        self.whole = True

    def close(self) -> None:
        self.cut()
        self.listener.close()


def _pass_on(one: socket.socket, other: socket.socket) -> None:
    with suppress(OSError):
        while data := one.recv(65_536):
            other.sendall(data)
    with suppress(OSError):
        other.shutdown(socket.SHUT_RDWR)


def until(true: Callable[[], Any], what: str, seconds: float = 90) -> Any:
    """Wait until something holds; hanging fails with what was waited for."""
    end = time.monotonic() + seconds
    while not (found := true()):
        assert time.monotonic() < end, f"waited in vain for {what}"
        time.sleep(0.1)
    return found
