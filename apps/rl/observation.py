"""Observations: one vector of whole numbers, made of what a seat's view shows and nothing else.

``FIELDS`` lists its parts in order: counts of the 54 kinds (in the order of ``gunzi.CARDS``), then facts. Seats are counted from the
observer: 0 itself, 1 the next seat, 2 the partner, 3 the previous seat. Suits stand in the order S H C D. What is not known or does
not apply is all zeros.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import accumulate
from struct import Struct
from typing import Any, Final

import numpy as np

from gunzi.apps.rl.picks import Picker
from gunzi.cards import KINDS, SUITS
from gunzi.hand import Hand
from gunzi.sight import Sight
from gunzi.trump import NOTHING, SIDE_LANES, TRUMP_LANE, Masks, Trump

QUESTIONS: Final = ("claim", "declare", "pay", "return", "bury", "bury_kings", "pick", "lead", "follow")
"""The kinds of questions, in the order of the field ``question``; a plugin's own is the last of its places."""
DTYPE: Final = np.int16
_CARDS: Final = 162


@dataclass(frozen=True, slots=True)
class Part:
    """A part of the vector: its name, how many numbers it has, and the highest value there (the lowest is 0)."""

    name: str
    size: int
    high: int
    meaning: str


FIELDS: Final = (
    Part("own", KINDS, 3, "the cards the seat holds"),
    Part("unseen", KINDS, 3, "the cards that others hold or that lie hidden (once trump is known)"),
    Part("bottom", KINDS, 3, "the bottom as it lies, where it has been shown"),
    Part("buried", KINDS, 3, "the cards the seat has buried itself as the dealer"),
    Part("trick", 4 * KINDS, 3, "the running trick: what each seat has played to it"),
    Part("played", 4 * KINDS, 3, "what each seat has played in this hand"),
    Part("turned", KINDS, 3, "the bottom cards turned or drawn to find a dealer or a suit"),
    Part("standing", KINDS, 3, "the cards of the claim or of the declaration that stands"),
    Part("gave", KINDS, 3, "the cards the seat paid or returned"),
    Part("got", KINDS, 3, "the cards the seat was paid or got back"),
    Part("picks", KINDS, 3, "what the seat has picked of its present answer"),
    Part(
        "question", len(QUESTIONS) + 1, 1, "what the seat is asked: " + ", ".join(QUESTIONS) + ", a plugin's question"
    ),
    Part("numbered", 1, 1, "the answer is picked by its number"),
    Part("wanted", 1, _CARDS, "how many cards are still to be picked, where the question says so"),
    Part("dealt", 1, _CARDS, "how many cards are out, as far as the seat knows"),
    Part("levels", 2, 14, "the level of the seat's side and of the other side"),
    Part("level", 1, 14, "the level of the hand (once trump is known)"),
    Part("first_hand", 1, 1, "the first hand of a round"),
    Part("suit", 4, 1, "the trump suit"),
    Part("dealer", 4, 1, "the dealer"),
    Part("first", 4, 1, "the seat dealt first"),
    Part("bidder", 4, 1, "the seat that claimed, or whose declaration stands"),
    Part("bid_suit", 4, 1, "the suit of the declaration that stands"),
    Part("owed_by", 4, 1, "who owes tribute since the hand before"),
    Part("owed_to", 4, 1, "whom it is owed to"),
    Part("owed", 1, 1000, "how many cards"),
    Part("paid_by", 4, 1, "who has paid tribute in this hand"),
    Part("paid_to", 4, 1, "to whom"),
    Part("paid", 1, _CARDS, "how many cards"),
    Part("bottom_known", 1, 1, "the bottom has been shown as it lies"),
    Part("dry", 1, 1, "the bottom is dry"),
    Part("room", 1, _CARDS, "how many kings the others may still bury"),
    Part("kings", 4, 9, "how many kings each seat has buried after the dealer"),
    Part("naming", 4, 1, "the seat that has named kings and is picking cards up"),
    Part("named", 2, 3, "how many big and small jokers it named"),
    Part("trick_number", 1, 164, "the number of the trick, from 1 (0 before the play)"),
    Part("plays", 1, 3, "how many have played to it"),
    Part("leader", 4, 1, "who leads it"),
    Part("led", 1, _CARDS, "how many cards were led"),
    Part("led_suit", 5, 1, "the suit led: S H C D, or trump"),
    Part("winning", 4, 1, "who wins it so far"),
    Part("attackers", 1, 20000, "the attackers' points so far"),
    Part("pile", 1, 20000, "the points in the running trick"),
    Part("left", 4, _CARDS, "how many cards each seat holds"),
    Part("voids", 20, 1, "for each seat, S H C D and trump: it has shown that it holds none"),
)
SIZE: Final = sum(part.size for part in FIELDS)
"""How many numbers there are."""
SLICES: Final = {
    part.name: slice(end - part.size, end)
    for part, end in zip(FIELDS, accumulate(part.size for part in FIELDS), strict=True)
}
"""Where each part lies: ``observation[SLICES["own"]]``."""
_COUNTS: Final = SLICES["picks"].stop
_PACK: Final = Struct("<12Q").pack


