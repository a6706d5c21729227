"""A rule set as numbers: every table is read from the rules' own hooks, which stay the only place where a rule is written.

What a hook decides about whole bottoms (dry pots, the others' window) is read by trying single cards, and then checked against
the hook on many bottoms: a hook that does not decide in that way is not covered.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any, Final

from gunzi import masks
from gunzi.apps.lab.fast import layout as at
from gunzi.apps.lab.fast.layout import Numbers, Tables, numbers
from gunzi.cards import CARDS, KINDS, SUITS
from gunzi.chance import below
from gunzi.errors import Text
from gunzi.plugins import follow
from gunzi.ruleset import RuleSet
from gunzi.trump import BITS, TRUMP_LANE, TRUMP_SHIFT, Masks, Trump, trump_order
from gunzi.values import Bid, Capture, Owed, Result

PHASES: Final = ("deal", "reveal", "tribute", "bottom", "bury", "bury_kings", "play", "settle")
NEEDED: Final = frozenset({"deal", "reveal", "play", "settle"})
MOST_CHOICES: Final = 1 << 62
CHECKS: Final = 24
"""So many drawn bottoms check what was read of a hook, under each trump order."""


class NotCovered(Exception):
    """The rule set has something the compiled form does not know; ``text`` says what."""

    def __init__(self, text: Text) -> None:
        super().__init__(text.en)
        self.text = text


class Names:
    """The rules that events name, and the names of endings, by number; 0 is no rule."""

    def __init__(self) -> None:
        self.rules = [""]
        self.endings = ["final_level", "shutout", "sweep", "three_big", "three_small"]

    def rule(self, name: str) -> int:
        """The number of a rule."""
        return _number(self.rules, name)

    def ending(self, name: str) -> int:
        """The number of an ending."""
        return _number(self.endings, name)


def _number(names: list[str], name: str) -> int:
    if name not in names:
        names.append(name)
    return names.index(name)


def read(rules: RuleSet, names: Names, low: int, high: int) -> Tables:
    """The tables of a rule set for hands of the levels ``low`` to ``high``. Raises NotCovered."""
    check_shape(rules)
    hook, deck = rules.hook, rules.deck
    # All that is read are the orders of these levels, and how much a bottom can be worth.
    scalars = numbers(at.SCALARS)
    scalars[at.HAND_SIZE], scalars[at.BOTTOM_SIZE] = deck.hand, deck.bottom
    scalars[at.START_LEVEL] = rules.start_level
    scalars[at.AUTOMATIC] = rules.claims.automatic
    phases = rules.options["phases"]
    for place, phase in (
        (at.HAS_TRIBUTE, "tribute"),
        (at.HAS_BOTTOM, "bottom"),
        (at.HAS_BURY, "bury"),
        (at.HAS_KINGS, "bury_kings"),
    ):
        scalars[place] = phase in phases
    scalars[at.BY_CLAIM] = names.rule(rules.claims.by)
    for place, rule in (
        (at.BY_DECLARE, "declare.strength"),
        (at.BY_DECLARED, "trump.declare"),
        (at.BY_CLAIM_SUIT, "claim.suit"),
        (at.BY_DRAW, "trump.draw"),
        (at.BY_REDEAL, "deal.redeal"),
    ):
        scalars[place] = names.rule(rule)

    worth = _worth(rules)
    total = sum(rules.points[card.rank - 2] * deck.copies[card.kind] for card in CARDS)
    scalars[at.MOST_POINTS] = (total + int(worth.max())) // 5 + 1
    if scalars[at.MOST_POINTS] > 1000:
        raise NotCovered(Text("分太多，编译版装不下", "there are more points than the compiled form has room for"))

    claimed = numbers(len(rules.claims.cards))
    claimed[:] = [card.kind for card in rules.claims.cards]
    draw_suit = numbers(KINDS)
    for card in CARDS:
        suit = hook.draw_suit(card=card)
        draw_suit[card.kind] = SUITS.index(suit) if suit else -1

    orders = [trump_order(level, suit, rules.permanent) for level in range(low, high + 1) for suit in SUITS]
    trumps = numbers(64, at.TRUMP_FIELDS)
    mask_at = numbers(64, KINDS)
    power, tribute_rank, pick_rank, points = (numbers(64, BITS) for _ in range(4))
    tiers = numbers(64, at.MOST_TIERS)
    dry = numbers(64, 2, 2, 7)
    for order in orders:
        n = 4 * order.level + SUITS.index(order.suit)
        mask_at[n] = [order.mask_of(kind) for kind in range(KINDS)]
        power[n], tribute_rank[n], pick_rank[n] = order.power, order.tribute_rank, order.pick_rank
        pointed, by_bit = rules.point_masks(order)
        points[n] = by_bit
        row = trumps[n]
        row[at.BIG], row[at.LITTLE], row[at.KINGS] = order.big, order.little, order.kings
        row[at.POINTED] = pointed
        row[at.PAYABLE] = hook.payable(trump=order)
        row[at.PICKABLE] = hook.pickable(trump=order)
        given = list(hook.returnable(trump=order))
        if len(given) > at.MOST_TIERS:
            raise NotCovered(Text("还贡分的档太多", "more tiers of cards to give back than there is room for"))
        tiers[n, : len(given)] = given
        bottoms = [*_bottoms(order, deck.bottom)]
        _read_window(rules, names, order, row, bottoms)
        for shown in (0, 1):
            for first in (0, 1):
                dry[n, shown, first] = _read_dry(rules, names, order, bool(shown), bool(first), bottoms)
        _read_play(rules, names, order, scalars)

    how = numbers(len(at.HOWS))
    how[:] = [hook.bottom_is_shown(how=name) for name in at.HOWS]
    burial_shown = numbers(deck.bottom + 7)
    burial_shown[:] = [hook.burial_is_shown(kings=kings) for kings in range(deck.bottom + 7)]
    bids, allowed, needed, notable = _read_bids(rules, low, high)
    for card in rules.claims.cards:
        notable[0] |= 1 << card.kind
    splits, split_counts = _read_splits(rules)
    cards = numbers(deck.size)
    cards[:] = [kind for kind, copies in enumerate(deck.copies) for _ in range(copies)]
    return Tables(
        scalars=scalars,
        cards=cards,
        claimed=claimed,
        draw_suit=draw_suit,
        bids=bids,
        allowed=allowed,
        needed=needed,
        notable=notable,
        trumps=trumps,
        mask_at=mask_at,
        power=power,
        tribute_rank=tribute_rank,
        pick_rank=pick_rank,
        points=points,
        tiers=tiers,
        dry=dry,
        shown=how,
        exempt=_read_exemptions(rules, names),
        splits=splits,
        split_counts=split_counts,
        burial_shown=burial_shown,
        worth=worth,
    )


def check_shape(rules: RuleSet) -> None:
    """Raises NotCovered for plugins and phases that have no compiled form."""
    if rules.host.strangers:
        who = ", ".join(plugin.id for plugin in rules.host.strangers)
        raise NotCovered(Text(f"插件 {who} 没有编译版", f"the plugin {who} has no compiled form"))
    phases = tuple(rules.options["phases"])
    if not {*phases} >= NEEDED or phases != tuple(phase for phase in PHASES if phase in phases):
        raise NotCovered(Text("phases 的步骤或次序没有编译版", "the phases, or their order, have no compiled form"))
    deck = rules.deck
    if _most_choices(deck.hand + deck.bottom, deck.bottom) >= MOST_CHOICES:
        raise NotCovered(Text("底牌太多，编译版数不过来", "the bottom is too large to count its burials compiled"))


def check_tribute(rules: RuleSet, most: int) -> None:
    """Raises NotCovered where so many cards of tribute could come back in more ways than compiled numbers count."""
    if most > 120 or _most_choices(rules.deck.hand + most, most) >= MOST_CHOICES:
        raise NotCovered(
            Text(f"进贡多到 {most} 张，编译版数不过来", f"{most} cards of tribute are too many to count compiled")
        )


def _most_choices(held: int, count: int) -> int:
    """In how many ways so many cards can be chosen from so many held, at most: as few as possible are equal."""
    pairs = max(0, min(held - KINDS, KINDS))
    triples = max(0, held - 2 * KINDS)
    return masks.ways(min(held, KINDS) - pairs, pairs - triples, triples, min(count, held))


def _worth(rules: RuleSet) -> Numbers:
    """What a capture of a bottom of 0, 5, 10 … points is worth."""
    points = sorted(
        (rules.points[card.rank - 2] for card in CARDS for _ in range(rules.deck.copies[card.kind])), reverse=True
    )
    most = sum(points[: rules.deck.bottom])
    found = numbers(most // 5 + 1)
    for place in range(len(found)):
        found[place] = rules.hook.bottom_worth(result=result_of(rules, bottom_points=5 * place, captured=True)).points
    if (found % 5).any() or (found < 0).any():
        raise NotCovered(Text("抠底的分不是 5 的倍数", "captures are not worth multiples of 5"))
    return found


def result_of(
    rules: RuleSet,
    *,
    dealer: int = 0,
    points: int = 0,
    captured: bool = False,
    kings: tuple[int, int] = (0, 0),
    dry: bool = False,
    bottom_points: int = 0,
    trick_points: int = 0,
    levels: tuple[int, int] | None = None,
    paid: Owed | None = None,
    next_dealer: int | None = None,
    takeover: bool = False,
) -> Result:
    """A result as the hooks of settling get it."""
    start = rules.start_level
    big, small = kings
    return Result(
        dealer=dealer,
        levels=levels or (start, start),
        trick_points=trick_points,
        capture=Capture.CAPTURED if captured else Capture.HELD,
        bottom=(CARDS[53],) * big + (CARDS[52],) * small,
        bottom_points=bottom_points,
        dry=dry,
        trump=trump_order(start, "S", rules.permanent),
        last_play=(),
        tribute_paid=paid,
        attackers_points=points,
        next_dealer=next_dealer,
        takeover=takeover,
    )


# -- play ----------------------------------------------------------------------------------------------------------


def _read_play(rules: RuleSet, names: Names, order: Trump, scalars: Numbers) -> None:
    """The play's rules must be the functions that are compiled; their two small numbers."""
    lead, follow_rule, trick = rules.play_rules(order)
    compiled = (
        lead.count is masks.lead_count
        and lead.kth is masks.lead_kth
        and follow_rule.count is masks.follow_count
        and follow_rule.kth is masks.follow_kth
        and follow_rule.shape is follow.shape
        and getattr(trick.power, "__code__", None) is masks.play_power.__code__
        and getattr(trick.power, "__defaults__", None) == (TRUMP_LANE, order.power)
    )
    if not compiled:
        raise NotCovered(Text("出牌的规则没有编译版", "the rules of the play have no compiled form"))
    scalars[at.STRICT], scalars[at.SPLIT] = follow_rule.strict, follow_rule.split
    scalars[at.BY_TRICK] = names.rule(trick.by)


