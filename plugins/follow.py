"""跟牌: what must be followed, 活棒 (loose) or 死棒 (strict). Rule book section 3.6.

Everybody owes the led suit, all trumps being one suit: as many of its cards as were led, all of them where there are fewer.
Strict tables ask for the shape as well. The rule itself is the integer functions in ``gunzi.masks``; this file says which of
them the options choose, and why a play is refused.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Any

from gunzi import masks
from gunzi.errors import Text
from gunzi.hooks import hookimpl
from gunzi.options import Choice
from gunzi.plugin import Plugin
from gunzi.trump import LANE_AT, Masks, Trump
from gunzi.values import Conflict, FollowRule, Lint, Reason
from gunzi.wording import SUIT_NAMES

SPLITS = {"may_keep": masks.MAY_KEEP, "must_split": masks.MUST_SPLIT, "exempt": masks.EXEMPT}

LANE_NAMES = {
    **SUIT_NAMES,
    "trump": Text("主", "trumps"),
}

FOLLOW_SUIT = Text(
    "得跟{suit}：手里的{suit}够，出的都得是{suit}", "Follow suit: you hold enough {suit}, so play only {suit}"
)
PLAY_THEM_ALL = Text(
    "{suit}只剩 {held} 张，不够也得全跟上，差的用别的牌垫",
    "You hold only {held} of {suit}: play them all, and anything beside",
)
OWN_SINGLES = Text(
    "滚子可以不算，可手里还有别的{suit}：至少要跟 {owed} 张{suit}",
    "A triple owes nothing, but you hold other {suit}: play at least {owed} of {suit}",
)
PAIR = Text(
    "死棒：打棒必须出棒，你手里有{suit}棒", "Strict following: a pair is led and you hold a pair of {suit}, so play one"
)
TRIPLE = Text(
    "死棒：打滚子必须出滚子，你手里有{suit}滚子",
    "Strict following: a triple is led and you hold a triple of {suit}, so play one",
)
PAIR_AND_ONE = Text(
    "死棒：没有滚子也得出棒带单张，你手里有{suit}棒",
    "Strict following: without a triple, play a pair of {suit} and one more",
)
SPLIT = Text(
    "这桌没棒就得拆滚子：从{suit}滚子里出两张", "No pair, so the triple must be broken: play two of a triple of {suit}"
)


class Follow(Plugin):
    """What a seat owes to the lead. ``follow.suit`` binds everywhere; the two options bind pairs and triples."""

    id = "gunzi.plugins.follow"
    version = "1"
    name = Text("跟牌", "Following")
    options = (
        Choice(
            "follow.shapes",
            Text("活棒还是死棒", "Loose or strict"),
            Text(
                "别人领棒、领滚子时，手里有棒有滚子是不是非出不可。",
                "When a pair or a triple is led, must a hand that holds one of the suit play it?",
            ),
            {
                "strict": Text(
                    "死棒：打棒必须出棒，没有就给两个单张；打滚子必须出滚子，没有就出棒带单张，再没有才是三个单张。",
                    "死棒: a pair must be answered with a pair, a triple with a triple, failing that with a pair and a single.",
                ),
                "loose": Text(
                    "活棒：花色跟够就行，棒和滚子可以不跟。",
                    "活棒: it is enough to follow suit; pairs and triples may be kept.",
                ),
            },
            clause="3.6",
        ),
        Choice(
            "follow.triple_against_pair",
            Text("没棒有滚子怎么跟棒", "A triple against a pair"),
            Text(
                "打死棒，别人领棒，这门花色里没有棒只有滚子，滚子要不要拆？",
                "Strict following, a pair is led, and the hand holds no pair of the suit but a triple: must it be broken?",
            ),
            {
                "may_keep": Text(
                    "可以不拆，但花色还得跟够：单张不够就得从滚子里出。",
                    "It may be kept, but suit must still be followed, out of the triple where the other cards do not suffice.",
                ),
                "must_split": Text("必须拆：从滚子里出两张。", "It must be broken: two of the triple are played."),
                "exempt": Text(
                    "滚子不算数：只有滚子以外的牌要跟花色，不够可以垫别的。",
                    "A triple owes nothing: only the other cards of the suit must be followed with, and anything fills up.",
                ),
            },
            clause="3.6",
        ),
    )
    rules = {
        "follow.suit": Text(
            "先跟花色：领什么花色就得跟什么，主牌全算一门；不够的全跟上，一张没有才随便出",
            "Follow suit: as many cards of the led suit as you can, all trumps being one suit; only a void hand plays anything",
        ),
    }
    lints = {
        "triple-against-pair-unused": Lint(
            Text(
                "打活棒或者没有滚子，拆不拆滚子不起作用",
                "with loose following, or without triples, what a triple owes a pair has no effect",
            ),
        ),
        "shapes-unused": Lint(
            Text("一副牌没有棒子，死棒不起作用", "one pack has no pairs: strict following has no effect"),
        ),
    }

    def __init__(self, options: Mapping[str, Any]) -> None:
        super().__init__(options)
        self._strict = int(self.option("follow.shapes") == "strict")
        self._split = SPLITS[self.option("follow.triple_against_pair")]

    @hookimpl
    def follow_rule(self, trump: Trump) -> FollowRule:
        """The integer functions, and the two small integers the options come to."""
        return _rule(trump, self._strict, self._split)

    @hookimpl
    def conflicts(self, options: Mapping[str, Any]) -> Sequence[Conflict]:
        """What a triple owes a pair is a question of strict tables with triples; shapes need pairs."""
        found = []
        packs, strict = options["deck.packs"], options["follow.shapes"] == "strict"
        if options["follow.triple_against_pair"] != "may_keep" and not (strict and packs >= 3):
            named = ("follow.triple_against_pair", "follow.shapes", "deck.packs")
            if strict:
                text = Text("不到三副牌就没有滚子，谈不上拆不拆", "with fewer than three packs there are no triples")
            else:
                text = Text("打活棒，没有拆不拆滚子的问题", "with loose following a triple never owes a pair anything")
            found.append(Conflict("triple-against-pair-unused", named, text, error=False))
        if strict and packs == 1:
            text = Text(
                "一副牌没有棒子也没有滚子，死棒活棒一个样", "one pack has neither pairs nor triples to follow with"
            )
            found.append(Conflict("shapes-unused", ("follow.shapes", "deck.packs"), text, error=False))
        return found


def shape(l1: int, l2: int, l3: int) -> tuple[int, int]:
    """A lead's lane (that of its weakest card) and its number of cards."""
    return LANE_AT[(l1 & -l1).bit_length() - 1], l1.bit_count() + l2.bit_count() + l3.bit_count()


