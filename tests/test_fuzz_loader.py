"""The loader survives whatever is thrown at it; ``fuzz_loader.py`` throws more."""

from __future__ import annotations

import pytest

fuzz_loader = pytest.importorskip("fuzz_loader", reason="needs a system that tells how much memory a process has")


def test_broken_variant_files_are_refused_quickly_and_in_words() -> None:
    found = fuzz_loader.fuzz(1_000, seed=20)
    assert found.sound, found.text()
    assert found.loaded > 20 and found.refused > 650, found.text()
