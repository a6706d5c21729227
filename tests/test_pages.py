"""The table in the browser: four people play whole hands on phones and desks, through reloads, cuts and the server's death."""

from __future__ import annotations

import hashlib
import json
import os
import signal
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from browser_harness import FLAGS, WEB, Line, Server, chromium, until

import gunzi
from gunzi.fairness import Fair
from gunzi.record import Record
from gunzi.sharecode import encode
from gunzi.verifying import verify

try:
    from playwright.sync_api import Browser, BrowserContext, ConsoleMessage, Page, sync_playwright
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
TERMS = ["死棒", "活棒", "打滚子"]
"""What English texts, too, call by its Chinese name."""


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
        """Does something overflow, overlap, get cut off, have no name, or speak the other language? It goes into ``wrong``."""
        found = self.get("window.checks.layout()") + self.get("window.checks.nameless()")
        words = "([language, names]) => window.checks.words(language, names)"
        found += self.page.evaluate(words, [self.language, [*NAMES, *TERMS]])
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
        person.page.evaluate("start => { window.start = start; }", seat > 0)
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


def sit_with_bots(
    person: Person, made: dict[str, Any], released: str = "deal pay return bury bury_kings pick lead follow"
) -> None:
    """The host plays with three bots, at once up to the kinds of questions that are not released."""
    person.be(made)
    person.page.goto(f"{person.server}/t/{made['table']}")
    person.page.locator(".lobby-seat").first.wait_for()
    person.page.evaluate("kinds => { for (const kind of kinds) window.released.add(kind); }", released.split())
    person.drive(0)
    person.page.locator(".lobby-seat.mine").wait_for()
    person.page.locator(".actions button", has_text="空位" if person.language == "zh" else "Bots").click()
    until(lambda: person.get("window.waiting || document.querySelector('dialog .result') !== null"), "a question")


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


def test_reload_cut_and_kill_in_mid_trick_lose_nothing(
    server: Server, browser: Browser, tmp_path: Path, pictures: Path, alone: Any
) -> None:
    own = Server(tmp_path)
    own.start()
    line = Line(own)
    try:
        made = own.open_table(settings={"hands": 2})
        person = alone(0, f"http://127.0.0.1:{line.port}")
        sit_with_bots(person, made, "deal pay return bury bury_kings pick lead")
        before = in_mid_trick(person)
        person.page.reload()
        until(lambda: person.page.locator("#asking .asked.mine").count(), "the question after a reload")
        assert standing(person) == before
        assert person.said == []

        line.cut()
        until(
            lambda: person.get("document.getElementById('line').className") in ("offline", "connecting"),
            "the line to be down",
        )
        person.page.screenshot(path=pictures / "offline.png")
        line.mend()
        until(lambda: person.get("document.getElementById('line').className") == "online", "the line")
        assert standing(person) == before

        own.kill()
        # What is done while the server is away is done once it is back, and once only.
        person.page.locator("#asking [data-do=suggest]").click()
        own.start()
        until(
            lambda: person.page.locator(".held.picked").count(),
            "the answer to what was asked while the server was down",
        )
        assert standing(person) == before
        person.page.locator("#asking [data-do=go]").click()
        until(lambda: len(standing(person)[1]) < len(before[1]), "the play")
        assert [said for said in person.said if "WebSocket" not in said and "ERR_" not in said] == []
    finally:
        line.close()
        own.stop()


def test_a_full_hand_is_readable_and_can_be_tapped_on_every_screen(server: Server, pictures: Path, alone: Any) -> None:
    person = alone(0)
    sit_with_bots(person, server.open_table(settings={"kings_ms": 0}), "deal pay return")
    person.page.evaluate("() => { window.driving = false; }")
    until(lambda: not person.page.locator("#notices .notice").count(), "the notices to go")
    for width, height in SIZES:
        person.page.set_viewport_size({"width": width, "height": height})
        person.page.wait_for_timeout(150)
        assert person.page.locator(".held").count() >= 39
        person.check("full hand")
        person.page.screenshot(path=pictures / f"hand-{width}x{height}.png")
    assert person.wrong == []
    # And the check would have seen it: cards wider than the screen do not fit. In one go, before the page draws its cards again.
    wide = "document.getElementById('holding').style.setProperty('--card-width', '2000px')"
    assert person.get(f"{{ {wide}; return window.checks.layout().length; }}") > 0


