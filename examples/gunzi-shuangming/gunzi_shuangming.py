"""双明: after the burying partners see each other's hands, until the first card is led.

Tournaments in Dalian play it against secret signals: what everybody may know needs no signalling. It is a phase of its own,
``shuangming``, which a variant puts between the burying and the play; it asks nobody and writes one event.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

from gunzi import Card, Hand, Phase, Plugin, RuleSet, Text, hookimpl, parse_cards
from gunzi.options import Choice
from gunzi.values import Conflict, Lint

ID: Final = "gunzi-shuangming"
PHASE: Final = "shuangming"
EVENT: Final = f"{ID}:hands"
WHO: Final = "shuangming.who"
BEFORE: Final = ("tribute", "bottom", "bury", "bury_kings")
"""The phases that change hands: 双明 comes after them."""

NO_PHASE = Text(
    "要打双明，phases 里得在 play 前面写上 shuangming", "双明 is on, but `phases` does not list shuangming before play"
)
NOBODY_LOOKS = Text(
    "phases 里有 shuangming，可是 shuangming.who 是 nobody，谁也不看",
    "`phases` lists shuangming, but shuangming.who is nobody, so no hand is shown",
)
WRONG_PLACE = Text(
    "shuangming 要放在扣底扣王以后、play 前面：手牌定了才能看",
    "shuangming comes after the burying and before play: hands are shown when they no longer change",
)


class Shuangming(Plugin):
    """A phase, the event it writes, and who may see what of it."""

    id = ID
    version = "1"
    name = Text("双明", "Partners see each other's hands")
    options = (
        Choice(
            WHO,
            Text("谁打双明", "Who sees the partner's hand"),
            Text(
                "扣完底、领第一张牌以前，对家之间互相看手牌：哪一方看？",
                "After the burying and before the first lead, which partners see each other's hands?",
            ),
            {
                "nobody": Text("都不看，不打双明。", "Nobody: hands stay hidden."),
                "both_sides": Text("两方都看，各看各的对家。", "Both sides: every seat sees its partner's hand."),
                "dealer_side": Text("只有庄家方看。", "Only the dealer side."),
                "attackers": Text("只有抓分方看。", "Only the attackers."),
            },
        ),
    )
    lints = {
        "shuangming-no-phase": Lint(NO_PHASE, error=True),
        "shuangming-order": Lint(WRONG_PLACE, error=True),
        "shuangming-unused": Lint(NOBODY_LOOKS),
    }
    defaults = {WHO: "nobody"}

    @hookimpl
    def phases(self) -> Mapping[str, Phase]:
        """The phase that variants call ``shuangming``."""
        return {PHASE: Look(self.option(WHO))}

    @hookimpl
    def redact(self, event: Mapping[str, Any], seat: int | None) -> Mapping[str, Any]:
        """A seat that looks sees its partner's cards; everybody else sees that others look."""
        seen = {key: value for key, value in event.items() if key != "hands"}
        if seat in event["looks"]:
            assert seat is not None
            partner = (seat + 2) % 4
            seen |= {"seat": partner, "cards": event["hands"][partner]}
        return seen

    @hookimpl
    def narrate(self, event: Mapping[str, Any]) -> Text:
        """Who looks, and the cards as far as the listener sees them."""
        looks = [int(seat) for seat in event["looks"]]
        zh = [f"双明：{'、'.join(f'{seat}号' for seat in looks)}看对家的手牌"]
        en = [f"Shuangming: seats {', '.join(map(str, looks))} see their partners' hands"]
        hands = {event["seat"]: event["cards"]} if "cards" in event else dict(enumerate(event.get("hands", ())))
        for seat, cards in hands.items():
            if cards:
                zh.append(f"  {seat}号：{' '.join(cards)}")
                en.append(f"  seat {seat}: {' '.join(cards)}")
        return Text("\n".join(zh), "\n".join(en))

    @hookimpl
    def conflicts(self, options: Mapping[str, Any]) -> Sequence[Conflict]:
        """The option and the list of phases must say the same, and the phase must stand where hands are final."""
        phases: list[str] = options["phases"]
        if PHASE not in phases:
            return () if options[WHO] == "nobody" else (Conflict("shuangming-no-phase", (WHO, "phases"), NO_PHASE),)
        place = phases.index(PHASE)
        if any(phase in phases[place:] for phase in BEFORE) or "play" in phases[:place]:
            return (Conflict("shuangming-order", ("phases",), WRONG_PLACE),)
        if options[WHO] == "nobody":
            return (Conflict("shuangming-unused", (WHO, "phases"), NOBODY_LOOKS, error=False),)
        return ()

    @hookimpl
    def questions(self) -> Mapping[str, Callable[[RuleSet, Mapping[str, Any]], Any]]:
        """Scenarios may ask ``shuangming``: which cards of other hands does a seat see?"""
        return {"shuangming": _what_a_seat_sees}


class Look(Phase):
    """Shows the hands and is over: the dealer leads when everybody has looked as long as the table lets them."""

    name = PHASE

    def __init__(self, who: str) -> None:
        self._who = who

    def start(self, hand: Hand) -> None:
        """Write the event; a hand that is to be dealt again has nothing to show."""
        if hand.trump is None or hand.dealer is None:
            return
        looks = seats_that_look(self._who, hand.dealer)
        if looks:
            hand.emit(EVENT, **_shown(looks, [hand.cards_of(seat) for seat in range(4)]))


def seats_that_look(who: str, dealer: int) -> list[int]:
    """The seats that see their partner's hand under a value of ``shuangming.who``."""
    sides = {"nobody": (), "both_sides": (0, 1), "dealer_side": (dealer % 2,), "attackers": (1 - dealer % 2,)}[who]
    return [seat for seat in range(4) if seat % 2 in sides]


def _shown(looks: Sequence[int], hands: Sequence[Sequence[Card]]) -> dict[str, Any]:
    """The event's own keys: who looks, all that is shown to anybody, and how long."""
    hands_shown = [list(hand) if seat in looks else [] for seat, hand in enumerate(hands)]
    return {"looks": list(looks), "hands": hands_shown, "until": "lead", "by": WHO}


def _what_a_seat_sees(rules: RuleSet, given: Mapping[str, Any]) -> Any:
    hands = [parse_cards(hand) for hand in given["hands"]]
    looks = seats_that_look(rules.options[WHO], given["dealer"])
    seen = rules.redact({"e": EVENT, **_shown(looks, hands)}, given["seat"])
    return {"cards": seen["cards"]} if seen is not None and "cards" in seen else "nothing"


_what_a_seat_sees.keys = ("hands", "dealer", "seat")  # type: ignore[attr-defined]