# -- the bottom ------------------------------------------------------------------------------------------------------


def _bits(order: Trump) -> list[int]:
    return [order.mask_of(kind) for kind in range(KINDS)]


def _bottoms(order: Trump, size: int) -> Iterator[Masks]:
    """Bottoms to check with: of each number of kinds, drawn, half of them of few lanes."""
    bits = sorted(_bits(order))
    for k in range(CHECKS if size else 0):
        span = len(bits) if k & 1 else 18
        first = below(k, order.level, 0, len(bits) - span + 1)
        one = two = three = 0
        for i in range(size):
            bit = bits[first + below(k, order.level, i + 1, span)]
            three |= two & bit
            two |= one & bit
            one |= bit
        yield one, two, three


def _read_dry(
    rules: RuleSet, names: Names, order: Trump, shown: bool, first: bool, bottoms: Iterable[Masks]
) -> list[int]:
    """(Mask, then dry and by: without side cards; with side cards and no trump of the mask; with one)."""
    size = rules.deck.bottom
    if not size:
        return [0] * 7

    def ask(kinds: int) -> tuple[int, int]:
        verdict = rules.hook.dry_pot(bottom=(kinds, 0, 0), trump=order, shown=shown, first_hand=first)
        return int(verdict.dry), names.rule(verdict.by)

    bits = _bits(order)
    side = next(bit for bit in bits if not bit & TRUMP_LANE)
    trumps = [bit for bit in bits if bit & TRUMP_LANE]
    without = ask(order.big)
    plain = ask(side)
    counting = 0
    counted = plain
    for bit in trumps:
        found = ask(side | bit)
        if found != plain:
            counting |= bit
            counted = found
    for one, two, three in bottoms:
        verdict = rules.hook.dry_pot(bottom=(one, two, three), trump=order, shown=shown, first_hand=first)
        told = without if not one & ~TRUMP_LANE else counted if one & counting else plain
        if (int(verdict.dry), names.rule(verdict.by)) != told:
            raise NotCovered(Text("干锅的规则没有编译版", "the rule of dry pots has no compiled form"))
    return [counting, *without, *plain, *counted]


