"""``steady``, compiled: what its seat sees is handed to the very functions that the player asks (``gunzi.apps.players``).

These functions take the places of those in ``choosing`` (``ANSWERS``). They answer for the seats that play ``steady`` and hand the
others on, so that the two may sit at one table.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final

from gunzi import choices, masks
from gunzi.apps.lab.fast import choosing
from gunzi.apps.lab.fast import layout as at
from gunzi.apps.lab.fast.layout import Scratch, Tables
from gunzi.apps.lab.fast.pieces import block_of, has_bid, kth_of, order_of
from gunzi.apps.players import preparing
from gunzi.apps.players.following import choose_follow
from gunzi.apps.players.leading import choose_lead

# -- the deal ------------------------------------------------------------------------------------------------------


def count_cards(x: Scratch, seat: int, dealt: int) -> int:
    """Count the cards a seat has of the first ``dealt``, by kind."""
    for kind in range(54):
        x.counts[kind] = 0
    held = 0
    for p in range((seat - x.found[at.FIRST]) & 3, dealt, 4):
        x.counts[x.deck[p]] += 1
        held += 1
    return held


def claims(t: Tables, x: Scratch, seat: int, dealt: int, acts: int) -> bool:
    """In place of ``choosing.claims``."""
    if not t.scalars[at.PLAYERS + seat]:
        return choosing.claims(t, x, seat, dealt, acts)
    count_cards(x, seat, dealt)
    return preparing.claims(x.counts)


def declares(t: Tables, x: Scratch, seat: int, dealt: int, standing: int, acts: int) -> int:
    """In place of ``choosing.declares``."""
    if not t.scalars[at.PLAYERS + seat]:
        return choosing.declares(t, x, seat, dealt, standing, acts)
    level = x.found[at.LEVEL]
    held = count_cards(x, seat, dealt)
    plain = preparing.plain_ranks(level, t.scalars[at.PERMANENTS])
    lengths = (
        preparing.suit_length(x.counts, 0, plain),
        preparing.suit_length(x.counts, 1, plain),
        preparing.suit_length(x.counts, 2, plain),
        preparing.suit_length(x.counts, 3, plain),
    )
    named = preparing.NOT_DECLARED
    foes = 0
    if standing >= 0:
        named = t.bids[level, standing, 2]
        foes = (x.found[at.DECLARER] ^ seat) & 1
    best = 0
    most = 0
    k = 0
    for bid in range(t.scalars[at.BIDS]):
        if t.allowed[level, standing + 1, bid] and has_bid(t, x, level, seat, bid):
            k += 1
            weight = preparing.weigh_declaration(
                t.bids[level, bid, 2], t.bids[level, bid, 1], lengths, held, t.scalars[at.HAND_SIZE], named, foes
            )
            if weight > most:
                best = k
                most = weight
    return best


# -- tribute and burying -------------------------------------------------------------------------------------------


def pays(t: Tables, x: Scratch, seat: int, choices: Any) -> tuple[int, int, int]:
    """In place of ``choosing.pays``."""
    if not t.scalars[at.PLAYERS + seat]:
        return choosing.pays(t, x, seat, choices)
    f, q, r = block_of(choices)
    return preparing.choose_payment(x.holdings[seat, 1], f[0], f[1], f[2], q[0], q[1], q[2], r)


def returns(t: Tables, x: Scratch, seat: int, choices: Any) -> tuple[int, int, int]:
    """In place of ``choosing.returns``."""
    if not t.scalars[at.PLAYERS + seat]:
        return choosing.returns(t, x, seat, choices)
    f, q, r = block_of(choices)
    row = t.trumps[x.found[at.TRUMP]]
    return preparing.choose_return(f[0], f[1], f[2], q[0], q[1], q[2], r, row[at.POINTED], row[at.HEAVY])


def buries(t: Tables, x: Scratch, seat: int, choices: Any) -> tuple[int, int, int]:
    """In place of ``choosing.buries``."""
    if not t.scalars[at.PLAYERS + seat]:
        return choosing.buries(t, x, seat, choices)
    h = x.holdings[seat]
    row = t.trumps[x.found[at.TRUMP]]
    need = t.scalars[at.BOTTOM_SIZE]
    king = preparing.king_to_spare(h[0], h[1], h[2], row[at.BIG], row[at.LITTLE]) if need > 1 else 0
    # First with the king, then without; whatever is left is the first choice of all.
    for spared in range(1 if king else 0, -1, -1):
        p1, p2, p3 = preparing.choose_burial(
            h[0], h[1], h[2], need - spared, row[at.KINGS], row[at.TOPS], row[at.POINTED], row[at.HEAVY]
        )
        if spared:
            p1, p2, p3 = masks.add(p1, p2, p3, king, 0, 0)
        if may_bury(t, x, seat, p1, p2, p3):
            return p1, p2, p3
    return kth_of(choices, 0)


def may_bury(t: Tables, x: Scratch, seat: int, p1: int, p2: int, p3: int) -> bool:
    """May a seat bury these cards?"""
    order: Any = order_of(t, x.found[at.TRUMP])
    h = x.holdings[seat]
    if not masks.contains(h[0], h[1], h[2], p1, p2, p3) or masks.size(p1, p2, p3) != t.scalars[at.BOTTOM_SIZE]:
        return False
    big, small = choices.count_kings((h[0], h[1], h[2]), order)
    bigs, smalls = choices.count_kings((p1, p2, p3), order)
    for i in range(t.split_counts[big, small]):
        if t.splits[big, small, i, 0] == bigs and t.splits[big, small, i, 1] == smalls:
            return True
    return False


def buries_kings(t: Tables, x: Scratch, seat: int, acts: int) -> int:
    """In place of ``choosing.buries_kings``."""
    if not t.scalars[at.PLAYERS + seat]:
        return choosing.buries_kings(t, x, seat, acts)
    h = x.holdings[seat]
    return 1 if preparing.gives_king(h[0], h[1], h[2]) else 0


def picks(t: Tables, x: Scratch, seat: int, choices: Any) -> tuple[int, int, int]:
    """In place of ``choosing.picks``."""
    if not t.scalars[at.PLAYERS + seat]:
        return choosing.picks(t, x, seat, choices)
    f, q, r = block_of(choices)
    h = x.holdings[seat]
    return preparing.choose_pick(h[0], h[1], f[0], f[1], f[2], q[0], q[1], q[2], r)


# -- the play ------------------------------------------------------------------------------------------------------


def note_play(t: Tables, x: Scratch, seat: int, p1: int, p2: int, p3: int) -> None:
    """In place of ``choosing.note_play``: the best play so far, and who is seen to be void."""
    lane = x.table[at.LANE]
    n = x.table[at.LED]
    if x.table[at.WINNING] == seat:
        x.table[at.BEST] = p1 if n == 1 else (p2 if n == 2 else p3)
    if p1 & ~lane and (n != 2 or not t.scalars[at.STRICT] or t.scalars[at.SPLIT] != masks.EXEMPT):
        x.voids[seat] |= lane


def unseen(x: Scratch, seat: int) -> tuple[int, int, int]:
    """The cards that are out and that a seat does not see: the others' and, where it does not know it, the bottom."""
    u1 = 0
    u2 = 0
    u3 = 0
    for step in range(1, 4):
        h = x.holdings[(seat + step) & 3]
        u1, u2, u3 = masks.add(u1, u2, u3, h[0], h[1], h[2])
    found = x.found
    if found[at.KNOWN] >> seat & 1:
        return u1, u2, u3
    return masks.add(u1, u2, u3, found[at.BOTTOM_1], found[at.BOTTOM_2], found[at.BOTTOM_3])