def test_cards_are_chosen_by_tap_drag_and_keyboard(server: Server, alone: Any) -> None:
    person = alone(2)
    sit_with_bots(person, server.open_table(), "deal pay return bury_kings pick")
    person.page.evaluate("() => { window.driving = false; }")
    until(lambda: person.get("document.querySelectorAll('.held').length >= 39"), "the hand")
    picked = "[...document.querySelectorAll('.held')].flatMap((card, place) => card.classList.contains('picked') ? [place] : [])"
    spots = person.get(
        "[...document.querySelectorAll('.held')].slice(0, 5).map(card => [card.getBoundingClientRect().left + 8, card.getBoundingClientRect().top + 20])"
    )
    person.page.mouse.click(*spots[1])
    assert person.get(picked) == [1]
    person.page.mouse.click(*spots[1])
    assert person.get(picked) == []
    person.page.mouse.move(*spots[0])
    person.page.mouse.down()
    person.page.mouse.move(*spots[3], steps=12)
    person.page.mouse.up()
    assert person.get(picked) == [0, 1, 2, 3]
    person.page.keyboard.press("Escape")
    assert person.get(picked) == []
    person.page.keyboard.press("Home")
    person.page.keyboard.press("ArrowRight")
    person.page.keyboard.press("Space")
    assert person.get(picked) == [1]
    assert person.get("document.activeElement.getAttribute('aria-pressed')") == "true"
    assert person.said == []


def test_an_illegal_play_is_explained_with_the_rule(server: Server, alone: Any) -> None:
    person = alone(3)
    sit_with_bots(person, server.open_table(), "deal pay return bury bury_kings pick lead")
    in_mid_trick(person)
    person.page.evaluate("() => { window.driving = false; }")
    dim = person.page.locator(".held.dim")
    lit = person.page.locator(".held:not(.dim)")
    count = int(person.page.locator("#asking [data-do=go]").inner_text().split("/")[1])
    if dim.count() >= count:
        for place in range(count):
            dim.nth(place).dispatch_event(
                "pointerdown", {"button": 0, "bubbles": True, **_middle(person, dim.nth(place))}
            )
        why = person.page.locator("#asking .why")
        why.wait_for()
        assert "rule follow." in why.inner_text()
        person.check("refused")
    else:
        assert lit.count() >= count
    assert person.wrong + person.said == []


def _middle(person: Person, card: Any) -> dict[str, float]:
    box = card.bounding_box()
    return {"clientX": box["x"] + 6, "clientY": box["y"] + 14}


@pytest.mark.parametrize("language", ["zh", "en"])
def test_every_page_in_either_language(server: Server, pictures: Path, alone: Any, language: str) -> None:
    person = alone(0 if language == "zh" else 3)
    for path, ready in (("/", ".preset"), ("/rules", ".option"), ("/score", "form"), ("/replay", "input")):
        person.page.goto(server.address + path)
        person.page.locator(ready).first.wait_for(state="attached")
        name = path.strip("/") or "home"
        if name == "replay":
            person.page.locator("input[type=file]").set_input_files(sorted((WEB.parent / "records").glob("*.jsonl"))[0])
            person.page.locator(".felt").wait_for()
            person.page.locator("input[type=range]").fill("60")
        if name == "score":
            fill_in_a_hand(person)
        for width, height in ((360, 640), (844, 390), (1280, 800)):
            person.page.set_viewport_size({"width": width, "height": height})
            person.check(name)
            person.page.screenshot(path=pictures / f"{name}-{language}-{width}.png", full_page=True)
    assert person.wrong + person.said == []


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


