"""The environment for researchers: PettingZoo's own checks, rewards, errors, copies."""

from __future__ import annotations

import copy
import pickle
import sys
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import strangers
from conftest import PRESETS
from pettingzoo.test import api_test, seed_test
from rl_harness import played

import gunzi
from gunzi.apps import rl
from gunzi.apps.rl.environment import raw_env

NOT_A_BOX = "Observation (is not a NumPy array|space for each agent probably should be)"
"""PettingZoo says so of every dict with a mask that is not an environment of its own."""
OTHER_RULES: tuple[dict[str, Any], ...] = (
    {"follow.shapes": "strict", "follow.triple_against_pair": "exempt", "dry_pot.hidden_bottom": "possible"},
    {"deck.packs": 2, "deck.hand": 24, "deck.bottom": 12, "bury_kings.pick_kings": True, "trump.permanent": [2, 7]},
)


def seeded(make: Callable[[], Any]) -> Callable[[], Any]:
    def made() -> Any:
        env = make()
        for place, agent in enumerate(env.possible_agents):
            env.action_space(agent).seed(place)
        return env

    return made


def check(make: Callable[[], Any], cycles: int) -> None:
    """Both tests draw their actions from the environment's own spaces, which are seeded here: each run plays the same."""
    make = seeded(make)
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", message=NOT_A_BOX)
        api_test(make(), num_cycles=cycles)
    seed_test(make, num_cycles=cycles)


@pytest.mark.parametrize("preset", PRESETS)
@pytest.mark.parametrize("unit", ("hand", "round"))
def test_pettingzoo_s_own_tests_pass(preset: str, unit: str) -> None:
    check(lambda: rl.env(preset, unit=unit), 120 if unit == "hand" else 60)


@pytest.mark.parametrize("options", OTHER_RULES)
def test_they_pass_under_an_operator_s_own_options(options: dict[str, object]) -> None:
    check(lambda: rl.env("dalian", options, skip_forced=True, reward="sheet"), 80)


@pytest.mark.parametrize("reward", ("levels", "points", "sheet", "rounds"))
def test_rewards_sum_to_zero_and_partners_share_them(reward: str) -> None:
    game = rl.env("chayuan", unit="round", reward=reward)
    raw: raw_env = game.unwrapped
    total = dict.fromkeys(raw.possible_agents, 0.0)
    paid = 0
    for _ in played(game, 3, dice=2):
        gains = raw.rewards
        if len(gains) == 4 and any(gains.values()):
            assert sum(gains.values()) == 0
            assert gains["player_0"] == gains["player_2"] == -gains["player_1"] == -gains["player_3"]
            paid += 1
            for agent, gain in gains.items():
                total[agent] += gain
    assert paid >= 1
    assert raw.table is not None
    if reward == "rounds":
        won = raw.table.rounds_won
        assert total["player_0"] == won[0] - won[1]
    if reward == "sheet":
        mean = sum(raw.table.scores) / 4
        assert total["player_1"] == raw.table.scores[1] - mean


def test_levels_are_rewarded_as_the_lab_counts_them() -> None:
    from gunzi.apps.lab.measures import MEASURES

    climbed = next(measure for measure in MEASURES if measure.id == "levels")
    game = rl.env("yuwang", reward="levels")
    raw: raw_env = game.unwrapped
    found = []
    for seed in range(6):
        for _ in played(game, seed, dice=seed):
            if any(raw.rewards.values()):
                found.append(raw.rewards["player_0"])
        assert raw.table is not None
        hand = raw.table.hand
        settled = hand.settlement
        assert settled is not None
        value = climbed.of(hand, settled.outcome)
        if settled.outcome.ending is None:
            assert value is not None and raw_levels(raw, settled) == value
    assert found


def raw_levels(raw: raw_env, settled: Any) -> float:
    from gunzi.apps.rl.rewards import REWARDS

    return max(REWARDS["levels"](raw.rules, settled))


def test_an_ending_that_wins_the_round_is_worth_the_levels_left() -> None:
    from dataclasses import replace

    from gunzi.apps.rl.rewards import REWARDS

    rules = gunzi.load("dalian")
    deck, first = gunzi.table.seeded_deals(rules, 3)(1, 0)
    table = gunzi.Table(rules, hands=1, deals=lambda number, redeal: (deck, first), record=False)
    while not table.over:
        table.do(table.ask.seat, table.ask[0])
    settled = table.hand.settlement
    assert settled is not None
    result = replace(settled.outcome.result, levels=(5, 9))
    for winner, worth in ((0, 6.0), (1, -2.0)):
        won = replace(
            settled,
            outcome=replace(
                settled.outcome, result=result, ending="sweep", round_won_by=winner, level_up=None, climb=None
            ),
        )
        assert REWARDS["levels"](rules, won) == (worth, -worth, worth, -worth)
        assert REWARDS["rounds"](rules, won)[0] == (1.0 if winner == 0 else -1.0)


