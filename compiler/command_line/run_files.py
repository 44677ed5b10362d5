"""The session files of a program that runs by itself, written while it runs."""

import time
from pathlib import Path

from compiler.analysis.running.lanes import Lane, in_order
from compiler.analysis.session_file.session_file import SessionData
from compiler.command_line.session_io import save_session
from compiler.command_line.trust_gate import TrustGate
from compiler.model.ir.ids import is_number

_BETWEEN = 20.0
"""How many times as long as writing a file takes it is not written again."""


class RunFiles:
    """The session files: one for each process that compiled something."""

    def __init__(self, output: Path | None, gate: TrustGate) -> None:
        self._output = output
        self._gate = gate
        self._written: dict[Path, tuple[int, int, str | None, int]] = {}
        """File → what is in it, by ``id()``."""
        self._not_before = 0.0

    def write_now_and_then(self, lanes: list[Lane]) -> None:
        """So that little is lost if this command is killed."""
        if time.monotonic() >= self._not_before and any(lane.capture is not None for lane in lanes):
            began = time.monotonic()
            self.write(lanes)
            now = time.monotonic()
            self._not_before = now + max(_BETWEEN * (now - began), 2.0)

    def write(self, lanes: list[Lane]) -> tuple[Path, ...]:
        """Write what is new; the files of all. Raises CommandFailedError."""
        output = self._output
        if output is None:
            return ()
        taken: dict[Path, Lane] = {}
        for lane in in_order(lanes):
            path = self._path(lane, output, lanes[0], taken)
            taken[path] = lane
            state = id(lane.capture), id(lane.counted), lane.ended, len(lane.missed)
            if self._written.get(path) != state and (capture := lane.reported_capture()) is not None:
                save_session(path, SessionData((capture,)), self._gate)
                self._written[path] = state
        return tuple(taken)

    def _path(self, lane: Lane, output: Path, first: Lane, taken: dict[Path, Lane]) -> Path:
        """The same each time: what a process is called does not depend on those that come later."""
        assert lane.began is not None
        pid, rank = lane.began.pid, lane.began.rank if is_number(lane.began.rank) else ""
        if (lane is first and not rank) or (rank == "0" and output not in taken):
            return output
        ranked = output.with_name(f"{output.stem}.rank{rank}{output.suffix}")
        return (
            ranked
            if rank and ranked not in taken
            else output.with_name(f"{output.stem}.{pid}{output.suffix}")
        )