def test_the_first_load_is_small(server: Server, alone: Any) -> None:
    person = alone(0)
    made = server.open_table()
    for path in ("/", f"/t/{made['table']}", "/rules", "/score", "/replay"):
        person.page.goto(server.address + path)
        person.page.wait_for_load_state("networkidle")
        sizes = person.get(
            "[...performance.getEntriesByType('navigation'), ...performance.getEntriesByType('resource')]"
            ".filter(entry => !entry.name.includes('/api/')).map(entry => [entry.name, entry.decodedBodySize])"
        )
        assert len(sizes) > 5
        assert sum(size for _, size in sizes) <= 200_000, sizes
        assert all(name.startswith(server.address) for name, _ in sizes)


def test_the_pages_own_reckoning_is_the_programs(server: Server, alone: Any) -> None:
    """Modules that touch no page: the deal worked out from its seed, the state kept up to date, events read, rows laid."""
    person = alone(0)
    person.page.goto(server.address)
    seed, shares = bytes(range(32)), (b"a" * 32, None, b"c" * 32, b"\x00" * 32)
    rules = gunzi.load("yuwang")
    for hand, redeal in ((1, 0), (7, 2)):
        deal = Fair(seed).with_contributions(shares).deal(rules, hand, redeal)
        found = person.page.evaluate(
            "async ([seed, shares, hand, redeal]) => (await import('/static/js/fairness.js')).drawnDeck(seed, shares, hand, redeal, 3)",
            [seed.hex(), [share.hex() if share is not None else None for share in shares], hand, redeal],
        )
        assert found == {"deck": [str(card) for card in deal.deck], "first": deal.first}
    fits = "async ([seed, hash]) => (await import('/static/js/fairness.js')).seedFits(seed, hash)"
    assert person.page.evaluate(fits, [seed.hex(), hashlib.sha256(seed).hexdigest()])
    assert not person.page.evaluate(fits, [seed.hex(), hashlib.sha256(b"another").hexdigest()])


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


