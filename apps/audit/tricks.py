"""The play and the end of a hand in a log (section 2, 3.6-3.9)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from gunzi import masks
from gunzi.acts import Play
from gunzi.apps.audit.scene import Scene
from gunzi.ask import PlayAsk
from gunzi.ending_early import settled_early
from gunzi.errors import Refused, Text
from gunzi.play_rules import PlayRules, play_rules
from gunzi.settling import settle
from gunzi.shown import shown_of
from gunzi.values import CAPTURED, HELD, Result
from gunzi.wording import counted

SETTLED = (
    "ending",
    "trick_points",
    "bottom",
    "bottom_points",
    "captured",
    "attackers_points",
    "takeover",
    "level_up",
    "levels",
    "next_dealer",
    "owed",
    "round_won_by",
    "scores",
)
"""The keys of ``settle`` that follow from the hand."""


def _begin(scene: Scene) -> PlayRules:
    hand = scene.hand
    if hand.play_rules is None:
        hand.play_rules = play_rules(scene.rules, scene.trump)
        hand.leader = hand.turn = scene.dealer
        hand.trick_number = 1
    return hand.play_rules


def play(scene: Scene) -> None:
    """A lead or a follow."""
    hand, judge = scene.hand, scene.judge
    rules = _begin(scene)
    if hand.plays == 4:
        _end_trick(scene, rules, hand.winning)
    seat, cards = judge.seat(), judge.cards()
    if not cards:
        raise judge.stop("cards.count", Text("没有出牌", "no card is played"), seat=seat)
    holding = hand.holdings[seat]
    chosen = scene.held(seat, holding, cards)
    if seat != hand.turn:
        said = Text(f"该 {hand.turn} 号位出牌", f"it is seat {hand.turn}'s turn")
        judge.find("table.turn", said, cards=cards, seat=seat)
    lead = hand.lead
    if not scene.unjudged_trick:
        # A trick led against the rules has no shape to be followed.
        refused = PlayAsk(rules, seat, holding, lead, hand.lane, hand.n).play_of(Play(cards))
        if isinstance(refused, Refused):
            judge.refused(refused, seat, cards)
            scene.unjudged_trick = lead is None
    hand.holdings[seat] = masks.remove(*holding, *chosen)
    p1, p2, p3 = chosen
    if lead is None:
        hand.lead = chosen
        hand.lane, hand.n = rules.follow.shape(p1, p2, p3)
        hand.strongest = rules.wins.power(p1, p2, p3, hand.n, hand.lane)
        hand.winning, hand.winning_play = seat, chosen
        hand.plays = 1
    else:
        power = rules.wins.power(p1, p2, p3, hand.n, hand.lane)
        if power > hand.strongest:
            hand.strongest, hand.winning, hand.winning_play = power, seat, chosen
        hand.plays += 1
    if p1 & rules.pointed:
        hand.pile += masks.points_of(p1, p2, p3, rules.pointed, rules.points)
    hand.turn = (seat + 1) & 3


def trick(scene: Scene) -> None:
    """The end of a trick, as the log tells it."""
    hand, judge = scene.hand, scene.judge
    rules = _begin(scene)
    winner = judge.seat("winner") if "winner" in judge.event else hand.winning
    if hand.plays != 4:
        said = Text(
            f"这一圈才出了 {hand.plays} 家",
            f"only {counted(hand.plays, 'play has', 'plays have')} been made to this trick",
        )
        judge.find("record.order", said)
        if not hand.plays:
            return
    elif scene.unjudged_trick:
        judge.compare({"e": "trick", "points": hand.pile}, ("points",))
    else:
        judge.compare(
            {"e": "trick", "winner": hand.winning, "points": hand.pile, "by": rules.wins.by}, ("winner", "points")
        )
    _end_trick(scene, rules, winner)


def _end_trick(scene: Scene, rules: PlayRules, winner: int) -> None:
    hand = scene.hand
    if (winner ^ scene.dealer) & 1:
        hand.attackers_points += hand.pile
    if hand.winning == winner:
        hand.last_play = rules.trump.cards(hand.winning_play)
    hand.pile = hand.plays = 0
    hand.lead = None
    hand.trick_number += 1
    hand.leader = hand.turn = hand.winning = winner
    scene.unjudged_trick = False


def end(scene: Scene) -> Mapping[str, Any] | None:
    """What the rule set makes of the hand as it was played: the ``settle`` event; None while it is not played out."""
    hand = scene.hand
    if hand.play_rules is None:
        return None
    if hand.settlement is not None:
        return {"e": "settle", **hand.settlement.as_json()}
    if hand.plays == 4:
        _end_trick(scene, hand.play_rules, hand.winning)
    if hand.plays or any(holding[0] for holding in hand.holdings):
        return None
    result = Result(
        dealer=scene.dealer,
        levels=hand.levels,
        trick_points=hand.attackers_points,
        capture=CAPTURED if (hand.winning ^ scene.dealer) & 1 else HELD,
        bottom=hand.bottom,
        bottom_points=sum(scene.rules.points[card.rank - 2] for card in hand.bottom),
        dry=hand.dry,
        trump=scene.trump,
        last_play=hand.last_play,
        tribute_paid=hand.tribute_paid,
    )
    hand.settlement = settle(scene.rules, result)
    return {"e": "settle", **hand.settlement.as_json()}


def end_early(scene: Scene, events: Sequence[Mapping[str, Any]]) -> bool:
    """Is the hand decided, whatever is still played? Then it is settled. ``events``: the hand's so far."""
    hand, phases = scene.hand, scene.rules.options["phases"]
    if hand.play_rules is None or "play" not in phases:
        return False
    if hand.plays == 4:
        _end_trick(scene, hand.play_rules, hand.winning)
    hand.index = phases.index("play")
    try:
        shown = shown_of(scene.rules, [dict(event) for event in events])
    except (LookupError, TypeError, ValueError, AttributeError, AssertionError):
        return False  # the log leaves out what everybody has seen
    hand.settlement = settled_early(hand, shown)
    return hand.settlement is not None


def settlement(scene: Scene) -> None:
    """The end of the hand, as the log tells it."""
    judge = scene.judge
    ours = end(scene)
    if ours is None:
        left = [masks.size(*holding) for holding in scene.hand.holdings]
        said = Text(
            f"牌还没打完：四家手里还有 {left} 张", f"the hand is not played out: the seats still hold {left} cards"
        )
        judge.find("record.order", said)
        return
    scene.settled = ours
    named = f"endings.{judge.event.get('ending')}"
    judge.compare(ours, SETTLED, {"ending": named} if named in scene.rules.option_set else None)
