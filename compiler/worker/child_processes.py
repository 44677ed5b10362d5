"""Work done in processes of their own: pretending to have a GPU changes torch for good, and kernels that are lowered are
executed.
"""

import contextlib
import os
import signal
import tempfile
import threading
from collections.abc import Callable, Mapping
from pathlib import Path
from types import MappingProxyType

import msgspec

from compiler.analysis.text_format.visible_text import visible
from compiler.engine.errors import EngineError
from compiler.installation import python_path
from compiler.model.capture.capture import Capture
from compiler.model.capture.capture_spec import CaptureSpec
from compiler.model.capture.front_ends import find_front_end
from compiler.model.edits.edits import Edit
from compiler.model.front_end_comparison.comparison_checkpoint import died_over
from compiler.model.front_end_comparison.front_end_matrix import FrontEndCell, JudgeFrontEnd
from compiler.model.gpu.kernel_checks import CheckKernels, KernelsChecked
from compiler.model.ir.diagnostics import Problem
from compiler.model.ir.ids import CaptureId
from compiler.model.ir.lowered_kernel import KernelsLowered, LowerKernels
from compiler.model.protocol.absent_gpu import PROGRESS, Order
from compiler.model.protocol.capture_lists import read_answer
from compiler.model.protocol.crash_report import how_it_ended
from compiler.model.protocol.isolated_jobs import (
    Captured,
    CaptureWith,
    IsolatedAnswer,
    IsolatedJob,
    IsolatedResult,
    Refused,
)
from compiler.model.protocol.progress import from_line
from compiler.processes.first_environment import first_environment, without_secrets
from compiler.processes.fork_server import ChildOrder, ChildProcess, spawn
from compiler.processes.private_folder import scratch_place
from compiler.worker import fake_gpu_setup
from compiler.worker.child_output import lines_of

CHILD = "compiler.worker.child"
LAST_LINES = 40
SECONDS = "LOUPE_KERNEL_SECONDS"
"""How long the code of one kernel may run while it is lowered or interpreted."""
_SECONDS_A_KERNEL = 120.0
_LARGEST_ANSWER = 2 << 30

ReportProgress = Callable[[str], None]
_NO_GPU = {"CUDA_VISIBLE_DEVICES": "", "HIP_VISIBLE_DEVICES": ""}
"""A GPU that is here must not answer for the one that is pretended."""
_CACHES = "TORCHINDUCTOR_CACHE_DIR"
_READ_LATER = {_CACHES, *_NO_GPU}
"""What torch reads each time it wants to know; other settings are read while it, or Triton, is loaded."""
_NONE: Mapping[str, str] = MappingProxyType({})

# Made when the module is loaded, since msgspec looks up annotations by module name, and the worker later hides ours.
_ANSWERS: msgspec.msgpack.Decoder[IsolatedAnswer] = msgspec.msgpack.Decoder(IsolatedAnswer)


def capture_in_child(spec: CaptureSpec, capture_id: CaptureId, report_progress: ReportProgress) -> Capture:
    """Start the process, pass on what it says and prints, and take its answer. Raises EngineError."""
    if not spec.is_only_compiled:
        done = run_isolated(
            CaptureWith(spec, capture_id), find_front_end(spec.front_end).title, report_progress
        )
        assert isinstance(done, Captured)
        return done.capture
    return _cross_compiled(Order(spec, capture_id), spec.compiled_for, report_progress)


def edit_in_child(
    spec: CaptureSpec,
    capture_id: CaptureId,
    edits: tuple[Edit, ...],
    edited_id: CaptureId,
    report_progress: ReportProgress,
) -> Capture:
    """Capture again on fakes, carry edits out, and give what that becomes. Raises EngineError."""
    return _cross_compiled(Order(spec, capture_id, edits, edited_id), spec.compiled_for, report_progress)


