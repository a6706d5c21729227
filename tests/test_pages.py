"""The table in the browser: four people play whole hands on phones and desks, through reloads, cuts and the server's death."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from browser_harness import FLAGS, WEB, Server, chromium, until

import gunzi
from gunzi.record import Record
from gunzi.sharecode import encode
from gunzi.verifying import verify

try:
    from playwright.sync_api import Browser, BrowserContext, Page, sync_playwright
except ImportError:  # the extra `browser` is not installed
    missing = "playwright is not installed: pip install 'gunzi[browser]'"
else:
    missing = "" if chromium() else "there is no chromium on this machine"
if missing and os.environ.get("GUNZI_BROWSER") == "required":
    raise RuntimeError(missing)
if missing:
    pytest.skip(missing, allow_module_level=True)

PRESETS = [preset for preset in gunzi.preset_ids() if preset != "base"]
CASES = [(preset, shapes) for preset in PRESETS for shapes in ("loose", "strict")]
SCREENS: list[dict[str, Any]] = [
    {"viewport": {"width": 360, "height": 640}, "locale": "zh-CN", "has_touch": True, "color_scheme": "light"},
    {"viewport": {"width": 844, "height": 390}, "locale": "en-GB", "has_touch": True, "color_scheme": "dark"},
    {"viewport": {"width": 1280, "height": 800}, "locale": "zh-CN", "color_scheme": "dark"},
    {"viewport": {"width": 390, "height": 844}, "locale": "en-GB", "has_touch": True, "color_scheme": "light"},
]
SIZES = [(360, 640), (640, 360), (390, 844), (844, 390), (1280, 800)]
NAMES = ["host", "guest", "牌友", "阿一", "阿二", "阿三"]


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


class Person:
    """Somebody with a browser of his own. ``said``: errors of the page, its console and its security policy."""

    def __init__(self, browser: Browser, server: str, screen: dict[str, Any], name: str) -> None:
        self.context: BrowserContext = browser.new_context(**screen, reduced_motion="reduce")
        self.context.add_init_script(path=WEB / "driver.js")
        self.context.add_init_script(path=WEB / "checks.js")
        self.page: Page = self.context.new_page()
        self.page.set_default_timeout(60_000)
        self.server = server
        self.language = "zh" if screen["locale"].startswith("zh") else "en"
        self.said: list[str] = []
        self.wrong: list[str] = []
        self.page.on("pageerror", lambda error: self.said.append(str(error)))
        self.page.on("console", lambda message: self.said.append(message.text) if message.type == "error" else None)
        self.page.on("dialog", lambda dialog: dialog.dismiss())
        self.page.goto(f"{server}/static/icon.svg")
        self.page.evaluate("name => localStorage.setItem('gunzi.prefs', JSON.stringify({name}))", name)
        self.said.clear()

    def be(self, made: dict[str, Any]) -> None:
        """Have the token of a table's host."""
        kept = json.dumps({"member": made["member"], "token": made["token"]})
        self.page.evaluate("([key, kept]) => localStorage.setItem(key, kept)", [f"gunzi.table.{made['table']}", kept])

    def enter(self, made: dict[str, Any]) -> None:
        self.page.goto(f"{self.server}/t/{made['table']}#k={made['invite']}")

    def get(self, what: str) -> Any:
        return self.page.evaluate(f"() => {what}")

    def drive(self, seat: int) -> None:
        self.page.evaluate("seat => { window.seat = seat; window.driving = true; }", seat)

    def check(self, where: str) -> None:
        """Does something overflow, overlap, get cut off, have no name, or speak the other language? It goes into ``wrong``."""
        found = self.get("window.checks.layout()") + self.get("window.checks.nameless()")
        words = "([language, names]) => window.checks.words(language, names)"
        found += self.page.evaluate(words, [self.language, NAMES])
        size = self.page.viewport_size or {}
        self.wrong += [f"{where} {size.get('width')} {self.language}: {complaint}" for complaint in found]

    def close(self) -> None:
        self.context.close()


@pytest.fixture(scope="module")
def four(browser: Browser, server: Server) -> Iterator[tuple[dict[str, Any], list[Person]]]:
    """Four people sitting at one table, driven; the host waits for what is to be played."""
    made = server.open_table()
    people = [Person(browser, server.address, screen, name) for screen, name in zip(SCREENS, NAMES[2:], strict=True)]
    people[0].be(made)
    for person in people:
        person.enter(made)
    for seat, person in enumerate(people):
        person.page.locator("#lobby form, .lobby-seat").first.wait_for()
        person.drive(seat)
    yield made, people
    for person in people:
        person.close()


def choose_rules(host: Person, code: str) -> None:
    """Seated before the start, or after a game: play by these rules next."""
    host.page.locator(".lobby-seat.mine").wait_for()
    again = host.page.locator(".actions button.main", has_text="再来一局")
    if again.count():
        again.click()
        again.wait_for(state="detached")
    field = host.page.locator("#lobby input[placeholder*=gz1]")
    field.fill(code)
    field.locator("xpath=following-sibling::button[1]").click()


def look(people: list[Person], pictures: Path, seen: set[tuple[int, str]]) -> None:
    """Whoever waits at a question nobody has looked at yet on his screen: a picture, and the checks."""
    for place, person in enumerate(people):
        kind = person.get("window.waiting")
        if not kind:
            continue
        if (place, kind) not in seen:
            seen.add((place, kind))
            person.page.screenshot(path=pictures / f"{place}-{kind}.png")
            person.check(kind)
        person.page.evaluate("kind => { window.released.add(kind); window.waiting = ''; }", kind)


SEEN: set[tuple[int, str]] = set()


@pytest.mark.parametrize(("preset", "shapes"), CASES)
def test_four_people_play_a_hand(
    four: tuple[dict[str, Any], list[Person]], server: Server, pictures: Path, preset: str, shapes: str
) -> None:
    made, people = four
    rules = gunzi.load(preset, {"follow.shapes": shapes})
    host = people[0]
    host.page.evaluate("() => { window.start = false; }")
    choose_rules(host, encode(rules))
    table = f"tables/{made['table']}"
    until(lambda: json.loads(server.ask(table))["rules"]["hash"] == rules.hash, "the rules")
    host.page.evaluate("() => { window.start = true; }")
    host.page.locator("#lobby .ended").wait_for(state="detached")

    def over() -> bool:
        look(people, pictures, SEEN)
        return all(person.page.locator("#lobby .ended").count() for person in people)

    until(over, "the end of the hand", 120)
    game = max(hand["game"] for hand in json.loads(server.ask(f"{table}/hands", token=made["token"])))
    text = server.ask(f"{table}/record?game={game}", token=made["token"])
    record = Record.parse(text)
    assert verify(record).hands == 1
    for place, person in enumerate(people):
        if (place, "over") not in SEEN:
            SEEN.add((place, "over"))
            person.page.screenshot(path=pictures / f"{place}-over.png", full_page=True)
            person.check("over")
    assert [wrong for person in people for wrong in person.wrong + person.said] == []
