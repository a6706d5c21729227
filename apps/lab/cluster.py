"""Blocks played on dask.distributed: the extra ``gunzi[cluster]``.

Every worker must have the same gunzi and the same plugins as here: a result would otherwise depend on where it came from.
That is asked of all of them before the first block, and again by each block: workers may come later. A worker that is lost
costs its block, which dask gives to another one.
"""

from __future__ import annotations

import asyncio
import hashlib
import pickle
import time
from collections.abc import Callable, Mapping
from concurrent.futures import CancelledError, ThreadPoolExecutor
from functools import cache
from importlib.resources import files
from queue import Empty, SimpleQueue
from threading import Lock
from types import SimpleNamespace
from typing import Any, Final, Generic, TypeVar

import gunzi
from gunzi.apps.extras import install_command
from gunzi.apps.lab.blocks import Bench, Span
from gunzi.apps.lab.errors import LabError
from gunzi.apps.lab.workers import MakeBench, Ticked
from gunzi.errors import GunziError, Text
from gunzi.ruleset import RuleSet

P = TypeVar("P")
CONNECT_SECONDS: Final = 10
"""The scheduler must answer within this."""
WORKERLESS_SECONDS: Final = 60
"""The run ends when there has been no worker for so long."""
LOOK_SECONDS: Final = 5
NAMES: Final = {"gunzi": Text("gunzi 版本", "gunzi"), "code": Text("gunzi 的代码", "gunzi's code")}
BLOCKS_A_THREAD: Final = 2
"""So many blocks for each of the workers' threads are handed out: one in work, the others wait on the spot."""


class Cluster(Generic[P]):
    """The workers of a cluster. Raises LabError where it cannot be reached, has no workers, or these are not as we are."""

    def __init__(self, address: str, make: MakeBench[P], shared: tuple[object, ...], ticked: Ticked) -> None:
        self._dask = _distributed()
        self.address = address
        self.ticked = ticked
        self._given: dict[str, tuple[Any, Span]] = {}
        self._done: SimpleQueue[str] = SimpleQueue()
        self._threads = (0, 0.0)
        self._client = self._connect()
        try:
            # It goes with every block: what is put on workers once goes with them when they are lost.
            self._load = pickle.dumps((make, shared))
            self._expected = identity(self._load)
            self._check(self._load)
        except BaseException:
            self._client.close(timeout=2)
            raise

    def _connect(self) -> Any:
        try:
            # A client that finds nobody would go on looking: see first whether there is anybody.
            with ThreadPoolExecutor(1) as apart:
                apart.submit(asyncio.run, self._dask.answers(self.address)).result()
            return self._dask.Client(self.address, timeout=CONNECT_SECONDS, set_as_default=False)
        except (OSError, ValueError, self._dask.CommClosedError) as error:
            why = str(error) or type(error).__name__
            raise LabError(
                Text(
                    f"{self.address} 那里没有 dask 调度器应答（等了 {CONNECT_SECONDS} 秒）：{why}。"
                    "先在那里运行 dask scheduler，地址写成 tcp://主机:8786",
                    f"no dask scheduler answers at {self.address} within {CONNECT_SECONDS} s: {why}. "
                    "Run `dask scheduler` there; addresses are written tcp://HOST:8786",
                )
            ) from None

    def _check(self, load: bytes) -> None:
        """Are all workers as we are?"""
        if not self._workers():
            raise self._nobody(0)
        for worker, found in sorted(self._client.run(identity, load, on_error="return").items()):
            if isinstance(found, Exception):
                told = _last_line(found)
                raise LabError(
                    Text(
                        f"{worker} 上用不了 gunzi（{told}）：要装和这里一样的版本，gunzi {gunzi.__version__}",
                        f"the worker {worker} cannot use gunzi ({told}): it needs the same as here, gunzi {gunzi.__version__}",
                    )
                )
            mismatch = unlike(self._expected, found, worker)
            if mismatch is not None:
                raise mismatch

    def _workers(self) -> int:
        """How many threads the workers have in all; asked now and then."""
        count, when = self._threads
        if not count or time.monotonic() - when > LOOK_SECONDS:
            count = sum(self._client.nthreads().values())
            self._threads = (count, time.monotonic())
        return count

    @property
    def room(self) -> int:
        """Blocks handed out at a time: it grows and shrinks with the cluster."""
        return max(2, BLOCKS_A_THREAD * self._workers())

    def give(self, span: Span) -> None:
        """A block to play."""
        future = self._client.submit(play, self._load, self._expected, *span, pure=False)
        self._given[future.key] = (future, span)
        future.add_done_callback(lambda done: self._done.put(done.key))

    def take(self) -> tuple[Span, P]:
        """Wait for a block. Raises LabError where the cluster is gone."""
        alone = time.monotonic()
        while True:
            try:
                future, span = self._given.pop(self._done.get(timeout=LOOK_SECONDS))
            except Empty:
                self._threads = (0, 0.0)
                if self._client.status == "running" and self._workers():
                    alone = time.monotonic()
                elif time.monotonic() - alone > WORKERLESS_SECONDS:
                    raise self._nobody(WORKERLESS_SECONDS) from None
                continue
            return span, self._result(future, span)

    def _result(self, future: Any, span: Span) -> P:
        try:
            part: P = future.result()
        except self._dask.KilledWorker:
            raise LabError(
                Text(
                    f"打第 {span[0] + 1} 到第 {span[1]} 个时死了好几个 worker，后面的没打完；会不会是内存不够？",
                    f"several workers died over numbers {span[0] + 1} to {span[1]}; the rest was not played. Is there enough memory?",
                )
            ) from None
        except (CancelledError, self._dask.CommClosedError):
            raise self._gone() from None
        return part

    def _gone(self) -> LabError:
        return LabError(
            Text(
                f"{self.address} 的 dask 调度器断开了，后面的没打完",
                f"the dask scheduler at {self.address} is gone; the rest was not played",
            )
        )

    def _nobody(self, seconds: int) -> LabError:
        waited = (Text(f"等了 {seconds} 秒，", ""), Text("", f" for {seconds} s"))
        zh, en = (waited[0].zh, waited[1].en) if seconds else ("", "")
        return LabError(
            Text(
                f"{zh}{self.address} 的 dask 调度器下面一个 worker 也没有：运行 dask worker {self.address}",
                f"the dask scheduler at {self.address} has had no workers{en}: run `dask worker {self.address}`",
            )
        )

    def close(self, at_once: bool) -> None:
        """Cancel what is outstanding and leave."""
        if self._given:
            self._client.cancel([future for future, _ in self._given.values()], force=True)
            self._given.clear()
        self._client.close(timeout=5)


