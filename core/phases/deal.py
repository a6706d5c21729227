"""The deal: cards go out one by one; claims (抢亮) and declarations (亮主, 反) may be made at any moment of it.

Any seat may claim or declare whenever it holds the cards, also after it passed. The table asks the seat that has just been
dealt a card that changes what it could do, the seats for which a declaration opened something new, and all seats once
more after the last card (the closing window). On a paced table the house deals card by card and nobody is asked.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Mapping, Sequence
from functools import lru_cache
from itertools import compress
from typing import TYPE_CHECKING, Any

from gunzi.acts import PASS, Act, Claim, DealCard, Declare, Offers, Pass
from gunzi.ask import Ask, ListAsk
from gunzi.cards import KINDS, Card, parse_card, parse_cards
from gunzi.errors import Refused
from gunzi.phase import Phase
from gunzi.turning import first_suited
from gunzi.values import AFTER, Bid

if TYPE_CHECKING:
    from gunzi.hand import Hand
    from gunzi.ruleset import RuleSet

HOUSE = -1


class DealPhase(Phase):
    """Phase ``deal``."""

    name = "deal"

    def ask(self, hand: Hand) -> Ask | None:
        while True:
            while hand.pending:
                seat = hand.pending[0]
                acts = self.acts(hand, seat)
                if acts:
                    kind = "claim" if hand.first_hand else "declare"
                    return ListAsk(hand.rules, seat, kind, (PASS, *acts), self.refusal, hand)
                hand.pending = hand.pending[1:]
            if hand.closing:
                self._conclude(hand)
                return None
            if hand.paced:
                return ListAsk(hand.rules, HOUSE, "deal", (DealCard(),))
            total = hand.rules.deck.dealt
            if hand.dealt < total:
                self._deal(hand, total)
            else:
                self._close(hand)

    def apply(self, hand: Hand, seat: int, act: Act) -> None:
        if isinstance(act, DealCard):
            if not hand.paced or seat != HOUSE:
                raise hand.wrong_phase(seat, act)
            if hand.dealt < hand.rules.deck.dealt:
                self._deal(hand, hand.dealt + 1)
            else:
                hand.closing = True
        elif isinstance(act, Pass):
            hand.check_turn(seat)
            hand.pending = hand.pending[1:]
        elif isinstance(act, (Claim, Declare)):
            waiting = hand.waiting
            if not (isinstance(waiting, ListAsk) and waiting.seat == seat and act in waiting.acts):
                refused = self.refusal(hand, seat, act)
                if refused is not None:
                    raise refused
            if isinstance(act, Claim):
                self._claim(hand, seat)
            else:
                self._declare(hand, seat, act)
        else:
            raise hand.wrong_phase(seat, act)

    def offer(self, hand: Hand, seat: int) -> Ask | None:
        """What a seat may do at this moment, asked or not; None: nothing."""
        acts = self.acts(hand, seat)
        if not acts:
            return None
        kind = "claim" if hand.first_hand else "declare"
        asked = hand.waiting is not None and hand.waiting.seat == seat
        return ListAsk(hand.rules, seat, kind, (PASS, *acts) if asked else acts, self.refusal, hand)

    def acts(self, hand: Hand, seat: int) -> tuple[Act, ...]:
        """The claims or declarations open to a seat, ascending."""
        if hand.first_hand:
            claims = hand.rules.claims
            if hand.claim is not None or claims.automatic:
                return ()
            noted = hand.noted[seat]
            return tuple([Claim(card) for card in claims.cards if noted & card_bit(card.kind)])
        return self._held(hand, seat, hand.offers or self._offers(hand))

    def _held(self, hand: Hand, seat: int, offers: Offers) -> tuple[Declare, ...]:
        """Those of some declarations for which a seat holds the cards, ascending."""
        has = hand.noted[seat] & offers.needed
        if not has:
            return ()
        if hand.rules.host.strangers:
            return held_bids(hand.rules, offers, hand.counts_of(seat))
        return own_held_bids(hand.rules, offers, has)

    def _offers(self, hand: Hand) -> Offers:
        standing = hand.standing
        if standing is None:
            found = open_bids(hand.rules, hand.level, None, (), "")
        else:
            # Gunzi's own rules judge the cards, whosever they are: fewer cases to keep.
            seat = standing.seat if hand.rules.host.strangers else 0
            found = open_bids(hand.rules, hand.level, seat, standing.cards, standing.suit)
        hand.offers = found
        return found

    def refusal(self, hand: Hand, seat: int, act: object) -> Refused | None:
        """Why a claim or declaration is not allowed now, or None."""
        rules = hand.rules
        if seat not in (0, 1, 2, 3):
            return rules.refuse("table.seat", {"seat": seat})
        if isinstance(act, Claim):
            card = parse_card(act.card)
            if not hand.first_hand or hand.claim is not None or rules.claims.automatic:
                by = rules.claims.by if hand.first_hand and rules.claims.automatic else "claim.first_hand"
                return rules.refuse(by, cards=(card,), seat=seat)
            if card not in rules.claims.cards or not hand.counts_of(seat)[card.kind]:
                return rules.refuse("claim.held", cards=(card,), seat=seat)
            return None
        if isinstance(act, Declare):
            cards = parse_cards(act.cards)
            if hand.first_hand:
                return rules.refuse("declare.first_hand", cards=cards, seat=seat)
            counts = hand.counts_of(seat)
            missing = [card for card in set(cards) if cards.count(card) > counts[card.kind]]
            if missing:
                return rules.refuse("cards.held", {"cards": " ".join(sorted(missing))}, cards=cards, seat=seat)
            reason = rules.hook.judge_bid(level=hand.level, cards=cards, suit=act.suit, standing=hand.standing)
            if reason is not None:
                return rules.refuse(reason.rule, reason.text, cards=cards, seat=seat)
            return None
        return hand.wrong_phase(seat, act)

    # -- dealing -----------------------------------------------------------------------------------------------

    def _deal(self, hand: Hand, end: int) -> None:
        """Deal until a card changes what its receiver could do, or until so many are dealt."""
        needed = 0
        open_to_some = hand.claim is None
        if not hand.first_hand:
            needed = (hand.offers or self._offers(hand)).needed
            open_to_some = needed != 0
        if open_to_some:
            deck, first, seats = hand.deck, hand.first, hand.noted
            places = hand.notable or notable_places(hand)
            for place in places[bisect_left(places, hand.dealt) :]:
                if place >= end:
                    break
                seat = (first + place) & 3
                noted = seats[seat]
                bit = 1 << deck[place].kind  # card_bit for one, for two, for three
                while noted & bit:
                    bit <<= KINDS
                seats[seat] = noted = noted | bit
                if noted & needed or not needed:
                    hand.dealt = place + 1
                    self._notice(hand, seat)
                    return
        hand.dealt = end

    def _notice(self, hand: Hand, seat: int) -> None:
        if hand.first_hand and hand.rules.claims.automatic and hand.claim is None:
            self._claim(hand, seat)
        elif not hand.paced:
            hand.pending = (seat,)

    def _close(self, hand: Hand) -> None:
        hand.closing = True
        hand.pending = (hand.first, *AFTER[hand.first])

    # -- claims and declarations -------------------------------------------------------------------------------

    def _claim(self, hand: Hand, seat: int) -> None:
        claims = hand.rules.claims
        card = next(card for card in claims.cards if hand.noted[seat] & card_bit(card.kind))
        hand.claim = (seat, card, hand.dealt)
        hand.pending = ()
        hand.emit("claim", seat=seat, card=card, dealt=hand.dealt, by=claims.by)

    def _declare(self, hand: Hand, seat: int, act: Declare) -> None:
        cards = parse_cards(act.cards)
        before = hand.offers or self._offers(hand)
        hand.standing = Bid(seat, cards, act.suit)
        hand.offers = None
        hand.bids = (*hand.bids, hand.standing)
        if hand.heard:
            hand.emit("declare", seat=seat, cards=list(cards), suit=act.suit, dealt=hand.dealt, by="declare.strength")
        if hand.paced:
            hand.closing = False
            return
        order = (*AFTER[seat], seat)
        if hand.closing:
            hand.pending = order
        else:
            gained = gained_bids(before, self._offers(hand))
            hand.pending = tuple(
                [
                    other
                    for other in order
                    if (other in hand.pending and other != seat) or (gained.acts and self._held(hand, other, gained))
                ]
            )

    def _conclude(self, hand: Hand) -> None:
        if hand.trump is not None:
            return
        if hand.claim is not None:
            claimer, _, dealt = hand.claim
            hand.dealer = claimer
            later = range(dealt, hand.rules.deck.dealt)
            _, suit = first_suited(
                hand.rules, (hand.deck[place] for place in later if (hand.first + place) % 4 == claimer)
            )
            if suit:
                hand.fix_trump(suit, claimer, "claim", hand.rules.claims.by)
        elif hand.standing is not None:
            assert hand.dealer is not None
            hand.fix_trump(hand.standing.suit, hand.dealer, "declare", "trump.declare")

    def replay(self, hand: Hand, ask: Ask, event: Mapping[str, Any]) -> tuple[int, Act] | None:
        kind = event.get("e")
        if kind in ("claim", "declare"):
            dealt = event.get("dealt")
            if not isinstance(dealt, int) or isinstance(dealt, bool) or not 0 <= dealt <= hand.rules.deck.dealt:
                return None
            if dealt < hand.dealt:
                return None
            if dealt == hand.dealt:
                if kind == "claim":
                    return event["seat"], Claim(parse_card(event["card"]))
                return event["seat"], Declare(parse_cards(event["cards"]), event["suit"])
        return HOUSE, DealCard()


def card_bit(kind: int, count: int = 1) -> int:
    """The bit that stands for having (at least) so many cards of a kind: KINDS bits for one, as many for two, for three."""
    return 1 << kind + KINDS * (count - 1)


def notable_places(hand: Hand) -> tuple[int, ...]:
    """Where in the deck, in dealing order, the cards lie that can be claimed or declared with in this hand."""
    found = hand.notable
    if found is None:
        rules = hand.rules
        deck = hand.deck
        cards = frozenset(rules.claims.cards) if hand.first_hand else bidding_cards(rules, hand.level)
        hand.notable = found = tuple(compress(range(rules.deck.dealt), map(cards.__contains__, deck)))
    return found


@lru_cache(maxsize=2048)
def open_bids(rules: RuleSet, level: int, seat: int | None, cards: tuple[Card, ...], suit: str) -> Offers:
    """The declarations allowed over the standing one (``seat`` None: none stands) to whoever holds their cards."""
    judge = rules.hook.judge_bid
    standing = None if seat is None else Bid(seat, cards, suit)
    everything = [(tuple(cards), suit) for cards, suit in rules.hook.bids(level=level, held=[3] * KINDS)]
    allowed = [bid for bid in everything if judge(level=level, cards=bid[0], suit=bid[1], standing=standing) is None]
    return _offers_of(level, [Declare(*bid) for bid in allowed])


def held_bids(rules: RuleSet, offers: Offers, held: Sequence[int]) -> tuple[Declare, ...]:
    """Those of some declarations for which a seat that holds so many of each kind has the cards, ascending."""
    found = [offers.acts.get((tuple(cards), suit)) for cards, suit in rules.hook.bids(level=offers.level, held=held)]
    return tuple([act for act in found if act is not None])


@lru_cache(maxsize=4096)
def own_held_bids(rules: RuleSet, offers: Offers, has: int) -> tuple[Declare, ...]:
    """``held_bids`` by what a seat has of the needed cards: all that gunzi's own rules look at, and the same again and again."""
    held = [0] * KINDS
    while has:
        place = (has & -has).bit_length() - 1
        held[place % KINDS] = place // KINDS + 1
        has &= has - 1
    return held_bids(rules, offers, held)


@lru_cache(maxsize=2048)
def gained_bids(before: Offers, now: Offers) -> Offers:
    """The declarations that are allowed now and were not before: jokers that may not open."""
    return _offers_of(now.level, [act for key, act in now.acts.items() if key not in before.acts])


def _offers_of(level: int, acts: Sequence[Declare]) -> Offers:
    found = {(act.cards, act.suit): act for act in acts}
    needed = 0
    for cards, _ in found:
        if cards:
            needed |= card_bit(cards[0].kind, cards.count(cards[0]))
    return Offers(level, found, needed)


@lru_cache(maxsize=128)
def bidding_cards(rules: RuleSet, level: int) -> frozenset[Card]:
    """The cards that occur in any declaration at this level: only these can change what a seat may declare."""
    everything = rules.hook.bids(level=level, held=[3] * KINDS)
    return frozenset(card for cards, _ in everything for card in cards)
