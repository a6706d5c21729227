"""What compiled code works on: named tuples of whole-number arrays, and where in them everything lies."""

from __future__ import annotations

from typing import Any, Final, NamedTuple, TypeAlias

import numpy as np

Numbers: TypeAlias = Any
"""An array of 64-bit whole numbers. It is no more to a type checker, which must come to the same without numpy."""


class Tables(NamedTuple):
    """A rule set as numbers, read from its hooks. Trump orders are numbered ``4 * level + suit``, suits S H C D."""

    scalars: Numbers
    """See ``HAND_SIZE`` and the following."""
    cards: Numbers
    """The kinds of the deck before it is shuffled."""
    claimed: Numbers
    """First hand: the kinds that can be claimed with."""
    draw_suit: Numbers
    """[kind] the suit a drawn card makes trump, -1: none."""
    bids: Numbers
    """[level, bid] (kind, count, suit)."""
    allowed: Numbers
    """[level, standing + 1, bid] 1: may be declared over what stands (0: nothing)."""
    needed: Numbers
    """[level, standing + 1, n] masks of kinds: who has one, two or three of such a kind has a declaration that is allowed."""
    notable: Numbers
    """[level] a mask of the kinds that occur in declarations; level 0 is the first hand's claims."""
    trumps: Numbers
    """[trump, field]: see ``BIG`` and the following."""
    mask_at: Numbers
    """[trump, kind] the kind's bit."""
    power: Numbers
    tribute_rank: Numbers
    pick_rank: Numbers
    points: Numbers
    """[trump, bit] each of these four."""
    tiers: Numbers
    """[trump, tier] what may be given back."""
    dry: Numbers
    """[trump, shown, first hand] (mask of the trumps that count, then for no side card, side cards and none that counts,
    side cards and one that counts: dry, by)."""
    shown: Numbers
    """[how the trump was found] 1: the bottom is shown."""
    exempt: Numbers
    """[giver, receiver, big jokers of the four seats in base 4] (0 paid, 1 turned round, 2 cancelled; seat; by)."""
    splits: Numbers
    """[big, small, n] (big, small) that may be buried together; the number of splits stands in ``split_counts``."""
    split_counts: Numbers
    burial_shown: Numbers
    """[kings in the bottom] 1: the buried bottom is shown."""
    worth: Numbers
    """[points of the bottom / 5] what a capture is worth."""


HAND_SIZE: Final = 0
BOTTOM_SIZE: Final = 1
START_LEVEL: Final = 2
AUTOMATIC: Final = 3
STRICT: Final = 4
SPLIT: Final = 5
HAS_TRIBUTE: Final = 6
HAS_BOTTOM: Final = 7
HAS_BURY: Final = 8
HAS_KINGS: Final = 9
BY_CLAIM: Final = 10
BY_DECLARE: Final = 11
BY_DECLARED: Final = 12
BY_CLAIM_SUIT: Final = 13
BY_DRAW: Final = 14
BY_REDEAL: Final = 15
BY_TRICK: Final = 16
MOST_POINTS: Final = 17
BIDS: Final = 18
CLAIMED: Final = 19
DECK_SIZE: Final = 20
PERMANENTS: Final = 21
PLAYERS: Final = 22
SCALARS: Final = 26
"""Places in ``Tables.scalars``. From ``PLAYERS`` on, the players of the four seats by number (``names``): 0 is ``random``."""

BIG: Final = 0
LITTLE: Final = 1
KINGS: Final = 2
POINTED: Final = 3
PAYABLE: Final = 4
PICKABLE: Final = 5
ANY_SHUTS: Final = 6
ALL_SHUT: Final = 7
OPEN_BY: Final = 8
SHUT_BY: Final = 9
HEAVY: Final = 10
TOPS: Final = 11
TRUMP_FIELDS: Final = 12
"""Places in a row of ``Tables.trumps``: single bits, masks, and the rules that open or shut the others' window: it is shut when
a kind of ``ANY_SHUTS`` is buried, or nothing but kinds of ``ALL_SHUT``. ``HEAVY`` and ``TOPS``: the kinds with more than five
points, the strongest of each side suit."""


NO_ENDING: Final = -1
FINAL_LEVEL: Final = 0
"""The number of the ending that passing the final level is; others are numbered as the rules name them."""


