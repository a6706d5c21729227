"""双升 (拖拉机) for gunzi: tractors are led and have to be followed as far as a hand can."""

from gunzi_tractors.plugin import Tractors

__all__ = ["Tractors"]
