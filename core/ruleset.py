"""Rule sets: every option resolved, plugins at work, immutable, identified by content.

rules = load("yuwang", {"follow.shapes": "strict"})
rules.options["reveal.pick"]        # 'max'
rules.origin("reveal.pick").where   # 'gunzi/variants/yuwang.yaml:…'
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Callable, Mapping, Sequence
from functools import cached_property
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Final

from gunzi.cards import CARDS
from gunzi.errors import PluginError, Refused, Text
from gunzi.fixed import FIXED
from gunzi.host import Host
from gunzi.options import Option
from gunzi.optionset import PHASES, phase_conflicts
from gunzi.problems import Problem, has_errors, in_file_order
from gunzi.resolve import OVERRIDE, Origin, Resolved, lay_over, option_of, option_set, raise_problems
from gunzi.trump import BITS, Trump
from gunzi.values import ClaimRule, Conflict, Deck, FollowRule, LeadRule, TrickRule

if TYPE_CHECKING:
    from gunzi.phase import Phase
    from gunzi.play_rules import PlayRules
    from gunzi.plugin import Plugin

_HOSTS: dict[tuple[str, tuple[type[Plugin], ...]], Host] = {}
_MOST_HOSTS = 128

_OPEN: Final = re.compile(r"\{\w+\}")
"""What a rule's sentence leaves open."""


