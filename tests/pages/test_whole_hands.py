"""Four people play whole hands on phones and desks under every preset; reloads, cuts and the server's death lose nothing."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from browser_harness import Line, Server, until
from browser_people import (
    NAMES,
    SCREENS,
    Person,
    in_mid_trick,
    sit_with_bots,
    standing,
)
from playwright.sync_api import Browser

import gunzi
from gunzi.record import Record
from gunzi.sharecode import encode
from gunzi.verifying import verify

PRESETS = [preset for preset in gunzi.preset_ids() if preset != "base"]
CASES = [(preset, shapes) for preset in PRESETS for shapes in ("loose", "strict")]


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