def _cross_compiled(asked: Order, name: str, report_progress: ReportProgress) -> Capture:
    order = msgspec.msgpack.encode(asked)
    who = f"The process that compiles for {name}"
    target = asked.spec.device
    settings = _NO_GPU if target is not None else _same_caches()
    fresh = target is not None and not fake_gpu_setup.can_follow_torch(target)
    answered = _run("cross_compile", order, who, report_progress, settings=settings, fresh=fresh)
    capture, problem = read_answer(answered)
    if capture is None:
        unknown = Problem(f"Nothing was captured for {name}.", "Capture again.")
        raise EngineError(problem or unknown)
    return capture


class ChildEndedError(EngineError):
    """The process is gone without an answer."""

    def __init__(self, problem: Problem, code: int | None) -> None:
        super().__init__(problem)
        self.code = code
        """Its exit status, less than zero for a signal; None where it was ended since it took too long."""


def run_isolated(
    order: IsolatedJob,
    what: str,
    report_progress: ReportProgress,
    limit: float | None = None,
    trials: Path | None = None,
) -> IsolatedResult:
    """Have an order carried out by a process of its own; `what` it runs, for the message if it dies. After `limit` seconds
    it is ended. `trials`: it is one of many, which share that folder for what C++ compilers are asked, and print nothing.
    Raises EngineError, a `ChildEndedError` where it died.
    """
    caches = {_CACHES: str(trials)} if trials is not None else _NONE
    answered = _run(
        "isolated",
        msgspec.msgpack.encode(order),
        f"The process that runs {what}",
        report_progress,
        _same_caches() if isinstance(order, JudgeFrontEnd) else caches,
        limit,
        quiet=trials is not None,
    )
    answer = _ANSWERS.decode(answered)
    if isinstance(answer, Refused):
        raise EngineError(answer.problem)
    return answer


def _same_caches() -> Mapping[str, str]:
    """The worker's own, for what is compiled for this machine: torch's probes of the C++ compiler are not repeated."""
    first = first_environment()
    return {_CACHES: first[_CACHES]} if _CACHES in first else {}


def judge_in_child(order: JudgeFrontEnd, report_progress: ReportProgress) -> FrontEndCell:
    """A cell of the comparison of front ends; that the process died, or took too long, is reported in the cell."""
    title = find_front_end(order.spec.front_end).title
    if not order.folder:
        with tempfile.TemporaryDirectory(prefix="loupe-cell-", dir=scratch_place()) as folder:
            noted = judge_in_child(msgspec.structs.replace(order, folder=folder), report_progress)
            return msgspec.structs.replace(noted, kept="", not_kept="")
    try:
        cell = run_isolated(order, title, report_progress, order.limit)
    except EngineError as error:
        return died_over(order.folder, order.spec.front_end, error.problem)
    assert isinstance(cell, FrontEndCell)
    return cell


def lower_in_child(orders: LowerKernels, report_progress: ReportProgress) -> KernelsLowered:
    """Lower Triton kernels in a process of its own, since their text is executed. Raises EngineError."""
    report_progress("Lowering to machine code")
    order = msgspec.msgpack.encode(orders)
    who = "The process that lowers kernels"
    many = sum(max(row.configurations, 1) for row in orders.orders)
    answered = _run("lower", order, who, report_progress, limit=_seconds_for(many), boxed=True)
    return msgspec.msgpack.decode(answered, type=KernelsLowered)


def check_in_child(asked: CheckKernels, report_progress: ReportProgress) -> KernelsChecked:
    """Run Triton kernels through the interpreter, which must be chosen before Triton is imported. Raises EngineError."""
    report_progress("Starting Triton's interpreter")
    order = msgspec.msgpack.encode(asked)
    who = "The process that interprets kernels"
    many = sum(len(row.kernels) + 1 for row in asked.orders)
    settings = {"TRITON_INTERPRET": "1"}
    answered = _run("interpret", order, who, report_progress, settings, _seconds_for(many), True)
    return msgspec.msgpack.decode(answered, type=KernelsChecked)


