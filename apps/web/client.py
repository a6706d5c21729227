"""A client for programs: play at a table of a running server, from Python.

    made = await create("http://127.0.0.1:8080", player="bot", rules="yuwang")
    async with Client("http://127.0.0.1:8080", made["table"], token=made["token"]) as me:
        await me.request("sit", seat=0)
        async for ask in me.asks():
            await me.answer(ask, (await me.request("suggest"))["act"])

It keeps ``state`` up to date, connects again when the connection breaks, and sends requests again by the same id, so that
each is done once.
"""

from __future__ import annotations

import asyncio
import contextlib
import itertools
import secrets
from collections.abc import AsyncIterator, Callable
from functools import partial
from types import TracebackType
from typing import Any, Final, Self

import aiohttp
import orjson

from gunzi.apps.web.protocol import VERSION
from gunzi.errors import GunziError, Text

Json = dict[str, Any]
RETRY_S: Final = (0.1, 0.3, 1.0, 2.0)
ASKED: Final = frozenset({"act", "next", "take_back", "early"})
"""Requests that name the question they are about."""
IN_HAND: Final = ("view", "naming", "dealt", "lanes")
BESIDE: Final = ("you", "room", "score", "ask", "clock", "vote", "fair")
LAST: Final = frozenset({"kicked", "replaced", "token", "no_table", "invite", "full", "version"})
"""Why a connection ends for good."""
PASSING: Final = frozenset({"closing", "busy", "server", "rate"})
"""Why a hello is refused that is worth another try."""


class Rejected(GunziError):
    """The server has refused a request. ``code`` is one of the protocol's, ``refused`` the rule that was broken, if one was."""

    def __init__(self, answer: Json) -> None:
        super().__init__(Text(str(answer.get("zh", "")), str(answer.get("en", ""))))
        self.code: str = answer.get("code", "")
        self.refused: Json | None = answer.get("refused")
        self.answer = answer


class Left(GunziError):
    """The connection has ended for good; ``code`` says why: one of the protocol's, ``closed`` (by this side), ``unreachable``, ``failed``."""

    def __init__(self, code: str) -> None:
        super().__init__(Text(f"连接结束了（{code}）", f"the connection has ended ({code})"))
        self.code = code


async def create(server: str, **asked: Any) -> Json:
    """Open a table: ``name``, ``player``, ``rules``, ``set``, ``yaml``, ``settings`` as in ``POST /api/tables``. Raises Rejected."""
    async with aiohttp.ClientSession() as session, session.post(f"{server}/api/tables", json=asked) as response:
        found: Json = await response.json()
        if response.status != 201:
            raise Rejected(found)
        return found


