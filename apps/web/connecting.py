"""A WebSocket connection: its first frame, its limits, what goes in and out."""

from __future__ import annotations

import asyncio
import hmac
import ipaddress
import logging
from contextlib import suppress
from typing import TYPE_CHECKING, Any, Final
from urllib.parse import urlsplit

from aiohttp import WSCloseCode, WSMsgType, web

from gunzi.apps.web import entering
from gunzi.apps.web.errors import No, Said, bye_frame, error_frame
from gunzi.apps.web.limiting import Bucket
from gunzi.apps.web.people import Member
from gunzi.apps.web.protocol import MAX_FRAME, VERSION
from gunzi.apps.web.requests import BadFrame, read
from gunzi.apps.web.store import StoreError
from gunzi.errors import Text

if TYPE_CHECKING:
    from gunzi.apps.web.hub import Hub
    from gunzi.apps.web.room import Room

log: Final = logging.getLogger("gunzi.web")
HELLO_S: Final = 10.0
"""How long a connection may wait before it says hello."""
HEARTBEAT_S: Final = 25.0
MOST_UNSENT: Final = 512_000
"""Bytes that may wait for a slow client before it is cut off; it comes back and gets the state."""
MOST_BAD: Final = 20
"""Frames that cannot be read before the connection is closed."""
NO_TEXT: Final = Text("只收文字帧", "only text frames are read")
CLOSE_CODES: Final = {"closing": WSCloseCode.SERVICE_RESTART, "server": WSCloseCode.INTERNAL_ERROR}


class Socket:
    """The outgoing side of a connection, a ``people.Link``."""

    def __init__(self, ws: web.WebSocketResponse, transport: asyncio.Transport, hub: Hub) -> None:
        self.ws = ws
        self.transport = transport
        self.hub = hub
        self.ending: asyncio.Task[None] | None = None

    def send(self, frame: bytes) -> None:
        """Send a text frame. It goes into the transport's buffer at once; a client that lets that grow is cut off."""
        if self.ws.closed or self.ending is not None:
            return
        sending = self.ws.send_frame(frame, WSMsgType.TEXT)
        try:
            sending.send(None)
        except StopIteration:
            pass
        except (ConnectionError, RuntimeError):
            return
        else:
            # Written, and the buffer is full: the coroutine waits for it to empty, which nobody here may.
            sending.close()
        if self.transport.get_write_buffer_size() > MOST_UNSENT and not self.transport.is_closing():
            self.hub.metrics.add("slow_clients_total")
            self.transport.abort()
        self.hub.metrics.counts["frames_out_total"] += 1

    def bye(self, code: str) -> None:
        """Say why and close."""
        self.send(bye_frame(code))
        if self.ending is None:
            self.ending = asyncio.get_running_loop().create_task(self._close(code))

    async def _close(self, code: str) -> None:
        with suppress(ConnectionError, RuntimeError):
            await self.ws.close(code=CLOSE_CODES.get(code, WSCloseCode.POLICY_VIOLATION), message=code.encode())


def address_of(request: web.BaseRequest, hub: Hub) -> str:
    """Where a request comes from."""
    if hub.config.behind_proxy:
        forwarded = request.headers.get("X-Forwarded-For", "")
        if forwarded:
            return counted_as(forwarded.rpartition(",")[2].strip())
    return counted_as(request.remote or "")


def counted_as(address: str) -> str:
    """What limits count: an IPv4 address, or an IPv6 network of 64 bits, which is what one caller is given."""
    try:
        found = ipaddress.ip_address(address.partition("%")[0])
    except ValueError:
        return address[:64]
    if found.version == 4:
        return str(found)
    if found.ipv4_mapped is not None:
        return str(found.ipv4_mapped)
    return str(ipaddress.ip_network((found, 64), strict=False))


def origin_allowed(request: web.BaseRequest, hub: Hub) -> bool:
    """May a page of this origin talk to the server? Programs send none."""
    origin = request.headers.get("Origin")
    if origin is None:
        return True
    allowed = [each.strip().rstrip("/") for each in hub.config.origins.split(",") if each.strip()]
    try:
        own = urlsplit(origin).netloc
    except ValueError:
        return False
    return origin in allowed or (own != "" and own == request.headers.get("Host", ""))


