"""What may be played, against a second opinion: the same rules told in plain words about cards, tried on every play there is."""

from __future__ import annotations

import random
import time
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from itertools import combinations
from math import comb
from pathlib import Path

import pytest
from gunzi_tractors.ladder import ladder

import gunzi
from gunzi import CARDS, Card, Trump, trump_order

HERE = Path(__file__).resolve().parent.parent
VARIANTS = {2: HERE / "shuangsheng.yaml", 3: HERE / "three-packs.yaml"}
LEVELS = [2, 6, 13, 14]
PERMANENT = [(), (), (2,), (3, 9)]
Play = tuple[Card, ...]


# -- the second opinion ----------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Order:
    """Level, trump suit, and the ranks that are always trump, the stronger first."""

    level: int
    trump: str
    permanent: tuple[int, ...] = ()

    def suit(self, card: Card) -> str:
        """The suit a card follows in."""
        always = card.is_joker or card.rank == self.level or card.rank in self.permanent
        return "trump" if always or card.suit == self.trump else str(card.suit)

    def step(self, card: Card) -> int:
        """A card's step in its suit: neighbours differ by one, cards that tie are on one step."""
        fixed = [rank for rank in reversed(self.permanent) if rank != self.level]
        plain = [rank for rank in range(2, 15) if rank != self.level and rank not in fixed]
        if card.rank in plain:
            return plain.index(card.rank)
        ladder = [(rank, own) for rank in [*fixed, self.level] for own in (False, True)] + [(15, False), (16, False)]
        return len(plain) + ladder.index((card.rank, card.suit == self.trump))


def longest(steps: Iterable[int]) -> int:
    """The most consecutive numbers among these."""
    held = set(steps)
    return max((next(n for n in range(1, 30) if step + n not in held) for step in held), default=0)


def profile(steps: list[int], wanted: int) -> list[int]:
    """How long the tractors and pairs are that answer a tractor of ``wanted`` pairs, in the order in which they are owed."""
    left = Counter(steps)
    found: list[int] = []
    while wanted and left:
        length = min(longest(left), wanted)
        start = next(step for step in sorted(left) if all(step + n in left for n in range(length)))
        left -= Counter(range(start, start + length))
        found.append(length)
        wanted -= length
    return found


def splits(steps: list[int], lengths: list[int]) -> bool:
    """Can these pairs be laid out as tractors (and pairs) of these lengths?"""
    if not lengths:
        return not steps
    for start in set(steps):
        left = Counter(steps)
        piece = Counter(range(start, start + lengths[0]))
        if piece <= left and splits(list((left - piece).elements()), lengths[1:]):
            return True
    return False


def may_follow(hand: list[Card], led: Play, play: Play, order: Order) -> bool:
    """The rule of following, told about cards."""
    suit = order.suit(led[0])
    own = [card for card in hand if order.suit(card) == suit]
    played = [card for card in play if order.suit(card) == suit]
    if len(own) < len(led):
        return sorted(played) == sorted(own)
    if len(played) < len(led):
        return False
    most = max(Counter(led).values())
    counts, mine = Counter(own), Counter(played)
    if len(set(led)) == 1:
        if most == 3 and max(counts.values()) < 3:
            most = 2
        return max(mine.values()) >= min(most, max(counts.values()))
    wanted = len(led) // 2
    pairs = [card for card, count in counts.items() if count > 1]
    shown = [card for card, count in mine.items() if count > 1]
    if len(pairs) <= wanted:
        return sorted(shown) == sorted(pairs)
    if len(shown) != wanted or set(mine.values()) != {2}:
        return False
    lengths = profile([order.step(card) for card in pairs], wanted)
    return splits([order.step(card) for card in shown], lengths)


def may_lead(play: Play, order: Order) -> bool:
    """The rule of leading, told about cards."""
    counts = Counter(play)
    if len(counts) < 2:
        return len(counts) == 1
    steps = sorted(order.step(card) for card in counts)
    one_suit = len({order.suit(card) for card in counts}) == 1
    return one_suit and set(counts.values()) == {2} and steps == list(range(steps[0], steps[0] + len(steps)))


