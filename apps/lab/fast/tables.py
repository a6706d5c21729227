"""A rule set as numbers: every table is read from the rules' own hooks, which stay the only place where a rule is written.

What a hook decides about whole bottoms (dry pots, the others' window) is read by trying single cards, and then checked against
the hook on many bottoms: a hook that does not decide in that way is not covered.
"""

from __future__ import annotations

from typing import Any, Final

from gunzi import combinations, masks
from gunzi.apps.lab.fast import layout as at
from gunzi.apps.lab.fast.bottoms import CHECKS, drawn_bottoms, read_dry, read_window
from gunzi.apps.lab.fast.layout import Numbers, Tables
from gunzi.apps.lab.fast.names import Names, NotCovered
from gunzi.apps.players.steady import permanent_ranks, worth
from gunzi.cards import CARDS, KINDS, SUITS
from gunzi.chance import below
from gunzi.errors import Text
from gunzi.plugins import follow
from gunzi.ruleset import RuleSet
from gunzi.trump import TRUMP_LANE, Trump, trump_order
from gunzi.values import Bid, Capture, Owed, Result

PHASES: Final = ("deal", "reveal", "tribute", "bottom", "bury", "bury_kings", "play", "settle")
NEEDED: Final = frozenset({"deal", "reveal", "play", "settle"})
MOST_CHOICES: Final = 1 << 62


def read(rules: RuleSet, names: Names, low: int, high: int) -> tuple[Any, Tables]:
    """The tables of a rule set for hands of the levels ``low`` to ``high``, as one record and array by array. Raises NotCovered."""
    check_shape(rules)
    packed = at.record(at.SHAPES)
    t = Tables(*(packed[0][name] for name in Tables._fields))
    deck = rules.deck
    t.cards[: deck.size] = [kind for kind, copies in enumerate(deck.copies) for _ in range(copies)]
    _read_scalars(rules, names, t)
    _read_worth(rules, t)
    _read_deal(rules, t)
    _read_bids(rules, t, low, high)
    for order in (trump_order(level, suit, rules.permanent) for level in range(low, high + 1) for suit in SUITS):
        _read_order(rules, names, t, order)
    _read_exemptions(rules, names, t)
    _read_splits(rules, t)
    t.shown[:] = [rules.hook.bottom_is_shown(how=name) for name in at.HOWS]
    t.burial_shown[:] = [rules.hook.burial_is_shown(kings=kings) for kings in range(len(t.burial_shown))]
    return packed, t


def _read_scalars(rules: RuleSet, names: Names, t: Tables) -> None:
    scalars, deck, phases = t.scalars, rules.deck, rules.options["phases"]
    scalars[at.HAND_SIZE], scalars[at.BOTTOM_SIZE], scalars[at.DECK_SIZE] = deck.hand, deck.bottom, deck.size
    scalars[at.START_LEVEL] = rules.start_level
    scalars[at.AUTOMATIC] = rules.claims.automatic
    scalars[at.PERMANENTS] = permanent_ranks(rules.permanent)
    for place, phase in (
        (at.HAS_TRIBUTE, "tribute"),
        (at.HAS_BOTTOM, "bottom"),
        (at.HAS_BURY, "bury"),
        (at.HAS_KINGS, "bury_kings"),
    ):
        scalars[place] = phase in phases
    for place, rule in (
        (at.BY_CLAIM, rules.claims.by),
        (at.BY_DECLARE, "declare.strength"),
        (at.BY_DECLARED, "trump.declare"),
        (at.BY_CLAIM_SUIT, "claim.suit"),
        (at.BY_DRAW, "trump.draw"),
        (at.BY_REDEAL, "deal.redeal"),
    ):
        scalars[place] = names.rule(rule)


def _read_order(rules: RuleSet, names: Names, t: Tables, order: Trump) -> None:
    """What holds under one trump order."""
    n = 4 * order.level + SUITS.index(order.suit)
    hook, row = rules.hook, t.trumps[n]
    t.mask_at[n] = [order.mask_of(kind) for kind in range(KINDS)]
    t.power[n], t.tribute_rank[n], t.pick_rank[n] = order.power, order.tribute_rank, order.pick_rank
    row[at.POINTED], t.points[n] = rules.point_masks(order)
    _, row[at.HEAVY], _, row[at.TOPS] = worth(rules, order)
    row[at.BIG], row[at.LITTLE], row[at.KINGS] = order.big, order.little, order.kings
    row[at.PAYABLE], row[at.PICKABLE] = hook.payable(trump=order), hook.pickable(trump=order)
    given = list(hook.returnable(trump=order))
    if len(given) > at.MOST_TIERS:
        raise NotCovered(Text("还贡分的档太多", "more tiers of cards to give back than there is room for"))
    t.tiers[n, : len(given)] = given
    if rules.deck.bottom:
        bottoms = [*drawn_bottoms(order, rules.deck.bottom)]
        read_window(rules, names, order, row, bottoms)
        for shown in (0, 1):
            for first in (0, 1):
                t.dry[n, shown, first] = read_dry(rules, names, order, bool(shown), bool(first), bottoms)
    _read_play(rules, names, order, t.scalars)


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
    return combinations.ways(min(held, KINDS) - pairs, pairs - triples, triples, min(count, held))


