"""``gunzi plugins``: what is installed, and for a rule set who answers each question."""

from __future__ import annotations

from argparse import Namespace
from importlib.metadata import PackageNotFoundError, packages_distributions, version
from typing import Any

from gunzi.apps.cli import names
from gunzi.apps.cli.output import Out
from gunzi.apps.cli.parser import OK, Parser, load_rules
from gunzi.errors import PluginError
from gunzi.host import SPECS, hook_methods
from gunzi.installed import installed, is_built_in, is_shut_out, plugin_class
from gunzi.plugin import Plugin
from gunzi.resolve import BASE
from gunzi.ruleset import RuleSet


def arguments(parser: Parser) -> None:
    """What the command takes."""
    parser.add_rules(optional=True)
    parser.add_json()


def run(args: Namespace, out: Out) -> int:
    """Print the plugins."""
    rules = load_rules(args.rules or BASE, args.overrides) if args.rules or args.overrides else None
    found = [_told(id) for id in (rules.plugins if rules else installed())]
    answers = decisions(rules) if rules else {}
    if args.json:
        data: dict[str, Any] = {"plugins": found}
        if rules:
            data["rules"], data["hooks"] = rules.id, answers
        out.json(data)
        return OK
    t = out.t
    own = [row for row in found if row["built_in"]]
    others = [row for row in found if not row["built_in"]]
    for title, rows in ((t("自带的", "Built in"), own), (t("另外装的", "Installed besides"), others)):
        out.title(title)
        if not rows:
            out.line("  " + t("没有", "none"))
        for row in rows:
            _print(row, out)
        out.line()
    if rules:
        out.title(t(f"{rules.id}：每个问题谁回答", f"{rules.id}: who answers each hook"))
        heads = (t("问题", "hook"), t("种类", "kind"), t("谁", "who"))
        kinds = {"decision": t("一家定", "decision"), "contribution": t("都可以说", "contribution")}
        out.table([(hook, kinds[row["kind"]], _who(row, out)) for hook, row in answers.items()], heads, indent="  ")
    return OK


def _who(row: dict[str, Any], out: Out) -> str:
    who = names.listed([id.removeprefix("gunzi.plugins.") for id in row["answers"]], out.lang) or out.t(
        "没有", "nobody"
    )
    if row["wraps"]:
        who += out.t("；包着它的：", "; wrapped by ") + names.listed(row["wraps"], out.lang)
    return who


def _print(row: dict[str, Any], out: Out) -> None:
    t = out.t
    if "error" in row:
        out.wrapped(
            row["error"], "    ", first=f"  {out.style(row['id'], 'bold')}  {t('用不了：', 'cannot be used: ')}"
        )
        return
    name = row["name"][out.lang]
    made = f"  {row['distribution']} {row['distribution_version']}" if not row["built_in"] else ""
    out.line(f"  {out.style(row['id'], 'bold')} {row['version']}  {name}{made}")
    if row["options"]:
        out.wrapped(names.listed(row["options"], out.lang), "      ", first="    " + t("选项：", "options: "))
    if row["hooks"]:
        out.wrapped(names.listed(row["hooks"], out.lang), "      ", first="    " + t("回答：", "answers: "))


def _told(id: str) -> dict[str, Any]:
    """An installed plugin as data; one that cannot be used says why."""
    row: dict[str, Any] = {"id": id, "built_in": is_built_in(id), "shut_out": is_shut_out(id)}
    try:
        plugin = plugin_class(id)
        methods = hook_methods(plugin)
    except PluginError as error:
        return {**row, "error": str(error)}
    distribution, number = _distribution(plugin)
    return {
        **row,
        "version": plugin.version,
        "name": {"zh": plugin.name.zh or id, "en": plugin.name.en or id},
        "distribution": distribution,
        "distribution_version": number,
        "replaces": list(plugin.replaces),
        "options": [option.id for option in plugin.options],
        "lints": sorted(plugin.lints),
        "hooks": sorted({method.hook for method in methods.values()}),
    }


def _distribution(plugin: type[Plugin]) -> tuple[str, str]:
    for point in installed().get(plugin.id, ()):
        dist = point.dist
        if dist is not None:
            return dist.name, dist.version
    top = plugin.__module__.partition(".")[0]
    for name in packages_distributions().get(top, ()):
        try:
            return name, version(name)
        except PackageNotFoundError:
            continue
    return "", ""


def decisions(rules: RuleSet) -> dict[str, dict[str, Any]]:
    """For each hook its kind, who answers, and who wraps the answer."""
    found: dict[str, dict[str, Any]] = {}
    for name, spec in SPECS.items():
        answers: list[str] = []
        wraps: list[str] = []
        for impl in getattr(rules.host.manager.hook, name).get_hookimpls():
            (wraps if impl.wrapper or impl.hookwrapper else answers).append(str(impl.plugin_name))
        kind = "decision" if spec.decision else "contribution"
        found[name] = {"kind": kind, "answers": answers, "wraps": wraps}
    return found
