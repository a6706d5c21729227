"""Plugins that are no part of gunzi, installed for the length of a test."""

from __future__ import annotations

from importlib import metadata
from typing import Any

import pytest

from gunzi import Plugin, installed, loading


class EntryPoint:
    """Stands for the entry point of an installed package."""

    group = "gunzi"
    dist = None

    def __init__(self, plugin: type[Plugin]) -> None:
        self.name = plugin.id
        self.value = f"{plugin.__module__}:{plugin.__qualname__}"
        self.plugin = plugin

    def load(self) -> type[Plugin]:
        return self.plugin


def install(monkeypatch: pytest.MonkeyPatch, *plugins: type[Plugin]) -> None:
    """These and no other strangers are installed now; ``uninstall`` ends it."""
    points = [EntryPoint(plugin) for plugin in plugins]

    def found(group: str) -> list[Any]:
        return [*_built_in(group), *points]

    monkeypatch.setattr(installed, "entry_points", found)
    loading.forget()


def _built_in(group: str) -> list[metadata.EntryPoint]:
    return [point for point in metadata.entry_points(group=group) if point.name.startswith(installed.BUILT_IN)]


def uninstall(monkeypatch: pytest.MonkeyPatch) -> None:
    """What is really installed is installed again."""
    monkeypatch.undo()
    loading.forget()
