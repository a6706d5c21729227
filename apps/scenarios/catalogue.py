"""All the questions a scenario can ask, the built-in ones and the plugins'.

A plugin adds questions by the hook ``questions``: functions of the rule set and of what is given. A function may carry
``keys``, the keys it understands in ``given``, which then are plain data; without it any key is taken. What it answers is
compared as it is: a map key by key, a list of cards whatever its order. Under the name of a built-in question a function
adds to it: its ``keys`` to what may be given, the keys of the map it answers to the answer.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Final

from gunzi.apps.scenarios.bottom import BURY, BURY_KINGS, DRY_POT, RETURN_CARDS, TRIBUTE_CARDS
from gunzi.apps.scenarios.dealing import DECLARE, DRAW_TRUMP, FIRST_DEALER, REVEAL
from gunzi.apps.scenarios.playing import FOLLOW, LEAD, TRICK
from gunzi.apps.scenarios.question import Answer, Given, Question
from gunzi.apps.scenarios.reading import Field, Fields, anything
from gunzi.apps.scenarios.settling import SETTLE, TITLE, TRIBUTE_DUE
from gunzi.errors import GunziError, PluginError, ScenarioError, Text

if TYPE_CHECKING:
    from gunzi.ruleset import RuleSet

BUILT_IN: Final[Mapping[str, Question]] = {
    question.name: question
    for question in (
        FIRST_DEALER,
        REVEAL,
        DECLARE,
        DRAW_TRUMP,
        TRIBUTE_DUE,
        TRIBUTE_CARDS,
        RETURN_CARDS,
        DRY_POT,
        BURY,
        BURY_KINGS,
        LEAD,
        FOLLOW,
        TRICK,
        SETTLE,
        TITLE,
    )
}
"""The questions of ``FORMAT``, in the order of a hand."""

Asked = Callable[["RuleSet", Mapping[str, Any]], Any]


def questions_of(rules: RuleSet) -> dict[str, Question]:
    """Every question this rule set answers. Raises PluginError where two plugins answer the same."""
    found = dict(BUILT_IN)
    owners: dict[str, str] = {}
    for plugin, answers in rules.host.each("questions"):
        for name, ask in answers.items():
            if name in owners:
                said = Text(
                    f"问题 {name} 有两个插件都来答：{owners[name]} 和 {plugin}",
                    f"plugins {owners[name]} and {plugin} both answer the question {name}",
                )
                raise PluginError(said, plugin)
            owners[name] = plugin
            found[name] = _extended(BUILT_IN[name], plugin, ask) if name in BUILT_IN else _foreign(name, plugin, ask)
    return found


def _keys(ask: Asked) -> dict[str, Field]:
    return {str(key): Field(anything) for key in getattr(ask, "keys", ())}


def _foreign(name: str, plugin: str, ask: Asked) -> Question:
    keys = Fields("given", _keys(ask), partial=True, open=not hasattr(ask, "keys"))
    return Question(name, keys, anything, _guarded(name, plugin, ask))


def _extended(question: Question, plugin: str, ask: Asked) -> Question:
    own = _guarded(question.name, plugin, ask)

    def both(rules: RuleSet, given: Given) -> Answer:
        found = question.ask(rules, given)
        answer = found if isinstance(found, Answer) else Answer(found)
        more = own(rules, given)
        if isinstance(answer.value, dict) and isinstance(more, Mapping):
            answer = replace(answer, value={**answer.value, **more})
        return answer

    fields = Fields("given", {**question.given.fields, **_keys(ask)})
    kind = question.answer
    if isinstance(kind, Fields):
        kind = Fields(kind.what, kind.fields, partial=True, open=True)
    return replace(question, given=fields, answer=kind, ask=both)


def _guarded(name: str, plugin: str, ask: Asked) -> Asked:
    """The plugin's function; a key it misses in ``given`` is the scenario's fault, any other error the plugin's."""

    def call(rules: RuleSet, given: Mapping[str, Any]) -> Any:
        try:
            return ask(rules, given)
        except GunziError:
            raise
        except KeyError as error:
            if error.args and error.args[0] not in given:
                raise ScenarioError(Text(f"given 里缺 {error.args[0]}", f"given lacks {error.args[0]}")) from error
            raise _raised(plugin, name, error) from error
        except Exception as error:
            raise _raised(plugin, name, error) from error

    return call


def _raised(plugin: str, name: str, error: Exception) -> PluginError:
    return PluginError(
        Text(
            f"插件 {plugin} 答问题 {name} 时出错：{error!r}",
            f"plugin {plugin} raised in its question {name}: {error!r}",
        ),
        plugin,
    )
