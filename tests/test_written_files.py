"""What commands write to: never over what they have read, and whole or not at all."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
from cli_harness import Cli

CODE = "import sys; from gunzi.apps.cli import main; sys.exit(main())"
MOTHER = "gunzi: 1\nid: mother\nextends: yuwang\n"
HOUSE = "gunzi: 1\nid: house\nextends: ./mother.yaml\ndry_pot: {side_leg: never}\n"
PAGES = {
    "book": ("book", "house.yaml", "--html"),
    "book as markdown": ("book", "house.yaml", "--md"),
    "compare": ("compare", "house.yaml", "yuwang", "--html"),
    "diff": ("diff", "yuwang", "house.yaml", "--hands", "2", "--html"),
    "sweep": ("sweep", "house.yaml", "dry_pot.side_leg", "--hands", "2", "--html"),
    "score": ("score", "house.yaml", "--save", "score.json", "--print"),
}
HAND = ("--hand", "dealer=0 trump=H total=85 captured=no kings=BJ,LJ")


@pytest.fixture
def cli(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Cli:
    monkeypatch.chdir(tmp_path)
    Path("mother.yaml").write_text(MOTHER, encoding="utf-8")
    Path("house.yaml").write_text(HOUSE, encoding="utf-8")
    return Cli(capsys, monkeypatch)


@pytest.mark.parametrize("place", ["house.yaml", "./mother.yaml", "link.html"])
@pytest.mark.parametrize("name", PAGES)
def test_nothing_is_written_over_the_rules_it_was_made_from(cli: Cli, name: str, place: str) -> None:
    Path("link.html").symlink_to("house.yaml")
    words = (*PAGES[name], place)
    ran = cli(*words)
    assert ran.status == 2 and f"{place} is a file that was read for this" in ran.err
    assert f"{place} 是这次读进来的文件" in cli.zh(*words).err
    assert Path("house.yaml").read_text(encoding="utf-8") == HOUSE
    assert Path("mother.yaml").read_text(encoding="utf-8") == MOTHER
    assert cli(*PAGES[name], "page.html").status == 0 and Path("page.html").stat().st_size


def test_a_sheet_is_not_printed_over_the_score(cli: Cli) -> None:
    assert cli("score", "yuwang", "--save", "score.json", *HAND).status == 0
    before = Path("score.json").read_bytes()
    ran = cli("score", "--save", "score.json", "--print", "score.json")
    assert (
        ran.status == 2
        and "score.json is a file that was read" in ran.err
        and Path("score.json").read_bytes() == before
    )


@pytest.mark.skipif(os.name != "posix", reason="limits of POSIX")
@pytest.mark.parametrize(
    "words",
    [
        ("book", "yuwang", "--html"),
        ("compare", "yuwang", "boke", "--html"),
        ("schema", "variant", "--out"),
        ("score", "yuwang", "--new", *HAND, "--print"),
    ],
)
def test_on_a_full_disk_an_old_file_stays_as_it_was(words: tuple[str, ...], tmp_path: Path) -> None:
    import resource

    place = tmp_path / "old.html"
    place.write_text("old", encoding="utf-8")
    ran = subprocess.run(
        [sys.executable, "-c", CODE, *words, str(place)],
        capture_output=True,
        cwd=tmp_path,
        env={key: value for key, value in os.environ.items() if not key.startswith("COVERAGE_")},
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (1000, 1000)),
    )
    assert ran.returncode == 2 and b"Traceback" not in ran.stderr and ran.stderr
    assert place.read_text(encoding="utf-8") == "old"
    assert not [each for each in tmp_path.iterdir() if each.name.startswith(".old")]
