"""What a plugin is.

    class DryPot(Plugin):
        id = "gunzi.plugins.dry_pot"      # the entry-point name, unique
        version = "1"                     # of its behaviour: raise it when the same options mean something else
        options = (Choice("dry_pot.side_leg", …), …)
        rules = {"dry_pot.all_trump": Text(zh=…, en=…)}    # ids of fixed rules it refuses or decides by

        @hookimpl
        def dry_pot(self, bottom, trump, shown, first_hand): …

One instance serves one rule set. ``self.option(id)`` is the resolved value of any option of that rule set.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar

from gunzi.errors import Text
from gunzi.options import Option
from gunzi.values import Lint, Reason


class Plugin:
    """Base class of all plugins, built-in ones included.

    ``replaces`` names plugins whose answers to the same decision hooks give way to this one's. ``defaults`` are the values
    of this plugin's options in variants that do not set them: a new rule is off until somebody turns it on. ``lints`` are
    the codes of the conflicts it reports (hook ``conflicts``), each with what it means.
    """

    id: ClassVar[str] = ""
    version: ClassVar[str] = ""
    name: ClassVar[Text] = Text("", "")
    options: ClassVar[tuple[Option, ...]] = ()
    rules: ClassVar[Mapping[str, Text]] = {}
    lints: ClassVar[Mapping[str, Lint]] = {}
    replaces: ClassVar[tuple[str, ...]] = ()
    defaults: ClassVar[Mapping[str, Any]] = {}

    def __init__(self, options: Mapping[str, Any]) -> None:
        self._options = options

    def option(self, id: str) -> Any:
        """The resolved value of an option, this plugin's or another's."""
        return self._options[id]

    def reason(self, rule: str, **values: object) -> Reason:
        """A Reason citing one of this plugin's ``rules``, its text filled in."""
        text = self.rules[rule]
        return Reason(rule, text.format(**values) if values else text)
