"""``steady``: a sensible player. It counts what was played, and keeps no secret plans.

It decides on whole numbers: the integer functions in ``leading``, ``following`` and ``discarding`` say what to play, those in
``preparing`` what to do before. This file asks them for a seat at a table; the lab's fast path compiles the same functions. Its
answer depends on what its seat can see alone; it needs no dice.
"""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

from gunzi import masks
from gunzi.acts import Act, Claim, Declare
from gunzi.apps.players import preparing
from gunzi.apps.players.dice import Dice
from gunzi.apps.players.following import choose_follow
from gunzi.apps.players.leading import choose_lead
from gunzi.ask import Ask, CardsAsk, PlayAsk
from gunzi.cards import SUITS
from gunzi.errors import Text
from gunzi.masks import is_follow
from gunzi.ruleset import RuleSet
from gunzi.sight import Sight
from gunzi.trump import Masks, Trump


class Steady:
    """The player that does the sensible thing in every phase."""

    name = "steady"
    title = Text("稳当", "steady")
    looks = True
    uniform = False

    def act(self, sight: Sight, ask: Ask, dice: Dice) -> Act:
        """The sensible act; the first one where a plugin asks what it does not know."""
        if isinstance(ask, PlayAsk):
            return _play(sight, ask)
        kind = ask.kind
        if len(ask) == 1:
            return ask[0]
        if kind in ("claim", "declare"):
            return _bid(sight, ask)
        if kind == "bury_kings":
            return ask[1] if preparing.gives_king(*sight.holding) else ask[0]
        if isinstance(ask, CardsAsk):
            chosen = _cards(sight, ask)
            return ask.act_type(ask.trump.cards(chosen)) if chosen in ask.choices else ask[0]
        return ask[0]


class Worth(NamedTuple):
    """What the kinds are worth under a trump order."""

    pointed: int
    """Kinds with points."""
    heavy: int
    """Kinds with more than five."""
    points: tuple[int, ...]
    """The points of each bit."""
    tops: int
    """The strongest kind of each side suit."""


@lru_cache(maxsize=1024)
def worth(rules: RuleSet, trump: Trump) -> Worth:
    """What the kinds are worth."""
    pointed, points = rules.point_masks(trump)
    heavy = 0
    for bit, each in enumerate(points):
        if each > 5:
            heavy |= 1 << bit
    return Worth(pointed, heavy, points, preparing.top_kinds(trump))


@lru_cache(maxsize=256)
def permanent_ranks(permanent: tuple[int, ...]) -> int:
    """The permanent ranks as ``preparing.plain_ranks`` takes them."""
    return sum(1 << rank - 2 for rank in permanent)


def _bid(sight: Sight, ask: Ask) -> Act:
    """A claim or declaration, or the first answer: none."""
    shown, counts = sight.shown, sight.counts
    best: Act = ask[0]
    most = 0
    lengths: list[int] = []
    plain = standing = foes = 0
    for act in ask:
        if isinstance(act, Claim):
            return act if preparing.claims(counts) else best
        if not isinstance(act, Declare) or act.suit not in SUITS:
            continue
        if not lengths:
            level = shown.levels[(shown.dealer or 0) & 1]
            plain = preparing.plain_ranks(level, permanent_ranks(ask.rules.permanent))
            lengths = [preparing.suit_length(counts, suit, plain) for suit in range(4)]
            standing = preparing.NOT_DECLARED
            if shown.standing is not None:
                standing = SUITS.index(shown.standing.suit)
                foes = (shown.standing.seat ^ sight.seat) & 1
        weight = preparing.weigh_declaration(
            SUITS.index(act.suit), len(act.cards), lengths, sum(counts), ask.rules.deck.hand, standing, foes
        )
        if weight > most:
            best, most = act, weight
    return best


def _cards(sight: Sight, ask: CardsAsk) -> Masks:
    """Cards to bury, to give back, to pick up or to pay; choices of a plugin's that are several blocks are answered from the first."""
    kind = ask.kind
    if kind == "bury":
        return _burial(ask)
    block = ask.choices.blocks[0]
    if kind == "return":
        pointed, heavy, _, _ = worth(ask.rules, ask.trump)
        return preparing.choose_return(*block.forced, *block.pool, block.count, pointed, heavy)
    if kind == "pick":
        h1, h2, _ = sight.holding
        return preparing.choose_pick(h1, h2, *block.forced, *block.pool, block.count)
    return preparing.choose_payment(ask.holding[1], *block.forced, *block.pool, block.count)


def _burial(ask: CardsAsk) -> Masks:
    trump, holding = ask.trump, ask.holding
    pointed, heavy, _, tops = worth(ask.rules, trump)
    need = ask.wanted
    king = preparing.king_to_spare(*holding, trump.big, trump.little) if need > 1 else 0
    if king:
        rest = preparing.choose_burial(*holding, need - 1, trump.kings, tops, pointed, heavy)
        chosen = masks.add(*rest, king, 0, 0)
        if chosen in ask.choices:
            return chosen
    return preparing.choose_burial(*holding, need, trump.kings, tops, pointed, heavy)


def _play(sight: Sight, ask: PlayAsk) -> Act:
    shown = sight.shown
    trump = ask.trump
    seat = ask.seat
    h1, h2, h3 = ask.holding
    if not h1 & (h1 - 1) and not h2:
        return ask.kth(0)
    u1, u2, u3 = masks.remove(shown.out1, shown.out2, shown.out3, h1, h2, h3)
    if shown.buried is None and sight.buried[0]:
        u1, u2, u3 = masks.remove(u1, u2, u3, *sight.buried)
    pointed, heavy, points, _ = worth(ask.rules, trump)
    voids = shown.voids
    if ask.lead is None:
        foes = voids[seat ^ 1] | voids[seat ^ 3]
        p1, p2, p3 = choose_lead(h1, h2, h3, u1, u2, u3, foes, voids[seat ^ 2], pointed, points)
    else:
        n = ask.n
        follow = ask.play_rules.follow
        if n > 3 or follow.contains is not is_follow:
            return ask.kth(0)
        b1, b2, b3 = shown.best
        place = shown.plays
        # The last to play is a foe of the second and of the third; the fourth is that one himself.
        p1, p2, p3 = choose_follow(
            h1, h2, h3, u1, u2, u3, ask.lane, n, follow.strict, follow.split,
            b1 if n == 1 else (b2 if n == 2 else b3), shown.strongest, shown.winning ^ seat == 2, place,
            voids[(seat + 3 - place) & 3], shown.pile, pointed, heavy, trump.power,
        )  # fmt: skip
    return ask.play((p1, p2, p3)) or ask.kth(0)
