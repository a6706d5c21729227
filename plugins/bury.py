"""扣底: the dealer takes the bottom and buries as many cards. Rule book section 3.4."""

from __future__ import annotations

from collections.abc import Sequence

from gunzi.errors import Text
from gunzi.hooks import hookimpl
from gunzi.plugin import Plugin


class Bury(Plugin):
    """Any cards may be buried, points and kings included; but no small joker while a big one is kept in hand.

    The same holds for the other seats when they bury kings. A buried bottom with a king in it is shown to all.
    """

    id = "gunzi.plugins.bury"
    version = "1"
    name = Text("扣底", "Burying")
    rules = {
        "bury.big_before_small": Text(
            "有大王得先扣大王：手里还留着大王，就不能扣小王",
            "Big before small: no small joker may be buried while a big one is kept in hand",
        ),
    }

    @hookimpl
    def king_splits(self, big: int, small: int) -> Sequence[tuple[int, int]]:
        """None, some or all of the big jokers; then, all of them gone, the small ones."""
        return [(b, 0) for b in range(big + 1)] + [(big, s) for s in range(1, small + 1)]

    @hookimpl
    def burial_is_shown(self, kings: int) -> bool:
        """Iff a king was buried."""
        return kings > 0
