"""One's own cards: readable on every screen, chosen in every way, and explained where they cannot be played."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from browser_harness import Server, until
from browser_people import (
    SIZES,
    Person,
    in_mid_trick,
    sit_with_bots,
)


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
    # So it would have seen texts that are hard to read.
    assert person.get("window.checks.faint().length") == 0
    pale = "for (const each of document.querySelectorAll('.who, #asking .asked')) each.style.color = '#8aa'"
    assert person.get(f"{{ {pale}; return window.checks.faint().length; }}") >= 5


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
    person.page.mouse.move(*spots[3])  # at once: the cards between were passed, too
    person.page.mouse.up()
    assert person.get(picked) == [0, 1, 2, 3]
    person.page.keyboard.press("Escape")
    assert person.get(picked) == []
    person.page.keyboard.press("Home")
    person.page.keyboard.press("ArrowRight")
    person.page.keyboard.press("Space")
    assert person.get(picked) == [1]
    assert person.get("document.activeElement.getAttribute('aria-pressed')") == "true"
    row = "[...document.querySelectorAll('#holding .cards')].findIndex(row => row.contains(document.activeElement))"
    assert person.get(row) == 0
    person.page.keyboard.press("ArrowDown")
    assert person.get(row) == 1
    person.page.keyboard.press("ArrowUp")
    assert person.get(row) == 0
    assert person.said == []


def test_by_keyboard_one_stays_where_one_was(server: Server, alone: Any) -> None:
    """A button that is pressed and gone leaves the focus at the cards; one that stays keeps it."""
    person = alone(2)
    sit_with_bots(person, server.open_table(), "deal pay return bury bury_kings pick")
    person.page.evaluate("() => { window.driving = false; }")
    held = person.page.locator(".held").count()
    hint, go = (person.page.locator(f"#asking [data-do={each}]") for each in ("suggest", "go"))
    hint.focus()
    person.page.keyboard.press("Enter")
    person.page.locator("#asking [data-do=go]:enabled").wait_for()
    assert person.get("document.activeElement.dataset.do") == "suggest"
    go.focus()
    person.page.keyboard.press("Enter")
    until(lambda: person.page.locator(".held").count() < held, "the play")
    assert person.get("document.activeElement.matches('.held')")
    assert person.said == []


def test_an_illegal_play_is_explained_with_the_rule(server: Server, alone: Any) -> None:
    person = alone(3)
    sit_with_bots(person, server.open_table(), "deal pay return bury bury_kings pick lead")
    in_mid_trick(person)
    person.page.evaluate("() => { window.driving = false; }")
    clear = person.page.locator("#asking [data-do=clear]")
    if clear.count():  # there is but one way to follow, and it is chosen already
        clear.click()
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