class RuleSet:
    """A resolved, checked rule set. Equal and hashable by ``hash``; pickles as its resolved values.

    ``options`` has every option's canonical value by dotted id, ``plugins`` the version of every plugin, ``warnings`` what
    is suspicious but allowed. ``hook.<name>(**arguments)`` asks the rules; see ``hooks.py``. Making one raises
    VariantError where options contradict each other, PluginError where plugins do.
    """

    def __init__(self, resolved: Resolved) -> None:
        self.resolved = resolved
        self.id = resolved.id
        self.name = resolved.name
        self.description = resolved.description
        self.version = resolved.version
        self.options: Mapping[str, Any] = MappingProxyType(resolved.options)
        self.option_set, classes = option_set(resolved.plugins)
        self.plugins: Mapping[str, str] = MappingProxyType({plugin.id: plugin.version for plugin in classes})
        self.hash = content_hash(self.options, self.plugins)
        self.host = _host(self.hash, classes, self.options)
        self.hook: Any = self.host.hook
        heard = [problem for problem in resolved.warnings if problem.code not in resolved.silence]
        self.warnings = (*heard, *self._conflicts())
        self.deck: Deck = self.host.deck
        self.points: tuple[int, ...] = self.host.points
        self.permanent: tuple[int, ...] = self.host.permanent
        self.start_level: int = self.hook.start_level()
        self.claims: ClaimRule = self.hook.claims()
        self._play_rules: dict[Trump, tuple[LeadRule, FollowRule, TrickRule]] = {}
        self.playing: dict[Trump, PlayRules] = {}
        """Kept by ``play_rules.py``."""
        self._point_masks: dict[Trump, tuple[int, tuple[int, ...]]] = {}
        self._hash = hash(self.hash)

    def __setattr__(self, name: str, value: Any) -> None:
        if "_hash" in self.__dict__:
            raise AttributeError(f"a rule set cannot be changed ({name}); with_options makes another")
        object.__setattr__(self, name, value)

    def __delattr__(self, name: str) -> None:
        raise AttributeError(f"a rule set cannot be changed ({name})")

    def __eq__(self, other: object) -> bool:
        return self is other or (isinstance(other, RuleSet) and self.hash == other.hash)

    def __hash__(self) -> int:
        return self._hash

    def __repr__(self) -> str:
        return f"<RuleSet {self.id} {self.hash[:15]}>"

    def __reduce__(self) -> tuple[Any, ...]:
        return (RuleSet, (self.resolved,))

    # -- options and rules in words ----------------------------------------------------------------------------

    def option_ids(self) -> tuple[str, ...]:
        """Every option id in the order of the rule book's section 5."""
        return tuple(self.option_set)

    def option(self, id: str) -> Option:
        """An option with its texts. Raises VariantError naming the most similar one."""
        return option_of(id, self.option_set)

    def origin(self, id: str) -> Origin:
        """Where an option's value was set, by what chain, with which status and source. Raises VariantError."""
        option_of(id, self.option_set)
        return self.resolved.origins[id]

    def value_text(self, id: str) -> Text:
        """What an option's value in force means. Raises VariantError."""
        return self.option(id).value_text(self.options[id])

    @cached_property
    def _rule_texts(self) -> Mapping[str, Text]:
        found = dict(FIXED)
        for plugin in self.host.classes:
            found.update(plugin.rules)
        return found

    def rule_ids(self) -> tuple[str, ...]:
        """Every rule id: the options', then the fixed rules'."""
        return (*self.option_set, *self._rule_texts)

    def rule_text(self, rule: str) -> Text:
        """The sentence of a fixed rule (its ``{names}`` open), or an option's name with its value in force. Raises KeyError."""
        if rule in self.option_set:
            name, value = self.option_set[rule].name, self.value_text(rule)
            return Text(f"{name.zh}：{value.zh}", f"{name.en}: {value.en}")
        return self._rule_texts[rule]

    def rule_about(self, rule: str) -> Text:
        """What a rule says where nothing is refused: the sentence of ``rule_text`` with … for its open ``{names}``. Raises KeyError."""
        text = self.rule_text(rule)
        return text if rule in self.option_set else Text(_OPEN.sub("…", text.zh), _OPEN.sub("…", text.en))

    def refuse(
        self,
        rule: str,
        text: Text | Mapping[str, object] | None = None,
        *,
        cards: Sequence[str] = (),
        seat: int | None = None,
    ) -> Refused:
        """A refusal by a rule. ``text`` is the sentence, or the values for the ``{names}`` in the rule's own sentence."""
        if isinstance(text, Text):
            said = text
        else:
            said = self.rule_text(rule)
            if text is not None and rule not in self.option_set:
                said = said.format(**text)
        origin = self.resolved.origins.get(rule)
        value = origin.value if origin is not None else None
        return Refused(rule, said, value=value, origin=origin.where if origin else None, cards=cards, seat=seat)

    # -- what a table needs ------------------------------------------------------------------------------------

    @cached_property
    def phases(self) -> tuple[Phase, ...]:
        """The phases of a hand in their order."""
        from gunzi.phases import PHASES as BUILT_IN  # the phases know rule sets; a rule set needs them only to play

        added = self.host.phases
        return tuple(added[name][1] if name in added else BUILT_IN[name] for name in self.options["phases"])

    @cached_property
    def observer(self) -> Callable[[Mapping[str, Any]], Any] | None:
        """What to call with each event written; None where no plugin wants to know."""
        if not self.host.answers("happened"):
            return None
        happened = self.hook.happened
        return lambda event: happened(event=event)

    def redact(self, event: Mapping[str, Any], seat: int | None) -> Mapping[str, Any] | None:
        """A plugin's own event as a seat (None: a spectator) may see it; None where its plugin hides it or is silent."""
        owner = str(event["e"]).rpartition(":")[0]
        return self.host.redact(owner, event, seat)

    def narrate(self, event: Mapping[str, Any]) -> Text | None:
        """A plugin's own event in the words of its plugin; None where that has none."""
        owner = str(event["e"]).rpartition(":")[0]
        return self.host.narrate(owner, event)

    def play_rules(self, trump: Trump) -> tuple[LeadRule, FollowRule, TrickRule]:
        """Leading, following and winning under a trump order."""
        found = self._play_rules.get(trump)
        if found is None:
            hook = self.hook
            found = (hook.lead_rule(trump=trump), hook.follow_rule(trump=trump), hook.trick_rule(trump=trump))
            if self.host.strangers:
                found = self._guarded(found)
            self._play_rules[trump] = found
        return found

    def _guarded(self, rules: tuple[LeadRule, FollowRule, TrickRule]) -> tuple[LeadRule, FollowRule, TrickRule]:
        from gunzi.guarding import guarded_rule  # it knows tables; gunzi's own rules do without it

        lead, follow, trick = rules
        who = self.host.who
        return (
            guarded_rule(lead, "lead_rule", who("lead_rule")),
            guarded_rule(follow, "follow_rule", who("follow_rule")),
            guarded_rule(trick, "trick_rule", who("trick_rule")),
        )

    def point_masks(self, trump: Trump) -> tuple[int, tuple[int, ...]]:
        """The bits that are worth points under a trump order, and the points of each of the 60 bits."""
        found = self._point_masks.get(trump)
        if found is None:
            kinds = trump.kind_at
            by_bit = tuple(self.points[CARDS[kinds[bit]].rank - 2] if kinds[bit] >= 0 else 0 for bit in range(BITS))
            found = (sum(1 << bit for bit in range(BITS) if by_bit[bit]), by_bit)
            self._point_masks[trump] = found
        return found

    def as_json(self) -> dict[str, Any]:
        """The ``rules`` of a record's header: id, hash, every option, every plugin's version, the variant's if it has one."""
        found = {"id": self.id, "hash": self.hash, "options": dict(self.options), "plugins": dict(self.plugins)}
        return {**found, "version": self.version} if self.version else found

    def with_options(self, overrides: Mapping[str, Any], where: str = OVERRIDE) -> RuleSet:
        """This rule set with other values laid over it. Raises VariantError."""
        return RuleSet(lay_over(self.resolved, overrides, where))

    # -- conflicts ---------------------------------------------------------------------------------------------

    def _conflicts(self) -> list[Problem]:
        """What contradicts: raises the errors, returns the warnings that are not silenced."""
        known = (*PHASES, *self.host.phases)
        found = phase_conflicts(self.options["phases"], known)
        for plugin, answer in self.host.each("conflicts", options=self.options):
            for conflict in answer:
                if not isinstance(conflict, Conflict):
                    raise PluginError(
                        Text(
                            f"插件 {plugin}：钩子 conflicts 答的是 {conflict!r:.200}，不是 Conflict",
                            f"plugin {plugin}: its hook conflicts answers {conflict!r:.200}, which is no Conflict",
                        ),
                        plugin,
                    )
                found.append(conflict)
        problems = [self._problem(conflict) for conflict in found]
        problems = [each for each in problems if each.severity == "error" or each.code not in self.resolved.silence]
        problems = in_file_order(problems, self.resolved.files[::-1])
        if has_errors(problems):
            raise_problems(problems, self.resolved.files[::-1])
        return problems

    def _problem(self, conflict: Conflict) -> Problem:
        """A conflict at the place that was written last: whoever wrote it could see the other."""
        order = {path: place for place, path in enumerate(self.resolved.files)}
        origins = {id: self.resolved.origins[id] for id in conflict.options if id in self.resolved.origins}
        severity: Any = "error" if conflict.error else "warning"
        if not origins:
            return Problem(conflict.code, conflict.text, path=self.id, severity=severity)

        def age(id: str) -> tuple[bool, int, int]:
            origin = origins[id]
            return (not origin.line, order.get(origin.path, -1), origin.line)

        last = max(origins, key=age)
        origin = origins[last]
        path = origin.path if origin.line else f"{origin.where} {last}"
        return Problem(
            conflict.code,
            conflict.text,
            path=path,
            line=origin.line,
            col=origin.col,
            severity=severity,
            excerpt=origin.excerpt,
            width=len(last.rpartition(".")[2]),
        )


def content_hash(options: Mapping[str, Any], plugins: Mapping[str, str]) -> str:
    """``sha256:`` and the digest of the canonical JSON of options and plugins."""
    content = {"options": dict(options), "plugins": dict(plugins)}
    text = json.dumps(content, sort_keys=True, separators=(",", ":"), ensure_ascii=False, allow_nan=False)
    return "sha256:" + hashlib.sha256(text.encode("utf-8")).hexdigest()


def _host(hash: str, classes: tuple[type[Plugin], ...], options: Mapping[str, Any]) -> Host:
    """The plugins at work for these options; rule sets of equal content share them."""
    key = (hash, classes)
    found = _HOSTS.get(key)
    if found is None:
        found = Host(classes, options)
        while len(_HOSTS) >= _MOST_HOSTS:
            _HOSTS.pop(next(iter(_HOSTS)), None)
        _HOSTS[key] = found
    return found


def forget_hosts() -> None:
    """Drop the shared plugin managers; for tests that change what is installed."""
    _HOSTS.clear()
