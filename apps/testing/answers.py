"""What hooks answer: types and ranges, checked while a table is played, each failure naming the plugin and the hook."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from types import SimpleNamespace
from typing import Any, Final

from gunzi.apps.testing.report import Report
from gunzi.apps.testing.texts import check_text, is_chinese
from gunzi.cards import SUITS, Card
from gunzi.errors import Text
from gunzi.host import SPECS
from gunzi.phase import Phase
from gunzi.ruleset import RuleSet
from gunzi.trump import BITS
from gunzi.values import (
    Conflict,
    Ending,
    Reason,
    ScorePart,
    TributePart,
)

CHECK: Final = "hooks"
_ALL: Final = (1 << BITS) - 1
_NOT_TWICE: Final = frozenset({"happened", "lead_rule", "follow_rule", "trick_rule", "phases", "questions"})
_TWICE: Final = 60
"""So many answers of a hook are asked for a second time: the same question has the same answer."""

Complaints = Iterator[str]


class Contracts:
    """The contract of every hook under one rule set: ``of(hook, answer, arguments)`` yields what is wrong with an answer."""

    def __init__(self, rules: RuleSet) -> None:
        self.rules = rules
        self.known = frozenset(rules.rule_ids())

    def of(self, hook: str, answer: Any, given: Mapping[str, Any]) -> Complaints:
        """What is wrong with one plugin's answer; nothing: it keeps the contract."""
        check: Callable[[Any, Mapping[str, Any]], Complaints] | None = getattr(self, f"_{hook}", None)
        if check is not None:
            yield from check(answer, given)

    # -- parts -------------------------------------------------------------------------------------------------

    def _by(self, by: object) -> Complaints:
        if by not in self.known:
            yield f"`by` is {by!r}, no id of an option or of a rule (put it into the plugin's `rules`)"

    def _text(self, text: object, what: str) -> Complaints:
        if not isinstance(text, Text) or not is_chinese(text.zh) or not text.en:
            yield f"{what} is {text!r}, no text in both languages"

    def _items(self, answer: Any, kind: type) -> Iterator[Any]:
        return (item for item in answer if isinstance(item, kind))

    def _only(self, answer: Any, kind: type) -> Complaints:
        for item in answer:
            if not isinstance(item, kind):
                yield f"{item!r} is no {kind.__name__}"

    # -- at load -----------------------------------------------------------------------------------------------

    def _deck(self, answer: Any, given: Mapping[str, Any]) -> Complaints:
        if answer.hand < 1 or answer.bottom < 0:
            yield f"{answer!r} cannot be dealt"

    def _permanent_ranks(self, answer: Any, given: Mapping[str, Any]) -> Complaints:
        if len(set(answer)) < len(answer) or len(answer) > 2 or any(rank not in range(2, 15) for rank in answer):
            yield f"{answer!r}: at most two different ranks from 2 to 14"

    def _phases(self, answer: Any, given: Mapping[str, Any]) -> Complaints:
        for name, phase in answer.items():
            if not isinstance(phase, Phase):
                yield f"{name} is {phase!r}, no Phase"
            elif phase.name != name:
                yield f"the phase {name} calls itself {phase.name!r}"

    def _conflicts(self, answer: Any, given: Mapping[str, Any]) -> Complaints:
        yield from self._only(answer, Conflict)
        for conflict in self._items(answer, Conflict):
            code = conflict.code
            if not (code and code.replace("-", "a").isalnum() and code.isascii() and code == code.lower()):
                yield f"the code {code!r} is not in small letters with hyphens"
            for option in conflict.options:
                if option not in self.rules.options:
                    yield f"{code} names {option!r}, which is no option"
            yield from self._text(conflict.text, f"the text of {code}")

    def _questions(self, answer: Any, given: Mapping[str, Any]) -> Complaints:
        for name, function in answer.items():
            if not callable(function):
                yield f"the question {name} is {function!r}, which cannot be called"

    def _claims(self, answer: Any, given: Mapping[str, Any]) -> Complaints:
        yield from self._by(answer.by)
        yield from self._only(answer.cards, Card)

    def _start_level(self, answer: Any, given: Mapping[str, Any]) -> Complaints:
        if answer not in range(2, 15):
            yield f"{answer!r} is no level"

    # -- deal and tribute --------------------------------------------------------------------------------------

    def _bids(self, answer: Any, given: Mapping[str, Any]) -> Complaints:
        seen = set()
        for bid in answer:
            if not (isinstance(bid, tuple) and len(bid) == 2 and isinstance(bid[0], tuple)):
                yield f"{bid!r} is no (cards, suit)"
                continue
            cards, suit = bid
            if suit not in SUITS or len(suit) != 1:
                yield f"{suit!r} is no suit"
            counts = Counter(card.kind for card in cards)
            if not cards or any(given["held"][kind] < count for kind, count in counts.items()):
                yield f"the declaration {' '.join(cards) or 'of nothing'} is not held"
            if bid in seen:
                yield f"{bid!r} is there twice"
            seen.add(bid)

    def _judge_bid(self, answer: Reason | None, given: Mapping[str, Any]) -> Complaints:
        yield from self._reason(answer)

    def _reason(self, answer: Reason | None) -> Complaints:
        if answer is not None:
            yield from self._by(answer.rule)
            yield from self._text(answer.text, f"the text of {answer.rule}")

    def _reveal(self, answer: Any, given: Mapping[str, Any]) -> Complaints:
        yield from self._by(answer.by)
        if answer.turn is None:
            if answer.dealer not in range(4) or answer.suit not in tuple(SUITS):
                yield f"{answer!r}: nobody turns, so a dealer and a suit must be there"
        elif answer.turn not in range(4):
            yield f"{answer!r}: turn is no seat"

    def _draw_suit(self, answer: Any, given: Mapping[str, Any]) -> Complaints:
        if answer not in ("", *SUITS):
            yield f"{answer!r} is no suit"

    def _tribute_exemption(self, answer: Any, given: Mapping[str, Any]) -> Complaints:
        if answer is not None:
            yield from self._by(answer.by)
            if answer.kind not in ("reverse", "cancel") or answer.seat not in range(4):
                yield f"{answer!r}: the kind is reverse or cancel, the seat 0 to 3"

    def _mask(self, answer: Any) -> Complaints:
        if type(answer) is not int or answer < 0 or answer & ~_ALL:
            yield f"{answer!r} is no mask of the {BITS} bits"

    def _payable(self, answer: Any, given: Mapping[str, Any]) -> Complaints:
        yield from self._mask(answer)

    def _returnable(self, answer: Any, given: Mapping[str, Any]) -> Complaints:
        together = 0
        for mask in answer:
            yield from self._mask(mask)
            if type(mask) is int:
                if together & mask:
                    yield "a kind stands in two of the masks"
                together |= mask
        if not answer:
            yield "there is no mask: nothing could be given back"

    # -- bottom and burying ------------------------------------------------------------------------------------

    def _dry_pot(self, answer: Any, given: Mapping[str, Any]) -> Complaints:
        yield from self._by(answer.by)
        if not isinstance(answer.dry, bool):
            yield f"dry is {answer.dry!r}, not True or False"

    def _king_splits(self, answer: Any, given: Mapping[str, Any]) -> Complaints:
        if not answer or tuple(answer[0]) != (0, 0):
            yield "(0, 0) does not come first"
        if len(set(answer)) < len(answer):
            yield "a split is there twice"
        for big, small in answer:
            if not (0 <= big <= given["big"] and 0 <= small <= given["small"]):
                yield f"({big}, {small}) is more than the hand holds"

    def _kings_window(self, answer: Any, given: Mapping[str, Any]) -> Complaints:
        yield from self._by(answer.by)
        if not isinstance(answer.open, bool):
            yield f"open is {answer.open!r}, not True or False"

    def _pickable(self, answer: Any, given: Mapping[str, Any]) -> Complaints:
        yield from self._mask(answer)

    # -- play --------------------------------------------------------------------------------------------------

    def _lead_rule(self, answer: Any, given: Mapping[str, Any]) -> Complaints:
        yield from self._callables(answer, ("count", "kth", "contains", "why_not"))

    def _follow_rule(self, answer: Any, given: Mapping[str, Any]) -> Complaints:
        yield from self._callables(answer, ("shape", "count", "kth", "contains", "why_not"))
        if not isinstance(answer.strict, int) or not isinstance(answer.split, int):
            yield "strict and split are whole numbers"

    def _trick_rule(self, answer: Any, given: Mapping[str, Any]) -> Complaints:
        yield from self._callables(answer, ("power",))
        yield from self._by(answer.by)

    def _callables(self, rule: object, names: Iterable[str]) -> Complaints:
        for name in names:
            if not callable(getattr(rule, name)):
                yield f"{name} cannot be called"

    # -- settling ----------------------------------------------------------------------------------------------

    def _bottom_worth(self, answer: Any, given: Mapping[str, Any]) -> Complaints:
        yield from self._by(answer.by)
        if type(answer.points) is not int or answer.points < 0:
            yield f"{answer.points!r} points: a whole number, 0 or more"

    def _next_dealer(self, answer: Any, given: Mapping[str, Any]) -> Complaints:
        yield from self._by(answer.by)
        if answer.dealer not in range(4) or not isinstance(answer.takeover, bool):
            yield f"{answer!r}: the dealer is a seat, takeover True or False"

    def _endings(self, answer: Any, given: Mapping[str, Any]) -> Complaints:
        yield from self._only(answer, Ending)
        for ending in self._items(answer, Ending):
            yield from self._by(ending.by)
            if not ending.name or ending.winner not in (0, 1) or type(ending.order) is not int:
                yield f"{ending!r}: a name, a winning side 0 or 1, and a whole number for its order"

    def _level_up(self, answer: Any, given: Mapping[str, Any]) -> Complaints:
        if answer is not None:
            yield from self._by(answer.by)
            if answer.side not in (0, 1) or type(answer.earned) is not int or answer.earned < 1:
                yield f"{answer!r}: a side 0 or 1, and 1 level or more"

    def _climb(self, answer: Any, given: Mapping[str, Any]) -> Complaints:
        yield from self._by(answer.by)
        if answer.level not in range(2, 15) or type(answer.climbed) is not int or answer.climbed < 0:
            yield f"{answer!r}: a level from 2 to 14, and 0 climbed or more"
        elif answer.lost and (answer.climbed or answer.level != given["level"]):
            yield f"{answer!r}: where a level-up is lost, nothing is climbed"

    def _tribute_parts(self, answer: Any, given: Mapping[str, Any]) -> Complaints:
        yield from self._only(answer, TributePart)
        for part in self._items(answer, TributePart):
            yield from self._by(part.by)
            yield from self._text(part.what, f"the text of {part.by}")
            if type(part.count) is not int:
                yield f"{part.count!r} cards: a whole number"

    def _score_parts(self, answer: Any, given: Mapping[str, Any]) -> Complaints:
        yield from self._only(answer, ScorePart)
        for part in self._items(answer, ScorePart):
            yield from self._by(part.by)
            yield from self._text(part.what, f"the text of {part.by}")
            if len(part.scores) != 4 or any(type(score) is not int for score in part.scores):
                yield f"{part.scores!r}: four whole numbers"


