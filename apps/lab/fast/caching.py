"""Where compiled code is kept: in the user's cache folder, named after the sources it was made from."""

from __future__ import annotations

import hashlib
import os
import sys
from contextlib import suppress
from functools import lru_cache
from importlib import metadata
from importlib.resources import files
from pathlib import Path
from typing import Any, Final


def cache_folder() -> Path | None:
    """``GUNZI_CACHE_DIR``, else the user's cache folder; None where nothing can be written there."""
    named = os.environ.get("GUNZI_CACHE_DIR")
    if named:
        folder = Path(named)
    elif sys.platform == "win32":
        folder = Path(os.environ.get("LOCALAPPDATA") or Path.home() / "AppData" / "Local") / "gunzi" / "Cache"
    elif sys.platform == "darwin":
        folder = Path.home() / "Library" / "Caches" / "gunzi"
    else:
        folder = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "gunzi"
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except (OSError, RuntimeError):
        return None
    return folder if os.access(folder, os.W_OK) else None


def keep(function: Any) -> bool:
    """Have a compiled function's code kept; False where it cannot be."""
    folder = _usable_folder()
    if folder is None:
        return False
    try:
        function._cache = _cache_of(function.py_func, folder / "fast")
    except (ImportError, AttributeError, TypeError, OSError, RuntimeError):
        return False  # another numba keeps its code in another way: compiled anew, then
    return True


SOURCES: Final = {
    "gunzi": "cards.py chance.py choices.py masks.py table.py trump.py values.py",
    "gunzi.plugins": "follow.py",
    "gunzi.apps.lab": "situations.py",
    "gunzi.apps.players": "dice.py discarding.py following.py leading.py preparing.py",
    "gunzi.apps.lab.fast": (
        "beside.py caching.py choosing.py compiling.py dealing.py kernel.py layout.py linking.py moving.py pieces.py playouts.py "
        "settling.py steady.py tricks.py"
    ),
}
"""What the compiled functions and their constants come from, by package."""


@lru_cache(maxsize=1)
def stamp() -> str:
    """What compiled code stands on: the text of its sources, Python and numba."""
    digest = hashlib.sha256(f"{sys.version} {metadata.version('numba')} {metadata.version('numpy')}".encode())
    for package, names in SOURCES.items():
        for name in names.split():
            digest.update(files(package).joinpath(name).read_bytes())
    return digest.hexdigest()


def mark(steady: bool = False) -> None:
    """Note that code of this stamp is kept; ``steady``: that for tables where some seats play ``steady``."""
    folder = _usable_folder()
    if folder is not None:
        with suppress(OSError):
            (folder / "fast" / _note(steady)).write_text(stamp(), encoding="ascii")


def is_kept(steady: bool = False) -> bool:
    """Was code of this stamp compiled and kept before?"""
    folder = _usable_folder()
    try:
        return folder is not None and (folder / "fast" / _note(steady)).read_text("ascii") == stamp()
    except (OSError, ValueError):
        return False


def _note(steady: bool) -> str:
    return f"{_installation()}{'_steady' if steady else ''}.txt"


def _installation() -> str:
    # One set of files an installation: an update overwrites it, and two installations keep their own.
    return hashlib.sha256(str(Path(__file__).resolve()).encode()).hexdigest()[:12]


def _usable_folder() -> Path | None:
    try:
        return cache_folder()
    except RuntimeError:  # nobody's home
        return None


def _cache_of(function: Any, folder: Path) -> Any:
    from numba.core.caching import CompileResultCacheImpl, FunctionCache, _CacheLocator

    class Locator(_CacheLocator):  # type: ignore[misc]
        _py_file = function.__code__.co_filename

        def get_cache_path(self) -> str:
            return str(folder)

        def get_source_stamp(self) -> str:
            return stamp()

        def get_disambiguator(self) -> str:
            return _installation()

        @classmethod
        def from_function(cls, py_func: Any, py_file: str) -> Any:
            return cls()

    class Code(CompileResultCacheImpl):  # type: ignore[misc]
        _locator_classes = (Locator,)

    class Kept(FunctionCache):  # type: ignore[misc]
        _impl_class = Code

        def save_overload(self, sig: Any, data: Any) -> None:
            with suppress(OSError):  # a full disk: the code is there, it is only not kept
                super().save_overload(sig, data)

    return Kept(function)