def test_an_illegal_action_is_refused_in_words_and_changes_nothing() -> None:
    game = rl.env("yuwang")
    game.reset(seed=7)
    raw: raw_env = game.unwrapped
    before = raw.observe(raw.agent_selection)
    wrong = int(np.flatnonzero(before["action_mask"] == 0)[0])
    with pytest.raises(rl.IllegalActionError, match="action_mask") as refused:
        game.step(wrong)
    assert (refused.value.action, refused.value.agent) == (wrong, raw.agent_selection)
    assert "不能选" in refused.value.text.zh
    assert np.array_equal(raw.observe(raw.agent_selection)["observation"], before["observation"])
    for action, words in ((None, "no action"), (rl.SUIT + 1, "the suit H"), (-5, "no action")):
        with pytest.raises(rl.IllegalActionError, match=words):
            raw.step(action)
    allowed = int(np.flatnonzero(before["action_mask"])[0])
    for what in (allowed + 0.5, float("nan"), str(allowed), [allowed]):
        with pytest.raises(rl.IllegalActionError, match="no action"):
            raw.step(what)
    with pytest.raises(AssertionError, match="not in action space"):
        game.step(rl.ACTIONS)
    game.step(int(np.flatnonzero(before["action_mask"])[0]))


def test_an_illegal_action_can_end_the_episode_instead() -> None:
    game = rl.env("yuwang", illegal_reward=-9.0)
    game.reset(seed=7)
    agent = game.agent_selection
    observation, *_ = game.last()
    game.step(int(np.flatnonzero(observation["action_mask"] == 0)[0]))
    assert all(game.terminations.values()) and game.rewards[agent] == -9.0


def test_an_episode_can_be_truncated() -> None:
    game = rl.env("yuwang", max_steps=30)
    steps = 0
    for _ in played(game, 1, dice=1):
        if not any(game.truncations.values()):
            steps += 1
        assert not any(game.terminations.values())
    assert steps == 30 and not game.agents


def test_skipping_what_is_no_choice_gives_the_same_hand_in_fewer_steps() -> None:
    found = []
    for skip in (False, True):
        game = rl.env("dalian", {"follow.shapes": "strict"}, skip_forced=skip)
        raw: raw_env = game.unwrapped
        chosen: list[int] = []
        game.reset(seed=12)
        for _ in game.agent_iter():
            observation, _, terminated, truncated, _ = game.last()
            if terminated or truncated:
                game.step(None)
                continue
            allowed = np.flatnonzero(observation["action_mask"])
            assert len(allowed) > 1 or not skip or not chosen
            action = int(allowed[(7 * int(allowed[0]) + 3 * len(allowed)) % len(allowed)])
            if len(allowed) > 1:
                chosen.append(action)
            game.step(action)
        assert raw.table is not None and raw.table.hand.settlement is not None
        found.append((chosen, raw.table.hand.settlement))
    assert found[0] == found[1]


@pytest.mark.parametrize("stop", (0, 3, 57, 10_000))
def test_a_copy_stands_where_its_original_stood_and_goes_on_alike(stop: int) -> None:
    game = rl.env("yuwang", {"follow.shapes": "strict"}, reward="points")
    taken = 0

    def enough() -> bool:
        nonlocal taken
        taken += 1
        return taken > stop

    for _ in played(game, 5, dice=9, until=enough):
        pass
    for twin in (pickle.loads(pickle.dumps(game)), copy.deepcopy(game)):
        assert (twin.agents, twin.rewards, twin.terminations) == (game.agents, game.rewards, game.terminations)
        if game.agents:
            assert twin.agent_selection == game.agent_selection
            one, other = game.unwrapped.observe(game.agent_selection), twin.unwrapped.observe(game.agent_selection)
            assert all(np.array_equal(one[name], other[name]) for name in one)
        original = pickle.loads(pickle.dumps(game))
        for each in (original, twin):
            while each.agents:
                observation, _, terminated, truncated, _ = each.last()
                over = terminated or truncated
                each.step(None if over else int(np.flatnonzero(observation["action_mask"])[-1]))
        assert twin.unwrapped.table.scores == original.unwrapped.table.scores


def test_a_seed_begins_a_series_of_episodes() -> None:
    def decks(seed: int) -> list[tuple[gunzi.Card, ...]]:
        game = rl.env("yuwang")
        found = []
        for number in range(4):
            game.reset(seed=seed if number == 0 else None)
            found.append(game.unwrapped.table.hand.deck)
        return found

    assert decks(1) == decks(1)
    assert len({*decks(1), *decks(2)}) == 8
    game = rl.env("yuwang")
    game.reset()
    first = game.unwrapped.table.hand.deck
    other = rl.env("yuwang")
    other.reset()
    assert other.unwrapped.table.hand.deck != first


