"""Does a server's memory stay flat over hours of what people do? Tables begin and end, people come, go, vote and lose the line.

    python benchmarks/soak.py --minutes 5
    python benchmarks/soak.py --minutes 120 --tables 60

It starts ``gunzi serve`` on loopback with a fresh SQLite file. At every table one person plays by the server's suggestions, three
bots sit with it and a spectator looks on for a while; the connection breaks now and then, acts are taken back, the game is played
again, then the table is left and another is opened under other rules. Resident memory is sampled all the while: the median of the last
quarter may exceed that of the second one by a twentieth at most. Exits with 1 where it does, or where anything went wrong.
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import json
import random
import statistics
import sys
import tempfile
import time
import urllib.request
from collections import Counter
from pathlib import Path
from typing import Any

import aiohttp
from load import cpu_seconds, resident_kb, server_at

import gunzi
from gunzi.apps.lab.neighbours import neighbours
from gunzi.apps.web.client import Client, Left, Rejected, create
from gunzi.errors import GunziError

Json = dict[str, Any]
PRESETS = ("boke", "zixun", "chayuan", "yuwang", "baike", "dalian")
CHANGES = 2
"""House rules that change one option of a preset, for each. A rule set once met stays in memory (some 0.3 MB, 256 of them at most)."""
SETTINGS = {"deal_ms": 5, "window_ms": 100, "between_ms": 2_000, "rounds": 0, "hands": 2, "public": True}
SAMPLES = 120
GROWTH = 0.05
"""What the memory may grow by between the second quarter and the last one."""
PATIENCE_S = 120.0
"""A person who is not asked anything for so long has met a table that stands still."""
SHARED = ("--bot-delay", "10", "--idle-minutes", "1")


class People:
    """Everybody who plays: what they have done (``counts``) and what went wrong (``wrong``)."""

    def __init__(self, server: str, session: aiohttp.ClientSession, until: float, seed: int) -> None:
        self.server, self.session, self.until = server, session, until
        self.dice = random.Random(seed)
        self.rules: list[tuple[str, Json]] = []
        for preset in PRESETS:
            near = self.dice.sample(neighbours(gunzi.load(preset))[0], CHANGES)
            self.rules += [(preset, {}), *((preset, {each.option: each.value}) for each in near)]
        self.counts: Counter[str] = Counter()
        self.wrong: list[str] = []

    def on(self) -> bool:
        """Is there time left?"""
        return time.monotonic() < self.until

    async def keep_a_table(self) -> None:
        """One table after another, as long as there is time."""
        while self.on():
            try:
                await self._table()
            except (GunziError, OSError, TimeoutError, aiohttp.ClientError) as error:
                self.wrong.append(f"{type(error).__name__}: {error}")
                await asyncio.sleep(1)

    async def _table(self) -> None:
        preset, changes = self.dice.choice(self.rules)
        made = await create(self.server, player="老李", rules=preset, set=changes, settings=SETTINGS)
        self.counts["tables"] += 1
        async with Client(self.server, made["table"], token=made["token"], session=self.session) as me:
            await me.request("sit", seat=self.dice.randrange(4))
            await me.request("fill")
            watching = asyncio.create_task(self._watch(made))
            try:
                for _ in range(2):
                    await me.request("start")
                    await self._game(me)
                    if not self.on():
                        break
                    await me.request("rematch")
                    self.counts["rematches"] += 1
            finally:
                watching.cancel()
                with contextlib.suppress(asyncio.CancelledError):
                    await watching
            if self.on():
                await me.request("leave")

    async def _game(self, me: Client) -> None:
        asks = me.asks()
        while self.on():
            try:
                ask = await asyncio.wait_for(anext(asks), PATIENCE_S)
            except StopAsyncIteration:
                if me.state["room"]["phase"] == "broken":
                    self.wrong.append(f"a table broke: {me.state['room']['error']}")
                self.counts["games"] += 1
                return
            chance = self.dice.random()
            try:
                if ask["kind"] == "between":
                    self.counts["hands"] += 1
                    await me.request("next")
                elif ask["kind"] != "deal":
                    await me.answer(ask, (await me.request("suggest"))["act"])
                    self.counts["acts"] += 1
                    if chance < 0.03:
                        await me.request("take_back")
                        self.counts["taken back"] += 1
                if 0.03 < chance < 0.05:
                    await me.drop()
                    self.counts["lines broken"] += 1
            except Rejected as no:
                if no.code not in ("stale", "nothing", "open", "phase", "turn", "off"):
                    self.wrong.append(f"{ask['kind']}: {no.code} {no}")

    async def _watch(self, made: Json) -> None:
        while True:
            with contextlib.suppress(Rejected, Left):
                async with Client(self.server, made["table"], invite=made["invite"], name="看客", session=self.session):
                    self.counts["spectators"] += 1
                    await asyncio.sleep(self.dice.uniform(1, 10))
            await asyncio.sleep(self.dice.uniform(1, 10))


async def played(server: str, tables: int, seconds: float, seed: int) -> People:
    """People at so many tables, for so long."""
    async with aiohttp.ClientSession(connector=aiohttp.TCPConnector(limit=0)) as session:
        people = People(server, session, time.monotonic() + seconds, seed)
        keeping = []
        for _ in range(tables):
            keeping.append(asyncio.create_task(people.keep_a_table()))
            await asyncio.sleep(min(0.2, seconds / 10 / tables))
        await asyncio.gather(*keeping)
        return people


async def sampled(pid: int, seconds: float) -> list[int]:
    """Resident memory in kB, in equal steps; every tenth is told on standard error."""
    found = []
    for number in range(1, SAMPLES + 1):
        await asyncio.sleep(seconds / SAMPLES)
        found.append(resident_kb(pid))
        if number % (SAMPLES // 12) == 0:
            print(f"{number * seconds / SAMPLES / 60:6.1f} min {found[-1] / 1024:8.1f} MB", file=sys.stderr, flush=True)
    return found


async def both(server: str, pid: int, tables: int, seconds: float, seed: int) -> tuple[People, list[int]]:
    """People play while the memory is watched."""
    return await asyncio.gather(played(server, tables, seconds, seed), sampled(pid, seconds))


def open_files(pid: int) -> int:
    """Files and sockets that a process has open."""
    return len(list(Path(f"/proc/{pid}/fd").iterdir()))


def main() -> int:
    """Soak and print the figures; 1 where the memory is not flat or anything went wrong."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--minutes", type=float, default=5.0)
    parser.add_argument("--tables", type=int, default=30, help="tables at a time")
    parser.add_argument("--seed", type=int, default=1)
    args = parser.parse_args()
    seconds = args.minutes * 60
    with tempfile.TemporaryDirectory() as folder, server_at(Path(folder), list(SHARED)) as (server, pid):
        files, cpu = open_files(pid), cpu_seconds(pid)
        people, samples = asyncio.run(both(server, pid, args.tables, seconds, args.seed))
        used = cpu_seconds(pid) - cpu
        with urllib.request.urlopen(f"{server}/metrics") as answer:
            metrics = dict(line.split() for line in answer.read().decode().splitlines() if not line.startswith("#"))
        files = open_files(pid) - files
    quarters = [statistics.median(samples[k * SAMPLES // 4 : (k + 1) * SAMPLES // 4]) / 1024 for k in range(4)]
    growth = quarters[3] / quarters[1] - 1
    flat = growth <= GROWTH
    print(
        json.dumps(
            {
                "minutes": args.minutes,
                "tables": args.tables,
                **people.counts,
                "server_core_percent": round(used / seconds * 100, 1),
                "memory_mb": [round(samples[k] / 1024, 1) for k in range(0, SAMPLES, SAMPLES // 12)],
                "quarters_mb": [round(each, 1) for each in quarters],
                "growth_percent": round(growth * 100, 2),
                "flat": flat,
                "files_left_open": files,
                "metrics": metrics,
                "wrong": people.wrong[:20],
            },
            indent=1,
            ensure_ascii=False,
        )
    )
    return 0 if flat and not people.wrong and people.counts["hands"] else 1


if __name__ == "__main__":
    sys.exit(main())
