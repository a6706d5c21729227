"""What a compiled comparison leaves out, it may leave out."""

from __future__ import annotations

from typing import Any

import pytest

import gunzi
from gunzi.apps.lab.parting import reason
from gunzi.apps.lab.situations import situation, unit_seed
from gunzi.apps.lab.units import Plan
from gunzi.settling import settle
from gunzi.table import Start
from gunzi.values import Owed

pytest.importorskip("numba")

from gunzi.apps.lab.fast import alike, explaining, parting
from gunzi.apps.lab.fast import layout as at
from gunzi.apps.lab.fast.names import Names
from gunzi.apps.lab.fast.running import Engine, unit_of
from gunzi.apps.lab.fast.tables import result_of

pytestmark = pytest.mark.usefixtures("kept_code")


def test_every_table_decides_some_step_or_settlements() -> None:
    decided = {name for names, _, _ in alike.STEPS for name in names}
    assert decided | {"scalars", "trumps", "worth"} == set(at.Tables._fields)
    columns = {column for _, found, _ in alike.STEPS for column in found}
    assert columns == set(range(at.TRUMP_FIELDS))
    places = {place for _, _, found in alike.STEPS for place in found}
    assert places == set(range(at.SCALARS)) - {at.MOST_POINTS}


def test_rule_sets_play_alike_step_by_step() -> None:
    low, high, names = 3, 10, Names()
    base = gunzi.load("dalian")

    def tables(**options: Any) -> at.Tables:
        return Engine(
            base.with_options({id.replace("__", "."): value for id, value in options.items()}), low, high, names
        ).tables

    a, dry, kings = tables(), tables(dry_pot__side_leg="never"), tables(bury_kings__pick_kings=True)
    both = tables(dry_pot__side_leg="never", bury_kings__pick_kings=True)
    assert alike.play_alike(a, tables(scoring__scheme="rounds", capture__multiplier=3))
    assert not alike.play_alike(a, dry) and not alike.play_alike(a, kings)
    assert alike.between(a, both, dry) and alike.between(a, both, kings) and not alike.between(a, dry, kings)


def test_reveals_are_the_same_where_no_option_of_theirs_differs() -> None:
    base = gunzi.load("dalian")
    assert alike.same_answers(base, base.with_options({"dry_pot.side_leg": "never"}), "reveal")
    assert not alike.same_answers(base, base.with_options({"reveal.pick": "max"}), "reveal")


def test_all_seats_are_alike_to_the_built_in_rules(rules: gunzi.RuleSet) -> None:
    for points, captured, kings, dry in (
        (0, False, (0, 0), False),
        (145, True, (2, 1), False),
        (300, True, (0, 3), True),
    ):
        found = []
        for dealer in range(4):
            levels = (5, 9) if dealer % 2 == 0 else (9, 5)
            result = result_of(
                rules, dealer=dealer, trick_points=points, captured=captured, kings=kings, dry=dry, levels=levels,
                paid=Owed((dealer + 3) % 4, dealer, 2),
            )  # fmt: skip
            settled = settle(rules, result)
            outcome = settled.outcome
            up, won, owed = outcome.level_up, outcome.round_won_by, outcome.owed
            found.append((
                outcome.result.attackers_points,
                outcome.result.takeover,
                outcome.ending,
                None if outcome.result.next_dealer is None else (outcome.result.next_dealer - dealer) % 4,
                None if up is None else ((up.side - dealer) % 2, up.earned),
                None if won is None else (won - dealer) % 2,
                None if owed is None else ((owed.giver - dealer) % 4, (owed.receiver - dealer) % 4, owed.count),
                [settled.scores[(dealer + seat) % 4] for seat in range(4)],
            ))  # fmt: skip
        assert all(each == found[0] for each in found)


@pytest.mark.parametrize("seed", [3, (1 << 64) - 1, 1 << 70])
def test_units_begin_as_situations_say(seed: int) -> None:
    bench = parting.CompiledBench(
        [gunzi.load("yuwang"), gunzi.load("boke")], Plan(seed, ("random",) * 4, "hands", (3, 10)), False, "all"
    )
    wanted = []
    for k in range(40, 90):
        begins = situation(seed, k, (3, 10)) or Start((3, 3), None, None)
        wanted.append(unit_of(unit_seed(seed, k), begins.levels, begins.dealer, begins.owed))
    assert bench.units(40, 90).tolist() == wanted


@pytest.mark.parametrize("most", [1, 16_384])
@pytest.mark.parametrize(
    ("preset", "options"),
    [
        ("yuwang", {"levels.threshold": 80}),  # lines about the result differ
        ("boke", {"scoring.tribute_for": "player"}),  # only those of the sheets
        ("yuwang", {"tribute.kings_when": "by_score"}),  # one settlement has lines that the other has not
        ("boke", {"tribute.low": 75}),
    ],
)
def test_the_rule_two_settlements_differ_by_is_remembered_in_bounds(
    preset: str, options: dict[str, Any], most: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(explaining, "MOST_KNOWN", most)
    one = gunzi.load(preset)
    other = one.with_options(options)
    bench = parting.CompiledBench([one, other], Plan(5, ("random",) * 4, "hands", (3, 10)), False, "all")
    rows = bench.play(bench.engines[0], bench.units(0, 4_000)).rows
    again = rows.copy()
    bench.engines[1].settle_again(again)
    differ = parting.settled_otherwise(rows, again)
    rows, again = rows[differ], again[differ]
    assert len(rows) > 20
    known = explaining.Explanations(one, other, tuple(options))
    for _ in range(2):
        found = list(known.apart(explaining.facts(one, rows, True), explaining.facts(other, again, True)))
        wanted = [reason(_settled(one, row), _settled(other, row), tuple(options)) for row in rows.tolist()]
        assert found == wanted
    assert all(wanted)
    assert 0 < len(known._results) <= most and len(known._others) <= most


def _settled(rules: gunzi.RuleSet, row: list[int]) -> dict[str, Any]:
    owed = Owed(row[at.R_PAID_FROM], row[at.R_PAID_TO], row[at.R_PAID]) if row[at.R_PAID] else None
    result = result_of(
        rules, dealer=row[at.R_DEALER], trick_points=row[at.R_TRICK_POINTS], bottom_points=row[at.R_BOTTOM_POINTS],
        captured=bool(row[at.R_CAPTURED]), kings=(row[at.R_BIG], row[at.R_SMALL]), dry=bool(row[at.R_DRY]),
        levels=(row[at.R_LEVEL_0], row[at.R_LEVEL_1]), paid=owed,
    )  # fmt: skip
    return {"e": "settle", **settle(rules, result).as_json()}
