"""The score of a real table: hands as people report them, settled one after another under a rule set."""

from __future__ import annotations

import json
import os
import tempfile
from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any, Final

from gunzi.apps.cli.parser import Stop
from gunzi.apps.cli.typed import cards_of, suit_of
from gunzi.cards import Card, count_kinds, rank_text
from gunzi.errors import CardError
from gunzi.ruleset import RuleSet
from gunzi.settling import settle
from gunzi.trump import trump_order
from gunzi.values import Capture, Owed, Result, Settlement

KEYS: Final = ("dealer", "trump", "tribute", "points", "total", "captured", "bottom", "dry")
"""What is told of a hand. ``points``: the attackers' tricks; ``total``: with the bottom, where only that was counted."""
YES: Final = frozenset({"yes", "y", "true", "1", "是", "抠", "抠底", "干锅", "对"})
NO: Final = frozenset({"no", "n", "false", "0", "不", "否", "没", "没有", "保底", "无"})
FORMAT: Final = 1
Entry = dict[str, str]


class Sheet:
    """Hands and where they lead: ``levels``, ``dealer`` (None: a new round), ``owed``, ``scores``, ``settlements``."""

    def __init__(self, rules: RuleSet, players: Sequence[str] = ()) -> None:
        self.rules = rules
        self.players = tuple(players)
        self.entries: list[Entry] = []
        self._start()

    def _start(self) -> None:
        start = self.rules.start_level
        self.levels = (start, start)
        self.dealer: int | None = None
        self.owed: Owed | None = None
        self.scores = [0, 0, 0, 0]
        self.round = 1
        self.rounds_won = [0, 0]
        self.settlements: list[Settlement] = []

    @property
    def number(self) -> int:
        """The number of the hand to come, from 1."""
        return len(self.entries) + 1

    def add(self, entry: Mapping[str, str]) -> Settlement:
        """Settle one more hand. Raises Stop where something is missing or cannot be."""
        told = {key: str(value).strip() for key, value in entry.items()}
        result, total = self._result(told)
        settlement = settle(self.rules, result, points=total)
        outcome = settlement.outcome
        self.entries.append(told)
        self.settlements.append(settlement)
        self.levels = outcome.levels
        self.scores = [old + new for old, new in zip(self.scores, settlement.scores, strict=True)]
        if outcome.round_won_by is not None:
            self.rounds_won[outcome.round_won_by] += 1
            self.round += 1
            self.dealer, self.owed = None, None
        else:
            self.dealer, self.owed = outcome.result.next_dealer, outcome.owed
        return settlement

    def undo(self) -> bool:
        """Take the last hand back; False where there is none."""
        if not self.entries:
            return False
        kept = self.entries[:-1]
        self.entries = []
        self._start()
        for entry in kept:
            self.add(entry)
        return True

    # -- reading a hand ----------------------------------------------------------------------------------------

    def _result(self, told: Entry) -> tuple[Result, int | None]:
        for key in told:
            if key not in KEYS:
                raise Stop(
                    f"一把牌里没有 {key}；有 {'、'.join(KEYS)}", f"a hand has no {key!r}; it has {', '.join(KEYS)}"
                )
        dealer = self._dealer(told)
        suit = suit_of(self._needed(told, "trump"))
        if suit is None:
            raise Stop(
                f"trump 要写花色 S H C D，不能写 {told['trump']}", f"trump is a suit, S H C D, not {told['trump']!r}"
            )
        trump = trump_order(self.levels[dealer % 2], suit, self.rules.permanent)
        bottom = self._bottom(told)
        worth = sum(self.rules.points[card.rank - 2] for card in bottom)
        captured = yes_or_no("captured", self._needed(told, "captured"))
        points, total = self._points(told, worth, captured)
        result = Result(
            dealer=dealer,
            levels=self.levels,
            trick_points=points,
            capture=Capture.CAPTURED if captured else Capture.HELD,
            bottom=bottom,
            bottom_points=worth,
            dry=yes_or_no("dry", told.get("dry") or "no"),
            trump=trump,
            last_play=(Card("S3"),),
            tribute_paid=self._tribute(told, dealer),
        )
        return result, total

    def _needed(self, told: Entry, key: str) -> str:
        value = told.get(key, "")
        if not value:
            raise Stop(f"第 {self.number} 把缺 {key}", f"hand {self.number} lacks {key}")
        return value

    def _dealer(self, told: Entry) -> int:
        if self.dealer is not None and not told.get("dealer"):
            return self.dealer
        seat = _seat("dealer", self._needed(told, "dealer"))
        if self.dealer is not None and seat != self.dealer:
            by = self.settlements[-1].outcome.result
            option = "rotation.takeover" if by.takeover else "rotation.hold"
            raise Stop(
                f"第 {self.number} 把该 {self.dealer}号坐庄，不是 {seat}号（规则 {option}）",
                f"hand {self.number} is seat {self.dealer}'s to deal, not seat {seat}'s (rule {option})",
            )
        return seat

    def _bottom(self, told: Entry) -> tuple[Card, ...]:
        try:
            cards = cards_of(self._needed(told, "bottom"))
        except CardError as error:
            raise Stop(f"bottom 里的 {error} 不是牌", f"bottom: {error} is no card") from None
        deck = self.rules.deck
        if len(cards) != deck.bottom:
            raise Stop(
                f"底牌是 {deck.bottom} 张，写了 {len(cards)} 张",
                f"the bottom has {deck.bottom} cards, not {len(cards)}",
            )
        for kind, count in enumerate(count_kinds(cards)):
            if count > deck.copies[kind]:
                raise Stop(
                    "底牌里同一张牌写多了",
                    f"the bottom has more equal cards than there are packs ({deck.copies[kind]})",
                )
        return cards

    def _points(self, told: Entry, worth: int, captured: bool) -> tuple[int, int | None]:
        deck = self.rules.deck
        whole = sum(deck.copies[kind] * self.rules.points[rank] for kind, rank in _ranks()) - worth
        if told.get("points") and told.get("total"):
            raise Stop(
                "points（台面分）和 total（连底的总分）写一个就行",
                "give points (tricks) or total (with the bottom), not both",
            )
        if told.get("total"):
            most = whole + worth * 8
            return 0, _number("total", told["total"], most)
        return _number("points", self._needed(told, "points"), whole), None

    def _tribute(self, told: Entry, dealer: int) -> Owed | None:
        text = told.get("tribute", "")
        if not text:
            return self.owed
        if text.lower() in NO or text.lower() in ("none", "-"):
            return None
        payer, sign, rest = text.partition(">")
        receiver, colon, count = rest.partition(":")
        if not sign or not colon:
            raise Stop(
                f"tribute 要写成 1>2:3（1号给 2号 3 张），不能写 {text}",
                f"tribute is like 1>2:3 (seat 1 pays seat 2 three), not {text!r}",
            )
        giver, taker = _seat("tribute", payer), _seat("tribute", receiver)
        number = _number("tribute", count, self.rules.deck.hand)
        if self.owed is None:
            raise Stop(
                "这一把没有人欠贡（规则 tribute.low、tribute.kings_when）",
                "no tribute is due in this hand (rules tribute.low, tribute.kings_when)",
            )
        if {giver, taker} != {self.owed.giver, self.owed.receiver}:
            raise Stop(
                f"该 {self.owed.giver}号给{self.owed.receiver}号进贡，不是 {giver}号和 {taker}号",
                f"tribute is due from seat {self.owed.giver} to seat {self.owed.receiver}, not between {giver} and {taker}",
            )
        return Owed(giver, taker, number) if number else None


