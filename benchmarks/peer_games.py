"""The peers' side of ``peers.py``: runs in their own environment and knows nothing of gunzi.

Reads one request a line from standard input, ``LIBRARY GAME WAY SECONDS``, and answers a line of JSON: the decisions made and the
processor seconds they took, or why it cannot be done. A decision is a player's choice among the legal actions of a state, forced ones
included; what chance does (dealing) takes time and is not counted.
"""

from __future__ import annotations

import json
import random
import sys
import time
from collections.abc import Callable
from functools import cache
from typing import Any

Way = Callable[[str, float], tuple[float, float]]
SAMPLES = 300
ROLLOUTS = 200


@cache
def openspiel_game(name: str) -> Any:
    """A game of OpenSpiel by its text (``bridge(use_double_dummy_result=false)``)."""
    import pyspiel

    return pyspiel.load_game(name)


def openspiel_python(name: str, seconds: float) -> tuple[float, float]:
    """Whole random games, the loop in Python. Chance nodes are drawn as fast as can be: these games' are uniform."""
    game, dice = openspiel_game(name), random.Random(1)
    decisions = 0
    began = time.process_time()
    while time.process_time() - began < seconds:
        state = game.new_initial_state()
        while not state.is_terminal():
            actions = state.legal_actions()
            if not state.is_chance_node():
                decisions += 1
            state.apply_action(actions[dice.randrange(len(actions))])
    return decisions, time.process_time() - began


def openspiel_documented(name: str, seconds: float) -> tuple[float, float]:
    """Whole random games by the loop that OpenSpiel's own example shows (``python/examples/example.py``)."""
    import numpy as np

    game = openspiel_game(name)
    decisions = 0
    began = time.process_time()
    while time.process_time() - began < seconds:
        state = game.new_initial_state()
        while not state.is_terminal():
            if state.is_chance_node():
                actions, chances = zip(*state.chance_outcomes(), strict=True)
                state.apply_action(np.random.choice(actions, p=chances))
            else:
                decisions += 1
                state.apply_action(random.choice(state.legal_actions(state.current_player())))
    return decisions, time.process_time() - began


@cache
def dealt(name: str) -> tuple[Any, float]:
    """A state of the game after its deal, and how many decisions a random game from there has on average."""
    game, dice = openspiel_game(name), random.Random(2)
    start = game.new_initial_state()
    while start.is_chance_node():
        actions = start.legal_actions()
        start.apply_action(actions[dice.randrange(len(actions))])
    decisions = 0
    for _ in range(SAMPLES):
        state = start.clone()
        while not state.is_terminal():
            actions = state.legal_actions()
            decisions += not state.is_chance_node()
            state.apply_action(actions[dice.randrange(len(actions))])
    return start, decisions / SAMPLES


@cache
def searcher(name: str) -> Any:
    """A search of one simulation, which is so many random rollouts from its root, all in C++."""
    import pyspiel

    evaluator = pyspiel.RandomRolloutEvaluator(ROLLOUTS, 1)
    return pyspiel.MCTSBot(openspiel_game(name), evaluator, 2.0, 1, 100, False, 1, False)


def openspiel_rollouts(name: str, seconds: float) -> tuple[float, float]:
    """Rollouts inside C++ (``RandomRolloutEvaluator``), from one dealt state; nothing in Python but the call of some hundreds."""
    start, each = dealt(name)
    bot = searcher(name)
    decisions = 0.0
    began = time.process_time()
    while time.process_time() - began < seconds:
        bot.mcts_search(start)
        decisions += ROLLOUTS * each
    return decisions, time.process_time() - began


def openspiel_bots(name: str, seconds: float) -> tuple[float, float]:
    """Games of OpenSpiel's own uniform random bots inside C++ (``evaluate_bots``), from one dealt state."""
    import pyspiel

    start, each = dealt(name)
    bots = [pyspiel.make_uniform_random_bot(player, player + 1) for player in range(start.num_players())]
    games = 0
    began = time.process_time()
    while time.process_time() - began < seconds:
        pyspiel.evaluate_bots(start.clone(), bots, games)
        games += 1
    return games * each, time.process_time() - began


def rlcard_python(name: str, seconds: float) -> tuple[float, float]:
    """Whole games of RLCard's environment with its random agents, counted as they are asked."""
    game = rlcard_game(name)
    decisions = 0
    for agent in game.agents:
        agent.asked = 0
    began = time.process_time()
    while time.process_time() - began < seconds:
        game.run(is_training=True)
    taken = time.process_time() - began
    decisions = sum(agent.asked for agent in game.agents)
    return decisions, taken


@cache
def rlcard_game(name: str) -> Any:
    """A game of RLCard with its random agents at every seat, which count how often they are asked."""
    import rlcard
    from rlcard.agents import RandomAgent

    class Counting(RandomAgent):  # type: ignore[misc]
        asked = 0

        def step(self, state: Any) -> Any:
            self.asked += 1
            return super().step(state)

    game = rlcard.make(name)
    game.set_agents([Counting(num_actions=game.num_actions) for _ in range(game.num_players)])
    return game


WAYS: dict[tuple[str, str], Way] = {
    ("openspiel", "python"): openspiel_python,
    ("openspiel", "documented"): openspiel_documented,
    ("openspiel", "rollouts"): openspiel_rollouts,
    ("openspiel", "bots"): openspiel_bots,
    ("rlcard", "python"): rlcard_python,
}


def answer(request: str) -> dict[str, Any]:
    """What a request comes to."""
    library, game, way, seconds = request.split()
    try:
        decisions, taken = WAYS[library, way](game, float(seconds))
    except Exception as problem:  # whatever a library has against it is told, and the others go on
        return {"problem": f"{type(problem).__name__}: {problem}"}
    return {"decisions": decisions, "seconds": taken}


if __name__ == "__main__":
    for line in sys.stdin:
        print(json.dumps(answer(line)), flush=True)
