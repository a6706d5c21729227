"""Questions about the end of a hand: its settlement, the tribute it leaves, the title of a score."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from gunzi.apps.scenarios.question import Answer, Given, Note, Question, given
from gunzi.apps.scenarios.reading import (
    Field,
    Fields,
    by_seat,
    cards,
    flag,
    integer,
    list_of,
    needed,
    nullable,
    number,
    rank,
    seat,
    side,
    suit,
    word,
)
from gunzi.cards import Card
from gunzi.errors import Text
from gunzi.settling import settle
from gunzi.trump import trump_order
from gunzi.values import BIG_JOKER, Capture, Owed, Result, Settlement

if TYPE_CHECKING:
    from gunzi.ruleset import RuleSet

ANY_CARD: Final = (Card("S3"),)


def _result(rules: RuleSet, hand: Given, levels: tuple[int, int], points: int, **more: Any) -> Result:
    bottom: tuple[Card, ...] = hand["bottom"]
    return Result(
        dealer=hand["dealer"],
        levels=levels,
        trick_points=points,
        capture=Capture.CAPTURED if hand["captured"] else Capture.HELD,
        bottom=bottom,
        bottom_points=sum(rules.points[card.rank - 2] for card in bottom),
        dry=hand["dry"],
        trump=trump_order(levels[hand["dealer"] % 2], hand["trump"], rules.permanent),
        **more,
    )


def _notes(settlement: Settlement) -> tuple[Note, ...]:
    return tuple(
        Note(line.by, Text(f"{line.what.zh}：{line.value}", f"{line.what.en}: {line.value}"))
        for line in settlement.explain
    )


def _settle(rules: RuleSet, given: Given) -> Answer:
    paid = given["tribute_paid"]
    owed = Owed(paid["from"], paid["to"], paid["count"]) if paid else None
    result = _result(
        rules, given, given["levels"], given["trick_points"], last_play=given["last_play"], tribute_paid=owed
    )
    settlement = settle(rules, result)
    value = settlement.as_json()
    value["levels"], value["scores"] = tuple(value["levels"]), tuple(value["scores"])
    return Answer(value, _notes(settlement))


def _tribute_due(rules: RuleSet, given: Given) -> Answer:
    last = given["last"]
    # The other side's level is not told, and a round that ended by it would owe nothing: it stands where it cannot end one.
    levels = (last["level"], rules.start_level) if last["dealer"] % 2 == 0 else (rules.start_level, last["level"])
    result = _result(rules, last, levels, 0, last_play=ANY_CARD)
    settlement = settle(rules, result, points=last["points"])
    notes = _notes(settlement)
    owed = settlement.outcome.owed
    if owed is not None:
        held = [given["hands"].get(seat, ()).count(BIG_JOKER) for seat in range(4)]
        exemption = rules.hook.tribute_exemption(owed=owed, big_jokers=held)
        if max(held) >= 3:
            by = exemption.by if exemption else "tribute.three_big"
            notes = (*notes, Note(by, rules.rule_text(by)))
        owed = owed.after(exemption)
    return Answer(owed.as_json() if owed is not None else {"count": 0}, notes)


def _title(rules: RuleSet, given: Given) -> str:
    return rules.hook.title(score=given["score"]) or "none"


_HAND: Final = {
    "dealer": needed(seat),
    "captured": needed(flag),
    "bottom": needed(cards),
    "trump": needed(suit),
}
TRIBUTE_DUE: Final = Question(
    "tribute_due",
    given(
        last=needed(Fields("last", {**_HAND, "points": needed(number), "dry": needed(flag), "level": needed(rank)})),
        hands=Field(by_seat(cards), default={}),
    ),
    Fields("expect", {"from": Field(seat), "to": Field(seat), "count": Field(number)}, partial=True),
    _tribute_due,
    decided_by=("tribute.kings_when", "tribute.low", "tribute.high", "tribute.three_big"),
)
SETTLE: Final = Question(
    "settle",
    given(
        **_HAND,
        levels=needed(list_of(rank, 2)),
        trick_points=needed(number),
        dry=Field(flag, default=False),
        tribute_paid=Field(
            nullable(Fields("tribute_paid", {"from": needed(seat), "to": needed(seat), "count": needed(number)}))
        ),
        last_play=Field(cards, default=ANY_CARD),
    ),
    Fields(
        "expect",
        {
            "attackers_points": Field(number),
            "level_up": Field(
                nullable(Fields("level_up", {"side": Field(side), "levels": Field(number)}, partial=True))
            ),
            "levels": Field(list_of(rank, 2)),
            "next_dealer": Field(nullable(seat)),
            "takeover": Field(flag),
            "round_won_by": Field(nullable(side)),
            "ending": Field(nullable(word)),
            "scores": Field(list_of(integer, 4)),
        },
        partial=True,
    ),
    _settle,
)
TITLE: Final = Question("title", given(score=needed(integer)), word, _title, decided_by=("titles",))
