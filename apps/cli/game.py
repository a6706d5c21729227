"""A game in the terminal: one person, three bots, and what the person types."""

from __future__ import annotations

from collections.abc import Callable
from itertools import islice
from typing import Any, Final

from gunzi.acts import Act, Bury, BuryKings, Claim, Declare, Pass, Pay, Pick, Play, Return
from gunzi.apps.cli import answers, names, seat_view
from gunzi.apps.cli.narrate import Narrator
from gunzi.apps.cli.output import Out
from gunzi.apps.cli.typed import Unread, cards_of, command_of, suit_of
from gunzi.apps.players import Player, four_dice, one_act
from gunzi.ask import Ask, CardsAsk
from gunzi.cards import Card, rank_text
from gunzi.errors import CardError, Refused, Text
from gunzi.table import Table
from gunzi.wording import counted

CARD_ACTS: Final[dict[str, Callable[[tuple[Card, ...]], Act]]] = {
    "pay": Pay,
    "return": Return,
    "bury": Bury,
    "pick": Pick,
    "lead": Play,
    "follow": Play,
}
ASKED: Final = {
    "claim": Text("抢不抢亮？", "Claim?"),
    "declare": Text("亮不亮主？", "Declare?"),
    "pay": Text("进贡 {count} 张最大的", "pay tribute: your {count} largest"),
    "return": Text("还贡 {count} 张", "give back {count}"),
    "bury": Text("扣底 {count} 张", "bury {count}"),
    "bury_kings": Text("扣不扣王？", "Bury kings?"),
    "pick": Text("从底牌捡 {count} 张最小的", "pick up the {count} smallest of the bottom"),
    "lead": Text("该你领牌", "your lead"),
    "follow": Text("跟 {count} 张", "follow with {count}"),
}
IN_DEAL: Final = frozenset({"claim", "declare"})
MOST_LISTED: Final = 30
"""How many acts of a list are shown."""


class Left(Exception):
    """The person has left the table."""


