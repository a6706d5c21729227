"""The lab: rule sets simulated, and rule sets against each other.

    from gunzi.apps import lab
    report = lab.simulate(rules, hands=1000, seed=1, policy="steady")      # or rounds=…; record="FILE"; progress=f
    found = lab.diff([a, b, …], hands=1000, seed=1, policy="random", jobs=2)   # or rounds=…; progress=f
    report.as_json(); report.rows()

* ``simulate(rules, *, hands=None, rounds=None, seed, policy="random", record=None, progress=None, jobs=1, resume=None,
  cluster=None) -> Report``
  Tables, each played hand after hand for 1000 hands (``hands``) or for 50 rounds (``rounds``; exactly one of the two is given).
  ``policy`` is one player's name or four (a text with commas, or a sequence). ``record``: a path; the record is written as
  the hands finish, further tables' beside it. ``progress(done, wanted)`` is called now and then. Ctrl-C (KeyboardInterrupt) is
  caught: what was finished is kept and reported, ``report.interrupted`` is True; ``report.trouble`` says what else ended it.
* ``diff(rule_sets, *, hands=None, rounds=None, seed, policy="random", jobs=1, progress=None, prove=True, pairs="all",
  resume=None, cluster=None) -> Difference``
  The same decks and, while situations are equal, the same dice under two or more rule sets. ``hands``: single hands from
  drawn situations (``situations.py``); ``rounds``: whole rounds. Same arguments, same result, whatever ``jobs``. ``pairs``:
  ``"all"`` compares each set with each, ``"first"`` the first with the others; each set is played once a unit either way.
  ``prove``: replay each hand that parts with one option toggled at a time, once for every option the pair differs on. Interrupted:
  as above.
* ``example_records(found, rule_sets, pair, example) -> (Record, Record)``: the example as two records that ``gunzi verify`` accepts
  and ``gunzi replay --beside`` shows side by side. ``write_examples(folder, found, rule_sets) -> tuple[ExampleFiles, …]`` writes
  them all (``pair``, ``example``, paths ``a`` and ``b``); no file that says something else is replaced.

``jobs``: so many processes. ``resume``: a file that keeps finished blocks (``journal.py``); the same call again goes on with
them, for more hands too. ``cluster``: the address of a dask.distributed scheduler (``cluster.py``). Whatever the means, the
result is the same; ``runs.py`` is for whoever has other blocks to run.
* ``sweep(rules, option=None, values=None, *, hands=None, rounds=None, seed=1, policy="random", jobs=1, progress=None,
  resume=None, cluster=None, fast="auto") -> Sweep``
  Every single-option neighbour of a rule set against it, ranked by how much it changes the game; what an effect is, and by
  what they are ranked, stands in ``sweep.py``. ``Sweep.effects`` are ranked values, ``ranking`` each option once, ``skipped``
  the values that contradict the rest.

* ``same_until(a, b, options=None, *, hands=None, rounds=None, seed=1, policy="random", jobs=1, progress=None, resume=None,
  cluster=None) -> SameUntil``
  Two rule sets that differ only in ``options`` play the same until one of these is consulted (``consulting.py``): is it so?

* ``duplicate(rules, a, b, *, hands, seed) -> Duplicate``: two players on the same deals with the sides changed: ``levels``,
  ``points``, ``score`` (Estimates, a minus b, per hand).
* ``match(rules, a, b, *, pairs, seed, jobs=1, progress=None, resume=None, cluster=None) -> Match``: the same in pairs
  of hands, with ``won``, ``drawn``, ``lost``, ``share``, ``elo`` (Estimates); interrupted: as above. Where a player thinks by
  the clock, the result is another each time.

Results are frozen dataclasses; each has ``as_json()`` (plain data, no time in it) and ``rows()`` (lines to print):

* ``Report``: ``rules`` (id), ``hash``, ``seed``, ``policy`` (4 names), ``unit`` ("hands" | "rounds"), ``wanted``, ``hands``,
  ``rounds`` (finished), ``redeals``, ``interrupted``, ``measures: dict[id, Estimate]``, ``tables: dict[id, dict[kind,
  count]]``, ``scores`` (the four sheets), ``seconds`` (not in ``as_json``).
* ``Difference``: ``rule_sets`` (ids), ``hashes``, ``seed``, ``policy``, ``levels``, ``unit``, ``wanted``, ``done``, ``interrupted``,
  ``options`` (dotted ids on which any two of the sets differ), ``pairs: tuple[Pair, …]`` (the first set against each other
  one, then the second …), ``measures: dict[id, tuple[Estimate, …]]`` (each set's own), ``tables`` (each set's counts by kind),
  ``seconds``; ``pair(i, j)`` finds one.
* ``Pair``: ``a``, ``b`` (ids), ``places`` (among the sets), ``options`` (that differ), ``diverged: Estimate`` (share), ``count``,
  ``before_settling: Estimate``, ``first: tuple[First, …]`` (where they part, most frequent first), ``causes: tuple[Cause, …]``
  (most frequent first), ``joint: tuple[Joint, …]`` (smallest sets where no single option does it), ``paired: dict[id, Estimate]``
  (B minus A), ``kinds: dict[id, KindsApart]`` (the same of what is counted by kind), ``examples: tuple[Example, …]`` (one a
  cause: the earliest, smallest unit it parts, with both events), ``example`` (the earliest of them, or None).
* ``First(event, phase, trick, by, count)``; ``Cause(option, count, share: Estimate)`` (``option`` "joint": no single option does
  it; "unproved": nothing was proved); ``Joint(options, smallest, count)``; ``KindsApart(changed, differences)``.
* ``Estimate(mean, low, high, count)``: a mean with its 99 % interval; mean None where nothing was counted.
* ``Row(id, name: Text, cells: tuple[str, …])``, ``Section(title: Text, heads: tuple[Text, …], rows: tuple[Row, …])``;
  ``rows()`` answers ``tuple[Section, …]``; cells that are words are ``Text`` too.

Errors: ``LabError`` (a ValueError) for arguments that make no sense (no hands, a negative seed, fewer than two rule sets),
workers that cannot be had, and a ``resume`` file of something else; OSError where a file cannot be written.
"""

