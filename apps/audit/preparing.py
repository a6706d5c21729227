"""Between the deal and the first lead in a log: tribute, the bottom, burying (section 3.3-3.5)."""

from __future__ import annotations

from typing import Final

from gunzi import masks
from gunzi.acts import Bury as BuryAct
from gunzi.acts import Pay, Pick, Return
from gunzi.apps.audit.scene import Scene
from gunzi.ask import CardsAsk
from gunzi.choices import count_kings, pickable_cards
from gunzi.errors import Refused, Text
from gunzi.event_keys import short
from gunzi.phases.bury import BuryPhase
from gunzi.phases.bury_kings import BuryKingsPhase, pick_ask
from gunzi.phases.tribute import TributePhase
from gunzi.trump import Masks
from gunzi.values import AFTER, Exemption, Owed
from gunzi.wording import counted

_TRIBUTE: Final = TributePhase()
_BURY: Final = BuryPhase()
_KINGS: Final = BuryKingsPhase()


def _exemption(scene: Scene) -> Exemption | None:
    hand = scene.hand
    if hand.owed is None:
        return None
    bigs = [count_kings(holding, scene.trump)[0] for holding in hand.holdings]
    found: Exemption | None = scene.rules.hook.tribute_exemption(owed=hand.owed, big_jokers=bigs)
    return found


def exempt(scene: Scene) -> None:
    """Three big jokers against a tribute."""
    hand, judge = scene.hand, scene.judge
    seat = judge.seat()
    kind = judge.key("kind")
    if kind not in ("reverse", "cancel"):
        raise judge.stop("record.keys", Text(f"kind 写的是 {short(kind)}", f"kind is {short(kind)}"), seat=seat)
    wanted = _exemption(scene)
    if wanted is None:
        said = Text("这里不免贡，也不倒着进", "nothing exempts from tribute here, or turns it round")
        judge.find("tribute.three_big", said, seat=seat)
    else:
        judge.compare({"e": "exempt", "seat": wanted.seat, "kind": wanted.kind, "by": wanted.by}, ("seat", "kind"))
    scene.exempted = True
    if hand.owed is not None:
        hand.owed = hand.owed.after(Exemption(seat, kind))


def due(scene: Scene) -> Owed | None:
    """The tribute still to be paid, as the rules see it: fewer cards where the payer has no more that may be paid."""
    hand = scene.hand
    owed = hand.owed if scene.exempted or hand.owed is None else hand.owed.after(_exemption(scene))
    if owed is None or scene.paid:
        return None
    payable = scene.rules.hook.payable(trump=scene.trump)
    h1, h2, h3 = hand.holdings[owed.giver]
    count = min(owed.count, masks.size(h1 & payable, h2 & payable, h3 & payable))
    return Owed(owed.giver, owed.receiver, count) if count else None


def tribute(scene: Scene) -> None:
    """Cards are paid."""
    hand, judge = scene.hand, scene.judge
    giver, receiver, cards = judge.seat("from"), judge.seat("to"), judge.cards()
    wanted = due(scene)
    moved = scene.held(giver, hand.holdings[giver], cards)
    if wanted is None:
        exemption = None if scene.exempted else _exemption(scene)
        rule = exemption.by if exemption is not None else "tribute.low"
        judge.find(rule, Text("这里不用进贡", "no tribute is due here"), cards=cards, seat=giver)
    elif (wanted.giver, wanted.receiver) != (giver, receiver):
        exemption = None if scene.exempted else _exemption(scene)
        said = Text(
            f"该 {wanted.giver} 号位进给 {wanted.receiver} 号位",
            f"seat {wanted.giver} pays seat {wanted.receiver} here",
        )
        judge.find(exemption.by if exemption is not None else "tribute.payer", said, cards=cards, seat=giver)
    elif wanted.count != len(cards):
        said = Text(
            f"该进 {wanted.count} 张，进了 {len(cards)} 张",
            f"{counted(wanted.count, 'card is', 'cards are')} due, {counted(len(cards), 'is', 'are')} paid",
        )
        judge.find("tribute.low", said, cards=cards, seat=giver)
    if wanted is not None and cards:
        _choice(scene, giver, receiver, len(cards), False, Pay(cards))
    scene.move(giver, receiver, moved)
    scene.paid = True
    hand.tribute_paid = Owed(giver, receiver, len(cards)) if cards else None


