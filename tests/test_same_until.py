"""Two rule sets that differ in an option play the same until it is consulted; what that means, and that the check can fail."""

from __future__ import annotations

import json
from typing import Any

import pytest
from rule_sets import every_setting
from strangers import install, uninstall

import gunzi
from gunzi import Plugin, Text, hookimpl
from gunzi.apps import lab
from gunzi.apps.lab.consulting import TracedRules
from gunzi.apps.lab.situations import common_levels, unit_seed
from gunzi.apps.lab.units import Plan, play_unit, unit_table
from gunzi.apps.lab.watching import TracedInt, differing_names
from gunzi.apps.players import play_table
from gunzi.options import Flag, KingCounts, Number, Ranks
from gunzi.phases.settle import SettlePhase
from gunzi.trump import Masks, Trump
from gunzi.values import Verdict

BASE = gunzi.load("base")
STRICT = gunzi.load("base", {"follow.shapes": "strict"})


def traced(rules: gunzi.RuleSet, others: list[gunzi.RuleSet], k: int, seed: int = 1) -> tuple[TracedRules, list[Any]]:
    """A unit played under a rule set that notices what is read."""
    plan = Plan(seed, ("random",) * 4, "hands", common_levels([rules, *others]))
    found = TracedRules(rules, others)
    table = unit_table(found, plan, k, True)
    play_table(table, plan.players(), unit_seed(seed, k))
    return found, table.events


def consulted(rules: gunzi.RuleSet, option: str, value: Any, k: int, seed: int = 1) -> tuple[str, str] | None:
    """The kind of the event that was next when an option was first consulted, and by what."""
    found, events = traced(rules, [rules.with_options({option: value})], k, seed)
    first = found.watch.first[0]
    if first is None:
        return None
    return (events[first.place]["e"] if first.place < len(events) else "over"), first.by


# -- every option, every value ------------------------------------------------------------------------------------


def pairs() -> list[tuple[str, str, gunzi.RuleSet, gunzi.RuleSet]]:
    """(option, value, base, the same with the value): for every option and value; of the long ranges a fair choice. Where a
    value needs companions, both have them, so that they differ in the option alone wherever that can be."""
    found = []
    for id, value, settings in every_setting():
        option = BASE.option(id)
        if isinstance(option, (Number, KingCounts, Ranks)):
            near = [*option.neighbours(BASE.options[id]), *option.examples()]
            if value not in near:
                continue
        b = gunzi.load("base", settings)
        companions = {key: settings[key] for key in settings if key != id}
        try:
            a = gunzi.load("base", companions)
        except gunzi.VariantError:
            a = BASE  # hands, bottom and packs only fit together
        if a != b:
            found.append((id, option.show(value), a, b))
    return found


def test_records_are_the_same_until_the_option_is_consulted(differential: Any) -> None:
    seen: dict[str, list[str]] = {}
    for id, value, a, b in pairs():
        differing = [each for each in a.options if a.options[each] != b.options[each]]
        found = differential(a, b, hands=2, seed=5, options=differing)
        assert found.done == 2 and found.too_early == 0
        seen.setdefault(id, []).append(value)
    assert set(seen) == set(BASE.option_ids())
    for id in seen:
        others = set(BASE.option(id).values()) - {BASE.option(id).show(BASE.options[id])}
        assert others <= set(seen[id]), id


