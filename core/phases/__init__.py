"""The phases of the game, one file each; a variant's ``phases`` list puts them in order."""

from __future__ import annotations

from typing import Final

from gunzi.phase import Phase
from gunzi.phases.bottom import BottomPhase
from gunzi.phases.bury import BuryPhase
from gunzi.phases.bury_kings import BuryKingsPhase
from gunzi.phases.deal import DealPhase
from gunzi.phases.play import PlayPhase
from gunzi.phases.reveal import RevealPhase
from gunzi.phases.settle import SettlePhase
from gunzi.phases.tribute import TributePhase

PHASES: Final[dict[str, Phase]] = {
    phase.name: phase
    for phase in (
        DealPhase(),
        RevealPhase(),
        TributePhase(),
        BottomPhase(),
        BuryPhase(),
        BuryKingsPhase(),
        PlayPhase(),
        SettlePhase(),
    )
}
"""The built-in phases by name."""
