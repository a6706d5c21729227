"""``gunzi verify --as``: foreign records under a rule set; every event it would not allow."""

from __future__ import annotations

import json
import os
from argparse import Namespace
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from gunzi.apps.cli import names
from gunzi.apps.cli.failures import os_trouble
from gunzi.apps.cli.output import Out
from gunzi.apps.cli.parser import Stop, load_rules
from gunzi.apps.cli.records import advice
from gunzi.apps.cli.verify import record_files, status_of
from gunzi.errors import RecordError
from gunzi.ruleset import RuleSet
from gunzi.wording import counted

if TYPE_CHECKING:
    from gunzi.apps.audit import Audit, Finding, Mapping, Row


def run(args: Namespace, out: Out) -> int:
    """Audit the records or logs; 1 where anything is found, 2 where one cannot be read."""
    from gunzi.apps.audit import read_mapping

    if args.under is None:
        named = "--mapping" if args.mapping else "--write" if args.write else "--set"
        raise Stop(
            f"{named} 要和 --as 规则 一起用：gunzi verify --as yuwang 牌谱",
            f"{named} goes with --as RULES: gunzi verify --as yuwang RECORD",
        )
    if args.write is not None and (args.mapping is None or len(args.files) != 1):
        raise Stop(
            "--write 要和 --mapping 一起用，一次转一个日志", "--write goes with --mapping, and with one log at a time"
        )
    rules = load_rules(args.under, args.overrides)
    mapping = read_mapping(args.mapping) if args.mapping else None
    if mapping is not None and args.write is not None:
        _write(args.files[0], args.write, mapping, rules, out)
    files = record_files(args.files) if mapping is None else list(dict.fromkeys(args.files))
    found = [_one(file, mapping, rules, args.json, out) for file in files]
    if args.json:
        out.json({"rules": rules.id, "hash": rules.hash, "files": found})
    elif len(found) > 1:
        good = sum(row["ok"] for row in found)
        out.line()
        out.line(out.t(f"{len(found)} 份，{good} 份全都许", f"{good} of {len(found)} hold nothing these rules forbid"))
    return status_of(found)


def _rows(file: str, mapping: Mapping | None) -> Iterator[Row]:
    from gunzi.apps.audit import log_rows, record_rows

    return record_rows(file) if mapping is None else log_rows(file, mapping)


def _one(file: str, mapping: Mapping | None, rules: RuleSet, as_data: bool, out: Out) -> dict[str, Any]:
    from gunzi.apps.audit import audit

    judged = audit(_rows(file, mapping), rules)
    found: list[dict[str, Any]] = []
    row: dict[str, Any] = {"file": file, "ok": True}
    findings = iter(judged)
    while True:
        # What cannot be printed is no fault of the log.
        try:
            finding = next(findings, None)
        except OSError as error:
            out.tell(f"gunzi: {os_trouble(error, out)}")
            return {**row, "ok": False, "unreadable": True, "message": os_trouble(error, out)}
        except RecordError as error:
            told = out.say(error.text) + (out.say(advice(file)) if mapping is None else "")
            out.tell(f"gunzi: {file}{out.t('：', ': ')}{told}")
            return {**row, "ok": False, "unreadable": True, "message": told}
        if finding is None:
            break
        if as_data:
            found.append(finding.as_json())
        else:
            _print(file, finding, out)
    row["ok"] = not judged.summary.findings
    if not as_data:
        _print_summary(file, judged, rules, out)
    return {**row, **judged.summary.as_json(), **({"findings": found} if as_data else {})}


def _print(file: str, finding: Finding, out: Out) -> None:
    t = out.t
    parts = []
    if finding.hand is not None:
        parts.append(t(f"第 {finding.hand} 把", f"hand {finding.hand}"))
    if finding.kind:
        parts.append(finding.kind)
    if finding.seat is not None:
        parts.append(t(f"{finding.seat} 号位", f"seat {finding.seat}"))
    if finding.cards:
        parts.append(out.cards(finding.cards))
    rule = finding.rule
    if finding.option is not None:
        rule += f" = {_plain(finding.value)}"
    out.line(
        "  ".join([f"{file}:{finding.line}: {out.style(rule, 'red')}", *([t("，", ", ").join(parts)] if parts else [])])
    )
    out.wrapped(out.say(finding.text), "    ")
    if finding.origin:
        where = names.place(finding.origin)
        out.line(out.style("    " + t(f"这一项写在 {where.zh}", f"set at {where.en}"), "dim"))
    if finding.impossible:
        out.line(
            "    " + t("没法照办，这一把后面的不查了", "it cannot have been so: the rest of the hand is not judged")
        )


def _plain(value: Any) -> str:
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)


def _print_summary(file: str, judged: Audit, rules: RuleSet, out: Out) -> None:
    t = out.t
    found = judged.summary
    counts = t(
        f"{found.hands} 把，{found.events} 步", f"{counted(found.hands, 'hand')}, {counted(found.events, 'event')}"
    )
    if found.unjudged:
        counts += t(f"，其中 {found.unjudged} 步没法查", f", {found.unjudged} of them not judged")
    if not found.findings:
        mark = out.style(t("对", "ok"), "green")
        out.line(f"{file}: {mark}  {rules.id}{t('，', ', ')}{counts}")
        return
    out.line()
    out.line(
        f"{file}: "
        + t(
            f"按 {rules.id}，{counts}，{found.findings} 处不许",
            f"under {rules.id}, {counts}, {found.findings} not allowed",
        )
    )
    out.table([(rule, str(count)) for rule, count in found.as_json()["by"].items()], indent="  ", right=[1])


def _write(log: str, target: str, mapping: Mapping, rules: RuleSet, out: Out) -> None:
    """The log as a record, written line by line and whole or not at all."""
    from gunzi.apps.audit import log_record
    from gunzi.apps.cli.writing import whole_file

    for source, zh, en in ((log, "日志", "the log"), (mapping.source.path, "对照表", "the mapping")):
        if os.path.exists(target) and os.path.exists(source) and os.path.samefile(target, source):
            raise Stop(
                f"--write {target} 就是{zh}自己，会把它盖掉；换一个文件名",
                f"--write {target} is {en} itself and would take its place: name another file",
            )
    count = 0
    with whole_file(target) as file:
        for row in log_record(log, mapping, rules):
            file.write(json.dumps(row, ensure_ascii=False) + "\n")
            count += 1
    out.tell(out.t(f"写好了 {target}，{count - 1} 个事件", f"wrote {target}, {counted(count - 1, 'event')}"))
