"""The fixed rules of the table itself: ids and sentences for what no option changes (rule book section 2)."""

from __future__ import annotations

from typing import Final

from gunzi.errors import Text

FIXED: Final[dict[str, Text]] = {
    "table.seat": Text("座位只有 0 到 3，没有 {seat}", "seats are 0 to 3; there is no seat {seat}"),
    "table.turn": Text(
        "还没轮到 {seat} 号位，现在等 {turn} 号位", "it is not seat {seat}'s turn: seat {turn} is to act"
    ),
    "table.over": Text("这一桌已经打完了", "this table has finished"),
    "table.between": Text("这一把打完了，还没发下一把", "the hand is over and the next one is not dealt yet"),
    "table.running": Text("这一把还没打完，不能发下一把", "the hand is not over: the next one cannot be dealt yet"),
    "fair.keys": Text("公平洗牌的记录写得不对", "what the deal was drawn from is written wrongly"),
    "fair.hash": Text(
        "种子和发牌前公布的指纹对不上", "the seed does not fit the hash that was published before the deal"
    ),
    "fair.deck": Text(
        "这副牌不是用公布的种子和各家的数洗出来的", "the deck does not follow from the seed and the contributions"
    ),
    "table.phase": Text("现在不能{act}，这会儿该{kind}", "{act} is not possible now: the table asks for {kind}"),
    "table.early": Text(
        "还有牌可能改变结果，不能提前结束", "the cards still out could change the result: no early end"
    ),
    "table.undo": Text("这一步不能悔", "this cannot be taken back"),
    "cards.held": Text("手里没有这些牌：{cards}", "these cards are not in the hand: {cards}"),
    "cards.count": Text(
        "要 {wanted} 张，选了 {given} 张", "the number of cards does not fit: {wanted} wanted, {given} given"
    ),
    "claim.first_hand": Text(
        "只有每轮的第一把、还没人抢亮时才能抢亮大王",
        "a big joker is claimed only in the first hand of a round, while nobody has claimed",
    ),
    "claim.held": Text(
        "手里还没摸到大王，不能抢亮", "to claim, a seat must hold a big joker among the cards it has been dealt"
    ),
    "claim.suit": Text("亮王后摸到的第一张花色牌定主", "the first suited card after the claim names the trump suit"),
    "declare.first_hand": Text(
        "第一把靠抢亮大王定主，不用级牌亮主",
        "in the first hand of a round the trump suit comes from a claim, not from a declaration",
    ),
    "deal.over": Text("牌已经发完，亮主已经结束", "the deal and its closing window are over"),
    "trump.declare": Text("最后亮（反）成的花色为主", "the last declaration that stands names the trump suit"),
    "trump.draw": Text(
        "没人亮主，从底牌里抽牌定主", "nobody declared: a card drawn from the bottom names the trump suit"
    ),
    "deal.redeal": Text(
        "底牌里翻不出花色牌，重新洗牌", "no suited card can be turned from the bottom: the hand is dealt again"
    ),
    "deal.order": Text("亮主的先后顺序不对", "claims and declarations stand in the order they were made"),
    "hand.numbers": Text("把、轮、重新发牌的编号要连着数", "hands, rounds and redeals are numbered one after another"),
    "hand.first": Text(
        "每轮第一把随机从一家发起，以后从庄家发起",
        "the first hand of a round is dealt from a random seat, every later hand from the dealer",
    ),
    "bottom.shown": Text(
        "有人抢亮或亮主，进贡后亮底牌；没人亮主，底牌不公开",
        "the bottom is shown after tribute if somebody claimed or declared; otherwise it stays hidden",
    ),
    "bury.shown": Text("扣了王就要亮底牌，没扣王不公开", "the buried bottom is shown exactly when it holds a king"),
    "bury_kings.dry": Text("干锅不能扣王", "nobody buries kings in a dry pot"),
    "record.numbers": Text("事件要按 1、2、3…编号", "events are numbered 1, 2, 3 …"),
    "record.order": Text("这里该是另一个事件", "another event must stand here"),
    "record.keys": Text("事件缺少项目，或者项目写得不对", "a key of the event is missing or of the wrong kind"),
    "record.cards": Text("这里写的不是牌", "what stands here is no card"),
    "record.hash": Text("记录的规则指纹和规则对不上", "the recorded hash does not fit the recorded rules"),
    "tribute.largest": Text("进贡要交手里最大的牌", "tribute is the largest cards that may be paid"),
    "tribute.payer": Text(
        "新庄家的上家进贡给庄家", "the new dealer's previous seat pays the tribute, and the dealer receives it"
    ),
    "tribute.same_number": Text("收几张还几张", "as many cards go back as came"),
    "bury.number": Text("扣几张要和底牌张数一样", "the dealer buries as many cards as the bottom holds"),
    "bury_kings.room": Text(
        "底牌里能捡的只有 {room} 张，最多扣 {room} 张王",
        "what can be picked up from the bottom comes to {room}, and no more kings than that can be buried",
    ),
    "bury_kings.kings": Text("这里只能扣大小王", "only jokers are buried here"),
    "bury_kings.smallest": Text(
        "要捡底牌里最小的牌（分牌不能捡）", "the smallest cards that may be picked up (never points) must be picked"
    ),
    "capture.last_trick": Text(
        "最后一圈谁大：抓分方大是抠底，庄家方大是保底",
        "who wins the last trick: the attackers capture the bottom, or the dealer side holds it",
    ),
    "tricks.points": Text("抓分方赢下的几圈牌里的分", "the points in the tricks the attackers won"),
    "levels.final_passed": Text("打过最后一级，这一轮结束", "passing the final level ends the round"),
}
"""Rule ids with their sentences; ``{names}`` are filled in where a rule refuses."""
