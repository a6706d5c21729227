"""Acts and questions as the socket carries them."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from itertools import combinations, islice
from typing import Any, Final

from gunzi import masks
from gunzi.acts import PASS, Act, Bury, BuryKings, Claim, Declare, Pass, Pay, Pick, Play, Return
from gunzi.ask import Ask, CardsAsk, ListAsk, PlayAsk
from gunzi.cards import CARDS, Card, parse_card, parse_cards
from gunzi.errors import GunziError, Refused, Text
from gunzi.ruleset import RuleSet
from gunzi.trump import Masks, Trump

Json = dict[str, Any]
MOST_WAYS: Final = 10_000
MOST_LISTED: Final = 200
"""Plays looked at one by one to see which cards may be played; beyond, card by card."""
_CARD_ACTS: Final[dict[str, Any]] = {"pay": Pay, "return": Return, "bury": Bury, "pick": Pick, "play": Play}
_NAMES: Final[dict[type, str]] = {act: name for name, act in _CARD_ACTS.items()}


class NoSuchChoice(GunziError, ValueError):
    """``choose`` with a number that is none of the question's."""


def act_of(wire: Mapping[str, Any], ask: Ask | None) -> Act:
    """The act of a checked frame. Raises CardError where its cards are none, NoSuchChoice."""
    name = wire["act"]
    if name == "pass":
        return PASS
    if name == "claim":
        return Claim(parse_card(wire["card"]))
    if name == "declare":
        return Declare(parse_cards(wire["cards"]), wire["suit"])
    if name == "bury_kings":
        return BuryKings(parse_cards(wire["kings"]))
    if name == "choose":
        k = wire["k"]
        if ask is None or k >= ask.total:
            raise NoSuchChoice(Text("没有这一项", "there is no such choice"))
        chosen: Act = ask[k]
        return chosen
    made: Act = _CARD_ACTS[name](parse_cards(wire["cards"]))
    return made


def wire_of(act: Act, ask: Ask | None = None) -> Json:
    """An act as it is sent; an act that only a plugin knows by its place in the question."""
    if isinstance(act, Pass):
        return {"act": "pass"}
    if isinstance(act, Claim):
        return {"act": "claim", "card": act.card}
    if isinstance(act, Declare):
        return {"act": "declare", "cards": list(act.cards), "suit": act.suit}
    if isinstance(act, BuryKings):
        return {"act": "bury_kings", "kings": list(act.kings)}
    name = _NAMES.get(type(act))
    if name is not None:
        return {"act": name, "cards": list(act.cards)}  # type: ignore[union-attr]
    assert ask is not None
    return {"act": "choose", "k": next(k for k, each in enumerate(ask) if each == act)}


# -- questions -------------------------------------------------------------------------------------------------


def question(ask: Ask) -> Json:
    """What the seat that is asked needs to know to answer."""
    ways = min(ask.total, MOST_WAYS)
    forced = wire_of(ask[0], ask) if ask.total == 1 else None
    if isinstance(ask, PlayAsk):
        lit = lit_masks(ask)
        lane = ask.trump.lane_name(ask.lane) if ask.lead is not None and ask.lane in masks.LANES else None
        return {
            "pass": False,
            "count": masks.size(*ask.lead) if ask.lead is not None else None,
            "suit": lane,
            "lit": held(ask.trump, ask.holding, lit),
            "ways": ways,
            "forced": forced,
        }
    if isinstance(ask, CardsAsk):
        lit = 0
        for block in ask.choices.blocks:
            lit |= block.forced[0] | (block.pool[0] if block.count else 0)
        lit_cards = held(ask.trump, ask.holding, lit)
        return {"pass": False, "count": ask.wanted, "suit": None, "lit": lit_cards, "ways": ways, "forced": forced}
    acts = listed(ask)
    return {"pass": _may_pass(ask), "count": None, "suit": None, "acts": acts, "ways": ways, "forced": forced}


