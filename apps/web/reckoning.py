"""A rule set's reckoning as data: what any told hand comes to, worked out by the rules themselves before anybody tells it.

A scorekeeper's page has no network at a real table. It may not know the rules either: a stranger's plugin can change them. So the
server settles a hand whose numbers are unknown (``unknowns.py``) and sends the decision tree that comes out; the page looks hands up
in it and knows nothing but how to walk a tree and add.
"""

from __future__ import annotations

import os
import random
import sys
from collections.abc import Iterator, Sequence
from dataclasses import replace
from types import SimpleNamespace
from typing import Any, Final

import orjson

from gunzi.apps.cli.sheet import following, start_of
from gunzi.apps.cli.told import Standing, all_points, asks_for_last_play, most_in_bottom, not_dry, wanted
from gunzi.apps.cli.typed import PATTERNS
from gunzi.apps.web.decisions import Pool, line_json, looked_up
from gunzi.apps.web.unknowns import Numbers, Run, Unforeseen, Unknown, explore
from gunzi.cards import CARDS, SUITS, Card
from gunzi.installed import is_built_in
from gunzi.loading import load
from gunzi.ruleset import RuleSet
from gunzi.settling import settle
from gunzi.trump import BITS, Trump, trump_order
from gunzi.values import CAPTURED, HELD, Climb, Owed, Result

Json = dict[str, Any]
FORMAT: Final = 1
MOST_CASES: Final = 8_000
"""The most cases a reckoning may have; rules that need more are reckoned by the server."""
FEW_CASES: Final = 3_000
"""As many cases as a reckoning may have in which anybody can have paid anybody tribute; else see PARTIES."""
PARTIES: Final = ((3, 0), (0, 3))
"""Who pays whom where tribute is due or is turned round: seats counted from the dealer's."""
MOST_SCORE: Final = 60_000
"""The highest total that titles are looked up for."""
SAMPLES: Final = 300
"""Hands that are settled once more, by the rules and by the tree, before a reckoning is given away."""
POINTS_STEP: Final = 5


class _UnknownBottom:
    """A bottom of which only can be asked how many of a kind lie in it."""

    def __init__(self, run: Run, size: int) -> None:
        self._run, self._size = run, size

    def count(self, card: object) -> Any:
        return self._run.unknown(f"count:{Card(str(card))}")

    def __contains__(self, card: object) -> bool:
        return bool(self.count(card) > 0)

    def __len__(self) -> int:
        return self._size

    def __iter__(self) -> Iterator[Card]:
        if not self._run.answered:
            raise Unforeseen("the cards of the bottom, one by one")
        return iter(())


class _UnknownTrump:
    """A trump order that nothing can be asked of."""

    def __getattr__(self, name: str) -> Any:
        raise Unforeseen("the trump order")


class _UnknownPlay:
    """A play of which only can be asked how many cards it has."""

    def __init__(self, run: Run) -> None:
        self._run = run

    def __len__(self) -> int:
        return int(self._run.unknown("last"))


class _UnknownMask:
    """A set of cards in the bottom, at least ``copies`` of each kind: is one of them among these bits?"""

    def __init__(self, run: Run, trump: Trump, copies: int, bits: int) -> None:
        self._run, self._trump, self._copies, self._bits = run, trump, copies, bits

    def __and__(self, bits: object) -> _UnknownMask:
        if not isinstance(bits, int):
            raise Unforeseen("the cards of the bottom, one by one")
        return _UnknownMask(self._run, self._trump, self._copies, self._bits & bits)

    __rand__ = __and__

    def __bool__(self) -> bool:
        kinds = sum(1 << self._trump.kind_at[bit] for bit in range(BITS) if self._bits >> bit & 1)
        return bool(self._run.unknown(f"any:{self._copies}:{kinds:x}"))

    def __eq__(self, other: object) -> bool:
        if other != 0 or not isinstance(other, int):
            raise Unforeseen("the cards of the bottom, one by one")
        return not self

    __hash__ = None  # type: ignore[assignment]


class _AnyCards(dict[str, Sequence[int]]):
    """Whether one of some cards lies in the bottom, besides the other variables: no (0) or yes (1)."""

    def __missing__(self, name: str) -> Sequence[int]:
        if not name.startswith("any:"):
            raise KeyError(name)
        return (0, 1)


