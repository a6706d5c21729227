"""A table: hands and rounds played one after another under one rule set."""

from __future__ import annotations

import secrets
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import partial
from random import SystemRandom
from typing import Any

from gunzi.acts import Act
from gunzi.ask import Ask
from gunzi.cards import CARDS, Card
from gunzi.chance import DECK, FIRST, below, seed_word, shuffle, stream_from
from gunzi.errors import TableError, Text
from gunzi.fairness import Fair, FairDeal
from gunzi.hand import Hand
from gunzi.playout import Draws
from gunzi.record import FORMAT, Event, EventLog, Record
from gunzi.ruleset import RuleSet
from gunzi.shown import Shown, shown_of
from gunzi.sight import Sight
from gunzi.values import Owed, Settlement
from gunzi.views import Viewer

Deals = Callable[[int, int], tuple[Sequence[Card], int] | FairDeal]
"""(hand number, attempt) → the deck in dealing order, and the seat dealt first if it is a first hand."""
MOST_REDEALS = 1000
SINGLE_ACTS = ({"tribute"}, {"return"}, {"bury"})
"""What one act before the play may have written for it to be taken back: anything more has shown something new."""
NOBODY = tuple({"name": f"p{seat}", "kind": "bot"} for seat in range(4))


@dataclass(frozen=True, slots=True)
class Start:
    """Where a table takes up the game: both sides' levels, the dealer (None: the first hand of a round), what is owed."""

    levels: tuple[int, int]
    dealer: int | None = None
    owed: Owed | None = None

    def as_json(self) -> Event:
        """The form in a record's header."""
        return {"levels": list(self.levels), "dealer": self.dealer, "owed": self.owed.as_json() if self.owed else None}


