"""Hands and sheets for the tests of the scorekeeper."""

from __future__ import annotations

import gunzi
from gunzi.apps.cli.entry import read_line
from gunzi.apps.cli.sheet import Sheet

FIRST = "dealer=0 trump=H points=85 captured=no bottom=BJ,LJ,C7,C8,D8,D9"
SECOND = "trump=S points=150 captured=yes bottom=CT,LJ,C7,C8,D8,D9 tribute=1>2:3"
ENDS = "dealer=1 trump=H points=0 captured=no kings=no"
SAVED = "s.json"


def sheet_of(*hands: str, rules: str = "baike", players: tuple[str, ...] = ()) -> Sheet:
    """A sheet with these hands on it."""
    sheet = Sheet(gunzi.load(rules), players)
    for hand in hands:
        sheet.add(read_line(hand))
    return sheet