def test_hands_begin_in_mixed_situations_or_all_as_first_hands() -> None:
    for start, wanted in (("mixed", {True, False}), ("first", {True})):
        game = rl.env("yuwang", start=start)
        found = set()
        for seed in range(12):
            game.reset(seed=seed)
            found.add(game.unwrapped.table.hand.first_hand)
        assert found == wanted


@pytest.mark.parametrize(("lang", "words"), (("zh", ("主是", "轮到你")), ("en", ("trump", "you: "))))
def test_the_table_is_shown_in_words_to_whose_turn_it_is(lang: str, words: tuple[str, str]) -> None:
    game = rl.env("yuwang", render_mode="ansi", lang=lang)
    shown: list[str] = []
    for _ in played(game, 2, dice=2):
        text = game.render()
        assert isinstance(text, str)
        shown.append(text)
    assert all(any(word in text for text in shown) for word in words)
    assert any(word in text for text in shown for word in ("已经选了", "picked so far"))
    assert shown[-1].splitlines()[-1] in ("打完了", "the episode is over")


def test_for_a_person_it_is_printed(capsys: pytest.CaptureFixture[str]) -> None:
    game = rl.env("yuwang", render_mode="human")
    game.reset(seed=1)
    observation, *_ = game.last()
    game.step(int(np.flatnonzero(observation["action_mask"])[0]))
    assert "hand" in capsys.readouterr().out
    assert rl.env("yuwang").unwrapped.render() is None


@pytest.mark.parametrize(
    ("arguments", "said"),
    (
        ({"unit": "hands"}, "did you mean hand"),
        ({"reward": "level"}, "did you mean levels"),
        ({"start": "late"}, "mixed, first"),
        ({"render_mode": "rgb_array"}, "ansi, human"),
        ({"max_steps": 0}, "whole number"),
    ),
)
def test_arguments_that_make_no_sense_are_refused_in_words(arguments: dict[str, Any], said: str) -> None:
    with pytest.raises(rl.RlError, match=said) as refused:
        rl.env("yuwang", **arguments)
    assert refused.value.text.zh != refused.value.text.en


@pytest.mark.parametrize("seed", [-1, -(1 << 70), "a", 1.5, [1]])
def test_a_seed_that_is_none_is_refused_and_changes_nothing(seed: Any) -> None:
    game, same = rl.env("yuwang"), rl.env("yuwang")
    for each in (game, same):
        each.reset(seed=3)
    with pytest.raises(rl.RlError, match="a whole number from 0"):
        game.reset(seed=seed)
    for each in (game, same):
        each.reset()
    seen = [each.observe(each.agent_selection) for each in (game, same)]
    assert all((seen[0][key] == seen[1][key]).all() for key in seen[0])
    for known, numpy_s in ((5, np.int64(5)), (1 << 70, 1 << 70)):
        game.reset(seed=known)
        same.reset(seed=numpy_s)
        assert game.agent_selection == same.agent_selection
        assert (game.observe("player_0")["observation"] == same.observe("player_0")["observation"]).all()


def test_without_pettingzoo_an_error_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in [name for name in sys.modules if name.split(".")[0] == "pettingzoo"]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, "pettingzoo", None)
    monkeypatch.delitem(sys.modules, "gunzi.apps.rl.environment")
    with pytest.raises(rl.MissingExtraError, match=r"gunzi\[rl\]"):
        rl.env("yuwang")
    with pytest.raises(rl.MissingExtraError, match=r"gunzi\[rl\]"):
        _ = rl.raw_env


def test_a_stranger_s_leads_and_follows_are_picked_too(monkeypatch: pytest.MonkeyPatch) -> None:
    # Two packs with tractors: leads and follows of several kinds, by functions of the plugin's own.
    package = Path(__file__).parent.parent / "examples" / "gunzi-tractors"
    monkeypatch.syspath_prepend(str(package / "src"))
    from gunzi_tractors.plugin import Tractors  # type: ignore[import-not-found,import-untyped,unused-ignore]

    strangers.install(monkeypatch, Tractors)
    try:
        game = rl.env(str(package / "shuangsheng.yaml"))
        raw: raw_env = game.unwrapped
        longest = 0
        for _ in played(game, 3, dice=1):
            longest = max(longest, len(raw._picks))
        assert raw.table is not None and raw.table.hand.settlement is not None and longest >= 2
    finally:
        strangers.uninstall(monkeypatch)
