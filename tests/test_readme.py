"""What the READMEs show is true: their examples work, their commands exist, the two languages show the same."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

import gunzi
from gunzi.apps.cli.catalogue import COMMANDS
from gunzi.loading import check_file

ROOT = Path(__file__).resolve().parent.parent
READMES = ["README.md", "README.zh.md"]


def text_of(name: str) -> str:
    return (ROOT / name).read_text(encoding="utf-8")


def blocks(name: str, language: str) -> list[str]:
    return re.findall(rf"^```{language}\n(.*?)^```", text_of(name), re.DOTALL | re.MULTILINE)


@pytest.mark.parametrize("readme", READMES)
def test_it_opens_with_the_two_commands(readme: str) -> None:
    assert blocks(readme, "")[0] == "python3 run.py\npython3 run.py test\n"
    assert text_of(readme).index("```") < 200


@pytest.mark.parametrize("readme", READMES)
def test_its_variant_file_is_valid(readme: str, tmp_path: Path) -> None:
    (example,) = blocks(readme, "yaml")
    file = tmp_path / "my-house.yaml"
    file.write_text(example, encoding="utf-8")
    assert check_file(file) == []
    assert gunzi.load(file).options["reveal.pick"] == "min"


@pytest.mark.parametrize("readme", READMES)
def test_its_python_plays_a_table_and_saves_a_record_that_verifies(readme: str, tmp_path: Path) -> None:
    (example,) = blocks(readme, "python")
    subprocess.run([sys.executable, "-c", example], cwd=tmp_path, check=True, timeout=60)
    record = gunzi.Record.load(tmp_path / "table.jsonl")
    assert record.header["rules"]["id"] == "yuwang"
    gunzi.verify(record)


@pytest.mark.parametrize("readme", READMES)
def test_the_commands_it_names_exist(readme: str) -> None:
    named = set(re.findall(r"(?:`|^)gunzi ([a-z-]+)", text_of(readme), re.MULTILINE))
    assert named <= set(COMMANDS)


@pytest.mark.parametrize("readme", READMES)
def test_its_links_lead_to_files(readme: str) -> None:
    for link in re.findall(r"\]\(([^)#:]+)\)", text_of(readme)):
        assert (ROOT / link).exists(), link


def test_both_languages_show_the_same_code() -> None:
    english, chinese = (blocks(name, "python") for name in READMES)
    assert english == chinese