@lru_cache(maxsize=1024)
def _rule(trump: Trump, strict: int, split: int) -> FollowRule:
    def why_not(holding: Masks, lead: Masks, play: Masks) -> Reason:
        return _why_not(trump, strict, split, holding, lead, play)

    return FollowRule(
        shape, masks.follow_count, masks.follow_kth, masks.is_follow, strict, split, why_not, compiled=True
    )


def _why_not(trump: Trump, strict: int, split: int, holding: Masks, lead: Masks, play: Masks) -> Reason:
    """Suit before shape: a player who owes both is told of the suit."""
    lane, n = shape(*lead)
    suit = LANE_NAMES[trump.lane_name(lane)]
    i1, i2, i3 = (mask & lane for mask in holding)
    held = masks.size(i1, i2, i3)
    played = masks.size(*(mask & lane for mask in play))
    if held < n:
        return Reason("follow.suit", PLAY_THEM_ALL.format(suit=suit, held=held))
    only_triples_pair = strict and n == 2 and i2 and i2 == i3
    if only_triples_pair and split == masks.EXEMPT:
        owed = min(2, i1.bit_count() - i3.bit_count())
        return Reason("follow.triple_against_pair", OWN_SINGLES.format(suit=suit, owed=owed))
    if played < n:
        return Reason("follow.suit", FOLLOW_SUIT.format(suit=suit))
    if only_triples_pair:
        return Reason("follow.triple_against_pair", SPLIT.format(suit=suit))
    if n == 2:
        return Reason("follow.shapes", PAIR.format(suit=suit))
    return Reason("follow.shapes", (TRIPLE if i3 else PAIR_AND_ONE).format(suit=suit))
