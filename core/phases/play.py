"""The play: tricks until the hands are empty (section 2, 3.6).

This is the inner loop of everything, so it keeps the rules' integer functions at hand and touches nothing else.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from gunzi import masks
from gunzi.acts import Act, Play
from gunzi.ask import Ask, PlayAsk
from gunzi.cards import parse_cards
from gunzi.errors import Refused
from gunzi.phase import Phase

if TYPE_CHECKING:
    from gunzi.hand import Hand


class PlayPhase(Phase):
    """Phase ``play``."""

    name = "play"

    def start(self, hand: Hand) -> None:
        trump = hand.trump
        if trump is None:
            return
        assert hand.dealer is not None
        hand.leads, hand.follows, hand.wins = hand.rules.play_rules(trump)
        hand.leader = hand.turn = hand.dealer
        hand.trick_number = 1
        hand.plays = 0

    def ask(self, hand: Hand) -> Ask | None:
        trump, leads, follows = hand.trump, hand.leads, hand.follows
        if trump is None or leads is None or follows is None:
            return None
        holding = hand.holdings[hand.turn]
        if not holding[0]:
            return None
        return PlayAsk(hand.rules, hand.turn, holding, trump, leads, follows, hand.lead, hand.lane, hand.n)

    def apply(self, hand: Hand, seat: int, act: Act) -> None:
        ask = hand.waiting
        assert isinstance(ask, PlayAsk) and hand.follows is not None and hand.wins is not None
        if seat != ask.seat:
            hand.check_turn(seat)
        chosen = ask.play_of(act)
        if isinstance(chosen, Refused):
            raise chosen
        p1, p2, p3 = chosen
        h1, h2, h3 = ask.holding
        hand.holdings[seat] = masks.remove(h1, h2, h3, p1, p2, p3)
        if hand.log is not None:
            hand.log.write("play", {"seat": seat, "cards": list(ask.trump.cards(chosen))})
        if hand.watch is not None:
            hand.watch.play(seat, p1, p2, p3)
        if hand.plays == 0:
            hand.lead = chosen
            hand.lane, hand.n = hand.follows.shape(p1, p2, p3)
            hand.strongest = -1
        power = hand.wins.power(p1, p2, p3, hand.n, hand.lane)
        if power > hand.strongest:
            hand.strongest = power
            hand.winning = seat
            hand.winning_play = chosen
        pointed, points = hand.rules.point_masks(ask.trump)
        if p1 & pointed:
            hand.pile += masks.points_of(p1, p2, p3, pointed, points)
        hand.plays += 1
        if hand.plays < 4:
            hand.turn = (seat + 1) & 3
        else:
            self._end_trick(hand)

    def _end_trick(self, hand: Hand) -> None:
        winner = hand.winning
        assert hand.dealer is not None
        if (winner ^ hand.dealer) & 1:
            hand.attackers_points += hand.pile
        if hand.log is not None:
            assert hand.wins is not None
            hand.log.write("trick", {"winner": winner, "points": hand.pile, "by": hand.wins.by})
        hand.pile = 0
        hand.plays = 0
        hand.lead = None
        hand.trick_number += 1
        hand.leader = hand.turn = winner
        if not hand.holdings[winner][0]:
            assert hand.trump is not None
            hand.last_play = hand.trump.cards(hand.winning_play)

    def replay(self, hand: Hand, ask: Ask, event: Mapping[str, Any]) -> tuple[int, Act] | None:
        if event.get("e") != "play":
            return None
        return event["seat"], Play(parse_cards(event["cards"]))
