"""A hand as people at a real table tell it, read into what the rules settle."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

from gunzi.apps.cli.entry import NO, YES, Entry, Wrong, key_of, number, plain, yes_or_no
from gunzi.apps.cli.typed import Unread, cards_of, suit_of
from gunzi.cards import CARDS, Card, count_kinds
from gunzi.errors import CardError, Text
from gunzi.installed import is_built_in
from gunzi.ruleset import RuleSet
from gunzi.trump import Trump, trump_order
from gunzi.values import BIG_JOKER, LITTLE_JOKER, Capture, Owed, Result
from gunzi.wording import counted

SO_IT_WAS: Final = "!"
"""After a dealer or a tribute that the rules do not expect: the table did it all the same."""


@dataclass(frozen=True, slots=True)
class Standing:
    """How the table stands before a hand: ``dealer`` None is a round's first hand, ``owed`` None no tribute."""

    rules: RuleSet
    number: int
    round: int
    hand: int
    levels: tuple[int, int]
    dealer: int | None
    owed: Owed | None
    dealer_by: str
    players: tuple[str, ...] = ()

    def seat(self, number: int) -> Text:
        """A seat with its player's name."""
        name = f" {self.players[number]}" if self.players else ""
        return Text(f"{number}号{name}", f"seat {number}{name}")

    def as_json(self) -> dict[str, Any]:
        """The standing as data, without rules and players."""
        return {
            "number": self.number,
            "round": self.round,
            "hand": self.hand,
            "levels": list(self.levels),
            "dealer": self.dealer,
            "dealer_by": self.dealer_by,
            "owed": self.owed.as_json() if self.owed else None,
        }


@dataclass(frozen=True, slots=True)
class Reading:
    """A told hand, read: tidied up, as the rules' ``result``, and ``total`` where the score was told with the bottom.

    ``remarks`` say what the table did otherwise than the rules expected.
    """

    told: Entry
    result: Result
    total: int | None
    remarks: tuple[Text, ...] = ()


# -- a hand ----------------------------------------------------------------------------------------------------


def read_told(entry: Mapping[str, str], standing: Standing, *, as_played: bool = False) -> Reading:
    """A told hand as the rules settle it. Raises Wrong where something is missing or cannot be.

    ``as_played``: who dealt and what was paid are facts, whatever the rules would have had; ``remarks`` say where they differ.
    """
    told = {key: plain(str(value)) for key, value in entry.items() if plain(str(value))}
    for key in told:
        key_of(key)
    rules, remarks = standing.rules, list[Text]()
    dealer = _dealer(told, standing, as_played, remarks)
    suit = suit_of(_needed(told, "trump", standing))
    if suit is None:
        raise Wrong(
            "trump",
            f"trump 要写花色 S H C D（黑红梅方），不能写 {told['trump']}",
            f"trump is a suit, S H C D, not {told['trump']!r}",
        )
    trump = trump_order(standing.levels[dealer % 2], suit, rules.permanent)
    captured = yes_or_no("captured", _needed(told, "captured", standing))
    bottom, whole = _bottom(told, standing, captured)
    worth = sum(rules.points[card.rank - 2] for card in bottom)
    dry = yes_or_no("dry", told.get("dry") or "no")
    if dry and whole:
        _check_dry(bottom, trump, standing, as_played, remarks)
    tribute = _tribute(told, standing, as_played, remarks)
    result = Result(
        dealer=dealer,
        levels=standing.levels,
        trick_points=0,
        capture=Capture.CAPTURED if captured else Capture.HELD,
        bottom=bottom,
        bottom_points=worth,
        dry=dry,
        trump=trump,
        last_play=_last(told, standing, captured),
        tribute_paid=tribute,
    )
    points, total = _points(told, standing, result, whole)
    tidy = {"dealer": str(dealer), "trump": suit}
    if standing.owed is not None or tribute is not None:
        tidy["tribute"] = f"{tribute.giver}>{tribute.receiver}:{tribute.count}" if tribute else "no"
    tidy |= {"points": str(points)} if total is None else {"total": str(total)}
    tidy["captured"] = "yes" if captured else "no"
    tidy["bottom" if whole else "kings"] = ",".join(bottom) or "no"
    tidy["dry"] = "yes" if dry else "no"
    if told.get("last"):
        tidy["last"] = ",".join(result.last_play)
    return Reading(tidy, replace(result, trick_points=points), total, tuple(remarks))


