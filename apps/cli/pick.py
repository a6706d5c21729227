"""``gunzi pick``: a few telling questions, the nearest presets, and a variant file.

Each question is the option that splits the presets still in the running best.
"""

from __future__ import annotations

import os
import re
import sys
from argparse import Namespace
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from math import log2
from pathlib import Path
from typing import Any, Final

from gunzi.apps.cli.new import check_id, for_editors, text_of, write_new
from gunzi.apps.cli.output import Out, is_terminal
from gunzi.apps.cli.parser import OK, Parser, Stop
from gunzi.apps.cli.presets import brief, meaning
from gunzi.loading import load, preset_ids
from gunzi.options import BadValue, Option
from gunzi.ruleset import RuleSet
from gunzi.variant import kebab

FREE: Final = ("follow.shapes",)
"""What every text leaves to the table: asked once the presets are told apart."""
FEWEST: Final = 4
"""So many questions are asked even where fewer tell the presets apart: an answer may be an odd one out."""
RECOMMENDED: Final = "dalian"
"""The preset of the recommended rules."""
DONT_KNOW: Final = "?"
_BETWEEN: Final = re.compile(r"[,，](?![^\[\]{}]*[\]}])")
"""The commas between answers: those within ``[3, 10]`` are the value's."""


def arguments(parser: Parser) -> None:
    """What the command takes."""
    t = parser.say
    parser.add_argument(
        "--answers",
        metavar="ANSWERS",
        help=t("答案，用逗号隔开；或者写着答案的文件", "the answers, with commas between them; or a file of them"),
    )
    parser.add_argument("--out", metavar="FILE", help=t("把结果写成变体文件", "write the result as a variant file"))
    parser.add_argument(
        "--id", metavar="ID", help=t("变体的名字（不写就用文件名）", "the variant's id (default: from the file's name)")
    )
    parser.add_argument("--force", action="store_true", help=t("文件已经有了也照写", "overwrite the file if it exists"))
    parser.add_json()


def run(args: Namespace, out: Out) -> int:
    """Ask, tell, write."""
    id = _id_of(args)
    presets = [load(id) for id in preset_ids()]
    given: Iterator[str] | None = None
    stated: dict[str, Any] = {}
    if args.answers is not None:
        words = _words(args.answers)
        stated = _stated(words, presets[0])
        given = iter([word for word in words if "=" not in word])
    answers = _ask_all(presets, given, stated, out, quiet=bool(args.json or args.answers is not None))
    ranked = rank(presets, answers)
    if args.json:
        out.json(as_json(ranked, answers))
    else:
        tell(ranked, answers, out)
    if args.out:
        nearest = ranked[0][0]
        rules = nearest.with_options({option: answers[option] for option in ranked[0][1]}, "pick")
        write_new(args.out, for_editors(rules, text_of(rules, id, nearest.id, args.out)), args.force)
        (out.tell if args.json else out.line)(out.t(f"写好了 {args.out}", f"wrote {args.out}"))
    return OK


def _id_of(args: Namespace) -> str:
    if not args.out:
        return ""
    id: str = args.id or kebab(Path(args.out).stem) or "my-house"
    check_id(id)
    if os.path.exists(args.out) and not args.force:
        raise Stop(f"{args.out} 已经有了；要覆盖它请加 --force", f"{args.out} exists already; --force overwrites it")
    return id


def _words(text: str) -> list[str]:
    if text == "-":
        text = sys.stdin.read()
    elif os.path.isfile(text):
        text = Path(text).read_text(encoding="utf-8-sig")
    lines = [line.partition("#")[0] for line in text.splitlines()]
    return [word.strip() for line in lines for word in _BETWEEN.split(line) if word.strip()]


def _stated(words: Sequence[str], rules: RuleSet) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for word in words:
        name, sign, text = (part.strip() for part in word.partition("="))
        if not sign or text in (DONT_KNOW, "？"):
            continue
        option = rules.option(name)
        try:
            found[name] = option.read(text)
        except BadValue as wrong:
            raise Stop(f"答案 {word}：{wrong.text.zh}", f"answer {word}: {wrong.text.en}") from None
    return found


