"""The scorekeeper: with the network, without it, and with rules only the server can reckon."""

from __future__ import annotations

import json
import signal
from pathlib import Path
from typing import Any

from browser_harness import Server, until
from browser_people import Person, fill_in_a_hand

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
