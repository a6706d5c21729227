"""The suites: ``check_plugin`` and ``check_rules``."""

from __future__ import annotations

import os
import pickle
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

from gunzi.apps.testing.answers import watched_rules
from gunzi.apps.testing.asking import ask_everything
from gunzi.apps.testing.looking import check_swaps, check_views
from gunzi.apps.testing.options import check_declarations
from gunzi.apps.testing.playing import check_table
from gunzi.apps.testing.plays import check_plays
from gunzi.apps.testing.recording import check_records, check_round_trips
from gunzi.apps.testing.report import Checked, Report
from gunzi.apps.testing.texts import check_shown, check_text
from gunzi.errors import PluginError, RulesError, VariantError
from gunzi.host import hook_methods
from gunzi.installed import built_in_ids, installed, is_built_in, plugin_class
from gunzi.loading import load, load_text
from gunzi.optionset import CORE_LINTS
from gunzi.plugin import Plugin
from gunzi.ruleset import RuleSet

Rules = str | os.PathLike[str] | RuleSet
NEVER_ASKED: Final = frozenset({"redact", "narrate", "happened", "questions", "conflicts", "phases"})
"""Hooks that are asked by what is done with a table, and not by the table."""


def check_rules(
    rules: Rules, overrides: Mapping[str, Any] | None = None, *, hands: int = 3, seed: int = 1, swaps: int = 4
) -> Checked:
    """Try a rule set: a preset's id, a variant file or a loaded RuleSet, with ``overrides`` laid over it.

    ``hands`` are played at every table (some ten tables), ``swaps`` are the deals in which two hidden cards change places;
    0 where the rules show everybody's cards. Raises ConformanceError listing all that is wrong.
    """
    report = Report(str(rules.id if isinstance(rules, RuleSet) else rules))
    try:
        found = load(rules, overrides)
    except RulesError as error:
        report.fail("load", report.name, str(error))
        return report.done()
    _try_rules(found, report, set(), hands=hands, seed=seed, swaps=swaps)
    return report.done()


def check_plugin(
    plugin: type[Plugin] | str,
    *,
    variants: Sequence[Rules] = (),
    extends: str = "dalian",
    hands: int = 2,
    seed: int = 1,
    swaps: int = 4,
) -> Checked:
    """Try an installed plugin (its class or its id): its declarations, the preset ``extends`` with it under every value of
    its options, and the ``variants`` that use it.

    Raises ConformanceError listing all that is wrong.
    """
    id = plugin if isinstance(plugin, str) else plugin.id
    report = Report(id)
    try:
        found = plugin_class(plugin) if isinstance(plugin, str) else plugin
    except PluginError as error:
        report.fail("plugin", id, str(error))
        return report.done()
    with report.part("plugin", id):
        check_declarations(found, report)
    if id not in installed():
        return report.done()
    asked: set[str] = set()
    played: set[str] = set()
    for number, rules in enumerate(_rule_sets(found, extends, variants, report)):
        played.update(rules.options["phases"])
        if number <= len(variants):
            _try_rules(rules, report, asked, hands=hands, seed=seed, swaps=swaps)
        else:
            _try_briefly(rules, report, asked, seed=seed)
        _check_lints(found, rules, report)
        if not is_built_in(id):
            for phase, (owner, _) in rules.host.phases.items():
                if owner == id and phase not in played:
                    report.note(f"the phase {phase} was not played: pass `variants` that list it")
    report.notes = [note for note in report.notes if not any(f"phase {phase} " in note for phase in played)]
    if not report.failures:
        _note_unasked(found, asked, report)
    return report.done()


def _rule_sets(plugin: type[Plugin], extends: str, variants: Sequence[Rules], report: Report) -> Iterator[RuleSet]:
    """The preset with the plugin, the variants, then the preset under every single value of the plugin's options."""
    base = _loaded(lambda: _with_plugin(plugin, extends, {}), f"{extends} with {plugin.id}", report)
    if base is not None:
        yield base
    for variant in variants:
        rules = _loaded(lambda variant=variant: load(variant), str(variant), report)
        if rules is None:
            continue
        said = f"it does not use the plugin {plugin.id}"
        if report.that(plugin.id in rules.plugins, "load", str(variant), said):
            yield rules
    for option in plugin.options if base is not None else ():
        for value in option.examples():
            if base is not None and value != base.options[option.id]:
                rules = _loaded(
                    lambda id=option.id, value=value: _with_plugin(plugin, extends, {id: value}),
                    f"{extends} with {option.id} = {value!r}",
                    report,
                )
                if rules is not None:
                    yield rules


