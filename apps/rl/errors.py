"""What the environment refuses to do."""

from __future__ import annotations

from gunzi.apps.extras import install_command
from gunzi.errors import GunziError, Text


class RlError(GunziError, ValueError):
    """Arguments an environment cannot be made of."""


class IllegalActionError(GunziError, ValueError):
    """An action that the action mask rules out; nothing has changed. ``action`` is its number, ``agent`` whose it was."""

    def __init__(self, text: Text, action: int, agent: str) -> None:
        super().__init__(text)
        self.action = action
        self.agent = agent


class MissingExtraError(GunziError, ImportError):
    """PettingZoo is not installed; the message says how to install it."""


def missing_extra(name: str | None) -> MissingExtraError:
    """The error for a library that is not there."""
    command = install_command("rl")
    return MissingExtraError(
        Text(
            f"强化学习环境要用 {name or 'pettingzoo'}，还没有装：{command}",
            f"the environment needs {name or 'pettingzoo'}, which is not installed: {command}",
        )
    )
