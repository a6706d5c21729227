"""The pages beside the table: home, rules, scorekeeper, replay; their size, and what they work out by themselves."""

from __future__ import annotations

import hashlib
from pathlib import Path
from typing import Any

import pytest
from browser_harness import WEB, Server, until
from browser_people import fill_in_a_hand

import gunzi
from gunzi.fairness import Fair


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