def _with_plugin(plugin: type[Plugin], extends: str, values: Mapping[str, Any]) -> RuleSet:
    if is_built_in(plugin.id):
        return load(extends).with_options(values)
    text = f"gunzi: 1\nid: check-{extends}\nextends: {extends}\nplugins: [{plugin.id}]\n"
    return load_text(text).with_options(values)


def _loaded(make: Any, where: str, report: Report) -> RuleSet | None:
    report.counts["load"] += 1
    plugins = [plugin_class(id) for id in (*built_in_ids(), report.name) if id in installed()]
    try:
        rules: RuleSet = make()
        return rules
    except VariantError as error:
        if any(problem.code == "bad-value" for problem in error.problems) or not error.problems:
            report.fail("load", where, str(error))
        else:
            codes = sorted({problem.code for problem in error.problems if problem.severity == "error"})
            report.note(f"{where} is a conflict ({', '.join(codes)}) and was not played")
            for code in codes:
                known = any(code in each.lints for each in plugins) or code in CORE_LINTS
                report.that(known, "plugin", where, f"the conflict {code} is explained in no plugin's `lints`")
    except RulesError as error:
        report.fail("load", where, str(error))
    except Exception as error:
        report.fail("load", where, f"raised {type(error).__name__}: {error}")
    return None


def _try_rules(rules: RuleSet, report: Report, asked: set[str], *, hands: int, seed: int, swaps: int) -> None:
    _check_texts(rules, report)
    with report.part("hooks", rules.id):
        watched = watched_rules(rules, report, asked)
        ask_everything(watched, report, seed=seed)
        check_table(watched, report, hands=hands, seed=seed)
    check_plays(rules, report, seed=seed)
    check_views(rules, report, hands=min(hands, 2), seed=seed + 1)
    check_swaps(rules, report, swaps=swaps, seed=seed)
    check_records(rules, report, hands=hands, seed=seed + 2)
    check_round_trips(rules, report)
    with report.part("round-trips", rules.id):
        same = pickle.loads(pickle.dumps(rules)) == rules
        report.that(same, "round-trips", rules.id, "pickled it is another rule set")


def _try_briefly(rules: RuleSet, report: Report, asked: set[str], *, seed: int) -> None:
    with report.part("hooks", rules.id):
        watched = watched_rules(rules, report, asked)
        ask_everything(watched, report, seed=seed, samples=4)
        check_table(watched, report, hands=1, seed=seed)
    check_plays(rules, report, hands=8, seed=seed)
    check_records(rules, report, hands=1, seed=seed)
    check_round_trips(rules, report)


def _check_texts(rules: RuleSet, report: Report) -> None:
    check_shown(rules.name, "its name", rules.id, report)
    for id in rules.option_ids():
        check_shown(rules.value_text(id), f"{id} = {rules.options[id]!r}", rules.id, report)
    for rule in rules.rule_ids():
        if rule not in rules.options:
            check_text(rules.rule_text(rule), f"the rule {rule}", rules.id, report)


def _check_lints(plugin: type[Plugin], rules: RuleSet, report: Report) -> None:
    for id, answer in rules.host.each("conflicts", options=rules.options):
        for conflict in answer if id == plugin.id else ():
            lint = plugin.lints.get(conflict.code)
            said = f"it reports {conflict.code}, which its `lints` do not explain"
            if report.that(lint is not None, "plugin", plugin.id, said):
                said = f"it reports {conflict.code} as {'an error' if conflict.error else 'a warning'}, its `lints` say otherwise"
                report.that(lint is not None and lint.error == conflict.error, "plugin", plugin.id, said)


def _note_unasked(plugin: type[Plugin], asked: set[str], report: Report) -> None:
    own = {method.hook for method in hook_methods(plugin).values()}
    for hook in sorted(own - asked - NEVER_ASKED):
        report.note(f"the hook {hook} was never asked: its answers were not tried")