PARTS = {
    "points": ({}, "random", 0),
    "trump.permanent": ([], "random", 0),
    "phases": (["deal", "reveal", "tribute", "bottom", "bury", "play", "settle"], "random", 0),
    "first_dealer.claim": ("automatic", "random", 2),
    "reveal.pick": ("max", "random", 41),
    "reveal.order": ("natural", "random", 44),
    "reveal.jokers": ("high", "random", 44),
    "declare.jokers_may_open": (True, "random", 159),
    "dry_pot.side_leg": ("no_trump_suit", "random", 4),
    "dry_pot.hidden_bottom": ("possible", "random", 44),
    "dry_pot.first_hand": ("never", "random", 6),
    "bury_kings.others": ("none", "random", 0),
    "bury_kings.pick_kings": (True, "random", 2),
    "bury_kings.blocked_by": ("any_point", "random", 0),
    "tribute.low": (70, "random", 5),
    "tribute.high": (160, "random", 1),
    "tribute.step": (5, "random", 1),
    "tribute.low_rounding": ("down", "random", 5),
    "tribute.high_rounding": ("up", "random", 5),
    "tribute.kings": ({"big": 1, "small": 1}, "random", 1),
    "tribute.kings_when": ("both_conditions", "random", 1),
    "tribute.cards": ("any", "random", 120),
    "tribute.level_points": ("keep", "random", 8),
    "tribute.return": ("any", "random", 3),
    "tribute.three_big": ("ignore", "random", 118),
    "follow.shapes": ("loose", "random", 0),
    "follow.triple_against_pair": ("exempt", "random", 2),
    "levels.threshold": (140, "random", 1),
    "levels.kings": ({"big": 1, "small": 1}, "random", 3),
    "levels.start": (2, "random", 0),
    "levels.final": (11, "random", 4),
    "levels.must_play": ([], "random", 2),
    "levels.must_play_as": ("dealer", "random", 0),
    "levels.win": ("reach", "random", 2),
    "rotation.hold": ("same", "random", 0),
    "rotation.takeover": ("previous_seat", "random", 0),
    "endings.shutout": (False, "steady", 166),
    "endings.three_big": ("none", "random", 4),
    "endings.three_small": ("attackers", "random", 17),
    "scoring.scheme": ("rounds", "random", 0),
    "scoring.levels": ("earned", "random", 2),
    "scoring.tribute_for": ("player", "random", 3),
}
"""A seed at which an option parts the strict base from itself, by a value and a player."""
NEVER = {"direction", "titles"}
"""What no record shows."""
NOT_ALONE = {"deck.packs", "deck.hand", "deck.bottom", "capture.multiplier", "endings.sweep"}
"""Hands and packs only change together; the others are left to the sweeps."""


@pytest.mark.parametrize("option", PARTS)
def test_every_option_parts_somewhere(option: str, differential: Any) -> None:
    value, policy, seed = PARTS[option]
    found = differential(STRICT, {option: value}, hands=2, seed=seed, policy=policy)
    assert found.parted and found.consulted >= found.parted
    assert found.options == (option,)


def test_no_option_is_forgotten() -> None:
    assert PARTS.keys() | NEVER | NOT_ALONE == set(BASE.option_ids())


def test_the_presets_hold_too_whole_rounds_and_other_players(differential: Any) -> None:
    for preset, value in (("yuwang", "strict"), ("baike", "strict")):
        found = differential(preset, {"follow.shapes": value}, rounds=1, seed=2, policy="steady")
        assert found.unit == "rounds" and found.consulted == 1


def test_a_player_that_looks_at_the_rule_consults_it() -> None:
    """``steady`` knows the two small integers of following; nobody is asked anything when it looks."""
    seen = []
    found = TracedInt(1)
    found.read = lambda: seen.append(1)
    handed_on = (found,)
    assert not seen and type(handed_on[0]) is TracedInt
    assert found and found == 1 and found != 2 and found < 2 and found > 0 and int(found) == 1 and found & 1
    assert len(seen) == 7


# -- what consulted means -----------------------------------------------------------------------------------------


@pytest.mark.parametrize("k", range(4))
def test_a_traced_rule_set_plays_what_the_rule_set_plays(k: int) -> None:
    for rules in (BASE, STRICT, gunzi.load("baike")):
        others = [rules.with_options({"follow.shapes": "loose"}), rules.with_options({"tribute.cards": "any"})]
        plan = Plan(1, ("random",) * 4, "hands", common_levels([rules, *others]))
        assert traced(rules, others, k)[1] == play_unit(rules, plan, k).events


