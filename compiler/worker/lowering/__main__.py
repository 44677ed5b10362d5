"""``python -m compiler.worker.lowering ORDER ANSWER``: lower Triton kernels, write the answers, end."""

import os
import sys
import traceback
from pathlib import Path

import msgspec

from compiler.model.lowering import KernelsLowered, LowerAnswer, LowerKernels, LowerOrder
from compiler.model.problems import Problem
from compiler.worker import pretending


def main() -> None:
    """Read the order, and write the answer whatever happens."""
    order_path, answer_path = map(Path, sys.argv[1:3])
    asked = msgspec.msgpack.decode(order_path.read_bytes(), type=LowerKernels)
    problem = pretending.pretend(asked.device) if asked.device is not None else None
    if problem is not None:
        answers = tuple(LowerAnswer(order.name, problem=problem) for order in asked.orders)
    else:
        answers = tuple(map(_answer, asked.orders))
    partial = answer_path.with_suffix(".part")
    partial.write_bytes(msgspec.msgpack.encode(KernelsLowered(answers)))
    partial.rename(answer_path)
    sys.stdout.flush()
    os._exit(0)  # C++ still points at what we pretend with; taking that down crashes after the work is done


def _answer(order: LowerOrder) -> LowerAnswer:
    try:
        import triton  # noqa: F401
    except ImportError as error:
        remedy = "Install it beside torch: pip install triton. There are wheels for Linux only."
        return LowerAnswer(order.name, problem=Problem(f"Triton is not installed ({error}).", remedy))
    from compiler.engine.torch_internals import triton_lowering

    triton_lowering.prepare()
    try:
        lowered, candidates = triton_lowering.lower(order)
    except Exception as error:  # noqa: BLE001  the process boundary: kernel text and Triton may raise anything
        last = str(error).strip().split("\n")[-1]
        what = f"Triton cannot compile {order.name}: {type(error).__name__}: {last}"
        detail = "".join(traceback.format_exception(error))
        problem = Problem(what, "The detail has Triton's message with its line.", detail=detail)
        return LowerAnswer(order.name, problem=problem, error_line=triton_lowering.error_line(error, order))
    return LowerAnswer(order.name, lowered, candidates)


if __name__ == "__main__":
    main()
