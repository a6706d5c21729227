"""What the tests of the environment share."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np


def played(game: Any, seed: int | None, dice: int, until: Callable[[], bool] = lambda: False) -> Iterator[str]:
    """The agents as their turns come, after which one allowed action is taken at random."""
    chance = random.Random(dice)
    game.reset(seed=seed)
    for agent in game.agent_iter():
        if until():
            return
        yield agent
        observation, _, terminated, truncated, _ = game.last()
        over = terminated or truncated
        game.step(None if over else int(chance.choice(np.flatnonzero(observation["action_mask"]))))
