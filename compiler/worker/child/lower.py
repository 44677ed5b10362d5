"""Lower Triton kernels, write the answers, end."""

import traceback
from collections.abc import Sequence

import msgspec

from compiler.model.ir.diagnostics import Problem
from compiler.model.ir.lowered_kernel import KernelsLowered, LowerAnswer, LowerKernels, LowerOrder
from compiler.worker import fake_gpu_setup
from compiler.worker.child.answering import answer_order, missing_triton, stopped_by_sandbox

_ORDERS = msgspec.msgpack.Decoder(LowerKernels)


def _answer(asked: LowerKernels) -> KernelsLowered:
    problem = fake_gpu_setup.pretend(asked.device) if asked.device is not None else None
    problem = problem or missing_triton()
    if problem is not None:
        return KernelsLowered(tuple(LowerAnswer(order.name, problem=problem) for order in asked.orders))
    return KernelsLowered(tuple(map(_lowered, asked.orders)))


def _lowered(order: LowerOrder) -> LowerAnswer:
    from compiler.engine.torch_internals.triton import triton_lowering

    triton_lowering.prepare()
    try:
        lowered, candidates = triton_lowering.lower(order)
    except Exception as error:  # noqa: BLE001  the process boundary: kernel text and Triton may raise anything
        last = str(error).strip().split("\n")[-1]
        what = f"Triton cannot compile {order.name}: {type(error).__name__}: {last}"
        detail = "".join(traceback.format_exception(error))
        problem = stopped_by_sandbox(error, order.name) or Problem(
            what, "The detail has Triton's message with its line.", detail=detail, read_detail=True
        )
        return LowerAnswer(order.name, problem=problem, error_line=triton_lowering.error_line(error, order))
    return LowerAnswer(order.name, lowered, candidates)


def main(arguments: Sequence[str]) -> None:
    """The order is in the first file, the answer belongs in the second."""
    answer_order(arguments, _ORDERS, _answer, sandboxed=True)  # C++ still points at what we pretend with
