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

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from types import SimpleNamespace
from typing import Any, Final, NamedTuple, SupportsIndex

from gunzi.host import Host
from gunzi.phase import Phase
from gunzi.plugin import Plugin
from gunzi.ruleset import RuleSet
from gunzi.trump import Trump
from gunzi.values import FollowRule, LeadRule, TrickRule

LOADED: Final = ("deck", "points", "permanent", "start_level", "claims")
"""What a rule set works out when it is made."""
PLAY_HOOKS: Final = "lead_rule, follow_rule, trick_rule"
_WATCH: Final = "_gunzi_watch"
_NOWHERE: Final = object()

Others = frozenset[int]
"""Places in the sequence of other rule sets."""
NOBODY: Final[Others] = frozenset()


class Consulted(NamedTuple):
    """Where an option was first consulted: how many events had been written before, and by which hook or value."""

    place: int
    by: str


class Watch:
    """Listens while a unit is played under one rule set: what is read that another set, by its place, has otherwise."""

    __slots__ = ("count", "first", "hook", "muted")

    def __init__(self, others: int) -> None:
        self.first: list[Consulted | None] = [None] * others
        self.count = 0
        self.hook = ""
        self.muted: set[int] | None = None

    def reset(self) -> None:
        """Begin anew: no event written, nothing read."""
        self.first = [None] * len(self.first)
        self.count = 0
        self.hook = ""
        self.muted = None

    def read(self, others: Others, what: str) -> None:
        """Something was read that these sets have otherwise."""
        if self.muted is not None:
            self.muted |= others
            return
        for other in others:
            if self.first[other] is None:
                self.first[other] = Consulted(self.count, self.hook or what)

    @contextmanager
    def collecting(self) -> Iterator[set[int]]:
        """Inside, what is read is only collected."""
        found: set[int] = set()
        before, self.muted = self.muted, found
        try:
            yield found
        finally:
            self.muted = before


class TracedOptions(Mapping[str, Any]):
    """The options of a rule set, noticing which are read."""

    def __init__(self, options: Mapping[str, Any], differing: Mapping[str, Others], watch: Watch) -> None:
        self._options, self._differing, self._watch = options, differing, watch

    def __getitem__(self, id: str) -> Any:
        others = self._differing.get(id)
        if others is not None:
            self._watch.read(others, id)
        return self._options[id]

    def __iter__(self) -> Iterator[str]:
        return iter(self._options)

    def __len__(self) -> int:
        return len(self._options)


class TracedInt(int):
    """A small integer that notices when it is looked at, not when it is handed on."""

    read: Callable[[], None]

    def __bool__(self) -> bool:
        self.read()
        return int.__bool__(self)

    def __eq__(self, other: object) -> bool:
        self.read()
        return int.__eq__(self, other) is True

    def __ne__(self, other: object) -> bool:
        self.read()
        return int.__ne__(self, other) is True

    def __hash__(self) -> int:
        self.read()
        return int.__hash__(self)

    def __index__(self) -> int:
        self.read()
        return int.__index__(self)

    __int__ = __index__

    def __lt__(self, other: int) -> bool:
        self.read()
        return int.__lt__(self, other)

    def __gt__(self, other: int) -> bool:
        self.read()
        return int.__gt__(self, other)

    def __and__(self, other: int) -> int:
        self.read()
        return int.__and__(self, other)

    __rand__ = __and__


class TracedPhases(tuple[Phase, ...]):
    """The phases of a rule set: reading one that another set has otherwise, or that the list ends where another's does not,
    is noticed. ``lengths`` are the others' by place."""

    differing: Sequence[Others]
    lengths: Mapping[int, int]
    watch: Watch
    reached: int

    def __getitem__(self, place: Any) -> Any:
        if isinstance(place, slice):
            self._read_all()
        else:
            self.reached = max(self.reached, place if place >= 0 else self.reached)
            self.watch.read(self.differing[place], "phases")
        return super().__getitem__(place)

    def __len__(self) -> int:
        # "Is there a phase after this one?" has the same answer for both until the shorter list is used up.
        own = super().__len__()
        ended = frozenset(
            other for other, length in self.lengths.items() if length != own and self.reached + 1 >= min(own, length)
        )
        self.watch.read(ended, "phases")
        return own

    def __iter__(self) -> Iterator[Phase]:
        self._read_all()
        return super().__iter__()

    def index(self, value: Any, start: SupportsIndex = 0, stop: SupportsIndex = 1 << 60) -> int:
        self._read_all()
        return super().index(value, start, stop)

    def _read_all(self) -> None:
        own = super().__len__()
        shorter = [frozenset(other for other, length in self.lengths.items() if length != own)]
        self.watch.read(NOBODY.union(*self.differing, *shorter), "phases")


_CLASSES: dict[type[Plugin], type[Plugin]] = {}


def _traced_class(plugin: type[Plugin]) -> type[Plugin]:
    """The plugin's class, noticing which of an instance's attributes are read; made once."""
    if plugin not in _CLASSES:
        _CLASSES[plugin] = _make_traced(plugin)
    return _CLASSES[plugin]


def _make_traced(plugin: type[Plugin]) -> type[Plugin]:
    look_up = plugin.__getattribute__

    def __getattribute__(self: Plugin, name: str) -> Any:
        watched = object.__getattribute__(self, "__dict__").get(_WATCH)
        if watched is not None and name in watched[0]:
            watched[1].read(watched[0][name], f"{plugin.id}: {name}")
        return look_up(self, name)

    body = {"__getattribute__": __getattribute__, "__module__": plugin.__module__, "__doc__": plugin.__doc__}
    return type(plugin.__name__, (plugin,), body)


def _state(thing: object) -> dict[str, Any]:
    """The attributes of an object, those in slots too."""
    found = dict(getattr(thing, "__dict__", {}))
    for each in type(thing).__mro__:
        slots = each.__dict__.get("__slots__", ())
        for name in (slots,) if isinstance(slots, str) else slots:
            if name not in ("__dict__", "__weakref__") and hasattr(thing, name):
                found[name] = getattr(thing, name)
    return found


def _same(one: Any, other: Any) -> bool:
    """Can the two be told to be equal? What cannot be compared is not."""
    try:
        return one is other or (type(one) is type(other) and bool(one == other))
    except Exception:  # a stranger's __eq__
        return False


def differing_names(one: object, other: object) -> frozenset[str]:
    """The attributes by which two objects differ."""
    mine, theirs = _state(one), _state(other)
    return frozenset(
        name for name in mine.keys() | theirs.keys() if not _same(mine.get(name, _NOWHERE), theirs.get(name, _NOWHERE))
    )


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
        classes = [_traced_class(plugin) for plugin in rules.host.classes]
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
            for name, value in _state(made).items():
                object.__setattr__(plugin, name, value)
            object.__setattr__(plugin, "_options", self.options)
            object.__setattr__(plugin, _WATCH, (self._names[id], self.watch))
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
    return [id for id in one.options if not _same(one.options[id], other.options[id])]


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
