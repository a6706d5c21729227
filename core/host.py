"""Plugins at work: one plugin manager for a set of options, its hooks checked and bound once."""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType, SimpleNamespace
from typing import TYPE_CHECKING, Any, Final

import pluggy

from gunzi.cards import KINDS
from gunzi.errors import PluginError, RulesError, Text
from gunzi.faults import as_text, guarded, guarded_wrapper
from gunzi.hooks import Hooks
from gunzi.installed import is_built_in
from gunzi.options import closest
from gunzi.optionset import CORE, PHASES
from gunzi.plugin import Plugin
from gunzi.values import Deck

if TYPE_CHECKING:
    from gunzi.phase import Phase

PROJECT: Final = "gunzi"
_MARK: Final = PROJECT + "_impl"


@dataclass(frozen=True, slots=True)
class HookSpec:
    """What ``hooks.py`` says about a hook."""

    name: str
    args: tuple[str, ...]
    decision: bool
    """One plugin answers (``firstresult``)."""


def _specs() -> Mapping[str, HookSpec]:
    found = {}
    for name, function in vars(Hooks).items():
        marked = getattr(function, PROJECT + "_spec", None)
        if marked is not None:
            args = tuple(inspect.signature(function).parameters)[1:]
            found[name] = HookSpec(name, args, bool(marked["firstresult"]))
    return MappingProxyType(found)


SPECS: Final = _specs()
"""Every hook by name."""


@dataclass(frozen=True, slots=True)
class HookMethod:
    """A plugin's answer to a hook, as its class declares it."""

    method: str
    hook: str
    args: tuple[str, ...]
    options: Mapping[str, Any]
    wraps: bool


_METHODS: dict[type[Plugin], Mapping[str, HookMethod]] = {}


def hook_methods(plugin: type[Plugin]) -> Mapping[str, HookMethod]:
    """The hook methods of a plugin class by method name.

    Raises PluginError for a hook or an argument that does not exist, and for a method named like a hook that lacks
    ``@hookimpl``.
    """
    found = _METHODS.get(plugin)
    if found is None:
        found = _METHODS[plugin] = MappingProxyType(_find_hook_methods(plugin))
    return found


def _find_hook_methods(plugin: type[Plugin]) -> dict[str, HookMethod]:
    found: dict[str, HookMethod] = {}
    for name in dir(plugin):
        if name.startswith("__"):
            continue
        function = getattr(plugin, name)
        if not inspect.isroutine(function):
            continue
        marked = getattr(function, _MARK, None)
        if marked is None:
            if name in SPECS:
                raise PluginError(
                    Text(
                        f"插件 {plugin.id}：方法 {name} 和钩子同名，可是没写 @hookimpl",
                        f"plugin {plugin.id}: the method {name} is named like a hook but lacks @hookimpl",
                    ),
                    plugin.id,
                )
            continue
        hook = marked.get("specname") or name
        spec = SPECS.get(hook)
        if spec is None:
            maybe = _maybe(closest(hook, SPECS))
            raise PluginError(
                Text(
                    f"插件 {plugin.id}：没有钩子 {hook}{maybe.zh}",
                    f"plugin {plugin.id}: there is no hook {hook}{maybe.en}",
                ),
                plugin.id,
            )
        parameters = list(inspect.signature(function).parameters)
        args = tuple(parameters[1:] if parameters[:1] == ["self"] else parameters)
        for arg in args:
            if arg not in spec.args:
                maybe = _maybe(closest(arg, spec.args))
                there = ", ".join(spec.args)
                raise PluginError(
                    Text(
                        f"插件 {plugin.id}：钩子 {hook} 没有参数 {arg}{maybe.zh}；它的参数：{there or '没有'}",
                        f"plugin {plugin.id}: hook {hook} has no argument {arg}{maybe.en}; its arguments: {there or 'none'}",
                    ),
                    plugin.id,
                )
        wraps = bool(marked.get("wrapper") or marked.get("hookwrapper"))
        found[name] = HookMethod(name, hook, args, marked, wraps)
    return found


def _maybe(guess: str) -> Text:
    return Text(f"（是不是 {guess}？）", f" (did you mean {guess}?)") if guess else Text("", "")


class _Manager(pluggy.PluginManager):
    """A plugin manager that takes the hook methods from ``hook_methods`` and leaves out the replaced ones."""

    def __init__(self, replaced: Iterable[tuple[str, str]]) -> None:
        super().__init__(PROJECT)
        self.replaced = frozenset(replaced)
        self.add_hookspecs(Hooks)

    def parse_hookimpl_opts(self, plugin: object, name: str) -> Any:
        assert isinstance(plugin, Plugin)
        method = hook_methods(type(plugin)).get(name)
        if method is None or (plugin.id, method.hook) in self.replaced and not method.wraps:
            return None
        return method.options


