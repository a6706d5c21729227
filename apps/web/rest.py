"""The REST side: routes declared once (they serve and describe themselves), errors as data, headers on everything."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Final

import orjson
from aiohttp import web

from gunzi.apps.web.connecting import address_of, origin_allowed
from gunzi.apps.web.errors import No
from gunzi.apps.web.hub import Hub
from gunzi.apps.web.protocol import ERRORS
from gunzi.apps.web.ruling import problems_of
from gunzi.apps.web.store import StoreError
from gunzi.errors import GunziError, RulesError, Text

Json = dict[str, Any]
Schema = dict[str, Any]
log: Final = logging.getLogger("gunzi.web")
HUB: Final = web.AppKey("hub", Hub)
MAX_BODY: Final = 256_000
MAX_RECORD: Final = 20_000_000
"""Bytes of the longest body, and of the longest record to be verified."""
BODY_S: Final = 30.0
"""How long a body may take to come."""
STATUS: Final = {
    "no_table": 404,
    "member": 404,
    "host": 403,
    "token": 401,
    "invite": 403,
    "busy": 503,
    "closing": 503,
    "rate": 429,
    "server": 500,
    "phase": 409,
}
HEADERS: Final = {
    "Content-Security-Policy": "default-src 'self'; frame-ancestors 'none'; base-uri 'none'; form-action 'self'; object-src 'none'",
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Permissions-Policy": "camera=(), microphone=(), geolocation=()",
}
Handler = Callable[["Call"], Awaitable[web.StreamResponse]]


@dataclass(frozen=True, slots=True)
class Route:
    """A path with what it takes and gives. ``auth``: whose token it wants, ``member`` or ``host``."""

    method: str
    path: str
    handler: Handler
    text: Text
    gives: Schema
    query: Mapping[str, Schema] = field(default_factory=dict)
    body: Schema | None = None
    kind: str = "application/json"
    takes: str = "application/json"
    auth: str = ""
    errors: tuple[int, ...] = ()


class Call:
    """A request to the REST side."""

    def __init__(self, request: web.Request) -> None:
        self.request = request
        self.hub = request.app[HUB]

    def path(self, name: str) -> str:
        """A part of the path."""
        return self.request.match_info[name]

    def query(self, name: str, fallback: str = "") -> str:
        """A query parameter."""
        return self.request.query.get(name, fallback)

    def whole(self, name: str, low: int, high: int) -> int | None:
        """A query parameter that is a whole number, None where it is not given. Raises web.HTTPException."""
        text = self.request.query.get(name)
        if text is None:
            return None
        if not text.isascii() or not text.isdigit() or len(text) > 9 or not low <= int(text) <= high:
            raise bad(Text(f"{name} 要写 {low} 到 {high} 的整数", f"{name} is a whole number from {low} to {high}"))
        return int(text)

    async def read(self) -> bytes:
        """The body. Raises web.HTTPException."""
        try:
            async with asyncio.timeout(BODY_S):
                return await self.request.read()
        except TimeoutError:
            raise bad(Text("请求的内容迟迟没有发完", "the body has not come in time"), 408) from None

    async def body(self) -> Json:
        """The body, a JSON object. Raises web.HTTPException."""
        data = await self.read()
        try:
            found = orjson.loads(data) if data.strip() else {}
        except orjson.JSONDecodeError:
            raise bad(Text("请求的内容不是 JSON", "the body is not JSON")) from None
        if not isinstance(found, dict):
            raise bad(Text("请求的内容要是 JSON 对象", "the body must be a JSON object"))
        return found

    @property
    def token(self) -> str:
        """The bearer token, empty where there is none."""
        kind, _, token = self.request.headers.get("Authorization", "").partition(" ")
        return token.strip() if kind.lower() == "bearer" else ""


def reply(found: Any, status: int = 200, **headers: str) -> web.Response:
    """A JSON answer."""
    return web.Response(
        body=orjson.dumps(found, option=orjson.OPT_NON_STR_KEYS),
        status=status,
        content_type="application/json",
        headers={"Cache-Control": "no-store", **{key.replace("_", "-"): value for key, value in headers.items()}},
    )


def error(status: int, code: str, text: Text, **more: Any) -> web.Response:
    """An error as an answer."""
    return reply({"code": code, "zh": text.zh, "en": text.en, **more}, status)


class _Bad(Exception):
    def __init__(self, text: Text, status: int = 400, code: str = "request") -> None:
        super().__init__(text.en)
        self.text, self.status, self.code = text, status, code


def bad(text: Text, status: int = 400, code: str = "request") -> Exception:
    """A request that cannot be understood, to be raised."""
    return _Bad(text, status, code)


def typed(asked: Json, **kinds: type) -> None:
    """Are these keys of a body, where they are given, of these kinds? Raises web.HTTPException."""
    for key, kind in kinds.items():
        if asked.get(key) is not None and not isinstance(asked[key], kind):
            raise bad(Text(f"{key} 写得不对", f"`{key}` is wrong"))


def allow(call: Call) -> bool:
    """Has this address asked for little enough lately?"""
    return call.hub.requests.take(address_of(call.request, call.hub))


def served(route: Route) -> Callable[[web.Request], Awaitable[web.StreamResponse]]:
    """The handler of a route: its errors become answers."""

    async def handle(request: web.Request) -> web.StreamResponse:
        call = Call(request)
        call.hub.metrics.counts["requests_total"] += 1
        if request.method not in ("GET", "HEAD") and not origin_allowed(request, call.hub):
            return error(403, "origin", Text("这个网站不许连过来", "pages of this origin may not do this"))
        if not allow(call):
            return error(429, "rate", ERRORS["rate"])
        try:
            return await route.handler(call)
        except _Bad as wrong:
            return error(wrong.status, wrong.code, wrong.text)
        except No as no:
            return error(STATUS.get(no.code, 400), no.code, no.text, **no.more)
        except RulesError as wrong:
            return error(400, "rules", wrong.text, problems=problems_of(wrong))
        except StoreError as wrong:
            log.error("%s", wrong.text.en)
            return error(503, "server", ERRORS["server"])
        except GunziError as wrong:
            return error(400, "request", wrong.text)

    return handle


@web.middleware
async def guarded(
    request: web.Request, handler: Callable[[web.Request], Awaitable[web.StreamResponse]]
) -> web.StreamResponse:
    """Headers on everything, and no traceback to anybody."""
    try:
        response = await handler(request)
    except web.HTTPException as wrong:
        if wrong.status >= 400 and request.path.startswith("/api"):
            text = {
                404: Text("没有这个地址", "there is nothing here"),
                405: Text("这里不能这样请求", "this method is not allowed here"),
                413: Text("请求太大了", "the request is too large"),
            }.get(wrong.status, Text("请求不对", "the request is wrong"))
            response = error(wrong.status, "request", text)
            if "Allow" in wrong.headers:
                response.headers["Allow"] = wrong.headers["Allow"]
        else:
            wrong.headers.update(HEADERS)
            raise
    except Exception:
        log.exception("%s %s has failed", request.method, request.match_info.route.name or "a request")
        response = error(500, "server", ERRORS["server"])
    if not response.prepared:
        for name, value in HEADERS.items():
            response.headers.setdefault(name, value)
    return response
