"""The host goes away in mid-play: the others see it, one of them stands in for him, and he may come back."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from browser_harness import Server, until
from browser_people import Person, open_menu, two_with_bots

PLAYED = "deal pay return bury bury_kings pick"


def seats(person: Person) -> list[str]:
    """What the dialog of the seats says of each."""
    open_menu(person, "座位", "Seats")
    person.page.locator("dialog[open] li").first.wait_for()
    found: list[str] = person.page.locator("dialog[open] li > .grow").all_inner_texts()
    return found


@pytest.mark.parametrize("screen", [0, 3])
def test_the_table_goes_on_while_its_host_is_away(server: Server, pictures: Path, alone: Any, screen: int) -> None:
    """No time runs out at this table: it is the person beside the host who seats a bot for him."""
    host, other, watcher = alone(3 - screen), alone(screen), alone(screen)
    zh = other.language == "zh"
    made = server.open_table(player="阿一")
    watcher.enter(made)
    watcher.page.locator("#lobby form button.main").click()
    two_with_bots(host, other, made, PLAYED)
    other.page.evaluate("() => { for (const kind of ['lead', 'follow']) window.released.add(kind); }")
    until(lambda: host.get("window.waiting"), "the host's turn")
    other.page.evaluate("() => { window.driving = false; }")
    address = host.page.url
    held = host.page.locator(".held").count()

    # As long as he is there, nothing of his is offered to anybody.
    assert other.page.locator("#asking [data-do=relieve]").count() == 0
    assert seats(other)[0].endswith("（房主）" if zh else "(host)")
    assert other.page.locator("dialog[open] li button").count() == 0
    other.page.keyboard.press("Escape")

    host.page.goto("about:blank")
    relieve = other.page.locator("#asking [data-do=relieve]")
    relieve.wait_for()
    assert ("掉线" if zh else "offline") in other.page.locator("#asking .asked").inner_text()
    told = watcher.page.locator("#asking .asked", has_text="掉线" if zh else "offline")
    assert ("牌友可以" if zh else "牌友 can") in told.inner_text() and watcher.page.locator(
        "#asking button"
    ).count() == 0
    found = seats(other)
    assert "掉线" in found[0] if zh else "offline" in found[0]
    assert ("代房主" if zh else "stands in") in found[1]
    other.check("seats without the host")
    other.page.screenshot(path=pictures / f"host-away-seats-{other.language}.png")
    other.page.keyboard.press("Escape")
    for person in (other, watcher):
        person.check("the host is away")
        person.page.screenshot(path=pictures / f"host-away-{person.language}-{person is watcher}.png")

    relieve.click()
    other.page.locator("dialog[open] button.main").click()
    other.page.locator("#asking .asked.mine").wait_for()
    assert relieve.count() == 0

    # He comes back as the host he was, and sits down again where a bot has played for him.
    host.page.goto(address)
    host.page.locator("#bar button", has_text="坐下" if host.language == "zh" else "Sit down").click()
    host.check("back, without a seat")
    host.page.screenshot(path=pictures / f"host-back-{host.language}.png")
    host.page.locator("dialog[open] li").first.locator(
        "button", has_text="顶替" if host.language == "zh" else "Take"
    ).click()
    host.page.locator(".held").first.wait_for()
    assert 0 < host.page.locator(".held").count() < held

    # Who stands in for a host that stays away may become it, and everybody is told.
    host.page.goto("about:blank")
    other.page.locator(".seat .mark", has_text="掉线" if zh else "offline").wait_for()
    seats(other)
    other.page.locator("dialog[open] button", has_text="我来当房主" if zh else "Become host").click()
    other.page.locator("#notices .notice", has_text="你当房主了" if zh else "You are the host").wait_for()
    watcher.page.locator("#notices .notice", has_text="牌友当房主" if zh else "牌友 is the host").wait_for()
    host.page.goto(address)
    host.page.locator("#play:not([hidden])").wait_for()
    assert seats(other)[1].endswith("（房主）" if zh else "(host)")
    assert other.wrong + other.said + watcher.wrong + watcher.said + host.wrong + host.said == []
