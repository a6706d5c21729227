"""``python -m gunzi``: what the command ``gunzi`` runs.

The core imports no app: the program is looked up where the installed package names it, as the command itself does.
"""

from __future__ import annotations

import sys
from importlib.metadata import distribution

if __name__ == "__main__":
    (command,) = distribution("gunzi").entry_points.select(group="console_scripts", name="gunzi")
    sys.exit(command.load()())