def watched_rules(rules: RuleSet, report: Report, asked: set[str]) -> RuleSet:
    """The same rule set, every answer of its hooks checked as it is given; ``asked`` collects the hooks that were asked.

    It has a hash of its own, so that nothing it is asked for is shared with the plain one.
    """
    twin = RuleSet(rules.resolved)
    contracts = Contracts(rules)
    hooks = {name: _watched(name, twin, contracts, report, asked) for name in SPECS}
    for name, value in (
        ("hook", SimpleNamespace(**hooks)),
        ("hash", f"{rules.hash}-watched"),
        ("_hash", hash((rules.hash, id(report)))),
        ("_play_rules", {}),
    ):
        object.__setattr__(twin, name, value)
    return twin


def _watched(hook: str, rules: RuleSet, contracts: Contracts, report: Report, asked: set[str]) -> Callable[..., Any]:
    original: Callable[..., Any] = getattr(rules.host.hook, hook)
    decision = SPECS[hook].decision
    where = f"{' or '.join(rules.host.who(hook)) or 'nobody'}, {hook}"
    count = 0

    def ask(**given: Any) -> Any:
        nonlocal count
        count += 1
        asked.add(hook)
        answer = original(**given)
        report.counts[CHECK] += 1
        if decision:
            for complaint in contracts.of(hook, answer, given):
                report.fail(CHECK, where, complaint)
        elif hook != "happened":
            for plugin, own in rules.host.each(hook, **given):
                for complaint in contracts.of(hook, own, given):
                    report.fail(CHECK, f"{plugin}, {hook}", complaint)
            for one in answer:
                for complaint in contracts.of(hook, one, given):
                    report.fail(CHECK, where, complaint)
        if hook not in _NOT_TWICE and count <= _TWICE:
            again = original(**given)
            report.that(again == answer, CHECK, where, f"asked the same twice, it answers {answer!r}, then {again!r}")
        return answer

    return ask


def check_redaction(rules: RuleSet, events: Iterable[Mapping[str, Any]], report: Report) -> None:
    """A plugin's own events: named after it, redacted to a map of the same kind or to nothing, told in both languages."""
    for event in events:
        kind = str(event["e"])
        owner = kind.rpartition(":")[0]
        if not owner:
            continue
        where = f"{owner}, redact"
        report.that(owner in rules.plugins, CHECK, where, f"the event {kind} belongs to no plugin of this rule set")
        for seat in (0, 1, 2, 3, None):
            with report.part(CHECK, where):
                shown = rules.redact(event, seat)
                sound = shown is None or (shown.get("e"), shown.get("n")) == (kind, event["n"])
                report.that(sound, CHECK, where, f"{kind} is shown to {seat} as {shown!r}: the same e and n, or None")
                told = rules.narrate(shown) if shown is not None else None
                if told is not None:
                    check_text(told, f"{kind} in words", f"{owner}, narrate", report)
