"""A log from its first row to its last: hand after hand, event after event."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any, Final

from gunzi.apps.audit import dealing, preparing, tricks
from gunzi.apps.audit.findings import Finding, Row, Summary
from gunzi.apps.audit.scene import Impossible, Judge, Scene
from gunzi.cards import CARDS, Card, count_kinds
from gunzi.errors import Text
from gunzi.event_keys import short
from gunzi.guarding import blaming
from gunzi.hand import Hand
from gunzi.record import JOURNAL, PHASE_OF, Event
from gunzi.ruleset import RuleSet
from gunzi.values import Owed

_ACTS: Final[Mapping[str, Callable[[Scene], None]]] = {
    "claim": dealing.claim,
    "declare": dealing.declare,
    "turn": dealing.turn,
    "draw": dealing.turn,
    "redeal": dealing.redeal,
    "trump": dealing.trump,
    "exempt": preparing.exempt,
    "tribute": preparing.tribute,
    "return": preparing.give_back,
    "bottom": preparing.bottom,
    "bury": preparing.bury,
    "bury_kings": preparing.bury_kings,
    "play": tricks.play,
    "trick": tricks.trick,
    "settle": tricks.settlement,
}
UNKNOWN: Final = object()
"""What is not known of how a hand begins."""
MOST_ROWS: Final = 20_000
"""A hand has some hundreds of events, more where plays are taken back; a log in which no hand begins has any number."""
BEGINNINGS: Final = ("hand", "round", "levels", "dealer", "owed", "redeal")


class Audit:
    """The findings of a log under a rule set, one after another as it is read; iterate once. ``summary`` grows with it.

    Needs as much memory as one hand does, however long the log. Raises what the rows raise (OSError, RecordError), and PluginError.
    """

    def __init__(self, rows: Iterable[Row], rules: RuleSet) -> None:
        self.rows = rows
        self.rules = rules
        self.summary = Summary()
        self._next: dict[str, Any] = dict.fromkeys(BEGINNINGS, UNKNOWN)

    def __iter__(self) -> Iterator[Finding]:
        with blaming(self.rules.host.strangers):
            for rows in _hands(self.rows):
                for finding in self._hand(rows):
                    self.summary.count(finding)
                    yield finding

    # -- one hand ----------------------------------------------------------------------------------------------

    def _hand(self, rows: Sequence[Row]) -> Sequence[Finding]:
        judge = Judge(self.rules)
        summary = self.summary
        summary.events += len(rows)
        course: _Course | None = None
        done = 0
        try:
            rows = _counting(rows, judge)
            for row in rows:
                if row.event is None:
                    judge.at(row.line, {})
                    raise judge.stop(row.rule, row.trouble or Text("", ""))
                judge.at(row.line, row.event)
                if course is None:
                    if row.event.get("e") != "hand":
                        done += self._outside(row.event, judge)
                        continue
                    summary.hands += not row.event.get("redeal")
                    course = _Course(self._begin(judge))
                else:
                    course.take(row.event)
                done += 1
        except Impossible:
            done += 1
            if course is not None:
                course.stopped(rows)
        summary.unjudged += len(rows) - done
        self._expect(course)
        return judge.found

    def _outside(self, event: Event, judge: Judge) -> int:
        """An event that belongs to no hand."""
        if isinstance(event.get("e"), str) and event["e"] in JOURNAL:
            return 1
        judge.find("record.order", Text("这里该是一把牌的开头", "a hand should begin here"))
        raise Impossible

    def _begin(self, judge: Judge) -> Scene:
        event = judge.event
        number = event.get("hand")
        judge.hand = number if type(number) is int else None
        told = {key: event[key] for key in BEGINNINGS if key in event}
        wanted = {key: value for key, value in self._next.items() if value is not UNKNOWN}
        if told.get("redeal") == 0 and "redeal" in wanted and wanted["redeal"]:
            wanted = {}  # after a void deal that is not dealt again a new count begins
        judge.compare({"e": "hand", **wanted}, [key for key in wanted if key in told])
        start = self.rules.start_level
        levels = told.get("levels", wanted.get("levels", [start, start]))
        dealer = told.get("dealer", wanted.get("dealer"))
        if not (isinstance(levels, list) and len(levels) == 2 and all(type(n) is int and 2 <= n <= 14 for n in levels)):
            raise judge.stop("record.keys", Text(f"levels 写的是 {short(levels)}", f"levels is {short(levels)}"))
        if dealer is not None and (type(dealer) is not int or not 0 <= dealer <= 3):
            raise judge.stop("table.seat", Text(f"dealer 写的是 {short(dealer)}", f"dealer is {short(dealer)}"))
        deck = judge.cards("deck")
        if tuple(count_kinds(deck)) != self.rules.deck.copies:
            raise judge.stop("deck.packs", self._wrong_deck(deck))
        first = event.get("first", dealer if dealer is not None else 0)
        if type(first) is not int or not 0 <= first <= 3:
            raise judge.stop("table.seat", Text(f"first 写的是 {short(first)}", f"first is {short(first)}"))
        if dealer is not None and first != dealer:
            judge.compare({"e": "hand", "first": dealer}, ("first",))
        hand = Hand(
            self.rules,
            deck,
            number=judge.hand or 1,
            levels=(levels[0], levels[1]),
            dealer=dealer,
            first=first,
            owed=_owed(judge, told.get("owed", wanted.get("owed"))),
            paced=True,
        )
        return Scene(judge, hand, event.get("order") != "unknown")

    def _wrong_deck(self, deck: Sequence[Card]) -> Text:
        """In what a deck is not the rule set's packs: the cards too many and too few, the first few of them."""
        more: list[str] = []
        fewer: list[str] = []
        for kind, (here, wanted) in enumerate(zip(count_kinds(deck), self.rules.deck.copies, strict=True)):
            if here != wanted:
                (more if here > wanted else fewer).append(f"{CARDS[kind]}×{here}")
        zh = f"{len(deck)} 张，不是这套规则的 {self.rules.deck.size} 张"
        en = f"{len(deck)} cards are not the {self.rules.deck.size} of this rule set"
        if more:
            zh, en = f"{zh}；多了 {' '.join(more[:5])}", f"{en}; too many {' '.join(more[:5])}"
        if fewer:
            zh, en = f"{zh}；少了 {' '.join(fewer[:5])}", f"{en}; too few {' '.join(fewer[:5])}"
        return Text(zh, en)

    def _expect(self, course: _Course | None) -> None:
        """How the next hand should begin: as the log says this one ended, else as the rules have it, else nobody knows."""
        self._next = dict.fromkeys(BEGINNINGS, UNKNOWN)
        if course is None:
            return
        scene = course.scene
        number = scene.judge.hand
        if course.redealt:
            event = course.began
            self._next |= {key: event[key] for key in ("hand", "round", "levels", "dealer", "owed") if key in event}
            redeal = event.get("redeal")
            self._next["redeal"] = redeal + 1 if type(redeal) is int else UNKNOWN
            return
        told = course.end
        ours = scene.settled or (tricks.end(scene) if told is None and course.whole else None) or {}
        said = {**ours, **(told or {})}
        if number is not None:
            self._next["hand"] = number + 1
        if not said:
            return
        if "round_won_by" in said:
            over = said["round_won_by"] is not None
            played = course.began.get("round")
            if type(played) is int:
                self._next["round"] = played + over
        for ours_key, theirs in (("levels", "levels"), ("dealer", "next_dealer"), ("owed", "owed")):
            if theirs in said:
                self._next[ours_key] = said[theirs]
        self._next["redeal"] = 0


