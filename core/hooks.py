"""Every hook gunzi calls. A plugin author reads this page first.

Three kinds of hook:

* **decisions** (``firstresult``): exactly one plugin answers. Two plugins answering one is an error at load, unless one of
  them names the other in ``replaces``. A decision must not return None except where its text says so.
* **contributions**: all plugins may answer; the answers are collected.
* **observers**: told what happened; their answer is ignored.

A plugin is a class with ``id``, ``version`` and hook methods marked with ``@hookimpl``; see ``plugin.py``. A method may
leave out arguments it does not need. Built-in rules come through the same door as anybody's: the entry-point group
``gunzi``. Hooks are bound once when a rule set is made: where one plain method answers, it is called directly.

Order in a hand: deck, card_points, permanent_ranks, phases (load) → claims, bids, judge_bid (deal) → reveal / draw_suit →
tribute_exemption, payable, returnable (tribute) → bottom_is_shown, dry_pot (bottom) → king_splits, burial_is_shown (bury) →
kings_window, pickable (bury_kings) → lead_rule, follow_rule, trick_rule (play) → bottom_worth, next_dealer, endings,
level_up, climb, tribute_parts, score_parts (settle).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import pluggy

from gunzi.cards import Card
from gunzi.errors import Text
from gunzi.trump import Masks, Trump
from gunzi.values import (
    Bid,
    BottomWorth,
    ClaimRule,
    Climb,
    Conflict,
    Deck,
    Ending,
    Exemption,
    FollowRule,
    LeadRule,
    LevelUp,
    Outcome,
    Owed,
    Reason,
    Result,
    Reveal,
    Rotation,
    ScorePart,
    TributePart,
    TrickRule,
    Verdict,
    Window,
)

if TYPE_CHECKING:
    from gunzi.phase import Phase
    from gunzi.ruleset import RuleSet

hookspec = pluggy.HookspecMarker("gunzi")
hookimpl = pluggy.HookimplMarker("gunzi")


class Hooks:
    """The specifications; ``self`` is never passed."""

    # -- at load -----------------------------------------------------------------------------------------------

    @hookspec(firstresult=True)
    def deck(self) -> Deck:
        """What is dealt. Section 2; options ``deck.*``."""
        raise AssertionError

    @hookspec(firstresult=True)
    def card_points(self, rank: int) -> int:
        """Points of a card of this rank (2-14): 0 or more, a multiple of 5. Section 2; option ``points``."""
        raise AssertionError

    @hookspec(firstresult=True)
    def permanent_ranks(self) -> tuple[int, ...]:
        """The permanent trumps besides the jokers, at most two ranks, the stronger first. Option ``trump.permanent``."""
        raise AssertionError

    @hookspec
    def phases(self) -> Mapping[str, Phase]:
        """Phases this plugin adds, by the name the option ``phases`` uses. A name taken twice is an error."""
        raise AssertionError

    @hookspec
    def conflicts(self, options: Mapping[str, Any]) -> Sequence[Conflict]:
        """Options (resolved, by dotted id) that contradict each other, or are suspicious (``error=False``)."""
        raise AssertionError

    @hookspec
    def questions(self) -> Mapping[str, Callable[[RuleSet, Mapping[str, Any]], Any]]:
        """Scenario questions this plugin answers: name → function of the rule set and the scenario's ``given``."""
        raise AssertionError

    # -- deal --------------------------------------------------------------------------------------------------

    @hookspec(firstresult=True)
    def claims(self) -> ClaimRule:
        """First hand: what is claimed with. Section 3.1; option ``first_dealer.claim``."""
        raise AssertionError

    @hookspec(firstresult=True)
    def bids(self, level: int, held: Sequence[int]) -> Sequence[tuple[tuple[Card, ...], str]]:
        """All (cards, suit) that a seat holding ``held`` (54 counts by kind) could declare at this level, whatever stands,
        in ascending order. Section 3.2."""
        raise AssertionError

    @hookspec(firstresult=True)
    def judge_bid(self, level: int, cards: Sequence[Card], suit: str | None, standing: Bid | None) -> Reason | None:
        """Why this declaration is not allowed over the standing one (None: nothing stands), or None if it is allowed.

        ``suit`` is None when the player named none. Section 3.2; option ``declare.jokers_may_open``.
        """
        raise AssertionError

    @hookspec(firstresult=True)
    def reveal(self, level: int, first: int, turned: Sequence[tuple[int, Card]]) -> Reveal:
        """Nobody claimed: what follows from the bottom cards turned so far, ``(seat, card)`` in order; ``first`` turns first.
        Section 3.1; options ``reveal.*``."""
        raise AssertionError

    @hookspec(firstresult=True)
    def draw_suit(self, card: Card) -> str:
        """The suit a drawn or turned bottom card makes trump; an empty text: the next card is needed. Section 3.2."""
        raise AssertionError

    # -- tribute -----------------------------------------------------------------------------------------------

    @hookspec(firstresult=True)
    def tribute_exemption(self, owed: Owed, big_jokers: Sequence[int]) -> Exemption | None:
        """Does somebody's holding turn the tribute round or cancel it? ``big_jokers`` are the four seats' counts after the
        deal. None: it is paid. Section 3.5; option ``tribute.three_big``."""
        raise AssertionError

    @hookspec(firstresult=True)
    def payable(self, trump: Trump) -> int:
        """The kinds that may be paid, as a mask of bits. Section 3.5; options ``tribute.cards``, ``tribute.level_points``."""
        raise AssertionError

    @hookspec(firstresult=True)
    def returnable(self, trump: Trump) -> Sequence[int]:
        """The kinds that may be given back, as masks in order of duty: a later mask is used only when all cards of the
        earlier ones are given. Section 3.5; option ``tribute.return``."""
        raise AssertionError

    # -- bottom, burying ---------------------------------------------------------------------------------------

    @hookspec(firstresult=True)
    def bottom_is_shown(self, how: str) -> bool:
        """Is the bottom shown to all after tribute? ``how`` the trump was found: claim, turn, declare, draw. Section 3.3."""
        raise AssertionError

    @hookspec(firstresult=True)
    def dry_pot(self, bottom: Masks, trump: Trump, shown: bool, first_hand: bool) -> Verdict:
        """干锅: is the bottom dry? Section 3.3; options ``dry_pot.*``."""
        raise AssertionError

    @hookspec(firstresult=True)
    def king_splits(self, big: int, small: int) -> Sequence[tuple[int, int]]:
        """Which (big, small) numbers of jokers may be buried together by a hand holding that many, (0, 0) first. Section 3.4."""
        raise AssertionError

    @hookspec(firstresult=True)
    def burial_is_shown(self, kings: int) -> bool:
        """Is the buried bottom shown, given how many kings are in it? Section 3.4."""
        raise AssertionError

    @hookspec(firstresult=True)
    def kings_window(self, dealer_buried: Masks, trump: Trump) -> Window:
        """May the other seats bury kings after these six? Section 3.4; ``bury_kings.others``, ``bury_kings.blocked_by``."""
        raise AssertionError

    @hookspec(firstresult=True)
    def pickable(self, trump: Trump) -> int:
        """The kinds another seat may pick up for buried kings, as a mask; the smallest by ``trump.pick_rank`` go first.
        Section 3.4; option ``bury_kings.pick_kings``."""
        raise AssertionError

    # -- play --------------------------------------------------------------------------------------------------

    @hookspec(firstresult=True)
    def lead_rule(self, trump: Trump) -> LeadRule:
        """What may be led. Section 2, "Lead"."""
        raise AssertionError

    @hookspec(firstresult=True)
    def follow_rule(self, trump: Trump) -> FollowRule:
        """What must be followed. Section 3.6; options ``follow.*``."""
        raise AssertionError

    @hookspec(firstresult=True)
    def trick_rule(self, trump: Trump) -> TrickRule:
        """Who wins a trick. Section 2, "Winning a trick"."""
        raise AssertionError

    # -- settling ----------------------------------------------------------------------------------------------

    @hookspec(firstresult=True)
    def bottom_worth(self, result: Result) -> BottomWorth:
        """What a capture adds to the attackers' points (asked only when they captured). Option ``capture.multiplier``."""
        raise AssertionError

    @hookspec(firstresult=True)
    def next_dealer(self, result: Result) -> Rotation:
        """Who deals next, and is it a take-over? ``result.attackers_points`` is final. Section 3.7; ``rotation.*``."""
        raise AssertionError

    @hookspec
    def endings(self, result: Result) -> Sequence[Ending]:
        """Round endings that strike; the one with the lowest ``order`` decides. Section 3.8; options ``endings.*``."""
        raise AssertionError

    @hookspec(firstresult=True)
    def level_up(self, result: Result) -> LevelUp | None:
        """Who levels up and by how much; None: nobody. Not asked after an ending. Section 3.7; options ``levels.*``."""
        raise AssertionError

    @hookspec(firstresult=True)
    def climb(self, level: int, earned: int, as_dealer: bool) -> Climb:
        """Where a level-up leads from ``level``. Section 3.7; ``levels.must_play``, ``levels.final``, ``levels.win``."""
        raise AssertionError

    @hookspec(firstresult=True)
    def start_level(self) -> int:
        """The level both sides start a round with. Option ``levels.start``."""
        raise AssertionError

    @hookspec
    def tribute_parts(self, result: Result) -> Sequence[TributePart]:
        """Shares of the tribute the next hand owes. Section 3.5."""
        raise AssertionError

    @hookspec
    def score_parts(self, outcome: Outcome) -> Sequence[ScorePart]:
        """What goes onto the score sheet. Section 3.9; options ``scoring.*``."""
        raise AssertionError

    @hookspec(firstresult=True)
    def title(self, score: int) -> str:
        """The title a total score carries; an empty text: none. Section 3.9; option ``titles``."""
        raise AssertionError

    # -- observers and plugin events ---------------------------------------------------------------------------

    @hookspec
    def happened(self, event: Mapping[str, Any]) -> None:
        """An event was written; told when the act it belongs to is done. Asked only of tables that keep a record."""
        raise AssertionError

    @hookspec
    def redact(self, event: Mapping[str, Any], seat: int | None) -> Mapping[str, Any] | None:
        """A plugin's own event (``plugin-id:name``) as a seat (None: a spectator) may see it; None hides it entirely.
        What a spectator sees only in part is disclosed whole after ``settle``. Only the plugin the event belongs to is asked;
        without this hook its events are hidden from everybody."""
        raise AssertionError

    @hookspec
    def narrate(self, event: Mapping[str, Any]) -> Text | None:
        """A plugin's own event (``plugin-id:name``) in words, for ``gunzi replay`` and ``gunzi play``; lines are told one by one.
        The event is as the listener may see it (``redact``). None: it needs no words. Only the plugin the event belongs to is
        asked; without this hook the event's keys are printed."""
        raise AssertionError
