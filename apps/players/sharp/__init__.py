"""``sharp``: information-set Monte Carlo. It deals the cards it does not see in many ways that agree with all it has seen, tries a
few candidates on each of them, lets ``steady`` play on in every seat, and takes what brought most in the mean.

    player("sharp")          200 playouts a question
    player("sharp:1000")     so many playouts: the same question always gets the same answer
    player("sharp:0.2s")     so many seconds: the answer depends on the machine

What it has seen: ``knowing``. The deals: ``shuffling``. The candidates: ``candidates``. What an end is worth: ``worth``. How the
playouts are shared out: ``choosing``. It thinks about plays, burying, claims and declarations; everything else, and whatever
rules of somebody else's ask, it answers as ``steady`` does.
"""

from __future__ import annotations

from gunzi import masks
from gunzi.acts import Act, Bury
from gunzi.apps.players.dice import Dice
from gunzi.apps.players.sharp.budget import Budget, BudgetError, parse_budget
from gunzi.apps.players.sharp.candidates import burials, plays
from gunzi.apps.players.sharp.choosing import choose
from gunzi.apps.players.sharp.compiling import Form, quickest
from gunzi.apps.players.sharp.knowing import know, own_phases
from gunzi.apps.players.sharp.placing import NoDealError
from gunzi.apps.players.sharp.preparations import BidSearch, BottomSearch, Finisher, kings_of
from gunzi.apps.players.sharp.searching import Deals, PlaySearch, now
from gunzi.apps.players.sharp.worth import Stakes
from gunzi.apps.players.steady import Steady
from gunzi.ask import Ask, CardsAsk, PlayAsk
from gunzi.errors import Text
from gunzi.play_rules import PlayRules, play_rules
from gunzi.sight import Sight
from gunzi.values import Owed

STEADY = Steady()
REHEARSAL = 4
"""A hand that is rehearsed from the deal on counts as so many playouts."""
BID_CAUTION = 1.5
"""Standard errors by which another claim or declaration must do better: a rehearsal is only much like what will happen."""


class Sharp:
    """The player that tries things out."""

    looks = True
    uniform = False

    def __init__(self, budget: Budget | None = None, form: Form | None = None) -> None:
        self.budget = budget or Budget()
        self._form = form
        more = str(self.budget)
        self.name = f"sharp:{more}" if more else "sharp"
        self.title = Text("精打细算", "sharp")

    @property
    def form(self) -> Form:
        """The functions it searches with."""
        return self._form or quickest()

    def act(self, sight: Sight, ask: Ask, dice: Dice) -> Act:
        """What did best in the playouts; ``steady``'s answer where there is nothing to try."""
        began = now()
        usual = STEADY.act(sight, ask, dice)
        if ask.total == 1 or not own_phases(ask.rules.options["phases"]):
            return usual
        if isinstance(ask, PlayAsk) and plays_own(ask.play_rules):
            return self._play(sight, ask, usual, dice, began)
        if ask.kind in ("claim", "declare") and not ask.rules.host.strangers:
            return self._bid(sight, ask, usual, dice, began)
        if ask.kind in ("bury", "bury_kings"):
            return self._bury(sight, ask, usual, dice, began)
        return usual

    def _play(self, sight: Sight, ask: PlayAsk, usual: Act, dice: Dice, began: float) -> Act:
        shown, rules = sight.shown, ask.play_rules
        heavy = sum(1 << bit for bit, points in enumerate(rules.points) if points > 5)
        known = know(sight, rules, burying=False)
        if known is None or shown.dealer is None:
            return usual
        unseen = sight.unseen()
        firsts = plays(ask, sight, ask.chosen_by(usual), unseen[0], rules.pointed, heavy)
        if len(firsts) == 1:
            return usual
        try:
            deals = Deals(known, rules, 1 + dice.below(1 << 60), self.form)
        except NoDealError:
            return usual
        paid = Owed(*shown.tribute) if shown.tribute is not None else None
        stakes = Stakes(rules, shown.levels, shown.dealer, shown.dry, paid, ask.seat)
        best = PlaySearch(sight, ask, firsts, deals, stakes, heavy).best(self.budget, began)
        return ask.play(firsts[best]) or usual

    def _bid(self, sight: Sight, ask: Ask, usual: Act, dice: Dice, began: float) -> Act:
        acts = [usual, *(act for act in ask if act != usual)]
        finisher = Finisher(ask.rules, sight.shown.levels, ask.seat, self.form)
        search = BidSearch(sight, ask.rules, acts, 1 + dice.below(1 << 60), finisher)
        return acts[choose(len(acts), self.budget.of(REHEARSAL), search.attempt, began, BID_CAUTION)]

    def _bury(self, sight: Sight, ask: Ask, usual: Act, dice: Dice, began: float) -> Act:
        shown = sight.shown
        if shown.trump is None or not plays_own(rules := play_rules(ask.rules, shown.trump)):
            return usual
        acts: list[Act] = []
        if isinstance(ask, CardsAsk):
            heavy = sum(1 << bit for bit, points in enumerate(rules.points) if points > 5)
            candidates = burials(ask, ask.chosen_by(usual), rules.pointed, heavy)
        else:
            acts = [usual, *(act for act in ask if act != usual)]
            candidates = [kings_of(act, rules) for act in acts]
        known = know(sight, rules, burying=isinstance(ask, CardsAsk))
        if known is None:
            return usual
        try:
            deals = Deals(known, rules, 1 + dice.below(1 << 60), self.form)
        except NoDealError:
            return usual
        finisher = Finisher(ask.rules, shown.levels, ask.seat, self.form)
        search = BottomSearch(sight, rules, candidates, deals, finisher)
        best = choose(len(candidates), self.budget, search.attempt, began)
        if acts:
            return acts[best]
        return Bury(rules.trump.cards(candidates[best])) if best else usual


def plays_own(rules: PlayRules) -> bool:
    """Are leading, following and winning gunzi's own?"""
    wins = getattr(rules.wins.power, "__code__", None)
    return (
        rules.leads.contains is masks.is_lead
        and rules.follow.contains is masks.is_follow
        and wins is masks.play_power.__code__
    )


__all__ = ["Budget", "BudgetError", "Sharp", "parse_budget"]
