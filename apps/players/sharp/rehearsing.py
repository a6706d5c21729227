"""Rehearsing a hand from the deal to the first lead: what ``steady`` would do in every seat, under the table's own rules.

The rules are asked through their hooks, and the questions are those the table asks; only the deal is shortened: declarations that
may come while cards are still being dealt are all made in the closing window.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from gunzi import masks
from gunzi.acts import PASS, Bury, Declare, Pay, Return
from gunzi.apps.players.preparing import MANY_TRUMPS
from gunzi.apps.players.steady import Steady
from gunzi.ask import CardsAsk, ListAsk
from gunzi.cards import BIG, CARDS, KINDS
from gunzi.choices import burials, count_kings, in_tiers, kings_masks, pickable_cards, smallest, strongest
from gunzi.phases.deal import held_bids, open_bids
from gunzi.play_rules import PlayRules, play_rules
from gunzi.shown import Shown
from gunzi.sight import Sight
from gunzi.trump import TRUMP_LANE, Masks, Trump, trump_order
from gunzi.turning import first_suited, turn_bottom
from gunzi.values import AFTER, Bid, Owed

if TYPE_CHECKING:
    from gunzi.ruleset import RuleSet

STEADY: Final = Steady()


@dataclass(frozen=True, slots=True)
class Trumped:
    """The dealer and the trump suit are known, and how they were found."""

    dealer: int
    suit: str
    how: str


@dataclass(slots=True)
class Ready:
    """A hand before its first lead: all four holdings, the bottom, is it known to all, is it dry, what tribute was paid."""

    rules: PlayRules
    dealer: int
    holdings: list[Masks]
    bottom: Masks
    shown: bool
    dry: bool
    paid: Owed | None


def close_bids(
    rules: RuleSet, level: int, dealer: int, hands: Sequence[Sequence[int]], standing: Bid | None, first: int
) -> Bid | None:
    """What stands when nobody declares any more; ``hands`` are counts by kind. ``first`` is asked first."""
    shown = Shown(rules)
    shown.levels, shown.dealer, shown.standing = (level, level), dealer, standing
    waiting = [first, *AFTER[first]]
    asked = 0
    while waiting and asked < 32:
        seat = waiting.pop(0)
        asked += 1
        if standing is None:
            offers = open_bids(rules, level, None, (), "")
        else:
            offers = open_bids(rules, level, standing.seat, standing.cards, standing.suit)
        acts = held_bids(rules, offers, hands[seat])
        if not acts:
            continue
        sight = Sight(shown, seat)
        sight.counts = hands[seat]
        act = STEADY.act(sight, ListAsk(rules, seat, "declare", (PASS, *acts)), None)  # type: ignore[arg-type]
        if isinstance(act, Declare):
            standing = shown.standing = Bid(seat, act.cards, act.suit)
            waiting = [*AFTER[seat]]
    return standing


def declared(
    rules: RuleSet, level: int, dealer: int, hands: Sequence[Sequence[int]], bottom: Sequence[int], standing: Bid | None,
    first: int,
) -> Trumped | None:  # fmt: skip
    """The trump of a later hand; None: the deal is void."""
    standing = close_bids(rules, level, dealer, hands, standing, first)
    if standing is not None:
        return Trumped(dealer, standing.suit, "declare")
    _, suit = first_suited(rules, [CARDS[kind] for kind in bottom])
    return Trumped(dealer, suit, "draw") if suit else None


def claimed(rules: RuleSet, seat: int, coming: Sequence[int], bottom: Sequence[int]) -> Trumped | None:
    """The trump of a claimer with these cards still to come; None: the deal is void."""
    _, suit = first_suited(rules, [CARDS[kind] for kind in (*coming, *bottom)])
    return Trumped(seat, suit, "claim") if suit else None


def revealed(rules: RuleSet, first: int, bottom: Sequence[int]) -> Trumped | None:
    """Dealer and trump from the bottom; None: the deal is void."""
    _, found = turn_bottom(rules, rules.start_level, first, [CARDS[kind] for kind in bottom])
    if found is None or found.suit is None or found.dealer is None:
        return None
    return Trumped(found.dealer, found.suit, "turn")


def holding_of(trump: Trump, counts: Sequence[int]) -> Masks:
    """Counts by kind as a holding."""
    one = two = three = 0
    for kind in range(KINDS):
        count = counts[kind]
        if count:
            bit = trump.mask_of(kind)
            one |= bit
            if count > 1:
                two |= bit
                if count > 2:
                    three |= bit
    return one, two, three


def prepare(
    rules: RuleSet, level: int, found: Trumped, hands: Sequence[Sequence[int]], bottom: Sequence[int], owed: Owed | None,
    first_hand: bool,
) -> Ready:  # fmt: skip
    """Tribute, bottom, burying and the others' kings."""
    trump = trump_order(level, found.suit, rules.permanent)
    holdings = [holding_of(trump, hand) for hand in hands]
    paid = None
    phases = rules.options["phases"]
    if owed is not None and "tribute" in phases:
        exemption = rules.hook.tribute_exemption(owed=owed, big_jokers=[hand[BIG] for hand in hands])
        paid = _tribute(rules, trump, holdings, owed.after(exemption))
    lying = trump.masks([CARDS[kind] for kind in bottom])
    shown = rules.hook.bottom_is_shown(how=found.how)
    dry = rules.hook.dry_pot(bottom=lying, trump=trump, shown=shown, first_hand=first_hand).dry
    ready = Ready(play_rules(rules, trump), found.dealer, holdings, lying, shown, dry, paid)
    if not dry and bottom:
        pool = masks.add(*holdings[found.dealer], *lying)
        big, small = count_kings(pool, trump)
        choices = burials(pool, trump, rules.hook.king_splits(big=big, small=small), len(bottom))
        ask = CardsAsk(rules, found.dealer, "bury", Bury, pool, choices, len(bottom), "bury.big_before_small", trump)
        bury(ready, pool, _chosen(ask))
    return ready


