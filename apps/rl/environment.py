"""The environment itself: a table whose questions are answered pick by pick."""

from __future__ import annotations

import operator
from collections.abc import Mapping
from typing import Any, Final

import numpy as np
from gymnasium import spaces
from pettingzoo import AECEnv

import gunzi
from gunzi.acts import Act, Declare, Pass, Pay, Play, Return
from gunzi.apps.lab.situations import common_levels, situation
from gunzi.apps.rl.errors import IllegalActionError, RlError
from gunzi.apps.rl.observation import DTYPE, SIZE, Watch, highest, observe
from gunzi.apps.rl.picks import ACTIONS, PASS, SUIT, Picker, picked_by, picker_of
from gunzi.apps.rl.rewards import REWARDS
from gunzi.apps.rl.words import told
from gunzi.ask import ACT_TEXT, KIND_TEXT
from gunzi.cards import SUITS, parse_cards
from gunzi.chance import POLICY, fresh_seed, stream
from gunzi.errors import Text
from gunzi.hand import Hand
from gunzi.options import closest
from gunzi.ruleset import RuleSet
from gunzi.table import Table
from gunzi.values import Settlement

UNITS: Final = ("hand", "round")
STARTS: Final = ("mixed", "first")
RENDER_MODES: Final = ("ansi", "human")
AGENTS: Final = ("player_0", "player_1", "player_2", "player_3")
_SEAT: Final = {agent: seat for seat, agent in enumerate(AGENTS)}


