"""A log of torch 2.13 as torch wrote it: a module in training with a break and a recompile, and a function with ``cond``, with
``INDUCTOR_PROVENANCE=1``. Some events of passes and the compile 1/1 were taken out to keep it small.
"""

import functools
import io
import lzma
from pathlib import Path

from compiler.analysis.torch_logs.capture_of_log import LogCapture
from compiler.analysis.torch_logs.records.log_lines import LogReader
from compiler.analysis.torch_logs.records.process_log import ProcessLog
from compiler.model.capture.capture import Capture

FILE = Path(__file__).resolve().parents[3] / "data" / "torch_trace_2.13.log.xz"


@functools.cache
def text() -> bytes:
    return lzma.decompress(FILE.read_bytes())


def capture_of(log: bytes, rank: str = "") -> Capture:
    return LogCapture(ProcessLog(LogReader(io.BytesIO(log))).read(), "recorded.log", rank).made()


@functools.cache
def recorded() -> Capture:
    return capture_of(text())
