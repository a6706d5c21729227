"""A hand as the log tells it: where its cards lie, and what has been found against it so far."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from gunzi import masks
from gunzi.apps.audit.findings import Finding
from gunzi.ask import held_masks
from gunzi.cards import Card, parse_card, parse_cards
from gunzi.errors import CardError, Refused, Text
from gunzi.event_keys import rule_of, same_value, short
from gunzi.hand import Hand
from gunzi.ruleset import RuleSet
from gunzi.trump import Masks, Trump
from gunzi.values import Verdict


class Impossible(Exception):
    """What the log says cannot have happened with these cards: it has been told, and the hand is not followed further."""


class Judge:
    """Who writes down what is found, beside the event in question."""

    def __init__(self, rules: RuleSet) -> None:
        self.rules = rules
        self.found: list[Finding] = []
        self.line = 0
        self.event: Mapping[str, Any] = {}
        self.hand: int | None = None

    def at(self, line: int, event: Mapping[str, Any]) -> None:
        """What is found from now on is found here."""
        self.line, self.event = line, event

    def find(
        self, rule: str, text: Text, *, cards: Iterable[str] = (), seat: int | None = None, impossible: bool = False
    ) -> None:
        """Write down a finding at the event in question."""
        rules = self.rules
        option = rule if rule in rules.option_set else None
        n = self.event.get("n")
        self.found.append(
            Finding(
                line=self.line,
                n=n if type(n) is int else None,
                hand=self.hand,
                kind=str(self.event.get("e", "")),
                seat=seat,
                cards=tuple(cards),
                rule=rule,
                option=option,
                value=rules.options[option] if option else None,
                origin=rules.origin(option).where if option else None,
                text=text,
                impossible=impossible,
            )
        )

    def refused(self, refused: Refused, seat: int | None = None, cards: Sequence[str] = ()) -> None:
        """Write down a refusal of the rules."""
        self.find(
            refused.rule, refused.text, cards=cards or refused.cards, seat=seat if seat is not None else refused.seat
        )

    def stop(self, rule: str, text: Text, *, cards: Iterable[str] = (), seat: int | None = None) -> Impossible:
        """Write down what cannot have happened; the answer is to be raised."""
        self.find(rule, text, cards=cards, seat=seat, impossible=True)
        return Impossible()

    # -- reading an event --------------------------------------------------------------------------------------

    def key(self, name: str) -> Any:
        """What stands under a key that the event needs. Raises Impossible."""
        if name not in self.event:
            kind = self.event.get("e")
            raise self.stop("record.keys", Text(f"缺 {kind}.{name}", f"{kind}.{name} is missing"))
        return self.event[name]

    def seat(self, name: str = "seat") -> int:
        """A seat that the event names. Raises Impossible."""
        seat = self.key(name)
        if type(seat) is not int or not 0 <= seat <= 3:
            raise self.stop(
                "table.seat",
                Text(f"{short(seat)} 不是座位：座位是 0 到 3", f"{short(seat)} is no seat: seats are 0 to 3"),
            )
        return seat

    def cards(self, name: str = "cards") -> tuple[Card, ...]:
        """Cards that the event names. Raises Impossible."""
        found = self.key(name)
        try:
            if not isinstance(found, (list, tuple)):
                raise CardError(
                    Text(f"{name} 不是一列牌：{short(found)}", f"{name} is no list of cards: {short(found)}")
                )
            return parse_cards(found)
        except CardError as error:
            raise self.stop("record.cards", error.text) from None

    def card(self) -> Card:
        """The one card that the event names. Raises Impossible."""
        try:
            return parse_card(self.key("card"))
        except CardError as error:
            raise self.stop("record.cards", error.text) from None

    # -- comparing ---------------------------------------------------------------------------------------------

    def compare(self, ours: Mapping[str, Any], keys: Iterable[str], because: Mapping[str, str] | None = None) -> bool:
        """Hold what the event says under these keys against what the rules make of the hand; a finding names all that differ.

        ``ours`` has ``e``, and ``by`` or ``explain``, as the table would have written it; ``because``: the rules of keys that these
        do not tell. The first key that differs names the rule. True: all the same.
        """
        wrong = [
            (key, (because or {}).get(key) or rule_of(ours, key))
            for key in keys
            if key in self.event and not same_value(key, ours[key], self.event[key])
        ]
        if not wrong:
            return True
        zh, en = [], []
        for key, rule in wrong:
            here, wanted = short(self.event[key]), short(ours[key])
            zh.append(f"{key} 写的是 {here}，应该是 {wanted} [{rule}]")
            en.append(f"{key} is {here}, should be {wanted} [{rule}]")
        self.find(wrong[0][1], Text("；".join(zh), "; ".join(en)))
        return False


class Scene:
    """The hand in hand: gunzi's own ``Hand`` under the rule set, moved as the log says.

    ``ordered``: is the order known in which the cards were dealt? ``verdict``: what the rules say of the bottom.
    """

    def __init__(self, judge: Judge, hand: Hand, ordered: bool) -> None:
        self.judge = judge
        self.rules = judge.rules
        self.hand = hand
        self.ordered = ordered
        self.verdict: Verdict | None = None
        self.bottom_told = False
        self.paid = False
        self.returned = False
        self.exempted = False
        self.turns = 0
        self.kings_done: list[int] = []
        self.settled: Mapping[str, Any] | None = None
        self.unjudged_trick = False

    @property
    def trump(self) -> Trump:
        """The trump order. Raises Impossible where there is none yet."""
        if self.hand.trump is None:
            raise self.judge.stop("table.phase", Text("还不知道什么是主", "what is trump is not known yet"))
        return self.hand.trump

    @property
    def dealer(self) -> int:
        """The dealer, once the trump is known."""
        assert self.hand.dealer is not None
        return self.hand.dealer

    def masks(self, cards: Sequence[Card]) -> Masks:
        """Cards as masks. Raises Impossible above three of a kind."""
        try:
            return self.trump.masks(cards)
        except CardError as error:
            raise self.judge.stop("record.cards", error.text, cards=cards) from None

    def held(self, seat: int, holding: Masks, cards: Sequence[Card]) -> Masks:
        """Cards of a holding as masks. Raises Impossible where it does not have them."""
        self.masks(cards)
        found = held_masks(self.rules, seat, holding, self.trump, cards)
        if isinstance(found, Refused):
            raise self.judge.stop(found.rule, found.text, cards=cards, seat=seat)
        return found

    def move(self, giver: int, receiver: int, moved: Masks) -> None:
        """Cards change hands."""
        holdings = self.hand.holdings
        holdings[giver] = masks.remove(*holdings[giver], *moved)
        holdings[receiver] = masks.add(*holdings[receiver], *moved)
