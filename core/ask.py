"""What a seat is asked, and all it may answer: lazy sequences of acts.

An ask answers ``len``, indexing, iteration, ``in`` ("may I?") and ``refusal`` ("why not?"). Pass comes first where it is
possible, then acts ascend by kind. A void hand facing a triple has thousands of answers, so none is made before it is
looked at.
"""

from __future__ import annotations

import sys
from abc import abstractmethod
from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, Any, overload

from gunzi import masks
from gunzi.acts import Act, Bury, BuryKings, Claim, DealCard, Declare, Pass, Pay, Pick, Play, Return
from gunzi.cards import Card, parse_card, parse_cards
from gunzi.choices import Choices
from gunzi.errors import CardError, Refused, Text
from gunzi.play_rules import PlayRules
from gunzi.trump import NOTHING, Masks, Trump

if TYPE_CHECKING:
    from gunzi.hand import Hand
    from gunzi.ruleset import RuleSet

KIND_TEXT = {
    "deal": Text("发牌", "dealing"),
    "claim": Text("抢亮大王", "claiming"),
    "declare": Text("亮主", "declaring"),
    "pay": Text("进贡", "paying tribute"),
    "return": Text("还贡", "returning cards"),
    "bury": Text("扣底", "burying"),
    "bury_kings": Text("扣王", "burying kings"),
    "pick": Text("捡牌", "picking up"),
    "lead": Text("出牌", "leading"),
    "follow": Text("跟牌", "following"),
}
ACT_TEXT: dict[type, Text] = {
    Pass: Text("不要", "passing"),
    DealCard: KIND_TEXT["deal"],
    Claim: KIND_TEXT["claim"],
    Declare: KIND_TEXT["declare"],
    Pay: KIND_TEXT["pay"],
    Return: KIND_TEXT["return"],
    Bury: KIND_TEXT["bury"],
    BuryKings: KIND_TEXT["bury_kings"],
    Pick: KIND_TEXT["pick"],
    Play: Text("出牌", "playing cards"),
}


class Ask(Sequence[Act]):
    """A question to one seat. ``kind``: deal, claim, declare, pay, return, bury, bury_kings, pick, lead, follow (plugins
    add their own); ``seat`` is -1 for the house. ``total`` is the number of acts (``len`` is never above ``sys.maxsize``)."""

    __slots__ = ("kind", "rules", "seat", "total")

    def __init__(self, rules: RuleSet, seat: int, kind: str, total: int) -> None:
        self.rules = rules
        self.seat = seat
        self.kind = kind
        self.total = total

    def __len__(self) -> int:
        # ``total`` is exact; ``len`` cannot be above this. Eighty cards are buried in 10^24 ways.
        total = self.total
        return total if total <= sys.maxsize else sys.maxsize

    @overload
    def __getitem__(self, k: int) -> Act: ...
    @overload
    def __getitem__(self, k: slice) -> Sequence[Act]: ...
    def __getitem__(self, k: int | slice) -> Act | Sequence[Act]:
        if isinstance(k, slice):
            return [self.kth(i) for i in range(*k.indices(self.total))]
        if k < 0:
            k += self.total
        if not 0 <= k < self.total:
            raise IndexError("there is no such act")
        return self.kth(k)

    def __iter__(self) -> Iterator[Act]:
        for k in range(self.total):
            yield self.kth(k)

    def __contains__(self, act: object) -> bool:
        try:
            return self.refusal(act) is None
        except CardError:
            return False

    @abstractmethod
    def kth(self, k: int) -> Act:
        """The k-th act, 0 ≤ k < len; not checked."""

    @abstractmethod
    def refusal(self, act: object) -> Refused | None:
        """Why the act is not allowed, or None if it is. Raises CardError where its cards are none."""

    def _wrong_kind(self, act: object) -> Refused:
        said = ACT_TEXT.get(type(act)) or Text(repr(act), repr(act))
        wanted = KIND_TEXT.get(self.kind) or Text(self.kind, self.kind)
        return self.rules.refuse("table.phase", {"act": said, "kind": wanted}, seat=self.seat)