def highest() -> np.ndarray[Any, np.dtype[np.int16]]:
    """The highest value of each number; the lowest is 0."""
    return np.concatenate([np.full(part.size, part.high, DTYPE) for part in FIELDS])


class Watch:
    """What a running hand has shown beside ``Sight``: each seat's plays, what moved as tribute, how far each seat saw the deal."""

    def __init__(self, hand: Hand) -> None:
        self.hand = hand
        self.trick = np.zeros((4, KINDS), DTYPE)
        self.played = np.zeros((4, KINDS), DTYPE)
        self.gave = np.zeros((4, KINDS), DTYPE)
        self.got = np.zeros((4, KINDS), DTYPE)
        self.dealt = [0, 0, 0, 0]
        self.asked()

    def asked(self) -> None:
        """A question is out: the seat asked sees how far the deal is, and everybody does when somebody bids."""
        hand = self.hand
        if hand.phase != "deal":
            self.dealt = [hand.rules.deck.dealt] * 4
            return
        if hand.claim is not None:
            self.all_see(hand.claim[2])
        if hand.waiting is not None and hand.waiting.seat >= 0:
            self.dealt[hand.waiting.seat] = hand.dealt

    def all_see(self, dealt: int) -> None:
        """So many cards are out, and everybody knows."""
        self.dealt = [max(dealt, seen) for seen in self.dealt]

    def play(self, seat: int, kinds: Sequence[int], ends: bool) -> None:
        """A play; ``ends``: with it the trick is over."""
        for kind in kinds:
            self.played[seat, kind] += 1
            self.trick[seat, kind] += 1
        if ends:
            self.trick[:] = 0

    def move(self, source: int, target: int, kinds: Sequence[int]) -> None:
        """Tribute, or cards returned."""
        for kind in kinds:
            self.gave[source, kind] += 1
            self.got[target, kind] += 1


def _own_counts(watch: Watch, seat: int) -> Sequence[int]:
    counts = [0] * KINDS
    hand = watch.hand
    for card in hand.deck[(seat - hand.first) % 4 : watch.dealt[seat] : 4]:
        counts[card.kind] += 1
    return counts


_NO_SEAT: Final = (0, 0, 0, 0)
_SEATS: Final = ((1, 0, 0, 0), (0, 1, 0, 0), (0, 0, 1, 0), (0, 0, 0, 1))
_ROLLED: Final = tuple(tuple((seat + other) % 4 for other in range(4)) for seat in range(4))
_NO_QUESTION: Final = (0,) * (len(QUESTIONS) + 1)
_QUESTION: Final = {
    kind: tuple(int(place == other) for other in range(len(QUESTIONS) + 1)) for place, kind in enumerate(QUESTIONS)
}
_OTHER_QUESTION: Final = (0,) * len(QUESTIONS) + (1,)


