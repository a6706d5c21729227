"""How fast the PettingZoo environment is stepped (``gunzi.apps.rl``); left out where PettingZoo is not installed."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

from figures import RULES, Effort, Figure, Missing
from measuring import rate


def environment_figures(effort: Effort) -> Iterator[Figure | Missing]:
    """Picks through the whole interface: observation, mask, a random choice, a step. No figure is set for it."""
    try:
        import numpy as np

        from gunzi.apps.rl import env

        game = env(RULES)
    except ImportError as missing:
        yield Missing(f"no figure for the environment: {missing}")
        return
    dice = Random(1)
    game.reset(seed=1)

    def work() -> int:
        done = 0
        for _ in range(effort.hands // 4 or 1):
            for _agent in game.agent_iter():
                observation, _, terminated, truncated, _ = game.last()
                if terminated or truncated:
                    game.step(None)
                    continue
                allowed = np.flatnonzero(observation["action_mask"])
                game.step(int(allowed[dice.randrange(len(allowed))]))
                done += 1
            game.reset()
        return done

    found = rate(work, effort.slices)
    beside = f"{found.per_second:,.0f} picks/s"
    yield Figure("the PettingZoo environment, random picks", found.per_million, "picks a million", 0, True, beside)