def _read_worth(rules: RuleSet, t: Tables) -> None:
    """What captures are worth, and so how many points there can be."""
    points = sorted(
        (rules.points[card.rank - 2] for card in CARDS for _ in range(rules.deck.copies[card.kind])), reverse=True
    )
    places = sum(points[: rules.deck.bottom]) // 5 + 1
    too_many = Text("分太多，编译版装不下", "there are more points than the compiled form has room for")
    if places > at.MOST_WORTH:
        raise NotCovered(too_many)
    for place in range(places):
        result = result_of(rules, bottom_points=5 * place, captured=True)
        t.worth[place] = rules.hook.bottom_worth(result=result).points
    if (t.worth % 5).any() or (t.worth < 0).any():
        raise NotCovered(Text("抠底的分不是 5 的倍数", "captures are not worth multiples of 5"))
    most = (sum(points) + int(t.worth.max())) // 5 + 1
    if most > 1000:
        raise NotCovered(too_many)
    t.scalars[at.MOST_POINTS] = most


def _read_deal(rules: RuleSet, t: Tables) -> None:
    """What is claimed with, and the suits that drawn cards name."""
    claimed = rules.claims.cards
    if len(claimed) > at.MOST_CLAIMED:
        raise NotCovered(Text("能抢亮的牌太多", "there are more cards to claim with than there is room for"))
    t.scalars[at.CLAIMED] = len(claimed)
    t.claimed[: len(claimed)] = [card.kind for card in claimed]
    t.notable[0] = sum(1 << card.kind for card in claimed)
    for card in CARDS:
        suit = rules.hook.draw_suit(card=card)
        t.draw_suit[card.kind] = SUITS.index(suit) if suit else -1


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


# -- deal, tribute, kings ------------------------------------------------------------------------------------------------


def _read_bids(rules: RuleSet, t: Tables, low: int, high: int) -> None:
    """All declarations by level, which may be made over which, and the kinds they need."""
    hook = rules.hook
    unknown = NotCovered(Text("亮主的规则没有编译版", "the rule of declarations has no compiled form"))
    t.bids[:, :, 1] = 1
    for level in range(low, high + 1):
        found = list(hook.bids(level=level, held=[3] * KINDS))
        t.scalars[at.BIDS] = max(int(t.scalars[at.BIDS]), len(found))
        if len(found) > at.MOST_BIDS:
            raise unknown
        for n, (cards, suit) in enumerate(found):
            if not 1 <= len(cards) <= 3 or len(set(cards)) != 1:
                raise unknown
            t.bids[level, n] = cards[0].kind, len(cards), SUITS.index(suit)
            t.notable[level] |= 1 << cards[0].kind
        standings: list[Bid | None] = [None, *(Bid(0, tuple(cards), suit) for cards, suit in found)]
        for place, standing in enumerate(standings):
            for n, (cards, suit) in enumerate(found):
                if hook.judge_bid(level=level, cards=cards, suit=suit, standing=standing) is None:
                    t.allowed[level, place, n] = 1
                    t.needed[level, place, len(cards) - 1] |= 1 << cards[0].kind
        for k in range(CHECKS):
            held = [below(k, level, kind, 4) for kind in range(KINDS)]
            if list(hook.bids(level=level, held=held)) != [bid for bid in found if held[bid[0][0].kind] >= len(bid[0])]:
                raise unknown


def _read_exemptions(rules: RuleSet, names: Names, t: Tables) -> None:
    for giver in range(4):
        for receiver in ((giver + 1) % 4, (giver + 3) % 4):
            for code in range(256):
                big = [code >> 6, code >> 4 & 3, code >> 2 & 3, code & 3]
                if sum(big) > 3:
                    continue
                told = [rules.hook.tribute_exemption(owed=Owed(giver, receiver, n), big_jokers=big) for n in (1, 7)]
                if told[0] != told[1]:
                    raise NotCovered(
                        Text("三个大王免贡、反进贡的规则没有编译版", "the rule of exemptions has no compiled form")
                    )
                if told[0] is not None:
                    kind = 2 if told[0].kind == "cancel" else 1
                    t.exempt[giver, receiver, code] = kind, told[0].seat, names.rule(told[0].by)


def _read_splits(rules: RuleSet, t: Tables) -> None:
    for big in range(4):
        for small in range(4):
            found: list[Any] = list(rules.hook.king_splits(big=big, small=small))
            if len(found) > at.MOST_SPLITS:
                raise NotCovered(Text("扣王的规则没有编译版", "the rule of burying kings has no compiled form"))
            t.split_counts[big, small] = len(found)
            for n, split in enumerate(found):
                t.splits[big, small, n] = split
