"""What happens at a table by itself: cards go out, bots answer, time runs out, the next hand begins."""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import Awaitable, Callable
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import TYPE_CHECKING, Any, Final
from weakref import ref

from gunzi.acts import PASS, Act, Pass
from gunzi.apps.players import four_dice, player
from gunzi.apps.web.commands import PLAYING, SHUFFLE, Clock, Done
from gunzi.apps.web.errors import No
from gunzi.apps.web.game import BETWEEN, BURY_KINGS, DEAL, GROUP, Game, Question
from gunzi.apps.web.voting import CONTRIBUTE_S
from gunzi.ask import Ask, ListAsk

if TYPE_CHECKING:
    from gunzi.apps.web.room import Room

STAND_IN: Final = "steady"
"""Who plays for people that are away."""
QUICK: Final = frozenset({"random", "steady"})
"""Bots that answer at once; the others think in a thread of their own."""
BETRAYING: Final = frozenset({DEAL, BURY_KINGS})
"""Where only a seat that holds certain cards has anything to think about: time taken there would tell. All bots answer at once, as the stand-in."""
THINKING: Final = ThreadPoolExecutor(2, "gunzi-thinks")
"""Where bots think that take long; all else that takes a thread has others."""
PACE_MS: Final = {"slow": 2_200, "normal": 1_100, "fast": 350}
TRICK_MS: Final = 900
"""How much longer a bot waits before it leads, so that the trick can be seen."""
NOBODY_MS: Final = 1_500
"""How long a result is shown where nobody looks at it who plays."""