def give_back(scene: Scene) -> None:
    """Cards come back."""
    hand, judge = scene.hand, scene.judge
    giver, receiver, cards = judge.seat("from"), judge.seat("to"), judge.cards()
    paid = hand.tribute_paid
    moved = scene.held(giver, hand.holdings[giver], cards)
    if paid is None or scene.returned:
        judge.find("table.phase", Text("这里没有贡要还", "there is no tribute to return here"), cards=cards, seat=giver)
    elif (giver, receiver) != (paid.receiver, paid.giver):
        said = Text(
            f"该 {paid.receiver} 号位还给 {paid.giver} 号位", f"seat {paid.receiver} returns to seat {paid.giver}"
        )
        judge.find("tribute.payer", said, cards=cards, seat=giver)
    elif len(cards) != paid.count:
        said = Text(
            f"收了 {paid.count} 张，还了 {len(cards)} 张",
            f"{counted(paid.count, 'card was', 'cards were')} paid, {counted(len(cards), 'comes', 'come')} back",
        )
        judge.find("tribute.same_number", said, cards=cards, seat=giver)
    if paid is not None and cards:
        _choice(scene, receiver, giver, len(cards), True, Return(cards))
    scene.move(giver, receiver, moved)
    scene.returned = True


def _choice(scene: Scene, giver: int, receiver: int, count: int, returning: bool, act: Pay | Return) -> None:
    """May these cards be paid (returned), so many being paid at all?"""
    hand = scene.hand
    hand.tribute = (giver, receiver, count, returning)
    ask = _TRIBUTE.ask(hand)
    hand.tribute = None
    assert isinstance(ask, CardsAsk)
    refused = ask.refusal(act)
    if refused is not None and refused.rule != "cards.count":
        scene.judge.refused(refused, receiver if returning else giver, act.cards)


def tribute_missing(scene: Scene) -> None:
    """The log goes on: has all tribute been paid and returned?"""
    judge = scene.judge
    wanted = due(scene)
    if wanted is not None:
        said = Text(
            f"{wanted.giver} 号位该进贡 {wanted.count} 张，没有进",
            f"seat {wanted.giver} owes {counted(wanted.count, 'card')} of tribute and pays none",
        )
        judge.find("tribute.low", said, seat=wanted.giver)
    paid = scene.hand.tribute_paid
    if paid is not None and not scene.returned:
        said = Text(f"{paid.receiver} 号位收了贡没有还", f"seat {paid.receiver} returns nothing for the tribute")
        judge.find("tribute.same_number", said, seat=paid.receiver)


# -- the bottom ------------------------------------------------------------------------------------------------


def judge_bottom(scene: Scene) -> None:
    """What the rules say of the bottom before anybody touches it; it stands as long as the log says nothing else."""
    hand, hook = scene.hand, scene.rules.hook
    if scene.verdict is not None:
        return
    shown = hook.bottom_is_shown(how=hand.how)
    scene.verdict = hook.dry_pot(
        bottom=scene.masks(hand.bottom), trump=scene.trump, shown=shown, first_hand=hand.first_hand
    )
    hand.dry, hand.bottom_shown = scene.verdict.dry, shown


def bottom(scene: Scene) -> None:
    """The bottom is looked at."""
    hand, judge = scene.hand, scene.judge
    judge_bottom(scene)
    assert scene.verdict is not None
    ours = {
        "e": "bottom",
        "cards": list(hand.bottom),
        "shown": hand.bottom_shown,
        "dry": scene.verdict.dry,
        "by": scene.verdict.by,
    }
    judge.compare(ours, ("cards", "shown", "dry"))
    for name, attribute in (("dry", "dry"), ("shown", "bottom_shown")):
        if type(judge.event.get(name)) is bool:
            setattr(hand, attribute, judge.event[name])
    scene.bottom_told = "dry" in judge.event


