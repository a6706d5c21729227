"""Life at the table: watching, talking, a bot for a while, votes, results."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from browser_harness import Server, until
from browser_people import (
    in_mid_trick,
    look_at_dialog,
    open_menu,
    sit_with_bots,
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
    for _ in range(2):  # the other language, and back
        watcher.page.locator("#bar button").click()
        watcher.language = "zh" if watcher.language == "en" else "en"
        watcher.check("coming in")
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
    host.page.locator("dialog li button", has_text="?").first.click()  # which rule made this trump
    host.page.locator("dialog[open]").nth(1).locator("code").wait_for()
    host.page.keyboard.press("Escape")
    until(lambda: host.page.locator("dialog[open]").count() == 1, "the rule to close")
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
    host.page.locator(".checks .good", has_text="你加的随机数用上了" if zh else "what you added was used").wait_for()
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

    # The same people play again by other rules; one who watches is shown out.
    host.page.locator(".actions button.main").click()
    host.page.locator("#rules-select").select_option("zixun")
    name = "资讯版" if watcher.language == "zh" else "News site copy"
    watcher.page.locator("#lobby h2", has_text=name).wait_for()
    host.page.locator("#lobby section", has=host.page.locator("h2", has_text="旁观" if zh else "Watching")).locator(
        "button"
    ).click()
    watcher.page.locator("#line.closed a").wait_for()
    watcher.check("shown out")
    host.page.locator("#lobby h2", has_text="旁观" if zh else "Watching").wait_for(state="detached")
    assert host.wrong + host.said + watcher.wrong + watcher.said == []


def test_with_the_next_hand_the_cards_of_the_last_are_put_away(server: Server, alone: Any) -> None:
    """Who watches goes on from the open cards of a hand to the next one, as those who play do."""
    host, watcher = alone(0), alone(3)
    made = server.open_table(settings={"hands": 2})
    watcher.enter(made)
    watcher.page.locator("#lobby form button.main").click()
    sit_with_bots(host, made)
    for person in (host, watcher):
        person.page.locator("dialog .result").wait_for()
    watcher.page.locator("dialog button.main").last.click()
    host.page.locator("dialog button", has_text="亮牌").click()
    for person in (host, watcher):
        until(lambda person=person: person.page.locator(".laid-seat").count() == 4, "the open cards")
    host.page.evaluate(
        "() => { window.released.delete('follow'); for (const kind of ['result', 'between']) window.released.add(kind); }"
    )
    for person in (host, watcher):
        person.page.locator(".played .lying").first.wait_for()
        assert person.page.locator(".laid-seat").count() == 0
        person.check("the next hand")
    assert host.wrong + host.said + watcher.wrong + watcher.said == []


def test_time_runs_out_visibly_and_one_comes_back(pictures: Path, tmp_path: Path, alone: Any) -> None:
    """The clock of one's turn counts down; then a bot takes over, which is said, and one takes over again."""
    own = Server(tmp_path, pace=10)
    own.start()
    try:
        person = alone(0, own.address)
        settings = {"think_ms": 2_500, "auto_after": 1}
        sit_with_bots(person, own.open_table(settings=settings), "deal pay return bury bury_kings pick")
        person.page.evaluate(
            """() => {
                window.driving = false;
                window.seconds = [];
                setInterval(() => {
                    const clock = document.querySelector(".seat.near .clock")?.textContent;
                    if (clock && window.seconds.at(-1) !== clock) window.seconds.push(clock);
                }, 50);
            }"""
        )
        back = person.page.locator("#bar button", has_text="取消托管")
        back.wait_for()
        assert person.get("window.seconds.map(Number).every((left, place, all) => !place || left < all[place - 1])")
        assert int(person.get("window.seconds[0]")) - int(person.get("window.seconds.at(-1)")) >= 1
        assert person.page.locator(".seat.near .mark", has_text="托管").count() == 1
        person.page.screenshot(path=pictures / "taken-over.png")
        person.check("a bot plays")
        # What is under a finger stays there while others play.
        held = person.get(
            "[window.button = document.querySelector('#bar button.main'), document.querySelectorAll('.held').length][1]"
        )
        until(lambda: person.get("document.querySelectorAll('.held').length") < held, "the bot's play")
        assert person.get("document.body.contains(window.button)")
        back.click()
        back.wait_for(state="detached")
        assert person.page.locator(".seat.near .mark", has_text="托管").count() == 0
        person.page.locator("#asking .asked.mine").wait_for()
        assert person.wrong + person.said == []
    finally:
        own.stop()


