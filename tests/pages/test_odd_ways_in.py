"""Odd ways to the pages: links cut short, names that are none, one seat in two windows, a server that is busy or never answers."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest
from browser_harness import WEB, Server, until
from playwright.sync_api import Route, WebSocketRoute

RECORDS = sorted((WEB.parent / "records").glob("*.jsonl"))
REFUSED = "Failed to load resource"
"""What the browser itself writes to its console where a request is refused."""


@pytest.mark.parametrize("screen", [0, 3])
def test_a_link_that_was_cut_short_is_said_and_others_can_be_chosen(server: Server, alone: Any, screen: int) -> None:
    person = alone(screen)
    page, zh = person.page, person.language == "zh"
    said = "分享码不对" if zh else "share code"
    page.goto(f"{server.address}/rules#rules=gz1.broken")
    page.locator(".beside .bad li", has_text=said).wait_for()
    person.check("broken rules")
    page.locator("#from").select_option("yuwang")
    page.locator("#use").wait_for()
    assert page.locator(".beside .bad").count() == 0

    page.goto(f"{server.address}/score#rules=gz1.broken")
    page.locator("#waiting .bad", has_text=said).wait_for()
    assert page.locator("#waiting", has_text="没连上服务器" if zh else "out of reach").count() == 0
    person.check("broken score")
    page.locator("#score-rules").select_option("yuwang")
    page.locator("#waiting").wait_for(state="detached")
    page.locator("html[data-reckoning]").wait_for()

    page.goto(f"{server.address}/#rules=gz1.broken")
    page.locator("#open").click()
    page.locator(".notice.bad", has_text=said).wait_for()
    assert "[" not in page.locator(".notice.bad").first.inner_text()  # the problem in words, not its code
    assert person.wrong + [each for each in person.said if REFUSED not in each] == []


def test_a_name_that_is_none_is_asked_for_again(server: Server, alone: Any) -> None:
    person = alone(0)
    person.enter(server.open_table())
    person.page.locator("#lobby form input").fill("甲\u200b乙")
    person.page.locator("#lobby form button.main").click()
    person.page.locator("#line.closed", has_text="名字").wait_for()
    person.check("a name that is none")
    person.page.locator("#lobby form input").fill("甲乙")
    person.page.locator("#lobby form button.main").click()
    person.page.locator(".lobby-seat").first.wait_for()
    assert person.page.locator("#line").is_hidden() and person.wrong + person.said == []


def test_a_seat_in_two_windows_is_played_in_the_later_one(server: Server, alone: Any) -> None:
    person = alone(0)
    made = server.open_table()
    person.be(made)
    address = f"{server.address}/t/{made['table']}"
    person.page.goto(address)
    person.page.locator(".lobby-seat button.main").first.click()
    person.page.locator(".lobby-seat.mine").wait_for()
    later = person.context.new_page()
    later.goto(address)
    later.locator(".lobby-seat.mine").wait_for()
    person.page.locator("#line.closed").wait_for()
    person.check("replaced")
    # What is pressed where nothing is heard any more says so.
    person.page.locator(".lobby-seat.mine button").first.click()
    person.page.locator(".notice.bad", has_text="别的地方").wait_for()
    person.page.locator("#line.closed button").click()
    person.page.locator(".lobby-seat.mine").wait_for()
    later.locator("#line.closed").wait_for()
    assert person.page.locator("#line").is_hidden() and person.wrong + person.said == []


def test_rules_that_the_host_has_changed_can_be_read(server: Server, alone: Any) -> None:
    person = alone(3)
    made = server.open_table()
    person.be(made)
    person.page.goto(f"{server.address}/t/{made['table']}")
    hash = json.loads(server.ask("tables/" + made["table"]))["rules"]["hash"]
    person.page.locator("#rules-select").select_option("boke")
    until(lambda: json.loads(server.ask("tables/" + made["table"]))["rules"]["hash"] != hash, "the rules")
    person.page.locator("#lobby button", has_text="Details").click()
    person.page.locator("dialog button", has_text="Every option").click()
    person.page.locator("dialog dt.differs").first.wait_for()
    # A dialog over another is called by its own name.
    names = [each.get_attribute("aria-labelledby") for each in person.page.locator("dialog").all()]
    assert len(set(names)) == 2 and person.page.get_by_role("dialog", name="Every option").count() == 1
    book = person.page.locator("dialog a", has_text="rule book").get_attribute("href")
    assert person.page.request.get(server.address + book).status == 200
    assert person.said == []


def test_a_busy_server_is_asked_again_and_a_line_that_stays_silent_given_up(server: Server, alone: Any) -> None:
    person = alone(0)
    made = server.open_table()
    person.be(made)
    hellos: list[str] = []

    def line(socket: WebSocketRoute) -> None:
        if len(hellos) < 2:
            # Once the server is busy, then nothing comes back at all.
            def answer(message: str | bytes) -> None:
                hellos.append(str(message))
                if len(hellos) == 1:
                    frame = {"t": "error", "re": json.loads(message)["id"], "code": "busy", "zh": "忙", "en": "busy"}
                    socket.send(json.dumps(frame))

            socket.on_message(answer)
        else:
            socket.connect_to_server()

    person.page.route_web_socket(re.compile("/ws$"), line)
    person.page.add_init_script(
        "new MutationObserver(() => { const line = document.getElementById('line');"
        " if (line && !line.hidden) (window.lines ??= new Set()).add(line.textContent); })"
        ".observe(document, { subtree: true, childList: true, attributes: true });"
    )
    person.page.goto(f"{server.address}/t/{made['table']}")
    person.page.locator(".lobby-seat").first.wait_for()
    assert len(hellos) == 2 and person.page.locator("#line").is_hidden()
    assert any("忙" in said for said in person.get("[...window.lines]"))


def test_what_is_said_of_a_record_is_said_of_that_one(server: Server, alone: Any, tmp_path: Path) -> None:
    person = alone(0)
    page = person.page
    broken = tmp_path / "broken.jsonl"
    broken.write_bytes(RECORDS[0].read_bytes().replace(b'"winner": 1', b'"winner": 2', 1))
    held: list[Route] = []
    page.goto(f"{server.address}/replay")
    page.locator("input[type=file]").set_input_files(RECORDS[0])
    page.locator("p.good").wait_for()
    page.route("**/api/verify", lambda route: held.append(route))
    page.locator("input[type=file]").set_input_files(RECORDS[1])
    until(lambda: len(held) == 1 or page.wait_for_timeout(50), "the second record to be sent")
    assert page.locator("p.good").count() == 0  # that was said of the first
    page.locator("input[type=file]").set_input_files(broken)
    until(lambda: len(held) == 2 or page.wait_for_timeout(50), "the third record to be sent")
    held[1].continue_()
    page.locator("p.bad").wait_for()
    with page.expect_response("**/api/verify"):
        held[0].continue_()
    page.wait_for_timeout(200)
    assert page.locator("p.bad").count() == 1 and page.locator("p.good").count() == 0
    assert person.said == []


def test_records_and_storage_that_are_broken_stop_no_page(server: Server, alone: Any, tmp_path: Path) -> None:
    person = alone(0)
    page = person.page
    page.goto(f"{server.address}/replay")
    hand = {"e": "hand", "n": 1, "hand": 1, "round": 1, "levels": [3, 3], "dealer": None, "first": 0, "deck": []}
    for place, events in enumerate(([{"e": "hand", "n": 1}], [{**hand, "levels": 7}], [hand, {"e": "play", "n": 2}])):
        file = tmp_path / f"{place}.jsonl"
        file.write_text("\n".join(json.dumps(each) for each in ({"gunzi": 1}, *events)))
        page.locator("input[type=file]").set_input_files(file)
        page.locator("p.bad").wait_for()  # what the server says of it
        if place == 2:
            page.locator("input[type=range]").fill("1")
        page.locator(".notice.bad").wait_for()
        page.locator(".notice.bad").wait_for(state="detached")
    page.locator("input[type=file]").set_input_files(RECORDS[0])
    page.locator("p.good").wait_for()
    assert page.locator(".felt .who").count() == 4

    junk = ["5", '"x"', "null", "[]", "{", '{"hands": [null]}', '{"players": null}', '{"rules": 5, "past": 1}']
    made = server.open_table()
    for each in junk:
        page.goto(f"{server.address}/score")
        keep = "text => { localStorage.clear(); for (const key of ['prefs', 'score', 'score.sheet', 'given', 'lang'])"
        page.evaluate(
            keep + " { localStorage.setItem(`gunzi.${key}`, text); sessionStorage.setItem(`gunzi.${key}`, text); } }",
            each,
        )
        page.reload()
        page.locator("html[data-reckoning]").wait_for()
        page.goto(server.address)
        page.locator("#name").fill("甲")
        page.goto(f"{server.address}/t/{made['table']}#k={made['invite']}")
        page.locator("#lobby form button.main").click()
        page.locator(".lobby-seat").first.wait_for()
        give = "import('/static/js/fairness.js').then(fair => fair.contribution('t', {hash: 'h', hand: 1, redeal: 0}).length)"
        assert person.get(give) == 64
    assert person.said == []