# -- hands to try ----------------------------------------------------------------------------------------------------


def some_hand(chance: random.Random, packs: int, size: int, order: Order, suit: str = "") -> list[Card]:
    """A hand that is rich in pairs, most of them in one suit (``H`` or ``trump``) and often close together."""
    suit = suit or chance.choice(["H", "trump"])
    near = [card for card in CARDS if order.suit(card) == suit]
    low = chance.choice([0, 0, 4, 8])
    near = [card for card in near if order.step(card) >= low]
    hand: list[Card] = []
    while len(hand) < size:
        card = chance.choice(near if chance.random() < 0.85 else list(CARDS))
        room = min(packs - hand.count(card), size - len(hand))
        hand += [card] * min(room, chance.choice([1, 2, 2, 2, 3]))
    return hand


def all_plays(hand: list[Card], size: int) -> set[Play]:
    return {tuple(sorted(play, key=lambda card: card.kind)) for play in combinations(hand, size)}


def as_play(cards: Iterable[Card]) -> Play:
    return tuple(sorted(cards, key=lambda card: card.kind))


def some_order(chance: random.Random) -> Order:
    return Order(chance.choice(LEVELS), chance.choice("SD"), chance.choice(PERMANENT))


def rules_under(packs: int, order: Order) -> tuple[gunzi.RuleSet, Trump]:
    rules = gunzi.load(VARIANTS[packs], {"trump.permanent": list(order.permanent)})
    return rules, trump_order(order.level, order.trump, rules.permanent)


@pytest.mark.parametrize("packs", [2, 3])
def test_follows_are_exactly_those_the_rule_in_words_allows(packs: int) -> None:
    chance = random.Random(packs)
    tractors = narrow = 0
    for _ in range(400):
        order = some_order(chance)
        rules, trump = rules_under(packs, order)
        leads, follows, _ = rules.play_rules(trump)
        suit = chance.choice(["H", "trump"])
        led_from = trump.masks(some_hand(chance, packs, 10, order, suit))
        count = leads.count(*led_from)
        lead = leads.kth(*led_from, count - 1 - chance.randrange(min(count, 2)))
        led = trump.cards(lead)
        hand = some_hand(chance, packs, chance.randrange(max(len(led), 8), 13), order, suit)
        holding = trump.masks(hand)
        more = (*follows.shape(*lead), follows.strict, follows.split)
        total = follows.count(*holding, *more)
        found = [as_play(trump.cards(follows.kth(*holding, *more, k))) for k in range(total)]
        every = all_plays(hand, len(led))
        right = {play for play in every if may_follow(hand, led, play, order)}
        case = (order, led, hand)
        assert total > 0
        assert len(set(found)) == total, case
        assert set(found) == right, case
        for play in every:
            assert follows.contains(*holding, *more, *trump.masks(play)) == (play in right), (case, play)
        tractors += len(led) > 3
        narrow += len(led) > 3 and len(right) < len(every)
    assert tractors > 100
    assert narrow > 80


@pytest.mark.parametrize("packs", [2, 3])
def test_leads_are_exactly_those_the_rule_in_words_allows(packs: int) -> None:
    chance = random.Random(packs)
    longer = 0
    for _ in range(60):
        order = some_order(chance)
        rules, trump = rules_under(packs, order)
        leads, _, _ = rules.play_rules(trump)
        hand = some_hand(chance, packs, 11, order)
        holding = trump.masks(hand)
        found = [as_play(trump.cards(leads.kth(*holding, k))) for k in range(leads.count(*holding))]
        every = {play for size in range(1, 9) for play in all_plays(hand, size)}
        right = {play for play in every if may_lead(play, order)}
        assert len(set(found)) == len(found), (order, hand)
        assert {play for play in found if len(play) <= 8} == right, (order, hand)
        for play in every:
            assert leads.contains(*holding, *trump.masks(play)) == (play in right), (order, hand, play)
        longer += any(len(play) > 3 for play in found)
    assert longer > 20


