"""Pairs of rule sets: each against each, the smallest set of options that parts a hand, and the examples that are kept."""

from __future__ import annotations

from pathlib import Path
from typing import Any, Literal

import pytest

import gunzi
from gunzi.apps import lab
from gunzi.apps.lab import joint
from gunzi.apps.lab.joint import SmallestSets
from gunzi.apps.lab.measures import KINDS, MEASURES, kinds_in_order
from gunzi.apps.lab.parting import JOINT, Toggles, first_difference
from gunzi.apps.lab.sections import interval, number
from gunzi.apps.lab.tallies import PairTally, pairs_of
from gunzi.apps.lab.telling import between
from gunzi.apps.lab.units import Plan, play_unit

YUWANG, CHAYUAN, DALIAN = (gunzi.load(id) for id in ("yuwang", "chayuan", "dalian"))
SETS = [YUWANG, CHAYUAN, DALIAN]


@pytest.fixture(scope="module")
def found() -> lab.Difference:
    """All three against each other."""
    return lab.diff(SETS, hands=80, seed=1)


def test_every_set_is_compared_with_every_other(found: lab.Difference) -> None:
    assert pairs_of(4) == ((0, 1), (0, 2), (0, 3), (1, 2), (1, 3), (2, 3))
    assert [pair.places for pair in found.pairs] == [(0, 1), (0, 2), (1, 2)]
    alone = lab.diff([CHAYUAN, DALIAN], hands=80, seed=1).pairs[0]
    third = found.pair(2, 1)
    assert third is not None and (third.causes, third.first, third.paired) == (alone.causes, alone.first, alone.paired)


def test_only_the_first_set_is_compared_where_that_is_asked_for(found: lab.Difference) -> None:
    first = lab.diff(SETS, hands=80, seed=1, pairs="first")
    assert first.pairs == found.pairs[:2] and first.pair(1, 2) is None
    titles = [section.title.en for section in first.rows()]
    assert "yuwang and dalian" in titles and "chayuan and dalian" not in titles


def test_every_pair_that_is_compared_is_told(found: lab.Difference) -> None:
    titles = [section.title.en for section in found.rows()]
    for a, b in (("yuwang", "chayuan"), ("yuwang", "dalian"), ("chayuan", "dalian")):
        assert titles[titles.index(f"{a} and {b}") + 1].startswith("which option parts them")
    first, third = found.rows()[2:4], found.rows()[titles.index("chayuan and dalian") :]
    assert first[1].rows[0].cells == _causes(found.pairs[0]) and third[1].rows[0].cells == _causes(found.pairs[2])


def test_options_that_part_nothing_are_told_too(found: lab.Difference) -> None:
    sections = found.rows()
    titles = [section.title.en for section in sections]
    for pair, (a, b) in zip(
        found.pairs, (("yuwang", "chayuan"), ("yuwang", "dalian"), ("chayuan", "dalian")), strict=True
    ):
        rows = sections[titles.index(f"{a} and {b}") + 1].rows
        counts = {row.id: row.cells[0] for row in rows}
        known = {cause.option: str(cause.count) for cause in pair.causes}
        assert counts == {**dict.fromkeys(pair.options, "0"), **known}
        assert [row.id for row in rows][: len(known)] == list(known)
    assert any(row.cells[0] == "0" for row in sections[titles.index("yuwang and dalian") + 1].rows)
    unproved = lab.diff([YUWANG, CHAYUAN], hands=6, seed=1, prove=False).rows()
    assert [row.id for row in unproved[1].rows] == ["unproved"]


def _causes(pair: lab.Pair) -> tuple[str, str, str]:
    top = pair.causes[0]
    return str(top.count), number(top.share.mean, True), interval(top.share, True)


def test_numbers_are_told_in_their_order(found: lab.Difference) -> None:
    assert kinds_in_order({"3": 5, "10": 9, "0": 1}) == ["0", "3", "10"]
    assert kinds_in_order({"turn": 1, "claim": 4, "declare": 4}) == ["claim", "declare", "turn"]
    sizes = next(section for section in found.rows() if section.title.en == "size of the tribute")
    told = [int(row.id) for row in sizes.rows]
    assert told == sorted(told) and len(told) > 3
    report = lab.simulate(YUWANG, hands=60, seed=1)
    assert list(report.tables["tribute_size"]) == sorted(report.tables["tribute_size"], key=int)


