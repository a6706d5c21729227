"""Results as sections of rows, for whatever prints them; words in Chinese and English, figures as text."""

from __future__ import annotations

from dataclasses import dataclass

from gunzi.apps.lab.estimates import Estimate
from gunzi.errors import Text

Cell = str | Text


@dataclass(frozen=True, slots=True)
class Row:
    """A line: what it is about, then its cells."""

    id: str
    name: Text
    cells: tuple[Cell, ...]


@dataclass(frozen=True, slots=True)
class Section:
    """A table with a title; ``heads`` stand over the rows' cells."""

    title: Text
    heads: tuple[Cell, ...]
    rows: tuple[Row, ...]


NOTHING = "–"


def number(value: float | None, as_share: bool = False, signed: bool = False) -> str:
    """A figure with as many digits as it can bear: ``3.42``, ``12.5%``, ``+0.4``."""
    if value is None:
        return NOTHING
    if as_share:
        text = f"{100 * value:{'+' if signed else ''}.2f}"
        return _no_minus_zero(text) + "%"
    return _no_minus_zero(
        f"{value:{'+' if signed else ''}.3f}" if abs(value) < 10 else f"{value:{'+' if signed else ''}.1f}"
    )


def _no_minus_zero(text: str) -> str:
    return text[1:] if text[0] in "+-" and not text.strip("+-0.") else text


def interval(estimate: Estimate, as_share: bool = False, signed: bool = False) -> str:
    """The bounds of an estimate: ``[3.10, 3.74]``."""
    if estimate.low is None or estimate.high is None:
        return NOTHING
    return f"{number(estimate.low, as_share, signed)} … {number(estimate.high, as_share, signed)}"
