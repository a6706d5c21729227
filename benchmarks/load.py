"""How many tables one server process carries: a bounded load from processes of its own, and what the server took for it.

    python benchmarks/load.py --tables 1000 --seconds 60

It starts ``gunzi serve`` on loopback with a fresh SQLite file (``full``: every play is on the disk before anybody hears of it),
seats four connections at each table and has each table make one play every ``--pace`` seconds. Printed: the time from a play's
being sent to its being heard by all four seats, the server's share of a core, its memory a socket, and the longest stall.
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import json
import multiprocessing
import os
import random
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import aiohttp
import orjson

Json = dict[str, Any]
SETTINGS = {"deal_ms": 25, "window_ms": 300, "think_ms": 0, "bury_ms": 0, "kings_ms": 0, "between_ms": 0, "rounds": 0}
MOST_TABLES = 5_000
PATIENCE_S = 900.0
SAMPLE_S = 30.0
OPENING_S = 0.06
"""Between one table's opening and the next one's, in each process."""


class Table:
    """A table of the load: four sockets, one play every so often."""

    def __init__(self, load: Load, number: int) -> None:
        self.load = load
        self.number = number
        self.sockets: list[aiohttp.ClientWebSocketResponse] = []
        self.sent: dict[int, float] = {}
        self.heard: dict[int, int] = {}
        self.next_play = 0.0
        self.ids = 0
        self.pending: Json = {}

    async def open(self) -> None:
        session, server = self.load.session, self.load.server
        asked = {"player": "a", "rules": "yuwang", "set": {"follow.shapes": "loose"}, "settings": SETTINGS}
        async with session.post(f"{server}/api/tables", json=asked) as response:
            made = await response.json()
        async with session.get(f"{server}/api/tables/{made['table']}") as response:
            rules = (await response.json())["rules"]["hash"]
        for seat in range(4):
            ws = await session.ws_connect(f"{server}/ws".replace("http", "ws", 1), compress=0, max_msg_size=0)
            self.sockets.append(ws)
            hello = {"v": 1, "table": made["table"], "invite": made["invite"], "name": f"p{seat}"}
            if seat == 0:
                hello["token"] = made["token"]
            await self.send(seat, "hello", **hello)
            self.load.tasks.append(asyncio.create_task(self.listen(seat, ws)))
            await self.send(seat, "sit", seat=seat)
            await self.send(seat, "ready", on=True, rules=rules)
        await asyncio.sleep(0.3)
        await self.send(0, "start")

    async def send(self, who: int, t: str, **keys: Any) -> None:
        self.ids += 1
        frame = {"t": t, "id": f"{self.number}.{self.ids}", **keys}
        with contextlib.suppress(ConnectionError):  # the load is over
            await self.sockets[who].send_str(orjson.dumps(frame).decode())

    async def listen(self, seat: int, ws: aiohttp.ClientWebSocketResponse) -> None:
        async for message in ws:
            now = time.perf_counter()
            self.load.frames += 1
            frame = orjson.loads(message.data)
            if frame["t"] == "error" and frame["code"] == "not_ready":
                await asyncio.sleep(0.2)
                await self.send(0, "start")
            elif frame["t"] == "error" and frame["code"] not in ("stale", "commitment", "phase"):
                self.load.errors[frame["code"]] = self.load.errors.get(frame["code"], 0) + 1
                if frame["code"] == "refused":
                    await self.send(seat, "suggest")
            elif frame["t"] == "ok" and "act" in frame:
                await self.send(seat, "act", q=self.pending["q"], act=frame["act"])
            elif frame["t"] in ("events", "state"):
                await self.take(seat, frame, now)

    async def take(self, seat: int, frame: Json, now: float) -> None:
        for event in frame.get("view") or ():
            if event["e"] == "play":
                self.arrived(event["n"], now)
        fair = frame.get("fair")
        if fair and fair["wanted"]:
            await self.send(seat, "contribute", hash=fair["hash"], value=os.urandom(32).hex())
        ask = frame.get("ask")
        if not ask or not ask["mine"]:
            return
        if ask["kind"] == "between" and not ask.get("passed"):
            await self.send(seat, "next", q=ask["q"])
        elif ask["kind"] in ("lead", "follow"):
            asyncio.get_running_loop().call_later(max(0.0, self.next_play - now), self.play, seat, ask)
        elif ask["kind"] == "bury_kings":
            await self.send(seat, "act", q=ask["q"], act={"act": "pass"})
        elif ask["kind"] != "deal":
            self.pending = ask
            await self.send(seat, "suggest")

    def play(self, seat: int, ask: Json) -> None:
        self.next_play = max(self.next_play + self.load.pace, time.perf_counter() + self.load.pace / 2)
        card = random.choice(ask["lit"])
        self.sent[ask["q"]] = time.perf_counter()
        self.last_q = ask["q"]
        task = asyncio.create_task(self.send(seat, "act", q=ask["q"], act={"act": "play", "cards": [card]}))
        self.load.sending.add(task)
        task.add_done_callback(self.load.sending.discard)

    def arrived(self, n: int, now: float) -> None:
        count = self.heard[n] = self.heard.get(n, 0) + 1
        if count == 4:
            del self.heard[n]
            sent = self.sent.pop(self.last_q, None)
            if sent is not None and self.load.measuring:
                self.load.times.append(now - sent)


class Load:
    """One process's share of the tables."""

    def __init__(self, server: str, pace: float) -> None:
        self.server, self.pace = server, pace
        self.session: aiohttp.ClientSession
        self.tasks: list[asyncio.Task[None]] = []
        self.sending: set[asyncio.Task[None]] = set()
        self.times: list[float] = []
        self.errors: dict[str, int] = {}
        self.frames = 0
        self.measuring = False

    async def run(self, first: int, count: int, settle: float, seconds: float, gate: Any) -> Json:
        connector = aiohttp.TCPConnector(limit=0)
        async with aiohttp.ClientSession(
            connector=connector, timeout=aiohttp.ClientTimeout(total=None)
        ) as self.session:
            opening = []
            for place in range(count):  # tables begin one after another, as they do in life
                table = Table(self, first + place)
                table.next_play = time.perf_counter() + random.random() * self.pace
                opening.append(asyncio.create_task(table.open()))
                await asyncio.sleep(OPENING_S)
            await asyncio.gather(*opening)
            await asyncio.to_thread(gate.wait, PATIENCE_S + seconds)
            await asyncio.sleep(settle)
            self.measuring, before = True, self.frames
            await asyncio.sleep(seconds)
            self.measuring = False
            found = {"times": self.times, "errors": self.errors, "frames": self.frames - before}
            await asyncio.to_thread(gate.wait, PATIENCE_S + seconds)
            for task in self.tasks:
                task.cancel()
            return found


