"""Optimizing many small functions once, with the one function that calls them all.

numba optimizes a function together with everything below it, and does so again on each level of calls, though only the topmost
function's code is run here: with ten levels nearly all of the time goes there. It also keeps each level's machine code, which
is then called instead of being woven in. Both are left out for inner functions. This touches parts of numba that may
change: where they are not as expected, everything is compiled in the usual way, which only takes longer.
"""

from __future__ import annotations

from collections.abc import Container, Iterator
from contextlib import contextmanager
from typing import Any


@contextmanager
def together(inner: Container[str]) -> Iterator[None]:
    """Meanwhile functions of these (qualified) names are compiled only as parts of those that call them."""
    try:
        from numba.core.codegen import JITCodeLibrary, JITCPUCodegen
        from numba.core.compiler_lock import global_compiler_lock

        optimize, finish = JITCodeLibrary._optimize_final_module, JITCodeLibrary._finalize_final_module
        set_env = JITCPUCodegen.set_env
    except (ImportError, AttributeError):
        yield
        return

    def optimize_outer(self: Any) -> None:
        if self.name not in inner:
            optimize(self)

    def finish_outer(self: Any) -> None:
        if self.name in inner and hasattr(self, "_finalize_dynamic_globals"):
            self._finalize_dynamic_globals()
            self._finalized = True
        else:
            finish(self)

    def set_known(self: Any, name: str, env: Any) -> None:
        # Inner functions have no machine code of their own, and so none that looks for its surroundings.
        if self._engine.get_global_value_address(name):
            set_env(self, name, env)

    with global_compiler_lock:
        JITCodeLibrary._optimize_final_module = optimize_outer
        JITCodeLibrary._finalize_final_module = finish_outer
        JITCPUCodegen.set_env = set_known
        try:
            yield
        finally:
            JITCodeLibrary._optimize_final_module = optimize
            JITCodeLibrary._finalize_final_module = finish
            JITCPUCodegen.set_env = set_env
