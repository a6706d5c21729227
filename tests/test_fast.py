"""The compiled game is the interpreted one: event by event, figure by figure, for every option it covers."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from rule_sets import Settings, every_setting
from strangers import install, uninstall

import gunzi
from gunzi.apps import kept_code, lab
from gunzi.apps.lab import fast
from gunzi.apps.players import play_table, player
from gunzi.errors import Text
from gunzi.loading import load_text
from gunzi.plugin import Plugin
from gunzi.record import Event
from gunzi.table import Start, Table
from gunzi.values import Owed

numba = pytest.importorskip("numba")
np = pytest.importorskip("numpy")

from gunzi.apps.lab.fast import caching, compiled, counting, events, kernel  # noqa: E402
from gunzi.apps.lab.fast import layout as at  # noqa: E402
from gunzi.apps.lab.fast.names import NotCovered  # noqa: E402
from gunzi.apps.lab.fast.running import Block, Engine, new_state, no_log, unit_of  # noqa: E402
from gunzi.apps.lab.fast.simulating import engine_for  # noqa: E402

RANDOM = [player("random")] * 4
SEED = 7


pytestmark = pytest.mark.usefixtures("kept_code")


def interpreted(rules: gunzi.RuleSet, hands: int, seed: int = SEED) -> list[Event]:
    """The events of a table of ``random`` players."""
    table = Table(rules, seed=seed, rounds=None, hands=hands)
    play_table(table, RANDOM, seed)
    return table.events


def one_table(engine: Engine, hands: int, seed: int = SEED) -> Block:
    """The same table compiled."""
    units = at.numbers(1, at.UNIT_FIELDS)
    units[0] = unit_of(seed, (engine.rules.start_level,) * 2)
    return engine.block(units, hands=hands)


def in_numbers(rules: gunzi.RuleSet, found: list[Event]) -> list[tuple[list[int], str]]:
    return list(events.as_numbers(rules, found))


# -- event by event ------------------------------------------------------------------------------------------------


def test_five_hundred_hands_are_the_same_number_by_number(rules: gunzi.RuleSet) -> None:
    engine = engine_for(rules)
    log = one_table(engine, 500).log
    compiled = [
        (events.numbers_at(log, place), engine.names.rules[int(log.events[place, 1])])
        for place in range(int(log.cursor[at.EVENT_COUNT]))
    ]
    assert compiled == in_numbers(rules, interpreted(rules, 500))


def test_a_log_reads_as_the_very_events_of_the_table(rules: gunzi.RuleSet) -> None:
    engine = engine_for(rules)
    found = list(events.Reader(rules, engine.names).events(one_table(engine, 30).log))
    wanted = interpreted(rules, 30)
    assert found == wanted
    assert [list(event) for event in found] == [list(event) for event in wanted]


def test_the_digests_are_one() -> None:
    rules = gunzi.load("baike")
    engine = engine_for(rules)
    wanted = interpreted(rules, 20)
    digest = events.digest_of(rules, wanted)
    assert events.log_digest(one_table(engine, 20).log, engine.names) == digest
    assert events.digest_of(rules, wanted[:-1]) != digest
    wanted[5] = {**wanted[5], "by": "another"}
    assert events.digest_of(rules, wanted) != digest


def few_settings() -> list[tuple[str, Any, Settings]]:
    """Every option with up to three of its values."""
    by_option: dict[str, list[tuple[str, Any, Settings]]] = {}
    for each in every_setting():
        by_option.setdefault(each[0], []).append(each)
    return [each for found in by_option.values() for each in found[:: max(1, len(found) // 3)][:3]]


def few_hands(rules: gunzi.RuleSet) -> tuple[list[Start | None], Engine]:
    """First hands and later ones of the two lowest levels, and a compiled form that knows no others, which is soon made."""
    low, high = rules.start_level, min(rules.start_level + 1, int(rules.options["levels.final"]))
    later = [Start((low, high), 1, Owed(0, 1, 2)), Start((high, low), 2, None), Start((high, high), 3, Owed(2, 3, 5))]
    return [None, *later, None, later[0]], Engine(rules, low, high)


def test_every_option_is_compiled_as_it_is_played() -> None:
    uncovered = {}
    for id, value, settings in few_settings():
        try:
            rules = gunzi.load("base", settings)
        except gunzi.VariantError:
            continue
        start = (rules.start_level,) * 2
        try:
            begins, engine = few_hands(rules)
            units = [
                unit_of(seed, each.levels, each.dealer, each.owed) if each else unit_of(seed, start)
                for seed, each in enumerate(begins)
            ]
            log = engine.block(np.array(units), hands=1).log
        except NotCovered as found:
            uncovered[id, str(value)] = found.text.en
            continue
        wanted: list[Event] = []
        for seed, each in enumerate(begins):
            table = Table(rules, seed=seed, hands=1, start=each)
            play_table(table, RANDOM, seed)
            wanted += [{**event, "n": len(wanted) + n} for n, event in enumerate(table.events, 1)]
        found = [{**event, "n": n} for n, event in enumerate(events.Reader(rules, engine.names).events(log), 1)]
        assert found == wanted, (id, value)
    assert {id for id, _ in uncovered} <= {
        "phases",
        "deck.bottom",
        "deck.hand",
        "levels.kings",
        "tribute.kings",
        "points",
    }


def test_the_kernel_plays_the_same_when_it_is_interpreted() -> None:
    """No compiler between: whole numbers of Python, in arrays of objects."""
    rules = gunzi.load("dalian")
    engine = engine_for(rules)
    wanted = one_table(engine, 3).rows
    plain = engine_for(rules)
    found = run_plainly(plain, 3)
    assert found.tolist() == wanted.tolist()


# -- figure by figure --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("amount", [{"hands": 700}, {"rounds": 90}], ids=["hands", "rounds"])
@pytest.mark.parametrize("name", ["yuwang", "baike"])
def test_a_simulation_reports_the_same(name: str, amount: dict[str, Any]) -> None:
    rules = gunzi.load(name)
    quick, slow = (lab.simulate(rules, seed=3, fast=mode, **amount) for mode in ("on", "off"))
    assert json.dumps(quick.as_json()) == json.dumps(slow.as_json())
    assert quick.rows() == slow.rows()
    assert quick.note is None and slow.note is None


@pytest.mark.parametrize("amount", [{"hands": 250}, {"rounds": 25}], ids=["hands", "rounds"])
@pytest.mark.parametrize("names", [("yuwang", "chayuan"), ("boke", "baike", "dalian")], ids="-".join)
def test_a_comparison_finds_the_same(names: tuple[str, ...], amount: dict[str, Any]) -> None:
    sets = [gunzi.load(name) for name in names]
    quick, slow = (lab.diff(sets, seed=3, fast=mode, **amount) for mode in ("on", "off"))
    assert json.dumps(quick.as_json()) == json.dumps(slow.as_json())
    assert quick.note is None


def test_one_option_and_no_proof_are_the_same_too() -> None:
    rules = gunzi.load("dalian")
    for other, prove in ((rules.with_options({"capture.multiplier": 3}), True), (gunzi.load("zixun"), False)):
        quick, slow = (lab.diff([rules, other], hands=120, seed=2, fast=mode, prove=prove) for mode in ("on", "off"))
        assert quick.as_json() == slow.as_json()


def test_two_processes_find_the_same_as_one() -> None:
    sets = [gunzi.load("yuwang"), gunzi.load("dalian")]
    one, two = (lab.diff(sets, hands=1100, seed=4, jobs=jobs, fast="on") for jobs in (1, 2))
    assert one.as_json() == two.as_json()


def test_progress_is_told_and_an_interruption_keeps_what_is_finished() -> None:
    told: list[tuple[int, int]] = []

    def progress(done: int, wanted: int) -> None:
        told.append((done, wanted))
        if done >= 8000:
            raise KeyboardInterrupt

    report = lab.simulate(gunzi.load("yuwang"), hands=100_000, seed=1, progress=progress, fast="on")
    assert report.interrupted and report.hands == told[-1][0] < 100_000
    assert {wanted for _, wanted in told} == {100_000}


def test_all_figures_and_kinds_have_columns() -> None:
    assert list(counting.COLUMNS) == [measure.id for measure in counting.MEASURES]
    assert list(counting.KIND_COLUMNS) == [kinds.id for kinds in counting.KINDS]


# -- when it is used -------------------------------------------------------------------------------------------------------


RULES = gunzi.load("yuwang")
PLAYERS = ("random",) * 4


def test_off_is_off_and_few_hands_are_not_worth_it() -> None:
    assert not fast.decide("off", [RULES], PLAYERS, 10**6).use
    assert fast.decide("auto", [RULES], PLAYERS, 10) == fast.Decision(False)
    assert fast.decide("auto", [RULES], PLAYERS, 10**7) == fast.Decision(True)
    assert fast.decide("on", [RULES], PLAYERS, 1) == fast.Decision(True)


def test_code_that_is_not_there_yet_is_compiled_for_many_hands_only(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("GUNZI_CACHE_DIR", str(tmp_path))
    assert not fast.decide("auto", [RULES], PLAYERS, 10_000).use
    caching.mark()
    assert not caching.is_kept()
    (tmp_path / "fast").mkdir()
    caching.mark()
    assert caching.is_kept()
    assert fast.decide("auto", [RULES], PLAYERS, 10_000).use


def test_other_players_are_not_compiled_and_whoever_insists_is_told() -> None:
    for players in (("daring",) * 4, ("random", "daring", "random", "steady")):
        assert fast.decide("auto", [RULES], players, 10**7) == fast.Decision(False)
        decision = fast.decide("on", [RULES], players, 100)
        assert not decision.use and decision.note is not None and "daring" in decision.note.en


def test_without_numba_all_is_played_interpreted(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(fast, "find_spec", lambda name: None)
    assert fast.decide("auto", [RULES], PLAYERS, 10**7) == fast.Decision(False)
    report = lab.simulate(RULES, hands=5, seed=1, fast="on")
    assert report.hands == 5
    assert report.note is not None and "gunzi[fast]" in report.note.en and "gunzi[fast]" in report.note.zh


class Whisper(Plugin):
    """A plugin that only listens."""

    id = "whisper"
    version = "1"
    name = Text("悄悄话", "Whisper")


def test_a_plugin_without_a_compiled_form_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    install(monkeypatch, Whisper)
    rules = load_text("gunzi: 1\nid: w\nname: {zh: 悄, en: w}\nextends: yuwang\nplugins: [whisper]\n")
    report = lab.simulate(rules, hands=5, seed=1, fast="on")
    uninstall(monkeypatch)
    assert report.hands == 5 and report.note is not None and "whisper" in report.note.en


@pytest.mark.parametrize(
    "options", [{"phases": ["deal", "reveal", "bottom", "bury", "tribute", "play", "settle"]}], ids=["other order"]
)
def test_phases_in_another_order_are_played_interpreted(options: dict[str, Any]) -> None:
    report = lab.simulate(RULES.with_options(options), hands=5, seed=1, fast="on")
    assert report.hands == 5 and report.note is not None and "phases" in report.note.en


def test_what_turns_out_not_to_be_covered_on_the_way_is_played_interpreted() -> None:
    rules = RULES.with_options(
        {"tribute.step": 5, "capture.multiplier": 8, "endings.sweep": False, "tribute.high": 120}
    )
    quick, slow = (lab.simulate(rules, hands=400, seed=1, fast=mode) for mode in ("on", "off"))
    assert quick.as_json() == slow.as_json()


def test_large_seeds_are_played_interpreted() -> None:
    report = lab.simulate(RULES, hands=3, seed=1 << 64, fast="on")
    assert report.note is not None and "64" in report.note.en
    near = (1 << 64) - 1
    quick, slow = (lab.simulate(RULES, hands=40, seed=near, fast=mode) for mode in ("on", "off"))
    assert quick.as_json() == slow.as_json()


def test_permanent_trumps_that_differ_are_compared_interpreted() -> None:
    found = lab.diff([RULES, RULES.with_options({"trump.permanent": [2, 4]})], hands=10, seed=1, fast="on")
    assert found.done == 10 and found.note is not None


def test_a_record_is_written_interpreted(tmp_path: Path) -> None:
    report = lab.simulate(RULES, hands=3, seed=1, record=tmp_path / "r.jsonl", fast="on")
    assert report.note is not None and (tmp_path / "r.jsonl").exists()


# -- the kept code -------------------------------------------------------------------------------------------------------


def test_the_stamp_covers_all_sources_of_compiled_code() -> None:
    for function in (
        compiled.compiled_play,
        compiled.compiled_begin_units,
        compiled.compiled_part,
        compiled.compiled_settle_again,
        compiled.compiled_states,
    ):
        function()
    named = {name for names in caching.SOURCES.values() for name in names.split()}
    assert {Path(source).name for source in compiled.the_compiler().sources} <= named
    compiled.compiled_play(steady=True)
    assert {Path(source).name for source in compiled.the_steady_compiler().sources} <= named


def test_where_nothing_can_be_written_nothing_is_kept(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("GUNZI_CACHE_DIR", str(tmp_path / "file" / "below"))
    assert kept_code.cache_folder() is None
    assert not caching.is_kept()
    caching.mark()


def as_objects(value: Any) -> Any:
    """Arrays of Python's whole numbers instead of machine words; named tuples of them."""
    if isinstance(value, tuple):
        return type(value)(*(as_objects(each) for each in value))
    return value.astype(object)


