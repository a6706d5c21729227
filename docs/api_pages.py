"""The page of the Python interface: the public names with their docstrings; ``api.yaml`` has order and Chinese texts."""

from __future__ import annotations

import inspect
import re
from importlib import import_module
from pathlib import Path
from typing import Any

import yaml

import gunzi
from gunzi.errors import Text

HERE = Path(__file__).resolve().parent
INTRO = Text(
    zh="""\
`import gunzi` 里公开的名字，别的都可能改。类里没列出来的，插件作者可能用得上，说明写在源文件里。出错都在 `GunziError` 这棵树下；
读不懂的文字和不许做的事同时也是 `ValueError`：

```
GunziError
├── CardError        ValueError   不是牌
├── Refused          ValueError   规则不许
├── RulesError       ValueError   这套规则用不了
│   ├── VariantError              变体文件或取值写错
│   └── PluginError               插件不对
├── RecordError      ValueError   牌谱读不了，或者有一步不合规则
└── ScenarioError    ValueError   场景没法问
```""",
    en="""\
The public names of `import gunzi`; everything else may change. What is not listed of a class is documented in its source. All errors
stand under `GunziError`; text that cannot be read and acts that are not allowed are `ValueError`s too:

```
GunziError
├── CardError        ValueError   no card
├── Refused          ValueError   not allowed by the rules
├── RulesError       ValueError   a rule set that cannot be used
│   ├── VariantError              a variant file or a value is wrong
│   └── PluginError               a plugin is wrong
├── RecordError      ValueError   a record cannot be read, or breaks a rule
└── ScenarioError    ValueError   a scenario cannot be asked
```""",
)


def api_page(lang: str, written: str) -> str:
    """Every public name in the order of ``api.yaml``."""
    page: list[dict[str, Any]] = yaml.safe_load((HERE / "api.yaml").read_text(encoding="utf-8"))
    zh = lang == "zh"
    lines = ["# Python", "", written, "", "[English](api.md)" if zh else "[中文](api.zh.md)", "", INTRO.in_(lang), ""]
    seen: set[str] = set()
    for group in page:
        lines += [f"## {group[lang]}", ""]
        if f"intro_{lang}" in group:
            lines += [group[f"intro_{lang}"].rstrip(), ""]
        module = import_module(group.get("module", "gunzi"))
        for name, entry in group["names"].items():
            if module is gunzi:
                seen.add(name)
            lines += _entry(module, name, entry, lang)
    missing = set(gunzi.__all__) ^ seen
    if missing:
        raise SystemExit(f"api.yaml: not the public names: {', '.join(sorted(missing))}")
    return "\n".join(lines).rstrip() + "\n"


def _entry(module: Any, name: str, entry: dict[str, Any] | str, lang: str) -> list[str]:
    given: dict[str, Any] = {"zh": entry} if isinstance(entry, str) else entry
    found = getattr(module, name)
    lines = [f"### {name}", ""]
    shown = _signature(found)
    if shown:
        lines += [f"`{name}{shown}`", ""]
    lines += [given["zh"] if lang == "zh" else given.get("en") or _doc(found), ""]
    for member, zh in given.get("members", {}).items():
        value = inspect.getattr_static(found, member)
        plain = getattr(value, "__func__", getattr(value, "fget", value))
        shown = "" if isinstance(value, property) else _signature(plain)
        said = zh if lang == "zh" else " ".join(_doc(plain).split())
        lines += [f"- `.{member}{shown}`{'：' if lang == 'zh' else ': '}{said}"]
    return [*lines, ""] if given.get("members") else lines


def _signature(found: Any) -> str:
    if isinstance(found, type) and issubclass(found, BaseException):
        return ""
    found = getattr(found, "__wrapped__", found)
    if not callable(found) or isinstance(found, type(gunzi.hookimpl)):
        return ""
    if isinstance(found, type) and (
        inspect.getattr_static(found, "__init__") is object.__init__ or inspect.isabstract(found)
    ):
        return ""
    try:
        signature = inspect.signature(inspect.getattr_static(found, "__init__") if isinstance(found, type) else found)
    except (TypeError, ValueError):
        return ""
    parameters = [each for each in signature.parameters.values() if each.name not in ("self", "cls")]
    text = re.sub(r"(: |-> )'([^']*)'", r"\1\2", str(signature.replace(parameters=parameters)))
    text = re.sub(r" -> None$", "", text)
    return re.sub(r"\bgunzi\.\w+\.", "", text)


def _doc(found: Any) -> str:
    return re.sub(r"``(.+?)``", r"`\1`", inspect.getdoc(getattr(found, "__wrapped__", found)) or "")
