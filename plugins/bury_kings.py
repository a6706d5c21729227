"""扣王 by the seats that are not the dealer. Rule book section 3.4.

After the dealer each other seat, once and in playing order, may bury kings from the hand and take as many of the smallest
pickable bottom cards: side cards before trumps, then by rank, of equal ranks the one it likes.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from gunzi.cards import parse_rank
from gunzi.errors import Text
from gunzi.hooks import hookimpl
from gunzi.options import Choice, Flag
from gunzi.plugin import Plugin
from gunzi.trump import BITS, Masks, Trump
from gunzi.values import Conflict, Lint, Window

ALL = (1 << BITS) - 1


class BuryKings(Plugin):
    """May the others bury kings after the dealer's six, and what may they pick up for them?"""

    id = "gunzi.plugins.bury_kings"
    version = "1"
    name = Text("别家扣王", "The others' kings")
    options = (
        Choice(
            "bury_kings.others",
            Text("别家能不能扣王", "May the others bury kings"),
            Text(
                "庄家扣完底，其他三家能不能也往底里扣王？",
                "After the dealer has buried, may the other three seats bury kings too?",
            ),
            {
                "allowed": Text(
                    "能：按出牌次序每家一次，扣几张王就从底里捡几张最小的牌。",
                    "Yes: each once, in playing order, picking up as many of the smallest cards of the bottom.",
                ),
                "none": Text("不能，只有庄家能扣王。", "No: only the dealer buries kings."),
            },
            clause="3.4",
        ),
        Flag(
            "bury_kings.pick_kings",
            Text("能不能捡王", "May kings be picked up"),
            Text(
                "扣王的人从底里捡牌时，底里的王能不能捡？（分牌什么时候都不能捡。）",
                "May kings be among the cards a seat picks up for its own? (Point cards never are.)",
            ),
            true=Text(
                "能捡，不过王最大，得别的牌都捡完了才轮到。",
                "Yes; being the strongest, they are the last to be picked.",
            ),
            false=Text("不能捡王。", "No: kings stay in the bottom."),
            clause="3.4",
        ),
        Choice(
            "bury_kings.blocked_by",
            Text("庄家怎么扣，别家就不能扣王", "Which burial shuts the others out"),
            Text(
                "看庄家扣的那几张：扣成什么样，别家就不能再扣王？",
                "Judged by the dealer's cards alone: which burial keeps the others from burying kings?",
            ),
            {
                "all_points": Text("庄家扣的全是分牌。", "Nothing but point cards."),
                "all_points_or_kings": Text(
                    "庄家扣的全是分牌，或者全是分牌和王。", "Nothing but point cards and kings."
                ),
                "any_point": Text("庄家扣了一张分牌就不行。", "Even one point card."),
            },
            clause="3.4",
        ),
    )
    lints = {
        "pick-kings-unused": Lint(
            Text(
                "写了能捡王，可是别家不能扣王（或没有 bury_kings 这一步）",
                "kings may be picked up, but nobody else buries any (or there is no phase bury_kings)",
            ),
        ),
        "blocked-by-unused": Lint(
            Text(
                "写了庄家怎么扣别家就不能扣王，可是别家本来就不能扣",
                "what shuts the others out is stated, but they bury no kings anyway",
            ),
        ),
    }

    def __init__(self, options: Mapping[str, Any]) -> None:
        super().__init__(options)
        self._allowed: bool = self.option("bury_kings.others") == "allowed"
        self._pick_kings: bool = self.option("bury_kings.pick_kings")
        self._blocked_by: str = self.option("bury_kings.blocked_by")
        self._point_ranks = [parse_rank(rank) for rank in self.option("points")]

    @hookimpl
    def kings_window(self, dealer_buried: Masks, trump: Trump) -> Window:
        """Shut where the table has no such window, or the dealer's six are what the option says."""
        if not self._allowed:
            return Window(False, "bury_kings.others")
        kinds = dealer_buried[0]
        points = trump.rank_mask(self._point_ranks)
        if self._blocked_by == "any_point":
            blocked = kinds & points != 0
        elif self._blocked_by == "all_points":
            blocked = not kinds & ~points
        else:
            blocked = not kinds & ~(points | trump.kings)
        return Window(not blocked, "bury_kings.blocked_by")

    @hookimpl
    def pickable(self, trump: Trump) -> int:
        """Everything but points, and kings only by option."""
        barred = trump.rank_mask(self._point_ranks)
        if not self._pick_kings:
            barred |= trump.kings
        return ALL & ~barred

    @hookimpl
    def conflicts(self, options: Mapping[str, Any]) -> Sequence[Conflict]:
        """Where the others bury nothing, what they may pick up and what shuts them out decides nothing."""
        if options["bury_kings.others"] == "allowed" and "bury_kings" in options["phases"]:
            return ()
        found = []
        cause = "bury_kings.others" if "bury_kings" in options["phases"] else "phases"
        if options["bury_kings.pick_kings"]:
            text = Text("别家不能扣王，也就没有捡王的事", "only the dealer buries kings, so nobody ever picks one up")
            named = ("bury_kings.pick_kings", cause)
            found.append(Conflict("pick-kings-unused", named, text, error=False))
        if options["bury_kings.blocked_by"] != "all_points_or_kings":
            text = Text(
                "别家本来就不能扣王，庄家怎么扣都一样",
                "only the dealer buries kings, so there is nobody for his burial to shut out",
            )
            named = ("bury_kings.blocked_by", cause)
            found.append(Conflict("blocked-by-unused", named, text, error=False))
        return found
