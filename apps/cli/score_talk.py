"""Asking for the hands of a real table one entry at a time; every entry is kept at once."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final

from gunzi.apps.cli import score_words as words
from gunzi.apps.cli.entry import KEYS, NO, Entry, Wrong, key_of, merged, plain, read_line
from gunzi.apps.cli.failures import os_trouble
from gunzi.apps.cli.ledger import Ledger
from gunzi.apps.cli.names import players_named
from gunzi.apps.cli.output import Out
from gunzi.apps.cli.parser import Stop
from gunzi.apps.cli.sheet import Row, Sheet, Step
from gunzi.apps.cli.told import Standing, check, wanted
from gunzi.cards import Card
from gunzi.errors import GunziError, Text

QUESTIONS: Final = {
    "dealer": Text("庄家几号", "dealer's seat"),
    "trump": Text("主花色（S H C D）", "trump suit (S H C D)"),
    "tribute": Text("实际进贡（1>2:3，没进写 no）", "tribute actually paid (1>2:3, or no)"),
    "points": Text(
        "抓分方台面分（不算底；只知道总分写 =130）",
        "points in the attackers' tricks (without the bottom; the total only: =130)",
    ),
    "total": Text("抓分方总分（连底）", "the attackers' total (with the bottom)"),
    "captured": Text("抠底了吗（yes/no）", "bottom captured (yes/no)"),
    "bottom": Text("最后的底牌（BJ,LJ,C7,…）", "the bottom as it lay (BJ,LJ,C7,…)"),
    "kings": Text("底里的王（BJ,LJ，没有写 no）", "jokers in the bottom (BJ,LJ, or no)"),
    "dry": Text("干锅吗（yes/no）", "dry pot (yes/no)"),
    "last": Text("赢下最后一圈的牌", "the cards that won the last trick"),
}
COMMANDS: Final[Mapping[str, tuple[str, ...]]] = {
    "undo": ("undo", "退回", "悔"),
    "redo": ("redo", "恢复"),
    "sheet": ("sheet", "积分", "记分"),
    "why": ("why", "为什么", "为啥"),
    "edit": ("edit", "改"),
    "print": ("print", "打印"),
    "players": ("players", "名字"),
    "help": ("help", "?", "帮助"),
    "quit": ("quit", "q", "exit", "退出"),
}
"""What can be typed besides answers, some with a word after it."""
_COMMAND_OF: Final = {word: name for name, all_words in COMMANDS.items() for word in all_words}
_RIVALS: Final = {"points": "total", "total": "points", "bottom": "kings", "kings": "bottom"}
_LATER: Final = frozenset({"sheet", "why", "print", "help", "players"})
"""Commands that leave the hand being entered as it is."""


class Ended(Exception):
    """The input is over."""


class Changed(Exception):
    """The sheet is another one now: ask anew."""


class Talk:
    """The conversation. ``printed(path)`` prints the sheet into a file and says so."""

    def __init__(self, sheet: Sheet, ledger: Ledger, out: Out, printed: Callable[[str], None]) -> None:
        self.sheet = sheet
        self.ledger = ledger
        self.out = out
        self.printed = printed
        self.unsaved = False

    def run(self) -> None:
        """Ask until the input ends. Raises OSError or Stop where the last entries could not be kept."""
        self.out.line(self._how())
        try:
            while True:
                self.out.line()
                try:
                    self._hand()
                except Changed:
                    continue
        except Ended:
            pass
        if self.unsaved:
            self.ledger.save(self.sheet)
        path = self.ledger.path
        self.out.line(self.out.t(f"记在 {path} 里，下次接着记", f"kept in {path}; to be gone on with"))

    def _how(self) -> str:
        return self.out.t(
            "一项一项地填，回车用方括号里的；也可以一行写完：dealer=0 trump=H points=85 captured=no bottom=…\n"
            "undo 退回，redo 恢复，edit 2 改第 2 把，why 讲每个数的来历，sheet 看记分表，? 看说明，quit 结束",
            "Fill in one by one, Enter takes what is in brackets; or all on one line: "
            "dealer=0 trump=H points=85 captured=no bottom=…\n"
            "undo takes back, redo puts back, edit 2 corrects hand 2, why gives the reasons, sheet shows the scores, ? helps, "
            "quit ends",
        )

    def save(self) -> None:
        """Keep everything as it is now; where that fails, say so and go on: the next entry tries again."""
        try:
            self.ledger.save(self.sheet)
            self.unsaved = False
        except (OSError, Stop) as error:
            why = self.out.say(error.text) if isinstance(error, Stop) else os_trouble(error, self.out)
            self.unsaved = True
            self.out.tell(self.out.t(f"gunzi: 没存上：{why}", f"gunzi: not saved: {why}"))

    # -- a hand ------------------------------------------------------------------------------------------------

    def _hand(self) -> None:
        """Ask for a hand, or for what is missing of it, and settle it."""
        sheet, out = self.sheet, self.out
        standing, old = sheet.standing, Entry()
        if sheet.correcting is not None:
            row = sheet.rows[sheet.correcting - 1]
            standing, old = row.standing, row.told
            said = words.hand_title(sheet, row, out)
            out.title(out.t(f"改{said}", f"Correcting {said[:1].lower()}{said[1:]}"))
        else:
            out.title(words.coming(sheet, out))
        if sheet.entering:
            shown = " ".join(f"{key}={value}" for key, value in sheet.entering.items())
            out.line("  " + out.t(f"已经填了：{shown}", f"so far: {shown}"))
        while key := self._next_key(standing, old):
            self._ask(key, standing, old)
        try:
            if sheet.correcting is not None:
                number = sheet.correcting
                row = sheet.correct(number, sheet.entering)
            else:
                number, row = sheet.number, sheet.add(sheet.entering)
        except GunziError as error:
            self._wrong(Stop(error.text.zh, error.text.en))
            return
        except Stop as wrong:
            self._wrong(wrong)
            return
        self.save()
        self._told(row)
        later = [each for each in sheet.rows[number:] if each.remarks]
        for each in later:
            out.lines("  " + out.style(out.say(remark), "yellow") for remark in each.remarks)

    def _wrong(self, wrong: Stop) -> None:
        """Say what cannot be, and forget the entry it lies in: it is asked for again."""
        sheet = self.sheet
        self.out.line(self.out.say(wrong.text))
        key = wrong.key if isinstance(wrong, Wrong) else None
        found = [each for each in (key, _RIVALS.get(key or "")) if each is not None and each in sheet.entering]
        for each in found:
            del sheet.entering[each]
        if not found:
            sheet.entering, sheet.correcting = {}, None
        self.save()

    def _told(self, row: Row) -> None:
        out, sheet = self.out, self.sheet
        out.title(words.hand_title(sheet, row, out))
        out.lines(words.reasons(sheet, row, out))
        out.lines("  " + line for line in words.standings(sheet, out))

    def _next_key(self, standing: Standing, old: Entry) -> str | None:
        entering = self.sheet.entering
        keys = wanted(standing, merged(old, entering))
        if old and "dealer" not in keys:
            keys.insert(0, "dealer")
        return next((key for key in keys if key not in entering), None)

    def _ask(self, key: str, standing: Standing, old: Entry) -> None:
        """Ask for one entry and keep it. Raises Ended, and Changed where the sheet was changed instead."""
        out, sheet = self.out, self.sheet
        default = old.get(key) or ("no" if key == "dry" else "")
        if key == "tribute" and not default and standing.owed:
            default = f"{standing.owed.giver}>{standing.owed.receiver}:{standing.owed.count}"
        while True:
            text = out.ask(f"{out.say(QUESTIONS[key])}{f' [{default}]' if default else ''}: ")
            if text is None:
                raise Ended
            text = plain(text)
            if self._command(text):
                continue
            text = text or default
            if not text:
                continue
            try:
                entry = self._entry(key, text, standing, {**old, **sheet.entering})
            except Stop as wrong:
                out.line(out.say(wrong.text))
                continue
            sheet.entering = merged(sheet.entering, entry)
            self.save()
            return

    def _entry(self, key: str, text: str, standing: Standing, told: Entry) -> Entry:
        """What an answer says. Raises Wrong."""
        if key in ("points", "total") and text.startswith("="):
            entry = {"total": text[1:].strip()}
        elif "=" in text:
            entry = read_line(text)
        elif key == "bottom" and (text.lower() in NO or self._is_kings(text)):
            entry = {"kings": text}
        elif key == "kings" and text.lower() not in NO and not self._is_kings(text):
            entry = {"bottom": text}
        else:
            entry = {key: text}
        for each, value in entry.items():
            key_of(each)
            if value:
                check(each, value, standing, merged(told, entry))
        return entry

    def _is_kings(self, text: str) -> bool:
        """Are these jokers only, and fewer than the bottom has cards?"""
        from gunzi.apps.cli.typed import cards_of

        try:
            cards = cards_of(text)
        except GunziError:
            return False
        kings = (Card("BJ"), Card("LJ"))
        return 0 < len(cards) < self.sheet.rules.deck.bottom and all(card in kings for card in cards)

    # -- commands ----------------------------------------------------------------------------------------------

    def _command(self, text: str) -> bool:
        """Do what a line says where it is a command; False where it is an answer. Raises Ended and Changed."""
        first, _, rest = text.partition(" ")
        name = _COMMAND_OF.get(first.lower())
        if name is None or (rest and name not in ("why", "edit", "print", "players")):
            return False
        if name == "quit":
            raise Ended
        if name in _LATER:
            getattr(self, f"_{name}")(rest.strip())
            return True
        getattr(self, f"_{name}")(rest.strip())
        self.save()
        raise Changed

    def _help(self, rest: str) -> None:
        out = self.out
        out.line(self._how())
        names = "  ".join(f"{key}/{also[0]}" for key, also in KEYS.items())
        out.line(out.t(f"一行写完时的项目：{names}", f"what a line may tell: {', '.join(KEYS)}"))
        out.line(
            out.t(
                "底牌只记得王：回答 BJ,LJ 或 no（要么没抠底，要么只写总分）；print 文件.html 打印；players 甲，乙，丙，丁 改名字",
                "only the bottom's jokers are known: answer BJ,LJ or no (if it was held, or with the total only); "
                "print FILE.html prints; players A,B,C,D names the seats",
            )
        )

    def _undo(self, rest: str) -> None:
        sheet, t = self.sheet, self.out.t
        if sheet.entering:
            del sheet.entering[list(sheet.entering)[-1]]
            return
        if sheet.correcting is not None:
            sheet.correcting = None
            return
        step = sheet.undo()
        self.out.line(self._step(step, back=True) if step else t("没有可以退回的", "nothing to take back"))

    def _redo(self, rest: str) -> None:
        step = self.sheet.redo()
        self.out.line(self._step(step, back=False) if step else self.out.t("没有可以恢复的", "nothing to put back"))

    def _step(self, step: Step, back: bool) -> str:
        t, number = self.out.t, step.place + 1
        if step.was is not None:
            return (
                t(f"第 {number} 把改回去了", f"the correction of hand {number} taken back")
                if back
                else t(f"第 {number} 把又改过来了", f"hand {number} corrected again")
            )
        return (
            t(f"退回了第 {number} 把", f"hand {number}: one hand taken back")
            if back
            else t(f"恢复了第 {number} 把", f"hand {number} put back")
        )

    def _edit(self, rest: str) -> None:
        first, _, more = rest.partition(" ")
        number = self._number(first)
        if number is None:
            return
        sheet = self.sheet
        try:
            entry = read_line(more)
            if entry:
                row = sheet.correct(number, entry)
                self._told(row)
                return
        except (Stop, GunziError) as wrong:
            self.out.line(self.out.say(wrong.text))
            return
        sheet.entering, sheet.correcting = {}, number

    def _why(self, rest: str) -> None:
        number = self._number(rest or str(len(self.sheet.rows)))
        if number is not None:
            self._told(self.sheet.rows[number - 1])

    def _number(self, text: str) -> int | None:
        """A hand's number; says so where there is none."""
        count = len(self.sheet.rows)
        word = text.removeprefix("第").strip().removesuffix("把").strip()
        if word.isascii() and word.isdigit() and len(word) < 6 and 1 <= int(word) <= count:
            return int(word)
        t = self.out.t
        self.out.line(
            t(f"写第几把：1 到 {count}", f"which hand? 1 to {count}") if count else t("还没有一把牌", "no hand yet")
        )
        return None

    def _sheet(self, rest: str) -> None:
        sheet, out = self.sheet, self.out
        if sheet.rows:
            out.table([words.cells(sheet, row, out) for row in sheet.rows], words.heads(sheet, out), indent="  ")
        out.lines("  " + line for line in words.standings(sheet, out))

    def _print(self, rest: str) -> None:
        try:
            self.printed(rest or "score.html")
        except OSError as error:
            self.out.line(os_trouble(error, self.out))

    def _players(self, rest: str) -> None:
        try:
            self.sheet.players = players_named(rest)
        except Stop as wrong:
            self.out.line(self.out.say(wrong.text))
            return
        self.save()
        self.out.line("  ".join(words.seat(self.sheet, number, self.out) for number in range(4)))