def observe(
    sight: Sight, watch: Watch, picker: Picker | None, picks: Sequence[int]
) -> np.ndarray[Any, np.dtype[np.int16]]:
    """What a seat observes: ``picker`` is its question's (None: another seat is asked), ``picks`` its actions so far for it."""
    shown, seat, hand = sight.shown, sight.seat, watch.hand
    trump = shown.trump
    seen = np.zeros(SIZE, DTYPE)
    naming = hand.kings_seats[0] if hand.kings_named else None
    bottom: Masks | None = None
    if trump is None:
        seen[SLICES["own"]] = _own_counts(watch, seat)
    else:
        lies = shown.buried if shown.buried is not None else shown.bottom if not hand.dealer_buried else None
        bottom = trump.masks(hand.bottom) if naming is not None else lies
        cards = _PACK(*sight.holding, *sight.unseen(), *(bottom or NOTHING), *sight.buried)
        bits = np.unpackbits(np.frombuffer(cards, np.uint8), bitorder="little").reshape(4, 3, 64)
        seen[: 4 * KINDS] = bits.sum(1, dtype=DTYPE)[:, _places(trump)].reshape(-1)
    order = list(_ROLLED[seat])
    if shown.trick:
        seen[SLICES["trick"]] = watch.trick[order].reshape(-1)
        seen[SLICES["played"]] = watch.played[order].reshape(-1)
    if shown.turned:
        np.add.at(seen[SLICES["turned"]], list(shown.turned), 1)
    bidder, suit = shown.claim, ""
    if shown.standing is not None:
        bidder, suit = shown.standing.seat, shown.standing.suit
        np.add.at(seen[SLICES["standing"]], [card.kind for card in shown.standing.cards], 1)
    elif hand.claim is not None:
        seen[SLICES["standing"]][hand.claim[1].kind] = 1
    if shown.tribute is not None:
        seen[SLICES["gave"]] = watch.gave[seat]
        seen[SLICES["got"]] = watch.got[seat]
    for action in picks:
        if picker is not None and not picker.numbered and action < 3 * KINDS:
            seen[SLICES["picks"].start + action // 3] = action % 3 + 1

    def at(other: int | None) -> tuple[int, ...]:
        return _NO_SEAT if other is None else _SEATS[(other - seat) % 4]

    kind = hand.waiting.kind if picker is not None and hand.waiting is not None else None
    playing = shown.trick > 0
    started = playing and shown.plays > 0
    owed, paid = shown.owed, shown.tribute
    side = seat % 2
    voids = shown.voids
    seen[_COUNTS:] = (
        *(_NO_QUESTION if kind is None else _QUESTION.get(kind, _OTHER_QUESTION)),
        int(picker.numbered) if picker is not None else 0,
        picker.wanted if picker is not None else 0,
        watch.dealt[seat],
        shown.levels[side],
        shown.levels[1 - side],
        trump.level if trump is not None else 0,
        int(shown.first_hand),
        *(_suit(trump.suit) if trump is not None else _NO_SEAT),
        *at(shown.dealer),
        *at(shown.first),
        *at(bidder),
        *(_suit(suit) if suit else _NO_SEAT),
        *(at(owed[0]) if owed else _NO_SEAT),
        *(at(owed[1]) if owed else _NO_SEAT),
        owed[2] if owed else 0,
        *(at(paid[0]) if paid else _NO_SEAT),
        *(at(paid[1]) if paid else _NO_SEAT),
        paid[2] if paid else 0,
        int(bottom is not None),
        int(shown.dry),
        shown.room,
        *[shown.kings[other] for other in order],
        *at(naming),
        hand.kings_named.count("BJ"),
        hand.kings_named.count("LJ"),
        hand.trick_number if hand.play_rules is not None else 0,
        shown.plays,
        *(at(shown.leader) if playing else _NO_SEAT),
        shown.n if started else 0,
        *(_lane(trump, shown.lane) if started and trump is not None else (0, 0, 0, 0, 0)),
        *(at(shown.winning) if started else _NO_SEAT),
        shown.attackers,
        shown.pile,
        *[shown.left[other] for other in order],
        *[
            each
            for other in order
            for each in (_voids(trump, voids[other]) if trump is not None and voids[other] else (0, 0, 0, 0, 0))
        ],
    )
    return seen


_PLACES: dict[Trump, np.ndarray[Any, np.dtype[np.intp]]] = {}


def _places(trump: Trump) -> np.ndarray[Any, np.dtype[np.intp]]:
    found = _PLACES.get(trump)
    if found is None:
        found = _PLACES[trump] = np.array(trump.bit_of, np.intp)
    return found


def _suit(suit: str) -> tuple[int, ...]:
    return _SEATS[SUITS.index(suit)]


def _lane(trump: Trump, lane: int) -> tuple[int, ...]:
    if lane != TRUMP_LANE and lane not in SIDE_LANES:
        return 0, 0, 0, 0, 0
    name = trump.lane_name(lane)
    return (0, 0, 0, 0, 1) if name == "trump" else (*_suit(name), 0)


def _voids(trump: Trump, lanes: int) -> tuple[int, ...]:
    found = {trump.lane_name(lane) for lane in (*SIDE_LANES, TRUMP_LANE) if lanes & lane}
    return (*(int(suit in found) for suit in SUITS), int("trump" in found))
