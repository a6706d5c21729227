"""Shared by all tests: the presets, and tables played out by uniformly random legal acts."""

from __future__ import annotations

import os
import signal
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from typing import Any

import pytest
from strangers import install, uninstall

import gunzi
from gunzi import loading
from gunzi.apps.testing.playing import steps
from gunzi.table import Table

PRESETS = ("boke", "zixun", "chayuan", "yuwang", "baike", "dalian")
MODES = ("strict", "loose")

if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    # Begun in a shell's background; what the tests start would not hear Ctrl-C either.
    signal.signal(signal.SIGINT, signal.default_int_handler)
if hasattr(signal, "SIGHUP") and signal.getsignal(signal.SIGHUP) is signal.SIG_IGN:
    # Begun by nohup: the tests themselves go on ignoring it, what they start does not.
    signal.signal(signal.SIGHUP, lambda *_: None)

__all__ = ["MODES", "PRESETS", "play_out", "rules", "rules_with", "steps"]


def different() -> dict[str, gunzi.RuleSet]:
    """Every preset in both follow modes; presets that agree on every option, and so have one hash, once."""
    found = {f"{preset}-{mode}": gunzi.load(preset, {"follow.shapes": mode}) for preset in PRESETS for mode in MODES}
    return {name: rules for name, rules in found.items() if next(n for n in found if found[n] == rules) == name}


RULES = different()


@pytest.fixture(params=RULES)
def rules(request: pytest.FixtureRequest) -> gunzi.RuleSet:
    """Every different rule set of the presets in both follow modes."""
    return RULES[request.param]


@pytest.fixture
def rules_with(monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[..., gunzi.RuleSet]]:
    """A function that installs a plugin and loads ``yuwang`` with it."""

    def load(plugin: type[gunzi.Plugin], options: Mapping[str, Any] | None = None) -> gunzi.RuleSet:
        install(monkeypatch, plugin)
        text = f"gunzi: 1\nid: with-a-stranger\nextends: yuwang\nplugins: [{plugin.id}]\n"
        return loading.load_text(text, "stranger.yaml", options)

    yield load
    uninstall(monkeypatch)


def play_out(table: Table, dice: int = 0) -> Table:
    """Play a table to its end by random legal acts."""
    for _ in steps(table, dice):
        pass
    return table


@pytest.fixture(scope="session")
def kept_code(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> None:
    """Compiled hands, compiled once: one testing process does it while the others wait, and later runs find it kept."""
    pytest.importorskip("numba")
    base = tmp_path_factory.getbasetemp()
    cache = getattr(request.config, "cache", None)  # nothing is kept for later with -p no:cacheprovider
    # For commands that the tests start, too.
    os.environ["GUNZI_CACHE_DIR"] = str(cache.mkdir("gunzi-fast") if cache is not None else base / "gunzi-fast")
    lock = (base.parent if "PYTEST_XDIST_WORKER" in os.environ else base) / "gunzi-fast.lock"
    deadline = time.monotonic() + 300  # whoever holds it may have been killed
    held = False
    while not held and time.monotonic() < deadline:
        with suppress(FileExistsError):
            os.close(os.open(lock, os.O_CREAT | os.O_EXCL))
            held = True
        if not held:
            time.sleep(0.2)
    try:
        from gunzi.apps.lab.fast.compiled import prepare_all

        prepare_all()
    finally:
        lock.unlink(missing_ok=True)