def _seconds_for(kernels: int) -> float:
    """How long code of so many kernels may run; the variable says it for one."""
    try:
        each = float(first_environment().get(SECONDS, "") or _SECONDS_A_KERNEL)
    except ValueError:
        each = _SECONDS_A_KERNEL
    return each * (kernels + 1)


def _run(
    kind: str,
    order: bytes,
    who: str,
    report_progress: ReportProgress,
    settings: Mapping[str, str] = _NONE,
    limit: float | None = None,
    boxed: bool = False,
    quiet: bool = False,
    fresh: bool = False,
) -> bytes:
    """Run a process of one kind (`compiler.worker.child`) with a file for its order and one for its answer, and give the answer. `boxed`: it runs code
    out of a file, and may write nowhere else than beside its order. `fresh`: it must load torch itself.

    The process is in the worker's own session, so what ends the worker ends it too.
    """
    with tempfile.TemporaryDirectory(prefix="loupe-gpu-", dir=scratch_place()) as scratch:
        folder = Path(scratch)
        asked, answered = folder / "order", folder / "answer"
        asked.write_bytes(order)
        first = first_environment()
        environment = {
            **(without_secrets(first) if boxed else first),
            "PYTHONPATH": python_path(first.get("PYTHONPATH")),
            "TRITON_CACHE_DIR": str(folder / "triton"),
            _CACHES: str(folder / "inductor"),
            **settings,
            **({"TMPDIR": str(folder), "TRITON_HOME": str(folder)} if boxed else {}),
        }
        seconds = [str(int(limit * (os.cpu_count() or 1)) + 1)] if boxed and limit is not None else []
        arguments = kind, str(asked), str(answered), *seconds
        # what runs a file's code shares nothing with us
        fresh = fresh or boxed or not settings.keys() <= _READ_LATER
        process = spawn(ChildOrder(CHILD, arguments, environment), fresh, group=boxed)
        printed: list[str] = []
        late = threading.Event()

        def stop() -> None:
            late.set()
            _end(process, boxed)

        timer = threading.Timer(limit or 0.0, stop)
        try:
            if limit is not None:
                timer.start()
            for line in lines_of(process):
                if line.startswith(PROGRESS):
                    report_progress(from_line(line.removeprefix(PROGRESS)))
                else:
                    printed.append(line)
                    if not quiet:
                        print(visible(line) if boxed else line, end="", flush=True)  # noqa: T201  what the program prints is passed on
            process.wait()
        finally:
            timer.cancel()
            if process.poll() is None or boxed:
                _end(process, boxed)
                process.wait()
        if late.is_set() and not answered.exists():
            raise ChildEndedError(_too_slow(who, limit or 0.0, printed), None)
        if not answered.exists():
            code = process.wait()
            raise ChildEndedError(ended(who, code, printed), code)
        return answered.read_bytes() if not boxed else _answer_in(answered)


def _end(process: ChildProcess, group: bool) -> None:
    """Kill it, and where it leads a group all that it started."""
    with contextlib.suppress(ProcessLookupError):
        if group:
            os.killpg(process.pid, signal.SIGKILL)
        else:
            process.kill()


def _answer_in(path: Path) -> bytes:
    """An answer that code out of a file may have put there: no link that leads elsewhere, no pipe without an end."""
    with os.fdopen(os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK), "rb") as stream:
        return stream.read(_LARGEST_ANSWER)


def _too_slow(who: str, limit: float, printed: list[str]) -> Problem:
    return Problem(
        f"{who} did not end within {limit:g} s and was stopped.",
        "Give it more time, or a smaller input.",
        detail="".join(printed[-LAST_LINES:]),
    )


def ended(who: str, code: int, printed: list[str]) -> Problem:
    """That a process died, how, and what it printed last."""
    return Problem(
        f"{who} {how_it_ended(code < 0, abs(code))}.",
        f"{'The detail has the last of what it printed' if printed else 'It printed nothing'}. Captures and edits are kept.",
        detail="".join(printed[-LAST_LINES:]),
        read_detail=bool(printed),
    )