def _chosen(ask: CardsAsk) -> Masks:
    return ask.chosen_by(STEADY.act(None, ask, None))  # type: ignore[arg-type]


def _tribute(rules: RuleSet, trump: Trump, holdings: list[Masks], owed: Owed | None) -> Owed | None:
    if owed is None:
        return None
    payable = rules.hook.payable(trump=trump)
    giver, receiver = owed.giver, owed.receiver
    h1, h2, h3 = holdings[giver]
    count = min(owed.count, masks.size(h1 & payable, h2 & payable, h3 & payable))
    if not count:
        return None
    choices = strongest(holdings[giver], payable, trump, count)
    moved = _chosen(CardsAsk(rules, giver, "pay", Pay, holdings[giver], choices, count, "tribute.largest", trump))
    holdings[giver] = masks.remove(*holdings[giver], *moved)
    holdings[receiver] = masks.add(*holdings[receiver], *moved)
    choices = in_tiers(holdings[receiver], rules.hook.returnable(trump=trump), count)
    back = _chosen(
        CardsAsk(rules, receiver, "return", Return, holdings[receiver], choices, count, "tribute.return", trump)
    )
    holdings[receiver] = masks.remove(*holdings[receiver], *back)
    holdings[giver] = masks.add(*holdings[giver], *back)
    return Owed(giver, receiver, count)


def bury(ready: Ready, pool: Masks, burial: Masks) -> None:
    """The dealer buries these cards of all it holds; then the others may bury kings."""
    rules, trump, dealer = ready.rules.rules, ready.rules.trump, ready.dealer
    ready.holdings[dealer] = masks.remove(*pool, *burial)
    ready.bottom = burial
    ready.shown = rules.hook.burial_is_shown(kings=sum(count_kings(burial, trump)))
    if "bury_kings" in rules.options["phases"]:
        long = [seat for seat in AFTER[dealer] if trumps(ready.holdings[seat]) >= MANY_TRUMPS]
        if long and rules.hook.kings_window(dealer_buried=burial, trump=trump).open:
            for seat in long:
                bury_king(ready, seat)


def bury_king(ready: Ready, seat: int) -> None:
    """A seat long in trumps buries the first king that it may."""
    rules, trump = ready.rules.rules, ready.rules.trump
    big, small = count_kings(ready.holdings[seat], trump)
    room = pickable_cards(rules, trump, ready.bottom)
    for split in rules.hook.king_splits(big=big, small=small):
        if 0 < sum(split) <= room:
            bury_kings(ready, seat, kings_masks(trump, *split))
            return


def bury_kings(ready: Ready, seat: int, kings: Masks) -> None:
    """A seat buries these kings and picks up as many of the smallest cards."""
    rules, trump = ready.rules.rules, ready.rules.trump
    picked = smallest(ready.bottom, rules.hook.pickable(trump=trump), trump, masks.size(*kings)).kth(0)
    holding = masks.remove(*ready.holdings[seat], *kings)
    ready.holdings[seat] = masks.add(*holding, *picked)
    ready.bottom = masks.add(*masks.remove(*ready.bottom, *picked), *kings)
    ready.shown = True


def trumps(holding: Masks) -> int:
    """How many trumps a holding has."""
    h1, h2, h3 = holding
    return masks.size(h1 & TRUMP_LANE, h2 & TRUMP_LANE, h3 & TRUMP_LANE)
