"""Events in words: a record, or what one seat may see of it, told line by line."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from gunzi.apps.cli import names
from gunzi.apps.cli.explained import explained
from gunzi.apps.cli.output import Out, columns, pad
from gunzi.cards import rank_text
from gunzi.errors import Text
from gunzi.ruleset import RuleSet
from gunzi.trump import Trump, trump_order
from gunzi.wording import counted

Event = Mapping[str, Any]


class Narrator:
    """Tells events as they come. ``you`` is the seat that is told, None for a reader who is none of them; ``rules`` (None: base's
    trump order, no plugins) know the trump order and have the words of plugins' own events.

    It keeps what has been seen: ``hand`` the running hand's first event, ``trump`` its order once known, ``dealer``,
    ``trick`` the plays of the running trick, ``last_trick``, ``points`` of the attackers, ``total`` the sheets.
    """

    def __init__(self, out: Out, you: int | None = None, rules: RuleSet | None = None) -> None:
        self.out = out
        self.you = you
        self.rules = rules
        self.permanent = rules.permanent if rules is not None else (2,)
        self.hand: Event = {}
        self.trump: Trump | None = None
        self.dealer: int | None = None
        self.trick: list[tuple[int, list[str]]] = []
        self.last_trick: tuple[list[tuple[int, list[str]]], int, int] | None = None
        self.tricks = 0
        self.points = 0
        self.bottom: list[str] = []
        self.total = [0, 0, 0, 0]
        self.reasons: list[tuple[str, str]] = []

    # -- words -------------------------------------------------------------------------------------------------

    def seat(self, number: Any) -> str:
        """A seat as the listener calls it."""
        return self.out.say(names.seat(number, self.you, partner=True))

    def verb(self, seat: int, zh: str, en: str, en_you: str) -> str:
        """``seat does``, in either language and person."""
        who = self.seat(seat)
        return self.out.t(f"{who}{zh}", f"{who} {en_you if seat == self.you else en}")

    def because(self, event: Event) -> str:
        """The rule that decided, as a short remark."""
        by = event.get("by")
        return self.out.style(f"  [{by}]", "dim") if by else ""

    # -- telling -----------------------------------------------------------------------------------------------

    def tell(self, event: Event) -> list[str]:
        """The lines that tell an event; none for what needs no words."""
        kind = str(event["e"])
        method = getattr(self, f"_tell_{kind}", None)
        lines: list[str]
        if method is not None:
            lines = method(event)
        elif ":" in kind:
            lines = self._tell_foreign(event)
        else:
            lines = []
        if event.get("by") and lines:
            self.reasons.append((lines[0].strip(), str(event["by"])))
        return lines

    def _tell_foreign(self, event: Event) -> list[str]:
        """A plugin's own event: as the plugin puts it, else what it has."""
        said = self.rules.narrate(event) if self.rules is not None else None
        if said is not None:
            first, *more = self.out.say(said).split("\n")
            return [first + self.because(event), *more]
        rest = {key: value for key, value in event.items() if key not in ("e", "n", "by")}
        return [f"{event['e']} " + " ".join(f"{key}={value}" for key, value in rest.items()) + self.because(event)]

    def _tell_hand(self, event: Event) -> list[str]:
        t = self.out.t
        self.hand, self.trump, self.dealer = event, None, event["dealer"]
        self.trick, self.last_trick, self.tricks, self.points = [], None, 0, 0
        self.bottom = []
        self.reasons = []
        levels = [rank_text(level) for level in event["levels"]]
        head = t(f"第 {event['round']} 轮第 {event['hand']} 把", f"Round {event['round']}, hand {event['hand']}")
        if event["redeal"]:
            head += t(f"（第 {event['redeal'] + 1} 次发牌）", f" (deal {event['redeal'] + 1})")
        parts = [
            t(
                f"0、2号打 {levels[0]}，1、3号打 {levels[1]}",
                f"levels {levels[0]} (seats 0, 2) and {levels[1]} (seats 1, 3)",
            )
        ]
        if self.dealer is None:
            parts.append(
                t(
                    f"还没有庄家，从{self.seat(event['first'])}发牌",
                    f"no dealer yet, {self.seat(event['first'])} is dealt first",
                )
            )
        else:
            level = rank_text(event["levels"][self.dealer % 2])
            parts.append(
                t(f"庄家{self.seat(self.dealer)}，打 {level}", f"dealer {self.seat(self.dealer)}, level {level}")
            )
        owed = event.get("owed")
        if owed:
            giver, receiver = self.seat(owed["from"]), self.seat(owed["to"])
            parts.append(t(f"{giver}欠{receiver} {owed['count']} 张贡", f"{giver} to pay {receiver}: {owed['count']}"))
        return [self.out.style(head, "bold") + t("：", ": ") + t("；", "; ").join(parts)]

    def _tell_claim(self, event: Event) -> list[str]:
        shown = self.out.card(event["card"])
        return [
            self.verb(event["seat"], f"抢亮 {shown}，坐庄", f"shows {shown} and deals", f"show {shown} and deal")
            + self.because(event)
        ]

    def _tell_turn(self, event: Event) -> list[str]:
        shown = self.out.card(event["card"])
        return [
            self.verb(
                event["seat"], f"翻开底牌 {shown}", f"turns {shown} from the bottom", f"turn {shown} from the bottom"
            )
            + self.because(event)
        ]

    def _tell_declare(self, event: Event) -> list[str]:
        shown, suit = self.out.cards(event["cards"]), self.out.suit(event["suit"])
        return [
            self.verb(
                event["seat"],
                f"亮 {shown}，主是{suit}",
                f"declares {suit} with {shown}",
                f"declare {suit} with {shown}",
            )
            + self.because(event)
        ]

    def _tell_draw(self, event: Event) -> list[str]:
        shown = self.out.card(event["card"])
        return [
            self.out.t(f"没人亮主，抽底牌：{shown}", f"nobody declared; drawn from the bottom: {shown}")
            + self.because(event)
        ]

    def _tell_redeal(self, event: Event) -> list[str]:
        return [
            self.out.t("底牌翻不出花色牌，重新洗牌", "no suited card in the bottom: dealt again") + self.because(event)
        ]

    def _tell_trump(self, event: Event) -> list[str]:
        t = self.out.t
        self.dealer = event["dealer"]
        self.trump = trump_order(event["level"], event["suit"], self.permanent)
        level, suit = rank_text(event["level"]), self.out.suit(event["suit"])
        how = self.out.say(names.HOW.get(event["how"], Text(event["how"], event["how"])))
        dealer = self.seat(event["dealer"])
        return [
            self.out.style(
                t(f"打 {level}，主是{suit}，庄家{dealer}", f"Level {level}, trump {suit}, dealer {dealer}"), "bold"
            )
            + t(f"（{how}）", f" ({how})")
            + self.because(event)
        ]

    def _tell_exempt(self, event: Event) -> list[str]:
        who = self.verb(event["seat"], "手里有三个大王", "holds three big jokers", "hold three big jokers")
        what = (
            self.out.t("，反过来进贡", ": the tribute is reversed")
            if event["kind"] == "reverse"
            else self.out.t("，免贡", ": no tribute")
        )
        return [who + what + self.because(event)]

    def _moved(self, event: Event) -> str:
        if "cards" in event:
            return self.out.cards(event["cards"])
        return self.out.t(f"{event['count']} 张", counted(event["count"], "card"))

    def _tell_tribute(self, event: Event) -> list[str]:
        to, moved = self.seat(event["to"]), self._moved(event)
        return [
            self.verb(
                event["from"], f"给{to}进贡：{moved}", f"pays {to} tribute: {moved}", f"pay {to} tribute: {moved}"
            )
            + self.because(event)
        ]

    def _tell_return(self, event: Event) -> list[str]:
        to, moved = self.seat(event["to"]), self._moved(event)
        return [
            self.verb(event["from"], f"还给{to}：{moved}", f"gives {to} back: {moved}", f"give {to} back: {moved}")
            + self.because(event)
        ]

    def _tell_bottom(self, event: Event) -> list[str]:
        t = self.out.t
        dry = t("，干锅", ": a dry pot") if event["dry"] else t("，不是干锅", ": not dry")
        if "cards" in event:
            self.bottom = list(event["cards"])
            seen = "" if event["shown"] else t("（不公开）", " (not shown)")
            return [t(f"底牌{seen} ", f"Bottom{seen} ") + self.out.cards(event["cards"]) + dry + self.because(event)]
        return [t("底牌不公开", "The bottom stays hidden") + dry + self.because(event)]

    def _tell_take(self, event: Event) -> list[str]:
        self.bottom = list(event["cards"])
        return [self.out.t("你拿起底牌 ", "You pick up the bottom ") + self.out.cards(event["cards"])]

    def _tell_bury(self, event: Event) -> list[str]:
        t = self.out.t
        if "cards" not in event:
            self.bottom = []
            return [self.verb(event["seat"], "扣底（不公开）", "buries (hidden)", "bury")]
        self.bottom = list(event["cards"])
        shown = self.out.cards(event["cards"])
        seen = t("，亮给大家看", ", shown to all") if event["shown"] else ""
        return [self.verb(event["seat"], f"扣底：{shown}{seen}", f"buries {shown}{seen}", f"bury {shown}{seen}")]

    def _tell_bury_kings(self, event: Event) -> list[str]:
        kings, picked = self.out.cards(event["kings"]), self.out.cards(event["picked"])
        lines = []
        if "bottom" in event:
            self.bottom = list(event["bottom"])
            lines.append(self.out.t("底牌亮出：", "The bottom is shown: ") + self.out.cards(event["bottom"]))
        lines.append(
            self.verb(
                event["seat"],
                f"扣王 {kings}，捡起 {picked}",
                f"buries {kings} and picks up {picked}",
                f"bury {kings} and pick up {picked}",
            )
        )
        return lines

    def _tell_play(self, event: Event) -> list[str]:
        self.trick.append((event["seat"], list(event["cards"])))
        return []

    def _tell_trick(self, event: Event) -> list[str]:
        t = self.out.t
        self.tricks += 1
        winner, points = event["winner"], event["points"]
        attackers = self.dealer is not None and (winner - self.dealer) % 2 == 1
        if attackers:
            self.points += points
        plays, self.trick = self.trick, []
        self.last_trick = (plays, winner, points)
        line = f"{self.tricks:>2}  {self.plays(plays, winner)}"
        if points and attackers:
            line += "  " + self.out.style(
                t(f"抓分方 +{points}，共 {self.points}", f"attackers +{points}: {self.points}"), "yellow"
            )
        elif points:
            line += "  " + t(f"庄家方 {points}", f"dealer side {points}")
        return [line.rstrip()]

    def plays(self, plays: Sequence[tuple[int, list[str]]], winner: int | None = None) -> str:
        """The plays of a trick in order, the winning one marked."""
        shown = []
        for seat, cards in plays:
            number = (seat - self.you) % 4 if self.you is not None else -1
            near = {0: ("你", "you"), 2: ("对家", "partner"), 1: ("下家", "next"), 3: ("上家", "prev")}.get(number)
            who = self.out.t(*near) if near else self.out.t(f"{seat}号", f"{seat}")
            shown.append((f"{'*' if seat == winner else ' '}{who}", self.out.cards(cards)))
        left = self.out.t("  对家", " partner") if self.you is not None else self.out.t(" 0号", " 0")
        width = columns(left) - (self.you is not None and self.out.lang == "zh")
        size = max((len(cards) for _, cards in plays), default=1)
        room = max([3 * size - 1, *(columns(cards) for _, cards in shown)])
        return " ".join(f"{pad(who, width)} {pad(cards, room)}" for who, cards in shown).rstrip()

    def _tell_early(self, event: Event) -> list[str]:
        return [
            self.out.t("剩下的牌改变不了结果，提前结束", "The cards left cannot change the result: the hand ends early")
            + self.because(event)
        ]

    def _tell_undo(self, event: Event) -> list[str]:
        return [self.out.t(f"悔牌：回到事件 {event['to']}", f"Taken back to event {event['to']}")]

    def _tell_settle(self, event: Event) -> list[str]:
        t = self.out.t
        self.total = [old + new for old, new in zip(self.total, event["scores"], strict=True)]
        lines = [self.out.style(t("这一把的结果", "How the hand ended"), "bold")]
        lines.append(
            "  "
            + t("底牌 ", "bottom ")
            + self.out.cards(event["bottom"])
            + t(f"，{event['bottom_points']} 分", f", {event['bottom_points']} points")
        )
        if event.get("explain"):
            lines += explained(event["explain"], self.out, event.get("round_won_by"))
        else:
            lines.append("  " + self._unexplained(event))
        return lines + self.after(event)

    def _unexplained(self, event: Event) -> str:
        """What a settlement of another program says, which may give no reasons."""
        t = self.out.t
        taken = t("抠底", "captured the bottom") if event["captured"] else t("没抠底", "did not capture the bottom")
        text = t(
            f"抓分方台面 {event['trick_points']} 分，{taken}，总共 {event['attackers_points']} 分",
            f"the attackers took {event['trick_points']} in tricks and {taken}: {event['attackers_points']} in all",
        )
        up = event.get("level_up")
        if up:
            side = self.out.say(names.side(up["side"]))
            text += t(f"；{side}升 {up['levels']} 级", f"; {side} level up by {up['levels']}")
        return text

    def after(self, event: Event) -> list[str]:
        """Where a settlement leads: the round's winner, or levels, next dealer and tribute."""
        t = self.out.t
        lines = []
        won = event["round_won_by"]
        if won is not None:
            text = t("，", ", ").join(
                part
                for part in (
                    self.ending(event),
                    t(
                        f"{self.out.say(names.side(won))}赢下这一轮",
                        f"the round goes to {self.out.say(names.side(won))}",
                    ),
                )
                if part
            )
            lines.append("  " + self.out.style(text, "green"))
        else:
            levels = [rank_text(level) for level in event["levels"]]
            lines.append(
                "  "
                + t(
                    f"往后：0、2号打 {levels[0]}，1、3号打 {levels[1]}；下一把庄家{self.seat(event['next_dealer'])}",
                    f"levels now {levels[0]} (seats 0, 2) and {levels[1]} (seats 1, 3); next dealer {self.seat(event['next_dealer'])}",
                )
            )
            owed = event["owed"]
            if owed:
                giver, receiver = self.seat(owed["from"]), self.seat(owed["to"])
                lines.append(
                    "  "
                    + t(
                        f"下一把{giver}给{receiver}进贡 {owed['count']} 张",
                        f"next hand {giver} to pay {receiver}: {owed['count']}",
                    )
                )
        return lines

    def ending(self, event: Event) -> str:
        """How the round ended, as gunzi or the plugin whose ending it is puts it; an empty text: it goes on."""
        name = event["ending"]
        if not name:
            return ""
        if name in names.ENDINGS:
            return self.out.say(names.ENDINGS[name])
        for line in event.get("explain", ()):
            if line["value"] == name:
                what = line["what"]
                return str(what[self.out.lang] if isinstance(what, Mapping) else what)
        return str(name)

    def _tell_disclose(self, event: Event) -> list[str]:
        return []
