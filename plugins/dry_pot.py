"""干锅: the dry pot. Rule book section 3.3.

After tribute the bottom is shown to all, if somebody claimed or declared the trump. A bottom that is all trump, or that has
no trump that counts, is dry: the dealer may not exchange it, nobody buries kings, and the kings that happen to lie in it
give neither levels nor blood. Which trumps count is the point on which the tables differ most.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from gunzi.errors import Text
from gunzi.hooks import hookimpl
from gunzi.options import Choice
from gunzi.plugin import Plugin
from gunzi.trump import ALL_SIDE, Masks, Trump
from gunzi.values import Conflict, Lint, Verdict


class DryPot(Plugin):
    """Is the bottom shown, and is it dry?"""

    id = "gunzi.plugins.dry_pot"
    version = "1"
    name = Text("干锅", "The dry pot")
    options = (
        Choice(
            "dry_pot.side_leg",
            Text("什么样的底算干锅", "What makes a bottom dry"),
            Text(
                "底牌全是主一定是干锅。除此以外，底牌里没有哪些主也算干锅？",
                "A bottom of nothing but trumps is always dry. Besides that, a bottom without which trumps is dry too?",
            ),
            {
                "no_trump": Text(
                    "一张主都没有才算：大小王、常主、级牌、主花色牌，有一张就不干。",
                    "Only one without any trump: a joker, a permanent trump, a level card or a plain trump keeps it from "
                    "being dry.",
                ),
                "side_or_permanent": Text(
                    "副牌里夹着大小王、常主也算干锅；有级牌或主花色牌就不干。",
                    "Side cards, jokers and permanent trumps may lie in it; a level card or a plain trump keeps it from "
                    "being dry.",
                ),
                "no_trump_suit": Text(
                    "没有主花色牌就算干锅；王、级牌、常主（主花色的常主也一样）都不碍事。",
                    "Only plain trump-suit cards keep it from being dry; jokers, level cards and all permanent trumps, the "
                    "trump suit's included, do not count against it.",
                ),
                "no_trump_suit_or_its_2": Text(
                    "没有主花色牌、也没有主花色的常主（比如 2）就算干锅；王、级牌、别的花色的常主不碍事。",
                    "Plain trump-suit cards and the trump suit's own permanent trumps (its 2) keep it from being dry; "
                    "jokers, level cards and the other permanent trumps do not.",
                ),
                "never": Text(
                    "这桌不打干锅，全是主也照样换底。", "This table has no dry pots, not even of nothing but trumps."
                ),
            },
            clause="3.3",
        ),
        Choice(
            "dry_pot.hidden_bottom",
            Text("没公开的底算不算干锅", "A bottom that was not shown"),
            Text(
                "没人抢亮也没人亮主，底牌不公开。这样的底会不会是干锅？",
                "When nobody claimed or declared, the bottom stays hidden. Can it be dry?",
            ),
            {
                "never": Text("不算，没公开的底照常换。", "No: a bottom nobody has seen is exchanged as usual."),
                "possible": Text(
                    "照算，是干锅就不能换；底还是不公开。", "Yes: it may not be exchanged then, and still stays hidden."
                ),
            },
            clause="3.3",
        ),
        Choice(
            "dry_pot.first_hand",
            Text("第一把有没有干锅", "Dry pots in the first hand"),
            Text("一轮的第一把会不会出干锅。", "Can the bottom of a round's first hand be dry?"),
            {
                "possible": Text("第一把也有干锅。", "Yes, as in any other hand."),
                "never": Text("第一把不算干锅，照常换底。", "No: the first bottom is always exchanged."),
            },
            clause="3.3",
        ),
    )
    rules = {
        "dry_pot.all_trump": Text("底牌全是主：干锅", "The whole bottom is trump: a dry pot"),
    }
    lints = {
        "dry-pot-unused": Lint(
            Text(
                "不打干锅（或没有 bottom 这一步），干锅的选项不起作用",
                "there are no dry pots (or no phase bottom): what is said of them has no effect",
            ),
        ),
    }

    def __init__(self, options: Mapping[str, Any]) -> None:
        super().__init__(options)
        self._side_leg: str = self.option("dry_pot.side_leg")
        self._hidden: bool = self.option("dry_pot.hidden_bottom") == "possible"
        self._first_hand: bool = self.option("dry_pot.first_hand") == "possible"

    @hookimpl
    def bottom_is_shown(self, how: str) -> bool:
        """Iff somebody claimed or declared; where the bottom itself gave the suit, it stays hidden as a bottom."""
        return how in ("claim", "declare")

    @hookimpl
    def dry_pot(self, bottom: Masks, trump: Trump, shown: bool, first_hand: bool) -> Verdict:
        """First whether this table, this bottom and this hand can have one at all, then the two legs."""
        if self._side_leg == "never":
            return Verdict(False, "dry_pot.side_leg")
        if not shown and not self._hidden:
            return Verdict(False, "dry_pot.hidden_bottom")
        if first_hand and not self._first_hand:
            return Verdict(False, "dry_pot.first_hand")
        kinds = bottom[0]
        if not kinds & ALL_SIDE:
            return Verdict(kinds != 0, "dry_pot.all_trump")
        return Verdict(not kinds & self._counting(trump), "dry_pot.side_leg")

    def _counting(self, trump: Trump) -> int:
        """The trumps that keep a bottom with side cards from being dry."""
        if self._side_leg == "no_trump":
            return ~ALL_SIDE
        if self._side_leg == "side_or_permanent":
            return trump.level_cards | trump.plain_trumps
        if self._side_leg == "no_trump_suit":
            return trump.plain_trumps
        return trump.plain_trumps | trump.trump_permanents

    @hookimpl
    def conflicts(self, options: Mapping[str, Any]) -> Sequence[Conflict]:
        """Where there are no dry pots, the finer points about them decide nothing."""
        if options["dry_pot.side_leg"] != "never" and "bottom" in options["phases"]:
            return ()
        set_otherwise = [
            id
            for id, usual in (("dry_pot.hidden_bottom", "never"), ("dry_pot.first_hand", "possible"))
            if options[id] != usual
        ]
        if not set_otherwise:
            return ()
        text = Text(
            "这桌不打干锅，干锅的其他选项不起作用",
            "this table has no dry pots, so what else is said of them has no effect",
        )
        cause = "dry_pot.side_leg" if "bottom" in options["phases"] else "phases"
        return (Conflict("dry-pot-unused", (cause, *set_otherwise), text, error=False),)