# -- choosing questions ----------------------------------------------------------------------------------------


def best_question(presets: Sequence[RuleSet], answered: Mapping[str, Any]) -> str | None:
    """The unanswered option that tells the presets apart best; None where nothing does."""
    best, most = None, 0.0
    for option in presets[0].option_ids():
        if option in answered or not presets[0].option(option).values():
            continue
        counts = Counter(repr(rules.options[option]) for rules in presets)
        spread = -sum(n / len(presets) * log2(n / len(presets)) for n in counts.values())
        if spread > most + 1e-9:
            best, most = option, spread
    return best


def running(presets: Sequence[RuleSet], answers: Mapping[str, Any]) -> list[RuleSet]:
    """The presets that fit the answers so far best."""
    ranked = rank(presets, answers)
    return [rules for rules, misses in ranked if len(misses) == len(ranked[0][1])]


def rank(presets: Sequence[RuleSet], answers: Mapping[str, Any]) -> list[tuple[RuleSet, list[str]]]:
    """The presets, nearest first, each with the answered options on which it differs; what every text leaves to the
    table does not count. Of equally near ones the recommended rules come first."""
    found = []
    for rules in presets:
        misses = [option for option, value in answers.items() if value is not None and rules.options[option] != value]
        found.append((rules, misses))
    found.sort(key=lambda pair: (_misses(pair), pair[0].id != RECOMMENDED))
    return found


def _ask_all(
    presets: Sequence[RuleSet], given: Iterator[str] | None, stated: Mapping[str, Any], out: Out, quiet: bool
) -> dict[str, Any]:
    answers: dict[str, Any] = dict(stated)
    asked = 0
    if not quiet:
        out.wrapped(
            out.t(
                "答几个问题，看哪套预设最像你家的打法。写序号或值；? 不知道；直接结束输入（Ctrl-D）就不再问。",
                "A few questions tell which preset is nearest to how you play. Type a number or a value; ? if you do not "
                "know; end the input (Ctrl-D) to stop.",
            )
        )
    while True:
        left = running(presets, answers)
        option = best_question(left, answers) if len(left) > 1 else None
        if option is None and asked < FEWEST:
            option = best_question(presets, answers)
        if option is None:
            option = next((free for free in FREE if free not in answers), None)
        if option is None:
            return answers
        asked += 1
        answer = _ask(left[0].option(option), asked, given, out, quiet)
        if answer is StopIteration:
            return answers
        answers[option] = answer


def _ask(option: Option, number: int, given: Iterator[str] | None, out: Out, quiet: bool) -> Any:
    values = list(option.values())
    if not quiet:
        out.line()
        out.title(f"{number}. {out.say(option.name)}")
        out.wrapped(out.say(option.doc), "   ")
        for place, (value, text) in enumerate(option.values().items()):
            out.wrapped(out.say(text), "      ", first=f"   {place + 1}  {out.style(value, 'cyan')}  ")
    while True:
        word = next(given, None) if given is not None else out.ask("> ")
        if word is None:
            return StopIteration
        if word in (DONT_KNOW, "？", "-", ""):
            return None
        try:
            if word.isascii() and word.isdigit() and 1 <= int(word) <= len(values):
                return option.read(values[int(word) - 1])
            return option.read(word.lower())
        except BadValue as wrong:
            listed = ", ".join(values)
            zh, en = f"{wrong.text.zh}；可以写 {listed}", f"{wrong.text.en}; write one of {listed}"
            if given is not None or not is_terminal(sys.stdin):
                raise Stop(f"第 {number} 个答案：{zh}", f"answer {number}: {en}") from None
            out.line(out.t(zh, en))


# -- telling ---------------------------------------------------------------------------------------------------