_NONE_YET = Play(())
"""What no player can hand in: it stands where no act has been made yet."""
_NOT_MADE = (_NONE_YET, NOTHING)


class ListAsk(Ask):
    """A short list of acts. ``why(hand, seat, act)`` says of any other act why it is not allowed; None: it is, being a listed
    one in other words (kings named in another order). Without ``why`` the listed acts are all there are."""

    __slots__ = ("acts", "hand", "why")

    def __init__(
        self,
        rules: RuleSet,
        seat: int,
        kind: str,
        acts: Sequence[Act],
        why: Callable[[Any, int, Any], Refused | None] | None = None,
        hand: Hand | None = None,
    ) -> None:
        self.rules = rules
        self.seat = seat
        self.kind = kind
        self.total = len(acts)
        self.acts = tuple(acts)
        self.why = why
        self.hand = hand

    def kth(self, k: int) -> Act:
        return self.acts[k]

    def refusal(self, act: object) -> Refused | None:
        if act in self.acts:
            return None
        return self.why(self.hand, self.seat, act) if self.why else self._wrong_kind(act)

    def of(self, hand: Hand) -> ListAsk:
        """The same question to a copy of the hand."""
        return ListAsk(self.rules, self.seat, self.kind, self.acts, self.why, hand)


class CardsAsk(Ask):
    """Cards to choose from a set of choices: paying, returning, burying, picking. ``rule`` limits the choice."""

    __slots__ = ("act_type", "choices", "holding", "made", "rule", "trump", "wanted")

    def __init__(
        self,
        rules: RuleSet,
        seat: int,
        kind: str,
        act_type: type[Pay] | type[Return] | type[Bury] | type[Pick],
        holding: Masks,
        choices: Choices,
        count: int,
        rule: str,
        trump: Trump,
    ) -> None:
        self.rules = rules
        self.seat = seat
        self.kind = kind
        self.total = choices.total
        self.act_type = act_type
        self.holding = holding
        self.choices = choices
        self.wanted = count
        self.rule = rule
        self.trump = trump
        self.made: tuple[Act, Masks] = _NOT_MADE

    def kth(self, k: int) -> Act:
        # Whoever answers with this very act need not have it checked again: it came from the list. Both in one value, since
        # copies of a hand share the question, maybe in several threads.
        chosen = self.choices.kth(k)
        act = self.act_type(self.trump.cards(chosen))
        self.made = (act, chosen)
        return act

    def chosen_by(self, act: object) -> Masks:
        """The cards of an allowed act, as masks. Raises Refused, or CardError where its cards are none."""
        made, chosen = self.made
        if act is made:
            return chosen
        refused = self.refusal(act)
        if refused is not None:
            raise refused
        return self.trump.masks(parse_cards(act.cards))  # type: ignore[attr-defined]

    def refusal(self, act: object) -> Refused | None:
        if act is self.made[0]:
            return None
        if not isinstance(act, self.act_type):
            return self._wrong_kind(act)
        cards = parse_cards(act.cards)
        chosen = held_masks(self.rules, self.seat, self.holding, self.trump, cards)
        if isinstance(chosen, Refused):
            return chosen
        if len(cards) != self.wanted:
            return self.rules.refuse(
                "cards.count", {"wanted": self.wanted, "given": len(cards)}, cards=cards, seat=self.seat
            )
        if chosen not in self.choices:
            return self.rules.refuse(self.rule, cards=cards, seat=self.seat)
        return None


