"""The score of a real table: hands as people tell them, settled one after another, each step undoable."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

from gunzi.apps.cli.entry import Entry, merged
from gunzi.apps.cli.told import Reading, Standing, read_told
from gunzi.cards import rank_text
from gunzi.errors import Text
from gunzi.ruleset import RuleSet
from gunzi.settling import settle
from gunzi.values import Settlement

FORMAT: Final = 1


@dataclass(frozen=True, slots=True)
class Row:
    """A settled hand: how the table stood before, what was told, what came of it, the sheets after it."""

    standing: Standing
    told: Entry
    settlement: Settlement
    remarks: tuple[Text, ...]
    scores: tuple[int, int, int, int]

    @property
    def dealer(self) -> int:
        """Who dealt."""
        return self.settlement.outcome.result.dealer

    @property
    def level(self) -> int:
        """The level that was played."""
        return self.standing.levels[self.dealer % 2]

    def as_json(self) -> dict[str, Any]:
        """The hand as data; ``settle`` is as in a record."""
        found = {
            "round": self.standing.round,
            "hand": self.standing.hand,
            "dealer": self.dealer,
            "level": rank_text(self.level),
            "told": self.told,
            "settle": self.settlement.as_json(),
            "scores": list(self.scores),
        }
        if self.remarks:
            found["remarks"] = [{"zh": remark.zh, "en": remark.en} for remark in self.remarks]
        return found


@dataclass(frozen=True, slots=True)
class Step:
    """What was done to the sheet: a hand entered (``was`` None) or corrected; ``place`` counts from 0."""

    place: int
    told: Entry
    was: Entry | None = None

    def as_json(self) -> dict[str, Any]:
        """The step as data."""
        return {"place": self.place, "told": self.told, "was": self.was}


def start_of(rules: RuleSet, players: Sequence[str] = ()) -> Standing:
    """How the table stands before the first hand."""
    start = rules.start_level
    return Standing(rules, 1, 1, 1, (start, start), None, None, "", tuple(players))


def following(standing: Standing, settlement: Settlement) -> Standing:
    """How the table stands after a settled hand."""
    outcome = settlement.outcome
    after = replace(standing, number=standing.number + 1, levels=outcome.levels)
    if outcome.round_won_by is not None:
        return replace(after, round=standing.round + 1, hand=1, dealer=None, owed=None, dealer_by="")
    by = "rotation.takeover" if outcome.result.takeover else "rotation.hold"
    dealer = outcome.result.next_dealer
    return replace(after, hand=standing.hand + 1, dealer=dealer, owed=outcome.owed, dealer_by=by)


class Sheet:
    """Hands and where they lead. ``levels``, ``dealer`` (None: a new round), ``owed``, ``scores``, ``rounds_won`` tell how the
    table stands now, ``entering`` the hand that is being entered (``correcting``: the number of the one being corrected)."""

    def __init__(self, rules: RuleSet, players: Sequence[str] = ()) -> None:
        self.rules = rules
        self.players = tuple(players)
        self.steps: list[Step] = []
        self.undone: list[Step] = []
        self.entering: Entry = {}
        self.correcting: int | None = None
        self._start()

    def _start(self) -> None:
        self.rows: list[Row] = []
        self.scores = (0, 0, 0, 0)
        self.rounds_won = [0, 0]
        self._stand(start_of(self.rules, self.players))

    def _stand(self, standing: Standing) -> None:
        self.levels, self.round, self.hand = standing.levels, standing.round, standing.hand
        self.dealer, self.dealer_by, self.owed = standing.dealer, standing.dealer_by, standing.owed

    @property
    def number(self) -> int:
        """The number of the hand to come, from 1, over all rounds."""
        return len(self.rows) + 1

    @property
    def standing(self) -> Standing:
        """How the table stands before the hand to come."""
        return Standing(
            self.rules,
            self.number,
            self.round,
            self.hand,
            self.levels,
            self.dealer,
            self.owed,
            self.dealer_by,
            self.players,
        )

    # -- changing ----------------------------------------------------------------------------------------------

    def add(self, entry: Mapping[str, str]) -> Row:
        """Settle one more hand. Raises Wrong where something is missing or cannot be; then nothing has changed."""
        row = self._settled(entry)
        self._done(Step(self.number - 2, row.told))
        return row

    def correct(self, number: int, entry: Mapping[str, str]) -> Row:
        """Settle a hand (from 1) again with other values laid over what was told, and all later ones as they were played.

        Raises Wrong, and IndexError where there is no such hand; then nothing has changed.
        """
        if not 1 <= number <= len(self.rows):
            raise IndexError(number)
        old = self.rows[number - 1]
        reading = read_told(merged(old.told, entry), old.standing, as_played=True)
        step = Step(number - 1, reading.told, old.told)
        self._apply(step, step.told)
        self._done(step)
        return self.rows[number - 1]

    def undo(self) -> Step | None:
        """Take the last step back; None where there is none."""
        if not self.steps:
            return None
        step = self.steps[-1]
        self._apply(step, step.was)
        self.undone.append(self.steps.pop())
        self.entering, self.correcting = {}, None
        return step

    def redo(self) -> Step | None:
        """Do what was taken back last; None where there is nothing."""
        if not self.undone:
            return None
        step = self.undone[-1]
        self._apply(step, step.told)
        self.steps.append(self.undone.pop())
        self.entering, self.correcting = {}, None
        return step

    def _done(self, step: Step) -> None:
        self.steps.append(step)
        self.undone.clear()
        self.entering, self.correcting = {}, None

    def _apply(self, step: Step, told: Entry | None) -> None:
        """Put another entry (None: nothing) in the step's place and settle all again. Where that fails, nothing has changed."""
        entries = [row.told for row in self.rows]
        entries[step.place : step.place + 1] = [told] if told is not None else []
        before = dict(vars(self))
        try:
            self.replay(entries)
        except BaseException:
            vars(self).update(before)
            raise

    def replay(self, entries: Sequence[Mapping[str, str]]) -> None:
        """Settle hands from the first on, as they were played."""
        self._start()
        for entry in entries:
            self._settled(entry, as_played=True)

    def _settled(self, entry: Mapping[str, str], as_played: bool = False) -> Row:
        standing = self.standing
        reading: Reading = read_told(entry, standing, as_played=as_played)
        settlement = settle(self.rules, reading.result, points=reading.total)
        outcome = settlement.outcome
        one, two, three, four = (old + new for old, new in zip(self.scores, settlement.scores, strict=True))
        self.scores = (one, two, three, four)
        row = Row(standing, reading.told, settlement, reading.remarks, self.scores)
        self.rows.append(row)
        self._stand(following(standing, settlement))
        if outcome.round_won_by is not None:
            self.rounds_won = [won + (side == outcome.round_won_by) for side, won in enumerate(self.rounds_won)]
        return row

    # -- as data -----------------------------------------------------------------------------------------------

    def title(self, seat: int) -> str:
        """The title a seat's total carries; an empty text: none."""
        found: str = self.rules.hook.title(score=self.scores[seat])
        return found

    def as_json(self) -> dict[str, Any]:
        """The sheet as data: what was told, what came out, how the table stands."""
        return {
            "gunzi": FORMAT,
            "kind": "score",
            "rules": self.rules.as_json(),
            "players": list(self.players),
            "hands": [row.as_json() for row in self.rows],
            "next": {
                "hand": self.number,
                "round": self.round,
                "levels": [rank_text(level) for level in self.levels],
                "dealer": self.dealer,
                "owed": self.owed.as_json() if self.owed else None,
            },
            "scores": list(self.scores),
            "titles": [self.title(seat) for seat in range(4)],
            "rounds_won": self.rounds_won,
        }
