"""The keys of events: which rule decides one, and whether two values of it say the same."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any, Final

from gunzi.cards import parse_cards
from gunzi.errors import CardError
from gunzi.values import Owed

CARD_LISTS: Final = frozenset({"cards", "kings", "picked", "bottom"})
"""Keys that hold cards, in whatever order."""
LEFT_OUT: Final = frozenset({"by", "explain", "room", "room_by"})
"""Keys a record of another program may leave out."""
SETTLE_GROUPS: Final = {
    "takeover": ("rotation.",),
    "next_dealer": ("rotation.", "endings.", "levels."),
    "level_up": ("levels.",),
    "levels": ("levels.", "endings."),
    "owed": ("tribute.",),
    "ending": ("endings.", "levels."),
    "round_won_by": ("endings.", "levels."),
    "scores": ("scoring.",),
}
"""The option groups that decide a key of ``settle``: the last explained line of the first group that has one names the rule."""
KEY_RULES: Final = {
    "settle.trick_points": "tricks.points",
    "settle.captured": "capture.last_trick",
    "settle.attackers_points": "capture.multiplier",
    "settle.bottom": "bury.number",
    "settle.bottom_points": "points",
    "settle.owed": "tribute.low",
    "settle.scores": "scoring.scheme",
    "settle.takeover": "levels.threshold",
    "hand.hand": "hand.numbers",
    "hand.round": "hand.numbers",
    "hand.redeal": "hand.numbers",
    "hand.first": "hand.first",
    "hand.owed": "tribute.low",
    "hand.dealer": "rotation.hold",
    "hand.levels": "levels.start",
    "trump.level": "levels.start",
    "bottom.shown": "bottom.shown",
    "bury.shown": "bury.shown",
    "trick.points": "points",
}
"""Which rule decides a key that carries no ``by`` of its own."""


def rule_of(ours: Mapping[str, Any], key: str) -> str:
    """The rule that decided a key of an event: what the settlement's explanation names, else the event's own."""
    name = f"{ours['e']}.{key}"
    if ours["e"] == "settle" and key in SETTLE_GROUPS:
        for group in SETTLE_GROUPS[key]:
            for line in reversed(ours["explain"]):
                if line["by"].startswith(group):
                    return str(line["by"])
    if name == "settle.attackers_points" and not ours["captured"]:
        return "tricks.points"  # nothing was multiplied
    return KEY_RULES.get(name) or str(ours.get("by") or "record.order")


def same_value(key: str, ours: Any, theirs: Any) -> bool:
    """Does a record say what the table would have written under this key? Lists of cards in any order.

    The words of a settlement's explanation may be others, as those of another version of gunzi or of a plugin are: what counts
    is the rule and the value of every line.
    """
    if isinstance(ours, bool) or isinstance(theirs, bool):
        return ours is theirs
    if key in CARD_LISTS and isinstance(ours, list):
        if not isinstance(theirs, list):
            return False
        try:
            return sorted(parse_cards(theirs)) == sorted(ours)
        except CardError:
            return False
    if key == "explain" and isinstance(ours, list) and isinstance(theirs, list):
        ours, theirs = list(map(_unworded, ours)), list(map(_unworded, theirs))
    if isinstance(ours, Owed):
        return bool(ours.as_json() == theirs)
    if isinstance(ours, (list, tuple)) and isinstance(theirs, list):
        return len(ours) == len(theirs) and all(same_value("", a, b) for a, b in zip(ours, theirs, strict=True))
    if isinstance(ours, dict) and isinstance(theirs, dict):
        return ours.keys() == theirs.keys() and all(same_value("", ours[k], theirs[k]) for k in ours)
    return type(ours) is type(theirs) and ours == theirs or (isinstance(ours, str) and ours == theirs)


def _unworded(line: Any) -> Any:
    """A line of an explanation without its words; as it is where they are no text in two languages."""
    what = line.get("what") if isinstance(line, dict) else None
    if (
        not isinstance(what, dict)
        or what.keys() != {"zh", "en"}
        or not all(isinstance(text, str) for text in what.values())
    ):
        return line
    return {**line, "what": None}


def short(value: Any) -> str:
    """A value as the record writes it."""
    text = json.dumps(value, ensure_ascii=False, default=repr)
    return text if len(text) <= 200 else text[:200] + "…"
