"""Which function a compile is of. Where torch gives up at once, at the recompile limit, the log names none: it is that of the
compiles before it with the same frame.
"""

import msgspec

from compiler.analysis.torch_logs.records.interned_strings import integer_of, text_of
from compiler.analysis.torch_logs.records.process_log import CompileLog
from compiler.model.capture.compile_ids import frame_of, number_of


class Function(msgspec.Struct, frozen=True):
    """Where it begins."""

    name: str = ""
    path: str = ""
    line: int = 0


class Functions:
    """Takes compile after compile."""

    def __init__(self) -> None:
        self._of_frame: dict[str, Function] = {}

    def of(self, log: CompileLog) -> Function:
        """The function of a compile; without a name where nothing says."""
        frame = frame_of(log.id) if number_of(log.id) else ""
        found = _reported(log)
        if found.name and frame:
            self._of_frame[frame] = found
        return found if found.name else self._of_frame.get(frame, found)


def _reported(log: CompileLog) -> Function:
    metrics = log.metrics[-1] if log.metrics else {}
    last = log.stack[-1] if log.stack else None
    line = integer_of(metrics, "co_firstlineno")
    return Function(
        text_of(metrics, "co_name") or (last.function if last else ""),
        text_of(metrics, "co_filename") or (last.path if last else ""),
        line if line is not None else last.line if last else 0,
    )
