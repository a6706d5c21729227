"""Rule sets as the pages show them: found by id, code or YAML, described with what differs from the base."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Mapping
from typing import Any, Final

from gunzi.apps.web.errors import No, Said
from gunzi.errors import GunziError, RulesError, Text
from gunzi.fixed import FIXED
from gunzi.loading import load, load_text, preset_ids
from gunzi.resolve import BASE
from gunzi.ruleset import RuleSet
from gunzi.sharecode import encode, is_code
from gunzi.writing import differences

Json = dict[str, Any]
MAX_YAML: Final = 64_000
"""Bytes of the longest variant file."""
MOST_KEPT: Final = 256
"""Rule sets that can be asked for by their hash after they were resolved."""
MOST_PROBLEMS: Final = 100


def both(text: Text) -> Json:
    """A text in both languages."""
    return {"zh": text.zh, "en": text.en}


def find_rules(asked: Mapping[str, Any], fallback: str | None = None) -> RuleSet:
    """The rule set that ``rules``, ``set`` and ``yaml`` describe. Raises No, RulesError.

    ``rules`` is a preset or a share code: never a file of the server's.
    """
    name, overrides, yaml = asked.get("rules"), asked.get("set") or {}, asked.get("yaml")
    if yaml is not None:
        if not isinstance(yaml, str) or len(yaml.encode("utf-8", "surrogatepass")) > MAX_YAML:
            raise Said("rules", Text(f"文件最多 {MAX_YAML} 字节", f"a file has at most {MAX_YAML} bytes"))
        return load_text(yaml, "rules.yaml", _texts(overrides))
    name = name if name is not None else fallback
    if not isinstance(name, str):
        raise Said("rules", Text("没写哪套规则", "no rules are named"))
    if name not in (*preset_ids(), BASE) and not is_code(name):
        raise Said("rules", Text(f"没有叫 {name[:60]!r} 的预设", f"there is no preset {name[:60]!r}"))
    return load(name, _texts(overrides))


def _texts(overrides: Any) -> dict[str, Any]:
    if not isinstance(overrides, dict):
        raise Said("rules", Text("set 要写成 选项 → 取值", "`set` maps options to values"))
    return overrides


def problems_of(error: GunziError) -> list[Json]:
    """What is wrong, problem by problem."""
    problems = getattr(error, "problems", ())
    found: list[Json] = [problem.as_json() for problem in problems[:MOST_PROBLEMS]]
    return found or [{"code": "rules", "severity": "error", **both(error.text)}]


def differs_json(rules: RuleSet, base: RuleSet | None = None) -> list[Json]:
    """The options that differ from the base, in the rule book's order."""
    base = base or load(BASE)
    return [
        {
            "option": id,
            "name": both(rules.option(id).name),
            "value": rules.options[id],
            "shown": rules.option(id).show(rules.options[id]),
            "base": base.options.get(id),
            "meaning": both(rules.value_text(id)),
            "where": rules.origin(id).where,
        }
        for id in differences(rules, base)
    ]


def card_json(rules: RuleSet) -> Json:
    """``room.rules`` of a frame. Raises RulesError where the rule set has no share code."""
    return {
        "id": rules.id,
        "name": both(rules.name),
        "description": both(rules.description),
        "hash": rules.hash,
        "code": encode(rules),
        "differs": differs_json(rules),
        "plugins": dict(rules.plugins),
        "warnings": [problem.as_json() for problem in rules.warnings],
    }


def full_json(rules: RuleSet) -> Json:
    """The same with every option, and the fixed rules in words."""
    base = load(BASE)
    options = []
    for id in rules.option_ids():
        option, origin = rules.option(id), rules.origin(id)
        options.append(
            {
                "option": id,
                "value": rules.options[id],
                "shown": option.show(rules.options[id]),
                "meaning": both(rules.value_text(id)),
                "name": both(option.name),
                "base": base.options.get(id),
                "differs": rules.options[id] != base.options.get(id),
                "where": origin.where,
                "chain": list(origin.chain),
                "status": origin.status,
                "source": origin.source,
            }
        )
    fixed = {id: both(rules.rule_about(id)) for id in rules.rule_ids() if id not in rules.options}
    assert FIXED.keys() <= fixed.keys()
    return {**card_json(rules), "options": options, "fixed": fixed}


class KnownRules:
    """Rule sets by hash, the latest ones; those in play are kept by their tables, and ``Hub.rules_of`` finds them there."""

    def __init__(self) -> None:
        self._known: OrderedDict[str, RuleSet] = OrderedDict()

    def add(self, rules: RuleSet) -> RuleSet:
        """Remember a rule set."""
        self._known[rules.hash] = rules
        self._known.move_to_end(rules.hash)
        while len(self._known) > MOST_KEPT:
            self._known.popitem(last=False)
        return rules

    def get(self, hash: str) -> RuleSet | None:
        """The rule set of a hash, where it is known."""
        return self._known.get(hash)


def rules_or_no(asked: Mapping[str, Any], fallback: str | None = None) -> RuleSet:
    """As ``find_rules``, for requests over the socket. Raises No."""
    try:
        rules = find_rules(asked, fallback)
        encode(rules)
    except No:
        raise
    except RulesError as error:
        raise Said("rules", error.text, problems=problems_of(error)) from None
    return rules
