"""The two forms of the search's inner functions: interpreted, and compiled where numba is installed (``pip install 'gunzi[fast]'``).

They are the same functions and give the same numbers. A function is compiled by giving a copy of it other globals: the functions
it calls are compiled in the same way. The code is kept in the user's cache folder for as long as no source of it changes.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from importlib.util import find_spec
from pathlib import Path
from types import FunctionType, ModuleType
from typing import Any, Final

from gunzi import trump
from gunzi.apps import kept_code
from gunzi.apps.players.sharp.finishing import explore


@dataclass(frozen=True, slots=True)
class Form:
    """``numbers`` makes what the functions write to, ``table`` what they only read."""

    compiled: bool
    numbers: Callable[[Sequence[int]], Any]
    table: Callable[[Sequence[int]], Any]
    explore: Callable[..., Any]


INTERPRETED = Form(False, list, tuple, explore)


PLACE: Final = "sharp"
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
    return kept_code.is_kept(PLACE, "", stamp())


@lru_cache(maxsize=1)
def compiled() -> Form:
    """The compiled form; its first question takes some seconds where no code is kept. Raises ImportError without numba."""
    import numpy as np

    made = _Maker().outer(explore)
    if kept_code.keep(made, PLACE, stamp):
        # Noted before it is there: a process that does not come to it leaves the compiling to the next.
        kept_code.mark(PLACE, "", stamp())

    def numbers(values: Sequence[int]) -> Any:
        return np.array(values, dtype=np.int64)

    return Form(True, numbers, numbers, made)


@lru_cache(maxsize=1)
def stamp() -> str:
    """What compiled code stands on: the text of its sources, Python and numba."""
    # The lanes are constants in what is compiled.
    paths: set[str] = {__file__, kept_code.__file__, inspect.getfile(trump)}
    _sources(explore, paths, set())
    return kept_code.stamp_of(Path(path).read_bytes() for path in sorted(paths))


def _sources(function: Any, paths: set[str], seen: set[Any]) -> None:
    """The files of a function and of all that it calls."""
    if function in seen:
        return
    seen.add(function)
    paths.add(inspect.getfile(function))
    names = set(kept_code.names_in(function.__code__))
    for name in names & function.__globals__.keys():
        value = function.__globals__[name]
        inner = [getattr(value, each, None) for each in names] if isinstance(value, ModuleType) else [value]
        for each in inner:
            if isinstance(each, FunctionType) and each.__module__.startswith("gunzi"):
                _sources(each, paths, seen)


class _Maker:
    """Compiles functions and what they call, each once."""

    def __init__(self) -> None:
        kept_code.teach()
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
        names = set(kept_code.names_in(function.__code__))
        bound = {name: self._value(value, names) for name, value in function.__globals__.items() if name in names}
        return kept_code.rebound(function, bound)

    def _value(self, value: Any, names: set[str]) -> Any:
        if isinstance(value, ModuleType) and value.__name__.startswith("gunzi"):
            return kept_code.twin_of(value, names, lambda each: self._value(each, set()))
        return self._inner(value) if isinstance(value, FunctionType) else value
