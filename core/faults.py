"""Faults of strangers' hook methods: what they raise, and answers that are none, name the plugin and the hook."""

from __future__ import annotations

import functools
import types
from collections.abc import Callable, Sequence
from typing import Any, Union, get_args, get_origin, get_type_hints

from gunzi.errors import PluginError, Refused, RulesError, Text
from gunzi.hooks import Hooks


def as_text(error: BaseException) -> str:
    """An exception in one line."""
    return f"{type(error).__name__}: {error}" if str(error) else type(error).__name__


def guarded(function: Callable[..., Any], plugin: str, hook: str, decision: bool) -> Callable[..., Any]:
    """A stranger's hook method whose own faults, wrong answers too, come out as a PluginError that names it."""

    @functools.wraps(function)
    def call(*args: Any, **keywords: Any) -> Any:
        try:
            answer = function(*args, **keywords)
        except (Refused, RulesError):
            raise
        except (Exception, SystemExit) as error:
            raise raised_in(plugin, hook, error) from error
        if answer is None and not decision:
            return answer
        wrong = _wrong(answer, hook)
        if wrong is not None:
            raise PluginError(
                Text(f"插件 {plugin} 的钩子 {hook} {wrong.zh}", f"plugin {plugin}: its hook {hook} {wrong.en}"),
                plugin,
            )
        return answer

    return call


def guarded_wrapper(function: Callable[..., Any], plugin: str, hook: str, decision: bool) -> Callable[..., Any]:
    """The same for a wrapper: what comes up from inside passes through it unchanged."""

    @functools.wraps(function)
    def call(*args: Any, **keywords: Any) -> Any:
        wrapper = function(*args, **keywords)
        inner: BaseException | None = None
        try:
            next(wrapper)
            try:
                answer = yield
            except BaseException as raised:
                inner = raised
                wrapper.throw(raised)
            else:
                wrapper.send(answer)
            wrapper.close()
        except StopIteration as done:
            said = _wrong(done.value, hook) if decision else None
            if said is not None:
                raise PluginError(
                    Text(f"插件 {plugin} 包裹 {hook} 时{said.zh}", f"plugin {plugin}: its wrapper of {hook} {said.en}"),
                    plugin,
                ) from None
            return done.value
        except (Refused, RulesError):
            raise
        except (Exception, SystemExit) as error:
            if error is inner:
                raise
            why = as_text(error)
            raise PluginError(
                Text(
                    f"插件 {plugin} 包裹 {hook} 时出错：{why}",
                    f"plugin {plugin} raised in its wrapper of {hook}: {why}",
                ),
                plugin,
            ) from error
        raise PluginError(
            Text(
                f"插件 {plugin} 包裹 {hook} 时 yield 了不止一次",
                f"plugin {plugin}: its wrapper of {hook} yields more than once",
            ),
            plugin,
        )

    return call


@functools.cache
def _answers(hook: str) -> tuple[tuple[type, ...], type | None]:
    """The types an answer to a hook may have, from its annotation in ``hooks.py``, and that of the items where it is a sequence."""
    from gunzi.phase import Phase  # hooks.py imports these two for its annotations only
    from gunzi.ruleset import RuleSet

    annotation = get_type_hints(getattr(Hooks, hook), None, {"Phase": Phase, "RuleSet": RuleSet})["return"]
    union = isinstance(annotation, types.UnionType) or get_origin(annotation) is Union
    parts = get_args(annotation) if union else (annotation,)
    items = next((get_args(part)[0] for part in parts if get_origin(part) is Sequence), None)
    return tuple(get_origin(part) or part for part in parts), get_origin(items) or items


def _wrong(answer: object, hook: str) -> Text | None:
    """What is wrong with the kind of an answer, or of an item in it; None: nothing."""
    kinds, items = _answers(hook)
    if not isinstance(answer, kinds):
        named = ["None" if kind is types.NoneType else kind.__name__ for kind in kinds]
        return Text(
            f"回答了 {answer!r:.200}，不是 {' 或 '.join(named)}",
            f"answers {answer!r:.200}, which is no {' or '.join(named)}",
        )
    if items is not None and isinstance(answer, Sequence):
        for item in answer:
            if not isinstance(item, items):
                return Text(
                    f"的回答里有 {item!r:.200}，不是 {items.__name__}",
                    f"answers with {item!r:.200}, which is no {items.__name__}",
                )
    return None


def raised_in(plugin: str, hook: str, error: BaseException) -> PluginError:
    """The error that a hook of this plugin raised this."""
    said = as_text(error)
    return PluginError(
        Text(f"插件 {plugin} 在钩子 {hook} 里出错：{said}", f"plugin {plugin} raised in its hook {hook}: {said}"),
        plugin,
    )
