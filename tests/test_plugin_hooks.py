"""One test for each hook: a small plugin of a stranger's answers it, and the game goes accordingly."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

import pytest
from strangers import install, uninstall

from gunzi import (
    BuryKings,
    Declare,
    Hand,
    Pass,
    Phase,
    Play,
    Plugin,
    Refused,
    RuleSet,
    Table,
    Text,
    Trump,
    VariantError,
    combinations,
    hookimpl,
    loading,
    masks,
    settle,
    view,
)
from gunzi.acts import Act, Bury
from gunzi.apps.cli.narrate import Narrator
from gunzi.apps.cli.output import Out
from gunzi.ask import Ask
from gunzi.cards import Card, parse_cards
from gunzi.record import Event, EventLog
from gunzi.table import seeded_deals
from gunzi.trump import ALL_SIDE, TRUMP_LANE, Masks, trump_order
from gunzi.values import (
    Bid,
    BottomWorth,
    Capture,
    ClaimRule,
    Climb,
    Conflict,
    Deck,
    Ending,
    Exemption,
    FollowRule,
    LeadRule,
    LevelUp,
    Outcome,
    Owed,
    Reason,
    Result,
    Reveal,
    Rotation,
    ScorePart,
    TributePart,
    TrickRule,
    Verdict,
    Window,
)

SAID = Text("插件说的", "the plugin says so")


class Stranger(Plugin):
    """What the plugins below have in common: they are no part of gunzi and are found by their entry point."""

    id = "gunzi-stranger"
    name = Text("陌生人", "Stranger")
    rules = {"stranger.says": SAID}

    def __init_subclass__(cls) -> None:
        cls.version = cls.__name__  # each behaves differently, and what behaves differently has another version


Load = Callable[..., RuleSet]


@pytest.fixture
def rules_with(monkeypatch: pytest.MonkeyPatch) -> Iterator[Load]:
    """A function that installs a plugin and loads ``yuwang`` with it."""

    def load(plugin: type[Plugin], options: Mapping[str, Any] | None = None) -> RuleSet:
        install(monkeypatch, plugin)
        text = f"gunzi: 1\nid: with-a-stranger\nextends: yuwang\nplugins: [{plugin.id}]\n"
        return loading.load_text(text, "stranger.yaml", options)

    yield load
    uninstall(monkeypatch)


def first(ask: Ask) -> Act:
    """The first answer: passes wherever passing is possible."""
    return ask[0]


def last(ask: Ask) -> Act:
    """The last answer: claims, declares and buries kings wherever possible."""
    return ask[-1]


def play(table: Table, answer: Callable[[Ask], Act] = first) -> list[Event]:
    """Plays the table to its end; its events."""
    while not table.over:
        ask = table.ask
        table.do(ask.seat, answer(ask))
    assert table.log is not None
    return table.log.events


def of_kind(events: Sequence[Event], kind: str) -> list[Event]:
    return [event for event in events if event["e"] == kind]


def later_hand(rules: RuleSet, seed: int = 1, owed: Owed | None = None) -> Hand:
    """A hand that is not the first of its round: seat 0 deals; nobody has been asked yet."""
    deck, _ = seeded_deals(rules, seed)(1, 0)
    return Hand(rules, deck, dealer=0, owed=owed, log=EventLog())


def until(hand: Hand, *kinds: str, answer: Callable[[Ask], Act] = first) -> Ask:
    """Goes on until a question of one of these kinds; that question."""
    while hand.waiting is not None and hand.waiting.kind not in kinds:
        hand.do(hand.waiting.seat, answer(hand.waiting))
    assert hand.waiting is not None, f"no question of kind {kinds} came"
    return hand.waiting


def events_of(hand: Hand) -> list[Event]:
    assert hand.log is not None
    return hand.log.events


def result(**more: Any) -> Result:
    """A played hand at level 3, seat 0 deals, the attackers took 90 and the bottom was held."""
    told: dict[str, Any] = {
        "dealer": 0,
        "levels": (3, 3),
        "trick_points": 90,
        "capture": Capture.HELD,
        "bottom": tuple(parse_cards(["H4", "H6", "C7", "C9", "D8", "DK"])),
        "bottom_points": 10,
        "dry": False,
        "trump": trump_order(3, "S", (2,)),
        "last_play": (Card("SA"),),
    }
    return Result(**(told | more))


# -- at load -----------------------------------------------------------------------------------------------------------


def test_hook_deck(rules_with: Load) -> None:
    class BiggerBottom(Stranger):
        replaces = ("gunzi.plugins.deck",)

        @hookimpl
        def deck(self) -> Deck:
            return Deck((3,) * 54, 36, 18)

    hand = later_hand(rules_with(BiggerBottom))
    act = first(until(hand, "bury"))
    assert isinstance(act, Bury)
    assert len(act.cards) == 18
    assert len(hand.cards_of(1)) == 36


def test_hook_card_points(rules_with: Load) -> None:
    class AcesCount(Stranger):
        replaces = ("gunzi.plugins.points",)

        @hookimpl
        def card_points(self, rank: int) -> int:
            return 20 if rank == 14 else 0

    events = play(Table(rules_with(AcesCount), seed=1, hands=1))
    (settled,) = of_kind(events, "settle")
    assert sum(trick["points"] for trick in of_kind(events, "trick")) + settled["bottom_points"] == 12 * 20


def test_hook_permanent_ranks(rules_with: Load) -> None:
    class AcesToo(Stranger):
        replaces = ("gunzi.plugins.permanent",)

        @hookimpl
        def permanent_ranks(self) -> tuple[int, ...]:
            return (14, 2)

    hand = later_hand(rules_with(AcesToo))
    until(hand, "lead")
    assert hand.trump is not None
    assert hand.trump.mask_of(Card("HA").kind) & TRUMP_LANE
    assert hand.trump.mask_of(Card("HK").kind) & TRUMP_LANE or hand.trump.suit != "H"


class Toast(Phase):
    """A phase that asks nobody and is written down, with a secret."""

    name = "toast"

    def start(self, hand: Hand) -> None:
        hand.emit("gunzi-stranger:toast", wish="a long life", secret="BJ")


WITH_TOAST = ["deal", "reveal", "tribute", "bottom", "bury", "bury_kings", "toast", "play", "settle"]


class Toasts(Stranger):
    @hookimpl
    def phases(self) -> Mapping[str, Phase]:
        return {"toast": Toast()}


def test_hook_phases(rules_with: Load) -> None:
    rules = rules_with(Toasts, {"phases": WITH_TOAST})
    kinds = [event["e"] for event in play(Table(rules, seed=1, hands=1))]
    assert kinds.index("bury") < kinds.index("gunzi-stranger:toast") < kinds.index("play")
    assert "toast" not in [phase.name for phase in rules_with(Toasts).phases]


def test_hook_conflicts(rules_with: Load) -> None:
    class Objects(Stranger):
        @hookimpl
        def conflicts(self, options: Mapping[str, Any]) -> Sequence[Conflict]:
            if options["follow.shapes"] == "strict":
                return (Conflict("stranger-strict", ("follow.shapes",), SAID),)
            return (Conflict("stranger-loose", ("follow.shapes",), SAID, error=False),)

    assert "stranger-loose" in [warning.code for warning in rules_with(Objects).warnings]
    with pytest.raises(VariantError) as caught:
        rules_with(Objects, {"follow.shapes": "strict"})
    assert [problem.code for problem in caught.value.problems] == ["stranger-strict"]


def test_hook_questions(rules_with: Load) -> None:
    class Answers(Stranger):
        @hookimpl
        def questions(self) -> Mapping[str, Callable[[RuleSet, Mapping[str, Any]], Any]]:
            return {"how_many": lambda rules, given: given["packs"] * rules.options["deck.packs"]}

    rules = rules_with(Answers)
    (answers,) = rules.hook.questions()
    assert answers["how_many"](rules, {"packs": 2}) == 6


# -- deal --------------------------------------------------------------------------------------------------------------


def test_hook_claims(rules_with: Load) -> None:
    class LittleOnes(Stranger):
        replaces = ("gunzi.plugins.first_dealer",)

        @hookimpl
        def claims(self) -> ClaimRule:
            return ClaimRule((Card("LJ"),), automatic=True, by="stranger.says")

    events = play(Table(rules_with(LittleOnes), seed=1, hands=1))
    (claim,) = of_kind(events, "claim")
    deck = events[0]["deck"]
    assert claim["card"] == "LJ"
    assert claim["dealt"] == deck.index("LJ") + 1


def test_hook_bids(rules_with: Load) -> None:
    class Silence(Stranger):
        replaces = ("gunzi.plugins.declare",)

        @hookimpl
        def bids(self) -> Sequence[tuple[tuple[Card, ...], str]]:
            return ()

    hand = later_hand(rules_with(Silence))
    until(hand, "lead", answer=last)
    assert of_kind(events_of(hand), "declare") == []
    assert hand.how == "draw"


def test_hook_judge_bid(rules_with: Load) -> None:
    class OnlyHearts(Stranger):
        replaces = ("gunzi.plugins.declare",)

        @hookimpl
        def judge_bid(self, suit: str | None, standing: Bid | None) -> Reason | None:
            return None if suit == "H" and standing is None else Reason("stranger.says", SAID)

    rules = rules_with(OnlyHearts)
    for seed in range(100):
        hand = later_hand(rules, seed)
        ask = until(hand, "declare")
        assert all(isinstance(act, Pass) or (isinstance(act, Declare) and act.suit == "H") for act in ask)
        spades = Card("S3")
        if spades in hand.cards_of(ask.seat):
            with pytest.raises(Refused) as caught:
                hand.do(ask.seat, Declare((spades,), "S"))
            assert caught.value.rule == "stranger.says"
            hand.do(ask.seat, ask[1])
            assert hand.suit == "H" or hand.standing == Bid(ask.seat, (Card("H3"),), "H")
            return
    raise AssertionError("in a hundred deals nobody held a three of hearts and one of spades")


def test_hook_reveal(rules_with: Load) -> None:
    class SeatTwo(Stranger):
        replaces = ("gunzi.plugins.reveal",)

        @hookimpl
        def reveal(self, turned: Sequence[tuple[int, Card]]) -> Reveal:
            return Reveal(dealer=2, suit="H", by="stranger.says") if turned else Reveal(turn=0, by="stranger.says")

    events = play(Table(rules_with(SeatTwo), seed=1, hands=1))
    (trump,) = of_kind(events, "trump")
    assert (trump["dealer"], trump["suit"], trump["how"], trump["by"]) == (2, "H", "turn", "stranger.says")
    assert len(of_kind(events, "turn")) == 1


def test_hook_draw_suit(rules_with: Load) -> None:
    class AlwaysClubs(Stranger):
        replaces = ("gunzi.plugins.declare",)

        @hookimpl
        def draw_suit(self) -> str:
            return "C"

    hand = later_hand(rules_with(AlwaysClubs))
    until(hand, "lead")
    assert (hand.how, hand.suit) == ("draw", "C")


# -- tribute -----------------------------------------------------------------------------------------------------------


def test_hook_tribute_exemption(rules_with: Load) -> None:
    class Forgives(Stranger):
        replaces = ("gunzi.plugins.tribute",)

        @hookimpl
        def tribute_exemption(self, owed: Owed) -> Exemption | None:
            return Exemption(owed.giver, "cancel", "stranger.says")

    hand = later_hand(rules_with(Forgives), owed=Owed(3, 0, 2))
    until(hand, "lead")
    (exempt,) = of_kind(events_of(hand), "exempt")
    assert (exempt["seat"], exempt["kind"], exempt["by"]) == (3, "cancel", "stranger.says")
    assert of_kind(events_of(hand), "tribute") == []


def test_hook_payable(rules_with: Load) -> None:
    class SideOnly(Stranger):
        replaces = ("gunzi.plugins.tribute",)

        @hookimpl
        def payable(self) -> int:
            return ALL_SIDE

    hand = later_hand(rules_with(SideOnly), owed=Owed(3, 0, 2))
    ask = until(hand, "pay")
    assert hand.trump is not None
    for act in ask:
        assert not hand.trump.masks(act.cards)[0] & TRUMP_LANE  # type: ignore[union-attr]


def test_hook_returnable(rules_with: Load) -> None:
    class TrumpsBack(Stranger):
        replaces = ("gunzi.plugins.tribute",)

        @hookimpl
        def returnable(self) -> Sequence[int]:
            return (TRUMP_LANE,)

    hand = later_hand(rules_with(TrumpsBack), owed=Owed(3, 0, 2))
    ask = until(hand, "return")
    assert hand.trump is not None
    for act in ask:
        assert not hand.trump.masks(act.cards)[0] & ALL_SIDE  # type: ignore[union-attr]


# -- bottom, burying ---------------------------------------------------------------------------------------------------


def test_hook_bottom_is_shown(rules_with: Load) -> None:
    class AlwaysShown(Stranger):
        replaces = ("gunzi.plugins.dry_pot",)

        @hookimpl
        def bottom_is_shown(self) -> bool:
            return True

    hand = later_hand(rules_with(AlwaysShown))
    until(hand, "lead")
    (bottom,) = of_kind(events_of(hand), "bottom")
    assert hand.how == "draw"
    assert bottom["shown"]


def test_hook_dry_pot(rules_with: Load) -> None:
    class AlwaysDry(Stranger):
        replaces = ("gunzi.plugins.dry_pot",)

        @hookimpl
        def dry_pot(self) -> Verdict:
            return Verdict(True, "stranger.says")

    hand = later_hand(rules_with(AlwaysDry))
    until(hand, "lead")
    (bottom,) = of_kind(events_of(hand), "bottom")
    assert (bottom["dry"], bottom["by"]) == (True, "stranger.says")
    assert of_kind(events_of(hand), "bury") == []


def hand_with_king_at_dealer(rules: RuleSet) -> Hand:
    for seed in range(100):
        hand = later_hand(rules, seed)
        until(hand, "bury")
        if Card("BJ") in hand.cards_of(0):
            return hand
    raise AssertionError("in a hundred deals the dealer never had a big joker")


def test_hook_king_splits(rules_with: Load) -> None:
    class KeepKings(Stranger):
        replaces = ("gunzi.plugins.bury",)

        @hookimpl
        def king_splits(self) -> Sequence[tuple[int, int]]:
            return ((0, 0),)

    hand = hand_with_king_at_dealer(rules_with(KeepKings))
    assert hand.waiting is not None
    held = hand.cards_of(0)
    others = [card for card in held if not card.is_joker]
    with pytest.raises(Refused) as caught:
        hand.do(0, Bury((Card("BJ"), *others[:5])))
    assert caught.value.rule == "bury.big_before_small"
    hand.do(0, Bury(tuple(others[:6])))


def test_hook_burial_is_shown(rules_with: Load) -> None:
    class AlwaysShown(Stranger):
        replaces = ("gunzi.plugins.bury",)

        @hookimpl
        def burial_is_shown(self) -> bool:
            return True

    hand = later_hand(rules_with(AlwaysShown))
    until(hand, "lead")
    (bury,) = of_kind(events_of(hand), "bury")
    assert bury["shown"]
    assert not any(Card(card).is_joker for card in bury["cards"])


def test_hook_kings_window(rules_with: Load) -> None:
    class Closed(Stranger):
        replaces = ("gunzi.plugins.bury_kings",)

        @hookimpl
        def kings_window(self) -> Window:
            return Window(False, "stranger.says")

    hand = later_hand(rules_with(Closed))
    kinds = []
    while hand.waiting is not None and hand.waiting.kind != "lead":
        kinds.append(hand.waiting.kind)
        hand.do(hand.waiting.seat, first(hand.waiting))
    (bury,) = of_kind(events_of(hand), "bury")
    assert "bury_kings" not in kinds
    assert (bury["room"], bury["room_by"]) == (0, "stranger.says")


def test_hook_pickable(rules_with: Load) -> None:
    class OnlyTrumps(Stranger):
        replaces = ("gunzi.plugins.bury_kings",)

        @hookimpl
        def pickable(self) -> int:
            return TRUMP_LANE

    hand = later_hand(rules_with(OnlyTrumps))
    ask = until(hand, "bury")
    assert hand.trump is not None
    trump = hand.trump
    held = [card for card in hand.cards_of(0) if not card.is_joker]
    trumps = [card for card in held if trump.mask_of(card.kind) & TRUMP_LANE][:2]
    side = [card for card in held if not trump.mask_of(card.kind) & TRUMP_LANE][:4]
    hand.do(ask.seat, Bury((*trumps, *side)))
    (bury,) = of_kind(events_of(hand), "bury")
    assert bury["room"] == 2
    kings = until(hand, "bury_kings")
    hand.do(kings.seat, next(act for act in kings if isinstance(act, BuryKings)))
    assert all(trump.mask_of(card.kind) & TRUMP_LANE for card in first(until(hand, "pick")).cards)  # type: ignore[union-attr]


# -- play --------------------------------------------------------------------------------------------------------------


def bits(mask: int) -> list[int]:
    return [1 << bit for bit in range(mask.bit_length()) if mask >> bit & 1]


def test_hook_lead_rule(rules_with: Load) -> None:
    class SinglesOnly(Stranger):
        replaces = ("gunzi.plugins.lead",)

        @hookimpl
        def lead_rule(self, trump: Trump) -> LeadRule:
            def count(h1: int, h2: int, h3: int) -> int:
                return h1.bit_count()

            def kth(h1: int, h2: int, h3: int, k: int) -> Masks:
                return bits(h1)[k], 0, 0

            def contains(h1: int, h2: int, h3: int, p1: int, p2: int, p3: int) -> bool:
                return p1.bit_count() == 1 and p1 & h1 == p1 and not p2

            def why_not(holding: Masks, chosen: Masks) -> Reason:
                return Reason("stranger.says", SAID)

            return LeadRule(count, kth, contains, why_not)

    hand = later_hand(rules_with(SinglesOnly))
    ask = until(hand, "lead")
    held = hand.cards_of(ask.seat)
    assert [act.cards for act in ask] == [(card,) for card in sorted(set(held), key=held.index)]  # type: ignore[union-attr]
    pair = next(card for card in held if held.count(card) > 1)
    with pytest.raises(Refused) as caught:
        hand.do(ask.seat, Play((pair, pair)))
    assert caught.value.rule == "stranger.says"


def test_hook_follow_rule(rules_with: Load) -> None:
    class NoDuty(Stranger):
        replaces = ("gunzi.plugins.follow",)

        @hookimpl
        def follow_rule(self, trump: Trump) -> FollowRule:
            def shape(l1: int, l2: int, l3: int) -> tuple[int, int]:
                return TRUMP_LANE, masks.size(l1, l2, l3)

            def count(h1: int, h2: int, h3: int, lane: int, n: int, strict: int, split: int) -> int:
                return combinations.choose_count(h1, h2, h3, n)

            def kth(h1: int, h2: int, h3: int, lane: int, n: int, strict: int, split: int, k: int) -> Masks:
                return combinations.choose_kth(h1, h2, h3, n, k)

            def contains(*given: int) -> bool:
                n, chosen = given[4], given[7:]
                return masks.size(*chosen) == n

            def why_not(holding: Masks, lead: Masks, chosen: Masks) -> Reason:
                return Reason("stranger.says", SAID)

            return FollowRule(shape, count, kth, contains, 0, 0, why_not)

    hand = later_hand(rules_with(NoDuty))
    ask = until(hand, "lead")
    hand.do(ask.seat, Play((hand.cards_of(ask.seat)[0],)))
    follow = until(hand, "follow")
    assert len(follow) == len(set(hand.cards_of(follow.seat)))


def test_hook_trick_rule(rules_with: Load) -> None:
    class LeaderWins(Stranger):
        replaces = ("gunzi.plugins.trick",)

        @hookimpl
        def trick_rule(self, trump: Trump) -> TrickRule:
            return TrickRule(lambda p1, p2, p3, n, lane: 1, "stranger.says")

    events = play(Table(rules_with(LeaderWins), seed=1, hands=1))
    (trump,) = of_kind(events, "trump")
    assert {trick["winner"] for trick in of_kind(events, "trick")} == {trump["dealer"]}


# -- settling ----------------------------------------------------------------------------------------------------------


def test_hook_bottom_worth(rules_with: Load) -> None:
    class FlatRate(Stranger):
        replaces = ("gunzi.plugins.capture",)

        @hookimpl
        def bottom_worth(self, result: Result) -> BottomWorth:
            return BottomWorth(25, "stranger.says")

    settled = settle(rules_with(FlatRate), result(capture=Capture.CAPTURED))
    assert settled.outcome.result.attackers_points == 115
    assert ("stranger.says", 25) in [(line.by, line.value) for line in settled.explain]


def test_hook_next_dealer(rules_with: Load) -> None:
    class StaysPut(Stranger):
        replaces = ("gunzi.plugins.rotation",)

        @hookimpl
        def next_dealer(self, result: Result) -> Rotation:
            return Rotation(result.dealer, False, "stranger.says")

    assert settle(rules_with(StaysPut), result()).outcome.result.next_dealer == 0


def test_hook_endings(rules_with: Load) -> None:
    class Ninety(Stranger):
        @hookimpl
        def endings(self, result: Result) -> Sequence[Ending]:
            return (Ending("ninety", 1, "stranger.says", what=SAID),) if result.attackers_points == 90 else ()

    rules = rules_with(Ninety)
    settlement = settle(rules, result())
    ended = settlement.outcome
    assert (ended.ending, ended.round_won_by, ended.level_up) == ("ninety", 1, None)
    assert SAID in [line.what for line in settlement.explain]
    assert settle(rules, result(trick_points=95)).outcome.ending is None


def test_hook_level_up(rules_with: Load) -> None:
    class AttackersAlways(Stranger):
        replaces = ("gunzi.plugins.levels",)

        @hookimpl
        def level_up(self, result: Result) -> LevelUp | None:
            return LevelUp(1 - result.side, 2, "stranger.says")

    assert settle(rules_with(AttackersAlways), result()).outcome.levels == (3, 5)


def test_hook_climb(rules_with: Load) -> None:
    class StraightToNine(Stranger):
        replaces = ("gunzi.plugins.levels",)

        @hookimpl
        def climb(self, level: int, earned: int) -> Climb:
            return Climb(9, 9 - level, by="stranger.says")

    assert settle(rules_with(StraightToNine), result()).outcome.levels == (9, 3)


def test_hook_start_level(rules_with: Load) -> None:
    class FromFive(Stranger):
        replaces = ("gunzi.plugins.levels",)

        @hookimpl
        def start_level(self) -> int:
            return 5

    events = play(Table(rules_with(FromFive), seed=1, hands=1))
    assert events[0]["levels"] == [5, 5]
    assert of_kind(events, "trump")[0]["level"] == 5


def test_hook_tribute_parts(rules_with: Load) -> None:
    class OneMore(Stranger):
        @hookimpl
        def tribute_parts(self, result: Result) -> Sequence[TributePart]:
            return (TributePart(1, SAID, "stranger.says"),)

    low = result(trick_points=60)
    owed = settle(rules_with(OneMore), low).outcome.owed
    assert owed is not None
    assert owed.count == 3
    assert owed.receiver == 2


def test_hook_score_parts(rules_with: Load) -> None:
    class Tips(Stranger):
        @hookimpl
        def score_parts(self, outcome: Outcome) -> Sequence[ScorePart]:
            return (ScorePart((-3, 1, 1, 1), SAID, "stranger.says"),)

    assert settle(rules_with(Tips), result()).scores == (-3, 1, 1, 1)


def test_hook_title(rules_with: Load) -> None:
    class Flatters(Stranger):
        replaces = ("gunzi.plugins.titles",)

        @hookimpl
        def title(self, score: int) -> str:
            return "牌神" if score > 0 else ""

    rules = rules_with(Flatters)
    assert [rules.hook.title(score=score) for score in (1, 0)] == ["牌神", ""]


# -- observers and plugin events ---------------------------------------------------------------------------------------


def test_hook_happened(rules_with: Load) -> None:
    seen: list[Mapping[str, Any]] = []

    class Watches(Stranger):
        @hookimpl
        def happened(self, event: Mapping[str, Any]) -> None:
            seen.append(event)

    events = play(Table(rules_with(Watches), seed=1, hands=1))
    assert seen == events
    play(Table(rules_with(Watches), seed=1, hands=1, record=True))
    assert len(seen) == 2 * len(events)


def test_hook_redact(rules_with: Load) -> None:
    class Discreet(Toasts):
        @hookimpl
        def redact(self, event: Mapping[str, Any], seat: int | None) -> Mapping[str, Any] | None:
            if seat == 3:
                return None
            return {key: value for key, value in event.items() if key != "secret" or seat == 0}

    rules = rules_with(Discreet, {"phases": WITH_TOAST})
    events = play(Table(rules, seed=1, hands=1))

    def toast(seat: int | None) -> list[Event]:
        return of_kind(view(rules, events, seat), "gunzi-stranger:toast")

    assert [event.get("secret") for event in toast(0)] == ["BJ"]
    assert [event.get("secret", "hidden") for event in toast(1)] == ["hidden"]
    assert [event["wish"] for event in toast(None)] == ["a long life"]
    assert toast(3) == []
    assert [event["secret"] for event in disclosed(rules, events)] == ["BJ"]
    silent = rules_with(Toasts, {"phases": WITH_TOAST})
    assert of_kind(view(silent, events, 0), "gunzi-stranger:toast") == []
    assert disclosed(silent, events) == []


def test_hook_narrate(rules_with: Load) -> None:
    class Talks(Toasts):
        @hookimpl
        def redact(self, event: Mapping[str, Any], seat: int | None) -> Mapping[str, Any] | None:
            return {key: value for key, value in event.items() if key != "secret"}

        @hookimpl
        def narrate(self, event: Mapping[str, Any]) -> Text | None:
            if "secret" not in event:
                return None
            return Text(f"干杯\n底下写着 {event['secret']}", f"a toast\nbelow it {event['secret']}")

    rules = rules_with(Talks, {"phases": WITH_TOAST})
    events = play(Table(rules, seed=1, hands=1))
    whole = of_kind(events, "gunzi-stranger:toast")[0]
    assert rules.narrate(whole) == Text("干杯\n底下写着 BJ", "a toast\nbelow it BJ")
    assert rules.narrate(of_kind(view(rules, events, 0), "gunzi-stranger:toast")[0]) is None
    told = {lang: Narrator(Out(lang, {}), None, rules).tell(whole) for lang in ("zh", "en")}
    assert told == {"zh": ["干杯", "底下写着 BJ"], "en": ["a toast", "below it BJ"]}
    silent = rules_with(Toasts, {"phases": WITH_TOAST})
    assert silent.narrate(whole) is None
    assert "secret=BJ" in Narrator(Out("zh", {}), None, silent).tell(whole)[0]


def test_a_plugins_ending_is_told_in_its_own_words(rules_with: Load) -> None:
    class Ends(Stranger):
        @hookimpl
        def endings(self, result: Result) -> Sequence[Ending]:
            return (Ending("early_night", 0, "gunzi-stranger", order=-1, what=Text("天晚了，散了", "it grew late")),)

    events = play(Table(rules_with(Ends), seed=1, hands=1))
    settled = of_kind(events, "settle")[0]
    assert Narrator(Out("zh", {})).after(settled)[0].strip() == "天晚了，散了，0、2号一方赢下这一轮"
    assert "it grew late, the round goes to seats 0 and 2" in Narrator(Out("en", {})).after(settled)[0]


def disclosed(rules: RuleSet, events: Sequence[Event]) -> list[Event]:
    """The toasts among what a spectator is told when the hand is settled."""
    rows = of_kind(view(rules, events, None), "disclose")
    return of_kind([event for row in rows for event in row["events"]], "gunzi-stranger:toast")
