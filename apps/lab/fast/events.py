"""Events as numbers and numbers as events, and their digest: how the compiled and the interpreted game are held together.

An event is the numbers that follow, then the rule it names (``by``, ``room_by``); a list of cards is three masks in the hand's
trump order, before there is one a card is its kind 0-53. What is missing is -1, of owed cards 0; truth is 1.

    0 hand        number, round, both levels, dealer, first, redeal, owed from, to, count, then the deck, ten kinds a number
    1 claim       seat, kind, dealt                     2 declare   seat, kind, how many, suit 0-3 of SHCD, dealt
    3 turn        seat, kind                            4 draw      kind
    5 trump       suit, level, dealer, how 0-3 (claim, turn, declare, draw)
    6 redeal                                            7 exempt    seat, 1 reverse or 2 cancel
    8 tribute     from, to, cards                       9 return    from, to, cards
   10 bottom      shown, dry, cards                    11 bury      seat, cards, shown, room
   12 bury_kings  seat, big, small, picked             13 play      seat, cards
   14 trick       winner, points
   15 settle      points in tricks, bottom, its points, captured, attackers' points, take-over, side that levels up, by how much,
                  both levels, next dealer, owed from, to, count, ending, winner of the round, the four scores

The digest starts with 0 and takes in number after number, ``d = mix(d ^ number)`` in words of 64 bits (``chance.mix``): of each
event its kind, its numbers, and the CRC-32 of the rule's name in UTF-8 (0: it names none). Why a settlement is as it is
(``explain``) is no number of it; where events are compared one by one, it is.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, Final
from zlib import crc32

from gunzi.apps.lab.fast import layout as at
from gunzi.apps.lab.fast.layout import EVENTS, HOWS, KINDS_A_WORD, Log
from gunzi.apps.lab.fast.names import Names
from gunzi.apps.lab.fast.tables import result_of
from gunzi.cards import BIG, CARDS, LITTLE, SUITS, Card
from gunzi.chance import WORD, mix
from gunzi.choices import kings_masks
from gunzi.masks import add, remove
from gunzi.record import Event
from gunzi.ruleset import RuleSet
from gunzi.settling import settle
from gunzi.trump import Masks, Trump, trump_order
from gunzi.values import Capture, Owed, Result

KIND_OF: Final = {name: kind for kind, name in enumerate(EVENTS)}
EXEMPTIONS: Final = ("", "reverse", "cancel")


def folded(digest: int, numbers: Iterable[int], rule: str) -> int:
    """The digest after one more event."""
    for number in numbers:
        digest = mix(digest ^ (number & WORD))
    return mix(digest ^ crc32(rule.encode()))


def digest_of(rules: RuleSet, events: Iterable[Mapping[str, Any]], digest: int = 0) -> int:
    """The digest of a table's events."""
    for numbers, rule in as_numbers(rules, events):
        digest = folded(digest, numbers, rule)
    return digest


def log_digest(log: Log, names: Names, digest: int = 0) -> int:
    """The digest of a log: that of its events."""
    for place in range(int(log.cursor[at.EVENT_COUNT])):
        digest = folded(digest, numbers_at(log, place), names.rules[int(log.events[place, 1])])
    return digest


def numbers_at(log: Log, place: int) -> list[int]:
    """The numbers of an event of a log."""
    end = log.events[place + 1, 0] if place + 1 < log.cursor[at.EVENT_COUNT] else log.cursor[at.USED]
    found: list[int] = log.data[log.events[place, 0] : end].tolist()
    return found


def as_numbers(rules: RuleSet, events: Iterable[Mapping[str, Any]]) -> Iterator[tuple[list[int], str]]:
    """Each event's numbers, and the rule it names."""
    writer = _Writer(rules)
    for event in events:
        yield [KIND_OF[event["e"]], *writer.numbers(event)], event.get("by") or event.get("room_by") or ""