class Game:
    """A table with a person at ``seat``. ``play`` runs until the table is over; raises Left or KeyboardInterrupt."""

    def __init__(self, table: Table, seat: int, bots: list[Player], advisor: Player, seed: int, out: Out) -> None:
        self.table = table
        self.seat = seat
        self.bots = bots
        self.advisor = advisor
        self.dice = four_dice(seed)
        self.out = out
        self.narrator = Narrator(out, seat, table.rules)
        self.told = 0
        self.refused: Refused | None = None
        self.hint: Act | None = None
        self.skipping: Any = None
        self.auto_hand: int | None = None
        self.after_act: Callable[[], None] = lambda: None
        self.after_hand: Callable[[], None] = lambda: None

    # -- the game ----------------------------------------------------------------------------------------------

    def play(self) -> None:
        """Play until the table is over."""
        table = self.table
        while not table.over:
            self.catch_up()
            ask = table.ask
            own = ask.seat == self.seat
            table.do(ask.seat, self._own_act(ask) if own else one_act(table, self.bots[ask.seat], self.dice))
            self.after_act()
        self.catch_up()

    def catch_up(self, quiet: bool = False) -> None:
        """Tell what has happened since the last time, as far as this seat may see it."""
        events = self.table.viewer(self.seat).events
        new = events[self.told :]
        self.told = len(events)
        for event in new:
            if event["e"] in ("deal", "disclose"):
                continue
            if event["e"] == "hand":
                self.skipping = None
                if not quiet:
                    self.out.line()
            if event["e"] == "declare":
                self.skipping = None
            lines = self.narrator.tell(event)
            if quiet:
                continue
            for line in lines:
                self.out.wrapped(line, "    ", first="") if "\x1b" not in line and len(
                    line
                ) > self.out.width else self.out.line(line)
            if event["e"] == "settle":
                answers.standing(self)
                self.after_hand()

    def _own_act(self, ask: Ask) -> Act:
        t = self.out.t
        if self.auto_hand is not None:
            if self.auto_hand == self.table.hand_number:
                return self.advice()
            self.auto_hand = None
        if len(ask) == 1:
            act = ask[0]
            self._say_forced(ask, act)
            return act
        if ask.kind in IN_DEAL and self.skipping == self.table.hand_number:
            return Pass()
        self.hint = None
        self._question(ask)
        while True:
            line = self._read()
            try:
                act_or_none = self._understand(ask, line)
            except Unread as error:
                self.out.line(
                    t(
                        f"看不懂 {error.part}；? 看怎么写",
                        f"{error.part}? Not a card, or not in the list; ? shows what can be typed",
                    )
                )
                continue
            except CardError as error:
                self.out.line(self.out.say(error.text))
                continue
            if act_or_none is None:
                continue
            try:
                refused = ask.refusal(act_or_none)
            except CardError as error:
                self.out.line(self.out.say(error.text))
                continue
            if refused is None:
                return act_or_none
            self._refuse(refused)

    def advice(self) -> Act:
        """What the advisor would do now."""
        return one_act(self.table, self.advisor, self.dice)

    # -- asking ------------------------------------------------------------------------------------------------

    def _question(self, ask: Ask) -> None:
        out, t = self.out, self.out.t
        out.line()
        if ask.kind in CARD_ACTS:
            self.show_hand(ask)
            out.lines(seat_view.trick_lines(self.narrator, out))
        elif ask.kind in IN_DEAL:
            self.show_hand(ask, numbers=False)
        text = self._asked(ask)
        if ask.kind in CARD_ACTS:
            count = len(ask)
            ways = t(f"（{count} 种出法）", f" ({counted(count, 'way')})") if count < 10000 else ""
            out.line(out.style(text, "bold") + out.style(ways + self._state(), "dim"))
            return
        out.line(out.style(text, "bold"))
        for place, act in enumerate(islice(ask, MOST_LISTED)):
            if isinstance(act, Pass):
                out.line("  0  " + t("不", "no") + out.style(t("（回车也行）", " (or Enter)"), "dim"))
            else:
                out.line(f"  {place}  {self.act_text(act)}")
        if ask.kind in IN_DEAL:
            out.line(
                out.style(
                    "  " + t("skip 这一把不再问，直到有人亮主", "skip: no more this hand, until somebody declares"),
                    "dim",
                )
            )

    def _asked(self, ask: Ask) -> str:
        count = ask.wanted if isinstance(ask, CardsAsk) else getattr(ask, "n", 0)
        said = ASKED.get(ask.kind, Text(ask.kind, ask.kind))
        return self.out.say(said.format(count=count))

    def _state(self) -> str:
        """Trump and points in a few words."""
        trump = self.narrator.trump
        if trump is None:
            return ""
        suit, rank = self.out.suit(trump.suit), rank_text(trump.level)
        return self.out.t(
            f" · 打 {rank}，主{suit} · 抓分方 {self.narrator.points} 分",
            f" · level {rank}, trump {suit} · attackers {self.narrator.points}",
        )

    def show_hand(self, ask: Ask | None = None, numbers: bool = True) -> None:
        """The person's cards (picking up: those of the bottom)."""
        self.out.lines(seat_view.hand_lines(self._groups(ask), self.out, numbers))

    def _groups(self, ask: Ask | None) -> list[tuple[str, list[Card]]]:
        hand = self.table.hand
        if ask is not None and ask.kind == "pick":
            return seat_view.in_hand_order(hand.bottom, hand.trump)
        return seat_view.in_hand_order(hand.cards_of(self.seat), hand.trump)

    def act_text(self, act: Act) -> str:
        """An act in words."""
        out, t = self.out, self.out.t
        if isinstance(act, Pass):
            return t("不", "no")
        if isinstance(act, Claim):
            return t(f"亮 {out.card(act.card)}，坐庄", f"show {out.card(act.card)} and deal")
        if isinstance(act, Declare):
            return t(
                f"用 {out.cards(act.cards)} 亮{out.suit(act.suit)}", f"{out.suit(act.suit)} with {out.cards(act.cards)}"
            )
        if isinstance(act, BuryKings):
            return t(f"扣 {out.cards(act.kings)}", f"bury {out.cards(act.kings)}")
        cards = getattr(act, "cards", None)
        return out.cards(cards) if cards is not None else repr(act)

    def _say_forced(self, ask: Ask, act: Act) -> None:
        t = self.out.t
        out = self.out
        if ask.kind == "follow":
            out.lines(seat_view.trick_lines(self.narrator, out))
        text = self._asked(ask)
        out.line(
            t(
                f"{text}：只有一种，替你出了 {self.act_text(act)}",
                f"{text}: only one way, done for you: {self.act_text(act)}",
            )
        )

    # -- reading -----------------------------------------------------------------------------------------------

    def _read(self) -> str:
        line = self.out.ask("> ")
        if line is None:
            raise Left
        return line

    def _understand(self, ask: Ask, line: str) -> Act | None:
        """The act a line means; None where it was a command or nothing. Raises Unread."""
        text = line.strip()
        command = command_of(text)
        listed = ask.kind not in CARD_ACTS
        if not text:
            if listed and Pass() in ask:
                return Pass()
            return None
        if command is not None:
            return self._command(command, ask)
        if not listed:
            return CARD_ACTS[ask.kind](cards_of(text, seat_view.numbered(self._groups(ask))))
        if text.isascii() and text.isdigit():
            if int(text[:4]) < len(ask) and len(text) < 4:
                return ask[int(text)]
            raise Unread(text)
        return self._typed_bid(ask, text)

    def _typed_bid(self, ask: Ask, text: str) -> Act:
        words = text.replace("，", " ").split()
        suit = suit_of(words[-1]) if len(words) > 1 else None
        cards = cards_of(" ".join(words[:-1]) if suit else text)
        if ask.kind == "claim" and len(cards) == 1:
            return Claim(cards[0])
        if ask.kind == "bury_kings":
            return BuryKings(cards)
        if ask.kind == "declare":
            return Declare(cards, suit or (cards[0].suit or "") if cards else "")
        for act in ask:
            if getattr(act, "cards", None) == cards:
                return act
        raise Unread(text)

    def _command(self, name: str, ask: Ask) -> Act | None:
        if name == "quit":
            raise Left
        if name == "pass" and Pass() in ask:
            return Pass()
        if name == "skip" and ask.kind in IN_DEAL:
            self.skipping = self.table.hand_number
            return Pass()
        if name == "auto":
            self.auto_hand = self.table.hand_number
            self.out.line(self.out.t("托管到这一把打完", "the bots play for you until the hand is over"))
            return self.advice()
        if name == "take" and self.hint is not None:
            return self.hint
        actions: dict[str, Callable[[], None]] = {
            "help": lambda: answers.help_on(self, ask.kind in CARD_ACTS),
            "hint": lambda: answers.hint(self),
            "last": lambda: answers.last_trick(self),
            "hand": lambda: self.show_hand(ask),
            "table": lambda: self.out.lines(seat_view.table_lines(self.narrator, self.out)),
            "rules": lambda: answers.rules_in_force(self),
            "why": lambda: answers.why(self),
            "score": lambda: answers.standing(self),
        }
        if name in actions:
            actions[name]()
        else:
            self.out.line(self.out.t("这会儿不能这样；? 看怎么操作", "not now; ? shows what can be typed"))
        return None

    def _refuse(self, refused: Refused) -> None:
        out, t = self.out, self.out.t
        self.refused = refused
        out.line(out.style(t("不行：", "No: "), "red") + out.say(refused.text))
        if refused.value is not None:
            shown = self.table.rules.option(refused.rule).show(refused.value)
            where = names.place(refused.origin or "")
            out.line(
                out.style(
                    "  "
                    + t(
                        f"规则 {refused.rule} = {shown}，{where.zh} 定的",
                        f"rule {refused.rule} = {shown}, set by {where.en}",
                    ),
                    "dim",
                )
            )
        else:
            out.line(out.style("  " + t(f"规则 {refused.rule}（固定规则）", f"rule {refused.rule} (fixed)"), "dim"))
