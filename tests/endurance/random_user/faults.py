"""What a window must never do, whoever sits before it: raise, or have Qt complain."""

import sys
import threading
import traceback
from collections import Counter
from pathlib import Path
from types import TracebackType

from PySide6.QtCore import QMessageLogContext, QtMsgType, qInstallMessageHandler

_OF_THE_PLATFORM = ("This plugin does not support", "propagateSizeHints")
"""What Qt says of being without a screen."""


class Faults:
    """Each fault once, with how often it came and what the user did when it came first."""

    def __init__(self) -> None:
        self.step = ""
        """What the user does now."""
        self._found: Counter[str] = Counter()
        self._first: dict[str, str] = {}
        sys.excepthook = self._raised
        sys.unraisablehook = lambda fault: self._raised(fault.exc_type, fault.exc_value, fault.exc_traceback)
        threading.excepthook = lambda fault: self._raised(
            fault.exc_type, fault.exc_value, fault.exc_traceback
        )
        qInstallMessageHandler(self._complained)

    def note(self, fault: str) -> None:
        """Count one."""
        self._found[fault] += 1
        self._first.setdefault(fault, self.step)

    def listed(self) -> list[str]:
        """In the order in which they came."""
        return [
            f"{fault} ({times}×, first after {self._first[fault]})" for fault, times in self._found.items()
        ]

    def _raised(
        self, kind: type[BaseException], error: BaseException | None, trace: TracebackType | None
    ) -> None:
        sys.stderr.write("".join(traceback.format_exception(kind, error, trace)))
        frames = traceback.extract_tb(trace)
        where = f" at {frames[-1].filename}:{frames[-1].lineno}" if frames else ""
        self.note(f"{kind.__name__}: {error}{where}{_called_from()}".replace("\n", " ")[:400])

    def _complained(self, kind: QtMsgType, _context: QMessageLogContext, message: str) -> None:
        if kind is not QtMsgType.QtDebugMsg and not any(part in message for part in _OF_THE_PLATFORM):
            self.note(f"Qt: {message}{_called_from()}"[:400])


def _called_from() -> str:
    """The window's innermost lines that led here: of an exception in a slot, those that emitted the signal."""
    frames = [frame for frame in traceback.extract_stack() if "/app/" in frame.filename]
    return "".join(f" < {Path(frame.filename).name}:{frame.lineno}" for frame in reversed(frames[-4:]))
