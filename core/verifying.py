"""Replaying a record: every decision checked, the first wrong event named with the rule it breaks.

The record's own events drive a paced table; whatever the table writes must be what the record says. The same replay
takes a table up again (``resuming.py``).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from gunzi.acts import DealCard
from gunzi.ask import KIND_TEXT
from gunzi.cards import Card, parse_cards
from gunzi.errors import CardError, GunziError, RecordError, Refused, Text
from gunzi.event_keys import LEFT_OUT, rule_of, same_value, short
from gunzi.fairness import Fair, FairDeal
from gunzi.guarding import blaming
from gunzi.loading import from_header
from gunzi.phases.deal import HOUSE
from gunzi.record import JOURNAL, Event, Record
from gunzi.ruleset import RuleSet
from gunzi.table import Start, Table
from gunzi.values import Owed
from gunzi.wording import counted


@dataclass(frozen=True, slots=True)
class Verified:
    """A record that follows its rules: the table as it stands after the last event, and how much was checked.

    ``broken_off``: the last hand has no end, as in a game under way and in a file that lost its last lines.
    """

    table: Table
    hands: int
    events: int
    broken_off: bool = False


def verify(record: Record, rules: RuleSet | None = None) -> Verified:
    """Replay a record under its own rules, or under ``rules``. Raises RecordError naming the first wrong event."""
    replay = Replay(record, rules)
    replay.run()
    ends = [event["e"] for event in replay.events if event["e"] in ("hand", "settle")]
    return Verified(replay.table, replay.hands, len(record.events), broken_off=ends[-1:] == ["hand"])


def _is_foreign(header: Mapping[str, Any]) -> bool:
    """Was the record written by another program? Then it may leave out what gunzi only explains."""
    rules = header.get("rules")
    return not isinstance(rules, dict) or rules.get("hash") is None


class Replay:
    """One pass through a record, under its own rules or under ``rules``. ``limits`` are ``rounds`` and ``hands`` of its table."""

    def __init__(
        self, record: Record, rules: RuleSet | None = None, *, limits: Mapping[str, Any] | None = None
    ) -> None:
        self.record = record
        self.rules = rules or from_header(record.header)
        self.foreign = _is_foreign(record.header)
        self.events: list[Event] = []
        self.at = 0
        self.checked = 0
        self.hands = 0
        header = record.header
        players = header.get("players")
        seed = header.get("seed")
        good_seed = isinstance(seed, int) and not isinstance(seed, bool) and seed >= 0
        more = dict(limits or {})
        self.table: Table
        self._setup: dict[str, Any] = {
            "seed": seed if good_seed else None,
            "rounds": more.get("rounds"),
            "hands": more.get("hands"),
            "players": players if _are_players(players) else None,
            "name": header.get("table") if isinstance(header.get("table"), str) else None,
            "created": header.get("created") if isinstance(header.get("created"), str) else None,
            "start": _start(header),
        }

    # -- the pass ----------------------------------------------------------------------------------------------

    def run(self, thorough: bool = True) -> None:
        """Check everything; what was taken back later too if ``thorough``. Raises RecordError, or PluginError where a plugin
        fails."""
        with blaming(self.rules.host.strangers):
            self._check_numbers()
            if thorough:
                self._check_undone()
            self._replay()

    def _check_undone(self) -> None:
        played_on = False
        for place, event in enumerate(self.record.events):
            # One undo right after another: all that the second takes back has been checked before the first.
            if event["e"] == "undo" and played_on:
                before = Record(self.record.header, self.record.events[:place])
                Replay(before, self.rules)._replay()
            played_on = event["e"] != "undo" and (played_on or event["e"] not in JOURNAL)

    def _replay(self) -> None:
        self.events = _without_undone(self.record.events)
        if not self.events:
            self.table = Table(self.rules, **self._setup)
            return
        try:
            self.table = Table(self.rules, paced=True, hold=True, deals=self._deal, **self._setup)
        except _WrongHand as wrong:
            raise wrong.error from None
        while True:
            self._compare_written()
            event = self._event()
            if event is None:
                return
            if self.table.over:
                raise self._wrong(
                    event, "table.over", Text("这一桌在这之前已经打完了", "the table was over before this event")
                )
            try:
                if self.table.between:
                    self.table.deal_next()
                else:
                    self._step(event)
            except _WrongHand as wrong:
                raise wrong.error from None

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
        if event.get("e") == "early":
            self._end_early(event)
            return
        try:
            answer = self.rules.phases[hand.index].replay(hand, ask, event)
        except (KeyError, TypeError) as error:
            raise self._wrong(
                event, "record.keys", Text(f"缺一项，或者写错了：{error}", f"key missing or of the wrong kind: {error}")
            ) from None
        except CardError as error:
            raise self._wrong(event, "record.cards", error.text) from None
        if answer is None:
            raise self._unexpected(event)
        if type(answer[0]) is not int:
            raise self._wrong(
                event, "record.keys", Text(f"{short(answer[0])} 不是座位", f"{short(answer[0])} is no seat")
            )
        try:
            self.table.do(*answer)
        except Refused as refused:
            raise self._wrong(event, refused.rule, refused.text) from None
        except CardError as error:
            raise self._wrong(event, "record.cards", error.text) from None
        except (TypeError, AttributeError) as error:
            raise self._wrong(event, "record.cards", Text(f"写得不对：{error}", str(error))) from None

    def _end_early(self, event: Event) -> None:
        why = event.get("why")
        if not isinstance(why, str):
            raise self._wrong(
                event, "record.keys", Text("early 要写明为什么（why）", "an early end must say why, in words (why)")
            )
        try:
            self.table.end_early(why)
        except Refused as refused:
            raise self._wrong(event, refused.rule, refused.text) from None

    def _unexpected(self, event: Event) -> RecordError:
        kind = event.get("e")
        if kind in ("claim", "declare"):
            dealt = event.get("dealt")
            out = self.table.hand.dealt
            said = Text(
                f"{kind}.dealt 写的是 {short(dealt)}，牌已经发了 {out} 张",
                f"{kind}.dealt is {short(dealt)} after {counted(out, 'card')}",
            )
            return self._wrong(event, "deal.order", said)
        refused = self._refused_by_its_phase(event)
        if refused is not None:
            return self._wrong(event, refused.rule, refused.text)
        waiting = self.table.hand.waiting
        wanted = Text("这一把打完了", "the hand is over")
        if waiting is not None:
            what = KIND_TEXT.get(waiting.kind, Text(waiting.kind, waiting.kind))
            wanted = Text(f"该 {waiting.seat} 号位{what.zh}", f"seat {waiting.seat} is to answer ({what.en})")
        said = Text(f"这里不能有 {short(kind)}：{wanted.zh}", f"{short(kind)} is not possible here: {wanted.en}")
        return self._wrong(event, "table.phase", said)

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

    def _deal(self, number: int, redeal: int) -> tuple[Sequence[Card], int] | FairDeal:
        """The deck of the next ``hand`` event, checked; called by the table when it starts a hand."""
        event = self._event()
        assert event is not None  # the table is on hold: it deals when there is something to be dealt
        try:
            if event.get("e") != "hand":
                raise self._wrong(
                    event,
                    "record.order",
                    Text(
                        f"这里该是 hand，不是 {short(event.get('e'))}",
                        f"a hand event must come here, not {short(event.get('e'))}",
                    ),
                )
            deck = self._cards(event, "deck")
            counts = [0] * 54
            for card in deck:
                counts[card.kind] += 1
            if tuple(counts) != self.rules.deck.copies:
                raise self._wrong(
                    event, "deck.packs", Text("牌不是这套规则的那几副牌", "the deck is not the packs of this rule set")
                )
            first = event.get("first")
            if not isinstance(first, int) or isinstance(first, bool) or not 0 <= first <= 3:
                raise self._wrong(
                    event,
                    "table.seat",
                    Text(f"hand.first 写的是 {short(first)}，不是座位", f"hand.first is {short(first)}: no seat"),
                )
            drawn = self._drawn(event, number, redeal)
        except RecordError as error:
            raise _WrongHand(error) from None
        self.hands += redeal == 0
        return (deck, first) if drawn is None else FairDeal(deck, first, drawn)

    def _drawn(self, event: Event, number: int, redeal: int) -> Fair | None:
        """What the deck says it was drawn from, if it was; see ``fairness.py``."""
        try:
            fair = Fair.of_event(event)
        except ValueError as error:
            key = f"hand.{error}"
            raise self._wrong(event, "fair.keys", Text(f"{key} 写得不对", f"{key} is not as it must be")) from None
        if fair is None:
            return None
        if fair.hash != event["fair"].get("hash"):
            raise self._wrong(event, "fair.hash", self.rules.rule_text("fair.hash"))
        deal = fair.deal(self.rules, number, redeal)
        drawn_first = event.get("dealer") is not None or deal.first == event["first"]
        if deal.deck != self._cards(event, "deck") or not drawn_first:
            raise self._wrong(event, "fair.deck", self.rules.rule_text("fair.deck"))
        return fair

    def _cards(self, event: Event, key: str) -> tuple[Card, ...]:
        try:
            if not isinstance(event.get(key), list):
                raise CardError(Text(f"{key} 不是一列牌", f"{key} is no list of cards"))
            return parse_cards(event[key])
        except CardError as error:
            raise self._wrong(event, "record.cards", error.text) from None

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
            here, wanted = short(theirs.get("e")), short(ours["e"])
            said = Text(f"这里写的是 {here}，应该是 {wanted}", f"{here} here, should be {wanted}")
            raise self._wrong(theirs, str(ours.get("by", "record.order")), said)
        for key, value in ours.items():
            if key in ("e", "n"):
                continue
            if key not in theirs:
                if self.foreign and key in LEFT_OUT:
                    continue
                name = f"{ours['e']}.{key}"
                raise self._wrong(theirs, "record.keys", Text(f"缺 {name}", f"{name} is missing"))
            if self.foreign and key in LEFT_OUT:
                continue
            if not same_value(key, value, theirs[key]):
                rule = rule_of(ours, key)
                name, here, wanted = f"{ours['e']}.{key}", short(theirs[key]), short(value)
                said = Text(f"{name} 写的是 {here}，应该是 {wanted}", f"{name} is {here}, should be {wanted}")
                raise self._wrong(theirs, rule, said)

    def _check_numbers(self) -> None:
        for place, event in enumerate(self.record.events):
            n, kind = event.get("n"), event.get("e")
            if not isinstance(kind, str):
                raise RecordError(
                    Text(
                        f"第 {place + 1} 个事件没写明是什么事：e 是 {short(kind)}",
                        f"event {place + 1} does not say what happened: its e is {short(kind)}",
                    ),
                    event=place + 1,
                    line=place + 2,
                    rule="record.keys",
                )
            if kind in JOURNAL and n is None:
                continue
            if type(n) is not int or n != place + 1:
                raise RecordError(
                    Text(
                        f"第 {place + 1} 个事件的 n 是 {short(n)}：事件要从 1 起挨个编号",
                        f"event {place + 1} has n {short(n)}: events are numbered 1, 2, 3 …",
                    ),
                    event=place + 1,
                    line=place + 2,
                    rule="record.numbers",
                )

    def _wrong(self, event: Event, rule: str, what: Text) -> RecordError:
        n = event.get("n")
        number = n if isinstance(n, int) else None
        kind = event.get("e")
        return RecordError(
            Text(f"事件 {n}（{kind}）：{what.zh} [{rule}]", f"event {n} ({kind}): {what.en} [{rule}]"),
            event=number,
            line=number + 1 if number is not None else None,
            rule=rule,
            detail=what,
        )


class _WrongHand(GunziError):
    """Carries an error out of the table's dealing."""

    def __init__(self, error: RecordError) -> None:
        super().__init__(error.text)
        self.error = error


