"""The deal in a log: claims, declarations, cards turned and drawn, and the trump that comes of them (section 3.1, 3.2)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final

from gunzi.acts import Claim, Declare
from gunzi.apps.audit.scene import Scene
from gunzi.cards import SUITS, Card
from gunzi.errors import Text
from gunzi.event_keys import short
from gunzi.phases.deal import DealPhase
from gunzi.trump import trump_order
from gunzi.turning import first_suited, turn_bottom
from gunzi.values import Bid
from gunzi.wording import counted

_DEAL: Final = DealPhase()


@dataclass(frozen=True, slots=True)
class Found:
    """What the rules make of a deal: the trump (``suit`` empty: the hand is dealt again), the dealer, how, and by which rule;
    ``turned``: the bottom cards looked at, each with its seat (None: drawn) and its rule."""

    suit: str
    dealer: int
    how: str
    by: str
    turned: tuple[tuple[int | None, Card, str], ...] = ()


def _moment(scene: Scene) -> None:
    """Move the deal on to where the event says it was; without a known order, to its end."""
    hand, judge = scene.hand, scene.judge
    total = scene.rules.deck.dealt
    dealt = judge.event.get("dealt", total)
    if not scene.ordered or "dealt" not in judge.event:
        hand.dealt = total
        return
    if type(dealt) is not int or not 0 <= dealt <= total:
        raise judge.stop("record.keys", Text(f"dealt 写的是 {short(dealt)}", f"dealt is {short(dealt)}"))
    if dealt < hand.dealt:
        judge.find(
            "deal.order",
            Text(
                f"dealt 写的是 {dealt}，牌已经发了 {hand.dealt} 张",
                f"dealt is {dealt} after {counted(hand.dealt, 'card')}",
            ),
        )
        return
    hand.dealt = dealt


def automatic(scene: Scene) -> tuple[int, Card, int] | None:
    """Where the rules take the first card of the claim without asking: seat, card, cards dealt."""
    hand, rules = scene.hand, scene.rules
    if not hand.first_hand or not rules.claims.automatic or not scene.ordered:
        return None
    for place, card in enumerate(hand.deck[: rules.deck.dealt]):
        if card in rules.claims.cards:
            return (hand.first + place) % 4, card, place + 1
    return None


def claim(scene: Scene) -> None:
    """抢亮."""
    hand, judge, rules = scene.hand, scene.judge, scene.rules
    seat, card = judge.seat(), judge.card()
    _moment(scene)
    if hand.claim is None and hand.first_hand and rules.claims.automatic:
        wanted = automatic(scene)
        if wanted is not None and (seat, card, hand.dealt) != wanted:
            at, first, dealt = wanted
            said = Text(
                f"{at} 号位摸到 {first} 的时候（第 {dealt} 张）就该坐庄，不是 {seat} 号位在第 {hand.dealt} 张",
                f"seat {at} deals as soon as it is dealt {first} (card {dealt}), not seat {seat} at card {hand.dealt}",
            )
            judge.find(rules.claims.by, said, cards=(card,), seat=seat)
        elif not hand.counts_of(seat)[card.kind]:
            judge.find("claim.held", rules.rule_text("claim.held"), cards=(card,), seat=seat)
    else:
        refused = _DEAL.refusal(hand, seat, Claim(card))
        if refused is not None:
            judge.refused(refused, seat, (card,))
    if hand.claim is None:
        hand.claim = (seat, card, hand.dealt)


def declare(scene: Scene) -> None:
    """亮主, 反."""
    hand, judge = scene.hand, scene.judge
    seat, cards = judge.seat(), judge.cards()
    suit = judge.event.get("suit")
    _moment(scene)
    if suit not in tuple(SUITS):
        if suit is not None:
            raise judge.stop("declare.suit", Text(f"{short(suit)} 不是花色", f"{short(suit)} is no suit"), seat=seat)
        suit = cards[0].suit if cards else None
    refused = _DEAL.refusal(hand, seat, Declare(cards, suit or ""))
    if refused is not None:
        judge.refused(refused, seat, cards)
    if cards and suit:
        hand.standing = Bid(seat, cards, suit)


def found(scene: Scene) -> Found | None:
    """What the rules make of the deal as it went; None: no telling, since the order of the cards is not known."""
    hand, rules = scene.hand, scene.rules
    total = rules.deck.dealt
    if hand.claim is not None:
        claimer, _, dealt = hand.claim
        if not scene.ordered:
            return None
        own = [hand.deck[place] for place in range(dealt, total) if (hand.first + place) % 4 == claimer]
        _, suit = first_suited(rules, own)
        if suit:
            return Found(suit, claimer, "claim", rules.claims.by)
        looked, suit = first_suited(rules, hand.bottom)
        turned = tuple((claimer, card, "claim.suit") for card in hand.bottom[:looked])
        return Found(suit, claimer, "claim", rules.claims.by, turned)
    if hand.standing is not None and hand.dealer is not None:
        return Found(hand.standing.suit, hand.dealer, "declare", "trump.declare")
    if hand.first_hand:
        shown, reveal = turn_bottom(rules, rules.start_level, hand.first, hand.bottom)
        if reveal is None or reveal.suit is None or reveal.dealer is None:
            return Found("", hand.first, "turn", "deal.redeal", shown)
        return Found(reveal.suit, reveal.dealer, "turn", reveal.by, shown)
    assert hand.dealer is not None
    looked, suit = first_suited(rules, hand.bottom)
    return Found(
        suit, hand.dealer, "draw", "trump.draw", tuple((None, card, "trump.draw") for card in hand.bottom[:looked])
    )


def nobody_claimed(scene: Scene) -> None:
    """The deal is over: should somebody have claimed without being asked?"""
    hand, judge, rules = scene.hand, scene.judge, scene.rules
    wanted = automatic(scene)
    hand.dealt = rules.deck.dealt
    if wanted is not None and hand.claim is None:
        seat, card, dealt = wanted
        said = Text(
            f"{seat} 号位第 {dealt} 张就摸到了 {card}，该他坐庄，这里没有",
            f"seat {seat} was dealt {card} as card {dealt} and deals; here it does not",
        )
        judge.find(rules.claims.by, said, cards=(card,), seat=seat)


def turn(scene: Scene) -> None:
    """A bottom card is turned or drawn."""
    judge = scene.judge
    card = judge.card()
    seat = judge.seat() if judge.event["e"] == "turn" else None
    wanted = found(scene)
    place = scene.turns
    scene.turns += 1
    if wanted is None:
        return
    if place >= len(wanted.turned):
        said = Text("这时不用再翻（抽）底牌", "no bottom card is to be turned or drawn here")
        judge.find(wanted.by, said, cards=(card,), seat=seat)
        return
    who, what, by = wanted.turned[place]
    if (who, what) != (seat, card):
        turner_zh = f"{who} 号位翻" if who is not None else "抽"
        turner_en = f"seat {who} turns" if who is not None else "the draw is"
        said = Text(f"该{turner_zh}出 {what}", f"{turner_en} {what} here")
        judge.find(by, said, cards=(card,), seat=seat)


def redeal(scene: Scene) -> None:
    """The deal is void."""
    wanted = found(scene)
    if wanted is not None and wanted.suit:
        said = Text(
            f"不该重新洗牌：{wanted.dealer} 号位坐庄，{wanted.suit} 是主",
            f"no redeal is due: seat {wanted.dealer} deals, {wanted.suit} is trump",
        )
        scene.judge.find(wanted.by, said)


def trump(scene: Scene) -> None:
    """Trump and dealer are final."""
    hand, judge, rules = scene.hand, scene.judge, scene.rules
    suit = judge.key("suit")
    if suit not in tuple(SUITS):
        raise judge.stop("record.keys", Text(f"{short(suit)} 不是花色", f"{short(suit)} is no suit"))
    wanted = found(scene)
    known = wanted.dealer if wanted is not None else hand.claim[0] if hand.claim is not None else hand.dealer
    dealer = judge.seat("dealer") if "dealer" in judge.event else known
    if dealer is None:
        raise judge.stop("record.keys", Text("不知道谁坐庄", "who deals is not known"))
    if wanted is not None and not wanted.suit:
        judge.find(
            "deal.redeal",
            Text("底牌里翻不出花色牌，该重新洗牌", "no suited card turned up: the hand is to be dealt again"),
        )
    elif wanted is not None:
        ours = {"e": "trump", "suit": wanted.suit, "dealer": wanted.dealer, "how": wanted.how, "by": wanted.by}
        judge.compare(ours, ("suit", "dealer", "how"))
    elif hand.claim is not None:
        judge.compare({"e": "trump", "dealer": hand.claim[0], "how": "claim", "by": rules.claims.by}, ("dealer", "how"))
    how = judge.event.get("how")
    fix(scene, suit, dealer, how if isinstance(how, str) else (wanted.how if wanted is not None else "claim"))


def fix(scene: Scene, suit: str, dealer: int, how: str) -> None:
    """Order the holdings by the trump the log tells."""
    hand, judge = scene.hand, scene.judge
    hand.dealt = scene.rules.deck.dealt
    levels: list[Any] = list(hand.levels)
    level = judge.event.get("level") if judge.event["e"] == "trump" else None
    if level is not None and level != levels[dealer % 2]:
        judge.compare({"e": "trump", "level": levels[dealer % 2]}, ("level",))
        if type(level) is not int or not 2 <= level <= 14:
            raise judge.stop("record.keys", Text(f"{short(level)} 不是级", f"{short(level)} is no level"))
        levels[dealer % 2] = level
        hand.levels = (levels[0], levels[1])
    hand.dealer, hand.suit, hand.how = dealer, suit, how
    order = hand.trump = trump_order(hand.level, suit, scene.rules.permanent)
    hand.holdings = [order.masks(hand.deck[(seat - hand.first) % 4 : hand.dealt : 4]) for seat in range(4)]


def unsaid(scene: Scene) -> None:
    """The log goes on without saying what is trump: then it is what the rules make of the deal. Raises Impossible."""
    hand = scene.hand
    nobody_claimed(scene)
    wanted = found(scene)
    if wanted is None or not wanted.suit:
        raise scene.judge.stop(
            "table.phase",
            Text("没写什么是主，从发牌也看不出来", "what is trump is not said, and does not follow from the deal"),
        )
    fix(scene, wanted.suit, wanted.dealer, wanted.how)
    assert hand.trump is not None
