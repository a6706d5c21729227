"""What the others at the table are asked: taking back, ending a hand early; and what is not offered where it is not allowed."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from browser_harness import Server, until
from browser_people import Person, open_menu, standing, two_with_bots

import gunzi
from gunzi.sharecode import encode


def vote(person: Person, agree: bool) -> None:
    """Answer what is asked."""
    button = person.page.locator("#vote button.main" if agree else "#vote button:not(.main)")
    button.click()


def test_an_act_is_taken_back_when_the_others_agree(server: Server, pictures: Path, alone: Any) -> None:
    host, other = alone(0), alone(3)

    # The host is to act before his neighbour, a person who takes his time: nothing new is known then.
    before_the_other = "window.waiting && document.querySelector('.seat.right .played')?.childElementCount === 0"
    two_with_bots(host, other, server.open_table(), "deal pay return bury bury_kings pick", "window.waiting")

    def the_host_first() -> bool:
        if host.get(before_the_other):
            return True
        for person in (host, other):
            person.page.evaluate(
                "() => { const kind = window.waiting; if (kind) { window.released.add(kind); setTimeout(() => window.released.delete(kind), 100); } }"
            )
        return False

    until(the_host_first, "a turn before the other's")
    for person in (host, other):
        person.page.evaluate("() => { window.driving = false; }")
    before = standing(host)[1]
    host.page.locator("#asking [data-do=suggest]").click()
    host.page.locator("#asking [data-do=go]:enabled").click()
    until(lambda: standing(host)[1] != before, "the play")
    for agreed in (False, True):
        open_menu(host, "悔牌", "Take back")
        other.page.locator("#vote button.main").wait_for()
        if not agreed:
            other.page.screenshot(path=pictures / "vote.png")
            host.check("asking for a vote")
            other.check("vote")
        vote(other, agreed)
        if not agreed:
            host.page.locator("#notices .notice", has_text="没悔成").wait_for()
            assert standing(host)[1] != before
    until(lambda: standing(host)[1] == before, "the cards to come back")
    open_menu(host, "悔牌", "Take back")
    host.page.locator("#notices .notice.bad", has_text="悔不了").wait_for()

    # A person shown out in the middle of a hand: a bot plays on, and he is told.
    open_menu(host, "座位", "Seats")
    host.page.locator("dialog button", has_text="请走").click()
    other.page.locator("#line.closed a").wait_for()
    host.page.locator(".seat.right .name", has_text="电脑").wait_for()
    assert host.wrong + host.said + other.wrong + other.said == []


def test_a_hand_whose_result_is_certain_ends_when_all_agree(server: Server, pictures: Path, alone: Any) -> None:
    """No card counts anything: nothing can change from the first lead on. And what this table does not allow is not offered."""
    code = encode(gunzi.load("dalian", {"points": {}}))
    settings = {"take_back": False, "counting": False, "history": False, "suggest": True}
    host, other, watcher = alone(2), alone(1), alone(3)
    made = server.open_table(rules=code, settings=settings)
    watcher.enter(made)
    watcher.page.locator("#lobby form button.main").click()
    leader = two_with_bots(
        host, other, made, "deal pay return bury bury_kings pick follow", "window.waiting === 'lead'"
    )
    for person in (host, other):
        person.page.evaluate("() => { window.driving = false; }")
    host.page.locator("#bar [aria-haspopup]").click()
    assert host.page.locator("dialog .menu button", has_text="提前结束").count() == 1
    assert host.page.locator("dialog .menu button", has_text="悔牌").count() == 0
    assert host.page.locator("dialog .menu button", has_text="记牌").count() == 0
    host.page.keyboard.press("Escape")
    host.page.locator("#bar button", has_text="上一圈").click()
    assert host.page.locator("dialog .trick").count() <= 1
    host.page.keyboard.press("Escape")

    asks, answers = (host, other) if leader is host else (other, host)
    open_menu(asks, "提前结束", "End this hand early")
    answers.page.locator("#vote button.main").wait_for()
    for person in (host, other, watcher):
        person.check("vote to end early")
    answers.page.screenshot(path=pictures / "vote-early.png")
    vote(answers, True)
    for person in (host, other, watcher):
        person.page.locator("dialog .result").wait_for()
        person.check("ended early")

    # The cards that were never played stay bright among those that were.
    watcher.page.locator("dialog button.main").last.click()
    watcher.page.locator(".laid-seat").first.wait_for()
    bright = watcher.get(
        "[...document.querySelectorAll('.laid-seat')].map(seat => seat.querySelectorAll('.laid-card:not(.dim)').length)"
    )
    assert len(set(bright)) == 1 and bright[0] > 0
    watcher.page.screenshot(path=pictures / "all-hands-early.png")
    watcher.check("all hands after an early end")
    assert [wrong for person in (host, other, watcher) for wrong in person.wrong + person.said] == []
