"""The plugin kit: what ``gunzi new-plugin`` writes. The files beside this one are its templates.

In them ``@@name@@`` stands for the plugin's id and distribution, ``@@module@@`` for its package, ``@@class@@`` for its class,
``@@group@@`` for the group of its options and ``@@variant@@`` for the variant that uses it; in the names of files likewise.
"""

from __future__ import annotations

import keyword
import re
from dataclasses import dataclass
from importlib.resources import files
from typing import Final

FILES: Final = {
    "pyproject.toml": "pyproject.toml.template",
    "README.md": "README.md.template",
    "README.zh.md": "README.zh.md.template",
    ".gitignore": "gitignore.template",
    ".github/workflows/test.yml": "workflow.yml.template",
    "@@variant@@.yaml": "variant.yaml.template",
    "@@variant@@.scenario.yaml": "scenario.yaml.template",
    "src/@@module@@/__init__.py": "plugin.py.template",
    "src/@@module@@/py.typed": "",
    "tests/test_@@module@@.py": "test_plugin.py.template",
}
"""The files of a new package, and the templates they are made from; an empty name: an empty file."""
NAME: Final = re.compile(r"[a-z][a-z0-9]*(-[a-z0-9]+)*")
_IMPORTED: Final = frozenset(
    {"Any", "Conflict", "Lint", "Mapping", "Number", "Outcome", "Plugin", "ScorePart", "Sequence", "Text"}
)


@dataclass(frozen=True, slots=True)
class Names:
    """What a new plugin is called in every place, from its name like ``gunzi-lucky-bottom``."""

    name: str

    @property
    def module(self) -> str:
        """Its package: ``gunzi_lucky_bottom``."""
        return self.name.replace("-", "_")

    @property
    def group(self) -> str:
        """The group of its options: ``lucky_bottom``."""
        short = self.module.removeprefix("gunzi_")
        return self.module if short[:1].isdigit() else short

    @property
    def cls(self) -> str:
        """Its class: ``LuckyBottom``."""
        made = "".join(word.capitalize() for word in self.group.split("_"))
        return f"{made}Plugin" if keyword.iskeyword(made) or made in _IMPORTED else made

    @property
    def variant(self) -> str:
        """The variant that uses it: ``lucky-bottom-house``."""
        return self.group.replace("_", "-") + "-house"

    def fill(self, text: str) -> str:
        """A template with the names filled in."""
        for mark in ("name", "module", "group", "variant"):
            text = text.replace(f"@@{mark}@@", getattr(self, mark))
        return text.replace("@@class@@", self.cls)


def package_files(names: Names) -> dict[str, str]:
    """Every file of a new package: its path, seen from the package's folder, and its text."""
    folder = files(__name__)
    return {
        names.fill(path): names.fill(folder.joinpath(template).read_text(encoding="utf-8")) if template else ""
        for path, template in FILES.items()
    }
