"""The two forms of the search's inner functions: interpreted, and compiled where numba is installed (``pip install 'gunzi[fast]'``).

They are the same functions and give the same numbers. A function is compiled by giving a copy of it other globals: the functions
it calls are compiled in the same way. The code is kept in the user's cache folder for as long as no source of it changes.
"""

from __future__ import annotations

import hashlib
import inspect
import os
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import lru_cache
from importlib import metadata
from importlib.util import find_spec
from pathlib import Path
from types import CodeType, FunctionType, ModuleType
from typing import Any, Final

from gunzi import trump
from gunzi.apps.players.sharp.finishing import explore


@dataclass(frozen=True, slots=True)
class Form:
    """``numbers`` makes what the functions write to, ``table`` what they only read."""

    compiled: bool
    numbers: Callable[[Sequence[int]], Any]
    table: Callable[[Sequence[int]], Any]
    explore: Callable[..., Any]


INTERPRETED = Form(False, list, tuple, explore)


WORTH_COMPILING: Final = 40
"""So many questions of a process make up for the some ten seconds that compiling takes."""
_asked = 0


def quickest() -> Form:
    """The form for one question more: compiled where numba is installed and the code is kept from before, or where it pays."""
    global _asked
    _asked += 1
    if not _has_numba() or (_asked <= WORTH_COMPILING and not _is_kept()):
        return INTERPRETED
    return compiled()


@lru_cache(maxsize=1)
def _has_numba() -> bool:
    return find_spec("numba") is not None and find_spec("numpy") is not None


@lru_cache(maxsize=1)
def _is_kept() -> bool:
    with suppress(OSError, RuntimeError, ValueError):
        return _mark().read_text("ascii") == stamp()
    return False


def _mark() -> Path:
    return cache_folder() / f"{_installation()}.txt"


@lru_cache(maxsize=1)
def compiled() -> Form:
    """The compiled form; its first question takes some seconds where no code is kept. Raises ImportError without numba."""
    import numpy as np

    made = _Maker().outer(explore)
    if _keep(made):
        # Noted before it is there: a process that does not come to it leaves the compiling to the next.
        with suppress(OSError, RuntimeError):
            _mark().write_text(stamp(), "ascii")

    def numbers(values: Sequence[int]) -> Any:
        return np.array(values, dtype=np.int64)

    return Form(True, numbers, numbers, made)


@lru_cache(maxsize=1)
def stamp() -> str:
    """What compiled code stands on: the text of its sources, Python and numba."""
    versions = [metadata.version(name) for name in ("numba", "numpy")]
    digest = hashlib.sha256(f"{sys.version} {versions}".encode())
    # The lanes are constants in what is compiled.
    paths: set[str] = {__file__, inspect.getfile(trump)}
    _sources(explore, paths, set())
    for path in sorted(paths):
        digest.update(Path(path).read_bytes())
    return digest.hexdigest()


def _sources(function: Any, paths: set[str], seen: set[Any]) -> None:
    """The files of a function and of all that it calls."""
    if function in seen:
        return
    seen.add(function)
    paths.add(inspect.getfile(function))
    names = set(_names(function.__code__))
    for name in names & function.__globals__.keys():
        value = function.__globals__[name]
        inner = [getattr(value, each, None) for each in names] if isinstance(value, ModuleType) else [value]
        for each in inner:
            if isinstance(each, FunctionType) and each.__module__.startswith("gunzi"):
                _sources(each, paths, seen)


def _keep(function: Any) -> bool:
    """Have a function's code kept, where it can be."""
    with suppress(ImportError, AttributeError, TypeError, OSError, RuntimeError):
        # Another numba keeps its code in another way: it is compiled anew, then.
        function._cache = _cache_of(function.py_func, cache_folder(), stamp())
        return True
    return False


def _installation() -> str:
    # One set of files an installation: an update overwrites it, and two installations keep their own.
    return hashlib.sha256(str(Path(__file__).resolve()).encode()).hexdigest()[:12]


class _Maker:
    """Compiles functions and what they call, each once."""

    def __init__(self) -> None:
        _teach()
        self.made: dict[Any, Any] = {}

    def outer(self, function: FunctionType | Callable[..., Any]) -> Any:
        """A function that is called from outside."""
        import numba

        return numba.njit(nogil=True, error_model="numpy")(self._bound(function))

    def _inner(self, function: Any) -> Any:
        import numba

        found = self.made.get(function)
        if found is None:
            found = numba.njit(nogil=True, error_model="numpy", no_cpython_wrapper=True, no_cfunc_wrapper=True)(
                self._bound(function)
            )
            self.made[function] = found
        return found

    def _bound(self, function: Any) -> FunctionType:
        names = set(_names(function.__code__))
        bound = {name: self._value(value, names) for name, value in function.__globals__.items() if name in names}
        bound["__name__"] = function.__module__
        copy = FunctionType(function.__code__, bound, function.__name__, function.__defaults__, function.__closure__)
        copy.__qualname__ = function.__qualname__
        copy.__module__ = function.__module__
        return copy

    def _value(self, value: Any, names: set[str]) -> Any:
        if isinstance(value, ModuleType) and value.__name__.startswith("gunzi"):
            twin = ModuleType(value.__name__)
            for name in names:
                if hasattr(value, name):
                    setattr(twin, name, self._value(getattr(value, name), set()))
            return twin
        return self._inner(value) if isinstance(value, FunctionType) else value


def _names(code: CodeType) -> Iterator[str]:
    yield from code.co_names
    for inner in code.co_consts:
        if isinstance(inner, CodeType):
            yield from _names(inner)


@lru_cache(maxsize=1)
def _teach() -> None:
    """Teach the compiler the two methods of whole numbers that the functions use."""
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


def cache_folder() -> Path:
    """``GUNZI_CACHE_DIR``, else the user's cache folder. Raises OSError or RuntimeError where nothing can be written there."""
    named = os.environ.get("GUNZI_CACHE_DIR")
    if named:
        folder = Path(named)
    elif sys.platform == "win32":
        folder = Path(os.environ.get("LOCALAPPDATA") or Path.home() / "AppData" / "Local") / "gunzi" / "Cache"
    elif sys.platform == "darwin":
        folder = Path.home() / "Library" / "Caches" / "gunzi"
    else:
        folder = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "gunzi"
    folder = folder / "sharp"
    folder.mkdir(parents=True, exist_ok=True)
    return folder


def _cache_of(function: Any, folder: Path, source_stamp: str) -> Any:
    from numba.core.caching import CompileResultCacheImpl, FunctionCache, _CacheLocator

    class Locator(_CacheLocator):  # type: ignore[misc]
        _py_file = function.__code__.co_filename

        def get_cache_path(self) -> str:
            return str(folder)

        def get_source_stamp(self) -> str:
            return source_stamp

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