# -- the cases -------------------------------------------------------------------------------------------------


class Reckoning:
    """A rule set's reckoning. Making one raises Unforeseen where the rules ask for more than a tree can answer."""

    def __init__(self, rules: RuleSet) -> None:
        self.rules = rules
        self._climb = rules.hook.climb
        self._hows: list[tuple[bool, bool, str]] = []
        self.levels = self._reachable()
        self.numbers = Numbers(self._domains())
        self.settled = Pool(self.numbers)
        self.verdicts = Pool(self.numbers)
        self.parties: tuple[tuple[int, int], ...] = ()
        """Between whom tribute can have been paid; empty: between any two."""
        try:
            self.top = self._hands()
            self.dry = self._dry()
            self.titles = self._titles()
            self._check()
        except Unforeseen:
            raise
        except Exception as error:  # a stranger's plugin may choke on an unknown number in any way
            raise Unforeseen(f"{type(error).__name__}: {error}") from error

    def _hands(self) -> int:
        try:
            return self.settled.add(explore(self.numbers, self._hand, FEW_CASES))
        except Unforeseen:
            self.parties = PARTIES
            self.numbers = Numbers({**self._domains(), "paid": range(1 + len(PARTIES))})
            self.settled = Pool(self.numbers)
            return self.settled.add(explore(self.numbers, self._hand, MOST_CASES))

    def _reachable(self) -> tuple[int, ...]:
        """Every level a side can stand on."""
        found, new = {self.rules.start_level}, [self.rules.start_level]
        for level in new:
            for earned in range(1, 1 + len(CARDS)):
                for as_dealer in (True, False):
                    climb: Climb = self._climb(level=level, earned=earned, as_dealer=as_dealer)
                    if climb.level not in found and not (climb.passed and not climb.lost):
                        found.add(climb.level)
                        new.append(climb.level)
        return tuple(sorted(found))

    def _domains(self) -> dict[str, Sequence[int] | None]:
        rules = self.rules
        plain_leads = all(is_built_in(id) for id in rules.host.who("lead_rule"))
        found: dict[str, Sequence[int] | None] = {
            "captured": (0, 1),
            "dry": (0, 1),
            "paid": (0, 1),
            "dealer": range(4),
            "giver": range(4),
            "receiver": range(4),
            "count": range(1, rules.deck.hand + 1),
            "level0": self.levels,
            "level1": self.levels,
            "points": range(0, all_points(rules) + 1, POINTS_STEP),
            "bottom": range(0, most_in_bottom(rules, 0) + 1, POINTS_STEP),
            "last": range(1, (3 if plain_leads else rules.deck.hand) + 1),
            "round": None,
            "hand": None,
            "number": None,
        }
        for card in CARDS:
            found[f"count:{card}"] = range(min(rules.deck.copies[card.kind], rules.deck.bottom) + 1)
        return {name: None if values is None else tuple(values) for name, values in found.items()}

    def _hand(self, run: Run) -> Json:
        """A hand of which nothing is known: what it is settled to, and how the table stands after it."""
        captured, dry = bool(run.unknown("captured")), bool(run.unknown("dry"))
        levels = (run.unknown("level0"), run.unknown("level1"))
        dealer = run.unknown("dealer")
        paid, how = None, int(run.unknown("paid"))
        if how and self.parties:
            giver, receiver = self.parties[how - 1]
            paid = Owed((dealer + giver) % 4, (dealer + receiver) % 4, run.unknown("count"))
        elif how:
            paid = Owed(run.unknown("giver"), run.unknown("receiver"), run.unknown("count"))
        unknown: Any = SimpleNamespace(
            bottom=_UnknownBottom(run, self.rules.deck.bottom), trump=_UnknownTrump(), last=_UnknownPlay(run)
        )
        result = Result(
            dealer=dealer,
            levels=levels,
            trick_points=run.unknown("points"),
            capture=CAPTURED if captured else HELD,
            bottom=unknown.bottom,
            bottom_points=run.unknown("bottom"),
            dry=dry,
            trump=unknown.trump,
            last_play=unknown.last,
            tribute_paid=paid,
        )
        hook = SimpleNamespace(**{**vars(self.rules.hook), "climb": self._climbing(run)})
        asked: Any = SimpleNamespace(hook=hook, start_level=self.rules.start_level)
        settlement = settle(asked, result)
        standing = Standing(
            self.rules,
            run.unknown("number"),
            run.unknown("round"),
            run.unknown("hand"),
            levels,
            dealer,
            None,
            "",
        )
        after = following(standing, settlement)
        run.answered = True
        return {"result": settlement.as_json(), "next": after.as_json()}

    def _climbing(self, run: Run) -> Any:
        """The hook ``climb`` of numbers that are not known: a function of small numbers, asked for all of them beforehand."""

        def climb(level: Any, earned: Any, as_dealer: Any) -> Climb:
            if not isinstance(level, Unknown) and not isinstance(earned, Unknown):
                known: Climb = self._climb(level=level, earned=earned, as_dealer=bool(as_dealer))
                return known
            names = [f"{name}:{int(bool(as_dealer))}" for name in ("how", "level", "climbed")]
            tables = [self.numbers.functions.setdefault(name, {}) for name in names]
            for pair in ((one, other) for one in run.values(level) for other in run.values(earned)):
                if pair in tables[0]:
                    continue
                found: Climb = self._climb(level=pair[0], earned=pair[1], as_dealer=bool(as_dealer))
                how = (found.passed, found.lost, found.by)
                if how not in self._hows:
                    self._hows.append(how)
                tables[0][pair] = self._hows.index(how)
                tables[1][pair], tables[2][pair] = found.level, found.climbed
            passed, lost, by = self._hows[int(run.look_up(names[0], level, earned))]
            return Climb(run.look_up(names[1], level, earned), run.look_up(names[2], level, earned), passed, lost, by)

        return climb

    # -- 干锅, titles ----------------------------------------------------------------------------------------------

    def _dry(self) -> Json:
        """For every trump suit and level, and first hands apart: the tree that says why a bottom is no dry pot (0: it is one)."""
        rules, found = self.rules, {}
        domains = _AnyCards()
        numbers = Numbers(domains, lines=self.numbers.lines)
        self.verdicts = Pool(numbers)
        for level in self.levels:
            for suit in SUITS:
                trump = trump_order(level, suit, rules.permanent)
                for first in (False, True):

                    def judged(run: Run, trump: Trump = trump, first: bool = first) -> Json:
                        every = sum(1 << bit for bit in trump.bit_of)
                        one, two, three = (_UnknownMask(run, trump, copies, every) for copies in (1, 2, 3))
                        masks: Any = (one, two, three)
                        verdict = rules.hook.dry_pot(bottom=masks, trump=trump, shown=True, first_hand=first)
                        text = None if verdict.dry else not_dry(rules, verdict.by)
                        return {"dry": {"why": {"zh": text.zh, "en": text.en} if text else None}}

                    found[f"{level}{suit}{int(first)}"] = self.verdicts.add(explore(numbers, judged, MOST_CASES))
        return found

    def _titles(self) -> list[tuple[int, str]]:
        """From which total on a player carries which title."""
        found: list[tuple[int, str]] = []
        title = self.rules.hook.title
        for score in range(-MOST_SCORE, MOST_SCORE + 1):
            said = title(score=score)
            if not found or found[-1][1] != said:
                found.append((score, said))
        return found

    # -- as data -----------------------------------------------------------------------------------------------

    def as_json(self) -> Json:
        """The reckoning as the page reads it."""
        rules = self.rules
        start = start_of(rules)
        asked = {}
        for dealer in (None, 0):
            for owed in (None, Owed(0, 1, 1)):
                standing = replace(start, dealer=dealer, owed=owed)
                for captured in ("no", "yes"):
                    key = f"{int(dealer is None)}{int(owed is not None)}{int(captured == 'yes')}"
                    asked[key] = wanted(standing, {"captured": captured})
        return {
            "gunzi": FORMAT,
            "kind": "reckoning",
            "rules": {"id": rules.id, "name": {"zh": rules.name.zh, "en": rules.name.en}, "hash": rules.hash},
            "cards": {
                "patterns": PATTERNS,
                "copies": list(rules.deck.copies),
                "points": list(rules.points),
                "hand": rules.deck.hand,
                "bottom": rules.deck.bottom,
                "all_points": all_points(rules),
                "step": POINTS_STEP,
            },
            "start": start.as_json(),
            "wanted": asked,
            "parties": self.parties,
            "last": asks_for_last_play(rules),
            "domains": {
                name: list(values)
                for name, values in self.numbers.domains.items()
                if values is not None and ":" not in name
            },
            "titles": self.titles,
            "lines": [line_json(line) for line in self.numbers.lines],
            "functions": {
                name: {",".join(map(str, pair)): value for pair, value in table.items()}
                for name, table in self.numbers.functions.items()
            },
            "hands": {**self.settled.as_json(), "top": self.top},
            "dry": {**self.verdicts.as_json(), "tops": self.dry},
        }

    # -- trying it ---------------------------------------------------------------------------------------------

    def _check(self) -> None:
        """Does the tree say what the rules say, of hands like those that people tell? Raises Unforeseen where it does not."""
        dice = random.Random(self.rules.hash)
        table = self.as_json()
        for _ in range(SAMPLES):
            result, known = self._any_hand(dice)
            expected = settle(self.rules, result).as_json()
            found = looked_up(table, table["hands"], self.top, known)
            if any(found[f"result.{key}"] != value for key, value in expected.items() if key != "bottom"):
                raise Unforeseen("the rules said otherwise of a known hand than of an unknown one")

    def _any_hand(self, dice: random.Random) -> tuple[Result, dict[str, int]]:
        rules = self.rules
        deck = [card for card in CARDS for _ in range(rules.deck.copies[card.kind])]
        kings = [card for card in deck if card.is_joker]
        worth = [card for card in deck if not card.is_joker and rules.points[card.rank - 2]]
        pool = deck + (kings + worth) * dice.randrange(4)
        dice.shuffle(pool)
        bottom: list[Card] = []
        for card in pool:
            if len(bottom) < rules.deck.bottom and bottom.count(card) < rules.deck.copies[card.kind]:
                bottom.append(card)
        points = sum(rules.points[card.rank - 2] for card in bottom)
        most = (all_points(rules) - points) // POINTS_STEP
        tricks = POINTS_STEP * dice.choice((0, most, dice.randint(0, most), dice.randint(0, most)))
        levels = (dice.choice(self.levels), dice.choice(self.levels))
        dealer, captured, dry = dice.randrange(4), dice.random() < 0.5, dice.random() < 0.3
        how = dice.randrange(3)
        giver, receiver = ((dealer + each) % 4 for each in PARTIES[how - 1])
        paid = Owed(giver, receiver, dice.randint(1, 12)) if how else None
        last = dice.randint(1, 3)
        suit = dice.choice(SUITS)
        result = Result(
            dealer=dealer,
            levels=levels,
            trick_points=tricks,
            capture=CAPTURED if captured else HELD,
            bottom=tuple(bottom),
            bottom_points=points,
            dry=dry,
            trump=trump_order(levels[dealer % 2], suit, rules.permanent),
            last_play=(dice.choice(CARDS),) * last,
            tribute_paid=paid,
        )
        known = {
            "captured": int(captured),
            "dry": int(dry),
            "paid": how if self.parties else int(how > 0),
            "dealer": dealer,
            "level0": levels[0],
            "level1": levels[1],
            "points": tricks,
            "bottom": points,
            "last": last,
            "round": 1,
            "hand": 1,
            "number": 1,
            **({"giver": paid.giver, "receiver": paid.receiver, "count": paid.count} if paid else {}),
            **{f"count:{card}": bottom.count(card) for card in CARDS},
        }
        return result, known


def answer_of(rules: RuleSet, reckoning: Json | None, why: str | None) -> Json:
    """What is sent: a rule set with its reckoning, or why it has none."""
    head = {"id": rules.id, "name": {"zh": rules.name.zh, "en": rules.name.en}, "hash": rules.hash}
    return {"rules": head, "reckoning": reckoning, "why": why}


def answer_for(rules: RuleSet) -> Json:
    """A rule set's reckoning, made, or why there is none."""
    try:
        return answer_of(rules, Reckoning(rules).as_json(), None)
    except Unforeseen as unforeseen:
        return answer_of(rules, None, str(unforeseen))


if __name__ == "__main__":
    if hasattr(os, "nice"):
        os.nice(10)  # who plays goes first
    sys.stdout.buffer.write(orjson.dumps(answer_for(load(sys.argv[1]))))