def test_a_failed_table_says_so_and_the_host_saves_a_report(pictures: Path, tmp_path: Path, alone: Any) -> None:
    fails = "import gunzi.plugins.trick as rule\ndef fail(trump):\n    raise RuntimeError('1/0')\nrule._rule = fail"
    own = Server(tmp_path, fails)
    own.start()
    try:
        host, watcher = alone(0, own.address), alone(3, own.address)
        made = own.open_table()
        watcher.enter(made)
        watcher.page.locator("#lobby form button.main").click()
        sit_with_bots(host, made, waits="document.getElementById('failure').hidden === false")
        for person in (host, watcher):
            person.page.locator("#failure", has_text="1/0").wait_for()
            person.check("failed")
            person.page.screenshot(path=pictures / f"failed-{person.language}.png")
        assert watcher.page.locator("#failure button").count() == 0
        with host.page.expect_download() as saved:
            host.page.locator("#failure button", has_text="故障报告").click()
        report = json.loads(Path(saved.value.path()).read_bytes())
        assert "1/0" in report["traceback"] and report["journal"][0]["e"] == "hand"
        host.page.evaluate("() => { window.driving = false; }")
        host.page.locator("#failure button", has_text="重新开局").click()
        host.page.locator(".lobby-seat.mine").wait_for()
        assert host.page.locator("#failure").is_hidden()
        assert host.wrong + host.said + watcher.wrong + watcher.said == []
    finally:
        own.stop()


def test_the_sheet_of_a_long_game_has_every_hand(server: Server, pictures: Path, alone: Any) -> None:
    """The server sends the last hands by itself; the page fetches the earlier ones for whoever wants to see them."""
    made = server.open_table()
    host = alone(0)
    host.be(made)
    host.page.goto(f"{host.server}/t/{made['table']}")
    host.page.locator(".lobby-seat").first.wait_for()
    told = {"round": 1, "levels": [3, 4], "dealer": 0, "suit": "H", "attackers_points": 85, "captured": False}
    told |= {"takeover": False, "level_up": None, "ending": None, "round_won_by": None}
    rows = [{**told, "hand": hand, "scores": [hand, -hand, hand, -hand]} for hand in range(1, 46)]
    asked: list[tuple[int, str]] = []

    def earlier(route: Any) -> None:
        before = int(route.request.url.rsplit("before=", 1)[1])
        asked.append((before, route.request.headers["authorization"]))
        route.fulfill(json=rows[max(0, before - 16) : before - 1])

    host.page.route("**/hands?game=1&*", earlier)
    host.page.evaluate(
        """async ([table, rows]) => {
            const [{ sheetView }, { dialog }] = await Promise.all([import("/static/js/sheet.js"), import("/static/js/notices.js")]);
            const score = { hands: rows.length, sheet: rows.slice(-20), scores: [9, -9, 9, -9], titles: [null, null, null, null] };
            dialog("记分表", [sheetView({ room: { table, game: 1 }, score }, seat => ["阿一", "阿二", "阿三", "牌友"][seat % 4])], { wide: true });
        }""",
        [made["table"], rows],
    )
    hands = "[...document.querySelectorAll('dialog tbody tr:not(.about) td:first-child')].map(cell => cell.textContent)"
    button = host.page.locator("dialog [data-do=earlier]")
    for left in (25, 10, 0):
        until(lambda left=left: len(host.get(hands)) == 45 - left, "the earlier hands")
        assert host.get(hands) == [f"1·{hand}" for hand in range(left + 1, 46)]
        if left:
            assert str(left) in (button.text_content() or "")
            host.check("a long sheet")
            host.page.screenshot(path=pictures / f"long-sheet-{left}.png")
            button.click()
    assert button.count() == 0
    assert asked == [(26, f"Bearer {made['token']}"), (11, f"Bearer {made['token']}")]
    assert host.wrong + host.said == []
