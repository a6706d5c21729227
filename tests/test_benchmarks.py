"""The benchmarks run; how fast anything is, is not a test's business."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

RUN = Path(__file__).parent.parent / "benchmarks" / "run.py"


def run(*arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run([sys.executable, str(RUN), *arguments], capture_output=True, text=True, encoding="utf-8")


@pytest.mark.usefixtures("kept_code")
def test_every_figure_is_measured_and_printed() -> None:
    done = run("--tiny", "--json")
    assert done.returncode == 0, done.stderr
    rows = json.loads(done.stdout)
    assert len(rows) == 15
    assert all(row["value"] > 0 for row in rows)
    assert {row["unit"] for row in rows} == {"hands a million", "times", "iterations", "ms", "kB"}


def test_a_figure_is_missed_by_more_than_the_margin_or_not() -> None:
    code = (
        f"import sys; sys.path.insert(0, {str(RUN.parent)!r}); from figures import Figure; from run import line\n"
        "low = Figure('a', 53.0, 'hands', 60, True); high = Figure('b', 31.0, 'ms', 30, False)\n"
        "assert not low.reached() and not low.reached(0.1) and low.reached(0.2)\n"
        "assert not high.reached() and high.reached(0.1)\n"
        "assert line(low)[0] == '!' and line(high)[0] == '~'\n"
    )
    subprocess.run([sys.executable, "-c", code], check=True)
