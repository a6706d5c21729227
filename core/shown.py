"""What everybody at the table has seen of a hand, as integers: the public events folded, once for the whole table."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from typing import TYPE_CHECKING, Any, Final

from gunzi import masks
from gunzi.cards import KINDS, parse_card, parse_cards
from gunzi.choices import pickable_cards
from gunzi.trump import NOTHING, Masks, Trump, trump_order
from gunzi.values import Bid, FollowRule
from gunzi.views import Viewer

if TYPE_CHECKING:
    from gunzi.ruleset import RuleSet

_NOT_FOLDED: Final = frozenset({"play", "trick", "settle", "disclose", "deal", "take"})


class Shown:
    """What everybody at the table has seen of a hand.

    Before the play: ``levels``, ``dealer``, ``first``, ``claim`` (seat), ``bids``, ``standing``, ``turned`` (kinds), ``trump``,
    ``how``, ``tribute`` (from, to, cards moved), ``bottom`` (as the dealer found it; None where hidden), ``dry``, ``buried`` (the
    bottom as it lies now; None where hidden), ``room`` (kings the others may still bury), ``kings`` (per seat: how many buried).

    In play: ``trick`` (from 1), ``plays`` (0-3 in this trick), ``leader``, ``lead``, ``lane`` and ``n`` (its shape), ``winning`` seat
    with ``strongest`` power and ``best`` play, ``pile`` (points in the trick), ``attackers`` (their points so far), ``left`` (cards
    held, by seat), ``voids`` (by seat: the lanes it has shown to be void in), and ``out1 out2 out3``: the cards that have
    neither been played nor lie in a known bottom.

    For those who want to know how it came to that: ``history`` (every play, in order: seat and masks), ``exempt`` (the seat that
    showed three big jokers against a tribute; None: nobody did), ``exchanged`` (seat, kings buried, cards picked up, in order).
    """

    __slots__ = (
        "_infers_pairs",
        "_infers_voids",
        "_pointed",
        "_points",
        "_power",
        "_shape",
        "_told",
        "_viewer",
        "attackers",
        "best",
        "bids",
        "bottom",
        "buried",
        "claim",
        "dealer",
        "dry",
        "exchanged",
        "exempt",
        "first",
        "first_hand",
        "history",
        "how",
        "kings",
        "lane",
        "lead",
        "leader",
        "left",
        "levels",
        "n",
        "number",
        "out1",
        "out2",
        "out3",
        "owed",
        "pile",
        "plays",
        "room",
        "round",
        "rules",
        "standing",
        "strongest",
        "trick",
        "tribute",
        "trump",
        "turned",
        "voids",
        "winning",
    )

    _power: Callable[[int, int, int, int, int], int]
    _shape: Callable[[int, int, int], tuple[int, int]]

    def __init__(self, rules: RuleSet) -> None:
        self.rules = rules
        self._viewer = Viewer(rules, None)
        self._told = 0
        self._infers_voids = self._infers_pairs = False
        self._pointed: int = 0
        self._points: tuple[int, ...] = ()
        self._clear()

    def _clear(self) -> None:
        self.number = self.round = 0
        self.levels: tuple[int, int] = (0, 0)
        self.dealer: int | None = None
        self.first = 0
        self.first_hand = False
        self.owed: tuple[int, int, int] | None = None
        self.claim: int | None = None
        self.bids: tuple[Bid, ...] = ()
        self.standing: Bid | None = None
        self.turned: tuple[int, ...] = ()
        self.trump: Trump | None = None
        self.how = ""
        self.tribute: tuple[int, int, int] | None = None
        self.exempt: int | None = None
        self.exchanged: tuple[tuple[int, Masks, Masks], ...] = ()
        self.history: list[tuple[int, int, int, int]] = []
        self.bottom: Masks | None = None
        self.dry = False
        self.buried: Masks | None = None
        self.room = 0
        self.kings = [0, 0, 0, 0]
        self.trick = self.plays = 0
        self.leader = 0
        self.lead: Masks = NOTHING
        self.lane = self.n = 0
        self.winning = 0
        self.strongest = -1
        self.best: Masks = NOTHING
        self.pile = self.attackers = 0
        self.left = [0, 0, 0, 0]
        self.voids = [0, 0, 0, 0]
        self.out1 = self.out2 = self.out3 = 0

    def content(self) -> tuple[Any, ...]:
        """Everything folded so far, to compare by."""
        found = []
        for name in self.__slots__:
            if name[0] != "_" and name != "rules":
                value = getattr(self, name)
                found.append(tuple(value) if isinstance(value, list) else value)
        return tuple(found)

    # -- folding -----------------------------------------------------------------------------------------------

    def write(self, kind: str, keys: Mapping[str, Any]) -> None:
        """Fold an event as the table knows it, through a spectator's view: nothing hidden gets in."""
        if kind in _NOT_FOLDED:
            return
        viewer = self._viewer
        self._told += 1
        viewer.feed([{"e": kind, "n": self._told, **keys}])
        for event in viewer.events:
            self.feed(event)
        viewer.events.clear()

    def take_up(self, events: Sequence[Mapping[str, Any]]) -> None:
        """Fold the events of a hand that is under way, as its table knows them; the hand's later ones may be written after them."""
        viewer = self._viewer
        viewer.feed(events)
        for event in viewer.events:
            self.feed(event)
        viewer.events.clear()
        self._told += len(events)

    def feed(self, event: Mapping[str, Any]) -> None:
        """Fold an event of any view."""
        kind = event["e"]
        if kind == "play":
            assert self.trump is not None
            self.play(event["seat"], *self.trump.masks(parse_cards(event["cards"])))
            return
        fold = _FOLDS.get(kind)
        if fold is not None:
            fold(self, event)

    def play(self, seat: int, p1: int, p2: int, p3: int) -> None:
        """Fold a play given as masks."""
        self.history.append((seat, p1, p2, p3))
        if self.plays:
            lane = self.lane
            n = self.n
            if p1 & ~lane and self._infers_voids and (n != 2 or self._infers_pairs):
                self.voids[seat] |= lane
        else:
            self.lane, self.n = lane, n = self._shape(p1, p2, p3)
            self.leader = seat
            self.lead = (p1, p2, p3)
            self.strongest = -1
            self.pile = 0
        power = self._power(p1, p2, p3, n, lane)
        if power > self.strongest:
            self.strongest = power
            self.winning = seat
            self.best = (p1, p2, p3)
        if p1 & self._pointed:
            self.pile += masks.points_of(p1, p2, p3, self._pointed, self._points)
        o1, o2, o3 = self.out1, self.out2, self.out3
        if p2:
            self.out1, self.out2, self.out3 = masks.remove(o1, o2, o3, p1, p2, p3)
            self.left[seat] -= masks.size(p1, p2, p3)
        else:
            self.out1 = (o1 & ~p1) | (o2 & p1)
            self.out2 = (o2 & ~p1) | (o3 & p1)
            self.out3 = o3 & ~p1
            self.left[seat] -= p1.bit_count()
        if self.plays < 3:
            self.plays += 1
            return
        self.plays = 0
        self.trick += 1
        self.leader = winner = self.winning
        if (winner ^ (self.dealer or 0)) & 1:
            self.attackers += self.pile
        self.pile = 0

    def _hand(self, event: Mapping[str, Any]) -> None:
        self._clear()
        self.number, self.round = event["hand"], event["round"]
        low, high = event["levels"]
        self.levels = (low, high)
        self.dealer, self.first = event["dealer"], event["first"]
        self.first_hand = self.dealer is None
        owed = event["owed"]
        self.owed = (owed["from"], owed["to"], owed["count"]) if owed else None
        self.left = [self.rules.deck.hand] * 4

    def _claim(self, event: Mapping[str, Any]) -> None:
        self.claim = event["seat"]

    def _declare(self, event: Mapping[str, Any]) -> None:
        self.standing = Bid(event["seat"], parse_cards(event["cards"]), event["suit"])
        self.bids = (*self.bids, self.standing)

    def _turn(self, event: Mapping[str, Any]) -> None:
        self.turned = (*self.turned, parse_card(event["card"]).kind)

    def _trump(self, event: Mapping[str, Any]) -> None:
        rules = self.rules
        self.trump = trump = trump_order(event["level"], event["suit"], rules.permanent)
        self.dealer = self.leader = event["dealer"]
        self.how = event["how"]
        self.trick = 1
        self.out1, self.out2, self.out3 = whole_deck(trump, rules.deck.copies)
        _, follow, wins = rules.play_rules(trump)
        self._shape, self._power = follow.shape, wins.power
        self._infers_voids, self._infers_pairs = _what_a_discard_tells(follow)
        self._pointed, self._points = rules.point_masks(trump)

    def _exempt(self, event: Mapping[str, Any]) -> None:
        self.exempt = event["seat"]

    def _tribute(self, event: Mapping[str, Any]) -> None:
        count = event["count"] if "count" in event else len(event["cards"])
        self.tribute = (event["from"], event["to"], count)

    def _bottom(self, event: Mapping[str, Any]) -> None:
        assert self.trump is not None
        self.dry = event["dry"]
        if event["shown"]:
            self.bottom = self.trump.masks(parse_cards(event["cards"]))
            if self.dry:
                self._lies(self.bottom)

    def _bury(self, event: Mapping[str, Any]) -> None:
        self.room = event.get("room", 0)
        if event["shown"]:
            assert self.trump is not None
            self._lies(self.trump.masks(parse_cards(event["cards"])))

    def _bury_kings(self, event: Mapping[str, Any]) -> None:
        assert self.trump is not None
        masks_of = self.trump.masks
        if "bottom" in event:
            self._lies(masks_of(parse_cards(event["bottom"])))
        assert self.buried is not None
        kings, picked = masks_of(parse_cards(event["kings"])), masks_of(parse_cards(event["picked"]))
        self.kings[event["seat"]] += len(event["kings"])
        lying = masks.remove(*self.buried, *picked)
        self._rises(picked)
        self._lies(kings)
        self.buried = masks.add(*lying, *kings)
        self.room = pickable_cards(self.rules, self.trump, self.buried)
        self.exchanged = (*self.exchanged, (event["seat"], kings, picked))

    def _lies(self, cards: Masks) -> None:
        """These cards lie in the bottom from now on."""
        self.buried = cards
        self.out1, self.out2, self.out3 = masks.remove(self.out1, self.out2, self.out3, *cards)

    def _rises(self, cards: Masks) -> None:
        self.out1, self.out2, self.out3 = masks.add(self.out1, self.out2, self.out3, *cards)


