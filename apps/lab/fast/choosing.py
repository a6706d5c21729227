"""What a seat answers, compiled: the border between the loops and the players. Here ``random`` answers.

Another player is a file with functions of the same arguments and answers, which the compiler is told to bind in place of these
(``Compiler(answers={choosing.lead: steady.lead, …})``); a function that takes the place of another may still call it, for the
seats that play ``random``. Whatever a seat may know lies in the scratch ``x``: its holding (``x.holdings[seat]``), the trump
(``x.found[TRUMP]``), what lies on the table (``x.table``), the bottom and what was found so far (``x.found``), the cards dealt to
it so far (``x.deck``). What a player has to remember of the plays it keeps up in ``note_play``. The dice are ``draw(x.bases[seat], place, i, n)``; a seat of its own dice uses no other seat's base.
"""

from __future__ import annotations

from typing import Any, Final

from gunzi import masks
from gunzi.apps.lab.fast import layout as at
from gunzi.apps.lab.fast.layout import Scratch, Tables
from gunzi.apps.lab.fast.pieces import asked_before, draw, kth_of, total_of
from gunzi.apps.players.dice import QUESTIONS

AT_CLAIM: Final = QUESTIONS["claim"] << 16
AT_DECLARE: Final = QUESTIONS["declare"] << 16
AT_PAY: Final = QUESTIONS["pay"] << 16
AT_RETURN: Final = QUESTIONS["return"] << 16
AT_BURY: Final = QUESTIONS["bury"] << 16
AT_KINGS: Final = QUESTIONS["bury_kings"] << 16
AT_PICK: Final = QUESTIONS["pick"] << 16
"""Places of the dice, as players' dice have them."""


def claims(t: Tables, x: Scratch, seat: int, dealt: int, acts: int) -> bool:
    """Does a seat claim, which could with so many kinds?"""
    place = AT_CLAIM | dealt
    return draw(x.bases[seat], place, asked_before(x, seat, place), acts + 1) > 0


def declares(t: Tables, x: Scratch, seat: int, dealt: int, standing: int, acts: int) -> int:
    """Which of the ``acts`` declarations that are open to it over ``standing`` a seat makes, from 1; 0: none."""
    place = AT_DECLARE | dealt
    return draw(x.bases[seat], place, asked_before(x, seat, place), acts + 1)


def pays(t: Tables, x: Scratch, seat: int, choices: Any) -> tuple[int, int, int]:
    """The tribute a seat pays, one of the choices."""
    return kth_of(choices, draw(x.bases[seat], AT_PAY, 0, total_of(choices)))


def returns(t: Tables, x: Scratch, seat: int, choices: Any) -> tuple[int, int, int]:
    """What a seat gives back for tribute, one of the choices."""
    return kth_of(choices, draw(x.bases[seat], AT_RETURN, 0, total_of(choices)))


def buries(t: Tables, x: Scratch, seat: int, choices: Any) -> tuple[int, int, int]:
    """What the dealer buries, one of the choices; the bottom is in its holding."""
    return kth_of(choices, draw(x.bases[seat], AT_BURY, 0, total_of(choices)))


def buries_kings(t: Tables, x: Scratch, seat: int, acts: int) -> int:
    """Which of the ``acts`` splits of kings that fit a seat buries, from 1; 0: none."""
    return draw(x.bases[seat], AT_KINGS, 0, acts + 1)


def picks(t: Tables, x: Scratch, seat: int, choices: Any) -> tuple[int, int, int]:
    """What a seat picks up for its kings, one of the choices."""
    return kth_of(choices, draw(x.bases[seat], AT_PICK, 0, total_of(choices)))


def note_play(t: Tables, x: Scratch, seat: int, p1: int, p2: int, p3: int) -> None:
    """A play has come onto the table. Who looks at nothing notes nothing."""


def lead(t: Tables, x: Scratch, seat: int) -> tuple[int, int, int]:
    """What a seat leads."""
    h = x.holdings[seat]
    k = draw(x.bases[seat], x.table[at.TRICK], 0, masks.lead_count(h[0], h[1], h[2]))
    return masks.lead_kth(h[0], h[1], h[2], k)


def follow(t: Tables, x: Scratch, seat: int) -> tuple[int, int, int]:
    """What a seat plays to the lead."""
    h = x.holdings[seat]
    lane = x.table[at.LANE]
    n = x.table[at.LED]
    strict = t.scalars[at.STRICT]
    split = t.scalars[at.SPLIT]
    count = masks.follow_count(h[0], h[1], h[2], lane, n, strict, split)
    k = draw(x.bases[seat], x.table[at.TRICK], 0, count)
    return masks.follow_kth(h[0], h[1], h[2], lane, n, strict, split, k)