def test_a_matrix_reads_the_same_from_either_side(found: lab.Difference) -> None:
    for measure in MEASURES:
        for i, j in pairs_of(3):
            there, back = between(found, measure.id, i, j), between(found, measure.id, j, i)
            assert there is not None and back is not None
            assert there == found.pairs[pairs_of(3).index((i, j))].paired[measure.id] and there == back.negative()
            own = found.measures[measure.id]
            if there.mean is not None and own[i].mean is not None and own[j].mean is not None:
                assert there.mean == pytest.approx(own[j].mean - own[i].mean)


def test_differences_of_kinds_are_those_of_the_counts(found: lab.Difference) -> None:
    for pair in found.pairs:
        a, b = pair.places
        for kinds in KINDS:
            one, other = found.tables[kinds.id][a], found.tables[kinds.id][b]
            for kind, estimate in pair.kinds[kinds.id].differences.items():
                shares = [counts.get(kind, 0) / sum(counts.values()) for counts in (one, other)]
                assert estimate.mean == pytest.approx(shares[1] - shares[0])


def test_the_dealer_side_wins_what_it_holds_or_the_round_it_wins() -> None:
    place = [measure.id for measure in MEASURES].index("dealer_wins")
    plan = Plan(1, ("random",) * 4, "hands", (3, 10))
    for k in range(40):
        played = play_unit(YUWANG, plan, k)
        settled = played.events[-1]
        if settled["round_won_by"] is None:
            assert played.values[0][place] == (not settled["takeover"])
        else:
            assert played.values[0][place] == (settled["round_won_by"] == played.results[0].side)


# -- causes that take more than one option --------------------------------------------------------------------------


def test_where_no_single_option_does_it_the_smallest_set_is_named() -> None:
    # Kings that cost nothing make no difference whoever pays; who pays makes none where kings cost nothing.
    one = DALIAN.with_options({"tribute.kings": {"big": 0, "small": 0}})
    two = DALIAN.with_options({"tribute.kings_when": "by_score"})
    pair = lab.diff([one, two], hands=60, seed=1).pairs[0]
    counted = {cause.option: cause.count for cause in pair.causes}
    assert counted[JOINT] > 0
    assert [(each.options, each.smallest) for each in pair.joint] == [(("tribute.kings", "tribute.kings_when"), True)]
    assert pair.joint[0].count == counted[JOINT]
    assert any(each.cause == JOINT for each in pair.examples)


class _Options:
    """Toggles of options that act by name only: the rules are the chosen options themselves."""

    a = frozenset[str]()
    options = tuple("abcdef")
    parts_at = staticmethod(Toggles.parts_at)

    def rules(self, *options: str) -> frozenset[str] | None:
        return None if set(options) == {"a", "f"} else frozenset(options)


def _search(monkeypatch: pytest.MonkeyPatch, *enough: str) -> SmallestSets:
    def play_until(rules: Any, plan: Any, k: int, place: int) -> list[dict[str, Any]]:
        parts = any(set(each) <= rules for each in enough)
        return [{"e": "hand"}, {"e": "bottom", "dry": parts}]

    monkeypatch.setattr(joint, "play_until", play_until)
    return SmallestSets(_Options(), Plan(1, ("random",) * 4, "hands", (3, 10)))  # type: ignore[arg-type]


def test_of_several_sets_that_do_the_smallest_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    # Leaving options out one by one from the front ends at cdef; the pair is smaller.
    assert _search(monkeypatch, "cdef", "ab").of(0, 1) == (("a", "b"), True)
    assert _search(monkeypatch, "bde").of(0, 1) == (("b", "d", "e"), True)
    assert _search(monkeypatch, "xyz").of(0, 1) is None


