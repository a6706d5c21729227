"""A settlement's explanation as lines: what, the value it came to, the rule that decided."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from gunzi.apps.cli.output import Out, columns, pad


def value_shown(line: Mapping[str, Any], out: Out, won_by: int | None = None) -> str:
    """The value of an explanation's line, where it tells more than the sentence."""
    value, by = line["value"], str(line["by"])
    if isinstance(value, list):
        if all(isinstance(each, int) for each in value):
            return " ".join(f"{each:+d}" if each else "0" for each in value)
        return " ".join(str(each) for each in value)
    if isinstance(value, bool) or not isinstance(value, int):
        return ""
    if by.startswith("rotation."):
        return out.t(f"下一把 {value}号坐庄", f"seat {value} deals next")
    said = line["what"]["en"] if isinstance(line["what"], Mapping) else str(line["what"])
    if "side" in said and won_by is not None and value == won_by and "round" in said:
        return ""
    if value == 0 and by in ("levels.threshold", "levels.must_play", "levels.must_play_as") and "points" not in said:
        return ""
    return str(value)


def explanation(lines: Sequence[Mapping[str, Any]], out: Out, won_by: int | None = None) -> list[tuple[str, str, str]]:
    """A settlement's explanation as rows: what, the value, the rule that decided."""
    rows = []
    for line in lines:
        what = line["what"]
        said = what[out.lang] if isinstance(what, Mapping) else str(what)
        rows.append((said, value_shown(line, out, won_by), str(line["by"])))
    return rows


def explained(lines: Sequence[Mapping[str, Any]], out: Out, won_by: int | None = None) -> list[str]:
    """The same as lines of text."""
    rows = explanation(lines, out, won_by)
    if not rows:
        return []
    left = max(columns(row[0]) for row in rows)
    middle = max(columns(row[1]) for row in rows)
    return [
        f"  {pad(said, left)}  {pad(value, middle)}  {out.style(f'[{by}]', 'dim')}".rstrip() for said, value, by in rows
    ]
