"""Run Triton kernels through the interpreter, write the answer, end.

``TRITON_INTERPRET=1`` must be set before.
"""

from collections.abc import Sequence

import msgspec

from compiler.model.gpu.kernel_checks import CheckKernels, GraphCheck, KernelsChecked
from compiler.worker.child.answering import answer_order, missing_triton, report_progress

_ORDERS = msgspec.msgpack.Decoder(CheckKernels)


def _answer(asked: CheckKernels) -> KernelsChecked:
    missing = missing_triton()
    if missing is not None:
        return KernelsChecked(tuple(GraphCheck(order.stage, problem=missing) for order in asked.orders))
    from compiler.engine.cross_compile.triton_interpreter_check import KernelChecker

    checker = KernelChecker(report_progress)
    return KernelsChecked(tuple(map(checker.check, asked.orders)))


def main(arguments: Sequence[str]) -> None:
    """The order is in the first file, the answer belongs in the second."""
    answer_order(arguments, _ORDERS, _answer, at_once=False, sandboxed=True)
