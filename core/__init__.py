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

if TYPE_CHECKING:
    from gunzi.acts import Act, Bury, BuryKings, Claim, DealCard, Declare, Pass, Pay, Pick, Play, Return
    from gunzi.ask import Ask
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
    from gunzi.fairness import Fair
    from gunzi.hand import Hand
    from gunzi.hooks import hookimpl
    from gunzi.loading import load, preset_ids
    from gunzi.phase import Phase
    from gunzi.plugin import Plugin
    from gunzi.record import Record
    from gunzi.resuming import resume, take_back
    from gunzi.ruleset import RuleSet
    from gunzi.settling import settle
    from gunzi.table import Table
    from gunzi.trump import Trump, trump_order
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

# What is needed is imported when it is first used: commands start sooner.
_LATER = {
    **dict.fromkeys(("CARDS", "Card", "parse_card", "parse_cards"), "cards"),
    **dict.fromkeys(
        (
            *("CardError", "GunziError", "PluginError", "RecordError", "Refused"),
            *("RulesError", "ScenarioError", "TableError", "Text", "VariantError"),
        ),
        "errors",
    ),
    **dict.fromkeys(
        ("Act", "Bury", "BuryKings", "Claim", "DealCard", "Declare", "Pass", "Pay", "Pick", "Play", "Return"), "acts"
    ),
    "Ask": "ask",
    "Fair": "fairness",
    "Hand": "hand",
    "hookimpl": "hooks",
    "load": "loading",
    "Phase": "phase",
    "Plugin": "plugin",
    "Record": "record",
    "RuleSet": "ruleset",
    "Table": "table",
    "Trump": "trump",
    "preset_ids": "loading",
    "resume": "resuming",
    "settle": "settling",
    "take_back": "resuming",
    "trump_order": "trump",
    "verify": "verifying",
    "view": "views",
}


def __getattr__(name: str) -> object:
    module = _LATER.get(name)
    if module is not None:
        found: object = getattr(importlib.import_module(f"gunzi.{module}"), name)
        globals()[name] = found
        return found
    if name in _LATER.values():  # ``gunzi.loading`` is there as a type checker believes it is
        return importlib.import_module(f"gunzi.{name}")
    raise AttributeError(f"module 'gunzi' has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
