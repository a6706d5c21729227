"""The command line ``gunzi``.

Every command is one module with ``arguments(parser)`` and ``run(args, out)``; only the one that is called is imported.
"""

from __future__ import annotations

from collections.abc import Sequence


def main(argv: Sequence[str] | None = None) -> int:
    """Run ``gunzi`` with these arguments (None: those of the process); returns the exit status. Never raises."""
    try:
        # Importing takes a moment, in which Ctrl-C must be heard too.
        from gunzi.apps.cli.calling import run

        return run(argv)
    except KeyboardInterrupt:
        return 130
