"""Foreign records audited: what a rule set would not have allowed in a log of hands that were played by whatever rules.

    from gunzi.apps import audit
    found = audit.audit(audit.record_rows("production.jsonl"), rules)          # or audit.log_rows("log.csv", mapping)
    for finding in found: print(finding.line, finding.rule, finding.text.zh)
    found.summary

``verify`` stops at the first wrong event of a record that claims to follow its own rules. An audit goes on:

* What the log says has happened is taken as happened wherever the cards make it possible: they move as the log says, the trump,
  the dealer, the bottom's fate, the winner of a trick are the log's, and the next event is judged from there. So one departure is
  told once, and not again in everything that follows from it.
* An act with cards that the seat does not hold, with what is no card, or by no seat cannot have happened. It is told, and the rest
  of that hand is not judged (``Summary.unjudged`` counts its events); the next hand begins with its own deal. The same where a hand has
  no deal that the rule set's packs make up, or where no trump can be known.
* What the log leaves out is not held against it, except acts that the rules demand: tribute due, a burial, the plays. A key that
  stands there is compared with what the rules make of the hand as it was played: the trump, the dry pot, who wins a trick, the
  settlement. A trick that was led against the rules is judged for turn and cards, not for what had to follow it.
* How a hand begins (levels, dealer, tribute owed) is compared with what the log itself says of the end of the hand before; where it
  says nothing, with what the rule set makes of it.
"""

from gunzi.apps.audit.auditing import Audit, audit
from gunzi.apps.audit.converting import log_record, log_rows
from gunzi.apps.audit.findings import Finding, Row, Summary
from gunzi.apps.audit.mapping import Mapping, MappingError
from gunzi.apps.audit.mapping_files import mapping_of, read_mapping
from gunzi.apps.audit.rows import record_rows

__all__ = [
    "Audit",
    "Finding",
    "Mapping",
    "MappingError",
    "Row",
    "Summary",
    "audit",
    "log_record",
    "log_rows",
    "mapping_of",
    "read_mapping",
    "record_rows",
]