def listed(ask: Ask) -> list[Json]:
    """The acts of a short list, passing left out."""
    return [
        wire_of(act, None) if type(act) in _KNOWN else {"act": "choose", "k": k}
        for k, act in enumerate(islice(ask, MOST_LISTED))
        if not isinstance(act, Pass)
    ]


_KNOWN: Final = frozenset({*_NAMES, Claim, Declare, BuryKings})


def _may_pass(ask: Ask) -> bool:
    return isinstance(ask, ListAsk) and any(isinstance(act, Pass) for act in ask.acts)


def held(trump: Trump, holding: Masks, lit: int) -> list[Card]:
    """The held cards of some kinds, one entry a card, weakest first."""
    one, two, three = holding
    return list(trump.cards((one & lit, two & lit, three & lit)))


def lit_masks(ask: PlayAsk) -> int:
    """The kinds of which a card is part of some allowed play."""
    one = ask.holding[0]
    lit = 0
    for k in range(min(ask.total, MOST_LISTED)):
        lit |= ask.masks_at(k)[0]
        if lit == one:
            return lit
    if ask.total <= MOST_LISTED:
        return lit
    step = max(1, ask.total // MOST_LISTED)
    for k in range(ask.total - 1, 0, -step):
        lit |= ask.masks_at(k)[0]
        if lit == one:
            return lit
    size = masks.size(*ask.lead) if ask.lead is not None else 0
    left = one & ~lit
    while left:
        bit = left & -left
        left ^= bit
        if size and _in_some_play(ask, bit, size):
            lit |= bit
    return lit


def _in_some_play(ask: PlayAsk, bit: int, size: int) -> bool:
    """Is a card of this kind part of an allowed play of so many cards? Tried one after another."""
    holding = ask.holding
    rest = ask.trump.cards(masks.remove(*holding, bit, 0, 0))
    own = ask.trump.cards((bit, 0, 0))
    return any(ask.allows(*ask.trump.masks((*own, *others))) for others in combinations(rest, size - 1))


# -- what the cards are worth to the eye -------------------------------------------------------------------------


@lru_cache(maxsize=512)
def lanes_of(trump: Trump) -> tuple[tuple[str, tuple[Card, ...]], ...]:
    """Each suit's kinds in the order in force, weakest first, the trump lane last."""
    found = []
    for lane in masks.LANES:
        kinds = [trump.kind_at[bit] for bit in range(60) if lane >> bit & 1]
        found.append((trump.lane_name(lane), tuple(CARDS[kind] for kind in kinds if kind >= 0)))
    return tuple(found)


@lru_cache(maxsize=64)
def lanes_before(level: int, permanent: tuple[int, ...]) -> tuple[tuple[str, tuple[Card, ...]], ...]:
    """The same while no suit is trump: jokers, level cards and permanent trumps lie in the trump lane."""
    fixed = [rank for rank in permanent if rank != level]
    suits: dict[str, list[Card]] = {suit: [] for suit in "SHCD"}
    special: dict[int, list[Card]] = {rank: [] for rank in (*reversed(fixed), level)}
    for card in CARDS[:52]:
        (special[card.rank] if card.rank in special else suits[card.suit or ""]).append(card)
    trumps = [card for cards in special.values() for card in cards] + list(CARDS[52:54])
    return (*((suit, tuple(cards)) for suit, cards in suits.items()), ("trump", tuple(trumps)))


def lanes_json(rules: RuleSet, level: int, trump: Trump | None) -> list[Json]:
    """``lanes`` of a frame."""
    lanes = lanes_of(trump) if trump is not None else lanes_before(level, tuple(rules.permanent))
    return [{"lane": lane, "cards": list(cards)} for lane, cards in lanes]


def refused_json(refused: Refused, rules: RuleSet) -> Json:
    """A refusal with what the value in force means."""
    found = refused.as_json()
    if refused.rule in rules.options:
        text = rules.value_text(refused.rule)
        found["shown"] = {"zh": text.zh, "en": text.en}
    return found