_FOLDS: Final[Mapping[str, Callable[[Shown, Mapping[str, Any]], None]]] = {
    "hand": Shown._hand,
    "claim": Shown._claim,
    "declare": Shown._declare,
    "turn": Shown._turn,
    "draw": Shown._turn,
    "trump": Shown._trump,
    "exempt": Shown._exempt,
    "tribute": Shown._tribute,
    "bottom": Shown._bottom,
    "bury": Shown._bury,
    "bury_kings": Shown._bury_kings,
}


@lru_cache(maxsize=512)
def whole_deck(trump: Trump, copies: tuple[int, ...]) -> Masks:
    """All cards of the deck as a holding."""
    found = [0, 0, 0]
    for kind in range(KINDS):
        for place in range(copies[kind]):
            found[place] |= trump.mask_of(kind)
    return found[0], found[1], found[2]


def _what_a_discard_tells(follow: FollowRule) -> tuple[bool, bool]:
    """Does a card from outside the led lane show a void, and does it so under a pair? Only known of gunzi's own rule."""
    own = follow.contains is masks.is_follow
    return own, own and not (follow.strict and follow.split == masks.EXEMPT)


def shown_of(rules: RuleSet, events: Sequence[Mapping[str, Any]]) -> Shown:
    """What the events of a table have shown of its last hand."""
    events = _standing(events)
    shown = Shown(rules)
    start = max((place for place, event in enumerate(events) if event["e"] == "hand"), default=0)
    shown.take_up(events[start:])
    return shown


def _standing(events: Sequence[Mapping[str, Any]]) -> list[Mapping[str, Any]]:
    """The events that still count: without those an ``undo`` took back."""
    found: list[Mapping[str, Any]] = []
    for event in events:
        if event["e"] == "undo":
            while found and found[-1]["n"] > event["to"]:
                found.pop()
        else:
            found.append(event)
    return found
