"""Parts of a long list of files, for several machines that do not know of one another."""

import argparse
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True)
class Shard:
    """Part `number`, counted from 1, of `count` parts."""

    number: int
    count: int

    def part_of(self, paths: Sequence[Path]) -> list[Path]:
        """Return every `count`-th path: the parts have no path in common, and together have all."""
        return [*paths[self.number - 1 :: self.count]]


def shard(text: str) -> Shard:
    """Parse ``K/N``."""
    try:
        number, count = (int(part) for part in text.split("/"))
    except ValueError:
        raise argparse.ArgumentTypeError(f"{text} is not like 2/8") from None
    if not 1 <= number <= count:
        raise argparse.ArgumentTypeError(f"{text}: wanted 1/{max(count, 1)} to {max(count, 1)}/…")
    return Shard(number, count)