class Driver:
    """A room's timer: at any moment at most one thing is going to happen by itself."""

    def __init__(self, room: Room) -> None:
        self._room = ref(room)  # no cycle: an ended table leaves the memory at once
        self.hurry = 1.0
        self.dice = four_dice(secrets.randbits(60))
        self._timer: asyncio.TimerHandle | None = None
        self._vote_timer: asyncio.TimerHandle | None = None
        self._key: Any = None
        self._serial = 0
        self._dealt_at = 0.0
        self._considered = -1
        self._seen = -1
        self._window = (-1, 0.0)
        self._noticed: dict[int, tuple[tuple[Act, ...], float]] = {}

    @property
    def room(self) -> Room:
        """The room, which is there as long as anything can happen at it."""
        found = self._room()
        assert found is not None
        return found

    # -- planning ----------------------------------------------------------------------------------------------

    def stop(self) -> None:
        """Nothing happens by itself any more."""
        if self._timer is not None:
            self._timer.cancel()
        if self._vote_timer is not None:
            self._vote_timer.cancel()
        self._timer = self._vote_timer = None
        self._key = None

    def plan(self) -> None:
        """See to what is to happen next; a countdown that still means the same goes on."""
        room = self.room
        self._plan_vote()
        if room.phase == SHUFFLE and room.watched:
            self._plan_shuffle("first", self._start)
            return
        found = room.question()
        if found is None or room.closed or not room.watched:
            # A table that nobody is connected to stands still.
            if room.phase == PLAYING or self._key is not None:
                self._cancel()
                room.clock = None
            return
        assert room.game is not None
        if found.kind == DEAL:
            self._plan_deal(room.game)
        elif found.kind == BETWEEN:
            self._plan_between(room.game)
        else:
            self._plan_answer(room.game, found)

    def _plan_deal(self, game: Game) -> None:
        room = self.room
        now = asyncio.get_running_loop().time()
        if not game.closing:
            pace = room.settings["deal_ms"] * GROUP / 1000
            if self._key != "deal":
                self._dealt_at = now
            elif self._timer is not None:
                return
            # From the last group on, not from now: what others do meanwhile does not shift the pace.
            self._dealt_at = max(self._dealt_at + pace, now - pace)
            self._set("deal", self._dealt_at, self._deal, None)
            return
        people = set(room.people())
        if not game.window_open or (people and people <= room.passed):
            self._set(("close", game.q), now, self._close, None)
            return
        if self._window[0] != game.q:
            total = room.settings["window_ms"] / 1000
            self._window = (game.q, now + (total if people else min(total, 0.5 * self.hurry)))
        due = self._window[1]
        clock = Clock("window", None, due, room.settings["window_ms"] / 1000)
        if self._considered != game.q:
            self._set(("bots", game.q), now + min(1.0, max(0.0, due - now) / 4), self._consider, clock)
        else:
            self._set(("window", game.q), due, self._close, clock)

    def _plan_shuffle(self, key: Any, action: Callable[[], Awaitable[None]]) -> None:
        """As soon as all have given their part of the shuffle, or when it has waited for them long enough."""
        room, now = self.room, asyncio.get_running_loop().time()
        shuffle = room.shuffle
        if shuffle is None or shuffle.complete(room) or shuffle.due <= now:
            self._set((key, "now"), now, action, None)
        else:
            self._set((key, "wait"), shuffle.due, action, Clock("contribute", None, shuffle.due, CONTRIBUTE_S))

    def _plan_between(self, game: Game) -> None:
        room = self.room
        now = asyncio.get_running_loop().time()
        people = set(room.people())
        if self._seen == game.q or game.redealt or (people and people <= room.passed):
            self._plan_shuffle(("next", game.q), self._next)
        elif not people:
            self._set(("nobody", game.q), now + NOBODY_MS / 1000 * self.hurry, self._seen_enough, None)
        else:
            self._set_within(("between", game.q), "between", None, room.settings["between_ms"], self._seen_enough)

    def _plan_answer(self, game: Game, found: Question) -> None:
        room = self.room
        assert found.seat is not None
        seat = room.seats[found.seat]
        if seat.by_bot:
            wait = PACE_MS[seat.pace or "normal"]
            if found.kind == "lead" and game.table.hand.trick_number > 1:
                wait += TRICK_MS
            now = asyncio.get_running_loop().time()
            self._set(("bot", game.q, found.seat), now + wait / 1000 * self.hurry, self._bot, None)
            return
        limit = {"lead": "think_ms", "follow": "think_ms", BURY_KINGS: "kings_ms"}.get(found.kind, "bury_ms")
        self._set_within(("act", game.q, found.seat), "act", found.seat, room.settings[limit], self._late)

    def _plan_vote(self) -> None:
        vote = self.room.vote
        if self._vote_timer is not None:
            self._vote_timer.cancel()
            self._vote_timer = None
        if vote is not None:
            loop = asyncio.get_running_loop()
            self._vote_timer = loop.call_at(vote.due, self.room.put, partial(self._vote_over, vote))

    def _set_within(
        self, key: Any, kind: str, seat: int | None, limit: int, action: Callable[[], Awaitable[None]]
    ) -> None:
        if key == self._key:
            return
        if not limit:
            self._cancel()
            self._key, self.room.clock = key, None
            return
        due = asyncio.get_running_loop().time() + limit / 1000
        self._set(key, due, action, Clock(kind, seat, due, limit / 1000))

    def _set(self, key: Any, due: float, action: Callable[[], Awaitable[None]], clock: Clock | None) -> None:
        if key == self._key and self._timer is not None:
            return
        self._cancel()
        self._key, self.room.clock = key, clock
        self._serial += 1
        loop = asyncio.get_running_loop()
        self._timer = loop.call_at(due, self.room.put, partial(self._fire, self._serial, action))

    def _cancel(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
        self._timer = self._key = None

    async def _fire(self, serial: int, action: Callable[[], Awaitable[None]]) -> None:
        if serial != self._serial or self._timer is None:
            return  # something else has happened meanwhile
        self._timer = None
        await action()

    # -- what happens ------------------------------------------------------------------------------------------

    async def _do(self, done: Done) -> None:
        await self.room.commit(done)
        await self.room.settle_down(done)

    async def _deal(self) -> None:
        game = self.room.playing()
        await self._do(Done(rows=game.deal()))
        await self._ask_bots(at_once=False)

    async def _close(self) -> None:
        self._key = None
        await self._do(Done(rows=self.room.playing().close_deal()))

    async def _consider(self) -> None:
        game = self.room.playing()
        self._key = None
        self._considered = game.q
        if not await self._ask_bots(at_once=True):
            self.plan()
            self.room.tell(frozenset({"clock"}))

    async def _ask_bots(self, at_once: bool) -> bool:
        """Let the bots claim or declare, in the order of the deal; did one? While cards go out they take the time a person
        takes to see it (unless ``at_once``), so that whoever has the same card is not beaten by a machine."""
        room = self.room
        game = room.game
        if game is None or room.phase != PLAYING or game.table.between or game.table.over:
            return False
        hand = game.table.hand
        for step in range(4):
            place = (hand.first + step) % 4
            offer = game.offer(place) if room.seats[place].by_bot else None
            if offer is None or not (self._has_seen(place, offer) or at_once):
                continue
            act, _ = await self._thought(game, place)
            if not isinstance(act, Pass):
                await self._do(Done(rows=game.do(place, act)))
                return True
        return False

    async def _start(self) -> None:
        self._key = None
        await self._do(self.room.start())

    async def _seen_enough(self) -> None:
        """The result has been shown for long enough."""
        self._key = None
        self._seen = self.room.playing().q
        self.plan()
        self.room.tell(frozenset({"clock"}))

    def _has_seen(self, place: int, offer: ListAsk) -> bool:
        """Has a bot had this possibility for long enough?"""
        now = asyncio.get_running_loop().time()
        acts, since = self._noticed.get(place, ((), now))
        if acts != offer.acts:
            since = now
            self._noticed[place] = (offer.acts, now)
        return now - since >= PACE_MS[self.room.seats[place].pace or "normal"] / 1000 * self.hurry

    async def _next(self) -> None:
        self._key = None
        await self._do(Done(rows=self.room.playing().go_on(), room=True, parts=frozenset({"room", "fair"})))

    async def _bot(self) -> None:
        game = self.room.playing()
        found = game.question()
        assert found is not None and found.seat is not None
        act, _ = await self._thought(game, found.seat)
        await self._do(Done(rows=game.do(found.seat, act)))

    async def _late(self) -> None:
        """Somebody has not answered in time: a bot does, and goes on after some times in a row."""
        room = self.room
        game = room.playing()
        found = game.question()
        assert found is not None and found.seat is not None
        seat = room.seats[found.seat]
        act, _ = await self._thought(game, found.seat)
        done = Done(rows=game.do(found.seat, act))
        seat.late += 1
        if seat.late >= room.settings["auto_after"]:
            seat.auto = True
            done.room, done.parts = True, frozenset({"room", "you"})
        await self._do(done)

    async def _vote_over(self, vote: Any) -> None:
        if self.room.vote is vote:
            self.room.vote = None
            self.room.tell(frozenset({"vote"}))

    # -- bots --------------------------------------------------------------------------------------------------

    async def _thought(self, game: Game, seat: int) -> tuple[Act, Ask | None]:
        """What the bot of a seat does now. One that thinks long does not keep the other tables waiting."""
        if self._thinker(game, seat) in QUICK:
            return self.advice(game, seat)
        # The table's queue waits for it, so nothing that it looks at changes.
        return await asyncio.get_running_loop().run_in_executor(THINKING, self.advice, game, seat)

    def _thinker(self, game: Game, seat: int) -> str:
        """Which bot answers for a seat now."""
        found = game.question()
        if found is not None and found.kind in BETRAYING:
            return STAND_IN
        return self.room.seats[seat].bot or STAND_IN

    def advice(self, game: Game, seat: int) -> tuple[Act, Ask | None]:
        """What a bot would do in a seat now, and the question it has answered. Raises No where the seat is not asked."""
        found = game.question()
        assert found is not None
        if found.kind == BETWEEN:
            raise No("phase")
        if found.seat not in (None, seat):
            raise No("turn")
        ask = game.offer(seat) if found.kind == DEAL else found.ask
        if ask is None:
            return PASS, None
        if ask.total == 1:
            return ask[0], ask
        hand = game.table.hand
        dice = self.dice[seat]
        dice.at(hand.number, hand.redeal)
        if hand.trick_number:
            dice.trick(hand.trick_number)
        else:
            dice.ask(ask.kind, hand.dealt if found.kind == DEAL else 0)
        bot = player(self._thinker(game, seat))
        return bot.act(game.sight(seat), ask, dice), ask
