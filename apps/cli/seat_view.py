"""What a player sees of his own cards and of the table, drawn as text."""

from __future__ import annotations

from collections.abc import Sequence

from gunzi.apps.cli.narrate import Narrator
from gunzi.apps.cli.output import Out, columns, pad
from gunzi.cards import SUITS, Card, rank_text
from gunzi.trump import Trump


def in_hand_order(cards: Sequence[Card], trump: Trump | None) -> list[tuple[str, list[Card]]]:
    """The cards by group, strongest first: trumps, then the side suits; by suit alone while there is no trump."""
    if trump is None:
        jokers = sorted((card for card in cards if card.suit is None), key=lambda card: -card.rank)
        groups = [("jokers", jokers)] if jokers else []
        for suit in SUITS:
            groups.append((suit, sorted((card for card in cards if card.suit == suit), key=lambda card: -card.rank)))
        return [(name, held) for name, held in groups if held]
    found: dict[str, list[Card]] = {"trump": []}
    found.update({suit: [] for suit in SUITS if suit != trump.suit})
    for card in sorted(cards, key=lambda card: -trump.bit_of[card.kind]):
        found[trump.lane_name(trump.lane(card))].append(card)
    return [(name, held) for name, held in found.items() if held]


def numbered(groups: Sequence[tuple[str, list[Card]]]) -> list[Card]:
    """The cards in the order of their numbers."""
    return [card for _, held in groups for card in held]


def hand_lines(groups: Sequence[tuple[str, list[Card]]], out: Out, numbers: bool = True) -> list[str]:
    """The cards group by group, with the numbers by which they can be named below them."""
    t = out.t
    lines: list[str] = []
    labels = []
    for name, held in groups:
        title = t("主牌", "trumps") if name == "trump" else t("王", "jokers") if name == "jokers" else out.suit(name)
        labels.append(f"{title} {len(held)}")
    left = max((columns(label) for label in labels), default=0) + 2
    place = 0
    for label, (_, held) in zip(labels, groups, strict=True):
        cells = [out.card(card) for card in held]
        width = max(2, *(columns(cell) for cell in cells))
        room = max(4, (out.width - left) // (width + 1))
        for start in range(0, len(held), room):
            row = [pad(cell, width, right=True) for cell in cells[start : start + room]]
            lines.append((pad(label if start == 0 else "", left) + " ".join(row)).rstrip())
            if numbers:
                marks = [pad(str(place + start + k + 1), width, right=True) for k in range(len(row))]
                lines.append(out.style(" " * left + " ".join(marks), "dim"))
        place += len(held)
    return lines


def table_lines(narrator: Narrator, out: Out) -> list[str]:
    """Who deals, what is trump, the points, the running trick."""
    t = out.t
    lines: list[str] = []
    hand = narrator.hand
    if not hand:
        return lines
    levels = [rank_text(level) for level in hand["levels"]]
    head = t(f"第 {hand['round']} 轮第 {hand['hand']} 把", f"round {hand['round']}, hand {hand['hand']}")
    you = narrator.you or 0
    head += t(
        f" · 你们打到 {levels[you % 2]}，对方 {levels[1 - you % 2]}",
        f" · your side {levels[you % 2]}, theirs {levels[1 - you % 2]}",
    )
    lines.append(head)
    if narrator.trump is not None and narrator.dealer is not None:
        trump = narrator.trump
        side = (
            t("你们坐庄", "your side deals") if (narrator.dealer - you) % 2 == 0 else t("你们抓分", "your side attacks")
        )
        lines.append(
            t(
                f"打 {rank_text(trump.level)}，主是{out.suit(trump.suit)}，庄家{narrator.seat(narrator.dealer)}，{side}；抓分方 {narrator.points} 分",
                f"level {rank_text(trump.level)}, trump {out.suit(trump.suit)}, dealer {narrator.seat(narrator.dealer)}, {side}; attackers {narrator.points}",
            )
        )
    if narrator.bottom:
        lines.append(t("你知道的底牌 ", "the bottom as you know it: ") + out.cards(narrator.bottom))
    lines += trick_lines(narrator, out)
    return lines


def trick_lines(narrator: Narrator, out: Out) -> list[str]:
    """The plays of the running trick."""
    if not narrator.trick:
        return []
    plays = "   ".join(f"{narrator.seat(seat)} {out.cards(cards)}" for seat, cards in narrator.trick)
    return [out.t(f"第 {narrator.tricks + 1} 圈：", f"trick {narrator.tricks + 1}: ") + plays]
