"""The REST side as its own OpenAPI describes it: schemathesis makes requests out of the description, and holds the answers to it."""

from __future__ import annotations

import asyncio
import os
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st
from web_harness import create, serving

from gunzi.apps.web.app import ROUTES

schemathesis = pytest.importorskip("schemathesis", reason="needs schemathesis: pip install -e '.[dev]'")
from schemathesis import GenerationMode, checks  # noqa: E402
from schemathesis.specs.openapi import checks as openapi_checks  # noqa: E402

EXAMPLES = int(os.environ.get("GUNZI_REST_EXAMPLES", "16"))
"""Requests for each operation."""
PATIENCE_S = 120.0
"""A machine that is busy elsewhere takes longer than a client would wait; only a server that answers nothing is a fault."""
HELD_TO = [
    checks.not_a_server_error,
    openapi_checks.status_code_conformance,
    openapi_checks.content_type_conformance,
    openapi_checks.response_schema_conformance,
    openapi_checks.response_headers_conformance,
]


@contextmanager
def server_in_a_thread(folder: Path) -> Iterator[tuple[str, dict[str, Any]]]:
    """A running server with a loop of its own: its address, and a table that has been opened."""
    ready = threading.Event()
    found: list[Any] = []

    async def serve() -> None:
        stop = asyncio.Event()
        async with serving(folder, tables=1_000_000) as (server, _):
            made = await create(server, player="甲", rules="yuwang")
            found.extend((asyncio.get_running_loop(), stop, server, made))
            ready.set()
            await stop.wait()

    thread = threading.Thread(target=lambda: asyncio.run(serve()))
    thread.start()
    assert ready.wait(30)
    loop, stop, server, made = found
    try:
        yield server, made
    finally:
        loop.call_soon_threadsafe(stop.set)
        thread.join(30)


@pytest.fixture(scope="module")
def running(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[str, dict[str, Any]]]:
    """One server for all operations."""
    with server_in_a_thread(tmp_path_factory.mktemp("web")) as found:
        yield found


@pytest.mark.parametrize("place", range(len(ROUTES)), ids=lambda place: f"{ROUTES[place].method} {ROUTES[place].path}")
def test_every_operation_answers_as_it_is_described(place: int, running: tuple[str, dict[str, Any]]) -> None:
    server, made = running
    route = ROUTES[place]
    operation = schemathesis.openapi.from_url(f"{server}/api/openapi.json")[route.path][route.method]
    modes = [GenerationMode.POSITIVE]
    if route.query or route.body:  # there is something that can be asked wrongly
        modes.append(GenerationMode.NEGATIVE)
    # A made-up table or token never gets far: every second request is about a table that is there.
    known = {"table": made["table"]} if "{table}" in route.path else {}
    headers = {"Authorization": f"Bearer {made['token']}"}
    counted = []

    @settings(
        max_examples=EXAMPLES,
        derandomize=True,
        database=None,
        deadline=None,
        phases=[Phase.explicit, Phase.generate],
        suppress_health_check=list(HealthCheck),
    )
    @given(case=st.sampled_from(modes).flatmap(lambda mode: operation.as_strategy(generation_mode=mode)))
    def ask(case: Any) -> None:
        if known and len(counted) % 2:
            case.path_parameters = known
        counted.append(case)
        case.call_and_validate(base_url=server, headers=headers if known else None, checks=HELD_TO, timeout=PATIENCE_S)

    ask()
    assert counted