@pytest.mark.parametrize("screen", [0, 1])
def test_life_at_the_table(server: Server, pictures: Path, alone: Any, screen: int) -> None:
    """Watching, phrases and muting, the menu's pages, a bot for a while, the result with its check, its record and its replay."""
    made = server.open_table(rules="baike")
    host, watcher = alone(screen), alone(3 - screen)
    watcher.enter(made)
    watcher.page.locator("#lobby form button.main").click()
    sit_with_bots(host, made, "deal pay return bury bury_kings pick lead")
    in_mid_trick(host)
    host.page.evaluate("() => { window.driving = false; }")
    zh = host.language == "zh"

    # Who watches sees all four sides and nobody's cards.
    watcher.page.locator("#play:not([hidden])").wait_for()
    assert watcher.page.locator(".seat .who").count() == 4
    assert watcher.page.locator(".held").count() == 0
    watcher.check("watching")
    watcher.page.screenshot(path=pictures / f"watching-{screen}.png")

    for name, (in_chinese, in_english) in {
        "sheet": ("记分表", "Score sheet"),
        "counting": ("记牌", "Cards left"),
        "phrases": ("说一句", "Say something"),
        "seats": ("座位", "Seats"),
    }.items():
        open_menu(host, in_chinese, in_english)
        look_at_dialog(host, pictures, name)
    host.page.locator("#bar button", has_text="规则" if zh else "Rules").click()
    look_at_dialog(host, pictures, "rules")
    host.page.locator("#bar button", has_text="前几圈" if zh else "Tricks").click()
    look_at_dialog(host, pictures, "tricks")
    host.page.locator("#bar [aria-haspopup]").click()
    look_at_dialog(host, pictures, "menu")

    said = "大家好！" if watcher.language == "zh" else "Hello everybody!"
    for muted in (False, True):
        if muted:
            open_menu(watcher, "不听别人说话", "Mute phrases")
            until(lambda: watcher.page.locator("#notices .notice").count() == 0, "the phrase to go")
        open_menu(host, "说一句", "Say something")
        host.page.locator("dialog .menu button", has_text="大家好" if zh else "Hello everybody").click()
        if not muted:
            watcher.page.locator("#notices .notice", has_text=said).wait_for()
            until(lambda: host.page.locator("dialog").count() == 0, "the dialog to close")
    assert watcher.page.locator("#notices .notice", has_text=said).count() == 0

    # A bot plays on for a while: the seat says so, and one comes back with one press.
    cards = host.page.locator(".held").count()
    open_menu(host, "托管", "Let a bot")
    until(lambda: host.page.locator(".held").count() < cards, "the bot's play")
    assert host.page.locator(".seat.near .mark", has_text="托管" if zh else "auto").count() == 1
    for person in (host, watcher):
        person.page.locator("dialog .result").wait_for()
        person.page.screenshot(path=pictures / f"result-{person.language}.png")
        person.check("result")
    host.page.locator("dialog .result button").first.click()
    look_at_dialog(host, pictures, "rule")
    host.page.locator("dialog button", has_text="查这副牌" if zh else "Check this deal").click()
    assert host.page.locator(".checks .good").count() >= 3 and host.page.locator(".checks .bad").count() == 0
    look_at_dialog(host, pictures, "deal-check")
    with host.context.expect_page() as opened:
        host.page.locator("dialog a", has_text="复盘" if zh else "Replay").click()
    replay = opened.value
    replay.locator(".felt .who").first.wait_for()
    replay.locator("p.good").wait_for()
    assert "at=" in replay.url
    replay.close()
    host.page.locator("dialog button.main").last.click()
    host.page.locator("#lobby .ended").wait_for()
    with host.page.expect_download() as saved:
        host.page.locator(".ended button").click()
    record = Record.parse(Path(saved.value.path()).read_bytes())
    assert verify(record).hands == 1
    assert host.wrong + host.said + watcher.wrong + watcher.said == []


def test_an_act_is_taken_back_when_the_others_agree(server: Server, pictures: Path, alone: Any) -> None:
    made = server.open_table()
    host, other = alone(0), alone(3)
    other.enter(made)
    other.page.locator("#lobby form button.main").click()
    other.page.locator(".lobby-seat").nth(1).locator("button.main").click()
    other.page.locator(".actions button.main", has_text="Ready").click()
    other.page.evaluate(
        "() => { for (const kind of ['pay', 'return', 'bury', 'bury_kings', 'pick', 'lead', 'follow']) window.released.add(kind); }"
    )
    other.drive(1)
    sit_with_bots(host, made, "pay return bury bury_kings pick")

    # The host is to act before his neighbour, a person who takes his time: nothing new is known then.
    def before_the_other() -> bool:
        if not host.get("window.waiting"):
            return False
        if host.get(
            "document.querySelector('.seat.right .played').childElementCount === 0 || window.waiting === 'lead'"
        ):
            return True
        host.page.evaluate(
            "() => { const kind = window.waiting; window.released.add(kind); setTimeout(() => window.released.delete(kind), 400); }"
        )
        return False

    until(before_the_other, "a turn before the other's")
    for person in (host, other):
        person.page.evaluate("() => { window.driving = false; }")
    before = standing(host)[1]
    host.page.locator("#asking [data-do=suggest]").click()
    host.page.locator("#asking [data-do=go]:enabled").click()
    until(lambda: standing(host)[1] != before, "the play")
    open_menu(host, "悔牌", "Take back")
    other.page.locator("#vote button.main").wait_for()
    other.page.screenshot(path=pictures / "vote.png")
    host.check("asking for a vote")
    other.check("vote")
    other.page.locator("#vote button.main").click()
    until(lambda: standing(host)[1] == before, "the cards to come back")
    assert host.wrong + host.said + other.wrong + other.said == []


