"""What the processes share that are started for one order: it is given in a file and answered in a file."""

import contextlib
import importlib.util
import os
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TypeVar

import msgspec

from compiler.installation import IMPORT_ROOT, our_files
from compiler.model.ir.diagnostics import Problem
from compiler.model.protocol.absent_gpu import PROGRESS
from compiler.model.protocol.progress import line_of
from compiler.processes import sandbox
from compiler.processes.leaving import end_forks, leave_now

_Order = TypeVar("_Order")
# A program may close its output, or put something else in the place of `print`.
_write = os.write
_output = 1
"""What this process speaks through."""
_ENCODER = msgspec.msgpack.Encoder()


def answer_order(
    arguments: Sequence[str],
    orders: "msgspec.msgpack.Decoder[_Order]",
    answer: Callable[[_Order], object],
    at_once: bool = True,
    sandboxed: bool = False,
) -> None:
    """Read the order that the first argument names, and write the answer where the second says: whole, or not at all. `at_once` ends the process without taking the interpreter down, which crashes after some kinds of work.
    `sandboxed`: it runs code out of a file; the third argument is how many seconds of processor time it may take.

    Make the decoder when the module is loaded: msgspec looks up annotations by module name, and user code may hide ours.
    """
    global _output
    _output = os.dup(1)
    asked, answered = map(Path, arguments[:2])
    if sandboxed:
        held = sandbox.enter(asked.parent, int(arguments[2]), our_files(), IMPORT_ROOT)
        if held.missing:
            print(f"loupe: {held.text}.", flush=True)  # noqa: T201  passed on to whoever asked
    found = _ENCODER.encode(answer(orders.decode(asked.read_bytes())))
    end_forks()
    partial = answered.with_suffix(".part")
    partial.write_bytes(found)
    partial.rename(answered)
    if at_once:
        _flush()
        leave_now(0)


def report_progress(text: str) -> None:
    """Tell whoever waits how far it is: this process's output is how it speaks."""
    _flush()  # what the program printed before comes before
    line = f"{PROGRESS}{line_of(text)}\n".encode(errors="replace")
    while line:
        line = line[_write(_output, line) :]


def _flush() -> None:
    for stream in (sys.stdout, sys.stderr):
        with contextlib.suppress(Exception):  # a program may have closed it, or put something else there
            stream.flush()


def stopped_by_sandbox(error: Exception, what: str) -> Problem | None:
    """That code out of a file wanted what it may not have; None for any other error."""
    if isinstance(error, PermissionError):
        refused = f"{what} was stopped: its code wanted to read or write a file of yours or to open a connection ({error})."
        return Problem(refused, "Code of kernels runs in a sandbox. Look at its source before you use it.")
    if isinstance(error, MemoryError):
        most = sandbox.memory_limit() / (1 << 30)
        return Problem(
            f"{what} was stopped: its code wanted more than {most:.0f} GiB of memory.", "Look at its source."
        )
    return None


def missing_triton() -> Problem | None:
    """Why there is no Triton here; None where there is."""
    if importlib.util.find_spec("triton") is not None:
        return None
    remedy = "Install it beside torch: pip install triton. There are wheels for Linux only."
    return Problem("Triton is not installed.", remedy)
