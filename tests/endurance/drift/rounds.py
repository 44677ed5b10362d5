"""Captures one after the other, whatever begins them: what is held from look to look, and where the time of one goes."""

import os
import time
from collections import Counter
from collections.abc import Callable

from PySide6.QtWidgets import QApplication

from tests.endurance.drift.open_window import PATIENCE_S, OpenWindow
from tests.endurance.drift.process_counts import Looks
from tests.endurance.report import Row

_LEAST = 8
_LOOKS = 120
_WARM = 0.4
_SPARE_S = 60
_PHASES = {
    "ready": "until it was asked for",
    "starting": "for a worker to start",
    "busy": "for the capture",
    "settling": "for what follows it",
}
"""What one waits for, by the state of the engine."""


class Rounds:
    """Of one window. `planted`: ``leak``, a descriptor of each round stays."""

    def __init__(self, what: str, opened: OpenWindow, planted: str) -> None:
        self._what, self._opened, self._planted = what, opened, planted
        self._looks = Looks(("window", "worker"), _WARM)
        self._faults: list[str] = []
        self._spent: Counter[str] = Counter()
        self._workers: set[int] = set()
        self._leaked: list[int] = []

    def next_capture(self, begin: Callable[[], object]) -> bool:
        """Begin it, and wait until nothing is asked of the worker any more."""
        opened, session = self._opened, self._opened.session
        before, last = session.capture, time.monotonic()
        end = last + PATIENCE_S
        begin()
        while last < end:
            came = session.capture is not before and bool(session.captures)
            if came and opened.settled():
                self._workers.add(opened.engine.generation)
                return True
            phase = "settling" if came else opened.engine.state
            QApplication.processEvents()
            time.sleep(0.002)
            self._spent[phase] += -last + (last := time.monotonic())
        self._faults.append(f"no capture in {PATIENCE_S} s: {opened.problems()}")
        return False

    def run(self, wanted: float, begin: Callable[[int], object]) -> Row:
        """About so many rounds; `begin` gets their number."""
        number, done = max(round(wanted), _LEAST), 0
        self._spent.clear()
        self._workers.clear()
        looks = {round(number * look / _LOOKS) for look in range(1, _LOOKS + 1)}
        for index in range(number):
            if not self.next_capture(lambda index=index: begin(index)):  # type: ignore[misc]
                break
            done += 1
            if self._planted == "leak":
                self._leaked.append(os.open("/dev/null", os.O_RDONLY))
            if done in looks:
                self._look(f"{done:,} {self._what}")
        self._faults += [f"the window told: {problem}" for problem in self._opened.problems()]
        for descriptor in self._leaked:
            os.close(descriptor)
        return self.row(done)

    def row(self, done: int = 0) -> Row:
        """What was found."""
        if not done:
            return Row(f"no {self._what}", tuple(self._faults))
        spent = ", ".join(
            f"{self._spent[phase] / done:.2f} {words}"
            for phase, words in _PHASES.items()
            if self._spent[phase]
        )
        return Row(
            f"{done:,} {self._what} in {len(self._workers):,} workers, {sum(self._spent.values()) / done:.2f} s each ({spent}); "
            f"{self._looks.compared(self._faults)}",
            tuple(self._faults),
        )

    def _look(self, what: str) -> None:
        """With the next spare worker ready, so that there is one child too many or too few at no look."""
        engine = self._opened.engine

        def spare_ready() -> bool:
            return engine._spare is not None and bool(engine._spare.torch_version)

        if not self._opened.until(spare_ready, _SPARE_S):
            self._faults.append(f"{what}: no spare worker in {_SPARE_S} s")
        self._looks.add(what, self._opened.held())
