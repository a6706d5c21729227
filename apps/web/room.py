"""A room: one table's queue. A command is applied, its trace is written, and then everybody is told.

Everything that happens at a table goes through ``Room.put`` and is handled one after another by ``Room.run``, so no two
commands ever see each other half done. What is not in the database has not happened: nobody hears of a command before its
batch is committed.
"""

from __future__ import annotations

import asyncio
import logging
import secrets
import time
import traceback
from collections.abc import Callable, Iterable
from typing import Any, Final

import orjson

from gunzi.apps.web import acting, asking, driving, seating, showing, voting
from gunzi.apps.web.beginning import deals_of, new_game
from gunzi.apps.web.commands import BROKEN, EVERYTHING, LOBBY, OVER, PLAY, PLAYING, SHUFFLE, Clock, Done, Limits, Vote
from gunzi.apps.web.errors import No, Said, error_frame
from gunzi.apps.web.game import Game, Question
from gunzi.apps.web.packing import packed
from gunzi.apps.web.people import BOT, HUMAN, Link, Member, Seat, same_hash, token_hash
from gunzi.apps.web.protocol import REQUESTS
from gunzi.apps.web.store import Batch, Store, StoreError
from gunzi.apps.web.table_settings import defaults
from gunzi.apps.web.voting import Shuffle
from gunzi.apps.web.wire import NoSuchChoice, refused_json
from gunzi.errors import CardError, GunziError, Refused, Text
from gunzi.fairness import FairDeal
from gunzi.ruleset import RuleSet

Json = dict[str, Any]
log: Final = logging.getLogger("gunzi.web")
ANSWERED: Final = 4_096
"""Commands without an event whose answers stay in the journal: whoever goes on changing his name fills no disk."""
QUIET: Final = (b'{"e":"play"', b'{"e":"trick"', b'{"e":"dealt"')
"""Rows after which the score stands as it stood."""