def bury(scene: Scene) -> None:
    """The dealer takes the bottom and lays as many cards down."""
    hand, judge, rules = scene.hand, scene.judge, scene.rules
    judge_bottom(scene)
    assert scene.verdict is not None
    seat, cards = judge.seat(), judge.cards()
    if seat != scene.dealer:
        said = Text(f"该庄家 {scene.dealer} 号位扣底", f"the dealer, seat {scene.dealer}, buries")
        judge.find("table.turn", said, cards=cards, seat=seat)
    if hand.dealer_buried:
        judge.find("table.phase", Text("已经扣过底了", "the bottom is buried already"), cards=cards, seat=seat)
    elif hand.dry:
        judge.find(scene.verdict.by, Text("干锅不能换底", "a dry pot is not exchanged"), cards=cards, seat=seat)
        hand.dry = False
    pool = masks.add(*hand.holdings[seat], *scene.masks(hand.bottom))
    buried = scene.held(seat, pool, cards)
    _refused_burial(scene, seat, pool, BuryAct(cards))
    hand.holdings[seat] = masks.remove(*pool, *buried)
    hand.dealer_buried = hand.bottom = scene.trump.cards(buried)
    hand.bottom_shown = rules.hook.burial_is_shown(kings=sum(count_kings(buried, scene.trump)))
    window = rules.hook.kings_window(dealer_buried=buried, trump=scene.trump)
    judge.compare({"e": "bury", "shown": hand.bottom_shown}, ("shown",))
    if "room" in judge.event:
        room = pickable_cards(rules, scene.trump, buried) if window.open else 0
        judge.compare({"e": "bury", "room": room, "by": window.by}, ("room",))


def _refused_burial(scene: Scene, seat: int, pool: Masks, act: BuryAct) -> None:
    hand = scene.hand
    before = hand.dealer, hand.holdings[seat], hand.dealer_buried
    hand.dealer, hand.holdings[seat], hand.dealer_buried = seat, pool, ()
    ask = _BURY.ask(hand)
    hand.dealer, hand.holdings[seat], hand.dealer_buried = before
    if isinstance(ask, CardsAsk):
        refused = ask.refusal(act)
        if refused is not None:
            scene.judge.refused(refused, seat, act.cards)


def bury_missing(scene: Scene) -> None:
    """The log goes on: has the dealer buried where he had to?"""
    hand, judge = scene.hand, scene.judge
    judge_bottom(scene)
    if hand.dry or hand.dealer_buried or not hand.bottom:
        return
    if scene.bottom_told:
        said = Text(f"不是干锅，庄家 {hand.dealer} 号位该扣底", f"the pot is not dry: seat {hand.dealer} has to bury")
        judge.find("table.phase", said, seat=hand.dealer)
    else:
        assert scene.verdict is not None
        said = Text(
            f"不是干锅，庄家 {hand.dealer} 号位没有换底",
            f"the pot is not dry, and the dealer, seat {hand.dealer}, does not exchange it",
        )
        judge.find(scene.verdict.by, said, seat=hand.dealer)
    hand.dry = True


def bury_kings(scene: Scene) -> None:
    """Another seat lays kings down and picks cards up."""
    hand, judge, rules = scene.hand, scene.judge, scene.rules
    judge_bottom(scene)
    seat, kings, picked = judge.seat(), judge.cards("kings"), judge.cards("picked")
    if seat == scene.dealer or seat in scene.kings_done:
        judge.find(
            "table.turn",
            Text(f"{seat} 号位不能（再）扣王", f"seat {seat} buries no kings (any more)"),
            cards=kings,
            seat=seat,
        )
    else:
        order = AFTER[scene.dealer]
        if any(order.index(other) > order.index(seat) for other in scene.kings_done if other in order):
            said = Text(f"{seat} 号位要在后面的人之前扣王", f"seat {seat} buries before the seats after it")
            judge.find("table.turn", said, cards=kings, seat=seat)
    scene.kings_done.append(seat)
    down = scene.held(seat, hand.holdings[seat], kings)
    before = scene.masks(hand.bottom)
    up = scene.held(seat, before, picked)
    refused = _KINGS.why_not(hand, {"e": "bury_kings", "seat": seat, "kings": list(kings)})
    if refused is not None:
        judge.refused(refused, seat, kings)
    elif len(picked) != len(kings):
        said = Text(
            f"扣了 {len(kings)} 张，捡了 {len(picked)} 张",
            f"{counted(len(kings), 'king')} down, {counted(len(picked), 'card')} up",
        )
        judge.find("cards.count", said, cards=picked, seat=seat)
    else:
        pick: Refused | None = pick_ask(rules, scene.trump, before, seat, len(picked)).refusal(Pick(picked))
        if pick is not None:
            judge.refused(pick, seat, picked)
    hand.holdings[seat] = masks.add(*masks.remove(*hand.holdings[seat], *down), *up)
    hand.bottom = scene.trump.cards(masks.add(*masks.remove(*before, *up), *down))
    hand.bottom_shown = True