class Memo(NamedTuple):
    """Settlements the rules were asked about before. What is missing is asked, and the hand is played again.

    Seats are counted from the dealer, sides from the dealer's side: to built-in rules all seats are alike.
    """

    ends: Numbers
    """[``end_place``] ``END_FIELDS`` numbers; the first one 1 where the rules have been asked."""
    climbs: Numbers
    """[level, earned, as dealer] (asked, level, climbed, passed, lost)."""
    scores: Numbers
    """An open hash table, a power of two long: score key (0: free), the four seats' scores."""


ASKED: Final = 0
NEXT_DEALER: Final = 1
TAKEOVER: Final = 2
ENDING: Final = 3
WINNER: Final = 4
UP_SIDE: Final = 5
EARNED: Final = 6
OWES: Final = 7
END_FIELDS: Final = 8
MOST_EARNED: Final = 96


class Scratch(NamedTuple):
    """Room to work in; nothing in it outlives a hand."""

    deck: Numbers
    bases: Numbers
    noted: Numbers
    """[seat, n] masks of the kinds to claim or declare with of which a seat has been dealt one, two, three."""
    pending: Numbers
    place: Numbers
    asked: Numbers
    holdings: Numbers
    """[seat, 3]"""
    found: Numbers
    """What a phase found: see ``TRUMP`` and the following."""
    table: Numbers
    """The trick that is being played: see ``LEADER`` and the following."""
    counts: Numbers
    """[kind] the cards dealt so far to a seat that looks at them."""
    voids: Numbers
    """[seat] the lanes in which it has shown to be void, kept up for players that look."""


TRUMP: Final = 0
HOW: Final = 1
CLAIMER: Final = 2
CLAIM_DEALT: Final = 3
STANDING: Final = 4
LEVEL: Final = 5
BOTTOM_1: Final = 6
BOTTOM_2: Final = 7
BOTTOM_3: Final = 8
DRY: Final = 9
PAID_FROM: Final = 10
PAID_TO: Final = 11
PAID: Final = 12
WON_BY: Final = 13
TRICK_POINTS: Final = 14
WINDOW: Final = 15
FIRST: Final = 16
DECLARER: Final = 17
KNOWN: Final = 18
FOUND: Final = 19
"""Places in ``Scratch.found``. ``FIRST``: who is dealt first; ``DECLARER``: whose declaration stands; ``KNOWN``: a bit for each seat
that knows the bottom as it lies."""

LEADER, TRICK, PLACED, LANE, LED, STRONGEST, WINNING, PILE, BEST = range(9)
TABLE: Final = 9
"""Places in ``Scratch.table``: who leads, the trick's number from 1, how many plays lie there, the led lane and how many cards
were led, the power of the best play, whose it is, the points that lie there, the kind that the best play
is of (for players that look)."""

CLAIM_HOW, TURN_HOW, DECLARE_HOW, DRAW_HOW = range(4)
HOWS: Final = ("claim", "turn", "declare", "draw")

# The state of a run: places in an array.
UNIT: Final = 0
UNITS: Final = 1
FRESH: Final = 2
OVER: Final = 3
SEED: Final = 4
HAND: Final = 5
ROUND: Final = 6
LEVEL_0: Final = 7
LEVEL_1: Final = 8
DEALER: Final = 9
OWED_FROM: Final = 10
OWED_TO: Final = 11
OWED: Final = 12
REDEAL: Final = 13
MOST_HANDS: Final = 14
MOST_ROUNDS: Final = 15
WON_0: Final = 16
WON_1: Final = 17
SCORE_0: Final = 18
REDEALS: Final = 22
ROWS: Final = 23
STATE: Final = 24

# A unit as it begins.
UNIT_FIELDS: Final = 7
"""seed, level of side 0, of side 1, dealer (-1: first hand), owed by, owed to, owed cards (0: none)."""

# A settled hand.
R_UNIT, R_FIRST_HAND, R_HOW, R_DEALER, R_FIRST, R_OWED, R_DRY, R_PAID_FROM, R_PAID_TO, R_PAID = range(10)
R_POINTS, R_CAPTURED, R_TAKEOVER, R_NEXT_DEALER, R_UP_SIDE, R_EARNED, R_CLIMBED, R_LOST = range(10, 18)
R_BIG, R_SMALL, R_OWES_FROM, R_OWES_TO, R_OWES, R_ENDING, R_WON_BY, R_SCORE_0 = range(18, 26)
R_TRICK_POINTS, R_BOTTOM_POINTS, R_LEVEL_0, R_LEVEL_1, R_AFTER_0, R_AFTER_1, R_SCORE_KEY, R_REDEALS = range(29, 37)
ROW: Final = 37

