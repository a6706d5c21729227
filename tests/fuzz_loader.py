"""Throws broken variant files at the loader: nothing may come out but its own errors, quickly and in little memory.

    python tests/fuzz_loader.py                 100,000 inputs
    python tests/fuzz_loader.py 5000 --seed 3   fewer, others

Half the inputs are variant files with something wrong in them, a quarter the bytes of such files with some of them changed,
a quarter bytes out of nowhere; share codes and command-line values are thrown in between. Each is loaded (``load_text``),
checked (``check_text``), and what went wrong is put into words in all three forms. Exit status 1 where an input raises
anything but a GunziError, takes longer than a second, or the process grows by more than 100 MB.
"""

from __future__ import annotations

import argparse
import gc
import random
import resource
import string
import sys
import time
import traceback
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import gunzi
from gunzi.loading import check_text, load_text
from gunzi.options import Option
from gunzi.problems import format_problems
from gunzi.sharecode import encode
from gunzi.writing import variant_text

LONGEST = 1.0
"""Seconds of processor time that an input may take."""
MOST_MEMORY = 100
"""Megabytes the process may grow by."""
NASTY = (
    "", "~", "null", "Null", "yes", "no", "on", "off", "true", "false", "True", "1", "0", "-1", "010", "1:30", "1.10", "1e3",
    "0x10", ".nan", ".inf", "-.inf", "1_000", "99999999999999999999999", "2026-01-01", "=", "<<", "<<: *a", "&a", "*a", "*b",
    "&a [*a]", "&a {x: *a}", "!!python/object:os.system", "!!binary aGk=", "!x y", "---", "...", "%YAML 1.1", "? x", "? [a]",
    "{", "}", "[", "]", "[[[[", "{{{{", "|", ">", "|2-", "'", '"', '"\\', '"\\ud800"', '"\\x00"', "`", "@", "#", "\t", "\0",
    "：", "｛", "，", "strict", "loose", "min", "max", "[]", "{}", "[3, 10]", "[10, 3, 10]", "{big: 2}", "{big: 2, small: 1}",
    "{5: 5}", "{5: 5, 5: 10}", "{[a]: b}", "{? {a: b} : c}", "[a, b", "a: b: c", "- a", "base", "yuwang", "../../etc/passwd",
    "gz1.AAAA", "\ufeff", "\u2028", "\x85", "\U0001f600", "干锅", "a" * 300, "[" * 200, "{a: " * 200, "- " * 300, "&" * 50,
    "[[0, 赤脚]]", "[[0, 赤脚], [0, x]]", "[deal]", "[deal, deal]", "[settle, deal, reveal, play]", "[x" + ", x" * 300 + "]",
)  # fmt: skip
KEYS = (
    "gunzi", "id", "name", "description", "version", "extends", "plugins", "notes", "silence", "zh", "en", "status", "source",
    "reveall", "Reveal", "reveal.pick", "phases", "points", "titles", "x", "1", "true", "？", "<<", "__class__", "",
)  # fmt: skip


@dataclass
class Found:
    """What came of the inputs."""

    inputs: int = 0
    loaded: int = 0
    refused: int = 0
    slowest: float = 0.0
    slow: list[tuple[float, bytes]] = field(default_factory=list)
    raised: list[tuple[str, bytes]] = field(default_factory=list)
    grown: float = 0.0
    """Megabytes."""

    @property
    def sound(self) -> bool:
        return not self.raised and not self.slow and self.grown <= MOST_MEMORY

    def text(self) -> str:
        said = [
            f"{self.inputs} inputs: {self.loaded} load, {self.refused} are refused, {len(self.raised)} raise; "
            f"slowest {self.slowest:.3f} s, memory grew by {self.grown:.1f} MB"
        ]
        said += [f"{seconds:.2f} s: {data[:300]!r}" for seconds, data in self.slow[:5]]
        said += [f"{trace}\n{data[:600]!r}" for trace, data in self.raised[:5]]
        return "\n".join(said)


