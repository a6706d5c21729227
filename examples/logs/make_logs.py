"""Writes the two logs beside it: hands that bots played, told as two foreign programs would tell them.

python make_logs.py [FOLDER]
"""

from __future__ import annotations

import csv
import json
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import gunzi
from gunzi.apps.players import play_table, player
from gunzi.cards import SUITS, Card

SEATS = ("东", "北", "西", "南")
SUIT_NAMES = {"S": "黑", "H": "红", "C": "梅", "D": "方"}
HEADING = ("局", "动作", "座位", "牌", "换牌", "花色", "级", "庄家", "张数", "干锅", "得分", "下庄")
ORDER = "A23456789TJQK"


def played(rules: str, follow: str, seed: int, hands: int) -> list[dict[str, Any]]:
    """The events of a table of bots."""
    table = gunzi.Table(gunzi.load(rules, {"follow.shapes": follow}), seed=seed, hands=hands, rounds=None)
    play_table(table, [player("steady")] * 4, seed)
    return table.events


def in_words(cards: list[str]) -> str:
    """Cards as the first program writes them: 红10 黑A 大王."""
    names = {"BJ": "大王", "LJ": "小王"}
    return " ".join(names.get(card) or SUIT_NAMES[card[0]] + card[1:].replace("T", "10") for card in cards)


def hands_of(event: Mapping[str, Any], first: int) -> list[list[str]]:
    """What each seat was dealt, in the order of dealing."""
    return [event["deck"][(seat - first) % 4 : 156 : 4] for seat in range(4)]


def csv_rows(events: list[dict[str, Any]]) -> Iterator[dict[str, Any]]:
    """One row an act, in Chinese; the cards of each seat in the order they were dealt."""
    number = 0
    for event in events:
        kind = event["e"]
        if kind == "hand":
            number = event["hand"]
            dealer = "" if event["dealer"] is None else SEATS[event["dealer"]]
            levels = "/".join(map(str, event["levels"]))
            yield {"局": number, "动作": "开局", "座位": SEATS[event["first"]], "庄家": dealer, "级": levels}
            for seat, cards in enumerate(hands_of(event, event["first"])):
                yield {"局": number, "动作": "发牌", "座位": SEATS[seat], "牌": in_words(cards)}
            yield {"局": number, "动作": "底牌", "牌": in_words(event["deck"][156:])}
            continue
        row: dict[str, Any] = {"局": number}
        if "seat" in event:
            row["座位"] = SEATS[event["seat"]]
        if "from" in event:
            row |= {"座位": SEATS[event["from"]], "庄家": SEATS[event["to"]]}
        if "cards" in event or "card" in event:
            row["牌"] = in_words(event.get("cards") or [event["card"]])
        if event.get("suit"):
            row["花色"] = SUIT_NAMES[event["suit"]]
        if kind in ("claim", "declare"):
            row |= {"动作": {"claim": "抢亮", "declare": "亮主"}[kind], "张数": event["dealt"]}
        elif kind == "trump":
            row |= {"动作": "定主", "庄家": SEATS[event["dealer"]]}
        elif kind == "bottom":
            row |= {"动作": "看底", "干锅": "是" if event["dry"] else "否"}
        elif kind == "bury_kings":
            row |= {"动作": "扣王", "牌": in_words(event["kings"]), "换牌": in_words(event["picked"])}
        elif kind == "trick":
            row |= {"动作": "收圈", "座位": SEATS[event["winner"]], "得分": event["points"]}
        elif kind == "settle":
            after = "" if event["next_dealer"] is None else SEATS[event["next_dealer"]]
            row |= {
                "动作": "结算",
                "得分": event["attackers_points"],
                "下庄": after,
                "级": "/".join(map(str, event["levels"])),
            }
        else:
            names = {
                "turn": "翻底",
                "draw": "抽底",
                "tribute": "进贡",
                "return": "还贡",
                "bury": "扣底",
                "play": "出牌",
            }
            row["动作"] = names.get(kind, "其他")
        yield row


def card_number(text: str) -> int:
    """A card as the second program numbers it: 1-13 ♠A-♠K, then ♥, ♣, ♦, 53 the little joker, 54 the big one."""
    card = Card(text)
    if card.suit is None:
        return 53 if text == "LJ" else 54
    return 1 + 13 * SUITS.index(card.suit) + ORDER.index(text[1])


def json_rows(events: list[dict[str, Any]]) -> Iterator[dict[str, Any]]:
    """One object an act; seats from 1, cards as numbers, the hands sorted."""
    for event in events:
        kind = event["e"]
        if kind == "hand":
            hands = [sorted(map(card_number, cards)) for cards in hands_of(event, event["first"])]
            dealer = None if event["dealer"] is None else event["dealer"] + 1
            yield {
                "type": "start",
                "data": {
                    "game": event["hand"],
                    "dealer": dealer,
                    "levels": event["levels"],
                    "hands": hands,
                    "bottom": [card_number(card) for card in event["deck"][156:]],
                },
            }
            continue
        data: dict[str, Any] = {}
        for key, ours in (("seat", "seat"), ("from", "from"), ("to", "to"), ("winner", "winner"), ("dealer", "dealer")):
            if ours in event:
                data[key] = event[ours] + 1
        for key in ("cards", "kings", "picked"):
            if key in event:
                data[key] = [card_number(card) for card in event[key]]
        if "card" in event:
            data["cards"] = card_number(event["card"])
        for key in ("suit", "dry", "points", "attackers_points", "levels", "scores"):
            if key in event:
                data[key] = event[key]
        yield {"type": kind, "data": data}
        if kind == "trick":
            yield {"type": "ping", "data": {}}


def main(arguments: list[str]) -> int:
    """Write both logs."""
    folder = Path(arguments[0]) if arguments else Path(__file__).parent
    with open(folder / "club.csv", "w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, HEADING, lineterminator="\n")
        writer.writeheader()
        writer.writerows(csv_rows(played("chayuan", "loose", 11, 3)))
    with open(folder / "server.jsonl", "w", encoding="utf-8", newline="\n") as file:
        for row in json_rows(played("yuwang", "strict", 7, 3)):
            file.write(json.dumps(row, ensure_ascii=False) + "\n")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
