"""Rules that are not gunzi's own, at a table: a plugin's fault names the plugin, and leaves everything as it was.

Rule sets with plugins of strangers get a ``GuardedTable`` and ``GuardedHand``s: what an act has changed before a fault is taken
back, so that a failed act is as if it had never been tried, and other tables live on. Rule sets of built-in plugins use the
plain classes and pay nothing for this.
"""

from __future__ import annotations

import copy
import functools
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import fields, replace
from typing import Any, TypeVar

from gunzi.acts import Act
from gunzi.errors import GunziError, PluginError, Text
from gunzi.faults import as_text, raised_in
from gunzi.hand import Hand
from gunzi.playout import Draws
from gunzi.plugin import Plugin
from gunzi.shown import Shown
from gunzi.table import Table
from gunzi.values import FollowRule, LeadRule, TrickRule

Undo = Callable[[], None]
Rule = TypeVar("Rule", LeadRule, FollowRule, TrickRule)


class GuardedHand(Hand):
    """A hand under somebody else's rules too."""

    __slots__ = ()

    def __init__(self, *args: Any, **more: Any) -> None:
        with blaming(_classes(args, more)):
            super().__init__(*args, **more)

    def do(self, seat: int, act: Act) -> None:
        with blaming(self.rules.host.strangers), undone(_kept_hand(self)):
            super().do(seat, act)

    def play_out(self, draws: Sequence[Draws]) -> None:
        with blaming(self.rules.host.strangers), undone(_kept_hand(self)):
            super().play_out(draws)

    def set_pace(self, paced: bool) -> None:
        with blaming(self.rules.host.strangers), undone(_kept_hand(self)):
            super().set_pace(paced)


class GuardedTable(Table):
    """A table under somebody else's rules too. Observers (the hook ``happened``) are told of an act when it is done."""

    def __init__(self, *args: Any, **more: Any) -> None:
        with blaming(_classes(args, more)):
            super().__init__(*args, **more)

    def do(self, seat: int, act: Act) -> None:
        with self._whole():
            super().do(seat, act)

    def play_out(self, draws: Sequence[Draws]) -> None:
        with self._whole():
            super().play_out(draws)

    def deal_next(self) -> None:
        with self._whole():
            super().deal_next()

    @contextmanager
    def _whole(self) -> Iterator[None]:
        """What is done inside is done wholly, and then told to observers; or it is not done at all."""
        log = self.log
        observer, told = (log.observer, len(log.events)) if log is not None else (None, 0)
        with blaming(self.rules.host.strangers), undone(_kept_table(self)):
            if log is None or observer is None:
                yield
                return
            log.observer = None
            try:
                yield
            finally:
                log.observer = observer
            for event in log.events[told:]:
                observer(event)


def _classes(args: Sequence[Any], more: dict[str, Any]) -> Sequence[type[Plugin]]:
    classes: Sequence[type[Plugin]] = (args[0] if args else more["rules"]).host.strangers
    return classes


# -- taking back ---------------------------------------------------------------------------------------------------


@contextmanager
def undone(undo: Undo) -> Iterator[None]:
    """Take back what was kept where anything at all is raised inside."""
    try:
        yield
    except BaseException:
        undo()
        raise


def _kept_hand(hand: Hand) -> Undo:
    undo = [_keep(hand, Hand.__slots__)]
    if hand.watch is not None:
        viewer = hand.watch._viewer
        undo += [_keep(hand.watch, Shown.__slots__), _keep(viewer, vars(viewer))]
    log = hand.log
    number, written = (log.n, len(log.events)) if log is not None else (0, 0)

    def take_back() -> None:
        for each in undo:
            each()
        if log is not None:
            log.n = number
            del log.events[written:]

    return take_back


def _kept_table(table: Table) -> Undo:
    hand, own = _kept_hand(table.hand), _keep(table, vars(table))

    def undo() -> None:
        own()
        hand()

    return undo


def _keep(thing: object, names: Iterable[str]) -> Undo:
    """Undoes what will be done to an object's attributes; lists and maps among them are kept as they are now."""
    kept = [(name, _as_now(name, getattr(thing, name))) for name in names if hasattr(thing, name)]

    def undo() -> None:
        for name, value in kept:
            setattr(thing, name, value)

    return undo


def _as_now(name: str, value: Any) -> Any:
    if name == "extra":
        return copy.deepcopy(value)  # what a plugin remembers may be nested
    if isinstance(value, list):
        return [list(item) if isinstance(item, list) else item for item in value]
    return dict(value) if isinstance(value, dict) else value


# -- naming whose fault it is --------------------------------------------------------------------------------------


@contextmanager
def blaming(strangers: Sequence[type[Plugin]]) -> Iterator[None]:
    """An exception that comes out of a stranger's code becomes a PluginError that names the plugin and the place."""
    try:
        yield
    except GunziError:
        raise
    except Exception as error:
        blame = blamed(error, {plugin.__module__: plugin.id for plugin in strangers})
        if blame is None:
            raise
        raise blame from error


def blamed(error: Exception, modules: Mapping[str, str]) -> PluginError | None:
    """The error that names the plugin (``modules`` says which is where) whose code is innermost in the traceback, and the
    method by which gunzi came there; None where no plugin's code is in it."""
    owners = {module.partition(".")[0]: plugin for module, plugin in modules.items()}
    owners.update(modules)
    owners.pop("gunzi", None)
    frames: list[tuple[str, str]] = []
    trace = error.__traceback__
    while trace is not None:
        module = str(trace.tb_frame.f_globals.get("__name__", ""))
        owner = owners.get(module) or owners.get(module.partition(".")[0])
        if owner is not None:
            frames.append((owner, trace.tb_frame.f_code.co_qualname.rpartition("<locals>.")[2]))
        trace = trace.tb_next
    if not frames:
        return None
    plugin = frames[-1][0]
    place = next(place for owner, place in frames if owner == plugin)
    said = as_text(error)
    return PluginError(
        Text(f"插件 {plugin} 在 {place} 里出错：{said}", f"plugin {plugin} raised in its {place}: {said}"), plugin
    )


def guarded_rule(rule: Rule, hook: str, plugins: Sequence[str]) -> Rule:
    """A rule of leading, following or winning whose functions name ``plugins`` where they raise; gunzi's own stay bare."""
    changed: dict[str, Any] = {}
    for field in fields(rule):
        function = getattr(rule, field.name)
        if callable(function) and not str(getattr(function, "__module__", "")).startswith("gunzi."):
            changed[field.name] = _guarded_function(function, f"{hook} ({field.name})", " or ".join(plugins))
    return replace(rule, **changed) if changed else rule


def _guarded_function(function: Callable[..., Any], place: str, plugin: str) -> Callable[..., Any]:
    @functools.wraps(function)
    def call(*args: Any) -> Any:
        try:
            return function(*args)
        except GunziError:
            raise
        except Exception as error:
            raise raised_in(plugin, place, error) from error

    return call