def tell(ranked: Sequence[tuple[RuleSet, list[str]]], answers: Mapping[str, Any], out: Out) -> None:
    """The nearest presets, with the differences that remain."""
    t = out.t
    known = {option: value for option, value in answers.items() if value is not None}
    out.line()
    if known:
        out.title(t("你家的打法", "How you play"))
        first = ranked[0][0]
        out.table(
            [
                (option, first.option(option).show(value), out.say(first.option(option).name))
                for option, value in known.items()
            ],
            indent="  ",
        )
        out.line()
    least = _misses(ranked[0])
    best = [rules for rules, misses in ranked if _misses((rules, misses)) == least]
    names = t("、", ", ").join(f"{out.style(rules.id, 'bold')} {out.say(rules.name)}" for rules in best)
    if known:
        out.line(t("最接近的预设：", "Nearest: ") + names)
    else:
        advised = f"{out.style(best[0].id, 'bold')} {out.say(best[0].name)}"
        out.line(
            t(
                f"一题也没答，分不出哪套最近；推荐 {advised}",
                f"Nothing was answered, so none is nearest; recommended: {advised}",
            )
        )
    if len(best) > 1:
        _print_open(best, known, out)
    for rules, misses in ranked[: max(3, len(best))] if known else ():
        odd = [option for option in misses if option not in FREE]
        if not odd:
            out.line(f"  {rules.id}: " + t("和你的答案全一样", "agrees with all your answers"))
            continue
        shown = [
            f"{option}={brief(rules, option)}"
            + t(
                f"（你：{rules.option(option).show(answers[option])}）",
                f" (you: {rules.option(option).show(answers[option])})",
            )
            for option in odd
        ]
        out.wrapped(t("，", ", ").join(shown), "      ", first=f"  {rules.id}: " + t("不同的有 ", "differs on "))
    _print_unasked(ranked, known, out)
    out.line()
    nearest, misses = ranked[0]
    sets = " ".join(f"--set {option}={_shell(nearest.option(option).show(answers[option]))}" for option in misses)
    command = f"gunzi play {nearest.id} {sets}".rstrip()
    out.line(t("打一桌：", "play it: ") + command)


def _print_open(best: Sequence[RuleSet], known: Mapping[str, Any], out: Out) -> None:
    """On what the nearest presets still differ from each other."""
    t = out.t
    rows = []
    for option in best[0].option_ids():
        if option in known:
            continue
        holders: dict[str, list[str]] = {}
        for rules in best:
            holders.setdefault(brief(rules, option), []).append(rules.id)
        if len(holders) > 1:
            rows.append((option, "  ".join(f"{value} ({' '.join(ids)})" for value, ids in holders.items())))
    out.line(
        "  "
        + (
            t("它们之间不同的：", "still open between them:")
            if rows
            else t("它们的每个选项都一样。", "They agree on every other option.")
        )
    )
    out.table(rows, indent="    ")


def _print_unasked(ranked: Sequence[tuple[RuleSet, list[str]]], known: Mapping[str, Any], out: Out) -> None:
    """What the nearest preset says on points that were not asked, and on which presets differ."""
    t = out.t
    nearest = ranked[0][0]
    rows = [
        (option, brief(nearest, option), meaning(nearest, option, out))
        for option in nearest.option_ids()
        if option not in known and len({repr(rules.options[option]) for rules, _ in ranked}) > 1
    ]
    if rows:
        out.line()
        out.line(t(f"没问到的，{nearest.id} 是这样：", f"Not asked; {nearest.id} has:"))
        out.table(rows, indent="  ")


def _shell(text: str) -> str:
    return text if all(char.isalnum() or char in "._-" for char in text) else f"'{text}'"


def _misses(pair: tuple[RuleSet, list[str]]) -> int:
    return sum(option not in FREE for option in pair[1])


def as_json(ranked: Sequence[tuple[RuleSet, list[str]]], answers: Mapping[str, Any]) -> dict[str, Any]:
    """The result as data."""
    return {
        "answers": dict(answers),
        "nearest": [
            {
                "id": rules.id,
                "name": {"zh": rules.name.zh, "en": rules.name.en},
                "differs": [
                    {"option": option, "value": rules.options[option], "answer": answers[option]} for option in misses
                ],
            }
            for rules, misses in ranked
        ],
    }
