"""The engine's own functions, compiled: their code as it stands, with the names it uses bound to compiled functions.

Nothing is written twice here. A function is compiled by giving a copy of it other globals: the functions it calls are compiled
in the same way, tables become arrays. Numbers of chance are unsigned words of 64 bits, which compiled code must be told: in
those functions every whole number is made one (``_Words``).
"""

from __future__ import annotations

import ast
import dis
import inspect
import textwrap
from collections.abc import Callable, Iterator, Mapping
from types import CodeType, FunctionType, ModuleType
from typing import Any, Final

import numba
import numpy as np
from numba.core import types

from gunzi import chance, choices, combinations, masks
from gunzi.apps.kept_code import names_in, rebound, teach, twin_of
from gunzi.apps.lab.fast import choosing, pieces, tricks
from gunzi.apps.lab.fast.caching import keep
from gunzi.apps.lab.fast.linking import together
from gunzi.values import Block

SETTINGS: Final[Mapping[str, Any]] = {
    "nogil": True,
    "error_model": "numpy",
    "no_cpython_wrapper": True,
    "no_cfunc_wrapper": True,
}
"""How inner functions are compiled: nobody else calls them, so that nothing is made by which others could."""
OUTER: Final[Mapping[str, Any]] = {"no_cpython_wrapper": False, "no_cfunc_wrapper": False}
WOVEN_IN: Final = frozenset({choosing.lead, choosing.follow, pieces.take, tricks.lay})
"""What every play calls is always woven into its caller, which makes plays faster by a third; more of it makes little difference."""
MOST_IN_A_TUPLE: Final = 8
"""Longer tuples of numbers become arrays: compiled code chooses among the places of a tuple one by one."""

TAUGHT: Final = frozenset(f"teach.<locals>.{name}.<locals>.<lambda>" for name in ("bit_count", "bit_length"))


class _Words(ast.NodeTransformer):
    """Whole numbers as unsigned words; a shift by 64 or more leaves nothing, as it does for a number that fits a word."""

    def __init__(self) -> None:
        self.found: dict[str, Any] = {}

    def visit_Constant(self, node: ast.Constant) -> ast.expr:
        """A whole number becomes a name that is bound to a word."""
        if type(node.value) is not int:
            return node
        name = f"word_{node.value}"
        self.found[name] = np.uint64(node.value)
        return ast.Name(name, ast.Load())

    def visit_BinOp(self, node: ast.BinOp) -> ast.expr:
        """``a >> 64``: nothing."""
        shifted = isinstance(node.op, ast.RShift) and isinstance(node.right, ast.Constant) and node.right.value == 64
        if shifted:
            return self.visit_Constant(ast.Constant(0))
        self.generic_visit(node)
        return node