class _Writer:
    """Turns events into numbers, one after the other."""

    def __init__(self, rules: RuleSet) -> None:
        self.rules = rules
        self.order: Trump | None = None

    def masks(self, cards: Iterable[Card]) -> Masks:
        assert self.order is not None
        return self.order.masks(cards)

    def numbers(self, event: Mapping[str, Any]) -> list[int]:
        """What follows an event's kind."""
        found: list[int] = getattr(self, "_" + event["e"])(event)
        return found

    def _hand(self, event: Mapping[str, Any]) -> list[int]:
        kinds = [card.kind for card in event["deck"]]
        words = [
            sum(kind << 6 * place for place, kind in enumerate(kinds[start : start + KINDS_A_WORD]))
            for start in range(0, len(kinds), KINDS_A_WORD)
        ]
        dealer = -1 if event["dealer"] is None else event["dealer"]
        head = [event["hand"], event["round"], *event["levels"], dealer, event["first"], event["redeal"]]
        return [*head, *_owed(event["owed"]), *words]

    def _claim(self, event: Mapping[str, Any]) -> list[int]:
        return [event["seat"], event["card"].kind, event["dealt"]]

    def _declare(self, event: Mapping[str, Any]) -> list[int]:
        cards = event["cards"]
        return [event["seat"], cards[0].kind, len(cards), SUITS.index(event["suit"]), event["dealt"]]

    def _turn(self, event: Mapping[str, Any]) -> list[int]:
        return [event["seat"], event["card"].kind]

    def _draw(self, event: Mapping[str, Any]) -> list[int]:
        return [event["card"].kind]

    def _trump(self, event: Mapping[str, Any]) -> list[int]:
        self.order = trump_order(event["level"], event["suit"], self.rules.permanent)
        return [SUITS.index(event["suit"]), event["level"], event["dealer"], HOWS.index(event["how"])]

    def _redeal(self, event: Mapping[str, Any]) -> list[int]:
        return []

    def _exempt(self, event: Mapping[str, Any]) -> list[int]:
        return [event["seat"], EXEMPTIONS.index(event["kind"])]

    def _tribute(self, event: Mapping[str, Any]) -> list[int]:
        return [event["from"], event["to"], *self.masks(event["cards"])]

    _return = _tribute

    def _bottom(self, event: Mapping[str, Any]) -> list[int]:
        return [int(event["shown"]), int(event["dry"]), *self.masks(event["cards"])]

    def _bury(self, event: Mapping[str, Any]) -> list[int]:
        return [event["seat"], *self.masks(event["cards"]), int(event["shown"]), event["room"]]

    def _bury_kings(self, event: Mapping[str, Any]) -> list[int]:
        kings = [card.kind for card in event["kings"]]
        return [event["seat"], kings.count(BIG), kings.count(LITTLE), *self.masks(event["picked"])]

    def _play(self, event: Mapping[str, Any]) -> list[int]:
        return [event["seat"], *self.masks(event["cards"])]

    def _trick(self, event: Mapping[str, Any]) -> list[int]:
        return [event["winner"], event["points"]]

    def _settle(self, event: Mapping[str, Any]) -> list[int]:
        up = event["level_up"]
        ending = event["ending"]
        return [
            event["trick_points"],
            *self.masks(event["bottom"]),
            event["bottom_points"],
            int(event["captured"]),
            event["attackers_points"],
            int(event["takeover"]),
            *((up["side"], up["levels"]) if up else (-1, 0)),
            *event["levels"],
            -1 if event["next_dealer"] is None else event["next_dealer"],
            *_owed(event["owed"]),
            at.NO_ENDING if ending is None else Names().ending(ending),
            -1 if event["round_won_by"] is None else event["round_won_by"],
            *event["scores"],
        ]


def _owed(owed: Mapping[str, int] | None) -> tuple[int, int, int]:
    return (owed["from"], owed["to"], owed["count"]) if owed else (-1, -1, 0)


