"""The table in words, as one seat sees it: what ``render`` shows."""

from __future__ import annotations

from collections.abc import Sequence

from gunzi.apps.cli import names
from gunzi.apps.cli.narrate import Narrator
from gunzi.apps.cli.output import Out
from gunzi.apps.cli.seat_view import hand_lines, in_hand_order, table_lines
from gunzi.apps.rl.picks import picked_by
from gunzi.ask import KIND_TEXT
from gunzi.errors import Text
from gunzi.table import Table


def told(table: Table, seat: int, picks: Sequence[int], lang: str) -> str:
    """What a seat sees of a table that keeps its events: the deal, its cards, the question it is asked and its picks so far."""
    out = Out(lang, {})
    narrator = Narrator(out, seat, table.rules)
    for event in table.view(seat):
        narrator.tell(event)
    lines = table_lines(narrator, out)
    lines += hand_lines(in_hand_order(table.hand.cards_of(seat), table.hand.trump), out, numbers=False)
    if table.over:
        lines.append(out.t("打完了", "the episode is over"))
        return "\n".join(lines)
    ask = table.ask
    what = KIND_TEXT.get(ask.kind, Text(ask.kind, ask.kind))
    who = names.seat(ask.seat, seat)
    lines.append(out.t(f"轮到{who.zh}{what.zh}", f"{who.en}: {what.en}"))
    picked = [found for found in map(picked_by, picks) if found is not None]
    if picked:
        cards = out.cards([card for card, count in picked for _ in range(count)])
        lines.append(out.t(f"已经选了 {cards}", f"picked so far: {cards}"))
    return "\n".join(lines)