def wanted(standing: Standing, told: Mapping[str, str]) -> list[str]:
    """The keys to ask for, in order, after what is told already."""
    captured = told.get("captured", "").lower() in YES
    keys = ["dealer"] if standing.dealer is None else []
    keys.append("trump")
    keys += ["tribute"] if standing.owed is not None else []
    keys.append("total" if told.get("total") else "points")
    keys.append("captured")
    if standing.rules.deck.bottom:
        kings = told.get("kings") and not told.get("bottom")
        keys += ["kings" if kings or told.get("total") and not told.get("bottom") else "bottom", "dry"]
    if captured and asks_for_last_play(standing.rules) and not told.get("total"):
        keys.append("last")
    return keys


def asks_for_last_play(rules: RuleSet) -> bool:
    """May the worth of a captured bottom depend on the play that captured it? Not under gunzi's own rules."""
    return not all(is_built_in(id) for id in rules.host.who("bottom_worth"))


def check(key: str, text: str, standing: Standing, told: Mapping[str, str]) -> None:
    """Look at one value by itself, before the rest of the hand is told. Raises Wrong."""
    one = {key: plain(text)}
    if key == "dealer":
        _dealer(one, standing, False, [])
    elif key == "tribute":
        _tribute(one, standing, False, [])
    elif key == "trump" and suit_of(one[key]) is None:
        raise Wrong(key, f"要写花色 S H C D（黑红梅方），不能写 {text}", f"a suit, S H C D, not {text!r}")
    elif key in ("captured", "dry"):
        yes_or_no(key, one[key])
    elif key in ("points", "total"):
        number(key, one[key], 0, all_points(standing.rules) * (1 if key == "points" else 9))
    elif key in ("bottom", "kings"):
        captured = told.get("captured", "").lower() in YES
        _bottom({**{k: v for k, v in told.items() if k in ("total", "points")}, **one}, standing, captured)
    elif key == "last":
        _last(one, standing, True)


# -- the parts -------------------------------------------------------------------------------------------------


def _needed(told: Entry, key: str, standing: Standing) -> str:
    value = told.get(key, "")
    if not value:
        raise Wrong(key, f"第 {standing.number} 把缺 {key}", f"hand {standing.number} lacks {key}")
    return value


def _dealer(told: Entry, standing: Standing, as_played: bool, remarks: list[Text]) -> int:
    if standing.dealer is not None and not told.get("dealer"):
        return standing.dealer
    text = _needed(told, "dealer", standing)
    seat = _seat("dealer", text.removesuffix(SO_IT_WAS), standing)
    if standing.dealer is None or seat == standing.dealer:
        return seat
    due, was = standing.seat(standing.dealer), standing.seat(seat)
    zh = f"第 {standing.number} 把该{due.zh}坐庄，不是{was.zh}（规则 {standing.dealer_by}）"
    en = f"hand {standing.number} is {due.en}'s to deal, not {was.en}'s (rule {standing.dealer_by})"
    if not as_played and not text.endswith(SO_IT_WAS):
        raise Wrong(
            "dealer", f"{zh}；真是这么打的就写 dealer={seat}!", f"{en}; if it was so all the same, write dealer={seat}!"
        )
    remarks.append(Text(f"{zh}；照实际打的记", f"{en}; kept as it was played"))
    return seat