class Client:
    """A member of a table. ``state`` is what the server last said (``hand.view`` and all); ``rev`` its revision.

    ``contribute``: take part in the shuffle with fresh random bytes. ``heard``: called with every frame.
    """

    def __init__(
        self,
        server: str,
        table: str,
        *,
        token: str | None = None,
        invite: str | None = None,
        name: str | None = None,
        contribute: bool = True,
        heard: Callable[[Json], None] | None = None,
        session: aiohttp.ClientSession | None = None,
    ) -> None:
        self.server = server.rstrip("/")
        self.table = table
        self.token = token
        self.invite = invite
        self.name = name
        self.contribute = contribute
        self.heard = heard
        self.member = ""
        self.state: Json = {}
        self.changed = asyncio.Condition()
        self._session, self._own_session = session, session is None
        self._ids = itertools.count(1)
        self._prefix = secrets.token_hex(4)
        self._waiting: dict[str, tuple[Json, asyncio.Future[Json]]] = {}
        self._ws: aiohttp.ClientWebSocketResponse | None = None
        self._task: asyncio.Task[None] | None = None
        self._ready: asyncio.Future[None] | None = None
        self._ended: Left | None = None
        self._waking: asyncio.Task[None] | None = None

    # -- coming and going --------------------------------------------------------------------------------------

    async def __aenter__(self) -> Self:
        await self.connect()
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.close()

    async def connect(self) -> None:
        """Connect and wait for the first state. Raises Rejected, Left."""
        if self._session is None:
            self._session = aiohttp.ClientSession()
        self._ended = None
        self._ready = asyncio.get_running_loop().create_future()
        self._task = asyncio.create_task(self._stay())
        try:
            await self._ready
        except BaseException:
            await self.close()
            raise

    async def close(self) -> None:
        """Go; the seat is kept. Whoever still waits for something of this client is told Left."""
        self._end(Left("closed"))
        if self._task is not None:
            self._task.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await self._task
        if self._ws is not None:
            await self._ws.close()
        if self._own_session and self._session is not None:
            await self._session.close()
            self._session = None

    async def drop(self) -> None:
        """Break the connection, as a bad network does: it is made again."""
        if self._ws is not None:
            await self._ws.close()

    @property
    def rev(self) -> int:
        """The revision of ``state``."""
        return int(self.state.get("rev", 0))

    async def _stay(self) -> None:
        tries = 0
        while self._ended is None:
            try:
                await self._once()
                tries = 0
            except (aiohttp.ClientError, OSError, TimeoutError) as error:
                if tries >= 60:
                    self._end(Left("unreachable"), error)
                    return
            except Rejected as no:
                if no.code not in PASSING:
                    self._end(Left(no.code), no)
                    return
            except Exception as error:
                # What no server of this kind says, or what `heard` has raised: nobody is left waiting.
                self._end(Left("failed"), error)
                return
            await asyncio.sleep(RETRY_S[min(tries, len(RETRY_S) - 1)])
            tries += 1

    def _end(self, left: Left, why: BaseException | None = None) -> None:
        if self._ended is not None:
            return
        self._ended = left
        left.__cause__ = why if why is not left else None
        if self._ready is not None and not self._ready.done():
            self._ready.set_exception(why if isinstance(why, GunziError) else left)
        for _, future in self._waiting.values():
            if not future.done():
                future.set_exception(left)
        self._waiting.clear()
        self._waking = asyncio.get_running_loop().create_task(self._wake())

    async def _once(self) -> None:
        assert self._session is not None
        url = self.server.replace("http", "ws", 1) + "/ws"
        async with self._session.ws_connect(url, max_msg_size=0, autoping=True) as ws:
            hello: Json = {"t": "hello", "id": self._id(), "v": VERSION, "table": self.table}
            for key in ("token", "name", "invite"):
                if getattr(self, key) is not None:
                    hello[key] = getattr(self, key)
            await ws.send_str(orjson.dumps(hello).decode())
            async for message in ws:
                if message.type is not aiohttp.WSMsgType.TEXT:
                    break
                await self._take(ws, orjson.loads(message.data), hello["id"])
        self._ws = None

    # -- frames ------------------------------------------------------------------------------------------------

    async def _take(self, ws: aiohttp.ClientWebSocketResponse, frame: Json, hello: str) -> None:
        if self.heard is not None:
            self.heard(frame)
        kind = frame["t"]
        if kind in ("ok", "error"):
            if frame.get("re") == hello:
                await self._welcome(ws, frame)
            elif (found := self._waiting.pop(frame.get("re") or "", None)) is not None and not found[1].done():
                found[1].set_result(frame)
        elif kind == "state":
            self.state = frame
            if self._ready is not None and not self._ready.done():
                self._ready.set_result(None)
            await self._after()
        elif kind == "events":
            self._merge(frame)
            await self._after()
        elif kind == "bye" and frame["code"] in LAST:
            self._end(Left(frame["code"]))

    async def _welcome(self, ws: aiohttp.ClientWebSocketResponse, frame: Json) -> None:
        if frame["t"] == "error":
            raise Rejected(frame)
        self.member = frame["member"]
        self.token = frame.get("token", self.token)
        self._ws = ws
        for request, _ in list(self._waiting.values()):
            await self._send(request)  # what was not answered before the connection broke; done once all the same

    def _merge(self, frame: Json) -> None:
        state = self.state
        state["rev"] = frame["rev"]
        for key in BESIDE:
            if key in frame:
                state[key] = frame[key]
        if any(key in frame for key in IN_HAND):
            hand = state.get("hand") or {"view": [], "naming": None, "dealt": 0, "lanes": []}
            state["hand"] = hand
            for event in frame.get("view", ()):
                if event["e"] == "hand":
                    hand["view"] = []
                hand["view"].append(event)
            for key in IN_HAND[1:]:
                if key in frame:
                    hand[key] = frame[key]

    async def _after(self) -> None:
        fair = self.state.get("fair")
        if self.contribute and fair and fair["wanted"]:
            fair["wanted"] = False
            frame = {"t": "contribute", "id": self._id(), "hash": fair["hash"], "value": secrets.token_hex(32)}
            await self._send(frame)
        await self._wake()

    async def _wake(self) -> None:
        async with self.changed:
            self.changed.notify_all()

    # -- asking ------------------------------------------------------------------------------------------------

    def _id(self) -> str:
        return f"{self._prefix}.{next(self._ids)}"

    async def _send(self, frame: Json) -> None:
        ws = self._ws
        if ws is not None and not ws.closed:
            with contextlib.suppress(ConnectionError, RuntimeError):
                await ws.send_str(orjson.dumps(frame).decode())

    async def request(self, t: str, *, id: str | None = None, **keys: Any) -> Json:
        """Send a request and wait for its answer, over a broken connection if need be. Raises Rejected, Left.

        What a request is about (``q``, ``vote``, ``seating``, the rules of ``ready``) is, where it is not given, what ``state``
        shows at this moment; sent again over a new connection it still names that, and nothing later.
        """
        if self._ended is not None:
            raise self._ended
        frame = {"t": t, "id": id or self._id(), **self._about(t), **keys}
        future: asyncio.Future[Json] = asyncio.get_running_loop().create_future()
        self._waiting[frame["id"]] = (frame, future)
        await self._send(frame)
        answer = await future
        if answer["t"] == "error":
            raise Rejected(answer)
        return answer

    def _about(self, t: str) -> Json:
        """What a request names of the state, as it is now."""
        if t == "vote":
            return {"vote": (self.state.get("vote") or {"id": 0})["id"]}
        if t == "swap":
            return {"seating": self.state["room"]["seating"]}
        if t == "ready":
            return {"rules": self.state["room"]["rules"]["hash"]}
        return {"q": (self.state.get("ask") or {"q": 0})["q"]} if t in ASKED else {}

    async def sheet(self) -> list[Json]:
        """All finished hands of the running game, oldest first: those of ``state`` and, by REST, the earlier ones. Raises Rejected."""
        assert self._session is not None
        score, game = self.state["score"], self.state["room"]["game"]
        rows: list[Json] = list(score["sheet"])
        url, headers = f"{self.server}/api/tables/{self.table}/hands", {"Authorization": f"Bearer {self.token}"}
        while len(rows) < score["hands"]:
            asked = {"game": game, "before": rows[0]["hand"]}
            async with self._session.get(url, params=asked, headers=headers) as response:
                found = await response.json()
                if response.status != 200:
                    raise Rejected(found)
            if not found:
                break
            rows[:0] = found
        return rows

    async def answer(self, ask: Json, act: Json) -> Json:
        """Answer a question. Raises Rejected, Left."""
        return await self.request("act", q=ask["q"], act=act)

    async def until(self, condition: Callable[[Json], Any]) -> Json:
        """Wait until the state is so. Raises Left."""
        async with self.changed:
            while not condition(self.state):
                if self._ended is not None:
                    raise self._ended
                await self.changed.wait()
            return self.state

    async def asks(self) -> AsyncIterator[Json]:
        """The questions that are mine, each once, until the game is over. Raises Left."""
        told: Any = None
        while True:
            state = await self.until(partial(_news, told=told))
            ask = state["ask"]
            if state["room"]["phase"] in ("over", "broken"):
                return
            told = _key(ask)
            yield ask


def _key(ask: Json) -> Any:
    return (ask["q"], ask["kind"], ask.get("closing"), orjson.dumps(ask.get("acts")))


def _news(state: Json, told: Any) -> bool:
    if state.get("room", {}).get("phase") in ("over", "broken"):
        return True
    ask = state.get("ask")
    return ask is not None and ask["mine"] and _key(ask) != told