def _read_window(rules: RuleSet, names: Names, order: Trump, row: Numbers, bottoms: Iterable[Masks]) -> None:
    """The kinds any of which shuts the window, and those all of which do."""

    def ask(kinds: int) -> tuple[bool, str]:
        window = rules.hook.kings_window(dealer_buried=(kinds, 0, 0), trump=order)
        return window.open, window.by

    bits = _bits(order)
    everything = sum(bits)
    alone = [ask(bit) for bit in bits]
    neutral = next((bit for bit, (is_open, _) in zip(bits, alone, strict=True) if is_open), 0)
    all_shut = sum(bit for bit, (is_open, _) in zip(bits, alone, strict=True) if not is_open)
    any_shuts = 0
    if neutral:
        any_shuts = sum(bit for bit in bits if not ask(neutral | bit)[0])
    open_by = next((by for is_open, by in alone if is_open), "")
    shut_by = next((by for is_open, by in alone if not is_open), "")
    if not neutral:
        all_shut = everything
    row[at.ANY_SHUTS], row[at.ALL_SHUT] = any_shuts, all_shut
    row[at.OPEN_BY], row[at.SHUT_BY] = names.rule(open_by), names.rule(shut_by)
    for one, two, three in bottoms:
        window = rules.hook.kings_window(dealer_buried=(one, two, three), trump=order)
        is_open = not (one & any_shuts or not one & ~all_shut)
        if (window.open, window.by) != (is_open, open_by if is_open else shut_by):
            raise NotCovered(Text("别家扣王的规则没有编译版", "the rule of the others' window has no compiled form"))


