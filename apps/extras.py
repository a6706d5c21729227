"""What to type where an optional part of gunzi is not installed."""

from __future__ import annotations

import os
import shlex
import shutil
import sys


def install_command(extra: str) -> str:
    """``pip install 'gunzi[web]'``; where the ``pip`` that would be found is not this Python's, this Python by its path.

    A command started as ``.venv/bin/gunzi`` runs in an environment that nobody has activated: a bare ``pip`` would install elsewhere.
    """
    what = f"install 'gunzi[{extra}]'"
    pip = shutil.which("pip")
    if pip is not None and os.path.dirname(os.path.abspath(pip)) == os.path.dirname(os.path.abspath(sys.executable)):
        return f"pip {what}"
    return f"{shlex.quote(sys.executable)} -m pip {what}"