EVENING: list[dict[str, str]] = [
    {"dealer": "0", "trump": "H", "captured": "no", "points": "70", "bottom": "黑桃3 S4,S6,S7,S8 大王", "dry": ""},
    {"trump": "S", "captured": "yes", "points": "100", "bottom": "SK S4 S6 S7 D8 C3"},
    {"trump": "D", "captured": "no", "points": "155", "bottom": "S3*2 S6 S7 D8 小王"},
    {"trump": "C", "captured": "no", "points": "15", "bottom": "S3,S4,S6,S7,D8,C3", "dry": ""},
]
"""Hands with kings, a capture, a take-over and much blood."""


def shown_sheet(person: Person) -> list[str]:
    """Levels, dealer, tribute, the sheet and every line of every explanation, as they are read."""
    text = "[...document.querySelectorAll('#standing, #sheet table, #sheet details')].map(part => part.textContent)"
    found: list[str] = person.get(text)
    return found


def test_the_scorekeeper_reckons_a_whole_evening_without_a_network(server: Server, pictures: Path, alone: Any) -> None:
    person = alone(0)
    page, context = person.page, person.context
    page.goto(f"{server.address}/score")
    for code in ("yuwang", "dalian"):
        page.locator("#score-rules").select_option(code)
        until(lambda: person.get("document.documentElement.dataset.reckoning") == "kept", f"{code} to be kept")
    until(
        lambda: person.get(
            "document.documentElement.dataset.kept !== undefined && navigator.serviceWorker.controller !== null"
        ),
        "the page to be kept",
    )
    context.set_offline(True)
    for hand in EVENING[:2]:
        fill_in_a_hand(person, hand)
    page.reload()
    until(lambda: page.locator(".result").count() == 2, "the sheet after a reload without a network")
    for hand in EVENING[2:]:
        fill_in_a_hand(person, hand)
    assert page.locator("#waiting, #stuck").count() == 0
    person.check("offline")
    page.screenshot(path=pictures / "score-offline.png", full_page=True)

    # An entry that cannot be stays in the form with the reason; nothing is lost by it.
    whole = shown_sheet(person)
    for key, value in {"points": "333", "bottom": "S3"}.items():
        page.locator(f"#score-{key}").fill(value)
    page.locator("#score-trump").select_option("S")
    page.locator("#score-captured").select_option("no")
    assert "还差 5 张" in page.locator("#score-bottom-read").inner_text()
    page.locator("#score-form button.main").click()
    page.locator(".notice.bad").wait_for()
    assert page.locator("#score-points").input_value() == "333"
    assert shown_sheet(person) == whole
    person.check("refused")

    # Undo, redo, and an earlier hand corrected, which leads elsewhere.
    page.locator("#score-undo").click()
    assert page.locator(".result").count() == 3
    page.locator("#score-redo").click()
    assert shown_sheet(person) == whole
    page.locator("#sheet details", has_text="第 3 把").first.locator("summary").click()
    page.locator("#sheet details button", has_text="改第 3 把").click()
    page.locator("#score-points").fill("60")
    person.check("correcting")
    page.screenshot(path=pictures / "score-correcting.png", full_page=True)
    page.locator("#score-form button.main").click()
    until(lambda: shown_sheet(person) != whole, "the corrected sheet")
    page.locator(".explain button").first.click()
    page.locator("dialog[open]").wait_for()
    page.keyboard.press("Escape")
    page.reload()
    until(lambda: page.locator(".result").count() == 4, "the sheet after another reload")
    corrected = shown_sheet(person)
    page.locator("#score-undo").click()
    assert shown_sheet(person) == whole
    page.locator("#score-redo").click()

    # Other rules that were kept; one cannot be had now, and the hands are still there.
    page.locator("#score-rules").select_option("yuwang")
    until(lambda: person.get("document.documentElement.dataset.reckoning") is not None, "yuwang without a network")
    assert page.locator(".result").count() == 4
    assert shown_sheet(person) != corrected
    page.locator("#score-rules").select_option("boke")
    page.locator("#waiting li").nth(3).wait_for()
    assert page.locator("#sheet, #standing").count() == 0
    person.check("unreachable")
    page.screenshot(path=pictures / "score-unreachable.png", full_page=True)
    page.locator("#score-rules").select_option("dalian")
    until(lambda: person.get("document.documentElement.dataset.reckoning") is not None, "dalian without a network")
    assert shown_sheet(person) == corrected

    # The network is back: the server says the same of the same hands.
    context.set_offline(False)
    page.reload()
    until(lambda: page.locator(".result").count() == 4, "the sheet with a network")
    assert shown_sheet(person) == corrected
    told = person.get("JSON.parse(localStorage['gunzi.score']).hands")
    asked = {"rules": "dalian", "players": [], "hands": told}
    sheet = json.loads(server.ask("score", asked))
    kept = person.get("JSON.parse(localStorage['gunzi.score.sheet'])")
    assert [row["result"] for row in kept["rows"]] == [row["result"] for row in sheet["rows"]]
    assert kept["standing"] == sheet["standing"] and kept["scores"] == sheet["scores"] and not kept["wrong"]
    assert person.wrong == []
    missed = ("api/reckoning?rules=boke", "api/score")
    assert [said for said in person.said if not any(each in said for each in missed)] == []


