"""Scenarios: rules questions with their right answers, asked of rule sets.

    report = run_files(["house.yaml"])       # files, or folders (every *.yaml and *.yml below them)
    print(report.text("zh"))
    raise SystemExit(report.status)          # 0 all hold, 1 some fail, 2 some could not be asked

``Report.outcomes`` has one ``Outcome`` for each scenario and rule set, in file order; ``Report.problems`` everything that
kept a scenario from being asked, each with file, line and column. ``Report.as_json`` is plain data. ``read_file`` and
``ask`` are the two steps, for those who report each outcome themselves.
"""

from gunzi.apps.scenarios.files import read_file
from gunzi.apps.scenarios.outcomes import Outcome
from gunzi.apps.scenarios.running import Report, ask, run_files, run_text

__all__ = ["Outcome", "Report", "ask", "read_file", "run_files", "run_text"]
