"""Cards drawn as SVG: four suits in four colours and two jokers, each card defined once and used by reference."""

from __future__ import annotations

from collections.abc import Iterable
from html import escape
from typing import Final

from gunzi.apps.book.words import Words
from gunzi.cards import CARDS, Card, rank_text

WIDTH: Final = 60
HEIGHT: Final = 84
_PATHS: Final = {
    "S": "M15 2C11 8 3 12 3 19a6 6 0 0 0 10.5 4C13 26 12 28 10 29h10c-2-1-3-3-3.5-6A6 6 0 0 0 27 19C27 12 19 8 15 2Z",
    "H": "M15 28C9 22 2 17 2 10a6.5 6.5 0 0 1 13-1.5A6.5 6.5 0 0 1 28 10C28 17 21 22 15 28Z",
    "C": "M15 2a6 6 0 0 0-5 9.4A6 6 0 1 0 13.3 21C13 25 12 28 10 29h10c-2-1-3-4-3.3-8A6 6 0 1 0 20 11.4 6 6 0 0 0 15 2Z",
    "D": "M15 1 26 15 15 29 4 15Z",
}
"""Each suit in a square of 30."""
_STAR: Final = "M30 26.5 33.5 37.2 44.7 37.2 35.6 43.8 39.1 54.5 30 47.9 20.9 54.5 24.4 43.8 15.3 37.2 26.5 37.2Z"
_CLASSES: Final = {"S": "spade", "H": "heart", "C": "club", "D": "diamond"}


def definitions(cards: Iterable[Card], say: Words) -> str:
    """The pictures of these cards, not shown themselves; one SVG element."""
    used = sorted({card.kind for card in cards})
    pictures = "".join(_symbol(CARDS[kind], say) for kind in used)
    suits = "".join(f'<path id="suit-{suit}" d="{path}"/>' for suit, path in _PATHS.items())
    return f'<svg width="0" height="0" class="defs" aria-hidden="true" focusable="false"><defs>{suits}</defs>{pictures}</svg>'


def _symbol(card: Card, say: Words) -> str:
    face = f'<rect x="1" y="1" width="{WIDTH - 2}" height="{HEIGHT - 2}" rx="7" class="face"/>'
    if card.suit is None:
        big = card == "BJ"
        if say.lang == "zh":
            body = _word(37, 29, "大" if big else "小") + _word(70, 29, "王")
        else:
            body = _word(21, 14, "BIG" if big else "SMALL") + f'<path d="{_STAR}"/>' + _word(77, 14, "JOKER")
        body = f'<g class="{"big" if big else "little"}">{body}</g>'
    else:
        rank = rank_text(card.rank)
        size = 27 if len(rank) > 1 else 30
        body = (
            f'<g class="{_CLASSES[card.suit]}">{_word(33, size, rank)}'
            f'<use href="#suit-{card.suit}" transform="translate(14.5 42) scale(1.03)"/></g>'
        )
    return f'<symbol id="card-{card}" viewBox="0 0 {WIDTH} {HEIGHT}">{face}{body}</symbol>'


def _word(y: int, size: int, word: str) -> str:
    return f'<text x="30" y="{y}" font-size="{size}" text-anchor="middle">{word}</text>'


def picture(card: Card, say: Words) -> str:
    """One card."""
    name = escape(say.full(card), quote=True)
    return (
        f'<svg class="card" viewBox="0 0 {WIDTH} {HEIGHT}" role="img" aria-label="{name}"><title>{name}</title>'
        f'<use href="#card-{card}"/></svg>'
    )
