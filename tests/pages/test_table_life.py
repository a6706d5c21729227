"""Life at the table: watching, talking, a bot for a while, votes, results."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from browser_harness import Server, until
from browser_people import (
    in_mid_trick,
    look_at_dialog,
    open_menu,
    sit_with_bots,
    standing,
)

from gunzi.record import Record
from gunzi.verifying import verify

LYING = """[...document.querySelectorAll(".laid-seat")].map(seat => [...seat.querySelectorAll(".laid-card")].map(card => card.dataset.card).sort())"""
"""Every seat's open cards, by the page's order of the seats."""


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
    assert watcher.page.locator(".held, .laid-card").count() == 0
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

    # Once it is over, who watches sees all four hands as they were.
    watcher.page.locator("dialog button.main").last.click()
    assert watcher.page.locator(".laid-seat").count() == 4
    assert watcher.page.locator(".laid-card").count() == 4 * 39
    watcher.check("all hands")
    watcher.page.screenshot(path=pictures / f"all-hands-{screen}.png")
    lying = watcher.get(LYING)
    watcher.page.locator(".laid-middle button").click()
    watcher.page.locator("#lobby .ended").wait_for()
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
    # So may those who played, if they wish.
    host.page.locator("dialog button", has_text="亮牌" if zh else "All hands").click()
    host.page.locator(".laid-seat").first.wait_for()
    assert host.get(LYING) == lying
    host.page.locator(".laid-middle button").click()
    host.page.locator("#lobby .ended").wait_for()
    with host.page.expect_download() as saved:
        host.page.locator(".ended button").click()
    record = Record.parse(Path(saved.value.path()).read_bytes())
    assert verify(record).hands == 1
    # The cards each seat has played, in all, are those that lay open.
    played = [
        sorted(card for e in record.events if e["e"] == "play" and e["seat"] == s for card in e["cards"])
        for s in range(4)
    ]
    assert sorted(lying) == sorted(played)
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
