"""What a player is."""

from __future__ import annotations

from typing import Protocol

from gunzi.acts import Act
from gunzi.apps.players.dice import Dice
from gunzi.ask import Ask
from gunzi.errors import Text
from gunzi.sight import Sight


class Player(Protocol):
    """A policy. It keeps nothing between questions: its answer depends on what it is handed alone, and that is all it gets.

    ``looks``: does it look at its sight? A table whose players do not need not be watched.
    """

    @property
    def name(self) -> str:
        """What the command line calls it."""

    @property
    def title(self) -> Text:
        """What people call it."""

    @property
    def looks(self) -> bool:
        """Does it look at its sight?"""

    @property
    def uniform(self) -> bool:
        """Is every allowed act as likely as any other? Tables nobody watches may then be played out at once."""

    def act(self, sight: Sight, ask: Ask, dice: Dice) -> Act:
        """The answer to a seat's own question, one of those the ask allows."""
