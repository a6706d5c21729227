"""Runs on a local cluster of two worker processes; prints what came out as JSON. A script: dask's threads stay out of the tests."""

from __future__ import annotations

import json
import logging
import os
import signal
import sys
import types
from typing import Any

import gunzi
from gunzi.apps import lab
from gunzi.apps.lab import cluster


def error_of(address: str, **more: Any) -> list[str]:
    """Both languages of what a run is refused with."""
    try:
        lab.simulate(gunzi.load("yuwang"), hands=3, seed=1, cluster=address, **more)
    except lab.LabError as error:
        return [error.text.zh, error.text.en]
    return []


def only_here(address: str) -> list[str]:
    """What a worker is refused with that cannot import what it is asked."""
    nowhere = types.ModuleType("nowhere")
    exec("def identity(load): return {}", nowhere.__dict__)
    sys.modules["nowhere"] = nowhere
    real, cluster.identity = cluster.identity, nowhere.identity
    try:
        return error_of(address)
    finally:
        cluster.identity = real


def main() -> dict[str, Any]:
    from distributed import LocalCluster

    logging.getLogger("distributed").setLevel(logging.ERROR)
    found: dict[str, Any] = {}
    with LocalCluster(
        n_workers=2, threads_per_worker=1, processes=True, dashboard_address=None, memory_limit=0
    ) as workers:
        address = workers.scheduler_address
        sets = [gunzi.load("yuwang"), gunzi.load("boke")]
        pids = [worker.pid for worker in workers.workers.values()]
        killed: list[int] = []

        def kill_one(done: int, wanted: int) -> None:
            if done >= 80 and not killed:
                killed.append(pids[0])
                os.kill(pids[0], signal.SIGKILL)

        found["killed"] = lab.diff(sets, hands=320, seed=1, cluster=address, progress=kill_one).as_json()
        found["kills"] = len(killed)

        def stop(done: int, wanted: int) -> None:
            if done >= 40:
                raise KeyboardInterrupt

        cut = lab.diff(sets, hands=100_000, seed=1, cluster=address, progress=stop, resume=sys.argv[1])
        found["interrupted"] = [cut.interrupted, cut.done]
        found["resumed"] = lab.diff(sets, hands=160, seed=1, resume=sys.argv[1]).as_json()
        found["sweep"] = lab.sweep(sets[0], "levels.win", hands=20, cluster=address).as_json()
        found["match"] = lab.match(sets[0], "steady", "random", pairs=42, seed=1, cluster=address).as_json()
        reach = sets[0].with_options({"levels.win": "reach"})
        found["same until"] = lab.same_until(sets[0], reach, hands=50, cluster=address).as_json()
        real = cluster.code_hash
        cluster.code_hash = lambda: "another"  # type: ignore[assignment]
        found["other code"] = error_of(address)
        cluster.code_hash = real
        found["no gunzi"] = only_here(address)
    with LocalCluster(n_workers=0, dashboard_address=None) as nobody:
        found["no workers"] = error_of(nobody.scheduler_address)
        gone = nobody.scheduler_address
    cluster.CONNECT_SECONDS = 1  # type: ignore[misc]
    found["unreachable"] = error_of(gone)
    found["no address"] = error_of("nonsense")
    return found


if __name__ == "__main__":
    print(json.dumps(main()))
