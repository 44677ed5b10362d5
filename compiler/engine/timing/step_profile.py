"""One step seen by torch's profiler: operations of the eager program; guards and allocations of the compiled one.

The profiler makes what it looks at a little longer, so such a step is distinguished and counted in no median.
"""

from collections.abc import Callable, Sequence
from typing import Any

from compiler.engine.timing.op_bytes import DispatchedOperation, asked_in, dispatched_in
from compiler.engine.timing.step_log import StepLog
from compiler.engine.torch_internals.profiler.gpu_profile import GUARDS
from compiler.engine.torch_internals.profiler.step_profile import StepProfile, marked, profile_step
from compiler.engine.user_program.stepper import Stepper
from compiler.model.timing.step_trace import Span, SpanKind, StepTrace

_FORWARD = "torch loupe: forward"
_AUTOGRAD = "autograd::engine::evaluate_function: "
_MOST_SPANS = 4000
_STEPS = 3
_LONG = 100_000_000
"""Nanoseconds: of a step that takes longer, one is enough."""


def profiled_trace(
    stepper: Stepper, function: Callable[..., Any], backward: bool, log: StepLog | None
) -> StepTrace | None:
    """The shortest of a few steps as the profiler saw them; None where this torch has no such profiler. With a log it is
    the compiled program, whose clocks say when its kernels ran.
    """
    traces: list[StepTrace] = []
    operations = asked_in(lambda run: stepper.step(run, backward), function) if log is None else []
    while len(traces) < _STEPS:
        trace = _one(stepper, function, backward, log, operations)
        if trace is None:
            return None
        traces.append(trace)
        if trace.length > _LONG:
            break
    return min(traces, key=lambda trace: trace.length)


def _one(
    stepper: Stepper,
    function: Callable[..., Any],
    backward: bool,
    log: StepLog | None,
    operations: list[DispatchedOperation],
) -> StepTrace | None:
    program = marked(_FORWARD, function)
    if log is not None:
        log.clear()
    seen = profile_step(lambda: stepper.step(program, backward))
    if not seen.ranges:
        return None
    kernels = log.kernel_spans(seen.began) if log is not None else ()
    asked = dispatched_in(seen.ranges, operations)
    return StepTrace(log is not None, True, seen.length, (*_spans(seen, asked), *kernels), tuple(seen.memory))


def _spans(seen: StepProfile, asked: dict[int, list[DispatchedOperation]]) -> tuple[Span, ...]:
    """Phases, guards, nodes of the autograd graph, and the operations that no other operation called."""
    forward_end = next((end for _, end, name, _ in seen.ranges if name == _FORWARD), seen.length)
    spans = [Span(0, forward_end, SpanKind.FORWARD)]
    if forward_end < seen.length and any(begin >= forward_end for begin, _, _, _ in seen.ranges):
        spans.append(Span(forward_end, seen.length, SpanKind.BACKWARD))
    covered = 0
    for index, (begin, end, name, _) in enumerate(seen.ranges):
        if name.startswith("aten::"):
            if begin >= covered:
                spans.append(_operation(begin, end, name, asked.get(index, ())))
                covered = end
        elif name == GUARDS:
            spans.append(Span(begin, end, SpanKind.GUARDS, name))
        elif name.startswith(_AUTOGRAD):
            spans.append(Span(begin, end, SpanKind.AUTOGRAD, name.removeprefix(_AUTOGRAD)))
    return tuple(spans[:_MOST_SPANS])


def _operation(begin: int, end: int, name: str, asked: Sequence[DispatchedOperation]) -> Span:
    """With the bytes of what it dispatches, and the user's line."""
    line = next((operation.line for operation in asked if operation.line is not None), None)
    return Span(
        begin,
        end,
        SpanKind.OPERATION,
        name,
        read=sum(operation.read for operation in asked),
        written=sum(operation.written for operation in asked),
        path=line.path if line is not None else "",
        line=line.line if line is not None else 0,
    )
