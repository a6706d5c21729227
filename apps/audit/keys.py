"""What a mapping can tell of each kind of event: its keys, and how what stands under them is read."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

SKIP: Final = "skip"
"""A row that says nothing of the game."""
DEAL: Final = "deal"
"""A row with the cards dealt to one seat, or with those of the bottom."""
_OWED: Final = {"from": "seat", "to": "seat", "count": "number"}

EVENTS: Final[Mapping[str, Mapping[str, object]]] = {
    "hand": {
        "hand": "number",
        "round": "number",
        "levels": ["level", "level"],
        "dealer": "seat",
        "first_hand": "flag",
        "first": "seat",
        "deck": "cards",
        "hands": ["cards", "cards", "cards", "cards"],
        "bottom": "cards",
        "owed": _OWED,
        "redeal": "number",
    },
    DEAL: {"hand": "number", "seat": "seat", "cards": "cards", "bottom": "cards"},
    "claim": {"seat": "seat", "card": "card", "dealt": "number"},
    "declare": {"seat": "seat", "cards": "cards", "suit": "suit", "dealt": "number"},
    "turn": {"seat": "seat", "card": "card"},
    "draw": {"card": "card"},
    "redeal": {"why": "word"},
    "trump": {"suit": "suit", "level": "level", "dealer": "seat", "how": "word"},
    "exempt": {"seat": "seat", "kind": "word"},
    "tribute": {"from": "seat", "to": "seat", "cards": "cards"},
    "return": {"from": "seat", "to": "seat", "cards": "cards"},
    "bottom": {"cards": "cards", "shown": "flag", "dry": "flag"},
    "bury": {"seat": "seat", "cards": "cards", "shown": "flag"},
    "bury_kings": {"seat": "seat", "kings": "cards", "picked": "cards"},
    "play": {"seat": "seat", "cards": "cards"},
    "trick": {"winner": "seat", "points": "number"},
    "settle": {
        "trick_points": "number",
        "bottom": "cards",
        "bottom_points": "number",
        "captured": "flag",
        "attackers_points": "number",
        "takeover": "flag",
        "level_up": {"side": "number", "levels": "number"},
        "levels": ["level", "level"],
        "next_dealer": "seat",
        "owed": _OWED,
        "ending": "word",
        "round_won_by": "number",
        "scores": ["number", "number", "number", "number"],
    },
    SKIP: {},
}
"""Event → key → kind; a list: so many in this order; a map: these parts. ``hand`` (with ``deal``) comes out as the record's ``hand``."""
EMPTY_IS_NULL: Final = frozenset({"dealer", "owed", "level_up", "next_dealer", "ending", "round_won_by"})
"""The keys that may be null: an empty cell says so. Under all others an empty cell leaves the key out."""