class Reader:
    """Turns the numbers of a log back into events, one after the other: the same events as a table's."""

    def __init__(self, rules: RuleSet, names: Names) -> None:
        self.rules = rules
        self.names = names
        self.n = 0
        self.order: Trump | None = None
        self.levels = (0, 0)
        self.dealer = 0
        self.deck: list[Card] = []
        self.bottom: list[Card] = []
        self.dry = False
        self.paid: Owed | None = None
        self.last: list[Card] = []
        self.winning: list[Card] = []

    def events(self, log: Log, first: int = 0, end: int | None = None) -> Iterator[Event]:
        """The events of a log from one number to another."""
        for place in range(first, int(log.cursor[at.EVENT_COUNT]) if end is None else end):
            yield self.event(numbers_at(log, place), self.names.rules[int(log.events[place, 1])])

    def event(self, numbers: Sequence[int], rule: str) -> Event:
        """The next event."""
        self.n += 1
        name = EVENTS[numbers[0]]
        return {"e": name, "n": self.n, **getattr(self, "_" + name)(*numbers[1:]), **self._by(name, rule)}

    def _by(self, name: str, rule: str) -> dict[str, str]:
        if not rule:
            return {}
        return {"room_by" if name == "bury" else "by": rule}

    def _cards(self, *masks: int) -> list[Card]:
        assert self.order is not None
        one, two, three = masks
        return list(self.order.cards((one, two, three)))

    def _hand(
        self, hand: int, round: int, level_0: int, level_1: int, dealer: int, first: int, redeal: int, giver: int,
        receiver: int, count: int, *words: int,
    ) -> dict[str, Any]:  # fmt: skip
        size = self.rules.deck.size
        kinds = [word >> 6 * place & 63 for word in words for place in range(KINDS_A_WORD)][:size]
        self.deck = [CARDS[kind] for kind in kinds]
        self.levels = (level_0, level_1)
        self.bottom = self.deck[self.rules.deck.dealt :]
        self.dry, self.paid, self.order = False, None, None
        return {
            "hand": hand,
            "round": round,
            "levels": [level_0, level_1],
            "dealer": None if dealer < 0 else dealer,
            "first": first,
            "deck": list(self.deck),
            "owed": Owed(giver, receiver, count).as_json() if count else None,
            "redeal": redeal,
        }

    def _claim(self, seat: int, kind: int, dealt: int) -> dict[str, Any]:
        return {"seat": seat, "card": CARDS[kind], "dealt": dealt}

    def _declare(self, seat: int, kind: int, count: int, suit: int, dealt: int) -> dict[str, Any]:
        return {"seat": seat, "cards": [CARDS[kind]] * count, "suit": SUITS[suit], "dealt": dealt}

    def _turn(self, seat: int, kind: int) -> dict[str, Any]:
        return {"seat": seat, "card": CARDS[kind]}

    def _draw(self, kind: int) -> dict[str, Any]:
        return {"card": CARDS[kind]}

    def _trump(self, suit: int, level: int, dealer: int, how: int) -> dict[str, Any]:
        self.order = trump_order(level, SUITS[suit], self.rules.permanent)
        self.dealer = dealer
        return {"suit": SUITS[suit], "level": level, "dealer": dealer, "how": HOWS[how]}

    def _redeal(self) -> dict[str, Any]:
        return {"why": "jokers"}

    def _exempt(self, seat: int, kind: int) -> dict[str, Any]:
        return {"seat": seat, "kind": EXEMPTIONS[kind]}

    def _tribute(self, giver: int, receiver: int, *masks: int) -> dict[str, Any]:
        cards = self._cards(*masks)
        self.paid = Owed(giver, receiver, len(cards))
        return {"from": giver, "to": receiver, "cards": cards}

    def _return(self, giver: int, receiver: int, *masks: int) -> dict[str, Any]:
        return {"from": giver, "to": receiver, "cards": self._cards(*masks)}

    def _bottom(self, shown: int, dry: int, *masks: int) -> dict[str, Any]:
        self.dry = bool(dry)
        return {"cards": list(self.bottom), "shown": bool(shown), "dry": bool(dry)}

    def _bury(self, seat: int, one: int, two: int, three: int, shown: int, room: int) -> dict[str, Any]:
        self.bottom = self._cards(one, two, three)
        return {"seat": seat, "cards": list(self.bottom), "shown": bool(shown), "room": room}

    def _bury_kings(self, seat: int, big: int, small: int, *masks: int) -> dict[str, Any]:
        assert self.order is not None
        one, two, three = masks
        left = remove(*self.order.masks(self.bottom), one, two, three)
        self.bottom = list(self.order.cards(add(*left, *kings_masks(self.order, big, small))))
        kings = [CARDS[BIG]] * big + [CARDS[LITTLE]] * small
        return {"seat": seat, "kings": kings, "picked": self._cards(*masks)}

    def _play(self, seat: int, *masks: int) -> dict[str, Any]:
        return {"seat": seat, "cards": self._cards(*masks)}

    def _trick(self, winner: int, points: int) -> dict[str, Any]:
        return {"winner": winner, "points": points}

    def result(self, numbers: Sequence[int]) -> Result:
        """The result that a ``settle`` event's numbers settle."""
        given = result_of(
            self.rules,
            dealer=self.dealer,
            trick_points=numbers[1],
            bottom_points=numbers[5],
            captured=bool(numbers[6]),
            dry=self.dry,
            levels=self.levels,
            paid=self.paid,
        )
        assert self.order is not None
        return Result(
            given.dealer,
            given.levels,
            given.trick_points,
            Capture.CAPTURED if numbers[6] else Capture.HELD,
            tuple(self.bottom),
            given.bottom_points,
            given.dry,
            self.order,
            (),
            given.tribute_paid,
        )

    def _settle(self, *numbers: int) -> dict[str, Any]:
        return settle(self.rules, self.result((at.E_SETTLE, *numbers))).as_json()
