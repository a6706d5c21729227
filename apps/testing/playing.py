"""Tables played by random legal acts, everything about them checked on the way."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Any, Final

from gunzi.acts import Act, Bury, BuryKings, Claim, DealCard, Declare, Pay, Pick, Play
from gunzi.apps.testing.asks import check_ask, check_ask_by_force
from gunzi.apps.testing.report import Report
from gunzi.cards import Card, parse_card, parse_cards
from gunzi.chance import below_any, stream
from gunzi.errors import CardError, GunziError, Refused, Text
from gunzi.ruleset import RuleSet
from gunzi.table import Table

_DICE: Final = 9
REFUSED_EVERY: Final = 17
COPIED_EVERY: Final = 7
FORCED_EVERY: Final = 5
"""After how many acts the costly checks are made again."""

NONSENSE: Final[tuple[Any, ...]] = (
    Play(()),
    Play(parse_cards("S3 H4 C5 D6")),
    Play(parse_cards("BJ BJ BJ")),
    Play((Card("LJ"),)),
    Bury(parse_cards("S3")),
    Pay(parse_cards("LJ LJ LJ LJ LJ")),
    Pick(()),
    BuryKings(()),
    BuryKings(parse_cards("H3")),
    Declare(parse_cards("SA"), "S"),
    Claim(Card("LJ")),
    DealCard(),
    "play",
    None,
    7,
)
"""Acts that are hardly ever allowed, and things that are no acts."""


class Stuck(GunziError):
    """A seat is asked and may do nothing."""


def steps(table: Table, dice: int = 0) -> Iterator[tuple[int, Act]]:
    """Play a table on by random legal acts, yielding each (seat, act) before it is done. Raises Stuck."""
    base = stream(dice, 0, _DICE)
    drawn = 0
    while not table.over:
        ask = table.ask
        if not len(ask):
            raise Stuck(
                Text(
                    f"问了 {ask.seat}号（{ask.kind}），可是他什么都不能做",
                    f"seat {ask.seat} is asked ({ask.kind}) and may do nothing",
                )
            )
        act = ask[below_any(base, 0, drawn, ask.total)]
        drawn += 1
        yield ask.seat, act
        table.do(ask.seat, act)


def every_card(table: Table) -> tuple[Counter[Card], Counter[Card]]:
    """All cards of a hand wherever they are — held, in the bottom, played — and the same without the bottom, which the dealer
    has in hand while it buries."""
    hand = table.hand
    if hand.trump is None:
        return Counter(hand.deck), Counter(hand.deck)
    out: Counter[Card] = Counter()
    for seat in range(4):
        out.update(hand.cards_of(seat))
    played: Counter[Card] = Counter()
    for event in table.events:
        if event["e"] == "hand":
            played.clear()
        elif event["e"] == "play":
            played.update(event["cards"])
    out += played
    return out + Counter(hand.bottom), out


def check_table(rules: RuleSet, report: Report, *, hands: int, seed: int) -> None:
    """Play a table of ``hands`` hands by random legal acts, everything checked."""
    with report.part("legal-sets", rules.id):
        table = Table(rules, seed=seed, hands=hands, rounds=None)
        points = sum(rules.points[card.rank - 2] for card in table.hand.deck)
        for number, (seat, act) in enumerate(steps(table, seed)):
            hand = table.hand
            where = f"{rules.id}, seed {seed}, hand {hand.number}, event {len(table.events)}, {hand.phase or 'over'}"
            check_ask(hand, table.ask, where, report)
            if number % FORCED_EVERY == 0:
                check_ask_by_force(hand, table.ask, where, report)
            _check_cards(table, points, where, report)
            if number % REFUSED_EVERY == 0 and not _check_refusals(table, where, report):
                return
            if number % COPIED_EVERY == 0:
                _check_copy(table, where, report)
            report.that(act in table.ask, "legal-sets", where, f"seat {seat}'s {act!r} is not allowed any more")
            report.acts += 1
        report.hands += table.hand_number
        _check_events(table, report)


def _check_cards(table: Table, points: int, where: str, report: Report) -> None:
    deck = Counter(table.hand.deck)
    found = next((cards for cards in every_card(table) if cards == deck), None)
    report.counts["conservation"] += 1
    if found is None:
        report.fail("conservation", where, f"cards are not those of the deck: {_gone(table, deck)}")
        return
    total = sum(table.rules.points[parse_card(card).rank - 2] * count for card, count in found.items())
    report.that(total == points, "conservation", where, f"the cards hold {total} points, the deck {points}")


def _gone(table: Table, deck: Counter[Card]) -> str:
    cards = every_card(table)[0]
    lacking = " ".join((deck - cards).elements()) or "none"
    extra = " ".join((cards - deck).elements()) or "none"
    return f"missing {lacking}; too many {extra}"


def _check_refusals(table: Table, where: str, report: Report) -> bool:
    """Acts that are not allowed are refused with a reason and change nothing. False where one went through."""
    check = "refusals"
    rule_ids = set(table.rules.rule_ids())
    seat = table.ask.seat
    hand, before, written = table.hand, table.hand.content(), len(table.events)
    for act in NONSENSE:
        for who in (seat, (seat + 1) % 4, 4, "0"):
            if who == seat and act in table.ask:
                continue
            offered = table.hand.ask_of(who) if who in (0, 1, 2, 3) else None
            if offered is not None and act in offered:
                continue
            try:
                table.do(who, act)  # type: ignore[arg-type]
            except Refused as refused:
                report.that(
                    refused.rule in rule_ids, check, where, f"{act!r} is refused by {refused.rule!r}, no known rule"
                )
                both = bool(refused.zh and refused.en)
                report.that(both, check, where, f"{act!r} is refused without a sentence in both languages")
            except CardError:
                pass
            else:
                report.fail(check, where, f"{act!r} of seat {who!r} is done although the ask refuses it")
                return False
    same = table.hand is hand and hand.content() == before and len(table.events) == written
    return report.that(same, check, where, "an act is refused and yet changes the hand")


def _check_copy(table: Table, where: str, report: Report) -> None:
    check = "copies"
    hand = table.hand
    before = hand.content()
    twin = hand.copy()
    report.that(twin == hand and hash(twin) == hash(hand), check, where, "a copy is not equal to the hand")
    ask = twin.ask
    if ask is None:
        return
    report.that(
        (ask.seat, ask.kind, ask.total) == (table.ask.seat, table.ask.kind, table.ask.total),
        check,
        where,
        "a copy is asked something else",
    )
    twin.do(ask.seat, ask[ask.total // 2])
    report.that(hand.content() == before, check, where, "playing on a copy changes the hand")


def _check_events(table: Table, report: Report) -> None:
    """Events: numbered, JSON as they are, decided by known rules, explained in both languages; points add up."""
    check, where = "events", table.rules.id
    rule_ids = set(table.rules.rule_ids())
    tricks = 0
    for place, event in enumerate(table.events):
        kind = event["e"]
        report.that(event["n"] == place + 1, check, where, f"event {place + 1} has the number {event['n']}")
        report.that(_is_json(event), check, where, f"event {event['n']} ({kind}) is no JSON: {event!r:.200}")
        by = event.get("by")
        report.that(
            by is None or by in rule_ids, check, where, f"event {event['n']} ({kind}) is `by` {by!r}, no known rule"
        )
        if kind == "hand":
            tricks = 0
        elif kind == "trick":
            tricks += event["points"]
        elif kind == "settle":
            total = tricks + event["bottom_points"]
            deck = sum(table.rules.points[card.rank - 2] * table.rules.deck.copies[card.kind] for card in _KINDS)
            report.that(total == deck, "conservation", where, f"tricks and bottom hold {total} points, the deck {deck}")
            _check_explanation(event, where, rule_ids, report)


def _check_explanation(event: Mapping[str, Any], where: str, rule_ids: set[str], report: Report) -> None:
    for line in event["explain"]:
        said = bool(line["what"]["zh"]) and bool(line["what"]["en"])
        report.that(said, "events", where, f"a line of `explain` is not said in both languages: {line!r}")
        report.that(
            line["by"] in rule_ids, "events", where, f"a line of `explain` is `by` {line['by']!r}, no known rule"
        )


def _is_json(data: object) -> bool:
    try:
        return bool(json.loads(json.dumps(data, allow_nan=False)) == data)
    except (TypeError, ValueError, RecursionError):
        return False


_KINDS: Final = tuple(dict.fromkeys(parse_cards(" ".join(f"{s}{r}" for s in "SHCD" for r in "23456789TJQKA"))))