def test_where_nothing_can_be_kept_the_open_page_reckons_on(server: Server, alone: Any) -> None:
    """On plain http in a local network browsers have no service worker."""
    person = alone(2)
    person.context.add_init_script("delete Navigator.prototype.serviceWorker")
    page = person.page
    page.goto(f"{server.address}/score")
    until(lambda: person.get("document.documentElement.dataset.reckoning") == "here", "the rules to be here")
    assert "别关这一页" in page.locator("#score-offline").inner_text()
    person.context.set_offline(True)
    for hand in EVENING:
        fill_in_a_hand(person, hand)
    page.locator(".explain button").first.click()
    page.locator("dialog[open] code").wait_for()
    person.check("the open page")
    assert person.wrong + person.said == []


def test_a_network_that_never_answers_does_not_keep_the_scorekeeper_away(tmp_path: Path, alone: Any) -> None:
    own = Server(tmp_path)
    own.start()
    assert own.process is not None
    try:
        person = alone(0, own.address)
        person.page.goto(f"{own.address}/score")
        until(
            lambda: person.get(
                "document.documentElement.dataset.reckoning === 'kept' && document.documentElement.dataset.kept !== undefined"
                " && navigator.serviceWorker.controller !== null"
            ),
            "page and rules to be kept",
        )
        fill_in_a_hand(person, EVENING[0])
        own.process.send_signal(signal.SIGSTOP)
        person.page.reload(wait_until="commit")
        person.page.locator("#standing").wait_for()
        fill_in_a_hand(person, EVENING[1])
        assert person.page.locator("#sheet .result").count() == 2 and person.page.locator("#waiting").count() == 0
    finally:
        own.process.send_signal(signal.SIGCONT)
        own.stop()


