"""Code compiled with numba (``pip install 'gunzi[fast]'``), kept for later processes in the user's cache folder.

Who compiles says what the code was made from (a stamp); code of another stamp is made anew. Where nothing can be written, or numba
keeps its code in another way, nothing is kept and everything works all the same.
"""

from __future__ import annotations

import hashlib
import os
import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from functools import lru_cache
from importlib import metadata
from pathlib import Path
from types import CodeType, FunctionType, ModuleType
from typing import Any


def cache_folder() -> Path | None:
    """``GUNZI_CACHE_DIR``, else the user's cache folder; None where nothing can be written there."""
    named = os.environ.get("GUNZI_CACHE_DIR")
    try:
        if named:
            folder = Path(named)
        elif sys.platform == "win32":
            folder = Path(os.environ.get("LOCALAPPDATA") or Path.home() / "AppData" / "Local") / "gunzi" / "Cache"
        elif sys.platform == "darwin":
            folder = Path.home() / "Library" / "Caches" / "gunzi"
        else:
            folder = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "gunzi"
        folder.mkdir(parents=True, exist_ok=True)
    except (OSError, RuntimeError):  # RuntimeError: nobody's home
        return None
    return folder if os.access(folder, os.W_OK) else None


def installation() -> str:
    """A short name of this installation: an update overwrites the code it has kept, and two installations keep their own."""
    return hashlib.sha256(str(Path(__file__).resolve()).encode()).hexdigest()[:12]


def stamp_of(sources: Iterable[bytes]) -> str:
    """What compiled code stands on: the text of its sources, in order, Python and numba."""
    digest = hashlib.sha256(f"{sys.version} {metadata.version('numba')} {metadata.version('numpy')}".encode())
    for source in sources:
        digest.update(source)
    return digest.hexdigest()


def keep(function: Any, place: str, stamp: Callable[[], str]) -> bool:
    """Have a compiled function's code kept, in the folder ``place`` of the cache; False where it cannot be."""
    folder = cache_folder()
    if folder is None:
        return False
    try:
        (folder / place).mkdir(exist_ok=True)
        function._cache = _cache_of(function.py_func, folder / place, stamp)
    except (ImportError, AttributeError, TypeError, OSError, RuntimeError):
        return False  # another numba keeps its code in another way: compiled anew, then
    return True


def mark(place: str, name: str, stamp: str) -> None:
    """Note under a name that code of this stamp is kept."""
    folder = cache_folder()
    if folder is not None:
        with suppress(OSError):
            (folder / place / f"{installation()}{name}.txt").write_text(stamp, encoding="ascii")


def is_kept(place: str, name: str, stamp: str) -> bool:
    """Was code of this stamp compiled and kept before?"""
    folder = cache_folder()
    try:
        return folder is not None and (folder / place / f"{installation()}{name}.txt").read_text("ascii") == stamp
    except (OSError, ValueError):
        return False


def names_in(code: CodeType) -> Iterator[str]:
    """The names that a function's code uses, those of functions inside it as well."""
    yield from code.co_names
    for inner in code.co_consts:
        if isinstance(inner, CodeType):
            yield from names_in(inner)


def rebound(function: Any, bound: dict[str, Any], ending: str = "") -> FunctionType:
    """A function's code with other globals, under its own name; ``ending`` is added to the qualified one."""
    bound["__name__"] = function.__module__
    copy = FunctionType(function.__code__, bound, function.__name__, function.__defaults__, function.__closure__)
    copy.__qualname__ = function.__qualname__ + ending
    copy.__module__ = function.__module__
    return copy


def twin_of(module: ModuleType, names: Iterable[str], value_of: Callable[[Any], Any]) -> ModuleType:
    """A module of the same name with what it has of the names, each as ``value_of`` makes it."""
    twin = ModuleType(module.__name__)
    for name in names:
        if hasattr(module, name):
            setattr(twin, name, value_of(getattr(module, name)))
    return twin


@lru_cache(maxsize=1)
def teach() -> None:
    """Teach the compiler the two methods of whole numbers that the engine uses."""
    import numpy as np
    from numba.core import types
    from numba.extending import intrinsic, overload_method

    @intrinsic  # type: ignore[untyped-decorator]
    def ones(context: Any, number: Any) -> Any:
        return types.int64(types.int64), lambda _, builder, __, args: builder.ctpop(args[0])

    @intrinsic  # type: ignore[untyped-decorator]
    def zeros_above(context: Any, number: Any) -> Any:
        def code(context: Any, builder: Any, signature: Any, args: Any) -> Any:
            return builder.ctlz(args[0], context.get_constant(types.boolean, 0))

        return types.int64(types.int64), code

    @overload_method(types.Integer, "bit_count", strict=False)  # type: ignore[untyped-decorator]
    def bit_count(number: Any) -> Any:
        return lambda number: ones(np.int64(number))

    @overload_method(types.Integer, "bit_length", strict=False)  # type: ignore[untyped-decorator]
    def bit_length(number: Any) -> Any:
        return lambda number: 64 - zeros_above(np.int64(number))


def _cache_of(function: Any, folder: Path, stamp: Callable[[], str]) -> Any:
    from numba.core.caching import CompileResultCacheImpl, FunctionCache, _CacheLocator

    class Locator(_CacheLocator):  # type: ignore[misc]
        _py_file = function.__code__.co_filename

        def get_cache_path(self) -> str:
            return str(folder)

        def get_source_stamp(self) -> str:
            return stamp()

        def get_disambiguator(self) -> str:
            return installation()

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
