"""gunzi plays the Dalian card game 打滚子 under any house rules.

A table played to its end by always giving the first answer:

    import gunzi
    rules = gunzi.load("yuwang", {"follow.shapes": "strict"})
    table = gunzi.Table(rules, seed=7)
    while not table.over:
        ask = table.ask
        table.do(ask.seat, ask[0])
    table.record.save("table.jsonl")
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING

from gunzi.cards import CARDS, Card, parse_card, parse_cards
from gunzi.errors import (
    CardError,
    GunziError,
    PluginError,
    RecordError,
    Refused,
    RulesError,
    ScenarioError,
    TableError,
    Text,
    VariantError,
)
from gunzi.hooks import hookimpl
from gunzi.loading import load, preset_ids
from gunzi.plugin import Plugin
from gunzi.ruleset import RuleSet
from gunzi.trump import Trump, trump_order

if TYPE_CHECKING:
    from gunzi.acts import Act, Bury, BuryKings, Claim, DealCard, Declare, Pass, Pay, Pick, Play, Return
    from gunzi.ask import Ask
    from gunzi.fairness import Fair
    from gunzi.hand import Hand
    from gunzi.phase import Phase
    from gunzi.record import Record
    from gunzi.resuming import resume, take_back
    from gunzi.settling import settle
    from gunzi.table import Table
    from gunzi.verifying import verify
    from gunzi.views import view

__all__ = [
    "CARDS",
    "Act",
    "Ask",
    "Bury",
    "BuryKings",
    "Card",
    "CardError",
    "Claim",
    "DealCard",
    "Declare",
    "Fair",
    "GunziError",
    "Hand",
    "Pass",
    "Pay",
    "Phase",
    "Pick",
    "Play",
    "Plugin",
    "PluginError",
    "Record",
    "RecordError",
    "Refused",
    "Return",
    "RuleSet",
    "RulesError",
    "ScenarioError",
    "Table",
    "TableError",
    "Text",
    "Trump",
    "VariantError",
    "hookimpl",
    "load",
    "parse_card",
    "parse_cards",
    "preset_ids",
    "resume",
    "settle",
    "take_back",
    "trump_order",
    "verify",
    "view",
]

__version__ = "0.1.0"

# What is needed to play is imported when it is first used: commands that only look at rules start sooner.
_LATER = {
    **dict.fromkeys(
        ("Act", "Bury", "BuryKings", "Claim", "DealCard", "Declare", "Pass", "Pay", "Pick", "Play", "Return"), "acts"
    ),
    "Ask": "ask",
    "Fair": "fairness",
    "Hand": "hand",
    "Phase": "phase",
    "Record": "record",
    "Table": "table",
    "resume": "resuming",
    "settle": "settling",
    "take_back": "resuming",
    "verify": "verifying",
    "view": "views",
}


def __getattr__(name: str) -> object:
    module = _LATER.get(name)
    if module is None:
        raise AttributeError(f"module 'gunzi' has no attribute {name!r}")
    found = getattr(importlib.import_module(f"gunzi.{module}"), name)
    globals()[name] = found
    return found


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