class raw_env(AECEnv):  # type: ignore[misc]
    """The environment without PettingZoo's wrappers; arguments as in ``gunzi.apps.rl.env``.

    ``observation_space(agent)``: a dict of ``observation`` (``SIZE`` int16, see ``observation.py``) and ``action_mask`` (``ACTIONS``
    int8, 1 for what is allowed; all zeros for an agent that is not asked). ``action_space(agent)``: ``Discrete(ACTIONS)``. ``table`` is the
    table played. Pickled and copied it stands where it stood: it is dealt again and its actions are repeated.
    """

    def __init__(
        self,
        rules: RuleSet | str = "dalian",
        overrides: Mapping[str, Any] | None = None,
        *,
        unit: str = "hand",
        reward: str = "levels",
        start: str = "mixed",
        skip_forced: bool = False,
        max_steps: int | None = None,
        render_mode: str | None = None,
        lang: str = "en",
    ) -> None:
        super().__init__()
        if isinstance(rules, RuleSet):
            self.rules = rules.with_options(overrides) if overrides else rules
        else:
            self.rules = gunzi.load(rules, overrides)
        self.unit = _one_of("unit", unit, UNITS)
        self.reward = _one_of("reward", reward, tuple(REWARDS))
        self.start = _one_of("start", start, STARTS)
        self.render_mode = _one_of("render_mode", render_mode, RENDER_MODES) if render_mode is not None else None
        self.lang = _one_of("lang", lang, ("zh", "en"))
        if max_steps is not None and (type(max_steps) is not int or max_steps < 1):
            raise RlError(
                Text(
                    f"max_steps 要写 1 以上的整数，不能是 {max_steps!r}",
                    f"max_steps is a whole number from 1, not {max_steps!r}",
                )
            )
        self.skip_forced = bool(skip_forced)
        self.max_steps = max_steps
        self.metadata = {
            "render_modes": list(RENDER_MODES),
            "name": "gunzi_v0",
            "is_parallelizable": False,
            "render_fps": 1,
        }
        self.possible_agents = list(AGENTS)
        self.agents: list[str] = []
        self._spaces = {
            agent: (
                spaces.Dict(
                    {
                        "observation": spaces.Box(np.zeros(SIZE, DTYPE), highest(), dtype=DTYPE),
                        "action_mask": spaces.Box(0, 1, (ACTIONS,), np.int8),
                    }
                ),
                spaces.Discrete(ACTIONS),
            )
            for agent in AGENTS
        }
        self._seed: int | None = None
        self._episode = 0
        self._taken: list[int] = []
        self.table: Table | None = None

    def observation_space(self, agent: str) -> spaces.Space[Any]:
        """What an agent observes: always the same object."""
        return self._spaces[agent][0]

    def action_space(self, agent: str) -> spaces.Space[Any]:
        """What an agent does: always the same object."""
        return self._spaces[agent][1]

    # -- episodes ----------------------------------------------------------------------------------------------

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Deal a new episode. With a seed it is that seed's first; without one the next of the seed given before (of a fresh one where
        none was). ``options`` are not used. Raises RlError where the seed is no whole number from 0; then all is as it was."""
        if seed is not None:
            self._seed, self._episode = _seed_of(seed), 0
        elif self._seed is None:
            self._seed = fresh_seed()
        else:
            self._episode += 1
        self._begin()

    def _begin(self) -> None:
        assert self._seed is not None
        seed = stream(self._seed, self._episode, POLICY)
        begin = None
        if self.unit == "hand" and self.start == "mixed":
            begin = situation(seed, seed & 1, common_levels([self.rules]))
        self.table = Table(
            self.rules,
            seed=seed,
            hands=1 if self.unit == "hand" else None,
            rounds=1,
            record=self.render_mode is not None,
            watched=True,
            start=begin,
        )
        self.agents = list(AGENTS)
        self.rewards = dict.fromkeys(AGENTS, 0.0)
        self._cumulative_rewards = dict.fromkeys(AGENTS, 0.0)
        self.terminations = dict.fromkeys(AGENTS, False)
        self.truncations = dict.fromkeys(AGENTS, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in AGENTS}
        self._skip_agent_selection = None
        self._taken = []
        self._steps = 0
        self._watch = Watch(self.table.hand)
        self._next_question()

    def _next_question(self) -> None:
        """The table asks: whose turn it is, and how the question is answered."""
        table = self.table
        assert table is not None
        ask = table.ask
        if table.hand is not self._watch.hand:
            self._watch = Watch(table.hand)
        self._watch.asked()
        self._picker: Picker = picker_of(ask, table.hand.trump)
        self._picks: list[int] = []
        self._allowed = frozenset(self._picker.allowed())
        self.agent_selection = AGENTS[ask.seat]

    def step(self, action: int | None) -> None:
        """One pick of the agent whose turn it is. Raises IllegalActionError, and then nothing has changed."""
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        number = _number(action)
        if number not in self._allowed:
            raise self._illegal(action, number, agent)
        self._cumulative_rewards[agent] = 0.0
        self._clear_rewards()
        self._take(number)
        while self.skip_forced and len(self._allowed) == 1 and not self._over:
            self._take(next(iter(self._allowed)))
        self._steps += 1
        if self._over:
            self.terminations = dict.fromkeys(AGENTS, True)
        elif self.max_steps is not None and self._steps >= self.max_steps:
            self.truncations = dict.fromkeys(AGENTS, True)
        self._accumulate_rewards()
        if self.render_mode == "human":
            self.render()

    @property
    def _over(self) -> bool:
        return self.table is not None and self.table.over

    def _take(self, action: int) -> None:
        """Go on with an allowed pick; a complete act is done at the table."""
        self._taken.append(action)
        picker = self._picker
        picker.pick(action)
        if picker.act is None:
            self._picks.append(action)
            self._allowed = frozenset(picker.allowed())
            return
        table = self.table
        assert table is not None
        hand = table.hand
        self._do(table, hand, picker.act)
        if hand.settlement is not None:
            self._reward(hand.settlement)
        if table.over:
            self._allowed = frozenset()
            self._picks = []
        else:
            self._next_question()

    def _do(self, table: Table, hand: Hand, act: Act) -> None:
        seat = table.ask.seat
        watch = self._watch
        if isinstance(act, Play):
            ends = hand.plays == 3
            table.do(seat, act)
            watch.play(seat, [card.kind for card in parse_cards(act.cards)], ends)
        elif isinstance(act, (Pay, Return)) and hand.tribute is not None:
            giver, receiver, _, returning = hand.tribute
            table.do(seat, act)
            source, target = (receiver, giver) if returning else (giver, receiver)
            watch.move(source, target, [card.kind for card in parse_cards(act.cards)])
        else:
            dealt = hand.dealt
            table.do(seat, act)
            if isinstance(act, Declare):
                watch.all_see(dealt)

    def _reward(self, settled: Settlement) -> None:
        for agent, gain in zip(AGENTS, REWARDS[self.reward](self.rules, settled), strict=True):
            self.rewards[agent] += gain

    def _illegal(self, action: object, number: int, agent: str) -> IllegalActionError:
        assert self.table is not None
        picked = picked_by(number)
        if number == PASS:
            what = ACT_TEXT[Pass]
        elif picked is not None:
            what = Text(f"{picked[1]} 张 {picked[0]}", f"{picked[1]} of {picked[0]}")
        elif SUIT <= number < ACTIONS:
            what = Text(f"花色 {SUITS[number - SUIT]}", f"the suit {SUITS[number - SUIT]}")
        else:
            what = Text("没有这个动作", "no action")
        kind = self.table.ask.kind
        asked = KIND_TEXT.get(kind) or Text(kind, kind)
        return IllegalActionError(
            Text(
                f"{agent} 现在是{asked.zh}，不能选 {action}（{what.zh}）；能选的在 action_mask 里",
                f"{agent} cannot choose {action} ({what.en}) now: it is {asked.en}, and what it may choose is in its action_mask",
            ),
            number,
            agent,
        )

    # -- looking -----------------------------------------------------------------------------------------------

    def observe(self, agent: str) -> dict[str, Any]:
        """What an agent may know now: its view, and the mask of its actions where it is asked."""
        table = self.table
        assert table is not None
        asked = agent == self.agent_selection and not table.over
        mask = np.zeros(ACTIONS, np.int8)
        if asked:
            mask[list(self._allowed)] = 1
        seat = _SEAT[agent]
        seen = observe(table.sight(seat), self._watch, self._picker if asked else None, self._picks if asked else ())
        return {"observation": seen, "action_mask": mask}

    def render(self) -> str | None:
        """The table in words, as the agent whose turn it is sees it: a text for ``ansi``, printed for ``human``, else None."""
        if self.render_mode is None or self.table is None:
            return None
        text = told(self.table, _SEAT[self.agent_selection], self._picks, self.lang)
        if self.render_mode == "human":
            print(text)
            return None
        return text

    def close(self) -> None:
        """Nothing is held open."""

    # -- copies ------------------------------------------------------------------------------------------------

    def __getstate__(self) -> dict[str, Any]:
        made = {
            "rules": self.rules,
            "unit": self.unit,
            "reward": self.reward,
            "start": self.start,
            "skip_forced": self.skip_forced,
            "max_steps": self.max_steps,
            "render_mode": self.render_mode,
            "lang": self.lang,
        }
        kept: dict[str, Any] = {"made": made, "seed": self._seed, "episode": self._episode}
        if self.table is not None:
            kept["taken"] = list(self._taken)
            names = ("agents", "rewards", "_cumulative_rewards", "terminations", "truncations", "infos")
            kept["now"] = {name: getattr(self, name).copy() for name in (*names,)}
            kept["now"] |= {"_steps": self._steps, "_skip_agent_selection": self._skip_agent_selection}
            kept["turn"] = self.agent_selection
        return kept

    def __setstate__(self, kept: dict[str, Any]) -> None:
        raw_env.__init__(self, **kept["made"])
        self._seed, self._episode = kept["seed"], kept["episode"]
        if "now" in kept:
            self._begin()
            for action in kept["taken"]:
                self._take(action)
            for name, value in kept["now"].items():
                setattr(self, name, value)
            self.agent_selection = kept["turn"]


def _number(action: object) -> int:
    """An action as a whole number, numpy's too; -1 for what is none."""
    try:
        return operator.index(action)  # type: ignore[arg-type]
    except TypeError:
        return -1


def _seed_of(seed: Any) -> int:
    """A seed as given: a whole number from 0, numpy's too."""
    try:
        found = operator.index(seed)
    except TypeError:
        found = -1
    if found < 0:
        raise RlError(Text(f"种子要写 0 以上的整数，不能是 {seed!r}", f"a seed is a whole number from 0, not {seed!r}"))
    return found


def _one_of(name: str, value: object, known: tuple[str, ...]) -> str:
    if isinstance(value, str) and value in known:
        return value
    guess = closest(value, known) if isinstance(value, str) else None
    listed = ", ".join(known)
    raise RlError(
        Text(
            f"{name} 没有 {value!r}" + (f"，是不是 {guess}？" if guess else "") + f"；有 {listed}",
            f"{name} cannot be {value!r}" + (f" (did you mean {guess}?)" if guess else "") + f"; there are: {listed}",
        )
    )
