"""For researchers: 打滚子 as a PettingZoo environment, one for every rule set. Needs ``pip install 'gunzi[rl]'``.

    from gunzi.apps.rl import env
    game = env("yuwang", {"follow.shapes": "strict"}, unit="hand", reward="levels")
    game.reset(seed=7)
    for agent in game.agent_iter():
        observation, reward, terminated, truncated, info = game.last()
        over = terminated or truncated
        game.step(None if over else game.action_space(agent).sample(observation["action_mask"]))

Actions are described in ``picks.py`` (``ACTIONS``, ``action_of``, ``picked_by``), observations in ``observation.py`` (``FIELDS``,
``SLICES``), rewards in ``rewards.py`` (``REWARDS``).
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from gunzi.apps.rl.errors import IllegalActionError, MissingExtraError, RlError, missing_extra
from gunzi.apps.rl.picks import ACTIONS, BASE, PASS, SUIT, action_of, picked_by
from gunzi.ruleset import RuleSet

if TYPE_CHECKING:
    from gunzi.apps.rl.environment import raw_env


def env(
    rules: RuleSet | str = "dalian",
    overrides: Mapping[str, Any] | None = None,
    *,
    unit: str = "hand",
    reward: str = "levels",
    start: str = "mixed",
    skip_forced: bool = False,
    max_steps: int | None = None,
    illegal_reward: float | None = None,
    render_mode: str | None = None,
    lang: str = "en",
) -> Any:
    """A PettingZoo AEC environment: four agents ``player_0`` to ``player_3`` at a table under a rule set.

    ``rules`` and ``overrides`` as in ``gunzi.load`` (or a rule set). ``unit``: an episode is a ``hand`` or a ``round``. ``reward``:
    ``levels``, ``points``, ``sheet`` or ``rounds``, given when a hand is settled, zero in sum. ``start``: hands begin in ``mixed``
    situations (half of them first hands, half with levels, a dealer and mostly a tribute, as the lab's single hands), or all as the
    ``first`` hand of a round. ``skip_forced``: picks without a choice are made at once. ``max_steps``: the episode is truncated after so
    many steps. ``illegal_reward``: what an illegal action earns when it shall end the episode (PettingZoo's
    ``TerminateIllegalWrapper``); None: it raises IllegalActionError, and changes nothing. ``render_mode``: ``ansi`` (a text) or
    ``human`` (printed), in ``lang`` ``zh`` or ``en``: what the agent whose turn it is may see. Raises RlError, MissingExtraError and what
    ``gunzi.load`` raises.
    """
    try:
        from pettingzoo.utils import wrappers
    except ModuleNotFoundError as missing:
        raise missing_extra(missing.name) from missing
    from gunzi.apps.rl.environment import raw_env

    made: Any = raw_env(
        rules,
        overrides,
        unit=unit,
        reward=reward,
        start=start,
        skip_forced=skip_forced,
        max_steps=max_steps,
        render_mode=render_mode,
        lang=lang,
    )
    if illegal_reward is not None:
        made = wrappers.TerminateIllegalWrapper(made, illegal_reward=illegal_reward)
    made = wrappers.AssertOutOfBoundsWrapper(made)
    return wrappers.OrderEnforcingWrapper(made)


def __getattr__(name: str) -> Any:
    """What stands on PettingZoo and NumPy is imported when it is asked for. Raises MissingExtraError."""
    where = {"raw_env": "environment", "FIELDS": "observation", "SLICES": "observation", "REWARDS": "rewards"}.get(name)
    if where is None:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from importlib import import_module

    try:
        return getattr(import_module(f"gunzi.apps.rl.{where}"), name)
    except ModuleNotFoundError as missing:
        raise missing_extra(missing.name) from missing


__all__ = [
    "ACTIONS",
    "BASE",
    "PASS",
    "SUIT",
    "IllegalActionError",
    "MissingExtraError",
    "RlError",
    "action_of",
    "env",
    "picked_by",
    "raw_env",
]
