"""``random``: every allowed act is as likely as any other."""

from __future__ import annotations

from gunzi.acts import Act
from gunzi.apps.players.dice import Dice
from gunzi.ask import Ask
from gunzi.errors import Text
from gunzi.sight import Sight


class Random:
    """The player that knows the rules and nothing else."""

    name = "random"
    title = Text("随便出", "random")
    looks = False
    uniform = True

    def act(self, sight: Sight | None, ask: Ask, dice: Dice) -> Act:
        """The k-th of all allowed acts, k from the dice."""
        return ask.kth(dice.below(ask.total))
