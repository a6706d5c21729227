"""Actions: an act is picked one kind of cards after another, weakest first.

An action is a whole number below ``ACTIONS``, the same under every rule set:

* ``3 * kind + count - 1``: exactly ``count`` (1-3) cards of a kind (0-53, as in ``gunzi.CARDS``), and none of any weaker kind any
  more;
* ``PASS`` (162): pass; after a pick, "that is all" where an act could still go on;
* ``SUIT + s`` (163-166): the suit S H C D that three equal jokers name.

Weakest first is the order of ``Trump.cards``: the side suits in the order S H C D, then the trumps. An act of many cards has one
sequence of picks and a sequence of picks is one act: the allowed picks are those that some allowed act begins with, so that no pick
leads nowhere, and an act is done as soon as no other act goes on from it.

What a plugin asks that is no choice of cards, or allows by rules of its own in more than ``MOST_LISTED`` ways, is answered by number:
the act's place in the ask, in digits to the base ``BASE`` (162), the highest first.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final, Protocol

from gunzi import masks
from gunzi.acts import Act, Bury, BuryKings, Claim, Declare, Pass, Pay, Pick, Play, Return
from gunzi.ask import Ask, CardsAsk, PlayAsk
from gunzi.cards import CARDS, KINDS, SUITS, Card
from gunzi.trump import NOTHING, Masks, Trump
from gunzi.values import Block

BASE: Final = 3 * KINDS
PASS: Final = BASE
SUIT: Final = PASS + 1
ACTIONS: Final = SUIT + len(SUITS)
"""How many actions there are: 167."""
MOST_LISTED: Final = 4096


def action_of(card: Card, count: int = 1) -> int:
    """The action that picks ``count`` (1-3) cards of a kind."""
    return 3 * card.kind + count - 1


def picked_by(action: int) -> tuple[Card, int] | None:
    """The kind of cards an action picks, and how many; None for ``PASS`` and the suits."""
    return (CARDS[action // 3], action % 3 + 1) if 0 <= action < BASE else None


class Picker(Protocol):
    """The picks of one ask: ``allowed`` now, ``pick`` one of them, and the ``act`` once it is complete (None before).

    ``wanted``: how many cards are still to be picked, where the ask says so (else 0). ``numbered``: the act is picked by its number.
    """

    act: Act | None
    numbered: bool

    @property
    def wanted(self) -> int: ...
    def allowed(self) -> Iterable[int]: ...
    def pick(self, action: int) -> None: ...


Rest = tuple[int, int, int, int, int, int, int]
"""What is left of a block above the last pick: forced masks, pool masks, how many from the pool."""


class BlockPicks:
    """Picks from disjoint blocks of choices of equal size (``gunzi.values.Block``)."""

    numbered = False

    def __init__(self, ask: CardsAsk | PlayAsk, blocks: Sequence[Block]) -> None:
        self.ask = ask
        self.rest: list[Rest] = [(*block.forced, *block.pool, block.count) for block in blocks]
        self.chosen: Masks = NOTHING
        self.act: Act | None = None

    @property
    def wanted(self) -> int:
        """How many cards are still to be picked."""
        f1, f2, f3, _, _, _, count = self.rest[0]
        return masks.size(f1, f2, f3) + count

    def allowed(self) -> set[int]:
        """The picks some choice goes on with."""
        found: set[int] = set()
        kind_at = self.ask.trump.kind_at
        for f1, f2, f3, q1, q2, q3, count in self.rest:
            pool = q1 if count else 0
            if f1:
                # A forced kind cannot be left out: the weakest of them is the furthest pick.
                bit = f1 & -f1
                pool &= bit - 1
                above = -bit
                if count <= masks.size(q1 & above, q2 & above, q3 & above):
                    found.add(3 * kind_at[bit.bit_length() - 1] + (f2 & bit != 0) + (f3 & bit != 0))
            if count == 1:
                while pool:
                    bit = pool & -pool
                    pool ^= bit
                    found.add(3 * kind_at[bit.bit_length() - 1])
                continue
            left = masks.size(q1, q2, q3)
            while pool:
                bit = pool & -pool
                pool ^= bit
                copies = 1 + (q2 & bit != 0) + (q3 & bit != 0)
                if left < count:
                    break
                left -= copies
                first = 3 * kind_at[bit.bit_length() - 1] - 1
                for picked in range(max(1, count - left), min(copies, count) + 1):
                    found.add(first + picked)
        return found

    def pick(self, action: int) -> None:
        """Go on with a pick, which must be allowed."""
        bit = self.ask.trump.mask_of(action // 3)
        picked = action % 3 + 1
        above = -(bit << 1)
        rest: list[Rest] = []
        for f1, f2, f3, q1, q2, q3, count in self.rest:
            if f1 & (bit - 1):
                continue
            if f1 & bit:
                if picked != 1 + (f2 & bit != 0) + (f3 & bit != 0):
                    continue
                f1, f2, f3 = f1 ^ bit, f2 & ~bit, f3 & ~bit
            else:
                if not q1 & bit or picked > count or picked > 1 + (q2 & bit != 0) + (q3 & bit != 0):
                    continue
                count -= picked
            q1, q2, q3 = q1 & above, q2 & above, q3 & above
            if count <= masks.size(q1, q2, q3):
                rest.append((f1, f2, f3, q1, q2, q3, count))
        self.rest = rest
        c1, c2, c3 = self.chosen
        self.chosen = (c1 | bit, c2 | (bit if picked > 1 else 0), c3 | (bit if picked > 2 else 0))
        if not rest[0][0] and not rest[0][6]:
            self.act = _made(self.ask, self.chosen)


def _made(ask: CardsAsk | PlayAsk, chosen: Masks) -> Act:
    if isinstance(ask, CardsAsk):
        return ask.act_type(ask.trump.cards(chosen))
    act = ask.play(chosen)
    assert act is not None
    return act


class LeadPicks:
    """A lead by gunzi's own rule: one pick, so many cards of one kind."""

    numbered = False
    wanted = 0

    def __init__(self, ask: PlayAsk) -> None:
        self.ask = ask
        self.act: Act | None = None

    def allowed(self) -> list[int]:
        """Every kind held, in every count held."""
        found = []
        kind_at = self.ask.trump.kind_at
        for more, mask in enumerate(self.ask.holding):
            while mask:
                bit = mask & -mask
                mask ^= bit
                found.append(3 * kind_at[bit.bit_length() - 1] + more)
        return found

    def pick(self, action: int) -> None:
        """Lead it."""
        bit = self.ask.trump.mask_of(action // 3)
        self.act = _made(self.ask, (bit, bit if action % 3 else 0, bit if action % 3 == 2 else 0))


class ListedPicks:
    """Picks from acts that are listed one by one, each with its sequence."""

    numbered = False
    wanted = 0

    def __init__(self, acts: Sequence[tuple[tuple[int, ...], Act]]) -> None:
        self.acts = list(acts)
        self.done = 0
        self.act: Act | None = None

    def allowed(self) -> set[int]:
        """The next pick of every act still possible; ``PASS`` where one is complete and others go on."""
        done = self.done
        return {sequence[done] if len(sequence) > done else PASS for sequence, _ in self.acts}

    def pick(self, action: int) -> None:
        """Go on with a pick, which must be allowed."""
        done = self.done
        self.acts = [
            (sequence, act)
            for sequence, act in self.acts
            if (sequence[done] if len(sequence) > done else PASS) == action
        ]
        self.done = done = done + 1
        if len(self.acts) == 1 and len(self.acts[0][0]) <= done:
            self.act = self.acts[0][1]


class NumberPicks:
    """An act picked by its place in the ask, digit by digit."""

    numbered = True
    wanted = 0

    def __init__(self, ask: Ask) -> None:
        self.ask = ask
        self.value = 0
        self.unit = 1
        while self.unit * BASE < ask.total:
            self.unit *= BASE
        self.act: Act | None = None

    def allowed(self) -> range:
        """The digits with which a number below the total can go on."""
        return range(min(BASE, -(-(self.ask.total - self.value) // self.unit)))

    def pick(self, action: int) -> None:
        """Go on with a digit."""
        self.value += action * self.unit
        if self.unit == 1:
            self.act = self.ask.kth(self.value)
        else:
            self.unit //= BASE


def picker_of(ask: Ask, trump: Trump | None) -> Picker:
    """How an ask is answered."""
    if type(ask) is CardsAsk:
        blocks = [block for block, count in zip(ask.choices.blocks, ask.choices.counts, strict=True) if count]
        if blocks and masks.size(*blocks[0].forced) + blocks[0].count:
            return BlockPicks(ask, blocks)
    elif type(ask) is PlayAsk:
        rules = ask.play_rules
        if ask.lead is None:
            if rules.leads.count is masks.lead_count and rules.leads.contains is masks.is_lead:
                return LeadPicks(ask)
        elif rules.follow.count is masks.follow_count and rules.follow.contains is masks.is_follow:
            return BlockPicks(
                ask, follow_blocks(*ask.holding, ask.lane, ask.n, rules.follow.strict, rules.follow.split)
            )
    if ask.total <= MOST_LISTED:
        listed = [(sequence_of(act, trump), act) for act in ask]
        sequences = {sequence for sequence, _ in listed if sequence is not None}
        if len(sequences) == len(listed):
            return ListedPicks([(sequence, act) for sequence, act in listed if sequence is not None])
    return NumberPicks(ask)


def sequence_of(act: Act, trump: Trump | None) -> tuple[int, ...] | None:
    """The picks that make an act, ``PASS`` at the end not counted; None for what is no choice of cards.

    ``trump`` orders them; None: by kind.
    """
    suits: tuple[int, ...] = ()
    cards: Iterable[Card]
    if isinstance(act, Pass):
        return (PASS,)
    if isinstance(act, Claim):
        cards = (act.card,)
    elif isinstance(act, Declare):
        cards = act.cards
        if any(card.suit != act.suit for card in act.cards):
            suits = (SUIT + SUITS.index(act.suit),)
    elif isinstance(act, BuryKings):
        cards = act.kings
    elif isinstance(act, (Pay, Return, Bury, Pick, Play)):
        cards = act.cards
    else:
        return None
    counts: dict[int, int] = {}
    for card in cards:
        counts[card.kind] = counts.get(card.kind, 0) + 1
    kinds = sorted(counts, key=(lambda kind: trump.bit_of[kind]) if trump is not None else None)
    return (*(3 * kind + counts[kind] - 1 for kind in kinds), *suits) or (PASS,)


def follow_blocks(h1: int, h2: int, h3: int, lane: int, n: int, strict: int, split: int) -> list[Block]:
    """All plays that follow n cards led in ``lane``, as disjoint blocks: the set ``masks.follow_kth`` numbers one by one."""
    if n == 1:
        return [Block(NOTHING, (masks.follow_single(h1, lane), 0, 0), 1)]
    inside = (h1 & lane, h2 & lane, h3 & lane)
    outside = (h1 & ~lane, h2 & ~lane, h3 & ~lane)
    held = masks.size(*inside)
    if held < n:
        return [Block(inside, outside, n - held)]
    i1, i2, i3 = inside
    if strict and i2 and n == 2:
        if i2 != i3 or split == masks.MUST_SPLIT:
            return [Block((bit, bit, 0), NOTHING, 0) for bit in _bits(i2)]
        if split == masks.EXEMPT:
            # Triples need not be touched: the cards that bind are the singles of the lane.
            blocks = [Block(NOTHING, inside, 2)]
            bound = i1.bit_count() - i3.bit_count()
            if bound <= 1 and outside[0]:
                blocks += [Block((bit, 0, 0), outside, 1) for bit in _bits(i1)]
            if bound == 0 and masks.size(*outside) >= 2:
                blocks.append(Block(NOTHING, outside, 2))
            return blocks
    elif strict and i2 and n == 3:
        if i3:
            return [Block((bit, bit, bit), NOTHING, 0) for bit in _bits(i3)]
        return [Block((bit, bit, 0), (i1 & ~bit, 0, 0), 1) for bit in _bits(i2) if i1 & ~bit]
    return [Block(NOTHING, inside, n)]


def _bits(mask: int) -> list[int]:
    found = []
    while mask:
        bit = mask & -mask
        mask ^= bit
        found.append(bit)
    return found
