"""Running compiled hands: the rules are asked what no table has, and the run goes on."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final, NamedTuple

import numpy as np

from gunzi.apps.lab.fast import layout as at
from gunzi.apps.lab.fast.caching import is_kept, mark
from gunzi.apps.lab.fast.compiled import compiled_play, compiled_settle_again
from gunzi.apps.lab.fast.layout import Log, Memo, Numbers, numbers
from gunzi.apps.lab.fast.names import PLAYERS, RANDOMS, Names, NotCovered
from gunzi.apps.lab.fast.settling import end_place, find_score
from gunzi.apps.lab.fast.tables import check_tribute, read, result_of
from gunzi.cards import CARDS, SUITS
from gunzi.errors import Text
from gunzi.ruleset import RuleSet
from gunzi.settling import settle
from gunzi.turning import turn_bottom
from gunzi.values import Owed

KEYS: Final = 1 << 12
ROWS: Final = 4096


class Engine:
    """One rule set's compiled form: its tables, and what the rules answered so far. Raises NotCovered."""

    def __init__(
        self,
        rules: RuleSet,
        low: int,
        high: int,
        names: Names | None = None,
        policy: Sequence[str] = RANDOMS,
        single: bool = False,
    ) -> None:
        """``low`` to ``high``: the levels that hands can have; ``names``: those that others use as well. ``single``: units are single
        hands, so that the tribute they leave owed is never paid."""
        self.rules = rules
        self.single = single
        self.names = names or Names()
        self.packed, self.tables = read(rules, self.names, low, high)
        players = [PLAYERS[name] for name in policy]
        self.tables.scalars[at.PLAYERS : at.PLAYERS + 4] = players
        most_points = int(self.tables.scalars[at.MOST_POINTS])
        self.memo = Memo(
            ends=numbers(most_points * 2 * 4 * 4 * 2, at.END_FIELDS),
            climbs=numbers(15, at.MOST_EARNED, 2, 5),
            scores=numbers(KEYS, 5),
        )
        self.filled = 0
        self.scratch = at.record(at.SCRATCH_SHAPES)
        self.answer: Numbers = numbers(at.ANSWER + 3 * (rules.deck.bottom + 1))
        self.steady = any(players)
        self.play = compiled_play(self.steady)
        self.marked = is_kept(self.steady)

    def run(self, state: Numbers, units: Numbers, rows: Numbers, log: Log) -> int:
        """Play on from a state until all units are over (NEXT), or rows or log are full (FULL)."""
        while True:
            status = int(self.play(self.packed, state, units, self.scratch, self.memo, self.answer, rows, log))
            if status == at.MISS_REVEAL:
                self._reveal(state)
            elif status in (at.MISS_END, at.MISS_CLIMB, at.MISS_SCORE):
                self._ask(status, rows[state[at.ROWS]])
            elif status == at.TOO_MANY_REDEALS:
                raise NotCovered(Text("一直在重新洗牌", "deal after deal is void"))
            else:
                if not self.marked:
                    mark(self.steady)  # the code is there now, and kept
                    self.marked = True
                return status

    def _ask(self, missing: int, row: Numbers) -> None:
        """Ask the rules what a settlement lacks."""
        (self._end if missing == at.MISS_END else self._climb if missing == at.MISS_CLIMB else self._score)(row)

    def block(self, units: Numbers, *, hands: int = 0, rounds: int = 0, logged: bool = True) -> Block:
        """Play units from their beginning to their end. ``hands`` and ``rounds`` of each at most, 0: as many as it takes."""
        state = new_state(len(units), hands, rounds)
        rows = numbers(64 + len(units), at.ROW)
        log = make_log(320 * len(units), len(units)) if logged else no_log()
        while self.run(state, units, rows, log) == at.FULL:
            if state[at.ROWS] >= len(rows):
                rows = _twice(rows)
            if logged:
                log = log._replace(data=_twice(log.data), events=_twice(log.events))
        return Block(rows[: state[at.ROWS]], log, state)

    def settle_again(self, rows: Numbers) -> None:
        """Settle hands by these rules that were played under others that play alike."""
        start = -1
        while start < len(rows):
            code = int(compiled_settle_again()(self.packed, self.memo, rows, max(start, 0)))
            start = code >> 4
            if start < len(rows):
                self._ask(code & 15, rows[start])

    def _reveal(self, state: Numbers) -> None:
        """翻底牌, as the rules have it."""
        rules = self.rules
        deck = self.scratch[0]["deck"][: rules.deck.size]
        first = int(kernel_first(state))
        bottom = [CARDS[kind] for kind in deck[rules.deck.dealt :]]
        turned, found = turn_bottom(rules, rules.start_level, first, bottom)
        answer = self.answer
        answer[0], answer[1] = 1, len(turned)
        answer[2], answer[3], answer[4] = -1, -1, 0
        if found is not None and found.dealer is not None and found.suit is not None:
            answer[2], answer[3], answer[4] = found.dealer, SUITS.index(found.suit), self.names.rule(found.by)
        for place, (seat, card, by) in enumerate(turned):
            start = at.ANSWER + 3 * place
            answer[start : start + 3] = seat, card.kind, self.names.rule(by)

    def _end(self, row: Numbers) -> None:
        """What a result comes to, levels and sheets apart."""
        rules = self.rules
        dealer, points, captured = int(row[at.R_DEALER]), int(row[at.R_POINTS]), bool(row[at.R_CAPTURED])
        kings, dry = (int(row[at.R_BIG]), int(row[at.R_SMALL])), bool(row[at.R_DRY])
        place = end_place(points, captured, *kings, dry)
        given: dict[str, Any] = {"dealer": dealer, "points": points, "captured": captured, "kings": kings, "dry": dry}
        rotation = rules.hook.next_dealer(result=result_of(rules, **given))
        result = result_of(rules, **given, next_dealer=rotation.dealer, takeover=rotation.takeover)
        end = self.memo.ends[place]
        end[at.NEXT_DEALER], end[at.TAKEOVER] = (rotation.dealer - dealer) & 3, rotation.takeover
        struck = sorted(
            (each for found in rules.hook.endings(result=result) for each in found), key=lambda each: each.order
        )
        end[at.ENDING], end[at.WINNER], end[at.UP_SIDE], end[at.EARNED] = at.NO_ENDING, -1, -1, 0
        if struck:
            end[at.ENDING], end[at.WINNER] = self.names.ending(struck[0].name), struck[0].winner ^ dealer & 1
        else:
            up = rules.hook.level_up(result=result)
            if up is not None:
                if not 0 < up.earned < at.MOST_EARNED:
                    raise NotCovered(Text("一把升的级太多", "a hand levels up by more than there is room for"))
                end[at.UP_SIDE], end[at.EARNED] = up.side ^ dealer & 1, up.earned
        owes = sum(part.count for found in rules.hook.tribute_parts(result=result) for part in found)
        if not self.single:
            check_tribute(rules, abs(owes))
        end[at.OWES] = owes
        end[at.ASKED] = 1

    def _climb(self, row: Numbers) -> None:
        """Where a level-up leads."""
        side, earned = int(row[at.R_UP_SIDE]), int(row[at.R_EARNED])
        level = int(row[at.R_LEVEL_0 + side])
        as_dealer = side == row[at.R_DEALER] % 2
        climb = self.rules.hook.climb(level=level, earned=earned, as_dealer=bool(as_dealer))
        self.memo.climbs[level, earned, int(as_dealer)] = 1, climb.level, climb.climbed, climb.passed, climb.lost

    def _score(self, row: Numbers) -> None:
        """What goes onto the sheets: the hand is settled by the rules, which must come to the same."""
        if 2 * (self.filled + 1) > len(self.memo.scores):
            self._grow()
        paid = Owed(*(int(row[k]) for k in (at.R_PAID_FROM, at.R_PAID_TO, at.R_PAID))) if row[at.R_PAID] else None
        result = result_of(
            self.rules,
            dealer=int(row[at.R_DEALER]),
            trick_points=int(row[at.R_TRICK_POINTS]),
            captured=bool(row[at.R_CAPTURED]),
            kings=(int(row[at.R_BIG]), int(row[at.R_SMALL])),
            dry=bool(row[at.R_DRY]),
            bottom_points=int(row[at.R_BOTTOM_POINTS]),
            levels=(int(row[at.R_LEVEL_0]), int(row[at.R_LEVEL_1])),
            paid=paid,
        )
        settlement = settle(self.rules, result)
        outcome = settlement.outcome
        up, owed = outcome.level_up, outcome.owed
        ending = int(row[at.R_ENDING])
        told = (
            int(row[at.R_POINTS]),
            bool(row[at.R_TAKEOVER]),
            int(row[at.R_NEXT_DEALER]),
            (int(row[at.R_UP_SIDE]), int(row[at.R_EARNED])),
            (int(row[at.R_AFTER_0]), int(row[at.R_AFTER_1])),
            (int(row[at.R_OWES_FROM]), int(row[at.R_OWES_TO]), int(row[at.R_OWES])),
            None if ending == at.NO_ENDING else self.names.endings[ending],
            int(row[at.R_WON_BY]),
        )
        settled = (
            outcome.result.attackers_points,
            outcome.result.takeover,
            outcome.result.next_dealer,
            (up.side, up.earned) if up else (-1, 0),
            outcome.levels,
            (owed.giver, owed.receiver, owed.count) if owed else (-1, -1, 0),
            outcome.ending,
            -1 if outcome.round_won_by is None else outcome.round_won_by,
        )
        if told != settled:
            raise AssertionError(f"compiled settlement {told} is not that of the rules, {settled}")
        dealer = int(row[at.R_DEALER])
        self._put(int(row[at.R_SCORE_KEY]), [settlement.scores[(dealer + seat) & 3] for seat in range(4)])
        self.filled += 1

    def _put(self, packed: int, scores: Any) -> None:
        self.memo.scores[find_score(self.memo, packed)] = packed, *scores

    def _grow(self) -> None:
        old = self.memo.scores
        self.memo = self.memo._replace(scores=numbers(2 * len(old), 5))
        for packed, *scores in old[old[:, 0] != 0].tolist():
            self._put(packed, scores)


