"""The description of the REST side, OpenAPI 3.1, out of the routes themselves."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Any, Final

import gunzi
from gunzi.apps.web.rest import Route

Json = dict[str, Any]
ERROR: Final[Json] = {
    "type": "object",
    "required": ["code", "zh", "en"],
    "properties": {
        "code": {"type": "string"},
        "zh": {"type": "string"},
        "en": {"type": "string"},
        "problems": {"type": "array", "items": {"type": "object"}},
    },
}
SAID: Final = {
    400: "请求不对 / the request is wrong",
    401: "没有令牌，或者令牌没有用 / no token, or one that is not known",
    403: "不许 / not allowed",
    404: "没有 / not found",
    408: "太慢 / too slow",
    409: "现在不行 / not now",
    413: "太大 / too large",
    429: "太快 / too many requests",
    500: "服务器出错 / the server has failed",
    503: "服务器忙或者正在重启 / busy or restarting",
}


def openapi(routes: Iterable[Route]) -> Json:
    """The document."""
    paths: dict[str, Json] = {}
    for route in routes:
        paths.setdefault(route.path, {})[route.method.lower()] = _operation(route)
    return {
        "openapi": "3.1.0",
        "info": {
            "title": "gunzi serve",
            "version": gunzi.__version__,
            "description": "网页牌桌的 REST 部分：规则、大厅、牌谱\n\nthe REST side of the web table: rules, lobby, records",
            "license": {"name": "MIT", "identifier": "MIT"},
        },
        "paths": paths,
        "components": {
            "schemas": {"Error": ERROR},
            "securitySchemes": {
                "token": {"type": "http", "scheme": "bearer", "description": "牌桌上的令牌 / a member's token"}
            },
        },
    }


def _operation(route: Route) -> Json:
    names = re.findall(r"\{(\w+)\}", route.path)
    parameters: list[Json] = [
        {"name": name, "in": "path", "required": True, "schema": {"type": "string", "minLength": 1}} for name in names
    ]
    parameters += [{"name": name, "in": "query", "schema": schema} for name, schema in route.query.items()]
    status = "201" if route.method == "POST" and route.path == "/api/tables" else "200"
    codes = {
        *route.errors,
        429,
        500,
        *((400,) if route.body or route.query else ()),
        *((403, 408, 413) if route.body else ()),
    }
    found: Json = {
        "operationId": route.handler.__name__,
        "summary": f"{route.text.zh} / {route.text.en}",
        "parameters": parameters,
        "responses": {
            status: {"description": route.text.en, "content": {route.kind: {"schema": route.gives}}},
            **{
                str(code): {
                    "description": SAID[code],
                    "content": {"application/json": {"schema": {"$ref": "#/components/schemas/Error"}}},
                }
                for code in sorted(codes)
                if str(code) != status
            },
        },
    }
    if route.path == "/healthz":
        found["responses"]["503"]["content"]["application/json"]["schema"] = route.gives
    if route.body is not None:
        found["requestBody"] = {"content": {route.takes: {"schema": route.body}}}
    if route.auth:
        found["security"] = [{"token": []}]
    return found
