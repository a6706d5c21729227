"""What a seat knows of the cards it does not see: where each of them may lie, and what was shown of pairs and triples.

Everything comes from its sight. Cards that were shown lie where they were shown until they are played: claimed and declared
cards, three big jokers against a tribute, bottom cards that were turned, the bottom the dealer took up, cards picked out of it,
tribute this seat gave or got. Where such cards may have moved unseen (tribute between others, burying) they lie in either place.
All other unseen cards may lie anywhere but where a seat has shown that it can no longer hold them: in a suit it did not follow,
or, after a tribute to this seat, above the weakest card that was paid.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Final

from gunzi import masks
from gunzi.apps.players.sharp.shuffling import BOTTOM
from gunzi.play_rules import PlayRules
from gunzi.shown import Shown
from gunzi.sight import Sight
from gunzi.trump import BITS, NOTHING, TRUMP_LANE, Masks, Trump

OWN_PHASES: Final = ("deal", "reveal", "tribute", "bottom", "bury", "bury_kings", "play", "settle")
MAY_BE_MISSING: Final = frozenset({"tribute", "bury_kings"})
Shape = tuple[int, int, int, Masks]
"""Of a follow: the seat, the lane and number of cards led, what it played."""


@dataclass(slots=True)
class Known:
    """The unseen cards: ``cards`` (bits), ``allowed`` (masks of places, card by card), ``room`` (cards in each of the five places).

    ``bad`` are three masks for each place: kinds of which a seat cannot hold exactly one, two, three. ``limits`` and ``tribute``
    are those of ``shuffling``.
    """

    cards: list[int] = field(default_factory=list)
    allowed: list[int] = field(default_factory=list)
    room: list[int] = field(default_factory=lambda: [0] * 5)
    bad: list[int] = field(default_factory=lambda: [0] * 15)
    limits: list[int] = field(default_factory=list)
    tribute: list[int] = field(default_factory=list)

    @property
    def checked(self) -> int:
        """1 where not every deal of the cards to allowed places is free of faults."""
        return 1 if any(self.bad) or self.limits or self.tribute else 0


class _Located:
    """Cards that were seen somewhere: kind by kind, in which places each may lie now."""

    def __init__(self, me: int) -> None:
        self.me = me
        self.found: dict[int, list[int]] = {}

    def put(self, cards: Masks, places: int) -> None:
        """These cards lie in one of these places."""
        if not places >> self.me & 1:
            for bit in bits_of(cards):
                self.found.setdefault(bit, []).append(places)

    def show(self, cards: Masks, seat: int) -> None:
        """A seat turned up these cards of its hand; it may have turned up some of them before."""
        for bit in set(bits_of(cards)):
            count = bits_of(cards).count(bit)
            known = self.found.get(bit, []).count(1 << seat)
            if known < count:
                one = 1 << bit
                shown = (one, one if count - known > 1 else 0, one if count - known > 2 else 0)
                self.put(shown, 1 << seat)

    def take(self, cards: Masks, place: int) -> None:
        """These cards left a place, and were seen: those that could lie in no other place first."""
        for bit in bits_of(cards):
            here = [places for places in self.found.get(bit, ()) if places >> place & 1]
            if here:
                self.found[bit].remove(min(here, key=lambda places: (places.bit_count(), places)))

    def spread(self, source: int, target: int) -> None:
        """Cards went from a place to another unseen: whatever was in the one may lie in the other."""
        for places in self.found.values():
            for i, where in enumerate(places):
                if where >> source & 1:
                    places[i] = where | 1 << target

    def moved(self, source: int, target: int) -> None:
        """Everything in a place went to another."""
        for places in self.found.values():
            for i, where in enumerate(places):
                if where >> source & 1:
                    places[i] = where & ~(1 << source) | 1 << target
            places[:] = [where for where in places if not where >> self.me & 1]


def bits_of(cards: Masks) -> list[int]:
    """The cards as bit numbers, one for each card."""
    found = []
    for mask in cards:
        rest = mask
        while rest:
            low = rest & -rest
            found.append(low.bit_length() - 1)
            rest ^= low
    return found


def own_phases(names: list[str]) -> bool:
    """Are the phases gunzi's own, in their usual order?"""
    usual = [name for name in OWN_PHASES if name in names or name not in MAY_BE_MISSING]
    return list(names) == usual