def run_plainly(engine: Engine, hands: int, seed: int = SEED) -> Any:
    """Rows of hands played by the kernel as it stands; state and answers are carried over from call to call."""
    units = at.numbers(1, at.UNIT_FIELDS)
    units[0] = unit_of(seed, (engine.rules.start_level,) * 2)
    state, rows = new_state(1, hands), at.numbers(hands, at.ROW)
    play = kernel.play_units

    def plainly(tables: Any, state: Any, units: Any, scratch: Any, memo: Any, answer: Any, rows: Any, log: Any) -> int:
        given = [as_objects(each) for each in (state, units, memo, answer, rows, log)]
        in_table = at.Tables(*(as_objects(tables[0][name]) for name in at.Tables._fields))
        room = at.Scratch(*(as_objects(scratch[0][name]) for name in at.Scratch._fields))
        state_, units_, memo_, answer_, rows_, log_ = given
        status = play([in_table], state_, units_, [room], memo_, answer_, rows_, log_)
        for array, copy in ((state, state_), (answer, answer_), (rows, rows_)):
            array[...] = copy
        scratch[0]["deck"][...] = room.deck
        return status

    engine.play = plainly
    assert engine.run(state, units, rows, no_log()) == at.NEXT
    return rows


@pytest.mark.skipif(sys.platform != "linux", reason="threads are counted in /proc")
def test_numpy_is_loaded_without_threads_so_that_processes_can_be_forked() -> None:
    code = (
        "import os; from gunzi.apps.lab.fast import decide; import gunzi; "
        "decide('on', [gunzi.load('yuwang')], ('random',) * 4, 10); import numpy; "
        "from gunzi.apps.lab.workers import start_method; print(start_method(), os.environ.get('OPENBLAS_NUM_THREADS'))"
    )
    environ = {name: value for name, value in os.environ.items() if name != "OPENBLAS_NUM_THREADS"}
    told = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, env=environ)
    assert told.stdout.split() == ["fork", "None"]