class _Course:
    """A hand on its way: the phases it has come through, in the rule set's order."""

    def __init__(self, scene: Scene) -> None:
        self.scene = scene
        self.began = dict(scene.judge.event)
        self.order = list(scene.rules.options["phases"])
        self.latest = -1
        self.checked: set[str] = set()
        self.redealt = False
        self.whole = True
        self.end: Event | None = None
        self.events: list[Event] = [self.began]

    def take(self, event: Event) -> None:
        """The next event. Raises Impossible where the hand cannot be followed any further."""
        scene = self.scene
        judge = scene.judge
        kind = event.get("e")
        if not isinstance(kind, str):
            said = Text(f"没写明是什么事：e 是 {short(kind)}", f"it does not say what happened: e is {short(kind)}")
            raise judge.stop("record.keys", said)
        if kind in JOURNAL:
            return
        if kind == "early" and self.end is None:
            self._early()
            return
        phase = PHASE_OF.get(kind)
        if self.redealt or self.end is not None:
            judge.find("record.order", Text("这一把已经完了", "the hand is over"))
            raise Impossible
        if phase is None:
            self._strange(kind)
            return
        self._enter(phase)
        _ACTS[kind](scene)
        self.events.append(event)
        self.redealt = kind == "redeal"
        if kind == "settle":
            self.end = event

    def _early(self) -> None:
        """The rest is not played: it is settled as it stands where nothing could change, else what it came to is not known."""
        if not tricks.end_early(self.scene, self.events):
            self.scene.judge.find("table.early", self.scene.rules.rule_text("table.early"))
            raise Impossible

    def stopped(self, rows: Sequence[Row]) -> None:
        """The hand cannot be followed to its end; how it ended the log may say all the same."""
        self.whole = False
        if self.end is None:
            ends = [row.event for row in rows if row.event is not None and row.event.get("e") == "settle"]
            self.end = ends[-1] if ends else None

    def _strange(self, kind: str) -> None:
        owner = kind.rpartition(":")[0]
        if not (owner and owner in self.scene.rules.plugins):
            said = Text(f"这套规则里没有 {short(kind)} 这种事", f"nothing under these rules is called {short(kind)}")
            self.scene.judge.find("record.order", said)

    def _enter(self, phase: str) -> None:
        """Go on to a phase: what comes before it must be done, and what comes after it must not have begun."""
        scene, judge = self.scene, self.scene.judge
        if phase not in ("deal", "reveal"):
            if scene.hand.trump is None:
                self._left("deal")
                dealing.unsaid(scene)
        elif phase == "reveal":
            self._left("deal")
        if phase not in self.order:
            said = Text(f"这套规则没有 {phase} 这一步", f"these rules have no phase {phase}")
            judge.find("phases", said, seat=_seat_of(judge.event))
            return
        place = self.order.index(phase)
        if place < self.latest:
            said = Text(
                f"{phase} 要在 {self.order[self.latest]} 前面", f"{phase} comes before {self.order[self.latest]}"
            )
            judge.find("phases" if phase != "deal" else "deal.over", said, seat=_seat_of(judge.event))
            return
        self.latest = place
        for before in self.order[:place]:
            self._left(before)

    def _left(self, phase: str) -> None:
        """A phase lies behind: what it demands must have been done; asked once."""
        if phase in self.checked:
            return
        self.checked.add(phase)
        scene = self.scene
        if phase == "deal" and scene.hand.trump is None:
            dealing.nobody_claimed(scene)
        elif phase == "tribute":
            preparing.tribute_missing(scene)
        elif phase == "bury":
            preparing.bury_missing(scene)