class Host:
    """The plugins of one rule set, registered, checked, and their hooks bound.

    ``hook.<name>(**arguments)`` calls a hook: a plain bound method where one plugin answers with all arguments and nothing
    wraps it. Immutable once made; rule sets with the same options and plugins share one. Raises PluginError.
    """

    def __init__(self, classes: Sequence[type[Plugin]], options: Mapping[str, Any]) -> None:
        self.classes = tuple(classes)
        self.options = MappingProxyType(dict(options))
        _check_unique(classes)
        self.replaced = _replaced(classes)
        self.manager = _Manager(self.replaced)
        self.plugins: dict[str, Plugin] = {}
        self.strangers = tuple(plugin for plugin in classes if not is_built_in(plugin.id))
        for plugin in classes:
            self._register(plugin)
        self.manager.check_pending()
        self.hook = SimpleNamespace(**{name: self._bind(spec) for name, spec in SPECS.items()})

    def _register(self, plugin: type[Plugin]) -> None:
        try:
            made = plugin(self.options)
        except RulesError:
            raise
        except (Exception, SystemExit) as error:
            why = as_text(error)
            raise PluginError(
                Text(f"插件 {plugin.id} 建立时出错：{why}", f"plugin {plugin.id} raised while it was set up: {why}"),
                plugin.id,
            ) from error
        self.manager.register(made, name=plugin.id)
        self.plugins[plugin.id] = made
        if is_built_in(plugin.id):
            return
        for caller in self.manager.get_hookcallers(made) or ():
            for impl in caller.get_hookimpls():
                if impl.plugin is made and not impl.hookwrapper:
                    guard = guarded_wrapper if impl.wrapper else guarded
                    decides = SPECS[caller.name].decision
                    impl.function = guard(impl.function, plugin.id, caller.name, decides)  # type: ignore[misc]

    def _bind(self, spec: HookSpec) -> Callable[..., Any]:
        caller: Callable[..., Any] = getattr(self.manager.hook, spec.name)
        impls = getattr(self.manager.hook, spec.name).get_hookimpls()
        if not spec.decision:
            if all(not (impl.wrapper or impl.hookwrapper) and set(impl.argnames) == set(spec.args) for impl in impls):
                return _collector([impl.function for impl in reversed(impls)])
            return caller
        answers = [impl for impl in impls if not (impl.wrapper or impl.hookwrapper)]
        if not answers:
            raise PluginError(
                Text(
                    f"没有插件回答钩子 {spec.name}，一套规则得有一个",
                    f"no plugin answers the hook {spec.name}; a rule set needs one that does",
                )
            )
        if len(answers) > 1:
            first, second = (impl.plugin_name for impl in answers[:2])
            raise PluginError(
                Text(
                    f"钩子 {spec.name} 有两个插件回答：{first} 和 {second}；要么一个在 `replaces` 里写上另一个，要么只用一个",
                    f"two plugins answer the hook {spec.name}: {first} and {second}; one of them must name the other in its "
                    f"`replaces`, or only one can be used",
                ),
                first,
            )
        only = answers[0]
        if len(impls) == 1 and set(only.argnames) == set(spec.args):
            function: Callable[..., Any] = only.function
            return function
        return caller

    @functools.cached_property
    def deck(self) -> Deck:
        """What is dealt. Raises PluginError where the answer is no deck that can be dealt."""
        deck = self.hook.deck()
        sound = (
            isinstance(deck, Deck)
            and len(deck.copies) == KINDS
            and all(0 <= copies <= 3 for copies in deck.copies)
            and deck.size == sum(deck.copies)
        )
        if not sound:
            raise PluginError(
                Text(
                    f"钩子 deck 回答了 {deck!r}，这样的牌分不成四家加底牌",
                    f"the hook deck answers {deck!r}, which cannot be dealt to four hands and a bottom",
                )
            )
        return deck  # type: ignore[no-any-return]

    @functools.cached_property
    def points(self) -> tuple[int, ...]:
        """Points of a card by its rank less 2: 13 ranks, then the little and the big joker (0)."""
        ranks = [self.hook.card_points(rank=rank) for rank in range(2, 15)]
        for points in ranks:
            if not isinstance(points, int) or points < 0 or points % 5:
                raise PluginError(
                    Text(
                        f"钩子 card_points 回答了 {points!r}：分值要不小于 0，是 5 的倍数",
                        f"the hook card_points answers {points!r}: points are 0 or more, multiples of 5",
                    )
                )
        return (*ranks, 0, 0)

    @functools.cached_property
    def permanent(self) -> tuple[int, ...]:
        """The permanent trump ranks besides the jokers, the stronger first; at most two."""
        ranks = tuple(self.hook.permanent_ranks())
        if len(ranks) > 2 or len(set(ranks)) < len(ranks) or not all(rank in range(2, 15) for rank in ranks):
            raise PluginError(
                Text(
                    f"钩子 permanent_ranks 回答了 {ranks!r}：最多两个不同的点数，2 到 14",
                    f"the hook permanent_ranks answers {ranks!r}: at most two different ranks from 2 to 14",
                )
            )
        return ranks

    @functools.cached_property
    def phases(self) -> Mapping[str, tuple[str, Phase]]:
        """The phases that plugins add: name → (plugin, phase). Raises PluginError where a name is taken."""
        from gunzi.phase import Phase  # it knows hands; a rule set needs it only where plugins add phases

        found: dict[str, tuple[str, Phase]] = {}
        for id, answer in self.each("phases"):
            for name, phase in answer.items():
                if not isinstance(phase, Phase):
                    raise PluginError(
                        Text(
                            f"插件 {id}：它的 {name} 这一步是 {phase!r:.200}，不是 Phase",
                            f"plugin {id}: its phase {name} is {phase!r:.200}, which is no Phase",
                        ),
                        id,
                    )
                owner = CORE if name in PHASES else found[name][0] if name in found else None
                if owner is not None:
                    raise PluginError(
                        Text(
                            f"{name} 这一步的名字被占了：{owner} 和 {id} 都有",
                            f"the phase {name} is taken: {owner} and {id} both have one of that name",
                        ),
                        id,
                    )
                found[name] = (id, phase)
        return found

    def each(self, hook: str, **arguments: Any) -> list[tuple[str, Any]]:
        """Every plugin's own answer to a hook that is collected, with the plugin's id; None is no answer."""
        found = [
            (impl.plugin_name, impl.function(*(arguments[name] for name in impl.argnames)))
            for impl in getattr(self.manager.hook, hook).get_hookimpls()
            if not (impl.wrapper or impl.hookwrapper)
        ]
        return [(plugin, answer) for plugin, answer in found if answer is not None]

    def who(self, hook: str) -> tuple[str, ...]:
        """The plugins that answer or wrap a hook; strangers alone where there are any."""
        found = tuple(impl.plugin_name for impl in getattr(self.manager.hook, hook).get_hookimpls())
        return tuple(id for id in found if not is_built_in(id)) or found

    def redact(self, plugin: str, event: Mapping[str, Any], seat: int | None) -> Mapping[str, Any] | None:
        """One plugin's answer to the hook ``redact``; None where it has none."""
        found: Mapping[str, Any] | None = self._of(plugin, "redact", event=event, seat=seat)
        return found

    def narrate(self, plugin: str, event: Mapping[str, Any]) -> Text | None:
        """One plugin's answer to the hook ``narrate``; None where it has none."""
        found: Text | None = self._of(plugin, "narrate", event=event)
        return found

    def _of(self, plugin: str, hook: str, **arguments: Any) -> Any:
        for impl in getattr(self.manager.hook, hook).get_hookimpls():
            if impl.plugin_name == plugin and not (impl.wrapper or impl.hookwrapper):
                return impl.function(*(arguments[name] for name in impl.argnames))
        return None

    def answers(self, hook: str) -> bool:
        """Does any plugin implement the hook?"""
        return bool(getattr(self.manager.hook, hook).get_hookimpls())


