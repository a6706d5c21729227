"""Numbers that are not known yet: Python code reckons with them, and what it asks of them is written down.

``explore`` runs a function again and again with unknown numbers in the place of real ones. Where the function has to know more (is
it 120 or above? which seat is it?) every answer that the numbers can still give is followed, one run for each. What comes out is a
decision tree that says of every number in its range what the function would have said, exactly, whoever wrote the function: its
inner nodes are what was asked, its leaves what was answered, with sums of the unknown numbers in it. Nothing of the function is
written a second time.

A function that asks for something no decision can be built on (a number without bounds, say) is not explored: Unforeseen.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import product
from math import gcd
from typing import Any, Final, NamedTuple

Atom = str | tuple[Any, ...]
"""A variable by its name, or ``("/", line, k)``, ``("%", line, k)``, ``("f", name, line, …)``."""
OPEN, SHUT = "\ue000", "\ue001"
"""Around the number of an unknown number inside of a text."""
MOST_VALUES: Final = 60_000
"""The most combinations that are looked at to find what a sum of unknown numbers can be."""


class Unforeseen(Exception):
    """Something was asked that no decision tree can answer."""


class Line(NamedTuple):
    """``const`` and multiples of atoms: what an unknown number is."""

    const: int
    terms: tuple[tuple[Atom, int], ...]


@dataclass(frozen=True, slots=True)
class Branch:
    """A question that was asked in a run: of which root, into which groups its values fall, which group was followed."""

    root: Line
    groups: tuple[tuple[int, ...], ...]
    taken: int


@dataclass(slots=True)
class Numbers:
    """What is common to all runs: the variables with all they can be (None: no bounds), and functions given as tables."""

    domains: Mapping[str, Sequence[int] | None]
    functions: dict[str, dict[tuple[int, ...], int]] = field(default_factory=dict)
    lines: dict[Line, int] = field(default_factory=dict)
    _seen: dict[tuple[Line, tuple[tuple[int, ...], ...]], tuple[int, ...]] = field(default_factory=dict)
    _splits: dict[tuple[str, Line, tuple[int, ...]], tuple[tuple[int, ...], ...]] = field(default_factory=dict)

    def number_of(self, line: Line) -> int:
        """The place of an expression among all that were written down."""
        return self.lines.setdefault(line, len(self.lines))

    def value(self, line: Line, known: Mapping[Line, int]) -> int:
        """What an expression comes to where its roots are known."""
        if not line.terms:
            return line.const
        root = root_of(line)
        if root in known and len(line.terms) > 1:
            return line.const + line.terms[0][1] // root.terms[0][1] * known[root]
        return line.const + sum(times * self._atom(atom, known) for atom, times in line.terms)

    def _atom(self, atom: Atom, known: Mapping[Line, int]) -> int:
        if isinstance(atom, str):
            return known[Line(0, ((atom, 1),))]
        if atom[0] == "f":
            whole = Line(0, ((atom, 1),))
            if whole in known:
                return known[whole]
            return self.functions[atom[1]][tuple(self.value(line, known) for line in atom[2:])]
        inner = self.value(atom[1], known)
        divisor: int = atom[2]
        return inner // divisor if atom[0] == "/" else inner % divisor

    def possible(self, root: Line, narrowed: Mapping[Line, tuple[int, ...]]) -> tuple[int, ...]:
        """Everything a root can still be, ascending. Raises Unforeseen where that has no bounds."""
        found = narrowed.get(root)
        if found is not None:
            return found
        if len(root.terms) == 1 and isinstance(root.terms[0][0], str):
            domain = self.domains[root.terms[0][0]]
            if domain is None:
                raise Unforeseen(f"{root.terms[0][0]} has no bounds")
            return tuple(domain)
        below = list(dict.fromkeys(each for atom, _ in root.terms for each in _roots(atom)))
        sets = tuple(self.possible(each, narrowed) for each in below)
        key = (root, sets)
        if key not in self._seen:
            size = 1
            for values in sets:
                size *= len(values)
            if size > MOST_VALUES:
                raise Unforeseen("too many numbers at once")
            found_values = {
                root.const
                + sum(times * self._atom(atom, dict(zip(below, values, strict=True))) for atom, times in root.terms)
                for values in product(*sets)
            }
            self._seen[key] = tuple(sorted(found_values))
        return self._seen[key]

    def split(self, how: str, line: Line, root: Line, values: tuple[int, ...]) -> tuple[tuple[int, ...], ...]:
        """The values of a root by what they answer: those for which it holds first, or, where every number counts (``=``), each
        number with its own, ascending. A group is what was answered, and then the values."""
        key = (how, line, values)
        found = self._splits.get(key)
        if found is None:
            groups: dict[int, list[int]] = {}
            holds = HOLDS.get(how)
            for value in values:
                number = self.value(line, {root: value})
                groups.setdefault(number if holds is None else int(not holds(number)), []).append(value)
            found = self._splits[key] = tuple((answer, *groups[answer]) for answer in sorted(groups))
        return found


HOLDS: Final[Mapping[str, Callable[[int], bool]]] = {
    "==": lambda value: value == 0,
    "!=": lambda value: value != 0,
    "<": lambda value: value < 0,
    "<=": lambda value: value <= 0,
    ">": lambda value: value > 0,
    ">=": lambda value: value >= 0,
}
"""What can be asked of a number, beside which one it is."""


@lru_cache(maxsize=4096)
def root_of(line: Line) -> Line:
    """What one has to know to know an expression: a variable, or a sum of several without its factor and constant."""
    if len(line.terms) == 1:
        atom = line.terms[0][0]
        if isinstance(atom, tuple) and atom[0] != "f":
            return root_of(atom[1])
        return Line(0, ((atom, 1),))
    factor = gcd(*(times for _, times in line.terms))
    if line.terms[0][1] < 0:
        factor = -factor
    return Line(0, tuple((atom, times // factor) for atom, times in line.terms))


def _roots(atom: Atom) -> Iterator[Line]:
    if isinstance(atom, str):
        yield Line(0, ((atom, 1),))
    elif atom[0] == "f":
        for line in atom[2:]:
            if line.terms:
                yield root_of(line)
    else:
        yield root_of(atom[1])


class Run:
    """One run of the function: the first answers are those of ``script``, from then on the first there is."""

    def __init__(self, numbers: Numbers, script: Sequence[int]) -> None:
        self.numbers = numbers
        self.branches: list[Branch] = []
        self.answered = False
        """Has the function been answered, so that what is left is only writing it down?"""
        self._script = script
        self._narrowed: dict[Line, tuple[int, ...]] = {}

    def unknown(self, name: str) -> Any:
        """The unknown number of this name."""
        return Unknown(self, Line(0, ((name, 1),)))

    def look_up(self, name: str, *arguments: Any) -> Any:
        """A function given as a table, of numbers known or not."""
        lines = tuple(_line(each) for each in arguments)
        return Unknown(self, Line(0, ((("f", name, *lines), 1),)))

    def values(self, number: Any) -> tuple[int, ...]:
        """Everything that a number can still be."""
        if not isinstance(number, Unknown):
            return (int(number),)
        root = root_of(number.line)
        every = self.numbers.possible(root, self._narrowed)
        return tuple(sorted({self.numbers.value(number.line, {root: value}) for value in every}))

    def ask(self, line: Line, how: str) -> bool:
        """Does this hold of an expression? See HOLDS."""
        return self._split(how, line) == 0

    def choose(self, line: Line) -> int:
        """Which number exactly is it?"""
        return self._split("=", line)

    def _split(self, how: str, line: Line) -> int:
        root = root_of(line)
        groups = self.numbers.split(how, line, root, self.numbers.possible(root, self._narrowed))
        if len(groups) == 1:
            return groups[0][0]
        place = len(self.branches)
        taken = self._script[place] if place < len(self._script) else 0
        self.branches.append(Branch(root, tuple(group[1:] for group in groups), taken))
        answer, *left = groups[taken]
        self._narrowed[root] = tuple(left)
        return answer


def _line(number: Any) -> Line:
    return number.line if isinstance(number, Unknown) else Line(int(number), ())


def _sum(one: Line, other: Line, times: int) -> Line:
    terms = dict(one.terms)
    for atom, count in other.terms:
        terms[atom] = terms.get(atom, 0) + times * count
    kept = sorted(((atom, count) for atom, count in terms.items() if count), key=repr)
    return Line(one.const + times * other.const, tuple(kept))


class Unknown:
    """A whole number that is not known yet. Sums, multiples and quotients are unknown too; whatever else is asked of it is
    answered by following each thing it can be."""

    __slots__ = ("line", "run")

    def __init__(self, run: Run, line: Line) -> None:
        self.run, self.line = run, line

    def _made(self, line: Line) -> Any:
        return Unknown(self.run, line) if line.terms else line.const

    def __int__(self) -> int:
        return self.run.choose(self.line)

    __index__ = __int__

    def __float__(self) -> float:
        return float(int(self))

    def __bool__(self) -> bool:
        return self.run.ask(self.line, "!=")

    def __hash__(self) -> int:
        return hash(int(self))

    def __str__(self) -> str:
        return f"{OPEN}{self.run.numbers.number_of(self.line)}{SHUT}"

    __repr__ = __str__

    def __format__(self, spec: str) -> str:
        return format(int(self), spec) if spec else str(self)

    def __getattr__(self, name: str) -> Any:
        return getattr(int(self), name)

    def _compared(self, other: object, how: str) -> Any:
        if not isinstance(other, int | Unknown):
            return NotImplemented
        line = _sum(self.line, _line(other), -1)
        return self.run.ask(line, how) if line.terms else HOLDS[how](line.const)

    def __eq__(self, other: object) -> Any:
        return self._compared(other, "==")

    def __ne__(self, other: object) -> Any:
        return self._compared(other, "!=")

    def __lt__(self, other: object) -> Any:
        return self._compared(other, "<")

    def __le__(self, other: object) -> Any:
        return self._compared(other, "<=")

    def __gt__(self, other: object) -> Any:
        return self._compared(other, ">")

    def __ge__(self, other: object) -> Any:
        return self._compared(other, ">=")

    def __add__(self, other: Any) -> Any:
        if not isinstance(other, int | Unknown):
            return NotImplemented
        return self._made(_sum(self.line, _line(other), 1))

    __radd__ = __add__

    def __sub__(self, other: Any) -> Any:
        if not isinstance(other, int | Unknown):
            return NotImplemented
        return self._made(_sum(self.line, _line(other), -1))

    def __rsub__(self, other: Any) -> Any:
        return -self + other

    def __neg__(self) -> Any:
        return self._made(_sum(Line(0, ()), self.line, -1))

    def __pos__(self) -> Any:
        return self

    def __abs__(self) -> Any:
        return self if self >= 0 else -self

    def __mul__(self, other: Any) -> Any:
        if not isinstance(other, int | Unknown):
            return NotImplemented
        return self._made(_sum(Line(0, ()), self.line, int(other)))

    __rmul__ = __mul__

    def __floordiv__(self, other: Any) -> Any:
        return self._divided("/", other)

    def __mod__(self, other: Any) -> Any:
        return self._divided("%", other)

    def _divided(self, how: str, other: Any) -> Any:
        if not isinstance(other, int | Unknown):
            return NotImplemented
        divisor = int(other)
        if divisor < 1:
            return int(self) // divisor if how == "/" else int(self) % divisor
        return self._made(Line(0, (((how, self.line, divisor), 1),)))


def _known(name: str) -> Callable[..., Any]:
    def method(self: Unknown, *others: Any) -> Any:
        plain = [int(other) if isinstance(other, Unknown) else other for other in others]
        return getattr(int(self), name)(*plain)

    return method


for _name in (
    *("truediv", "rtruediv", "rfloordiv", "rmod", "divmod", "rdivmod", "pow", "rpow", "and", "rand", "or", "ror"),
    *("xor", "rxor", "lshift", "rlshift", "rshift", "rrshift", "invert", "round", "trunc", "floor", "ceil"),
):
    setattr(Unknown, f"__{_name}__", _known(f"__{_name}__"))


# -- following every answer ------------------------------------------------------------------------------------


@dataclass(slots=True)
class Node:
    """A question with what follows from each group of values; a leaf is whatever the function answered."""

    root: Line
    groups: tuple[tuple[int, ...], ...]
    children: list[Any]


@dataclass(frozen=True, slots=True)
class Leaf:
    """What the function answered at the end of a run."""

    answer: Any


def explore(numbers: Numbers, function: Callable[[Run], Any], most: int) -> Node | Leaf:
    """The decision tree of a function. Raises Unforeseen where it has more than ``most`` leaves or asks what cannot be answered."""
    top: list[Any] = [None]
    script: list[int] = []
    for _ in range(most):
        run = Run(numbers, script)
        leaf = Leaf(function(run))
        place, at = top, 0
        for branch in run.branches:
            if place[at] is None:
                place[at] = Node(branch.root, branch.groups, [None] * len(branch.groups))
            node: Node = place[at]
            if (node.root, node.groups) != (branch.root, branch.groups):
                raise Unforeseen("the function asks otherwise each time")
            place, at = node.children, branch.taken
        place[at] = leaf
        script = [branch.taken for branch in run.branches]
        while script and script[-1] + 1 == len(run.branches[len(script) - 1].groups):
            script.pop()
        if not script:
            found: Node | Leaf = top[0]
            return found
        script[-1] += 1
    raise Unforeseen(f"more than {most} cases")
