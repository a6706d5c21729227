"""Replaying a record: every decision checked, the first wrong event named with the rule it breaks.

The record's own events drive a paced table; whatever the table writes must be what the record says. The same replay
resumes a table from its journal.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from gunzi.acts import DealCard
from gunzi.cards import Card, parse_cards
from gunzi.errors import CardError, GunziError, RecordError, Refused
from gunzi.phases.deal import HOUSE
from gunzi.record import Event, Record
from gunzi.loading import from_header
from gunzi.ruleset import RuleSet
from gunzi.table import Table
from gunzi.values import Owed

CARD_LISTS = frozenset({"cards", "kings", "picked", "bottom"})
LEFT_OUT = frozenset({"by", "explain", "room", "room_by"})
"""Keys a record of another program may leave out."""
JOURNAL = frozenset({"pass", "dealt"})


@dataclass(frozen=True, slots=True)
class Verified:
    """A record that follows its rules: the table as it stands after the last event, and how much was checked."""

    table: Table
    hands: int
    events: int


def verify(record: Record, rules: RuleSet | None = None) -> Verified:
    """Replay a record under its own rules, or under ``rules``. Raises RecordError naming the first wrong event."""
    replay = Replay(record, rules or from_header(record.header), foreign=_is_foreign(record.header))
    replay.run()
    return Verified(replay.table, replay.hands, len(record.events))


def resume(record: Record, rules: RuleSet | None = None, **limits: Any) -> Table:
    """The table a record was saved from, ready to be played on: same hands, same turn. Raises RecordError.

    ``limits`` are ``rounds`` and ``hands`` of the table that goes on. A seed in the header goes on dealing the same cards.
    """
    replay = Replay(
        record, rules or from_header(record.header), foreign=_is_foreign(record.header), limits=limits
    )
    replay.run()
    table = replay.table
    table.go_live()
    return table


def _is_foreign(header: Mapping[str, Any]) -> bool:
    rules = header.get("rules")
    return not isinstance(rules, dict) or rules.get("hash") is None


class Replay:
    """One pass through a record."""

    def __init__(
        self, record: Record, rules: RuleSet, *, foreign: bool, limits: Mapping[str, Any] | None = None
    ) -> None:
        self.record = record
        self.rules = rules
        self.foreign = foreign
        self.events = _without_undone(record.events)
        self.at = 0
        self.checked = 0
        self.hands = 0
        header = record.header
        players = header.get("players")
        seed = header.get("seed")
        good_seed = isinstance(seed, int) and not isinstance(seed, bool) and seed >= 0
        more = dict(limits or {})
        self.table: Table
        self._setup = {
            "seed": seed if good_seed else None,
            "rounds": more.get("rounds"),
            "hands": more.get("hands"),
            "players": players if isinstance(players, list) and len(players) == 4 else None,
            "name": header.get("table") if isinstance(header.get("table"), str) else None,
            "created": header.get("created") if isinstance(header.get("created"), str) else None,
        }

    # -- the pass ----------------------------------------------------------------------------------------------

    def run(self) -> None:
        """Check everything. Raises RecordError."""
        self._check_numbers()
        if not self.events:
            self.table = Table(self.rules, **self._setup)
            return
        try:
            self.table = Table(self.rules, paced=True, deals=self._deal, **self._setup)
        except _WrongHand as wrong:
            raise wrong.error from None
        while True:
            self._compare_written()
            event = self._event()
            if event is None:
                return
            if self.table.over:
                raise self._wrong(event, "table.over", "the table was over before this event")
            self._step(event)

    def _event(self) -> Event | None:
        while self.at < len(self.events) and self.events[self.at].get("e") in JOURNAL:
            row = self.events[self.at]
            if row["e"] == "dealt" and isinstance(row.get("dealt"), int):
                self._deal_cards_to(row["dealt"])
            self.at += 1
        return self.events[self.at] if self.at < len(self.events) else None

    def _deal_cards_to(self, dealt: int) -> None:
        hand = self.table.hand
        while hand.waiting is not None and hand.waiting.kind == "deal" and hand.dealt < dealt:
            self.table.do(HOUSE, DealCard())

    def _step(self, event: Event) -> None:
        hand = self.table.hand
        ask = self.table.ask
        try:
            answer = self.rules.phases[hand.index].replay(hand, ask, event)
        except (KeyError, TypeError) as error:
            raise self._wrong(event, "record.keys", f"key missing or of the wrong kind: {error}") from None
        except CardError as error:
            raise self._wrong(event, "record.cards", str(error)) from None
        if answer is None:
            raise self._unexpected(event)
        if type(answer[0]) is not int:
            raise self._wrong(event, "record.keys", f"{answer[0]!r} is no seat")
        try:
            self.table.do(*answer)
        except Refused as refused:
            raise self._wrong(event, refused.rule, refused.en) from None
        except (CardError, TypeError, AttributeError) as error:
            raise self._wrong(event, "record.cards", str(error)) from None
        except _WrongHand as wrong:
            raise wrong.error from None

    def _unexpected(self, event: Event) -> RecordError:
        kind = event.get("e")
        if kind in ("claim", "declare"):
            dealt = event.get("dealt")
            return self._wrong(
                event, "deal.order", f"{kind}.dealt is {dealt!r} after {self.table.hand.dealt} cards"
            )
        refused = self._refused_by_its_phase(event)
        if refused is not None:
            return self._wrong(event, refused.rule, refused.en)
        waiting = self.table.hand.waiting
        wanted = f"seat {waiting.seat} is to answer ({waiting.kind})" if waiting else "the hand is over"
        return self._wrong(event, "table.phase", f"{kind!r} is not possible here: {wanted}")

    def _refused_by_its_phase(self, event: Event) -> Refused | None:
        """Why the phase that knows such events would not have had this one."""
        for phase in self.rules.phases:
            try:
                refused = phase.why_not(self.table.hand, event)
            except (GunziError, KeyError, TypeError, AttributeError):
                continue
            if refused is not None:
                return refused
        return None

    # -- hands -------------------------------------------------------------------------------------------------

    def _deal(self, number: int, redeal: int) -> tuple[Sequence[Card], int]:
        """The deck of the next ``hand`` event, checked; called by the table when it starts a hand."""
        # What the old hand still had to write comes first.
        if self.at:
            self._compare_written(self.table.log.events if self.table.log else ())
        event = self._event()
        if event is None:
            # The record ends with a settled hand: whoever goes on playing needs fresh cards.
            return self.table.live_deals()(number, redeal)
        try:
            if event.get("e") != "hand":
                raise self._wrong(event, "record.order", f"a hand event must come here, not {event.get('e')!r}")
            deck = self._cards(event, "deck")
            counts = [0] * 54
            for card in deck:
                counts[card.kind] += 1
            if tuple(counts) != self.rules.deck.copies:
                raise self._wrong(event, "deck.packs", "the deck is not the packs of this rule set")
            first = event.get("first")
            if not isinstance(first, int) or isinstance(first, bool) or not 0 <= first <= 3:
                raise self._wrong(event, "table.seat", f"hand.first is {first!r}: no seat")
        except RecordError as error:
            raise _WrongHand(error) from None
        self.hands += redeal == 0
        return deck, first

    def _cards(self, event: Event, key: str) -> tuple[Card, ...]:
        try:
            if not isinstance(event.get(key), list):
                raise CardError(f"{key} is no list of cards")
            return parse_cards(event[key])
        except CardError as error:
            raise self._wrong(event, "record.cards", str(error)) from None

    # -- comparing ---------------------------------------------------------------------------------------------

    def _compare_written(self, written: Sequence[Event] | None = None) -> None:
        """Compare what the table has written since the last time with the record."""
        if written is None:
            written = self.table.events
        while self.checked < len(written):
            ours = written[self.checked]
            theirs = self._event()
            if theirs is None:
                return
            self._compare(ours, theirs)
            self.checked += 1
            self.at += 1

    def _compare(self, ours: Event, theirs: Event) -> None:
        if theirs.get("e") != ours["e"]:
            raise self._wrong(
                theirs, str(ours.get("by", "record.order")), f"{theirs.get('e')!r} here, should be {ours['e']!r}"
            )
        for key, value in ours.items():
            if key in ("e", "n"):
                continue
            if key not in theirs:
                if self.foreign and key in LEFT_OUT:
                    continue
                raise self._wrong(theirs, "record.keys", f"{ours['e']}.{key} is missing")
            if self.foreign and key in LEFT_OUT:
                continue
            if not _same(key, value, theirs[key]):
                rule = self._rule_of(ours, key)
                said = f"{ours['e']}.{key} is {_short(theirs[key])}, should be {_short(value)}"
                raise self._wrong(theirs, rule, said)

    def _rule_of(self, ours: Event, key: str) -> str:
        """The rule that decided a key of an event: what the settlement's explanation names, else the event's own."""
        name = f"{ours['e']}.{key}"
        if ours["e"] == "settle" and key in SETTLE_GROUPS:
            for group in SETTLE_GROUPS[key]:
                for line in reversed(ours["explain"]):
                    if line["by"].startswith(group):
                        return str(line["by"])
        return KEY_RULES.get(name) or str(ours.get("by") or "record.order")

    def _check_numbers(self) -> None:
        for place, event in enumerate(self.record.events):
            n = event.get("n")
            if event.get("e") in JOURNAL and n is None:
                continue
            if n != place + 1 or isinstance(n, bool):
                raise RecordError(
                    f"event {place + 1} has n {n!r}: events are numbered 1, 2, 3 …",
                    event=place + 1,
                    line=place + 2,
                    rule="record.numbers",
                )

    def _wrong(self, event: Event, rule: str, message: str) -> RecordError:
        n = event.get("n")
        number = n if isinstance(n, int) else None
        return RecordError(
            f"event {n} ({event.get('e')}): {message} [{rule}]",
            event=number,
            line=number + 1 if number is not None else None,
            rule=rule,
        )


SETTLE_GROUPS = {
    "takeover": ("rotation.",),
    "next_dealer": ("rotation.", "endings.", "levels."),
    "level_up": ("levels.",),
    "levels": ("levels.", "endings."),
    "owed": ("tribute.",),
    "ending": ("endings.", "levels."),
    "round_won_by": ("endings.", "levels."),
    "scores": ("scoring.",),
}
"""The option groups that decide a key of ``settle``: the last explained line of the first group that has one names the rule."""
KEY_RULES = {
    "settle.trick_points": "tricks.points",
    "settle.captured": "capture.last_trick",
    "settle.attackers_points": "capture.multiplier",
    "settle.bottom": "bury.number",
    "settle.bottom_points": "points",
    "settle.owed": "tribute.low",
    "settle.scores": "scoring.scheme",
    "settle.takeover": "levels.threshold",
    "hand.hand": "hand.numbers",
    "hand.round": "hand.numbers",
    "hand.redeal": "hand.numbers",
    "hand.first": "hand.first",
    "hand.owed": "tribute.low",
    "hand.dealer": "rotation.hold",
    "hand.levels": "levels.start",
    "trump.level": "levels.start",
    "bottom.shown": "bottom.shown",
    "bury.shown": "bury.shown",
    "trick.points": "points",
}
"""Which rule decides a key that carries no ``by`` of its own."""


class _WrongHand(GunziError):
    """Carries an error out of the table's dealing."""

    def __init__(self, error: RecordError) -> None:
        super().__init__(str(error))
        self.error = error


