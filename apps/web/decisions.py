"""Decision trees as small data, and a reader of that data which knows nothing of what is decided.

Equal parts are written once. A tree is the number of a node, or ``-1 - place`` of a leaf. A node is ``[line, from, tree, from, tree, …]``:
what the line comes to is looked for among the ``from``, which ascend, and the last one that is not above it decides. A leaf has
for each of ``columns`` a number of ``values``. There ``"=7"`` is what line 7 comes to, a text with such a number between two signs
has it written in that place, and an explanation is a list of numbers of ``texts``.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

import orjson

from gunzi.apps.web.unknowns import OPEN, SHUT, Leaf, Line, Node, Numbers, Unknown

Json = dict[str, Any]
HOLE: Final = re.compile(f"{OPEN}([0-9]+){SHUT}")
EXPLAIN: Final = "explain"


class Pool:
    """Trees with their equal parts in common. All leaves of a pool have the same columns."""

    def __init__(self, numbers: Numbers) -> None:
        self.numbers = numbers
        self.columns: list[str] = []
        self._nodes: dict[tuple[int, ...], int] = {}
        self._leaves: dict[tuple[int, ...], int] = {}
        self._values: dict[bytes, int] = {}
        self._texts: dict[bytes, int] = {}

    def add(self, tree: Node | Leaf) -> int:
        """A tree's number."""
        if isinstance(tree, Leaf):
            return -1 - self._leaf(tree.answer)
        children = [self.add(child) for child in tree.children]
        if len(set(children)) == 1:
            return children[0]
        values = sorted((value, child) for group, child in zip(tree.groups, children, strict=True) for value in group)
        node = [self.numbers.number_of(tree.root)]
        for value, child in values:
            if len(node) == 1 or node[-1] != child:
                node += [value, child]
        return self._nodes.setdefault(tuple(node), len(self._nodes))

    def _leaf(self, answer: Mapping[str, Mapping[str, Any]]) -> int:
        flat = {f"{part}.{key}": value for part, inner in answer.items() for key, value in inner.items()}
        self.columns = self.columns or list(flat)
        if list(flat) != self.columns:
            raise ValueError("the leaves of a pool have the same columns")
        leaf = []
        for key in self.columns:
            value = self._value(flat[key])
            if key.endswith(f".{EXPLAIN}"):
                value = [_place(self._texts, text) for text in value]
            leaf.append(_place(self._values, value))
        return self._leaves.setdefault(tuple(leaf), len(self._leaves))

    def _value(self, value: Any) -> Any:
        if isinstance(value, Unknown):
            return f"={self.numbers.number_of(value.line)}"
        if isinstance(value, str):
            return f"={value}" if value.startswith("=") else value
        if isinstance(value, Mapping):
            return {key: self._value(each) for key, each in value.items()}
        if isinstance(value, Sequence):
            return [self._value(each) for each in value]
        return value

    def as_json(self) -> Json:
        """The trees as data."""
        return {
            "columns": self.columns,
            "nodes": [list(node) for node in self._nodes],
            "leaves": [list(leaf) for leaf in self._leaves],
            "values": [orjson.loads(value) for value in self._values],
            "texts": [orjson.loads(text) for text in self._texts],
        }


def _place(pool: dict[bytes, int], value: Any) -> int:
    return pool.setdefault(orjson.dumps(value), len(pool))


def line_json(line: Line) -> list[Any]:
    """An expression: its constant, then factors and atoms by turns."""
    found: list[Any] = [line.const]
    for atom, times in line.terms:
        if isinstance(atom, str):
            found += [times, atom]
        else:
            found += [times, [atom[0], *(line_json(part) if isinstance(part, Line) else part for part in atom[1:])]]
    return found


def looked_up(table: Json, pool: Json, tree: int, known: Mapping[str, int]) -> Json:
    """What a tree of a pool says where the variables are known; ``table`` has the ``lines`` and ``functions``."""
    lines = table["lines"]

    def come_to(line: Sequence[Any]) -> int:
        return int(line[0] + sum(times * atom(each) for times, each in zip(line[1::2], line[2::2], strict=True)))

    def atom(each: Any) -> int:
        if isinstance(each, str):
            return known[each]
        if each[0] == "f":
            return int(table["functions"][each[1]][",".join(str(come_to(part)) for part in each[2:])])
        divisor: int = each[2]
        return come_to(each[1]) // divisor if each[0] == "/" else come_to(each[1]) % divisor

    while tree >= 0:
        node = pool["nodes"][tree]
        number = come_to(lines[node[0]])
        tree = next(
            below
            for least, below in zip(node[-2:0:-2], node[:1:-2], strict=True)
            if least <= number or least == node[1]
        )
    leaf = pool["leaves"][-1 - tree]
    filled = _filling(lambda place: come_to(lines[place]))
    found = {column: pool["values"][place] for column, place in zip(pool["columns"], leaf, strict=True)}
    return {
        column: [filled(pool["texts"][text]) for text in value] if column.endswith(f".{EXPLAIN}") else filled(value)
        for column, value in found.items()
    }


def _filling(number: Callable[[int], int]) -> Callable[[Any], Any]:
    def filled(value: Any) -> Any:
        if isinstance(value, str):
            if value.startswith("="):
                return value[1:] if value.startswith("==") else number(int(value[1:]))
            return HOLE.sub(lambda hole: str(number(int(hole[1]))), value)
        if isinstance(value, dict):
            return {key: filled(each) for key, each in value.items()}
        return [filled(each) for each in value] if isinstance(value, list) else value

    return filled