def _seat_of(event: Mapping[str, Any]) -> int | None:
    seat = event.get("seat", event.get("from"))
    return seat if type(seat) is int and 0 <= seat <= 3 else None


def _owed(judge: Judge, owed: Any) -> Owed | None:
    if owed is None:
        return None
    if isinstance(owed, dict):
        giver, receiver, count = owed.get("from"), owed.get("to"), owed.get("count")
        seats = all(type(seat) is int and 0 <= seat <= 3 for seat in (giver, receiver))
        if seats and giver != receiver and type(count) is int and count > 0:
            return Owed(giver, receiver, count)  # type: ignore[arg-type]
    raise judge.stop("record.keys", Text(f"owed 写的是 {short(owed)}", f"owed is {short(owed)}"))


def _hands(rows: Iterable[Row]) -> Iterator[list[Row]]:
    """The rows of one hand after another; what comes before the first hand comes alone, and so does what is too much for a hand."""
    found: list[Row] = []
    for row in rows:
        begins = row.begins if row.event is None else row.event.get("e") == "hand"
        if found and (begins or len(found) >= MOST_ROWS):
            yield found
            found = []
        found.append(row)
    if found:
        yield found


def _counting(rows: Sequence[Row], judge: Judge) -> Sequence[Row]:
    """The rows that count: what an ``undo`` takes back is left out. Raises Impossible where it takes back another hand's."""
    if not any(row.event is not None and row.event.get("e") == "undo" for row in rows):
        return rows
    kept: list[Row] = []
    for row in rows:
        event = row.event
        if event is None or event.get("e") != "undo":
            kept.append(row)
            continue
        to = event.get("to")
        numbers = [old.event["n"] for old in kept if old.event is not None and type(old.event.get("n")) is int]
        if type(to) is not int or to not in numbers:
            judge.at(row.line, event)
            raise judge.stop(
                "table.undo",
                Text(
                    f"退不回事件 {short(to)}：不在这一把里",
                    f"nothing to go back to: event {short(to)} is not of this hand",
                ),
            )
        kept = [old for old in kept if old.event is None or old.event.get("n") is None or old.event["n"] <= to]
    return kept


def audit(rows: Iterable[Row], rules: RuleSet) -> Audit:
    """The findings of a log under a rule set, as they are read; see ``Audit``."""
    return Audit(rows, rules)
