"""What the plugin tests share: the base value of every option (rule book section 5), and results of hands."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeVar

from gunzi.cards import parse_cards
from gunzi.plugin import Plugin
from gunzi.trump import Masks, Trump, trump_order
from gunzi.values import Capture, Owed, Result

BASE: Mapping[str, Any] = {
    "deck.packs": 3,
    "deck.hand": 39,
    "deck.bottom": 6,
    "points": {"5": 5, "10": 10, "K": 10},
    "trump.permanent": [2],
    "direction": "counterclockwise",
    "phases": ["deal", "reveal", "tribute", "bottom", "bury", "bury_kings", "play", "settle"],
    "first_dealer.claim": "optional",
    "reveal.pick": "min",
    "reveal.order": "game",
    "reveal.jokers": "redraw",
    "declare.jokers_may_open": False,
    "dry_pot.side_leg": "side_or_permanent",
    "dry_pot.hidden_bottom": "never",
    "dry_pot.first_hand": "possible",
    "bury_kings.others": "allowed",
    "bury_kings.pick_kings": False,
    "bury_kings.blocked_by": "all_points_or_kings",
    "tribute.low": 80,
    "tribute.high": 150,
    "tribute.step": 10,
    "tribute.low_rounding": "up",
    "tribute.high_rounding": "down",
    "tribute.kings": {"big": 2, "small": 1},
    "tribute.kings_when": "four_case",
    "tribute.cards": "no_points",
    "tribute.level_points": "pay",
    "tribute.return": "side_no_points",
    "tribute.three_big": "reverse_or_cancel",
    "follow.shapes": "loose",
    "follow.triple_against_pair": "may_keep",
    "capture.multiplier": 2,
    "levels.threshold": 120,
    "levels.kings": {"big": 2, "small": 1},
    "levels.start": 3,
    "levels.final": 10,
    "levels.must_play": [3, 10],
    "levels.must_play_as": "either",
    "levels.win": "pass",
    "rotation.hold": "partner",
    "rotation.takeover": "next_seat",
    "endings.shutout": True,
    "endings.sweep": True,
    "endings.three_big": "attackers",
    "endings.three_small": "none",
    "scoring.scheme": "points",
    "scoring.levels": "climbed",
    "scoring.tribute_for": "side",
    "titles": [],
}

P = TypeVar("P", bound=Plugin)


def make(plugin: type[P], **overrides: Any) -> P:
    """A built-in plugin under the base rules; overrides are written ``group__name=value``."""
    return plugin(options(**overrides))


def options(**overrides: Any) -> dict[str, Any]:
    """The base options with overrides laid on top, each of them known."""
    changed = {id.replace("__", "."): value for id, value in overrides.items()}
    assert changed.keys() <= BASE.keys()
    return {**BASE, **changed}


def holding(text: str, trump: Trump) -> Masks:
    """Cards written as text, as a holding."""
    return trump.masks(parse_cards(text))


def played_out(
    points: int = 85,
    *,
    captured: bool = False,
    bottom: str = "S7 S8 C7 C8 D8 D9",
    bottom_points: int = 0,
    dry: bool = False,
    dealer: int = 0,
    takeover: bool = False,
    tribute: Owed | None = None,
) -> Result:
    """A hand played out, hearts trump: the attackers' final points, who took the last trick, what lies in the bottom."""
    return Result(
        dealer=dealer,
        levels=(6, 4),
        trick_points=points,
        capture=Capture.CAPTURED if captured else Capture.HELD,
        bottom=parse_cards(bottom),
        bottom_points=bottom_points,
        dry=dry,
        trump=trump_order(6, "H"),
        last_play=parse_cards("S3"),
        tribute_paid=tribute,
        attackers_points=points,
        takeover=takeover,
    )