from gunzi.apps.lab.comparison import diff
from gunzi.apps.lab.duplicates import Duplicate, duplicate
from gunzi.apps.lab.errors import LabError
from gunzi.apps.lab.estimates import Estimate
from gunzi.apps.lab.examples import ExampleFiles, example_records, write_examples
from gunzi.apps.lab.findings import Cause, Difference, Example, First, Joint, KindsApart, Pair
from gunzi.apps.lab.matches import Match, match
from gunzi.apps.lab.neighbours import Neighbour, Skipped, neighbours
from gunzi.apps.lab.same_until import SameUntil, TooEarly, same_until
from gunzi.apps.lab.sections import Row, Section
from gunzi.apps.lab.simulation import Report, simulate
from gunzi.apps.lab.sweep import sweep
from gunzi.apps.lab.sweeping import Effect, Sweep
from gunzi.apps.lab.units import Plan, play_unit, unit_table

__all__ = [
    "Cause",
    "Difference",
    "Duplicate",
    "Effect",
    "Estimate",
    "Example",
    "ExampleFiles",
    "First",
    "Joint",
    "KindsApart",
    "LabError",
    "Neighbour",
    "Match",
    "Pair",
    "Plan",
    "Report",
    "Row",
    "SameUntil",
    "Section",
    "Skipped",
    "Sweep",
    "TooEarly",
    "diff",
    "duplicate",
    "neighbours",
    "example_records",
    "match",
    "play_unit",
    "same_until",
    "simulate",
    "sweep",
    "unit_table",
    "write_examples",
]