# -- deal, tribute, kings ------------------------------------------------------------------------------------------------


def _read_bids(rules: RuleSet, low: int, high: int) -> tuple[Numbers, Numbers, Numbers, Numbers]:
    """All declarations by level, which may be made over which, and the kinds they need."""
    hook = rules.hook
    by_level = {level: list(hook.bids(level=level, held=[3] * KINDS)) for level in range(low, high + 1)}
    most = max(len(found) for found in by_level.values())
    bids = numbers(15, max(most, 1), 3)
    bids[:, :, 1] = 1
    needed = numbers(15, most + 1, 3)
    allowed = numbers(15, most + 1, max(most, 1))
    notable = numbers(15)
    for level, found in by_level.items():
        for n, (cards, suit) in enumerate(found):
            if not 1 <= len(cards) <= 3 or len(set(cards)) != 1:
                raise NotCovered(Text("亮主的牌没有编译版", "declarations of several kinds have no compiled form"))
            bids[level, n] = cards[0].kind, len(cards), SUITS.index(suit)
            notable[level] |= 1 << cards[0].kind
        standings: list[Bid | None] = [None, *(Bid(0, tuple(cards), suit) for cards, suit in found)]
        for place, standing in enumerate(standings):
            for n, (cards, suit) in enumerate(found):
                judged = hook.judge_bid(level=level, cards=cards, suit=suit, standing=standing)
                if judged is None:
                    allowed[level, place, n] = 1
                    needed[level, place, len(cards) - 1] |= 1 << cards[0].kind
        for k in range(CHECKS):
            held = [below(k, level, kind, 4) for kind in range(KINDS)]
            told = [bid for bid in found if held[bid[0][0].kind] >= len(bid[0])]
            if list(hook.bids(level=level, held=held)) != told:
                raise NotCovered(Text("亮主的规则没有编译版", "the rule of declarations has no compiled form"))
    return bids, allowed, needed, notable


def _read_exemptions(rules: RuleSet, names: Names) -> Numbers:
    found = numbers(4, 4, 256, 3)
    for giver in range(4):
        for receiver in ((giver + 1) % 4, (giver + 3) % 4):
            for code in range(256):
                big = [code >> 6, code >> 4 & 3, code >> 2 & 3, code & 3]
                if sum(big) > 3:
                    continue
                told = [rules.hook.tribute_exemption(owed=Owed(giver, receiver, n), big_jokers=big) for n in (1, 7)]
                if told[0] != told[1]:
                    raise NotCovered(Text("抗贡的规则没有编译版", "the rule of exemptions has no compiled form"))
                if told[0] is not None:
                    kind = 2 if told[0].kind == "cancel" else 1
                    found[giver, receiver, code] = kind, told[0].seat, names.rule(told[0].by)
    return found


def _read_splits(rules: RuleSet) -> tuple[Numbers, Numbers]:
    splits = numbers(4, 4, at.MOST_SPLITS, 2)
    counts = numbers(4, 4)
    for big in range(4):
        for small in range(4):
            found: list[Any] = list(rules.hook.king_splits(big=big, small=small))
            if len(found) > at.MOST_SPLITS:
                raise NotCovered(Text("扣王的规则没有编译版", "the rule of burying kings has no compiled form"))
            counts[big, small] = len(found)
            for n, split in enumerate(found):
                splits[big, small, n] = split
    return splits, counts


assert TRUMP_SHIFT == 36, "the lanes are those the kernel was written for"
