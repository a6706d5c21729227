"""What the lab refuses to do."""

from __future__ import annotations

from gunzi.errors import GunziError


class LabError(GunziError, ValueError):
    """Arguments that make no sense, or a worker that died; ``text`` says so in both languages."""
