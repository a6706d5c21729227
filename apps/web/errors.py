"""What a request is told when it cannot be done."""

from __future__ import annotations

from typing import Any

import orjson

from gunzi.apps.web.packing import packed
from gunzi.apps.web.protocol import ERRORS
from gunzi.errors import GunziError, Text


class No(GunziError):
    """A request is refused, by one of the codes in ``protocol.ERRORS``; nothing has changed. ``resync``: a ``state`` is to follow."""

    def __init__(self, code: str, *, resync: bool = False, **values: Any) -> None:
        super().__init__(ERRORS[code].format(**values))
        self.code = code
        self.resync = resync
        self.more: dict[str, Any] = {}


class Said(No):
    """The same, with a text of its own."""

    def __init__(self, code: str, text: Text, **more: Any) -> None:
        super().__init__(code, zh=text.zh, en=text.en, why=text)
        self.text = ERRORS[code].format(zh=text.zh, en=text.en, why=text)
        self.more = more


def error_frame(no: No, re: str | None) -> bytes:
    """The frame that says so."""
    return packed({"t": "error", "re": re, "code": no.code, "zh": no.text.zh, "en": no.text.en, **no.more})


def bye_frame(code: str) -> bytes:
    """The last frame of a connection."""
    text = ERRORS[code]
    return orjson.dumps({"t": "bye", "code": code, "zh": text.zh, "en": text.en})
