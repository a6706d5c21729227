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
from gunzi.phase import Phase
from gunzi.play_rules import PlayRules, play_rules

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
        hand.play_rules = play_rules(hand.rules, trump)
        hand.leader = hand.turn = hand.dealer
        hand.trick_number = 1
        hand.plays = 0

    def ask(self, hand: Hand) -> Ask | None:
        rules = hand.play_rules
        if rules is None:
            return None
        turn = hand.turn
        holding = hand.holdings[turn]
        if not holding[0]:
            return None
        return PlayAsk(rules, turn, holding, hand.lead, hand.lane, hand.n)

    def apply(self, hand: Hand, seat: int, act: Act) -> None:
        self.step(hand, seat, act)

    def step(self, hand: Hand, seat: int, act: Act) -> Ask | None:
        ask: PlayAsk = hand.waiting  # type: ignore[assignment]
        if seat != ask.seat:
            hand.check_turn(seat)
        made, chosen = ask.made
        if act is not made:
            chosen = ask.chosen_by(act)
        rules = ask.play_rules
        p1, p2, p3 = chosen
        h1, h2, h3 = ask.holding
        holdings = hand.holdings
        holdings[seat] = masks.remove(h1, h2, h3, p1, p2, p3)
        if hand.log is not None:
            hand.log.play(seat, rules.act(chosen).cards)
        if hand.watch is not None:
            hand.watch.play(seat, p1, p2, p3)
        lead = ask.lead
        if lead is None:
            hand.lead = lead = chosen
            lane, n, hand.strongest, points = rules.led[chosen]
            hand.lane, hand.n = lane, n
            hand.winning = seat
            hand.winning_play = chosen
            plays = 1
        else:
            lane, n = ask.lane, ask.n
            if n == 1 and rules.single_by_single:
                power, points = rules.singles[lane][p1]
            else:
                power = rules.wins.power(p1, p2, p3, n, lane)
                points = masks.points_of(p1, p2, p3, rules.pointed, rules.points) if p1 & rules.pointed else 0
            if power > hand.strongest:
                hand.strongest = power
                hand.winning = seat
                hand.winning_play = chosen
            plays = hand.plays + 1
        if points:
            hand.pile += points
        if plays < 4:
            hand.plays = plays
            hand.turn = turn = (seat + 1) & 3
            return PlayAsk(rules, turn, holdings[turn], lead, lane, n)
        self._end_trick(hand, rules)
        return self.ask(hand)

    def _end_trick(self, hand: Hand, rules: PlayRules) -> None:
        winner = hand.winning
        pile = hand.pile
        if pile and (winner ^ hand.dealer) & 1:  # type: ignore[operator]
            hand.attackers_points += pile
        if hand.log is not None:
            hand.log.trick(winner, pile, rules.wins.by)
        hand.pile = 0
        hand.plays = 0
        hand.lead = None
        hand.trick_number += 1
        hand.leader = hand.turn = winner
        if not hand.holdings[winner][0]:
            hand.last_play = rules.trump.cards(hand.winning_play)

    def replay(self, hand: Hand, ask: Ask, event: Mapping[str, Any]) -> tuple[int, Act] | None:
        if event.get("e") != "play":
            return None
        return event["seat"], Play(parse_cards(event["cards"]))
