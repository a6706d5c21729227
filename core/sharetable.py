"""The numbers of presets, options and values in share codes. Everything here is append only: a change gives the codes that
people have saved another meaning, or none."""

from __future__ import annotations

from typing import Any, Final

from gunzi.optionset import PHASES
from gunzi.resolve import BASE

BASES: Final = (BASE, "boke", "zixun", "chayuan", "yuwang", "baike", "dalian")
"""The presets by number. Append only."""

ONE, WHOLE, RANK, SET, LIST, KINGS, POINTS, TITLES, NAMES = range(9)
"""How an option's value is written: by number of a named value, a whole number, a rank, a set of ranks, ranks in order,
``{big, small}``, ``{rank: points}``, ``[[from, title], …]``, names in order."""

OPTIONS: Final[tuple[tuple[str, int, tuple[Any, ...]], ...]] = (
    ("deck.packs", WHOLE, ()),
    ("deck.hand", WHOLE, ()),
    ("deck.bottom", WHOLE, ()),
    ("points", POINTS, ()),
    ("trump.permanent", LIST, ()),
    ("direction", ONE, ("counterclockwise", "clockwise")),
    ("phases", NAMES, PHASES),
    ("first_dealer.claim", ONE, ("optional", "automatic")),
    ("reveal.pick", ONE, ("min", "max")),
    ("reveal.order", ONE, ("game", "natural")),
    ("reveal.jokers", ONE, ("redraw", "high")),
    ("declare.jokers_may_open", ONE, (False, True)),
    (
        "dry_pot.side_leg",
        ONE,
        ("no_trump", "side_or_permanent", "no_trump_suit", "no_trump_suit_or_its_2", "never"),
    ),
    ("dry_pot.hidden_bottom", ONE, ("never", "possible")),
    ("dry_pot.first_hand", ONE, ("never", "possible")),
    ("bury_kings.others", ONE, ("none", "allowed")),
    ("bury_kings.pick_kings", ONE, (False, True)),
    ("bury_kings.blocked_by", ONE, ("all_points", "all_points_or_kings", "any_point")),
    ("tribute.low", WHOLE, ()),
    ("tribute.high", WHOLE, ()),
    ("tribute.step", WHOLE, ()),
    ("tribute.low_rounding", ONE, ("down", "up")),
    ("tribute.high_rounding", ONE, ("down", "up")),
    ("tribute.kings", KINGS, ()),
    ("tribute.kings_when", ONE, ("four_case", "by_score", "both_conditions")),
    ("tribute.cards", ONE, ("no_points", "any")),
    ("tribute.level_points", ONE, ("keep", "pay")),
    ("tribute.return", ONE, ("side_no_points", "any")),
    ("tribute.three_big", ONE, ("ignore", "reverse_or_cancel")),
    ("follow.shapes", ONE, ("loose", "strict")),
    ("follow.triple_against_pair", ONE, ("may_keep", "must_split", "exempt")),
    ("capture.multiplier", WHOLE, ()),
    ("levels.threshold", WHOLE, ()),
    ("levels.kings", KINGS, ()),
    ("levels.start", RANK, ()),
    ("levels.final", RANK, ()),
    ("levels.must_play", SET, ()),
    ("levels.must_play_as", ONE, ("either", "dealer")),
    ("levels.win", ONE, ("pass", "reach")),
    ("rotation.hold", ONE, ("partner", "same")),
    ("rotation.takeover", ONE, ("next_seat", "previous_seat")),
    ("endings.shutout", ONE, (False, True)),
    ("endings.sweep", ONE, (False, True)),
    ("endings.three_big", ONE, ("none", "attackers", "either")),
    ("endings.three_small", ONE, ("none", "attackers", "either")),
    ("scoring.scheme", ONE, ("points", "rounds")),
    ("scoring.levels", ONE, ("climbed", "earned")),
    ("scoring.tribute_for", ONE, ("side", "player")),
    ("titles", TITLES, ()),
)
"""Every built-in option by number, how its value is written, and its named values by number. Append only, values too: a
change here gives the codes that people have saved another meaning."""
