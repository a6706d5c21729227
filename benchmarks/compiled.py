"""Compiled hands: how fast they are, and that they are the interpreted ones.

    python benchmarks/compiled.py [--hands 20000] [--jobs 2]    every preset, follow mode and player, event by event

``tricks_a_second`` and ``hands_a_second`` are what other yardsticks are held against in one run.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterable, Iterator
from concurrent.futures import ProcessPoolExecutor
from hashlib import sha256
from importlib.util import find_spec
from itertools import zip_longest
from typing import Any

from measuring import Rate, rate

import gunzi
from gunzi.apps.players import play_table, player
from gunzi.chance import seeded_deck
from gunzi.table import Table
from gunzi.trump import trump_order

RULES = "yuwang"
PRESETS = ("boke", "zixun", "chayuan", "yuwang", "baike", "dalian")
MODES = ("strict", "loose")
POLICIES = ("random", "steady")
HANDS_A_TABLE = 500


def available() -> bool:
    """Is there what compiles?"""
    return find_spec("numba") is not None


def tricks_a_second(slices: int, hands: int = 2000) -> Rate:
    """The tricks alone: hands of 39 cards a seat, dealt before, played out by random legal plays."""
    from gunzi.apps.lab.fast import playouts as by

    rules = gunzi.load(RULES)
    order = trump_order(3, "H", rules.permanent)
    states = by.new_states(hands)
    for k in range(hands):
        deck = seeded_deck(1, k, 0)
        for seat in range(4):
            holding = order.masks([gunzi.CARDS[kind] for kind in deck[seat:156:4]])
            states[k, by.HANDS + 3 * seat : by.HANDS + 3 * seat + 3] = holding
    states[:, by.SEED] = range(hands)
    playouts = by.Playouts(rules)

    def work() -> int:
        playouts.run(order, states)
        states[:, by.SEED] += hands
        return hands

    return rate(work, slices)


def hands_a_second(slices: int, policy: str = "random", hands: int = 2000) -> Rate:
    """Complete hands, from the shuffle to the settlement, round after round; nothing is written down."""
    from gunzi.apps.lab.fast import layout as at
    from gunzi.apps.lab.fast.running import new_state, no_log, unit_of
    from gunzi.apps.lab.fast.simulating import engine_for

    rules = gunzi.load(RULES)
    engine = engine_for(rules, [policy] * 4)
    units = at.numbers(1, at.UNIT_FIELDS)
    rows, log = at.numbers(hands, at.ROW), no_log()
    seed = 0

    def work() -> int:
        nonlocal seed
        seed += 1
        units[0] = unit_of(seed, (rules.start_level, rules.start_level))
        engine.run(new_state(1, hands), units, rows, log)
        return hands

    # What the rules are asked the first time a result occurs, they have been asked then.
    for _ in range(max(1, 40 * slices // 20)):
        work()
    return rate(work, slices)


def numbers_of(events: Iterable[tuple[list[int], str]]) -> Iterator[str]:
    """Each event as a line."""
    for numbers, rule in events:
        yield f"{numbers} {rule}"


def check(preset: str, mode: str, policy: str, hands: int) -> str:
    """The digest of so many hands' events, the same compiled and interpreted; AssertionError names the first one that is not."""
    from gunzi.apps.lab.fast import events
    from gunzi.apps.lab.fast import layout as at
    from gunzi.apps.lab.fast.running import unit_of
    from gunzi.apps.lab.fast.simulating import engine_for

    rules = gunzi.load(preset, {"follow.shapes": mode})
    engine = engine_for(rules, [policy] * 4)
    digest = sha256()
    for seed in range(-(-hands // HANDS_A_TABLE)):
        units = at.numbers(1, at.UNIT_FIELDS)
        units[0] = unit_of(seed, (rules.start_level, rules.start_level))
        log = engine.block(units, hands=HANDS_A_TABLE).log
        compiled = (
            (events.numbers_at(log, place), engine.names.rules[int(log.events[place, 1])])
            for place in range(int(log.cursor[at.EVENT_COUNT]))
        )
        players = [player(policy)] * 4
        table = Table(rules, seed=seed, rounds=None, hands=HANDS_A_TABLE, watched=players[0].looks)
        play_table(table, players, seed)
        interpreted = events.as_numbers(rules, table.events)
        for place, (one, other) in enumerate(zip_longest(numbers_of(compiled), numbers_of(interpreted))):
            assert one == other, (
                f"{preset} {mode} {policy}, seed {seed}, event {place}: {one} compiled, {other} interpreted"
            )
            digest.update(f"{one}\n".encode())
    return digest.hexdigest()


def check_all(hands: int, jobs: int) -> Iterator[tuple[str, str, str, str]]:
    """Preset, follow mode, player and digest, of each."""
    every = [(preset, mode, policy) for policy in POLICIES for preset in PRESETS for mode in MODES]
    with ProcessPoolExecutor(jobs) as pool:
        found = pool.map(check, *zip(*every, strict=True), [hands] * len(every))
        for names, digest in zip(every, found, strict=True):
            yield *names, digest


def main(arguments: list[str] | None = None) -> int:
    """Check, print each digest; 1 where hands differ."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--hands", type=int, default=20_000)
    parser.add_argument("--jobs", type=int, default=2)
    args: Any = parser.parse_args(arguments)
    try:
        for preset, mode, policy, digest in check_all(args.hands, args.jobs):
            print(f"{preset:8} {mode:6} {policy:6} {args.hands} hands  {digest[:32]}", flush=True)
    except AssertionError as found:
        print(found)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
