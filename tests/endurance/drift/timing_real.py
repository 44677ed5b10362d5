"""Two hours of live timing by the clock: a window with its Timings pane in front, and a worker that times a training step."""

import time
from pathlib import Path
from typing import IO

from PySide6.QtWidgets import QApplication, QTabWidget

from app.panes.timings_pane import TimingsPane
from compiler.model.capture.capture_spec import CaptureSpec, RunOptions, TargetSpec
from compiler.model.protocol.messages import Done, StopTimings
from compiler.model.timing.timings import TimingBatch
from tests.endurance.drift.open_window import OpenWindow, open_window
from tests.endurance.drift.process_counts import Looks
from tests.endurance.real_files import ROOT
from tests.endurance.report import Row

_FULL_S = 7200
_LEAST_S = 30
_LOOKS = 120
_WARM = 1 / 6
_SILENT_S = 45
"""A profiled step of a large program beside other work gives no samples for seconds."""
_PAGE_S = 5
_EXAMPLE = ROOT / "resources" / "examples" / "transformer_layer.py"
_LEAKING = """
_kept = []
class Leaking(EncoderLayer):
    def forward(self, x):
        _keep()
        return super().forward(x)
@torch.compiler.disable
def _keep():
    _kept.append(bytearray(1 << 16))
"""


def run(scale: float, folder: Path, planted: str = "") -> Row:
    """Time for so long. `planted`: ``leak`` descriptors of the window, ``grow`` the worker, ``stall``: the run ends by itself."""
    program = _EXAMPLE.read_text() + (_LEAKING if planted == "grow" else "")
    (folder / "program.py").write_text(program)
    target = f"program.py:{'Leaking' if planted == 'grow' else 'EncoderLayer'}"
    with open_window(folder) as opened:
        session = opened.session
        session.capture_target(
            CaptureSpec(TargetSpec(target, str(folder)), run=RunOptions(training=True)),
        )
        if not opened.until(lambda: bool(session.captures) and opened.settled()):
            return Row("nothing was captured", (f"no capture: {opened.problems()}",))
        return _Timing(opened, planted).run(max(_FULL_S * scale, _LEAST_S))


class _Timing:
    """One run, looked at from time to time."""

    def __init__(self, opened: OpenWindow, planted: str) -> None:
        self._opened, self._planted = opened, planted
        self._steps = self._seen = 0
        self._heard = 0.0
        self._looks = Looks(("window", "worker"), _WARM)
        self._leaked: list[IO[bytes]] = []
        opened.engine.event_arrived.connect(self._count)

    def run(self, seconds: float) -> Row:
        """Press Start, turn the pages, press Pause."""
        opened, recorder = self._opened, self._opened.session.timings
        pane = _timings_pane(opened)
        generation, faults = opened.engine.generation, list[str]()
        pane.controls.start.click()
        if not opened.until(lambda: recorder.running and self._steps > 0):
            return Row("nothing was timed", (f"no samples: {opened.problems()}",))
        began = time.monotonic()
        for number in range(1, _LOOKS + 1):
            _turn_pages(opened, pane.tabs, began + seconds * number / _LOOKS)
            if opened.engine.generation != generation or opened.engine._process is None:
                faults.append(f"after {time.monotonic() - began:.0f} s the worker was another one")
                break
            now = time.monotonic() - began
            self._listen(now, faults)
            if not recorder.running and opened.settled():
                faults.append(f"after {now:.0f} s the run had ended by itself")
                break
            self._looks.add(f"{now:,.0f} s, {self._steps:,} steps", opened.held())
            if self._planted == "stall" and number == _LOOKS // 2:
                opened.engine.ask(StopTimings(), Done, lambda _answer: None)
        elapsed = time.monotonic() - began
        kernels = len(recorder.kernels)
        if recorder.running:
            pane.controls.start.click()
        if not opened.until(lambda: not recorder.running and opened.settled()):
            faults.append("the run did not end when Pause was pressed")
        faults += [f"the window told: {problem}" for problem in opened.problems()]
        for stream in self._leaked:
            stream.close()
        return Row(
            f"{elapsed / 3600:.2f} h of the clock: {self._steps:,} training steps of {_EXAMPLE.stem} with {kernels} kernels timed "
            f"live, the {pane.tabs.count()} pages of the pane in turn; {self._looks.compared(faults)}",
            tuple(faults),
        )

    def _listen(self, now: float, faults: list[str]) -> None:
        if self._steps > self._seen:
            self._heard, self._seen = now, self._steps
        elif now - self._heard > _SILENT_S:
            faults.append(f"no samples from {self._heard:.0f} to {now:.0f} s")
            self._heard = now

    def _count(self, event: object) -> None:
        if isinstance(event, TimingBatch):
            self._steps += len(event.compiled)
            if self._planted == "leak":
                self._leaked.append(_EXAMPLE.open("rb"))


def _timings_pane(opened: OpenWindow) -> TimingsPane:
    """In front, as after a click on its name."""
    area = opened.window.show_panes()
    area.show_pane("timings")

    def found() -> TimingsPane | None:
        here = area.panes["timings"]
        pane = getattr(here, "pane", here)
        return pane if isinstance(pane, TimingsPane) else None

    opened.until(lambda: found() is not None)
    pane = found()
    assert pane is not None
    return pane


def _turn_pages(opened: OpenWindow, tabs: QTabWidget, until: float) -> None:
    """Let the window work until a moment of the monotonic clock; every few seconds the next page is in front."""
    while time.monotonic() < until:
        tabs.setCurrentIndex(int(time.monotonic() / _PAGE_S) % tabs.count())
        QApplication.processEvents()
        time.sleep(0.005)