def _start(header: Mapping[str, Any]) -> Start | None:
    """Where the table took up the game, if not at the beginning of a round. Raises RecordError."""
    given = header.get("start")
    if given is None:
        return None
    try:
        levels, dealer, owed = given["levels"], given["dealer"], given["owed"]
        numbers = [*levels, *([] if dealer is None else [dealer])]
        if owed is not None:
            owed = Owed(owed["from"], owed["to"], owed["count"])
            numbers += [owed.giver, owed.receiver, owed.count]
        whole = len(levels) == 2 and all(type(number) is int for number in numbers)
        seats = [seat for seat in (dealer, *((owed.giver, owed.receiver) if owed else ())) if seat is not None]
        good = whole and all(2 <= level <= 14 for level in levels) and all(0 <= seat <= 3 for seat in seats)
        if good and (owed is None or (owed.count > 0 and owed.giver != owed.receiver and dealer is not None)):
            return Start((levels[0], levels[1]), dealer, owed)
    except (KeyError, TypeError, IndexError):
        pass
    raise RecordError(
        Text(
            f"第 1 行：start 要写两方的级（levels）、庄家（dealer）和欠的贡（owed），不能是 {short(given)}",
            f"line 1: start must give both levels, the dealer and what is owed, not {short(given)}",
        ),
        line=1,
        rule="record.keys",
    )


def _are_players(players: object) -> bool:
    return isinstance(players, list) and len(players) == 4 and all(isinstance(player, dict) for player in players)


def _without_undone(events: Sequence[Event]) -> list[Event]:
    """The events that count: what an ``undo`` voids is left out, and so is the ``undo``. Raises RecordError."""
    kept: list[Event] = []
    for place, event in enumerate(events):
        if event.get("e") != "undo":
            kept.append(event)
            continue
        to, agreed = event.get("to"), event.get("agreed")
        good = type(to) is int and any(old.get("n") == to for old in kept)
        seats = isinstance(agreed, list) and all(type(seat) is int and 0 <= seat <= 3 for seat in agreed)
        if not good or not seats or len(set(agreed or ())) != len(agreed or ()):
            said = Text(
                f"事件 {place + 1}（undo）：要写退回到哪个还算数的事件（to），和哪几家同意（agreed） [table.undo]",
                f"event {place + 1} (undo): it must name an event that counts (to) and the seats that agreed (agreed) "
                "[table.undo]",
            )
            raise RecordError(said, event=place + 1, line=place + 2, rule="table.undo")
        kept = [old for old in kept if old.get("n") is None or old["n"] <= to]
    return kept
