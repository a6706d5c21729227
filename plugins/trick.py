"""Who wins a trick. Rule book section 2, "Winning a trick"."""

from __future__ import annotations

from functools import lru_cache
from types import FunctionType

from gunzi import masks
from gunzi.errors import Text
from gunzi.hooks import hookimpl
from gunzi.plugin import Plugin
from gunzi.trump import TRUMP_LANE, Trump
from gunzi.values import TrickRule


class Trick(Plugin):
    """Only a play of the led shape, wholly of the led suit or wholly trump, can win; the strongest of them does.

    Side suits do not compare: ♣A♣A never beats ♥8♥8. Two different trumps kill no pair. Of equal plays the earlier wins,
    so off-suit level cards and off-suit 2s tie.
    """

    id = "gunzi.plugins.trick"
    version = "1"
    name = Text("一圈谁大", "Winning a trick")
    rules = {
        "trick.strongest": Text(
            "牌型和领牌一样、全是领出的花色或者全是主，才能比大小；最大的收分，一样大的先出为大",
            "Only a play of the led shape, all of the led suit or all trump, can win; the strongest wins, the earlier of equals",
        ),
    }

    @hookimpl
    def trick_rule(self, trump: Trump) -> TrickRule:
        """The power of a play under this trump."""
        return _rule(trump)


@lru_cache(maxsize=512)
def _rule(trump: Trump) -> TrickRule:
    # The same function with this trump's table as its last argument: one call instead of two in the inner loop.
    written = masks.play_power
    power = FunctionType(written.__code__, written.__globals__, "power", (TRUMP_LANE, trump.power))
    return TrickRule(power, compiled=True)
