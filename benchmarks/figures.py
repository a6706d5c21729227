"""The figures to reach, and how each is measured."""

from __future__ import annotations

import gc
import subprocess
import sys
import time
import tracemalloc
from collections.abc import Callable, Iterator
from dataclasses import dataclass

import compiled
from measuring import Rate, milliseconds, rate

import gunzi
from gunzi import combinations, masks
from gunzi.apps.players import play_table, player
from gunzi.chance import below, seeded_deck, stream
from gunzi.loading import forget
from gunzi.play_rules import play_rules
from gunzi.playout import draws_of, play_out
from gunzi.table import Table
from gunzi.trump import Masks, trump_order

RULES = "yuwang"


@dataclass(frozen=True)
class Figure:
    """A figure as measured: ``value`` in ``unit``, to be at least (or at most) ``wanted``; ``beside`` is the absolute rate."""

    name: str
    value: float
    unit: str
    wanted: float
    at_least: bool
    beside: str = ""

    def reached(self, margin: float = 0.0) -> bool:
        """Is it reached, but for a margin (0.1: a tenth)?"""
        if self.at_least:
            return self.value >= self.wanted * (1 - margin)
        return self.value <= self.wanted * (1 + margin)


@dataclass(frozen=True)
class Missing:
    """Why a figure is left out: something it needs is not installed."""

    why: str


@dataclass(frozen=True)
class Effort:
    """How much is measured: slices of each rate, hands a slice, repetitions of each time."""

    slices: int
    hands: int
    times: int


def all_figures(effort: Effort) -> Iterator[Figure]:
    """Measure every figure, the inner loop first."""
    for measure in (trick_play, table_hands, recorded_hands, asked_hands, steady_hands, counting, kth, loading, cached):
        yield measure(effort)
    if compiled.available():
        yield compiled_tricks(effort)
        yield compiled_hands(effort)
        yield compiled_steady(effort)
    yield importing(effort)
    yield presets(effort)
    yield memory(effort)


def per_million(name: str, found: Rate, wanted: float) -> Figure:
    """A rate of hands."""
    beside = f"{found.per_second:,.0f} hands/s at {found.calibration / 1e6:.1f} million iterations/s"
    return Figure(name, found.per_million, "hands a million", wanted, True, beside)


def dealt_hands(number: int) -> list[list[Masks]]:
    """Holdings of hands dealt under hearts, level 3."""
    trump = trump_order(3, "H")
    found = []
    for k in range(number):
        deck = seeded_deck(1, k, 0)
        found.append([trump.masks([gunzi.CARDS[kind] for kind in deck[seat:156:4]]) for seat in range(4)])
    return found


def trick_play(effort: Effort) -> Figure:
    """The tricks alone: random legal plays on masks."""
    rules = play_rules(gunzi.load(RULES), trump_order(3, "H"))
    hands = dealt_hands(effort.hands)
    draws = [[draws_of(7, k, seat) for seat in range(4)] for k in range(effort.hands)]

    def work() -> int:
        for k, holdings in enumerate(hands):
            play_out(rules, holdings, k & 3, draws[k])
        return len(hands)

    return per_million("trick play on masks, random", rate(work, effort.slices), 120)


def _hands(effort: Effort, policy: str, record: bool, by_asks: bool) -> Rate:
    rules = gunzi.load(RULES)
    players = [player(policy)] * 4
    watched = any(each.looks for each in players)
    seed = 0
    until: Callable[[], bool] | None = (lambda: False) if by_asks else None

    def work() -> int:
        nonlocal seed
        seed += 1
        table = Table(rules, seed=seed, rounds=None, hands=effort.hands, record=record, watched=watched)
        play_table(table, players, seed, until=until)
        return effort.hands

    for _ in range(3):
        work()
    return rate(work, effort.slices)


def table_hands(effort: Effort) -> Figure:
    """Whole hands through Table with ``random``, nothing recorded."""
    return per_million("whole hands through Table, random, no record", _hands(effort, "random", False, False), 60)


def recorded_hands(effort: Effort) -> Figure:
    """The same with the record kept."""
    return per_million("whole hands through Table, random, with the record", _hands(effort, "random", True, False), 35)


def asked_hands(effort: Effort) -> Figure:
    """The same without a record, but every play asked for and answered one by one; no figure is set for it."""
    return per_million("whole hands through Table, random, play by play", _hands(effort, "random", False, True), 0)


def steady_hands(effort: Effort) -> Figure:
    """Whole hands with ``steady``, nothing recorded."""
    return per_million("whole hands through Table, steady, no record", _hands(effort, "steady", False, False), 10)


def compiled_tricks(effort: Effort) -> Figure:
    """The tricks alone, compiled; what is wanted of them is said beside a yardstick in C."""
    return per_million("compiled: trick play on masks, random", compiled.tricks_a_second(effort.slices), 0)


def compiled_hands(effort: Effort) -> Figure:
    """Whole hands compiled: about 100,000 a second where 38 million calibration iterations take one."""
    return per_million("compiled: whole hands, random", compiled.hands_a_second(effort.slices), 2_600)


