"""Values that rules hand to each other: bids, dry-pot verdicts, results, what is owed, settlements. All immutable."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from enum import Enum
from typing import Any, Final, NamedTuple

from gunzi.cards import Card
from gunzi.errors import Text
from gunzi.trump import Masks, Trump

AFTER: Final = ((1, 2, 3), (2, 3, 0), (3, 0, 1), (0, 1, 2))
"""The three seats after each seat, in playing order."""


class Capture(Enum):
    """Who won the last trick: 保底 or 抠底."""

    HELD = "held"
    CAPTURED = "captured"


HELD: Final = Capture.HELD
CAPTURED: Final = Capture.CAPTURED
"""The two by their own names: looking up a member of an Enum is slow under Python 3.11."""


@dataclass(frozen=True, slots=True)
class Deck:
    """What is dealt: copies of each of the 54 kinds, cards per seat, cards in the bottom."""

    copies: tuple[int, ...]
    hand: int
    bottom: int

    @property
    def dealt(self) -> int:
        """How many cards are dealt to the four seats."""
        return 4 * self.hand

    @property
    def size(self) -> int:
        """How many cards there are."""
        return 4 * self.hand + self.bottom


@dataclass(frozen=True, slots=True)
class Reason:
    """Why something is so or not allowed: a rule id (an option's id where an option decides) and a sentence."""

    rule: str
    text: Text


@dataclass(frozen=True, slots=True)
class ClaimRule:
    """First hand: which cards can be claimed with, and whether the first one dealt is taken automatically."""

    cards: tuple[Card, ...]
    automatic: bool
    by: str = "first_dealer.claim"


@dataclass(frozen=True, slots=True)
class Bid:
    """A declaration that stands."""

    seat: int
    cards: tuple[Card, ...]
    suit: str


@dataclass(frozen=True, slots=True)
class Reveal:
    """What the reveal says after the cards turned so far.

    ``turn``: the seat that turns the next bottom card, None when enough are turned. Then ``dealer`` and ``suit`` are
    set. When cards are still needed and none is left, the hand is redealt.
    """

    turn: int | None = None
    dealer: int | None = None
    suit: str | None = None
    by: str = "reveal.pick"


@dataclass(frozen=True, slots=True)
class Verdict:
    """Is the bottom dry, and by which rule (or by which it is not)."""

    dry: bool
    by: str


@dataclass(frozen=True, slots=True)
class Owed:
    """Tribute due: from seat, to seat, how many cards (above 0)."""

    giver: int
    receiver: int
    count: int

    def as_json(self) -> dict[str, int]:
        """The record's form."""
        return {"from": self.giver, "to": self.receiver, "count": self.count}

    def after(self, exemption: Exemption | None) -> Owed | None:
        """What is left of it after three big jokers have been shown; None: nothing."""
        if exemption is None:
            return self
        return None if exemption.kind == "cancel" else Owed(self.receiver, self.giver, self.count)


@dataclass(frozen=True, slots=True)
class Exemption:
    """Three big jokers against a tribute: ``kind`` is ``reverse`` or ``cancel``, ``seat`` holds them."""

    seat: int
    kind: str
    by: str = "tribute.three_big"


@dataclass(frozen=True, slots=True)
class Block:
    """All choices that contain ``forced`` and ``count`` more cards from ``pool``, which shares no kind with it."""

    forced: Masks
    pool: Masks
    count: int


@dataclass(frozen=True, slots=True)
class Window:
    """May others bury kings after the dealer's six, and by which rule not."""

    open: bool
    by: str


@dataclass(frozen=True, slots=True)
class LeadRule:
    """Which plays may be led, as three integer functions of a holding (h1, h2, h3).

    ``count(h1,h2,h3)``, ``kth(h1,h2,h3,k)``, ``contains(h1,h2,h3,p1,p2,p3)``; ``why_not(holding, play)`` gives the
    reason for a held play (or none at all: an empty one) that ``contains`` refuses. ``compiled`` says that the functions compile.
    """

    count: Callable[[int, int, int], int]
    kth: Callable[[int, int, int, int], Masks]
    contains: Callable[[int, int, int, int, int, int], bool]
    why_not: Callable[[Masks, Masks], Reason]
    compiled: bool = False


@dataclass(frozen=True, slots=True)
class FollowRule:
    """Which plays may follow a lead.

    ``shape(l1,l2,l3)`` turns the lead into (lane mask, number of cards) — or any pair of integers the other functions of
    the same rule understand. ``count(h1,h2,h3,lane,n,strict,split)``, ``kth(…,k)``, ``contains(…,p1,p2,p3)`` as in
    ``masks.py``; ``strict`` and ``split`` are the two small integers handed to them. ``why_not(holding, lead, play)``
    gives the reason for a held play of the right size that ``contains`` refuses.
    """

    shape: Callable[[int, int, int], tuple[int, int]]
    count: Callable[[int, int, int, int, int, int, int], int]
    kth: Callable[[int, int, int, int, int, int, int, int], Masks]
    contains: Callable[[int, int, int, int, int, int, int, int, int, int], bool]
    strict: int
    split: int
    why_not: Callable[[Masks, Masks, Masks], Reason]
    compiled: bool = False


@dataclass(frozen=True, slots=True)
class TrickRule:
    """Who wins a trick: ``power(p1,p2,p3,n,lane)`` of a play, with n and lane as the follow rule's ``shape`` gave them
    for the lead; 0 cannot win. The highest wins, the earlier of equals."""

    power: Callable[[int, int, int, int, int], int]
    by: str = "trick.strongest"
    compiled: bool = False


@dataclass(frozen=True, slots=True)
class Result:
    """A hand played out, before it is settled.

    ``levels`` are the two sides' levels (side 0: seats 0 and 2), ``trick_points`` what the attackers took in tricks,
    ``bottom`` the bottom as it lies at the end, ``bottom_points`` its points before any multiplier, ``last_play`` the
    cards that won the last trick, ``tribute_paid`` the cards that moved as tribute in this hand (None: none).
    ``attackers_points`` and ``takeover`` are None until the rules that decide them have been asked.
    """

    dealer: int
    levels: tuple[int, int]
    trick_points: int
    capture: Capture
    bottom: tuple[Card, ...]
    bottom_points: int
    dry: bool
    trump: Trump
    last_play: tuple[Card, ...]
    tribute_paid: Owed | None = None
    attackers_points: int = 0
    next_dealer: int | None = None
    takeover: bool = False

    @property
    def side(self) -> int:
        """The dealer side: 0 (seats 0 and 2) or 1."""
        return self.dealer % 2

    @property
    def captured(self) -> bool:
        """Did the attackers win the last trick?"""
        return self.capture is CAPTURED

    @property
    def kings(self) -> tuple[int, int]:
        """Big and small jokers in the bottom."""
        return self.bottom.count(BIG_JOKER), self.bottom.count(LITTLE_JOKER)


BIG_JOKER = Card("BJ")
LITTLE_JOKER = Card("LJ")


@dataclass(frozen=True, slots=True)
class BottomWorth:
    """What the attackers get for capturing: the bottom's points after the multiplier."""

    points: int
    by: str = "capture.multiplier"


@dataclass(frozen=True, slots=True)
class Rotation:
    """The next dealer and whether the attackers take over."""

    dealer: int
    takeover: bool
    by: str


@dataclass(frozen=True, slots=True)
class Ending:
    """A way the round ends at once: its name, the side that wins, the rule, its place in the checking order, and the sentence
    that explains it (None: gunzi's own for its endings, else the name)."""

    name: str
    winner: int
    by: str
    order: int = 100
    what: Text | None = None


@dataclass(frozen=True, slots=True)
class LevelUp:
    """A side levels up by ``earned`` levels (1 or more) before any must-play stop."""

    side: int
    earned: int
    by: str = "levels.threshold"


@dataclass(frozen=True, slots=True)
class Climb:
    """Where a level-up leads: the level after, how many levels count as climbed, whether the final level is passed.

    ``lost``: the side stands on a must-play level it may not leave this way; nothing is climbed.
    """

    level: int
    climbed: int
    passed: bool = False
    lost: bool = False
    by: str = "levels.must_play"


@dataclass(frozen=True, slots=True)
class TributePart:
    """A share of the next hand's tribute: positive, the new dealer's previous seat pays; negative, the dealer does."""

    count: int
    what: Text
    by: str


@dataclass(frozen=True, slots=True)
class ScorePart:
    """What one reason adds to the four players' sheets."""

    scores: tuple[int, int, int, int]
    what: Text
    by: str


@dataclass(frozen=True, slots=True)
class Outcome:
    """A settled hand, complete but for the sheets: what the score parts are computed from."""

    result: Result
    ending: str | None
    round_won_by: int | None
    level_up: LevelUp | None
    climb: Climb | None
    levels: tuple[int, int]
    owed: Owed | None


@dataclass(frozen=True, slots=True)
class Explained:
    """One line of a settlement's explanation: what, by which rule, the value it came to."""

    what: Text
    by: str
    value: Any

    def as_json(self) -> dict[str, Any]:
        """The record's form; ``what`` in both languages."""
        return {"what": {"zh": self.what.zh, "en": self.what.en}, "by": self.by, "value": self.value}


class Grounds(NamedTuple):
    """What the rules said to a settlement, of which its explanation is made when somebody asks for it.

    ``worth`` None: no capture was counted; ``tricks_known`` False: only the final score was given. ``level_up`` and ``climb`` are
    as the rules gave them, a lost one included. ``early``: the last plays were not made, so that nobody won the last trick.
    """

    tricks_known: bool
    worth: BottomWorth | None
    rotation: Rotation
    ending: Ending | None
    level_up: LevelUp | None
    climb: Climb | None
    tribute: tuple[TributePart, ...]
    scores: tuple[ScorePart, ...]
    early: bool = False


@dataclass(frozen=True, slots=True)
class Settlement:
    """All that a hand's end decides; the record's ``settle`` event has the same content."""

    outcome: Outcome
    scores: tuple[int, int, int, int]
    grounds: Grounds

    @property
    def explain(self) -> tuple[Explained, ...]:
        """Line by line what came to what, and by which rule."""
        from gunzi.settling import explained  # it stands on this module; most hands are settled without being explained

        return explained(self)

    def as_json(self) -> dict[str, Any]:
        """The keys of the record's ``settle`` event."""
        outcome, result = self.outcome, self.outcome.result
        up = outcome.level_up
        return {
            "trick_points": result.trick_points,
            "bottom": list(result.bottom),
            "bottom_points": result.bottom_points,
            "captured": result.captured,
            "attackers_points": result.attackers_points,
            "takeover": result.takeover,
            "level_up": {"side": up.side, "levels": up.earned} if up else None,
            "levels": list(outcome.levels),
            "next_dealer": None if outcome.round_won_by is not None else result.next_dealer,
            "owed": outcome.owed.as_json() if outcome.owed else None,
            "ending": outcome.ending,
            "round_won_by": outcome.round_won_by,
            "scores": list(self.scores),
            "explain": [line.as_json() for line in self.explain],
        }


@dataclass(frozen=True, slots=True)
class Lint:
    """What a conflict's code means; ``error``: rules that have it cannot be played, and it cannot be silenced."""

    text: Text
    error: bool = False


@dataclass(frozen=True, slots=True)
class Conflict:
    """Options that contradict each other. ``code`` is stable and can be silenced where ``error`` is False."""

    code: str
    options: tuple[str, ...]
    text: Text
    error: bool = True
