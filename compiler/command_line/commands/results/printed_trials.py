"""Trials of a search that is stopped before it ends: what they found is reported all the same."""

import contextlib
from collections.abc import Callable, Iterable, Iterator
from typing import TypeVar

from compiler.command_line.command import ReportProgress
from compiler.command_line.worker_client import CommandFailedError
from compiler.model.capture.counted import counted
from compiler.model.experiments.costs import CostTrialDone
from compiler.model.experiments.slowness import SpeedTrialDone
from compiler.model.protocol.messages import EventBody

Done = TypeVar("Done", CostTrialDone, SpeedTrialDone)


class PrintedTrials:
    """Hears a worker, and keeps the trials that it reports. `as_json`: nothing but JSON may be printed."""

    def __init__(self, report_progress: ReportProgress, as_json: bool) -> None:
        self._report_progress = report_progress
        self._as_json = as_json
        self._printed: list[EventBody] = []

    def hear(self, event: EventBody) -> None:
        """As `report_progress`."""
        if isinstance(event, CostTrialDone | SpeedTrialDone):
            self._printed.append(event)
        self._report_progress(event)

    @contextlib.contextmanager
    def printed_if_stopped(
        self, kind: type[Done], rows: Callable[[list[Done]], Iterable[str]]
    ) -> Iterator[None]:
        """Print the trials of this kind where what is entered fails: it took longer than --timeout allows."""
        try:
            yield
        except CommandFailedError:
            printed = [event for event in self._printed if isinstance(event, kind)]
            if printed and not self._as_json:
                print(f"Stopped before the end. {counted(len(printed), 'trial')} that ended before:")
                print("\n".join(rows(printed)))
            raise
