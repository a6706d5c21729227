"""Questions about the play: leading, following, winning a trick."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from gunzi import masks
from gunzi.acts import Play
from gunzi.apps.scenarios.question import TRUMP, Answer, Given, Note, Question, Unasked, given, trump_of, verdict
from gunzi.apps.scenarios.reading import Field, Fields, anything, cards, list_of, needed, number, seat
from gunzi.ask import PlayAsk
from gunzi.cards import Card
from gunzi.errors import Text
from gunzi.play_rules import play_rules
from gunzi.trump import Masks

if TYPE_CHECKING:
    from gunzi.ruleset import RuleSet

ALLOWED: Final = Text("可以出", "it is allowed")


def _plays(rules: RuleSet, given: Given, lead: Masks | None) -> Answer:
    """Which of the plays are allowed; a note for each that is not what the scenario says."""
    trump = trump_of(rules, given)
    leads, follows, _ = rules.play_rules(trump)
    lane, n = follows.shape(*lead) if lead is not None else (0, 0)
    ask = PlayAsk(play_rules(rules, trump), 0, trump.masks(given["hand"]), lead, lane, n)
    value: dict[str, tuple[bool, ...]] = {}
    notes: list[Note] = []
    for key in ("legal", "illegal"):
        found = []
        for play in given[key]:
            allowed, why = verdict(ask.refusal(Play(play)), play)
            found.append(allowed)
            if allowed and key == "illegal":
                said = f"[{', '.join(play)}] "
                notes += [Note(by, Text(said + ALLOWED.zh, said + ALLOWED.en)) for by in _deciding(lead)]
            elif not allowed and key == "legal":
                notes += why
        value[key] = tuple(found)
    return Answer(value, tuple(notes))


def _deciding(lead: Masks | None) -> tuple[str, ...]:
    if lead is None:
        return ("lead.one_kind",)
    return ("follow.shapes", "follow.triple_against_pair") if masks.size(*lead) == 2 else ("follow.shapes",)


def _lead(rules: RuleSet, given: Given) -> Answer:
    return _plays(rules, given, None)


def _follow(rules: RuleSet, given: Given) -> Answer:
    trump = trump_of(rules, given)
    led = trump.masks(given["led"])
    if not rules.play_rules(trump)[0].contains(*led, *led):
        raise _no_lead("led", rules, given["led"])
    return _plays(rules, given, led)


def _no_lead(key: str, rules: RuleSet, cards: tuple[Card, ...]) -> Unasked:
    said = ", ".join(cards)
    return Unasked(Text(f"{key}：{rules.id} 不能领 [{said}]", f"{key}: under {rules.id} nobody may lead [{said}]"))


def _trick(rules: RuleSet, given: Given) -> Answer:
    trump = trump_of(rules, given)
    leads, follows, wins = rules.play_rules(trump)
    plays = [trump.masks(play) for play in given["plays"]]
    if not leads.contains(*plays[0], *plays[0]):
        raise _no_lead("plays", rules, given["plays"][0])
    if len({len(play) for play in given["plays"]}) > 1:
        raise Unasked(
            Text("plays：四家出的张数要一样", "plays: all four plays of a trick have the same number of cards")
        )
    lane, n = follows.shape(*plays[0])
    powers = [wins.power(*play, n, lane) for play in plays]
    winner = (given["leader"] + powers.index(max(powers))) % 4
    pointed, points = rules.point_masks(trump)
    total = sum(masks.points_of(*play, pointed, points) for play in plays)
    return Answer({"winner": winner, "points": total}, (Note(wins.by, rules.rule_text(wins.by)),))


def _as_written(given: Given) -> dict[str, Any]:
    """Every play under ``legal`` is allowed, none under ``illegal`` is."""
    return {key: (key == "legal",) * len(given[key]) for key in ("legal", "illegal")}


_PLAYS: Final = {"legal": needed(list_of(cards)), "illegal": needed(list_of(cards))}
LEAD: Final = Question("lead", given(**TRUMP, hand=needed(cards), **_PLAYS), anything, _lead, right=_as_written)
FOLLOW: Final = Question(
    "follow",
    given(**TRUMP, led=needed(cards), hand=needed(cards), **_PLAYS),
    anything,
    _follow,
    right=_as_written,
    decided_by=("follow.shapes", "follow.triple_against_pair"),
)
TRICK: Final = Question(
    "trick",
    given(**TRUMP, leader=Field(seat, default=0), plays=needed(list_of(cards, 4))),
    Fields("expect", {"winner": Field(seat), "points": Field(number)}, partial=True),
    _trick,
    decided_by=("trump.permanent", "points"),
)
