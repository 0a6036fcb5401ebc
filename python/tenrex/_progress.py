"""A bar that tells how far long work is."""

from __future__ import annotations

import sys
from typing import Any


class Progress:
    """A bar of tqdm if it is installed, otherwise a line on standard error. Without ``wanted`` it is silent."""

    def __init__(self, total: int, unit: str, wanted: bool) -> None:
        self._total, self._unit, self._done, self._wanted = total, unit, 0, wanted
        self._bar: Any = None
        if wanted:
            try:
                from tqdm.auto import tqdm
            except ImportError:
                return
            self._bar = tqdm(total=total, unit=f" {unit}", leave=False)

    def advance(self, count: int) -> None:
        """So much more is done."""
        self._done += count
        if self._bar is not None:
            self._bar.update(count)
        elif self._wanted:
            print(f"\r{self._done} of {self._total} {self._unit}", end="", file=sys.stderr, flush=True)

    def __enter__(self) -> Progress:
        return self

    def __exit__(self, *_: object) -> None:
        if self._bar is not None:
            self._bar.close()
        elif self._wanted:
            print(file=sys.stderr)


def pieces(count: int, most: int) -> list[slice]:
    """Slices that cut so many rows into pieces; one for none."""
    return [slice(begin, min(begin + most, count)) for begin in range(0, max(count, 1), most)]