def test_rules_without_a_reckoning_are_reckoned_by_the_server(
    server: Server, pictures: Path, tmp_path: Path, alone: Any
) -> None:
    own = Server(tmp_path)
    own.start()
    try:
        person = alone(0, own.address)
        page = person.page
        none = {"status": 200, "content_type": "application/json"}
        rules = json.loads(own.ask("score", {"rules": "dalian", "hands": []}))["rules"]
        answer = json.dumps({"rules": rules, "reckoning": None, "why": "the trump order"})
        person.context.route("**/api/reckoning?*", lambda route: route.fulfill(**none, body=answer))
        page.goto(f"{own.address}/score")
        until(lambda: person.get("document.documentElement.dataset.reckoning") == "none", "the answer")
        fill_in_a_hand(person, EVENING[0])
        own.kill()
        for key, value in {"trump": "S", "captured": "yes"}.items():
            page.locator(f"#score-{key}").select_option(value)
        for key, value in {"points": "100", "bottom": "S3,S4,S6,S7,D8,C3"}.items():
            page.locator(f"#score-{key}").fill(value)
        page.locator("#score-form button.main").click()
        page.locator("#waiting li").wait_for()
        assert page.locator(".result").count() == 1
        assert page.locator("#score-dealer").input_value() == "" and page.locator("#score-tribute").count() == 0
        fill_in = {"dealer": "3!", "trump": "C", "captured": "no", "points": "85", "bottom": "S3 S4 S6 S7 D8 C3"}
        for key, value in fill_in.items():
            field = page.locator(f"#score-{key}")
            field.select_option(value) if field.evaluate("field => field.matches('select')") else field.fill(value)
        page.locator("#score-form button.main").click()
        page.locator("#waiting li").nth(1).wait_for()
        person.check("waiting")
        page.screenshot(path=pictures / "score-waiting.png", full_page=True)
        own.start()
        page.evaluate("dispatchEvent(new Event('online'))")
        until(lambda: page.locator(".result").count() == 3, "all hands worked out")
        assert page.locator("#waiting, #stuck").count() == 0
        assert person.wrong == []
    finally:
        own.stop()


def test_rules_are_chosen_by_interview_and_editor(server: Server, pictures: Path, alone: Any) -> None:
    """The interview to its end, an option changed, a contradiction shown as it arises, titles, import, and a table with the result."""
    person = alone(3)
    page = person.page
    page.goto(f"{server.address}/rules#pick")
    page.locator("#pick .answer").first.wait_for()
    page.screenshot(path=pictures / "interview.png")
    person.check("interview")
    for _ in range(60):
        answer = page.locator("#pick .answer").first
        if not answer.count():
            break
        asked = page.locator("#pick h3").inner_text()
        answer.click()
        until(lambda asked=asked: page.locator("#pick h3").all_inner_texts() != [asked], "the next question")
    page.locator("#pick button.main").click()
    page.locator("#pick").wait_for(state="detached")

    code = page.locator("#code").inner_text()
    page.locator("#from").select_option("dalian")
    until(lambda: page.locator("#code").inner_text() != code, "the preset")
    page.locator("details[data-group=follow] summary").first.click()
    code = page.locator("#code").inner_text()
    page.locator("#option-follow\\.shapes input:not(:checked)").click()
    until(lambda: page.locator("#code").inner_text() != code, "the rules with the change")
    assert gunzi.load(page.locator("#code").inner_text()).hash == gunzi.load("dalian", {"follow.shapes": "strict"}).hash
    page.locator("details[data-group=titles] > summary").click()
    page.locator("#option-titles textarea").fill("0 nobody\n5")
    page.locator("#option-titles textarea").blur()
    page.locator("#option-titles .bad", has_text="line 2").wait_for()
    code = page.locator("#code").inner_text()
    page.locator("#option-titles textarea").fill("0 nobody\n50 somebody")
    page.locator("#option-titles textarea").blur()
    until(lambda: page.locator("#code").inner_text() != code, "the titles")
    person.check("editor")
    page.screenshot(path=pictures / "editor.png", full_page=True)

    # Start and final level the wrong way round: said at once, and no table can be opened with it.
    page.locator("details[data-group=levels] > summary").click()
    page.locator("#option-levels\\.start select").select_option("12")
    page.locator(".beside .bad li").first.wait_for()
    assert not page.locator("#use").is_visible()
    page.screenshot(path=pictures / "conflict.png")
    page.locator("#option-levels\\.start select").select_option("3")
    page.locator(".beside .bad").wait_for(state="detached")
    page.locator("#use").click()
    page.locator("#open").click()
    page.locator(".lobby-seat").first.wait_for()
    assert person.wrong + person.said == []