class Room:
    """A table with its people. ``run`` is its task."""

    def __init__(self, id: str, store: Store, rules: RuleSet, limits: Limits, on_change: Callable[[], None]) -> None:
        self.id = id
        self.store = store
        self.rules = rules
        self.kept_rules: Json = rules.as_json()
        self.limits = limits
        self.on_change = on_change
        self.name = ""
        self.invite = secrets.token_urlsafe(16)
        self.phase = LOBBY
        self.settings: dict[str, int | bool] = defaults()
        self.seats = [Seat() for _ in range(4)]
        self.members: dict[str, Member] = {}
        self.host: str | None = None
        self.swaps: dict[int, int] = {}
        self.seating = 0
        self.error: Json | None = None
        self.kept_phase: str | None = None
        """What the database goes on to have as the phase of a table that this program, another one than before, cannot resume."""
        self.rules_gone: Text | None = None
        """Why the rules that were kept cannot be had; then ``rules`` are others, and nobody may play by them unawares."""
        self.trace = ""
        self.number = 0
        self.next_member = 1
        self.header: Json | None = None
        self.game: Game | None = None
        self.rev = 0
        self.eventless = 0
        """Rows in the journal that hold no event, at most."""
        self.clock: Clock | None = None
        self.vote: Vote | None = None
        self.shuffle: Shuffle | None = None
        self.passed: set[int] = set()
        self.told_dealt = 0
        self.told_naming: Json | None = None
        self.card: Json = showing.card_of(rules)
        self.driver = driving.Driver(self)
        self.queue: asyncio.Queue[Any] = asyncio.Queue()
        self.used = time.monotonic()
        self.closed = False
        self.ended: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        """Done when nothing in the queue is handled any more."""

    # -- making and keeping ------------------------------------------------------------------------------------

    def as_kept(self) -> bytes:
        """The room as the database is to have it; ``keeping.py`` makes it again."""
        return orjson.dumps(
            {
                "id": self.id,
                "name": self.name,
                "invite": self.invite,
                "phase": self.kept_phase or self.phase,
                "settings": self.settings,
                "seats": [seat.as_kept() for seat in self.seats],
                "members": [member.as_kept() for member in self.members.values()],
                "host": self.host,
                "error": self.error if self.kept_phase is None else None,
                "trace": self.trace if self.kept_phase is None else "",
                "number": self.number,
                "next_member": self.next_member,
                "header": self.header,
                "rules": self.kept_rules,
                "card": self.card,
                "shuffle": self.shuffle.as_kept() if self.shuffle is not None else None,
                "rev": self.rev,
            }
        )

    async def commit(self, done: Done, who: Member | None = None, re: str | None = None) -> bytes | None:
        """Write what a command has done, and the answer to it, which is returned. Raises StoreError."""
        self.rev += 1
        answer = None
        body: Json | bytes
        rows = b"[" + b",".join(done.rows) + b"]"
        if who is not None and re is not None:
            answer = packed({"t": "ok", "re": re, "rev": self.rev, **done.answer})
            kept = answer if "token" not in done.answer else packed({"t": "ok", "re": re, "rev": self.rev})
            who.remember(re, kept)
            body = b'{"rows":%b,"who":"%b","re":"%b","ok":%b}' % (rows, who.id.encode(), re.encode(), kept)
        else:
            body = b'{"rows":%b}' % rows
            if done.header is not None:
                body = b'{"rows":%b,"header":%b}' % (rows, orjson.dumps(done.header))
        game = self.game
        hand = None
        if game is not None and game.table.over and self.phase == PLAYING:
            self.phase = OVER
            seating.expect_host(self)
            done.room, done.parts = True, done.parts | {"room", "score", "you"}
        self.commit_to_shuffle(done)
        if done.rows and game is not None:
            game.asks(self.rev)
            if game.finished is not None:
                finished = {**game.finished, "game": self.number, "finished": int(time.time())}
                hand = (int(finished["hand"]), orjson.dumps(finished))
        state = self.as_kept() if done.room else None
        public = bool(self.settings["public"])
        prune = 0
        if not done.rows:
            self.eventless += 1
            if self.eventless >= 2 * ANSWERED:
                self.eventless, prune = ANSWERED, self.rev - ANSWERED
        phase = self.kept_phase or self.phase
        batch = Batch(self.id, self.rev, self.number, body, state, public, phase, hand, prune)
        await self.store.commit(batch)
        self.on_change()
        return answer

    def commit_to_shuffle(self, done: Done) -> None:
        """Where a deal is coming, its seed is drawn and published with the very command that ends the hand before it."""
        game = self.game
        if game is None or not game.table.between or self.phase != PLAYING or self.shuffle is not None:
            return
        self.shuffle = Shuffle.fresh(game.table.hand_number, game.table.redeal)
        done.room, done.parts = True, done.parts | {"fair", "room"}

    def deal(self, hand: int, redeal: int) -> FairDeal:
        """The deck of a hand, from the published seed and what the seats have added: the table asks for it once."""
        assert self.shuffle is not None
        fair, self.shuffle = self.shuffle.fair, None
        return fair.deal(self.rules, hand, redeal)

    # -- the queue ---------------------------------------------------------------------------------------------

    def put(self, command: Any) -> None:
        """Hand in a command: (member, frame), or a callable that the room is to run. Nothing happens where the room has ended."""
        if not self.ended.done():
            self.queue.put_nowait(command)

    async def run(self) -> None:
        """Handle commands until the room is closed; what is in the queue then is left undone."""
        try:
            await self._run()
        finally:
            if not self.ended.done():
                self.ended.set_result(None)
            while not self.queue.empty():
                self.queue.get_nowait()

    async def _run(self) -> None:
        while not self.closed:
            command = await self.queue.get()
            self.used = time.monotonic()
            try:
                if callable(command):
                    await command()
                else:
                    await self._request(*command)
            except StoreError as error:
                # What is in memory is ahead of the database: nobody has been told, so the table goes back to what is kept.
                log.error("table %s: %s", self.id, error.text.en)
                self.close("server")
            except Exception as error:
                await self.broken(error)
                if not callable(command):
                    _, link, frame = command
                    link.send(error_frame(No("broken"), frame["id"]))

    async def broken(self, error: BaseException) -> None:
        """Something at this table has failed: it stands still, and says so."""
        log.error("table %s has failed: %s: %s", self.id, type(error).__name__, error)
        self.fail(error)
        try:
            await self.commit(Done(room=True))
            seating.expect_host(self)
            self.tell(EVERYTHING | {"hand"})
        except Exception as worse:
            # It can be neither kept nor shown: what is in the database counts.
            log.error("table %s: %s: %s", self.id, type(worse).__name__, worse)
            self.close("server")

    def fail(self, error: BaseException, said: Text | None = None) -> None:
        """Let the table stand still, with what it says of why (``said``, or the error's own words); ``broken`` tells it."""
        self.driver.stop()
        self.phase = BROKEN
        self.clock = self.vote = None
        if said is None:
            own = Text(f"程序出错：{error}", f"the program failed: {error}")
            said = error.text if isinstance(error, GunziError) else own
        self.error = {"code": type(error).__name__, "zh": said.zh[:1000], "en": said.en[:1000]}
        self.trace = "".join(traceback.format_exception(error))[-20_000:]

    def close(self, code: str) -> None:
        """End the room's task and its connections; the table stays in the database."""
        self.closed = True
        self.driver.stop()
        for member in self.members.values():
            if member.link is not None:
                link, member.link = member.link, None
                link.bye(code)
        self.put(_nothing)

    # -- requests ----------------------------------------------------------------------------------------------

    async def _request(self, member: Member, link: Link, frame: Json) -> None:
        if member.link is not link:
            return
        kind, re = frame["t"], frame["id"]
        lasting = REQUESTS[kind].lasting
        if lasting and (before := member.answers.get(re)) is not None:
            link.send(before)
            return
        try:
            if kind in asking.READS:
                link.send(
                    orjson.dumps({"t": "ok", "re": re, "rev": self.rev, **asking.READS[kind](self, member, frame)})
                )
                return
            done = HANDLERS[kind](self, member, frame)
        except No as no:
            self._refuse(member, link, no, re, lasting)
            return
        except Refused as refused:
            said = Said("refused", refused.text, refused=refused_json(refused, self.rules))
            self._refuse(member, link, said, re, lasting)
            return
        except (CardError, NoSuchChoice) as error:
            self._refuse(member, link, Said("card", error.text), re, lasting)
            return
        answer = await self.commit(done, member, re)
        assert answer is not None
        link.send(answer)
        await self.settle_down(done)

    def _refuse(self, member: Member, link: Link, no: No, re: str, lasting: bool) -> None:
        frame = error_frame(no, re)
        if lasting:
            member.remember(re, frame)
        link.send(frame)
        if no.resync:
            link.send(showing.state_frame(self, member))

    async def settle_down(self, done: Done) -> None:
        """After a commit: tell everybody, and see to what happens next by itself."""
        parts = done.parts
        if done.rows:
            parts |= PLAY
            self.passed.clear()
            if any(not row.startswith(QUIET) for row in done.rows):
                parts |= {"score"}
            if self.vote is not None and self.vote.q != (self.game.q if self.game else 0):
                self.vote = None
                parts |= {"vote"}
        self.driver.plan()
        self.tell(parts)

    # -- who may do what ---------------------------------------------------------------------------------------

    def seat_of(self, member: Member) -> int:
        """The member's seat. Raises No."""
        if member.seat is None:
            raise No("seated")
        return member.seat

    def check_host(self, member: Member) -> None:
        """Raises No for anybody but the host and, while the host is away, the first who has a seat and is there."""
        if member.id == self.host:
            return
        host = self.members.get(self.host or "")
        heir = next((place for place in range(4) if self.attends(place)), None)
        if (host is not None and host.link is not None) or heir is None or heir != member.seat:
            raise No("host")

    def check_phase(self, *phases: str) -> None:
        """Raises No where the table does something else."""
        if self.phase == BROKEN and BROKEN not in phases:
            raise No("broken")
        if self.phase not in phases:
            raise No("phase")

    @property
    def in_play(self) -> bool:
        """Is a game going on, or kept for a program that can resume it? Then no seat may become free."""
        return (self.kept_phase or self.phase) in (SHUFFLE, PLAYING)

    async def give_up(self) -> None:
        """The game that cannot be resumed will not go on, whatever program comes. To be awaited outside the queue. Raises No, StoreError."""
        if self.kept_phase is None:
            return
        if self.closed:
            raise No("closing")
        done: asyncio.Future[None] = asyncio.get_running_loop().create_future()

        async def write() -> None:
            self.kept_phase = None
            try:
                await self.commit(Done(room=True))
            except Exception as error:
                done.set_exception(error)
                raise
            done.set_result(None)

        self.put(write)
        await asyncio.wait({done, self.ended}, return_when=asyncio.FIRST_COMPLETED)
        if not done.done():
            raise No("closing")
        done.result()

    def playing(self) -> Game:
        """The game that is being played. Raises No."""
        self.check_phase(PLAYING)
        assert self.game is not None
        return self.game

    def people(self) -> Iterable[int]:
        """The seats where somebody is present and plays for themselves."""
        return [place for place, seat in enumerate(self.seats) if self.attends(place) and not seat.auto]

    def attends(self, place: int) -> bool:
        """Is the person of this seat connected?"""
        seat = self.seats[place]
        member = self.members.get(seat.member or "")
        return seat.kind == HUMAN and member is not None and member.link is not None

    @property
    def watched(self) -> bool:
        """Is anybody connected?"""
        return any(member.link is not None for member in self.members.values())

    def member_of(self, token: str) -> Member | None:
        """Whom a token belongs to."""
        hashed = token_hash(token)
        return next((each for each in self.members.values() if same_hash(each.token_hash, hashed)), None)

    # -- telling -----------------------------------------------------------------------------------------------

    def tell(self, parts: frozenset[str], but: Member | None = None) -> None:
        """Send everybody what has changed: what each has not seen of the game yet, and ``parts``."""
        showing.tell(self, parts, but)

    def question(self) -> Question | None:
        """What is open in the game; None where there is none."""
        return self.game.question() if self.game is not None and self.phase == PLAYING else None

    # -- games -------------------------------------------------------------------------------------------------

    def start(self) -> Done:
        """Begin the next game, all having given their part of the shuffle."""
        players = [{"name": seat.name, "kind": "bot" if seat.kind == BOT else "human"} for seat in self.seats]
        self.number += 1
        game = new_game(self.rules, self.number, players, f"{self.id}-{self.number}", self.settings, deals_of(self))
        if any(seat.kind == BOT for seat in self.seats):
            game.table.watched = True
        self.game, self.phase = game, PLAYING
        self.header = game.table.header
        self.swaps.clear()
        for seat in self.seats:
            seat.late = 0
        return Done(rows=game.begin(), room=True, parts=EVERYTHING | {"hand"}, header=self.header)


async def _nothing() -> None:
    """Wakes a room that is to end."""


HANDLERS: Final[dict[str, Callable[[Room, Member, Json], Done]]] = {
    **acting.HANDLERS,
    **seating.HANDLERS,
    **voting.HANDLERS,
}