def know(sight: Sight, rules: PlayRules, burying: bool) -> Known | None:
    """What a seat knows once the dealer has the bottom: while it is ``burying`` as the dealer, or in play. None: the numbers of
    cards do not add up, somebody else's rules are at work."""
    shown, me = sight.shown, sight.seat
    trump = rules.trump
    unseen = _whole(rules, sight) if burying else sight.unseen()
    known = Known()
    for seat in range(4):
        if seat != me:
            known.room[seat] = rules.rules.deck.hand if burying else shown.left[seat]
    hidden = not burying and shown.buried is None and not sight.buried[0]
    if hidden:
        known.room[BOTTOM] = rules.rules.deck.bottom
    cards = bits_of(unseen)
    if sum(known.room) != len(cards):
        return None
    located = _located(sight, trump, burying)
    everywhere = sum(1 << place for place in range(5) if known.room[place])
    barred = _barred(sight, rules, hidden)
    for bit in sorted(set(cards)):
        lying = sorted(located.found.get(bit, ()), key=lambda places: (places.bit_count(), places))
        for i in range(cards.count(bit)):
            free = everywhere
            if i < len(lying):
                free &= lying[i]
            for seat in range(4):
                closed = shown.voids[seat] if i < len(lying) else shown.voids[seat] | barred[seat]
                if closed >> bit & 1:
                    free &= ~(1 << seat)
            known.cards.append(bit)
            known.allowed.append(free)
    if not burying:
        _shapes(known, sight, rules)
    _between_others(known, sight, rules, hidden)
    return known


def _whole(rules: PlayRules, sight: Sight) -> Masks:
    shown = sight.shown
    return masks.remove(shown.out1, shown.out2, shown.out3, *sight.holding)


def _located(sight: Sight, trump: Trump, burying: bool) -> _Located:
    shown, me = sight.shown, sight.seat
    dealer = shown.dealer
    assert dealer is not None
    located = _Located(me)
    claims = shown.rules.claims.cards
    if shown.claim is not None and len(claims) == 1:
        located.show(trump.masks(claims), shown.claim)
    for bid in shown.bids:
        located.show(trump.masks(bid.cards), bid.seat)
    if shown.exempt is not None:
        located.show((trump.big, trump.big, trump.big), shown.exempt)
    for kind in shown.turned:
        located.put((trump.mask_of(kind), 0, 0), 1 << BOTTOM)
    if shown.tribute is not None:
        giver, receiver, _ = shown.tribute
        if me == giver:
            located.put(sight.paid, 1 << receiver)
            located.take(sight.returned, receiver)
        elif me == receiver:
            located.take(sight.paid, giver)
            located.put(sight.returned, 1 << giver)
        else:
            located.spread(giver, receiver)
            located.spread(receiver, giver)
    if not shown.dry:
        located.moved(BOTTOM, dealer)
        if shown.bottom is not None:
            for kind in shown.turned:
                located.take((trump.mask_of(kind), 0, 0), dealer)
            located.put(shown.bottom, 1 << dealer)
        if not burying:
            _buried(located, shown, dealer)
    for seat, p1, p2, p3 in shown.history:
        located.take((p1, p2, p3), seat)
    return located


def _buried(located: _Located, shown: Shown, dealer: int) -> None:
    """What is known of the dealer's burial, and of the others' kings."""
    lying = shown.buried
    if lying is None:
        located.spread(dealer, BOTTOM)
        return
    for _, kings, picked in reversed(shown.exchanged):
        lying = masks.add(*masks.remove(*lying, *kings), *picked)
    located.take(lying, dealer)
    for seat, kings, picked in shown.exchanged:
        located.take(kings, seat)
        located.put(picked, 1 << seat)


def _barred(sight: Sight, rules: PlayRules, hidden: bool) -> list[int]:
    """By seat, the kinds that it had to pay before those that this seat got of it."""
    shown, trump = sight.shown, rules.trump
    barred = [0, 0, 0, 0]
    if shown.tribute is None or shown.tribute[1] != sight.seat or shown.owed is None:
        return barred
    giver, _, count = shown.tribute
    if giver == shown.dealer and (hidden or shown.bottom is None):
        return barred  # since it paid, it took up cards that nobody else has seen
    payable = rules.rules.hook.payable(trump=trump)
    paid = bits_of(sight.paid)
    weakest = min(trump.tribute_rank[bit] for bit in paid)
    if count < shown.owed[2]:
        weakest = -1
    barred[giver] = sum(
        1 << bit for bit in range(BITS) if payable >> bit & 1 and trump.kind_at[bit] >= 0
        and trump.tribute_rank[bit] > weakest
    )  # fmt: skip
    return barred


