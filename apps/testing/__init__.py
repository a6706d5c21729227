"""Conformance suites for whoever writes rules: one call each, with pytest or without.

    from gunzi.apps.testing import check_plugin, check_rules

    def test_my_plugin() -> None:
        check_plugin("gunzi-my-rule", variants=["club.yaml"])

``check_rules`` tries a rule set: legal sets, conservation of cards and points, refusals, copies, the contracts of all hooks,
views that leak nothing, records. ``check_plugin`` tries a plugin: its texts and options, then the rule sets it makes. Both
raise one ``ConformanceError`` that lists everything that is wrong (``.failures``), and return what they did otherwise.
"""

from __future__ import annotations

from gunzi.apps.testing.report import Checked, ConformanceError, Failure
from gunzi.apps.testing.suites import check_plugin, check_rules

__all__ = ["Checked", "ConformanceError", "Failure", "check_plugin", "check_rules"]
