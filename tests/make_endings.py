"""Makes tests/records/endings: for every preset a recorded game for every way its round can end.

Run by hand (``python tests/make_endings.py``) when the record format or a rule changes; the tests only read the files.
The decks are stacked so that one side is strong enough; everything else is played by legal acts.
"""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

import gunzi
from gunzi import Ask, Bury, Card, Pass, Play, Table
from gunzi.cards import CARDS

FOLDER = Path(__file__).parent / "records" / "endings"
PRESETS = ("boke", "zixun", "chayuan", "yuwang", "baike", "dalian")
ENDINGS = {
    "shutout": lambda rules: rules.options["endings.shutout"],
    "sweep": lambda rules: rules.options["endings.sweep"],
    "three_big": lambda rules: rules.options["endings.three_big"] != "none",
    "three_small": lambda rules: rules.options["endings.three_small"] != "none",
    "final_level": lambda rules: True,
}


def stacked(strong: int, joker: str, chance: random.Random) -> list[Card]:
    """A deck in which the side ``strong`` holds nearly all high cards and seat 0 all jokers of the kind ``joker``."""
    deck = [card for card in CARDS for _ in range(3)]
    chance.shuffle(deck)
    kings = [card for card in deck if card == joker]
    rest = [card for card in deck if card != joker]
    rest.sort(
        key=lambda card: (card.is_joker, card.rank in (2, 3), card.rank if card.rank != 2 else 0, chance.random())
    )
    bottom = [rest.pop(len(rest) // 3) for _ in range(6 if joker else 0)] or [rest.pop(20) for _ in range(6)]
    weak, high = rest[: len(rest) // 2 + 1], rest[len(rest) // 2 + 1 :]
    hands: dict[int, list[Card]] = {0: list(kings), 1: [], 2: [], 3: []}
    chance.shuffle(high)
    chance.shuffle(weak)
    for seat in (strong, strong + 2):
        while len(hands[seat]) < 39:
            hands[seat].append(high.pop() if high else weak.pop())
    for seat in range(4):
        while len(hands[seat]) < 39:
            hands[seat].append(weak.pop() if weak else high.pop())
    for cards in hands.values():
        chance.shuffle(cards)
    return [hands[place % 4][place // 4] for place in range(156)] + bottom


def choose(table: Table, ask: Ask, strong: int, wanted: str, chance: random.Random) -> Any:
    """An act that helps the strong side: it wins what it can, the others play at random."""
    if ask.kind == "claim":
        return ask[len(ask) - 1] if ask.seat == 0 else Pass()
    if ask.kind == "bury":
        joker = {"three_big": "BJ", "three_small": "LJ"}.get(wanted)
        return _bury(ask, joker)
    if ask.kind in ("lead", "follow") and ask.seat % 2 == strong:
        return _strongest(table, ask)
    return ask[chance.randrange(len(ask))]


def _bury(ask: Ask, joker: str | None) -> Bury:
    act = ask[0]
    assert isinstance(act, Bury)
    if joker is None:
        return act
    hand = ask.trump.cards(ask.holding)  # type: ignore[attr-defined]
    kings = [card for card in hand if card == joker]
    if joker == "LJ" and any(card == "BJ" for card in hand):
        kings = [card for card in hand if card == "BJ"] + kings
    plain = [card for card in hand if not card.is_joker and card.rank not in (5, 10, 13)]
    return Bury(tuple([*kings, *plain][:6]))


def _strongest(table: Table, ask: Ask) -> Play:
    trump = ask.trump  # type: ignore[attr-defined]
    plays = [ask[k] for k in range(min(len(ask), 400))]

    def power(act: Any) -> int:
        return sum(trump.power[trump.bit_of[card.kind]] for card in act.cards)

    partner_wins = table.hand.plays and table.hand.winning % 2 == ask.seat % 2
    return (min if partner_wins else max)(plays, key=power)  # type: ignore[type-var]


def make(preset: str, wanted: str) -> None:
    """Search until a round ends the wanted way, and save its record."""
    rules = gunzi.load(preset)
    for attempt in range(4000):
        chance = random.Random(f"{preset} {wanted} {attempt}")
        attackers_win = wanted in ("sweep", "three_big", "three_small")
        strong = 1 if attackers_win else 0
        joker = {"three_small": "LJ"}.get(wanted, "BJ")

        def deals(
            number: int, redeal: int, strong: int = strong, joker: str = joker, chance: random.Random = chance
        ) -> tuple[list[Card], int]:
            return stacked(strong, joker, chance), 0

        name = f"ending-{preset}-{wanted}"
        if wanted == "final_level":  # the ordinary way a round ends needs no stacked cards
            table = Table(rules, seed=attempt, rounds=1, hands=40, name=name)
        else:
            table = Table(rules, rounds=1, hands=14, deals=deals, name=name)
        while not table.over:
            ask = table.ask
            ordinary = ask[chance.randrange(len(ask))]
            table.do(ask.seat, ordinary if wanted == "final_level" else choose(table, ask, strong, wanted, chance))
        if table.events[-1]["ending"] == wanted:
            gunzi.verify(table.record)
            FOLDER.mkdir(parents=True, exist_ok=True)
            table.record.save(FOLDER / f"{preset}-{wanted}.jsonl")
            print(preset, wanted, "attempt", attempt, "hands", table.hand_number)
            return
    raise SystemExit(f"no {wanted} found for {preset}")


if __name__ == "__main__":
    for preset in PRESETS:
        for wanted, possible in ENDINGS.items():
            if possible(gunzi.load(preset)):
                make(preset, wanted)
