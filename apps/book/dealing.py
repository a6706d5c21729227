"""The first chapters: who plays with what, which card beats which, who deals, which suit is trump."""

from __future__ import annotations

from gunzi.apps.book.entries import entry
from gunzi.apps.book.parts import Block, Bullets, Cards, Chapter, Group, Para, Row
from gunzi.apps.book.words import Words
from gunzi.cards import CARDS, SUITS, Card, rank_text
from gunzi.ruleset import RuleSet
from gunzi.trump import TRUMP_SHIFT, Trump, trump_order

TRUMP_SUIT = "S"


def sample_level(rules: RuleSet) -> int:
    """A level to show the order of cards at: one that is no permanent trump, 8 where it is played."""
    levels = range(rules.options["levels.start"], rules.options["levels.final"] + 1)
    free = [level for level in levels if level not in rules.permanent] or list(levels)
    return 8 if 8 in free else free[len(free) // 2]


def names_and_cards(rules: RuleSet, say: Words) -> Chapter:
    """Players, packs, points, and what things are called."""
    point_cards = [card for card in CARDS if rules.points[card.rank - 2]]
    blocks: list[Block] = [
        Para(
            say(
                "四个人打，对家两人是一方：坐庄的和他对家是庄家方，另外两个是抓分方。下面的例子里四家叫甲、乙、丙、丁，按出牌的次序坐，甲丙一方，乙丁一方。",
                "Four play, partners facing each other: the dealer and his partner are the dealer side, the other two the attackers. "
                "In the examples the four are Ann, Bo, Cui and Dan, in playing order: Ann and Cui against Bo and Dan.",
            )
        ),
        *(entry(rules, option, say) for option in ("deck.packs", "deck.hand", "deck.bottom", "direction", "points")),
    ]
    if point_cards:
        by_rank = {card.rank: [each for each in point_cards if each.rank == card.rank] for card in point_cards}
        groups = tuple(
            Group(tuple(cards), say(f"每张 {rules.points[rank - 2]} 分", f"{rules.points[rank - 2]} points each"))
            for rank, cards in sorted(by_rank.items())
        )
        blocks.append(Cards((Row(say("分牌", "point cards"), groups),)))
    blocks += [
        Cards((Row(say("牌型", "shapes"), _shapes(rules, say)),)),
        Bullets(
            (
                say("单张：一张牌。棒子（棒）：花色、点数都一样的两张。滚子：一模一样的三张。", "A single is one card; a pair (棒) two identical cards, same rank and suit; a triple (滚子) three."),
                say("王：大王和小王。级牌：正打到的那一级的牌。常主：不管打几、什么花色主都是主的牌。", "Kings are the jokers, big and small. A level card is a card of the level being played. A permanent trump is trump whatever the level and the suit."),
                say("底牌：发完剩下的那几张，由庄家收起再扣下。抠底：最后一圈抓分方大；保底：最后一圈庄家方大。", "The bottom is what the deal leaves over; the dealer takes it and buries as many. Attackers who win the last trick capture it, else the dealer side holds it."),
                say("一把（一局）：从发牌到打完手里的牌。一圈：四家各出一次牌。一轮：从起打的那一级，到有一方赢下来为止。", "A hand is one deal played out; a trick four plays, one by each seat; a round goes from the first level until a side has won it."),
            )
        ),
        entry(rules, "phases", say),
    ]  # fmt: skip
    return Chapter("cards", say("人、牌、叫法", "Players, cards, words"), tuple(blocks))


def _shapes(rules: RuleSet, say: Words) -> tuple[Group, ...]:
    names = (say("单张", "single"), say("棒子", "pair"), say("滚子", "triple"))
    most = min(3, rules.options["deck.packs"])
    return tuple(Group((Card("H9"),) * (number + 1), names[number]) for number in range(most))


def card_order(rules: RuleSet, say: Words) -> Chapter:
    """Which card beats which, worked out for one level and suit."""
    level = sample_level(rules)
    trump = trump_order(level, TRUMP_SUIT, rules.permanent)
    blocks: list[Block] = [
        entry(rules, "trump.permanent", say),
        Para(
            say(
                f"主牌算一门，从大到小是这样（拿{say.trump(level, TRUMP_SUIT)}做例子；排在一起的一样大，先出为大）：",
                f"All trumps are one suit. From strong to weak (at {say.trump(level, TRUMP_SUIT)}; cards that stand together are "
                "equal, and the one played first counts):",
            )
        ),
        Cards((Row(say("主", "trump"), tuple(_trump_groups(trump, say))),)),
        Para(
            say(
                "副牌每门各比各的，从大到小：",
                "Each side suit by itself, from strong to weak:",
            )
        ),
        Cards((Row(say("副（红桃）", "side (hearts)"), (Group(_side_cards(trump), ""),)),)),
        Para(say("不同花色的副牌不能比大小。", "Side cards of different suits do not compare.")),
    ]
    return Chapter("order", say("牌的大小", "The order of the cards"), tuple(blocks))


def _trump_groups(trump: Trump, say: Words) -> list[Group]:
    by_power: dict[int, list[Card]] = {}
    for bit in range(len(trump.kind_at) - 1, TRUMP_SHIFT - 1, -1):
        if trump.kind_at[bit] >= 0:
            by_power.setdefault(trump.power[bit], []).append(CARDS[trump.kind_at[bit]])
    groups: list[Group] = []
    plain: list[Card] = []
    for cards in by_power.values():
        first = cards[0]
        if first.suit == trump.suit and first.rank != trump.level and first.rank not in trump.permanent:
            plain += cards
            continue
        groups.append(Group(tuple(sorted(cards, key=lambda card: card.kind)), _caption(first, trump, say)))
    return [*groups, Group(tuple(plain), say("其他主花色牌", "the rest of the trump suit"))]


def _caption(card: Card, trump: Trump, say: Words) -> str:
    if card.is_joker:
        return ""
    own = card.suit == trump.suit
    if card.rank == trump.level:
        return say("主级牌", "level card of the trump suit") if own else say("副级牌", "other level cards")
    rank = rank_text(card.rank)
    return say(f"主花色的 {rank}", f"{rank} of the trump suit") if own else say(f"别的 {rank}", f"other {rank}s")


def _side_cards(trump: Trump) -> tuple[Card, ...]:
    suit = next(each for each in SUITS[1:] + SUITS if each != trump.suit)
    kinds = [kind for bit, kind in enumerate(trump.kind_at[:TRUMP_SHIFT]) if kind >= 0 and CARDS[kind].suit == suit]
    return tuple(CARDS[kind] for kind in reversed(kinds))


def first_dealer(rules: RuleSet, say: Words) -> Chapter:
    """The first hand of a round: claim, else reveal."""
    blocks: list[Block] = [
        Para(say.stopped(say.say(rules.rule_text("hand.first")))),
        entry(rules, "first_dealer.claim", say),
        Para(
            say(
                "亮完再也没摸到花色牌，就依次翻底牌，翻到的第一张花色牌定主；底牌全是王就重新洗牌。只有王不算花色牌。",
                "Where no suited card comes any more, bottom cards are turned until one does; a bottom of jokers only means a "
                "new deal. All cards but the jokers are suited cards.",
            )
        ),
        *(entry(rules, option, say) for option in ("reveal.pick", "reveal.order", "reveal.jokers")),
    ]
    return Chapter("first-dealer", say("第一把谁坐庄", "Who deals the first hand"), tuple(blocks))


def declaring(rules: RuleSet, say: Words) -> Chapter:
    """Every later hand: the declaration."""
    level = rank_text(sample_level(rules))
    texts = [
        say.say(rules.rule_text("declare.level_cards").format(level=level)),
        say.say(rules.rule_text("declare.identical")),
        *(_without_verdict(say.say(rules.rule_text(id)), say) for id in ("declare.strength", "declare.suit")),
        say("谁都能反，自己也能反自己；同样的张数反不了。亮出来的牌还是自己的", "Anybody may overturn, the declarer too; the same number of cards never does. The cards shown stay in the hand"),
        *(say.say(rules.rule_text(id)) for id in ("trump.declare", "trump.draw")),
    ]  # fmt: skip
    blocks: list[Block] = [
        Para(
            say(
                "第二把起庄家已经定了，摸牌时谁都可以亮主；摸完最后一张，还有一次亮的机会。",
                "From the second hand on the dealer is known. Anybody may declare trump at any time of the deal, and once more "
                "after its last card.",
            )
        ),
        Bullets(tuple(say.stopped(text) for text in texts)),
        entry(rules, "declare.jokers_may_open", say),
    ]
    return Chapter("declaring", say("亮主", "Declaring trump"), tuple(blocks))


def _without_verdict(text: str, say: Words) -> str:
    """A refusal's sentence without the words that tell a player off: what is asked for."""
    _, colon, rest = text.partition(say("：", ": "))
    return rest[:1].upper() + rest[1:] if colon else text
