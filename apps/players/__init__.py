"""Players: who answers a table's questions.

    from gunzi.apps.players import player, play_table
    steady = player("steady")                    # UnknownPlayerError (a ValueError) suggests a name
    act = steady.act(sight, ask, dice)           # what it would do; players keep nothing between questions
    play_table(table, [steady] * 4, seed=7)      # answers until the table is over

* ``player(name) -> Player``: ``random``, ``steady``, ``sharp`` (also ``sharp:500``, so many playouts, and ``sharp:0.2s``, so many
  seconds); ``player_names() -> tuple[str, ...]``; ``parse_policy(text) -> tuple[str, str, str, str]``:
  one name for all four seats, or four with commas (``steady,random,steady,random``). ``by_the_clock(name) -> bool``: are its
  answers another time others?
* ``Player.act(sight, ask, dice) -> Act``: ``sight`` is all that this seat may see (``gunzi.sight.Sight``: its own cards and
  what the table publicly showed), ``ask`` the seat's own question, ``dice`` its own chance (``Dice``).
  ``Player.name``, ``Player.title`` (a ``Text``) and ``Player.looks`` (False: it never looks at ``sight``).
  ``Player.uniform``: every allowed act is as likely as any other.
* ``Dice(seed, seat)``: the streams of one seat; ``dice.at(hand_number)`` when a hand begins, ``dice.ask(kind, place)`` before
  each question, then ``dice.below(n)``.
* ``play_hand(hand, players, dice)``, ``play_table(table, players, seed)``: the loops that ask and answer.
* ``one_act(table, player, dice) -> Act``: what a player answers to the question a table asks now (for mixed tables, where
  people sit too).

A table whose players look must be watched: ``Table(rules, …, watched=True)``.
"""

from __future__ import annotations

from typing import Final

from gunzi.apps.players.base import Player
from gunzi.apps.players.dice import Dice
from gunzi.apps.players.random import Random
from gunzi.apps.players.seats import four_dice, one_act, play_hand, play_table
from gunzi.apps.players.sharp import BudgetError, Sharp, parse_budget
from gunzi.apps.players.steady import Steady
from gunzi.errors import GunziError, Text
from gunzi.options import closest

PLAYERS: Final[dict[str, Player]] = {each.name: each for each in (Random(), Steady(), Sharp())}
"""The players by name."""


class UnknownPlayerError(GunziError, ValueError):
    """A name that is no player's; the message names the players there are and the most similar one."""


def player_names() -> tuple[str, ...]:
    """The names of all players."""
    return tuple(PLAYERS)


def player(name: str) -> Player:
    """The player of that name; ``sharp:N`` and ``sharp:Ts`` too. Raises UnknownPlayerError, BudgetError."""
    word, _, more = name.strip().lower().partition(":")
    found = PLAYERS.get(word)
    if found is not None and more and word == "sharp":
        return Sharp(parse_budget(more))
    if found is None or more:
        guess = closest(word, PLAYERS)
        known = ", ".join(PLAYERS)
        raise UnknownPlayerError(
            Text(
                f"没有叫 {name} 的打法" + (f"，是不是 {guess}？" if guess else "") + f"；有 {known}",
                f"no player is called {name!r}"
                + (f" (did you mean {guess}?)" if guess else "")
                + f"; there are: {known}",
            )
        )
    return found


def by_the_clock(name: str) -> bool:
    """Does this player think by the clock, so that its answers depend on the machine? Raises UnknownPlayerError, BudgetError."""
    found = player(name)
    return isinstance(found, Sharp) and found.budget.seconds is not None


def is_player(name: object) -> bool:
    """Does this name a player?"""
    try:
        return isinstance(name, str) and bool(player(name))
    except (UnknownPlayerError, BudgetError):
        return False


def parse_policy(text: str) -> tuple[str, str, str, str]:
    """The names of four players from one name for all seats, or four with commas. Raises UnknownPlayerError."""
    names = [player(name).name for name in text.split(",")]
    if len(names) == 1:
        names *= 4
    if len(names) != 4:
        raise UnknownPlayerError(
            Text(
                f"打法要写一个，或者四个座位各写一个，不能写 {len(names)} 个：{text}",
                f"a policy is one player for all seats or four, not {len(names)}: {text!r}",
            )
        )
    return names[0], names[1], names[2], names[3]


__all__ = [
    "PLAYERS",
    "BudgetError",
    "Dice",
    "Player",
    "UnknownPlayerError",
    "by_the_clock",
    "four_dice",
    "is_player",
    "one_act",
    "parse_policy",
    "play_hand",
    "play_table",
    "player",
    "player_names",
]
