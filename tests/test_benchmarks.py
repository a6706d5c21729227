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
    assert len(rows) == 16
    assert all(row["value"] > 0 for row in rows)
    assert {row["unit"] for row in rows} == {"hands a million", "picks a million", "times", "iterations", "ms", "kB"}


def test_long_runs_are_measured() -> None:
    done = subprocess.run(
        [sys.executable, str(RUN.with_name("scaling.py")), "--tiny"], capture_output=True, text=True, encoding="utf-8"
    )
    assert done.returncode == 0, done.stderr
    figures = (
        "two processes against one, interpreted",
        "a hand of 4 against",
        "memory of a diff",
        "a first result",
        "gunzi diff yuwang chayuan --hands 4",
    )
    assert all(words in done.stdout for words in figures)


def test_the_lengths_are_those_the_figures_are_stated_for() -> None:
    code = (
        f"import sys; sys.path.insert(0, {str(RUN.parent)!r}); from scaling import FULL\n"
        "print(FULL.short, FULL.long, FULL.command)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["10000", "10000000", "100000"]


def test_how_fast_sharp_thinks_is_measured() -> None:
    code = f"import sys; sys.path.insert(0, {str(RUN.parent)!r}); from thinking import main; main(['--tiny'])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, encoding="utf-8")
    assert done.returncode == 0, done.stderr
    assert done.stdout.count("playouts/s") == 4


def test_a_figure_is_missed_by_more_than_the_margin_or_not() -> None:
    code = (
        f"import sys; sys.path.insert(0, {str(RUN.parent)!r}); from figures import Figure; from run import line\n"
        "low = Figure('a', 53.0, 'hands', 60, True); high = Figure('b', 31.0, 'ms', 30, False)\n"
        "assert not low.reached() and not low.reached(0.1) and low.reached(0.2)\n"
        "assert not high.reached() and high.reached(0.1)\n"
        "assert line(low)[0] == '!' and line(high)[0] == '~'\n"
    )
    subprocess.run([sys.executable, "-c", code], check=True)


def test_the_c_yardstick_plays_the_engine_s_hands() -> None:
    code = (
        f"import sys; sys.path.insert(0, {str(RUN.parent)!r}); import yardstick\n"
        "if yardstick.compiler() is None: sys.exit(77)\n"
        "c_loop = yardstick.build(40); c_loop.check(40)\n"
        "assert c_loop.play() == c_loop.play() > 40 * (13 << 2)\n"
        "c_loop.digest = lambda k: 1\n"
        "try: c_loop.check(1)\n"
        "except AssertionError as wrong: assert 'otherwise than the engine' in str(wrong)\n"
        "else: sys.exit(1)\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    if done.returncode == 77:
        pytest.skip("no C compiler here")
    assert done.returncode == 0, done.stderr
