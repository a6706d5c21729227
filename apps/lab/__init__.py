"""The lab: rule sets simulated, and rule sets against each other.

    from gunzi.apps import lab
    report = lab.simulate(rules, hands=1000, seed=1, policy="steady")      # or rounds=…; record="FILE"; progress=f
    found = lab.diff([a, b, …], hands=1000, seed=1, policy="random", jobs=2)   # or rounds=…; progress=f
    report.as_json(); report.rows()

* ``simulate(rules, *, hands=None, rounds=None, seed, policy="random", record=None, progress=None, fast="auto") -> Report``
  One table, played hand after hand (``hands``) or round after round (``rounds``; exactly one of the two is given).
  ``policy`` is one player's name or four (a text with commas, or a sequence). ``record``: a path; the record is written as
  the hands finish. ``progress(done, wanted)`` is called now and then. Ctrl-C (KeyboardInterrupt) is caught: what was
  finished is kept and reported, ``report.interrupted`` is True. ``fast``: ``auto``, ``on`` or ``off``, see ``fast/``; the result is
  the same.
* ``diff(rule_sets, *, hands=None, rounds=None, seed, policy="random", jobs=1, progress=None, prove=True,
  fast="auto") -> Difference``
  The same decks and, while situations are equal, the same dice under two or more rule sets. ``hands``: single hands from
  drawn situations (``situations.py``); ``rounds``: whole rounds. Same arguments, same result, whatever ``jobs``.
  ``prove``: replay each hand that parts with one option toggled at a time. Interrupted: as above.

* ``duplicate(rules, a, b, *, hands, seed) -> Duplicate``: two players on the same deals with the sides changed: ``levels``,
  ``points``, ``score`` (Estimates, a minus b, per hand).

Results are frozen dataclasses; each has ``as_json()`` (plain data, no time in it) and ``rows()`` (lines to print):

* ``Report``: ``rules`` (id), ``hash``, ``seed``, ``policy`` (4 names), ``unit`` ("hands" | "rounds"), ``wanted``, ``hands``,
  ``rounds`` (finished), ``redeals``, ``interrupted``, ``measures: dict[id, Estimate]``, ``tables: dict[id, dict[kind,
  count]]``, ``scores`` (the four sheets), ``seconds`` (not in ``as_json``).
* ``Difference``: ``rule_sets`` (ids), ``hashes``, ``seed``, ``policy``, ``unit``, ``wanted``, ``done``, ``interrupted``,
  ``options`` (dotted ids on which any two of the sets differ), ``pairs: tuple[Pair, …]`` (the first set against each other
  one), ``measures: dict[id, tuple[Estimate, …]]`` (each set's own), ``seconds``.
* ``Pair``: ``a``, ``b`` (ids), ``options`` (that differ), ``diverged: Estimate`` (share), ``count``, ``before_settling: Estimate``, ``first: tuple[First, …]``
  (where they part, most frequent first), ``causes: tuple[Cause, …]`` (most frequent first), ``paired: dict[id, Estimate]``
  (B minus A), ``example`` (``Example`` or None: the smallest hand that parts, with both events).
* ``First(event, phase, trick, by, count)``; ``Cause(option, count, share: Estimate)`` (``option`` "joint": no single option does
  it; "unproved": nothing was proved).
* ``Estimate(mean, low, high, count)``: a mean with its 99 % interval; mean None where nothing was counted.
* ``Row(id, name: Text, cells: tuple[str, …])``, ``Section(title: Text, heads: tuple[Text, …], rows: tuple[Row, …])``;
  ``rows()`` answers ``tuple[Section, …]``; cells that are words are ``Text`` too.

Errors: ``LabError`` (a ValueError) for arguments that make no sense (no hands, a negative seed, fewer than two rule sets);
OSError where the record cannot be written.
"""

from gunzi.apps.lab.comparison import diff
from gunzi.apps.lab.duplicates import Duplicate, duplicate
from gunzi.apps.lab.errors import LabError
from gunzi.apps.lab.estimates import Estimate
from gunzi.apps.lab.findings import Cause, Difference, Example, First, Pair
from gunzi.apps.lab.sections import Row, Section
from gunzi.apps.lab.simulation import Report, simulate
from gunzi.apps.lab.units import Plan, play_unit, unit_table

__all__ = [
    "Cause",
    "Difference",
    "Duplicate",
    "Estimate",
    "Example",
    "First",
    "LabError",
    "Pair",
    "Plan",
    "Report",
    "Row",
    "Section",
    "diff",
    "duplicate",
    "play_unit",
    "simulate",
    "unit_table",
]