class PlayAsk(Ask):
    """A lead or a follow. ``lead`` is the lead's masks, None when leading; ``lane`` and ``n`` are its shape."""

    __slots__ = ("holding", "lane", "lead", "made", "n", "play_rules")

    def __init__(
        self, play_rules: PlayRules, seat: int, holding: Masks, lead: Masks | None = None, lane: int = 0, n: int = 0
    ) -> None:
        self.play_rules = play_rules
        self.rules = play_rules.rules
        self.seat = seat
        self.holding = holding
        self.lead = lead
        self.lane = lane
        self.n = n
        self.made: tuple[Play, Masks] = _NOT_MADE
        h1, h2, h3 = holding
        if lead is None:
            self.kind = "lead"
            self.total = play_rules.leads.count(h1, h2, h3)
        else:
            self.kind = "follow"
            rule = play_rules.follow
            self.total = rule.count(h1, h2, h3, lane, n, rule.strict, rule.split)

    @property
    def trump(self) -> Trump:
        """The trump order of the hand."""
        return self.play_rules.trump

    def masks_at(self, k: int) -> Masks:
        """The k-th play as masks, for players who think in masks."""
        h1, h2, h3 = self.holding
        if self.lead is None:
            return self.play_rules.leads.kth(h1, h2, h3, k)
        rule = self.play_rules.follow
        return rule.kth(h1, h2, h3, self.lane, self.n, rule.strict, rule.split, k)

    def kth(self, k: int) -> Play:
        # As in ``CardsAsk.kth``.
        h1, h2, h3 = self.holding
        rules = self.play_rules
        if self.lead is None:
            chosen = rules.leads.kth(h1, h2, h3, k)
        else:
            rule = rules.follow
            chosen = rule.kth(h1, h2, h3, self.lane, self.n, rule.strict, rule.split, k)
        act = rules.acts.get(chosen)
        if act is None:
            act = rules.act(chosen)
        self.made = (act, chosen)
        return act

    def allows(self, p1: int, p2: int, p3: int) -> bool:
        """May these masks be played?"""
        h1, h2, h3 = self.holding
        if self.lead is None:
            return self.play_rules.leads.contains(h1, h2, h3, p1, p2, p3)
        rule = self.play_rules.follow
        return rule.contains(h1, h2, h3, self.lane, self.n, rule.strict, rule.split, p1, p2, p3)

    def play(self, chosen: Masks) -> Play | None:
        """The act that plays these masks, for players that think in masks; None where they are not allowed."""
        if not self.allows(*chosen):
            return None
        act = self.play_rules.act(chosen)
        self.made = (act, chosen)
        return act

    def chosen_by(self, act: object) -> Masks:
        """The masks of an allowed play. Raises Refused, or CardError where its cards are none."""
        found = self.play_of(act)
        if isinstance(found, Refused):
            raise found
        return found

    def play_of(self, act: object) -> Masks | Refused:
        """The masks of an allowed play, or the reason why it is not allowed. Raises CardError."""
        made, chosen = self.made
        if act is made:
            return chosen
        if not isinstance(act, Play):
            return self._wrong_kind(act)
        cards = parse_cards(act.cards)
        found = held_masks(self.rules, self.seat, self.holding, self.trump, cards)
        if isinstance(found, Refused) or self.allows(*found):
            return found
        if self.lead is None:
            reason = self.play_rules.leads.why_not(self.holding, found)
        else:
            wanted = masks.size(*self.lead)
            if len(cards) != wanted:
                return self.rules.refuse(
                    "cards.count", {"wanted": wanted, "given": len(cards)}, cards=cards, seat=self.seat
                )
            reason = self.play_rules.follow.why_not(self.holding, self.lead, found)
        return self.rules.refuse(reason.rule, reason.text, cards=cards, seat=self.seat)

    def refusal(self, act: object) -> Refused | None:
        found = self.play_of(act)
        return found if isinstance(found, Refused) else None


def held_masks(rules: RuleSet, seat: int, holding: Masks, trump: Trump, cards: Sequence[Card]) -> Masks | Refused:
    """The cards as masks if the holding has them all, else the refusal that names those it lacks."""
    missing = []
    one, two, three = holding
    left = {0: 0}
    for text in cards:
        card = parse_card(text)
        bit = trump.mask_of(card.kind)
        have = (one & bit != 0) + (two & bit != 0) + (three & bit != 0)
        left[bit] = left.get(bit, have) - 1
        if left[bit] < 0:
            missing.append(card)
    if missing:
        return rules.refuse("cards.held", {"cards": " ".join(missing)}, cards=cards, seat=seat)
    return trump.masks(cards)
