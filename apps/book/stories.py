"""What an example gives, in words and pictures: only what is given, nothing that is answered."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final

from gunzi.apps.book.parts import Group, Row
from gunzi.apps.book.words import Words
from gunzi.cards import Card, rank_text

Given = Mapping[str, Any]
Story = tuple[str, tuple[Row, ...]]
"""A sentence and rows of cards."""


def story(ask: str, given: Given, say: Words) -> Story:
    """What a question gives."""
    return _STORIES[ask](given, say)


def _one(label: str, cards: tuple[Card, ...], caption: str = "") -> Row:
    return Row(label, (Group(cards, caption),))


def _first_dealer(given: Given, say: Words) -> Story:
    groups = tuple(Group((card,), say.player(seat)) for seat, card in given["draws"])
    shows = [
        say(
            f"{say.player(seat)}在第 {after} 张之后亮出大王", f"{say.player(seat)} shows a big joker after card {after}"
        )
        for seat, after in given["claims"]
    ]
    setting = say.sentence(say("第一把，摸牌摸成这样", "in the first hand the cards come like this"), *shows)
    return setting, (Row(say("依次摸到", "dealt in turn"), groups),)


def _reveal(given: Given, say: Words) -> Story:
    first = given["first"]
    setting = say.sentence(
        say("没人抢亮", "nobody claimed"),
        say(f"打 {rank_text(given['level'])}", f"the level is {rank_text(given['level'])}"),
        say(f"从{say.player(first)}起各翻一张底牌", f"from {say.player(first)} on each turns a bottom card"),
    )
    groups = tuple(Group((card,)) for card in given["turned"])
    return setting, (Row(say("底牌依次是", "the bottom, in turning order"), groups),)


def _declare(given: Given, say: Words) -> Story:
    rows = []
    for bid in given["bids"]:
        who = say.player(bid["seat"])
        suit = bid["suit"]
        caption = say(f"叫{say.suit(suit)}", f"naming {say.suit(suit)}") if suit else ""
        rows.append(_one(say(f"{who}亮", f"{who} shows"), bid["cards"], caption))
    level = rank_text(given["level"])
    return say.sentence(say(f"这把打 {level}，依次有人亮主", f"the level is {level}, and in turn some declare")), tuple(
        rows
    )


def _dry_pot(given: Given, say: Words) -> Story:
    clauses = [say.trump(given["level"], given["trump"])]
    if given["first_hand"]:
        clauses.insert(0, say("一轮的第一把", "the first hand of a round"))
    if not given["shown"]:
        clauses.append(say("没人亮主，底牌没公开", "nobody declared, so the bottom is hidden"))
    return say.sentence(*clauses), (_one(say("底牌", "the bottom"), given["bottom"]),)


def _bury_kings(given: Given, say: Words) -> Story:
    rows = []
    if given["dealer_buried"] is not None and given["dealer_buried"] != given["bottom"]:
        rows.append(_one(say("庄家扣的", "the dealer buried"), given["dealer_buried"]))
        rows.append(_one(say("现在底里", "the bottom now"), given["bottom"]))
    else:
        rows.append(
            _one(
                say("庄家扣的底", "the dealer's six" if len(given["bottom"]) == 6 else "the dealer's bottom"),
                given["bottom"],
            )
        )
    rows.append(_one(say("乙手里有", "Bo holds"), given["hand"]))
    rows.append(
        Row(
            say("乙想", "Bo wants to"),
            (
                Group(given["kings"], say("扣下去", "bury these")),
                Group(given["pick"], say("捡上来", "pick these up")),
            ),
        )
    )
    return say.sentence(say.trump(given["level"], given["trump"]), say("甲坐庄", "Ann deals")), tuple(rows)


def _tribute_due(given: Given, say: Words) -> Story:
    last = given["last"]
    clauses = [
        say(f"上一把{say.player(last['dealer'])}坐庄", f"in the last hand {say.player(last['dealer'])} dealt"),
        say(f"抓分方一共 {last['points']} 分", f"the attackers came to {last['points']} points"),
        say("抠了底", "with the bottom captured") if last["captured"] else say("没抠着底", "without the bottom"),
    ]
    if last["dry"]:
        clauses.append(say("那把是干锅", "and it was a dry pot"))
    rows = []
    if any(card.is_joker for card in last["bottom"]):
        rows.append(_one(say("底里扣着", "in the bottom lay"), last["bottom"]))
    for seat, cards in given["hands"].items():
        rows.append(_one(say(f"这把{say.player(seat)}摸到", f"now {say.player(seat)} is dealt"), cards))
    return say.sentence(*clauses), tuple(rows)


def _tribute_cards(given: Given, say: Words) -> Story:
    setting = say.sentence(
        say.trump(given["level"], given["trump"]),
        say(f"要进贡 {given['count']} 张", f"{say.count(given['count'], '', 'card is', 'cards are')} owed"),
    )
    return setting, (_one(say("手里有", "the payer holds"), given["hand"]),)


def _return_cards(given: Given, say: Words) -> Story:
    rows = (
        _one(say("手里有", "the receiver holds"), given["hand"]),
        _one(say("想还", "and would return"), given["cards"]),
    )
    return say.sentence(say.trump(given["level"], given["trump"])), rows


def _follow(given: Given, say: Words) -> Story:
    setting = say.sentence(say.trump(given["level"], given["trump"]))
    return setting, (_one(say("别人领", "led"), given["led"]), _one(say("你手里有", "you hold"), given["hand"]))


def _trick(given: Given, say: Words) -> Story:
    leader = given["leader"]
    groups = tuple(Group(play, say.player((leader + place) % 4)) for place, play in enumerate(given["plays"]))
    return say.sentence(say.trump(given["level"], given["trump"])), (Row(say("依次出", "played in turn"), groups),)


def _settle(given: Given, say: Words) -> Story:
    dealer = given["dealer"]
    mine, other = given["levels"][dealer % 2], given["levels"][1 - dealer % 2]
    clauses = [
        say(
            f"{say.player(dealer)}坐庄打 {rank_text(mine)}，{say.side(1 - dealer % 2)}在打 {rank_text(other)}",
            f"{say.player(dealer)} deals at level {rank_text(mine)}, {say.side(1 - dealer % 2)} are at {rank_text(other)}",
        )
    ]
    paid = given["tribute_paid"]
    if paid:
        giver, taker = say.player(paid["from"]), say.player(paid["to"])
        clauses.append(
            say(
                f"开局{giver}给{taker}进了 {paid['count']} 张贡",
                f"{giver} had paid {taker} {say.count(paid['count'], '', 'card', 'cards')} of tribute",
            )
        )
    points = given["trick_points"]
    clauses.append(
        say(
            f"抓分方台面上{'一分没得' if not points else f'得了 {points} 分'}",
            "the attackers took " + (f"{points} points" if points else "no points") + " in tricks",
        )
    )
    clauses.append(
        say("最后一圈抓分方大，抠了底", "they won the last trick and so captured the bottom")
        if given["captured"]
        else say("庄家方保住了底", "the dealer side held the bottom")
    )
    rows = (_one(say("底牌", "the bottom"), given["bottom"]),)
    return say.sentence(*clauses), rows


def _title(given: Given, say: Words) -> Story:
    return say.sentence(say(f"总分 {given['score']} 分", f"a total of {given['score']}")), ()


_STORIES: Final[dict[str, Callable[[Given, Words], Story]]] = {
    "first_dealer": _first_dealer,
    "reveal": _reveal,
    "declare": _declare,
    "dry_pot": _dry_pot,
    "bury_kings": _bury_kings,
    "tribute_due": _tribute_due,
    "tribute_cards": _tribute_cards,
    "return_cards": _return_cards,
    "follow": _follow,
    "trick": _trick,
    "settle": _settle,
    "title": _title,
}
