"""Questions about tribute cards, the dry pot and burying."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from gunzi.acts import Bury, BuryKings, Pick, Return
from gunzi.apps.scenarios.question import TRUMP, Answer, Given, Note, Question, given, note, trump_of, verdict
from gunzi.apps.scenarios.reading import Field, Fields, bag, bags, cards, flag, needed, number
from gunzi.ask import CardsAsk
from gunzi.cards import sorted_cards
from gunzi.choices import burials, count_kings, in_tiers, strongest
from gunzi.phases.bury_kings import kings_refusal, pick_ask

if TYPE_CHECKING:
    from gunzi.ruleset import RuleSet

LEGAL: Final = Fields("expect", {"legal": Field(flag)}, partial=True)


def _tribute_cards(rules: RuleSet, given: Given) -> Answer:
    trump = trump_of(rules, given)
    choices = strongest(trump.masks(given["hand"]), rules.hook.payable(trump=trump), trump, given["count"])
    found = tuple(sorted({sorted_cards(trump.cards(choices.kth(k))) for k in range(choices.total)}))
    value: dict[str, Any] = {"pay": found[0]} if len(found) == 1 else {}
    value["pay_any_of"] = found
    return Answer(value, tuple(Note(by, rules.rule_text(by)) for by in ("tribute.cards", "tribute.level_points")))


def _return_cards(rules: RuleSet, given: Given) -> Answer:
    trump = trump_of(rules, given)
    holding = trump.masks(given["hand"])
    count = given["count"]
    choices = in_tiers(holding, rules.hook.returnable(trump=trump), count)
    ask = CardsAsk(rules, 0, "return", Return, holding, choices, count, "tribute.return", trump)
    return Answer(*verdict(ask.refusal(Return(given["cards"])), given["cards"]))


def _dry_pot(rules: RuleSet, given: Given) -> Answer:
    trump = trump_of(rules, given)
    found = rules.hook.dry_pot(
        bottom=trump.masks(given["bottom"]), trump=trump, shown=given["shown"], first_hand=given["first_hand"]
    )
    return Answer(found.dry, (Note(found.by, rules.rule_text(found.by)),))


def _bury(rules: RuleSet, given: Given) -> Answer:
    trump = trump_of(rules, given)
    pool = trump.masks(given["pool"])
    big, small = count_kings(pool, trump)
    count = rules.deck.bottom
    choices = burials(pool, trump, rules.hook.king_splits(big=big, small=small), count)
    ask = CardsAsk(rules, 0, "bury", Bury, pool, choices, count, "bury.big_before_small", trump)
    legal, notes = verdict(ask.refusal(Bury(given["cards"])), given["cards"])
    kings = sum(card.is_joker for card in given["cards"])
    return Answer({"legal": legal, "shown": legal and rules.hook.burial_is_shown(kings=kings)}, notes)


def _bury_kings(rules: RuleSet, given: Given) -> Answer:
    trump = trump_of(rules, given)
    bottom, hand = trump.masks(given["bottom"]), trump.masks(given["hand"])
    kings, pick = given["kings"], given["pick"]
    if not kings and not pick:
        return Answer({"legal": True})
    buried = given["bottom"] if given["dealer_buried"] is None else given["dealer_buried"]
    window = rules.hook.kings_window(dealer_buried=trump.masks(buried), trump=trump)
    if not window.open:
        return Answer({"legal": False}, (note(window.by, rules.rule_text(window.by)),))
    refusal = kings_refusal(rules, trump, hand, bottom, 0, BuryKings(kings))
    if refusal is None:
        refusal = pick_ask(rules, trump, bottom, 0, len(kings)).refusal(Pick(pick))
        legal, notes = verdict(refusal, pick)
    else:
        legal, notes = verdict(refusal, kings)
    return Answer({"legal": legal}, notes)


TRIBUTE_CARDS: Final = Question(
    "tribute_cards",
    given(**TRUMP, hand=needed(cards), count=needed(number)),
    Fields("expect", {"pay": Field(bag), "pay_any_of": Field(bags)}, partial=True),
    _tribute_cards,
    decided_by=("tribute.cards", "tribute.level_points"),
)
RETURN_CARDS: Final = Question(
    "return_cards",
    given(**TRUMP, hand=needed(cards), count=needed(number), cards=needed(cards)),
    flag,
    _return_cards,
    decided_by=("tribute.return",),
)
DRY_POT: Final = Question(
    "dry_pot",
    given(**TRUMP, bottom=needed(cards), shown=Field(flag, default=True), first_hand=Field(flag, default=False)),
    flag,
    _dry_pot,
    decided_by=("dry_pot.side_leg",),
)
BURY: Final = Question(
    "bury",
    given(**TRUMP, pool=needed(cards), cards=needed(cards)),
    Fields("expect", {"legal": Field(flag), "shown": Field(flag)}, partial=True),
    _bury,
)
BURY_KINGS: Final = Question(
    "bury_kings",
    given(
        **TRUMP,
        bottom=needed(cards),
        dealer_buried=Field(cards),
        hand=needed(cards),
        kings=needed(cards),
        pick=needed(cards),
    ),
    LEGAL,
    _bury_kings,
    decided_by=("bury_kings.others", "bury_kings.blocked_by", "bury_kings.pick_kings"),
)
