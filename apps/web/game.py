"""A game at a table: a ``gunzi.Table`` under pinned rules, its journal, and who may see what of it.

Nothing here waits or sends: a room calls, gets the journal rows, writes them, and then tells everybody what ``told`` gives.

Journal rows are the record's events, and two kinds of rows without a number, which an exported record leaves out:
``{"e": "dealt", "dealt": k}`` (so many cards are out) and ``{"e": "pass", "seat": s, "act": …}`` (an act that writes no event:
passing, naming kings).
"""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

import orjson

from gunzi.acts import PASS, Act, DealCard, Pass
from gunzi.apps.web.commands import SHEET
from gunzi.apps.web.errors import No
from gunzi.apps.web.packing import packed
from gunzi.apps.web.wire import act_of, lanes_json, question, wire_of
from gunzi.ask import Ask, ListAsk
from gunzi.fairness import Fair
from gunzi.phases.deal import HOUSE
from gunzi.record import Event
from gunzi.resuming import take_back
from gunzi.ruleset import RuleSet
from gunzi.shown import shown_of
from gunzi.sight import Sight
from gunzi.table import Table
from gunzi.values import AFTER
from gunzi.views import Viewer

Json = dict[str, Any]
SPECTATOR: Final = 4
"""The place of the spectators' view beside the four seats'."""
SAME_FOR_ALL: Final = frozenset({"play", "trick"})
"""Events that everybody sees alike: most of them."""
DEAL, BETWEEN, BURY_KINGS, PICK = "deal", "between", "bury_kings", "pick"
GROUP: Final = 4
"""Cards dealt at a time: one to each seat, so that nobody's card comes out of turn."""


@dataclass(frozen=True, slots=True)
class Question:
    """What is open: ``seat`` None is everybody; ``ask`` None where a seat is asked that has nothing but to pass."""

    kind: str
    seat: int | None
    ask: Ask | None = None