def _tribute(told: Entry, standing: Standing, as_played: bool, remarks: list[Text]) -> Owed | None:
    text, owed = told.get("tribute", ""), standing.owed
    if not text:
        return owed
    forced = as_played or text.endswith(SO_IT_WAS)
    text = text.removesuffix(SO_IT_WAS).strip()
    if text.lower() in NO:
        return None
    if ">" not in text and owed is not None and text.isascii() and text.isdigit():
        text = f"{owed.giver}>{owed.receiver}:{text}"
    payer, sign, rest = text.partition(">")
    receiver, colon, count = rest.partition(":")
    if not sign or not colon:
        raise Wrong(
            "tribute",
            f"tribute 要写成 1>2:3（1号给2号 3 张），没进写 no，不能写 {text}",
            f"tribute is like 1>2:3 (seat 1 pays seat 2 three) or no, not {text!r}",
        )
    giver, taker = _seat("tribute", payer, standing), _seat("tribute", receiver, standing)
    if giver == taker:
        raise Wrong("tribute", f"{giver}号不能给自己进贡", f"seat {giver} cannot pay itself")
    cards = number("tribute", count, 0, standing.rules.deck.hand, 1)
    if owed is None or {giver, taker} != {owed.giver, owed.receiver}:
        zh, en = _not_due(owed, giver, taker, standing)
        if not forced:
            more = f"tribute={giver}>{taker}:{cards}!"
            raise Wrong("tribute", f"{zh}；真是这么进的就写 {more}", f"{en}; if it was so all the same, write {more}")
        remarks.append(Text(f"{zh}；照实际进的记", f"{en}; kept as it was paid"))
    return Owed(giver, taker, cards) if cards else None


def _not_due(owed: Owed | None, giver: int, taker: int, standing: Standing) -> tuple[str, str]:
    one, other = standing.seat(giver), standing.seat(taker)
    if owed is None:
        rules = "tribute.low, tribute.high, tribute.kings_when"
        return (
            f"这一把没人欠贡（规则 {rules.replace(', ', '、')}）",
            f"no tribute is due in this hand (rules {rules})",
        )
    payer, receiver = standing.seat(owed.giver), standing.seat(owed.receiver)
    return (
        f"该{payer.zh}给{receiver.zh}进贡，不是{one.zh}和{other.zh}",
        f"tribute is due from {payer.en} to {receiver.en}, not between {one.en} and {other.en}",
    )


def _bottom(told: Entry, standing: Standing, captured: bool) -> tuple[tuple[Card, ...], bool]:
    """The bottom as far as it is told, and whether that is all of it."""
    deck = standing.rules.deck
    if told.get("bottom") and told.get("kings"):
        raise Wrong(
            "kings",
            "bottom（底牌）和 kings（底里的王）写一个就行",
            "give bottom (all cards) or kings (its jokers), not both",
        )
    if deck.bottom == 0:
        return (), True
    if told.get("kings"):
        if captured and told.get("points"):
            raise Wrong(
                "bottom",
                f"抠底要算底牌的分：写全底牌 {deck.bottom} 张，或者只写总分 total",
                f"a capture counts the bottom's points: give all {deck.bottom} cards of it, or the total only",
            )
        text = told["kings"]
        kings = () if text.lower() in NO else _cards("kings", text)
        other = next((card for card in kings if card not in (BIG_JOKER, LITTLE_JOKER)), None)
        if other is not None:
            raise Wrong("kings", f"kings 只写大小王，{other} 不是王", f"kings are jokers, BJ and LJ; {other} is none")
        if len(kings) > deck.bottom:
            raise Wrong(
                "kings",
                f"底牌一共才 {deck.bottom} 张，写了 {len(kings)} 个王",
                f"the bottom has {counted(deck.bottom, 'card')}, not {len(kings)}",
            )
        _check_copies("kings", kings, standing)
        return kings, False
    cards = _cards("bottom", _needed(told, "bottom", standing))
    if len(cards) != deck.bottom:
        more = (
            "；只记得王就写 kings=BJ,LJ",
            "; where only its jokers were noted, write kings=BJ,LJ",
        )
        raise Wrong(
            "bottom",
            f"底牌是 {deck.bottom} 张，写了 {len(cards)} 张{more[0]}",
            f"the bottom has {counted(deck.bottom, 'card')}, not {len(cards)}{more[1]}",
        )
    _check_copies("bottom", cards, standing)
    return cards, True


def _cards(key: str, text: str) -> tuple[Card, ...]:
    try:
        return cards_of(text)
    except Unread as error:
        raise Wrong(key, f"{key} 里的 {error.part} 不是牌", f"{key}: {error.part} is no card") from None
    except CardError as error:
        raise Wrong(key, f"{key}：{error.text.zh}", f"{key}: {error.text.en}") from None