def _ranks() -> list[tuple[int, int]]:
    from gunzi.cards import CARDS

    return [(card.kind, card.rank - 2) for card in CARDS]


def _seat(key: str, text: str) -> int:
    if text.strip() in ("0", "1", "2", "3"):
        return int(text)
    raise Stop(f"{key} 要写座位 0 到 3，不能写 {text}", f"{key} is a seat, 0 to 3, not {text!r}")


def _number(key: str, text: str, most: int) -> int:
    text = text.strip()
    if (
        text.isascii()
        and text.isdigit()
        and len(text) < 6
        and int(text) <= most
        and (key == "tribute" or int(text) % 5 == 0)
    ):
        return int(text)
    if key == "tribute":
        raise Stop(f"进贡张数不对：{text}", f"tribute: {text!r} is no number of cards")
    raise Stop(
        f"{key} 要写 0 到 {most} 之间 5 的倍数，不能写 {text}", f"{key} is 0 to {most}, a multiple of 5, not {text!r}"
    )


def yes_or_no(key: str, text: str) -> bool:
    """A yes or a no as people write it. Raises Stop."""
    word = text.strip().lower()
    if word in YES:
        return True
    if word in NO:
        return False
    raise Stop(f"{key} 要写 yes 或 no，不能写 {text}", f"{key} is yes or no, not {text!r}")


def read_hand(text: str) -> Entry:
    """A hand from one line: ``dealer=0 points=85 …``; a value may be in quotes. Raises Stop."""
    found: Entry = {}
    for word in text.split():
        key, sign, value = word.partition("=")
        if not sign:
            raise Stop(f"一把牌要写成 key=value，看不懂 {word}", f"a hand is written as key=value; {word!r} is not")
        if key in found:
            raise Stop(f"{key} 写了两次", f"{key} is given twice")
        found[key] = value
    return found


# -- keeping ---------------------------------------------------------------------------------------------------


def as_json(sheet: Sheet) -> dict[str, Any]:
    """The sheet as data: what was told, what came out."""
    return {
        "gunzi": FORMAT,
        "kind": "score",
        "rules": sheet.rules.as_json(),
        "players": list(sheet.players),
        "hands": [
            {"told": entry, "settle": settlement.as_json()}
            for entry, settlement in zip(sheet.entries, sheet.settlements, strict=True)
        ],
        "next": {
            "hand": sheet.number,
            "round": sheet.round,
            "levels": [rank_text(level) for level in sheet.levels],
            "dealer": sheet.dealer,
            "owed": sheet.owed.as_json() if sheet.owed else None,
        },
        "scores": sheet.scores,
        "titles": [sheet.rules.hook.title(score=score) for score in sheet.scores],
        "rounds_won": sheet.rounds_won,
    }


def save(sheet: Sheet, path: str) -> None:
    """Write the sheet whole or not at all. Raises OSError."""
    target = Path(path)
    handle, name = tempfile.mkstemp(dir=target.parent, prefix=f".{target.name}.")
    try:
        with os.fdopen(handle, "w", encoding="utf-8", newline="\n") as file:
            json.dump(as_json(sheet), file, ensure_ascii=False, indent=1)
            file.write("\n")
        os.replace(name, target)
    except BaseException:
        with suppress(OSError):
            os.unlink(name)
        raise


def read(path: str) -> dict[str, Any]:
    """A saved sheet's data. Raises OSError, or Stop where it is none."""
    wrong = Stop(f"{path} 不是存下的记分", f"{path} is no saved score")
    try:
        found = json.loads(Path(path).read_text(encoding="utf-8"))
    except ValueError:
        raise wrong from None
    if not isinstance(found, dict) or found.get("kind") != "score" or not isinstance(found.get("hands"), list):
        raise wrong
    if not all(isinstance(row, dict) and isinstance(row.get("told"), dict) for row in found["hands"]):
        raise wrong
    return found