class Block(NamedTuple):
    """Units as they were played: a row for each settled hand, the events, and the state at the end."""

    rows: Numbers
    log: Log
    state: Numbers


def new_state(units: int, hands: int = 0, rounds: int = 0) -> Numbers:
    """The state before the first of so many units."""
    state = numbers(at.STATE)
    state[at.UNITS], state[at.FRESH] = units, 1
    state[at.MOST_HANDS], state[at.MOST_ROUNDS] = hands, rounds
    return state


def unit_of(seed: int, levels: tuple[int, int], dealer: int | None = None, owed: Owed | None = None) -> list[int]:
    """A unit's numbers: its seed (below 2^64) and where it begins."""
    due = (owed.giver, owed.receiver, owed.count) if owed else (-1, -1, 0)
    return [signed(seed), *levels, -1 if dealer is None else dealer, *due]


def _twice(array: Numbers) -> Numbers:
    """The same numbers, and as much room again."""
    found = np.empty((2 * len(array), *array.shape[1:]), dtype=np.int64)
    found[: len(array)] = array
    return found


def kernel_first(state: Numbers) -> int:
    """The seat that is dealt first in the first hand that waits for its reveal."""
    from gunzi.chance import seeded_first

    return seeded_first(int(state[at.SEED]) & (1 << 64) - 1, int(state[at.HAND]), int(state[at.REDEAL]))


def no_log() -> Log:
    """A log that nothing is written to."""
    return Log(data=numbers(0), events=numbers(0, 2), units=numbers(0), cursor=numbers(3))


def make_log(events: int, units: int) -> Log:
    """A log with room for about so many events of so many units."""
    log = Log(
        data=np.empty(6 * events + 2 * at.ROOM, dtype=np.int64),
        events=np.empty((events + 2 * at.ROOM, 2), dtype=np.int64),
        units=numbers(units + 1),
        cursor=numbers(3),
    )
    log.cursor[at.ON] = 1
    return log


def signed(word: int) -> int:
    """A word of 64 bits as the signed number of the same bits."""
    return word - (1 << 64) if word >> 63 else word