async def socket(request: web.Request) -> web.StreamResponse:
    """``GET /ws``."""
    from gunzi.apps.web.rest import HUB  # it stands on this module

    hub = request.app[HUB]
    if not origin_allowed(request, hub):
        raise web.HTTPForbidden(text="origin")
    if hub.closing:
        raise web.HTTPServiceUnavailable(text="closing")
    address = address_of(request, hub)
    if not hub.requests.take(address):
        raise web.HTTPTooManyRequests(text="rate")
    if sum(hub.addresses.open.values()) >= hub.config.connections or not hub.addresses.enter(
        address, hub.config.connections_per_address
    ):
        raise web.HTTPTooManyRequests(text="connections")
    try:
        ws = web.WebSocketResponse(heartbeat=HEARTBEAT_S, max_msg_size=MAX_FRAME, compress=False)
        await ws.prepare(request)
        transport = request.transport
        if transport is None:
            return ws
        link = Socket(ws, transport, hub)
        await Session(link, hub).run()
        return ws
    finally:
        hub.addresses.leave(address)


class Session:
    """A connection from its hello to its end."""

    def __init__(self, link: Socket, hub: Hub) -> None:
        self.link = link
        self.hub = hub
        rate = hub.config.frames_per_second
        self.bucket = Bucket(rate, 3 * rate)
        self.bad = 0
        self.member: Member | None = None
        self.room: Room | None = None
        self.asked: Room | None = None
        """The room that a hello has been handed to, answered or not."""

    async def run(self) -> None:
        """Serve the connection until it ends."""
        ws = self.link.ws
        try:
            async with asyncio.timeout(HELLO_S):
                while self.room is None and not ws.closed:
                    message = await ws.receive()
                    if message.type is not WSMsgType.TEXT:
                        if not self._other(message.type):
                            return
                        continue
                    await self._hello(message.data)
            async for message in ws:
                if message.type is WSMsgType.TEXT:
                    self._frame(message.data)
                elif not self._other(message.type):
                    break
        except TimeoutError:
            self.link.bye("hello")
        except Exception:
            log.exception("a connection has failed")
            self.link.bye("server")
        finally:
            if self.asked is not None:
                room = self.asked
                room.put(lambda: entering.gone(room, self.link))
            if self.link.ending is not None:
                await self.link.ending

    def _other(self, kind: WSMsgType) -> bool:
        """A frame that is no text; False: the connection is over."""
        if kind is not WSMsgType.BINARY:
            return False
        self._unreadable(None, BadFrame(NO_TEXT))
        return True

    def _unreadable(self, re: str | None, error: BadFrame) -> None:
        self.hub.metrics.add("bad_frames_total")
        self.link.send(error_frame(Said("frame", error.text), re))
        self.bad += 1
        if self.bad >= MOST_BAD:
            self.link.bye("frame")

    def _read(self, data: str) -> dict[str, Any] | None:
        self.hub.metrics.counts["frames_in_total"] += 1
        if not self.bucket.take():
            self.hub.metrics.add("rate_limited_total")
            self.link.bye("rate")
            return None
        try:
            return read(data)
        except BadFrame as error:
            self._unreadable(error.re, error)
            return None

    async def _hello(self, data: str) -> None:
        frame = self._read(data)
        if frame is None:
            return
        re = frame["id"]
        if frame["t"] != "hello":
            self.link.send(error_frame(No("hello"), re))
            return
        if frame["v"] != VERSION:
            self.link.send(error_frame(No("version", version=VERSION), re))
            return
        try:
            room = await self.hub.find(frame["table"])
            entered: asyncio.Future[Member] = asyncio.get_running_loop().create_future()
            invite = frame.get("invite") or ""
            invited = hmac.compare_digest(invite.encode("utf-8", "surrogatepass"), room.invite.encode())

            async def enter() -> None:
                try:
                    member = await entering.enter(room, self.link, frame, invited)
                except (No, StoreError) as error:
                    if not entered.done():
                        entered.set_exception(error)
                    if isinstance(error, StoreError):
                        raise
                except Exception:
                    if not entered.done():
                        entered.set_exception(No("broken"))
                    raise
                else:
                    if not entered.done():
                        entered.set_result(member)

            self.asked = room
            room.put(enter)
            waited: set[asyncio.Future[Any]] = {entered, room.ended}
            await asyncio.wait(waited, return_when=asyncio.FIRST_COMPLETED)
            if not entered.done():
                raise No("closing")  # the table has left the memory meanwhile; it comes back when it is asked for again
            self.member, self.room = entered.result(), room
        except No as no:
            self.bad += 4  # guessing is for few tries
            self.link.send(error_frame(no, re))
            if self.bad >= MOST_BAD:
                self.link.bye("frame")
        except StoreError as error:
            log.error("%s", error.text.en)
            self.link.bye("server")

    def _frame(self, data: str) -> None:
        frame = self._read(data)
        if frame is None or self.room is None or self.member is None:
            return
        if frame["t"] == "hello":
            self.link.send(error_frame(No("phase"), frame["id"]))
            return
        if self.room.closed:
            self.link.bye("closing")
            return
        self.room.put((self.member, self.link, frame))
