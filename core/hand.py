"""A hand: one deal, up to 40 tricks. Plain data, moved from phase to phase.

A hand is rebuilt from its deck and its events, can be copied mid-way, and compares and hashes by content.
"""

from __future__ import annotations

from collections.abc import Sequence
from copy import deepcopy
from typing import TYPE_CHECKING, Any

from gunzi.acts import Act, Offers
from gunzi.ask import ACT_TEXT, KIND_TEXT, Ask, ListAsk, PlayAsk
from gunzi.cards import KINDS, Card
from gunzi.errors import Refused, Text
from gunzi.play_rules import PlayRules
from gunzi.playout import Draws, play_out
from gunzi.shown import Shown
from gunzi.sight import Sight
from gunzi.trump import NOTHING, Masks, Trump, trump_order
from gunzi.values import Bid, Owed, Settlement

if TYPE_CHECKING:
    from gunzi.fairness import Fair
    from gunzi.record import EventLog
    from gunzi.ruleset import RuleSet


class Hand:
    """One hand under a rule set.

    ``number`` and ``round`` count from 1; ``levels`` are the sides' levels (side 0: seats 0 and 2); ``dealer`` is None in
    the first hand of a round until somebody claims or is found; ``first`` is dealt the first card; ``deck`` lists all
    cards, the bottom last; ``owed`` is the tribute due; ``fair`` says what the deck was drawn from (None: it does not matter).
    ``outcome`` becomes ``settled`` or ``redeal``.
    """

    __slots__ = (
        "attackers_points",
        "bids",
        "bottom",
        "bottom_shown",
        "claim",
        "closing",
        "notable",
        "noted",
        "dealer",
        "dealer_buried",
        "dealt",
        "deck",
        "dry",
        "extra",
        "fair",
        "first",
        "first_hand",
        "given",
        "holdings",
        "how",
        "index",
        "kings_named",
        "kings_seats",
        "lane",
        "last_play",
        "lead",
        "leader",
        "levels",
        "log",
        "n",
        "number",
        "offers",
        "outcome",
        "owed",
        "paced",
        "pending",
        "pile",
        "play_rules",
        "plays",
        "redeal",
        "round",
        "rules",
        "settlement",
        "standing",
        "strongest",
        "suit",
        "taken",
        "trick_number",
        "tribute",
        "tribute_paid",
        "trump",
        "turn",
        "turned",
        "waiting",
        "watch",
        "winning",
        "winning_play",
    )

    def __new__(cls, rules: RuleSet | None = None, *args: Any, **more: Any) -> Hand:
        if cls is Hand and rules is not None and rules.host.strangers:
            from gunzi.guarding import GuardedHand  # it stands on this module; built-in rules do without it

            return object.__new__(GuardedHand)
        return object.__new__(cls)

    def __init__(
        self,
        rules: RuleSet,
        deck: Sequence[Card],
        *,
        number: int = 1,
        round: int = 1,
        levels: tuple[int, int] | None = None,
        dealer: int | None = None,
        first: int = 0,
        owed: Owed | None = None,
        redeal: int = 0,
        paced: bool = False,
        log: EventLog | None = None,
        watched: bool = False,
        fair: Fair | None = None,
    ) -> None:
        self.rules = rules
        self.number, self.round, self.redeal = number, round, redeal
        self.levels = levels or (rules.start_level, rules.start_level)
        self.dealer, self.first, self.first_hand = dealer, first, dealer is None
        self.deck = tuple(deck)
        self.fair = fair
        self.owed = owed
        self.paced = paced
        self.log = log
        self.watch = Shown(rules) if watched else None
        self.index = -1
        self.outcome: str | None = None
        self.extra: dict[str, Any] = {}
        # deal
        self.dealt = 0
        # Where in the deck the cards lie that can be claimed or declared with, and which of these each seat has (card_bit).
        self.notable: tuple[int, ...] | None = None
        self.noted = [0, 0, 0, 0]
        self.pending: tuple[int, ...] = ()
        self.closing = False
        self.claim: tuple[int, Card, int] | None = None
        self.standing: Bid | None = None
        self.offers: Offers | None = None
        self.bids: tuple[Bid, ...] = ()
        # trump
        self.turned: tuple[tuple[int, Card], ...] = ()
        self.trump: Trump | None = None
        self.suit = ""
        self.how = ""
        self.holdings: list[Masks] = [NOTHING] * 4
        # tribute: (giver, receiver, cards still to move, returning?)
        self.tribute: tuple[int, int, int, bool] | None = None
        self.tribute_paid: Owed | None = None
        # Who gave tribute to whom, the cards, and those that came back so far.
        self.given: tuple[int, int, Masks, Masks] | None = None
        # bottom and burying
        self.bottom: tuple[Card, ...] = self.deck[rules.deck.dealt :]
        self.bottom_shown = False
        self.dry = False
        self.taken: Masks = NOTHING
        self.dealer_buried: tuple[Card, ...] = ()
        self.kings_seats: tuple[int, ...] = ()
        self.kings_named: tuple[Card, ...] = ()
        # play
        self.play_rules: PlayRules | None = None
        self.turn = self.leader = 0
        self.trick_number = 0
        self.plays = 0
        self.lead: Masks | None = None
        self.lane = 0
        self.n = 0
        self.pile = 0
        self.winning = 0
        self.strongest = 0
        self.winning_play: Masks = NOTHING
        self.attackers_points = 0
        self.last_play: tuple[Card, ...] = ()
        self.settlement: Settlement | None = None
        self.waiting: Ask | None = None
        if log is not None or watched:
            self._announce()
        self._advance()

    def _announce(self) -> None:
        self.emit(
            "hand",
            hand=self.number,
            round=self.round,
            levels=list(self.levels),
            dealer=self.dealer,
            first=self.first,
            deck=list(self.deck),
            owed=self.owed.as_json() if self.owed else None,
            redeal=self.redeal,
            **({} if self.fair is None else {"fair": self.fair.public(), "fair_seed": self.fair.seed.hex()}),
        )

    # -- asking and acting -------------------------------------------------------------------------------------

    @property
    def ask(self) -> Ask | None:
        """The question to be answered now; None when the hand is over."""
        return self.waiting

    @property
    def over(self) -> bool:
        """Is the hand settled, or to be dealt again?"""
        return self.waiting is None

    @property
    def phase(self) -> str:
        """The name of the phase the hand is in; empty when it is over."""
        return "" if self.over else self.rules.phases[self.index].name

    def do(self, seat: int, act: Act) -> None:
        """Apply a seat's act and move on to the next question. Raises Refused (or CardError); then nothing has changed."""
        if self.waiting is None:
            raise self.rules.refuse("table.over", seat=seat)
        if type(seat) is not int:  # True and 1.0 would pass for seat 1
            raise self.rules.refuse("table.seat", {"seat": repr(seat)})
        self.waiting = waiting = self.rules.phases[self.index].step(self, seat, act)
        if waiting is None:
            self._advance()

    def play_out(self, draws: Sequence[Draws]) -> None:
        """Play all the tricks at once by random plays, each seat with its draws, and settle: what ``random`` in every
        seat does, without a question asked. Only before the first lead, and where nobody watches."""
        waiting = self.waiting
        if not isinstance(waiting, PlayAsk) or self.plays or self.trick_number != 1:
            raise ValueError("a hand is played out from its first lead")
        if self.watch is not None:
            raise ValueError("a hand that is watched is played ask by ask")
        rules = waiting.play_rules
        played = play_out(rules, self.holdings, waiting.seat, draws, self.log)
        self.holdings = [NOTHING] * 4
        self.attackers_points = played.attackers
        self.trick_number = played.tricks + 1
        self.leader = self.turn = self.winning = played.winner
        self.winning_play, self.strongest = played.last_play, played.strongest
        self.lane, self.n = played.lane, played.n
        self.last_play = rules.trump.cards(played.last_play)
        self.waiting = None
        self._advance()

    def end_early(self, settlement: Settlement, why: str) -> None:
        """Settle the hand with what it comes to whatever is still played; see ``ending_early.settled_early``."""
        self.emit("early", why=why, by="table.early")
        self.settlement = settlement
        self.outcome = "settled"
        if self.log is not None:
            self.log.write("settle", {**settlement.as_json(), **self.revealed})
        self.waiting = None

    def _advance(self) -> None:
        phases = self.rules.phases
        waiting = phases[self.index].ask(self) if self.index >= 0 else None
        while waiting is None:
            self.index += 1
            if self.outcome is not None or self.index >= len(phases):
                break
            phases[self.index].start(self)
            waiting = phases[self.index].ask(self)
        self.waiting = waiting

    def set_pace(self, paced: bool) -> None:
        """Deal card by card on the house's word (``paced``), or as far as the next question."""
        self.paced = paced
        if self.waiting is not None and self.waiting.kind == "deal":
            self.waiting = None
            self._advance()

    def ask_of(self, seat: int) -> Ask | None:
        """What this seat may do at this moment, whoever is being asked: during the deal any seat may claim or declare."""
        if self.waiting is None:
            return None
        if self.phase == "deal":
            return self.rules.phases[self.index].offer(self, seat)  # type: ignore[attr-defined,no-any-return]
        return self.waiting if self.waiting.seat == seat else None

    def wrong_phase(self, seat: int, act: object) -> Refused:
        """The refusal for an act that this phase does not know."""
        said = ACT_TEXT.get(type(act)) or Text(repr(act), repr(act))
        kind = self.waiting.kind if self.waiting else ""
        wanted = KIND_TEXT.get(kind) or Text(kind, kind)
        return self.rules.refuse("table.phase", {"act": said, "kind": wanted}, seat=seat)

    def check_turn(self, seat: int) -> None:
        """Raise Refused unless ``seat`` is the one that is asked."""
        assert self.waiting is not None
        if seat != self.waiting.seat:
            if seat not in (0, 1, 2, 3):
                raise self.rules.refuse("table.seat", {"seat": seat}, seat=None)
            raise self.rules.refuse("table.turn", {"seat": seat, "turn": self.waiting.seat}, seat=seat)

    # -- what phases do to a hand ------------------------------------------------------------------------------

    @property
    def heard(self) -> bool:
        """Does anybody want to know what happens? Where nobody does, a phase need not work out what an event would say."""
        return self.log is not None or self.watch is not None

    def emit(self, kind: str, /, **keys: Any) -> None:
        """Write an event; its ``n`` is given by the log."""
        if self.log is not None:
            self.log.write(kind, keys)
        if self.watch is not None:
            self.watch.write(kind, keys)

    @property
    def revealed(self) -> dict[str, str]:
        """What the last event of the hand adds, so that everybody can check the deal: the seed of a fair one."""
        return {} if self.fair is None else {"fair_seed": self.fair.seed.hex()}

    @property
    def level(self) -> int:
        """The hand's level: the dealer side's (both sides' are equal while the dealer is unknown)."""
        return self.levels[(self.dealer or 0) % 2]

    def fix_trump(self, suit: str, dealer: int, how: str, by: str) -> None:
        """Trump and dealer are final: order the holdings by them."""
        self.dealer, self.suit, self.how = dealer, suit, how
        trump = self.trump = trump_order(self.level, suit, self.rules.permanent)
        self.holdings = [trump.masks(self.deck[(seat - self.first) % 4 : self.dealt : 4]) for seat in range(4)]
        if self.heard:
            self.emit("trump", suit=suit, level=self.level, dealer=dealer, how=how, by=by)

    def void(self, why: str) -> None:
        """The deal is void: it is dealt again with the same dealer and debts."""
        self.outcome = "redeal"
        self.emit("redeal", why=why, by="deal.redeal", **self.revealed)

    # -- data --------------------------------------------------------------------------------------------------

    def content(self) -> tuple[Any, ...]:
        """Everything that makes this hand what it is, hashable; the log and the rule objects apart."""
        return (
            self.rules.hash,
            *(_frozen(getattr(self, name)) for name in Hand.__slots__ if name not in _NOT_CONTENT),
        )

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Hand) and self.content() == other.content()

    def __hash__(self) -> int:
        return hash(self.content())

    def copy(self) -> Hand:
        """An independent copy that keeps no log: what is done to it is written nowhere."""
        twin = object.__new__(type(self))
        for name in Hand.__slots__:
            setattr(twin, name, getattr(self, name))
        twin.holdings = list(self.holdings)
        twin.noted = list(self.noted)
        twin.extra = deepcopy(self.extra) if self.extra else {}
        twin.log = twin.watch = None
        if isinstance(self.waiting, ListAsk):
            twin.waiting = self.waiting.of(twin)
        return twin

    __copy__ = copy

    def sight(self, seat: int) -> Sight:
        """What a seat 0-3 of a watched hand knows now. Raises ValueError where the hand is not watched."""
        if self.watch is None:
            raise ValueError("this hand is not watched: make it with watched=True")
        return Sight(self.watch, seat).look(self)

    def counts_of(self, seat: int) -> list[int]:
        """The cards a seat has been dealt so far, as 54 counts by kind."""
        counts = [0] * KINDS
        for card in self.deck[(seat - self.first) % 4 : self.dealt : 4]:
            counts[card.kind] += 1
        return counts

    def cards_of(self, seat: int) -> tuple[Card, ...]:
        """What a seat holds now, weakest first once trump is known (by kind before)."""
        if self.trump is not None:
            return self.trump.cards(self.holdings[seat])
        place = (seat - self.first) % 4
        return tuple(sorted(self.deck[place : self.dealt : 4], key=lambda card: card.kind))


_NOT_CONTENT = frozenset(
    {"rules", "log", "watch", "waiting", "play_rules", "offers", "notable", "noted", "paced", "fair"}
)


def _frozen(value: Any) -> Any:
    if isinstance(value, list):
        return tuple(_frozen(item) for item in value)
    if isinstance(value, dict):
        return tuple(sorted((key, _frozen(item)) for key, item in value.items()))
    return value