@cache
def _distributed() -> Any:
    """dask.distributed, with the errors it raises at hand. Raises LabError where it is not installed."""
    try:
        import distributed
        from distributed.comm.core import CommClosedError, connect
    except ImportError:
        command = install_command("cluster")
        raise LabError(
            Text(
                f"--cluster 要用 dask.distributed：{command}",
                f"--cluster needs dask.distributed: {command}",
            )
        ) from None

    async def answers(address: str) -> None:
        comm: Any = await connect(address, timeout=CONNECT_SECONDS)  # type: ignore[no-untyped-call]
        await comm.close()

    return SimpleNamespace(
        Client=distributed.Client,
        KilledWorker=distributed.KilledWorker,
        CommClosedError=CommClosedError,
        answers=answers,
    )


# -- on both sides ---------------------------------------------------------------------------------------------


@cache
def code_hash() -> str:
    """A hash of gunzi's own code and data as installed here: the same version may be in the middle of being changed."""
    found = hashlib.sha256()
    for path, content in sorted(_code(files("gunzi"), "")):
        found.update(f"{path}\0{len(content)}\0".encode())
        found.update(content)
    return found.hexdigest()[:16]


def _code(folder: Any, name: str) -> list[tuple[str, bytes]]:
    found = []
    for each in folder.iterdir():
        path = f"{name}/{each.name}"
        if each.is_dir():
            if each.name not in ("__pycache__", "cli", "book", "kit"):
                found += _code(each, path)
        elif each.name.endswith((".py", ".yaml")):
            found.append((path, each.read_bytes()))
    return found


def identity(load: bytes) -> dict[str, str]:
    """What must be the same on every worker: gunzi, its code, and the rule sets as this process resolves them."""
    _, shared = pickle.loads(load)
    rules: dict[str, str] = {}
    _hashes(shared, rules)
    return {"gunzi": gunzi.__version__, "code": code_hash(), **rules}


def _hashes(value: object, found: dict[str, str]) -> None:
    if isinstance(value, RuleSet):
        told = ", ".join(f"{name} {version}" for name, version in value.plugins.items() if version != gunzi.__version__)
        found[value.id] = value.hash + (f" ({told})" if told else "")
    elif isinstance(value, tuple | list):
        for each in value:
            _hashes(each, found)


def unlike(here: Mapping[str, str], there: Mapping[str, str], worker: str) -> LabError | None:
    """Why a worker's results would not be ours; None: they are."""
    apart = [name for name in dict.fromkeys((*here, *there)) if here.get(name) != there.get(name)]
    if not apart:
        return None
    told = [(NAMES.get(name, Text(name, name)), f"{there.get(name, '–')} ≠ {here.get(name, '–')}") for name in apart]
    zh = "；".join(f"{name.zh} {values}" for name, values in told)
    en = "; ".join(f"{name.en} {values}" for name, values in told)
    return LabError(
        Text(
            f"{worker} 上的 gunzi 或插件和这里的不一样（那里 ≠ 这里）：{zh}",
            f"the worker {worker} has another gunzi or other plugins than this machine (there ≠ here): {en}",
        )
    )


# -- on the worker ---------------------------------------------------------------------------------------------

_bench: tuple[bytes, Bench[Any]] | None = None
_one_at_a_time = Lock()


def play(load: bytes, expected: Mapping[str, str], first: int, end: int) -> Any:
    """A block, on a worker. One at a time in a process: a bench belongs to one thread."""
    global _bench
    with _one_at_a_time:
        if _bench is None or _bench[0] != load:
            mismatch = unlike(expected, identity(load), _worker_name())
            if mismatch is not None:
                raise mismatch
            make: Callable[..., Bench[Any]]
            make, shared = pickle.loads(load)
            _bench = load, make(*shared)
        return _bench[1].block(first, end, _nobody_listens)


def _nobody_listens(done: int, /) -> None:
    pass


def _worker_name() -> str:
    from distributed import get_worker

    return str(get_worker().address)


def _last_line(error: Exception) -> str:
    if isinstance(error, GunziError):
        return error.text.en
    return f"{type(error).__name__}: {error}".strip().splitlines()[-1]