@pytest.mark.parametrize("packs", [2, 3])
def test_the_winner_is_the_strongest_play_of_the_led_shape(packs: int) -> None:
    chance = random.Random(packs)
    compared = 0
    for _ in range(200):
        order = some_order(chance)
        rules, trump = rules_under(packs, order)
        leads, follows, wins = rules.play_rules(trump)
        led_from = trump.masks(some_hand(chance, packs, 12, order))
        lead = leads.kth(*led_from, leads.count(*led_from) - 1)
        led = trump.cards(lead)
        lane, n = follows.shape(*lead)
        hand = trump.masks(some_hand(chance, packs, 14, order))
        for k in range(leads.count(*hand)):
            other = leads.kth(*hand, k)
            play = trump.cards(other)
            if len(play) != n:
                continue
            same = sorted(Counter(play).values()) == sorted(Counter(led).values())
            suits = {order.suit(card) for card in play}
            if not same or not suits <= {order.suit(led[0]), "trump"}:
                assert wins.power(*other, n, lane) == 0
                continue
            ours, theirs = ((order.suit(each[0]) == "trump", max(map(order.step, each))) for each in (play, led))
            beats = wins.power(*other, n, lane) > wins.power(*lead, n, lane)
            assert beats == (ours > theirs), (order, led, play)
            compared += n > 3
    assert compared > 20


@pytest.mark.parametrize("permanent", [(), (2,), (3, 9)])
def test_sets_of_pairs_are_counted_once_however_many_there_are(permanent: tuple[int, ...]) -> None:
    """On whole hands of pairs, where plays are too many to try: against all sets of pairs that the rule in words allows."""
    chance = random.Random(7)
    order = Order(7, "S", permanent)
    steps = ladder(trump_order(7, "S", permanent), True)
    trump = trump_order(7, "S", permanent)
    trumps = [card for card in CARDS if order.suit(card) == "trump"]
    for _ in range(40):
        pairs = chance.sample(trumps, chance.randrange(6, 13))
        wanted = chance.randrange(2, 9)
        mask = trump.masks(pairs)[0]
        choices = steps.demanded(mask, wanted)
        found = [frozenset(trump.cards(choices.kth(k))) for k in range(len(choices))]
        lengths = profile([order.step(card) for card in pairs], wanted)
        size = min(wanted, len(pairs))
        every = [frozenset(kinds) for kinds in combinations(pairs, size)]
        right = (
            {kinds for kinds in every if splits([order.step(card) for card in kinds], lengths)}
            if len(pairs) > wanted
            else {frozenset(pairs)}
        )
        assert len(set(found)) == len(found)
        assert set(found) == right, (pairs, wanted)
        assert all(((trump.masks(kinds)) in choices) == (kinds in right) for kinds in every)


def test_even_the_widest_question_is_answered_at_once() -> None:
    """39 cards with as many single pairs as can be, against long tractors: counted, not written out."""
    order = Order(7, "S", (2, 3))
    rules, trump = rules_under(3, order)
    _, follows, _ = rules.play_rules(trump)
    pairs = "S4 S6 S9 SJ SK H3 C3 D3 H2 C2 D2 H7 C7 D7 LJ"
    hand = trump.masks(gunzi.parse_cards(" ".join([pairs, pairs, "S5 S8 ST SQ SA S2 S3 S7 BJ"])))
    lane, _ = follows.shape(*trump.masks(gunzi.parse_cards("S4 S4 S5 S5")))
    counts = []
    for n in range(4, 38, 2):
        began = time.process_time()
        count = follows.count(*hand, lane, n, follows.strict, follows.split)
        for k in (0, count // 2, count - 1):
            play = follows.kth(*hand, lane, n, follows.strict, follows.split, k)
            assert follows.contains(*hand, lane, n, follows.strict, follows.split, *play)
        assert time.process_time() - began < 10
        counts.append(count)
    assert max(counts) == comb(15, 7)
    assert min(counts) >= 1