def _share(
    server: str, pace: float, first: int, count: int, settle: float, seconds: float, gate: Any, out: Any
) -> None:
    out.put(asyncio.run(Load(server, pace).run(first, count, settle, seconds, gate)))


@contextlib.contextmanager
def server_at(folder: Path, more: list[str]) -> Iterator[tuple[str, int]]:
    """A server process of its own: its address and its process id."""
    command = [
        sys.executable,
        "-c",
        "import sys; from gunzi.apps.cli import main; sys.exit(main())",
        "serve",
        "--port",
        "0",
        "--database",
        str(folder / "load.db"),
        "--lang",
        "en",
    ]
    command += [
        "--connections-per-address",
        "1000000",
        "--requests-per-second",
        "1000000",
        "--tables-per-hour",
        "1000000",
        "--loaded-tables",
        "100000",
        *more,
    ]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    try:
        assert process.stdout is not None
        line = process.stdout.readline()
        yield line.split()[1].rstrip("/"), process.pid
    finally:
        process.terminate()
        process.wait(30)


def cpu_seconds(pid: int) -> float:
    """What a process has used, user and system."""
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def resident_kb(pid: int) -> int:
    """Resident memory."""
    for line in Path(f"/proc/{pid}/status").read_text().splitlines():
        if line.startswith("VmRSS"):
            return int(line.split()[1])
    raise RuntimeError("no VmRSS")


def main() -> None:
    """Run the load and print the figures."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--tables", type=int, default=1000)
    parser.add_argument("--pace", type=float, default=2.0, help="seconds between plays of a table")
    parser.add_argument("--seconds", type=float, default=30.0, help="how long is measured")
    parser.add_argument("--settle", type=float, default=15.0, help="how long is waited before")
    parser.add_argument("--processes", type=int, default=1)
    parser.add_argument("--serve", nargs=argparse.REMAINDER, default=[], help="further flags of gunzi serve, last")
    args = parser.parse_args()
    if not 1 <= args.tables <= MOST_TABLES:
        parser.error(f"--tables is 1 to {MOST_TABLES}")
    with tempfile.TemporaryDirectory() as folder, server_at(Path(folder), args.serve) as (server, pid):
        before = resident_kb(pid)
        gate = multiprocessing.Barrier(args.processes + 1)
        out: multiprocessing.Queue[Any] = multiprocessing.Queue()
        share = args.tables // args.processes
        processes = [
            multiprocessing.Process(
                target=_share,
                args=(server, args.pace, part * share, share, args.settle, args.seconds, gate, out),
                daemon=True,
            )
            for part in range(args.processes)
        ]
        for process in processes:
            process.start()
        gate.wait(PATIENCE_S + args.seconds)
        time.sleep(args.settle)
        cpu, at = cpu_seconds(pid), time.perf_counter()
        samples = [resident_kb(pid)]
        while (left := args.seconds - (time.perf_counter() - at)) > 0:
            time.sleep(min(SAMPLE_S, left))
            samples.append(resident_kb(pid))
        gate.wait(PATIENCE_S + args.seconds)
        used = (cpu_seconds(pid) - cpu) / (time.perf_counter() - at)
        memory = resident_kb(pid) - before
        found = [out.get() for _ in processes]
    times = sorted(each for part in found for each in part["times"])
    sockets = share * args.processes * 4
    frames = sum(part["frames"] for part in found)
    print(
        json.dumps(
            {
                "tables": share * args.processes,
                "sockets": sockets,
                "plays": len(times),
                "plays_per_second": round(len(times) / args.seconds, 1),
                "frames_out_per_second": round(frames / args.seconds),
                "play_to_all_seats_ms": {
                    "p50": round(times[len(times) // 2] * 1000, 1),
                    "p99": round(times[len(times) * 99 // 100] * 1000, 1),
                    "max": round(times[-1] * 1000, 1),
                },
                "server_core_percent": round(used * 100, 1),
                "kb_per_socket": round(memory / sockets, 1),
                "memory_mb": [round(each / 1024, 1) for each in samples],
                "errors": {key: sum(p["errors"].get(key, 0) for p in found) for p in found for key in p["errors"]},
            },
            indent=1,
        )
    )


if __name__ == "__main__":
    main()