def _without_undone(events: Sequence[Event]) -> list[Event]:
    """The events that count: what an ``undo`` voids is left out."""
    kept: list[Event] = []
    for event in events:
        if event.get("e") == "undo":
            to = event.get("to")
            kept = [old for old in kept if isinstance(to, int) and (old.get("n") or 0) <= to]
        else:
            kept.append(event)
    return kept


def _same(key: str, ours: Any, theirs: Any) -> bool:
    if isinstance(ours, bool) or isinstance(theirs, bool):
        return ours is theirs
    if key in CARD_LISTS and isinstance(ours, list):
        if not isinstance(theirs, list):
            return False
        try:
            return sorted(parse_cards(theirs)) == sorted(ours)
        except CardError:
            return False
    if isinstance(ours, Owed):
        return bool(ours.as_json() == theirs)
    if isinstance(ours, (list, tuple)) and isinstance(theirs, list):
        return len(ours) == len(theirs) and all(_same("", a, b) for a, b in zip(ours, theirs, strict=True))
    if isinstance(ours, dict) and isinstance(theirs, dict):
        return ours.keys() == theirs.keys() and all(_same("", ours[k], theirs[k]) for k in ours)
    return type(ours) is type(theirs) and ours == theirs or (isinstance(ours, str) and ours == theirs)


def _short(value: Any) -> str:
    text = repr(value)
    return text if len(text) <= 200 else text[:200] + "…"
