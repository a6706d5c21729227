"""A browser, a server, and people who come to it; where there is no browser, nothing of this folder is run."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from browser_harness import FLAGS, Server, chromium

try:
    from browser_people import SCREENS, Person
    from playwright.sync_api import Browser, sync_playwright
except ImportError:  # the extra `browser` is not installed
    missing = "playwright is not installed: pip install 'gunzi[browser]'"
else:
    missing = "" if chromium() else "there is no chromium on this machine"
if missing and os.environ.get("GUNZI_BROWSER") == "required":
    raise RuntimeError(missing)
collect_ignore_glob = ["test_*.py"] if missing else []


@pytest.fixture(scope="module")
def pictures(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Where screenshots are kept: ``GUNZI_SCREENSHOTS``, or a temporary folder."""
    given = os.environ.get("GUNZI_SCREENSHOTS")
    folder = Path(given) if given else tmp_path_factory.mktemp("screenshots")
    folder.mkdir(parents=True, exist_ok=True)
    return folder


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    found = Server(tmp_path_factory.mktemp("server"))
    found.start()
    yield found
    found.stop()


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with sync_playwright() as playwright:
        found = playwright.chromium.launch(executable_path=chromium(), args=FLAGS)
        yield found
        found.close()


@pytest.fixture
def alone(browser: Browser, server: Server) -> Iterator[Any]:
    """Makes people who come with a browser of their own and leave it after the test."""
    people: list[Person] = []

    def come(screen: int = 0, address: str | None = None) -> Person:
        people.append(Person(browser, address or server.address, SCREENS[screen], "牌友"))
        return people[-1]

    yield come
    for person in people:
        person.close()