# What a run stops for.
DONE, MISS_REVEAL, MISS_END, MISS_CLIMB, MISS_SCORE, FULL, TOO_MANY_REDEALS, REDEALT, NEXT = range(9)


class Log(NamedTuple):
    """Events as numbers: ``data`` from ``events[k, 0]`` on is event k, its kind first; ``events[k, 1]`` is the rule it names, by
    number."""

    data: Numbers
    events: Numbers
    units: Numbers
    """[unit] the number of its first event."""
    cursor: Numbers
    """How much of data is used, how many events there are, and 1 where anything is written at all."""


USED, EVENT_COUNT, ON = range(3)
"""Places in ``Log.cursor``."""

E_HAND, E_CLAIM, E_DECLARE, E_TURN, E_DRAW, E_TRUMP, E_REDEAL, E_EXEMPT, E_TRIBUTE, E_RETURN = range(10)
E_BOTTOM, E_BURY, E_KINGS, E_PLAY, E_TRICK, E_SETTLE = range(10, 16)
EVENTS: Final = (
    "hand", "claim", "declare", "turn", "draw", "trump", "redeal", "exempt", "tribute", "return", "bottom", "bury",
    "bury_kings", "play", "trick", "settle",
)  # fmt: skip
ROOM: Final = 4096
"""More numbers than the events of one deal come to."""
KINDS_A_WORD: Final = 10
"""So many kinds of the deck are one number of a ``hand`` event, six bits each, the first one lowest."""

# The reveal, answered by the rules: [known, turned, dealer (-1: redeal), suit, by, then seat, kind, by for each card turned].
ANSWER: Final = 5


MOST_CARDS: Final = 162
MOST_CLAIMED: Final = 8
MOST_BIDS: Final = 32
MOST_SPLITS: Final = 16
MOST_TIERS: Final = 6
MOST_WORTH: Final = 512
TRUMPS: Final = 64
SHAPES: Final[dict[str, tuple[int, ...]]] = {
    "scalars": (SCALARS,),
    "cards": (MOST_CARDS,),
    "claimed": (MOST_CLAIMED,),
    "draw_suit": (54,),
    "bids": (15, MOST_BIDS, 3),
    "allowed": (15, MOST_BIDS + 1, MOST_BIDS),
    "needed": (15, MOST_BIDS + 1, 3),
    "notable": (15,),
    "trumps": (TRUMPS, TRUMP_FIELDS),
    "mask_at": (TRUMPS, 54),
    "power": (TRUMPS, 60),
    "tribute_rank": (TRUMPS, 60),
    "pick_rank": (TRUMPS, 60),
    "points": (TRUMPS, 60),
    "tiers": (TRUMPS, MOST_TIERS),
    "dry": (TRUMPS, 2, 2, 7),
    "shown": (4,),
    "exempt": (4, 4, 256, 3),
    "splits": (4, 4, MOST_SPLITS, 2),
    "split_counts": (4, 4),
    "burial_shown": (MOST_CARDS + 8,),
    "worth": (MOST_WORTH,),
}
"""The arrays of ``Tables``: of one size for all rule sets, so that one compiled form serves them all."""
SCRATCH_SHAPES: Final[dict[str, tuple[int, ...]]] = {
    "deck": (MOST_CARDS,),
    "bases": (4,),
    "noted": (4, 3),
    "pending": (8,),
    "place": (4,),
    "asked": (4,),
    "holdings": (4, 3),
    "found": (FOUND,),
    "table": (TABLE,),
    "counts": (54,),
    "voids": (4,),
}
"""The arrays of ``Scratch``."""


def record(shapes: dict[str, tuple[int, ...]]) -> Any:
    """One record of such arrays, zeros: compiled code gets it by its address, not array by array."""
    return np.zeros(1, dtype=np.dtype([(name, np.int64, shape) for name, shape in shapes.items()]))


def numbers(*shape: int) -> Numbers:
    """An array of zeros."""
    return np.zeros(shape, dtype=np.int64)
