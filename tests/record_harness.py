"""What the tests of records share."""

from __future__ import annotations

import copy
from pathlib import Path

from conftest import play_out

import gunzi
from gunzi import Record, Table

RECORDS = Path(__file__).parent / "records"


def played(preset: str = "dalian", hands: int = 2, seed: int = 5) -> Record:
    """A table played out at random."""
    return play_out(Table(gunzi.load(preset), seed=seed, hands=hands, rounds=None)).record


def taken_back(record: Record, at: int, to: int) -> Record:
    """The record as if, after event ``at``, everything after event ``to`` had been taken back and then played as before."""
    head = copy.deepcopy(record.events[:at])
    undo = {"e": "undo", "n": at + 1, "to": to, "agreed": [0, 1, 2, 3]}
    rest = [{**event, "n": event["n"] + at + 1 - to} for event in copy.deepcopy(record.events[to:])]
    return Record(record.header, [*head, undo, *rest])