class Compiler:
    """Compiles functions and what they call, each once.

    ``answers``: functions of ``choosing`` and what is bound in place of each; what takes the place of one may call it. ``name``
    tells the code that is kept with them from what is kept without. What no answer is called in is taken from ``other``, a
    compiler without them.
    """

    def __init__(self, answers: Mapping[Any, Any] | None = None, name: str = "", other: Compiler | None = None) -> None:
        teach()
        self.answers = dict(answers or {})
        self.name = name
        self.other = other
        self.sources: set[str] = other.sources if other else set()
        self._asking: dict[Any, bool] = {}
        self.made: dict[Any, Any] = {}
        self.words: dict[Any, Any] = other.words if other else {}
        self.stand_ins: Mapping[Any, Any] = other.stand_ins if other else self._stand_ins()
        self.made |= self.stand_ins

    def _stand_ins(self) -> dict[Any, Any]:
        below, stream, stream_from, more = (
            self._of_words(function)
            for function in (chance.below, chance.stream, chance.stream_from, chance._more_parts)
        )
        unsigned = np.uint64
        signed = np.int64

        @self._jit
        def draw(base: int, place: int, i: int, n: int) -> int:
            return signed(below(unsigned(base), unsigned(place), unsigned(i), unsigned(n)))

        @self._jit
        def key(seed: int, hand: int, purpose: int, seat: int) -> int:
            return signed(stream(unsigned(seed), unsigned(hand), unsigned(purpose), unsigned(seat)))

        @self._jit
        def key_from(seeded: int, hand: int, purpose: int, seat: int) -> int:
            return signed(stream_from(unsigned(seeded), unsigned(hand), unsigned(purpose), unsigned(seat)))

        @self._jit
        def parts(base: int, place: int) -> Iterator[int]:
            for part in more(unsigned(base), unsigned(place), unsigned(0)):
                yield signed(part)

        @self._jit
        def block(forced: Any, pool: Any, count: int) -> Any:
            return forced, pool, count

        @self._jit
        def chosen(blocks: Any) -> Any:
            return blocks

        count_choices, kth_choice = self.compiled(combinations.choose_count), self.compiled(combinations.choose_kth)
        add = self.compiled(masks.add)

        @self._jit
        def total(blocks: Any) -> int:
            found = 0
            for _, pool, count in blocks:
                found += count_choices(pool[0], pool[1], pool[2], count)
            return found

        @self._jit
        def first(blocks: Any) -> Any:
            return blocks[0]

        @self._jit
        def kth(blocks: Any, k: int) -> Any:
            for forced, pool, count in blocks:
                here = count_choices(pool[0], pool[1], pool[2], count)
                if k < here:
                    p1, p2, p3 = kth_choice(pool[0], pool[1], pool[2], count, k)
                    return add(forced[0], forced[1], forced[2], p1, p2, p3)
                k -= here
            return 0, 0, 0

        return {
            chance._parts: parts,
            chance.below: draw,
            chance.stream_from: key_from,
            pieces.draw: draw,
            pieces.key: key,
            choices.Choices: chosen,
            Block: block,
            pieces.total_of: total,
            pieces.kth_of: kth,
            pieces.block_of: first,
        }

    def _jit(self, function: Callable[..., Any], **more: Any) -> Any:
        made = numba.njit(**{**SETTINGS, **more})(function)
        form = made.get_call_template

        def one_form(args: Any, keys: Any) -> Any:
            # Otherwise the compiler makes a form for every whole number that stands in a call, and takes half as long again.
            return form([types.unliteral(each) for each in args], {name: types.unliteral(keys[name]) for name in keys})

        made.get_call_template = one_form
        return made

    def _of_words(self, function: Callable[..., Any]) -> Any:
        """A function of chance in unsigned words."""
        found = self.words.get(function)
        if found is None:
            self._note(function)
            words = _Words()
            tree = words.visit(ast.parse(textwrap.dedent(inspect.getsource(function))))
            tree.body[0].returns = None
            namespace = dict(words.found)
            for name in function.__code__.co_names:
                value = function.__globals__.get(name)
                if isinstance(value, FunctionType):
                    namespace[name] = self._of_words(value)
                elif isinstance(value, int):
                    namespace[name] = np.uint64(value)
            exec(compile(ast.fix_missing_locations(tree), inspect.getfile(function), "exec"), namespace)
            found = self.words[function] = self._jit(namespace[function.__name__])
        return found

    def _note(self, function: Callable[..., Any]) -> None:
        self.sources.add(inspect.getfile(function))

    def compiled(self, function: Any) -> Any:
        """The function compiled, once for all its callers."""
        found = self.made.get(function)
        if found is None:
            woven = function in WOVEN_IN or any(function is self.answers.get(each) for each in WOVEN_IN)
            if self.other is not None and not self._asks(function):
                found = self.other.compiled(function)
            else:
                found = self._jit(self._bound(function), **({"forceinline": True} if woven else {}))
            self.made[function] = found
        return found

    def _asks(self, function: Any) -> bool:
        """Does a function, or any that it calls, ask for an answer?"""
        found = self._asking.get(function)
        if found is None:
            self._asking[function] = False  # should it call itself
            called = _called(function)
            found = self._asking[function] = any(each in self.answers or self._asks(each) for each in called)
        return found

    def kept(self, function: Any) -> Any:
        """The function compiled; its code is kept for later processes, for as long as no source of it changes."""
        found = self._jit(self._bound(function), **OUTER)
        keep(found)
        of_other = self.other.made.values() if self.other else ()
        inner = (each.py_func.__qualname__ for each in (*self.made.values(), *of_other, *self.words.values()))
        return Kept(found, TAUGHT.union(inner))

    def _bound(self, function: Any) -> FunctionType:
        self._note(function)
        names, used = set(names_in(function.__code__)), set(_globals(function.__code__))
        answers = {} if function in self.answers.values() else self.answers
        bound = {
            name: self._value(answers.get(value, value) if isinstance(value, FunctionType) else value, names)
            for name, value in function.__globals__.items()
            if name in used
        }
        return rebound(function, bound, self.name)

    def _value(self, value: Any, names: set[str]) -> Any:
        if isinstance(value, ModuleType) and value.__name__.startswith("gunzi"):
            return twin_of(value, names, lambda each: self._value(each, set()))
        if isinstance(value, tuple) and len(value) > MOST_IN_A_TUPLE:
            return np.array(value, dtype=np.int64)
        if isinstance(value, FunctionType) or (isinstance(value, type) and value in self.made):
            return self.compiled(value)
        return value


class Kept:
    """A compiled function that others call: compiled, or found where it was kept, when it is first called."""

    def __init__(self, function: Any, inner: frozenset[str]) -> None:
        self._function = function
        self._inner = inner
        self._ready = False

    def __call__(self, *given: Any) -> Any:
        if not self._ready:
            with together(self._inner):
                self._function.compile(tuple(self._function.typeof_pyval(each) for each in given))
            self._ready = True
        return self._function(*given)


def _called(function: FunctionType) -> Iterator[FunctionType]:
    """The functions that a function names."""
    names, used = set(names_in(function.__code__)), set(_globals(function.__code__))
    for name, value in function.__globals__.items():
        if name in used:
            of_module = [getattr(value, each, None) for each in names] if isinstance(value, ModuleType) else []
            yield from (each for each in (value, *of_module) if isinstance(each, FunctionType))


def _globals(code: CodeType) -> Iterator[str]:
    """The global names that code uses; an attribute may have the name of another global."""
    for instruction in dis.get_instructions(code):
        if instruction.opname == "LOAD_GLOBAL":
            yield instruction.argval
    for inner in code.co_consts:
        if isinstance(inner, CodeType):
            yield from _globals(inner)
