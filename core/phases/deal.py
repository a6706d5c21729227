"""The deal: cards go out one by one; claims (抢亮) and declarations (亮主, 反) may be made at any moment of it.

Any seat may claim or declare whenever it holds the cards, also after it passed. The table asks the seat that has just been
dealt a card that changes what it could do, the seats for which a declaration opened something new, and all seats once
more after the last card (the closing window). On a paced table the house deals card by card and nobody is asked.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache, partial
from typing import TYPE_CHECKING, Any

from gunzi.acts import PASS, Act, Claim, DealCard, Declare, Offers, Pass
from gunzi.ask import Ask, ListAsk
from gunzi.cards import KINDS, parse_card, parse_cards
from gunzi.errors import Refused
from gunzi.phase import Phase
from gunzi.turning import first_suited
from gunzi.values import Bid

if TYPE_CHECKING:
    from gunzi.hand import Hand
    from gunzi.ruleset import RuleSet

HOUSE = -1


class DealPhase(Phase):
    """Phase ``deal``."""

    name = "deal"

    def ask(self, hand: Hand) -> Ask | None:
        total = hand.rules.deck.dealt
        while True:
            while hand.pending:
                seat = hand.pending[0]
                acts = self.acts(hand, seat)
                if acts:
                    kind = "claim" if hand.first_hand else "declare"
                    return ListAsk(hand.rules, seat, kind, (PASS, *acts), partial(self.refusal, hand, seat))
                hand.pending = hand.pending[1:]
            if hand.dealt < total:
                if hand.paced:
                    return ListAsk(hand.rules, HOUSE, "deal", (DealCard(),))
                self._deal_to_next_question(hand)
            elif not hand.closing:
                if hand.paced:
                    return ListAsk(hand.rules, HOUSE, "deal", (DealCard(),))
                self._close(hand)
            else:
                self._conclude(hand)
                return None

    def apply(self, hand: Hand, seat: int, act: Act) -> None:
        if isinstance(act, DealCard):
            if not hand.paced or seat != HOUSE:
                raise hand.wrong_phase(seat, act)
            if hand.dealt < hand.rules.deck.dealt:
                self._deal(hand, 1)
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
        return ListAsk(hand.rules, seat, kind, (PASS, *acts) if asked else acts, partial(self.refusal, hand, seat))

    def acts(self, hand: Hand, seat: int) -> tuple[Act, ...]:
        """The claims or declarations open to a seat, ascending."""
        rules = hand.rules
        counts = hand.counts[seat]
        if hand.first_hand:
            if hand.claim is not None or rules.claims.automatic:
                return ()
            return tuple(Claim(card) for card in rules.claims.cards if counts[card.kind])
        declarations, needed = hand.offers or self._offers(hand)
        for kind, count in needed:
            if counts[kind] >= count:
                break
        else:
            return ()
        level = hand.level
        found = [declarations.get((tuple(cards), suit)) for cards, suit in rules.hook.bids(level=level, held=counts)]
        return tuple(act for act in found if act is not None)

    def _offers(self, hand: Hand) -> Offers:
        standing = hand.standing
        if standing is not None and not hand.rules.host.strangers:
            # Gunzi's own rules judge the cards, whosever they are: fewer cases to keep.
            standing = Bid(0, standing.cards, standing.suit)
        hand.offers = found = open_bids(hand.rules, hand.level, standing)
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
            if card not in rules.claims.cards or not hand.counts[seat][card.kind]:
                return rules.refuse("claim.held", cards=(card,), seat=seat)
            return None
        if isinstance(act, Declare):
            cards = parse_cards(act.cards)
            if hand.first_hand:
                return rules.refuse("declare.first_hand", cards=cards, seat=seat)
            counts = hand.counts[seat]
            missing = [card for card in set(cards) if cards.count(card) > counts[card.kind]]
            if missing:
                return rules.refuse("cards.held", {"cards": " ".join(sorted(missing))}, cards=cards, seat=seat)
            reason = rules.hook.judge_bid(level=hand.level, cards=cards, suit=act.suit, standing=hand.standing)
            if reason is not None:
                return rules.refuse(reason.rule, reason.text, cards=cards, seat=seat)
            return None
        return hand.wrong_phase(seat, act)

    # -- dealing -----------------------------------------------------------------------------------------------

    def _deal_to_next_question(self, hand: Hand) -> None:
        """Deal until a card changes what its receiver could do, or to the end."""
        rules = hand.rules
        total = rules.deck.dealt
        if hand.first_hand:
            watched = frozenset() if hand.claim else frozenset(card.kind for card in rules.claims.cards)
            needed: tuple[tuple[int, int], ...] = ()
        else:
            _, needed = hand.offers or self._offers(hand)
            watched = bidding_kinds(rules, hand.level) if needed else frozenset()
        counts, first = hand.counts, hand.first
        in_turn = [counts[(first + step) & 3] for step in range(4)]
        dealt = hand.dealt
        for card in hand.deck[dealt:total]:
            kind = card.kind
            own = in_turn[dealt & 3]
            own[kind] += 1
            dealt += 1
            if kind in watched:
                for wanted, count in needed:
                    if own[wanted] >= count:
                        break
                else:
                    if needed:
                        continue
                hand.dealt = dealt
                self._notice(hand, (first + dealt - 1) & 3)
                return
        hand.dealt = dealt

    def _deal(self, hand: Hand, number: int) -> None:
        for _ in range(number):
            card = hand.deck[hand.dealt]
            seat = (hand.first + hand.dealt) % 4
            hand.counts[seat][card.kind] += 1
            hand.dealt += 1
            if hand.first_hand and card in hand.rules.claims.cards:
                self._notice(hand, seat)

    def _notice(self, hand: Hand, seat: int) -> None:
        if hand.first_hand and hand.rules.claims.automatic and hand.claim is None:
            self._claim(hand, seat)
        elif not hand.paced:
            hand.pending = (seat,)

    def _close(self, hand: Hand) -> None:
        hand.closing = True
        hand.pending = tuple((hand.first + step) % 4 for step in range(4))

    # -- claims and declarations -------------------------------------------------------------------------------

    def _claim(self, hand: Hand, seat: int) -> None:
        claims = hand.rules.claims
        card = next(card for card in claims.cards if hand.counts[seat][card.kind])
        hand.claim = (seat, card, hand.dealt)
        hand.pending = ()
        hand.emit("claim", seat=seat, card=card, dealt=hand.dealt, by=claims.by)

    def _declare(self, hand: Hand, seat: int, act: Declare) -> None:
        cards = parse_cards(act.cards)
        before = {} if hand.paced else {other: set(self.acts(hand, other)) for other in range(4)}
        hand.standing = Bid(seat, cards, act.suit)
        hand.offers = None
        hand.bids = (*hand.bids, hand.standing)
        hand.emit("declare", seat=seat, cards=list(cards), suit=act.suit, dealt=hand.dealt, by="declare.strength")
        if hand.paced:
            hand.closing = False
            return
        order = tuple((seat + step) % 4 for step in range(1, 5))
        if hand.closing:
            hand.pending = order
        else:
            still = set(hand.pending) - {seat}
            hand.pending = tuple(
                other for other in order if other in still or set(self.acts(hand, other)) - before[other]
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


@lru_cache(maxsize=2048)
def open_bids(rules: RuleSet, level: int, standing: Bid | None) -> Offers:
    """The declarations allowed over the standing one to whoever holds their cards; and, each at least once, a kind and how
    many of it they need: a seat that has none of these has no declaration."""
    judge = rules.hook.judge_bid
    everything = [(tuple(cards), suit) for cards, suit in rules.hook.bids(level=level, held=[3] * KINDS)]
    allowed = {
        (cards, suit): Declare(cards, suit)
        for cards, suit in everything
        if judge(level=level, cards=cards, suit=suit, standing=standing) is None
    }
    needed = {(cards[0].kind, cards.count(cards[0])) for cards, _ in allowed if cards}
    return allowed, tuple(sorted(needed))


@lru_cache(maxsize=128)
def bidding_kinds(rules: RuleSet, level: int) -> frozenset[int]:
    """The kinds that occur in any declaration at this level: only these can change what a seat may declare."""
    everything = rules.hook.bids(level=level, held=[3] * KINDS)
    return frozenset(card.kind for cards, _ in everything for card in cards)
