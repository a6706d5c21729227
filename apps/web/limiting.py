"""How much one caller may do: token buckets and counters, per connection and per address."""

from __future__ import annotations

import time
from collections import Counter, OrderedDict
from dataclasses import dataclass, field
from typing import Final

MOST_ADDRESSES: Final = 10_000


@dataclass(slots=True)
class Bucket:
    """``rate`` a second, ``burst`` at once."""

    rate: float
    burst: float
    left: float = field(init=False)
    at: float = field(default_factory=time.monotonic)

    def __post_init__(self) -> None:
        self.left = self.burst

    def take(self, now: float | None = None) -> bool:
        """One more? False: too many."""
        now = time.monotonic() if now is None else now
        self.left = min(self.burst, self.left + (now - self.at) * self.rate)
        self.at = now
        if self.left < 1:
            return False
        self.left -= 1
        return True


class PerAddress:
    """A bucket for each address, the latest ones; and how many connections each has open."""

    def __init__(self, rate: float, burst: float) -> None:
        self.rate, self.burst = rate, burst
        self.open: Counter[str] = Counter()
        self._buckets: OrderedDict[str, Bucket] = OrderedDict()

    def take(self, address: str) -> bool:
        """One more from this address? False: too many."""
        bucket = self._buckets.get(address)
        if bucket is None:
            bucket = self._buckets[address] = Bucket(self.rate, self.burst)
            while len(self._buckets) > MOST_ADDRESSES:
                self._buckets.popitem(last=False)
        self._buckets.move_to_end(address)
        return bucket.take()

    def enter(self, address: str, most: int) -> bool:
        """A connection is opened. False: it has too many."""
        if self.open[address] >= most:
            return False
        self.open[address] += 1
        return True

    def leave(self, address: str) -> None:
        """A connection is closed."""
        self.open[address] -= 1
        if self.open[address] <= 0:
            del self.open[address]
