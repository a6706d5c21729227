"""A newcomer's first quarter of an hour, as whole processes: new, edit, check, book, diff, share."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from pathlib import Path

GUNZI = "import sys; from gunzi.apps.cli import main; sys.exit(main())"


class Newcomer:
    """Types commands in a folder, and looks at the clock."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def types(self, *words: str) -> str:
        """What ``gunzi WORDS`` prints; the command ends well."""
        environment = {**os.environ, "LC_ALL": "C.UTF-8", "PYTHONUTF8": "1"}
        start = time.perf_counter()
        done = subprocess.run(
            [sys.executable, "-c", GUNZI, *words],
            cwd=self.folder,
            env=environment,
            capture_output=True,
            encoding="utf-8",
            timeout=120,
            check=False,
        )
        print(f"{time.perf_counter() - start:6.2f} s  gunzi {' '.join(words)}")
        assert done.returncode == 0, done.stdout + done.stderr
        return done.stdout


def test_from_nothing_to_house_rules_that_can_be_shared(tmp_path: Path) -> None:
    newcomer = Newcomer(tmp_path)
    file = tmp_path / "my-house.yaml"

    assert "gunzi check my-house.yaml" in newcomer.types(
        "new", "my-house", "--extends", "yuwang", "--set", "reveal.pick=min"
    )
    written = file.read_text(encoding="utf-8")
    assert written.count("name: {zh: my-house, en: my-house}") == 1
    file.write_text(written.replace("{zh: my-house, en: my-house}", "{zh: 我家打法, en: My house}"), encoding="utf-8")

    assert "no problems" in newcomer.types("check", "my-house.yaml")

    book = newcomer.types("book", "my-house")
    assert book.startswith("# ")
    assert "My house" in book.splitlines()[0]
    newcomer.types("book", "my-house", "--lang", "zh", "--html", "my-house.html")
    assert "我家打法" in (tmp_path / "my-house.html").read_text(encoding="utf-8")

    difference = newcomer.types("diff", "my-house", "yuwang", "--hands", "500", "--seed", "1")
    assert "reveal.pick" in difference

    code = newcomer.types("share", "my-house").strip()
    assert code.startswith("gz1.")
    assert len(code) <= 40
    shared = newcomer.types("compare", code, "yuwang")
    assert "reveal.pick" in shared
    assert "1 of" in shared
