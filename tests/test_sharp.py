"""``sharp``: its names and budgets, what it chooses, whole hands, both forms, and other people's rules."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest
from sharp_harness import STRICT, asked, every_deal
from strangers import install, uninstall

import gunzi
from gunzi import Plugin, combinations, hookimpl, masks
from gunzi.acts import Act
from gunzi.apps.players import (
    BudgetError,
    UnknownPlayerError,
    four_dice,
    one_act,
    parse_policy,
    play_table,
    player,
)
from gunzi.apps.players.sharp import Budget, Sharp, parse_budget
from gunzi.apps.players.sharp.choosing import Scores, choose
from gunzi.apps.players.sharp.compiling import INTERPRETED, compiled
from gunzi.apps.players.sharp.finishing import play_on
from gunzi.apps.players.sharp.knowing import know, ranks_at_least
from gunzi.apps.players.sharp.searching import moment_of
from gunzi.apps.players.sharp.shuffling import gather
from gunzi.apps.players.sharp.worth import A_LEVEL, A_ROUND, Stakes
from gunzi.ask import CardsAsk, PlayAsk
from gunzi.loading import load_text
from gunzi.play_rules import PlayRules, play_rules
from gunzi.plugins.follow import shape
from gunzi.table import Table
from gunzi.trump import Masks, trump_order
from gunzi.values import BottomWorth, FollowRule, Reason, Result

# -- names and budgets --------------------------------------------------------------------------------------------


def test_a_budget_is_part_of_the_name() -> None:
    assert player("sharp").name == "sharp"
    assert player(" Sharp:500 ").name == "sharp:500"
    assert player("sharp:0.2s").name == "sharp:0.2s"
    assert parse_policy("sharp:9,steady,sharp:1s,random") == ("sharp:9", "steady", "sharp:1s", "random")
    assert parse_budget("200") == parse_budget("") == Budget()
    assert Budget(40).of(4) == Budget(10)
    assert Budget(seconds=0.5).of(4) == Budget(seconds=0.5)


@pytest.mark.parametrize("budget", ["0", "-3", "x", "0s", "1e9s", "5ms", "99999999999", "0.2"])
def test_a_budget_that_is_none_is_refused(budget: str) -> None:
    with pytest.raises(BudgetError, match="after sharp: so many playouts"):
        player(f"sharp:{budget}")


def test_only_sharp_takes_a_budget() -> None:
    with pytest.raises(UnknownPlayerError):
        player("steady:5")


# -- choosing -------------------------------------------------------------------------------------------------------


def test_the_better_candidate_is_found_and_the_first_is_kept_where_nothing_can_be_told() -> None:
    worth = [0, 3, 10, 4, 2]
    tried: Counter[int] = Counter()

    def attempt(deals: int, chosen: Any) -> list[list[int]]:
        tried.update(dict.fromkeys(chosen, deals))
        return [[worth[each] + deal % 2 for each in chosen] for deal in range(deals)]

    assert choose(5, Budget(100), attempt, 0.0) == 2
    assert tried[2] > tried[4] and tried[0] >= tried[2]
    assert sum(tried.values()) <= 100
    worth[:] = [5, 5, 5, 5, 5]
    assert choose(5, Budget(100), attempt, 0.0) == 0
    scores = Scores(2)
    for value in (100, -100, 101, -99):
        scores.add([0, 1], [0, value])
    assert scores.mean(1) == 0.5 and not scores.surely(1)


def test_an_end_is_worth_what_the_table_s_rules_make_of_it() -> None:
    rules = play_rules(gunzi.load("yuwang"), trump_order(5, "H"))
    bottom = rules.trump.masks(gunzi.parse_cards("C3 C4 D6 S6 D9 S9"))
    attackers = Stakes(rules, (5, 5), 0, False, None, 1)
    dealers = Stakes(rules, (5, 5), 0, False, None, 2)
    held, captured, none, all_points = (60 << 12) | 0, (200 << 12) | 1, 0, (300 << 12) | 1
    assert dealers.of(held, bottom) == -attackers.of(held, bottom) > A_LEVEL
    assert attackers.of(captured, bottom) == -dealers.of(captured, bottom) > A_LEVEL
    assert dealers.of(none, bottom) > A_ROUND
    assert attackers.of(all_points, bottom) > A_ROUND
    kings = rules.trump.masks(gunzi.parse_cards("BJ C4 D6 S6 D9 S9"))
    assert attackers.of(captured, kings) > attackers.of(captured, bottom) + A_LEVEL
    # A must-play level stops the climb: the rules say so, not the player.
    below_ten = Stakes(rules, (9, 9), 0, False, None, 1)
    assert below_ten.of(captured, kings) < attackers.of(captured, kings) - A_LEVEL


# -- whole hands ----------------------------------------------------------------------------------------------------


def test_sharp_plays_every_preset_in_both_follow_modes(rules: gunzi.RuleSet) -> None:
    table = Table(rules, seed=4, rounds=None, hands=1)
    play_table(table, [Sharp(Budget(4), INTERPRETED), *[player("steady")] * 3], seed=9)
    assert gunzi.verify(table.record).hands == 1


@pytest.mark.parametrize(
    "options",
    [
        {"deck.packs": 2, "deck.hand": 24, "deck.bottom": 12},
        {"deck.packs": 1, "deck.hand": 12, "deck.bottom": 6, "follow.shapes": "strict"},
        {"follow.shapes": "strict", "follow.triple_against_pair": "exempt"},
        {"trump.permanent": [2, 9], "points": {}, "levels.threshold": 5, "tribute.low": 5},
        {"first_dealer.claim": "automatic", "reveal.jokers": "high", "bury_kings.others": "none"},
        {"phases": ["deal", "reveal", "bottom", "bury", "play", "settle"]},
    ],
)
def test_sharp_plays_an_operator_s_rules(options: dict[str, Any]) -> None:
    table = Table(gunzi.load("dalian", options), seed=6, rounds=None, hands=2)
    play_table(table, [player("steady"), Sharp(Budget(4), INTERPRETED)] * 2, seed=2)
    assert gunzi.verify(table.record).hands == 2


def test_where_the_phases_are_others_it_answers_as_steady() -> None:
    rules = gunzi.load("dalian", {"phases": ["deal", "reveal", "tribute", "bottom", "play", "settle"]})
    tables = [Table(rules, seed=6, rounds=None, hands=2) for _ in range(2)]
    for table, name in zip(tables, ("sharp:6", "steady"), strict=True):
        play_table(table, [player(name)] * 4, seed=2)
    assert tables[0].events == tables[1].events


def act_of(table: Table, budget: int = 60) -> Act:
    """What sharp does at the question a table asks now."""
    return one_act(table, Sharp(Budget(budget), INTERPRETED), four_dice(11))


def test_the_same_question_gets_the_same_answer() -> None:
    table = Table(gunzi.load("yuwang"), seed=3, rounds=None, hands=1)
    for _ in asked(table, "steady", 3):
        if table.ask.kind in ("claim", "bury") or (table.hand.trick_number % 9 == 2 and table.hand.plays == 2):
            assert act_of(table, 20) == act_of(table, 20)


@pytest.mark.parametrize("options", [{}, STRICT])
def test_cards_it_cannot_see_do_not_change_its_answer(options: dict[str, Any]) -> None:
    rules = gunzi.load("yuwang", options)
    table = Table(rules, seed=3, rounds=None, hands=2)
    compared = 0
    for _ in asked(table, "steady", 3):
        hand, ask = table.hand, table.ask
        play = isinstance(ask, PlayAsk) and hand.trick_number in (3, 20) and hand.plays in (0, 2)
        if not (play or isinstance(ask, CardsAsk) and ask.kind == "bury"):
            continue
        before = act_of(table)
        held = list(hand.holdings)
        one, other = (ask.seat + 1) % 4, (ask.seat + 2) % 4
        for k in range(0, 12, 3):
            a, b = (
                combinations.choose_kth(*hand.holdings[one], 1, k % 4),
                combinations.choose_kth(*hand.holdings[other], 1, k % 5),
            )
            hand.holdings[one] = masks.add(*masks.remove(*hand.holdings[one], *a), *b)
            hand.holdings[other] = masks.add(*masks.remove(*hand.holdings[other], *b), *a)
        assert hand.holdings != held
        assert act_of(table) == before
        hand.holdings[:] = held
        compared += 1
    assert compared >= 4


def test_cards_still_to_be_dealt_do_not_change_its_answer() -> None:
    rules = gunzi.load("yuwang")
    asks = 0
    for seed in range(4):
        table = Table(rules, seed=seed)
        if table.ask.kind != "claim":
            continue
        deck = list(table.hand.deck)
        dealt = table.hand.dealt
        other = Table(rules, deals=lambda number, redeal, deck=deck, dealt=dealt, first=table.hand.first: (  # type: ignore[misc]
            [*deck[:dealt], *sorted(deck[dealt:])], first
        ))  # fmt: skip
        assert other.ask.seat == table.ask.seat and other.hand.dealt == dealt
        assert act_of(other) == act_of(table)
        asks += 1
    assert asks


def deal_and_play(table: Table, playing: PlayRules, hold: list[int], first: Masks) -> int:
    """How a hand ends if the cards lie like this, the seat that is asked plays ``first``, and ``steady`` goes on in every seat."""
    sight = table.sight(table.ask.seat)
    heavy = sum(1 << bit for bit, points in enumerate(playing.points) if points > 5)
    work = list(hold)
    seat = table.ask.seat
    work[3 * seat : 3 * seat + 3] = sight.holding
    burial = list(sight.buried) if sight.shown.buried is None else [0, 0, 0]
    moment = moment_of(sight, playing, heavy)
    return play_on(work, moment, [0] * 4, burial, *first, playing.points, playing.trump.power)


@pytest.mark.parametrize("options", [{}, STRICT])
def test_a_playout_is_what_steady_makes_of_the_rest_of_the_hand(options: dict[str, Any]) -> None:
    rules = gunzi.load("dalian", options)
    table = Table(rules, seed=9, rounds=None, hands=3, record=False, watched=True)
    ends: list[tuple[int, int, Table]] = []
    for _ in asked(table, "steady", 1):
        hand, ask = table.hand, table.ask
        if not isinstance(ask, PlayAsk):
            continue
        hold = [mask for holding in hand.holdings for mask in holding] + [0, 0, 0]
        end = deal_and_play(table, ask.play_rules, hold, (0, 0, 0))
        ends.append((hand.number, end, table))
        if table.hands == hand.number:
            break
    # Whoever asks, and whenever: the end is the same, and it is the one the table comes to.
    for number in {number for number, _, _ in ends}:
        told = {(end >> 12, end & 3) for n, end, _ in ends if n == number}
        assert len(told) == 1
    assert table.last is not None
    points, winner = next((end >> 12, end & 3) for number, end, _ in ends if number == table.hand_number - 1)
    result = table.last.outcome.result
    assert (result.trick_points, result.captured) == (points, bool((winner ^ result.dealer) & 1))


def test_with_few_cards_left_it_plays_what_is_best_in_the_mean_over_all_deals() -> None:
    rules = gunzi.load("yuwang")
    table = Table(rules, seed=12, rounds=None, hands=30, record=False, watched=True)
    gained = 0
    for _ in asked(table, "steady", 3):
        hand, ask = table.hand, table.ask
        if not isinstance(ask, PlayAsk) or ask.seat != hand.dealer or ask.total < 2 or not hand.dealer_buried:
            continue
        if masks.size(*ask.holding) != 2 or hand.trump is None:
            continue
        sight = table.sight(ask.seat)
        known = know(sight, ask.play_rules, False)
        assert known is not None
        every = every_deal(known, ranks_at_least(ask.play_rules))
        stakes = Stakes(ask.play_rules, hand.levels, hand.dealer, False, None, ask.seat)
        bottom = hand.trump.masks(hand.bottom)
        worth: dict[Masks, int] = {}
        for k in range(ask.total):
            play = ask.masks_at(k)
            worth[play] = 0
            for deal in every:
                hold = [0] * 15
                gather(known.cards, list(deal), hold)
                worth[play] += stakes.of(deal_and_play(table, ask.play_rules, hold, play), bottom)
        chosen, usual = ask.chosen_by(act_of(table, 3000)), ask.chosen_by(act_of_steady(table))
        best = max(worth.values())
        # Within a fiftieth of a level of the best.
        assert worth[chosen] >= best - 20 * len(every)
        gained += worth[chosen] > worth[usual]
    assert gained


def act_of_steady(table: Table) -> Act:
    """What steady does at the question a table asks now."""
    return one_act(table, player("steady"), four_dice(11))


# -- compiled ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("options", [{}, {**STRICT, "follow.triple_against_pair": "exempt"}])
def test_the_compiled_form_answers_as_the_interpreted_one(options: dict[str, Any]) -> None:
    pytest.importorskip("numba")
    rules = gunzi.load("yuwang", options)
    tables = [Table(rules, seed=5, rounds=None, hands=1) for _ in range(2)]
    for table, form in zip(tables, (compiled(), INTERPRETED), strict=True):
        play_table(table, [Sharp(Budget(24), form), player("steady")] * 2, seed=1)
    assert tables[0].events == tables[1].events


def test_it_can_think_by_the_clock() -> None:
    table = Table(gunzi.load("yuwang"), seed=3, rounds=None, hands=1, record=False, watched=True)
    while not isinstance(table.ask, PlayAsk):
        table.do(table.ask.seat, one_act(table, player("steady"), four_dice(1)))
    act = one_act(table, player("sharp:0.01s"), four_dice(1))
    assert act in table.ask


# -- strangers' rules ------------------------------------------------------------------------------------------------


class BiggerCapture(Plugin):
    """The bottom counts twice for each card it was won with."""

    id = "house.capture"
    version = "1"
    name = gunzi.Text("抠底看张数", "Captures by cards")
    replaces = ("gunzi.plugins.capture",)

    @hookimpl
    def bottom_worth(self, result: Result) -> BottomWorth:
        return BottomWorth(result.bottom_points * 2 ** len(result.last_play), "house.capture")


class AnythingFollows(Plugin):
    """Any cards follow."""

    id = "house.follow"
    version = "1"
    name = gunzi.Text("随便跟", "Anything follows")
    replaces = ("gunzi.plugins.follow",)

    @hookimpl
    def follow_rule(self) -> FollowRule:
        return FollowRule(
            shape,
            lambda h1, h2, h3, lane, n, strict, split: combinations.choose_count(h1, h2, h3, n),
            lambda h1, h2, h3, lane, n, strict, split, k: combinations.choose_kth(h1, h2, h3, n, k),
            lambda h1, h2, h3, lane, n, strict, split, p1, p2, p3: masks.contains(h1, h2, h3, p1, p2, p3),
            0,
            0,
            lambda holding, lead, play: Reason("house.follow", gunzi.Text("不会拒绝", "never refused")),
        )


def with_plugin(monkeypatch: pytest.MonkeyPatch, plugin: type[Plugin]) -> gunzi.RuleSet:
    install(monkeypatch, plugin)
    return load_text(f"gunzi: 1\nid: house\nname: {{zh: 我家, en: house}}\nextends: yuwang\nplugins: [{plugin.id}]\n")


def test_a_stranger_s_settlement_counts(monkeypatch: pytest.MonkeyPatch) -> None:
    rules = with_plugin(monkeypatch, BiggerCapture)
    try:
        playing = play_rules(rules, trump_order(5, "H"))
        stakes = Stakes(playing, (5, 5), 0, False, None, 1)
        bottom = playing.trump.masks(gunzi.parse_cards("C5 C4 D6 S6 D9 S9"))
        single, triple = ((100 << 12) | (40 << 4) | (n << 2) | 1 for n in (1, 3))
        assert stakes.of(single, bottom) < stakes.of(triple, bottom) - A_LEVEL
        table = Table(rules, seed=5, rounds=None, hands=1)
        play_table(table, [Sharp(Budget(4), INTERPRETED), *[player("steady")] * 3], seed=1)
        assert gunzi.verify(table.record).hands == 1
    finally:
        uninstall(monkeypatch)


def test_where_a_stranger_s_rule_says_what_follows_it_answers_as_steady(monkeypatch: pytest.MonkeyPatch) -> None:
    rules = with_plugin(monkeypatch, AnythingFollows)
    try:
        table = Table(rules, seed=5, rounds=None, hands=1)
        asks = 0
        for _ in asked(table, "steady", 3):
            if isinstance(table.ask, PlayAsk):
                assert act_of(table, 6) == act_of_steady(table)
                asks += 1
        assert asks > 50
    finally:
        uninstall(monkeypatch)