class Table:
    """A table of four under ``rules``.

    With a ``seed`` (0 or more) the same table is played again by the same acts; without one the cards come from the
    operating system's entropy. It is over after ``rounds`` rounds or ``hands`` hands, whichever comes first (None: no
    limit). ``record`` False keeps no events (views and records are then not to be had). ``paced`` tables deal card by
    card, each on ``do(-1, DealCard())``, so that claims may be made by anybody in between. ``deals`` provides the decks.
    ``start``: the table takes up a round at this point. ``watched`` tables keep ``sight`` up to date although they keep no events.
    A table that is on ``hold`` stops after every hand (``between`` is then True) until ``deal_next`` is called.
    """

    def __new__(cls, rules: RuleSet | None = None, *args: Any, **more: Any) -> Table:
        if cls is Table and rules is not None and rules.host.strangers:
            from gunzi.guarding import GuardedTable  # it stands on this module; built-in rules do without it

            return object.__new__(GuardedTable)
        return object.__new__(cls)

    def __init__(
        self,
        rules: RuleSet,
        seed: int | None = None,
        *,
        rounds: int | None = 1,
        hands: int | None = None,
        record: bool = True,
        watched: bool = False,
        paced: bool = False,
        players: Sequence[Mapping[str, Any]] | None = None,
        name: str | None = None,
        created: str | None = None,
        deals: Deals | None = None,
        start: Start | None = None,
        hold: bool = False,
    ) -> None:
        if seed is not None and (type(seed) is not int or seed < 0):
            raise TableError(
                Text(f"种子要写 0 以上的整数，不能是 {seed!r}", f"a seed is a whole number from 0, not {seed!r}")
            )
        for limit in (rounds, hands):
            if limit is not None and (type(limit) is not int or limit < 1):
                raise TableError(
                    Text(
                        f"打几轮、几把要写 1 以上的整数，不能是 {limit!r}",
                        f"rounds and hands are whole numbers from 1, or None, not {limit!r}",
                    )
                )
        if players is not None:
            given: Any = players  # whatever a caller hands over
            if not isinstance(given, Sequence) or not all(isinstance(player, Mapping) for player in given):
                raise TableError(
                    Text(
                        f"玩家要写成一列，每人一项，不能是 {players!r}",
                        f"players are a list of mappings, not {players!r}",
                    )
                )
            if len(players) != 4:
                raise TableError(
                    Text(f"一桌四个人，不是 {len(players)} 个", f"a table has four players, not {len(players)}")
                )
        self.rules = rules
        self.seed = seed
        self.rounds, self.hands = rounds, hands
        self.paced = paced
        self.watched = watched
        self.hold = hold
        self.between = False
        self._last_act: tuple[int, int, str] | None = None
        self._sights: tuple[Shown | None, list[Sight]] = (None, [])
        self.players = [dict(player) for player in players or NOBODY]
        simulated = seed is not None or deals is not None
        self.name = name or (f"seed-{seed}" if seed is not None else f"table-{secrets.token_hex(6)}")
        self.created = (
            created if created or simulated else datetime.now(UTC).isoformat(timespec="seconds").replace("+00:00", "Z")
        )
        self.deals = deals or self.live_deals()
        self.log = EventLog(rules.observer) if record else None
        self._viewers: dict[int | None, tuple[Viewer, int]] = {}
        self.hand_number = 1
        self.round_number = 1
        self.rounds_won = [0, 0]
        self.scores = [0, 0, 0, 0]
        self.start = start
        start = start or Start((rules.start_level, rules.start_level))
        self.levels = start.levels
        self.dealer = start.dealer
        self.owed = start.owed
        self.redeal = 0
        self.last: Settlement | None = None
        self.over = False
        self.hand = self._new_hand()
        self._move_on()

    # -- playing -----------------------------------------------------------------------------------------------

    @property
    def ask(self) -> Ask:
        """The question to be answered now. Raises Refused when the table is over or waits for the next deal."""
        waiting = self.hand.waiting
        if waiting is None:
            raise self.rules.refuse("table.between" if self.between else "table.over")
        return waiting

    def do(self, seat: int, act: Act) -> None:
        """Apply an act of a seat 0-3 (-1: the house, on a paced table). Raises Refused or CardError; then nothing has changed."""
        if self.over:
            raise self.rules.refuse("table.over", seat=seat if seat in (0, 1, 2, 3) else None)
        if self.between:
            raise self.rules.refuse("table.between", seat=seat if seat in (0, 1, 2, 3) else None)
        hand = self.hand
        if self.log is None:
            hand.do(seat, act)
        else:
            before, kind = self.log.n, hand.waiting.kind if hand.waiting is not None else ""
            hand.do(seat, act)
            self._last_act = (seat, before, kind)
        if hand.waiting is None:
            self._move_on()

    def deal_next(self) -> None:
        """Deal the next hand of a table that is on hold between two. Raises Refused when there is nothing to be dealt."""
        if self.over:
            raise self.rules.refuse("table.over")
        if not self.between:
            raise self.rules.refuse("table.running")
        self.between = False
        self.hand = self._new_hand()
        self._move_on()

    def play_out(self, draws: Sequence[Draws]) -> None:
        """Play all the tricks of the running hand at once by random plays; see ``Hand.play_out``. Raises ValueError."""
        self.hand.play_out(draws)
        self._move_on()

    def early_end(self) -> Settlement | None:
        """What the running hand comes to whatever is still played; None while that is open. See ``ending_early.py``."""
        from gunzi.ending_early import settled_early  # hands that end early are few

        hand = self.hand
        return settled_early(hand, self.sight(0).shown) if hand.phase == "play" else None

    def end_early(self, why: str = "nothing can change") -> None:
        """Settle the running hand now: the plays that are left could not change what it comes to. Raises Refused where they
        could, or where it is not known; then nothing has changed."""
        settlement = self.early_end()
        if settlement is None:
            raise self.rules.refuse("table.early")
        self.hand.end_early(settlement, why)
        self.forget_last_act()
        self._move_on()

    def may_take_back(self) -> tuple[int, int, str] | None:
        """Whose last act may be taken back, the event to go back to, and the kind of question it answered; None: none may.

        A payment, a return, a burial or a play may, until anybody else has acted or the table has shown something new.
        """
        if self.log is None or self._last_act is None or self.hand.waiting is None:
            return None
        kinds = {event["e"] for event in self.log.events[self._last_act[1] :]}
        return self._last_act if kinds and (kinds <= {"play", "trick"} or kinds in SINGLE_ACTS) else None

    def forget_last_act(self) -> None:
        """Nothing that was done up to now may be taken back."""
        self._last_act = None

    def _move_on(self) -> None:
        # A hand can be void, or even settled, without anybody being asked: then the next one is dealt at once.
        while self.hand.waiting is None:
            if self.hand.outcome == "settled":
                self._take(self.hand)
            else:
                self.redeal += 1
                if self.redeal > MOST_REDEALS:
                    raise TableError(
                        Text(
                            f"连着 {MOST_REDEALS} 次都要重新洗牌：这套规则用这副牌打不了",
                            f"{MOST_REDEALS} deals in a row were void: these rules cannot be played with this deck",
                        )
                    )
            if self.over:
                break
            if self.hold:
                self.between = True
                break
            self.hand = self._new_hand()

    def _take(self, hand: Hand) -> None:
        settlement = hand.settlement
        if settlement is None:
            raise TableError(
                Text("这套规则的步骤没有结算这一把", "the phases of this rule set end a hand without settling it")
            )
        outcome = settlement.outcome
        self.last = settlement
        self.scores = [total + score for total, score in zip(self.scores, settlement.scores, strict=True)]
        self.redeal = 0
        self.levels = outcome.levels
        if outcome.round_won_by is not None:
            self.rounds_won[outcome.round_won_by] += 1
            self.dealer, self.owed = None, None
            if self.rounds is not None and self.round_number >= self.rounds:
                self.over = True
                return
            self.round_number += 1
        else:
            self.dealer, self.owed = outcome.result.next_dealer, outcome.owed
        if self.hands is not None and self.hand_number >= self.hands:
            self.over = True
            return
        self.hand_number += 1

    def _new_hand(self) -> Hand:
        dealt = self.deals(self.hand_number, self.redeal)
        deck, first = dealt[0], dealt[1]
        fair: Fair | None = dealt.fair if isinstance(dealt, FairDeal) else None
        return Hand(
            self.rules,
            deck,
            number=self.hand_number,
            round=self.round_number,
            levels=self.levels,
            dealer=self.dealer,
            first=first if self.dealer is None else self.dealer,
            owed=self.owed,
            redeal=self.redeal,
            paced=self.paced,
            log=self.log,
            watched=self.watched,
            fair=fair,
        )

    def live_deals(self) -> Deals:
        """Where the cards of a table that is played on come from: its seed, else the operating system's entropy."""
        return seeded_deals(self.rules, self.seed) if self.seed is not None else entropy_deals(self.rules)

    def go_live(self, paced: bool = False, *, hold: bool = False, deals: Deals | None = None) -> None:
        """After a replay: deal from the table's own source or from ``deals``, and ask seats during the deal unless ``paced``;
        ``hold``: stop between hands."""
        self.deals = deals or self.live_deals()
        self.paced = paced
        self.hold = hold
        self.hand.set_pace(paced)
        if self.between and not hold:
            self.deal_next()

    # -- looking -----------------------------------------------------------------------------------------------

    @property
    def events(self) -> list[Event]:
        """All events so far, with every hidden card. Raises TableError where none are kept."""
        if self.log is None:
            raise TableError(Text("这一桌不记牌谱（record=False）", "this table keeps no events (record=False)"))
        return self.log.events

    @property
    def header(self) -> Event:
        """The record's first line."""
        header: Event = {
            "gunzi": FORMAT,
            "table": self.name,
            "rules": self.rules.as_json(),
            "players": self.players,
            "created": self.created,
        }
        if self.seed is not None:
            header["seed"] = self.seed
        if self.start is not None:
            header["start"] = self.start.as_json()
        return header

    @property
    def record(self) -> Record:
        """The record so far."""
        return Record(self.header, self.events)

    def viewer(self, seat: int | None) -> Viewer:
        """The view of a seat or a spectator (None), brought up to this moment."""
        events = self.events
        viewer, fed = self._viewers.get(seat) or (Viewer(self.rules, seat), 0)
        if fed < len(events):
            viewer.feed(events[fed:])
        hand = self.hand
        if hand.phase != "deal" or hand.paced or (hand.waiting is not None and hand.waiting.seat == seat):
            # While another seat is asked, where the deal stands would tell that it holds something to be asked about.
            viewer.deal_to(hand.dealt)
        self._viewers[seat] = (viewer, len(events))
        return viewer

    def sight(self, seat: int) -> Sight:
        """What a seat 0-3 knows now, as masks; see ``sight.py``. Raises TableError where neither events nor sights are kept."""
        hand = self.hand
        shown, sights = self._sights
        if shown is None or shown is not hand.watch:
            if hand.watch is None:
                hand.watch = shown_of(self.rules, self.events)
                self.watched = True
            shown = hand.watch
            sights = [Sight(shown, other) for other in range(4)]
            self._sights = (shown, sights)
        return sights[seat].look(hand)

    def view(self, seat: int | None) -> list[Event]:
        """What a seat 0-3 or a spectator (None) may see: see ``views.py``.

        While a seat that has named its kings is picking, a last row ``naming`` shows them and the bottom as it lies.
        """
        seen = list(self.viewer(seat).events)
        hand = self.hand
        if hand.kings_named:
            seen.append(
                {
                    "e": "naming",
                    "seat": hand.kings_seats[0],
                    "kings": list(hand.kings_named),
                    "bottom": list(hand.bottom),
                }
            )
        return seen


def seeded_deals(rules: RuleSet, seed: int) -> Deals:
    """Decks and first seats that depend on the seed, the hand and the attempt alone."""
    return partial(_seeded, all_cards(rules), seed_word(seed))


def entropy_deals(rules: RuleSet) -> Deals:
    """Decks nobody can foresee, from the operating system's entropy."""
    return partial(_unforeseen, all_cards(rules))


def all_cards(rules: RuleSet) -> tuple[Card, ...]:
    """The cards of the deck, by kind."""
    return tuple(CARDS[kind] for kind, copies in enumerate(rules.deck.copies) for _ in range(copies))


def _seeded(cards: Sequence[Card], seeded: int, number: int, redeal: int) -> tuple[Sequence[Card], int]:
    deck = list(cards)
    shuffle(deck, stream_from(seeded, number, DECK), redeal)
    return deck, below(stream_from(seeded, number, FIRST), redeal, 0, 4)


def _unforeseen(cards: Sequence[Card], number: int, redeal: int) -> tuple[Sequence[Card], int]:
    deck = list(cards)
    chance = SystemRandom()
    chance.shuffle(deck)
    return deck, chance.randrange(4)
