"""Views: what a seat or a spectator may see of a table, computed from its events and containing nothing else.

Record format, "Views". A seat's own cards come one by one as ``deal``; the dealer of a hidden bottom gets it as ``take``.
A spectator sees the public events as they come and, after ``settle``, one ``disclose`` with what was private.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from gunzi.record import Event

if TYPE_CHECKING:
    from gunzi.ruleset import RuleSet

_IN_THE_DEAL = frozenset({"claim", "declare", "pass", "dealt"})
_SECRET = frozenset({"deck", "fair_seed"})
"""What a ``hand`` event hides until the hand is over."""


class Viewer:
    """One seat's view (``seat`` None: a spectator's), growing with the events it is fed. ``events`` is the view."""

    def __init__(self, rules: RuleSet, seat: int | None) -> None:
        self.rules = rules
        self.seat = seat
        self.events: list[Event] = []
        self._deck: Sequence[str] = ()
        self._first = 0
        self._dealt = 0
        self._dealer: int | None = None
        self._private: list[Event] = []
        self._buried: list[str] | None = None
        self._marks: list[tuple[int, int | None, list[str] | None]] = []

    def feed(self, events: Sequence[Mapping[str, Any]]) -> None:
        """Add what these events show."""
        for event in events:
            kind = event["e"]
            if kind == "hand":
                self._start(event)
                continue
            self.deal_to(event["dealt"] if kind in _IN_THE_DEAL and "dealt" in event else len(self._deck))
            if kind in ("pass", "dealt"):
                continue
            if kind == "undo":
                self._take_back(event["to"])
            shown = self._shown(event)
            if shown is not None:
                self.events.append(shown)
            if kind in ("trump", "bury", "bury_kings"):
                self._marks.append((event["n"], self._dealer, self._buried))
            if kind == "bottom" and not event["shown"] and not event["dry"] and self.seat == self._dealer:
                self.events.append({"e": "take", "seat": self._dealer, "cards": event["cards"]})
            elif kind == "settle" and self.seat is None:
                self.events.append({"e": "disclose", "events": self._private})
                self._private = []

    def deal_to(self, dealt: int) -> None:
        """Show this seat's own cards among the first ``dealt`` that are out."""
        top = min(dealt, self.rules.deck.dealt)
        if self.seat is None or top <= self._dealt:
            return
        start = self._dealt + (self.seat - self._first - self._dealt) % 4
        for place in range(start, top, 4):
            self.events.append({"e": "deal", "seat": self.seat, "card": self._deck[place], "dealt": place + 1})
        self._dealt = top

    def _start(self, event: Mapping[str, Any]) -> None:
        self._deck = event["deck"]
        self._first = event["first"]
        self._dealt = 0
        self._dealer = event["dealer"]
        self._buried = None
        self._marks = [(event["n"], self._dealer, None)]
        self._private = [dict(event)] if self.seat is None else []
        self.events.append({key: value for key, value in event.items() if key not in _SECRET})

    def _shown(self, event: Mapping[str, Any]) -> Event | None:
        kind = event["e"]
        seen = dict(event)
        if kind == "trump":
            self._dealer = event["dealer"]
        elif kind in ("tribute", "return"):
            if self.seat not in (event["from"], event["to"]):
                self._hide(event)
                seen["count"] = len(seen.pop("cards"))
        elif kind == "bottom":
            if not event["shown"]:
                self._hide(event)
                del seen["cards"]
        elif kind == "bury":
            self._buried = list(event["cards"])
            if not event["shown"]:
                if self.seat != event["seat"]:
                    self._hide(event)
                    del seen["cards"]
            else:
                self._buried = None
        elif kind == "bury_kings" and self._buried is not None:
            seen["bottom"] = self._buried
            self._buried = None
        elif ":" in kind:
            redacted = self.rules.redact(event, self.seat)
            if redacted is None:
                return None
            if redacted != event:
                self._hide(event)
            return dict(redacted)
        return seen

    def _take_back(self, to: int) -> None:
        """An ``undo``: what was seen stays seen, what was hidden then is hidden again."""
        self._marks = [mark for mark in self._marks if mark[0] <= to]
        if self._marks:
            _, self._dealer, self._buried = self._marks[-1]
        self._private = [event for event in self._private if event["n"] <= to]

    def _hide(self, event: Mapping[str, Any]) -> None:
        if self.seat is None:
            self._private.append(dict(event))


def view(
    rules: RuleSet, events: Sequence[Mapping[str, Any]], seat: int | None, dealt: int | None = None
) -> list[Event]:
    """The view of a seat 0-3, or of a spectator (None), on these events. ``dealt``: how many cards of the last hand are
    out, where its deal is still going on (None: as many as the events tell)."""
    viewer = Viewer(rules, seat)
    viewer.feed(events)
    if dealt is not None:
        viewer.deal_to(dealt)
    return viewer.events


def view_header(header: Mapping[str, Any]) -> Event:
    """A record's header as anybody may see it: without the seed."""
    return {key: value for key, value in header.items() if key != "seed"}
