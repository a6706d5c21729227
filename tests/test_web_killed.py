"""A web server that is killed: nothing acknowledged is lost, nothing is applied twice."""

from __future__ import annotations

import asyncio
import os
import signal
import subprocess
import sys
from pathlib import Path

import aiohttp
import pytest
from web_harness import Json, four_at, run, tried

from gunzi.apps.web.client import Client
from gunzi.record import Record
from gunzi.verifying import verify


class Process:
    """``gunzi serve`` in a process of its own."""

    def __init__(self, folder: Path, port: int = 0) -> None:
        command = [
            sys.executable,
            "-c",
            "import sys; from gunzi.apps.cli import main; sys.exit(main())",
            "serve",
            "--lang",
            "en",
        ]
        command += [
            "--port",
            str(port),
            "--database",
            str(folder / "t.db"),
            "--bot-delay",
            "0",
            "--log-level",
            "warning",
        ]
        self.process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
        assert self.process.stdout is not None
        self.address = self.process.stdout.readline().split()[1].rstrip("/")

    @property
    def port(self) -> int:
        return int(self.address.rpartition(":")[2])

    def end(self, how: signal.Signals) -> int:
        self.process.send_signal(how)
        code = self.process.wait(30)
        assert self.process.stdout is not None
        self.process.stdout.close()
        return code


@pytest.mark.skipif(os.name != "posix", reason="kill -9")
def test_kill_9_loses_nothing_acknowledged_and_applies_nothing_twice(tmp_path: Path) -> None:
    async def play() -> None:
        server = Process(tmp_path)
        people = await four_at(server.address, rules="yuwang")
        await people[0].request("start")
        acknowledged: list[tuple[int, Json, Json]] = []
        killed = 0

        async def keep(person: Client) -> None:
            async for ask in person.asks():
                if ask["kind"] == "deal":
                    if ask["closing"] and not ask["passed"]:
                        await tried(person.request("act", act={"act": "pass"}))
                    continue
                act = ask.get("forced") or (await tried(person.request("suggest")) or {}).get("act")
                if act is None:
                    continue
                id = f"{person.member}-{ask['q']}"
                answer = await tried(person.request("act", id=id, q=ask["q"], act=act))
                if answer is not None:
                    acknowledged.append((person.state["you"]["seat"], act, answer))
                    assert await person.request("act", id=id, q=ask["q"], act=act) == answer

        async def kill() -> None:
            nonlocal server, killed
            for plays in (3, 22, 41):
                await people[0].until(lambda state, plays=plays: count(state, "play") >= plays)
                port = server.port
                await asyncio.to_thread(server.end, signal.SIGKILL)
                server = await asyncio.to_thread(Process, tmp_path, port)
                killed += 1

        await asyncio.gather(kill(), *map(keep, people))
        headers = {"Authorization": f"Bearer {people[0].token}"}
        url = f"{server.address}/api/tables/{people[0].table}/record"
        async with aiohttp.ClientSession() as session, session.get(url, headers=headers) as response:
            record = Record.parse(await response.read())
        assert verify(record).hands == 1 and killed == 3
        plays = [(event["seat"], sorted(event["cards"])) for event in record.events if event["e"] == "play"]
        said = [(seat, sorted(act["cards"])) for seat, act, _ in acknowledged if act["act"] == "play"]
        assert sorted(plays) == sorted(said)
        for person in people:
            await person.close()
        assert await asyncio.to_thread(server.end, signal.SIGTERM) == 0

    run(play(), 60)


def count(state: Json, kind: str) -> int:
    """How many events of a kind the hand has had."""
    return sum(event["e"] == kind for event in (state.get("hand") or {}).get("view", ()))
