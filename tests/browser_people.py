"""People at the pages of the web table: what they see, whom they sit with, how far they play."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from browser_harness import WEB, until
from playwright.sync_api import Browser, BrowserContext, ConsoleMessage, Page

SCREENS: list[dict[str, Any]] = [
    {"viewport": {"width": 360, "height": 640}, "locale": "zh-CN", "has_touch": True, "color_scheme": "light"},
    {"viewport": {"width": 844, "height": 390}, "locale": "en-GB", "has_touch": True, "color_scheme": "dark"},
    {"viewport": {"width": 1280, "height": 800}, "locale": "zh-CN", "color_scheme": "dark"},
    {"viewport": {"width": 390, "height": 844}, "locale": "en-GB", "has_touch": True, "color_scheme": "light"},
]
SIZES = [(360, 640), (640, 360), (390, 844), (844, 390), (1280, 800)]
NAMES = ["host", "guest", "牌友", "阿一", "阿二", "阿三"]
TERMS = ["死棒", "活棒", "打滚子"]
"""What English texts, too, call by its Chinese name."""


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
        self.page.on("console", self._hear)
        self.page.on("dialog", lambda dialog: dialog.dismiss())
        self._store("gunzi.prefs", json.dumps({"name": name}))

    def _store(self, key: str, value: str) -> None:
        """What the browser has kept from an earlier visit."""
        pair = json.dumps([key, value])
        self.context.add_init_script(
            f"if (location.origin !== 'null' && !localStorage.getItem({pair}[0])) localStorage.setItem(...{pair});"
        )

    def _hear(self, message: ConsoleMessage) -> None:
        if message.type == "error":
            self.said.append(f"{message.text} ({message.location.get('url')})")

    def be(self, made: dict[str, Any]) -> None:
        """Have the token of a table's host."""
        self._store(f"gunzi.table.{made['table']}", json.dumps({"member": made["member"], "token": made["token"]}))

    def enter(self, made: dict[str, Any]) -> None:
        self.page.goto(f"{self.server}/t/{made['table']}#k={made['invite']}")

    def get(self, what: str) -> Any:
        return self.page.evaluate(f"() => {what}")

    def drive(self, seat: int) -> None:
        self.page.evaluate("seat => { window.seat = seat; window.driving = true; }", seat)

    def check(self, where: str) -> None:
        """Does something overflow, overlap, get cut off, stand out too little, have no name, or speak the other language? It goes into ``wrong``."""
        found = self.get("window.checks.layout()") + self.get("window.checks.nameless()")
        found += self.get("window.checks.faint()")
        words = "([language, names]) => window.checks.words(language, names)"
        found += self.page.evaluate(words, [self.language, [*NAMES, *TERMS]])
        size = self.page.viewport_size or {}
        self.wrong += [f"{where} {size.get('width')} {self.language}: {complaint}" for complaint in found]

    def close(self) -> None:
        self.context.close()


def sit_with_bots(
    person: Person,
    made: dict[str, Any],
    released: str = "deal pay return bury bury_kings pick lead follow",
    waits: str = "window.waiting || document.querySelector('dialog .result') !== null",
) -> None:
    """The host plays with three bots, at once up to the kinds of questions that are not released, or to what he waits for."""
    person.be(made)
    person.page.goto(f"{person.server}/t/{made['table']}")
    person.page.locator(".lobby-seat").first.wait_for()
    person.page.evaluate("kinds => { for (const kind of kinds) window.released.add(kind); }", released.split())
    person.drive(0)
    person.page.locator(".lobby-seat.mine").wait_for()
    person.page.locator(".actions button", has_text="空位" if person.language == "zh" else "Bots").click()
    until(lambda: person.get(waits), "a question")


def two_with_bots(
    host: Person, other: Person, made: dict[str, Any], released: str, waits: str = "window.waiting"
) -> Person:
    """Two people beside each other and two bots play up to a question of a kind that is not released; who is asked it."""
    other.enter(made)
    other.page.locator("#lobby form button.main").click()
    other.page.locator(".lobby-seat").nth(1).locator("button.main").click()
    other.page.locator(".lobby-seat.mine").wait_for()
    host.be(made)
    host.page.goto(f"{host.server}/t/{made['table']}")
    host.page.locator(".lobby-seat").first.wait_for()
    for seat, person in enumerate((host, other)):
        person.page.evaluate("kinds => { for (const kind of kinds) window.released.add(kind); }", released.split())
        person.drive(seat)
    host.page.locator(".lobby-seat.mine").wait_for()
    host.page.locator(".actions button", has_text="空位" if host.language == "zh" else "Bots").click()
    asked: Person = until(
        lambda: next((person for person in (host, other) if person.get(waits)), None), "a question for one of the two"
    )
    return asked


def standing(person: Person) -> Any:
    """What one sees of one's seat, hand and turn."""
    return person.get(
        "[document.querySelector('.seat.near .name').textContent,"
        " [...document.querySelectorAll('.held')].map(card => card.firstElementChild.getAttribute('aria-label')).sort(),"
        " document.querySelector('#asking').dataset.kind, document.querySelector('#asking .asked').textContent,"
        " [...document.querySelectorAll('.played')].map(played => played.childElementCount)]"
    )


def in_mid_trick(person: Person) -> Any:
    """Play until one is asked with cards on the table."""
    person.page.evaluate(
        "() => { window.released.delete('follow'); window.waiting = ''; window.released.add('lead'); }"
    )
    until(
        lambda: person.get("window.waiting === 'follow' || document.querySelector('dialog .result') !== null"),
        "a trick to follow in",
    )
    found = standing(person)
    assert found[2] == "follow" and sum(found[4]) > 0
    return found


def open_menu(person: Person, zh: str, en: str) -> None:
    """The menu, and what is chosen in it."""
    person.page.locator("#bar [aria-haspopup]").click()
    person.page.locator("dialog .menu button", has_text=zh if person.language == "zh" else en).first.click()


def look_at_dialog(person: Person, pictures: Path, name: str) -> None:
    """The dialog that is open, looked at, and closed."""
    person.page.locator("dialog[open]").last.wait_for()
    person.page.screenshot(path=pictures / f"dialog-{name}-{person.language}.png")
    person.check(name)
    person.page.keyboard.press("Escape")


def fill_in_a_hand(person: Person, told: dict[str, str] | None = None) -> None:
    """A hand at a real table; without more, the first one. Waits until the sheet has it."""
    told = told or {
        "dealer": "0",
        "trump": "H",
        "captured": "no",
        "points": "70",
        "bottom": "S3,S4,S6,S7,S8,BJ",
        "dry": "",
    }
    page = person.page
    page.locator("#score-offline").wait_for()
    before = page.locator(".result").count()
    for key, value in told.items():
        field = page.locator(f"#score-{key}")
        field.select_option(value) if field.evaluate("field => field.matches('select')") else field.fill(value)
    page.locator("#score-form button.main").click()
    page.locator(".result").nth(before).wait_for(state="attached")