def _check_copies(key: str, cards: Sequence[Card], standing: Standing) -> None:
    copies = standing.rules.deck.copies
    for kind, count in enumerate(count_kinds(cards)):
        if count > copies[kind]:
            card = CARDS[kind]
            raise Wrong(
                key,
                f"{card} 写了 {count} 张，一共只有 {copies[kind]} 张",
                f"{card} is given {counted(count, 'time')}, but there are only {copies[kind]}",
            )


def _last(told: Entry, standing: Standing, captured: bool) -> tuple[Card, ...]:
    if told.get("last"):
        cards = _cards("last", told["last"])
        if not 1 <= len(cards) <= standing.rules.deck.hand:
            raise Wrong("last", "last 写赢下最后一圈的那几张牌", "last is the cards that won the last trick")
        _check_copies("last", cards, standing)
        return cards
    if captured and asks_for_last_play(standing.rules) and not told.get("total"):
        by = ", ".join(standing.rules.host.who("bottom_worth"))
        raise Wrong(
            "last",
            f"第 {standing.number} 把缺 last：底牌的分怎么翻，要看赢下最后一圈的牌（{by}）",
            f"hand {standing.number} lacks last: what the bottom counts depends on the play that won the last trick ({by})",
        )
    return (Card("S3"),)


def _check_dry(
    bottom: tuple[Card, ...], trump: Trump, standing: Standing, as_played: bool, remarks: list[Text]
) -> None:
    """干锅 stays as it is, so the bottom that is told must be dry itself."""
    rules = standing.rules
    first = standing.dealer is None
    verdict = rules.hook.dry_pot(bottom=trump.masks(bottom), trump=trump, shown=True, first_hand=first)
    if verdict.dry:
        return
    why = not_dry(rules, verdict.by)
    if not as_played:
        raise Wrong("dry", why.zh, why.en)
    remarks.append(Text(f"{why.zh}；照实际打的记", f"{why.en}; kept as it was played"))


def not_dry(rules: RuleSet, by: str) -> Text:
    """Why a bottom is no dry pot, in words."""
    text = rules.rule_about(by)
    return Text(f"这样的底不是干锅（规则 {by}，{text.zh}）", f"this bottom is no dry pot (rule {by}, {text.en})")


def all_points(rules: RuleSet) -> int:
    """The points of all the cards."""
    return sum(rules.deck.copies[card.kind] * rules.points[card.rank - 2] for card in CARDS)


def most_in_bottom(rules: RuleSet, kings: int) -> int:
    """The most points a bottom with so many jokers can hold."""
    each = [rules.points[card.rank - 2] for card in CARDS for _ in range(rules.deck.copies[card.kind])]
    return sum(sorted(each, reverse=True)[: rules.deck.bottom - kings])


def _points(told: Entry, standing: Standing, result: Result, whole: bool) -> tuple[int, int | None]:
    """The attackers' points in tricks (0 where they are not told), and their total where that is told."""
    rules = standing.rules
    worth = result.bottom_points
    everything = all_points(rules)
    if told.get("points") and told.get("total"):
        raise Wrong(
            "total",
            "points（台面分）和 total（连底的总分）写一个就行",
            "give points (tricks) or total (with the bottom), not both",
        )
    if not told.get("total"):
        return number("points", _needed(told, "points", standing), 0, everything - worth), None
    low, high = 0, everything - worth
    if result.captured and whole:
        low = rules.hook.bottom_worth(result=result).points
        high += low
    elif result.captured:
        most = most_in_bottom(rules, len(result.bottom))
        captured = rules.hook.bottom_worth(result=replace(result, bottom_points=most)).points
        high = max(everything, everything - most + captured)
    return 0, number("total", told["total"], low, high)


def _seat(key: str, text: str, standing: Standing) -> int:
    word = text.strip()
    if word.removesuffix("号") in ("0", "1", "2", "3"):
        return int(word[0])
    if word and word in standing.players:
        return standing.players.index(word)
    names = f"，或者{'、'.join(standing.players)}" if standing.players else ""
    names_en = f" or one of {', '.join(standing.players)}" if standing.players else ""
    raise Wrong(key, f"{key} 要写座位 0 到 3{names}，不能写 {text}", f"{key} is a seat, 0 to 3{names_en}, not {text!r}")
