"""Options: what a house rule can be set to, in words and as a schema.

An option belongs to the plugin that reads it. One declaration drives everything: parsing, the JSON Schema, errors with
suggestions, the rule book and the forms. Option ids are ``group.name`` (or a bare group: ``points``, ``titles``).
"""

from gunzi.options.cards import KingCounts, Rank, RankPoints, Ranks
from gunzi.options.lists import Names, Titles
from gunzi.options.option import BadValue, Option, closest
from gunzi.options.plain import Choice, Flag, Number, Schema

__all__ = [
    "BadValue",
    "Choice",
    "Flag",
    "KingCounts",
    "Names",
    "Number",
    "Option",
    "Rank",
    "RankPoints",
    "Ranks",
    "Schema",
    "Titles",
    "closest",
]
