"""What a phase of a hand is.

A phase is a stateless object: everything it needs to remember is in the hand. The variant's ``phases`` list names the
phases in order; a plugin may add its own (hook ``phases``) and keeps what it must remember in ``hand.extra``.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from gunzi.acts import Act
    from gunzi.ask import Ask
    from gunzi.errors import Refused
    from gunzi.hand import Hand


class Phase:
    """Base class: a phase that asks nobody. ``name`` is what the option ``phases`` calls it."""

    name = ""

    def start(self, hand: Hand) -> None:
        """Called once when the phase begins; may write events and change the hand."""

    def ask(self, hand: Hand) -> Ask | None:
        """The question to be answered now; None: the phase is over. May deal cards and write events on the way."""
        return None

    def apply(self, hand: Hand, seat: int, act: Act) -> None:
        """Apply an answer. Raises Refused, and then must not have changed anything."""
        raise hand.wrong_phase(seat, act)

    def step(self, hand: Hand, seat: int, act: Act) -> Ask | None:
        """Apply an answer and ask the next question: ``apply`` and ``ask`` in one."""
        self.apply(hand, seat, act)
        return self.ask(hand)

    def replay(self, hand: Hand, ask: Ask, event: Mapping[str, Any]) -> tuple[int, Act] | None:
        """The (seat, act) by which a recorded event answers this ask; None: the event is no answer to it."""
        return None

    def why_not(self, hand: Hand, event: Mapping[str, Any]) -> Refused | None:
        """Why a recorded event of this phase's kind could not have happened to this hand; None: no reason known."""
        return None
