"""Who is at a table: members known by their tokens, and the four seats."""

from __future__ import annotations

import hashlib
import hmac
import secrets
import time
import unicodedata
from collections import OrderedDict
from dataclasses import dataclass, field
from typing import Any, Final, Protocol

from gunzi.apps.web.protocol import MAX_NAME

Json = dict[str, Any]
FREE, HUMAN, BOT = "free", "human", "bot"
ANSWERS_KEPT: Final = 64
"""Answers to a member's latest requests that are given again when a request is repeated."""


class Link(Protocol):
    """A connection, as a room sees it."""

    def send(self, frame: bytes) -> None:
        """Send a frame; never waits, never raises."""

    def bye(self, code: str) -> None:
        """Say why and close."""


@dataclass(slots=True)
class Member:
    """Somebody at a table. Of the token only the hash is kept. ``told_as``: the seat whose view the last frames were."""

    id: str
    name: str
    token_hash: str
    seat: int | None = None
    muted: bool = False
    link: Link | None = None
    told_as: int | None = None
    answers: OrderedDict[str, bytes] = field(default_factory=OrderedDict)
    left_at: float = field(default_factory=time.monotonic)

    def away(self) -> float:
        """For how many seconds the member has had no connection."""
        return 0.0 if self.link is not None else time.monotonic() - self.left_at

    def remember(self, request: str, answer: bytes) -> None:
        """Keep the answer to a request."""
        self.answers[request] = answer
        while len(self.answers) > ANSWERS_KEPT:
            self.answers.popitem(last=False)

    def as_kept(self) -> Json:
        """The member as the database has it."""
        return {"id": self.id, "name": self.name, "token": self.token_hash, "seat": self.seat, "muted": self.muted}

    @classmethod
    def of(cls, kept: Json) -> Member:
        """The member that was kept."""
        return cls(kept["id"], kept["name"], kept["token"], kept["seat"], kept["muted"])


@dataclass(slots=True)
class Seat:
    """A seat. ``auto``: a bot plays for the person in it; ``late``: timeouts in a row."""

    kind: str = FREE
    member: str | None = None
    name: str = ""
    bot: str | None = None
    pace: str | None = None
    ready: bool = False
    auto: bool = False
    late: int = 0

    @property
    def by_bot(self) -> bool:
        """Does a bot answer for this seat now?"""
        return self.kind == BOT or self.auto

    def clear(self) -> None:
        """Nobody sits here."""
        self.kind, self.member, self.name, self.bot, self.pace = FREE, None, "", None, None
        self.ready = self.auto = False
        self.late = 0

    def take(self, member: Member) -> None:
        """A person sits down."""
        self.clear()
        self.kind, self.member, self.name = HUMAN, member.id, member.name

    def fill(self, bot: str, pace: str, name: str) -> None:
        """A bot sits down."""
        self.clear()
        self.kind, self.bot, self.pace, self.name, self.ready = BOT, bot, pace, name, True

    def as_kept(self) -> Json:
        """The seat as the database has it."""
        return {name: getattr(self, name) for name in ("kind", "member", "name", "bot", "pace", "ready", "auto")}

    @classmethod
    def of(cls, kept: Json) -> Seat:
        """The seat that was kept."""
        return cls(**kept)


def new_token() -> str:
    """128 bits that nobody can guess."""
    return secrets.token_urlsafe(16)


def token_hash(token: str) -> str:
    """What is kept of a token."""
    return hashlib.sha256(token.encode("utf-8", "surrogatepass")).hexdigest()


def same_hash(one: str, other: str) -> bool:
    """Compared in constant time."""
    return hmac.compare_digest(one, other)


def clean_name(name: str) -> str | None:
    """A name as it is shown, or None where it is none: no control or format characters, something to be seen."""
    tidy = " ".join(unicodedata.normalize("NFC", name).split())
    kinds = [unicodedata.category(char)[0] for char in tidy if char not in _BLANK]
    # Marks alone, and the letters that show nothing, are no name.
    if len(tidy) > MAX_NAME or "C" in kinds or not set(kinds) - {"M", "Z"}:
        return None
    return tidy


_BLANK: Final = frozenset("\u115f\u1160\u2800\u3164\uffa0")
"""Characters that count as letters or symbols, and show nothing."""


_LETTERS: Final = "abcdefghjkmnpqrstuvwxyz23456789"


def new_table_id() -> str:
    """A table's id: short enough to read out, too long to guess."""
    return "".join(secrets.choice(_LETTERS) for _ in range(12))