class Game:
    """One game. ``rows`` are the journal rows of the running hand, or of the last one. ``fair`` is what the next deal is drawn from."""

    def __init__(self, table: Table, number: int) -> None:
        self.table = table
        self.rules: RuleSet = table.rules
        self.number = number
        self.rows: list[bytes] = []
        self.asked_for_kings: tuple[int, ...] = ()
        self.sheet: deque[Json] = deque(maxlen=SHEET)
        self.hands = 0
        self.finished: Json | None = None
        self.q = self.began = 0
        self._anew = False
        self.fair: Fair | None = None
        self._hand: Json = {}
        self._suit = ""
        self._viewers = [Viewer(self.rules, seat) for seat in range(4)] + [Viewer(self.rules, None)]
        self._held: list[Event] = []

    def asks(self, q: int) -> None:
        """What is asked from now on has this number; ``began`` is the first of the running deal."""
        self.q = q
        if self._anew:
            self.began, self._anew = q, False

    def check_asked(self, q: int) -> None:
        """Raises No where it was about a question before this one."""
        if q != self.q:
            raise No("stale", resync=True)

    # -- what is open ------------------------------------------------------------------------------------------

    def question(self) -> Question | None:
        """What is open now; None when the game is over."""
        table = self.table
        if table.over:
            return None
        if table.between:
            return Question(BETWEEN, None)
        waiting = table.hand.waiting
        assert waiting is not None
        if self.asked_for_kings:
            seat = self.asked_for_kings[0]
            if waiting.seat == seat and waiting.kind in (BURY_KINGS, PICK):
                return Question(waiting.kind, seat, waiting)
            return Question(BURY_KINGS, seat)
        if waiting.kind == DEAL:
            return Question(DEAL, None)
        return Question(waiting.kind, waiting.seat, waiting)

    @property
    def redealt(self) -> bool:
        """Is the deal void, and the next one coming?"""
        return self.table.between and self.table.hand.outcome == "redeal"

    @property
    def closing(self) -> bool:
        """Are all cards out, and claims and declarations still possible?"""
        hand = self.table.hand
        return hand.phase == DEAL and hand.dealt >= self.rules.deck.dealt

    @property
    def window_open(self) -> bool:
        """May somebody still claim or declare, as far as everybody knows? Nobody's cards are looked at."""
        hand = self.table.hand
        return not (hand.first_hand and (hand.claim is not None or self.rules.claims.automatic))

    def offer(self, seat: int) -> ListAsk | None:
        """What a seat may claim or declare now, passing first; None: nothing."""
        hand = self.table.hand
        if hand.phase != DEAL:
            return None
        found = hand.ask_of(seat)
        if not isinstance(found, ListAsk) or not found.acts:
            return None
        acts = tuple(act for act in found.acts if not isinstance(act, Pass))
        return ListAsk(self.rules, seat, found.kind, (PASS, *acts), found.why, hand)

    def sight(self, seat: int) -> Sight:
        """What a seat may know, for players that think."""
        hand = self.table.hand
        if hand.watch is None:
            hand.watch = shown_of(self.rules, self._events())
            self.table.watched = True
        return self.table.sight(seat)

    # -- what is done ------------------------------------------------------------------------------------------

    def do(self, seat: int, act: Act) -> list[bytes]:
        """A seat's act. Raises Refused or CardError, and nothing has changed."""
        found = self.question()
        if found is not None and found.kind == BURY_KINGS and found.ask is None and found.seat == seat:
            if not isinstance(act, Pass):
                raise self.table.hand.wrong_phase(seat, act)
            self.asked_for_kings = self.asked_for_kings[1:]
            return self._written({"e": "pass", "seat": seat, "act": {"act": "pass"}, "asked": True})
        if found is not None and self.asked_for_kings and found.seat != seat:
            # The table may be further than the seats know: it is this seat's turn only when they are told so.
            raise self.rules.refuse("table.turn", {"seat": seat, "turn": found.seat}, seat=seat)
        wire = wire_of(act, found.ask if found is not None else None)
        before = self.table.log.n if self.table.log else 0
        self.table.do(seat, act)
        if self.table.log is not None and self.table.log.n == before:
            if self.asked_for_kings and isinstance(act, Pass):
                self.asked_for_kings = self.asked_for_kings[1:]
            return self._written({"e": "pass", "seat": seat, "act": wire})
        return self._written()

    def deal(self) -> list[bytes]:
        """The next group of cards."""
        table = self.table
        hand, total = table.hand, self.rules.deck.dealt
        goal = min(total, (hand.dealt // GROUP + 1) * GROUP)
        while table.hand is hand and hand.phase == DEAL and hand.dealt < goal:
            table.do(HOUSE, DealCard())
        return self._written({"e": "dealt", "dealt": hand.dealt})

    def close_deal(self) -> list[bytes]:
        """The last chance to claim or declare is over."""
        self.table.do(HOUSE, DealCard())
        return self._written()

    def go_on(self) -> list[bytes]:
        """The next deal."""
        self.table.deal_next()
        return self._written()

    def may_take_back(self) -> tuple[int, int, str] | None:
        """Whose last act may be taken back, to which event, and what it answered; see ``Table.may_take_back``."""
        table = self.table
        if table.log is None or self.asked_for_kings:
            return None
        events = self._events()
        if not events:
            return None
        # The table looks at its events by number; those of earlier hands are in the database.
        table.log.events[:] = [{"e": ""}] * (events[0]["n"] - 1) + events
        found = table.may_take_back()
        table.log.events.clear()
        return found

    def take_back(self, rows: Sequence[Json], agreed: Sequence[int]) -> list[bytes]:
        """Take back the last act; ``rows`` are all the game's journal rows. Raises Refused."""
        table = self.table
        assert table.log is not None
        table.log.events[:] = [row for row in rows if "n" in row]
        count = table.log.n
        try:
            again = take_back(table, agreed)
        finally:
            table.log.events.clear()
        log = again.log
        assert log is not None
        log.events[:] = log.events[count:]
        again.watched = table.watched
        self.table = again
        return self._written()

    def end_early(self) -> list[bytes]:
        """Settle the hand, whose result is certain. Raises Refused."""
        self.sight(0)
        self.table.end_early()
        return self._written()

    # -- the journal -------------------------------------------------------------------------------------------

    def begin(self) -> list[bytes]:
        """The rows of a table that has just been made."""
        return self._written()

    def _written(self, *more: Json) -> list[bytes]:
        """The journal rows of what the table has just written, and ``more`` after them."""
        log = self.table.log
        assert log is not None
        events = list(log.events)
        log.events.clear()
        self.finished = None
        rows = [self._take(event) for event in events]
        for row in more:
            rows.append(packed(row))
            self.rows.append(rows[-1])
        self._release()
        return rows

    def _take(self, event: Event) -> bytes:
        kind = event["e"]
        row = packed(event)
        if kind == "hand":
            self.rows = [row]
            self._hand = {key: event[key] for key in ("hand", "round", "levels", "dealer")}
            self._suit, self._anew = "", True
            self.asked_for_kings = ()
        else:
            self.rows.append(row)
        if kind == "trump":
            self._hand["dealer"], self._suit = event["dealer"], event["suit"]
        elif kind == "bury":
            self._ask_for_kings()
        elif kind == "bury_kings":
            self.asked_for_kings = self.asked_for_kings[1:]
        elif kind == "settle":
            self._settled(event)
        elif kind == "undo":
            self.asked_for_kings = ()
        self._held.append(event)
        return row

    def _ask_for_kings(self) -> None:
        """After the burial the other three are asked one by one, whatever they hold."""
        hand = self.table.hand
        if BURY_KINGS not in self.rules.options["phases"] or hand.dry or hand.trump is None or hand.dealer is None:
            return
        buried = hand.trump.masks(hand.dealer_buried)
        if self.rules.hook.kings_window(dealer_buried=buried, trump=hand.trump).open:
            self.asked_for_kings = AFTER[hand.dealer]

    def _settled(self, event: Event) -> None:
        keys = ("attackers_points", "captured", "takeover", "level_up", "ending", "round_won_by", "scores")
        self.finished = {**self._hand, "suit": self._suit, **{key: event[key] for key in keys}}
        self.sheet.append(self.finished)
        self.hands += 1
        self.asked_for_kings = ()

    def _release(self) -> None:
        """Let the views have what may be seen: nothing that tells that nobody has buried kings while seats are still asked."""
        held, keep = self._held, list[Event]()
        if self.asked_for_kings:
            known = [event["e"] in ("bury", "bury_kings") for event in held]
            cut = len(known) - known[::-1].index(True) if True in known else 0
            held, keep = held[:cut], held[cut:]
        self._held = keep
        if not held:
            return
        for viewer in self._viewers:
            for event in held:
                if event["e"] in SAME_FOR_ALL:
                    viewer.events.append(event)
                else:
                    viewer.feed((event,))

    def catch_up(self, rows: Sequence[Json]) -> None:
        """Bring the game to where its journal ends, when the table has replayed the events of it."""
        last = max((place for place, row in enumerate(rows) if "n" in row), default=-1)
        hand = self.table.hand
        for place, row in enumerate(rows):
            if "n" in row:
                self._take(row)
                continue
            self.rows.append(packed(row))
            if row["e"] == "dealt":
                while place > last and hand.phase == DEAL and hand.dealt < row["dealt"]:
                    self.table.do(HOUSE, DealCard())
                continue
            if place > last and not row.get("asked"):
                # It wrote no event, so no event has brought it back.
                self.table.do(row["seat"], act_of(row["act"], hand.waiting))
            if row["act"]["act"] == "pass":
                self.asked_for_kings = self.asked_for_kings[1:]
        self._release()
        self.told()
        self.finished = None

    # -- what is seen ------------------------------------------------------------------------------------------

    def told(self) -> list[list[Event]]:
        """What the four seats and the spectators have not been told yet."""
        found = []
        dealt = self.dealt
        for viewer in self._viewers:
            if dealt:
                viewer.deal_to(dealt)
            found.append(viewer.events)
            viewer.events = []
        return found

    @property
    def dealt(self) -> int:
        """How many cards are out."""
        return self.table.hand.dealt

    def view(self, seat: int | None) -> list[Event]:
        """The whole hand so far, as a seat or a spectator may see it."""
        viewer = Viewer(self.rules, seat)
        held = {event["n"] for event in self._held}
        viewer.feed([event for event in self._events() if event["n"] not in held])
        viewer.deal_to(self.dealt)
        return viewer.events

    def _events(self) -> list[Event]:
        """The hand's events so far."""
        return [event for event in map(orjson.loads, self.rows) if "n" in event]

    @property
    def naming(self) -> Json | None:
        """The seat that has named its kings and is picking up."""
        hand = self.table.hand
        if not hand.kings_named:
            return None
        seat = hand.kings_seats[0]
        return {"seat": seat, "kings": list(hand.kings_named), "bottom": list(hand.bottom)}

    def lanes(self) -> list[Json]:
        """The cards in the order in force."""
        hand = self.table.hand
        return lanes_json(self.rules, hand.level, hand.trump)

    def ask_json(self, seat: int | None, found: Question | None) -> Json | None:
        """``ask`` of a frame for a seat (None: a spectator)."""
        if found is None:
            return None
        mine = seat is not None and (found.seat is None or found.seat == seat)
        shown: Json = {"q": self.q, "kind": found.kind, "seat": found.seat, "mine": mine}
        if found.kind == DEAL:
            shown["closing"] = self.closing
            if mine and seat is not None:
                offer = self.offer(seat)
                acts = [wire_of(act) for act in offer.acts if not isinstance(act, Pass)] if offer else []
                shown |= {"acts": acts, "pass": self.closing}
        elif mine and found.kind == BETWEEN:
            shown["pass"] = False
        elif mine:
            if found.ask is not None:
                shown |= question(found.ask)
            else:
                shown |= {"pass": True, "count": None, "suit": None, "acts": [], "ways": 1, "forced": None}
            if found.kind == BURY_KINGS:
                shown["forced"] = None  # the same for all: passing is to be said
        return shown

    def score(self, titled: bool = True) -> Json:
        """``score`` of a frame; not ``titled``: without asking the rules for anything."""
        table = self.table
        title = self.rules.hook.title if titled else lambda score: ""
        return {
            "round": self._hand["round"],
            "hand": self._hand["hand"],
            "levels": list(table.levels),
            "dealer": self._hand["dealer"],
            "scores": list(table.scores),
            "titles": [title(score=score) for score in table.scores],
            "rounds_won": list(table.rounds_won),
            "hands": self.hands,
            "sheet": list(self.sheet),
        }