def _collector(functions: Sequence[Callable[..., Any]]) -> Callable[..., list[Any]]:
    """Contributions without wrappers, collected as pluggy does: the last registered first, None left out."""

    def collect(**arguments: Any) -> list[Any]:
        found = [function(**arguments) for function in functions]
        return [answer for answer in found if answer is not None] if None in found else found

    return collect


def _check_unique(classes: Sequence[type[Plugin]]) -> None:
    seen: dict[str, type[Plugin]] = {}
    for plugin in classes:
        if plugin.id in seen:
            raise PluginError(Text(f"插件 {plugin.id} 写了两次", f"plugin {plugin.id} is there twice"), plugin.id)
        for id, other in seen.items():
            if other is plugin:
                raise PluginError(
                    Text(f"一个插件两个名字：{id} 和 {plugin.id}", f"one plugin under two names: {id} and {plugin.id}"),
                    plugin.id,
                )
        seen[plugin.id] = plugin


def _replaced(classes: Sequence[type[Plugin]]) -> frozenset[tuple[str, str]]:
    """The (plugin, decision hook) pairs that give way because another plugin replaces them."""
    by_id = {plugin.id: plugin for plugin in classes}
    found = set()
    for plugin in classes:
        decides = _decides(plugin)
        for other in plugin.replaces:
            if other == plugin.id:
                raise PluginError(
                    Text(
                        f"插件 {plugin.id} 在 `replaces` 里写了自己", f"plugin {plugin.id} names itself in `replaces`"
                    ),
                    plugin.id,
                )
            if other not in by_id:
                guess = closest(other, by_id)
                if guess and decides & _decides(by_id[guess]):
                    raise PluginError(
                        Text(
                            f"插件 {plugin.id} 要替换 {other}，可这套规则里没有它（是不是 {guess}？）",
                            f"plugin {plugin.id} replaces {other}, which is not in this rule set (did you mean {guess}?)",
                        ),
                        plugin.id,
                    )
                continue
            both = decides & _decides(by_id[other])
            if both and plugin.id in by_id[other].replaces:
                named = sorted(both)
                raise PluginError(
                    Text(
                        f"插件 {plugin.id} 和 {other} 互相替换 {'、'.join(named)}",
                        f"plugins {plugin.id} and {other} replace each other's {', '.join(named)}",
                    ),
                    plugin.id,
                )
            found |= {(other, hook) for hook in both}
    return frozenset(found)


def _decides(plugin: type[Plugin]) -> set[str]:
    return {each.hook for each in hook_methods(plugin).values() if not each.wraps and SPECS[each.hook].decision}