@pytest.mark.parametrize(
    ("option", "value", "k", "wanted"),
    [
        ("dry_pot.side_leg", "never", 0, ("bottom", "dry_pot")),
        ("dry_pot.first_hand", "never", 0, ("bottom", "dry_pot")),
        ("dry_pot.first_hand", "never", 1, None),
        ("first_dealer.claim", "automatic", 0, ("claim", "claims")),
        ("first_dealer.claim", "automatic", 1, None),
        ("declare.jokers_may_open", True, 0, None),
        ("levels.start", 2, 0, ("hand", "start_level")),
        ("points", {}, 3, ("tribute", "payable")),
        ("tribute.low", 70, 0, ("settle", "tribute_parts")),
        ("scoring.scheme", "rounds", 0, ("settle", "score_parts")),
        ("follow.triple_against_pair", "exempt", 0, None),
        ("direction", "clockwise", 0, None),
        ("titles", [[0, "赤脚"]], 0, None),
        ("phases", ["deal", "reveal", "bottom", "bury", "bury_kings", "play", "settle"], 3, ("tribute", "phases")),
    ],
)
def test_an_option_is_consulted_where_it_is_read(option: str, value: Any, k: int, wanted: Any) -> None:
    assert consulted(BASE, option, value, k) == wanted


def test_a_rule_of_following_is_consulted_where_it_answers_otherwise() -> None:
    """Not when the play begins: at the first follow that is counted otherwise."""
    loose = gunzi.load("base", {"follow.shapes": "loose"})
    found, events = traced(STRICT, [loose], 1)
    first = found.watch.first[0]
    assert first is not None and "follow_rule" in first.by
    before = events[: first.place]
    ends = [n for n, event in enumerate(before) if event["e"] == "trick"]
    plays = [event for event in before[ends[-1] + 1 if ends else 0 :] if event["e"] == "play"]
    assert len(plays[0]["cards"]) > 1, "a single is followed alike"


def test_a_deck_that_differs_is_consulted_from_the_start() -> None:
    other = gunzi.load("base", {"deck.hand": 38, "deck.bottom": 10})
    found, _ = traced(BASE, [other], 0)
    first = found.watch.first[0]
    assert first is not None and (first.place, first.by) == (0, "deck")


def test_a_traced_rule_set_forgets_between_units() -> None:
    other = BASE.with_options({"dry_pot.side_leg": "never"})
    rules = TracedRules(BASE, [other])
    plan = Plan(1, ("random",) * 4, "hands", (3, 10))
    places = []
    for k in (1, 2, 1):
        rules.fresh()
        table = unit_table(rules, plan, k, True)
        play_table(table, plan.players(), unit_seed(1, k))
        places.append(rules.watch.first[0])
    assert places[0] == places[2] != places[1]


def test_what_cannot_be_compared_counts_as_different() -> None:
    class Odd:
        def __init__(self) -> None:
            self.number = 1
            self.function = lambda: 1

    assert differing_names(Odd(), Odd()) == {"function"}


# -- the check can fail -------------------------------------------------------------------------------------------


class Leak(Plugin):
    """Keeps its option where nobody sees it read: a rule set made later changes tables that are being played."""

    id = "leak"
    version = "1"
    name = Text("漏", "leak")
    options = (
        Flag("leak.on", Text("漏", "leak"), Text("漏", "leak"), true=Text("漏", "leaks"), false=Text("不漏", "tight")),
    )
    defaults = {"leak.on": False}
    replaces = ("gunzi.plugins.dry_pot",)
    wet: dict[int, bool] = {}

    def __init__(self, options: Any) -> None:
        super().__init__(options)
        Leak.wet[len(options)] = bool(options["leak.on"])

    @hookimpl
    def bottom_is_shown(self, how: str) -> bool:
        return True

    @hookimpl
    def dry_pot(self, bottom: Masks, trump: Trump, shown: bool, first_hand: bool) -> Verdict:
        return Verdict(type(self).wet[len(self._options)], "dry_pot.side_leg")


