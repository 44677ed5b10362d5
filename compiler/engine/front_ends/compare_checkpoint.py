"""A cell that grows judgement by judgement, and is written down before each."""

import contextlib

import msgspec

from compiler.model.front_end_comparison.comparison_checkpoint import UnfinishedCell, write_unfinished
from compiler.model.front_end_comparison.front_end_matrix import FrontEndCell, Judgement


class CellSoFar:
    """`folder` is where it is written; empty: nowhere."""

    def __init__(self, folder: str, cell: FrontEndCell) -> None:
        self._folder = folder
        self.cell = cell

    def begin(self, words: str) -> None:
        """An input is about to be tried."""
        if self._folder:
            with contextlib.suppress(OSError):  # the folder is gone when a newer comparison has begun
                write_unfinished(self._folder, UnfinishedCell(self.cell, words))

    def add(self, judgement: Judgement | None, found: bool = False) -> None:
        """What came of it; None: nothing to report. `found`: nobody gave the input."""
        if judgement is not None:
            reported = msgspec.structs.replace(judgement, found=found)
            self.cell = msgspec.structs.replace(self.cell, judgements=(*self.cell.judgements, reported))