def _between_others(known: Known, sight: Sight, rules: PlayRules, hidden: bool) -> None:
    """A tribute between two others: the receiver got as many cards as were paid, none weaker than the best trump kept."""
    shown, me = sight.shown, sight.seat
    if shown.tribute is None or me in shown.tribute[:2] or shown.tribute[0] == shown.dealer:
        return
    if rules.rules.hook.returnable(trump=rules.trump)[0] & TRUMP_LANE:
        return  # a trump the payer holds may be one that it got back
    giver, receiver, count = shown.tribute
    kept = 0
    got: Masks = NOTHING
    for seat, p1, p2, p3 in shown.history:
        if seat == giver:
            kept |= p1
        elif seat == receiver:
            got = masks.add(*got, p1, p2, p3)
    lying = shown.buried or NOTHING
    for seat, kings, picked in reversed(shown.exchanged):
        lying = masks.add(*masks.remove(*lying, *kings), *picked)
        if seat == giver:
            kept |= kings[0]
        elif seat == receiver:
            got = masks.add(*got, *kings)
    if receiver == shown.dealer:
        got = masks.add(*got, *lying)
    known.tribute = [giver, receiver, count, kept, *got, 1 if receiver == shown.dealer and hidden else 0]


def _shapes(known: Known, sight: Sight, rules: PlayRules) -> None:
    """What strict following told of pairs and triples: how many of a kind a seat cannot have had then, and so cannot have now."""
    follow = rules.follow
    if not follow.strict:
        return
    since: list[Masks] = [NOTHING] * 4
    for seat, lane, n, play in reversed(_follows(sight.shown, rules)):
        since[seat] = masks.add(*since[seat], *play)
        if seat == sight.seat or not n or n == 1:
            continue
        p1, p2, p3 = play
        inside = masks.size(p1 & lane, p2 & lane, p3 & lane)
        had_not: tuple[int, ...] = ()
        if n == 2:
            if not p2 & lane and (inside == 2 or follow.split == masks.EXEMPT):
                had_not = (2, 3) if follow.split == masks.MUST_SPLIT else (2,)
                if inside < 2:
                    known.limits += [seat, lane, inside, *since[seat]]
        elif inside == 3 and not p3 & lane:
            had_not = (3,) if p2 & lane else (2, 3)
        for count in had_not:
            _bar(known.bad, seat, lane, count, since[seat])


def _bar(bad: list[int], seat: int, lane: int, count: int, since: Masks) -> None:
    """A seat had not so many of any kind of the lane; ``since`` it has played these."""
    s1, s2, s3 = since
    gone = (lane & ~s1, s1 & ~s2 & lane, s2 & ~s3 & lane, s3 & lane)
    for played, kinds in enumerate(gone):
        if count > played:
            bad[3 * seat + count - played - 1] |= kinds


def _follows(shown: Shown, rules: PlayRules) -> list[Shape]:
    """All plays with the lane and number led; a lead has n = 0."""
    found: list[Shape] = []
    lane = n = 0
    for place, (seat, p1, p2, p3) in enumerate(shown.history):
        if place % 4:
            found.append((seat, lane, n, (p1, p2, p3)))
        else:
            lane, n = rules.follow.shape(p1, p2, p3)
            found.append((seat, lane, 0, (p1, p2, p3)))
    return found


def ranks_at_least(rules: PlayRules) -> list[int]:
    """For each bit the payable kinds no weaker in tribute; the last number are all payable kinds."""
    trump = rules.trump
    payable = rules.rules.hook.payable(trump=trump)
    rank = trump.tribute_rank
    kinds = [bit for bit in range(BITS) if trump.kind_at[bit] >= 0 and payable >> bit & 1]
    found = [sum(1 << bit for bit in kinds if rank[bit] >= rank[least]) for least in range(BITS)]
    return [*found, sum(1 << bit for bit in kinds)]
