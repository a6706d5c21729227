"""The JSON Schema of variant files, built from the options themselves: what editors show and what other programs check.

python -m gunzi.schema [FOLDER]     writes variant.schema.json (into gunzi's own schemas where no folder is given)
"""

from __future__ import annotations

import json
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Final

from gunzi import schemas, variants
from gunzi.errors import Text
from gunzi.options import Choice, Flag, Number, Option
from gunzi.optionset import CORE, OptionSet
from gunzi.resolve import option_set
from gunzi.variant import FORMAT, ID, MAX_NAMES, MAX_TEXT
from gunzi.variant_options import STATUSES

DRAFT: Final = "https://json-schema.org/draft/2020-12/schema"

_STATUS_TEXT: Final = {
    "stated": Text("原文写明", "a text says it"),
    "inferred": Text("推断：这份原文没写，参照别家的原文", "the text needs it and a sibling text says it"),
    "ruled": Text("裁定：哪份原文都没写，由规则书定", "no text says it; the rule book decides"),
    "operator": Text("自定：这桌自己的规矩", "this table's own choice"),
}


def variant_schema(options: OptionSet | None = None) -> dict[str, Any]:
    """The schema of a variant file that may set these options (default: the built-in ones). No ``oneOf`` anywhere."""
    known = options if options is not None else option_set(())[0]
    properties = _own_keys(known)
    for group, ids in known.groups.items():
        if group in known:
            properties[group] = option_schema(known[group])
        else:
            properties[group] = _group(group, ids, known)
    for old, new in known.renamed.items():
        _old_name(properties, old, known[new])
    return {
        "$schema": DRAFT,
        "title": "gunzi variant",
        **_described(Text("打滚子的一套打法", "a set of house rules for 打滚子")),
        "type": "object",
        "required": ["gunzi", "id"],
        "properties": properties,
        "additionalProperties": False,
    }


def _described(text: Text) -> dict[str, Any]:
    both = f"{text.zh}\n\n{text.en}"
    return {"description": both, "markdownDescription": both}


def _own_keys(options: OptionSet) -> dict[str, Any]:
    words = {"type": "string", "minLength": 1, "maxLength": 400, "pattern": r"\S"}
    note = {
        "type": "object",
        "required": ["status"],
        "properties": {
            "status": {
                "enum": list(STATUSES),
                "enumDescriptions": [f"{_STATUS_TEXT[status].zh} / {_STATUS_TEXT[status].en}" for status in STATUSES],
            },
            "source": {"type": "string", "maxLength": MAX_TEXT},
        },
        "additionalProperties": False,
    }
    return {
        "gunzi": {"const": FORMAT, **_described(Text("文件格式", "the format of this file"))},
        "id": {
            "type": "string",
            "pattern": f"^{ID.pattern}$",
            "maxLength": 80,
            **_described(Text("小写字母、数字、连字符", "small letters, digits and hyphens")),
        },
        "name": _both(Text("名字", "the name"), 80),
        "description": _both(Text("一两句话说明", "a sentence or two about it"), MAX_TEXT),
        "version": {
            "type": ["string", "integer"],
            "maxLength": 40,
            **_described(Text("这个文件的版本", "the version of this file")),
        },
        "extends": {
            "type": ["string", "array"],
            "minLength": 1,
            "maxLength": 400,
            "pattern": r"\S",
            "items": words,
            "maxItems": MAX_NAMES,
            "uniqueItems": True,
            "examples": list(variants.PRESETS),
            **_described(
                Text(
                    "在哪个打法上改：预设的 id 或文件；几个就写成列表，后面的盖前面的",
                    "what it is based on: a preset's id or a file; several in a list, later ones win",
                )
            ),
        },
        "plugins": {
            "type": "array",
            "items": words,
            "maxItems": MAX_NAMES,
            "uniqueItems": True,
            **_described(Text("自带规则以外的插件", "plugins besides the built-in ones")),
        },
        "notes": {
            "type": "object",
            "propertyNames": {"enum": [*options, *options.renamed]},
            "additionalProperties": note,
            **_described(Text("每个选项的出处", "where each option's value comes from")),
        },
        "silence": {
            "type": "array",
            "items": words,
            "maxItems": MAX_NAMES,
            "uniqueItems": True,
            **_described(Text("不用再提醒的代号", "codes of warnings that need not be shown")),
        },
    }


def _both(text: Text, most: int) -> dict[str, Any]:
    words = {"type": "string", "maxLength": most}
    return {
        "type": ["object", "string"],
        "maxLength": most,
        "properties": {"zh": words, "en": words},
        "minProperties": 1,
        "additionalProperties": False,
        **_described(text),
    }


def _group(group: str, ids: Sequence[str], options: OptionSet) -> dict[str, Any]:
    names = [f"{options[id].name.zh}（{id}）" for id in ids]
    english = [options[id].name.en for id in ids]
    return {
        "type": "object",
        **_described(Text("；".join(names), "; ".join(english))),
        "properties": {id.partition(".")[2]: option_schema(options[id]) for id in ids},
        "additionalProperties": False,
    }


def option_schema(option: Option) -> dict[str, Any]:
    """An option's schema with its texts and, where its values have names, theirs."""
    values: Mapping[str, Text] = option.values()
    rows = [f"{option.doc.zh}", "", f"{option.doc.en}"]
    if values:
        rows.append("")
        rows += [f"- `{value}`: {text.zh} / {text.en}" for value, text in values.items()]
    made: dict[str, Any] = {
        "title": f"{option.name.zh} / {option.name.en}",
        "description": f"{option.doc.zh}\n\n{option.doc.en}",
        "markdownDescription": "\n".join(rows),
        **option.schema(),
    }
    if isinstance(option, Choice):
        made["enumDescriptions"] = [f"{text.zh} / {text.en}" for text in values.values()]
        made["markdownEnumDescriptions"] = made["enumDescriptions"]
    elif not isinstance(option, (Flag, Number)):
        made["examples"] = option.examples()[:3]
    return made


def _old_name(properties: dict[str, Any], old: str, option: Option) -> None:
    """An option's earlier name: still accepted, marked deprecated."""
    made = {**option_schema(option), "deprecated": True, "deprecationMessage": f"现在叫 / now called {option.id}"}
    group, _, name = old.partition(".")
    if not name:
        properties[old] = made
        return
    inside = properties.setdefault(group, {"type": "object", "properties": {}, "additionalProperties": False})
    inside["properties"][name] = made


def schema_text(schema: Mapping[str, Any]) -> str:
    """A schema as its file holds it."""
    return json.dumps(schema, ensure_ascii=False, indent=1) + "\n"


def main(arguments: Sequence[str]) -> int:
    """Write the variant schema of the built-in options."""
    folder = Path(arguments[0]) if arguments else schemas.path("variant").parent
    target = folder / "variant.schema.json"
    target.write_text(schema_text(variant_schema()), encoding="utf-8")
    print(f"{CORE}: {target}")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