def test_the_search_ends_where_too_much_was_played(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(joint, "MOST_PLAYS", 9)
    search = _search(monkeypatch, "bde")
    found = search.of(0, 1)
    assert found is not None and set("bde") <= set(found[0]) and not found[1]
    assert search.spent and search.plays == 9


# -- examples -------------------------------------------------------------------------------------------------------


def test_examples_are_the_earliest_and_then_the_smallest() -> None:
    tally, later = PairTally(), PairTally()
    first = ("bottom", "bottom", 0, "dry_pot.side_leg")
    tally.count_parting(7, 30, 300, first, ["x"])
    tally.count_parting(8, 20, 300, first, ["x", "y"])
    later.count_parting(2, 20, 290, first, ["x"])
    later.count_parting(1, 20, 290, first, [JOINT])
    tally.merge(later)
    assert tally.examples == {"x": (20, 290, 2), "y": (20, 300, 8), JOINT: (20, 290, 1)}
    assert tally.joint == [(1, 20)] and tally.diverged == 4


def test_every_cause_has_an_example_that_shows_it(found: lab.Difference) -> None:
    for pair in found.pairs:
        assert [each.cause for each in pair.examples] == [cause.option for cause in pair.causes]
        for example in pair.examples:
            one, other = lab.example_records(found, SETS, pair, example)
            assert gunzi.verify(one).hands == gunzi.verify(other).hands == 1
            parting = first_difference(one.events, other.events, pair.options)
            assert parting is not None and parting.place == example.place
            assert (parting.a, parting.b) == (example.a, example.b)
            toggled = SETS[pair.places[0]].with_options({example.cause: SETS[pair.places[1]].options[example.cause]})
            again = play_unit(toggled, Plan(found.seed, found.policy, found.unit, found.levels), example.unit)
            alone = first_difference(one.events, again.events, pair.options)
            assert alone is not None and alone.place == example.place


def test_examples_of_rounds_end_with_the_hand_that_parts() -> None:
    found = lab.diff([YUWANG, DALIAN], rounds=6, seed=2)
    for example in found.pairs[0].examples:
        records = lab.example_records(found, [YUWANG, DALIAN], found.pairs[0], example)
        for record in records:
            gunzi.verify(record)
            assert record.events[-1]["e"] == "settle" and len(record.events) > example.place


def test_written_examples_replace_nothing(found: lab.Difference, tmp_path: Path) -> None:
    folder = tmp_path / "new" / "examples"
    written = lab.write_examples(folder, found, SETS)
    assert len(written) == sum(len(pair.examples) for pair in found.pairs)
    names = {each.a.name for each in written} | {each.b.name for each in written}
    assert len(names) == 2 * len(written) and {path.name for path in folder.iterdir()} == names
    before = {path.name: path.read_bytes() for path in folder.iterdir()}
    assert lab.write_examples(folder, found, SETS) == written
    written[1].b.write_text("mine", encoding="utf-8")
    written[0].a.unlink()
    with pytest.raises(lab.LabError, match="left alone") as raised:
        lab.write_examples(folder, found, SETS)
    assert raised.value.text.zh and written[1].b.read_text(encoding="utf-8") == "mine"
    assert not written[0].a.exists()
    written[1].b.unlink()
    lab.write_examples(folder, found, SETS)
    assert {path.name: path.read_bytes() for path in folder.iterdir()} == before


def test_a_full_disk_leaves_no_half_of_the_examples(
    found: lab.Difference, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    import os

    synced = 0

    def full(handle: int) -> None:
        nonlocal synced
        synced += 1
        if synced == 4:
            raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(OSError, match="space"):
        lab.write_examples(tmp_path, found, SETS)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("page", ["comparing.md", "comparing.zh.md"])
def test_every_key_of_the_data_is_documented(found: lab.Difference, page: str) -> None:
    text = (Path(__file__).parent.parent / "docs" / page).read_text(encoding="utf-8")
    whole, pair = text.split("| `rule_sets`")[1].split("| `a`")
    data = found.as_json()
    for keys, where in ((data, "| `rule_sets`" + whole), (data["pairs"][0], "| `a`" + pair)):
        documented = [
            key for row in where.splitlines() if row.startswith("| `") for key in row.split("|")[1].split("`")[1::2]
        ]
        assert sorted(documented) == sorted(keys)
    inner = [
        *data["pairs"][0]["first"][0],
        *data["pairs"][0]["causes"][0],
        *data["pairs"][0]["example"],
        "smallest",
        "changed",
    ]
    assert all(f"`{key}`" in pair for key in inner)


@pytest.mark.parametrize("unit", ["hands", "rounds"])
def test_no_share_is_told_to_be_out_of_reach(unit: Literal["hands", "rounds"]) -> None:
    """Few units have wide intervals: those of shares end at 0 and 1, those of their differences at -1 and 1, however they are told."""
    shares = {measure.id for measure in MEASURES if measure.share}
    found = lab.diff(
        [YUWANG, CHAYUAN],
        seed=3,
        prove=False,
        hands=3 if unit == "hands" else None,
        rounds=3 if unit == "rounds" else None,
    )
    own = [each for id in shares for each in found.measures[id]]
    apart = [found.pairs[0].paired[id] for id in shares]
    apart += [each for kinds in found.pairs[0].kinds.values() for each in kinds.differences.values()]
    for least, estimates in ((0, own), (-1, apart)):
        bounds = [bound for each in estimates for bound in (each.low, each.high) if bound is not None]
        assert bounds and least <= min(bounds) and max(bounds) <= 1
