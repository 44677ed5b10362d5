"""What a row says of a capture."""

import hashlib

from compiler.analysis.session_file.session_data import SessionData
from compiler.analysis.timing.memory_plan import memory_plan
from compiler.model.batch.rows import Figures, KernelText
from compiler.model.capture.capture import Capture
from compiler.model.capture.counted import counted
from compiler.model.diff.kernel_diff import kernels_of, plain_text
from compiler.model.graph_breaks.ranked_breaks import RankedBreak, count_breaks, ranked_breaks


def figures_of_session(data: SessionData, not_timed: str = "") -> Figures:
    """Of the first capture and the newest times."""
    capture = data.captures[0]
    breaks = ranked_breaks(capture)
    timed = data.timings[-1] if data.timings else None
    environment = capture.environment
    return Figures(
        environment.torch,
        f"{environment.processor or environment.platform}, {counted(environment.threads, 'thread')}",
        count_breaks(breaks),
        tuple(map(_break_text, breaks)),
        len(capture.graphs_that_run()),
        tuple(
            KernelText(kernel.name, hashlib.sha256(plain_text(kernel).encode()).hexdigest()[:16])
            for _, kernel in kernels_of(capture.stages)
        ),
        capture.seconds,
        _compile_seconds(capture),
        _planned(capture),
        timed.compiled if timed else None,
        timed.eager if timed else None,
        timed.ratio if timed else None,
        not_timed,
    )


def _break_text(row: RankedBreak) -> str:
    line = row.location.text.strip() if row.location is not None else row.first.reason.split("\n", 1)[0]
    return ": ".join(filter(None, (row.function, row.first.kind, line)))


def _compile_seconds(capture: Capture) -> float | None:
    outer = [phase.seconds for phase in capture.phases if phase.kind == "phase" and phase.parent < 0]
    return sum(outer) if outer else None


def _planned(capture: Capture) -> int | None:
    plan = memory_plan(capture)
    return max(plan.live(), default=0) if plan.kernels and not plan.unknown else None
