"""When an option is first consulted: a rule set that notices what of it is read while a unit is played.

Two rule sets that differ only in an option play the same, event for event, until that option is consulted. *Consulted* is
what can be proved from outside of any plugin: something is read that is not the same under both sets. That is

* the option itself, by a plugin (``self.option``) or by whoever has the rule set (``rules.options``);
* an attribute of a plugin that came out otherwise when the plugin was made with the other value (``self._strict``). What
  cannot be told to be equal counts as different: then an option is consulted earlier, never later, than it really is;
* what is worked out when rules are loaded — the deck, the points, the permanent ranks, the claim rule, the first level, the
  list of phases — where it differs, at the moment the game reads it: a different deck is consulted from the start;
* one of the two small integers (``strict``, ``split``) by which gunzi's own functions of following know the options, when a
  function or a player looks at it: not for a single, not where there is nothing to choose;
* a rule of play (``lead_rule``, ``follow_rule``, ``trick_rule``) is handed out once and asked again and again: where the hook
  that answers it reads the option and the two sets have different functions, these are compared call by call, and the
  option is consulted by the first question that they answer differently.

What was not consulted cannot have had an effect: a unit in which nothing of it was read need not be played again.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from types import SimpleNamespace
from typing import Any, Final

from gunzi.apps.lab.watching import (
    Others,
    TracedInt,
    TracedOptions,
    TracedPhases,
    Watch,
    differing_names,
    same,
    state_of,
    traced_class,
    watch_plugin,
)
from gunzi.host import Host
from gunzi.phase import Phase
from gunzi.plugin import Plugin
from gunzi.ruleset import RuleSet
from gunzi.trump import Trump
from gunzi.values import FollowRule, LeadRule, TrickRule

LOADED: Final = ("deck", "points", "permanent", "start_level", "claims")
"""What a rule set works out when it is made."""
PLAY_HOOKS: Final = "lead_rule, follow_rule, trick_rule"


class TracedRules(RuleSet):
    """``rules``, noticing what is read that ``others`` have otherwise; ``watch.first`` tells it, by their places.

    All must use the same plugins. ``fresh()`` before each unit.
    """

    watch: Watch
    _others: tuple[RuleSet, ...]
    _turn: int
    _names: Mapping[str, Mapping[str, Others]]
    _loaded: Mapping[str, Others]
    _phases: TracedPhases

    def __init__(self, rules: RuleSet, others: Sequence[RuleSet]) -> None:
        fields: dict[str, Any] = dict(rules.__dict__)
        for name in ("phases", "observer", "_rule_texts"):
            fields.pop(name, None)
        watch = Watch(len(others))
        self.__dict__.update(fields, watch=watch, _others=tuple(others), _turn=0)
        classes = [traced_class(plugin) for plugin in rules.host.classes]
        host = Host(classes, rules.options)
        hook = SimpleNamespace(**{name: self._asking(name, call) for name, call in vars(host.hook).items()})
        options = TracedOptions(rules.options, _places(others, lambda other: _differing(rules, other)), watch)
        loaded = _places(
            others, lambda other: [name for name in LOADED if getattr(rules, name) != getattr(other, name)]
        )
        names = {
            plugin.id: _places(others, lambda other, plugin=plugin: _differing_attributes(plugin, rules, other))  # type: ignore[misc]
            for plugin in rules.host.classes
        }
        self.__dict__.update(host=host, hook=hook, options=options, _loaded=loaded, _names=names)
        self.__dict__["_phases"] = self._traced_phases(rules)
        self.fresh()

    def fresh(self) -> None:
        """Begin anew: nothing read, nothing remembered that was worked out before."""
        self.__dict__.update(_play_rules={}, playing={}, _point_masks={}, _turn=self._turn + 1)
        for id, plugin in self.host.plugins.items():
            made = type(plugin)(self.host.options)
            plugin.__dict__.clear()
            for name, value in state_of(made).items():
                object.__setattr__(plugin, name, value)
            object.__setattr__(plugin, "_options", self.options)
            watch_plugin(plugin, self._names[id], self.watch)
        self._phases.reached = -1
        self.watch.reset()

    # What is remembered elsewhere by rule set is not found again after ``fresh``: it would not be read a second time.

    def __eq__(self, other: object) -> bool:
        return self is other

    def __hash__(self) -> int:
        return hash((id(self), self._turn))

    def __reduce__(self) -> Any:
        raise TypeError("a traced rule set stays in its process")

    def _asking(self, name: str, call: Callable[..., Any]) -> Callable[..., Any]:
        watch = self.watch

        def ask(**arguments: Any) -> Any:
            before, watch.hook = watch.hook, name
            try:
                return call(**arguments)
            finally:
                watch.hook = before

        return ask

    def _traced_phases(self, rules: RuleSet) -> TracedPhases:
        found = TracedPhases(rules.phases)
        found.differing = [
            frozenset(
                place
                for place, other in enumerate(self._others)
                if here >= len(other.phases) or not _same_phase(phase, other.phases[here])
            )
            for here, phase in enumerate(rules.phases)
        ]
        found.lengths = {place: len(other.phases) for place, other in enumerate(self._others)}
        found.watch = self.watch
        found.reached = -1
        return found

    def _read_loaded(self, name: str) -> Any:
        others = self._loaded.get(name)
        if others is not None:
            self.watch.read(others, name)
        return self.__dict__[name]

    @property
    def deck(self) -> Any:  # type: ignore[override]
        return self._read_loaded("deck")

    @property
    def points(self) -> Any:  # type: ignore[override]
        return self._read_loaded("points")

    @property
    def permanent(self) -> Any:  # type: ignore[override]
        return self._read_loaded("permanent")

    @property
    def start_level(self) -> Any:  # type: ignore[override]
        return self._read_loaded("start_level")

    @property
    def claims(self) -> Any:  # type: ignore[override]
        return self._read_loaded("claims")

    @property
    def phases(self) -> tuple[Phase, ...]:
        return self._phases

    @property
    def observer(self) -> Callable[[Mapping[str, Any]], Any]:
        watch = self.watch
        told = self.hook.happened if self.host.answers("happened") else None

        def written(event: Mapping[str, Any]) -> None:
            watch.count += 1
            if told is not None:
                told(event=event)

        return written

    def play_rules(self, trump: Trump) -> tuple[LeadRule, FollowRule, TrickRule]:
        """As always; compared with those of the sets for which the hooks read something else."""
        found = self._play_rules.get(trump)
        if found is None:
            with self.watch.collecting() as others:
                found = super().play_rules(trump)
            for place in sorted(others):
                found = self._compared(found, self._others[place].play_rules(trump), frozenset({place}))
            self._play_rules[trump] = found
        return found

    def _compared(
        self, ours: tuple[LeadRule, FollowRule, TrickRule], theirs: tuple[LeadRule, FollowRule, TrickRule], who: Others
    ) -> tuple[LeadRule, FollowRule, TrickRule]:
        lead, follow, trick = ours
        lead2, follow2, trick2 = theirs
        compare = self._comparing(who)

        def knowing(call: Callable[..., Any], strict: int, split: int) -> Callable[..., Any]:
            """The function with its own rule's integers, whichever it is handed."""
            return lambda h1, h2, h3, lane, n, _strict, _split, *more: call(h1, h2, h3, lane, n, strict, split, *more)

        def both(one: Callable[..., Any], other: Callable[..., Any]) -> Callable[..., Any]:
            if one is other:
                return one  # it differs in the integers alone, and these notice when they are looked at
            own = knowing(one, follow.strict, follow.split)
            return compare(own, knowing(other, follow2.strict, follow2.split))

        def traced(own: int, other: int) -> int:
            if own == other:
                return own
            found = TracedInt(own)
            found.read = lambda: self.watch.read(who, PLAY_HOOKS)
            return found

        return (
            LeadRule(
                compare(lead.count, lead2.count),
                compare(lead.kth, lead2.kth),
                compare(lead.contains, lead2.contains),
                lead.why_not,
            ),
            FollowRule(
                compare(follow.shape, follow2.shape),
                both(follow.count, follow2.count),
                both(follow.kth, follow2.kth),
                both(follow.contains, follow2.contains),
                traced(follow.strict, follow2.strict),
                traced(follow.split, follow2.split),
                follow.why_not,
            ),
            TrickRule(compare(trick.power, trick2.power), trick.by),
        )

    def _comparing(self, who: Others) -> Callable[[Callable[..., Any], Callable[..., Any]], Callable[..., Any]]:
        watch = self.watch
        (place,) = who

        def compare(ours: Callable[..., Any], theirs: Callable[..., Any]) -> Callable[..., Any]:
            if ours is theirs:
                return ours  # players know gunzi's own functions by what they are

            def ask(*arguments: Any) -> Any:
                answer = ours(*arguments)
                if watch.first[place] is None and not _answers(theirs, arguments, answer):
                    watch.read(who, PLAY_HOOKS)
                return answer

            return ask

        return compare


def _answers(call: Callable[..., Any], arguments: Sequence[Any], answer: Any) -> bool:
    try:
        return bool(call(*arguments) == answer)
    except Exception:  # a question the other set's rule does not know
        return False


def _same_phase(one: Phase, other: Phase) -> bool:
    return one is other or (type(one) is type(other) and not differing_names(one, other))


def _differing(one: RuleSet, other: RuleSet) -> list[str]:
    return [id for id in one.options if not same(one.options[id], other.options[id])]


def _differing_attributes(plugin: type[Plugin], one: RuleSet, other: RuleSet) -> frozenset[str]:
    """What an instance of the plugin keeps otherwise; made anew, since those at work may have remembered more."""
    return differing_names(plugin(one.options), plugin(other.options)) - {"_options"}


def _places(others: Sequence[RuleSet], names: Callable[[RuleSet], Sequence[str] | frozenset[str]]) -> dict[str, Others]:
    """name → the places of the sets that differ in it."""
    found: dict[str, set[int]] = {}
    for place, other in enumerate(others):
        for name in names(other):
            found.setdefault(name, set()).add(place)
    return {name: frozenset(places) for name, places in found.items()}
