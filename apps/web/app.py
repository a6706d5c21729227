"""The web application: routes, static files, their headers."""

from __future__ import annotations

import asyncio
import mimetypes
from collections.abc import Awaitable, Callable
from functools import lru_cache
from importlib.resources import files
from typing import Final

from aiohttp import web

from gunzi import schemas
from gunzi.apps.web import rest_rules, rest_score, rest_tables
from gunzi.apps.web.connecting import socket
from gunzi.apps.web.hub import Hub
from gunzi.apps.web.openapi import openapi
from gunzi.apps.web.rest import HUB, MAX_BODY, MAX_RECORD, Call, Route, guarded, reply, served
from gunzi.errors import Text

Answering = Callable[[web.Request], Awaitable[web.StreamResponse]]
PAGES: Final = {
    "/": "index.html",
    "/t/{table}": "table.html",
    "/rules": "rules.html",
    "/score": "score.html",
    "/replay": "replay.html",
}
"""The pages by their addresses; a page looks at the rest of its address itself."""


async def _openapi(call: Call) -> web.StreamResponse:
    return reply(openapi(ROUTES), Cache_Control="max-age=300")


async def _schema(call: Call) -> web.StreamResponse:
    text = await asyncio.to_thread(schemas.path("web").read_text, encoding="utf-8")
    return web.Response(text=text, content_type="application/schema+json", headers={"Cache-Control": "max-age=300"})


_SELF: Final = (
    Route("GET", "/api/openapi.json", _openapi, Text("REST 的写法", "this description"), {"type": "object"}),
    Route(
        "GET",
        "/api/web.schema.json",
        _schema,
        Text("WebSocket 帧的写法", "the schema of the WebSocket's frames"),
        {"type": "object"},
        kind="application/schema+json",
    ),
)
ROUTES: Final[tuple[Route, ...]] = (*rest_rules.ROUTES, *rest_score.ROUTES, *rest_tables.ROUTES, *_SELF)
"""Everything that is served over REST."""


def make_app(hub: Hub) -> web.Application:
    """The application of a hub. The hub is opened and closed by whoever runs it."""
    app = web.Application(middlewares=[guarded], client_max_size=MAX_BODY)
    app[HUB] = hub
    for route in ROUTES:
        size = MAX_RECORD if route.takes != "application/json" else None
        app.router.add_route(route.method, route.path, _sized(served(route), size) if size else served(route))
    app.router.add_get("/ws", socket)
    for address, page in PAGES.items():
        app.router.add_get(address, _page(page))
    app.router.add_get("/static/{name:.+}", _static)
    app.router.add_get("/{name:[a-z_-]+\\.(?:js|webmanifest|ico|svg|txt)}", _static)
    return app


def _sized(handler: Answering, size: int) -> Answering:
    """The same handler with another limit for the body."""

    async def handle(request: web.Request) -> web.StreamResponse:
        return await handler(request.clone(client_max_size=size))

    return handle


def _page(name: str) -> Answering:
    async def answer(request: web.Request) -> web.StreamResponse:
        return _file(name, request)

    return answer


async def _static(request: web.Request) -> web.StreamResponse:
    return _file(request.match_info["name"], request)


def _file(name: str, request: web.Request) -> web.StreamResponse:
    found = _read(name)
    if found is None:
        raise web.HTTPNotFound(text="404")
    data, tag, kind = found
    # Asked again each time, answered by 304 while nothing has changed: an upgrade is seen at once.
    headers = {"Cache-Control": "no-cache", "ETag": tag}
    if request.headers.get("If-None-Match") == tag:
        return web.Response(status=304, headers=headers)
    return web.Response(
        body=data, content_type=kind, charset="utf-8" if kind.startswith("text/") else None, headers=headers
    )


@lru_cache(maxsize=512)
def _read(name: str) -> tuple[bytes, str, str] | None:
    """A static file's content, tag and kind; None: there is none. Names lead nowhere but into the folder."""
    import hashlib

    parts = name.split("/")
    if any(part in ("", ".", "..") or "\\" in part or "\0" in part for part in parts):
        return None
    file = files("gunzi.apps.web").joinpath("static", *parts)
    if not file.is_file():
        return None
    data = file.read_bytes()
    kind = KINDS.get(name.rpartition(".")[2]) or mimetypes.guess_type(name)[0] or "application/octet-stream"
    return data, f'"{hashlib.sha256(data).hexdigest()[:24]}"', kind


KINDS: Final = {
    "html": "text/html",
    "js": "text/javascript",
    "mjs": "text/javascript",
    "css": "text/css",
    "svg": "image/svg+xml",
    "json": "application/json",
    "webmanifest": "application/manifest+json",
    "ico": "image/x-icon",
    "txt": "text/plain",
}