class Inputs:
    """Makes inputs from a seed."""

    def __init__(self, seed: int) -> None:
        self.dice = random.Random(seed)
        self.rules = [gunzi.load(id) for id in ("base", *gunzi.preset_ids())]
        self.options: list[Option] = [self.rules[0].option(id) for id in self.rules[0].option_ids()]
        self.files = [variant_text(rules, "my-house").encode() for rules in self.rules]
        self.codes = [encode(rules) for rules in self.rules]
        self.mild = False
        """Is the file being made one with little wrong in it?"""

    def next(self) -> bytes:
        """One input."""
        kind = self.dice.random()
        if kind < 0.5:
            return self.structured().encode("utf-8", "surrogatepass")
        if kind < 0.75:
            return self.damaged(self.dice.choice([*self.files, self.structured().encode("utf-8", "surrogatepass")]))
        return self.dice.randbytes(self.dice.choice((0, 1, 2, 5, 20, 200, 3000)))

    def damaged(self, data: bytes) -> bytes:
        """Some bytes of a file changed, cut out, doubled, or put elsewhere."""
        dice, found = self.dice, bytearray(data)
        for _ in range(dice.randint(1, 8)):
            at = dice.randrange(len(found) + 1)
            upto = min(len(found), at + dice.choice((1, 1, 2, 5, 30)))
            change = dice.randrange(5)
            if change == 0:
                found[at:upto] = dice.randbytes(upto - at)
            elif change == 1:
                del found[at:upto]
            elif change == 2:
                found[at:at] = found[at:upto] * dice.choice((1, 2, 40))
            elif change == 3:
                found[at:at] = dice.choice(NASTY).encode("utf-8", "surrogatepass")
            else:
                found[at:at] = bytes([dice.choice(b"\n :{}[],'\"&*!|>%@#-?\t\r")])
        return bytes(found[:200_000])

    def structured(self) -> str:
        """A variant file with some things wrong in it."""
        dice = self.dice
        self.mild = dice.random() < 0.3
        rows = ["gunzi: 1", "id: my-house"] if self.mild or dice.random() < 0.8 else []
        if dice.random() < 0.5:
            rows.append(f"extends: {dice.choice(gunzi.preset_ids() if self.mild else (*gunzi.preset_ids(), *NASTY))}")
        by_group: dict[str, list[str]] = {}
        for option in dice.sample(self.options, dice.randint(0, 4 if self.mild else 8)):
            group, _, name = option.id.partition(".")
            value = self.value(option)
            if not name:
                rows.append(f"{group}: {value}")
            else:
                by_group.setdefault(group, []).append(f"{self.key(name)}: {value}")
        for group, inner in by_group.items():
            if dice.random() < 0.5:
                rows.append(f"{self.key(group)}: {{{', '.join(inner)}}}")
            else:
                rows.append(f"{self.key(group)}:\n" + "\n".join(f"  {row}" for row in inner))
        while dice.random() < (0.1 if self.mild else 0.35):
            rows.append(f"{dice.choice(KEYS)}: {dice.choice(NASTY)}")
        if not self.mild and dice.random() < 0.2:
            rows.append("notes: {reveal.pick: {status: " + dice.choice(("stated", *NASTY)) + ", source: x}}")
        if dice.random() < 0.03:
            rows.append(self.bomb())
        if dice.random() < 0.3:
            dice.shuffle(rows)
        return dice.choice(("\n", "\n", "\n", "\r\n", "\n\n")).join(rows) + dice.choice(("\n", "", "\n...\n"))

    def key(self, name: str) -> str:
        dice = self.dice
        chance = dice.random()
        if self.mild or chance < 0.9:
            return name
        return dice.choice((name.upper(), name + "s", name[:-1], f'"{name}"', dice.choice(KEYS)))

    def value(self, option: Option) -> str:
        dice = self.dice
        examples: list[Any] = option.examples()
        if examples and (self.mild or dice.random() < 0.7):
            return option.show(dice.choice(examples))
        if dice.random() < 0.2:
            return str(dice.choice((-(10**9), -1, 10**4, 10**17, 10**30, dice.randint(-1000, 1000))))
        return dice.choice(NASTY)

    def bomb(self) -> str:
        dice = self.dice
        wide, deep = dice.randint(2, 12), dice.randint(2, 40)
        rows = ["x0: &x0 [" + ", ".join("x" * wide) + "]"]
        rows += [f"x{n}: &x{n} [" + ", ".join([f"*x{n - 1}"] * wide) + "]" for n in range(1, deep)]
        return "\n".join([*rows, f"titles: *x{deep - 1}"])

    def code(self) -> str:
        """A share code with something wrong, or nothing."""
        found = list(self.dice.choice(self.codes))
        for _ in range(self.dice.randint(0, 3)):
            found[self.dice.randrange(len(found))] = self.dice.choice(string.printable)
        return "".join(found)


def fuzz(count: int, seed: int = 1, told: Callable[[Found], object] | None = None) -> Found:
    """Throw ``count`` inputs at the loader; ``told`` hears of every thousandth."""
    inputs, found = Inputs(seed), Found()
    _throw(b"gunzi: 1\nid: warm-up\n", found, inputs)
    found.inputs = found.loaded = 0
    found.slowest = 0.0
    before = _memory()
    # What other tests have left in this process is not the loader's to be looked through: it can take a second.
    gc.collect()
    gc.freeze()
    try:
        for number in range(count):
            _throw(inputs.next(), found, inputs)
            if number % 1000 == 999:
                found.grown = _memory() - before
                if told is not None:
                    told(found)
    finally:
        gc.unfreeze()
    found.grown = _memory() - before
    return found


def _throw(data: bytes, found: Found, inputs: Inputs) -> None:
    start = time.process_time()  # of this process alone: a busy machine is no fault of the loader
    try:
        _load(lambda: load_text(data, "fuzz.yaml"), found)
        for form in ("text", "json", "github"):
            format_problems(check_text(data, "fuzz.yaml"), form, "zh")
        if inputs.dice.random() < 0.1:
            code = inputs.code()
            if code.startswith("gz"):
                _load(lambda: gunzi.load(code), None)
            option = inputs.dice.choice(inputs.options)
            text = inputs.dice.choice((data[:100].decode("utf-8", "replace"), inputs.value(option)))
            _load(lambda: gunzi.load("base", {option.id: text}), None)
    except Exception:
        found.raised.append((traceback.format_exc(), data))
    seconds = time.process_time() - start
    found.inputs += 1
    found.slowest = max(found.slowest, seconds)
    if seconds > LONGEST:
        found.slow.append((seconds, data))


def _load(load: Callable[[], gunzi.RuleSet], found: Found | None) -> None:
    try:
        load()
    except gunzi.GunziError as error:
        said = str(error)
        assert said and "Traceback" not in said
        if found is not None:
            found.refused += 1
    else:
        if found is not None:
            found.loaded += 1


def _memory() -> float:
    """The most memory the process has had, in megabytes."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / (1024 if sys.platform != "darwin" else 1024 * 1024)


def main() -> int:
    """Run by hand."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("count", nargs="?", type=int, default=100_000)
    parser.add_argument("--seed", type=int, default=1)
    args = parser.parse_args()
    found = fuzz(args.count, args.seed, lambda sofar: print(sofar.text().splitlines()[0], file=sys.stderr, flush=True))
    print(found.text())
    return 0 if found.sound else 1


if __name__ == "__main__":
    raise SystemExit(main())