def compiled_steady(effort: Effort) -> Figure:
    """Whole hands with ``steady``, compiled, beside interpreted ones in the same run."""
    quick = compiled.hands_a_second(effort.slices, "steady")
    slow = _hands(effort, "steady", False, False)
    beside = f"{quick.per_second:,.0f} hands/s compiled, {slow.per_second:,.0f} interpreted"
    return Figure("compiled: whole hands, steady", quick.per_million / slow.per_million, "times", 20, True, beside)


def follow_situations() -> list[tuple[Masks, int, int, int]]:
    """Holdings in mid-play with a lead's lane and size, and how many plays follow it: singles, pairs and triples."""
    trump = trump_order(3, "H")
    base = stream(3, 0, 9)
    found = []
    for k, holdings in enumerate(dealt_hands(64)):
        holding = holdings[k & 3]
        for drop in range(below(base, k, 0, 30)):
            held = masks.size(*holding)
            holding = masks.remove(
                *holding, *combinations.choose_kth(*holding, 1, drop % combinations.choose_count(*holding, 1))
            )
            assert masks.size(*holding) == held - 1
        leads = holdings[(k + 1) & 3]
        lead = masks.lead_kth(*leads, below(base, k, 1, masks.lead_count(*leads)))
        bit = (lead[0] & -lead[0]).bit_length() - 1
        lane = trump.lane(gunzi.CARDS[trump.kind_at[bit]])
        found.append((holding, lane, masks.size(*lead), masks.follow_count(*holding, lane, masks.size(*lead), 0, 0)))
    return found


def _loop(effort: Effort) -> Rate:
    """What the measuring loop itself takes: a call of nothing."""
    situations = follow_situations()

    def nothing(h1: int, h2: int, h3: int, lane: int, n: int, strict: int, split: int) -> int:
        return 0

    def work() -> int:
        for _ in range(100):
            for (h1, h2, h3), lane, n, _count in situations:
                nothing(h1, h2, h3, lane, n, 0, 0)
        return 100 * len(situations)

    return rate(work, effort.slices)


def counting(effort: Effort) -> Figure:
    """Counting the legal plays of a hand, the call included."""
    situations = follow_situations()
    count = masks.follow_count

    def work() -> int:
        for _ in range(100):
            for (h1, h2, h3), lane, n, _count in situations:
                count(h1, h2, h3, lane, n, 0, 0)
        return 100 * len(situations)

    found = rate(work, effort.slices)
    return Figure(
        "counting the legal plays", found.iterations_each, "iterations", 15, False, f"{1e9 / found.per_second:.0f} ns"
    )


def kth(effort: Effort) -> Figure:
    """The k-th legal play, k at random."""
    base = stream(4, 0, 9)
    situations = [(*each, below(base, place, 0, each[3])) for place, each in enumerate(follow_situations())]
    find = masks.follow_kth

    def work() -> int:
        for _ in range(50):
            for (h1, h2, h3), lane, n, _count, k in situations:
                find(h1, h2, h3, lane, n, 0, 0, k)
        return 50 * len(situations)

    found = rate(work, effort.slices)
    return Figure(
        "the k-th legal play", found.iterations_each, "iterations", 75, False, f"{1e9 / found.per_second:.0f} ns"
    )


def loading(effort: Effort) -> Figure:
    """Loading a preset that is not in the cache."""

    def work() -> None:
        forget()
        gunzi.load(RULES)

    return Figure("loading a preset", milliseconds(work, effort.times), "ms", 30, False)


def cached(effort: Effort) -> Figure:
    """Loading a preset again."""
    gunzi.load(RULES)
    return Figure("loading it again", milliseconds(lambda: gunzi.load(RULES), 20 * effort.times), "ms", 0.1, False)


IMPORT = "import time; t = time.process_time(); from gunzi import *; print(1000 * (time.process_time() - t))"
"""All of it: what gunzi offers is imported when it is first used."""


def importing(effort: Effort) -> Figure:
    """``from gunzi import *`` in a new process."""
    found = []
    for _ in range(effort.times):
        run = subprocess.run([sys.executable, "-c", IMPORT], capture_output=True, text=True, check=True)
        found.append(float(run.stdout))
    return Figure("importing all of gunzi", sorted(found)[len(found) // 2], "ms", 150, False)


def presets(effort: Effort) -> Figure:
    """``gunzi presets`` from start to end."""
    command = [sys.executable, "-c", "import sys; from gunzi.apps.cli import main; sys.exit(main())", "presets"]
    work: Callable[[], object] = lambda: subprocess.run(command, capture_output=True, check=True)  # noqa: E731
    return Figure(
        "gunzi presets, the whole process", milliseconds(work, effort.times, time.perf_counter), "ms", 400, False
    )


def memory(effort: Effort) -> Figure:
    """A table in mid-play that keeps no record; what all tables share is not counted."""
    rules = gunzi.load(RULES)
    players = [player("random")] * 4

    def table() -> Table:
        made = Table(rules, seed=5, record=False)
        play_table(made, players, 5, until=lambda: made.hand.trick_number == 10)
        return made

    table()
    gc.collect()
    tracemalloc.start()
    tables = []
    before = tracemalloc.get_traced_memory()[0]
    for _ in range(effort.times):
        tables.append(table())
    gc.collect()
    grown = tracemalloc.get_traced_memory()[0] - before
    tracemalloc.stop()
    return Figure("a table in memory, no record", grown / len(tables) / 1000, "kB", 20, False)