@pytest.fixture
def leaking(monkeypatch: pytest.MonkeyPatch) -> Any:
    install(monkeypatch, Leak)
    yield gunzi.loading.load_text("gunzi: 1\nid: house\nextends: base\nplugins: [leak]\n")
    uninstall(monkeypatch)


def test_an_option_that_acts_behind_the_rules_back_is_found(leaking: gunzi.RuleSet, differential: Any) -> None:
    other = leaking.with_options({"leak.on": True})
    Leak.wet = {}

    class Other(type(other.host.plugins["leak"])):  # type: ignore[misc]
        pass

    other.host.plugins["leak"].__class__ = Other
    Other.wet = dict.fromkeys(range(200), True)
    Leak.wet = dict.fromkeys(range(200), False)
    found = lab.same_until(leaking, other, hands=3, seed=4)
    assert not found.holds and found.too_early == 3 and found.consulted == 0
    early = found.early
    assert early is not None and early.a is not None and early.b is not None
    assert (early.a["e"], early.a["dry"], early.b["dry"]) == ("bottom", False, True)
    assert early.unit == min((0, 1, 2), key=lambda k: (early.place, k)) or early.place >= 1
    told = found.told()
    for word in (
        str(unit_seed(4, early.unit)),
        f"event {early.place + 1}",
        '"dry": true',
        '"dry": false',
        "never consulted",
    ):
        assert word in told.en
    assert f"第 {early.place + 1} 个事件" in told.zh and "没问到" in told.zh
    with pytest.raises(AssertionError, match=f"table seed {unit_seed(4, early.unit)}"):
        differential(leaking, other, hands=3, seed=4)


# -- arguments ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("a", "b", "options", "said"),
    [
        (BASE, STRICT, ["reveal.pick"], "in both"),
        (BASE, STRICT, ["folow.shapes"], "did you mean follow.shapes"),
        (BASE, BASE, None, "nothing to check"),
        (gunzi.load("yuwang"), gunzi.load("chayuan"), None, "differ not only in"),
        (gunzi.load("yuwang"), gunzi.load("chayuan"), ["dry_pot.side_leg", "reveal.pick"], "but also in tribute"),
    ],
)
def test_what_makes_no_sense_is_said(a: gunzi.RuleSet, b: gunzi.RuleSet, options: Any, said: str) -> None:
    with pytest.raises(lab.LabError, match=said):
        lab.same_until(a, b, options, hands=1)


def test_different_plugins_are_refused(leaking: gunzi.RuleSet) -> None:
    with pytest.raises(lab.LabError, match="the same plugins"):
        lab.same_until(BASE, leaking, hands=1)


def test_several_options_may_be_named() -> None:
    a, b = gunzi.load("yuwang"), gunzi.load("chayuan")
    differing = [id for id in a.options if a.options[id] != b.options[id]]
    found = lab.same_until(a, b, differing, hands=4, seed=1)
    assert found.holds and set(found.options) == set(differing) and found.parted


def test_the_result_does_not_depend_on_the_number_of_processes() -> None:
    one, two = (lab.same_until(BASE, STRICT, hands=90, seed=3, jobs=jobs) for jobs in (1, 2))
    assert json.dumps(one.as_json()) == json.dumps(two.as_json())
    assert one.done == 90 and one.parted > 50 and one.by and sum(one.by.values()) == one.consulted


def test_a_phase_that_keeps_what_differs_is_noticed() -> None:
    class Keeps(SettlePhase):
        def __init__(self, value: int) -> None:
            self.value = value

    assert differing_names(Keeps(1), Keeps(2)) == {"value"}
