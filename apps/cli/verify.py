"""``gunzi verify``: records re-checked, decision by decision; the first wrong event and the rule it breaks."""

from __future__ import annotations

from argparse import Namespace
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from gunzi.apps.cli.failures import os_trouble
from gunzi.apps.cli.output import Out
from gunzi.apps.cli.parser import COULD_NOT, FAILED, OK, Parser, Stop
from gunzi.apps.cli.progress import Progress
from gunzi.apps.cli.records import advice
from gunzi.errors import GunziError, RecordError, RulesError, Text
from gunzi.loading import from_header
from gunzi.problems import format_problems
from gunzi.record import Record
from gunzi.ruleset import RuleSet
from gunzi.verifying import verify
from gunzi.wording import counted


def arguments(parser: Parser) -> None:
    """What the command takes."""
    parser.add_argument(
        "files",
        nargs="+",
        metavar="RECORD",
        help=parser.say("牌谱文件（.jsonl），或装牌谱的文件夹", "record files (.jsonl), or folders of them"),
    )
    t = parser.say
    parser.add_argument(
        "--as",
        dest="under",
        metavar="RULES",
        help=t(
            "不管牌谱自己的规则，按这套规则查，凡是不许的都列出来",
            "whatever rules the record names: list every event that these rules would not allow",
        ),
    )
    parser.add_set()
    parser.add_argument(
        "--mapping",
        metavar="FILE",
        help=t(
            "RECORD 是别的程序的日志（CSV 或每行一个 JSON），这个文件说明哪一列是什么；和 --as 一起用",
            "RECORD is another program's log (CSV or JSON lines), and this file says what stands where; with --as",
        ),
    )
    parser.add_argument(
        "--write",
        metavar="OUT",
        help=t("把日志转成牌谱写到这里；和 --mapping 一起用", "write the log as a record; with --mapping"),
    )
    parser.add_json()


def run(args: Namespace, out: Out) -> int:
    """Check the records; 1 where one is wrong, 2 where one cannot be opened."""
    if args.under is not None or args.mapping is not None or args.write is not None or args.overrides:
        from gunzi.apps.cli.verify_as import run as audit

        return audit(args, out)
    files = record_files(args.files)
    found = []
    with Progress(out, out.t("核对", "checking"), len(files) if len(files) > 1 else 0) as bar:
        for place, file in enumerate(files):
            row = check(file, out)
            found.append(row)
            if not args.json:
                bar.clear()
                _print(row, out)
            bar.update(place + 1)
    if args.json:
        out.json(found)
    elif len(found) > 1:
        good = sum(row["ok"] for row in found)
        out.line()
        out.line(out.t(f"{len(found)} 份牌谱，{good} 份没有错", f"{good} of {len(found)} records follow their rules"))
    return status_of(found)


def status_of(rows: Sequence[Mapping[str, Any]]) -> int:
    """The exit status of the files' findings: a file that cannot be read counts more than one that is wrong."""
    if any("unreadable" in row for row in rows):
        return COULD_NOT
    return OK if all(row["ok"] for row in rows) else FAILED


def record_files(given: list[str]) -> list[str]:
    """The files named, and in the place of a folder the records below it. Raises Stop where a folder has none."""
    files: list[str] = []
    for name in given:
        path = Path(name)
        if path.is_dir():
            below = sorted(str(file) for file in path.rglob("*.jsonl"))
            if not below:
                raise Stop(f"{name} 里没有牌谱（.jsonl）", f"there are no records (.jsonl) in {name}")
            files += below
        else:
            files.append(name)
    return list(dict.fromkeys(files))


def check(file: str, out: Out) -> dict[str, Any]:
    """What a record's check says, as data."""
    rules: RuleSet | None = None
    try:
        record = Record.load(file)
        rules = from_header(record.header)
        checked = verify(record, rules)
    except OSError as error:
        return {"file": file, "ok": False, "unreadable": True, "message": os_trouble(error, out)}
    except RecordError as error:
        text = rule_text(rules, error.rule)
        return {
            "file": file,
            "ok": False,
            "line": error.line,
            "event": error.event,
            "rule": error.rule,
            "rule_text": {"zh": text.zh, "en": text.en} if text else None,
            "message": out.say(error.detail) + out.say(advice(file)),
        }
    except RulesError as error:
        told = format_problems(error.problems, "text", out.lang) if error.problems else out.say(error.text)
        return {"file": file, "ok": False, "line": 1, "event": None, "rule": None, "rule_text": None, "message": told}
    row = {"file": file, "ok": True, "rules": rules.id, "hands": checked.hands, "events": checked.events}
    return row | {"broken_off": checked.broken_off}


def rule_text(rules: RuleSet | None, rule: str | None) -> Text | None:
    """The sentence of a rule, where it has one."""
    if rules is None or rule is None:
        return None
    try:
        return rules.rule_about(rule)
    except (KeyError, GunziError):
        return None


def _print(row: dict[str, Any], out: Out) -> None:
    t = out.t
    if row["ok"]:
        mark = out.style(t("对", "ok"), "green")
        counts = t(
            f"{row['hands']} 把，{row['events']} 步",
            f"{counted(row['hands'], 'hand')}, {counted(row['events'], 'event')}",
        )
        if row["broken_off"]:
            counts += t("，最后一把没打完", ", the last hand not played to its end")
        out.line(
            f"{row['file']}: {mark}  {row['rules']}, {counts}"
            if out.lang == "en"
            else f"{row['file']}: {mark}  {row['rules']}，{counts}"
        )
        return
    if "unreadable" in row:
        out.tell(f"gunzi: {row['message']}")
        return
    where = f"{row['file']}:{row['line']}" if row["line"] else row["file"]
    mark = out.style(t("错", "WRONG"), "red")
    at = t(f"事件 {row['event']}", f"event {row['event']}") if row["event"] is not None else ""
    rule = t(f"规则 {row['rule']}", f"rule {row['rule']}") if row["rule"] else ""
    told = t("，", ", ").join(part for part in (at, rule) if part)
    out.line(f"{where}: {mark}" + (f"  {told}" if told else ""))
    if row["rule_text"]:
        out.wrapped(row["rule_text"][out.lang], "    ")
    if row["message"]:
        out.wrapped(row["message"], "    ")
