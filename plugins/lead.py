"""领牌: what may be led. Rule book section 2, "Lead"."""

from __future__ import annotations

from gunzi import masks
from gunzi.errors import Text
from gunzi.hooks import hookimpl
from gunzi.plugin import Plugin
from gunzi.trump import Masks, Trump
from gunzi.values import LeadRule, Reason

ONE_KIND = Text(
    "领牌只能出单张、棒子（两张一样的）或者滚子（三张一样的）",
    "Only a single, a pair or a triple of identical cards may be led",
)
NOTHING = Text("至少要出一张牌", "At least one card must be led")
STRAIGHT = Text("不能出顺子，只能出单张、棒子、滚子", "No straights: only a single, a pair or a triple may be led")
TRACTOR = Text("不能出拖拉机，只能出单张、棒子、滚子", "No tractors: only a single, a pair or a triple may be led")
TITANIC = Text("不能出泰坦尼克，只能出单张、棒子、滚子", "No titanics: only a single, a pair or a triple may be led")
THROW = Text(
    "不能甩牌，只能出单张、棒子、滚子", "No throws of several groups: only a single, a pair or a triple may be led"
)
NOT_IDENTICAL = Text(
    "点数花色都一样才是棒子、滚子，这几张不一样",
    "A pair or a triple is of identical cards, the same in rank and suit; these are not",
)


class Lead(Plugin):
    """A single (单张), a pair (棒子) or a triple (滚子); a pair may be taken out of a triple.

    Never a straight (顺子), a tractor (拖拉机), a titanic (泰坦尼克) or a throw of several groups (甩牌).
    """

    id = "gunzi.plugins.lead"
    version = "1"
    name = Text("领牌", "Leading")
    rules = {"lead.one_kind": ONE_KIND}

    @hookimpl
    def lead_rule(self, trump: Trump) -> LeadRule:
        """The same integer functions under every trump; the reason names what the player tried."""

        def why_not(holding: Masks, play: Masks) -> Reason:
            return Reason("lead.one_kind", _fault(trump, play))

        return LeadRule(masks.lead_count, masks.lead_kth, masks.is_lead, why_not, compiled=True)


def _fault(trump: Trump, play: Masks) -> Text:
    """What a lead of several kinds (or of nothing) is, as players name it."""
    p1, p2, p3 = play
    if not p1:
        return NOTHING
    kinds = trump.cards((p1, 0, 0))
    if len(kinds) < 2:
        return ONE_KIND
    suits = {card.suit for card in kinds}
    if len(suits) > 1 or None in suits:
        return NOT_IDENTICAL if masks.size(p1, p2, p3) <= 3 else THROW
    ranks = sorted(card.rank for card in kinds)
    if ranks[-1] - ranks[0] == len(ranks) - 1:
        if p1 == p2:
            return TITANIC if p1 == p3 else TRACTOR
        if not p2 and len(ranks) >= 3:
            return STRAIGHT
    return THROW