def lead(t: Tables, x: Scratch, seat: int) -> tuple[int, int, int]:
    """In place of ``choosing.lead``."""
    if not t.scalars[at.PLAYERS + seat]:
        return choosing.lead(t, x, seat)
    h = x.holdings[seat]
    if not h[0] & (h[0] - 1) and not h[1]:
        return masks.lead_kth(h[0], h[1], h[2], 0)
    u1, u2, u3 = unseen(x, seat)
    trump = x.found[at.TRUMP]
    foes = x.voids[seat ^ 1] | x.voids[seat ^ 3]
    points: Any = t.points[trump]
    return choose_lead(
        h[0], h[1], h[2], u1, u2, u3, foes, x.voids[seat ^ 2], t.trumps[trump, at.POINTED], points
    )  # fmt: skip


def follow(t: Tables, x: Scratch, seat: int) -> tuple[int, int, int]:
    """In place of ``choosing.follow``."""
    if not t.scalars[at.PLAYERS + seat]:
        return choosing.follow(t, x, seat)
    h = x.holdings[seat]
    table = x.table
    lane = table[at.LANE]
    n = table[at.LED]
    strict = t.scalars[at.STRICT]
    split = t.scalars[at.SPLIT]
    if h[0] & (h[0] - 1) or h[1]:
        u1, u2, u3 = unseen(x, seat)
        trump = x.found[at.TRUMP]
        power: Any = t.power[trump]
        mate_wins = 1 if table[at.WINNING] ^ seat == 2 else 0
        last = x.voids[(table[at.LEADER] + 3) & 3]
        p1, p2, p3 = choose_follow(
            h[0], h[1], h[2], u1, u2, u3, lane, n, strict, split, table[at.BEST], table[at.STRONGEST], mate_wins,
            table[at.PLACED], last, table[at.PILE], t.trumps[trump, at.POINTED], t.trumps[trump, at.HEAVY], power,
        )  # fmt: skip
        if masks.is_follow(h[0], h[1], h[2], lane, n, strict, split, p1, p2, p3):
            return p1, p2, p3
    return masks.follow_kth(h[0], h[1], h[2], lane, n, strict, split, 0)


ANSWERS: Final[Mapping[Callable[..., Any], Callable[..., Any]]] = {
    choosing.claims: claims,
    choosing.declares: declares,
    choosing.pays: pays,
    choosing.returns: returns,
    choosing.buries: buries,
    choosing.buries_kings: buries_kings,
    choosing.picks: picks,
    choosing.note_play: note_play,
    choosing.lead: lead,
    choosing.follow: follow,
}
"""What the compiler binds in place of ``choosing``."""
