"""Questions about the deal: who deals the first hand, which suit is trump."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from gunzi.apps.scenarios.question import Answer, Given, Note, Question, given, note
from gunzi.apps.scenarios.reading import (
    Field,
    Fields,
    card,
    cards,
    either,
    flag,
    list_of,
    needed,
    nullable,
    number,
    pair_of,
    rank,
    seat,
    suit,
)
from gunzi.cards import KINDS
from gunzi.errors import Text
from gunzi.turning import first_suited, turn_bottom
from gunzi.values import Bid

if TYPE_CHECKING:
    from gunzi.ruleset import RuleSet

DEALER: Final = Fields("expect", {"dealer": Field(seat), "trump": Field(suit)}, partial=True)
NO_SUIT: Final = Text("翻不出花色牌，重新洗牌", "no suited card comes: the hand is dealt again")


def _claimer(rules: RuleSet, given: Given) -> tuple[int, int] | None:
    """Who claims, and after how many draws; None: nobody."""
    claims = rules.claims
    counts = [[0] * KINDS for _ in range(4)]
    for dealt, (drawer, drawn) in enumerate(given["draws"], 1):
        counts[drawer][drawn.kind] += 1
        if claims.automatic:
            if drawn in claims.cards:
                return drawer, dealt
            continue
        for claimer, after in given["claims"]:
            if after == dealt and any(counts[claimer][king.kind] for king in claims.cards):
                return claimer, dealt
    return None


def _first_dealer(rules: RuleSet, given: Given) -> Answer:
    found = _claimer(rules, given)
    by = rules.claims.by
    if found is None:
        return Answer("none", (Note(by, Text("没人抢亮", "nobody claims")),))
    claimer, dealt = found
    why = Text(f"发到第 {dealt} 张，{claimer} 号位抢到庄", f"seat {claimer} claims after draw {dealt}")
    later = (drawn for drawer, drawn in given["draws"][dealt:] if drawer == claimer)
    suit = first_suited(rules, later)[1] or first_suited(rules, given["bottom"])[1]
    if not suit:
        return Answer("redeal", (Note(by, why), Note("claim.suit", NO_SUIT)))
    return Answer({"dealer": claimer, "trump": suit}, (Note(by, why),))


def _reveal(rules: RuleSet, given: Given) -> Answer:
    level = given["level"] or rules.start_level
    turned, found = turn_bottom(rules, level, given["first"], given["turned"])
    said = ", ".join(f"{turner} {drawn}" for turner, drawn, _ in turned)
    notes = [Note(by, Text(f"翻牌：{said}", f"turned: {said}")) for _, _, by in turned[-1:]]
    if found is None:
        return Answer("redeal", (*notes, Note("deal.redeal", NO_SUIT)))
    notes += [Note(by, rules.rule_text(by)) for by in (found.by, "reveal.order")]
    return Answer({"dealer": found.dealer, "trump": found.suit}, tuple(notes))


def _declare(rules: RuleSet, given: Given) -> Answer:
    standing: Bid | None = None
    legal: list[bool] = []
    notes: list[Note] = []
    for bid in given["bids"]:
        cards, suit = bid["cards"], bid["suit"]
        reason = rules.hook.judge_bid(level=given["level"], cards=cards, suit=suit, standing=standing)
        legal.append(reason is None)
        if reason is not None:
            notes.append(note(reason.rule, reason.text, cards))
        else:
            standing = Bid(bid["seat"], cards, suit or cards[0].suit)
    found = (standing.suit, standing.seat) if standing else (None, None)
    return Answer({"legal": tuple(legal), "trump": found[0], "declarer": found[1]}, tuple(notes))


def _draw_trump(rules: RuleSet, given: Given) -> Any:
    return first_suited(rules, given["bottom"])[1] or "redeal"


FIRST_DEALER: Final = Question(
    "first_dealer",
    given(
        draws=needed(list_of(pair_of(seat, card))),
        claims=needed(list_of(pair_of(seat, number))),
        bottom=Field(cards, default=()),
    ),
    either(DEALER, "none", "redeal"),
    _first_dealer,
    decided_by=("first_dealer.claim",),
)
REVEAL: Final = Question(
    "reveal",
    given(turned=needed(cards), first=Field(seat, default=0), level=Field(rank)),
    either(DEALER, "redeal"),
    _reveal,
    decided_by=("reveal.pick", "reveal.order", "reveal.jokers"),
)
DECLARE: Final = Question(
    "declare",
    given(
        level=needed(rank),
        bids=needed(list_of(Fields("bid", {"seat": needed(seat), "cards": needed(cards), "suit": Field(suit)}))),
    ),
    Fields(
        "expect",
        {"legal": Field(list_of(flag)), "trump": Field(nullable(suit)), "declarer": Field(nullable(seat))},
        partial=True,
    ),
    _declare,
    decided_by=("declare.jokers_may_open",),
)
DRAW_TRUMP: Final = Question("draw_trump", given(bottom=needed(cards)), either(suit, "redeal"), _draw_trump)
