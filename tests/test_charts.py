"""Charts: every value where it belongs, nothing unescaped, nothing from elsewhere."""

from __future__ import annotations

import re
from xml.etree import ElementTree

import pytest

from gunzi.apps.lab.charts import PAD, Bar, Cell, Span, bars, columns, heat, intervals


def _read(html: str) -> ElementTree.Element:
    return ElementTree.fromstring(html)


def _share(text: str | None) -> float:
    assert text is not None and text.endswith("%")
    return float(text[:-1]) / 100


def test_bars_are_as_long_as_their_values() -> None:
    drawn = _read(bars([Bar("one", 0.25, "25%"), Bar("all", 1.0, "100%", "note"), Bar("more", 1.7, "")], "what"))
    assert [_share(bar.get("width")) for bar in drawn.iter("rect") if bar.get("class") == "bar"] == [0.25, 1.0, 1.0]
    assert [cell.text for cell in drawn.iter("td") if cell.get("class") == "figure"] == ["25%", "100%", None]
    assert drawn.findtext("figcaption") == "what" and drawn.findtext(".//small") == "note"


def test_intervals_stand_on_one_axis_with_zero() -> None:
    rows = [
        Span("a", 2.0, 1.0, 3.0, "+2", clear=True),
        Span("b", -0.5, -1.5, 0.5, "-0.5"),
        Span("c", 1.0, None, None, "+1"),
        Span("d", None, None, None, "–"),
    ]
    drawn = _read(intervals(rows, "what", "%"))
    labels = [(text.text, _share(text.get("x"))) for text in drawn.iter("text")]
    at = {float((text or "").rstrip("%")): x for text, x in labels}
    assert 0.0 in at and min(at) <= -1.5 and max(at) >= 3.0
    assert min(at.values()) == pytest.approx(PAD / 100) and max(at.values()) == pytest.approx(1 - PAD / 100)

    def place(value: float) -> float:
        low, high = min(at), max(at)
        return (PAD + (100 - 2 * PAD) * (value - low) / (high - low)) / 100

    dots = [_share(dot.get("cx")) for dot in drawn.iter("circle")]
    assert dots == pytest.approx([place(2.0), place(-0.5), place(1.0)], abs=1e-4)
    spans = [
        (_share(line.get("x1")), _share(line.get("x2"))) for line in drawn.iter("line") if line.get("class") == "span"
    ]
    assert spans == [
        pytest.approx((place(1.0), place(3.0)), abs=1e-4),
        pytest.approx((place(-1.5), place(0.5)), abs=1e-4),
    ]
    zeros = {_share(line.get("x1")) for line in drawn.iter("line") if line.get("class") == "zero"}
    assert zeros == {at[0.0]}
    assert [row.get("class") for row in drawn.iter("tr")] == ["clear", None, None, None, "axis"]


@pytest.mark.parametrize("value", [0.0, 1e-9, 0.003, 7.0, 250.0, -4e6])
def test_an_axis_fits_any_size(value: float) -> None:
    drawn = _read(intervals([Span("a", value, value, value, "")], "what"))
    ticks = [text.text for text in drawn.iter("text")]
    assert 2 <= len(ticks) <= 8 and "0" in ticks
    (dot,) = drawn.iter("circle")
    assert 0 <= _share(dot.get("cx")) <= 1


def test_columns_are_as_high_as_their_counts() -> None:
    drawn = _read(columns([(str(n), n * n) for n in range(1, 31)], "what", "trick {label}: {count}"))
    heights = [float(bar.get("height", "")) for bar in drawn.iter("rect")]
    assert heights == pytest.approx([120 * n * n / 900 for n in range(1, 31)], abs=0.01)
    assert [bar.findtext("title") for bar in drawn.iter("rect")][4] == "trick 5: 25"
    labels = [text for text in drawn.iter("text") if text.get("text-anchor")]
    assert len(labels) <= 10
    svg = drawn.find("svg")
    assert svg is not None and svg.get("role") == "img" and "trick 30: 900" in (svg.findtext("desc") or "")
    assert _read(columns([], "nothing", "")) is not None


def test_a_matrix_is_a_table_with_headers() -> None:
    cells = [[Cell("–"), Cell("50%", 0.5)], [Cell("50%", 0.5, True), Cell("–")]]
    drawn = _read(heat(["one", "two"], cells, "what"))
    assert [(th.get("scope"), th.text) for th in drawn.iter("th")] == [
        ("col", "one"),
        ("col", "two"),
        ("row", "one"),
        ("row", "two"),
    ]
    tints = [float(rect.get("fill-opacity", "")) for rect in drawn.iter("rect")]
    assert tints == [0.28, 0.28] or tints == pytest.approx([0.275, 0.275], abs=0.01)
    assert [td.get("class") for td in drawn.iter("td")].count("clear") == 1


def test_texts_are_escaped() -> None:
    evil = "<script>\"&'</script>"
    every = (
        bars([Bar(evil, 0.1, evil, evil)], evil)
        + intervals([Span(evil, 1.0, 0.0, 2.0, evil, note=evil)], evil, evil)
        + columns([(evil, 1)], evil, "{label}")
        + heat([evil], [[Cell(evil)]], evil, evil)
    )
    assert "<script" not in every
    _read(f"<p>{every}</p>")
    assert not re.search(r'="[^"]*[<]', every)
